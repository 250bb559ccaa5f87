/** Runs suites on a device and returns their report: the same code in Node and in a browser's page. */
import { type Device, ScreeError } from '../index.ts';
import type { BenchHost } from './host.ts';
import type { BenchReport, SuiteName } from './report.ts';

/** Where a run is: `done` of `total` steps of what `stage` names. */
export interface BenchProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export interface RunSuitesOptions {
  /** Stays open; it belongs to the caller. */
  readonly device: Device;
  /** In the order in which they run and are reported. */
  readonly suites: readonly SuiteName[];
  /** Small bodies and few points: whether it runs, in less than a minute on two cores. */
  readonly quick: boolean;
  readonly host: BenchHost;
  /** Stops the run between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called between measurements only, never while something is timed; time spent in it is no part of any figure. */
  readonly onProgress?: (line: BenchProgress) => void;
}

/**
 * @throws WrongFlags, a ScreeError with exit code 1, if a flag of scree is not the exact one; it names way, body and points.
 * @throws DeviceError if the device is lost or out of memory.
 */
export async function runSuites(_options: RunSuitesOptions): Promise<BenchReport> {
  throw new ScreeError('the suites are not there yet', 1);
}

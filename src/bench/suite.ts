/** What every suite looks like to the runner. */
import type { Device } from '../index.ts';
import type { BenchHost } from './host.ts';
import type { PairsReport, SuiteReport } from './report.ts';

/** What a suite is given to measure with. */
export interface RunContext {
  readonly device: Device;
  readonly quick: boolean;
  readonly host: BenchHost;
  readonly signal: AbortSignal | undefined;
  /** Measures the yardstick once more: between cases, so that its rates tell how the machine was all along. */
  measureCopyRate(): Promise<void>;
}

/** A suite that is ready to run: its cases are known, its peers are loaded. */
export interface PlannedSuite {
  /** How often `run` calls `step`. */
  readonly steps: number;
  /** Compiles kernels and warms engines, before anything of any suite is timed. */
  warmUp?(): Promise<void>;
  /** @param step called before each case, with what it is */
  run(step: (what: string) => Promise<void>): Promise<SuiteResult>;
}

export interface SuiteResult {
  readonly suites?: readonly SuiteReport[];
  readonly pairs?: PairsReport;
  /** What was left out or is not as asked, a sentence each. */
  readonly remarks: readonly string[];
}

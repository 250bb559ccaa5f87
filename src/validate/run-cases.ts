/** Runs cases one after the other. */
import { type Device, ScreeError, Simulation } from '../index.ts';
import type { CaseContext, CaseResult, Row, ValidationCase } from './validation-case.ts';

export interface RunOptions {
  /** Steps are made on it, in float32. Default: on the CPU, in float64. */
  readonly device?: Device | undefined;
  readonly threads?: number | undefined;
  readonly isQuick?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((name: string, done: number, total: number) => void) | undefined;
}

/** What a case came to. */
export interface CaseReport extends CaseResult {
  readonly name: string;
  readonly shows: string;
  readonly source: string;
  readonly isLong: boolean;
  /** Why it did not come to its end: counts as a row that failed. */
  readonly failure?: string;
  readonly seconds: number;
}

/** Why a case is left out where steps are made on a device; undefined: it runs. @param isNamed somebody asks for it */
export function whyLeftOut(
  { needsFloat64, needsHardware }: ValidationCase,
  device: Pick<Device, 'adapter'> | undefined,
  isNamed: boolean,
): string | undefined {
  if (device === undefined) return undefined;
  return needsFloat64 ?? (device.adapter.software && !isNamed ? needsHardware : undefined);
}

/** The report of each case as soon as it is there. A case that scree stops with a message of its own has failed. */
export async function* runCases(
  cases: readonly ValidationCase[],
  { device, threads, isQuick = false, signal, onProgress }: RunOptions = {},
): AsyncGenerator<CaseReport> {
  const backend = device ? 'gpu' : 'cpu';
  const judge = ({ inFloat32, ...row }: Row) => (device && inFloat32) || row;
  for (const { name, shows, source, isLong = false, run } of cases) {
    const own = { name, shows, source, isLong };
    const made: Simulation[] = [];
    const context: CaseContext = {
      isQuick,
      isOnSoftware: device?.adapter.software ?? false,
      async simulate(scene, options) {
        const simulation = await Simulation.create(device, scene, { backend, threads, signal, ...options });
        made.push(simulation);
        return simulation;
      },
      progress(done, total) {
        signal?.throwIfAborted();
        onProgress?.(name, done, total);
      },
    };
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    try {
      context.progress(0, 1);
      const { rows, ...others } = await run(context);
      yield { ...own, ...others, rows: rows.map(judge), seconds: seconds() };
    } catch (error) {
      if (!(error instanceof ScreeError)) throw error;
      yield { ...own, rows: [], failure: error.message, seconds: seconds() };
    } finally {
      for (const simulation of made) simulation.destroy();
    }
  }
}

/** Rows that passed and that failed. */
export function countRows(reports: readonly CaseReport[]): { passed: number; failed: number } {
  let [passed, failed] = [0, 0];
  for (const { rows, failure } of reports) {
    for (const row of rows) row.passed ? passed++ : failed++;
    if (failure !== undefined) failed++;
  }
  return { passed, failed };
}

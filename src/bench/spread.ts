/** Repetitions: taken in turns, so that drift of the machine hits everyone alike, and summed up by their middle. */
import type { BenchHost } from './host.ts';
import type { Spread } from './report.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function spread(values: readonly number[]): Spread {
  return {
    min: Math.min(...values),
    median: median(values),
    max: Math.max(...values),
    runs: values.length,
  };
}

/** The middle of the ratios of two things that were measured in the same rounds. */
export function medianRatio(numerators: readonly number[], denominators: readonly number[]): number {
  return median(numerators.map((value, round) => value / denominators[round]!));
}

/** Runs every item once per round; each round starts with another one, so that nobody always comes after the same. */
export async function inTurns<T>(
  items: readonly T[],
  rounds: number,
  run: (item: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < items.length; i++) await run(items[(i + round) % items.length]!, round);
  }
}

/** What one run took. */
export interface Clocked<T> {
  readonly result: T;
  readonly seconds: number;
  /** Processor time of all threads of the process, a software adapter's included; 0 where the host does not tell. */
  readonly processorSeconds: number;
}

/** What the clocks need of the host. */
export type HostClock = Pick<BenchHost, 'collectGarbage' | 'processorSeconds'>;

/** Runs work between two looks at the clocks, on a heap that has just been swept. */
export async function clocked<T>(work: () => Promise<T>, host: HostClock): Promise<Clocked<T>> {
  host.collectGarbage?.();
  const processor = host.processorSeconds?.() ?? 0;
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  return { result, seconds, processorSeconds: (host.processorSeconds?.() ?? 0) - processor };
}

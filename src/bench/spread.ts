/**
 * Repetitions and growth. Repetitions go in turns, so that drift of the machine hits all alike; their median counts.
 * Growth is told by the exponents of power laws.
 */
import type { Spread } from './report.ts';
import type { BenchHost } from './suite.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { min: Math.min(...values), median: median(values), max: Math.max(...values), runs: values.length };
}

/** The middle of the ratios of two things that were measured in the same rounds. */
export function medianRatio(numerators: readonly number[], denominators: readonly number[]): number {
  return median(numerators.map((value, round) => value / denominators[round]!));
}

/** Runs every item once per round. Each round starts with another item, so that none always follows the same one. */
export async function inTurns<T>(
  items: readonly T[],
  rounds: number,
  run: (item: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < items.length; i++) await run(items[(i + round) % items.length]!, round);
  }
}

/** What the clocks need of the host. */
export type HostClock = Pick<BenchHost, 'collectGarbage'>;

/** Runs work between two looks at the clock, on a heap that has just been swept where the host is given. */
export async function clocked<T>(work: () => Promise<T>, host?: HostClock): Promise<{ result: T; seconds: number }> {
  host?.collectGarbage?.();
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1000 };
}

/** How times grow. */
export interface Sample {
  readonly x: number;
  readonly y: number;
}

/** The exponent e of y = c x^e, by least squares of logarithms; undefined for fewer than two different x. */
export function fittedExponent(samples: readonly Sample[]): number | undefined {
  const usable = samples.filter(({ x, y }) => x > 0 && y > 0);
  const mean = (value: (sample: Sample) => number) =>
    usable.reduce((sum, sample) => sum + value(sample), 0) / usable.length;
  const [x, y] = [mean((sample) => Math.log(sample.x)), mean((sample) => Math.log(sample.y))];
  let [across, up] = [0, 0];
  for (const sample of usable) {
    across += (Math.log(sample.x) - x) ** 2;
    up += (Math.log(sample.x) - x) * (Math.log(sample.y) - y);
  }
  return across > 0 ? up / across : undefined;
}

/** The exponent between the two samples of largest x: there the fixed cost of a call weighs least. */
export function lastExponent(samples: readonly Sample[]): number | undefined {
  return fittedExponent(samples.toSorted((a, b) => a.x - b.x).slice(-2));
}

/** Of what each round took by stage, the median of each. */
export function medianStages(rounds: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]!))]));
}

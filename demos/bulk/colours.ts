/** What the colours of bodies say: which body it is, how fast it moves, or how strongly others press on it. */
import type { PairForces } from '../../src/index.ts';

export const COLOURINGS = ['body', 'speed', 'force'] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** From nothing to the most: dark blue, teal, yellow; linear red, green and blue. */
const RAMP = [
  [0.035, 0.05, 0.25],
  [0.01, 0.3, 0.36],
  [0.14, 0.55, 0.16],
  [0.95, 0.78, 0.06],
] as const;
/** What a scale keeps of itself from picture to picture where bodies get slower or press less. */
const KEPT = 0.95;

/** The colour of a share of the most, 0 to 1. */
export function colourOf(value: number): readonly [number, number, number] {
  const at = Math.min(1, Math.max(0, value)) * (RAMP.length - 1);
  const [low, high] = [RAMP[Math.floor(at)]!, RAMP[Math.ceil(at)]!];
  const mix = (k: 0 | 1 | 2) => low[k] + (at - Math.floor(at)) * (high[k] - low[k]);
  return [mix(0), mix(1), mix(2)];
}

/** `[n]`: lengths of vectors, `[n * 3]`. */
export function lengthsOf(vectors: Float64Array): Float64Array {
  return Float64Array.from({ length: vectors.length / 3 }, (_, i) =>
    Math.hypot(vectors[3 * i]!, vectors[3 * i + 1]!, vectors[3 * i + 2]!),
  );
}

/** `[n]`: the sum of the amounts of all forces at a body, of `count` bodies. */
export function pressesOf({ count, bodies, forces }: PairForces, bodyCount: number): Float64Array {
  const sums = new Float64Array(bodyCount);
  const sizes = lengthsOf(forces.slice(0, 3 * count));
  for (let i = 0; i < 2 * count; i++) sums[bodies[i]!]! += sizes[i >> 1]!;
  return sums;
}

/** Shares of the most, which sinks slowly: a picture's colours do not jump where the fastest body stops. */
export class ColourScale {
  most = 0;

  /** @param isShown of bodies that count. @returns `[n]` */
  sharesOf(values: Float64Array, isShown: (body: number) => boolean): Float64Array {
    const now = values.reduce((most, value, body) => (isShown(body) ? Math.max(most, value) : most), 0);
    this.most = Math.max(now, KEPT * this.most);
    return values.map((value) => (this.most > 0 ? value / this.most : 0));
  }
}

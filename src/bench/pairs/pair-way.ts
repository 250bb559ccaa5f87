/** What every way of asking about pairs looks like: a library made ready for two shapes, then asked about poses. */

import type { AskOptions } from '../points/way.ts';
import type { PairParts, PairQuestion, PairWayReport } from '../report.ts';
import type { Problem } from './problems.ts';

/** Whether a way of scree runs on the GPU. */
export const isOnGpu = ({ kind, precision }: PairWayReport) => kind === 'scree' && precision === 'float32';

/** Random pairs: body 2 i has the first shape, body 2 i + 1 the second, and they are pair i. */
export interface PairSet {
  /** `[2 * count * 7]`: position, then unit quaternion x, y, z, w. float32, so that all formats see the same bodies. */
  readonly poses: Float32Array;
  readonly count: number;
}

/** The first pairs of a set. */
export function firstOf({ poses, count }: PairSet, wanted: number): PairSet {
  return wanted >= count ? { poses, count } : { poses: poses.subarray(0, 14 * wanted), count: wanted };
}

/** The same pairs again and again, as many times as are needed for so many. */
export function repeated({ poses, count }: PairSet, wanted: number): PairSet {
  const times = Math.ceil(wanted / count);
  const all = new Float32Array(times * poses.length);
  for (let i = 0; i < times; i++) all.set(poses, i * poses.length);
  return { poses: all, count: times * count };
}

/** On which side a pair is said to be. */
export const APART = 0;
export const INTERSECTING = 1;
/** Within rounding of touching: on both sides. */
export const TOUCHING = 2;

export interface PairAnswers {
  /** APART, INTERSECTING or TOUCHING. */
  readonly sides: Uint8Array;
  /** Signed distances, empty where none was asked. Question `penetration` has only a lower bound for pairs apart. */
  readonly distance: ArrayLike<number>;
  /** Support points that each pair took; empty where the way does not tell. */
  readonly calls: ArrayLike<number>;
  /** Pairs that the algorithm left to a surer one. */
  readonly undecided: number;
  /** Wall seconds of the answer itself; what it includes is for the way to say. */
  readonly seconds: number;
  /** Seconds of kernels by the GPU's own clock, where it has one and was asked. */
  readonly gpu?: number;
  /** What the wall seconds went into, where the way tells. */
  readonly parts?: PairParts;
  /** Of the arrays that were handed over and given back, where the way tells. */
  readonly hostBytes?: number;
  readonly gpuBytes?: number;
}

export interface PairWay extends PairWayReport {
  readonly questions: readonly PairQuestion[];
  /** Its depths are never too small but need not be the least, and its distances likewise never too small. */
  readonly fromAbove: boolean;
  /** Held against the peer, or the peer: timed about all pairs, not about a part. */
  readonly compared: boolean;
  /** Runs on the GPU, which has a clock of its own. */
  readonly hasClock: boolean;
  /** Runs on hardware that needs many pairs to be busy. */
  readonly wide: boolean;
  /** Radius that shapes are swept with. Pairs farther apart than twice that get a lower bound as distance. */
  readonly sweepRadius?: number;
}

/** What the reference says of a pair: see `PairResults` of scree's convex queries. */
export interface Reference {
  readonly distance: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly normal: ArrayLike<number>;
  readonly pointA: ArrayLike<number>;
  readonly pointB: ArrayLike<number>;
}

/** A library made ready for the two shapes of a problem. */
export interface PreparedPairs {
  ask(way: PairWay, set: PairSet, question: PairQuestion, options?: AskOptions): Promise<PairAnswers>;
  destroy(): void;
}

/** Scree's: it has the reference, too. */
export interface PreparedScree extends PreparedPairs {
  reference(set: PairSet, signal?: AbortSignal): Promise<Reference>;
}

/** A library with its ways. */
export interface PairLibrary {
  readonly ways: readonly PairWay[];
  /** @returns undefined where it has not both shapes */
  prepare(problem: Problem): Promise<PreparedPairs | undefined>;
}

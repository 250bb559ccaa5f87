// Queries about pairs, and their answers.

import type { ManifoldRule } from '../manifold/manifold-rules.ts';
import type { PairAlgorithm, PairKind } from './pair-kinds.ts';

/** Results of an earlier query, whose normals are where a search starts. */
export interface PreviousPairs {
  /** `[m * 2]`: the bodies of each pair. */
  readonly pairs: Uint32Array;
  /** `[m * 3]`: normals, in the world, out of the first body of each pair; empty where there are none. */
  readonly normal: Float32Array | Float64Array;
}

/**
 * A query for many pairs. Its arrays may be changed as soon as the call has returned its promise. `poses`, `pairs` and
 * `shapes` in memory that threads share (SharedArrayBuffer) are read where they are: leave those alone until the call
 * settles.
 */
export interface PairQuery {
  /**
   * `[n * 7]`: position x, y, z (at most 1e30) and unit quaternion x, y, z, w (of length 1 within 1e-3) of each body.
   */
  readonly poses: Float32Array | Float64Array;
  /** `[m * 2]`: the bodies of each pair, two different ones. */
  readonly pairs: Uint32Array;
  /** `[n]`: the shape of each body. Default: body i has shape i. */
  readonly shapes?: Uint32Array | undefined;
  readonly kind: PairKind;
  readonly algorithm?: PairAlgorithm | undefined;
  /** Gap between the bounds of a distance, relative to the pair's size, 2^-46 to 0.1. */
  readonly tolerance?: number | undefined;
  /** Radius that `sweep-gjk` sweeps each shape with. Length, default 0. */
  readonly sweepRadius?: number | undefined;
  /**
   * Kind `manifold`: which contacts. Default `clipped`: whole faces, cut with each other, at most four contacts of two
   * convex shapes. `sampled`: the thesis' own, which sees faces only within 0.22 degrees of the contact's plane.
   * docs/convex.md, "Contacts".
   */
  readonly manifold?: ManifoldRule | undefined;
  /**
   * Results of an earlier query of any kind, for a warm start: pairs of the same bodies, in either order and at any
   * place of the list, start from their normals, all others without. For the same body numbers. Results of kind
   * `intersect` have no normals, and on the CPU pairs with concave bodies start without.
   */
  readonly previous?: PreviousPairs | undefined;
}

/** What a query asks, whatever the bodies. */
export type PairQuestion = Pick<
  ResolvedPairQuery,
  'kind' | 'algorithm' | 'tolerance' | 'sweepRadius' | 'manifold'
>;

/** A query with nothing left open: what backends are given. What its arrays hold is checked by `requireContents`. */
export interface ResolvedPairQuery extends Pick<PairQuery, 'poses' | 'kind'> {
  /** `[m * 2]`: the bodies of each pair. */
  readonly pairs: Uint32Array;
  readonly algorithm: PairAlgorithm;
  readonly tolerance: number;
  readonly sweepRadius: number;
  readonly manifold: ManifoldRule;
  /** `[n]`: the shape of each body. */
  readonly shapes: Uint32Array;
  /** Number of shapes. */
  readonly shapeCount: number;
  /** `[m * 3]`: normals to start from, in the world; 0, 0, 0 for pairs without. */
  readonly warm: Float64Array | undefined;
}

/** Not in memory that threads share: callers may put results into a Blob. */
type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Answers, one entry per pair. All but `status` and `iterations` are empty for kind `intersect`. */
export interface PairArrays<A extends Numbers = Numbers> {
  /** Signed distance, positive where apart; for kind `distance` 0 where they intersect. */
  readonly distance: A;
  /** Bounds of the exact signed distance, by the same rules, but for rounding; Infinity where not known. */
  readonly lower: A;
  readonly upper: A;
  /** `[m * 3]`: unit normal out of A, towards B, in the world. */
  readonly normal: A;
  /**
   * `[m * 3]`: points on A and on B, in the world; pointB - pointA = distance * normal, but for rounding, which in
   * Float32Arrays grows with the distance from the world's origin, and for `separated` pairs.
   */
  readonly pointA: A;
  readonly pointB: A;
  /** `PairStatus` of each pair. */
  readonly status: Uint8Array<ArrayBuffer>;
  /** Support points asked for, of both shapes at once. */
  readonly iterations: Uint32Array<ArrayBuffer>;
  /** For kind `manifold`: contacts of each pair, 0 where apart. */
  readonly contactCounts: Uint8Array<ArrayBuffer>;
  /**
   * `[m * 16 * 4]` for kind `manifold`, those of pair i from `64 * i` on: x, y, z in the world, halfway between the
   * shapes, and their distance there along the contact's normal. The deepest place of the pair is the first. Two convex
   * shapes have at most four with `manifold: 'clipped'`. Of concave bodies all parts that touch have theirs; of more
   * than 16 those that lie farthest from each other.
   */
  readonly contacts: A;
  /**
   * `[m * 16 * 3]` for kind `manifold`, those of pair i from `48 * i` on: the unit normal of each contact, out of A. Of
   * two convex shapes all are the pair's `normal`; of concave bodies each is that of the two parts that touch there.
   */
  readonly contactNormals: A;
}

/** Answers in float64. */
export interface PairResults extends PairArrays<Float64Array<ArrayBuffer>> {
  /** `[m * 2]`: the bodies of each pair. */
  readonly pairs: Uint32Array;
  /** Pairs that the algorithm asked for left undecided and a surer one decided. */
  readonly redone: number;
}

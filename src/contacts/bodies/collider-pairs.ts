/** Pairs of colliders that may touch, and where they are: what narrow phases are given. */
import type { Colliders } from './colliders.ts';

/** Colliders and the poses of their bodies. */
export interface PosedColliders {
  readonly colliders: Colliders;
  /** `[bodies * 7]`: position and unit quaternion x, y, z, w. */
  readonly poses: Float64Array;
}

/** Features of polyhedra that pairs are asked about. */
export type Features = 'nodes' | 'edges';

/** Rows of the pairs of a list, in memory that threads share: which of their features are awake (nodes/awake.ts). */
export interface AwakeRows {
  /** `[k]`: up to which path the row of a pair holds. */
  readonly limits: Float64Array;
  /** `[k * 2]`: how many clusters of A and of B are near. */
  readonly counts: Uint8Array;
  /** `[k]`: where the clusters of a pair begin, those of A first, and how many there is room for. */
  readonly starts: Uint32Array;
  readonly rooms: Uint8Array;
  /** How much of the room of all pairs is taken, and how much more was asked for. */
  readonly taken: Int32Array;
  /** `[clusters]`: their numbers. */
  readonly clusters: Uint32Array;
  /**
   * `[clusters * CLUSTER]`: how far the bodies may have moved against each other before a feature is asked, in 128
   * parts of the skin. Below 0: it is asked, and has been inside; as long as they have moved less far, it still is.
   */
  readonly waits: Int8Array;
  /** `[clusters]`: a bit for each feature that is asked in each step, and the least wait of all others. */
  readonly busy: Int32Array;
  readonly leastWaits: Int8Array;
}

/** Features that are awake, of the pairs of a list. */
export interface Awake extends Readonly<Record<Features, AwakeRows>> {
  /** `[k]`: the way that the bodies of a pair have moved against each other, summed up step by step. */
  readonly paths: Float64Array;
  /** `[k]`: how much of it they moved last. */
  readonly lastMoves: Float64Array;
}

/** Pairs of one class. The body of A has the lower number. They come in the order of A, then of B. */
export interface ColliderPairs {
  /** `[k * 2]`: colliders A and B. */
  readonly pairs: Uint32Array;
  /**
   * `[k * REMEMBERED]`, pairs of convex shapes only: what is remembered of each from the last step (remembered.ts); 0
   * at first. Without it every pair is solved anew.
   */
  readonly remembered?: Uint32Array | undefined;
  /** Pairs of polyhedra only. Without it all features are asked. */
  readonly awake?: Awake | undefined;
}

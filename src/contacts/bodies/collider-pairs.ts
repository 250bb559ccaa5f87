/** Pairs of colliders that may touch, and where they are: what narrow phases are given. */
import type { Colliders } from './colliders.ts';

/** Colliders and the poses of their bodies. */
export interface PosedColliders {
  readonly colliders: Colliders;
  /** `[bodies * 7]`: position and unit quaternion x, y, z, w. */
  readonly poses: Float64Array;
}

/** Numbers per pair in `clusters`. */
export const PAIR_CLUSTERS = 4;

/** Pairs of one class. The body of A has the lower number. They come in the order of A, then of B. */
export interface ColliderPairs {
  /** `[k * 2]`: colliders A and B. */
  readonly pairs: Uint32Array;
  /**
   * `[k * PAIR_CLUSTERS]`, pairs of polyhedra only: A's clusters of nodes that are tested in B, the first and the one
   * after the last, then B's that are tested in A. A large static body comes in pieces, so a pair may come several
   * times: no cluster comes twice, and contacts are in order when pairs are answered in order. Its edges are answered
   * once, for the item whose `edges` is 1.
   */
  readonly clusters?: Uint32Array | undefined;
  /** `[k]`, pairs of polyhedra only: 1 once for each pair of colliders. */
  readonly edges?: Uint8Array | undefined;
}

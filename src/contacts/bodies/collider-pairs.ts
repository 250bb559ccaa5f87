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
   * `[k * PAIR_CLUSTERS]`, pairs of polyhedra only: A's clusters that are tested in B, the first and the one after the
   * last, then B's that are tested in A. Nodes and edges have lists of their own: clusters are those of nodes in the
   * one, of pieces of edges in the other. A large static body comes in pieces, so a pair may come several times: no
   * cluster comes twice. All of A's clusters come before B's, so contacts are in order when pairs are answered in
   * order.
   */
  readonly clusters?: Uint32Array | undefined;
  /**
   * `[k * REMEMBERED]`, pairs of convex shapes only: what is remembered of each from the last step (remembered.ts); 0
   * at first. Without it every pair is solved anew.
   */
  readonly remembered?: Uint32Array | undefined;
}

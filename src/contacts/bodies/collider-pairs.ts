/** Pairs of colliders that may touch, and where they are: what narrow phases are given. */
import type { Colliders } from './colliders.ts';

/** Colliders and the poses of their bodies. */
export interface PosedColliders {
  readonly colliders: Colliders;
  /** `[bodies * 7]`: position and unit quaternion x, y, z, w. */
  readonly poses: Float64Array;
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
}

/**
 * Frames of two colliders in each other, in float64. Positions of bodies are subtracted before anything else is
 * computed, so nothing is lost far from the origin.
 */
import { PLACEMENT } from '../../convex/shapes/pose.ts';
import type { PosedColliders } from '../bodies/collider-pairs.ts';
import { placeCollider } from '../bodies/placed-collider.ts';

/** A rotation by rows and a translation, twelve numbers: from one frame to another. */
export type Placement = Float64Array;

/** Frames of one pair after the other: `set`, then read. */
export class PairFrames {
  /** Frame of collider A, and of B, to world axes about the position of A's body. */
  readonly a: Placement = new Float64Array(PLACEMENT);
  readonly b: Placement = new Float64Array(PLACEMENT);
  /** Frame of collider A to that of B, and back. */
  readonly aInB: Placement = new Float64Array(PLACEMENT);
  readonly bInA: Placement = new Float64Array(PLACEMENT);

  set(posed: PosedColliders, colliderA: number, colliderB: number): void {
    const origin = posed.colliders.bodies[colliderA]!;
    placeCollider(posed, colliderA, origin, this.a, 0);
    placeCollider(posed, colliderB, origin, this.b, 0);
    relate(this.a, this.b, this.aInB);
    relate(this.b, this.a, this.bInA);
  }
}

/** Frame `from` to frame `to`, both given to a third one. */
function relate(from: Placement, to: Placement, out: Placement): void {
  const dx = from[9]! - to[9]!;
  const dy = from[10]! - to[10]!;
  const dz = from[11]! - to[11]!;
  for (let i = 0; i < 3; i++) {
    const x = to[i]!;
    const y = to[3 + i]!;
    const z = to[6 + i]!;
    for (let j = 0; j < 3; j++) out[3 * i + j] = x * from[j]! + y * from[3 + j]! + z * from[6 + j]!;
    out[9 + i] = x * dx + y * dy + z * dz;
  }
}

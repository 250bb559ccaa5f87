/**
 * Where two colliders lie to each other, in float64. Positions of bodies are subtracted before anything else is
 * computed, so nothing is lost far from the origin.
 *
 * The arithmetic is that of convex/shapes/pose.ts, for the same reason (docs/gpu-layer.md, "What stays raw"): a pair
 * takes four matrices, which would be four new arrays.
 */
import { compose, PLACEMENT, POSE_SIZE, rotationOf } from '../../convex/shapes/pose.ts';
import type { PosedColliders } from '../bodies/collider-pairs.ts';
import type { Colliders } from '../bodies/colliders.ts';

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
  readonly #body: Placement = new Float64Array(PLACEMENT);
  readonly #part: Placement = new Float64Array(PLACEMENT);

  set({ colliders, poses }: PosedColliders, colliderA: number, colliderB: number): void {
    const bodyA = POSE_SIZE * colliders.bodies[colliderA]!;
    const bodyB = POSE_SIZE * colliders.bodies[colliderB]!;
    this.#place(colliders, poses, colliderA, bodyA, bodyA, this.a);
    this.#place(colliders, poses, colliderB, bodyB, bodyA, this.b);
    relate(this.a, this.b, this.aInB);
    relate(this.b, this.a, this.bInA);
  }

  /** A collider's frame about the position of body `origin`. */
  #place(
    { places }: Colliders,
    poses: Float64Array,
    collider: number,
    body: number,
    origin: number,
    out: Placement,
  ): void {
    write(poses, body, this.#body);
    for (let k = 0; k < 3; k++) this.#body[9 + k]! -= poses[origin + k]!;
    write(places, POSE_SIZE * collider, this.#part);
    compose(this.#body, 0, this.#part, 0, out);
  }
}

/** A pose as a placement. */
function write(poses: Float64Array, at: number, out: Placement): void {
  rotationOf(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, out, 0);
  for (let k = 0; k < 3; k++) out[9 + k] = poses[at + k]!;
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

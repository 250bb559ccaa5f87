/** Places of colliders, seen from a body near them: far from the origin, no digits are lost. */
import { PLACEMENT, writeRotation } from '../../convex/shapes/pose.ts';
import type { PosedColliders } from './collider-pairs.ts';

/** Numbers per pose and per place: position, then unit quaternion x, y, z, w. */
const POSE = 7;

const turned = new Float64Array(9);
const own = new Float64Array(9);

/**
 * Places a collider: its frame's rotation against the world by rows, and its origin less the position of a body, twelve
 * numbers from `at` on.
 */
export function placeCollider(
  { colliders, poses }: PosedColliders,
  collider: number,
  fromBody: number,
  out: Float64Array,
  at: number,
): void {
  const { bodies, places } = colliders;
  const p = POSE * bodies[collider]!;
  const q = POSE * fromBody;
  const o = POSE * collider;
  // Poses of the same magnitude: their difference is exact or nearly so.
  const dx = poses[p]! - poses[q]!;
  const dy = poses[p + 1]! - poses[q + 1]!;
  const dz = poses[p + 2]! - poses[q + 2]!;
  const x = places[o]!;
  const y = places[o + 1]!;
  const z = places[o + 2]!;
  const isTurned = places[o + 3]! !== 0 || places[o + 4]! !== 0 || places[o + 5]! !== 0;
  if (!isTurned) {
    writeRotation(poses[p + 3]!, poses[p + 4]!, poses[p + 5]!, poses[p + 6]!, out, at);
    out[at + 9] = dx + (out[at]! * x + out[at + 1]! * y + out[at + 2]! * z);
    out[at + 10] = dy + (out[at + 3]! * x + out[at + 4]! * y + out[at + 5]! * z);
    out[at + 11] = dz + (out[at + 6]! * x + out[at + 7]! * y + out[at + 8]! * z);
    return;
  }
  const r = turned;
  writeRotation(poses[p + 3]!, poses[p + 4]!, poses[p + 5]!, poses[p + 6]!, r, 0);
  writeRotation(places[o + 3]!, places[o + 4]!, places[o + 5]!, places[o + 6]!, own, 0);
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      out[at + i + j] = r[i]! * own[j]! + r[i + 1]! * own[3 + j]! + r[i + 2]! * own[6 + j]!;
    }
  }
  out[at + 9] = dx + (r[0]! * x + r[1]! * y + r[2]! * z);
  out[at + 10] = dy + (r[3]! * x + r[4]! * y + r[5]! * z);
  out[at + 11] = dz + (r[6]! * x + r[7]! * y + r[8]! * z);
}

/** Numbers of a placed collider. */
export const PLACED = PLACEMENT;

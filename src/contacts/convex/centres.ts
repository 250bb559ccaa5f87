/** Centres of convex colliders: all that most pairs need, as their balls are apart, or they are balls themselves. */
import { writeRotation } from '../../convex/shapes/pose.ts';
import { PARAMETERS, Parameter, type ShapeArrays } from '../../convex/shapes/records.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';

/** Numbers per pose and per place: position, then unit quaternion x, y, z, w. */
const POSE = 7;

/** Centres of convex colliders in the frames of their bodies, `[n * 3]`. Of others: 0. */
export function centresInBodies(
  { parameters: p }: ShapeArrays,
  { count, kinds, shapes, places }: Colliders,
): Float64Array {
  const centres = new Float64Array(3 * count);
  const r = new Float64Array(9);
  for (let c = 0; c < count; c++) {
    if (kinds[c] !== ColliderKind.convex) continue;
    const o = POSE * c;
    const at = PARAMETERS * shapes[c]! + Parameter.centre;
    writeRotation(places[o + 3]!, places[o + 4]!, places[o + 5]!, places[o + 6]!, r, 0);
    for (let k = 0; k < 3; k++) {
      const turned = r[3 * k]! * p[at]! + r[3 * k + 1]! * p[at + 1]! + r[3 * k + 2]! * p[at + 2]!;
      centres[3 * c + k] = places[o + k]! + turned;
    }
  }
  return centres;
}

/**
 * Turns centres with their bodies: into the world's axes, less the positions of the bodies.
 *
 * @param centres from `centresInBodies`
 */
export function turnCentres(
  centres: Float64Array,
  { count, bodies }: Colliders,
  poses: Float64Array,
  out: Float64Array,
): void {
  for (let c = 0; c < count; c++) {
    const o = 3 * c;
    const x = centres[o]!;
    const y = centres[o + 1]!;
    const z = centres[o + 2]!;
    out[o] = x;
    out[o + 1] = y;
    out[o + 2] = z;
    if (x === 0 && y === 0 && z === 0) continue;
    const p = POSE * bodies[c]! + 3;
    const qx = poses[p]!;
    const qy = poses[p + 1]!;
    const qz = poses[p + 2]!;
    const qw = poses[p + 3]!;
    const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
    // x + s (w u + q x u) with u = q x x: by the same matrix as `writeRotation`, without making it.
    const ux = qy * z - qz * y;
    const uy = qz * x - qx * z;
    const uz = qx * y - qy * x;
    out[o] = x + s * (qw * ux + (qy * uz - qz * uy));
    out[o + 1] = y + s * (qw * uy + (qz * ux - qx * uz));
    out[o + 2] = z + s * (qw * uz + (qx * uy - qy * ux));
  }
}

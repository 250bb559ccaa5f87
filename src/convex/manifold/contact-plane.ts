// The plane of a contact. Coordinates are u, v across the normal and the height along it. The origin is halfway between
// the pair's points.

import type { Pair } from '../pair/pair.ts';
import { axisAcross } from '../shapes/directions-across.ts';

/**
 * Numbers per contact: x, y, z halfway between the shapes, and the distance of the shapes there, negative where they
 * overlap.
 */
export const CONTACT = 4;

/** Unit vectors u, v, n, right-handed; then the origin. In A's frame. */
export type ContactPlane = Float64Array;

export function setPlane(pair: Pair, plane: ContactPlane): void {
  const x = pair.normal[0]!;
  const y = pair.normal[1]!;
  const z = pair.normal[2]!;
  const [ex, ey, ez] = axisAcross(x, y, z);
  let ux = ey * z - ez * y;
  let uy = ez * x - ex * z;
  let uz = ex * y - ey * x;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux /= length;
  uy /= length;
  uz /= length;
  plane[0] = ux;
  plane[1] = uy;
  plane[2] = uz;
  plane[3] = y * uz - z * uy;
  plane[4] = z * ux - x * uz;
  plane[5] = x * uy - y * ux;
  plane[6] = x;
  plane[7] = y;
  plane[8] = z;
  for (let k = 0; k < 3; k++) plane[9 + k] = (pair.pointA[k]! + pair.pointB[k]!) / 2;
}

/** Writes the contact at u, v, where A's surface has the height a and B's the height b. */
export function writeContact(
  plane: ContactPlane,
  u: number,
  v: number,
  a: number,
  b: number,
  out: Float64Array,
  o: number,
): void {
  const h = (a + b) / 2;
  for (let k = 0; k < 3; k++)
    out[o + k] = plane[9 + k]! + u * plane[k]! + v * plane[3 + k]! + h * plane[6 + k]!;
  out[o + 3] = b - a;
}

// The ray of Minkowski Portal Refinement. Twin: shaders/convex/mpr/ray.wgsl.
import { type Pair, POINT } from '../pair/pair.ts';

/** A ray from an inner point c of A - B in a unit direction d. */
export class Ray {
  readonly inner = new Float64Array(3);
  readonly direction = new Float64Array(3);
}

/**
 * Sets the ray from the difference of the centres, an inner point of A - B, through the origin: eqs. (6) and (7).
 *
 * @returns the distance of the centres; 0 if they coincide, and the ray has no direction
 */
export function rayThroughOrigin(pair: Pair, ray: Ray): number {
  const t = pair.placement;
  const x = t[9]!;
  const y = t[10]!;
  const z = t[11]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > pair.touching)) return 0;
  ray.inner[0] = -x;
  ray.inner[1] = -y;
  ray.inner[2] = -z;
  ray.direction[0] = x / length;
  ray.direction[1] = y / length;
  ray.direction[2] = z / length;
  return length;
}

/** How far the first support point, in slot 1, reaches along a unit direction. */
export function reachAlong(d: Float64Array, points: Float64Array): number {
  return d[0]! * points[POINT]! + d[1]! * points[POINT + 1]! + d[2]! * points[POINT + 2]!;
}

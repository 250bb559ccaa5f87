// What the last portal along a ray proves, and the answers that are made of it. Twin:
// shaders/convex/mpr/portal-answer.wgsl.
import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { type Pair, POINT } from '../pair/pair.ts';
import { PairStatus } from '../pair/status.ts';
import { R1, R2, R3, side } from './portal.ts';
import type { Ray } from './ray.ts';

/**
 * Whether the origin lies in A - B for sure, once it is known to be behind the portal's plane.
 *
 * The ray passes the portal by three signs. Once a side of the portal is so short that rounding decides a sign, they
 * prove nothing. So this takes P, the point where the ray passes: it is a point of the portal whatever its weights.
 * Rounding leaves P somewhat beside the ray. A ball about the inner point, which shrinks on the way to P, has to be
 * wide enough for that.
 *
 * @param radius of a ball about the inner point that lies in A - B; length
 */
export function surelyInside(pair: Pair, ray: Ray, radius: number): boolean {
  const { points, touching } = pair;
  const c = ray.inner;
  const d = ray.direction;
  const s1 = Math.max(0, side(points, ray, R2, R3));
  const s2 = Math.max(0, side(points, ray, R3, R1));
  const s3 = Math.max(0, side(points, ray, R1, R2));
  const sum = s1 + s2 + s3;
  if (!(sum > 0)) return false;
  const x = (s1 * points[R1]! + s2 * points[R2]! + s3 * points[R3]!) / sum - c[0]!;
  const y = (s1 * points[R1 + 1]! + s2 * points[R2 + 1]! + s3 * points[R3 + 1]!) / sum - c[1]!;
  const z = (s1 * points[R1 + 2]! + s2 * points[R2 + 2]! + s3 * points[R3 + 2]!) / sum - c[2]!;
  const height = x * d[0]! + y * d[1]! + z * d[2]!;
  const far = -(c[0]! * d[0]! + c[1]! * d[1]! + c[2]! * d[2]!);
  if (!(height > far)) return false;
  const share = far / height;
  const across = Math.sqrt((x - height * d[0]!) ** 2 + (y - height * d[1]!) ** 2 + (z - height * d[2]!) ** 2);
  return share * across <= touching + Math.max(0, (1 - share) * radius);
}

/**
 * Takes the portal as a simplex: finds its point nearest to the origin, and the points of the shapes with the same
 * weights.
 *
 * @returns the distance of that point from the origin: the shapes are no farther apart
 */
export function nearestOnPortal(pair: Pair): number {
  const { nearest } = pair;
  pair.points.copyWithin(0, POINT, 4 * POINT);
  pair.count = 3;
  nearestByVoronoi(pair);
  pair.weigh();
  return Math.sqrt(nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2);
}

/**
 * Answers that the shapes are apart along a unit axis: a lower bound of their distance, and the support points of one
 * slot.
 *
 * @param slot where in `points` they are
 * @param reach how far A - B reaches along the axis, below 0
 */
export function separatedAlong(pair: Pair, slot: number, reach: number, axis: Float64Array): PairStatus {
  const { points, pointA, pointB, normal } = pair;
  for (let k = 0; k < 3; k++) {
    normal[k] = axis[k]!;
    pointA[k] = points[slot + 3 + k]!;
    pointB[k] = points[slot + 6 + k]!;
  }
  pair.distance = -reach;
  pair.lower = -reach;
  pair.upper = Infinity;
  return PairStatus.separated;
}

/**
 * (TC1): the first support point lies on the ray, so no point of A - B lies beyond the plane through it across the ray.
 *
 * @param reach how far it reaches along the ray
 */
export function answerOnRay(pair: Pair, d: Float64Array, reach: number): void {
  const { points, pointA, pointB } = pair;
  for (let k = 0; k < 3; k++) {
    pointA[k] = points[R1 + 3 + k]!;
    pointB[k] = points[R1 + 6 + k]!;
  }
  pair.answerWhole(-reach, d[0]!, d[1]!, d[2]!);
}

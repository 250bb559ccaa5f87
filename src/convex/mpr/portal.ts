// Portals of Minkowski Portal Refinement: G. Snethen (2008); L. Olvang (2010), section 2.4, algorithms 6 to 8; A.
// Neumayr, M. Otter (2017), eqs. (6) to (13). Twin: shaders/convex/mpr/portal.wgsl.
//
// A ray leaves an inner point c of A - B in direction d. The portal is a triangle of three support points that the ray
// passes. The tests hold for any c and d, because the thesis' second pass starts from the origin along a normal.
//
// One orientation is kept throughout: det(r1 - c, r2 - c, r3 - c) > 0. So (r2 - r1) x (r3 - r1) points outwards. The
// ray passes the portal if and only if d . ((ri - c) x (rj - c)) >= 0 for (1,2), (2,3), (3,1). The papers mix
// orientations: eq. (9) may turn e3 without exchanging r1 and r2. The tests of the next loop then have the wrong sign
// for half of all pairs.
import { MOST_MPR_STEPS } from '../constants.ts';
import { NEWEST, type Pair, POINT } from '../pair/pair.ts';
import type { Ray } from './ray.ts';

export const PortalEnd = {
  /** A portal, in slots 1 to 3. */
  portal: 0,
  /** The first support point, in slot 1, is on the ray: termination condition (TC1). */
  onRay: 1,
  /** Another algorithm has to decide: A - B is flat, or c is not inside it, or rounding stopped all progress. */
  failed: 2,
  /** The origin lies beyond the support plane, whose point is in slot 4. */
  beyond: 3,
  /** The origin lies in A - B. */
  inside: 4,
} as const;

/** What a caller wants to know of the origin. Once that is known, the search for a portal may stop. */
export type StopAt = 'both' | 'beyond' | 'nothing';

export type PortalEnd = (typeof PortalEnd)[keyof typeof PortalEnd];

/** Where in the pair's `points` the corners of the portal are, and the newest support point. */
export const R1 = POINT;
export const R2 = 2 * POINT;
export const R3 = 3 * POINT;
const R4 = NEWEST;

const normal = new Float64Array(3);

/** Puts (p_a - c) x (p_b - c) into `normal`; returns its product with d. */
export function side(points: Float64Array, ray: Ray, a: number, b: number): number {
  const c = ray.inner;
  const d = ray.direction;
  const ax = points[a]! - c[0]!;
  const ay = points[a + 1]! - c[1]!;
  const az = points[a + 2]! - c[2]!;
  const bx = points[b]! - c[0]!;
  const by = points[b + 1]! - c[1]!;
  const bz = points[b + 2]! - c[2]!;
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  normal[0] = x;
  normal[1] = y;
  normal[2] = z;
  return d[0]! * x + d[1]! * y + d[2]! * z;
}

/** Exchanges two support points. */
export function swap(points: Float64Array, a: number, b: number): void {
  for (let k = 0; k < POINT; k++) {
    const value = points[a + k]!;
    points[a + k] = points[b + k]!;
    points[b + k] = value;
  }
}

/**
 * Asks for a support point along s * `normal`, which becomes the support plane's normal; false if it has no direction.
 */
function ask(pair: Pair, s: number, o: number, plane: PortalPlane): boolean {
  const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return false;
  const f = s / length;
  plane.normal[0] = f * x;
  plane.normal[1] = f * y;
  plane.normal[2] = f * z;
  askAlong(pair, o, plane);
  return true;
}

function askAlong(pair: Pair, o: number, plane: PortalPlane): void {
  const { points } = pair;
  const x = plane.normal[0]!;
  const y = plane.normal[1]!;
  const z = plane.normal[2]!;
  pair.full(x, y, z, points, o);
  plane.outer = x * points[o]! + y * points[o + 1]! + z * points[o + 2]!;
}

/**
 * Algorithms 6 and 7, eqs. (7) to (11): three support points around the ray.
 *
 * @param stopBeyond whether to stop if the origin lies beyond a support plane, which is then in `plane`
 */
export function findPortal(pair: Pair, ray: Ray, stopBeyond: boolean, plane: PortalPlane): PortalEnd {
  const { points, touching } = pair;
  const shortest = stopBeyond ? -touching : -Infinity;
  const [dx, dy, dz] = [ray.direction[0]!, ray.direction[1]!, ray.direction[2]!];
  const [cx, cy, cz] = [ray.inner[0]!, ray.inner[1]!, ray.inner[2]!];
  plane.normal.set(ray.direction);
  askAlong(pair, R1, plane);
  const x1 = points[R1]! - cx;
  const y1 = points[R1 + 1]! - cy;
  const z1 = points[R1 + 2]! - cz;
  // Eq. (8): n2 = r0 x r1, here for any ray; its length is the distance of r1 from the ray.
  normal[0] = y1 * dz - z1 * dy;
  normal[1] = z1 * dx - x1 * dz;
  normal[2] = x1 * dy - y1 * dx;
  if (Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2) <= touching) return PortalEnd.onRay;
  if (plane.outer < shortest) return beyond(points, R1);
  const [ex, ey, ez] = [normal[0]!, normal[1]!, normal[2]!];
  ask(pair, 1, R2, plane);
  // Eq. (9) uses -e3 before there is one; -e2 is meant: if r2 lies on the ray through r1, it is sought on the other
  // side.
  const least = touching * pair.size;
  let sign = side(points, ray, R1, R2);
  if (Math.sqrt(normal[0]! ** 2 + normal[1]! ** 2 + normal[2]! ** 2) <= least) {
    normal[0] = ex;
    normal[1] = ey;
    normal[2] = ez;
    ask(pair, -1, R2, plane);
    sign = side(points, ray, R1, R2);
    if (Math.sqrt(normal[0]! ** 2 + normal[1]! ** 2 + normal[2]! ** 2) <= least) return PortalEnd.failed;
  }
  if (sign < 0) {
    swap(points, R1, R2);
    normal[0] = -normal[0]!;
    normal[1] = -normal[1]!;
    normal[2] = -normal[2]!;
  }
  ask(pair, 1, R3, plane);
  if (plane.outer < shortest) return beyond(points, R3);
  // Eqs. (10), (11): where the ray lies beyond a side, a support point on the ray's side replaces the third corner.
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (side(points, ray, R1, R2) < 0) {
      if (!ask(pair, -1, R3, plane)) return PortalEnd.failed;
      if (plane.outer < shortest) return beyond(points, R3);
      swap(points, R1, R2);
    } else if (side(points, ray, R2, R3) < 0) {
      if (!ask(pair, -1, R1, plane)) return PortalEnd.failed;
      if (plane.outer < shortest) return beyond(points, R1);
      swap(points, R2, R3);
    } else if (side(points, ray, R3, R1) < 0) {
      if (!ask(pair, -1, R2, plane)) return PortalEnd.failed;
      if (plane.outer < shortest) return beyond(points, R2);
      swap(points, R3, R1);
    } else {
      return PortalEnd.portal;
    }
  }
  return PortalEnd.failed;
}

function beyond(points: Float64Array, slot: number): PortalEnd {
  points.copyWithin(R4, slot, slot + POINT);
  return PortalEnd.beyond;
}

/** The portal's plane and the support plane beyond it. */
export class PortalPlane {
  /** Outward unit normal e4. */
  readonly normal = new Float64Array(3);
  /**
   * Least e4 . r1, r2, r3: distance of the portal's plane from the origin, positive if the origin is on the inner side.
   */
  inner = 0;
  /** e4 . r4: that of the support plane. All of A - B lies on its inner side. */
  outer = 0;
}

/** Sets the portal's normal and its distance from the origin; false if the portal has no area. */
export function faceOf(pair: Pair, ray: Ray, plane: PortalPlane): boolean {
  const { points } = pair;
  const d = ray.direction;
  const ux = points[R2]! - points[R1]!;
  const uy = points[R2 + 1]! - points[R1 + 1]!;
  const uz = points[R2 + 2]! - points[R1 + 2]!;
  const vx = points[R3]! - points[R1]!;
  const vy = points[R3 + 1]! - points[R1 + 1]!;
  const vz = points[R3 + 2]! - points[R1 + 2]!;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  const edges = Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
  // If two edges have one direction to half the digits, the normal would be worth less than the rest.
  if (!(length > edges * 2 ** -26)) return false;
  // The order of the corners makes it point outwards. Where rounding says otherwise, the portal is as good as flat.
  if (x * d[0]! + y * d[1]! + z * d[2]! <= 0) return false;
  const ex = x / length;
  const ey = y / length;
  const ez = z / length;
  plane.normal[0] = ex;
  plane.normal[1] = ey;
  plane.normal[2] = ez;
  // If the inner point is on the portal's plane, A - B is flat, or the point is on the boundary. No ray from it proves
  // anything.
  const c = ray.inner;
  const depth = ex * (points[R1]! - c[0]!) + ey * (points[R1 + 1]! - c[1]!) + ez * (points[R1 + 2]! - c[2]!);
  if (depth <= pair.touching) return false;
  // The normal of a slender portal is poor. The plane through the innermost corner still has the portal beyond it.
  const first = ex * points[R1]! + ey * points[R1 + 1]! + ez * points[R1 + 2]!;
  const second = ex * ux + ey * uy + ez * uz;
  const third = ex * vx + ey * vy + ez * vz;
  const least = second < third ? second : third;
  plane.inner = least < 0 ? first + least : first;
  return true;
}

/** Asks for the support point r4 along the portal's normal. */
export function reachOut(pair: Pair, plane: PortalPlane): void {
  askAlong(pair, R4, plane);
}

/** Sets the portal's plane and asks for the support point along it; false if the portal has no area. */
export function probe(pair: Pair, ray: Ray, plane: PortalPlane): boolean {
  if (!faceOf(pair, ray, plane)) return false;
  reachOut(pair, plane);
  return true;
}

/**
 * Algorithm 8, eq. (13): takes r4 into the portal in place of one corner, so that the ray still passes it. Two of three
 * signs decide; the third candidate is what is left. So there is always a next portal (Modia3D.jl PR#42).
 */
export function advance(pair: Pair, ray: Ray): void {
  const { points } = pair;
  // s_i >= 0 and s_j <= 0: the ray passes (ri, rj, r4).
  const s1 = side(points, ray, R4, R1);
  let slot = R1;
  if (s1 >= 0) {
    if (side(points, ray, R4, R2) <= 0) slot = R3;
  } else if (side(points, ray, R4, R3) >= 0) {
    slot = R2;
  }
  for (let k = 0; k < POINT; k++) points[slot + k] = points[R4 + k]!;
}

// Minkowski Portal Refinement on whole shapes: L. Olvang (2010), algorithm 9 (intersection) and section 2.4.1 (penetration in
// two passes).
//
// Departures: refinement ends when the sign is proven, by the origin lying inside the portal's plane or outside the support
// plane, never because the portal is "close enough"; what is between both planes when they meet is touching. Tolerances are
// relative to the pair's size.
import { MOST_MPR_STEPS } from '../constants.ts';
import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { type Pair, POINT } from '../pair/pair.ts';
import { provenStatus } from '../pair/proven-status.ts';
import { PairStatus } from '../pair/status.ts';
import { ballAbout, portalAlong } from './ball-portal.ts';
import {
  advance,
  face,
  findPortal,
  PortalEnd,
  PortalPlane,
  portalHolds,
  probe,
  Ray,
  reachOut,
} from './portal.ts';

const ray = new Ray();
const plane = new PortalPlane();

/**
 * Ray from the difference of centroids, an inner point of A - B, through the origin, eqs. (6) and (7).
 *
 * @returns distance of the centroids, 0 if they coincide
 */
export function aim(pair: Pair, towards: Ray): number {
  const t = pair.placement;
  const x = t[9]!;
  const y = t[10]!;
  const z = t[11]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > pair.touching)) return 0;
  towards.inner[0] = -x;
  towards.inner[1] = -y;
  towards.inner[2] = -z;
  towards.direction[0] = x / length;
  towards.direction[1] = y / length;
  towards.direction[2] = z / length;
  return length;
}

/** Algorithm 9. `converged` where the shapes intersect; `iterationLimit` where another algorithm has to decide. */
export function mprIntersection(pair: Pair): PairStatus {
  // Centroids in one place are a common point.
  const far = aim(pair, ray);
  if (far === 0) return PairStatus.converged;
  const { points, touching } = pair;
  const d = ray.direction;
  const radius = ballAbout(pair);
  if (far < radius - touching) return PairStatus.converged;
  const found = portalAlong(pair, ray, 'both', plane);
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.inside) return PairStatus.converged;
  if (found === PortalEnd.beyond) return PairStatus.separated;
  if (found === PortalEnd.onRay) {
    const reach = reachAlong(d, points);
    if (Math.abs(reach) <= touching) return PairStatus.touching;
    return reach > 0 ? PairStatus.converged : PairStatus.separated;
  }
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!face(pair, ray, plane)) return PairStatus.iterationLimit;
    const behind = plane.inner > touching;
    if (behind && portalHolds(pair, ray, radius)) return PairStatus.converged;
    reachOut(pair, plane);
    if (plane.outer < -touching) return PairStatus.separated;
    if (plane.outer - plane.inner <= touching) {
      return !behind && takePortal(pair) <= touching ? PairStatus.touching : PairStatus.iterationLimit;
    }
    advance(pair, ray);
  }
  return PairStatus.iterationLimit;
}

/** Of the first support point, along the ray. */
function reachAlong(d: Float64Array, points: Float64Array): number {
  return d[0]! * points[POINT]! + d[1]! * points[POINT + 1]! + d[2]! * points[POINT + 2]!;
}

/** Pushes the portal to the boundary; false where that is not reached. */
function refineToBoundary(pair: Pair, along: Ray): boolean {
  const gap = Math.max(pair.tolerance * pair.size, pair.touching);
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!probe(pair, along, plane)) return false;
    if (plane.outer - plane.inner <= gap) return true;
    advance(pair, along);
  }
  return false;
}

/**
 * Section 2.4.1: the portal on the ray from the centroids gives a normal; from the origin along it, a second portal gives the
 * depth as the distance of its nearest point. An estimate from above: exact for most shallow contacts, too deep by up to 1.7 times
 * for deep ones (docs/convex.md).
 */
export function mprPenetration(pair: Pair): PairStatus {
  if (!aim(pair, ray)) return PairStatus.iterationLimit;
  const { points, touching } = pair;
  const d = ray.direction;
  const found = portalAlong(pair, ray, 'beyond', plane);
  let overlaps: boolean;
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.beyond) return separatedAlong(pair, 4 * POINT, plane.outer, plane.normal);
  if (found === PortalEnd.portal) {
    // First whether they intersect at all: most portals are far from the boundary when that is known.
    for (let step = 0; ; step++) {
      if (step === MOST_MPR_STEPS || !probe(pair, ray, plane)) return PairStatus.iterationLimit;
      if (plane.outer < -touching) return separatedAlong(pair, 4 * POINT, plane.outer, plane.normal);
      if (plane.inner > touching || plane.outer - plane.inner <= touching) break;
      advance(pair, ray);
    }
    if (!refineToBoundary(pair, ray)) return PairStatus.iterationLimit;
    overlaps = plane.inner > touching;
    if (overlaps && !portalHolds(pair, ray, ballAbout(pair))) return PairStatus.iterationLimit;
    d.set(plane.normal);
  } else {
    const depth = reachAlong(d, points);
    if (depth < -touching) return separatedAlong(pair, POINT, depth, d);
    overlaps = depth > touching;
  }
  ray.inner.fill(0);
  const status = secondPass(pair);
  // A depth of bodies that may be apart is none.
  return overlaps || status === PairStatus.touching ? status : PairStatus.iterationLimit;
}

/** Distance from below, the separating axis, and the support points along it. */
function separatedAlong(pair: Pair, slot: number, reach: number, axis: Float64Array): PairStatus {
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

function secondPass(pair: Pair): PairStatus {
  const { points, pointA, pointB, nearest, touching } = pair;
  const d = ray.direction;
  const found = findPortal(pair, ray, false, plane);
  if (found === PortalEnd.onRay) {
    const depth = reachAlong(d, points);
    for (let k = 0; k < 3; k++) {
      pointA[k] = points[POINT + 3 + k]!;
      pointB[k] = points[POINT + 6 + k]!;
    }
    pair.answerWhole(-depth, d[0]!, d[1]!, d[2]!);
    pair.lower = pair.distance;
  } else {
    if (found === PortalEnd.failed || !refineToBoundary(pair, ray)) return PairStatus.iterationLimit;
    const depth = takePortal(pair);
    const e = plane.normal;
    if (pair.count === 3 || depth <= touching) pair.answerWhole(-depth, e[0]!, e[1]!, e[2]!);
    else pair.answerWhole(-depth, nearest[0]! / depth, nearest[1]! / depth, nearest[2]! / depth);
    // The portal is up to the gap inside of the support plane, which is what proves a depth.
    pair.lower = Math.min(pair.distance, -plane.outer);
  }
  pair.upper = 0;
  return Math.abs(pair.distance) <= touching ? PairStatus.touching : provenStatus(pair);
}

/**
 * The portal as a simplex: its point nearest to the origin, and the points of the shapes with the same weights.
 *
 * @returns how far that point is: they are no farther apart
 */
export function takePortal(pair: Pair): number {
  const { nearest } = pair;
  pair.points.copyWithin(0, POINT, 4 * POINT);
  pair.count = 3;
  nearestByVoronoi(pair);
  pair.weigh();
  return Math.sqrt(nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2);
}

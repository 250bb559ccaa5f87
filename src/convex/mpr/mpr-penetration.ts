// Penetration depth by Minkowski Portal Refinement in two passes: L. Olvang (2010), section 2.4.1.
// Twin: shaders/convex/mpr/mpr-penetration.wgsl.
//
// The portal on the ray from the centres gives a normal. From the origin along that normal, a second portal gives the
// depth: the distance of its nearest point. The result is an estimate from above. It is exact for most shallow
// contacts, and up to 1.7 times too deep for deep ones (docs/convex.md).
import { MOST_MPR_STEPS } from '../constants.ts';
import { NEWEST, type Pair } from '../pair/pair.ts';
import { provenStatus } from '../pair/proven-status.ts';
import { PairStatus } from '../pair/status.ts';
import { inball, portalAlong } from './ball-portal.ts';
import { advance, findPortal, PortalEnd, PortalPlane, probe, R1 } from './portal.ts';
import { answerOnRay, nearestOnPortal, separatedAlong, surelyInside } from './portal-answer.ts';
import { Ray, rayThroughOrigin, reachAlong } from './ray.ts';

const ray = new Ray();
const plane = new PortalPlane();

/** Leaves the answer in the pair; `iterationLimit` where another algorithm has to decide. */
export function mprPenetration(pair: Pair): PairStatus {
  if (!rayThroughOrigin(pair, ray)) return PairStatus.iterationLimit;
  const { points, touching } = pair;
  const d = ray.direction;
  const found = portalAlong(pair, ray, 'beyond', plane);
  let overlaps: boolean;
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.beyond) return separatedAlong(pair, NEWEST, plane.outer, plane.normal);
  if (found === PortalEnd.portal) {
    // First whether they intersect at all: most portals are far from the boundary when that is known.
    for (let step = 0; ; step++) {
      if (step === MOST_MPR_STEPS || !probe(pair, ray, plane)) return PairStatus.iterationLimit;
      if (plane.outer < -touching) return separatedAlong(pair, NEWEST, plane.outer, plane.normal);
      if (plane.inner > touching || plane.outer - plane.inner <= touching) break;
      advance(pair, ray);
    }
    if (!refineToBoundary(pair)) return PairStatus.iterationLimit;
    overlaps = plane.inner > touching;
    if (overlaps && !surelyInside(pair, ray, inball(pair))) return PairStatus.iterationLimit;
    d.set(plane.normal);
  } else {
    const depth = reachAlong(d, points);
    if (depth < -touching) return separatedAlong(pair, R1, depth, d);
    overlaps = depth > touching;
  }
  ray.inner.fill(0);
  const status = secondPass(pair);
  // A depth is none if the bodies may be apart.
  return overlaps || status === PairStatus.touching ? status : PairStatus.iterationLimit;
}

/** Pushes the portal to the boundary; false where it does not get there. */
function refineToBoundary(pair: Pair): boolean {
  const gap = Math.max(pair.tolerance * pair.size, pair.touching);
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!probe(pair, ray, plane)) return false;
    if (plane.outer - plane.inner <= gap) return true;
    advance(pair, ray);
  }
  return false;
}

/** Depth along the ray, which starts at the origin now. */
function secondPass(pair: Pair): PairStatus {
  const { points, nearest, touching } = pair;
  const d = ray.direction;
  const found = findPortal(pair, ray, false, plane);
  if (found === PortalEnd.onRay) {
    answerOnRay(pair, d, reachAlong(d, points));
    pair.lower = pair.distance;
  } else {
    if (found === PortalEnd.failed || !refineToBoundary(pair)) return PairStatus.iterationLimit;
    const depth = nearestOnPortal(pair);
    const e = plane.normal;
    if (pair.count === 3 || depth <= touching) pair.answerWhole(-depth, e[0]!, e[1]!, e[2]!);
    else pair.answerWhole(-depth, nearest[0]! / depth, nearest[1]! / depth, nearest[2]! / depth);
    // The support plane proves a depth. The portal lies up to the gap inside of it.
    pair.lower = Math.min(pair.distance, -plane.outer);
  }
  pair.upper = 0;
  return Math.abs(pair.distance) <= touching ? PairStatus.touching : provenStatus(pair);
}

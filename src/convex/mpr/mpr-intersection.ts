// Whether two whole shapes intersect, by Minkowski Portal Refinement: L. Olvang (2010), algorithm 9.
// Twin: shaders/convex/mpr/mpr-intersection.wgsl.
//
// Departures: refinement ends only when the side of the origin is proven. Either the origin lies behind the portal's
// plane, or beyond the support plane. If both planes meet and the origin is between them, the shapes touch. Tolerances
// are relative to the pair's size.
import { MOST_MPR_STEPS } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { PairStatus } from '../pair/status.ts';
import { inball, portalAlong } from './ball-portal.ts';
import { advance, faceOf, PortalEnd, PortalPlane, reachOut } from './portal.ts';
import { nearestOnPortal, surelyInside } from './portal-answer.ts';
import { Ray, rayThroughOrigin, reachAlong } from './ray.ts';

const ray = new Ray();
const plane = new PortalPlane();

/** `converged` where the shapes intersect; `iterationLimit` where another algorithm has to decide. */
export function mprIntersection(pair: Pair): PairStatus {
  const far = rayThroughOrigin(pair, ray);
  // Centres in one place are a common point.
  if (far === 0) return PairStatus.converged;
  const { points, touching } = pair;
  const radius = inball(pair);
  if (far < radius - touching) return PairStatus.converged;
  const found = portalAlong(pair, ray, 'both', plane);
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.inside) return PairStatus.converged;
  if (found === PortalEnd.beyond) return PairStatus.separated;
  if (found === PortalEnd.onRay) {
    const reach = reachAlong(ray.direction, points);
    if (Math.abs(reach) <= touching) return PairStatus.touching;
    return reach > 0 ? PairStatus.converged : PairStatus.separated;
  }
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!faceOf(pair, ray, plane)) return PairStatus.iterationLimit;
    const behind = plane.inner > touching;
    if (behind && surelyInside(pair, ray, radius)) return PairStatus.converged;
    reachOut(pair, plane);
    if (plane.outer < -touching) return PairStatus.separated;
    if (plane.outer - plane.inner <= touching) {
      return !behind && nearestOnPortal(pair) <= touching ? PairStatus.touching : PairStatus.iterationLimit;
    }
    advance(pair, ray);
  }
  return PairStatus.iterationLimit;
}

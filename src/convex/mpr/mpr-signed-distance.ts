// Signed distance by the improved MPR of A. Neumayr, M. Otter, "Collision Handling with Variable-Step Integrators"
// (2017), sections 4.1 and 4.2: signed distance delta, normal e_A and points r_A, r_B with r_B - r_A = delta e_A. Twin:
// shaders/convex/mpr/mpr-signed-distance.wgsl.
//
// Departures from the paper (docs/convex.md, "Improved MPR"):
// - Tolerances are relative.
// - One orientation is kept (portal.ts).
// - The loop ends only when the sign of delta is proven. So theorem 4.1 holds for rounded numbers too.
// - e_4b has the sign that makes r_B - r_A = delta e_A hold for overlapping shapes as well. The paper's has not.
// - No case throws.
import { MOST_MPR_STEPS } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { provenStatus } from '../pair/proven-status.ts';
import { PairStatus } from '../pair/status.ts';
import { inball, portalAlong } from './ball-portal.ts';
import { advance, PortalEnd, PortalPlane, probe } from './portal.ts';
import { answerOnRay, nearestOnPortal, surelyInside } from './portal-answer.ts';
import { Ray, rayThroughOrigin, reachAlong } from './ray.ts';

const ray = new Ray();
const plane = new PortalPlane();

/**
 * Signed distance by MPR. Where the shapes are apart it is exact or an upper bound (theorem 4.2); where they overlap,
 * an upper bound of the depth.
 *
 * @returns `iterationLimit` where another algorithm has to decide: coinciding centres, flat differences, lost digits
 */
export function mprSignedDistance(pair: Pair): PairStatus {
  if (!rayThroughOrigin(pair, ray)) return PairStatus.iterationLimit;
  const { touching } = pair;
  const found = portalAlong(pair, ray, 'nothing', plane);
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.onRay) return finishOnRay(pair);
  const gap = Math.max(pair.tolerance * pair.size, touching);
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!probe(pair, ray, plane)) return PairStatus.iterationLimit;
    const width = plane.outer - plane.inner;
    if (width <= touching || (width <= gap && (plane.inner > touching || plane.outer < -touching))) {
      const sure = !(plane.inner > touching) || surelyInside(pair, ray, inball(pair));
      return sure ? finishOnPortal(pair) : PairStatus.iterationLimit;
    }
    advance(pair, ray);
  }
  return PairStatus.iterationLimit;
}

/** (TC1) */
function finishOnRay(pair: Pair): PairStatus {
  const reach = reachAlong(ray.direction, pair.points);
  answerOnRay(pair, ray.direction, reach);
  pair.lower = -reach;
  pair.upper = reach > 0 ? 0 : -reach;
  return Math.abs(reach) <= pair.touching ? PairStatus.touching : provenStatus(pair);
}

/** (TC2): `distanceToPortal` and `barycentric` of the paper. */
function finishOnPortal(pair: Pair): PairStatus {
  const { nearest, touching } = pair;
  const e = plane.normal;
  const length = nearestOnPortal(pair);
  pair.lower = -plane.outer;
  if (Math.abs(plane.inner) <= touching || Math.abs(plane.outer) <= touching) {
    // The ray leaves A - B at the origin, to rounding. If it grazes the portal, the nearest point may still be far.
    if (length > touching) return PairStatus.iterationLimit;
    pair.answerWhole(-plane.inner, e[0]!, e[1]!, e[2]!);
    pair.upper = length;
    return PairStatus.touching;
  }
  const delta = plane.inner > 0 ? -length : length;
  pair.upper = plane.inner > 0 ? 0 : delta;
  if (pair.count === 3) pair.answerWhole(-plane.inner, e[0]!, e[1]!, e[2]!);
  else pair.answerWhole(delta, -nearest[0]! / delta, -nearest[1]! / delta, -nearest[2]! / delta);
  return provenStatus(pair);
}

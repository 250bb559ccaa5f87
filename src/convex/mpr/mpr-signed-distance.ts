// The improved MPR of A. Neumayr, M. Otter, "Collision Handling with Variable-Step Integrators" (2017), sections 4.1 and 4.2:
// signed distance delta, normal e_A and points r_A, r_B with r_B - r_A = delta e_A.
//
// Where its text is weak, this departs from it (docs/convex.md, "Improved MPR"): tolerances are relative; one orientation is kept
// (portal.ts); the loop ends only when the sign of delta is proven, so theorem 4.1 holds for rounded numbers too; e_4b has the
// sign that makes r_B - r_A = delta e_A hold for overlapping shapes as well, where the paper's has not; no case throws.
import { MOST_MPR_STEPS } from '../constants.ts';
import { type Pair, POINT } from '../pair/pair.ts';
import { provenStatus } from '../pair/proven-status.ts';
import { PairStatus } from '../pair/status.ts';
import { ballAbout, portalAlong } from './ball-portal.ts';
import { aim, takePortal } from './mpr.ts';
import { advance, PortalEnd, PortalPlane, portalHolds, probe, Ray } from './portal.ts';

const ray = new Ray();
const plane = new PortalPlane();

/**
 * Signed distance by MPR: exact or an upper bound where apart (theorem 4.2), an upper bound of the depth where overlapping.
 *
 * @returns `iterationLimit` where another algorithm has to decide: coinciding centroids, flat differences, lost digits
 */
export function mprSignedDistance(pair: Pair): PairStatus {
  if (!aim(pair, ray)) return PairStatus.iterationLimit;
  const { touching } = pair;
  const found = portalAlong(pair, ray, 'nothing', plane);
  if (found === PortalEnd.failed) return PairStatus.iterationLimit;
  if (found === PortalEnd.onRay) return finishOnRay(pair);
  const gap = Math.max(pair.tolerance * pair.size, touching);
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    if (!probe(pair, ray, plane)) return PairStatus.iterationLimit;
    const width = plane.outer - plane.inner;
    if (width <= touching || (width <= gap && (plane.inner > touching || plane.outer < -touching))) {
      const sure = !(plane.inner > touching) || portalHolds(pair, ray, ballAbout(pair));
      return sure ? finishOnPortal(pair) : PairStatus.iterationLimit;
    }
    advance(pair, ray);
  }
  return PairStatus.iterationLimit;
}

/** (TC1): no point of A - B lies beyond the plane through r1 across the ray, on which r1 is. */
function finishOnRay(pair: Pair): PairStatus {
  const { points, pointA, pointB } = pair;
  const d = ray.direction;
  const reach = d[0]! * points[POINT]! + d[1]! * points[POINT + 1]! + d[2]! * points[POINT + 2]!;
  for (let k = 0; k < 3; k++) {
    pointA[k] = points[POINT + 3 + k]!;
    pointB[k] = points[POINT + 6 + k]!;
  }
  pair.answerWhole(-reach, d[0]!, d[1]!, d[2]!);
  pair.lower = -reach;
  pair.upper = reach > 0 ? 0 : -reach;
  return Math.abs(reach) <= pair.touching ? PairStatus.touching : provenStatus(pair);
}

/** (TC2): `distanceToPortal` and `barycentric` of the paper. */
function finishOnPortal(pair: Pair): PairStatus {
  const { nearest, touching } = pair;
  const e = plane.normal;
  const length = takePortal(pair);
  pair.lower = -plane.outer;
  if (Math.abs(plane.inner) <= touching || Math.abs(plane.outer) <= touching) {
    // The ray leaves A - B at the origin, to rounding. Along a ray that grazes the portal, the nearest point may be far all the same.
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

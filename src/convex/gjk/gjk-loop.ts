// Gilbert-Johnson-Keerthi on the cores of two shapes: L. Olvang (2010), algorithms 1 (distance), 4 (separating axis)
// and 5 (sweep). They differ only in when to stop, so one loop serves all three.
//
// Two bounds stand at every step. The simplex' nearest point v is in A - B, so the cores are no farther apart than |v|.
// The support plane through w in direction -v has all of A - B beyond it, so they are no nearer than v . w / |v|. The
// loop ends when the bounds meet. Algorithm 1 ends when |v| stops falling, which also happens to a stuck simplex
// (fcl#446, fcl#366). Tolerances are lengths relative to the pair's size; squared lengths are never compared with them.
//
// Twin: shaders/convex/gjk/gjk-loop.wgsl.
import { MOST_GJK_STALLS, MOST_GJK_STEPS, SHORT_DISTANCE } from '../constants.ts';
import { NEWEST, type Pair, POINT } from '../pair/pair.ts';
import { nearestByJohnson } from './gjk-johnson.ts';
import { nearestByVoronoi } from './gjk-voronoi.ts';

const axis = new Float64Array(3);

/** How GJK ended. */
export const GjkEnd = {
  /** The cores are farther apart than the reach; `lower` proves it, `normal` is the axis. */
  beyond: 0,
  /** `lower` and `upper` are within the tolerance and on one side of the margins: `nearest` is the answer. */
  met: 1,
  /** The simplex, a tetrahedron, contains the origin. */
  inside: 2,
  /** The origin is within the touching tolerance of the simplex: the cores touch or overlap. */
  near: 3,
  /** Rounding stopped all progress, or the step limit did. The bounds hold. */
  stuck: 4,
} as const;

export type GjkEnd = (typeof GjkEnd)[keyof typeof GjkEnd];

/** Which of the thesis' two sub-algorithms finds the nearest point of a simplex. */
export type SimplexAlgorithm = 'voronoi' | 'johnson';

/**
 * Runs GJK. Leaves the simplex in `points`, its nearest point in `nearest`, bounds of the distance of the cores in
 * `lower` and `upper`, and in `normal` the axis of the best lower bound.
 *
 * @param reach signed distance of the shapes above which the caller wants no distance: 0 for intersection (algorithm
 * 4), 2 r for shapes swept with balls of radius r (algorithm 5), Infinity for the distance (algorithm 1)
 * @param decideOnly true to stop as soon as the shapes are known to be nearer than the reach
 */
export function gjk(pair: Pair, reach: number, decideOnly: boolean, simplex: SimplexAlgorithm): GjkEnd {
  const { points, nearest, normal, guess } = pair;
  const margins = pair.marginA + pair.marginB;
  const limit = reach + margins;
  const touching = pair.touching;
  const { gap } = pair;
  pair.upper = Infinity;
  startDirection(guess);
  pair.core(guess[0]!, guess[1]!, guess[2]!, points, 0);
  pair.count = 1;
  // The first direction is a candidate for a separating axis itself, above all when it is the last query's normal.
  const along = Math.sqrt(guess[0]! ** 2 + guess[1]! ** 2 + guess[2]! ** 2);
  for (let k = 0; k < 3; k++) normal[k] = guess[k]! / along;
  pair.lower = -(normal[0]! * points[0]! + normal[1]! * points[1]! + normal[2]! * points[2]!);
  if (pair.lower > limit + touching) {
    for (let k = 0; k < POINT; k++) points[NEWEST + k] = points[k]!;
    return GjkEnd.beyond;
  }
  nearestByVoronoi(pair);
  let stalls = 0;
  for (let step = 0; step < MOST_GJK_STEPS; step++) {
    const vx = nearest[0]!;
    const vy = nearest[1]!;
    const vz = nearest[2]!;
    const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    pair.upper = length;
    if (length <= touching) return GjkEnd.near;
    if (decideOnly && pair.upper < limit - touching) return GjkEnd.met;
    let dx = -vx;
    let dy = -vy;
    let dz = -vz;
    let norm = length;
    if (length <= SHORT_DISTANCE * pair.size) {
      axisOfFeature(pair, axis);
      dx = axis[0]!;
      dy = axis[1]!;
      dz = axis[2]!;
      norm = 1;
    }
    pair.core(dx, dy, dz, points, NEWEST);
    const low = -(dx * points[NEWEST]! + dy * points[NEWEST + 1]! + dz * points[NEWEST + 2]!) / norm;
    if (low > pair.lower) {
      pair.lower = low;
      normal[0] = dx / norm;
      normal[1] = dy / norm;
      normal[2] = dz / norm;
      if (low > limit + touching) return GjkEnd.beyond;
    }
    // With the bound of this step's own direction, a support plane proves the answer's normal.
    const width = pair.upper - low;
    // The side of the margins and of the reach has to be certain as well, or within what counts as touching.
    const certain =
      (pair.lower > margins + touching && pair.upper < limit) ||
      pair.upper < margins - touching ||
      width <= touching;
    if (width <= gap && certain && (pair.lower > 0 || width <= touching)) return GjkEnd.met;
    if (holds(pair)) return GjkEnd.stuck;
    const slot = POINT * pair.count;
    for (let k = 0; k < POINT; k++) points[slot + k] = points[NEWEST + k]!;
    pair.count++;
    if (simplex === 'johnson' ? nearestByJohnson(pair) : nearestByVoronoi(pair)) return GjkEnd.inside;
    const nx = nearest[0]!;
    const ny = nearest[1]!;
    const nz = nearest[2]!;
    // A gap g narrows |v| by about g^2 / size. Below g = 2^-26 of the size, rounding hides that, while the direction
    // and the lower bound still get better. So the loop stops only after |v| has stood still for a while.
    if (!(nx * nx + ny * ny + nz * nz < length * length) && ++stalls > MOST_GJK_STALLS) return GjkEnd.stuck;
  }
  return GjkEnd.stuck;
}

/**
 * Sets `axis` to the unit vector from the simplex' nearest point to the origin, by the feature that the point lies on.
 *
 * A short nearest point is a sum of long vectors that cancel, so its direction has few good digits. The edges have all
 * of theirs: a triangle has a normal, and the way from a segment to the origin has no part along the segment. Near a
 * flush face or a sharp edge, no other direction proves that the cores are apart.
 */
export function axisOfFeature(pair: Pair, axis: Float64Array): void {
  const { nearest, points, count } = pair;
  axis[0] = -nearest[0]!;
  axis[1] = -nearest[1]!;
  axis[2] = -nearest[2]!;
  if (count > 1) {
    const ux = points[POINT]! - points[0]!;
    const uy = points[POINT + 1]! - points[1]!;
    const uz = points[POINT + 2]! - points[2]!;
    const uu = ux * ux + uy * uy + uz * uz;
    if (count === 2) {
      const along = (axis[0]! * ux + axis[1]! * uy + axis[2]! * uz) / uu;
      axis[0] = axis[0]! - along * ux;
      axis[1] = axis[1]! - along * uy;
      axis[2] = axis[2]! - along * uz;
    } else {
      const vx = points[2 * POINT]! - points[0]!;
      const vy = points[2 * POINT + 1]! - points[1]!;
      const vz = points[2 * POINT + 2]! - points[2]!;
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      // A slender triangle's normal may be worth less than its nearest point.
      if (nx * nx + ny * ny + nz * nz > SLENDER * uu * (vx * vx + vy * vy + vz * vz)) {
        const sign = nx * axis[0]! + ny * axis[1]! + nz * axis[2]! < 0 ? -1 : 1;
        axis[0] = sign * nx;
        axis[1] = sign * ny;
        axis[2] = sign * nz;
      }
    }
  }
  const length = Math.sqrt(axis[0]! ** 2 + axis[1]! ** 2 + axis[2]! ** 2);
  for (let k = 0; k < 3; k++) axis[k] = axis[k]! / length;
}

/**
 * Squared sine between two edges of a triangle below which its normal is not taken: the cross product has lost 18 of 52
 * bits.
 */
const SLENDER = 2 ** -36;

/** Scales the direction to start with. If the centres coincide, any direction will do. */
function startDirection(guess: Float64Array): void {
  const most = Math.max(Math.abs(guess[0]!), Math.abs(guess[1]!), Math.abs(guess[2]!));
  // Squares of smaller numbers underflow. Shapes have sizes from 1e-30 on, so no direction that matters is lost.
  const usable = most > 1e-100;
  for (let k = 0; k < 3; k++) guess[k] = usable ? guess[k]! / most : k === 0 ? 1 : 0;
}

/** True if the newest point is in the simplex already: there is no progress in its direction. */
function holds(pair: Pair): boolean {
  const { points } = pair;
  const w = NEWEST;
  for (let i = 0; i < pair.count; i++) {
    const p = POINT * i;
    if (points[p] === points[w] && points[p + 1] === points[w + 1] && points[p + 2] === points[w + 2]) {
      return true;
    }
  }
  return false;
}

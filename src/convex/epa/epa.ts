// Expanding Polytope Algorithm on the cores of two shapes: L. Olvang (2010), section 2.5, algorithm 12.
//
// For any unit direction n, h(n) = max n . w over A - B is how far B has to move along n to be rid of A: an upper bound
// of the depth. The polytope of support points lies in A - B, so the least offset of its faces is a lower bound. Each
// step asks for the support point along the face of least offset, until the bounds meet. Twin:
// shaders/convex/epa/epa.wgsl.
//
// Departures from the thesis:
// - Visibility is exact (expanding-polytope.ts). So the only way to get stuck is to run out of vertices.
// - Offsets are signed. The origin may lie outside, by rounding or truly, and the polytope grows towards it. So the
//   depth passes through zero continuously; it could not if the start had to hold the origin (fcl#495).
// - A start that is no tetrahedron is completed by support points across the extent of A - B. The thesis looks around
//   the origin, which fails if the origin is on a face or edge of the tetrahedron (mujoco_warp#1526, fcl#395).

import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { type Pair, POINT } from '../pair/pair.ts';
import * as polytope from './expanding-polytope.ts';
import { FACE } from './expanding-polytope.ts';
import { flatDepth } from './flat-difference.ts';
import { startPoints } from './start-points.ts';

/** Direction of the line that a difference of dimension 1 lies on. */
const line = new Float64Array(3);
/** The direction of the least upper bound. */
const bestNormal = new Float64Array(3);

/** How EPA ended. */
export const EpaEnd = {
  /** The bounds met, and are on one side of zero or touching it. */
  met: 0,
  /**
   * No direction stands out: A - B is nowhere thicker than a line, or has too many faces equally near. The bounds hold.
   */
  many: 1,
} as const;

export type EpaEnd = (typeof EpaEnd)[keyof typeof EpaEnd];

/**
 * Depth of the cores, from the simplex in `points`; leaves distance, bounds, normal and points of the shapes in the
 * pair. Where the cores are apart, `lower` is a lower bound of their distance and the answer is that bound.
 *
 * @param decideOnly stop as soon as the sign is known
 */
export function epa(pair: Pair, decideOnly: boolean): EpaEnd {
  const margins = pair.marginA + pair.marginB;
  const isStarted = pair.count === 4 && polytope.start(pair.points, pair.size);
  const rank = isStarted ? 3 : startPoints(pair, line);
  if (rank < 3) return flatDepth(pair, rank, line) ? EpaEnd.met : EpaEnd.many;
  const touching = pair.touching;
  const { gap } = pair;
  const { planes, vertices } = polytope;
  let upper = Infinity;
  let lower = -Infinity;
  // Least offset of the faces that are on the boundary by exact predicates, but not quite by their rounded normals.
  let settled = Infinity;
  let settledFace = -1;
  let nearest = -1;
  let end: EpaEnd = EpaEnd.many;
  while (true) {
    const face = polytope.nearestFace(upper);
    const offset = face < 0 ? Infinity : polytope.offset(face);
    lower = Math.min(offset, settled, upper);
    nearest = offset < settled ? face : settledFace;
    if (face < 0 || hasMet(lower, upper, gap, touching, margins)) {
      end = EpaEnd.met;
      break;
    }
    const nx = planes[face]!;
    const ny = planes[face + 1]!;
    const nz = planes[face + 2]!;
    if (decideOnly && (lower > touching || upper < -touching)) {
      if (upper === Infinity) {
        // No support point was asked for. The face itself is the answer, short of the boundary.
        bestNormal[0] = nx;
        bestNormal[1] = ny;
        bestNormal[2] = nz;
        pair.lower = -Infinity;
        pair.upper = -lower - margins;
        answerAtFoot(pair, lower, face, touching);
        return EpaEnd.met;
      }
      end = EpaEnd.met;
      break;
    }
    const w = polytope.next();
    pair.core(nx, ny, nz, vertices, w);
    const height = nx * vertices[w]! + ny * vertices[w + 1]! + nz * vertices[w + 2]!;
    if (height < upper) {
      upper = height;
      bestNormal[0] = nx;
      bestNormal[1] = ny;
      bestNormal[2] = nz;
      if (upper >= lower && hasMet(lower, upper, gap, touching, margins)) {
        end = EpaEnd.met;
        break;
      }
    }
    // The face is on the boundary if the point is within rounding of its plane. It is also on the boundary if the point
    // does not see it, exactly; rounding of a slender face's plane may hide that.
    const reached = height - offset <= touching;
    if (reached || !polytope.sees(face, w)) {
      polytope.settle(face);
      const proven = reached ? offset : height;
      if (proven < settled) {
        settled = proven;
        settledFace = face;
      }
      continue;
    }
    if (!polytope.hasRoom()) break;
    polytope.add(face);
  }
  pair.lower = -upper - margins;
  pair.upper = -lower - margins;
  // A polytope beside the origin is no nearer than its own nearest point, whatever its faces' planes say.
  const beside = lower < 0;
  answerAtFoot(pair, upper, nearest, beside ? 0 : Math.max(touching, upper - lower));
  if (beside) pair.upper = Math.max(pair.upper, farFromOrigin(pair, upper) - margins);
  return end;
}

/** True where the bounds are within the gap, and on one side of zero or touching it. */
function hasMet(lower: number, upper: number, gap: number, touching: number, margins: number): boolean {
  const width = upper - lower;
  if (width > gap) return false;
  return lower + margins > touching || upper + margins < -touching || width <= touching;
}

/**
 * Answers with the point of the polytope's surface that is nearest to the foot of the perpendicular: where the depth is
 * least, the foot is in A - B.
 *
 * @param likely the face to try first
 * @param enough distance from the foot at which no other face is tried
 */
function answerAtFoot(pair: Pair, depth: number, likely: number, enough: number): void {
  const { nearest } = pair;
  const { planes } = polytope;
  const fx = depth * bestNormal[0]!;
  const fy = depth * bestNormal[1]!;
  const fz = depth * bestNormal[2]!;
  let chosen = -1;
  let least = Infinity;
  for (let i = likely < 0 ? 0 : -FACE; i < polytope.end(); i += FACE) {
    const face = i < 0 ? likely : i;
    if (polytope.offset(face) === Infinity) continue;
    const over = planes[face]! * fx + planes[face + 1]! * fy + planes[face + 2]! * fz;
    // A face is at least as far from the foot as its plane.
    if (Math.abs(over - planes[face + 3]!) >= least) continue;
    loadFace(pair, face, fx, fy, fz);
    nearestByVoronoi(pair);
    const far = Math.sqrt(nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2);
    if (far >= least) continue;
    least = far;
    chosen = face;
    if (far <= enough) break;
  }
  if (!(least <= enough)) {
    loadFace(pair, Math.max(chosen, 0), fx, fy, fz);
    nearestByVoronoi(pair);
  }
  pair.weigh();
  pair.answer(-depth, bestNormal[0]!, bestNormal[1]!, bestNormal[2]!);
}

/** Distance of the origin from the point that `answerAtFoot` found, which is kept relative to the foot. */
function farFromOrigin({ nearest }: Pair, depth: number): number {
  const x = nearest[0]! + depth * bestNormal[0]!;
  const y = nearest[1]! + depth * bestNormal[1]!;
  const z = nearest[2]! + depth * bestNormal[2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Loads a face's corners as the simplex, relative to the foot x, y, z. */
function loadFace(pair: Pair, face: number, x: number, y: number, z: number): void {
  const { points } = pair;
  for (let k = 0; k < 3; k++) {
    const from = polytope.corners[face + k]!;
    const to = POINT * k;
    for (let i = 0; i < POINT; i++) points[to + i] = polytope.vertices[from + i]!;
    points[to]! -= x;
    points[to + 1]! -= y;
    points[to + 2]! -= z;
  }
  pair.count = 3;
}

// Expanding Polytope Algorithm on the cores of two shapes: L. Olvang (2010), section 2.5, algorithm 12.
//
// For any unit direction n, h(n) = max n . w over A - B is how far B has to move along n to be rid of A: an upper bound of the
// depth. The polytope of support points lies in A - B, so the least offset of its faces is a lower bound. The face of least
// offset is asked for a support point until the bounds meet. Departures from the thesis:
//
// - visibility is exact (expanding-polytope.ts), so there is no way to get stuck but running out of vertices;
// - offsets are signed: the origin may lie outside, by rounding or truly, and the polytope grows towards it. Depth goes through
//   zero continuously, which a start that insists on holding the origin cannot do (fcl#495);
// - a start that is not a tetrahedron is completed by support points across the extent of A - B instead of around the origin,
//   which on a face or edge of the tetrahedron is as good as anywhere (mujoco_warp#1526, fcl#395).

import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { type Pair, POINT } from '../pair/pair.ts';
import { EDGES, type ExpandingPolytope, PLANE } from './expanding-polytope.ts';
import { flatDepth } from './flat-difference.ts';
import { startPoints } from './start-points.ts';

/** How EPA ended. */
export const EpaEnd = {
  /** The bounds met, and are on one side of zero or touching it. */
  met: 0,
  /** No direction stands out: A - B is nowhere thicker than a line, or has too many faces equally near. The bounds hold. */
  many: 1,
} as const;

export type EpaEnd = (typeof EpaEnd)[keyof typeof EpaEnd];

/**
 * Depth of the cores, from the simplex in `points`; leaves distance, bounds, normal and points of the shapes in the pair.
 * Where the cores are apart, `lower` is a lower bound of their distance and the answer is that bound.
 *
 * @param decideOnly stop as soon as the sign is known
 */
export function epa(pair: Pair, polytope: ExpandingPolytope, decideOnly: boolean): EpaEnd {
  const margins = pair.marginA + pair.marginB;
  const rank = pair.count === 4 && polytope.start(pair.points, pair.size) ? 3 : startPoints(pair, polytope);
  if (rank < 3) return flatDepth(pair, rank, margins) ? EpaEnd.met : EpaEnd.many;
  const touching = pair.touching;
  const { gap } = pair;
  const { planes, vertices } = polytope;
  let upper = Infinity;
  let lower = -Infinity;
  // Faces that exact predicates say are on the boundary, while their rounded normals do not quite.
  let settled = Infinity;
  let settledFace = -1;
  let nearest = -1;
  let end: EpaEnd = EpaEnd.many;
  while (true) {
    const face = polytope.nearestFace();
    const offset = face < 0 ? Infinity : polytope.offset(face);
    lower = Math.min(offset, settled, upper);
    nearest = offset < settled ? face : settledFace;
    if (face < 0 || hasMet(lower, upper, gap, touching, margins)) {
      end = EpaEnd.met;
      break;
    }
    const nx = planes[PLANE * face]!;
    const ny = planes[PLANE * face + 1]!;
    const nz = planes[PLANE * face + 2]!;
    if (decideOnly && (lower > touching || upper < -touching)) {
      if (upper === Infinity) {
        // Nothing was asked: the face itself is the answer, short of the boundary.
        bestNormal[0] = nx;
        bestNormal[1] = ny;
        bestNormal[2] = nz;
        pair.lower = -Infinity;
        pair.upper = -lower - margins;
        finish(pair, polytope, lower, face, touching);
        return EpaEnd.met;
      }
      end = EpaEnd.met;
      break;
    }
    const w = polytope.next;
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
    // Within rounding of the face's plane: the face is on the boundary. So it is if the point does not see it, exactly, which
    // rounding of a slender face's plane may hide.
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
    if (!polytope.hasRoom) break;
    polytope.add(face);
  }
  pair.lower = -upper - margins;
  pair.upper = -lower - margins;
  // A polytope beside the origin is no nearer than its own nearest point, whatever the planes of its faces are.
  const beside = lower < 0;
  finish(pair, polytope, upper, nearest, beside ? 0 : Math.max(touching, upper - lower));
  if (beside) pair.upper = Math.max(pair.upper, farFromOrigin(pair, upper) - margins);
  return end;
}

/** True where the bounds are within the gap, and on one side of zero or touching it. */
function hasMet(lower: number, upper: number, gap: number, touching: number, margins: number): boolean {
  const width = upper - lower;
  if (width > gap) return false;
  return lower + margins > touching || upper + margins < -touching || width <= touching;
}

const bestNormal = new Float64Array(3);

/**
 * Points of the face around the foot of the perpendicular, weighted for it; the foot is in A - B where the depth is least.
 *
 * @param likely the face to try first, of all if the foot is within `enough` of it
 */
function finish(
  pair: Pair,
  polytope: ExpandingPolytope,
  depth: number,
  likely: number,
  enough: number,
): void {
  const { nearest } = pair;
  const { planes } = polytope;
  const fx = depth * bestNormal[0]!;
  const fy = depth * bestNormal[1]!;
  const fz = depth * bestNormal[2]!;
  let chosen = -1;
  let least = Infinity;
  for (let i = likely < 0 ? 0 : -1; i < polytope.faceSlots; i++) {
    const face = i < 0 ? likely : i;
    if (polytope.offset(face) === Infinity) continue;
    const n = PLANE * face;
    const over = planes[n]! * fx + planes[n + 1]! * fy + planes[n + 2]! * fz;
    // A face is at least as far from the foot as its plane.
    if (Math.abs(over - planes[n + 3]!) >= least) continue;
    loadFace(pair, polytope, face, fx, fy, fz);
    nearestByVoronoi(pair);
    const far = Math.sqrt(nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2);
    if (far >= least) continue;
    least = far;
    chosen = face;
    if (far <= enough) break;
  }
  if (!(least <= enough)) {
    loadFace(pair, polytope, Math.max(chosen, 0), fx, fy, fz);
    nearestByVoronoi(pair);
  }
  pair.weigh();
  pair.answer(-depth, bestNormal[0]!, bestNormal[1]!, bestNormal[2]!);
}

/** Distance of the origin from the point that `finish` found, which is kept from the foot. */
function farFromOrigin({ nearest }: Pair, depth: number): number {
  const x = nearest[0]! + depth * bestNormal[0]!;
  const y = nearest[1]! + depth * bestNormal[1]!;
  const z = nearest[2]! + depth * bestNormal[2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** A face's corners as the simplex, seen from the foot. */
function loadFace(
  pair: Pair,
  polytope: ExpandingPolytope,
  face: number,
  x: number,
  y: number,
  z: number,
): void {
  const { points } = pair;
  for (let k = 0; k < 3; k++) {
    const from = POINT * polytope.corners[EDGES * face + k]!;
    const to = POINT * k;
    for (let i = 0; i < POINT; i++) points[to + i] = polytope.vertices[from + i]!;
    points[to]! -= x;
    points[to + 1]! -= y;
    points[to + 2]! -= z;
  }
  pair.count = 3;
}

/** The signed distance of a polyhedron at a point, in float64. docs/contacts.md, "Signed distance". */

import { PAIR_FLOATS, REFERENCE_FLOATS } from '../../inside/cell-grid/tables.ts';
import { BOUNDARY, INSIDE } from '../../inside/classification.ts';
import { ExactTest } from '../../inside/exact.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { NORMAL_FLOATS } from '../surface/surface-arrays.ts';
import { BOUND_STEP, BYTE_SLACK, LEAST_DIRECTION, LEAST_DISTANCE_UNIT } from './constants.ts';
import { CELL_REST, CellCode, LIST_HEADER, type PolyhedronArrays } from './field-arrays.ts';
import { FACE, NEAREST_FLOATS, nearestOnTriangle } from './nearest.ts';

/** How much a signed distance says. */
export const DistanceStatus = {
  /** Outside, in a cell that the surface does not pass: the depth is only a bound, and there is no more. */
  far: 0,
  /** All of it holds: outside, inside, or on the surface. */
  sure: 1,
  /** Inside and beyond reach: triangle, depth and normal are those of a triangle that is nearest to a point near by. */
  deep: 2,
} as const;
export type DistanceStatus = (typeof DistanceStatus)[keyof typeof DistanceStatus];

/** A signed distance. One object may be filled again and again. */
export class SignedDistance {
  status: DistanceStatus = DistanceStatus.far;
  /**
   * Distance to the surface: above 0 inside, below 0 outside, 0 on it. Status far: no more than 0, and its amount is no
   * more than the distance. Status deep: no less than the distance, and above the reach.
   */
  depth = 0;
  /** Unit outward gradient of the signed distance. 0 where the status is far. */
  nx = 0;
  ny = 0;
  nz = 0;
  /** The nearest triangle, and its nearest point. */
  triangle = 0;
  px = 0;
  py = 0;
  pz = 0;
}

/** In place of 1 for inside and 0 for outside: on the surface, and not known yet. */
const [ON, OPEN] = [2, 3];

/**
 * Numbers on their way between functions: those of `nearestOnTriangle`, then the triangle found, and middle and edge of
 * the cell or block that a list is for.
 */
const [NEAREST, MIDDLE, SIZE] = [NEAREST_FLOATS, NEAREST_FLOATS + 1, NEAREST_FLOATS + 4];
const work = new Float64Array(NEAREST_FLOATS + 5);

/**
 * The signed distance at a point, in the mesh's unit and frame. Its sign is exact for the float64 point where the local
 * frame is the mesh's own.
 *
 * @param point three numbers: as arguments, engines put them on the heap
 * @param isForInside true: of points outside, only the sign of the depth is wanted. It takes half as long
 * @param isInside true: it is known that the point is inside
 */
export function signedDistance(
  poly: PolyhedronArrays,
  point: Float64Array,
  out: SignedDistance,
  isForInside = false,
  isInside = false,
): void {
  const { field } = poly;
  const { grid, cells, box, lists, corners } = field;
  const { scale, shift } = field.frame;
  const sx = shift[0];
  const sy = shift[1];
  const sz = shift[2];
  const lx = point[0]! * scale - sx;
  const ly = point[1]! * scale - sy;
  const lz = point[2]! * scale - sz;
  const { min, max } = box;
  if (!(lx >= min[0] && lx <= max[0] && ly >= min[1] && ly <= max[1] && lz >= min[2] && lz <= max[2])) {
    const dx = Math.max(min[0] - lx, lx - max[0], 0);
    const dy = Math.max(min[1] - ly, ly - max[1], 0);
    const dz = Math.max(min[2] - lz, lz - max[2], 0);
    setFar(out);
    out.depth = -Math.sqrt(dx * dx + dy * dy + dz * dz) / scale;
    return;
  }
  const { origin, counts, cell: h } = grid;
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  const nx = counts[0];
  const ny = counts[1];
  const nz = counts[2];
  const i = Math.min(nx - 1, Math.floor((lx - ox) / h));
  const j = Math.min(ny - 1, Math.floor((ly - oy) / h));
  const k = Math.min(nz - 1, Math.floor((lz - oz) / h));
  const word = cells[(k * ny + j) * nx + i]!;
  const code = word >>> 30;
  const rest = word & CELL_REST;
  if (code === CellCode.outside) {
    setFar(out);
    out.depth = -(Math.max(0, rest - BYTE_SLACK) * h) / scale;
    return;
  }
  const w = work;
  w[0] = lx;
  w[1] = ly;
  w[2] = lz;
  let inside = 1;
  let feature = FACE;
  if (code === CellCode.deep) {
    w[NEAREST] = rest;
    feature = nearestOnTriangle(corners, 9 * rest, w);
  } else {
    let level = lists[rest + 2]!;
    if (code === CellCode.mixed) {
      if (!isInside) inside = signByPairs(poly, level);
      if (inside === OPEN) {
        const flag = exactTestOf(poly).flag(point[0]!, point[1]!, point[2]!, 'odd');
        inside = flag === BOUNDARY ? ON : Number(flag === INSIDE);
      }
      if (inside === 0 && isForInside) {
        out.status = DistanceStatus.sure;
        out.depth = -Number.MIN_VALUE;
        return;
      }
      level = 0;
    }
    const size = h * (1 << level);
    w[MIDDLE] = ox + ((i >> level) + 0.5) * size;
    w[MIDDLE + 1] = oy + ((j >> level) + 0.5) * size;
    w[MIDDLE + 2] = oz + ((k >> level) + 0.5) * size;
    w[SIZE] = size;
    feature = nearestCandidate(poly, rest);
  }
  const triangle = w[NEAREST]!;
  const distance = inside === ON ? 0 : Math.sqrt(w[6]!);
  const size = Math.abs(lx) + Math.abs(ly) + Math.abs(lz) + h;
  out.status = code === CellCode.deep ? DistanceStatus.deep : DistanceStatus.sure;
  // The sign is kept where the distance is lost in rounding.
  const depth = inside === ON ? 0 : Math.max(distance / scale, Number.MIN_VALUE);
  out.depth = inside === 1 ? depth : -depth;
  out.triangle = triangle;
  out.px = (w[3]! + sx) / scale;
  out.py = (w[4]! + sy) / scale;
  out.pz = (w[5]! + sz) / scale;
  if (distance > LEAST_DIRECTION * size) {
    const turn = inside === 1 ? 1 / distance : -1 / distance;
    out.nx = (w[3]! - lx) * turn;
    out.ny = (w[4]! - ly) * turn;
    out.nz = (w[5]! - lz) * turn;
  } else {
    const { normals } = poly.surface;
    const at = NORMAL_FLOATS * triangle + 3 * feature;
    out.nx = normals[at]!;
    out.ny = normals[at + 1]!;
    out.nz = normals[at + 2]!;
  }
}

/** Sets all but the depth. */
function setFar(out: SignedDistance): void {
  out.status = DistanceStatus.far;
  out.nx = out.ny = out.nz = 0;
  out.triangle = 0;
  out.px = out.py = out.pz = 0;
}

/** 1 inside, 0 outside, OPEN: the point in `work`, by the segment from the reference of its mixed cell. */
function signByPairs({ field }: PolyhedronArrays, rank: number): number {
  const { references, starts, pairs } = field;
  const r = REFERENCE_FLOATS * rank;
  const dx = work[0]! - references[r]!;
  const dy = work[1]! - references[r + 1]!;
  const dz = work[2]! - references[r + 2]!;
  let winding = references[r + 3]! & 1;
  const stop = PAIR_FLOATS * starts[rank + 1]!;
  for (let p = PAIR_FLOATS * starts[rank]!; p < stop; p += PAIR_FLOATS) {
    const bound = Math.abs(pairs[p + 9]!);
    const b0 = pairs[p]! * dx + pairs[p + 1]! * dy + pairs[p + 2]! * dz;
    const b1 = pairs[p + 3]! * dx + pairs[p + 4]! * dy + pairs[p + 5]! * dz;
    const b2 = pairs[p + 6]! * dx + pairs[p + 7]! * dy + pairs[p + 8]! * dz;
    const beyond = b0 + b1 + b2 - 1;
    // One branch on all four, each of which is as likely as not, is foreseen far more often than four.
    const misses = Number(b0 < -bound) | Number(b1 < -bound) | Number(b2 < -bound) | Number(beyond < -bound);
    if (misses !== 0) continue;
    if (!(b0 > bound && b1 > bound && b2 > bound && beyond > bound)) return OPEN;
    winding ^= 1;
  }
  return winding;
}

/** Finds the nearest of a list to the point in `work`, and leaves it there. Returns the feature it lies on. */
function nearestCandidate({ field }: PolyhedronArrays, list: number): number {
  const { lists, corners } = field;
  const w = work;
  const end = list + LIST_HEADER + lists[list]!;
  const dx = w[0]! - w[MIDDLE]!;
  const dy = w[1]! - w[MIDDLE + 1]!;
  const dz = w[2]! - w[MIDDLE + 2]!;
  // A triangle's distance from the point is at least that from the middle, less that of the point from the middle.
  const slack = Math.sqrt(dx * dx + dy * dy + dz * dz) - lists[list + 1]! * LEAST_DISTANCE_UNIT * w[SIZE]!;
  const perStep = 1 / (BOUND_STEP * w[SIZE]!);
  let best = Infinity;
  let limit = 255;
  let nearest = 0;
  let feature = FACE;
  let qx = 0;
  let qy = 0;
  let qz = 0;
  for (let n = list + LIST_HEADER; n < end; n++) {
    const entry = lists[n]!;
    // No later one is nearer either.
    if ((entry & 255) > limit) break;
    const triangle = entry >>> 8;
    const found = nearestOnTriangle(corners, 9 * triangle, w);
    // Of triangles that share the nearest point the first: whatever the order of the list.
    if (w[6]! > best || (w[6]! === best && triangle > nearest)) continue;
    best = w[6]!;
    nearest = triangle;
    feature = found;
    qx = w[3]!;
    qy = w[4]!;
    qz = w[5]!;
    limit = (Math.sqrt(best) + slack) * perStep;
  }
  w[NEAREST] = nearest;
  w[3] = qx;
  w[4] = qy;
  w[5] = qz;
  w[6] = best;
  return feature;
}

/** Made where a point is doubtful, for each body and thread. */
const exactTests = new WeakMap<PolyhedronArrays, ExactTest>();

function exactTestOf(poly: PolyhedronArrays): ExactTest {
  let test = exactTests.get(poly);
  if (test === undefined) {
    test = new ExactTest(
      new TriangleMesh({ positions: poly.positions, indices: poly.indices, name: poly.name }),
    );
    exactTests.set(poly, test);
  }
  return test;
}

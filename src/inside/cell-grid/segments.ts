/**
 * Reference points of mixed cells and the rows with which segments from them are tested: with b = M (p - r) and
 * M = [a - r, b - r, c - r]^-1, the segment from r to p crosses the triangle where all b are positive and their sum is
 * above 1. Bounds are derived in docs/cell-grid.md.
 */

import { LARGEST_FLOAT32 } from '../../constants.ts';
import { type StopWord, throwIfStopped } from '../../workers/stop.ts';
import { LARGEST_ROW } from '../constants.ts';
import {
  CELL_REFERENCE_PLACES,
  CELL_ROW_Y,
  CELL_ROW_Z,
  LEAST_CLEARANCE,
  LEAST_SEGMENT_DETERMINANT,
  SEGMENT_ERROR,
  SEGMENT_ERROR_CONSTANT,
} from './constants.ts';
import type { GridPart, Groups } from './pairs.ts';
import { cellMargin, type GridShape, PAIR_FLOATS, REFERENCE_FLOATS, type SurfaceArrays } from './tables.ts';

/** Corners and planes of the triangles of one cell, gathered once for all that is asked of them. */
class CellTriangles {
  /** Three corners each. */
  corners = new Float64Array(9 * 64);
  /** Per triangle: x of the first corner, and for its plane against a line along x: see `choosePlace`. */
  planes = new Float64Array(5 * 64);

  reserve(count: number): void {
    if (9 * count <= this.corners.length) return;
    this.corners = new Float64Array(2 * 9 * count);
    this.planes = new Float64Array(2 * 5 * count);
  }
}

const scratch = new CellTriangles();

/** Writes the references of a part's mixed cells, and rows and bounds of their pairs. */
export function fillCells(
  mesh: SurfaceArrays,
  grid: GridShape,
  { cellOf, grouped }: Groups,
  { firstMixed, endMixed, firstPair, endPair }: GridPart,
  starts: Uint32Array,
  references: Float32Array,
  pairs: Float32Array,
  stop?: StopWord,
): void {
  const [ox, oy, oz] = grid.origin;
  const [nx, ny] = grid.counts;
  const h = grid.cell;
  const margin = cellMargin(grid);
  for (let m = firstMixed; m < endMixed; m++) {
    if ((m & 255) === 0) throwIfStopped(stop);
    const cell = cellOf[m - firstMixed]!;
    const row = Math.floor(cell / nx);
    const i = cell - row * nx;
    const k = Math.floor(row / ny);
    const y = Math.fround(oy + (row - k * ny + CELL_ROW_Y) * h);
    const z = Math.fround(oz + (k + CELL_ROW_Z) * h);
    const from = starts[m]!;
    // The part after this one may not have written its starts yet.
    const to = m + 1 === endMixed ? endPair : starts[m + 1]!;
    scratch.reserve(to - from);
    gather(mesh, grouped, from - firstPair, to - firstPair, y, z);
    const x = choosePlace(ox, i, h, to - from);
    references[REFERENCE_FLOATS * m] = x;
    references[REFERENCE_FLOATS * m + 1] = y;
    references[REFERENCE_FLOATS * m + 2] = z;
    // Rows that no triangle crosses stay outside.
    references[REFERENCE_FLOATS * m + 3] = 0;
    writePairs(h, margin, to - from, x, y, z, pairs, from * PAIR_FLOATS);
  }
}

/** Fills `scratch` with the triangles `grouped[from .. to]` of a cell whose row's line is at y, z. */
function gather(
  { positions, indices }: SurfaceArrays,
  grouped: Uint32Array,
  from: number,
  to: number,
  y: number,
  z: number,
): void {
  const { corners, planes } = scratch;
  for (let p = from, at = 0, plane = 0; p < to; p++, at += 9, plane += 5) {
    const t = 3 * grouped[p]!;
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const bx = positions[b]!;
    const by = positions[b + 1]!;
    const bz = positions[b + 2]!;
    const cx = positions[c]!;
    const cy = positions[c + 1]!;
    const cz = positions[c + 2]!;
    corners[at] = ax;
    corners[at + 1] = ay;
    corners[at + 2] = az;
    corners[at + 3] = bx;
    corners[at + 4] = by;
    corners[at + 5] = bz;
    corners[at + 6] = cx;
    corners[at + 7] = cy;
    corners[at + 8] = cz;
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - ax;
    const vy = cy - ay;
    const vz = cz - az;
    const px = uy * vz - uz * vy;
    const py = uz * vx - ux * vz;
    const pz = ux * vy - uy * vx;
    planes[plane] = ax;
    planes[plane + 1] = px;
    planes[plane + 2] = py * (y - ay);
    planes[plane + 3] = pz * (z - az);
    planes[plane + 4] = Math.sqrt(px * px + py * py + pz * pz);
  }
}

/** Where on its row's line the reference of cell i is clear of the planes of the `count` triangles in `scratch`. */
function choosePlace(ox: number, i: number, h: number, count: number): number {
  const { planes } = scratch;
  const enough = LEAST_CLEARANCE * h;
  const end = 5 * count;
  for (const place of CELL_REFERENCE_PLACES) {
    const x = Math.fround(ox + (i + place) * h);
    let at = 0;
    // A face without area has no plane to be clear of: its distance is not a number.
    while (at < end && !(distanceAt(planes, at, x) < enough)) at += 5;
    if (at === end) return x;
  }
  let best = -1;
  let bestX = 0;
  for (const place of CELL_REFERENCE_PLACES) {
    const x = Math.fround(ox + (i + place) * h);
    let clearance = Infinity;
    for (let at = 0; at < end && clearance > best; at += 5) {
      const distance = distanceAt(planes, at, x);
      if (distance < clearance) clearance = distance;
    }
    if (clearance > best) {
      best = clearance;
      bestX = x;
    }
  }
  return bestX;
}

/** Distance of a place x on the row's line from plane `at`. */
function distanceAt(planes: Float64Array, at: number, x: number): number {
  return Math.abs(planes[at + 1]! * (x - planes[at]!) + planes[at + 2]! + planes[at + 3]!) / planes[at + 4]!;
}

const LARGEST_REACH_X = Math.max(...CELL_REFERENCE_PLACES.map((place) => Math.max(place, 1 - place)));

/** Writes rows and bounds of the `count` triangles in `scratch` about the reference r to `out[at ..]`. */
function writePairs(
  h: number,
  margin: number,
  count: number,
  rx: number,
  ry: number,
  rz: number,
  out: Float32Array,
  first: number,
): void {
  const { corners } = scratch;
  const reachY = (Math.max(CELL_ROW_Y, 1 - CELL_ROW_Y) + 2 * margin) * h;
  const reachZ = (Math.max(CELL_ROW_Z, 1 - CELL_ROW_Z) + 2 * margin) * h;
  const reachX = (LARGEST_REACH_X + 2 * margin) * h;
  for (let n = 0, at = first; n < 9 * count; n += 9, at += PAIR_FLOATS) {
    const ax = corners[n]! - rx;
    const ay = corners[n + 1]! - ry;
    const az = corners[n + 2]! - rz;
    const bx = corners[n + 3]! - rx;
    const by = corners[n + 4]! - ry;
    const bz = corners[n + 5]! - rz;
    const cx = corners[n + 6]! - rx;
    const cy = corners[n + 7]! - ry;
    const cz = corners[n + 8]! - rz;
    // The products of b x c, c x a and a x b; their differences are the rows, their absolute sums the bound.
    const bycz = by * cz;
    const bzcy = bz * cy;
    const bzcx = bz * cx;
    const bxcz = bx * cz;
    const bxcy = bx * cy;
    const bycx = by * cx;
    const cyaz = cy * az;
    const czay = cz * ay;
    const czax = cz * ax;
    const cxaz = cx * az;
    const cxay = cx * ay;
    const cyax = cy * ax;
    const aybz = ay * bz;
    const azby = az * by;
    const azbx = az * bx;
    const axbz = ax * bz;
    const axby = ax * by;
    const aybx = ay * bx;
    const det = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx);
    const b0x = Math.abs(bycz) + Math.abs(bzcy);
    const b0y = Math.abs(bzcx) + Math.abs(bxcz);
    const b0z = Math.abs(bxcy) + Math.abs(bycx);
    const terms = Math.abs(ax) * b0x + Math.abs(ay) * b0y + Math.abs(az) * b0z;
    const sumX = b0x + Math.abs(cyaz) + Math.abs(czay) + Math.abs(aybz) + Math.abs(azby);
    const sumY = b0y + Math.abs(czax) + Math.abs(cxaz) + Math.abs(azbx) + Math.abs(axbz);
    const sumZ = b0z + Math.abs(cxay) + Math.abs(cyax) + Math.abs(axby) + Math.abs(aybx);
    const inverse = 1 / det;
    const sound = Math.abs(det) > LEAST_SEGMENT_DETERMINANT * terms;
    if (!(sound && (sumX + sumY + sumZ) * Math.abs(inverse) < LARGEST_ROW)) {
      // The reference is as good as in the triangle's plane, or the rows overflow: no point of the cell is certain.
      out.fill(0, at, at + 9);
      out[at + 9] = LARGEST_FLOAT32;
      continue;
    }
    out[at] = (bycz - bzcy) * inverse;
    out[at + 1] = (bzcx - bxcz) * inverse;
    out[at + 2] = (bxcy - bycx) * inverse;
    out[at + 3] = (cyaz - czay) * inverse;
    out[at + 4] = (czax - cxaz) * inverse;
    out[at + 5] = (cxay - cyax) * inverse;
    out[at + 6] = (aybz - azby) * inverse;
    out[at + 7] = (azbx - axbz) * inverse;
    out[at + 8] = (axby - aybx) * inverse;
    const reach = sumX * reachX + sumY * reachY + sumZ * reachZ;
    const bound = SEGMENT_ERROR * Math.abs(inverse) * reach + SEGMENT_ERROR_CONSTANT;
    // Crossing towards the front leaves the body: winding - 1. The sign bit says so.
    out[at + 9] = det > 0 ? -bound : bound;
  }
}

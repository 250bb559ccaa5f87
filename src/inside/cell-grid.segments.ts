/**
 * Reference points of mixed cells and the rows with which segments from them are tested: with b = M (p - r) and
 * M = [a - r, b - r, c - r]^-1, the segment from r to p crosses the triangle where all b are positive and their sum is
 * above 1. Bounds are derived in docs/cell-grid.md.
 */
import {
  CELL_MARGIN,
  CELL_REFERENCE_PLACES,
  CELL_ROW_Y,
  CELL_ROW_Z,
  FLOAT32_ROUNDOFF,
  LARGEST_FLOAT32,
  LARGEST_ROW,
  LEAST_CLEARANCE,
  LEAST_SEGMENT_DETERMINANT,
  SEGMENT_ERROR_CONSTANT,
  SEGMENT_ERROR_FACTOR,
} from '../constants.ts';
import {
  type GridPart,
  type GridShape,
  type Groups,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './cell-grid.tables.ts';

/** Reference points of a part's mixed cells, far from the planes of their triangles where possible. */
export function choosePlaces(
  mesh: SurfaceArrays,
  grid: GridShape,
  { cellOf, grouped }: Groups,
  { firstMixed, endMixed, firstPair, endPair }: GridPart,
  starts: Uint32Array,
  references: Float32Array,
): void {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny] = grid.counts;
  const h = grid.cell;
  const enough = LEAST_CLEARANCE * h;
  for (let m = firstMixed; m < endMixed; m++) {
    const cell = cellOf[m - firstMixed]!;
    const row = Math.floor(cell / nx);
    const i = cell - row * nx;
    const k = Math.floor(row / ny);
    const y = Math.fround(oy + (row - k * ny + CELL_ROW_Y) * h);
    const z = Math.fround(oz + (k + CELL_ROW_Z) * h);
    const from = starts[m]! - firstPair;
    const to = (m + 1 === endMixed ? endPair : starts[m + 1]!) - firstPair;
    let best = -1;
    let bestX = 0;
    for (const place of CELL_REFERENCE_PLACES) {
      const x = Math.fround(ox + (i + place) * h);
      let clearance = Infinity;
      for (let p = from; p < to; p++) {
        const t = 3 * grouped[p]!;
        const a = 3 * indices[t]!;
        const b = 3 * indices[t + 1]!;
        const c = 3 * indices[t + 2]!;
        const ax = positions[a]!;
        const ay = positions[a + 1]!;
        const az = positions[a + 2]!;
        const ux = positions[b]! - ax;
        const uy = positions[b + 1]! - ay;
        const uz = positions[b + 2]! - az;
        const vx = positions[c]! - ax;
        const vy = positions[c + 1]! - ay;
        const vz = positions[c + 2]! - az;
        const px = uy * vz - uz * vy;
        const py = uz * vx - ux * vz;
        const pz = ux * vy - uy * vx;
        const distance =
          Math.abs(px * (x - ax) + py * (y - ay) + pz * (z - az)) / Math.sqrt(px * px + py * py + pz * pz);
        // A face without area has no plane to be clear of.
        if (distance < clearance) {
          clearance = distance;
          if (clearance <= best) break;
        }
      }
      if (clearance > best) {
        best = clearance;
        bestX = x;
        if (best >= enough) break;
      }
    }
    references[REFERENCE_FLOATS * m] = bestX;
    references[REFERENCE_FLOATS * m + 1] = y;
    references[REFERENCE_FLOATS * m + 2] = z;
  }
}

/** Writes rows and bounds of the pairs of a part's mixed cells. */
export function writePairs(
  mesh: SurfaceArrays,
  grid: GridShape,
  { grouped }: Pick<Groups, 'grouped'>,
  { firstMixed, endMixed, firstPair, endPair }: GridPart,
  starts: Uint32Array,
  references: Float32Array,
  out: Float32Array,
): void {
  const { positions, indices } = mesh;
  const h = grid.cell;
  const reachY = (Math.max(CELL_ROW_Y, 1 - CELL_ROW_Y) + 2 * CELL_MARGIN) * h;
  const reachZ = (Math.max(CELL_ROW_Z, 1 - CELL_ROW_Z) + 2 * CELL_MARGIN) * h;
  const reachX =
    (Math.max(...CELL_REFERENCE_PLACES.map((place) => Math.max(place, 1 - place))) + 2 * CELL_MARGIN) * h;
  const error = SEGMENT_ERROR_FACTOR * FLOAT32_ROUNDOFF;
  const constant = SEGMENT_ERROR_CONSTANT * FLOAT32_ROUNDOFF;
  for (let m = firstMixed; m < endMixed; m++) {
    // The part after this one may not have written its starts yet.
    const stop = m + 1 === endMixed ? endPair : starts[m + 1]!;
    const rx = references[REFERENCE_FLOATS * m]!;
    const ry = references[REFERENCE_FLOATS * m + 1]!;
    const rz = references[REFERENCE_FLOATS * m + 2]!;
    for (let p = starts[m]!; p < stop; p++) {
      const t = 3 * grouped[p - firstPair]!;
      const a = 3 * indices[t]!;
      const b = 3 * indices[t + 1]!;
      const c = 3 * indices[t + 2]!;
      const ax = positions[a]! - rx;
      const ay = positions[a + 1]! - ry;
      const az = positions[a + 2]! - rz;
      const bx = positions[b]! - rx;
      const by = positions[b + 1]! - ry;
      const bz = positions[b + 2]! - rz;
      const cx = positions[c]! - rx;
      const cy = positions[c + 1]! - ry;
      const cz = positions[c + 2]! - rz;
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
      const at = p * PAIR_FLOATS;
      const sumX = b0x + Math.abs(cyaz) + Math.abs(czay) + Math.abs(aybz) + Math.abs(azby);
      const sumY = b0y + Math.abs(czax) + Math.abs(cxaz) + Math.abs(azbx) + Math.abs(axbz);
      const sumZ = b0z + Math.abs(cxay) + Math.abs(cyax) + Math.abs(axby) + Math.abs(aybx);
      const inverse = 1 / det;
      const sound = Math.abs(det) > LEAST_SEGMENT_DETERMINANT * terms;
      if (!(sound && (sumX + sumY + sumZ) * Math.abs(inverse) < LARGEST_ROW)) {
        // The reference is as good as in the triangle's plane, or the rows overflow: no point of the cell is certain.
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
      const bound = error * Math.abs(inverse) * (sumX * reachX + sumY * reachY + sumZ * reachZ) + constant;
      // Crossing towards the front leaves the body: winding - 1. The sign bit says so.
      out[at + 9] = det > 0 ? -bound : bound;
    }
  }
}

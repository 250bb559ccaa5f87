/**
 * Builds the cell grid of a body: for every cell whether it is outside, inside or mixed, and for a mixed cell a
 * reference point of known winding and, per triangle near it, the rows with which a segment from the reference is
 * tested. See docs/cell-grid.md.
 */
import { orient3d } from 'robust-predicates';
import {
  CELL_MARGIN,
  CELL_REFERENCE_PLACES,
  CELL_ROW_Y,
  CELL_ROW_Z,
  CROSSING_PLACE_ERROR,
  FLOAT32_ROUNDOFF,
  LARGEST_FLOAT32,
  LEAST_CLEARANCE,
  LEAST_RELATIVE_DETERMINANT,
  SEGMENT_ERROR_CONSTANT,
  SEGMENT_ERROR_FACTOR,
} from '../constants.ts';
import { InputError } from '../errors.ts';
import { findOverlaps, type GridShape, PairList } from './cell-grid.overlap.ts';
import { perturbedSide } from './exact.ts';
import type { Surface } from './surface.ts';

/** Cells per word of the status table: 2 bits each, 0 outside, 1 inside, 2 mixed. */
export const CELLS_PER_WORD = 16;
/** Floats per (cell, triangle) pair: three rows of three, and the error bound, its sign the triangle's winding. */
export const PAIR_FLOATS = 10;
/** Floats per mixed cell: reference point and its winding number. */
export const REFERENCE_FLOATS = 4;

export interface CellGridTables {
  readonly grid: GridShape;
  /** Per word of 16 cells along x: where mixed cells are (bit 2c + 1) and, in bit 2c, whether the winding is odd. */
  readonly odd: Uint32Array<ArrayBuffer>;
  /** The same with bit 2c telling whether the winding is not zero. */
  readonly nonzero: Uint32Array<ArrayBuffer>;
  /** Per word, the number of mixed cells before it. */
  readonly bases: Uint32Array<ArrayBuffer>;
  /** Per mixed cell, in order of cells: reference point x, y, z and winding number there. */
  readonly references: Float32Array<ArrayBuffer>;
  /** Per mixed cell, its first pair; one more at the end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly pairs: Float32Array<ArrayBuffer>;
  readonly mixedCount: number;
  readonly pairCount: number;
  /** Decisions of the build that exact predicates settled. */
  readonly settledExactly: number;
  readonly bytes: number;
}

/** Number of set bits. */
export function bitCount(x: number): number {
  let v = x - ((x >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The grid over a mesh's box with cells of an edge near `cell`, at least `cell` and a float32. */
export function gridOver(mesh: Surface, cell: number): GridShape {
  const { min, max } = mesh.box;
  const size = Math.fround(cell * (1 + 2 ** -23));
  const count = (k: number) => Math.floor((max[k]! - min[k]!) / size) + 1;
  const along = Math.ceil(count(0) / CELLS_PER_WORD) * CELLS_PER_WORD;
  return { origin: [min[0], min[1], min[2]], cell: size, counts: [along, count(1), count(2)] };
}

/** Marks mixed cells in the words and counts them. */
function markMixed(words: Uint32Array, bases: Uint32Array, pairs: PairList): number {
  const { cells, count } = pairs;
  for (let p = 0; p < count; p++) {
    const cell = cells[p]!;
    words[cell >>> 4]! |= 2 << ((cell & 15) << 1);
  }
  let mixed = 0;
  for (let w = 0; w < words.length; w++) {
    bases[w] = mixed;
    const word = words[w]!;
    if (word !== 0) mixed += bitCount(word);
  }
  return mixed;
}

/** Rank of a mixed cell among all mixed cells. */
export function mixedRank(words: Uint32Array, bases: Uint32Array, cell: number): number {
  const w = cell >>> 4;
  const below = (1 << ((cell & 15) << 1)) - 1;
  return bases[w]! + bitCount(words[w]! & below & 0xaaaaaaaa);
}

/** Triangles of each mixed cell, in the order of triangles. */
function groupByCell(words: Uint32Array, bases: Uint32Array, mixed: number, pairs: PairList) {
  const { cells, triangles, count } = pairs;
  const starts = new Uint32Array(mixed + 1);
  const ranks = new Uint32Array(count);
  const cellOf = new Uint32Array(mixed);
  for (let p = 0; p < count; p++) {
    const cell = cells[p]!;
    const rank = mixedRank(words, bases, cell);
    ranks[p] = rank;
    cellOf[rank] = cell;
    starts[rank + 1]!++;
  }
  for (let m = 0; m < mixed; m++) starts[m + 1]! += starts[m]!;
  const next = starts.slice(0, mixed);
  const grouped = new Uint32Array(count);
  for (let p = 0; p < count; p++) grouped[next[ranks[p]!]!++] = triangles[p]!;
  return { starts, cellOf, grouped };
}

/** Places (x of the reference) for every mixed cell, far enough from the planes of its triangles where possible. */
function choosePlaces(
  mesh: Surface,
  grid: GridShape,
  starts: Uint32Array,
  cellOf: Uint32Array,
  grouped: Uint32Array,
) {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny] = grid.counts;
  const h = grid.cell;
  const enough = LEAST_CLEARANCE * h;
  const references = new Float32Array(cellOf.length * REFERENCE_FLOATS);
  for (let m = 0; m < cellOf.length; m++) {
    const cell = cellOf[m]!;
    const row = Math.floor(cell / nx);
    const i = cell - row * nx;
    const k = Math.floor(row / ny);
    const y = Math.fround(oy + (row - k * ny + CELL_ROW_Y) * h);
    const z = Math.fround(oz + (k + CELL_ROW_Z) * h);
    const from = starts[m]!;
    const to = starts[m + 1]!;
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
  return references;
}

/** Rows and bounds of every pair. */
function writePairs(
  mesh: Surface,
  grid: GridShape,
  references: Float32Array,
  starts: Uint32Array,
  grouped: Uint32Array,
): Float32Array<ArrayBuffer> {
  const { positions, indices } = mesh;
  const h = grid.cell;
  const reachY = (Math.max(CELL_ROW_Y, 1 - CELL_ROW_Y) + 2 * CELL_MARGIN) * h;
  const reachZ = (Math.max(CELL_ROW_Z, 1 - CELL_ROW_Z) + 2 * CELL_MARGIN) * h;
  const reachX =
    (Math.max(...CELL_REFERENCE_PLACES.map((place) => Math.max(place, 1 - place))) + 2 * CELL_MARGIN) * h;
  const error = SEGMENT_ERROR_FACTOR * FLOAT32_ROUNDOFF;
  const constant = SEGMENT_ERROR_CONSTANT * FLOAT32_ROUNDOFF;
  const out = new Float32Array(grouped.length * PAIR_FLOATS);
  for (let m = 0; m + 1 < starts.length; m++) {
    const rx = references[REFERENCE_FLOATS * m]!;
    const ry = references[REFERENCE_FLOATS * m + 1]!;
    const rz = references[REFERENCE_FLOATS * m + 2]!;
    for (let p = starts[m]!; p < starts[m + 1]!; p++) {
      const t = 3 * grouped[p]!;
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
      if (!(Math.abs(det) > LEAST_RELATIVE_DETERMINANT * terms)) {
        // The reference is as good as in the triangle's plane: no point of the cell is certain by it.
        out[at + 9] = LARGEST_FLOAT32;
        continue;
      }
      const inverse = 1 / det;
      out[at] = (bycz - bzcy) * inverse;
      out[at + 1] = (bzcx - bxcz) * inverse;
      out[at + 2] = (bxcy - bycx) * inverse;
      out[at + 3] = (cyaz - czay) * inverse;
      out[at + 4] = (czax - cxaz) * inverse;
      out[at + 5] = (cxay - cyax) * inverse;
      out[at + 6] = (aybz - azby) * inverse;
      out[at + 7] = (azbx - axbz) * inverse;
      out[at + 8] = (axby - aybx) * inverse;
      const sumX = b0x + Math.abs(cyaz) + Math.abs(czay) + Math.abs(aybz) + Math.abs(azby);
      const sumY = b0y + Math.abs(czax) + Math.abs(cxaz) + Math.abs(azbx) + Math.abs(axbz);
      const sumZ = b0z + Math.abs(cxay) + Math.abs(cyax) + Math.abs(axby) + Math.abs(aybx);
      const bound = error * Math.abs(inverse) * (sumX * reachX + sumY * reachY + sumZ * reachZ) + constant;
      // Crossing towards the front leaves the body: winding - 1. The sign bit says so.
      out[at + 9] = det > 0 ? -bound : bound;
    }
  }
  return out;
}

/** Crossings of the rows' lines with the triangles: row, first cell behind the crossing, change of winding. */
interface Crossings {
  rows: Uint32Array;
  cells: Uint16Array;
  changes: Int8Array;
  count: number;
  settledExactly: number;
}

function findCrossings(
  mesh: Surface,
  grid: GridShape,
  words: Uint32Array,
  bases: Uint32Array,
  references: Float32Array,
): Crossings {
  const { positions, indices, triangleCount } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny, nz] = grid.counts;
  const h = grid.cell;
  const inverse = 1 / h;
  const found: Crossings = {
    rows: new Uint32Array(triangleCount + 16),
    cells: new Uint16Array(triangleCount + 16),
    changes: new Int8Array(triangleCount + 16),
    count: 0,
    settledExactly: 0,
  };
  const isMixed = (cell: number) => (words[cell >>> 4]! >>> ((cell & 15) << 1)) & 2;
  const referenceX = (cell: number, i: number) =>
    isMixed(cell) ? references[REFERENCE_FLOATS * mixedRank(words, bases, cell)]! : ox + (i + 0.5) * h;

  for (let t = 0; t < triangleCount; t++) {
    const a = 3 * indices[3 * t]!;
    const b = 3 * indices[3 * t + 1]!;
    const c = 3 * indices[3 * t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const bx = positions[b]!;
    const by = positions[b + 1]!;
    const bz = positions[b + 2]!;
    const cx = positions[c]!;
    const cy = positions[c + 1]!;
    const cz = positions[c + 2]!;
    const lowY = Math.min(ay, by, cy);
    const highY = Math.max(ay, by, cy);
    const lowZ = Math.min(az, bz, cz);
    const highZ = Math.max(az, bz, cz);
    const j0 = Math.max(0, Math.floor((lowY - oy) * inverse - CELL_ROW_Y));
    const j1 = Math.min(ny - 1, Math.ceil((highY - oy) * inverse - CELL_ROW_Y));
    const k0 = Math.max(0, Math.floor((lowZ - oz) * inverse - CELL_ROW_Z));
    const k1 = Math.min(nz - 1, Math.ceil((highZ - oz) * inverse - CELL_ROW_Z));
    for (let k = k0; k <= k1; k++) {
      const z = Math.fround(oz + (k + CELL_ROW_Z) * h);
      if (z < lowZ || z > highZ) continue;
      for (let j = j0; j <= j1; j++) {
        const y = Math.fround(oy + (j + CELL_ROW_Y) * h);
        if (y < lowY || y > highY) continue;
        const turn = perturbedSide(ay, az, by, bz, y, z);
        if (turn === 0 || perturbedSide(by, bz, cy, cz, y, z) !== turn) continue;
        if (perturbedSide(cy, cz, ay, az, y, z) !== turn) continue;

        // The line passes the triangle; `turn` is the sign of the normal's x. Where?
        const ux = bx - ax;
        const uy = by - ay;
        const uz = bz - az;
        const vx = cx - ax;
        const vy = cy - ay;
        const vz = cz - az;
        const px = uy * vz - uz * vy;
        const py = uz * vx - ux * vz;
        const pz = ux * vy - uy * vx;
        const shift = -((y - ay) * py + (z - az) * pz) / px;
        const terms =
          Math.abs(y - ay) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
          Math.abs(z - az) * (Math.abs(ux * vy) + Math.abs(uy * vx)) +
          Math.abs(shift) * (Math.abs(uy * vz) + Math.abs(uz * vy));
        // Each of the three sums is off by a few roundings of its absolute terms.
        const error = ((2 ** -49 * terms) / Math.abs(px)) * inverse;
        const row = k * ny + j;
        let first: number;
        const place = (ax + shift - ox) * inverse;
        const at = Math.min(nx - 1, Math.max(0, Math.floor(place)));
        const reference = (referenceX(row * nx + at, at) - ox) * inverse;
        if (error < CROSSING_PLACE_ERROR && Math.abs(place - reference) > 2 * CROSSING_PLACE_ERROR) {
          first = place < reference ? at : at + 1;
        } else {
          // Too near to call: ask for every reference of the row within the triangle's reach.
          found.settledExactly++;
          const lowX = Math.min(ax, bx, cx);
          const highX = Math.max(ax, bx, cx);
          first = Math.max(0, Math.floor((lowX - ox) * inverse) - 1);
          const last = Math.min(nx - 1, Math.floor((highX - ox) * inverse) + 1);
          for (; first <= last; first++) {
            const x = referenceX(row * nx + first, first);
            if (x > highX) break;
            if (x < lowX) continue;
            if (-Math.sign(orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z)) === turn) break;
          }
        }
        if (found.count === found.rows.length) growCrossings(found);
        found.rows[found.count] = row;
        found.cells[found.count] = first;
        found.changes[found.count++] = -turn;
      }
    }
  }
  return found;
}

function growCrossings(found: Crossings): void {
  const size = 2 * found.rows.length;
  const grown = { rows: new Uint32Array(size), cells: new Uint16Array(size), changes: new Int8Array(size) };
  grown.rows.set(found.rows);
  grown.cells.set(found.cells);
  grown.changes.set(found.changes);
  Object.assign(found, grown);
}

/** Sums crossings along every row into the statuses of cells and the winding of references. */
function fillStatuses(
  mesh: Surface,
  grid: GridShape,
  crossings: Crossings,
  odd: Uint32Array,
  nonzero: Uint32Array,
  bases: Uint32Array,
  references: Float32Array,
): void {
  const [nx, ny, nz] = grid.counts;
  const rowCount = ny * nz;
  const starts = new Uint32Array(rowCount + 1);
  const { rows, cells, changes, count } = crossings;
  for (let e = 0; e < count; e++) starts[rows[e]! + 1]!++;
  for (let r = 0; r < rowCount; r++) starts[r + 1]! += starts[r]!;
  const next = starts.slice(0, rowCount);
  const sorted = new Uint32Array(count);
  for (let e = 0; e < count; e++) sorted[next[rows[e]!]!++] = e;
  const wordsPerRow = nx / CELLS_PER_WORD;
  const windings = new Int32Array(nx + 1);
  for (let row = 0; row < rowCount; row++) {
    const from = starts[row]!;
    const to = starts[row + 1]!;
    if (from === to) continue;
    windings.fill(0);
    for (let e = from; e < to; e++) windings[cells[sorted[e]!]!]! += changes[sorted[e]!]!;
    let winding = 0;
    for (let w = 0; w < wordsPerRow; w++) {
      const at = row * wordsPerRow + w;
      const mixed = odd[at]! & 0xaaaaaaaa;
      let rank = bases[at]!;
      let oddBits = 0;
      let nonzeroBits = 0;
      for (let c = 0; c < CELLS_PER_WORD; c++) {
        winding += windings[w * CELLS_PER_WORD + c]!;
        if ((winding & 1) !== 0) oddBits |= 1 << (2 * c);
        if (winding !== 0) nonzeroBits |= 1 << (2 * c);
        if ((mixed >>> (2 * c)) & 2) references[REFERENCE_FLOATS * rank++ + 3] = winding;
      }
      odd[at]! |= oddBits;
      nonzero[at]! |= nonzeroBits;
    }
    winding += windings[nx]!;
    if ((winding & 1) !== 0) {
      const [j, k] = [row % ny, Math.floor(row / ny)];
      const [y, z] = [
        grid.origin[1] + (j + CELL_ROW_Y) * grid.cell,
        grid.origin[2] + (k + CELL_ROW_Z) * grid.cell,
      ];
      throw new InputError(
        `${mesh.name}: the surface is not closed: the line y = ${Math.fround(y)}, z = ${Math.fround(z)} enters the body and never leaves it`,
      );
    }
  }
}

/** Builds the tables of a mesh on a grid of the given cell size. */
export function buildCellGrid(mesh: Surface, cell: number): CellGridTables {
  const grid = gridOver(mesh, cell);
  const cellCount = grid.counts[0] * grid.counts[1] * grid.counts[2];
  const odd = new Uint32Array(cellCount / CELLS_PER_WORD);
  const bases = new Uint32Array(odd.length);
  const found = new PairList(6 * mesh.triangleCount);
  findOverlaps(mesh, grid, 0, mesh.triangleCount, found);
  const mixedCount = markMixed(odd, bases, found);
  const { starts, cellOf, grouped } = groupByCell(odd, bases, mixedCount, found);
  const references = choosePlaces(mesh, grid, starts, cellOf, grouped);
  const crossings = findCrossings(mesh, grid, odd, bases, references);
  const nonzero = odd.slice();
  fillStatuses(mesh, grid, crossings, odd, nonzero, bases, references);
  const pairs = writePairs(mesh, grid, references, starts, grouped);
  const bytes = [odd, nonzero, bases, references, starts, pairs].reduce(
    (sum, table) => sum + table.byteLength,
    0,
  );
  return {
    grid,
    odd,
    nonzero,
    bases,
    references,
    starts,
    pairs,
    mixedCount,
    pairCount: found.count,
    settledExactly: crossings.settledExactly,
    bytes,
  };
}

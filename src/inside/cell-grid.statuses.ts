/**
 * Windings of reference points and statuses of cells, by a scan along every row of cells: the references of a row lie on
 * one line, and where that line crosses the surface the winding changes for all references behind the crossing. What
 * float64 cannot decide is decided by exact predicates.
 */
import { orient3d } from 'robust-predicates';
import { CELL_ROW_Y, CELL_ROW_Z, CROSSING_PLACE_ERROR, CROSSING_PLACE_ROUNDING } from '../constants.ts';
import { InputError } from '../errors.ts';
import {
  CELLS_PER_WORD,
  type GridShape,
  mixedRank,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './cell-grid.tables.ts';
import { perturbedSide } from './exact.ts';
import { type Surface, toSource } from './surface.ts';

/** Crossings of the rows' lines with the triangles: row, first cell behind the crossing, change of winding. */
export interface Crossings {
  rows: Uint32Array;
  cells: Uint16Array;
  changes: Int8Array;
  count: number;
  settledExactly: number;
}

/** Crossings of triangles `first .. end` with the rows' lines. */
export function findCrossings(
  mesh: SurfaceArrays,
  grid: GridShape,
  first: number,
  end: number,
  words: Uint32Array,
  bases: Uint32Array,
  references: Float32Array,
): Crossings {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny, nz] = grid.counts;
  const h = grid.cell;
  const inverse = 1 / h;
  const found: Crossings = {
    rows: new Uint32Array(end - first + 16),
    cells: new Uint16Array(end - first + 16),
    changes: new Int8Array(end - first + 16),
    count: 0,
    settledExactly: 0,
  };
  const isMixed = (cell: number) => (words[cell >>> 4]! >>> ((cell & 15) << 1)) & 2;
  const referenceX = (cell: number, i: number) =>
    isMixed(cell) ? references[REFERENCE_FLOATS * mixedRank(words, bases, cell)]! : ox + (i + 0.5) * h;

  for (let t = first; t < end; t++) {
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
        const error = ((CROSSING_PLACE_ROUNDING * terms) / Math.abs(px)) * inverse;
        const row = k * ny + j;
        let behind: number;
        const place = (ax + shift - ox) * inverse;
        const at = Math.min(nx - 1, Math.max(0, Math.floor(place)));
        const reference = (referenceX(row * nx + at, at) - ox) * inverse;
        if (error < CROSSING_PLACE_ERROR && Math.abs(place - reference) > 2 * CROSSING_PLACE_ERROR) {
          behind = place < reference ? at : at + 1;
        } else {
          // Too near to call: ask for every reference of the row within the triangle's reach.
          found.settledExactly++;
          const lowX = Math.min(ax, bx, cx);
          const highX = Math.max(ax, bx, cx);
          behind = Math.max(0, Math.floor((lowX - ox) * inverse) - 1);
          const last = Math.min(nx - 1, Math.floor((highX - ox) * inverse) + 1);
          for (; behind <= last; behind++) {
            const x = referenceX(row * nx + behind, behind);
            if (x > highX) break;
            if (x < lowX) continue;
            if (-Math.sign(orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z)) === turn) break;
          }
        }
        if (found.count === found.rows.length) growCrossings(found);
        found.rows[found.count] = row;
        found.cells[found.count] = behind;
        found.changes[found.count++] = -turn;
      }
    }
  }
  return found;
}

/** Crossings of several ranges of triangles, in the order of the ranges. */
export function joinCrossings(parts: readonly Crossings[]): Crossings {
  if (parts.length === 1) return parts[0]!;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const joined: Crossings = {
    rows: new Uint32Array(count),
    cells: new Uint16Array(count),
    changes: new Int8Array(count),
    count: 0,
    settledExactly: 0,
  };
  for (const part of parts) {
    joined.rows.set(part.rows.subarray(0, part.count), joined.count);
    joined.cells.set(part.cells.subarray(0, part.count), joined.count);
    joined.changes.set(part.changes.subarray(0, part.count), joined.count);
    joined.count += part.count;
    joined.settledExactly += part.settledExactly;
  }
  return joined;
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
export function fillStatuses(
  { name, frame }: Pick<Surface, 'name' | 'frame'>,
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
      const y = toSource(frame, grid.origin[1] + (j + CELL_ROW_Y) * grid.cell, 1);
      const z = toSource(frame, grid.origin[2] + (k + CELL_ROW_Z) * grid.cell, 2);
      throw new InputError(
        `${name}: the surface is not closed: the line y = ${Math.fround(y)}, z = ${Math.fround(z)} enters the body and never leaves it`,
      );
    }
  }
}

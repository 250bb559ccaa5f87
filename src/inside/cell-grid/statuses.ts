/**
 * Windings of reference points and statuses of cells, by a scan along every row of cells: the references of a row lie
 * on one line, and where that line crosses the surface the winding changes for all references behind the crossing. What
 * float64 cannot decide is decided by exact predicates.
 */
import { orient3d } from 'robust-predicates';
import { InputError } from '../../errors.ts';
import { type StopWord, throwIfStopped } from '../../workers/stop.ts';
import { perturbedSide } from '../exact.ts';
import { type Surface, toSource } from '../surface.ts';
import { CELL_ROW_Y, CELL_ROW_Z, CROSSING_PLACE_ERROR } from './constants.ts';
import { type CrossingShift, crossingShift } from './crossing-shift.ts';
import { type GridPart, NumberList } from './pairs.ts';
import {
  CELLS_PER_WORD,
  type GridShape,
  mixedRank,
  REFERENCE_FLOATS,
  type SurfaceArrays,
  windingByte,
} from './tables.ts';

/** Lines of rows that pass triangles: the row, the triangle, and the sign of the normal's x where they do. */
export interface Lines {
  readonly rows: Uint32Array;
  readonly triangles: Uint32Array;
  /** 0 stands for -1. */
  readonly turns: Uint32Array;
}

/** The rows' lines that pass some triangles, exactly. */
export function findLines(
  mesh: SurfaceArrays,
  grid: GridShape,
  { values, count }: Pick<NumberList, 'values' | 'count'>,
  stop?: StopWord,
): Lines {
  const { positions, indices } = mesh;
  const [, oy, oz] = grid.origin;
  const [, ny, nz] = grid.counts;
  const h = grid.cell;
  const inverse = 1 / h;
  const [rows, triangles, turns] = [new NumberList(), new NumberList(), new NumberList()];
  for (let n = 0; n < count; n++) {
    if ((n & 1023) === 0) throwIfStopped(stop);
    const t = values[n]!;
    const a = 3 * indices[3 * t]!;
    const b = 3 * indices[3 * t + 1]!;
    const c = 3 * indices[3 * t + 2]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const by = positions[b + 1]!;
    const bz = positions[b + 2]!;
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
        rows.push(k * ny + j);
        triangles.push(t);
        turns.push(turn > 0 ? 1 : 0);
      }
    }
  }
  const trim = (list: NumberList) => list.values.slice(0, list.count);
  return { rows: trim(rows), triangles: trim(triangles), turns: trim(turns) };
}

/** Crossings of the rows' lines with the triangles: row, first cell behind the crossing, change of winding. */
export interface Crossings {
  readonly rows: Uint32Array;
  readonly cells: Uint16Array;
  readonly changes: Int8Array;
  readonly count: number;
  readonly settledExactly: number;
}

/** Where lines cross their triangles, for those in rows `firstRow .. endRow`, whose references are chosen. */
export function placeCrossings(
  mesh: SurfaceArrays,
  grid: GridShape,
  lists: readonly Lines[],
  { firstRow, endRow }: Pick<GridPart, 'firstRow' | 'endRow'>,
  words: Uint32Array,
  bases: Uint32Array,
  references: Float32Array,
  stop?: StopWord,
): Crossings {
  const { positions, indices } = mesh;
  const [ox, oy, oz] = grid.origin;
  const [nx, ny] = grid.counts;
  const h = grid.cell;
  const inverse = 1 / h;
  const isMixed = (cell: number) => (words[cell >>> 4]! >>> ((cell & 15) << 1)) & 2;
  const referenceX = (cell: number, i: number) =>
    isMixed(cell) ? references[REFERENCE_FLOATS * mixedRank(words, bases, cell)]! : ox + (i + 0.5) * h;

  const most = lists.reduce((sum, list) => sum + list.rows.length, 0);
  const [rows, cells, changes] = [new Uint32Array(most), new Uint16Array(most), new Int8Array(most)];
  let count = 0;
  let settledExactly = 0;
  const crossing: CrossingShift = { shift: 0, error: 0 };
  for (const list of lists) {
    for (let n = 0; n < list.rows.length; n++) {
      if ((n & 4095) === 0) throwIfStopped(stop);
      const row = list.rows[n]!;
      if (row < firstRow || row >= endRow) continue;
      const turn = list.turns[n] === 0 ? -1 : 1;
      const k = Math.floor(row / ny);
      const y = Math.fround(oy + (row - k * ny + CELL_ROW_Y) * h);
      const z = Math.fround(oz + (k + CELL_ROW_Z) * h);
      const t = list.triangles[n]!;
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
      crossingShift(ax, ay, az, bx, by, bz, cx, cy, cz, y, z, crossing);
      const error = crossing.error * inverse;
      let behind: number;
      const place = (ax + crossing.shift - ox) * inverse;
      const at = Math.min(nx - 1, Math.max(0, Math.floor(place)));
      const reference = (referenceX(row * nx + at, at) - ox) * inverse;
      if (error < CROSSING_PLACE_ERROR && Math.abs(place - reference) > 2 * CROSSING_PLACE_ERROR) {
        behind = place < reference ? at : at + 1;
      } else {
        // Too near to call: ask for every reference of the row within the triangle's reach.
        settledExactly++;
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
      rows[count] = row;
      cells[count] = behind;
      changes[count++] = -turn;
    }
  }
  return { rows, cells, changes, count, settledExactly };
}

/**
 * Sums the crossings of rows `firstRow .. endRow` into the statuses of their cells, the windings of their references,
 * and `bytes` where there are some. Returns the first row whose winding is odd at its end, where the surface is not
 * closed, or -1.
 */
export function fillStatuses(
  grid: GridShape,
  { firstRow, endRow }: Pick<GridPart, 'firstRow' | 'endRow'>,
  crossings: Crossings,
  odd: Uint32Array,
  nonzero: Uint32Array,
  bases: Uint32Array,
  references: Float32Array,
  bytes?: Int8Array,
): number {
  const [nx] = grid.counts;
  const rowCount = endRow - firstRow;
  const starts = new Uint32Array(rowCount + 1);
  const { rows, cells, changes, count } = crossings;
  for (let e = 0; e < count; e++) starts[rows[e]! - firstRow + 1]!++;
  for (let r = 0; r < rowCount; r++) starts[r + 1]! += starts[r]!;
  const next = starts.slice(0, rowCount);
  const sorted = new Uint32Array(count);
  for (let e = 0; e < count; e++) sorted[next[rows[e]! - firstRow]!++] = e;
  const wordsPerRow = nx / CELLS_PER_WORD;
  // Nothing but mixed cells is known of the words so far, under either rule.
  nonzero.set(odd.subarray(firstRow * wordsPerRow, endRow * wordsPerRow), firstRow * wordsPerRow);
  const windings = new Int32Array(nx + 1);
  for (let row = firstRow; row < endRow; row++) {
    const from = starts[row - firstRow]!;
    const to = starts[row - firstRow + 1]!;
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
        if (bytes !== undefined) bytes[CELLS_PER_WORD * at + c] = windingByte(winding);
        if ((mixed >>> (2 * c)) & 2) references[REFERENCE_FLOATS * rank++ + 3] = winding;
      }
      odd[at]! |= oddBits;
      nonzero[at]! |= nonzeroBits;
    }
    winding += windings[nx]!;
    if ((winding & 1) !== 0) return row;
  }
  return -1;
}

/** What to say of a row at whose end the winding is odd. */
export function notClosed(
  { name, frame }: Pick<Surface, 'name' | 'frame'>,
  grid: GridShape,
  row: number,
): InputError {
  const [, ny] = grid.counts;
  const [j, k] = [row % ny, Math.floor(row / ny)];
  const y = toSource(frame, grid.origin[1] + (j + CELL_ROW_Y) * grid.cell, 1);
  const z = toSource(frame, grid.origin[2] + (k + CELL_ROW_Z) * grid.cell, 2);
  return new InputError(
    `${name}: the surface is not closed: the line y = ${Math.fround(y)}, z = ${Math.fround(z)} enters the body ` +
      'and never leaves it',
  );
}

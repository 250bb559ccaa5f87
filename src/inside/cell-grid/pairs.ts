/** Pairs of a cell and a triangle near it, as they are found and as they are sorted by cell. */
import { takeMemory } from '../../workers/spare-memory.ts';
import { type GridShape, mixedRank } from './tables.ts';

/** Bands of rows in which pairs are counted, at most. */
const MOST_BANDS = 1024;

/** Rows of cells per band, as a power of two, so that there are no more than MOST_BANDS. */
export function bandShiftOf([, ny, nz]: GridShape['counts']): number {
  return Math.max(0, Math.ceil(Math.log2((ny * nz) / MOST_BANDS)));
}

/** Memory of a list of pairs. */
export interface PairRoom {
  readonly cells: Uint32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;
}

/** @param shared whether other threads are to see it */
export function roomForPairs(capacity: number, shared: boolean): PairRoom {
  return {
    cells: takeMemory(Uint32Array, capacity, shared),
    triangles: takeMemory(Uint32Array, capacity, shared),
  };
}

export interface PairListOptions {
  /** Rows of cells in the grid, and rows per band as a power of two; without, one band has them all. */
  readonly rows?: number;
  readonly bandShift?: number;
}

/** Growing list of (cell, triangle) pairs, in the order of triangles. */
export class PairList {
  cells: Uint32Array<ArrayBuffer>;
  triangles: Uint32Array<ArrayBuffer>;
  count = 0;
  /** Pairs per band of rows: row `r` is in band `r >>> bandShift`. */
  readonly perBand: Uint32Array<ArrayBuffer>;
  readonly bandShift: number;

  constructor({ cells, triangles }: PairRoom, { rows = 1, bandShift = 31 }: PairListOptions = {}) {
    this.cells = cells;
    this.triangles = triangles;
    this.perBand = new Uint32Array(((rows - 1) >>> bandShift) + 1);
    this.bandShift = bandShift;
  }

  /** Makes room for `more` further pairs. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.cells.length) return;
    const capacity = Math.max(needed, Math.ceil(this.cells.length * 1.6));
    const [cells, triangles] = [this.cells, this.triangles];
    const shared = typeof SharedArrayBuffer !== 'undefined' && cells.buffer instanceof SharedArrayBuffer;
    ({ cells: this.cells, triangles: this.triangles } = roomForPairs(capacity, shared));
    this.cells.set(cells);
    this.triangles.set(triangles);
  }
}

/** Growing list of numbers. */
export class NumberList {
  values = new Uint32Array(1024);
  count = 0;

  push(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Uint32Array(2 * this.count);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count++] = value;
  }
}

/** Marks the cells of pairs as mixed. `shared`: other threads do the same at this moment. */
export function markMixed(
  words: Uint32Array,
  { cells, count }: Pick<PairList, 'cells' | 'count'>,
  shared: boolean,
): void {
  for (let p = 0; p < count; p++) {
    const cell = cells[p]!;
    const w = cell >>> 4;
    const bit = 2 << ((cell & 15) << 1);
    // Nearly all are marked already: the look before spares most of the locked writes.
    if ((words[w]! & bit) !== 0) continue;
    if (shared) Atomics.or(words, w, bit);
    else words[w]! |= bit;
  }
}

/** A part of the grid that one thread fills: whole rows, their cells, mixed cells and pairs. Ends are excluded. */
export interface GridPart {
  readonly firstRow: number;
  readonly endRow: number;
  readonly firstCell: number;
  readonly endCell: number;
  readonly firstMixed: number;
  readonly endMixed: number;
  readonly firstPair: number;
  readonly endPair: number;
}

/** Per mixed cell of a part, the cell, and per pair, the triangle; by cell, then by triangle. */
export interface Groups {
  readonly cellOf: Uint32Array<ArrayBuffer>;
  readonly grouped: Uint32Array<ArrayBuffer>;
}

/** Memory of lists that nobody reads once a task is done. It is used again, as fresh pages take longer than writing. */
class Scratch {
  #values = new Uint32Array(0);

  take(length: number): Uint32Array<ArrayBuffer> {
    if (length > MOST_SCRATCH) return new Uint32Array(length);
    if (length > this.#values.length) this.#values = new Uint32Array(length);
    return this.#values.subarray(0, length);
  }
}

/** Numbers that a thread keeps room for, per list: 16 MiB. */
const MOST_SCRATCH = 1 << 22;
const [ranksScratch, membersScratch, groupedScratch, cellsScratch, nextScratch] = [
  new Scratch(),
  new Scratch(),
  new Scratch(),
  new Scratch(),
  new Scratch(),
];

/**
 * Triangles of each mixed cell of a part of the grid, in the order of triangles.
 *
 * @returns lists in memory that the next call on this thread uses again
 * @param lists all pairs of the grid, in the order of triangles; those of other parts are passed over
 * @param starts of all mixed cells; those of the part's are written
 */
export function groupByCell(
  words: Uint32Array,
  bases: Uint32Array,
  lists: readonly Pick<PairList, 'cells' | 'triangles' | 'count'>[],
  part: GridPart,
  starts: Uint32Array,
): Groups {
  const { firstCell, endCell, firstMixed, endMixed, firstPair, endPair } = part;
  const ranks = ranksScratch.take(endPair - firstPair);
  const members = membersScratch.take(endPair - firstPair);
  const cellOf = cellsScratch.take(endMixed - firstMixed);
  const next = nextScratch.take(endMixed - firstMixed + 1).fill(0);
  let n = 0;
  for (const { cells, triangles, count } of lists) {
    for (let p = 0; p < count; p++) {
      const cell = cells[p]!;
      if (cell < firstCell || cell >= endCell) continue;
      const rank = mixedRank(words, bases, cell) - firstMixed;
      ranks[n] = rank;
      members[n++] = triangles[p]!;
      cellOf[rank] = cell;
      next[rank + 1]!++;
    }
  }
  for (let m = 0; m < cellOf.length; m++) {
    starts[firstMixed + m] = firstPair + next[m]!;
    next[m + 1]! += next[m]!;
  }
  const grouped = groupedScratch.take(n);
  for (let p = 0; p < n; p++) grouped[next[ranks[p]!]!++] = members[p]!;
  return { cellOf, grouped };
}

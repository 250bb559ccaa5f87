/**
 * The tables of a cell grid: for every cell whether it is outside, inside or mixed, and for a mixed cell a reference point
 * of known winding and, per triangle near it, the rows with which a segment from the reference is tested. See
 * docs/cell-grid.md.
 */
import type { Surface } from './surface.ts';
import { takeMemory } from './table-memory.ts';

/** A uniform grid of cubic cells, x fastest. */
export interface GridShape {
  readonly origin: readonly [number, number, number];
  /** Edge of a cell, float32. */
  readonly cell: number;
  /** Cells along x (a multiple of 16), y and z. */
  readonly counts: readonly [number, number, number];
}

/** Blocks of rows in which pairs are counted, at most. */
const MOST_ROW_BLOCKS = 1024;

/** Rows of cells per block, as a power of two, so that there are no more than MOST_ROW_BLOCKS. */
export function rowBlockShift([, ny, nz]: GridShape['counts']): number {
  return Math.max(0, Math.ceil(Math.log2((ny * nz) / MOST_ROW_BLOCKS)));
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
  /** Rows of cells in the grid, and rows per block as a power of two; without, one block has them all. */
  readonly rows?: number;
  readonly blockShift?: number;
}

/** Growing list of (cell, triangle) pairs, in the order of triangles. */
export class PairList {
  cells: Uint32Array<ArrayBuffer>;
  triangles: Uint32Array<ArrayBuffer>;
  count = 0;
  /** Pairs per block of rows: row `r` is in block `r >>> blockShift`. */
  readonly perBlock: Uint32Array<ArrayBuffer>;
  readonly blockShift: number;

  constructor({ cells, triangles }: PairRoom, { rows = 1, blockShift = 31 }: PairListOptions = {}) {
    this.cells = cells;
    this.triangles = triangles;
    this.perBlock = new Uint32Array(((rows - 1) >>> blockShift) + 1);
    this.blockShift = blockShift;
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

/** Numbers the mixed cells: the bases of all words; returns how many cells there are. */
export function countMixed(words: Uint32Array, bases: Uint32Array): number {
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

/** Memory of lists that no one reads once a task is done: fresh pages take longer than what is written to them. */
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

/** Positions and indices of a surface, all that workers need of it. */
export interface SurfaceArrays {
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

/** Per mixed cell of a part, the cell, and per pair, the triangle; by cell, then by triangle. */
export interface Groups {
  readonly cellOf: Uint32Array<ArrayBuffer>;
  readonly grouped: Uint32Array<ArrayBuffer>;
}

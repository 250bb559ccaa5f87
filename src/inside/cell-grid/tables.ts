/**
 * The tables of a cell grid: for every cell whether it is outside, inside or mixed, and for a mixed cell a reference point
 * of known winding and, per triangle near it, the rows with which a segment from the reference is tested. See
 * docs/cell-grid.md.
 */
import type { Surface } from '../surface.ts';
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
/** Floats per mixed cell: reference point and its winding number; in a refined cell its block's number, 0, 0, REFINED. */
export const REFERENCE_FLOATS = 4;
/** In place of a winding: the cell is refined by a block. No winding is as large. */
export const REFINED = 2 ** 30;
/** Words per block; see packBlock. */
export const BLOCK_WORDS = 8;

/** A cubic grid that refines a cell of another. */
export interface BlockShape {
  readonly origin: readonly [number, number, number];
  /** Edge of a cell, float32. */
  readonly cell: number;
  /** Cells along each edge. */
  readonly count: number;
  /** Its first word in the tables of statuses. */
  readonly firstWord: number;
  /** The mixed cell that it refines. */
  readonly parentRank: number;
}

/** The floats among the words of blocks. */
export function floatsOf(blocks: Uint32Array): Float32Array {
  return new Float32Array(blocks.buffer, blocks.byteOffset, blocks.length);
}

/** Writes block `n` as kernels read it: origin, 1 / cell, cell (float32 bits), count, first word, parent. */
export function packBlock(blocks: Uint32Array, n: number, shape: BlockShape): void {
  const { origin, cell, count, firstWord, parentRank } = shape;
  const at = BLOCK_WORDS * n;
  floatsOf(blocks).set([...origin, 1 / cell, cell], at);
  blocks.set([count, firstWord, parentRank], at + 5);
}

/** Block `n` of a table. */
export function unpackBlock(blocks: Uint32Array, n: number): BlockShape {
  const at = BLOCK_WORDS * n;
  const floats = floatsOf(blocks);
  const [x, y, z, , cell] = floats.subarray(at, at + 5) as unknown as number[];
  const [count, firstWord, parentRank] = blocks.subarray(at + 5, at + 8) as unknown as number[];
  return { origin: [x!, y!, z!], cell: cell!, count: count!, firstWord: firstWord!, parentRank: parentRank! };
}

export interface CellGridTables {
  readonly grid: GridShape;
  /**
   * Per word of 16 cells along x: where mixed cells are (bit 2c + 1) and, in bit 2c, whether the winding is odd. The words
   * of the blocks follow those of the grid, 16 cells each in the order of the block's cells.
   */
  readonly odd: Uint32Array<ArrayBuffer>;
  /** The same with bit 2c telling whether the winding is not zero. */
  readonly nonzero: Uint32Array<ArrayBuffer>;
  /** Per word, the number of mixed cells before it. */
  readonly bases: Uint32Array<ArrayBuffer>;
  /** Per mixed cell, in order of cells, the grid's before those of the blocks: see REFERENCE_FLOATS. */
  readonly references: Float32Array<ArrayBuffer>;
  /** Per mixed cell, its first pair; one more at the end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly pairs: Float32Array<ArrayBuffer>;
  /** Blocks that refine cells: see packBlock. */
  readonly blocks: Uint32Array<ArrayBuffer>;
  /** Most blocks that a point passes, one in the other: 0 where no cell is refined. */
  readonly levels: number;
  readonly mixedCount: number;
  readonly pairCount: number;
  /** Decisions of the build that exact predicates settled. */
  readonly settledExactly: number;
  readonly bytes: number;
}

/** Most blocks that a point passes, one in the other: blocks come after those whose cells they refine. */
export function blockLevels({ blocks, bases }: Pick<CellGridTables, 'blocks' | 'bases'>): number {
  const count = blocks.length / BLOCK_WORDS;
  const firstRanks = new Float64Array(count);
  const depths = new Uint32Array(count);
  let levels = 0;
  for (let n = 0; n < count; n++) {
    const { firstWord, parentRank } = unpackBlock(blocks, n);
    firstRanks[n] = bases[firstWord]!;
    // The last block that begins at or before the parent's number holds it; before the first there is the grid.
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstRanks[middle]! <= parentRank) low = middle + 1;
      else high = middle;
    }
    depths[n] = low === 0 ? 1 : depths[low - 1]! + 1;
    levels = Math.max(levels, depths[n]!);
  }
  return levels;
}

/** Bytes of the tables. */
export function tableBytes(
  tables: Pick<CellGridTables, 'odd' | 'nonzero' | 'bases' | 'references' | 'starts' | 'pairs' | 'blocks'>,
): number {
  const { odd, nonzero, bases, references, starts, pairs, blocks } = tables;
  return [odd, nonzero, bases, references, starts, pairs, blocks].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
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

/** The mixed cells of a grid: where they are, how many before each word, and their references. */
export interface MixedCells {
  readonly words: Uint32Array;
  readonly bases: Uint32Array;
  readonly references: Float32Array;
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

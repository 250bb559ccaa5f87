/**
 * The tables of a cell grid: for every cell whether it is outside, inside or mixed, and for a mixed cell a reference point
 * of known winding and, per triangle near it, the rows with which a segment from the reference is tested. See
 * docs/cell-grid.md.
 */
import type { Surface } from './surface.ts';

/** A uniform grid of cubic cells, x fastest. */
export interface GridShape {
  readonly origin: readonly [number, number, number];
  /** Edge of a cell, float32. */
  readonly cell: number;
  /** Cells along x (a multiple of 16), y and z. */
  readonly counts: readonly [number, number, number];
}

/** Growing list of (cell, triangle) pairs, in the order of triangles. */
export class PairList {
  cells: Uint32Array<ArrayBuffer>;
  triangles: Uint32Array<ArrayBuffer>;
  count = 0;

  constructor(capacity: number) {
    this.cells = new Uint32Array(capacity);
    this.triangles = new Uint32Array(capacity);
  }

  /** Makes room for `more` further pairs. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.cells.length) return;
    const capacity = Math.max(needed, Math.ceil(this.cells.length * 1.6));
    const [cells, triangles] = [this.cells, this.triangles];
    this.cells = new Uint32Array(capacity);
    this.triangles = new Uint32Array(capacity);
    this.cells.set(cells);
    this.triangles.set(triangles);
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

/** Marks mixed cells in the words and counts them. */
export function markMixed(
  words: Uint32Array,
  bases: Uint32Array,
  pairs: Pick<PairList, 'cells' | 'count'>,
): number {
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
export function groupByCell(
  words: Uint32Array,
  bases: Uint32Array,
  mixed: number,
  pairs: Pick<PairList, 'cells' | 'triangles' | 'count'>,
): Groups {
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

/** Positions and indices of a surface, all that workers need of it. */
export interface SurfaceArrays {
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

/** Triangles of each mixed cell: `grouped[starts[m] .. starts[m + 1]]` are those of cell `cellOf[m]`. */
export interface Groups {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly cellOf: Uint32Array<ArrayBuffer>;
  readonly grouped: Uint32Array<ArrayBuffer>;
}

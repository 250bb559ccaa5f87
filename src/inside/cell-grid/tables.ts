/**
 * The tables of a cell grid: for every cell whether it is outside, inside or mixed, and for a mixed cell a reference
 * point of known winding and, per triangle near it, the rows with which a segment from the reference is tested. See
 * docs/cell-grid.md.
 */
import type { Surface } from '../surface.ts';
import { CELL_MARGIN_ERRORS, CELL_NUMBER_ERROR, LEAST_CELL_MARGIN } from './constants.ts';

/** A uniform grid of cubic cells, x fastest. */
export interface GridShape {
  readonly origin: readonly [number, number, number];
  /** Edge of a cell, float32. */
  readonly cell: number;
  /** Cells along x (a multiple of 16), y and z. */
  readonly counts: readonly [number, number, number];
}

/** By how much a kernel's cell numbers are off at most, in cells. */
export function cellNumberError({ counts }: GridShape): number {
  return CELL_NUMBER_ERROR * Math.max(...counts);
}

/** By how much the cells of a grid are grown when triangles are assigned to them, in cells. */
export function cellMargin(grid: GridShape): number {
  return Math.max(LEAST_CELL_MARGIN, CELL_MARGIN_ERRORS * cellNumberError(grid));
}

/** Cells per word of the status table: 2 bits each, 0 outside, 1 inside, 2 mixed. */
export const CELLS_PER_WORD = 16;
/** Floats per (cell, triangle) pair: three rows of three, and the error bound, its sign the triangle's winding. */
export const PAIR_FLOATS = 10;
/**
 * Floats per mixed cell: reference point and its winding number; in a refined cell its block's number, 0, 0, REFINED.
 */
export const REFERENCE_FLOATS = 4;
/** In place of a winding: the cell is refined by a block. No winding is as large. */
export const REFINED = 2 ** 30;
export interface CellGridTables {
  readonly grid: GridShape;
  /**
   * Per word of 16 cells along x: where mixed cells are (bit 2c + 1) and, in bit 2c, whether the winding is odd. The
   * words of the blocks follow those of the grid, 16 cells each in the order of the block's cells.
   */
  readonly odd: Uint32Array<ArrayBuffer>;
  /** The same with bit 2c telling whether the winding is not zero. */
  readonly nonzero: Uint32Array<ArrayBuffer>;
  /**
   * Where asked for, the winding number of each cell that is not mixed, 16 per word; UNKNOWN_BYTE for those that no
   * byte holds.
   */
  readonly windings?: Int8Array<ArrayBuffer> | undefined;
  /** Per word, the number of mixed cells before it. */
  readonly bases: Uint32Array<ArrayBuffer>;
  /** Per mixed cell, in order of cells, the grid's before those of the blocks: see REFERENCE_FLOATS. */
  readonly references: Float32Array<ArrayBuffer>;
  /** Per mixed cell, its first pair; one more at the end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly pairs: Float32Array<ArrayBuffer>;
  /** Blocks that refine cells: see packBlock. */
  readonly blocks: Uint32Array<ArrayBuffer>;
  /** How far runs of triangles reach, for doubtful points (`noteRuns`). Files of bodies have no room for them. */
  readonly runs: Float32Array<ArrayBuffer>;
  /** Most blocks that a point passes, one in the other: 0 where no cell is refined. */
  readonly levels: number;
  readonly mixedCount: number;
  readonly pairCount: number;
  /** Decisions of the build that exact predicates settled. */
  readonly settledExactly: number;
  readonly bytes: number;
}

/** In place of a winding number that a byte does not hold, or that is not known. */
export const UNKNOWN_BYTE = -128;

/** A winding number as a byte. */
export function windingByte(winding: number): number {
  return winding > UNKNOWN_BYTE && winding < 128 ? winding : UNKNOWN_BYTE;
}

/** Bytes per word that a kernel has bound: statuses and base, and the windings of its cells where they are kept. */
export function boundWordBytes(windings = false): number {
  return 8 + (windings ? CELLS_PER_WORD : 0);
}

/** Bytes of the tables. */
export function tableBytes(
  tables: Pick<
    CellGridTables,
    'odd' | 'nonzero' | 'windings' | 'bases' | 'references' | 'starts' | 'pairs' | 'blocks' | 'runs'
  >,
): number {
  const { odd, nonzero, windings, bases, references, starts, pairs, blocks, runs } = tables;
  return [odd, nonzero, windings, bases, references, starts, pairs, blocks, runs].reduce(
    (sum, table) => sum + (table?.byteLength ?? 0),
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

/**
 * Blocks: finer grids in cells that many triangles meet, and again in theirs. A mesh whose detail lies in a small part of
 * its box would otherwise have either far too many cells or far too many triangles in some. See docs/cell-grid.md.
 */
import { CELL_MARGIN, LEAST_TRIANGLES_TO_REFINE, MOST_BLOCK_LEVELS } from '../../constants.ts';
import { type Corner, cellsOfBlock } from './block-resolution.ts';
import { blockWindings } from './block-windings.ts';
import { findOverlaps } from './overlap.ts';
import { type GridPart, type Groups, groupByCell, markMixed, NumberList, PairList } from './pairs.ts';
import { fillCells } from './segments.ts';
import {
  CELLS_PER_WORD,
  countMixed,
  type GridShape,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './tables.ts';

/** One block, with windings relative to the reference of the cell that it refines. */
export interface Block {
  readonly grid: GridShape;
  /** The block whose cell it refines, among those of the same root cell; -1 for the root cell itself. */
  readonly parent: number;
  /** That cell's number among the mixed cells of its grid. */
  readonly parentRank: number;
  /** As in the tables, with mixed cells counted from 0 in the block. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly bases: Uint32Array<ArrayBuffer>;
  readonly references: Float32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly pairs: Float32Array<ArrayBuffer>;
  /** Per cell; in a mixed one that of its reference. */
  readonly windings: Int8Array | Int32Array;
  readonly mixedCount: number;
}

/** Where a cell lies: its lower corner. */
function cellCorner({ origin, cell, counts }: GridShape, index: number): Corner {
  const [nx, ny] = counts;
  const row = Math.floor(index / nx);
  const k = Math.floor(row / ny);
  return [origin[0] + (index - row * nx) * cell, origin[1] + (row - k * ny) * cell, origin[2] + k * cell];
}

/** Triangles of one mixed cell as a surface of their own: the positions of all, the indices of these. */
function trianglesOf({ positions, indices }: SurfaceArrays, grouped: Uint32Array): SurfaceArrays {
  const own = new Uint32Array(3 * grouped.length);
  for (let i = 0; i < grouped.length; i++) {
    const t = 3 * grouped[i]!;
    own[3 * i] = indices[t]!;
    own[3 * i + 1] = indices[t + 1]!;
    own[3 * i + 2] = indices[t + 2]!;
  }
  return { positions, indices: own };
}

/**
 * The grid of a block of n cells along each edge over a cell, or undefined where float32 is too coarse for it. The block
 * reaches half of CELL_MARGIN beyond the cell on all sides, so that all points that are taken for the cell's lie in it or
 * within the margin of its own cells, and it stays within the margin that the cell's list of triangles covers.
 */
function blockGrid(parent: GridShape, corner: readonly number[], n: number): GridShape | undefined {
  const h = parent.cell;
  const wanted = (CELL_MARGIN / 2) * h;
  const cell = Math.fround((h + 2 * wanted) / n);
  const origin = corner.map((x) => Math.fround(x - wanted)) as [number, number, number];
  // A point is taken for a cell that it is at most three roundings of the cell's number away from.
  const least = 3 * 2 ** -24 * Math.max(...parent.counts) * h;
  const most = CELL_MARGIN * h;
  for (let k = 0; k < 3; k++) {
    const below = corner[k]! - origin[k]!;
    const above = origin[k]! + n * cell - (corner[k]! + h);
    if (!(below >= least && below <= most && above >= least && above <= most)) return undefined;
  }
  return { origin, cell, counts: [n, n, n] };
}

/** A mixed cell that many triangles meet, with a copy of these. */
export interface OverfullCell {
  readonly mesh: SurfaceArrays;
  /** The cell, and its number among the mixed cells. */
  readonly cell: number;
  readonly rank: number;
}

/** A mixed cell and its blocks, parents before their children. */
export interface RefinedCell {
  readonly rank: number;
  readonly blocks: readonly Block[];
}

/** The mixed cells of a part of a grid that as many triangles meet as may pay for a block. */
export function overfullCells(
  mesh: SurfaceArrays,
  { cellOf, grouped }: Groups,
  {
    firstMixed,
    endMixed,
    firstPair,
    endPair,
  }: Pick<GridPart, 'firstMixed' | 'endMixed' | 'firstPair' | 'endPair'>,
  starts: Uint32Array,
): OverfullCell[] {
  const found: OverfullCell[] = [];
  for (let rank = firstMixed; rank < endMixed; rank++) {
    const from = starts[rank]!;
    // The part after this one may not have written its starts yet.
    const to = rank + 1 === endMixed ? endPair : starts[rank + 1]!;
    if (to - from < LEAST_TRIANGLES_TO_REFINE) continue;
    const own = trianglesOf(mesh, grouped.subarray(from - firstPair, to - firstPair));
    found.push({ mesh: own, cell: cellOf[rank - firstMixed]!, rank });
  }
  return found;
}

/** Blocks of an overfull cell of the root grid; empty where they would not pay or cannot be had. */
export function refineCell(grid: GridShape, cell: OverfullCell, references: Float32Array): RefinedCell[] {
  const blocks: Block[] = [];
  const place = { parent: -1, parentRank: cell.rank };
  return refine(grid, cell, references, place, 1, blocks) ? [{ rank: cell.rank, blocks }] : [];
}

/** Appends the block of a cell, and those of its cells, to `blocks`; false where it stays without. */
function refine(
  parentGrid: GridShape,
  { mesh, cell, rank }: OverfullCell,
  references: Float32Array,
  place: Pick<Block, 'parent' | 'parentRank'>,
  level: number,
  blocks: Block[],
): boolean {
  const corner = cellCorner(parentGrid, cell);
  const edge = parentGrid.cell;
  const [x, y, z] = references.subarray(
    REFERENCE_FLOATS * rank,
    REFERENCE_FLOATS * rank + 3,
  ) as unknown as Corner;
  const wanted = cellsOfBlock(mesh, corner, edge);
  if (wanted === 1) return false;
  // Other numbers of cells have other lines, which miss what these may meet.
  for (const n of [wanted, wanted + 1, wanted - 1]) {
    const grid = n >= 2 ? blockGrid(parentGrid, corner, n) : undefined;
    if (grid && buildBlock(mesh, grid, place, [x, y, z], level, blocks)) return true;
  }
  return false;
}

function buildBlock(
  mesh: SurfaceArrays,
  grid: GridShape,
  place: Pick<Block, 'parent' | 'parentRank'>,
  seed: Corner,
  level: number,
  blocks: Block[],
): boolean {
  const triangles = mesh.indices.length / 3;
  const room = 4 * triangles + 16;
  const found = new PairList({ cells: new Uint32Array(room), triangles: new Uint32Array(room) });
  findOverlaps(mesh, grid, 0, triangles, found, new NumberList());
  const [nx, ny, nz] = grid.counts;
  const words = new Uint32Array(Math.ceil((nx * ny * nz) / CELLS_PER_WORD));
  const bases = new Uint32Array(words.length);
  markMixed(words, found, false);
  const mixedCount = countMixed(words, bases);
  const part: GridPart = {
    ...{ firstRow: 0, endRow: ny * nz, firstCell: 0, endCell: nx * ny * nz },
    ...{ firstMixed: 0, endMixed: mixedCount, firstPair: 0, endPair: found.count },
  };
  const starts = new Uint32Array(mixedCount + 1);
  starts[mixedCount] = found.count;
  const groups = groupByCell(words, bases, [found], part, starts);
  const references = new Float32Array(REFERENCE_FLOATS * mixedCount);
  const pairs = new Float32Array(PAIR_FLOATS * found.count);
  fillCells(mesh, grid, groups, part, starts, references, pairs);
  const windings = blockWindings(mesh, grid, { words, bases, references }, seed);
  if (windings === undefined) return false;

  const own = blocks.length;
  // Between threads, and in numbers, a byte per cell is enough for all but the strangest bodies.
  const narrow = windings.every((w) => w === (w << 24) >> 24) ? Int8Array.from(windings) : windings;
  const block: Block = {
    grid,
    ...place,
    words,
    bases,
    references,
    windings: narrow,
    mixedCount,
    starts,
    pairs,
  };
  blocks.push(block);
  if (level === MOST_BLOCK_LEVELS) return true;
  const refined: number[] = [];
  for (const cell of overfullCells(mesh, groups, part, starts)) {
    const child = { parent: own, parentRank: cell.rank };
    if (refine(grid, cell, references, child, level + 1, blocks)) refined.push(cell.rank);
  }
  blocks[own] = { ...block, ...withoutRefined(starts, pairs, refined) };
  return true;
}

/** Starts and pairs without those of refined cells, whose blocks have them. `refined` ascends. */
export function withoutRefined(
  starts: Uint32Array<ArrayBuffer>,
  pairs: Float32Array<ArrayBuffer>,
  refined: readonly number[],
): Pick<Block, 'starts' | 'pairs'> {
  if (refined.length === 0) return { starts, pairs };
  const kept = new Uint32Array(starts.length);
  const dropped = refined.reduce((sum, m) => sum + starts[m + 1]! - starts[m]!, 0);
  const rest = new Float32Array(pairs.length - PAIR_FLOATS * dropped);
  let from = 0;
  let to = 0;
  for (const m of [...refined, starts.length - 1]) {
    const end = starts[m]!;
    rest.set(pairs.subarray(PAIR_FLOATS * from, PAIR_FLOATS * end), PAIR_FLOATS * to);
    to += end - from;
    from = starts[m + 1] ?? end;
  }
  let next = 0;
  for (let m = 0; m + 1 < starts.length; m++) {
    const isRefined = refined[next] === m;
    if (isRefined) next++;
    kept[m + 1] = kept[m]! + (isRefined ? 0 : starts[m + 1]! - starts[m]!);
  }
  return { starts: kept, pairs: rest };
}

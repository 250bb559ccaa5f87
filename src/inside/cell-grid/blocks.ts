/**
 * Blocks: finer grids in cells that many triangles meet, and again in theirs. A mesh whose detail lies in a small part
 * of its box would otherwise have either far too many cells or far too many triangles in some. See docs/cell-grid.md.
 */

import { type StopWord, throwIfStopped } from '../../workers/stop.ts';
import { type Corner, cellsOfBlock, workOfBlock } from './block-resolution.ts';
import { blockWindings } from './block-windings.ts';
import { BLOCK_WORK_PER_TRIANGLE, MOST_BLOCK_LEVELS, MOST_BLOCK_TRIES } from './constants.ts';
import { type CrowdedCell, countMeetings, crowdedCells } from './crowded-cells.ts';
import { findOverlaps } from './overlap.ts';
import { type GridPart, type Groups, groupByCell, markMixed, PairList } from './pairs.ts';
import { fillCells } from './segments.ts';
import {
  CELLS_PER_WORD,
  cellMargin,
  cellNumberError,
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

/**
 * The grid of a block of n cells along each edge over a cell, or undefined where float32 is too coarse for it. The
 * block reaches half of the grid's margin beyond the cell on all sides, so that all points that are taken for the
 * cell's lie in it or within the margin of its own cells, and it stays within the margin that the cell's list of
 * triangles covers.
 */
function blockGrid(parent: GridShape, corner: readonly number[], n: number): GridShape | undefined {
  const h = parent.cell;
  const margin = cellMargin(parent);
  const wanted = (margin / 2) * h;
  const cell = Math.fround((h + 2 * wanted) / n);
  const origin = corner.map((x) => Math.fround(x - wanted)) as [number, number, number];
  // All points that a kernel takes for the cell's.
  const least = cellNumberError(parent) * h;
  const most = margin * h;
  for (let k = 0; k < 3; k++) {
    const below = corner[k]! - origin[k]!;
    const above = origin[k]! + n * cell - (corner[k]! + h);
    if (!(below >= least && below <= most && above >= least && above <= most)) return undefined;
  }
  return { origin, cell, counts: [n, n, n] };
}

/** A mixed cell and its blocks, parents before their children. */
export interface RefinedCell {
  readonly rank: number;
  readonly blocks: readonly Block[];
}

/** A block as far as it is known before its pairs are written. */
export interface BlockLayout extends Groups {
  readonly grid: GridShape;
  readonly words: Uint32Array<ArrayBuffer>;
  readonly bases: Uint32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly part: GridPart;
  /** Per triangle of the cell, the cells of the block that it meets. */
  readonly meetings: Uint32Array;
}

/** What is done with the blocks that pay: their tables are made, or counted. */
export interface BlockMaker {
  /**
   * Takes the block of a cell of another block, or of the root grid where `parent` is -1. Returns its number, or
   * undefined where it cannot be had.
   */
  add(cell: CrowdedCell, layout: BlockLayout, parent: number): number | undefined;
  /** Some of a block's cells have blocks of their own. `ranks` ascends. */
  refined(block: number, layout: BlockLayout, ranks: readonly number[]): void;
}

/** Lists the triangles of a block's cells. Groups lie in memory that the next layout uses again. */
function layOut(surface: SurfaceArrays, grid: GridShape): BlockLayout {
  const triangles = surface.indices.length / 3;
  const room = 4 * triangles + 16;
  const found = new PairList({ cells: new Uint32Array(room), triangles: new Uint32Array(room) });
  findOverlaps(surface, grid, 0, triangles, found);
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
  return { grid, words, bases, starts, part, ...groups, meetings: countMeetings([found], triangles) };
}

/**
 * Refines a crowded cell of the root grid, as far as blocks pay and its part of the budget goes: so much per triangle,
 * shared out among the cells that a triangle meets. Returns whether it has a block.
 */
export function refineCell(grid: GridShape, cell: CrowdedCell, maker: BlockMaker, stop?: StopWord): boolean {
  return refine(grid, cell, -1, BLOCK_WORK_PER_TRIANGLE * cell.share, 1, maker, stop) > 0;
}

/**
 * Refines a cell; returns what that took of the budget, in nanoseconds of the cost model: 0 where it stays as it is.
 */
function refine(
  parentGrid: GridShape,
  crowded: CrowdedCell,
  parent: number,
  budget: number,
  level: number,
  maker: BlockMaker,
  stop: StopWord | undefined,
): number {
  throwIfStopped(stop);
  const { surface } = crowded;
  const corner = cellCorner(parentGrid, crowded.cell);
  const wanted = cellsOfBlock(crowded, corner, parentGrid.cell, budget);
  if (wanted === 1) return 0;
  // Other numbers of cells have other lines, which miss what these may meet.
  const counts = [wanted, wanted + 1, wanted - 1];
  let left = budget;
  for (let i = 0; i < counts.length; i++) {
    const n = counts[i]!;
    const grid = n >= 2 ? blockGrid(parentGrid, corner, n) : undefined;
    if (grid === undefined) continue;
    const layout = layOut(surface, grid);
    const work = workOfBlock(n ** 3, layout.part.endPair);
    if (work > left) {
      // More pairs than a lattice has on average: as many cells as the budget allows, by the area of a triangle.
      const fewer = Math.floor(n * Math.sqrt(left / work));
      if (counts.length < MOST_BLOCK_TRIES && fewer < Math.min(...counts)) counts.push(fewer);
      continue;
    }
    left -= work;
    const own = maker.add(crowded, layout, parent);
    if (own === undefined) continue;
    if (level < MOST_BLOCK_LEVELS) {
      const shareOf = (t: number) => surface.shares[t]! / layout.meetings[t]!;
      const cells = crowdedCells(surface, layout, layout.part, layout.starts, shareOf);
      // What one cell leaves of its part goes to those after it.
      let shares = cells.reduce((sum, { share }) => sum + share, 0);
      const ranks: number[] = [];
      for (const cell of cells) {
        const taken = refine(grid, cell, own, (left * cell.share) / shares, level + 1, maker, stop);
        if (taken > 0) ranks.push(cell.rank);
        left -= taken;
        shares -= cell.share;
      }
      if (ranks.length > 0) maker.refined(own, layout, ranks);
    }
    return budget - left;
  }
  return 0;
}

/** Makes the tables of blocks of one cell of the root grid, whose mixed cells have these references. */
export class BlockTables implements BlockMaker {
  readonly blocks: Block[] = [];
  readonly #references: Float32Array;

  constructor(references: Float32Array) {
    this.#references = references;
  }

  add({ surface, rank }: CrowdedCell, layout: BlockLayout, parent: number): number | undefined {
    const { grid, words, bases, starts, part } = layout;
    const ofParent = parent < 0 ? this.#references : this.blocks[parent]!.references;
    const at = REFERENCE_FLOATS * rank;
    const references = new Float32Array(REFERENCE_FLOATS * part.endMixed);
    const pairs = new Float32Array(PAIR_FLOATS * part.endPair);
    fillCells(surface, grid, layout, part, starts, references, pairs);
    const cells = { words, bases, references };
    const seed = [ofParent[at]!, ofParent[at + 1]!, ofParent[at + 2]!] as const;
    const windings = blockWindings(surface, grid, cells, seed);
    if (windings === undefined) return undefined;
    // Between threads, and in numbers, a byte per cell is enough for all but the strangest bodies.
    const narrow = windings.every((w) => w === (w << 24) >> 24) ? Int8Array.from(windings) : windings;
    const tables = { ...cells, starts, pairs, windings: narrow, mixedCount: part.endMixed };
    return this.blocks.push({ grid, parent, parentRank: rank, ...tables }) - 1;
  }

  refined(block: number, _: BlockLayout, ranks: readonly number[]): void {
    const { starts, pairs } = this.blocks[block]!;
    this.blocks[block] = { ...this.blocks[block]!, ...withoutRefined(starts, pairs, ranks) };
  }
}

/** The blocks of crowded cells of the root grid, in the order of cells. */
export function refineCells(
  grid: GridShape,
  cells: readonly CrowdedCell[],
  references: Float32Array,
  stop?: StopWord,
): RefinedCell[] {
  return cells.flatMap((cell) => {
    const maker = new BlockTables(references);
    return refineCell(grid, cell, maker, stop) ? [{ rank: cell.rank, blocks: maker.blocks }] : [];
  });
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

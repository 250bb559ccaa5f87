/**
 * Blocks: finer grids in cells that many triangles meet, and again in theirs. A mesh whose detail lies in a small part of
 * its box would otherwise have either far too many cells or far too many triangles in some. See docs/cell-grid.md.
 */
import {
  BLOCK_CELL_COST,
  BLOCK_COST,
  CELL_MARGIN,
  CLUSTER_PAIRS,
  CLUSTER_SPAN,
  LARGEST_BLOCK_AXIS,
  LEAST_SPACINGS_PER_CELL,
  LEAST_TRIANGLES_TO_REFINE,
  MOST_BLOCK_LEVELS,
  NEAR_POINTS_FORESEEN_PER_TRIANGLE,
  PAIR_COST,
  POINT_COST_PER_PAIR,
} from '../constants.ts';
import { blockWindings } from './cell-grid.block-windings.ts';
import { findOverlaps } from './cell-grid.overlap.ts';
import { fillCells } from './cell-grid.segments.ts';
import {
  CELLS_PER_WORD,
  countMixed,
  type GridPart,
  type GridShape,
  type Groups,
  groupByCell,
  markMixed,
  NumberList,
  PAIR_FLOATS,
  PairList,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './cell-grid.tables.ts';

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

type Corner = readonly [number, number, number];

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
 * Sums over triangles of their box's extents and projected areas, as far as they lie in a cubic cell, and the longest
 * extent of all together.
 */
function measureIn({ positions, indices }: SurfaceArrays, corner: readonly number[], edge: number) {
  const [lowX, lowY, lowZ] = corner as [number, number, number];
  const [highX, highY, highZ] = [lowX + edge, lowY + edge, lowZ + edge];
  let extents = 0;
  let areas = 0;
  let [x0, y0, z0, x1, y1, z1] = [highX, highY, highZ, lowX, lowY, lowZ];
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const bx = positions[b]!;
    const by = positions[b + 1]!;
    const bz = positions[b + 2]!;
    const cx = positions[c]!;
    const cy = positions[c + 1]!;
    const cz = positions[c + 2]!;
    const left = Math.max(lowX, Math.min(ax, bx, cx));
    const front = Math.max(lowY, Math.min(ay, by, cy));
    const bottom = Math.max(lowZ, Math.min(az, bz, cz));
    const right = Math.min(highX, Math.max(ax, bx, cx));
    const back = Math.min(highY, Math.max(ay, by, cy));
    const top = Math.min(highZ, Math.max(az, bz, cz));
    x0 = Math.min(x0, left);
    y0 = Math.min(y0, front);
    z0 = Math.min(z0, bottom);
    x1 = Math.max(x1, right);
    y1 = Math.max(y1, back);
    z1 = Math.max(z1, top);
    const ex = Math.max(0, right - left);
    const ey = Math.max(0, back - front);
    const ez = Math.max(0, top - bottom);
    extents += ex + ey + ez;
    const x = Math.abs((by - ay) * (cz - az) - (bz - az) * (cy - ay)) / 2;
    const y = Math.abs((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2;
    const z = Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
    areas += Math.min(x, ey * ez) + Math.min(y, ez * ex) + Math.min(z, ex * ey);
  }
  return { extents, areas, span: Math.max(x1 - x0, y1 - y0, z1 - z0) };
}

/**
 * Cells along an edge of the block that refines a cell at the least cost, by the model of cell-grid.resolution.ts with the
 * points near the triangles: 1 where a block does not pay.
 */
function chooseCells(mesh: SurfaceArrays, corner: readonly number[], edge: number, smallest: number): number {
  const triangles = mesh.indices.length / 3;
  const { extents, areas, span } = measureIn(mesh, corner, edge);
  const points = NEAR_POINTS_FORESEEN_PER_TRIANGLE * triangles;
  let best = 1;
  let least = points * POINT_COST_PER_PAIR * triangles;
  const most = Math.min(LARGEST_BLOCK_AXIS, Math.floor(edge / smallest));
  for (let n = 2; n <= most; n = Math.max(n + 1, Math.floor(n * 1.1))) {
    const h = edge / n;
    const pairs = triangles + extents / h + areas / h ** 2;
    // A surface passes as many cells as it has area in each of the three projections, in squares of a cell.
    const mixed = Math.max(1, Math.min(n ** 3, areas / h ** 2));
    const cost =
      BLOCK_COST +
      PAIR_COST * pairs +
      BLOCK_CELL_COST * n ** 3 +
      (points * POINT_COST_PER_PAIR * pairs) / mixed;
    if (cost < least) {
      least = cost;
      best = n;
    }
  }
  if (best > 1 || span > CLUSTER_SPAN * edge) return best;
  // So close together that few cells of any such block have them all: a step nearer, for blocks in the block, if what
  // those save is more than what this one takes.
  const n = Math.max(1, Math.min(most, Math.ceil(edge / span)));
  const cost = BLOCK_COST + BLOCK_CELL_COST * n ** 3 + CLUSTER_PAIRS * PAIR_COST * triangles;
  return cost < least ? n : 1;
}

/** Float32 spacing of the largest coordinate of a box. */
function spacingIn(corner: readonly number[], edge: number): number {
  const largest = Math.max(...corner.map((x) => Math.max(Math.abs(x), Math.abs(x + edge))));
  return 2 ** (Math.floor(Math.log2(largest)) - 23);
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
  const wanted = chooseCells(mesh, corner, edge, LEAST_SPACINGS_PER_CELL * spacingIn(corner, edge));
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

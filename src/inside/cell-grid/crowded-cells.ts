/** Mixed cells that many triangles meet, each with a copy of these: what blocks are made of. */
import { LEAST_TRIANGLES_TO_REFINE } from './constants.ts';
import type { GridPart, Groups, PairList } from './pairs.ts';
import type { SurfaceArrays } from './tables.ts';

/** The triangles of a cell as a surface of their own, and how much of each belongs to it. */
export interface CellSurface extends SurfaceArrays {
  /** Per triangle: 1 over the number of cells that it meets, level by level. Over all cells of a grid they sum to 1. */
  readonly shares: Float64Array;
}

/** A mixed cell that many triangles meet. */
export interface CrowdedCell {
  readonly surface: CellSurface;
  /** The cell, and its number among the mixed cells. */
  readonly cell: number;
  readonly rank: number;
  /** The sum of its triangles' shares. */
  readonly share: number;
}

/** Per triangle, the cells that it meets: so often it is in the lists. */
export function countMeetings(
  lists: readonly Pick<PairList, 'triangles' | 'count'>[],
  triangleCount: number,
): Uint32Array {
  const meetings = new Uint32Array(triangleCount);
  for (const { triangles, count } of lists) {
    for (let p = 0; p < count; p++) meetings[triangles[p]!]!++;
  }
  return meetings;
}

/** Triangles of a cell, with the positions of all. */
export function cellSurface(
  { positions, indices }: SurfaceArrays,
  members: Uint32Array,
  shareOf: (triangle: number) => number,
): CellSurface {
  const own = new Uint32Array(3 * members.length);
  const shares = new Float64Array(members.length);
  for (let i = 0; i < members.length; i++) {
    const t = 3 * members[i]!;
    own[3 * i] = indices[t]!;
    own[3 * i + 1] = indices[t + 1]!;
    own[3 * i + 2] = indices[t + 2]!;
    shares[i] = shareOf(members[i]!);
  }
  return { positions, indices: own, shares };
}

/** Whether a cell that so many triangles meet may be worth a block. */
function isCrowded(triangles: number): boolean {
  return triangles >= LEAST_TRIANGLES_TO_REFINE;
}

/**
 * The crowded cells of a part of a grid, in the order of cells.
 *
 * @param shareOf the share of a triangle in each cell of the grid that it meets
 */
export function crowdedCells(
  mesh: SurfaceArrays,
  { cellOf, grouped }: Groups,
  part: Pick<GridPart, 'firstMixed' | 'endMixed' | 'firstPair' | 'endPair'>,
  starts: Uint32Array,
  shareOf: (triangle: number) => number,
): CrowdedCell[] {
  const { firstMixed, endMixed, firstPair, endPair } = part;
  const found: CrowdedCell[] = [];
  for (let rank = firstMixed; rank < endMixed; rank++) {
    const from = starts[rank]!;
    // The part after this one may not have written its starts yet.
    const to = rank + 1 === endMixed ? endPair : starts[rank + 1]!;
    if (!isCrowded(to - from)) continue;
    const surface = cellSurface(mesh, grouped.subarray(from - firstPair, to - firstPair), shareOf);
    found.push({ surface, cell: cellOf[rank - firstMixed]!, rank, share: sumOf(surface.shares) });
  }
  return found;
}

/** The sum of shares, in order: the same on every thread. */
export function sumOf(shares: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < shares.length; i++) sum += shares[i]!;
  return sum;
}

/**
 * The work on bodies that runs on worker threads: parts of the cell grid's, each on a range of triangles, cells or
 * points. The main thread runs the same functions where there are no workers: results do not depend on who runs what.
 */
import { closeParts, type PartsDone, takePart, takeParts, type WorkParts } from '../../workers/parts.ts';
import type { StopWord } from '../../workers/stop.ts';
import type { AnswerTo, Task } from '../../workers/worker-pool.ts';
import { noteRuns } from '../ray-runs.ts';
import { type RefinedCell, refineCells } from './blocks.ts';
import { countMeetings, crowdedCells } from './crowded-cells.ts';
import { findOverlaps } from './overlap.ts';
import {
  bandShiftOf,
  type GridPart,
  groupByCell,
  markMixed,
  NumberList,
  PairList,
  type PairRoom,
} from './pairs.ts';
import { CellGridTest, type PointsOnCellGrid } from './point-test.ts';
import { fillCells } from './segments.ts';
import { SlabMaker } from './slabs.ts';
import { fillStatuses, findLines, type Lines, placeCrossings } from './statuses.ts';
import type { CellGridTables, GridShape, SurfaceArrays } from './tables.ts';

interface Range {
  readonly first: number;
  readonly end: number;
}

/** Overlaps of triangles with cells, which are marked in `words`, and rows' lines that pass triangles. */
export interface OverlapsTask extends Range, Task<Overlaps> {
  readonly stop: StopWord | undefined;
  readonly kind: 'overlaps';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly words: Uint32Array;
  /** Whether other threads write to `words` at the same time. */
  readonly shared: boolean;
  /** Memory for the pairs; if it does not suffice, the result has other memory. */
  readonly room: PairRoom;
  /** How far runs of triangles reach, along two of the axes: those that begin in the range are noted. */
  readonly runs: Float32Array;
  readonly axes: readonly [number, number, number];
}

/** What was found in a range of triangles. */
export interface Overlaps extends Pick<PairList, 'cells' | 'triangles' | 'count' | 'perBand'> {
  readonly lines: Lines;
}

/** All tables of a part of the grid, once the overlaps of all triangles are known. */
export interface FillTask extends GridPart, Task<Filled> {
  readonly stop: StopWord | undefined;
  readonly kind: 'fill';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly overlaps: readonly Overlaps[];
  readonly odd: Uint32Array;
  readonly nonzero: Uint32Array;
  /** All 0; where windings are asked for. */
  readonly windings?: Int8Array | undefined;
  readonly bases: Uint32Array;
  readonly starts: Uint32Array;
  readonly references: Float32Array;
  readonly pairs: Float32Array;
  /** Whether cells that many triangles meet get blocks. */
  readonly refine: boolean;
}

/** What came of filling a part of the grid. */
export interface Filled {
  readonly settledExactly: number;
  /** First row at whose end the winding is odd, or -1. */
  readonly openRow: number;
  /** Cells with blocks, in the order of cells. Their pairs are written too. */
  readonly refined: readonly RefinedCell[];
}

/** Flags of all points, written to `flags`. */
export interface ClassifyTask extends PointsOnCellGrid, WorkParts, Task<Classified> {
  readonly kind: 'classify';
  readonly more?: MoreSlabs | undefined;
}

/** Slabs that are made after the points were tested, for later ones. The items of the parts are mixed cells. */
export interface MoreSlabs extends WorkParts {
  /** Of all mixed cells. */
  readonly slabs: Float32Array;
  /** The mixed cell of item 0. */
  readonly first: number;
}

/** What a thread did of the points. */
export interface Classified extends PartsDone {
  /** Numbers of doubtful points, in no particular order. */
  readonly doubtful: readonly number[];
  /** Points that were tested against the triangles of their cells. */
  readonly tested: number;
  /** False if the thread met a coordinate that is not finite: no part is begun any more. */
  readonly areFinite: boolean;
}

export type CellGridTask = OverlapsTask | FillTask | ClassifyTask;

/** Runs one task, on whichever thread. */
export function runTask<T extends CellGridTask>(task: T): AnswerTo<T>;
export function runTask(task: CellGridTask): AnswerTo<CellGridTask> {
  switch (task.kind) {
    case 'overlaps':
      return runOverlaps(task);
    case 'fill':
      return runFill(task);
    case 'classify':
      return runClassify(task);
  }
}

/** @param until no part is begun after this time */
export function runClassify(task: ClassifyTask, until = Infinity): Classified {
  let test: CellGridTest | undefined;
  let done = 0;
  while (performance.now() < until) {
    const first = takePart(task);
    if (first < 0) break;
    const end = Math.min(task.count, first + task.part);
    test ??= new CellGridTest(task);
    if (!test.lookUp(first, end)) {
      closeParts(task);
      return { done, doubtful: [], tested: 0, areFinite: false };
    }
    done += end - first;
  }
  test?.finish();
  // Nobody waits for threads that had no points.
  if (test !== undefined && task.more !== undefined) makeSlabs(task.tables, task.more);
  return { done, doubtful: test?.doubtful ?? [], tested: test?.tested ?? 0, areFinite: true };
}

function makeSlabs(tables: CellGridTables, more: MoreSlabs): void {
  const maker = new SlabMaker(tables);
  takeParts(more, (first, end) => {
    for (let rank = more.first + first; rank < more.first + end; rank++) maker.write(rank, more.slabs, rank);
  });
}

function runOverlaps(task: OverlapsTask): Overlaps {
  const { surface, grid, words, shared, room, first, end, stop, runs, axes } = task;
  const [, ny, nz] = grid.counts;
  const found = new PairList(room, { rows: ny * nz, bandShift: bandShiftOf(grid.counts) });
  const nearLines = new NumberList();
  findOverlaps(surface, grid, first, end, found, nearLines, stop);
  markMixed(words, found, shared);
  noteRuns(surface, axes, first, end, runs);
  const { cells, triangles, count, perBand } = found;
  return { cells, triangles, count, perBand, lines: findLines(surface, grid, nearLines, stop) };
}

function runFill(task: FillTask): Filled {
  const { surface, grid, overlaps, odd, nonzero, windings, bases, starts, references, pairs, stop } = task;
  const groups = groupByCell(odd, bases, overlaps, task, starts);
  // Copies: the lists of groups are used again by those of the blocks.
  const crowded = task.refine ? crowdedCells(surface, groups, task, starts, sharesOf(task)) : [];
  fillCells(surface, grid, groups, task, starts, references, pairs, stop);
  const lines = overlaps.map((found) => found.lines);
  const crossings = placeCrossings(surface, grid, lines, task, odd, bases, references, stop);
  const openRow = fillStatuses(grid, task, crossings, odd, nonzero, bases, references, windings);
  const refined = openRow < 0 ? refineCells(grid, crowded, references, stop) : [];
  return { settledExactly: crossings.settledExactly, openRow, refined };
}

/**
 * The share of a triangle in each cell that it meets. Counted when first asked for: most bodies have no crowded cells.
 */
function sharesOf({
  surface,
  overlaps,
}: Pick<FillTask, 'surface' | 'overlaps'>): (triangle: number) => number {
  let meetings: Uint32Array | undefined;
  return (t) => {
    meetings ??= countMeetings(overlaps, surface.indices.length / 3);
    return 1 / meetings[t]!;
  };
}

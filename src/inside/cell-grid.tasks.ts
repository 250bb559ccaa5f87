/**
 * The parts of the cell grid's work that run on worker threads, each on a range of triangles, cells or points. The main
 * thread runs the same functions where there are no workers: results do not depend on who runs what.
 */
import type { Box } from '../mesh/triangle-mesh.ts';
import { type Block, refineCell } from './cell-grid.blocks.ts';
import { findOverlaps } from './cell-grid.overlap.ts';
import { classifyOnCellGrid } from './cell-grid.reference.ts';
import { choosePlaces, writePairs } from './cell-grid.segments.ts';
import { type Crossings, findCrossings } from './cell-grid.statuses.ts';
import {
  type CellGridTables,
  type GridShape,
  type Groups,
  PairList,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './cell-grid.tables.ts';
import type { Rule } from './classification.ts';

type Point = [number, number, number];

interface Range {
  readonly first: number;
  readonly end: number;
}

export interface OverlapsTask extends Range {
  readonly kind: 'overlaps';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
}

/** Reference points of mixed cells; written to `references`. */
export interface PlacesTask extends Range {
  readonly kind: 'places';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly groups: Groups;
  readonly references: Float32Array;
}

/** Blocks of the mixed cells `overfull[first .. end]`. */
export interface BlocksTask extends Range {
  readonly kind: 'blocks';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly groups: Groups;
  readonly references: Float32Array;
  readonly overfull: Uint32Array;
}

/** Rows of mixed cells; written to `pairs`. */
export interface PairsTask extends Range {
  readonly kind: 'pairs';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly groups: Groups;
  readonly references: Float32Array;
  readonly pairs: Float32Array;
  /** First pair of each mixed cell; none in refined ones. */
  readonly pairStarts: Uint32Array;
}

export interface CrossingsTask extends Range {
  readonly kind: 'crossings';
  readonly surface: SurfaceArrays;
  readonly grid: GridShape;
  readonly words: Uint32Array;
  readonly bases: Uint32Array;
  readonly references: Float32Array;
}

/** Flags of points; written to `flags`. */
export interface ClassifyTask extends Range {
  readonly kind: 'classify';
  readonly tables: CellGridTables;
  readonly box: Box;
  readonly points: Float32Array;
  readonly rule: Rule;
  readonly flags: Uint8Array;
}

export type Task = OverlapsTask | PlacesTask | BlocksTask | PairsTask | CrossingsTask | ClassifyTask;

export interface TaskResults {
  overlaps: { cells: Uint32Array<ArrayBuffer>; triangles: Uint32Array<ArrayBuffer> };
  places: undefined;
  /** Per cell its blocks, parents first; none where it stays as it is. */
  blocks: Block[][];
  pairs: undefined;
  crossings: Crossings;
  /** Points that are doubtful. */
  classify: number;
}

/** Runs one task, on whichever thread. */
export function runTask<T extends Task>(task: T): TaskResults[T['kind']];
export function runTask(task: Task): TaskResults[Task['kind']] {
  const { first, end } = task;
  switch (task.kind) {
    case 'overlaps': {
      // Measured on scans and foams: 3 to 5 cells per triangle at the model's resolution.
      const found = new PairList(4 * (end - first) + 16);
      findOverlaps(task.surface, task.grid, first, end, found);
      return { cells: found.cells.slice(0, found.count), triangles: found.triangles.slice(0, found.count) };
    }
    case 'places':
      return void choosePlaces(task.surface, task.grid, task.groups, first, end, task.references);
    case 'blocks': {
      const { surface, grid, groups, references, overfull } = task;
      return Array.from(overfull.subarray(first, end), (m) => {
        const triangles = groups.grouped.subarray(groups.starts[m]!, groups.starts[m + 1]!);
        const [x, y, z] = references.subarray(
          REFERENCE_FLOATS * m,
          REFERENCE_FLOATS * m + 3,
        ) as unknown as Point;
        return refineCell(surface, grid, groups.cellOf[m]!, m, triangles, [x, y, z]);
      });
    }
    case 'pairs': {
      const { surface, grid, groups, references, pairs, pairStarts } = task;
      return void writePairs(surface, grid, groups, first, end, references, pairs, pairStarts);
    }
    case 'crossings':
      return findCrossings(task.surface, task.grid, first, end, task.words, task.bases, task.references);
    case 'classify':
      return classifyOnCellGrid(task.tables, task.box, task.points, first, end, task.rule, task.flags);
  }
}

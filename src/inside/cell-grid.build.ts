/** Builds the cell grid of a body on all threads there are; the tables are the same bit for bit with any number. */
import { type Block, overfullCells, withoutRefined } from './cell-grid.blocks.ts';
import { joinBlocks } from './cell-grid.join.ts';
import { findOverlaps } from './cell-grid.overlap.ts';
import { fillStatuses, joinCrossings } from './cell-grid.statuses.ts';
import {
  CELLS_PER_WORD,
  type CellGridTables,
  type Groups,
  gridOver,
  groupByCell,
  markMixed,
  PAIR_FLOATS,
  PairList,
  REFERENCE_FLOATS,
  type SurfaceArrays,
  tableBytes,
} from './cell-grid.tables.ts';
import { runTask, type Task, type TaskResults } from './cell-grid.tasks.ts';
import type { Surface } from './surface.ts';
import { share, type WorkerPool } from './worker-pool.ts';

export type { CellGridTables } from './cell-grid.tables.ts';

export interface BuildOptions {
  /** Whether cells that many triangles meet get blocks of finer ones. Default true. */
  readonly refine?: boolean;
}

/** Builds the tables of a surface on the calling thread. */
export function buildCellGrid(surface: Surface, cell: number, options: BuildOptions = {}): CellGridTables {
  const tables = new TableBuilder(surface, cell, false);
  const pairs = new PairList(4 * surface.triangleCount + 16);
  findOverlaps(surface, tables.grid, 0, surface.triangleCount, pairs);
  tables.group([pairs]);
  runTask(tables.placesTask(0, tables.mixedCount));
  const overfull = tables.findOverfull(options);
  tables.refine(overfull > 0 ? [runTask(tables.blocksTask(0, overfull))] : []);
  runTask(tables.pairsTask(0, tables.mixedCount));
  return tables.finish([runTask(tables.crossingsTask(0, surface.triangleCount))]);
}

/** Builds the tables of a surface on the threads of a pool. */
export async function buildCellGridOnWorkers(
  surface: Surface,
  cell: number,
  pool: WorkerPool,
  options: BuildOptions = {},
): Promise<CellGridTables> {
  const tables = new TableBuilder(surface, cell, true);
  const { triangleCount } = surface;
  const found = await pool.runParts(triangleCount, (first, end) => tables.overlapsTask(first, end));
  tables.group(found.map(({ cells, triangles }) => ({ cells, triangles, count: cells.length })));
  await pool.runParts(tables.mixedCount, (first, end) => tables.placesTask(first, end));
  const overfull = tables.findOverfull(options);
  tables.refine(
    overfull > 0 ? await pool.runParts(overfull, (first, end) => tables.blocksTask(first, end)) : [],
  );
  const [crossings] = await Promise.all([
    pool.runParts(triangleCount, (first, end) => tables.crossingsTask(first, end)),
    pool.runParts(tables.mixedCount, (first, end) => tables.pairsTask(first, end)),
  ]);
  return tables.finish(crossings);
}

type Part<K extends Task['kind']> = Extract<Task, { kind: K }>;

/** The tables while they are made, and the tasks that fill them. */
class TableBuilder {
  readonly grid;
  readonly #surface: Surface;
  readonly #arrays: SurfaceArrays;
  readonly #shared: boolean;
  readonly #odd: Uint32Array<ArrayBuffer>;
  readonly #bases: Uint32Array<ArrayBuffer>;
  #groups!: Groups;
  #references!: Float32Array<ArrayBuffer>;
  #overfull = new Uint32Array(0);
  #blocks: Block[][] = [];
  #pairStarts!: Uint32Array<ArrayBuffer>;
  #pairs!: Float32Array<ArrayBuffer>;
  mixedCount = 0;

  constructor(surface: Surface, cell: number, shared: boolean) {
    this.#surface = surface;
    this.#shared = shared;
    const { positions, indices } = surface;
    this.#arrays = shared ? { positions: share(positions), indices: share(indices) } : { positions, indices };
    this.grid = gridOver(surface, cell);
    const [nx, ny, nz] = this.grid.counts;
    this.#odd = this.#table(Uint32Array, (nx * ny * nz) / CELLS_PER_WORD);
    this.#bases = this.#table(Uint32Array, this.#odd.length);
  }

  #table<A extends Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(
    type: new (buffer: ArrayBuffer) => A,
    length: number,
  ): A {
    // TypeScript tells buffers that threads share from others; WebGPU and the tables' users take both.
    return new type(
      (this.#shared ? new SharedArrayBuffer(4 * length) : new ArrayBuffer(4 * length)) as ArrayBuffer,
    );
  }

  /** Sorts the overlaps, which come in the order of triangles, by cell. */
  group(overlaps: readonly Pick<PairList, 'cells' | 'triangles' | 'count'>[]): void {
    const all = overlaps.length === 1 ? overlaps[0]! : joinPairs(overlaps);
    this.mixedCount = markMixed(this.#odd, this.#bases, all);
    const groups = groupByCell(this.#odd, this.#bases, this.mixedCount, all);
    this.#groups = this.#shared
      ? { starts: share(groups.starts), cellOf: share(groups.cellOf), grouped: share(groups.grouped) }
      : groups;
    this.#references = this.#table(Float32Array, REFERENCE_FLOATS * this.mixedCount);
  }

  /** How many cells may be worth a block. */
  findOverfull({ refine = true }: BuildOptions): number {
    if (refine) this.#overfull = overfullCells(this.#groups.starts);
    return this.#overfull.length;
  }

  /** Takes the blocks of the overfull cells; pairs are for the other cells. */
  refine(found: readonly TaskResults['blocks'][]): void {
    this.#blocks = found.flat();
    const { starts } = this.#groups;
    const refined = this.#overfull.filter((_, i) => this.#blocks[i]!.length > 0);
    const kept = refined.length === 0 ? starts : withoutRefined(starts, refined);
    this.#pairStarts = this.#shared ? share(kept) : kept;
    this.#pairs = this.#table(Float32Array, PAIR_FLOATS * kept[this.mixedCount]!);
  }

  overlapsTask(first: number, end: number): Part<'overlaps'> {
    return { kind: 'overlaps', surface: this.#arrays, grid: this.grid, first, end };
  }

  placesTask(first: number, end: number): Part<'places'> {
    const [surface, grid, groups, references] = [this.#arrays, this.grid, this.#groups, this.#references];
    return { kind: 'places', surface, grid, groups, references, first, end };
  }

  blocksTask(first: number, end: number): Part<'blocks'> {
    const [surface, grid, groups, references] = [this.#arrays, this.grid, this.#groups, this.#references];
    return { kind: 'blocks', surface, grid, groups, references, overfull: this.#overfull, first, end };
  }

  pairsTask(first: number, end: number): Part<'pairs'> {
    const [surface, grid, groups, references] = [this.#arrays, this.grid, this.#groups, this.#references];
    const [pairs, pairStarts] = [this.#pairs, this.#pairStarts];
    return { kind: 'pairs', surface, grid, groups, references, pairs, pairStarts, first, end };
  }

  crossingsTask(first: number, end: number): Part<'crossings'> {
    const [surface, grid, words, bases] = [this.#arrays, this.grid, this.#odd, this.#bases];
    return { kind: 'crossings', surface, grid, words, bases, references: this.#references, first, end };
  }

  finish(crossings: readonly TaskResults['crossings'][]): CellGridTables {
    const [odd, bases, references, pairs] = [this.#odd, this.#bases, this.#references, this.#pairs];
    const nonzero = this.#table(Uint32Array, odd.length);
    nonzero.set(odd);
    const all = joinCrossings(crossings);
    fillStatuses(this.#surface, this.grid, all, odd, nonzero, bases, references);
    const tables = {
      odd,
      nonzero,
      bases,
      references,
      starts: this.#pairStarts,
      pairs,
      blocks: new Uint32Array(0),
    };
    const root: CellGridTables = {
      grid: this.grid,
      ...tables,
      levels: 0,
      mixedCount: this.mixedCount,
      pairCount: pairs.length / PAIR_FLOATS,
      settledExactly: all.settledExactly,
      bytes: tableBytes(tables),
    };
    return joinBlocks(root, this.#blocks);
  }
}

function joinPairs(parts: readonly Pick<PairList, 'cells' | 'triangles' | 'count'>[]) {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const [cells, triangles] = [new Uint32Array(count), new Uint32Array(count)];
  let at = 0;
  for (const part of parts) {
    cells.set(part.cells.subarray(0, part.count), at);
    triangles.set(part.triangles.subarray(0, part.count), at);
    at += part.count;
  }
  return { cells, triangles, count };
}

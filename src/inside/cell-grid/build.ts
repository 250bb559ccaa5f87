/**
 * Builds the cell grid of a body on all threads there are: first the overlaps of triangles with cells, by ranges of
 * triangles, then everything else, by ranges of rows. The tables are the same bit for bit with any number of threads.
 */

import { pauses } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { type StopWord, withStopWord } from '../../workers/stop.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { flattestAxes } from '../frame.ts';
import { runFloats } from '../ray-runs.ts';
import type { Surface } from '../surface.ts';
import { joinBlocks } from './join.ts';
import { bandShiftOf, type GridPart, roomForPairs } from './pairs.ts';
import { notClosed } from './statuses.ts';
import {
  CELLS_PER_WORD,
  type CellGridTables,
  countMixed,
  gridOver,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  type SurfaceArrays,
  tableBytes,
} from './tables.ts';
import { type Filled, type FillTask, type Overlaps, type OverlapsTask, runTask } from './tasks.ts';

export type { CellGridTables } from './tables.ts';

/**
 * Triangles, and pairs, that the calling thread works on between two looks at the signal: a tenth of a second or two.
 */
const TRIANGLES_PER_PART = 1 << 17;
/** Each part looks through all pairs for its own: many parts take longer in all. */
const PAIRS_PER_PART = 1 << 19;

export interface BuildOptions {
  /** Whether cells that many triangles meet get blocks of finer ones. Default true. */
  readonly refine?: boolean;
  /** Whether the winding number of every cell is kept. Default false. */
  readonly windings?: boolean | undefined;
}

/** Builds the tables of a surface on the calling thread. */
export function buildCellGrid(surface: Surface, cell: number, options: BuildOptions = {}): CellGridTables {
  const tables = new TableBuilder(surface, cell, false, options);
  const overlaps = [runTask(tables.overlapsTask(0, surface.triangleCount))];
  return tables.finish(
    overlaps,
    tables.fillTasks(overlaps, 1).map((task) => runTask(task)),
  );
}

/**
 * As `buildCellGrid`, in parts between which timers and signals get in. @throws the signal's reason once it is aborted
 */
export async function buildCellGridInParts(
  surface: Surface,
  cell: number,
  options: BuildOptions = {},
  signal?: AbortSignal,
): Promise<CellGridTables> {
  const tables = new TableBuilder(surface, cell, false, options);
  const pauseWhenDue = pauses();
  const run = async <T extends OverlapsTask | FillTask>(task: T) => {
    await pauseWhenDue();
    signal?.throwIfAborted();
    return runTask(task);
  };
  const overlaps: Overlaps[] = [];
  for (let first = 0; first < surface.triangleCount; first += TRIANGLES_PER_PART) {
    const end = Math.min(surface.triangleCount, first + TRIANGLES_PER_PART);
    overlaps.push(await run(tables.overlapsTask(first, end)));
  }
  const pairs = overlaps.reduce((sum, { count }) => sum + count, 0);
  const filled: Filled[] = [];
  for (const task of tables.fillTasks(overlaps, Math.ceil(pairs / PAIRS_PER_PART))) {
    filled.push(await run(task));
  }
  return tables.finish(overlaps, filled);
}

/** Builds the tables of a surface on the threads of a pool. @throws the signal's reason once it is aborted */
export async function buildCellGridOnWorkers(
  surface: Surface,
  cell: number,
  pool: WorkerPool,
  options: BuildOptions = {},
  signal?: AbortSignal,
): Promise<CellGridTables> {
  return withStopWord(signal, async (stop) => {
    const tables = new TableBuilder(surface, cell, true, options, stop);
    const overlaps = await pool.runParts(surface.triangleCount, (first, end) =>
      tables.overlapsTask(first, end),
    );
    return tables.finish(overlaps, await pool.runAll(tables.fillTasks(overlaps, pool.size)));
  });
}

/** Gives the memory of tables that were built here to the next body. Nothing may use them afterwards. */
export function releaseTables(tables: CellGridTables): void {
  const { odd, nonzero, windings, bases, references, starts, pairs, blocks, runs } = tables;
  giveMemory([odd, nonzero, bases, references, starts, pairs, runs]);
  if (windings) giveMemory([windings]);
  // Without blocks there is no memory to give.
  if (blocks.length > 0) giveMemory([blocks]);
}

/** A copy in memory that workers see and that has to be given back; the array itself if it is there already. */
function shareForNow<A extends Float32Array | Float64Array | Uint32Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = takeMemory(array.constructor as Parameters<typeof takeMemory<A>>[0], array.length, true);
  copy.set(array);
  return copy;
}

/** The tables while they are made, and the tasks that fill them. */
class TableBuilder {
  readonly grid;
  readonly #surface: Surface;
  readonly #arrays: SurfaceArrays;
  readonly #shared: boolean;
  readonly #options: Required<BuildOptions>;
  readonly #stop: StopWord | undefined;
  readonly #odd: Uint32Array<ArrayBuffer>;
  readonly #runs: Float32Array<ArrayBuffer>;
  #rest!: Pick<CellGridTables, 'nonzero' | 'windings' | 'bases' | 'starts' | 'references' | 'pairs'>;
  #mixedCount = 0;
  #pairCount = 0;

  constructor(
    surface: Surface,
    cell: number,
    shared: boolean,
    { refine = true, windings = false }: BuildOptions,
    stop?: StopWord,
  ) {
    this.#surface = surface;
    this.#stop = stop;
    this.#options = { refine, windings };
    this.#shared = shared;
    const { positions, indices } = surface;
    this.#arrays = shared
      ? { positions: shareForNow(positions), indices: shareForNow(indices) }
      : { positions, indices };
    this.grid = gridOver(surface, cell);
    const [nx, ny, nz] = this.grid.counts;
    this.#odd = takeMemory(Uint32Array, (nx * ny * nz) / CELLS_PER_WORD, shared).fill(0);
    this.#runs = takeMemory(Float32Array, runFloats(surface.triangleCount), shared);
  }

  overlapsTask(first: number, end: number): OverlapsTask {
    const [surface, grid, words, shared] = [this.#arrays, this.grid, this.#odd, this.#shared];
    // Measured on scans and foams: 2 to 5 cells per triangle at the model's resolution.
    const room = roomForPairs(4 * (end - first) + 16, shared);
    const runs = { runs: this.#runs, axes: flattestAxes(this.#surface.sourceBox) };
    return { kind: 'overlaps', surface, grid, words, shared, room, first, end, stop: this.#stop, ...runs };
  }

  /** Makes room for all tables; the tasks fill one part of the grid each. */
  fillTasks(overlaps: readonly Overlaps[], parts: number): FillTask[] {
    const [shared, odd] = [this.#shared, this.#odd];
    const bases = takeMemory(Uint32Array, odd.length, shared);
    this.#mixedCount = countMixed(odd, bases);
    this.#pairCount = overlaps.reduce((sum, { count }) => sum + count, 0);
    const starts = takeMemory(Uint32Array, this.#mixedCount + 1, shared);
    starts[this.#mixedCount] = this.#pairCount;
    this.#rest = {
      nonzero: takeMemory(Uint32Array, odd.length, shared),
      ...(this.#options.windings && {
        windings: takeMemory(Int8Array, CELLS_PER_WORD * odd.length, shared).fill(0),
      }),
      bases,
      references: takeMemory(Float32Array, REFERENCE_FLOATS * this.#mixedCount, shared),
      starts,
      pairs: takeMemory(Float32Array, PAIR_FLOATS * this.#pairCount, shared),
    };
    const [surface, grid, refine] = [this.#arrays, this.grid, this.#options.refine];
    const common = { kind: 'fill', surface, grid, overlaps, odd, refine, stop: this.#stop } as const;
    return this.#cut(overlaps, parts).map((part) => ({ ...common, ...this.#rest, ...part }));
  }

  /** Cuts the grid into parts of about equal work. */
  #cut(overlaps: readonly Overlaps[], parts: number): GridPart[] {
    const [nx, ny, nz] = this.grid.counts;
    const { bases } = this.#rest;
    const rowsPerBand = 2 ** bandShiftOf(this.grid.counts);
    const bands = overlaps[0]!.perBand.length;
    const pairsOf = Array.from({ length: bands }, (_, b) =>
      overlaps.reduce((sum, { perBand }) => sum + perBand[b]!, 0),
    );
    // Words of cells take time too, where there are few pairs.
    const wordsPerBand = (rowsPerBand * nx) / CELLS_PER_WORD;
    const total = this.#pairCount + bands * wordsPerBand;
    const cut: GridPart[] = [];
    let [firstRow, firstMixed, firstPair, pairs, work] = [0, 0, 0, 0, 0];
    for (let b = 0; b < bands; b++) {
      pairs += pairsOf[b]!;
      work += pairsOf[b]! + wordsPerBand;
      const last = b + 1 === bands;
      if (!last && work < (total * (cut.length + 1)) / parts) continue;
      const endRow = last ? ny * nz : (b + 1) * rowsPerBand;
      const endMixed = last ? this.#mixedCount : bases[(endRow * nx) / CELLS_PER_WORD]!;
      const [firstCell, endCell] = [firstRow * nx, endRow * nx];
      cut.push({ firstRow, endRow, firstCell, endCell, firstMixed, endMixed, firstPair, endPair: pairs });
      [firstRow, firstMixed, firstPair] = [endRow, endMixed, pairs];
    }
    return cut;
  }

  finish(overlaps: readonly Overlaps[], parts: readonly Filled[]): CellGridTables {
    giveMemory(overlaps.flatMap(({ cells, triangles }) => [cells, triangles]));
    const { positions, indices } = this.#surface;
    giveMemory(
      [this.#arrays.positions, this.#arrays.indices].filter(
        (array) => array !== positions && array !== indices,
      ),
    );
    const open = parts.find(({ openRow }) => openRow >= 0);
    if (open) throw notClosed(this.#surface, this.grid, open.openRow);
    const tables = { odd: this.#odd, ...this.#rest, blocks: new Uint32Array(0), runs: this.#runs };
    const root: CellGridTables = {
      grid: this.grid,
      ...tables,
      levels: 0,
      mixedCount: this.#mixedCount,
      pairCount: this.#pairCount,
      settledExactly: parts.reduce((sum, part) => sum + part.settledExactly, 0),
      bytes: tableBytes(tables),
    };
    return joinBlocks(
      root,
      parts.flatMap(({ refined }) => refined),
    );
  }
}

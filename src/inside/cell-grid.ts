/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */
import type { BufferPool } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { runSlices } from '../gpu/passes.ts';
import type { Box, TriangleMesh } from '../mesh/triangle-mesh.ts';
import {
  buildCellGrid,
  buildCellGridOnWorkers,
  type CellGridTables,
  releaseTables,
} from './cell-grid.build.ts';
import {
  bindCellGrid,
  type CellGridOnGpu,
  createParams,
  GROUP,
  POINTS_PER_THREAD,
  reservePoints,
  threadsFor,
} from './cell-grid.dispatch.ts';
import { DOUBTFUL } from './cell-grid.reference.ts';
import { chooseResolution } from './cell-grid.resolution.ts';
import { runTask } from './cell-grid.tasks.ts';
import { compileCellGrid, UploadedCellGrid } from './cell-grid.upload.ts';
import type { Rule } from './classification.ts';
import { readFlags } from './doubtful-points.ts';
import { lapClock, type MethodRun, type StageSeconds } from './method.ts';
import { type LocalFrame, localPoints, localSurface, type Surface } from './surface.ts';
import { giveMemory, takeMemory } from './table-memory.ts';
import { share, WorkerLostError, WorkerPool } from './worker-pool.ts';

/** Threads of the first slice. */
const FIRST_SLICE = 256 * GROUP;
/** Points that the CPU backend tests between two looks at the abort signal. */
export const CPU_SLICE = 1 << 18;
/** Below these, handing work to other threads takes longer than doing it. */
const LEAST_TRIANGLES_FOR_WORKERS = 10_000;
export const LEAST_POINTS_FOR_WORKERS = 30_000;
/** The portable limit of a storage binding, for bodies that are not on a device. */
export const PORTABLE_BINDING = 128 << 20;

export interface CellGridOptions {
  /** Cells along the longest extent of the body, instead of the cost model's choice. */
  readonly cellsPerAxis?: number | undefined;
  /** False to do all of the CPU's work on the calling thread. Default true. */
  readonly workers?: boolean | undefined;
  /** Bytes of pairs that are bound at once, instead of the device's limit; for tests. */
  readonly largestPart?: number | undefined;
}

/** What tests points of a body on the CPU. */
export interface CellGridOnCpu {
  readonly tables: CellGridTables;
  /** The tables in memory that workers see. */
  sharedTables(): CellGridTables;
  /** Worker threads; undefined where there are none, or none are wanted. */
  pool(): WorkerPool | undefined;
  readonly box: Box;
  readonly frame: LocalFrame;
}

/** The result of work on workers, or undefined if they are gone: then the calling thread does it. */
export async function orWithoutWorkers<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkerLostError) return undefined;
    throw error;
  }
}

/** The threads that build the tables of a mesh; undefined where the calling thread does. */
function buildersOf(mesh: TriangleMesh, options: CellGridOptions): WorkerPool | undefined {
  return mesh.triangleCount >= LEAST_TRIANGLES_FOR_WORKERS ? poolFor(options) : undefined;
}

function poolFor({ workers = true }: CellGridOptions): WorkerPool | undefined {
  return workers ? WorkerPool.get() : undefined;
}

/** Tables of one body for the cell grid, and their copy on the GPU once it is used there. */
export class CellGrid {
  readonly tables: CellGridTables;
  /** Whether the tables' memory is this grid's own. */
  readonly #owned: boolean;
  readonly #surface: Surface;
  #shared: CellGridTables | undefined;
  #destroyed = false;
  readonly #options: CellGridOptions;
  #uploaded: UploadedCellGrid | undefined;

  private constructor(surface: Surface, tables: CellGridTables, owned: boolean, options: CellGridOptions) {
    this.#surface = surface;
    this.#owned = owned;
    this.tables = tables;
    this.#options = options;
  }

  /** Starts the threads that will build the tables of a mesh, if they are not there yet: that takes them a while. */
  static startWorkers(mesh: TriangleMesh, options: CellGridOptions = {}): void {
    buildersOf(mesh, options);
  }

  /** Builds the tables on the host. @throws InputError where the surface turns out not to be closed. */
  static async create(
    mesh: TriangleMesh,
    device: Device | undefined,
    options: CellGridOptions = {},
  ): Promise<CellGrid> {
    const surface = localSurface(mesh);
    const largestBinding = device?.limits.maxStorageBufferBindingSize ?? PORTABLE_BINDING;
    const { cell } = chooseResolution(surface, { cellsPerAxis: options.cellsPerAxis, largestBinding });
    const pool = buildersOf(mesh, options);
    // Who asks for a resolution gets that one.
    const build = { refine: options.cellsPerAxis === undefined };
    const onWorkers = pool && orWithoutWorkers(() => buildCellGridOnWorkers(surface, cell, pool, build));
    return new CellGrid(surface, (await onWorkers) ?? buildCellGrid(surface, cell, build), true, options);
  }

  /**
   * The tables of a saved body, as they are; undefined if they were built for a device with larger bindings than this one.
   */
  static restore(
    mesh: TriangleMesh,
    device: Device | undefined,
    tables: CellGridTables,
    options: CellGridOptions = {},
  ): CellGrid | undefined {
    const { odd, references, starts } = tables;
    // Words go to the GPU in twos: statuses and bases. Pairs are cut into parts.
    const largest = Math.max(2 * odd.byteLength, references.byteLength, starts.byteLength);
    if (device && largest > device.limits.maxStorageBufferBindingSize) return undefined;
    return new CellGrid(localSurface(mesh), tables, false, options);
  }

  /** The tables in memory that workers see: copied there once, if they were built on the calling thread. */
  #sharedTables(): CellGridTables {
    const { odd, nonzero, bases, references, starts, pairs, blocks } = this.tables;
    this.#shared ??= {
      ...this.tables,
      odd: share(odd),
      nonzero: share(nonzero),
      bases: share(bases),
      references: share(references),
      starts: share(starts),
      pairs: share(pairs),
      blocks: share(blocks),
    };
    return this.#shared;
  }

  /** The body for the CPU: tables in its local frame, and the worker threads that may work on them. */
  get onCpu(): CellGridOnCpu {
    const { box, frame } = this.#surface;
    return {
      tables: this.tables,
      sharedTables: () => this.#sharedTables(),
      pool: () => poolFor(this.#options),
      box,
      frame,
    };
  }

  /** Bytes of GPU memory held for the body. */
  get gpuBytes(): number {
    return this.#uploaded?.gpuBytes ?? 0;
  }

  /**
   * Writes the flags of points `first .. first + count` into `flags` on the CPU and returns the indices of doubtful ones.
   * Adds to `seconds`.
   */
  async classifyOnCpu(
    points: Float32Array,
    first: number,
    count: number,
    flags: Uint8Array,
    run: MethodRun,
    seconds: StageSeconds,
  ): Promise<Uint32Array> {
    const started = performance.now();
    const doubtful: number[] = [];
    const pool = count >= LEAST_POINTS_FOR_WORKERS ? poolFor(this.#options) : undefined;
    const scaled = localPoints(points, first, count, this.#surface.frame);
    const chunk = pool ? takeMemory(Float32Array, scaled.length, true) : scaled;
    if (pool) chunk.set(scaled);
    const out = flags.subarray(first, first + count);
    // Workers write into shared memory, the calling thread into the result itself.
    const found = pool ? takeMemory(Uint8Array, count, true) : out;
    const tables = pool ? this.#sharedTables() : this.tables;
    const shared = { kind: 'classify', tables, box: this.#surface.box, rule: run.rule } as const;
    const slice = CPU_SLICE * (pool?.size ?? 1);
    for (let from = 0; from < count; from += slice) {
      run.signal?.throwIfAborted();
      const to = Math.min(count, from + slice);
      const task = (a: number, b: number) =>
        ({ ...shared, points: chunk, flags: found, first: from + a, end: from + b }) as const;
      const onWorkers = pool && orWithoutWorkers(() => pool.runParts(to - from, task));
      const counts = (await onWorkers) ?? [runTask(task(0, to - from))];
      if (pool) out.set(found.subarray(from, to), from);
      if (counts.some((some) => some > 0)) {
        for (let i = from; i < to; i++) if (out[i] === DOUBTFUL) doubtful.push(first + i);
      }
      run.onProgress?.(to);
      // Lets timers and signals in.
      if (to < count && !pool) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (pool) giveMemory([chunk, found]);
    seconds.classify += (performance.now() - started) / 1000;
    return Uint32Array.from(doubtful);
  }

  /** The body on the GPU: its tables uploaded and the kernels compiled, where no earlier call did. */
  async onGpu(device: Device, rule: Rule): Promise<CellGridOnGpu> {
    const kernels = await compileCellGrid(device, this.tables.levels);
    this.#uploaded ??= await UploadedCellGrid.create(device, this.tables, this.#options.largestPart);
    const tables = await this.#uploaded.boundTables(rule);
    const { parts } = this.#uploaded;
    const { box, frame } = this.#surface;
    return { kernels, tables, parts, grid: this.tables.grid, box, frame, rule };
  }

  /** As `classifyOnCpu`, on the GPU. */
  async classifyOnGpu(
    device: Device,
    points: Float32Array,
    first: number,
    count: number,
    flags: Uint8Array,
    run: MethodRun,
    work: BufferPool,
    seconds: StageSeconds,
  ): Promise<Uint32Array> {
    const lap = lapClock();
    const body = await this.onGpu(device, run.rule);
    const threads = threadsFor(count);
    const scaled = localPoints(points, first, count, this.#surface.frame);
    const buffers = await device.checked('uploading points', () => reservePoints(device, work, scaled));
    const params = createParams(device, body);
    try {
      await device.finished();
      seconds.upload += lap();
      const encode = bindCellGrid(device, body, buffers, params, count);
      await runSlices(
        device,
        {
          what: 'testing points',
          total: threads,
          first: FIRST_SLICE,
          multiple: GROUP,
          signal: run.signal,
          onProgress: (done) => run.onProgress?.(Math.min(count, done * POINTS_PER_THREAD)),
        },
        (firstThread, endThread) => {
          const encoder = device.handle.createCommandEncoder({ label: 'cell grid' });
          encode(encoder, firstThread, endThread);
          device.handle.queue.submit([encoder.finish()]);
        },
      );
      seconds.classify += lap();
      const back = await readFlags(device, work, buffers, threads * POINTS_PER_THREAD);
      flags.set(back.flags.subarray(0, count), first);
      const doubtful = back.doubtful.map((i) => first + i);
      seconds.readback += lap();
      return doubtful;
    } finally {
      params.destroy();
    }
  }

  /** Gives back the GPU's memory and the tables'. No call may be under way or follow. */
  destroy(): void {
    this.#uploaded?.destroy();
    this.#uploaded = undefined;
    if (this.#owned && !this.#destroyed) releaseTables(this.tables);
    this.#destroyed = true;
  }
}

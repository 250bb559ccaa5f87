/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */
import { BufferPool, UniformBuffer } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { getKernel, type Kernel, runSlices } from '../gpu/passes.ts';
import type { Box, TriangleMesh } from '../mesh/triangle-mesh.ts';
import { buildCellGrid, buildCellGridOnWorkers, type CellGridTables } from './cell-grid.build.ts';
import {
  bindCellGrid,
  type CellGridOnGpu,
  GROUP,
  POINTS_PER_THREAD,
  reservePoints,
  threadsFor,
} from './cell-grid.dispatch.ts';
import { CellGridParams, cellLookUpLayout, cellSegmentsLayout } from './cell-grid.layout.ts';
import { DOUBTFUL } from './cell-grid.reference.ts';
import { chooseResolution } from './cell-grid.resolution.ts';
import { runTask } from './cell-grid.tasks.ts';
import type { Rule } from './classification.ts';
import { readFlags } from './doubtful-points.ts';
import { lapClock, type MethodRun, type StageSeconds } from './method.ts';
import { cellLookUpShader, cellSegmentsShader } from './shaders.ts';
import { type LocalFrame, localPoints, localSurface, type Surface } from './surface.ts';
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

function poolFor({ workers = true }: CellGridOptions): WorkerPool | undefined {
  return workers ? WorkerPool.get() : undefined;
}

/** Tables of one body for the cell grid, and their copy on the GPU once it is used there. */
export class CellGrid {
  readonly tables: CellGridTables;
  readonly #surface: Surface;
  #shared: CellGridTables | undefined;
  readonly #options: CellGridOptions;
  #onGpu: { device: Device; pool: BufferPool; buffers: GpuTables; words: Map<Rule, GPUBuffer> } | undefined;

  private constructor(surface: Surface, tables: CellGridTables, options: CellGridOptions) {
    this.#surface = surface;
    this.tables = tables;
    this.#options = options;
  }

  /** Builds the tables on the host. @throws InputError where the surface turns out not to be closed. */
  static async create(
    mesh: TriangleMesh,
    device: Device | undefined,
    options: CellGridOptions = {},
  ): Promise<CellGrid> {
    const surface = localSurface(mesh);
    const largestTable = device?.limits.maxStorageBufferBindingSize ?? PORTABLE_BINDING;
    const { cell } = chooseResolution(surface, { cellsPerAxis: options.cellsPerAxis, largestTable });
    const pool = mesh.triangleCount >= LEAST_TRIANGLES_FOR_WORKERS ? poolFor(options) : undefined;
    const onWorkers = pool && orWithoutWorkers(() => buildCellGridOnWorkers(surface, cell, pool));
    return new CellGrid(surface, (await onWorkers) ?? buildCellGrid(surface, cell), options);
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
    const { odd, references, starts, pairs } = tables;
    // Words go to the GPU in twos: statuses and bases.
    const largest = Math.max(2 * odd.byteLength, references.byteLength, starts.byteLength, pairs.byteLength);
    if (device && largest > device.limits.maxStorageBufferBindingSize) return undefined;
    return new CellGrid(localSurface(mesh), tables, options);
  }

  /** The tables in memory that workers see: copied there once, if they were built on the calling thread. */
  #sharedTables(): CellGridTables {
    const { odd, nonzero, bases, references, starts, pairs } = this.tables;
    this.#shared ??= {
      ...this.tables,
      odd: share(odd),
      nonzero: share(nonzero),
      bases: share(bases),
      references: share(references),
      starts: share(starts),
      pairs: share(pairs),
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
    return this.#onGpu?.pool.bytes ?? 0;
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
    const chunk = pool ? share(scaled) : scaled;
    const out = flags.subarray(first, first + count);
    // Workers write into shared memory, the calling thread into the result itself.
    const found = pool ? new Uint8Array(new SharedArrayBuffer(count)) : out;
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
    seconds.classify += (performance.now() - started) / 1000;
    return Uint32Array.from(doubtful);
  }

  async #upload(device: Device, rule: Rule) {
    if (this.#onGpu === undefined) {
      const { references, starts, pairs } = this.tables;
      const pool = new BufferPool(device);
      try {
        const buffers = await device.checked('uploading the cell grid', () => ({
          references: pool.upload('cell grid references', references),
          starts: pool.upload('cell grid starts', starts),
          pairs: pool.upload('cell grid pairs', pairs),
        }));
        this.#onGpu = { device, pool, buffers, words: new Map() };
      } catch (error) {
        pool.destroy();
        throw error;
      }
    }
    const { pool, buffers, words } = this.#onGpu;
    let ofRule = words.get(rule);
    if (ofRule === undefined) {
      const { bases } = this.tables;
      const statuses = this.tables[rule];
      const both = new Uint32Array(2 * statuses.length);
      for (let w = 0; w < statuses.length; w++) {
        both[2 * w] = statuses[w]!;
        both[2 * w + 1] = bases[w]!;
      }
      ofRule = await device.checked('uploading the cell grid', () =>
        pool.upload(`cell grid words, ${rule}`, both),
      );
      words.set(rule, ofRule);
    }
    return { ...buffers, words: ofRule };
  }

  /** The body on the GPU: its tables uploaded and the kernels compiled, where no earlier call did. */
  async onGpu(device: Device, rule: Rule): Promise<CellGridOnGpu> {
    const kernels = await compile(device);
    const tables = await this.#upload(device, rule);
    const { box, frame } = this.#surface;
    return { kernels, tables, grid: this.tables.grid, box, frame, rule };
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
    const params = new UniformBuffer(device, CellGridParams);
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

  destroy(): void {
    this.#onGpu?.pool.destroy();
    this.#onGpu = undefined;
  }
}

async function compile(device: Device): Promise<{ lookUp: Kernel; segments: Kernel }> {
  const [lookUp, segments] = await Promise.all([
    getKernel(device, cellLookUpShader(), { entryPoint: 'cellLookUp', layout: cellLookUpLayout }),
    getKernel(device, cellSegmentsShader(), { entryPoint: 'cellSegments', layout: cellSegmentsLayout }),
  ]);
  return { lookUp, segments };
}

interface GpuTables {
  readonly references: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly pairs: GPUBuffer;
}

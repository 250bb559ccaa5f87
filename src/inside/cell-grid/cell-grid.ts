/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */

import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import type { Box, TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { share } from '../../workers/shared-memory.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { orWithoutWorkers, poolFor, type WorkerPool } from '../../workers/worker-pool.ts';
import type { CrossingRule } from '../classification.ts';
import { DOUBTFUL } from '../classification.ts';
import { LEAST_POINTS_FOR_WORKERS } from '../constants.ts';
import type { MethodRun, StageSeconds } from '../method.ts';
import { type LocalFrame, localPoints, localSurface, type Surface } from '../surface.ts';
import { type CellGridTables, releaseTables } from './build.ts';
import { buildersOf, type CellGridOptions, createTables } from './create.ts';
import type { CellGridOnGpu } from './dispatch.ts';
import { type ClassifyTask, runTask } from './tasks.ts';
import type { UploadedCellGrid } from './upload.ts';

/** What needs kernels is loaded when it is used: applications that stay on the CPU never carry it. */
const loadKernels = () => import('./on-gpu.ts');

/** Points that the CPU backend tests between two looks at the abort signal. */
export const CPU_SLICE = 1 << 18;

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
    buildersOf(mesh.triangleCount, options);
  }

  /** Builds the tables. @throws InputError where the surface turns out not to be closed, the reason of an aborted signal. */
  static async create(
    mesh: TriangleMesh,
    device: Device | undefined,
    options: CellGridOptions = {},
    signal?: AbortSignal,
  ): Promise<CellGrid> {
    const surface = localSurface(mesh);
    return new CellGrid(surface, await createTables(surface, device, options, signal), true, options);
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
  onCpu(): CellGridOnCpu {
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
    run: MethodRun<CrossingRule>,
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
      const task = (a: number, b: number): ClassifyTask => ({
        ...{ ...shared, points: chunk, flags: found },
        ...{ first: from + a, end: from + b },
      });
      const onWorkers = pool && orWithoutWorkers(() => pool.runParts(to - from, task));
      let counts = await onWorkers;
      if (counts) out.set(found.subarray(from, to), from);
      // Not into memory that a lost worker may still write to.
      else counts = [runTask({ ...task(0, to - from), flags: out })];
      if (counts.some((some) => some > 0)) {
        for (let i = from; i < to; i++) if (out[i] === DOUBTFUL) doubtful.push(first + i);
      }
      run.onProgress?.(to - doubtful.length);
      // Lets timers and signals in.
      if (to < count && (pool === undefined || pool.hasFailed))
        await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (pool && !pool.hasFailed) giveMemory([chunk, found]);
    seconds.classify += (performance.now() - started) / 1000;
    return Uint32Array.from(doubtful);
  }

  /** The body on the GPU: its tables uploaded and the kernels compiled, where no earlier call did. */
  async onGpu(device: Device, rule: CrossingRule): Promise<CellGridOnGpu> {
    const { compileCellGrid, UploadedCellGrid } = await loadKernels();
    const kernels = await compileCellGrid(device, this.tables.levels);
    this.#uploaded ??= await UploadedCellGrid.create(device, this.tables, this.#options.largestPart);
    const tables = await this.#uploaded.boundTables(rule);
    const { parts } = this.#uploaded;
    const { box, frame } = this.#surface;
    const { grid } = this.tables;
    return { kernels, tables, parts, grid, box, frame, rule };
  }

  /** As `classifyOnCpu`, on the GPU. */
  async classifyOnGpu(
    device: Device,
    points: Float32Array,
    first: number,
    count: number,
    flags: Uint8Array,
    run: MethodRun<CrossingRule>,
    work: BufferPool,
    seconds: StageSeconds,
  ): Promise<Uint32Array> {
    const lap = lapClock();
    const { classifyOnGpu } = await loadKernels();
    const body = await this.onGpu(device, run.rule);
    return classifyOnGpu(device, body, { points, first, count, flags, run, work, seconds, lap });
  }

  /** Gives back the GPU's memory and the tables'. No call may be under way or follow. */
  destroy(): void {
    this.#uploaded?.destroy();
    this.#uploaded = undefined;
    if (this.#owned && !this.#destroyed) releaseTables(this.tables);
    this.#destroyed = true;
  }
}

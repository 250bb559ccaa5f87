/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */
import type { Device } from '../../gpu/device.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { hasParts, newParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { share } from '../../workers/shared-memory.ts';
import { pause, SLICE_TIME } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { poolFor, type WorkerPool } from '../../workers/worker-pool.ts';
import { localSurface, type Surface } from '../surface.ts';
import { type CellGridTables, releaseTables } from './build.ts';
import { LEAST_POINTS_FOR_SLABS, POINTS_PER_SLAB } from './constants.ts';
import { buildersOf, type CellGridOptions, createTables } from './create.ts';
import type { CellGridOnGpu } from './on-gpu.ts';
import { SLAB_FLOATS, SlabMaker } from './slabs.ts';
import { runSlabs, type SlabsTask } from './tasks.ts';

/** Slabs that a thread makes between two looks at whether there is more to do. */
const SLABS_PER_PART = 1024;
/** Slabs from which on worker threads help: fewer take the calling thread some 10 ms. */
const LEAST_SLABS_FOR_WORKERS = 10_000;

/**
 * Tables of one body for the cell grid, and their copies for worker threads and on the GPU once they are used there.
 */
export class CellGrid {
  readonly tables: CellGridTables;
  /** The mesh in the local frame of the tables. */
  readonly surface: Surface;
  /** Whether the tables' memory is this grid's own. */
  readonly #owned: boolean;
  readonly #options: CellGridOptions;
  #shared: CellGridTables | undefined;
  #onGpu: CellGridOnGpu | undefined;
  #slabs: Float32Array | undefined;
  #makesSlabs = false;
  /** Points that the CPU tested against the triangles of their cells. */
  #tested = 0;
  #destroyed = false;

  private constructor(surface: Surface, tables: CellGridTables, owned: boolean, options: CellGridOptions) {
    this.surface = surface;
    this.tables = tables;
    this.#owned = owned;
    this.#options = options;
  }

  /** Starts the threads that will build the tables of a mesh, if they are not there yet: that takes them a while. */
  static startWorkers(mesh: TriangleMesh, options: CellGridOptions = {}): void {
    buildersOf(mesh.triangleCount, options);
  }

  /**
   * Builds the tables. @throws InputError where the surface turns out not to be closed, the reason of an aborted
   * signal.
   */
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
   * The tables of a saved body, as they are; undefined if they were built for a device with larger bindings than this
   * one.
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

  /** Worker threads for the points; undefined where there are none, or none are wanted. */
  get pool(): WorkerPool | undefined {
    return poolFor(this.#options);
  }

  /** The tables in memory that workers see: copied there once, if they were built on the calling thread. */
  get sharedTables(): CellGridTables {
    if (this.#shared === undefined) {
      const { odd, nonzero, windings, bases, references, starts, pairs, blocks } = this.tables;
      this.#shared = {
        ...this.tables,
        odd: share(odd),
        nonzero: share(nonzero),
        ...(windings && { windings: share(windings) }),
        bases: share(bases),
        references: share(references),
        starts: share(starts),
        pairs: share(pairs),
        blocks: share(blocks),
      };
    }
    return this.#shared;
  }

  /** Slabs of the mixed cells for the CPU, once they are made (slabs.ts). */
  get slabs(): Float32Array | undefined {
    return this.#slabs;
  }

  /** Bytes on the host: of the tables, and of slabs once they are made. */
  get bytes(): number {
    return this.tables.bytes + (this.#slabs?.byteLength ?? 0);
  }

  /** Whether slabs would pay now, and nobody makes them yet. */
  get wantsSlabs(): boolean {
    const least = Math.max(LEAST_POINTS_FOR_SLABS, POINTS_PER_SLAB * this.tables.mixedCount);
    return !this.#makesSlabs && this.#tested >= least;
  }

  /** Notes points that were tested against the triangles of their cells. */
  noteTested(points: number): void {
    this.#tested += points;
  }

  /**
   * Makes slabs, on all threads where there are many to make. Without slabs points take longer, and nothing else: where
   * there is no memory for them, none are made.
   */
  async makeSlabs(signal: AbortSignal): Promise<void> {
    this.#makesSlabs = true;
    const { mixedCount } = this.tables;
    const pool = mixedCount >= LEAST_SLABS_FOR_WORKERS ? this.pool : undefined;
    const task = this.#slabsTask(pool !== undefined);
    if (task === undefined) return;
    let maker: SlabMaker | undefined;
    const here = (_: SlabsTask, until: number) => {
      maker ??= new SlabMaker(task.tables);
      return runSlabs(task, maker, until);
    };
    let isDone = true;
    try {
      await shareWork<SlabsTask>(
        {
          ...{ count: mixedCount, pool, task: () => task, here },
          take() {},
          async alone() {
            // A lost worker may have left parts undone, and may still write.
            isDone = pool === undefined;
            while (isDone && hasParts(task)) {
              here(task, performance.now() + SLICE_TIME.callingThread);
              if (hasParts(task)) await pause();
              signal.throwIfAborted();
            }
          },
        },
        { signal },
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!pool?.hasFailed) giveMemory([task.slabs]);
      this.#makesSlabs = false;
      return;
    }
    if (isDone) this.#slabs = task.slabs;
  }

  /** Undefined where there is no memory for slabs, or for tables that workers see. */
  #slabsTask(onWorkers: boolean): SlabsTask | undefined {
    const { mixedCount } = this.tables;
    try {
      // In memory that workers see, as they may test points by them later.
      const isShared = typeof SharedArrayBuffer !== 'undefined';
      const slabs = takeMemory(Float32Array, SLAB_FLOATS * mixedCount, isShared);
      const tables = onWorkers ? this.sharedTables : this.tables;
      return { kind: 'slabs', tables, slabs, ...newParts(mixedCount, SLABS_PER_PART) };
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The tables on the GPU with the kernels that read them, where no earlier call put them there. */
  async onGpu(device: Device): Promise<CellGridOnGpu> {
    if (this.#onGpu === undefined) {
      // Applications that stay on the CPU never load what needs kernels.
      const { CellGridOnGpu } = await import('./on-gpu.ts');
      const { largestPart } = this.#options;
      this.#onGpu = await CellGridOnGpu.create(device, this.tables, this.surface, largestPart);
    }
    return this.#onGpu;
  }

  /** Bytes of GPU memory held for the body. */
  get gpuBytes(): number {
    return this.#onGpu?.gpuBytes ?? 0;
  }

  /** Gives back the GPU's memory and the tables'. No call may be under way or follow. */
  destroy(): void {
    this.#onGpu?.destroy();
    this.#onGpu = undefined;
    if (this.#owned && !this.#destroyed) releaseTables(this.tables);
    if (this.#slabs) giveMemory([this.#slabs]);
    this.#slabs = undefined;
    this.#destroyed = true;
  }
}

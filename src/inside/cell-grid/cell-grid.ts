/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */
import type { Device } from '../../gpu/device.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { newParts } from '../../workers/parts.ts';
import { share } from '../../workers/shared-memory.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { poolFor, type WorkerPool } from '../../workers/worker-pool.ts';
import { localSurface, type Surface } from '../surface.ts';
import { type CellGridTables, releaseTables } from './build.ts';
import { LEAST_POINTS_FOR_SLABS, SLABS_PER_POINT } from './constants.ts';
import { buildersOf, type CellGridOptions, createTables } from './create.ts';
import type { CellGridOnGpu } from './on-gpu.ts';
import { SLAB_FLOATS } from './slabs.ts';
import type { MoreSlabs } from './tasks.ts';

/** Slabs that a thread takes at once. */
const SLABS_PER_PART = 512;

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
  /** Slabs that are made, of the first mixed cells. */
  #made = 0;
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
      const { odd, nonzero, windings, bases, references, starts, pairs, blocks, runs } = this.tables;
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
        runs: share(runs),
      };
    }
    return this.#shared;
  }

  /** Slabs for the CPU (slabs.ts), of as many mixed cells as they are made of. */
  get slabs(): Float32Array | undefined {
    return this.#slabs?.subarray(0, SLAB_FLOATS * this.#made);
  }

  /** Bytes on the host: of the tables, and of slabs once some are made. */
  get bytes(): number {
    return this.tables.bytes + (this.#slabs?.byteLength ?? 0);
  }

  /**
   * The slabs that the threads are to make which test the next points: as many as take a share of what the tests so far
   * took. Undefined where there is none to make, another test makes some, or there is no memory for them: without slabs
   * points take longer, and nothing else. Who takes them calls `noteTested`.
   */
  takeSlabs(): MoreSlabs | undefined {
    const { mixedCount } = this.tables;
    const wanted = this.#tested < LEAST_POINTS_FOR_SLABS ? 0 : Math.floor(SLABS_PER_POINT * this.#tested);
    const count = Math.min(mixedCount, wanted) - this.#made;
    if (this.#makesSlabs || count <= 0) return undefined;
    this.#makesSlabs = true;
    try {
      // In memory that workers see, as they may test points by them later.
      const isShared = typeof SharedArrayBuffer !== 'undefined';
      this.#slabs ??= takeMemory(Float32Array, SLAB_FLOATS * mixedCount, isShared);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
    return { slabs: this.#slabs, first: this.#made, ...newParts(count, SLABS_PER_PART) };
  }

  /**
   * Ends a test of points.
   *
   * @param points that were tested against the triangles of their cells
   * @param made what `takeSlabs` gave
   * @param isDone whether these slabs are all made
   */
  noteTested(points: number, made: MoreSlabs | undefined, isDone: boolean): void {
    this.#tested += points;
    if (made === undefined) return;
    this.#makesSlabs = false;
    if (isDone && made.slabs === this.#slabs) this.#made += made.count;
  }

  /** For workers that are lost: they may still write to slabs, which are nobody's then. */
  dropSlabs(): void {
    this.#slabs = undefined;
    this.#made = 0;
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

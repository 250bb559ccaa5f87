/**
 * Point in polyhedron on a cell grid: a table look-up for most points, and short segments to a reference point of known
 * winding for the rest. What the tables do not certify is settled by exact predicates. See docs/cell-grid.md.
 */
import * as d from 'typegpu/data';
import { BufferPool, UniformBuffer } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import { bindBuffers, encodePass, getKernel, type Kernel, runSlices } from '../gpu/passes.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { type CellGridTables, releaseTables } from './cell-grid.build.ts';
import {
  buildersOf,
  type CellGridOptions,
  createTables,
  type MadeTables,
  orWithoutWorkers,
  poolFor,
} from './cell-grid.create.ts';
import type { GpuCellGrid } from './cell-grid.gpu-tables.ts';
import { CellGridParams, cellLookUpLayout, cellSegmentsLayout } from './cell-grid.layout.ts';
import { cutPairs, type PairsPart } from './cell-grid.parts.ts';
import { DOUBTFUL } from './cell-grid.reference.ts';
import { PAIR_FLOATS } from './cell-grid.tables.ts';
import { runTask } from './cell-grid.tasks.ts';
import type { Built, Rule } from './classification.ts';
import { readFlags, reserveFlags } from './doubtful-points.ts';
import { lapClock, type MethodRun, type StageSeconds } from './method.ts';
import { cellLookUpShader, cellSegmentsShader } from './shaders.ts';
import { localPoints, localSurface, type Surface } from './surface.ts';
import { giveMemory, takeMemory } from './table-memory.ts';
import { share } from './worker-pool.ts';

/** Threads per workgroup and points per thread; `GROUP` and `POINTS` in the WGSL. */
const GROUP = 64;
const POINTS_PER_THREAD = 4;
/** Threads of the first slice. */
const FIRST_SLICE = 256 * GROUP;
/** Points that the CPU backend tests between two looks at the abort signal. */
const CPU_SLICE = 1 << 18;
/** Below this, handing work to other threads takes longer than doing it. */
const LEAST_POINTS_FOR_WORKERS = 30_000;
/** Tables of one body for the cell grid, and their copy on the GPU once it is used there. */
export class CellGrid {
  /** Where and why the tables were built; undefined for restored ones. */
  readonly built: Built | undefined;
  /** Undefined as long as the tables are on the GPU alone, which built them. */
  #tables: CellGridTables | undefined;
  #gpuGrid: GpuCellGrid | undefined;
  /** Whether the tables' memory is this grid's own. */
  readonly #owned: boolean;
  readonly #surface: Surface;
  #shared: CellGridTables | undefined;
  #destroyed = false;
  readonly #options: CellGridOptions;
  #onGpu: { device: Device; pool: BufferPool; buffers: GpuTables; words: Map<Rule, GPUBuffer> } | undefined;

  private constructor(surface: Surface, made: MadeTables, owned: boolean, options: CellGridOptions) {
    this.#surface = surface;
    this.#owned = owned;
    this.#tables = made.tables;
    this.#gpuGrid = made.gpuGrid;
    this.built = made.built;
    this.#options = options;
  }

  /** Starts the threads that will build the tables of a mesh, if they are not there yet: that takes them a while. */
  static startWorkers(mesh: TriangleMesh, options: CellGridOptions = {}): void {
    if (options.build !== 'gpu') buildersOf(mesh.triangleCount, options);
  }

  /** Builds the tables. @throws InputError where the surface turns out not to be closed. */
  static async create(
    mesh: TriangleMesh,
    device: Device | undefined,
    options: CellGridOptions = {},
  ): Promise<CellGrid> {
    const surface = localSurface(mesh);
    return new CellGrid(surface, await createTables(surface, device, options), true, options);
  }

  /** The tables on the host, read back from the GPU where it built them. */
  async hostTables(): Promise<CellGridTables> {
    this.#tables ??= await this.#gpuGrid!.readBack();
    return this.#tables;
  }

  /** Bytes of the tables. */
  get bytes(): number {
    return this.#tables?.bytes ?? this.#gpuGrid!.bytes;
  }

  /** Most blocks that a point passes. Tables with blocks are on the host. */
  get #levels(): number {
    return this.#tables?.levels ?? 0;
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
    return new CellGrid(localSurface(mesh), { tables }, false, options);
  }

  /** The tables in memory that workers see: copied there once, if they were built on the calling thread. */
  #sharedTables(tables: CellGridTables): CellGridTables {
    const { odd, nonzero, bases, references, starts, pairs, blocks } = tables;
    this.#shared ??= {
      ...tables,
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

  /** Bytes of GPU memory held for the body. */
  get gpuBytes(): number {
    return (this.#onGpu?.pool.bytes ?? 0) + (this.#gpuGrid?.gpuBytes ?? 0);
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
    const own = await this.hostTables();
    const tables = pool ? this.#sharedTables(own) : own;
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

  async #upload(device: Device, rule: Rule) {
    if (this.#onGpu === undefined) {
      const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
      const { largestPart = Math.min(maxStorageBufferBindingSize, maxBufferSize) } = this.#options;
      if (this.#gpuGrid && this.#gpuGrid.buffers.pairs.size <= largestPart) {
        return this.#useGpuGrid(device, this.#gpuGrid, rule);
      }
      const tables = await this.hostTables();
      const { references, starts, pairs, blocks } = tables;
      const parts = cutPairs(tables, largestPart);
      const pool = new BufferPool(device);
      try {
        const buffers = await device.checked('uploading the cell grid', () => ({
          references: pool.upload('cell grid references', references),
          starts: pool.upload('cell grid starts', starts),
          blocks: pool.upload('cell grid blocks', blocks),
          parts: parts.map((part, n) => {
            const { firstPair, endPair } = part;
            const ofPart = pairs.subarray(PAIR_FLOATS * firstPair, PAIR_FLOATS * endPair);
            return { ...part, pairs: pool.upload(`cell grid pairs ${n}`, ofPart) };
          }),
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
      const { bases, [rule]: statuses } = await this.hostTables();
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

  /** Tables that are on the GPU already. */
  #useGpuGrid(device: Device, { buffers: built, mixedCount, pairCount }: GpuCellGrid, rule: Rule) {
    const pool = new BufferPool(device);
    const part = { firstRank: 0, endRank: mixedCount, firstPair: 0, endPair: pairCount, pairs: built.pairs };
    const blocks = pool.upload('cell grid blocks', new Uint32Array(0));
    const { references, starts } = built;
    const words = new Map<Rule, GPUBuffer>([
      ['odd', built.odd],
      ['nonzero', built.nonzero],
    ]);
    this.#onGpu = { device, pool, buffers: { references, starts, blocks, parts: [part] }, words };
    return { ...this.#onGpu.buffers, words: words.get(rule)! };
  }

  /** Uploads the tables and compiles the kernel, where no earlier call did. */
  async prepareGpu(device: Device, rule: Rule): Promise<void> {
    await compile(device, this.#levels);
    await this.#upload(device, rule);
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
    const { lookUp, segments } = await compile(device, this.#levels);
    const listUsage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const { parts, ...tables } = await this.#upload(device, run.rule);
    const threads = Math.ceil(count / POINTS_PER_THREAD);
    const scaled = localPoints(points, first, count, this.#surface.frame);
    const buffers = await device.checked('uploading points', () => ({
      points: work.upload('points', scaled as Float32Array<ArrayBuffer>),
      // A count, its padding, and two words per entry.
      mixedPoints: work.reserve('points in mixed cells', 8 * (1 + threads * POINTS_PER_THREAD), listUsage),
      ...reserveFlags(device, work, threads * POINTS_PER_THREAD),
    }));
    const params = parts.map(() => new UniformBuffer(device, CellGridParams));
    try {
      await device.finished();
      seconds.upload += lap();
      const { box } = this.#surface;
      const { grid } = this.#tables ?? this.#gpuGrid!;
      const bound = { ...tables, ...buffers };
      const lookUpGroup = bindBuffers(device, lookUp, { ...bound, params: params[0]!.buffer });
      const segmentsGroups = parts.map(({ pairs }, n) =>
        bindBuffers(device, segments, { ...bound, pairs, params: params[n]!.buffer }),
      );
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
          const common = {
            boxMin: d.vec3f(...box.min),
            inverse: 1 / grid.cell,
            boxMax: d.vec3f(...box.max),
            points: count,
            counts: d.vec3u(...grid.counts),
            nonzero: run.rule === 'nonzero' ? 1 : 0,
            firstThread,
            endThread,
          };
          for (const [n, { firstRank, endRank, firstPair }] of parts.entries()) {
            params[n]!.write({ ...common, firstRank, endRank, firstPair });
          }
          const encoder = device.handle.createCommandEncoder({ label: 'cell grid' });
          const groups = Math.ceil((endThread - firstThread) / GROUP);
          encoder.clearBuffer(buffers.mixedPoints, 0, 4);
          encodePass(device, encoder, lookUp, lookUpGroup, groups);
          // As many threads as there may be entries: those past the count end at once.
          for (const group of segmentsGroups) {
            encodePass(device, encoder, segments, group, groups * POINTS_PER_THREAD);
          }
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
      for (const buffer of params) buffer.destroy();
    }
  }

  /** Gives back the GPU's memory and the tables'. No call may be under way or follow. */
  destroy(): void {
    this.#onGpu?.pool.destroy();
    this.#onGpu = undefined;
    this.#gpuGrid?.destroy();
    this.#gpuGrid = undefined;
    if (this.#owned && !this.#destroyed && this.#tables) releaseTables(this.#tables);
    this.#destroyed = true;
  }
}

async function compile(device: Device, levels: number): Promise<{ lookUp: Kernel; segments: Kernel }> {
  const [lookUp, segments] = await Promise.all([
    getKernel(device, cellLookUpShader(), {
      entryPoint: 'cellLookUp',
      layout: cellLookUpLayout,
      constants: { LEVELS: levels },
    }),
    getKernel(device, cellSegmentsShader(), { entryPoint: 'cellSegments', layout: cellSegmentsLayout }),
  ]);
  return { lookUp, segments };
}

interface GpuTables {
  readonly references: GPUBuffer;
  readonly starts: GPUBuffer;
  readonly blocks: GPUBuffer;
  readonly parts: readonly (PairsPart & { readonly pairs: GPUBuffer })[];
}

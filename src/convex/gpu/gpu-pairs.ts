/** Queries for many pairs on the GPU, in float32. What it cannot decide it says, pair by pair. docs/convex.md, "In float32". */
import { throwIfAborted } from '../../errors.ts';
import { BufferPool, readBack } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { runSlices } from '../../gpu/passes.ts';
import { startPassTimer } from '../../gpu/timestamps.ts';
import type { BackendSeconds, PairBackend, PairRunOptions } from '../query/backends.ts';
import { CONTACTS_PER_PAIR } from '../query/pair-arrays.ts';
import { findsDepth, reachOf } from '../query/pair-kinds.ts';
import type { ResolvedPairQuery } from '../query/pair-query.ts';
import { placements } from '../shapes/pose.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import { AnswerSink, type GpuPairAnswers } from './answers.ts';
import { type ConvexBodies, convexBodies } from './bodies.ts';
import { bodiesOfChunk, startNormals } from './chunk-inputs.ts';
import { type Bucket, type Chunk, chunksOf } from './chunks.ts';
import { kernelsFor, leavesSimplices } from './kernels.ts';
import { INTERSECT_RESULT, RESULT, SIMPLEX } from './layout.ts';
import { contactsPerPair } from './manifold.ts';
import type { ChunkBuffers, KernelPlan, PairKernel } from './pair-kernel.ts';
import { shapeBuffers } from './tables.ts';

/** Bytes of a vec4. */
const VEC4 = 16;
/** Pairs that are worked on at once: 32 MiB of simplices, 64 MiB of contacts, well inside every portable limit. */
const CHUNK = 1 << 18;
/** Pairs of the first slice: about 10 ms of work on a software adapter. */
const FIRST_SLICE = 4096;
/** Seconds that the first slice may take, where it is known how long pairs take. */
const SLICE_SECONDS = 0.1;
/** Slices start at multiples of this: a workgroup. */
const GROUP = 64;

/** Seconds that are still being counted. */
type Seconds = { -readonly [K in keyof BackendSeconds]: BackendSeconds[K] };

export interface GpuPairsOptions {
  /** Bytes of the largest buffer to be made, at most what the device allows, which is the default. */
  readonly largestBinding?: number;
}

/** The shapes of a table on a GPU, and the kernels that answer for pairs of them. */
export class GpuPairs implements PairBackend {
  readonly #device: Device;
  readonly #table: ShapeTable;
  readonly #shapes: BufferPool;
  /** Buffers of queries, kept from one to the next. */
  readonly #work: BufferPool;
  readonly #largestBinding: number;
  /** Of the last slices: how large the first one of the next may be. */
  #pairsPerSecond = 0;

  private constructor(device: Device, table: ShapeTable, largestBinding: number) {
    this.#device = device;
    this.#table = table;
    this.#shapes = new BufferPool(device);
    this.#work = new BufferPool(device);
    this.#largestBinding = largestBinding;
  }

  /** Uploads the shapes. @throws DeviceError if the device has not enough room for them. */
  static async create(device: Device, table: ShapeTable, options: GpuPairsOptions = {}): Promise<GpuPairs> {
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const allowed = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const made = new GpuPairs(device, table, Math.min(allowed, options.largestBinding ?? allowed));
    try {
      const { records, vertices, neighbours, facets } = shapeBuffers(table);
      await device.checked('uploading shapes', () => {
        made.#shapes.upload('pair records', records);
        made.#shapes.upload('pair vertices', vertices);
        made.#shapes.upload('pair neighbours', neighbours);
        made.#shapes.upload('pair facets', facets);
      });
    } catch (error) {
      made.destroy();
      throw error;
    }
    return made;
  }

  /** Bytes of GPU memory held now. */
  get gpuBytes(): number {
    return this.#shapes.bytes + this.#work.bytes;
  }

  /**
   * Answers a query that has been checked.
   *
   * @throws DeviceError if the device is lost, refuses or has not enough memory; the reason of `signal` if it is aborted.
   */
  query(query: ResolvedPairQuery, run: PairRunOptions = {}): Promise<GpuPairAnswers> {
    return this.#device.exclusive(() => this.#answer(query, run));
  }

  async #answer(query: ResolvedPairQuery, run: PairRunOptions): Promise<GpuPairAnswers> {
    const device = this.#device;
    device.assertOpen();
    throwIfAborted(run.signal);
    const seconds: Seconds = { upload: 0, kernel: 0, readback: 0 };
    const timer = run.timestamps ? await startPassTimer(device) : undefined;
    try {
      const started = performance.now();
      const plan = planOf(query);
      const bodies = convexBodies(this.#table, query.poses, placements(query.poses), query.bodies);
      const sink = new AnswerSink(this.#table, plan, query.pairs.length / 2);
      const setUp = { query, plan, bodies, sink, seconds, whole: await this.#uploadBodies(bodies) };
      seconds.upload += (performance.now() - started) / 1000;
      for (const chunk of chunksOf(this.#table, bodies, query.pairs, this.#pairsPerChunk())) {
        await this.#answerChunk(setUp, chunk, run);
      }
      const gpu = await timer?.read();
      sink.finish();
      return { ...sink.arrays, seconds: gpu === undefined ? seconds : { ...seconds, gpu } };
    } finally {
      timer?.destroy();
    }
  }

  /** Uploads all bodies, if they fit into one binding. */
  async #uploadBodies({ data }: ConvexBodies): Promise<boolean> {
    if (data.byteLength > this.#largestBinding) return false;
    await this.#device.checked('uploading bodies', () => this.#work.upload('pair bodies', data));
    return true;
  }

  #pairsPerChunk(): number {
    const most = Math.floor(this.#largestBinding / Math.max(VEC4 * SIMPLEX, 4 * CONTACTS_PER_PAIR));
    return Math.max(1, Math.min(CHUNK, most));
  }

  async #answerChunk(setUp: SetUp, chunk: Chunk, run: PairRunOptions): Promise<void> {
    const { plan, seconds, sink, bodies } = setUp;
    const device = this.#device;
    const lap = lapClock();
    const buffers = await device.checked('uploading pairs', () => this.#upload(setUp, chunk));
    await device.finished();
    seconds.upload += lap();
    let done = 0;
    for (const bucket of chunk.buckets) {
      const bucketPlan = { ...plan, kinds: bucket };
      const making = kernelsFor(bucketPlan).map((make) => make(device, bucketPlan, buffers));
      try {
        const kernels = await Promise.all(making);
        seconds.upload += lap();
        const before = done;
        await this.#runBucket(bucket, kernels, buffers, {
          signal: run.signal,
          onProgress: (part) => run.onProgress?.(pairsDone(chunk, before + part)),
        });
      } finally {
        // All of those that were made, also if one could not be.
        for (const made of await Promise.allSettled(making)) {
          if (made.status === 'fulfilled') made.value.destroy();
        }
      }
      seconds.kernel += lap();
      done += bucket.count;
    }
    const { results, contacts } = buffers;
    const sources = [{ buffer: results!, bytes: VEC4 * resultSize(plan) * chunk.count }];
    if (contacts) sources.push({ buffer: contacts, bytes: VEC4 * contactsPerPair(plan) * chunk.count });
    const [numbers, points] = await readBack(device, this.#work, sources);
    sink.take(chunk, bodies, numbers!, points);
    seconds.readback += lap();
  }

  async #runBucket(
    { first, count }: Bucket,
    kernels: readonly PairKernel[],
    { work }: ChunkBuffers,
    run: PairRunOptions,
  ): Promise<void> {
    const device = this.#device;
    const took = await runSlices(
      device,
      {
        what: 'answering for pairs',
        total: count,
        first: Math.max(FIRST_SLICE, Math.min(CHUNK, SLICE_SECONDS * this.#pairsPerSecond)),
        multiple: GROUP,
        ...run,
      },
      (from, end) => {
        const encoder = device.handle.createCommandEncoder({ label: 'pairs' });
        encoder.clearBuffer(work!, 0, 4);
        encoder.clearBuffer(work!, work!.size / 2, 4);
        for (const kernel of kernels) kernel.encode(encoder, first + from, end - from);
        device.handle.queue.submit([encoder.finish()]);
      },
    );
    this.#pairsPerSecond = count / Math.max(took, 1e-4);
  }

  /** Uploads a chunk, and makes room for what kernels leave. */
  #upload({ plan, query, bodies, whole }: SetUp, chunk: Chunk): ChunkBuffers {
    const pool = this.#work;
    const { count } = chunk;
    let { pairs } = chunk;
    if (!whole) {
      const used = bodiesOfChunk(bodies, pairs);
      pool.upload('pair bodies', used.data);
      pairs = used.pairs;
    }
    const read = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const results = pool.reserve('pair results', VEC4 * resultSize(plan) * count, read);
    if (query.warm !== undefined) {
      const starts = startNormals(query.warm, chunk, resultSize(plan));
      this.#device.handle.queue.writeBuffer(results, 0, starts);
    }
    const at = (label: string) => this.#shapes.reserve(label, 0, 0);
    return {
      bodies: pool.reserve('pair bodies', 0, 0),
      pairs: pool.upload('pairs', pairs),
      records: at('pair records'),
      vertices: at('pair vertices'),
      neighbours: at('pair neighbours'),
      facets: at('pair facets'),
      results,
      simplices: pool.reserve('simplices', leavesSimplices(plan) ? VEC4 * SIMPLEX * count : 0, read),
      work: pool.reserve('pairs to go on with', 8 * (1 + count), read),
      ...(plan.kind === 'manifold' && {
        contacts: pool.reserve('contacts', VEC4 * contactsPerPair(plan) * count, read),
      }),
    };
  }

  destroy(): void {
    this.#shapes.destroy();
    this.#work.destroy();
  }
}

/** One query under way. */
interface SetUp {
  readonly query: ResolvedPairQuery;
  readonly plan: Omit<KernelPlan, 'kinds'>;
  readonly bodies: ConvexBodies;
  readonly sink: AnswerSink;
  readonly seconds: Seconds;
  /** Whether all bodies are on the GPU; else those of each chunk are uploaded with it. */
  readonly whole: boolean;
}

/** vec4 per pair in `results`. */
const resultSize = ({ kind }: Pick<KernelPlan, 'kind'>) => (kind === 'intersect' ? INTERSECT_RESULT : RESULT);

/** What is left open here is the kinds of shapes. */
function planOf(query: ResolvedPairQuery): Omit<KernelPlan, 'kinds'> {
  const { kind, algorithm, tolerance, manifold, warm } = query;
  const wantsDepth = findsDepth(query);
  return {
    kind,
    algorithm,
    tolerance,
    manifold,
    reach: reachOf(query),
    wantsDepth,
    warm: warm !== undefined,
  };
}

/** Pairs of the query that are done when so many of a chunk are. */
function pairsDone({ count, firstOwner, endOwner }: Chunk, part: number): number {
  return part === count ? endOwner : firstOwner + Math.floor(((endOwner - firstOwner) * part) / count);
}

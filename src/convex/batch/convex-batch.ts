/** Shapes whose pairs are asked for distances, depths and contacts, many at a time. */

import { type Options, requireOptions, threadsOf } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { type Backend, type BackendChoice, chooseBackend, requireBackend } from '../../gpu/backend.ts';
import { type AdapterSummary, type Device, requireDevice } from '../../gpu/device.ts';
import { lend } from '../../gpu/lend.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import { LentArrays } from '../../workers/lent-arrays.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { BATCH_TOLERANCE, LEAST_PAIRS_FOR_GPU } from '../constants.ts';
import { CpuPairs } from '../cpu/cpu-pairs.ts';
import type { PairBackend, PairRunOptions } from '../query/backends.ts';
import { requireContents, resolveQuery, resolveQuestion } from '../query/check-query.ts';
import type { PairsOnDevice, PairsOnDeviceOptions, PairsReadBack } from '../query/on-device.ts';
import type { PairAlgorithm, PairKind } from '../query/pair-kinds.ts';
import type { PairArrays, PairQuery, PairQuestion, ResolvedPairQuery } from '../query/pair-query.ts';
import { toPlainDistances } from '../query/plain-distance.ts';
import { ShapeTable } from '../shapes/shape-table.ts';
import type { Shape } from '../shapes/shapes.ts';
import { redoUndecided } from './redo.ts';
import { settlePairs } from './settle-pairs.ts';

export interface ConvexBatchOptions {
  /** Names of the shapes, for messages. Default `shape 0`, `shape 1`, ... */
  readonly names?: readonly string[];
  /**
   * Most threads that the CPU's work is spread over, 1 or more; 1 is the calling one alone. Default: one per core, at
   * most 8.
   */
  readonly threads?: number;
}

/** Default algorithm `auto`, default tolerance 2^-20. */
export interface ConvexQuery extends PairQuery {
  /** Default `auto`: the GPU where the device is hardware and the pairs are many, else the CPU. */
  readonly backend?: Backend | 'auto' | undefined;
  /** True for `seconds.gpu`, which takes one more small reading back. Default false. */
  readonly timestamps?: boolean | undefined;
  /** Stops the call between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each slice of work with the number of pairs done, of `total`. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const BATCH_OPTIONS: Options<ConvexBatchOptions> = { names: 'checked', threads: 'number' };

const QUERY_OPTIONS: Options<ConvexQuery> = {
  poses: 'checked',
  pairs: 'checked',
  shapes: 'checked',
  kind: 'checked',
  algorithm: 'checked',
  tolerance: 'number',
  sweepRadius: 'number',
  manifold: 'checked',
  previous: 'checked',
  backend: 'checked',
  timestamps: 'boolean',
  signal: 'signal',
  onProgress: 'function',
};

const ON_DEVICE_OPTIONS: Options<PairsOnDeviceOptions> = {
  kind: 'checked',
  algorithm: 'checked',
  tolerance: 'number',
  sweepRadius: 'number',
  manifold: 'checked',
  mostBodies: 'number',
  mostPairs: 'number',
  mostParts: 'number',
  mostPartPairs: 'number',
  signal: 'signal',
};

/** Seconds of wall time of one `query` call. */
export interface ConvexSeconds {
  /**
   * Handing bodies and pairs over: to worker threads or to the GPU; there shapes too, and kernels compiled for the
   * kinds of shapes that the pairs are of, where no earlier call did: on a software adapter seconds, each.
   */
  readonly upload: number;
  /** Answering: kernels, until the queue is done; on the CPU the algorithms themselves. */
  readonly kernel: number;
  /** Reading answers back. */
  readonly readback: number;
  /** Redoing in float64 what float32 could not decide. */
  readonly redo: number;
  /** The whole call, checks of its arrays included. */
  readonly total: number;
  /** Kernels by the GPU's own clock: where `timestamps` was asked for, the GPU did the work and it has a clock. */
  readonly gpu?: number;
}

/** Answers, one entry per pair: Float64Arrays from the CPU, Float32Arrays from the GPU. And what gave them. */
export interface ConvexResults extends PairArrays {
  /** `[m * 2]`: the bodies of each pair, a copy. */
  readonly pairs: Uint32Array<ArrayBuffer>;
  /**
   * Pairs that what was asked for left undecided, and that were decided all the same: on the GPU those that float32
   * cannot decide, by the float64 algorithms; on the CPU those of the named algorithm, by surer ones.
   */
  readonly redone: number;
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  readonly tolerance: number;
  readonly backend: Backend;
  /** Why this backend. */
  readonly reason: string;
  /** The adapter of the batch's device, or undefined for a batch without one. With backend `cpu` it did no work. */
  readonly adapter: AdapterSummary | undefined;
  /** Threads of the host that answered pairs; 1 is the calling one, 0 says that the GPU answered all. */
  readonly threads: number;
  /**
   * GPU memory that the batch holds after the call, bytes: shapes, bodies, and what the largest chunk of pairs so far
   * took.
   */
  readonly gpuBytes: number;
  readonly seconds: ConvexSeconds;
}

/**
 * Convex shapes, and concave ones made of them, prepared for queries about many pairs. It owns GPU memory until
 * `destroy()`, or until its device is destroyed.
 *
 *     const shapes = [{ kind: 'box', halfExtents: [1, 1, 1] }, { kind: 'sphere', radius: 1 }];
 *     const batch = await ConvexBatch.create(undefined, shapes);
 *     const { distance, normal } = await batch.query({ poses, pairs, kind: 'signed-distance' });
 *
 * docs/convex.md has conventions of sign and normal, what each kind answers, what each status means, and which
 * algorithm is for what.
 */
export class ConvexBatch {
  /** Undefined for a batch that only the CPU works on. */
  readonly device: Device | undefined;
  /** Number of shapes. */
  readonly shapeCount: number;
  readonly #table: ShapeTable;
  readonly #cpu: CpuPairs;
  readonly #life: Lifetime;
  #kernels: Promise<PairBackend> | undefined;

  private constructor(device: Device | undefined, table: ShapeTable, threads: number) {
    this.device = device;
    this.shapeCount = table.count;
    this.#table = table;
    this.#cpu = new CpuPairs(table, () => WorkerPool.get(), threads);
    this.#life = new Lifetime({ device, name: 'this convex batch', release: () => this.#release() });
  }

  /**
   * Checks the shapes and makes their records; hulls of polytopes are found here.
   *
   * @param device from `openDevice()`; undefined for a batch that only the CPU works on
   * @param shapes one or more; bodies refer to them by their place
   * @throws InputError if a shape is not usable; the message names the shape, the field, what was found and what was
   *   expected.
   * @throws DeviceError if the device is lost or destroyed.
   */
  static async create(
    device: Device | undefined,
    shapes: readonly Shape[],
    options: ConvexBatchOptions = {},
  ): Promise<ConvexBatch> {
    requireDevice('ConvexBatch.create', device);
    requireOptions('ConvexBatch.create', options, BATCH_OPTIONS);
    device?.assertOpen();
    const threads = threadsOf(options.threads);
    const table = new ShapeTable(shapes, options.names);
    // They start while the caller gets bodies and pairs.
    if (threads > 1) WorkerPool.get();
    return new ConvexBatch(device, table, threads);
  }

  /**
   * Answers a query about pairs of bodies. No answer is a guess: what the algorithm or float32 leaves undecided is
   * decided by a surer one in float64 (`redone`), and no status is `iteration limit`. On the CPU answers are the same
   * bit for bit whatever the number of threads.
   *
   * A simulation gives the results of one step to the next one as `previous`:
   *
   *     contacts = await batch.query({ poses, pairs, shapes, kind: 'manifold', previous: contacts });
   *
   * @throws InputError for arrays of wrong type or length, a number that is not finite, a quaternion that is not of
   *   unit length within 1e-3, a body or shape that is not there, a pair of a body with itself, an unknown option, or
   *   more pairs than there is memory for. No pairs at all are answered with empty arrays.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  async query(query: ConvexQuery): Promise<ConvexResults> {
    const started = performance.now();
    this.#life.requireOpen();
    requireOptions('query', query, QUERY_OPTIONS);
    const { signal, backend = 'auto' } = query;
    requireBackend(backend, this.device, 'batch');
    const defaults = { algorithm: 'auto', tolerance: BATCH_TOLERANCE } as const;
    const asked = resolveQuery(this.shapeCount, query, defaults);
    const choice = this.#choose(backend, asked);
    if (choice.backend === 'gpu') requireContents(asked);
    signal?.throwIfAborted();
    const pairs = new Uint32Array(asked.pairs);
    // Kernels wait for their turn. Threads of the host begin at once, and copy what they have not read by then.
    const copies = new LentArrays(false);
    const resolved =
      choice.backend === 'gpu'
        ? { ...asked, pairs, poses: copies.of(asked.poses), shapes: copies.of(asked.shapes) }
        : asked;
    const answer = async (): Promise<ConvexResults> => {
      signal?.throwIfAborted();
      const total = pairs.length / 2;
      const run: PairRunOptions = {
        signal: this.#life.signal(signal),
        onProgress: query.onProgress && ((done) => query.onProgress?.(done, total)),
        timestamps: query.timestamps,
      };
      const answers =
        choice.backend === 'gpu' ? await this.#onGpu(resolved, run) : await this.#onCpu(resolved, run);
      this.#life.signal().throwIfAborted();
      const { seconds, ...arrays } = answers;
      const { kind, algorithm, tolerance } = resolved;
      if (kind === 'distance') toPlainDistances(arrays);
      return {
        ...arrays,
        ...{ pairs, kind, algorithm, tolerance },
        ...{ backend: choice.backend, reason: choice.because, adapter: this.device?.adapter },
        seconds: { ...seconds, total: (performance.now() - started) / 1000 },
      };
    };
    // Kernels take their turn on the device; what they leave undecided goes on beside others' work there.
    return this.#life.hold(answer);
  }

  /**
   * Makes a query for bodies and pairs that are on the GPU already, for simulations that stay there. All kernels are
   * compiled and all room is made now. `encode` then only records into the caller's command encoder.
   *
   *     const contacts = await batch.onDevice({ kind: 'manifold', mostBodies: 10_000, mostPairs: 60_000 });
   *     contacts.encode(encoder, { poses, shapes, pairs, count: { buffer: counts, offset: 0 } });
   *
   * No answer is a guess: pairs that float32 cannot decide are listed in `open`. docs/guide.md, "Pairs that are on the
   * GPU already".
   *
   * @throws InputError for a batch without a device, an option that is not known or not usable, or a tolerance below
   *   2^-20.
   * @throws DeviceError `limits` where the device allows no buffer of the size that is needed; or if it is lost or
   *   destroyed.
   */
  async onDevice(options: PairsOnDeviceOptions): Promise<PairsOnDevice> {
    this.#life.requireOpen();
    requireOptions('onDevice', options, ON_DEVICE_OPTIONS);
    requireBackend('gpu', this.device, 'batch');
    const question = resolveQuestion(options, { algorithm: 'auto', tolerance: BATCH_TOLERANCE });
    requireCoarse(question);
    return lend(this.#life, options.signal, async (lent, stop) => {
      const kernels = await this.#gpu();
      stop.throwIfAborted();
      const settle = (read: PairsReadBack, signal: AbortSignal) =>
        this.#life.hold(() =>
          settlePairs(read, question, {
            ...{ shapeCount: this.shapeCount, cpu: this.#cpu, signal: this.#life.signal(signal) },
          }),
        );
      return kernels.onDevice(question, options, { ...lent, settle });
    });
  }

  #choose(wanted: Backend | 'auto', query: ResolvedPairQuery): BackendChoice {
    const { pairs } = query;
    if (wanted === 'auto' && isTooFine(query)) {
      return { backend: 'cpu', because: 'the tolerance is finer than float32 keeps' };
    }
    if (wanted === 'gpu') requireCoarse(query);
    return chooseBackend(wanted, {
      ...{ device: this.device, owner: 'batch', items: 'pairs' },
      ...{ count: pairs.length / 2, leastForGpu: LEAST_PAIRS_FOR_GPU },
    });
  }

  async #onCpu(query: ResolvedPairQuery, run: PairRunOptions) {
    const { seconds, ...answers } = await this.#cpu.query(query, run);
    return { ...answers, gpuBytes: 0, seconds: { ...seconds, redo: 0 } };
  }

  async #onGpu(query: ResolvedPairQuery, run: PairRunOptions) {
    const opening = performance.now();
    const kernels = await this.#gpu();
    const opened = (performance.now() - opening) / 1000;
    const { seconds, ...arrays } = await kernels.query(query, run);
    const { gpuBytes } = kernels;
    const redoing = performance.now();
    const { redone, threads } = await redoUndecided(arrays, query, this.#cpu, { signal: run.signal });
    const redo = (performance.now() - redoing) / 1000;
    return {
      ...arrays,
      ...{ redone, threads, gpuBytes },
      seconds: { ...seconds, upload: opened + seconds.upload, redo },
    };
  }

  #gpu(): Promise<PairBackend> {
    this.#kernels ??= this.#openKernels(this.device!);
    return this.#kernels.catch((error: unknown) => {
      // Another try may have more memory.
      this.#kernels = undefined;
      throw error;
    });
  }

  /** Kernels are loaded when they are used: applications that stay on the CPU never carry them. */
  async #openKernels(device: Device): Promise<PairBackend> {
    const { GpuPairs } = await import('../gpu/gpu-pairs.ts');
    return GpuPairs.create(device, this.#table);
  }

  #release(): void {
    this.#kernels?.then(
      (kernels) => kernels.destroy(),
      () => {
        // It was never there.
      },
    );
    this.#kernels = undefined;
  }

  /**
   * Gives back the batch's GPU memory, once a call that is under way has let go of it: that call rejects, as later ones
   * do. Safe to call twice.
   */
  destroy(): void {
    this.#life.destroy();
  }
}

function isTooFine({ kind, tolerance }: PairQuestion): boolean {
  return kind !== 'intersect' && tolerance < BATCH_TOLERANCE;
}

/** @throws InputError for a tolerance that float32 does not keep. */
function requireCoarse(question: PairQuestion): void {
  if (!isTooFine(question)) return;
  throw new InputError(
    `tolerance is ${question.tolerance}, expected ${BATCH_TOLERANCE} or more of backend "gpu", ` +
      'whose numbers are float32',
  );
}

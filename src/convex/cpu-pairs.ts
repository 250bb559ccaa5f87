// Queries on the host's threads, in float64. Answers are the same bit for bit whatever the number of threads.
import { LEAST_PAIRS_FOR_WORKERS } from '../constants.ts';
import { throwIfAborted } from '../errors.ts';
import { shareAll } from '../workers/shared-memory.ts';
import { inSlices, pauses, SLICE_TIME } from '../workers/slices.ts';
import { giveMemory, takeMemory } from '../workers/spare-memory.ts';
import { orWithoutWorkers, type WorkerPool } from '../workers/worker-pool.ts';
import type { BackendSeconds, PairRunOptions } from './backends.ts';
import { arraysFor, copyAnswers, sharedArraysFor } from './pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from './pair-query.ts';
import { PairRun } from './query.ts';
import type { ShapeArrays } from './records.ts';
import { isOpen, type PairsTask, runPairs } from './tasks.ts';

/** Pairs of the first slice, and of the longest one, for each thread. */
const SLICES = { first: 2048, longest: 1 << 18 } as const;
/** Parts of a slice for each thread: where pairs differ, who is done early takes another part. */
const PARTS_PER_THREAD = 16;
/** Pairs of a part at least: fewer share lines of the caches with those of other threads. */
const LEAST_PART = 64;

export interface CpuAnswers extends PairArrays<Float64Array> {
  readonly redone: number;
  readonly threads: number;
  readonly seconds: BackendSeconds;
}

export class CpuPairs {
  readonly #shapes: ShapeArrays;
  readonly #pool: () => WorkerPool | undefined;
  readonly #threads: number;
  /** The same shapes in memory that workers see, once they are needed there. */
  #shared: ShapeArrays | undefined;

  /** @param threads most that take part: 1 is the calling one */
  constructor(shapes: ShapeArrays, pool: () => WorkerPool | undefined, threads: number) {
    this.#shapes = shapes;
    this.#pool = pool;
    this.#threads = threads;
  }

  /** Answers a query. Rejects with the signal's reason, or an InputError where there is not enough memory. */
  async query(query: ResolvedPairQuery, run: PairRunOptions): Promise<CpuAnswers> {
    throwIfAborted(run.signal);
    const count = query.pairs.length / 2;
    const isSmall = count < LEAST_PAIRS_FOR_WORKERS || this.#threads < 2;
    const pool = isSmall ? undefined : this.#pool();
    return pool === undefined ? this.#onThisThread(query, run) : this.#onWorkers(pool, query, run);
  }

  async #onThisThread(query: ResolvedPairQuery, run: PairRunOptions): Promise<CpuAnswers> {
    const started = performance.now();
    const count = query.pairs.length / 2;
    const arrays = arraysFor(query.kind, count);
    const pairs = new PairRun(this.#shapes, query, arrays);
    const pause = pauses();
    const slicing = { threads: 1, milliseconds: SLICE_TIME.callingThread, ...SLICES };
    await inSlices(count, slicing, run, async (first, end) => {
      pairs.answerAll(first, end);
      if (end < count) await pause();
    });
    const kernel = (performance.now() - started) / 1000;
    return { ...arrays, redone: pairs.redone, threads: 1, seconds: { upload: 0, kernel, readback: 0 } };
  }

  async #onWorkers(pool: WorkerPool, query: ResolvedPairQuery, run: PairRunOptions): Promise<CpuAnswers> {
    const started = performance.now();
    const { kind } = query;
    const count = query.pairs.length / 2;
    const threads = Math.min(pool.size, this.#threads);
    const { poses: _, ...own } = query;
    this.#shared ??= shareAll({ ...this.#shapes });
    const shapes = this.#shared;
    const answers = arraysFor(kind, count);
    // A slice at a time, whatever the number of pairs.
    const room = Math.min(count, SLICES.longest * threads);
    const results = sharedArraysFor(kind, room);
    const lent = {
      placed: lend(Float64Array, own.placed),
      bodies: lend(Uint32Array, own.bodies),
      pairs: takeMemory(Uint32Array, 2 * room, true),
      ...(own.warm && { warm: takeMemory(Float64Array, 3 * room, true) }),
    };
    const common = { kind: 'pairs', shapes, query: { ...own, ...lent }, results } as const;
    const uploaded = performance.now();
    let redone = 0;
    let isLost = false;
    const here = new PairRun(shapes, query, answers);
    const pause = pauses();
    try {
      const slicing = { threads, milliseconds: SLICE_TIME.workers, ...SLICES };
      await inSlices(count, slicing, run, async (first, end) => {
        lent.pairs.set(own.pairs.subarray(2 * first, 2 * end));
        if (own.warm) lent.warm?.set(own.warm.subarray(3 * first, 3 * end));
        const slice = end - first;
        const next = new Int32Array(new SharedArrayBuffer(4));
        const part = Math.max(LEAST_PART, Math.ceil(slice / (PARTS_PER_THREAD * threads)));
        const task: PairsTask = { ...common, count: slice, part, next };
        const tasks = Array.from({ length: threads }, () => task);
        let ownRedone = 0;
        const helpOut = () => {
          ownRedone = runPairs(task, performance.now() + SLICE_TIME.callingThread);
          return isOpen(task);
        };
        const done = isLost
          ? undefined
          : // Short queries are over before a worker would be awake that takes this thread's place.
            await orWithoutWorkers(() => pool.runAll(tasks, threads, first === 0 ? helpOut : undefined));
        if (done === undefined) {
          isLost = true;
          // Not into memory that a lost worker may still write to.
          here.answerAll(first, end);
          if (end < count) await pause();
          return;
        }
        redone += done.reduce((sum, some) => sum + some, ownRedone);
        if (pool.hasFailed) isLost = true;
        copyAnswers(kind, results, answers, first, end - first);
      });
      const kernel = (performance.now() - uploaded) / 1000;
      const seconds = { upload: (uploaded - started) / 1000, kernel, readback: 0 };
      return { ...answers, redone: redone + here.redone, threads, seconds };
    } finally {
      if (!pool.hasFailed) giveMemory([...Object.values(results), ...Object.values(lent)]);
    }
  }
}

/** A copy of an array in memory that workers see and that has to be given back. */
function lend<A extends Float64Array | Uint32Array>(
  type: { new (buffer: ArrayBuffer, offset: number, length: number): A; readonly BYTES_PER_ELEMENT: number },
  array: A,
): A {
  const copy = takeMemory(type, array.length, true);
  copy.set(array);
  return copy;
}

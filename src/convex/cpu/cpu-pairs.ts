// Queries on the host's threads, in float64. Answers are the same bit for bit whatever the number of threads.

import { throwIfAborted } from '../../errors.ts';
import { shareAll } from '../../workers/shared-memory.ts';
import { inSlices, pauses, SLICE_TIME } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { orWithoutWorkers, type WorkerPool } from '../../workers/worker-pool.ts';
import { HAND_OVER_TIME } from '../constants.ts';
import type { BackendSeconds, PairRunOptions } from '../query/backends.ts';
import { arraysFor, copyAnswers, sharedArraysFor } from '../query/pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from '../query/pair-query.ts';
import type { ShapeArrays } from '../shapes/records.ts';
import { PairRun } from './pair-run.ts';
import { isOpen, type PairsTask, runPairs } from './pairs-task.ts';

/** Most pairs that the calling thread answers between two looks at the clock. */
const LONGEST_STEP = 32;
/** Pairs that say how long the others take, unless they take long: the first ones of all run before they are compiled. */
const LEAST_TRIED = 32;
/** Pairs of the longest slice for each thread. */
const LONGEST_SLICE = 1 << 18;
/** Pairs of the first slice of several threads at most, for each. */
const LONGEST_FIRST_SLICE = 2048;
/** Parts of a slice for each thread: where pairs differ, who is done early takes another part. */
const PARTS_PER_THREAD = 16;
/** Pairs of a part, or as many as take `SHORTEST_PART`: of fewer, too many share lines of the caches with those of other threads. */
const LEAST_PART = 64;
/** Milliseconds that a part takes where pairs take long. */
const SHORTEST_PART = 1;

export interface CpuAnswers extends PairArrays<Float64Array<ArrayBuffer>> {
  readonly redone: number;
  readonly threads: number;
  readonly seconds: BackendSeconds;
}

/** A query under way. */
interface Call {
  readonly query: ResolvedPairQuery;
  readonly run: PairRunOptions;
  readonly count: number;
  readonly answers: PairArrays<Float64Array<ArrayBuffer>>;
  /** Answers on the calling thread. */
  readonly here: PairRun;
}

/** What the calling thread has done alone. */
interface Begun {
  /** Pairs. */
  readonly done: number;
  /** Milliseconds that each took. */
  readonly perPair: number;
}

const NOTHING_DONE: Begun = { done: 0, perPair: 0 };

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
    const started = performance.now();
    const count = query.pairs.length / 2;
    const answers = arraysFor(query.kind, count);
    const call: Call = { query, run, count, answers, here: new PairRun(this.#shapes, query, answers) };
    const begun = this.#threads > 1 ? answerFirst(call) : NOTHING_DONE;
    const pool = this.#threads > 1 && begun.done < count ? this.#pool() : undefined;
    const others = pool && (await this.#onWorkers(pool, call, begun));
    if (others === undefined) await onThisThread(call, begun.done);
    const { redone, threads, upload } = others ?? { redone: 0, threads: 1, upload: 0 };
    const kernel = (performance.now() - started) / 1000 - upload;
    return {
      ...answers,
      redone: call.here.redone + redone,
      threads,
      seconds: { upload, kernel, readback: 0 },
    };
  }

  /** Pairs from `offset` on, by workers, with the calling thread's help. `redone` does not count what the call's own run answers. */
  async #onWorkers(pool: WorkerPool, { query, run, count, answers, here }: Call, begun: Begun) {
    const started = performance.now();
    const { kind } = query;
    const { done: offset, perPair } = begun;
    const threads = Math.min(pool.size, this.#threads);
    const leastPart = Math.max(1, Math.min(LEAST_PART, Math.floor(SHORTEST_PART / perPair)));
    const { poses: _, ...own } = query;
    this.#shared ??= shareAll({ ...this.#shapes });
    // A slice at a time, whatever the number of pairs.
    const room = Math.min(count - offset, LONGEST_SLICE * threads);
    const results = sharedArraysFor(kind, room);
    const lent = {
      placed: lend(Float64Array, own.placed),
      bodies: lend(Uint32Array, own.bodies),
      pairs: takeMemory(Uint32Array, 2 * room, true),
      ...(own.warm && { warm: takeMemory(Float64Array, 3 * room, true) }),
    };
    const next = new Int32Array(new SharedArrayBuffer(4));
    const common = {
      kind: 'pairs',
      shapes: this.#shared,
      query: { ...own, ...lent },
      results,
      next,
    } as const;
    const upload = (performance.now() - started) / 1000;
    const pause = pauses();
    let redone = 0;
    let isLost = false;
    const firstSlice = Math.min(LONGEST_FIRST_SLICE, Math.ceil(SLICE_TIME.callingThread / perPair));
    const slicing = { threads, milliseconds: SLICE_TIME.workers, first: firstSlice, longest: LONGEST_SLICE };
    try {
      await inSlices(count - offset, slicing, progressFrom(run, offset), async (sliceFirst, sliceEnd) => {
        const [first, end] = [offset + sliceFirst, offset + sliceEnd];
        lent.pairs.set(own.pairs.subarray(2 * first, 2 * end));
        if (own.warm) lent.warm?.set(own.warm.subarray(3 * first, 3 * end));
        next[0] = 0;
        const part = Math.max(leastPart, Math.ceil((end - first) / (PARTS_PER_THREAD * threads)));
        const task: PairsTask = { ...common, count: end - first, part };
        let redoneHere = 0;
        const helpOut = () => {
          redoneHere = runPairs(task, performance.now() + SLICE_TIME.callingThread);
          return isOpen(task);
        };
        const tasks = Array.from({ length: threads }, () => task);
        // A short query is over before another worker would be awake; in a long one this thread has timers to serve.
        const help = sliceFirst === 0 ? helpOut : undefined;
        const done = isLost ? undefined : await orWithoutWorkers(() => pool.runAll(tasks, threads, help));
        if (done === undefined) {
          isLost = true;
          // Not into memory that a lost worker may still write to.
          here.answerAll(first, end);
          if (end < count) await pause();
          return;
        }
        redone += done.reduce((sum, some) => sum + some, redoneHere);
        if (pool.hasFailed) isLost = true;
        copyAnswers(kind, results, answers, first, end - first);
      });
      return { redone, threads, upload };
    } finally {
      if (!pool.hasFailed) giveMemory([...Object.values(results), ...Object.values(lent)]);
    }
  }
}

/**
 * Answers the first pairs on the calling thread until handing the rest over takes less time than it would save. How long pairs take
 * shows only then: 0.1 us for spheres far apart, 10 ms for bodies of many parts.
 *
 * All of them, if handing over never pays.
 */
function answerFirst({ count, here, run }: Call): Begun {
  const started = performance.now();
  let done = 0;
  let taken = 0;
  while (done < count) {
    const end = Math.min(count, done + Math.min(Math.max(1, done), LONGEST_STEP));
    here.answerAll(done, end);
    done = end;
    taken = performance.now() - started;
    const rest = (taken * (count - done)) / done;
    const isKnown = done >= LEAST_TRIED || taken > SLICE_TIME.callingThread;
    if (isKnown && taken > HAND_OVER_TIME && rest > 2 * HAND_OVER_TIME) break;
  }
  if (count > 0) run.onProgress?.(done);
  return { done, perPair: taken / Math.max(1, done) };
}

/** Pairs from `offset` on, in slices. */
async function onThisThread({ count, here, run }: Call, offset: number): Promise<void> {
  const pause = pauses();
  const slicing = { threads: 1, milliseconds: SLICE_TIME.callingThread, first: 1, longest: LONGEST_SLICE };
  await inSlices(count - offset, slicing, progressFrom(run, offset), async (first, end) => {
    here.answerAll(offset + first, offset + end);
    if (offset + end < count) await pause();
  });
}

/** A run whose progress counts from some pair on. */
function progressFrom(run: PairRunOptions, offset: number): PairRunOptions {
  return { ...run, onProgress: (done) => run.onProgress?.(offset + done) };
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

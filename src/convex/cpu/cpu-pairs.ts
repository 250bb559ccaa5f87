// Queries on the host's threads, in float64. Answers are the same bit for bit whatever the number of threads.

import { InputError } from '../../errors.ts';
import { LentArrays } from '../../workers/lent-arrays.ts';
import { newParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { shareAll } from '../../workers/shared-memory.ts';
import { SLICE_TIME } from '../../workers/slices.ts';
import { giveMemory } from '../../workers/spare-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { HAND_OVER_TIME } from '../constants.ts';
import type { BackendSeconds, PairRunOptions } from '../query/backends.ts';
import { requireContents } from '../query/check-query.ts';
import { arraysFor, copyAnswers, sharedArraysFor } from '../query/pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from '../query/pair-query.ts';
import type { ShapeArrays } from '../shapes/records.ts';
import { PairRun } from './pair-run.ts';
import { type PairsTask, runPairs } from './pairs-task.ts';

/** Most pairs that the calling thread answers between two looks at the clock. */
const LONGEST_STEP = 32;
/**
 * Pairs that say how long the others take, unless they take long: the first ones of all run before they are compiled.
 */
const LEAST_TRIED = 32;
/** Pairs of the longest slice for each thread. */
const LONGEST_SLICE = 1 << 18;
/** Parts of a slice for each thread: where pairs differ, who is done early takes another part. */
const PARTS_PER_THREAD = 16;
/**
 * Pairs of a part, or as many as take `SHORTEST_PART`: of fewer, too many share lines of the caches with those of other
 * threads.
 */
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

  /**
   * Answers a query. Its arrays may be changed as soon as this returns: what it has not answered by then it copies,
   * unless threads share the array's memory. Rejects with the signal's reason, or an InputError where the arrays hold
   * something that cannot be used (`requireContents`) or there is not enough memory.
   */
  async query(query: ResolvedPairQuery, run: PairRunOptions): Promise<CpuAnswers> {
    run.signal?.throwIfAborted();
    const started = performance.now();
    const count = query.pairs.length / 2;
    // Threads check what they read: bodies together with pairs.
    if (count === 0) requireContents(query);
    const answers = arraysFor(query.kind, count);
    const first: Call = { query, run, count, answers, here: new PairRun(this.#shapes, query, answers) };
    const begun = answerFirst(first, this.#threads > 1);
    const isDone = begun.done === count;
    const pool = this.#threads > 1 && !isDone ? this.#pool() : undefined;
    const lent = new LentArrays(pool !== undefined);
    try {
      const answered = performance.now();
      const rest = isDone ? first : this.#lend(first, lent);
      const lending = (performance.now() - answered) / 1000;
      // The caller goes on here, and may have changed its mind.
      await undefined;
      run.signal?.throwIfAborted();
      if (count > 0) run.onProgress?.(begun.done);
      const resumed = performance.now();
      const { redone, threads, upload } = await this.#answerRest(pool, rest, begun);
      const kernel = (answered - started + performance.now() - resumed) / 1000 - upload;
      return {
        ...answers,
        redone: first.here.redone + (isDone ? 0 : rest.here.redone) + redone,
        threads,
        seconds: { upload: lending + upload, kernel, readback: 0 },
      };
    } finally {
      lent.release();
    }
  }

  /** The same call on arrays that nobody changes. */
  #lend({ query, run, count, answers }: Call, lent: LentArrays): Call {
    const { poses, pairs, shapes, warm } = query;
    const theirs: ResolvedPairQuery = {
      ...query,
      ...{
        poses: lent.of(poses),
        pairs: lent.of(pairs),
        shapes: lent.of(shapes),
        warm: warm && lent.of(warm),
      },
    };
    return { query: theirs, run, count, answers, here: new PairRun(this.#shapes, theirs, answers) };
  }

  /** Pairs that are left. `redone` does not count what the call's own run answers. */
  async #answerRest(pool: WorkerPool | undefined, call: Call, { done: offset, perPair }: Begun) {
    const { query, run, count, answers } = call;
    const { kind } = query;
    const started = performance.now();
    const threads = pool ? Math.min(pool.size, this.#threads) : 1;
    const leastPart = Math.max(1, Math.min(LEAST_PART, Math.floor(SHORTEST_PART / perPair)));
    if (pool) this.#shared ??= shareAll({ ...this.#shapes });
    // A slice at a time, whatever the number of pairs.
    const results = pool && sharedArraysFor(kind, Math.min(count - offset, LONGEST_SLICE * threads));
    const upload = (performance.now() - started) / 1000;
    let redone = 0;
    const first = Math.min(LONGEST_SLICE, Math.ceil(SLICE_TIME.callingThread / perPair));
    try {
      await shareWork<PairsTask>(
        {
          ...{ count: count - offset, pool, threads, slices: { first, longest: LONGEST_SLICE } },
          task: (first, end) => {
            const part = Math.max(leastPart, Math.ceil((end - first) / (PARTS_PER_THREAD * threads)));
            return {
              ...{ kind: 'pairs', shapes: this.#shared!, query, results: results!, first: offset + first },
              ...newParts(end - first, part),
            };
          },
          here: runPairs,
          take(done, first, end) {
            if (done.some(({ isSound }) => !isSound)) throw unsound(query);
            for (const answer of done) redone += answer.redone;
            copyAnswers(kind, results!, answers, offset + first, end - first);
          },
          // Not into memory that a lost worker may still write to.
          alone: (first, end) => answerHere(call, offset + first, offset + end),
        },
        { signal: run.signal, onProgress: (done) => run.onProgress?.(offset + done) },
      );
      return { redone, threads, upload };
    } finally {
      if (results && !pool.hasFailed) giveMemory(Object.values(results));
    }
  }
}

/** Answers pairs on the calling thread. @throws InputError if they cannot be used. */
function answerHere({ here, query }: Call, first: number, end: number): void {
  if (!here.answerAll(first, end)) throw unsound(query);
}

/**
 * What a thread met that cannot be used. It says the first such thing, which need not be the one that was met first.
 */
function unsound(query: ResolvedPairQuery): InputError {
  try {
    requireContents(query);
  } catch (error) {
    return error as InputError;
  }
  return new InputError('query: poses, pairs or shapes changed during the call, which reads them');
}

/**
 * Answers the first pairs on the calling thread, for a slice's time at most. It ends earlier where handing the rest
 * over takes less time than it would save. The first pairs have to take as long as a hand-over, too: so calls that are
 * done soon stay here. How long pairs take shows only then: 0.1 us for spheres far apart, 10 ms for bodies of many
 * parts.
 */
function answerFirst(call: Call, mayHandOver: boolean): Begun {
  const { count } = call;
  const started = performance.now();
  let done = 0;
  let taken = 0;
  while (done < count && taken < SLICE_TIME.callingThread) {
    const end = Math.min(count, done + Math.min(Math.max(1, done), LONGEST_STEP));
    answerHere(call, done, end);
    done = end;
    taken = performance.now() - started;
    const rest = (taken * (count - done)) / done;
    if (mayHandOver && done >= LEAST_TRIED && Math.min(taken, rest / 2) > HAND_OVER_TIME) break;
  }
  return { done, perPair: taken / Math.max(1, done) };
}

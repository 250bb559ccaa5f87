// The work on pairs that runs on worker threads.
import type { Task } from '../../workers/worker-pool.ts';
import { clearAnswers } from '../query/pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from '../query/pair-query.ts';
import type { ShapeArrays } from '../shapes/records.ts';
import { PairRun } from './pair-run.ts';

/**
 * Pairs `0 .. count - 1` of a query, answered into `results`, a part at a time: each thread that runs the task takes the next part
 * that nobody has, so that none waits where pairs differ. Answers how many had to be redone.
 */
export interface PairsTask extends Task<number> {
  readonly kind: 'pairs';
  readonly shapes: ShapeArrays;
  readonly query: Omit<ResolvedPairQuery, 'poses'>;
  readonly results: PairArrays<Float64Array<ArrayBuffer>>;
  readonly count: number;
  /** Pairs of a part. */
  readonly part: number;
  /** The next part that nobody has, in memory that all threads see. */
  readonly next: Int32Array;
}

/**
 * Runs a task, on whichever thread: `results` may hold what was there before.
 *
 * @param until no part is begun after this time
 */
export function runPairs(task: PairsTask, until = Infinity): number {
  const { shapes, query, results, count, part, next } = task;
  const run = new PairRun(shapes, query, results);
  while (performance.now() < until) {
    const first = part * Atomics.add(next, 0, 1);
    if (first >= count) return run.redone;
    const end = Math.min(count, first + part);
    clearAnswers(query.kind, results, first, end);
    run.answerAll(first, end);
  }
  return run.redone;
}

/** Whether there are parts that nobody has begun. */
export function isOpen({ count, part, next }: PairsTask): boolean {
  return part * Atomics.load(next, 0) < count;
}

// The work on pairs that runs on worker threads.
import { closeParts, type PartsDone, takePart, type WorkParts } from '../../workers/parts.ts';
import type { Task } from '../../workers/worker-pool.ts';
import { clearAnswers } from '../query/pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from '../query/pair-query.ts';
import type { ShapeArrays } from '../shapes/records.ts';
import { PairRun } from './pair-run.ts';

/**
 * Pairs of a query from `first` on, answered into `results` from their start. All arrays are in memory that threads
 * share.
 */
export interface PairsTask extends Task<PairsAnswer>, WorkParts {
  readonly kind: 'pairs';
  readonly shapes: ShapeArrays;
  readonly query: ResolvedPairQuery;
  readonly results: PairArrays<Float64Array<ArrayBuffer>>;
  /** The first pair of the first part. */
  readonly first: number;
}

/** What a thread did of the pairs. */
export interface PairsAnswer extends PartsDone {
  readonly redone: number;
  /** False if the thread met a number that cannot be used: no part is begun any more. */
  readonly isSound: boolean;
}

/**
 * Runs a task, on whichever thread: `results` may hold what was there before.
 *
 * @param until no part is begun after this time
 */
export function runPairs(task: PairsTask, until = Infinity): PairsAnswer {
  const { shapes, query, results, count, part, first } = task;
  let run: PairRun | undefined;
  let done = 0;
  while (performance.now() < until) {
    const from = takePart(task);
    if (from < 0) break;
    const to = Math.min(count, from + part);
    run ??= new PairRun(shapes, query, results, first);
    clearAnswers(query.kind, results, from, to);
    if (!run.answerAll(first + from, first + to)) {
      closeParts(task);
      return { done, redone: run.redone, isSound: false };
    }
    done += to - from;
  }
  return { done, redone: run?.redone ?? 0, isSound: true };
}

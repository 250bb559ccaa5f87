// The work on pairs that runs on worker threads.
import type { Task } from '../workers/worker-pool.ts';
import { clearAnswers } from './pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from './pair-query.ts';
import { answerPairs } from './query.ts';
import type { ShapeArrays } from './records.ts';

/** Pairs `first .. end - 1` of a query, answered into `results`; answers how many had to be redone. */
export interface PairsTask extends Task<number> {
  readonly kind: 'pairs';
  readonly shapes: ShapeArrays;
  readonly query: Omit<ResolvedPairQuery, 'poses'>;
  readonly results: PairArrays<Float64Array>;
  readonly first: number;
  readonly end: number;
}

/** Runs a task, on whichever thread: `results` may hold what was there before. */
export function runPairs({ shapes, query, results, first, end }: PairsTask): number {
  clearAnswers(query.kind, results, first, end);
  return answerPairs(shapes, query, results, first, end);
}

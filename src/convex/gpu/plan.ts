/** What kernels are made for: a query without its bodies and pairs. */
import { LARGEST_FLOAT32 } from '../../constants.ts';
import { MOST_CLIPPED_POINTS, MOST_MANIFOLD_POINTS } from '../constants.ts';
import { findsDepth, reachOf } from '../query/pair-kinds.ts';
import type { PairQuestion } from '../query/pair-query.ts';
import { ANSWER, INTERSECT_RESULT, RESULT } from './pair-layout.ts';

/** What is wanted of overlapping cores; `WANTED` in the WGSL. */
export const Wanted = { status: 0, distance: 1, depth: 2 } as const;

export interface PairPlan extends Omit<PairQuestion, 'sweepRadius'> {
  /** Signed distance above which pairs are only told apart, a length; LARGEST_FLOAT32: none. */
  readonly reach: number;
  readonly wanted: (typeof Wanted)[keyof typeof Wanted];
  /** vec4 per pair of convex bodies in `results`. */
  readonly resultSize: number;
  /** Words per pair in `answers`. */
  readonly answerSize: number;
  /** Contacts that kernels have room for, per pair of convex bodies. */
  readonly contacts: number;
}

export function pairPlan(question: PairQuestion): PairPlan {
  const { kind, algorithm, tolerance, manifold } = question;
  const wanted = kind === 'intersect' ? Wanted.status : findsDepth(question) ? Wanted.depth : Wanted.distance;
  const perPair = manifold === 'clipped' ? MOST_CLIPPED_POINTS : MOST_MANIFOLD_POINTS;
  return {
    ...{ kind, algorithm, tolerance, manifold, wanted },
    reach: Math.min(reachOf(question), LARGEST_FLOAT32),
    resultSize: kind === 'intersect' ? INTERSECT_RESULT : RESULT,
    answerSize: kind === 'intersect' ? 1 : ANSWER,
    contacts: kind === 'manifold' ? perPair : 0,
  };
}

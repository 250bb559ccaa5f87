/** Scree's ways of answering about pairs, and the reference. */
import { type PairResults, queryPairs, ShapeTable } from '../../index.ts';
import { ASKED_TOLERANCE, REFERENCE_TOLERANCE } from './constants.ts';
import {
  APART,
  INTERSECTING,
  type PairAnswers,
  type PairLibrary,
  type PairSet,
  type PairWay,
  type PreparedScree,
  TOUCHING,
} from './pair-way.ts';
import type { PairQuestion } from './pairs-report.ts';
import type { Problem } from './problems.ts';

/** Of sweep SA-GJK: a fortieth of the box' side. The thesis leaves it out of its benchmark. */
const SWEEP_RADIUS = 0.05;

interface Algorithm {
  readonly name: 'auto' | 'gjk' | 'gjk-johnson' | 'sweep-gjk' | 'mpr';
  readonly label: string;
  readonly questions: readonly PairQuestion[];
}

/** The thesis asks GJK for distances, SA-GJK and MPR for intersections, and both for depths, EPA behind the former. */
const ALGORITHMS: readonly Algorithm[] = [
  { name: 'gjk', label: 'GJK and EPA', questions: ['intersect', 'penetration', 'distance'] },
  { name: 'mpr', label: 'MPR', questions: ['intersect', 'penetration', 'signed-distance'] },
  {
    name: 'gjk-johnson',
    label: 'GJK of Johnson and EPA',
    questions: ['intersect', 'penetration', 'distance'],
  },
  { name: 'sweep-gjk', label: 'sweep GJK and EPA', questions: ['penetration'] },
];

function wayOf({ name, label, questions }: Algorithm, backend: 'cpu' | 'gpu'): PairWay {
  return {
    key: `${name}-${backend}`,
    label: `${label}, ${backend.toUpperCase()}`,
    kind: 'scree',
    algorithm: name,
    precision: backend === 'cpu' ? 'float64' : 'float32',
    questions,
    fromAbove: name === 'mpr',
    ...(name === 'sweep-gjk' && { sweepRadius: SWEEP_RADIUS }),
  };
}

export interface ScreePairs extends PairLibrary {
  prepare(problem: Problem): Promise<PreparedScree>;
}

/** The CPU's float64 algorithms. */
export function screePairs(): ScreePairs {
  const ways = ALGORITHMS.map((algorithm) => wayOf(algorithm, 'cpu'));
  return {
    ways,
    prepare: async ({ a, b }) => {
      const table = new ShapeTable([a.shape, b.shape]);
      const query = (set: PairSet, kind: PairQuestion, options: object): PairResults =>
        queryPairs(table, { ...bodiesOf(set), kind, ...options });
      return {
        async ask(way, set, question, signal) {
          signal?.throwIfAborted();
          const bodies = bodiesOf(set);
          const started = performance.now();
          const results = queryPairs(table, { ...bodies, kind: question, ...optionsOf(way) });
          const seconds = (performance.now() - started) / 1000;
          return answersOf(results, seconds);
        },
        async reference(set, signal) {
          signal?.throwIfAborted();
          return query(set, 'signed-distance', { algorithm: 'gjk', tolerance: REFERENCE_TOLERANCE });
        },
        destroy() {},
      };
    },
  };
}

/** Pair i is bodies 2 i and 2 i + 1, which have the shapes 0 and 1. */
function bodiesOf({ poses, count }: PairSet) {
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  return { poses, pairs, bodies: pairs.map((i) => i % 2) };
}

function optionsOf({ algorithm, sweepRadius }: PairWay) {
  return {
    algorithm: (algorithm === 'auto' ? 'gjk' : algorithm) as 'gjk',
    tolerance: ASKED_TOLERANCE,
    ...(sweepRadius !== undefined && { sweepRadius }),
  };
}

const SEPARATED = 2;
const TOUCH = 1;

function answersOf(results: PairResults, seconds: number): PairAnswers {
  const { status, distance, iterations, redone } = results;
  const sides = new Uint8Array(status.length);
  for (let i = 0; i < sides.length; i++) {
    // A distance tells more than that a question has an answer.
    const apart = status[i] === SEPARATED || (distance.length > 0 && distance[i]! > 0);
    sides[i] = status[i] === TOUCH ? TOUCHING : apart ? APART : INTERSECTING;
  }
  return { sides, distance, calls: iterations, undecided: redone, seconds };
}

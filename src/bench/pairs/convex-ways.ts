/** Scree's ways of answering about pairs, and the reference. */
import {
  ConvexBatch,
  type ConvexResults,
  type Device,
  InputError,
  PairStatus,
  type Shape,
} from '../../index.ts';
import { unitConfigurations } from './configurations.ts';
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

type Backend = 'cpu' | 'gpu';

interface Algorithm {
  readonly name: 'auto' | 'gjk' | 'gjk-johnson' | 'sweep-gjk' | 'mpr';
  readonly label: string;
  readonly questions: readonly PairQuestion[];
}

/** The thesis asks GJK for distances, SA-GJK and MPR for intersections, and both for depths, EPA behind the former. */
const ALGORITHMS: readonly Algorithm[] = [
  { name: 'auto', label: 'auto', questions: ['intersect', 'penetration', 'signed-distance'] },
  { name: 'gjk', label: 'GJK and EPA', questions: ['intersect', 'penetration', 'distance'] },
  { name: 'mpr', label: 'MPR', questions: ['intersect', 'penetration', 'signed-distance'] },
  {
    name: 'gjk-johnson',
    label: 'GJK of Johnson and EPA',
    questions: ['intersect', 'penetration', 'distance'],
  },
  { name: 'sweep-gjk', label: 'sweep GJK and EPA', questions: ['penetration'] },
];

/** A way of scree: an algorithm on a backend, with as many threads as there are or one. */
interface ScreeWay extends PairWay {
  readonly backend: Backend;
  readonly oneThread: boolean;
}

function wayOf(
  { name, label, questions }: Algorithm,
  backend: Backend,
  { oneThread = false, wide = false } = {},
): ScreeWay {
  return {
    key: `${name}-${backend}${oneThread ? '-1' : ''}`,
    label: `${label}, ${backend.toUpperCase()}${oneThread ? ', 1 thread' : ''}`,
    kind: 'scree',
    algorithm: name,
    precision: backend === 'cpu' ? 'float64' : 'float32',
    questions,
    fromAbove: name === 'mpr',
    ...(name === 'sweep-gjk' && { sweepRadius: SWEEP_RADIUS }),
    ...{ backend, oneThread, wide },
  };
}

export interface ScreePairs extends PairLibrary {
  prepare(problem: Problem): Promise<PreparedScree>;
  /** What could not be had of the device, a sentence each. */
  readonly remarks: readonly string[];
}

/** The CPU's float64 algorithms, and of the GPU's float32 ones those that there are. */
export async function screePairs(device: Device): Promise<ScreePairs> {
  const [auto] = ALGORITHMS;
  const ways: ScreeWay[] = [
    ...ALGORITHMS.map((algorithm) => wayOf(algorithm, 'cpu')),
    wayOf(auto!, 'cpu', { oneThread: true }),
  ];
  const missing: string[] = [];
  const some = await preparedFor(device, [
    { kind: 'sphere', radius: 1 },
    { kind: 'sphere', radius: 1 },
  ]);
  try {
    const set = unitConfigurations(1, 1);
    for (const algorithm of ALGORITHMS) {
      const way = wayOf(algorithm, 'gpu', { wide: !device.adapter.software });
      const questions: PairQuestion[] = [];
      for (const question of way.questions) {
        try {
          await some.ask(way, set, question);
          questions.push(question);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          missing.push(`${algorithm.name} (${question})`);
        }
      }
      if (questions.length > 0) ways.push({ ...way, questions });
    }
  } finally {
    some.destroy();
  }
  return {
    ways,
    prepare: ({ a, b }) => preparedFor(device, [a.shape, b.shape]),
    remarks:
      missing.length === 0 ? [] : [`Not measured on the GPU, for lack of kernels: ${missing.join(', ')}.`],
  };
}

async function preparedFor(device: Device, shapes: readonly Shape[]): Promise<PreparedScree> {
  const all = await ConvexBatch.create(device, shapes);
  const single = await ConvexBatch.create(undefined, shapes, { threads: 1 });
  return {
    async ask(way, set, question, signal) {
      const { algorithm, backend, oneThread, sweepRadius } = way as ScreeWay;
      const bodies = bodiesOf(set);
      const started = performance.now();
      const results = await (oneThread ? single : all).query({
        ...bodies,
        ...{ kind: question, algorithm: algorithm as Algorithm['name'], backend, signal, sweepRadius },
        tolerance: ASKED_TOLERANCE,
      });
      return answersOf(results, (performance.now() - started) / 1000);
    },
    reference: (set, signal) =>
      all.query({
        ...bodiesOf(set),
        ...{ kind: 'signed-distance', algorithm: 'gjk', backend: 'cpu', signal },
        tolerance: REFERENCE_TOLERANCE,
      }),
    destroy() {
      all.destroy();
      single.destroy();
    },
  };
}

/** Pair i is bodies 2 i and 2 i + 1, which have the shapes 0 and 1. */
function bodiesOf({ poses, count }: PairSet) {
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  return { poses, pairs, bodies: pairs.map((i) => i % 2) };
}

function answersOf(results: ConvexResults, seconds: number): PairAnswers {
  const { status, distance, iterations, redone } = results;
  const sides = new Uint8Array(status.length);
  for (let i = 0; i < sides.length; i++) {
    // A distance tells more than that a question has an answer.
    const apart = status[i] === PairStatus.separated || (distance.length > 0 && distance[i]! > 0);
    sides[i] = status[i] === PairStatus.touching ? TOUCHING : apart ? APART : INTERSECTING;
  }
  const { gpu } = results.seconds;
  return {
    ...{ sides, distance, calls: iterations, undecided: redone, seconds },
    ...(gpu !== undefined && { gpu }),
  };
}

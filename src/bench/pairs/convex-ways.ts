/** Scree's ways of answering about pairs, and the reference. */
import {
  ConvexBatch,
  type ConvexResults,
  type Device,
  type PairAlgorithm,
  PairStatus,
  type Shape,
} from '../../index.ts';
import type { PairQuestion } from '../report.ts';
import { clocked } from '../spread.ts';
import { ASKED_TOLERANCE, COARSE_TOLERANCE, REFERENCE_TOLERANCE } from './constants.ts';
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
import type { Problem } from './problems.ts';

/** Of sweep SA-GJK: a fortieth of the box' side. The thesis leaves it out of its benchmark. */
const SWEEP_RADIUS = 0.05;

type Backend = 'cpu' | 'gpu';

interface Algorithm {
  readonly name: PairAlgorithm;
  readonly label: string;
  readonly questions: readonly PairQuestion[];
}

const AUTO: Algorithm = { name: 'auto', label: 'auto', questions: ['intersect', 'penetration', 'signed-distance'] };

/** The thesis asks GJK for distances, SA-GJK and MPR for intersections, and both for depths, EPA behind the former. */
const ALGORITHMS: readonly Algorithm[] = [
  AUTO,
  { name: 'gjk', label: 'GJK and EPA', questions: ['intersect', 'penetration', 'distance'] },
  { name: 'mpr', label: 'MPR', questions: ['intersect', 'penetration', 'signed-distance'] },
  { name: 'mpr-olvang', label: 'MPR of the thesis', questions: ['intersect', 'penetration'] },
  { name: 'gjk-johnson', label: 'GJK of Johnson and EPA', questions: ['intersect', 'penetration', 'distance'] },
  { name: 'sweep-gjk', label: 'sweep GJK and EPA', questions: ['penetration'] },
];

/** As accurate as the peer: an intersection test has no accuracy to give up. */
const COARSE: Algorithm = { name: 'auto', label: 'auto to 2^-10', questions: ['penetration', 'signed-distance'] };

/** A way of scree: an algorithm on a backend, with as many threads as there are or one. */
type ScreeWay = PairWay & { readonly tolerance: number; readonly backend: Backend; readonly oneThread: boolean };

function wayOf(
  { name, label, questions }: Algorithm,
  backend: Backend,
  { oneThread = false, coarse = false, wide = false, hasClock = false } = {},
): ScreeWay {
  return {
    key: `${name}-${backend}${oneThread ? '-1' : ''}${coarse ? '-coarse' : ''}`,
    label: `${label}, ${backend.toUpperCase()}${oneThread ? ', 1 thread' : ''}`,
    kind: 'scree',
    algorithm: name,
    precision: backend === 'cpu' ? 'float64' : 'float32',
    tolerance: coarse ? COARSE_TOLERANCE : ASKED_TOLERANCE,
    questions,
    fromAbove: name === 'mpr' || name === 'mpr-olvang',
    compared: name === 'auto',
    ...(name === 'sweep-gjk' && { sweepRadius: SWEEP_RADIUS }),
    ...{ backend, oneThread, wide, hasClock },
  };
}

export interface ScreePairs extends PairLibrary {
  prepare(problem: Problem): Promise<PreparedScree>;
}

/** The CPU's float64 algorithms and the GPU's float32 kernels. */
export function screePairs(device: Device): ScreePairs {
  const gpu = { wide: !device.adapter.software, hasClock: device.features.has('timestamp-query') };
  return {
    ways: [
      ...ALGORITHMS.map((algorithm) => wayOf(algorithm, 'cpu')),
      wayOf(AUTO, 'cpu', { oneThread: true }),
      wayOf(COARSE, 'cpu', { coarse: true }),
      ...ALGORITHMS.map((algorithm) => wayOf(algorithm, 'gpu', gpu)),
      wayOf(COARSE, 'gpu', { ...gpu, coarse: true }),
    ],
    prepare: ({ a, b }) => preparedFor(device, [a.shape, b.shape]),
  };
}

async function preparedFor(device: Device, shapes: readonly Shape[]): Promise<PreparedScree> {
  const all = await ConvexBatch.create(device, shapes);
  const single = await ConvexBatch.create(undefined, shapes, { threads: 1 });
  return {
    async ask(way, set, question, { signal, timestamps } = {}) {
      const { algorithm, backend, oneThread, sweepRadius, tolerance } = way as ScreeWay;
      const bodies = bodiesOf(set);
      const options = {
        algorithm: algorithm as Algorithm['name'],
        backend,
        signal,
        sweepRadius,
        tolerance,
        timestamps,
      };
      const batch = oneThread ? single : all;
      const { result, seconds } = await clocked(() => batch.query({ ...bodies, kind: question, ...options }));
      return { ...answersOf(result), seconds, hostBytes: bytesOf(bodies) + bytesOf(result) };
    },
    reference(set, signal) {
      const options = { algorithm: 'gjk', backend: 'cpu', tolerance: REFERENCE_TOLERANCE, signal } as const;
      return all.query({ ...bodiesOf(set), kind: 'signed-distance', ...options });
    },
    destroy: () => [all, single].forEach((batch) => void batch.destroy()),
  };
}

/** Pair i is bodies 2 i and 2 i + 1, which have the shapes 0 and 1. */
function bodiesOf({ poses, count }: PairSet) {
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  return { poses, pairs, shapes: pairs.map((i) => i % 2) };
}

function bytesOf(arrays: object): number {
  return Object.values(arrays).reduce((sum, one) => sum + (ArrayBuffer.isView(one) ? one.byteLength : 0), 0);
}

function answersOf(results: ConvexResults): Omit<PairAnswers, 'seconds'> {
  const { status, distance, iterations, redone, gpuBytes } = results;
  const sides = new Uint8Array(status.length);
  for (let i = 0; i < sides.length; i++) {
    // A distance tells more than that a question has an answer.
    const apart = status[i] === PairStatus.separated || (distance.length > 0 && distance[i]! > 0);
    sides[i] = status[i] === PairStatus.touching ? TOUCHING : apart ? APART : INTERSECTING;
  }
  const { gpu, upload, kernel, readback, redo } = results.seconds;
  return {
    ...{ sides, distance, calls: iterations, undecided: redone, gpuBytes },
    parts: { upload, kernel, readback, redo },
    ...(gpu !== undefined && { gpu }),
  };
}

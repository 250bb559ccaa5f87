/** All ways on one set of points of a body, in turns: all points, or a part where all would take too long. */
import type { TriangleMesh } from '../../index.ts';
import type { Accuracy, PointSet, RunReport } from '../report.ts';
import { clocked, type HostClock, inTurns, median, medianRatio, spread } from '../spread.ts';
import { type AnswerCheck, FlagCheck } from './check.ts';
import { OpenCheck } from './open-check.ts';
import { type Part, randomPart } from './points.ts';
import type { Ready } from './set-up.ts';
import type { Answer, CallSeconds, Way } from './way.ts';

/** Points of the first try of a way, and by how much more the next try has. */
const FIRST_TRY = 1000;
const NEXT_TRY = 8;
/** Calls that take longer are asked for GPU timestamps only once, in seconds. */
const SLOW_CALL = 0.25;

export interface SetOptions {
  /** Body and set, for messages. */
  readonly what: string;
  readonly mesh: TriangleMesh;
  /** There are no exact flags: answers are held against direct sums of a sample. */
  readonly isOpen?: boolean;
  readonly set: PointSet;
  readonly points: Float32Array;
  /** Ways of scree before a peer, so that there are flags to hold it against. */
  readonly all: readonly Ready[];
  readonly rounds: number;
  readonly sampleSize: number;
  /** Most seconds of a call; default any. The yardstick and ways set up for these points get all points in any case. */
  readonly mostCallSeconds?: number;
  /** Whether to ask for GPU timestamps, in calls of their own. */
  readonly timestamps?: boolean;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

/** What a way was asked, and what came of it. */
interface Asked {
  readonly ready: Ready;
  /** Undefined for all points. */
  readonly part: Part | undefined;
  readonly reason: string;
  readonly answers: Answer[];
  readonly total: number[];
  readonly gpu: number[];
  checked: number;
  wrong: number;
  accuracy?: Accuracy;
}

/** @throws WrongFlags if a way of scree gives a wrong flag, or a winding number beyond its bound. */
export async function measureSet(options: SetOptions): Promise<RunReport[]> {
  const { what, mesh, points, sampleSize, isOpen } = options;
  if (!isOpen) return measureWith(new FlagCheck({ what, mesh, points, sampleSize }), options);
  const check = await OpenCheck.create({ what, mesh, points, sampleSize });
  try {
    return await measureWith(check, options);
  } finally {
    check.destroy();
  }
}

async function measureWith(check: AnswerCheck, options: SetOptions): Promise<RunReport[]> {
  const { points, all, rounds, host, signal } = options;
  const asked: Asked[] = [];
  for (const ready of all) {
    const first = await choosePart(options, ready, check);
    await check.sample?.(first.part?.numbers);
    asked.push({ ready, ...first, answers: [], total: [], gpu: [], checked: 0, wrong: 0 });
  }
  await inTurns(asked, rounds, async (one) => {
    signal?.throwIfAborted();
    const { prepared } = one.ready;
    const run = await clocked(() => prepared.answer(one.part?.points ?? points, { signal }), host);
    holdAnswer(check, one, run.result);
    one.ready.gpuBytes = Math.max(one.ready.gpuBytes, run.result.gpuBytes);
    // Kept repetitions hold no flags.
    const { winding: _, ...kept } = run.result;
    one.answers.push({ ...kept, flags: undefined });
    one.total.push(run.seconds);
  });
  if (options.timestamps) for (const one of asked) await timeOnGpu(options, one, check);
  return asked.map((one) => runReport(one, asked, options));
}

/**
 * Asks a way for the first time, which also warms it up: about more and more points, until it is clear that all of them
 * take too long, or all were asked.
 */
async function choosePart(
  { points, mostCallSeconds = Infinity, host, signal }: SetOptions,
  { way, prepared }: Ready,
  check: AnswerCheck,
): Promise<Pick<Asked, 'part' | 'reason'>> {
  const count = points.length / 3;
  const ask = async (size: number) => {
    signal?.throwIfAborted();
    const part = size < count ? randomPart(points, size) : undefined;
    const { result, seconds } = await clocked(() => prepared.answer(part?.points ?? points, { signal }), host);
    if (isJudged(way) && result.flags) check.requireRight(way.label, result.flags, part?.numbers);
    return { part, seconds };
  };
  const isBound = Number.isFinite(mostCallSeconds) && !way.forPoints && way.kind !== 'yardstick';
  for (let size = isBound ? Math.min(FIRST_TRY, count) : count; ; ) {
    const { part, seconds } = await ask(size);
    if (part === undefined) return { part, reason: '' };
    const once = { size: part.numbers.length, count, seconds };
    let next = nextAsk(once, mostCallSeconds);
    if (!('size' in next)) {
      // The call may have been slow for other reasons: points are left out if a second one is slow, too.
      const again = await ask(once.size);
      next = nextAsk({ ...once, seconds: Math.min(seconds, again.seconds) }, mostCallSeconds);
    }
    if ('size' in next) {
      size = next.size;
      continue;
    }
    const expected = `about ${Number(next.expected.toPrecision(2))} s a call`;
    const reason = `all ${count} points were expected to take ${expected}; a run allows ${mostCallSeconds}`;
    return { part: randomPart(points, next.part), reason };
  }
}

/** So many points of `count` took so long. */
interface Try {
  readonly size: number;
  readonly count: number;
  readonly seconds: number;
}

/** How many points to ask next, or the part to stay with and the seconds that all points were expected to take. */
export function nextAsk(
  { size, count, seconds }: Try,
  mostSeconds: number,
): { readonly size: number } | { readonly part: number; readonly expected: number } {
  const expected = (seconds * count) / size;
  if (expected <= mostSeconds) return { size: count };
  const part = Math.max(size, Math.floor((size * mostSeconds) / seconds));
  // The last half is not worth a guess.
  if (2 * part >= count) return { size: count };
  // The fixed cost of a call weighs less in a larger try, if that takes no longer than a call may.
  if (NEXT_TRY * seconds <= mostSeconds) return { size: NEXT_TRY * size };
  return { part, expected };
}

const isJudged = ({ kind, counted }: Way) => kind === 'scree' && !counted;

function holdAnswer(check: AnswerCheck, one: Asked, { flags, winding }: Answer): void {
  const { way } = one.ready;
  const numbers = one.part?.numbers;
  if (winding) {
    one.accuracy = check.requireWithinBounds(way.label, winding, numbers);
    one.checked = winding.values.length;
  } else if (flags && isJudged(way)) {
    one.checked = check.requireRight(way.label, flags, numbers);
  } else if (flags) {
    one.checked = flags.length;
    one.wrong = Math.max(one.wrong, check.countWrong(flags, numbers));
  }
}

/** In calls of their own: what reading timestamps takes is no part of any wall time. */
async function timeOnGpu({ points, rounds, signal }: SetOptions, one: Asked, check: AnswerCheck): Promise<void> {
  const { way, prepared } = one.ready;
  if (way.kind !== 'scree') return;
  const calls = median(one.total) > SLOW_CALL ? 1 : rounds;
  for (let call = 0; call < calls; call++) {
    signal?.throwIfAborted();
    const answer = await prepared.answer(one.part?.points ?? points, { timestamps: true, signal });
    holdAnswer(check, one, answer);
    // A way on the CPU has none, and will not have.
    if (answer.gpu === undefined) return;
    one.gpu.push(answer.gpu);
  }
}

function runReport(one: Asked, asked: readonly Asked[], { set, points }: SetOptions): RunReport {
  const { answers, part, gpu, checked, wrong, reason, accuracy } = one;
  const count = points.length / 3;
  const scaleOf = (other: Asked) => (other.part === undefined ? 1 : count / other.part.numbers.length);
  /** Seconds per round of all points. */
  const totalsOf = (other: Asked) => other.total.map((seconds) => seconds * scaleOf(other));
  const [scale, total] = [scaleOf(one), totalsOf(one)];
  const ratioTo = (kind: Way['kind']) => {
    const other = asked.find(({ ready }) => ready.way.kind === kind);
    return other === undefined ? 0 : medianRatio(totalsOf(other), total);
  };
  const stage = (key: keyof CallSeconds) => spread(answers.map(({ seconds }) => scale * seconds[key]));
  const last = answers.at(-1)!;
  return {
    ...{ way: one.ready.way.key, set, points: count },
    status: part === undefined ? 'measured' : 'extrapolated',
    measuredPoints: part === undefined ? count : part.numbers.length,
    reason,
    seconds: {
      ...{ total: spread(total), upload: stage('upload'), kernel: stage('kernel') },
      ...{ readback: stage('readback'), exact: stage('exact') },
      ...(gpu.length > 0 && { gpu: spread(gpu.map((seconds) => scale * seconds)) }),
    },
    pointsPerSecond: spread(total.map((seconds) => count / seconds)),
    ...{ ratioToPeer: ratioTo('peer'), ratioToCopy: ratioTo('yardstick'), chosen: last.chosen },
    ...{ resolvedExactly: last.resolvedExactly, checked, wrong },
    gpuBytes: Math.max(...answers.map(({ gpuBytes }) => gpuBytes)),
    ...(accuracy && { accuracy }),
  };
}

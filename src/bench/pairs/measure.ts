/** All ways on the pairs of one setting: asked about all and checked; then timed in turns, about all or a part. */
import {
  PAIR_QUESTIONS,
  type PairParts,
  type PairQuestion,
  type PairRunReport,
  type PairSettingReport,
} from '../report.ts';
import { type HostClock, inTurns, median, medianRatio, spread } from '../spread.ts';
import { type Held, PairCheck } from './check.ts';
import { HIGHEST_SHARE } from './constants.ts';
import {
  firstOf,
  isOnGpu,
  type PairAnswers,
  type PairSet,
  type PairWay,
  type PreparedPairs,
  type PreparedScree,
  repeated,
} from './pair-way.ts';
import type { PairPlan } from './plans.ts';
import type { Problem } from './problems.ts';

/** A library that is ready for the shapes, with its ways. */
export interface ReadyPairs {
  readonly ways: readonly PairWay[];
  readonly prepared: PreparedPairs;
}

export interface SettingOptions {
  readonly what: string;
  readonly problem: Problem;
  readonly set: PairSet;
  readonly scree: PreparedScree;
  /** That of `scree` included, before the peer's. */
  readonly ready: readonly ReadyPairs[];
  readonly plan: PairPlan;
  /** Whether what needs many pairs to be busy is timed about `plan.manyPairs`. */
  readonly many: boolean;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

type Timing = Pick<PairRunReport, 'timedPairs' | 'seconds' | 'gpu' | 'parts' | 'pairsPerSecond' | 'ratioToPeer'>;

/** A way, what it is asked, and what came of it. */
interface Asked {
  readonly way: PairWay;
  readonly prepared: PreparedPairs;
  readonly question: PairQuestion;
  readonly counted: Omit<PairRunReport, keyof Timing>;
  readonly seconds: number[];
  readonly gpu: number[];
  readonly parts: PairParts[];
}

export type MeasuredSetting = Omit<PairSettingReport, 'probability' | 'cubeSide'>;

/** @throws WrongAnswers if an answer of scree, the reference's included, is not the right one. */
export async function measureSetting(options: SettingOptions): Promise<MeasuredSetting> {
  const { what, problem, set, scree, ready, plan, many, host, signal } = options;
  const reference = await scree.reference(set, signal);
  const check = new PairCheck({ what, problem, set, reference, depths: plan.provenDepths });
  const asked: Asked[] = [];
  for (const question of PAIR_QUESTIONS) {
    const sidesOfGjk = new Map<string, Uint8Array>();
    for (const { ways, prepared } of ready) {
      for (const way of ways) {
        if (!isAsked(plan, problem, way, question)) continue;
        const answers = await prepared.ask(way, set, question, { signal });
        const held = check.hold(way, question, answers);
        if (way.algorithm === 'gjk') sidesOfGjk.set(way.precision, answers.sides);
        const counted = countedOf(way, question, answers, held, sidesOfGjk.get(way.precision));
        asked.push({ way, prepared, question, counted, seconds: [], gpu: [], parts: [] });
      }
    }
  }
  const timed = firstOf(set, plan.timedPairs);
  const wide = many && asked.some(({ way }) => way.wide) ? repeated(set, plan.manyPairs) : set;
  const timedOf = (way: PairWay) => (way.wide ? wide : way.compared ? set : timed);
  host.collectGarbage?.();
  await inTurns(asked, plan.rounds, async ({ way, prepared, question, seconds, parts }) => {
    signal?.throwIfAborted();
    const answers = await prepared.ask(way, timedOf(way), question, { signal });
    check.hold(way, question, answers);
    seconds.push(answers.seconds);
    if (answers.parts !== undefined) parts.push(answers.parts);
  });
  // In calls of their own: what reading timestamps takes is no part of any wall time.
  for (const { way, prepared, question, gpu } of asked) {
    if (!way.hasClock) continue;
    signal?.throwIfAborted();
    const answers = await prepared.ask(way, timedOf(way), question, { signal, timestamps: true });
    check.hold(way, question, answers);
    if (answers.gpu !== undefined) gpu.push(answers.gpu);
  }
  const { intersecting, proof, means } = check;
  const runs = asked.map((one) => runOf(one, asked, timedOf));
  return { intersecting, pairs: set.count, meanDepth: means.depth, meanDistance: means.distance, proof, runs };
}

/** Whether a way is asked a question about these shapes. */
function isAsked({ onGpu }: PairPlan, { name }: Problem, way: PairWay, question: PairQuestion): boolean {
  if (!way.questions.includes(question)) return false;
  if (onGpu === undefined || !isOnGpu(way)) return true;
  return onGpu[name]?.includes(`${way.algorithm} ${question}`) ?? false;
}

function countedOf(
  way: PairWay,
  question: PairQuestion,
  { calls, undecided, sides }: PairAnswers,
  { checked, wrong, error, meanDepth, within }: Held,
  sidesOfGjk: Uint8Array | undefined,
): Asked['counted'] {
  const others = way.kind === 'scree' ? (sidesOfGjk ?? sides) : sides;
  const disagreeing = sides.reduce((count, side, i) => count + (side === others[i] ? 0 : 1), 0);
  return {
    ...{ way: way.key, question, calls: callsOf(calls), undecided, checked, wrong, disagreeing },
    ...{ error, meanDepth, within },
  };
}

/** Their mean, and that of the highest thousandth. */
export function callsOf(calls: ArrayLike<number>): PairRunReport['calls'] {
  if (calls.length === 0) return { mean: 0, highest: 0 };
  const sorted = Uint32Array.from(calls).sort();
  const mean = (values: Uint32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const most = Math.max(1, Math.round(HIGHEST_SHARE * sorted.length));
  return { mean: mean(sorted), highest: mean(sorted.subarray(sorted.length - most)) };
}

function runOf(
  { way, question, counted, seconds, gpu, parts }: Asked,
  all: readonly Asked[],
  timedOf: (way: PairWay) => PairSet,
): PairRunReport {
  const pairs = timedOf(way).count;
  const peer = all.find((one) => one.way.kind === 'peer' && one.question === question);
  const isCompared = peer !== undefined && way.kind !== 'peer';
  return {
    ...counted,
    timedPairs: pairs,
    seconds: spread(seconds),
    ...(gpu.length > 0 && { gpu: spread(gpu) }),
    ...(parts.length > 0 && { parts: medianParts(parts) }),
    pairsPerSecond: spread(seconds.map((one) => pairs / one)),
    ratioToPeer: isCompared ? (medianRatio(peer.seconds, seconds) * pairs) / timedOf(peer.way).count : 0,
  };
}

/** Each part's middle: they need not add up to that of the whole. */
export function medianParts(parts: readonly PairParts[]): PairParts {
  const of = (key: keyof PairParts) => median(parts.map((part) => part[key]));
  return { upload: of('upload'), kernel: of('kernel'), readback: of('readback'), redo: of('redo') };
}

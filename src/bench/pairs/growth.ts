/** How the time and the memory of a call grow with the number of its pairs. */

import type { PairGrowthReport, PairQuestion } from '../report.ts';
import { inTurns, spread } from '../spread.ts';
import { PairCheck } from './check.ts';
import { scaled, unitConfigurations } from './configurations.ts';
import type { ScreePairs } from './convex-ways.ts';
import { medianParts, type SettingOptions } from './measure.ts';
import { firstOf, type PairAnswers, type PreparedScree } from './pair-way.ts';
import type { GrowthPlan } from './plans.ts';

/** What a contact solver asks, of whatever answers it fastest. */
const QUESTION: PairQuestion = 'penetration';
const WAYS: readonly string[] = ['auto-cpu', 'auto-gpu'];

interface GrowthOptions extends Pick<SettingOptions, 'problem' | 'host' | 'signal'> {
  readonly scree: ScreePairs;
  readonly plan: GrowthPlan;
  readonly cubeSide: number;
  /** Of random numbers. */
  readonly seed: number;
}

/** @throws WrongAnswers if an answer of scree, the reference's included, is not the right one. */
export async function measureGrowth(options: GrowthOptions): Promise<PairGrowthReport[]> {
  const { scree, problem, plan, cubeSide, seed, host, signal } = options;
  const most = Math.max(...plan.pairs);
  const set = scaled(unitConfigurations(most, seed), cubeSide);
  // Each number has shapes of its own on the device, whose memory is then that number's.
  const prepared: PreparedScree[] = [];
  try {
    for (const _ of plan.pairs) prepared.push(await scree.prepare(problem));
    const reference = await prepared[0]!.reference(set, signal);
    const what = `${problem.label}, ${most.toLocaleString('en-US')} pairs`;
    const check = new PairCheck({ what, problem, set, reference, depths: 0 });
    const ways = scree.ways.filter(({ key }) => WAYS.includes(key));
    const sized = plan.pairs.flatMap((pairs, i) =>
      ways.map((way) => ({ way, own: firstOf(set, pairs), at: i, answers: [] as PairAnswers[] })),
    );
    const ask = async ({ way, own, at }: (typeof sized)[number]) => {
      signal?.throwIfAborted();
      const answers = await prepared[at]!.ask(way, own, QUESTION, { signal });
      check.hold(way, QUESTION, answers);
      return { ...answers, sides: new Uint8Array(0), distance: [], calls: [] };
    };
    // Kernels are compiled, and buffers made.
    for (const one of sized) await ask(one);
    host.collectGarbage?.();
    await inTurns(sized, plan.rounds, async (one) => void one.answers.push(await ask(one)));
    return sized.map(({ way, own, answers }) => ({
      ...{ shape: problem.name, way: way.key, question: QUESTION, probability: plan.probability, pairs: own.count },
      seconds: spread(answers.map(({ seconds }) => seconds)),
      parts: medianParts(answers.flatMap(({ parts = [] }) => parts)),
      ...{ hostBytes: answers[0]!.hostBytes ?? 0, gpuBytes: answers[0]!.gpuBytes ?? 0 },
    }));
  } finally {
    for (const one of prepared) one.destroy();
  }
}

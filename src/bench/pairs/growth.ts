/** How the time and the memory of a call grow with the number of its pairs. */
import { type HostClock, inTurns, spread } from '../spread.ts';
import { PairCheck } from './check.ts';
import { scaled, unitConfigurations } from './configurations.ts';
import type { ScreePairs } from './convex-ways.ts';
import { medianParts } from './measure.ts';
import { firstOf, type PairSet, type PairWay, type PreparedScree } from './pair-way.ts';
import type { PairGrowthReport, PairParts, PairQuestion } from './pairs-report.ts';
import type { GrowthPlan } from './plans.ts';
import type { Problem } from './problems.ts';

/** What a contact solver asks, of whatever answers it fastest. */
const QUESTION: PairQuestion = 'penetration';
const WAYS: readonly string[] = ['auto-cpu', 'auto-gpu'];

export interface GrowthOptions {
  readonly scree: ScreePairs;
  readonly problem: Problem;
  readonly plan: GrowthPlan;
  readonly cubeSide: number;
  /** Of random numbers. */
  readonly seed: number;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

/** A way about so many pairs. */
interface Sized {
  readonly way: PairWay;
  readonly set: PairSet;
  readonly prepared: PreparedScree;
  readonly seconds: number[];
  readonly parts: PairParts[];
  hostBytes: number;
  gpuBytes: number;
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
    const sized = plan.pairs.flatMap((pairs, i) =>
      scree.ways
        .filter(({ key }) => WAYS.includes(key))
        .map(
          (way): Sized => ({
            ...{ way, set: firstOf(set, pairs), prepared: prepared[i]!, seconds: [], parts: [] },
            ...{ hostBytes: 0, gpuBytes: 0 },
          }),
        ),
    );
    const ask = async (one: Sized) => {
      signal?.throwIfAborted();
      const answers = await one.prepared.ask(one.way, one.set, QUESTION, { signal });
      check.hold(one.way, QUESTION, answers);
      one.hostBytes = answers.hostBytes ?? 0;
      one.gpuBytes = answers.gpuBytes ?? 0;
      return answers;
    };
    // Kernels are compiled, and buffers made.
    for (const one of sized) await ask(one);
    host.collectGarbage?.();
    await inTurns(sized, plan.rounds, async (one) => {
      const { seconds, parts } = await ask(one);
      one.seconds.push(seconds);
      if (parts !== undefined) one.parts.push(parts);
    });
    return sized.map(({ way, set: own, seconds, parts, hostBytes, gpuBytes }) => ({
      ...{ shape: problem.name, way: way.key, question: QUESTION, probability: plan.probability },
      ...{ pairs: own.count, seconds: spread(seconds), parts: medianParts(parts), hostBytes, gpuBytes },
    }));
  } finally {
    for (const one of prepared) one.destroy();
  }
}

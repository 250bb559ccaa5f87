/** Suite `pairs`: the thesis' randomized benchmark, shapes one after another, each at every probability. */
import type { PairGrowthReport, PairSettingReport, PairShapeReport, PairsReport } from '../report.ts';
import type { HostClock } from '../spread.ts';
import { measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import { cubeSides, scaled, unitConfigurations } from './configurations.ts';
import { type ScreePairs, screePairs } from './convex-ways.ts';
import { measureGrowth } from './growth.ts';
import { measureSetting, type ReadyPairs } from './measure.ts';
import type { PairLibrary, PreparedScree } from './pair-way.ts';
import { type PairPlan, pairPlanOf } from './plans.ts';
import { type Problem, thesisProblems } from './problems.ts';
import { pairStatements } from './statements.ts';

const SAMPLE_SEED = 4100;
const PAIRS_SEED = 4200;
const GROWTH_SEED = 4900;

const WITHOUT_PEER = 'Rapier was not compared: install the package @dimforge/rapier3d-compat beside scree.';
const FEW_ON_GPU =
  'Pairs: each kernel ran on one combination of shapes only, as compiling takes too long for a quick run.';

/** Tests put in libraries, problems and plans of their own. */
export interface PairSuite extends Omit<RunContext, 'host'> {
  readonly host: HostClock;
  /** Undefined where its package is not installed. */
  readonly peer: PairLibrary | undefined;
  readonly scree: ScreePairs;
  readonly problems: readonly Problem[];
  readonly plan: PairPlan;
}

export async function planPairs(context: RunContext): Promise<PlannedSuite> {
  const { device, quick, host } = context;
  const peer = await host.loadPairPeer();
  const [problems, plan] = [thesisProblems(), pairPlanOf(quick, device.adapter)];
  const suite = { ...context, peer, scree: screePairs(device), problems, plan };
  return {
    steps: problems.length * (1 + plan.probabilities.length) + plan.growth.shapes.length,
    async run(step) {
      return { pairs: await runPairs(suite, step), remarks: pairRemarks(suite) };
    },
  };
}

/** What a run leaves out. */
export function pairRemarks({ plan, peer }: Pick<PairSuite, 'plan' | 'peer'>): string[] {
  return [...(plan.onGpu === undefined ? [] : [FEW_ON_GPU]), ...(peer === undefined ? [WITHOUT_PEER] : [])];
}

/** @throws WrongAnswers, a ScreeError with exit code 1, if scree is wrong; it names way, shapes and pairs. */
export async function runPairs(suite: PairSuite, step: (what: string) => Promise<void>): Promise<PairsReport> {
  const { quick, peer, scree } = suite;
  const shapes: PairShapeReport[] = [];
  const growth: PairGrowthReport[] = [];
  for (const seed of suite.problems.keys()) {
    const measured = await measureShapes(suite, seed, step);
    shapes.push(measured.report);
    growth.push(...measured.growth);
    if (!quick || seed === 0) await suite.measureCopyRate();
  }
  const ways = [...scree.ways, ...(peer?.ways ?? [])].map(({ key, label, kind, algorithm, precision, tolerance }) => ({
    ...{ key, label, kind, algorithm, precision },
    ...(tolerance !== undefined && { tolerance }),
  }));
  return { ways, shapes, growth, findings: quick ? [] : pairStatements({ ways, shapes }) };
}

/** @param seed of random numbers: the place of the problem among all */
async function measureShapes(
  { scree, plan, peer, host, signal, problems, onCase }: PairSuite,
  seed: number,
  step: (what: string) => Promise<void>,
): Promise<{ readonly report: PairShapeReport; readonly growth: readonly PairGrowthReport[] }> {
  const problem = problems[seed]!;
  const { name, label, sizes } = problem;
  await step(`${label}: how large cubes have to be`);
  signal?.throwIfAborted();
  const prepared = await scree.prepare(problem);
  const ready: ReadyPairs[] = [{ ways: scree.ways, prepared }];
  try {
    const other = await peer?.prepare(problem);
    if (peer !== undefined && other !== undefined) ready.push({ ways: peer.ways, prepared: other });
    const sides = await sidesOf(scree, prepared, plan, seed, signal);
    const settings: PairSettingReport[] = [];
    for (const [p, probability] of plan.probabilities.entries()) {
      await step(`${label}: ${plan.pairs.toLocaleString('en-US')} pairs, probability ${probability}`);
      signal?.throwIfAborted();
      const cubeSide = sides[p]!;
      const set = scaled(unitConfigurations(plan.pairs, PAIRS_SEED + 100 * seed + p), cubeSide);
      const measured = await measureSetting({
        ...{ what: `${label}, probability ${probability}`, problem, set, many: probability === plan.manyAt },
        ...{ scree: prepared, ready, plan, host, signal },
      });
      settings.push({ probability, cubeSide, ...measured });
      const ways = ready.flatMap((one) => one.ways);
      const secondsOf = (key: string) =>
        measured.runs.find(({ way, question }) => way === key && question === 'intersect')?.seconds.median;
      onCase?.(measuredCase('pairs', `${label}, probability ${probability}: do they intersect?`, ways, secondsOf));
    }
    const growth: PairGrowthReport[] = [];
    if (plan.growth.shapes.includes(name)) {
      await step(`${label}: up to ${Math.max(...plan.growth.pairs).toLocaleString('en-US')} pairs`);
      const options = { scree, problem, plan: plan.growth, cubeSide: sides.at(-1)!, host, signal };
      growth.push(...(await measureGrowth({ ...options, seed: GROWTH_SEED + seed })));
    }
    return { report: { name, label, sizes, settings }, growth };
  } finally {
    for (const one of ready) one.prepared.destroy();
  }
}

/** Sides of the cubes for the plan's probabilities, and for that of growth. */
async function sidesOf(
  { ways }: ScreePairs,
  prepared: PreparedScree,
  { probabilities, samplePairs, growth }: PairPlan,
  seed: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const way = ways.find(({ questions }) => questions.includes('intersect'))!;
  const sample = unitConfigurations(samplePairs, SAMPLE_SEED + seed);
  return cubeSides([...probabilities, growth.probability], sample, async (set) => {
    const { sides } = await prepared.ask(way, set, 'intersect', { signal });
    return sides;
  });
}

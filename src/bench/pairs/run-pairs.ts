/** Suite `pairs`: the thesis' randomized benchmark, shapes one after another, each at every probability. */
import type { AdapterSummary, Device } from '../../index.ts';
import { measureCopyRate } from '../copy.ts';
import type { HostClock } from '../spread.ts';
import { cubeSides, scaled, unitConfigurations } from './configurations.ts';
import { type ScreePairs, screePairs } from './convex-ways.ts';
import { pairFindings } from './findings.ts';
import { measureGrowth } from './growth.ts';
import { measureSetting, type ReadyPairs } from './measure.ts';
import type { PairLibrary, PairWay, PreparedScree } from './pair-way.ts';
import type {
  PairGrowthReport,
  PairSettingReport,
  PairShapeReport,
  PairsReport,
  PairWayReport,
} from './pairs-report.ts';
import { type PairPlan, pairPlanOf } from './plans.ts';
import { type Problem, thesisProblems } from './problems.ts';

const SAMPLE_SEED = 4100;
const PAIRS_SEED = 4200;
const GROWTH_SEED = 4900;
const COPY_BYTES = 1 << 20;

const WITHOUT_PEER = 'Rapier was not compared: install the package @dimforge/rapier3d-compat beside scree.';
const FEW_ON_GPU =
  'Pairs: each kernel ran on one combination of shapes only, as compiling them takes longer than a quick run is to take.';

export interface PairSuite {
  readonly device: Device;
  readonly quick: boolean;
  readonly host: HostClock;
  /** Undefined where its package is not installed. */
  readonly peer: PairLibrary | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each of the steps that `pairSteps` counts. */
  readonly step: (what: string) => Promise<void>;
  /** Others than scree's own are for tests. */
  readonly scree?: ScreePairs;
  readonly problems?: readonly Problem[];
  readonly plan?: PairPlan;
}

/** Steps, for progress: setting up, and each probability, of all combinations of shapes; growth of some. */
export function pairSteps(quick: boolean, adapter: Pick<AdapterSummary, 'software'>): number {
  const { probabilities, growth } = pairPlanOf(quick, adapter);
  return thesisProblems().length * (1 + probabilities.length) + growth.shapes.length;
}

/**
 * Measures all of it, and the rates of the copy kernel between shapes; in a quick run once.
 *
 * @throws WrongAnswers, a ScreeError with exit code 1, if an answer of scree is wrong; it names way, shapes and pairs.
 */
export async function runPairs(suite: PairSuite): Promise<{
  readonly report: PairsReport;
  readonly copyRates: number[];
  /** What was left out, a sentence each. */
  readonly remarks: readonly string[];
}> {
  const { device, quick, peer, problems = thesisProblems() } = suite;
  const scree = suite.scree ?? screePairs(device);
  const plan = suite.plan ?? pairPlanOf(quick, device.adapter);
  const shapes: PairShapeReport[] = [];
  const growth: PairGrowthReport[] = [];
  const copyRates: number[] = [];
  for (const [number, problem] of problems.entries()) {
    const measured = await measureShapes(suite, { scree, plan, problem, seed: number });
    shapes.push(measured.report);
    growth.push(...measured.growth);
    if (quick && number > 0) continue;
    const rate = await measureCopyRate(device, { runs: 1, ...(quick && { bytes: COPY_BYTES }) });
    copyRates.push(...rate.bytesPerSecond);
  }
  const ways = [...scree.ways, ...(peer?.ways ?? [])].map(wayReport);
  return {
    report: { ways, shapes, growth, findings: pairFindings({ ways, shapes }, quick) },
    copyRates,
    remarks: [
      ...(plan.onGpu === undefined ? [] : [FEW_ON_GPU]),
      ...(peer === undefined ? [WITHOUT_PEER] : []),
    ],
  };
}

function wayReport({ key, label, kind, algorithm, precision, tolerance }: PairWay): PairWayReport {
  return { key, label, kind, algorithm, precision, ...(tolerance !== undefined && { tolerance }) };
}

interface ShapeRun {
  readonly scree: ScreePairs;
  readonly plan: PairPlan;
  readonly problem: Problem;
  /** Of random numbers: its place among the problems. */
  readonly seed: number;
}

async function measureShapes(
  { peer, host, signal, step }: PairSuite,
  { scree, plan, problem, seed }: ShapeRun,
): Promise<{ readonly report: PairShapeReport; readonly growth: readonly PairGrowthReport[] }> {
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
      const { [p]: cubeSide } = sides;
      const random = PAIRS_SEED + 100 * seed + p;
      const set = scaled(unitConfigurations(plan.pairs, random), cubeSide!);
      const what = `${label}, probability ${probability}`;
      const measured = await measureSetting({
        what,
        problem,
        set,
        many: probability === plan.manyAt,
        scree: prepared,
        ready,
        plan,
        host,
        signal,
      });
      settings.push({ probability, cubeSide: cubeSide!, ...measured });
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

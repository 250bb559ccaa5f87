/** Runs suites on a device and returns their report: the same code in Node and in a browser's page. */
import { type Device, InputError, unitSphere } from '../index.ts';
import { paperFindings } from './findings.ts';
import type { BenchHost } from './host.ts';
import type { PairsReport } from './pairs/pairs-report.ts';
import { pairSteps, runPairs } from './pairs/run-pairs.ts';
import { PAPER_FOAMS, planOf, type SuitePlan } from './plans.ts';
import { makePoints, POINT_SETS, type PointSet } from './points.ts';
import {
  type BenchReport,
  BODY_SUITES,
  REPORT_VERSION,
  SUITE_NAMES,
  type SuiteName,
  type SuiteReport,
} from './report.ts';
import { runSuite, stepsOf } from './run-suite.ts';
import { spread } from './spread.ts';
import type { Way } from './way.ts';
import { insideWays, paperWays } from './ways.ts';

/** Body and points that every way is asked once before anything is timed: kernels are compiled, and engines get warm. */
const WARM_UP = { refinements: 4, perAxis: 16 } as const;
const QUICK_WARM_UP = { refinements: 1, perAxis: 4 } as const;

/** Where a run is: `done` of `total` steps, with `stage` the one that begins. */
export interface BenchProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export interface RunSuitesOptions {
  /** Stays open; it belongs to the caller. */
  readonly device: Device;
  /** In the order in which they run and are reported. */
  readonly suites: readonly SuiteName[];
  /** Small bodies and few points: whether it runs, in less than a minute on two cores. */
  readonly quick: boolean;
  readonly host: BenchHost;
  /** Stops the run between two slices of work; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called between measurements only, never while something is timed; time spent in it is no part of any figure. What it
   * promises is waited for: a page has to be drawn before kernels are timed, not beside them.
   */
  readonly onProgress?: (line: BenchProgress) => void | Promise<void>;
}

/** A suite with what it needs. */
interface Planned {
  readonly name: SuiteReport['name'];
  readonly plan: SuitePlan;
  readonly ways: readonly Way[];
  readonly sets: readonly PointSet[];
}

/**
 * Measures suites, and holds all flags against exact ones. What was left out stands in the report's `remarks`.
 *
 * @throws InputError for suites that are none.
 * @throws WrongFlags or WrongAnswers, ScreeErrors with exit code 1, if a flag or an answer of scree is not the right one; they
 *   name way, body and points, or shapes and pairs.
 * @throws DeviceError if the device is lost or out of memory.
 */
export async function runSuites(options: RunSuitesOptions): Promise<BenchReport> {
  const { device, quick, host, signal, onProgress } = options;
  const date = new Date().toISOString();
  const facts = await host.environment();
  const planned = await planSuites(options);
  const asksPairs = options.suites.includes('pairs');
  const peer = asksPairs ? await host.loadPairPeer() : undefined;
  const total =
    1 +
    planned.reduce((sum, { plan, sets }) => sum + stepsOf(plan, sets), 0) +
    (asksPairs ? pairSteps(quick, device.adapter) : 0);
  let done = 0;
  const step = async (stage: string) => onProgress?.({ stage, done: done++, total });

  await step('warming up');
  for (const { ways } of planned) await warmUp(ways, quick ? QUICK_WARM_UP : WARM_UP, signal);
  const reports: SuiteReport[] = [];
  const copyRates: number[] = [];
  for (const { name, plan, ways, sets } of planned) {
    const own = (what: string) => step(`${name}: ${what}`);
    const measured = await runSuite({ device, plan, ways, sets, quick, host, signal, step: own });
    const { bodies } = measured;
    copyRates.push(...measured.copyRates);
    reports.push({
      name,
      ways: ways.map(({ key, label, kind }) => ({ key, label, kind })),
      bodies,
      findings: name === 'paper' ? paperFindings(bodies, quick) : [],
    });
  }
  let pairs: PairsReport | undefined;
  let pairRemarks: readonly string[] = [];
  if (asksPairs) {
    const own = (what: string) => step(`pairs: ${what}`);
    const measured = await runPairs({ device, quick, host, peer, signal, step: own });
    pairs = measured.report;
    pairRemarks = measured.remarks;
    copyRates.push(...measured.copyRates);
  }
  return {
    format: 'scree-bench',
    version: REPORT_VERSION,
    date,
    commands: host.commands,
    quick,
    environment: {
      ...facts,
      adapter: device.adapter,
      timestamps: device.features.has('timestamp-query'),
    },
    copyBytesPerSecond: spread(copyRates),
    suites: reports,
    ...(pairs && { pairs }),
    remarks: [...remarksOf(planned, reports, quick), ...pairRemarks],
  };
}

async function planSuites({ device, suites, quick, host }: RunSuitesOptions): Promise<Planned[]> {
  const names = [...new Set(suites)];
  if (names.length === 0)
    throw new InputError(`suites: none found, expected some of ${SUITE_NAMES.join(', ')}`);
  const planned: Planned[] = [];
  for (const asked of names) {
    if (!SUITE_NAMES.includes(asked)) {
      throw new InputError(`suite "${asked}": expected one of ${SUITE_NAMES.join(', ')}`);
    }
    const name = BODY_SUITES.find((one) => one === asked);
    if (name === undefined) continue;
    const plan = planOf(name, quick);
    if (name === 'paper') planned.push({ name, plan, ways: paperWays(device), sets: ['grid'] });
    else planned.push({ name, plan, ways: insideWays(device, await host.loadPeer()), sets: POINT_SETS });
  }
  return planned;
}

async function warmUp(
  ways: readonly Way[],
  { refinements, perAxis }: { readonly refinements: number; readonly perAxis: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const mesh = unitSphere(refinements);
  const points = makePoints('random', mesh, perAxis);
  for (const way of ways) {
    signal?.throwIfAborted();
    const prepared = await way.prepare(mesh, points, signal);
    try {
      await prepared.answer(points, { signal });
    } finally {
      prepared.destroy();
    }
  }
}

function remarksOf(planned: readonly Planned[], reports: readonly SuiteReport[], quick: boolean): string[] {
  const inside = planned.find(({ name }) => name === 'inside');
  const paper = reports.find(({ name }) => name === 'paper');
  const remarks: string[] = [];
  if (inside && !inside.ways.some(({ kind }) => kind === 'peer')) {
    remarks.push(
      'three-mesh-bvh was not compared: install the packages three and three-mesh-bvh beside scree.',
    );
  }
  if (paper && !quick) {
    const foams = paper.bodies.filter(({ series }) => series === 'foam').map(({ triangles }) => triangles);
    const list = (counts: readonly number[]) =>
      counts.map((count) => count.toLocaleString('en-US')).join(', ');
    remarks.push(
      `Foams are of the kind of the paper's, not the same: they have ${list(foams)} triangles, the paper's ${list(PAPER_FOAMS)}.`,
    );
  }
  return remarks;
}

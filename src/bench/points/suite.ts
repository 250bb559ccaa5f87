/** A suite about points in bodies: every body, every number and set of points, all ways in turns. */
import { type Device, unitSphere } from '../../index.ts';
import type { BodyReport, Finding, PointSet, RunReport, SetUpReport } from '../report.ts';
import { spread } from '../spread.ts';
import { type BenchHost, measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import type { SuiteName } from '../suite-names.ts';
import type { BodySource } from './bodies.ts';
import { measureSet } from './measure.ts';
import { makePoints } from './points.ts';
import { type LeftOut, type Ready, SetUpForecast, setUpTotals, setUpWays } from './set-up.ts';
import type { Way } from './way.ts';

/** Bodies, points, repetitions and limits. */
export interface PointPlan {
  readonly bodies: readonly BodySource[];
  readonly sets: readonly PointSet[];
  /** Points along an axis of a set; they are asked in ascending order. */
  readonly perAxis: readonly number[];
  /** Repetitions after the warm-up. */
  readonly rounds: number;
  readonly setUpRounds: number;
  /** Points per set whose flags exact predicates decide beforehand. */
  readonly sampleSize: number;
  /** Seconds that a call may be expected to take; beyond that, a part of the points is asked. */
  readonly mostCallSeconds: number;
  /** Seconds that a set-up may be expected to take; beyond that, it is left out. */
  readonly mostSetUpSeconds: number;
}

/** What a suite about points consists of: this is all that there is to write for one. */
export interface PointSuite {
  plan(quick: boolean): PointPlan;
  ways(device: Device, host: BenchHost, quick: boolean): readonly Way[] | Promise<readonly Way[]>;
  /** Statements, not asked for in quick runs. */
  findings?(bodies: readonly BodyReport[]): Finding[];
  remarks?(bodies: readonly BodyReport[], ways: readonly Way[], quick: boolean): string[];
}

/** Body and points that every way is asked about before anything is timed, to compile kernels and warm up engines. */
const WARM_UP = { refinements: 4, perAxis: 16 } as const;
const QUICK_WARM_UP = { refinements: 1, perAxis: 4 } as const;

const NOTHING = { min: 0, median: 0, max: 0, runs: 0 } as const;

/** A suite with its ways, ready to run. */
export async function planPoints(name: SuiteName, suite: PointSuite, context: RunContext): Promise<PlannedSuite> {
  const { device, host, quick } = context;
  const plan = suite.plan(quick);
  const ways = await suite.ways(device, host, quick);
  return {
    steps: plan.bodies.reduce((sum, body) => sum + 1 + plan.perAxis.length * setsOf(plan, body).length, 0),
    warmUp: () => warmUp(ways, context),
    async run(step) {
      const bodies: BodyReport[] = [];
      const forecast = new SetUpForecast(plan.mostSetUpSeconds);
      for (const source of plan.bodies) {
        bodies.push(await measureBody({ ...context, name, step }, plan, ways, { source, forecast }));
        await context.measureCopyRate();
      }
      const findings = quick ? [] : (suite.findings?.(bodies) ?? []);
      const shown = ways.map(({ key, label, kind }) => ({ key, label, kind }));
      const remarks = suite.remarks?.(bodies, ways, quick) ?? [];
      return { suites: [{ name, ways: shown, bodies, findings }], remarks };
    },
  };
}

const setsOf = (plan: PointPlan, { only }: BodySource) => only?.sets ?? plan.sets;

async function warmUp(ways: readonly Way[], { quick, signal }: RunContext): Promise<void> {
  const { refinements, perAxis } = quick ? QUICK_WARM_UP : WARM_UP;
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

interface BodyContext extends RunContext {
  readonly name: SuiteName;
  readonly step: (what: string) => Promise<void>;
}

async function measureBody(
  { device, host, signal, onCase, name, step }: BodyContext,
  plan: PointPlan,
  all: readonly Way[],
  { source, forecast }: { readonly source: BodySource; readonly forecast: SetUpForecast },
): Promise<BodyReport> {
  const { only, isOpen = false } = source;
  const ways = all.filter(({ key }) => only?.ways.includes(key) ?? true);
  await step(`${source.name}: set-up`);
  signal?.throwIfAborted();
  const mesh = source.make();
  const setUps: SetUpReport[] = [];
  const runs: RunReport[] = [];
  const common = { mesh, rounds: plan.setUpRounds, forecast, host, signal };
  const timestamps = device.features.has('timestamp-query');
  const forAny = await setUpWays({ ...common, ways: ways.filter((way) => !way.forPoints) });
  try {
    for (const perAxis of plan.perAxis) {
      for (const set of setsOf(plan, source)) {
        await step(`${source.name}: ${perAxis}³ points, ${set}`);
        const points = makePoints(set, mesh, perAxis);
        const count = points.length / 3;
        const own = await setUpWays({ ...common, ways: ways.filter((way) => way.forPoints), points });
        try {
          const ready = [...forAny.ready, ...own.ready];
          const asked = ways.flatMap((way) => ready.filter((one) => one.way === way));
          const what = `${source.name}, ${perAxis}³ points, ${set}`;
          const found = await measureSet({
            ...plan,
            ...{ what, mesh, isOpen, set, points, all: asked, timestamps, host, signal },
          });
          const secondsOf = (key: string) => found.find(({ way }) => way === key)?.seconds.total.median;
          onCase?.(measuredCase(name, what, ways, secondsOf));
          runs.push(...found);
          runs.push(...[...forAny.leftOut, ...own.leftOut].map((one) => leftOutRun(one, set, count)));
          setUps.push(...setUpReports(own.ready, count));
        } finally {
          for (const { prepared } of own.ready) prepared.destroy();
        }
      }
    }
    setUps.push(...setUpReports(forAny.ready, 0));
    const order = new Map(ways.map(({ key }, i) => [key, i]));
    return {
      name: `${source.label ?? source.series} ${mesh.triangleCount.toLocaleString('en-US')}`,
      ...{ series: source.series, triangles: mesh.triangleCount, vertices: mesh.vertexCount },
      setUps: setUps.toSorted((a, b) => order.get(a.way)! - order.get(b.way)!),
      runs,
    };
  } finally {
    for (const { prepared } of forAny.ready) prepared.destroy();
  }
}

/** Of ways without points of their own, 0; the yardstick has no set-up. */
function setUpReports(ready: readonly Ready[], points: number): SetUpReport[] {
  return ready
    .filter(({ way }) => way.kind !== 'yardstick')
    .map((one) => {
      const names = [...new Set(one.parts.flatMap((part) => Object.keys(part)))];
      const parts = names.map((name) => [name, spread(one.parts.map((part) => part[name] ?? 0))] as const);
      return {
        ...{ way: one.way.key, points, total: spread(setUpTotals(one)) },
        parts: { check: spread(one.check), build: spread(one.build), ...Object.fromEntries(parts) },
        ...{ tableBytes: one.prepared.tableBytes, gpuBytes: one.gpuBytes, figures: one.prepared.figures },
      };
    });
}

function leftOutRun({ way, reason }: LeftOut, set: PointSet, points: number): RunReport {
  return {
    ...{ way: way.key, set, points, status: 'left-out', measuredPoints: 0, reason },
    seconds: { total: NOTHING, upload: NOTHING, kernel: NOTHING, readback: NOTHING, exact: NOTHING },
    pointsPerSecond: NOTHING,
    ...{ ratioToPeer: 0, ratioToCopy: 0, chosen: '', resolvedExactly: 0, checked: 0, wrong: 0, gpuBytes: 0 },
  };
}

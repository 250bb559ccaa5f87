/** One suite: every body, every set of points, all ways in turns. */
import type { Device } from '../index.ts';
import { BodyRecord } from './body-report.ts';
import { measureCopyRate } from './copy.ts';
import type { BenchHost } from './host.ts';
import { measureSet } from './measure-set.ts';
import type { SuitePlan } from './plans.ts';
import { makePoints, type PointSet } from './points.ts';
import type { BodyReport } from './report.ts';
import { SetUpForecast, setUpWays } from './set-up.ts';
import type { Way } from './way.ts';

/** Of the copy kernel: enough to tell a rate, on a software adapter too. */
const QUICK_COPY_BYTES = 1 << 20;

export interface SuiteRun {
  readonly device: Device;
  readonly plan: SuitePlan;
  readonly ways: readonly Way[];
  readonly sets: readonly PointSet[];
  readonly quick: boolean;
  readonly host: BenchHost;
  readonly signal?: AbortSignal | undefined;
  /** Called before each of the steps that `stepsOf` counts. */
  readonly step: (what: string) => Promise<void>;
}

/** Steps of a suite, for progress: making a body and setting up, and each of its sets of points. */
export function stepsOf({ bodies, perAxis }: SuitePlan, sets: readonly PointSet[]): number {
  return bodies.length * (1 + perAxis.length * sets.length);
}

/** Everything that is measured, and the rates of the copy kernel, taken between bodies. @throws WrongFlags */
export async function runSuite(
  run: SuiteRun,
): Promise<{ readonly bodies: BodyReport[]; readonly copyRates: number[] }> {
  const bodies: BodyReport[] = [];
  const copyRates: number[] = [];
  const forecast = new SetUpForecast(run.plan.mostSetUpSeconds);
  for (const [number] of run.plan.bodies.entries()) {
    bodies.push(await measureBody(run, number, forecast));
    const rate = await measureCopyRate(run.device, {
      runs: 1,
      ...(run.quick && { bytes: QUICK_COPY_BYTES }),
    });
    copyRates.push(...rate.bytesPerSecond);
  }
  return { bodies, copyRates };
}

async function measureBody(run: SuiteRun, number: number, forecast: SetUpForecast): Promise<BodyReport> {
  const { device, plan, ways, sets, host, signal, step } = run;
  const { rounds, setUpRounds, sampleSize, mostCallSeconds } = plan;
  const source = plan.bodies[number]!;
  await step(`${source.name}: set-up`);
  signal?.throwIfAborted();
  const mesh = source.make();
  const record = new BodyRecord(source, mesh, ways);
  const common = { mesh, rounds: setUpRounds, forecast, host, signal };
  const forAny = await setUpWays({ ...common, ways: ways.filter((way) => !way.forPoints) });
  try {
    for (const perAxis of plan.perAxis) {
      for (const set of sets) {
        await step(`${source.name}: ${perAxis}³ points, ${set}`);
        const points = makePoints(set, mesh, perAxis);
        const count = points.length / 3;
        const own = await setUpWays({ ...common, ways: ways.filter((way) => way.forPoints), points });
        try {
          const ready = [...forAny.ready, ...own.ready];
          const all = ways.flatMap((way) => ready.filter((one) => one.way === way));
          const measured = await measureSet({
            ...{ what: `${source.name}, ${perAxis}³ points, ${set}`, mesh, points, all },
            ...{ rounds, sampleSize, mostCallSeconds, host, signal },
            timestamps: device.features.has('timestamp-query'),
          });
          record.addSet(set, measured);
          record.addLeftOut(set, count, [...forAny.leftOut, ...own.leftOut]);
          record.addSetUps(own.ready, count);
        } finally {
          for (const { prepared } of own.ready) prepared.destroy();
        }
      }
    }
    record.addSetUps(forAny.ready, 0);
    return record.finish();
  } finally {
    for (const { prepared } of forAny.ready) prepared.destroy();
  }
}

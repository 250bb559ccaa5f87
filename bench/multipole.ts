/** `bench multipole`: error, speed, choice of depth and open meshes of the fast multipole method; docs/benchmarks.md. */
import { join } from 'node:path';
import { resultJson } from '../src/bench/report-json.ts';
import { type Device, openDevice } from '../src/gpu/device.ts';
import type { BenchOptions, Part } from './arguments.ts';
import { measureBandwidth } from './bandwidth.ts';
import { growingSphere, MULTIPOLE_GROWTH, makeBody, QUICK_MULTIPOLE_GROWTH } from './bodies.ts';
import { comparedWays } from './compared-ways.ts';
import { describeMachine } from './machine.ts';
import { multipoleCharts } from './multipole-charts.ts';
import { type DepthCase, type DepthStudy, studyDepth } from './multipole-depth.ts';
import { type ErrorSweep, sweepErrors } from './multipole-errors.ts';
import { measureOpen, type OpenResult } from './multipole-open.ts';
import { type MultipoleResult, multipoleTables } from './multipole-report.ts';
import { type BodySpeed, isRival, measureSpeed, type SpeedKey } from './multipole-speed.ts';
import {
  reportHead,
  reportMarkdown,
  requireMarkdownPlace,
  tableText,
  writeMarkdown,
  writeResult,
} from './output.ts';
import { float64Way } from './potential-float64.ts';
import { gpuWay } from './potential-gpu.ts';
import type { PotentialWay } from './potential-way.ts';

const SECTION = 'multipole';
const QUICK_BANDWIDTH_BYTES = 1 << 20;

/** Sizes of everything that is measured. */
interface Plan {
  /** 80^3 = 512,000 points, as in the source paper. */
  readonly pointsPerAxis: number;
  readonly exactSample: number;
  readonly mostSetUps: number;
  /** Where they are not varied. */
  readonly p: number;
  readonly d: number;
  readonly errors: {
    /** Refinements of a sphere. */
    readonly refinements: number;
    readonly degrees: readonly number[];
    readonly separations: readonly number[];
    readonly depth: number;
  };
  readonly growth: readonly number[];
  readonly depth: {
    /** Refinements of spheres, besides the foams of up to so many triangles. */
    readonly spheres: readonly number[];
    readonly mostTriangles: number;
    readonly perAxis: readonly number[];
    readonly rounds: number;
  };
  readonly open: {
    readonly refinements: number;
    readonly removed: number;
    /** Degrees and separations. */
    readonly settings: readonly { readonly p: number; readonly d: number }[];
  };
  /** Refinements of the sphere that all ways run on once before anything is timed: engines compile what is hot. */
  readonly warmUp: number | undefined;
}

const PLAN: Plan = {
  pointsPerAxis: 80,
  exactSample: 5000,
  mostSetUps: 2,
  p: 2,
  d: 1.6,
  errors: { refinements: 4, degrees: [1, 2, 3, 4, 5, 6, 7, 8], separations: [1.3, 1.6, 2], depth: 3 },
  growth: MULTIPOLE_GROWTH,
  depth: { spheres: [3, 5, 7], mostTriangles: 130_000, perAxis: [10, 40, 80], rounds: 2 },
  open: {
    refinements: 7,
    removed: 100,
    settings: [
      { p: 2, d: 1.6 },
      { p: 4, d: 1.6 },
    ],
  },
  warmUp: 4,
};
const QUICK_PLAN: Plan = {
  ...PLAN,
  pointsPerAxis: 20,
  exactSample: 500,
  mostSetUps: 1,
  errors: { refinements: 4, degrees: [1, 2, 4], separations: [2], depth: 2 },
  growth: QUICK_MULTIPOLE_GROWTH,
  depth: { spheres: [3], mostTriangles: 1000, perAxis: [10, 20], rounds: 1 },
  open: { refinements: 4, removed: 3, settings: [{ p: 2, d: 1.6 }] },
  warmUp: undefined,
};

export async function runMultipole(options: BenchOptions, args: readonly string[]): Promise<void> {
  const { out, json = join(out, 'multipole.json'), markdown } = options;
  if (markdown !== undefined) requireMarkdownPlace(markdown, SECTION);
  const result = await measure(options, args);
  const charts = multipoleCharts(result);
  writeResult(json, resultJson(result));
  for (const { file, svg } of charts) writeResult(join(out, file), svg);
  const tables = multipoleTables(result);
  if (markdown !== undefined) writeMarkdown(markdown, SECTION, reportMarkdown(result.machine, tables));
  const written = [json, ...charts.map(({ file }) => join(out, file)), ...(markdown ? [markdown] : [])];
  process.stdout.write(
    [
      ...reportHead(result.machine),
      `copy kernel ${result.bandwidth.gigabytesPerSecond.toPrecision(3)} GB/s, peak memory of the process ${Math.round(result.peakRssBytes / 2 ** 20)} MiB`,
      '',
      ...tables.map(tableText),
      ...written.map((path) => `wrote ${path}`),
      '',
    ].join('\n'),
  );
}

/** The ways to the potential that there are; the first is what depths are judged by. */
function potentialWays(device: Device): PotentialWay[] {
  return [gpuWay(device), float64Way()];
}

async function measure(options: BenchOptions, args: readonly string[]): Promise<MultipoleResult> {
  const { quick, repeat, adapter } = options;
  const plan = quick ? QUICK_PLAN : PLAN;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  say('opening the WebGPU device');
  const device = await openDevice({ adapter });
  try {
    const machine = describeMachine(device, args);
    const ways = potentialWays(device);
    const rivals = (await comparedWays(device)).filter(({ key }) => isRival(key));
    const bandwidth = await measureBandwidth(device, quick ? QUICK_BANDWIDTH_BYTES : undefined);
    const { pointsPerAxis, exactSample: sampleSize, p, d } = plan;
    const common = { ways, p, d, pointsPerAxis, sampleSize, say };
    const setUpRounds = Math.min(plan.mostSetUps, repeat);
    const speed = { ...common, device, rivals, rounds: repeat, setUpRounds };
    if (plan.warmUp !== undefined) {
      say('warming up');
      const mesh = growingSphere(plan.warmUp);
      await measureSpeed({ ...speed, name: 'warm-up', mesh, rounds: 1, setUpRounds: 2, say() {} });
    }
    const wants = (part: Part) => options.parts.includes(part);

    let errors: ErrorSweep | undefined;
    if (wants('errors')) {
      const { refinements, ...sweep } = plan.errors;
      const mesh = growingSphere(refinements);
      errors = await sweepErrors({ ...common, ...sweep, name: mesh.name, mesh });
    }
    const growth: BodySpeed[] = [];
    for (const refinements of wants('speed') && options.growth ? plan.growth : []) {
      const mesh = growingSphere(refinements);
      growth.push(await measureSpeed({ ...speed, name: mesh.name, mesh }));
    }
    const bodies: BodySpeed[] = [];
    for (const name of wants('speed') ? options.bodies : [])
      bodies.push(await measureSpeed({ ...speed, name, mesh: await makeBody(name) }));
    const depth = wants('depth') ? await studyDepths(options, plan, ways[0]!, say) : undefined;
    let open: OpenResult[] = [];
    if (wants('open')) {
      const { refinements, removed, settings } = plan.open;
      open = await measureOpen({ ...common, mesh: growingSphere(refinements), removed, settings });
    }
    const labels = [...ways, ...rivals].map(({ key, label }) => [key, label] as const);
    const direct = [
      ['direct-gpu', 'direct sum, GPU'],
      ['direct-float64', 'direct sum, float64'],
    ] as const;
    return {
      schema: 'scree-bench-multipole/1',
      machine,
      options: {
        quick,
        repeat,
        setUpRepeat: setUpRounds,
        points: pointsPerAxis ** 3,
        exactSample: sampleSize,
        p,
        d,
      },
      ways: ways.map(({ key, label, mostPoints }) => ({ key, label, mostPoints })),
      labels: Object.fromEntries([...labels, ...direct]) as Record<SpeedKey, string>,
      bandwidth,
      errors,
      bodies,
      growth,
      depth,
      open,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    };
  } finally {
    device.destroy();
  }
}

async function studyDepths(
  { bodies, growth }: BenchOptions,
  { depth, p, d }: Plan,
  way: PotentialWay,
  say: (line: string) => void,
): Promise<DepthStudy> {
  const { perAxis, rounds, mostTriangles } = depth;
  const cases: DepthCase[] = [];
  const study = { way, p, d, perAxis, rounds, say };
  for (const refinements of growth ? depth.spheres : []) {
    const mesh = growingSphere(refinements);
    cases.push(...(await studyDepth({ ...study, name: mesh.name, mesh })));
  }
  for (const name of bodies) {
    const mesh = await makeBody(name);
    if (mesh.triangleCount > mostTriangles)
      say(`${name}: no study of depths above ${mostTriangles} triangles`);
    else cases.push(...(await studyDepth({ ...study, name, mesh })));
  }
  return { way: way.key, cases };
}

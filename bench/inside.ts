/** `bench inside`: all ways, all bodies, all sets of points; see docs/benchmarks.md. */
import { join } from 'node:path';
import { POINT_SETS } from '../src/bench/points.ts';
import { resultJson } from '../src/bench/report-json.ts';
import type { Way } from '../src/bench/way.ts';
import { openDevice } from '../src/gpu/device.ts';
import type { BenchOptions } from './arguments.ts';
import { measureBandwidth } from './bandwidth.ts';
import { GROWTH, growingSphere, makeBody, QUICK_GROWTH, whyMissing } from './bodies.ts';
import { comparedWays } from './compared-ways.ts';
import { insideCharts } from './inside-charts.ts';
import { type InsideResult, insideTables } from './inside-report.ts';
import { describeMachine } from './machine.ts';
import { type BodyResult, measureBody } from './measure-body.ts';
import {
  reportHead,
  reportMarkdown,
  requireMarkdownPlace,
  tableText,
  writeMarkdown,
  writeResult,
} from './output.ts';

const SECTION = 'inside';
/** 80^3 = 512,000 points, as in the source paper. */
const POINTS_PER_AXIS = 80;
const QUICK_POINTS_PER_AXIS = 20;
const EXACT_SAMPLE = 5000;
const QUICK_EXACT_SAMPLE = 500;
const MOST_SET_UPS = 3;
const QUICK_BANDWIDTH_BYTES = 1 << 20;
/** Body and points that everything runs on once before anything is timed: engines compile what is hot. */
const WARM_UP_REFINEMENTS = 5;
const WARM_UP_POINTS_PER_AXIS = 32;

export async function runInside(options: BenchOptions, args: readonly string[]): Promise<void> {
  const { out, json = join(out, 'inside.json'), markdown } = options;
  if (markdown !== undefined) requireMarkdownPlace(markdown, SECTION);
  const result = await measure(options, args);
  const charts = insideCharts(result);
  writeResult(json, resultJson(result));
  for (const { file, svg } of charts) writeResult(join(out, file), svg);
  const tables = insideTables(result);
  if (markdown !== undefined) writeMarkdown(markdown, SECTION, reportMarkdown(result.machine, tables));
  const skipped = result.skipped.map(({ name, reason }) => `skipped ${name}: ${reason}`);
  const written = [json, ...charts.map(({ file }) => join(out, file)), ...(markdown ? [markdown] : [])];
  process.stdout.write(
    [
      ...reportHead(result.machine),
      `copy kernel ${result.bandwidth.gigabytesPerSecond.toPrecision(3)} GB/s, peak memory of the process ${Math.round(result.peakRssBytes / 2 ** 20)} MiB`,
      '',
      ...tables.map(tableText),
      ...skipped,
      ...written.map((path) => `wrote ${path}`),
      '',
    ].join('\n'),
  );
}

async function measure(options: BenchOptions, args: readonly string[]): Promise<InsideResult> {
  const { quick, repeat, adapter } = options;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const setUpRepeat = Math.min(MOST_SET_UPS, repeat);
  const pointsPerAxis = quick ? QUICK_POINTS_PER_AXIS : POINTS_PER_AXIS;
  const exactSample = quick ? QUICK_EXACT_SAMPLE : EXACT_SAMPLE;
  say('opening the WebGPU device');
  const device = await openDevice({ adapter });
  try {
    const machine = describeMachine(device, args);
    const ways = await comparedWays(device);
    const common = { ways, pointsPerAxis, rounds: repeat, setUpRounds: setUpRepeat, say };
    say('warming up');
    const firstSetUps = await setUpFirst(ways);
    if (!quick) await warmUp(ways);
    const bandwidth = await measureBandwidth(device, quick ? QUICK_BANDWIDTH_BYTES : undefined);

    const growth: BodyResult[] = [];
    for (const refinements of options.growth ? (quick ? QUICK_GROWTH : GROWTH) : []) {
      const mesh = growingSphere(refinements);
      const body = { ...common, name: mesh.name, mesh, sets: ['random'] as const, sampleSize: exactSample };
      growth.push(await measureBody(body));
    }
    const bodies: BodyResult[] = [];
    const skipped: { name: string; reason: string }[] = [];
    for (const name of options.bodies) {
      const reason = whyMissing(name);
      if (reason !== undefined) {
        say(`skipped ${name}: ${reason}`);
        skipped.push({ name, reason });
        continue;
      }
      say(`${name}: making it`);
      const mesh = await makeBody(name);
      bodies.push(await measureBody({ ...common, name, mesh, sets: POINT_SETS, sampleSize: exactSample }));
    }
    return {
      schema: 'scree-bench-inside/1',
      machine,
      options: { quick, repeat, setUpRepeat, pointsPerSet: pointsPerAxis ** 3, exactSample },
      ways: ways.map(({ key, label, kind }, i) => ({
        key,
        label,
        kind,
        firstSetUpSeconds: firstSetUps[i]!,
      })),
      bandwidth,
      bodies,
      growth,
      skipped,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    };
  } finally {
    device.destroy();
  }
}

/** Seconds until each way is ready for the smallest body: what the process pays once, kernels above all. */
async function setUpFirst(ways: readonly Way[]): Promise<number[]> {
  const mesh = growingSphere(0);
  const seconds: number[] = [];
  for (const way of ways) {
    const started = performance.now();
    (await way.prepare(mesh)).destroy();
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds;
}

async function warmUp(ways: readonly Way[]): Promise<void> {
  const mesh = growingSphere(WARM_UP_REFINEMENTS);
  await measureBody({
    name: 'warm-up',
    mesh,
    ways,
    sets: POINT_SETS,
    pointsPerAxis: WARM_UP_POINTS_PER_AXIS,
    rounds: 2,
    setUpRounds: 2,
    sampleSize: 100,
    say() {},
  });
}

/** Set-up and evaluation of one body at one degree and separation, beside the other methods, in turns. */

import { FlagCheck } from '../src/bench/check.ts';
import { makePoints } from '../src/bench/points.ts';
import type { Spread } from '../src/bench/report.ts';
import { inTurns, median, medianRatio, spread } from '../src/bench/spread.ts';
import type { Prepared, Way } from '../src/bench/way.ts';
import type { Device } from '../src/gpu/device.ts';
import { directPotential } from '../src/inside/potential/solid-angle.ts';
import { localSurface } from '../src/inside/surface.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { clocked } from './clocked.ts';
import { type Accuracy, requireAccuracy } from './potential-check.ts';
import { directOnGpu } from './potential-gpu.ts';
import {
  firstPoints,
  type PotentialKey,
  type Potentials,
  type PotentialWay,
  type PreparedPotential,
  type Stage,
  type TreeFigures,
  totalSeconds,
  treeFigures,
} from './potential-way.ts';

/** What multipole is compared with. */
export const RIVALS = [
  'cell-grid-cpu-1',
  'cell-grid-gpu',
  'ray-crossing-gpu',
  'direct-gpu',
  'direct-float64',
  'copy',
] as const;
export type Rival = (typeof RIVALS)[number];
export type SpeedKey = PotentialKey | Rival;

export const isRival = (key: string): boolean => RIVALS.some((rival) => rival === key);

/** Pairs of point and triangle that direct sums are given: a fifth of a second or so, on a software adapter too. */
const DIRECT_PAIRS = 8e6;

export interface PotentialSetUp {
  /** Medians over set-ups. */
  readonly stages: readonly Stage[];
  readonly total: Spread;
  readonly tableBytes: number;
  readonly gpuBytes: number;
}

export interface SpeedResult {
  /** Of one call. */
  readonly points: number;
  readonly pointsPerSecond: Spread;
  readonly processorSecondsPerPoint: number;
  /** How many times as fast per point as each rival, medians over rounds; for potentials only. */
  readonly ratios: Partial<Record<Rival, number>>;
  readonly accuracy: Accuracy | undefined;
}

export interface BodySpeed {
  readonly name: string;
  readonly triangles: number;
  readonly points: number;
  readonly inside: number;
  readonly boundary: number;
  /** Of every way to the potential: models differ in what costs how much. */
  readonly trees: Partial<Record<PotentialKey, TreeFigures>>;
  readonly setUp: Partial<Record<SpeedKey, PotentialSetUp>>;
  readonly ways: Partial<Record<SpeedKey, SpeedResult>>;
}

export interface SpeedOptions {
  readonly device: Device;
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly ways: readonly PotentialWay[];
  /** Those of `bench inside` that are rivals, the copy kernel among them. */
  readonly rivals: readonly Way[];
  readonly p: number;
  readonly d: number;
  readonly pointsPerAxis: number;
  readonly rounds: number;
  readonly setUpRounds: number;
  readonly sampleSize: number;
  readonly say: (line: string) => void;
}

/** Something to be timed, over the first so many points. */
interface Runner {
  readonly key: SpeedKey;
  readonly points: Float32Array;
  /** Checks its own answer, outside of the time. */
  run(points: Float32Array): Promise<() => Accuracy | undefined>;
}

/** @throws WrongFlags where a flag or a bound is wrong. */
export async function measureSpeed(options: SpeedOptions): Promise<BodySpeed> {
  const { name, mesh, say } = options;
  say(`${name}: set-up`);
  const points = makePoints('random', mesh, options.pointsPerAxis);
  const check = new FlagCheck({ what: name, mesh, points, sampleSize: options.sampleSize });
  const potentials = new Map<PotentialWay, PreparedPotential>();
  const rivals = new Map<Way, Prepared>();
  const surface = localSurface(mesh);
  const direct = await directOnGpu(options.device, mesh);
  try {
    const setUp = await setUpAll(options, points.length / 3, potentials, rivals);
    const noteGpuBytes = (key: SpeedKey, gpuBytes: number) => {
      const own = setUp[key];
      if (own !== undefined) setUp[key] = { ...own, gpuBytes: Math.max(own.gpuBytes, gpuBytes) };
    };
    say(`${name}: points`);
    const runners = [
      ...[...rivals].map(([way, prepared]) =>
        rivalRunner(way, prepared, points, check, (bytes) => noteGpuBytes(way.key as Rival, bytes)),
      ),
      directRunner('direct-gpu', name, async (asked) => direct.evaluate(asked), mesh, points, check),
      directRunner(
        'direct-float64',
        name,
        async (asked) => directPotential(surface, asked),
        mesh,
        points,
        check,
      ),
      ...[...potentials].map(([way, prepared]) => potentialRunner(name, way, prepared, points, check)),
    ];
    const ways = await timeAll(runners, options.rounds);
    for (const [way, prepared] of potentials) noteGpuBytes(way.key, prepared.gpuBytes());
    const count = (flag: number) => check.flags.reduce((sum, f) => sum + (f === flag ? 1 : 0), 0);
    return {
      name,
      triangles: mesh.triangleCount,
      points: points.length / 3,
      inside: count(1),
      boundary: count(2),
      trees: Object.fromEntries(options.ways.map((way) => [way.key, figuresOf(options, way, points)])),
      setUp,
      ways,
    };
  } finally {
    for (const prepared of [...potentials.values(), ...rivals.values(), direct]) prepared.destroy();
  }
}

async function setUpAll(
  options: SpeedOptions,
  points: number,
  potentials: Map<PotentialWay, PreparedPotential>,
  rivals: Map<Way, Prepared>,
): Promise<Partial<Record<SpeedKey, PotentialSetUp>>> {
  const { mesh, p, d, ways, setUpRounds } = options;
  const runs = new Map<SpeedKey, (readonly Stage[])[]>();
  const tableBytes = new Map<SpeedKey, number>();
  const note = (key: SpeedKey, stages: readonly Stage[], bytes: number) => {
    runs.set(key, [...(runs.get(key) ?? []), stages]);
    tableBytes.set(key, bytes);
  };
  await inTurns<PotentialWay | Way>([...ways, ...options.rivals], setUpRounds, async (way, round) => {
    // What has a limit of points is slow to set up as well.
    if ('mostPoints' in way && Number.isFinite(way.mostPoints) && round > 0) return;
    globalThis.gc?.();
    if ('mostPoints' in way) {
      potentials.get(way)?.destroy();
      const prepared = await way.prepare(mesh, { p, d, depth: 'auto', points, closed: true });
      potentials.set(way, prepared);
      note(way.key, prepared.stages, prepared.tableBytes);
    } else {
      rivals.get(way)?.destroy();
      const prepared = await way.prepare(mesh);
      rivals.set(way, prepared);
      const stages = [
        { name: 'mesh check', seconds: prepared.check },
        { name: 'build', seconds: prepared.build },
      ];
      if (way.kind !== 'yardstick') note(way.key as Rival, stages, prepared.tableBytes);
    }
  });
  return Object.fromEntries(
    [...runs].map(([key, all]) => [
      key,
      {
        stages: all[0]!.map((stage, s) => ({ ...stage, seconds: median(all.map((one) => one[s]!.seconds)) })),
        total: spread(all.map(totalSeconds)),
        tableBytes: tableBytes.get(key)!,
        gpuBytes: 0,
      },
    ]),
  );
}

function rivalRunner(
  way: Way,
  prepared: Prepared,
  points: Float32Array,
  check: FlagCheck,
  noteGpuBytes: (bytes: number) => void,
): Runner {
  return {
    key: way.key as Rival,
    points,
    async run(asked) {
      const { flags, gpuBytes } = await prepared.answer(asked);
      return () => {
        noteGpuBytes(gpuBytes);
        if (flags !== undefined) check.requireRight(way.label, flags);
        return undefined;
      };
    },
  };
}

function directRunner(
  key: 'direct-gpu' | 'direct-float64',
  name: string,
  sum: (points: Float32Array) => Promise<Potentials>,
  mesh: TriangleMesh,
  points: Float32Array,
  check: FlagCheck,
): Runner {
  return {
    key,
    points: firstPoints(points, Math.max(1, Math.ceil(DIRECT_PAIRS / mesh.triangleCount))),
    async run(asked) {
      const found = await sum(asked);
      return () => requireAccuracy(`${name}, ${key}`, found, check.flags);
    },
  };
}

function figuresOf({ mesh, p, d }: SpeedOptions, way: PotentialWay, points: Float32Array): TreeFigures {
  const trees = way.trees(mesh, { p, d, depth: 'auto', points: points.length / 3 });
  return treeFigures(trees, points);
}

function potentialRunner(
  name: string,
  way: PotentialWay,
  prepared: PreparedPotential,
  points: Float32Array,
  check: FlagCheck,
): Runner {
  return {
    key: way.key,
    points: firstPoints(points, way.mostPoints),
    async run(asked) {
      const found: Potentials = await prepared.evaluate(asked);
      return () => requireAccuracy(`${name}, ${way.label}`, found, check.flags);
    },
  };
}

/** Rivals come first, so that there are flags to hold potentials against. */
async function timeAll(
  runners: readonly Runner[],
  rounds: number,
): Promise<Partial<Record<SpeedKey, SpeedResult>>> {
  const perPoint = new Map<SpeedKey, number[]>();
  const processor = new Map<SpeedKey, number[]>();
  const accuracies = new Map<SpeedKey, Accuracy | undefined>();
  for (const { points, run } of runners) (await run(points))();
  await inTurns(runners, rounds, async ({ key, points, run }) => {
    const { result, seconds, processorSeconds } = await clocked(() => run(points));
    const count = points.length / 3;
    accuracies.set(key, result());
    perPoint.set(key, [...(perPoint.get(key) ?? []), seconds / count]);
    processor.set(key, [...(processor.get(key) ?? []), processorSeconds / count]);
  });
  const results = runners.map(({ key, points }): [SpeedKey, SpeedResult] => {
    const own = perPoint.get(key)!;
    const ratios = RIVALS.flatMap((rival) => {
      const theirs = perPoint.get(rival);
      return theirs === undefined || key === rival ? [] : [[rival, medianRatio(theirs, own)]];
    });
    return [
      key,
      {
        points: points.length / 3,
        pointsPerSecond: spread(own.map((seconds) => 1 / seconds)),
        processorSecondsPerPoint: median(processor.get(key)!),
        ratios: RIVALS.some((rival) => rival === key) ? {} : Object.fromEntries(ratios),
        accuracy: accuracies.get(key),
      },
    ];
  });
  return Object.fromEntries(results);
}

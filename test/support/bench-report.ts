/**
 * A report as `scree bench` might write it, for tests and for looking at the page. Every figure in it comes from a
 * formula below: nothing was measured, and nothing of it is shipped.
 */
import type {
  BenchReport,
  BodyReport,
  RunReport,
  SetUpReport,
  Spread,
  SuiteReport,
  WayReport,
} from '../../src/bench/report.ts';
import { COPY, FINDINGS, INSIDE_WAYS, level, PAPER_WAYS, PEER, type SyntheticWay } from './bench-ways.ts';

export interface SyntheticOptions {
  /** Two spheres and one foam, two numbers of points. */
  readonly quick?: boolean;
  readonly timestamps?: boolean;
  /** Evaluations that would take longer than so many seconds are extrapolated; those of ten times as long left out. */
  readonly longest?: number;
}

/** Between 0 and 1, always the same for the same text. */
function noise(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return (hash >>> 0) / 2 ** 32;
}

function spread(value: number, name: string, runs = 5): Spread {
  const off = 0.04 + 0.1 * noise(name);
  return { min: value * (1 - 0.6 * off), median: value, max: value * (1 + off), runs };
}
const NONE: Spread = { min: 0, median: 0, max: 0, runs: 0 };

const SLOWER = { random: 1, grid: 0.8, near: 3.5 } as const;

function run(
  way: SyntheticWay,
  body: Size,
  set: RunReport['set'],
  points: number,
  options: SyntheticOptions,
) {
  const { longest = 2, timestamps = false } = options;
  const slower = way.kind === 'scree' ? SLOWER[set] : 1;
  const name = `${way.key} ${body.name} ${set} ${points}`;
  const seconds = way.evaluate(body.triangles, points) * slower * (0.95 + 0.1 * noise(name));
  const peer = PEER.evaluate(body.triangles, points);
  const status = seconds > 10 * longest ? 'left-out' : seconds > longest ? 'extrapolated' : 'measured';
  const there = status !== 'left-out';
  const of = (share: number, part: string) =>
    there && share > 0 ? spread(share * seconds, name + part) : NONE;
  const shares = way.onGpu ? [0.12, 0.7, 0.08, 0.05] : [0, 0.93, 0, way.kind === 'scree' ? 0.03 : 0];
  const rate = (one: Spread): Spread => ({
    min: points / one.max,
    median: points / one.median,
    max: points / one.min,
    runs: one.runs,
  });
  const total = of(1, 'total');
  const report: RunReport = {
    way: way.key,
    set,
    points,
    status,
    measuredPoints: status === 'measured' ? points : there ? Math.round((points * longest) / seconds) : 0,
    reason: status === 'measured' ? '' : `it would take ${seconds.toFixed(0)} s`,
    seconds: {
      total,
      upload: of(shares[0]!, 'upload'),
      kernel: of(shares[1]!, 'kernel'),
      readback: of(shares[2]!, 'readback'),
      exact: of(shares[3]!, 'exact'),
      ...(timestamps && way.onGpu ? { gpu: of(0.6, 'gpu') } : {}),
    },
    pointsPerSecond: there ? rate(total) : NONE,
    ratioToPeer: there ? peer / seconds : 0,
    ratioToCopy: there ? COPY.evaluate(body.triangles, points) / seconds : 0,
    chosen: way.kind === 'scree' ? `${way.key}: asked for` : '',
    resolvedExactly: way.kind === 'scree' && there ? Math.round(points * 2e-4) : 0,
    checked: there && way.kind !== 'yardstick' ? points : 0,
    wrong: way.kind === 'peer' ? Math.round(points * 3e-6) : 0,
    gpuBytes: way.onGpu ? 16 * points + 90 * body.triangles : 0,
  };
  return report;
}

interface Size {
  readonly name: string;
  readonly series: BodyReport['series'];
  readonly triangles: number;
}

function setUp(way: SyntheticWay, { name, triangles }: Size, points: number): SetUpReport {
  const total = way.setUp(triangles, points || 64_000);
  const of = (share: number, part: string) => spread(share * total, `${way.key} ${name} ${part}`, 3);
  return {
    way: way.key,
    points,
    total: of(1, 'total'),
    parts: { check: of(0.25, 'check'), build: of(0.7, 'build') },
    tableBytes: Math.round((60 + 80 * noise(way.key)) * triangles),
    gpuBytes: way.onGpu ? Math.round((120 + 150 * noise(way.key)) * triangles) : 0,
    figures: way.key.startsWith('multipole')
      ? { 'finest level': level(triangles) }
      : { 'cells per axis': Math.round(8 * Math.cbrt(triangles)) },
  };
}

function body(
  size: Size,
  ways: readonly SyntheticWay[],
  sets: readonly RunReport['set'][],
  points: readonly number[],
  options: SyntheticOptions,
): BodyReport {
  return {
    ...size,
    vertices: Math.round(size.triangles / 2) + 2,
    setUps: ways
      .filter(({ kind }) => kind !== 'yardstick')
      .flatMap((way) => (way.perPoints ? points : [0]).map((m) => setUp(way, size, m))),
    runs: sets.flatMap((set) => points.flatMap((m) => ways.map((way) => run(way, size, set, m, options)))),
  };
}

const wayReports = (ways: readonly SyntheticWay[]): WayReport[] =>
  ways.map(({ key, label, kind }) => ({ key, label, kind }));

const sphere = (triangles: number): Size => ({ name: `sphere ${triangles}`, series: 'sphere', triangles });
const foam = (triangles: number): Size => ({ name: `foam ${triangles}`, series: 'foam', triangles });

export function syntheticSuites(options: SyntheticOptions = {}): SuiteReport[] {
  const { quick = false } = options;
  const levels = quick ? [2, 4] : [0, 1, 2, 3, 4, 5, 6, 7];
  const spheres = levels.map((k) => sphere(8 * 4 ** k));
  const foams = (quick ? [29_112] : [29_112, 121_340, 493_872]).map(foam);
  const grids = quick ? [1000, 8000] : [1000, 8000, 64_000, 512_000];
  const large = [
    sphere(quick ? 2048 : 131_072),
    ...foams,
    { name: 'rock', series: 'other', triangles: 20_480 } as const,
  ];
  const small = spheres.filter(({ triangles }) => triangles !== large[0]!.triangles);
  const points = [quick ? 8000 : 512_000];
  return [
    {
      name: 'paper',
      ways: wayReports(PAPER_WAYS),
      bodies: [...spheres, ...foams].map((size) => body(size, PAPER_WAYS, ['grid'], grids, options)),
      findings: FINDINGS,
    },
    {
      name: 'inside',
      ways: wayReports(INSIDE_WAYS),
      bodies: [
        ...large.map((size) => body(size, INSIDE_WAYS, ['grid', 'random', 'near'], points, options)),
        ...small.map((size) => body(size, INSIDE_WAYS, ['random'], points, options)),
      ],
      findings: [],
    },
  ];
}

export function syntheticReport(options: SyntheticOptions = {}): BenchReport {
  const { quick = false, timestamps = false } = options;
  return {
    format: 'scree-bench',
    version: 1,
    date: '2026-01-02T03:04:05.678Z',
    commands: [
      `scree bench --suite all --node${quick ? ' --quick' : ''}`,
      'scree bench --suite all --browser',
    ],
    quick,
    environment: {
      host: 'node',
      runtime: 'Node 20.0.0',
      platform: 'linux x64',
      cpu: 'Synthetic CPU',
      cores: 2,
      memoryBytes: 16e9,
      adapter: {
        vendor: 'synthetic',
        architecture: 'formula',
        device: 'no device',
        description: 'figures of this report come from formulas',
        software: true,
      },
      timestamps,
      versions: { scree: '0.0.0', webgpu: '0.0.0', 'three-mesh-bvh': '0.0.0' },
      loadBefore: 0.12,
    },
    copyBytesPerSecond: spread(2.2e9, 'copy', 25),
    suites: syntheticSuites(options),
    remarks: ['The hammer was left out: its file is not there.'],
  };
}

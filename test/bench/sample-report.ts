/** Reports made of formulas: what is found in them is known beforehand. */
import type { BenchReport, BodyReport, RunReport, SetUpReport, Spread } from '../../src/bench/report.ts';

/** Repetitions five percent around a time. */
export function around(seconds: number, runs = 3): Spread {
  return { min: 0.95 * seconds, median: seconds, max: 1.05 * seconds, runs };
}

const NOTHING: Spread = { min: 0, median: 0, max: 0, runs: 0 };

export function setUp(way: string, seconds: number, points = 0, figures = {}): SetUpReport {
  const total = around(seconds);
  const parts = { check: around(0.1 * seconds), build: around(0.9 * seconds) };
  return { way, points, total, parts, tableBytes: 1000, gpuBytes: 0, figures };
}

export function runOf(
  way: string,
  points: number,
  seconds: number,
  more: Partial<RunReport> = {},
): RunReport {
  return {
    ...{ way, set: 'grid', points, status: 'measured', measuredPoints: points, reason: '' },
    seconds: {
      ...{ total: around(seconds), kernel: around(seconds), upload: NOTHING, readback: NOTHING },
      exact: NOTHING,
    },
    pointsPerSecond: around(points / seconds),
    ...{ ratioToPeer: 0, ratioToCopy: 0.5, chosen: 'cell-grid, gpu: gpu was asked for' },
    ...{ resolvedExactly: 3, checked: 100, wrong: 0, gpuBytes: 64 },
    ...more,
  };
}

/** Seconds of set-up and call by triangles and points. */
export type Law = (triangles: number, points: number) => { setUp: number; call: number };

export function bodiesBy(
  laws: Readonly<Record<string, Law>>,
  series: 'sphere' | 'foam',
  triangles: readonly number[],
  points: readonly number[] = [1000, 8000, 64_000, 512_000],
  status: (way: string, triangles: number, points: number) => RunReport['status'] = () => 'measured',
): BodyReport[] {
  return triangles.map((n) => ({
    ...{ name: `${series} ${n}`, series, triangles: n, vertices: n / 2 + 2 },
    setUps: Object.entries(laws).flatMap(([way, law]) =>
      points.map((m) => setUp(way, law(n, m).setUp, m, { level: Math.round(Math.log2(n) / 4) })),
    ),
    runs: Object.entries(laws).flatMap(([way, law]) =>
      points.map((m) => runOf(way, m, law(n, m).call, { status: status(way, n, m) })),
    ),
  }));
}

export function sampleReport(bodies: readonly BodyReport[], more: Partial<BenchReport> = {}): BenchReport {
  const keys = [...new Set(bodies.flatMap(({ runs }) => runs.map(({ way }) => way)))];
  return {
    ...{ format: 'scree-bench', version: 1, date: '2026-01-02T03:04:05.678Z', quick: false },
    commands: ['scree bench'],
    environment: {
      ...{ host: 'node', runtime: 'Node 20.19.0', platform: 'linux x64', cpu: 'some', cores: 2 },
      ...{ memoryBytes: 2 ** 33, timestamps: false, versions: { scree: '0.1.0' }, loadBefore: 0 },
      adapter: { vendor: 'v', architecture: 'a', device: 'd', description: '', software: true },
    },
    copyBytesPerSecond: around(5e9),
    suites: [
      {
        name: 'paper',
        ways: keys.map((key) => ({ key, label: key, kind: key === 'copy' ? 'yardstick' : 'scree' })),
        bodies,
        findings: [],
      },
    ],
    remarks: [],
    ...more,
  };
}

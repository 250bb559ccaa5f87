/** Suites about single parts of scree, in one quick run on which everything is asked. */
import { beforeAll, describe, expect, it } from 'vitest';
import { resolution } from '../../src/bench/inside/resolution.ts';
import { winding } from '../../src/bench/inside/winding.ts';
import { FlagCheck } from '../../src/bench/points/check.ts';
import { OpenCheck } from '../../src/bench/points/open-check.ts';
import { makePoints } from '../../src/bench/points/points.ts';
import {
  type BenchReport,
  type BodyReport,
  parseReport,
  reportJson,
  type SuiteReport,
} from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { runSuites } from '../../src/bench/runner.ts';
import type { SuiteName } from '../../src/bench/suite-names.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { useDevice } from '../support/device.ts';
import { exactFlags } from '../support/flags.ts';

const device = useDevice();
const SUITES = ['graded', 'growth', 'stream', 'resolution', 'multipole', 'depth', 'winding'] as const;
const host = {
  environment: () => ({
    ...{ host: 'node' as const, runtime: 'Node', platform: 'linux', cpu: '', cores: 2, memoryBytes: 0 },
    ...{ versions: {}, loadBefore: -1 },
  }),
  commands: ['scree bench'],
  loadPeer: async () => undefined,
  loadPairPeer: async () => undefined,
  loadContactPeer: async () => undefined,
  loadMeshPeer: async () => undefined,
} as const;
const run = (suites: readonly SuiteName[]) => runSuites({ device: device(), suites, quick: true, host });

let report: BenchReport;
const stages: string[] = [];
beforeAll(async () => {
  const onProgress = ({ stage, done, total }: { stage: string; done: number; total: number }) => {
    expect(done).toBeLessThan(total);
    stages.push(stage);
  };
  report = await runSuites({ device: device(), suites: SUITES, quick: true, host, onProgress });
});
const suiteOf = (name: string): SuiteReport => report.suites.find((one) => one.name === name)!;
const runsOf = (name: string) => suiteOf(name).bodies.flatMap(({ runs }) => runs);

describe('suites about single parts', () => {
  it('run in their order, read back, and are on the page', () => {
    expect(report.suites.map(({ name }) => name)).toEqual(SUITES);
    expect(parseReport(reportJson(report), 'report.json').suites).toHaveLength(SUITES.length);
    const html = reportHtml(report, '');
    for (const name of SUITES) expect(html).toContain(`<h2 id="${name}">`);
    expect(new Set(stages).size).toBe(stages.length);
  });

  it('ask every way, and hold what it says', () => {
    for (const { name, ways, bodies } of report.suites) {
      const asked = (body: BodyReport) => new Set(body.runs.map(({ way }) => way)).size;
      // An open body has no exact flags, and is asked by some ways alone.
      for (const body of bodies)
        expect(asked(body), name).toBe(body.name.includes('missing') ? 5 : ways.length);
      for (const one of bodies.flatMap(({ runs }) => runs)) {
        expect(one.status === 'left-out' || one.way === 'copy' || one.checked > 0, `${name} ${one.way}`).toBe(
          true,
        );
      }
    }
  });

  it('multipole: errors are within bounds, and fall with the degree', () => {
    const accuracy = (degree: number, backend: string) =>
      runsOf('multipole').find(({ way }) => way === `multipole-p${degree}-d1.6-${backend}`)!.accuracy!;
    for (const backend of ['cpu', 'gpu']) {
      const [low, high] = [accuracy(1, backend), accuracy(2, backend)];
      expect(high.rms).toBeLessThan(low.rms);
      expect(low.worst).toBeLessThanOrEqual(low.largestBound);
      expect(low.meanBound).toBeGreaterThan(0);
    }
  });

  it('winding: tolerances are kept, and damage is counted instead of ending the run', () => {
    for (const tolerance of [0.1, 0.01, 0.001]) {
      const one = runsOf('winding').find(({ way }) => way === `winding-${tolerance}`)!;
      expect(one.accuracy!.worst).toBeLessThanOrEqual(tolerance);
    }
    for (const damage of ['missing', 'turned', 'doubled']) {
      const one = runsOf('winding').find(({ way }) => way === `winding-${damage}`)!;
      expect(one.wrong).toBeLessThan(0.01 * one.checked);
    }
  });

  it('winding: open bodies are asked, and bounds stand beside errors', () => {
    const open = suiteOf('winding').bodies.find(({ name }) => name.includes('missing'))!;
    const clusters = open.runs.find(({ way }) => way === 'clusters-0.01')!;
    const { median, percentile95 } = clusters.accuracy!.boundOverError!;
    expect(clusters.accuracy!.worst).toBeLessThanOrEqual(0.01);
    expect(median).toBeGreaterThan(1);
    expect(percentile95).toBeGreaterThan(median);
    expect(winding.findings!([{ ...open, triangles: 5e5 }]).map(({ agrees }) => agrees)).toContain('no');
  });

  it('are not judged in a quick run; else the model is held against the best of the sweep', () => {
    for (const { findings } of report.suites) expect(findings).toEqual([]);
    const [finding] = resolution.findings!(suiteOf('resolution').bodies);
    expect(finding!.measured).toMatch(/^[\d.]+ times the least of the sweep, which is at (4|8|16) cells/);
  });

  it('of no name are refused', async () => {
    await expect(run([])).rejects.toThrow('suites: none found, expected some of inside, paper, pairs');
    await expect(run(['outside' as never])).rejects.toThrow('suite "outside": expected one of inside, ');
  });
});

describe('winding numbers', () => {
  const mesh = unitSphere(3);
  const points = makePoints('random', mesh, 6);
  const flags = exactFlags(mesh, points);
  const values = Float32Array.from(flags, (flag, i) => flag + (i % 2 === 0 ? 0.25 : -0.25));
  const held = (bound: number) => {
    const check = new FlagCheck({ what: 'sphere', mesh, points, sampleSize: 0 });
    check.requireRight('flags', flags);
    return check.requireWithinBounds('way', { values, bounds: values.map(() => bound) });
  };

  it('have the errors that they have', () => {
    expect(held(0.25)).toMatchObject({ worst: 0.25, rms: 0.25, meanBound: 0.25, largestBound: 0.25 });
    // A bound of 3/4 reaches 1/2 from everywhere.
    expect([held(0.25).open < 1, held(0.75).open]).toEqual([true, 1]);
    expect(held(0.75).boundOverError).toEqual({ median: 3, percentile95: 3 });
    expect(held(0.25).boundOverError).toEqual({ median: 1, percentile95: 1 });
  });

  it('beyond their bound end the run, and so does what is no number', () => {
    expect(() => held(0.2)).toThrow(
      /^sphere: way gave point \d+ the winding number [-\d.]+, expected [01] within/,
    );
    expect(() => held(Number.NaN)).toThrow('within NaN');
  });

  it('and flags of an open body are held against direct sums', async () => {
    const open = new TriangleMesh({ positions: mesh.positions, indices: mesh.indices.slice(0, -30) });
    const check = await OpenCheck.create({ what: 'bowl', mesh: open, points, sampleSize: 200 });
    await check.sample(undefined);
    const body = await Polyhedron.create(undefined, open, { open: true });
    const right = await body.windingNumber(points, { tolerance: 1e-3 });
    const inside = Uint8Array.from(right.values, (value) => (value > 0.5 ? 1 : 0));
    expect(check.requireRight('way', inside)).toBeGreaterThan(100);
    expect(check.requireWithinBounds('way', right).worst).toBeLessThan(1e-3);
    const wrong = inside.map((flag) => 1 - flag);
    expect(() => check.requireRight('way', wrong)).toThrow(
      /^bowl: way gave \d+ wrong flags or more: point \d+ has /,
    );
    const off = right.values.map((value) => value + 2e-3);
    expect(() => check.requireWithinBounds('way', { ...right, values: off })).toThrow(/expected .* within/);
    body.destroy();
    check.destroy();
  });
});

/** Suite `dem` on the device, quickly, and its parts on bodies whose answers are known. */
import { beforeAll, describe, expect, it } from 'vitest';
import { compareReports, requireComparable } from '../../src/bench/compare.ts';
import { packedKinds } from '../../src/bench/contacts/packings.ts';
import { loadContactPeer } from '../../src/bench/contacts/rapier.ts';
import { heapOf, sceneOf, settledCell } from '../../src/bench/dem/heaps.ts';
import { hold, holdBalance } from '../../src/bench/dem/measure.ts';
import { demStatements } from '../../src/bench/dem/statements.ts';
import { type BenchReport, type DemReport, parseReport, reportJson } from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { runSuites } from '../../src/bench/runner.ts';
import { summaryOf } from '../../src/bench/summary.ts';
import { Simulation } from '../../src/index.ts';
import { useDevice } from '../support/device.ts';
import { around } from './sample-report.ts';

const device = useDevice();
const host = {
  environment: () => ({
    ...{ host: 'node' as const, runtime: 'Node', platform: 'linux', cpu: '', cores: 2, memoryBytes: 0 },
    ...{ versions: {}, loadBefore: -1 },
  }),
  commands: ['scree bench'],
  loadPeer: async () => undefined,
  loadPairPeer: async () => undefined,
  loadContactPeer,
  loadMeshPeer: async () => undefined,
} as const;
const [spheres] = packedKinds(true);

describe('a quick run', () => {
  let report: BenchReport;
  let dem: DemReport;
  beforeAll(async () => {
    report = await runSuites({ device: device(), suites: ['dem'], quick: true, host });
    dem = report.dem!;
  });

  it('moves every kind of bodies by every way, and tells where the time of a step went', () => {
    expect([...new Set(dem.packings.map(({ kind }) => kind))]).toEqual(['sphere', 'rock-80']);
    for (const { kind, runs } of dem.packings) {
      const rapier = kind === 'rock-80' ? [] : ['rapier'];
      expect(runs.map(({ way }) => way)).toEqual([
        'dem-cpu',
        'dem-cpu-1',
        'dem-gpu',
        ...rapier,
        'dem-impulses',
        'dem-gpu-impulses',
      ]);
      for (const { way, seconds, stages, contacts, ratioToPeer, ratioOfTime, timeStep, checked } of runs) {
        const isOwn = way !== 'rapier';
        const isOnGpu = way.startsWith('dem-gpu');
        const isOnCpu = isOwn && !isOnGpu;
        expect([contacts > 0, checked === 1], way).toEqual([isOwn, isOwn]);
        const ofResponse = way === 'dem-impulses' ? stages.impulses : stages.forces;
        expect([ofResponse! > 0, stages.motion! > 0, stages.steps! > 0]).toEqual([isOnCpu, isOnCpu, isOnGpu]);
        expect(Object.values(stages).reduce((sum, one) => sum + one, 0)).toBeLessThan(seconds.max);
        expect(ratioToPeer > 0).toBe(isOwn && rapier.length > 0);
        if (ratioToPeer > 0) expect(ratioOfTime).toBeCloseTo(ratioToPeer * timeStep * 60, 6);
      }
    }
  });

  it('moves them by some ways alone', async () => {
    const ways = ['dem-impulses', 'rapier'];
    const asked = await runSuites({ device: device(), suites: ['dem'], quick: true, ways, host });
    expect(asked.dem!.ways.map(({ key }) => key)).toEqual(['rapier', 'dem-impulses']);
    const runs = asked.dem!.packings.map((packing) => packing.runs.map(({ way }) => way));
    expect(runs).toEqual([['rapier', 'dem-impulses'], ['dem-impulses']]);
    expect(reportHtml(asked, '')).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });

  it('reads back, is on the page, and is compared run by run', () => {
    expect(parseReport(reportJson(report), 'report.json').dem!.packings).toHaveLength(dem.packings.length);
    const html = reportHtml(report, '');
    expect(html).toContain('<h2 id="dem">');
    expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/);
    const full = { ...report, quick: false };
    const slower = (times: number): BenchReport => {
      const packings = dem.packings.map((heap) => ({
        ...heap,
        runs: heap.runs.map((run) => ({ ...run, seconds: around(times) })),
      }));
      return { ...full, dem: { ...dem, packings } };
    };
    expect(compareReports(slower(1), slower(3)).medianRatio).toBeCloseTo(3, 9);
    expect(() => requireComparable(full, 'old', { quick: false, suites: ['pairs'] })).toThrow(
      'suite dem found',
    );
    expect(summaryOf(full).some(([, meaning]) => meaning.includes('the rate of Rapier for steps'))).toBe(
      true,
    );
  });
});

it('cells beside each other fill one box: bodies have the neighbours that they had, and touch the walls', async () => {
  const cell = await settledCell(spheres!, { count: 8, across: 2, settling: 0.6 });
  const heap = heapOf(cell, 48);
  expect(heap.box).toEqual([2 * cell.period[0], 3 * cell.period[1]]);
  const contactsOf = async (of: typeof heap) => {
    const simulation = await Simulation.create(undefined, sceneOf(spheres!, of));
    const { contacts } = simulation.monitors;
    simulation.destroy();
    return contacts;
  };
  const once = await contactsOf(heapOf(cell, 8));
  // Walls between cells are gone, so a few of the contacts are.
  const all = await contactsOf(heap);
  expect(once).toBeGreaterThan(8);
  expect(all).toBeGreaterThan(3 * once);
  expect(all).toBeLessThan(6.5 * once);
});

it('another energy than the CPU’s ends the run: any on the CPU, a hundredth on the GPU', () => {
  expect(() => hold('some: CPU, 1 thread', { backend: 'cpu' }, 2, 2 + 2 ** -50)).toThrow(
    'some: CPU, 1 thread: springs',
  );
  expect(() => hold('some', { backend: 'cpu' }, 2, 2)).not.toThrow();
  expect(() => hold('some', { backend: 'gpu' }, 2, 2.01)).not.toThrow();
  expect(() => hold('some', { backend: 'gpu' }, 2, 2.03)).toThrow(expect.objectContaining({ exitCode: 1 }));
});

it('energies by impulses that are off by more than a hundredth of what was turned over end the run', () => {
  // What a heap of spheres that settled by forces came to after three steps.
  const energies = { kinetic: 1, dashpots: -20.5, friction: 0.1, pushed: -0.1 };
  expect(() => holdBalance('some', { ...energies, balance: 4e-13 })).not.toThrow();
  expect(() => holdBalance('some', { ...energies, balance: -0.2 })).not.toThrow();
  expect(() => holdBalance('some', { ...energies, balance: -0.3 })).toThrow('some: energies are off by -0.3');
  expect(() => holdBalance('some', { ...energies, balance: 0.3 })).toThrow(
    expect.objectContaining({ exitCode: 1 }),
  );
});

it('statements hold where ratios are as wanted, differ where not, and are open where nothing was measured', () => {
  const run = (way: string, seconds: number, ratioToPeer: number, forces: number) => ({
    ...{
      way,
      setUpSeconds: 1,
      seconds: around(seconds),
      timeStep: 1,
      stages: { forces, motion: 0 },
      ratioToPeer,
    },
    ...{ ratioOfTime: 0, hostBytes: 0, gpuBytes: 0, contacts: 1, deepest: 0, speed: 0, checked: 1, wrong: 0 },
  });
  const heap = (bodies: number, seconds: number, ratio: number) => ({
    ...{ kind: 'hull', label: 'hulls', bodies, made: '' },
    runs: [
      ...[run('dem-cpu', seconds, ratio, 0.3), run('dem-gpu', 4 * seconds, ratio / 4, 0)],
      { ...run('dem-impulses', seconds, ratio, 0), ratioOfTime: ratio / 2 },
    ],
  });
  const verdicts = (packings: DemReport['packings'], software: boolean) =>
    demStatements({ ways: [], packings }, { software }).map(({ agrees }) => agrees);
  expect(verdicts([heap(1000, 1, 2), heap(10_000, 12, 1.6)], true)).toEqual(Array(6).fill('yes'));
  expect(verdicts([heap(1000, 0.5, 0.5), heap(10_000, 20, 2)], true)).toEqual(Array(6).fill('no'));
  expect(verdicts([heap(1000, 1, 2)], false)).toEqual([
    'yes',
    'not measured',
    'yes',
    'yes',
    'not measured',
    'not measured',
  ]);
});

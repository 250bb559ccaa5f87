import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../bench/arguments.ts';
import { totalOf } from '../../bench/multipole-depth.ts';
import { measureOpen, removeTriangles } from '../../bench/multipole-open.ts';
import type { MultipoleResult } from '../../bench/multipole-report.ts';
import { requireAccuracy } from '../../bench/potential-check.ts';
import { float64Way, setUpInStages } from '../../bench/potential-float64.ts';
import { type PotentialWay, treeFigures } from '../../bench/potential-way.ts';
import { WrongFlags } from '../../src/bench/check.ts';
import { makePoints } from '../../src/bench/points.ts';
import { evaluateMultipole } from '../../src/inside/multipole/evaluate.ts';
import { setUpMultipole } from '../../src/inside/multipole/reference.ts';
import { localSurface } from '../../src/inside/surface.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { exactFlags } from '../support/flags.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scree-bench-multipole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mesh = unitSphere(4);
const settings = { p: 2, d: 1.3, depth: 3, points: 1000, closed: true } as const;

describe('arguments', () => {
  it('choose bodies that wind once, growth and parts', () => {
    expect(parseArguments(['multipole', '--bodies', 'foam30k', '--parts', 'open,depth'])).toMatchObject({
      bodies: ['foam30k'],
      growth: false,
      parts: ['open', 'depth'],
      repeat: 3,
    });
    expect(parseArguments(['multipole'])).toMatchObject({
      bodies: ['foam30k', 'foam120k', 'foam490k'],
      growth: true,
      parts: ['errors', 'speed', 'depth', 'open'],
    });
  });

  it.each([
    [['multipole', '--bodies', 'sphereInBox'], '--bodies: "sphereInBox" is unknown'],
    [['multipole', '--parts', 'speeds'], '--parts: "speeds" is unknown, expected one of errors, '],
    [['inside', '--parts', 'speed'], '--parts is for multipole, not for inside'],
  ])('%j are refused', (args, message) => {
    expect(() => parseArguments(args)).toThrow(message);
  });
});

it('set-up stage by stage is the set-up of the library', () => {
  const { field, stages } = setUpInStages(mesh, settings);
  const expected = setUpMultipole(localSurface(mesh), settings);
  expect(field).toEqual(expected);
  expect(stages.map(({ name }) => name)).toContain('M2L');
});

it('figures of a tree: its near field is what a point is summed over', () => {
  const { field } = setUpInStages(mesh, { ...settings, depth: 0 });
  const points = makePoints('random', mesh, 5);
  expect(treeFigures(field, points)).toEqual({
    level: 0,
    cells: 1,
    interactions: 0,
    nearTriangles: mesh.triangleCount,
  });
  const { field: deeper } = setUpInStages(mesh, settings);
  const { level, nearTriangles } = treeFigures(deeper, points);
  expect(level).toBe(3);
  expect(nearTriangles).toBeGreaterThan(0);
  expect(nearTriangles).toBeLessThan(mesh.triangleCount / 4);
});

describe('a check of potentials', () => {
  const points = makePoints('random', mesh, 8);
  const flags = exactFlags(mesh, points);
  const potentials = () => {
    const { values, bounds } = evaluateMultipole(setUpInStages(mesh, settings).field, points);
    return { values: values.slice(), bounds: bounds.slice() };
  };

  it('sums up errors, bounds and doubtful points', () => {
    const found = potentials();
    const accuracy = requireAccuracy('sphere', found, flags);
    const errors = [...found.values].map((value, i) => Math.abs(value - flags[i]!));
    expect(accuracy.points).toBe(512);
    expect(accuracy.largestError).toBe(Math.max(...errors));
    expect([accuracy.turns, accuracy.smallError]).toEqual([0, accuracy.largestError]);
    expect(accuracy.rmsError).toBeCloseTo(Math.hypot(...errors) / Math.sqrt(512), 12);
    expect(accuracy.largestBound).toBe(Math.max(...found.bounds));
    expect(accuracy.doubtful).toBeLessThan(0.1);
    found.values[9] = 1 - flags[9]!;
    found.bounds[9] = 1.5;
    const turned = requireAccuracy('sphere', found, flags);
    expect([turned.turns, turned.largestError]).toEqual([1, 1]);
    expect(turned.smallError).toBeLessThan(0.1);
  });

  it('ends at a value outside of its bound, NaN among them', () => {
    const i = 17;
    for (const broken of [Number.NaN, flags[i]! + 0.1]) {
      const found = potentials();
      found.values[i] = broken;
      found.bounds[i] = 0.05;
      expect(() => requireAccuracy('sphere', found, flags)).toThrow(WrongFlags);
      expect(() => requireAccuracy('sphere', found, flags)).toThrow(/^sphere.*point 17 /);
    }
  });

  it('ends at a certain flag that is wrong', () => {
    const found = potentials();
    found.values[3] = 1 - flags[3]!;
    found.bounds[3] = 0.01;
    expect(() => requireAccuracy('sphere', found, flags)).toThrow(/^sphere: point 3 has the flag/);
  });
});

describe('holes', () => {
  const open = (ways: readonly PotentialWay[]) =>
    measureOpen({
      mesh,
      removed: 5,
      ways,
      settings: [{ p: 4, d: 1.6 }],
      pointsPerAxis: 12,
      sampleSize: 100,
      say() {},
    });

  it('are what has been removed', () => {
    const { open: left, lost } = removeTriangles(mesh, 5);
    expect([left.triangleCount, lost.triangleCount]).toEqual([2043, 5]);
    const keys = ({ indices }: typeof mesh) =>
      Array.from({ length: indices.length / 3 }, (_, t) => indices.slice(3 * t, 3 * t + 3).join());
    expect([...keys(left), ...keys(lost)].sort()).toEqual(keys(mesh).sort());
  });

  it('are judged by the exact potential of the open mesh', async () => {
    const [result] = await open([float64Way()]);
    expect(result).toMatchObject({ removed: 5, points: 1728, changed: 0, misplaced: 0, leftOut: 0 });
    // Far above the error of a potential that is compared with the right one, far below the angle of a hole.
    expect(result!.largestError).toBeLessThan(5e-3);
  });

  it('that a way does not see are found out', async () => {
    const blind: PotentialWay = {
      ...float64Way(),
      prepare: (_, wanted) => float64Way().prepare(mesh, wanted),
    };
    await expect(open([blind])).rejects.toThrow(WrongFlags);
  });
});

it('a run writes what docs/benchmarks.md describes', () => {
  const page = join(folder, 'page.md');
  writeFileSync(page, 'before\n<!-- bench:multipole -->\nold\n<!-- /bench:multipole -->\nafter\n');
  const out = join(folder, 'out');
  const script = join(root, 'scripts/bench.mjs');
  const args = ['multipole', '--quick', '--repeat', '1', '--out', out, '--markdown', page];
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/flags changed/);

  const result: MultipoleResult = JSON.parse(readFileSync(join(out, 'multipole.json'), 'utf8'));
  expect(result).toMatchObject({
    schema: 'scree-bench-multipole/1',
    options: { quick: true, repeat: 1, points: 8000, p: 2 },
  });
  const keys = result.ways.map(({ key }) => key);
  const { rows } = result.errors!;
  expect(rows).toHaveLength(3 * keys.length);
  for (const { accuracy } of rows) {
    expect(accuracy.largestError).toBeLessThanOrEqual(accuracy.largestBound);
    expect(accuracy.rmsError).toBeLessThanOrEqual(accuracy.largestError);
  }
  // Higher degrees err less.
  const errorOf = (p: number) => rows.find((row) => row.p === p && row.d === 2)!.accuracy.rmsError;
  expect(errorOf(4)).toBeLessThan(errorOf(1) / 10);

  expect(result.growth.map(({ triangles }) => triangles)).toEqual([512]);
  expect(result.bodies.map(({ name }) => name)).toEqual(['sphere2k', 'foam8k']);
  for (const body of result.bodies) {
    for (const key of keys) {
      const { ratios, accuracy, pointsPerSecond } = body.ways[key]!;
      expect(Object.keys(ratios)).toEqual([
        'cell-grid-cpu-1',
        'cell-grid-gpu',
        'ray-crossing-gpu',
        'direct-gpu',
        'direct-float64',
        'copy',
      ]);
      for (const ratio of Object.values(ratios)) expect(ratio).toBeGreaterThan(0);
      expect(pointsPerSecond.median).toBeGreaterThan(0);
      expect(accuracy!.doubtful).toBeLessThan(0.5);
      const { stages, total, tableBytes } = body.setUp[key]!;
      expect(stages.length).toBeGreaterThan(2);
      expect(total.median).toBeGreaterThan(0);
      expect(tableBytes).toBeGreaterThan(0);
    }
    expect(body.ways['direct-float64']!.accuracy!.largestError).toBeLessThan(1e-9);
  }

  for (const { trials, best, autoOverBest } of result.depth!.cases) {
    const totals = trials.filter(({ depth }) => typeof depth === 'number').map(totalOf);
    const chosen = trials.find(({ depth }) => depth === best)!;
    // The JSON has six digits.
    expect(totalOf(chosen) / Math.min(...totals)).toBeCloseTo(1, 4);
    expect(trials.map(({ depth }) => depth)).toEqual(
      expect.arrayContaining(['auto', 'well-chosen', 'pre-chosen']),
    );
    expect(autoOverBest / (totalOf(trials[0]!) / totalOf(chosen))).toBeCloseTo(1, 3);
  }
  for (const { changed, misplaced } of result.open) expect([changed, misplaced]).toEqual([0, 0]);
  for (const chart of ['error', 'growth', 'set-up', 'points']) {
    const svg = readFileSync(join(out, `multipole-${chart}.svg`), 'utf8');
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(svg).not.toMatch(/NaN|undefined/);
  }
  const marked = readFileSync(page, 'utf8');
  expect(marked).toMatch(/^before\n<!-- bench:multipole -->\n[\s\S]*\| foam8k \|[\s\S]*after\n$/);
  expect(marked).not.toContain('old');
});

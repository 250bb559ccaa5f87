import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../bench/arguments.ts';
import { InputError } from '../../src/errors.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'scree-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bench(...args: string[]) {
  const script = join(root, 'scripts/bench.mjs');
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('arguments', () => {
  it.each([
    [[], 'command is missing, expected one of inside, resolution, multipole, pairs-cpu'],
    [['outside'], 'command "outside" is unknown'],
    [['inside', '--quikc'], "Unknown option '--quikc'"],
    [['inside', 'more'], 'unexpected argument "more"'],
    [['inside', '--repeat', '0'], '--repeat is "0", expected a whole number from 1 to 1000'],
    [['inside', '--bodies', 'sphere,cube'], '--bodies: "cube" is unknown, expected one of sphere, '],
    [['resolution', '--body', 'growth'], '"growth" is unknown'],
    [['pairs-cpu', '--body', 'sphere2k'], '--bodies is not for pairs-cpu'],
    [['inside', '--adapter', 'fast'], '--adapter "fast" is unknown'],
    [['inside', '--out'], "Option '--out <value>' argument missing"],
  ])('%j are refused in one line', (args, message) => {
    const parse = () => parseArguments(args);
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow('\n');
  });

  it('choose bodies and repetitions', () => {
    expect(parseArguments(['inside', '--bodies', 'foam30k,growth', '--repeat', '7'])).toMatchObject({
      bodies: ['foam30k'],
      growth: true,
      repeat: 7,
    });
    expect(parseArguments(['resolution', '--body', 'foam120k'])).toMatchObject({
      bodies: ['foam120k'],
      growth: false,
    });
    expect(parseArguments(['inside', '--help'])).toBeUndefined();
  });
});

describe('a run', () => {
  it('with bad usage says so in one line on standard error and exits with 2', () => {
    const { status, stdout, stderr } = bench('inside', '--bodies', 'cube');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^bench: --bodies: "cube" is unknown[^\n]*\n$/);
  });

  it('writes what docs/benchmarks.md describes', () => {
    const page = join(folder, 'page.md');
    writeFileSync(page, 'before\n<!-- bench:inside -->\nold\n<!-- /bench:inside -->\nafter\n');
    const out = join(folder, 'out');
    const args = ['inside', '--quick', '--repeat', '1', '--bodies', 'foam8k,growth', '--out', out];
    const { status, stdout, stderr } = bench(...args, '--markdown', page);
    expect(stderr).toContain('foam8k: near');
    expect(status).toBe(0);
    expect(stdout).toMatch(/cell grid, CPU .* three-mesh-bvh, CPU /s);

    const result = readJson(join(out, 'inside.json'));
    expect(result).toMatchObject({
      schema: 'scree-bench-inside/1',
      machine: {
        cpu: expect.any(String),
        cores: expect.any(Number),
        node: process.versions.node,
        adapter: { vendor: expect.any(String), software: expect.any(Boolean) },
        versions: { scree: expect.stringMatching(/^\d/), 'three-mesh-bvh': expect.stringMatching(/^\d/) },
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        command: expect.stringMatching(/^npm run bench -- inside --quick /),
      },
      options: { quick: true, repeat: 1, pointsPerSet: 8000 },
      skipped: [],
    });
    expect(result.bandwidth.gigabytesPerSecond).toBeGreaterThan(0);
    expect(result.peakRssBytes).toBeGreaterThan(1e7);
    expect(result.bodies.map(({ name }: { name: string }) => name)).toEqual(['foam8k']);
    expect(result.growth.map(({ triangles }: { triangles: number }) => triangles)).toEqual([8, 128]);

    const keys = result.ways.map(({ key }: { key: string }) => key);
    const [body] = result.bodies;
    expect(body.sets.map(({ name }: { name: string }) => name)).toEqual(['grid', 'random', 'near']);
    for (const set of body.sets) {
      expect(Object.keys(set.ways)).toEqual(keys);
      expect(set.exactSample).toBeGreaterThan(400);
      for (const key of keys) {
        const way = set.ways[key];
        expect(way.pointsPerSecond).toEqual({
          min: expect.any(Number),
          median: expect.any(Number),
          max: expect.any(Number),
          runs: 1,
        });
        expect(way.ratioToPeer).toBeGreaterThan(0);
        expect(way.ratioToCopy).toBeGreaterThan(0);
        expect(Object.keys(way.seconds)).toEqual(['upload', 'kernel', 'readback', 'exact', 'total']);
        if (key !== 'three-mesh-bvh') expect(way.wrong).toBe(0);
      }
    }
    const peer = body.setUp['three-mesh-bvh'];
    expect(peer.ratioToPeer).toBe(1);
    expect(peer.tableBytes).toBeGreaterThan(0);
    expect(body.setUp['cell-grid-gpu'].gpuBytes).toBeGreaterThan(0);
    expect(body.setUp.copy).toBeUndefined();

    for (const chart of ['inside-speed.svg', 'inside-growth.svg', 'inside-set-up.svg']) {
      expect(readFileSync(join(out, chart), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    }
    const marked = readFileSync(page, 'utf8');
    expect(marked).toMatch(
      /^before\n<!-- bench:inside -->\n[\s\S]*\| foam8k \|[\s\S]*<!-- \/bench:inside -->\nafter\n$/,
    );
    expect(marked).not.toContain('old');
  });

  it('of the resolution names the choice of the model and the best', () => {
    const json = join(folder, 'sweep.json');
    const args = ['resolution', '--quick', '--repeat', '1', '--body', 'sphere2k', '--out', folder];
    const { status, stdout } = bench(...args, '--json', json);
    expect(status).toBe(0);
    expect(stdout).toContain('PAIR_COST');
    const [body] = readJson(json).bodies;
    const cells = body.steps.map(({ cellsPerAxis }: { cellsPerAxis: number }) => cellsPerAxis);
    expect(cells).toContain(body.chosen);
    expect(cells).toContain(body.best);
    expect(body.lossPercent).toBeGreaterThanOrEqual(0);
    expect(existsSync(join(folder, 'resolution.svg'))).toBe(true);
  });

  it('of convex pairs measures both algorithms on all shapes', () => {
    const json = join(folder, 'pairs.json');
    const { status } = bench('pairs-cpu', '--quick', '--repeat', '1', '--json', json);
    expect(status).toBe(0);
    const { rows } = readJson(json);
    expect(rows).toHaveLength(6 * 2 * 2);
    for (const row of rows) expect(row.pairsPerSecond).toBeGreaterThan(0);
    const calls = (shapes: string, algorithm: string) =>
      rows.find(
        (row: { shapes: string; algorithm: string }) => row.shapes === shapes && row.algorithm === algorithm,
      ).supportCalls;
    expect(calls('box', 'auto')).toBeLessThan(calls('box', 'gjk'));
  });

  it('refuses to write into a page without marks, before anything is measured', () => {
    const page = join(folder, 'unmarked.md');
    writeFileSync(page, 'text\n');
    const { status, stderr } = bench('inside', '--quick', '--markdown', page);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^bench: .*unmarked\.md: no lines <!-- bench:inside --> [^\n]*\n$/);
    expect(readFileSync(page, 'utf8')).toBe('text\n');
  });
});

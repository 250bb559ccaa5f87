import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseNpy } from '../../src/io/npy.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const example = resolve(import.meta.dirname, '../../docs/pairs-example.json');
copyFileSync(example, join(folder, 'example.json'));
const run = (...args: string[]) => scree(['pairs', ...args, '--quiet'], { cwd: folder });
const onCpu = (...args: string[]) => run(...args, '--backend', 'cpu');

function write(name: string, scene: unknown): string {
  writeFileSync(join(folder, name), typeof scene === 'string' ? scene : JSON.stringify(scene));
  return name;
}
const read = (name: string) => readFileSync(join(folder, name));

describe('scree pairs, with the scene of the docs', () => {
  it('summarizes: counts, least distance, deepest pairs, what was used', async () => {
    const { code, stdout, stderr } = await run('example.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^example\.json\n\npairs +15\n {2}converged +13 +86\.7 %\n {2}touching +2 +13\.3 %\n/,
    );
    expect(stdout).toMatch(
      /\ndeepest pairs +depth +normal\n {2}floor, crate A +0\.01 +0\.0000 0\.0000 1\.0000\n/,
    );
    expect(stdout).toMatch(
      /\nleast distance +-0\.01 \(floor, crate A\)\nkind +signed-distance\nalgorithm +auto, tolerance/,
    );
    expect(stdout).toMatch(/\nbackend +cpu\nbecause +the adapter is software/);
  });

  it('--json: one object, the same on any number of threads', async () => {
    const objects = [];
    for (const threads of ['1', '2']) {
      const { code, stdout, stderr } = await onCpu(
        'example.json',
        '--json',
        '--kind',
        'manifold',
        '--threads',
        threads,
      );
      expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 });
      const { seconds, peakMemoryBytes, threads: used, ...rest } = JSON.parse(stdout);
      expect(Object.keys(seconds)).toEqual([
        'read',
        'open',
        'build',
        'upload',
        'kernel',
        'readback',
        'redo',
        'write',
        'total',
      ]);
      expect(peakMemoryBytes).toBeGreaterThan(1e6);
      // So few pairs go to other threads only if they take long.
      expect(used).toBeGreaterThanOrEqual(1);
      expect(used).toBeLessThanOrEqual(Number(threads));
      objects.push(rest);
    }
    expect(objects[1]).toEqual(objects[0]);
    expect(objects[0]).toMatchObject({
      ...{
        shapes: 6,
        bodies: 6,
        pairs: 15,
        converged: 2,
        touching: 2,
        separated: 11,
        degenerate: 0,
        bounded: 0,
      },
      ...{
        intersecting: 4,
        nearest: ['floor', 'crate A'],
        kind: 'manifold',
        algorithm: 'auto',
        backend: 'cpu',
      },
      ...{ adapter: null, reason: 'cpu was asked for', redone: 0 },
    });
    expect(objects[0].leastDistance).toBeCloseTo(-0.01, 12);
    expect(objects[0].deepest.map(({ a, b }: { a: string; b: string }) => `${a}, ${b}`)).toEqual([
      'floor, crate A',
      'crate A, crate B',
    ]);
  });

  it('--out: CSV, JSON and .npy have the same answers, contacts in JSON', async () => {
    for (const out of ['answers.csv', 'answers.json', 'answers.npy']) {
      const { code, stderr } = await onCpu('example.json', '--kind', 'manifold', '--out', out);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    const [header, ...rows] = read('answers.csv').toString().trimEnd().split('\n');
    const columns = header!.split(',');
    const axes = (name: string) => ['x', 'y', 'z'].map((axis) => `${name}_${axis}`);
    expect(columns).toEqual([
      ...['a', 'b', 'status', 'distance', 'lower', 'upper'],
      ...[...axes('normal'), ...axes('pointA'), ...axes('pointB'), 'contacts', 'iterations'],
    ]);
    const { pairs, ...head } = JSON.parse(read('answers.json').toString());
    expect(head).toEqual({
      kind: 'manifold',
      algorithm: 'auto',
      tolerance: 2 ** -20,
      backend: 'cpu',
      redone: 0,
    });
    const table = parseNpy(read('answers.npy'), 'answers.npy');
    expect([table.dtype, table.shape]).toEqual(['f8', [15, 17]]);
    const at = (i: number, name: string) => Number(table.data[17 * i + columns.indexOf(name)]);
    expect([rows.length, pairs.length]).toEqual([15, 15]);
    rows.forEach((row, i) => {
      const cells = row.split(',');
      const cell = (name: string) => cells[columns.indexOf(name)]!;
      const pair = pairs[i];
      expect([cell('a'), cell('b'), cell('status')]).toEqual([pair.a, pair.b, pair.status]);
      expect(Number(cell('distance'))).toBe(pair.distance);
      expect(at(i, 'distance')).toBe(pair.distance);
      // Pairs that were only found to be apart have no upper bound.
      expect(cell('upper')).toBe(pair.status === 'separated' ? 'inf' : `${pair.upper}`);
      expect(pair.upper === null ? Infinity : pair.upper).toBe(at(i, 'upper'));
      expect(pair.normal.map((x: number) => `${x}`)).toEqual(['x', 'y', 'z'].map((k) => cell(`normal_${k}`)));
      expect(pair.contacts).toHaveLength(Number(cell('contacts')));
      expect(at(i, 'iterations')).toBe(pair.iterations);
    });
    // A crate on the floor: four corners, a hundredth deep.
    expect(pairs[0]).toMatchObject({ a: 'floor', b: 'crate A', status: 'converged' });
    expect(pairs[0].contacts.map((c: { distance: number }) => c.distance)).toEqual(
      Array(4).fill(expect.closeTo(-0.01, 12)),
    );
    for (const { normal } of pairs[0].contacts) expect(normal).toEqual(pairs[0].normal);
  });

  it('of pairs that are only told apart no distance is named: all that is known of it is a bound', async () => {
    const scene = {
      shapes: { ball: { kind: 'sphere', radius: 1 } },
      bodies: [{ shape: 'ball' }, { shape: 'ball', position: [3, 3, 3] }],
    };
    writeFileSync(join(folder, 'apart.json'), JSON.stringify(scene));
    for (const kind of ['penetration', 'manifold']) {
      const { stdout } = await onCpu('apart.json', '--kind', kind, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ separated: 1, leastDistance: null, nearest: null });
    }
  });

  it('kind intersect has statuses alone', async () => {
    const { stdout } = await onCpu('example.json', '--kind', 'intersect', '--out', 'hits.csv');
    expect(stdout).toMatch(/\nintersecting +4 +26\.7 %\n/);
    expect(stdout).not.toContain('least distance');
    expect(stdout).toMatch(/\nwrote hits\.csv\n$/);
    expect(read('hits.csv').toString()).toMatch(/^a,b,status,iterations\nfloor,crate A,converged,\d+\n/);
  });
});

const box = { kind: 'box', halfExtents: [1, 1, 1] };
const two = (x: number) => [{ shape: 'box' }, { shape: 'box', position: [x, 0, 0] }];

describe('scenes', () => {
  it('take hulls of mesh files beside the scene, scaled, and names in quotes', async () => {
    writeFileSync(join(folder, 'rock.ply'), encodeMesh(randomRock({ convex: true, seed: 2 }), 'ply'));
    const scene = write('rocks.json', {
      shapes: {
        rock: { kind: 'mesh', file: 'rock.ply', margin: 0.125 },
        large: { kind: 'mesh', file: 'rock.ply', scale: 1000 },
        both: { kind: 'hull', a: 'rock', b: 'rock', place: { position: [3, 0, 0] } },
      },
      bodies: [
        { shape: 'rock' },
        { name: 'the "other", moved', shape: 'rock', position: [0, 0, 10] },
        { shape: 'both', position: [0, 10, 0] },
        { shape: 'large', position: [0, 0, -1e5] },
      ],
      pairs: [
        [0, 'the "other", moved'],
        [2, '0'],
        [3, 0],
      ],
    });
    const { code, stderr } = await onCpu(scene, '--out', 'rocks.csv');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = read('rocks.csv').toString().split('\n').slice(1, 4);
    expect(rows[0]).toMatch(/^0,"the ""other"", moved",converged,/);
    expect(rows[1]).toMatch(/^2,0,converged,/);
    const distance = (row: string) => Number(row.split(',converged,')[1]!.split(',')[0]);
    // Rocks have a radius of about 1. Their distance is 10 less both radii and margins. The large one's radius is 1000.
    expect(distance(rows[0]!)).toBeGreaterThan(6);
    expect(distance(rows[0]!)).toBeLessThan(9);
    expect(distance(rows[2]!)).toBeGreaterThan(1e5 - 3000);
    expect(distance(rows[2]!)).toBeLessThan(1e5 - 300);
  });

  it('without bodies, or without pairs, are answered with nothing', async () => {
    for (const [bodies, pairs] of [
      [[], 'all'],
      [two(3), []],
    ]) {
      const { code, stdout } = await onCpu(write('empty.json', { shapes: { box }, bodies, pairs }), '--json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ pairs: 0, leastDistance: null, nearest: null, deepest: [] });
    }
  });

  it('sweep-gjk measures up to twice the radius', async () => {
    const scene = write('apart.json', { shapes: { box }, bodies: two(2.5) });
    const ask = async (radius: string) => {
      const way = ['--kind', 'penetration', '--algorithm', 'sweep-gjk', '--sweep-radius', radius];
      return JSON.parse((await onCpu(scene, ...way, '--json')).stdout);
    };
    expect(await ask('0.2')).toMatchObject({ separated: 1, converged: 0 });
    expect(await ask('0.3')).toMatchObject({
      separated: 0,
      converged: 1,
      leastDistance: expect.closeTo(0.5, 6),
    });
  });
});

describe('usage', () => {
  it.each([
    [['gone.json'], 'gone.json: no such file'],
    [['example.json', '--kind', 'nearness'], /^option '--kind <kind>' argument 'nearness' is invalid/],
    [['example.json', '--manifold', 'sampled'], '--manifold needs --kind manifold, found signed-distance'],
    [['example.json', '--sweep-radius', '1'], '--sweep-radius needs --algorithm sweep-gjk, found auto'],
    [
      ['example.json', '--tolerance', '1e-20'],
      /^option '--tolerance <t>' argument '1e-20' is invalid. Expected a number from 1\.42\d*e-14 to 0\.1\.$/,
    ],
    [['example.json', '--threads', '0'], /Expected a whole number from 1 to 1024/],
    [['example.json', '--threads', '2', '--backend', 'gpu'], '--threads is for the CPU, found --backend gpu'],
    [['example.json', '--out', 'answers.vtp'], /has the suffix \.vtp, expected \.csv, \.json, \.npy$/],
    [
      ['example.json', '--out', 'example.json'],
      'example.json is named twice, as a file to write and one to read',
    ],
    [
      ['example.json', '--out', 'gone/answers.csv'],
      'gone/answers.csv: cannot be written: no such folder: gone',
    ],
  ] as [string[], string | RegExp][])('%j ends in one line and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [, found] = /^scree: ([^\n]*)\n$/.exec(stderr) ?? [stderr, stderr];
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
    expect(existsSync(join(folder, 'gone'))).toBe(false);
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CONTACT_COLUMNS } from '../../src/io/contacts.ts';
import { encodeNpy, parseNpy } from '../../src/io/npy.ts';
import { decodeVtp } from '../support/vtp.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(['contacts', ...args, '--quiet'], { cwd: folder });
const onCpu = (...args: string[]) => run(...args, '--backend', 'cpu');
const read = (name: string) => readFileSync(join(folder, name));
function write(name: string, scene: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(scene));
  return name;
}

/** Two balls on the ground that overlap by 0.25, a third one far away, and a ghost. */
const scene = {
  shapes: { ball: { kind: 'sphere', radius: 1 }, ground: { kind: 'plane' } },
  bodies: [
    { name: 'ground', shape: 'ground' },
    { name: 'left', shape: 'ball', position: [0, 0, 0.5] },
    { name: 'right', shape: 'ball', position: [1.75, 0, 0.5] },
    { name: 'far', shape: 'ball', position: [9, 0, 9] },
    { name: 'ghost', shape: 'ball', position: [0, 0, 0.5], mask: [] },
  ],
};
write('balls.json', scene);

describe('scree contacts', () => {
  it('summarizes: contacts by kind, the deepest, what was used', async () => {
    const { code, stdout, stderr } = await onCpu('balls.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^balls\.json\n\ncontacts +3\n {2}node +0 +0\.0 %\n/);
    expect(stdout).toMatch(/\n {2}convex +1 +33\.3 %\n {2}plane +2 +66\.7 %\npairs that touch +3\n/);
    expect(stdout).toMatch(/\nbodies +5\n {2}static +1\nshapes +2\n/);
    expect(stdout).toMatch(
      /\ndeepest contacts +depth +kind +normal\n {2}ground, left +0\.5 +plane +0\.0000 0\.0000 1\.0000\n/,
    );
    expect(stdout).toMatch(/\nbackend +cpu\nbecause +cpu was asked for\nadapter +none\nthreads +\d+\n/);
  });

  it('--json: one object', async () => {
    const { code, stdout, stderr } = await onCpu('balls.json', '--json', '--threads', '1');
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 });
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({
      ...{ shapes: 2, bodies: 5, static: 1, touching: 3, contacts: 3, open: 0, deep: 0, grown: [] },
      kinds: { node: 0, edge: 0, patch: 0, convex: 1, plane: 2 },
      ...{ backend: 'cpu', reason: 'cpu was asked for', adapter: null, threads: 1, gpuBytes: 0 },
    });
    expect(
      summary.deepest.map(({ a, b, kind }: { a: string; b: string; kind: string }) => `${a} ${b} ${kind}`),
    ).toEqual(['ground left plane', 'ground right plane', 'left right convex']);
    expect(summary.deepest[2].distance).toBeCloseTo(-0.25, 12);
    expect(summary.deepest[2].normal).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(0, 12),
      expect.closeTo(0, 12),
    ]);
    expect(Object.keys(summary.seconds)).toEqual([
      ...['read', 'open', 'build', 'broadphase', 'nodes', 'edges', 'patches', 'convex', 'planes', 'list'],
      ...['kernel', 'upload', 'readback', 'detect', 'write', 'total'],
    ]);
  });

  it('--out: the same contacts in every format, the same bytes on any number of threads', async () => {
    for (const out of ['a.csv', 'a.json', 'a.npy', 'a.vtp']) {
      const { code, stdout, stderr } = await onCpu('balls.json', '--out', out, '--threads', '2');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`\nwrote ${out}\n`);
    }
    await onCpu('balls.json', '--out', 'again.npy', '--threads', '1');
    expect(read('again.npy')).toEqual(read('a.npy'));
    const rows = read('a.csv').toString().trimEnd().split('\n');
    expect(rows[0]).toBe(CONTACT_COLUMNS.join());
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 6).join())).toEqual([
      'left,right,0,0,convex,sure',
      'ground,left,0,0,plane,sure',
      'ground,right,0,0,plane,sure',
    ]);
    const table = parseNpy(read('a.npy'), 'a.npy');
    expect([table.dtype, table.shape]).toEqual(['f8', [3, 17]]);
    const distances = [0, 1, 2].map((i) => Number(table.data[17 * i + 15]));
    expect(
      JSON.parse(read('a.json').toString()).contacts.map((c: { distance: number }) => c.distance),
    ).toEqual(distances);
    expect(decodeVtp(Uint8Array.from(read('a.vtp'))).arrays.distance).toEqual(distances);
    expect(rows.slice(1).map((row) => Number(row.split(',')[15]))).toEqual(distances);
  });

  it('--poses: bodies lie elsewhere', async () => {
    const poses = new Float32Array(35).map((_, i) =>
      i % 7 === 6 ? 1 : i % 7 === 0 ? i : i % 7 === 2 && i > 6 ? 3 : 0,
    );
    writeFileSync(join(folder, 'poses.npy'), encodeNpy(poses, [5, 7]));
    const { stdout } = await onCpu('balls.json', '--poses', 'poses.npy', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ contacts: 0, deepest: [] });
  });
});

describe('usage', () => {
  write('pairs.json', { ...scene, pairs: [[1, 2]] });
  write('open.json', {
    shapes: {
      cap: {
        kind: 'polyhedron',
        vertices: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        triangles: [[0, 1, 2]],
      },
    },
    bodies: [],
  });
  writeFileSync(join(folder, 'few.npy'), encodeNpy(new Float64Array(14), [2, 7]));
  writeFileSync(join(folder, 'zero.npy'), encodeNpy(new Float64Array(35), [5, 7]));
  it.each([
    [['gone.json'], 'gone.json: no such file'],
    [['balls.json', '--out', 'a.txt'], /has the suffix \.txt, expected \.csv, \.json, \.npy, \.vtp$/],
    [['balls.json', '--threads', '2', '--backend', 'gpu'], '--threads is for the CPU, found --backend gpu'],
    [['balls.json', '--out', 'balls.json'], 'balls.json is named twice, as a file to write and one to read'],
    [
      ['balls.json', '--poses', 'few.npy'],
      'few.npy: found the shape [2, 7], expected [5, 7]: position x, y, z and quaternion x, y, z, w of each body ' +
        'of the scene',
    ],
    [
      ['balls.json', '--poses', 'zero.npy', '--out', 'never.csv'],
      /^zero\.npy: poses: ground: rotation is .* of length 0/,
    ],
    [
      ['pairs.json'],
      'pairs.json: pairs is a list, expected none or "all": scree contacts finds the pairs that touch, and "group" ' +
        'and "mask" say which may',
    ],
    [
      ['open.json'],
      'open.json: shapes.cap: the surface is open: 3 edges with an odd number of faces found, expected a closed mesh ' +
        '(`scree check` shows where)',
    ],
  ] as [string[], string | RegExp][])('%j ends in one line and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [, found] = /^scree: ([^\n]*)\n$/.exec(stderr) ?? [stderr, stderr];
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
    expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([]);
  });
});

const scenes = resolve(import.meta.dirname, '../../demos/scenes');

describe('the scenes of demos/', () => {
  it.each([
    ['rocks.json', ['node', 'edge', 'plane']],
    ['hulls.json', ['convex', 'plane']],
    ['mixed.json', ['node', 'edge', 'patch', 'convex', 'plane']],
  ])('%s: contacts of the kinds %j, the same bytes twice', async (name, kinds) => {
    const scene = join(scenes, name);
    expect(existsSync(scene)).toBe(true);
    const { code, stdout, stderr } = await onCpu(scene, '--out', `${name}.npy`, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const summary = JSON.parse(stdout);
    expect(
      Object.entries(summary.kinds)
        .filter(([, count]) => count !== 0)
        .map(([kind]) => kind),
    ).toEqual(kinds);
    expect([summary.deep, parseNpy(read(`${name}.npy`), name).shape[0]]).toEqual([0, summary.contacts]);
    await onCpu(scene, '--out', `${name}.again.npy`, '--threads', '1');
    expect(read(`${name}.again.npy`).equals(read(`${name}.npy`))).toBe(true);
  });
});

it.runIf(process.platform !== 'win32').each([
  ['contacts', []],
  ['simulate', ['--out', 'crate']],
])('%s gives up at once while it makes the nodes of a large crate', async (command, more) => {
  const outline = [
    [-100, -10],
    [100, -10],
    [100, 10],
    [-100, 10],
  ];
  const generate = { kind: 'extrusion', outline, height: 20 };
  const crate = { kind: 'polyhedron', generate, nodeSpacing: 0.1 };
  const materials = { wood: { density: 500, youngsModulus: 1e7 } };
  write('crate.json', { shapes: { crate }, bodies: [{ shape: 'crate' }], materials, duration: 1 });
  const running = startScree([command, 'crate.json', '--backend', 'cpu', ...more], { cwd: folder });
  await running.sees('reading');
  // In the middle of the work, which takes many seconds.
  await setTimeout(2000);
  running.child.kill('SIGINT');
  await running.ended;
  expect(running.child.signalCode).toBe('SIGINT');
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/inside/body-file/body-file.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(args, { cwd: folder });
const read = (file: string) => readFileSync(join(folder, file));

beforeAll(async () => {
  const sphere = unitSphere(3);
  const { positions, indices } = sphere;
  writeFileSync(join(folder, 'sphere.ply'), encodeMesh(sphere, 'ply'));
  writeFileSync(
    join(folder, 'open.obj'),
    encodeMesh(new TriangleMesh({ positions, indices: indices.slice(3) }), 'obj'),
  );
  const { code } = await run('build', 'sphere.ply', '--out', 'sphere.body', '--quiet');
  expect(code).toBe(0);
});

describe('scree build', () => {
  it('writes a body and says what is in it', async () => {
    const { code, stdout, stderr } = await run('build', 'sphere.ply', '--out', 'again.body', '--quiet');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote again\.body: 512 triangles, [\d.]+ [KM]iB\n$/);
    expect(Buffer.compare(read('again.body'), read('sphere.body'))).toBe(0);
    const { mesh, rules, tables } = decodeBody(read('sphere.body'), 'sphere.body');
    expect(mesh.triangleCount).toBe(512);
    expect(rules).toEqual(['odd', 'nonzero']);
    expect(tables!.pairCount).toBeGreaterThan(512);
  });

  it('builds with the cells and the welding asked for', async () => {
    await run('build', 'sphere.ply', '--out', 'coarse.body', '--cells', '3', '--weld', '1e-5');
    const { tables, cellsPerAxis } = decodeBody(read('coarse.body'), 'coarse.body');
    expect(cellsPerAxis).toBe(3);
    expect(tables!.grid.counts).toEqual([16, 3, 3]);
  });

  it('saves tables for contacts, which a scene begins with', async () => {
    const { code } = await run('build', 'sphere.ply', '--contacts', '--out', 'ready.body', '--quiet');
    expect(code).toBe(0);
    const { contacts, ...rest } = decodeBody(read('ready.body'), 'sphere.body');
    expect(contacts!.length).toBeGreaterThan(512 * 21 * 4);
    expect(rest).toEqual(decodeBody(read('sphere.body'), 'sphere.body'));
    const scene = (file: string) => ({
      shapes: { ball: { kind: 'polyhedron', file } },
      bodies: [{ shape: 'ball' }, { shape: 'ball', position: [1.9, 0, 0] }],
    });
    for (const file of ['ready.body', 'sphere.ply']) {
      writeFileSync(join(folder, 'scene.json'), JSON.stringify(scene(file)));
      await run('contacts', 'scene.json', '--backend', 'cpu', '--out', `${file}.npy`, '--quiet');
    }
    expect(Buffer.compare(read('ready.body.npy'), read('sphere.ply.npy'))).toBe(0);
  });

  it.each([
    ['an open mesh', ['open.obj', '--out', 'x.body'], /open\.obj: the surface is open: 3 boundary edges/],
    ['a missing mesh', ['no.stl', '--out', 'x.body'], /no\.stl: no such file/],
    ['another suffix', ['sphere.ply', '--out', 'x.stl'], /x\.stl has the suffix \.stl, expected \.body/],
    ['no file to write', ['sphere.ply'], /required option '--out <file>'/],
    ['writing over what it reads', ['sphere.body', '--out', './sphere.body'], /sphere\.body is named twice/],
    ['no cells', ['sphere.ply', '--out', 'x.body', '--cells', '0'], /'0' is invalid.*1 to 4095/],
  ])('refuses %s with one line and exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await run('build', ...args, '--quiet');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^scree: [^\n]+\n$/);
    expect(existsSync(join(folder, 'x.body'))).toBe(false);
    expect(readdirSync(folder).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a body in place of a mesh', () => {
  it('is classified as its mesh is, whatever it is called', async () => {
    writeFileSync(join(folder, 'sphere.dat'), read('sphere.body'));
    const flags = async (file: string, ...more: string[]) => {
      const { code, stderr } = await run(
        'classify',
        file,
        '--grid',
        '20',
        '--out',
        'f.npy',
        '--quiet',
        ...more,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return read('f.npy').toString('hex');
    };
    const expected = await flags('sphere.ply');
    for (const file of ['sphere.body', 'sphere.dat']) expect(await flags(file)).toBe(expected);
    expect(await flags('sphere.body', '--method', 'ray-crossing')).toBe(expected);
    expect(await flags('sphere.body', '--backend', 'gpu', '--rule', 'nonzero')).toBe(expected);
  });

  it('is checked, and built again with other cells', async () => {
    expect((await run('check', 'sphere.body')).stdout).toMatch(/^sphere\.body\n {2}triangles +512$/m);
    await run('build', 'sphere.body', '--out', 'finer.body', '--cells', '30');
    const { mesh, tables } = decodeBody(read('finer.body'), 'finer.body');
    expect(mesh.triangleCount).toBe(512);
    expect(tables!.grid.counts).toEqual([32, 30, 30]);
  });

  it.each([
    [
      '--weld',
      ['--weld', '0.1'],
      /sphere\.body: --weld with a saved body found, expected --weld with the mesh/,
    ],
    [
      '--cells',
      ['--cells', '5'],
      /sphere\.body: --cells with a saved body found, expected --cells with the mesh/,
    ],
  ])('takes no %s', async (_, args, message) => {
    const { code, stderr } = await run('classify', 'sphere.body', '--grid', '5', '--quiet', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('damaged or cut off is refused with one line and exit code 2', async () => {
    const file = read('sphere.body');
    const damaged = Buffer.from(file);
    damaged[1000]! ^= 4;
    const newer = Buffer.from(file);
    newer[8] = 3;
    for (const [bytes, message] of [
      [damaged, /^scree: bad\.body: damaged: checksum [\da-f]{8} found, expected [\da-f]{8}\n$/],
      [file.subarray(0, 5000), /^scree: bad\.body: truncated: 5,000 bytes found, header promises [\d,]+\n$/],
      [newer, /^scree: bad\.body: format version 3 found, expected 2: [^\n]+\n$/],
    ] as const) {
      writeFileSync(join(folder, 'bad.body'), bytes);
      const { code, stdout, stderr } = await run('classify', 'bad.body', '--grid', '5', '--quiet');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
  });
});

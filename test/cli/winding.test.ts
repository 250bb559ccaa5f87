import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeNpy, parseNpy } from '../../src/io/npy.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(args, { cwd: folder });
const numbers = (name: string) => parseNpy(readFileSync(join(folder, name)), name).data as Float32Array;
const points = Float32Array.of(0, 0, 0, 0.5, 0, 0, 2, 0, 0, 0, 0, -3);

beforeAll(() => {
  const { positions, indices } = unitSphere(3);
  const torn = new TriangleMesh({ positions, indices: indices.slice(3) });
  writeFileSync(join(folder, 'torn.ply'), encodeMesh(torn, 'ply'));
  writeFileSync(join(folder, 'sphere.ply'), encodeMesh(unitSphere(3), 'ply'));
  writeFileSync(join(folder, 'points.npy'), encodeNpy(points, [4, 3]));
});

describe('scree winding', () => {
  it('writes winding numbers and bounds of an open mesh, and one JSON object', async () => {
    const options = ['--points', 'points.npy', '--out', 'w.npy', '--bounds', 'b.npy', '--tolerance', '1e-5'];
    const { code, stdout } = await run('winding', 'torn.ply', ...options, '--json');
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      ...{ points: 4, triangles: 511, tolerance: 1e-5, overTolerance: 0, method: 'direct', backend: 'cpu' },
      ...{ degree: 0, separation: null, out: 'w.npy', boundsOut: 'b.npy' },
    });
    expect(report.largestBound).toBeLessThanOrEqual(1e-5);
    const values = numbers('w.npy');
    expect(values[0]).toBeGreaterThan(0.99);
    expect(values[0]).toBeLessThan(1);
    expect(Math.abs(values[3]!)).toBeLessThan(1e-3);
    expect([...numbers('b.npy')].every((bound) => bound > 0 && bound <= 1e-5)).toBe(true);
    expect(report.greatest).toBe(Math.max(...values));
  });

  it('takes the method and degree that are asked for, and reports in words', async () => {
    const { code, stdout } = await run(
      ...['winding', 'torn.ply', '--points', 'points.npy', '--method', 'multipole', '--degree', '4'],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/method +multipole\n/);
    expect(stdout).toMatch(/because +multipole was asked for, degree 4, separation 2; .+\n/);
    expect(stdout).toMatch(/winding numbers +-?[\d.e-]+ to 0\.99\d*\n/);
  });

  it('refuses bad usage with one line, and leaves nothing written', async () => {
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('winding', ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr.split('\n').filter((line) => line.startsWith('scree: '))[0];
    };
    expect(await refused('torn.ply')).toMatch(/required option '--points <file>' not specified/);
    const usual = ['torn.ply', '--points', 'points.npy'];
    expect(await refused(...usual, '--tolerance', '0')).toMatch(/Expected a number greater than 0/);
    expect(await refused(...usual, '--degree', '9')).toMatch(/whole number from 1 to 8/);
    expect(await refused(...usual, '--out', 'w.csv')).toMatch(/suffix .csv, expected .npy/);
    expect(await refused(...usual, '--out', 'points.npy')).toMatch(/points.npy is named twice/);
    expect(await refused(...usual, '--out', 'none/w.npy')).toMatch(/no such folder/);
    expect(await refused(...usual, '--backend', 'tpu', '--out', 'x.npy')).toMatch(/tpu/);
    expect(await refused(...usual, '--method', 'direct', '--degree', '3')).toMatch(
      /is for method "multipole"/,
    );
    expect(existsSync(join(folder, 'x.npy'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

describe('scree classify --rule winding', () => {
  it('classifies an open mesh, at once and in a stream, with the flags of the closed one', async () => {
    const grid = ['--grid', '12', '--json'];
    const closed = JSON.parse((await run('classify', 'sphere.ply', ...grid)).stdout);
    const open = JSON.parse((await run('classify', 'torn.ply', '--rule', 'winding', ...grid)).stdout);
    expect(open).toMatchObject({ rule: 'winding', inside: closed.inside, undecided: 0 });
    expect(['direct', 'clusters', 'cell-grid']).toContain(open.method);
    const streamed = await run(
      ...['classify', 'torn.ply', '--rule', 'winding', '--method', 'multipole', '--points', 'points.npy'],
      ...['--out', 'flags.npy', '--json'],
    );
    expect(JSON.parse(streamed.stdout)).toMatchObject({ streamed: true, method: 'multipole', inside: 2 });
    expect([...numbers('flags.npy')]).toEqual([1, 1, 0, 0]);
  });

  it('is named where an open mesh is refused, and in the report of its health', async () => {
    const refused = await run('classify', 'torn.ply', '--grid', '3');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/the surface is open: 3 boundary edges.*or use rule winding/);
    const { code, stdout } = await run('check', 'torn.ply');
    expect(code).toBe(2);
    expect(stdout).toMatch(/verdict +usable with rule winding alone: open: 3 boundary edges/);
    const report = JSON.parse((await run('check', 'torn.ply', '--json')).stdout);
    expect(report.usable).toEqual({ odd: false, nonzero: false, winding: true });
  });

  it('refuses what it does not go with', async () => {
    const line = async (...args: string[]) =>
      (await run('classify', 'torn.ply', '--grid', '3', ...args)).stderr;
    expect(await line('--rule', 'winding', '--cells', '9')).toMatch(
      /--cells is for the cell grid, found --rule winding/,
    );
    expect(await line('--method', 'direct', '--cells', '9')).toMatch(/found --method direct/);
    expect(await line('--rule', 'winding', '--method', 'ray-crossing')).toMatch(
      /rule "winding" needs the winding number/,
    );
    expect(await line('--rule', 'winding', '--no-cull')).toMatch(/--no-cull needs --method ray-crossing/);
  });
});

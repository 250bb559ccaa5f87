import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder, withoutModule } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(args, { cwd: folder });
const packageVersion = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
).version;

describe('scree', () => {
  it('prints its version', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${packageVersion}\n`, stderr: '' });
  });

  it('without a command prints help on standard error and exits with 2', async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: scree/);
  });

  it('has help with examples for every command', async () => {
    for (const command of [
      ['info'],
      ['check'],
      ['classify'],
      ['distance'],
      ['pairs'],
      ['build'],
      ['generate'],
    ]) {
      const { code, stdout } = await run(...command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: scree ${command.join(' ')}`);
      expect(stdout).toContain('Examples:');
    }
    expect((await run('help', 'classify')).stdout).toBe((await run('classify', '--help')).stdout);
  });

  it('refuses an unknown command with one line and exit code 2', async () => {
    expect(await run('clasify')).toEqual({
      code: 2,
      stdout: '',
      stderr: "scree: unknown command 'clasify' (Did you mean classify?)\n",
    });
  });

  it('has no help for an unknown command', async () => {
    expect(await run('help', 'clasify')).toEqual({
      code: 2,
      stdout: '',
      stderr: "scree: unknown command 'clasify'\n",
    });
    expect((await run('help', 'generate', 'rock')).stdout).toBe(
      (await run('generate', 'rock', '--help')).stdout,
    );
    expect((await run('help')).stdout).toBe((await run('--help')).stdout);
  });

  it.each([
    [['info', '--adapter', 'none'], /^scree: option '--adapter <kind>' argument 'none' is invalid\./],
    [['init', 'a', 'b'], /^scree: too many arguments for 'init'/],
    [['check', 'missing.stl'], /^scree: missing\.stl: no such file$/],
    [['classify', 'missing.stl', '--grid', '3'], /^scree: missing\.stl: no such file$/],
    [['winding', 'missing.stl', '--points', 'a.npy'], /^scree: missing\.stl: no such file$/],
    [['merge', 'missing.npy', '--quiet'], /^scree: missing\.npy: no shards found/],
    [['distance', 'missing.stl', 'missing.stl'], /^scree: missing\.stl: no such file$/],
    [['pairs', 'missing.json'], /^scree: missing\.json: no such file$/],
    [['contacts', 'missing.json'], /^scree: missing\.json: no such file$/],
    [['simulate', 'missing.json', '--out', 'out'], /^scree: missing\.json: no such file$/],
    [['serve', 'missing.json'], /^scree: too many arguments for 'serve'/],
    [['sweep', 'missing.json', '--out', 'out'], /^scree: missing\.json: no such file$/],
    [['slurm', 'nothing'], /^scree: unknown command 'nothing'$/],
    [['build', 'missing.stl', '--out', 'a.body'], /^scree: missing\.stl: no such file$/],
    [['generate', 'cube'], /^scree: unknown command 'cube', expected sphere, foam or rock/],
    [['demo', '--points', '0'], /^scree: option '--points <n>' argument '0' is invalid\./],
    [['bench', '--suite', 'none'], /^scree: option '--suite/],
    [['validate', '--case', 'none'], /^scree: option '--case <names\.\.\.>': found none, expected some of /],
  ])('exits with 2 and one line of standard error, in a process of its own: %j', async (args, line) => {
    const { code, stdout, stderr } = await scree(args, { cwd: folder, isAlone: true });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')).toEqual([expect.stringMatching(line), '']);
  });

  it('exits with 1 and one line where WebGPU is missing, with the stack only for --debug', async () => {
    const node = withoutModule('webgpu');
    const plain = await scree(['info', '--adapter', 'software'], { node });
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toMatch(/^scree: WebGPU is not available [^\n]*npm install webgpu[^\n]*\n$/);
    const debug = await scree(['info', '--adapter', 'software', '--debug'], { node });
    expect(debug.code).toBe(1);
    expect(debug.stderr).toMatch(/\n {4}at .*\ncaused by Error: hidden by the test\n/s);
  });

  it('exits with 1 and a hint after an error that nobody foresaw', async () => {
    const { code, stderr } = await scree(['info'], { node: withoutModule('./gpu/device.js') });
    expect(code).toBe(1);
    expect(stderr).toBe(
      'scree: unexpected error: hidden by the test (run again with --debug for the stack)\n',
    );
  });
});

describe('scree info', () => {
  it('names the adapter, limits, features and versions', async () => {
    const { code, stdout, stderr } = await run('info', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const info = JSON.parse(stdout);
    expect(info.adapter).toMatchObject({
      vendor: expect.any(String),
      architecture: expect.any(String),
      software: expect.any(Boolean),
    });
    expect(info.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(2 ** 27);
    expect(info.features).toBeInstanceOf(Array);
    expect(info.versions).toMatchObject({ scree: packageVersion, node: process.versions.node });
    expect((await run('info')).stdout).toMatch(/^adapter +\S/);
  });

  it('tells versions, and what is missing, where there is no adapter', async () => {
    const { code, stdout, stderr } = await scree(['info'], { node: withoutModule('webgpu') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [adapter, ...versions] = stdout.trimEnd().split('\n');
    expect(adapter).toMatch(/^adapter +none: WebGPU is not available in this Node: .*npm install webgpu /);
    expect(versions.map((line) => line.split(/ +/)[0])).toEqual(['scree', 'node', 'webgpu']);
    expect(versions[0]).toContain(packageVersion);
  });
});

describe('scree init', () => {
  it('copies scenes that run, and overwrites nothing', async () => {
    const { code, stdout } = await run('init', 'own');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^wrote to own: .*cradle.*pairs\n$/),
    });
    const scene = JSON.parse(readFileSync(join(folder, 'own/cradle.json'), 'utf8'));
    expect(existsSync(join(folder, 'own', scene.$schema))).toBe(true);
    expect(await run('pairs', 'own/pairs.json', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(await run('init', 'own')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^scree: own\/\S+: there is a file of that name, [^\n]*\n$/),
    });
  });
});

describe('scree generate', () => {
  it.each([
    ['sphere', ['--refinements', '2'], 'ply', 128],
    ['rock', ['--convex', '--seed', '7', '--triangles', '60'], 'obj', 60],
    ['foam', ['--triangles', '6000', '--seed', '3'], 'stl', 6000],
  ])('writes a %s that scree check finds healthy', async (kind, options, suffix, triangles) => {
    const file = `${kind}.${suffix}`;
    const made = await run('generate', kind, ...options, '--out', file);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^wrote \S+: [\d,]+ triangles, [\d,]+ vertices\n$/);
    const checked = await run('check', file, '--json');
    expect(checked.code).toBe(0);
    const report = JSON.parse(checked.stdout);
    expect(report).toMatchObject({
      file,
      usable: { odd: true, nonzero: true },
      closed: true,
      manifold: true,
      components: 1,
    });
    expect(Math.abs(report.triangles - triangles)).toBeLessThan(0.03 * triangles);
    expect(report.enclosedVolume).toBeGreaterThan(0);
  });

  it('writes equal files for equal seeds and different ones for others', async () => {
    const rock = async (seed: string, file: string) => {
      await run('generate', 'rock', '--triangles', '512', '--seed', seed, '--out', file);
      return readFileSync(join(folder, file));
    };
    const first = await rock('1', 'a.ply');
    expect((await rock('1', 'b.ply')).equals(first)).toBe(true);
    expect((await rock('2', 'c.ply')).equals(first)).toBe(false);
  });

  it.each([
    [['cube', '--out', 'x.stl'], /unknown command 'cube'/],
    [['sphere'], /required option '--out <file>'/],
    [['sphere', '--out', 'x.step'], /x\.step has the suffix \.step, expected \.stl, \.obj, \.ply/],
    [['sphere', '--convex', '--out', 'x.stl'], /unknown option '--convex'/],
    [['rock', '--convex', '--triangles', '30000', '--out', 'x.stl'], /triangles is 30000/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run('generate', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^scree: [^\n]+\n$/);
    expect(existsSync(join(folder, 'x.stl'))).toBe(false);
  });
});

describe('scree check', () => {
  it('prints the report of an open mesh and exits with 2', async () => {
    const { positions, indices } = unitSphere(1);
    const open = new TriangleMesh({ positions, indices: indices.slice(3) });
    writeFileSync(join(folder, 'open.stl'), encodeMesh(open, 'stl'));
    const text = await run('check', 'open.stl');
    expect(text).toMatchObject({ code: 2, stderr: '' });
    expect(text.stdout).toMatch(/boundary edges +3/);
    const json = await run('check', 'open.stl', '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      usable: { odd: false, nonzero: false },
      boundaryEdges: { count: 3 },
      cellGrid: null,
    });
    expect(text.stdout).toMatch(/^ {2}cell grid +none: the surface is open, so no table is built$/m);
  });

  it('estimates the cell grid, and says that it does; of a body file it gives what is there', async () => {
    await run('generate', 'foam', '--triangles', '6000', '--out', 'estimated.ply');
    await run('build', 'estimated.ply', '--out', 'estimated.body');
    const json = async (file: string) => JSON.parse((await run('check', file, '--json')).stdout).cellGrid;
    const expected = await json('estimated.ply');
    const built = JSON.parse((await run('classify', 'estimated.body', '--grid', '2', '--json')).stdout);
    expect(expected).toMatchObject({
      estimated: true,
      cells: expect.any(Array),
      cellSize: expect.any(Number),
    });
    expect(Math.abs(expected.tableBytes / built.tableBytes - 1)).toBeLessThan(0.1);
    expect(await json('estimated.body')).toMatchObject({
      estimated: false,
      cells: expected.cells,
      cellSize: expected.cellSize,
      tableBytes: built.tableBytes,
    });
    expect((await run('check', 'estimated.ply')).stdout).toMatch(
      new RegExp(
        '^ {2}cell grid \\(estimate\\) +\\d+ x \\d+ x \\d+ cells of edge 0\\.\\d+\\n' +
          ' +about [\\d,]+ pairs of cell and triangle, tables of [\\d.]+ [KM]iB$',
        'm',
      ),
    );
    expect((await run('check', 'estimated.body')).stdout).toMatch(/^ {2}cell grid \(saved\) +\d+ x/m);
  });

  it('finds the mesh closed after welding within a tolerance', async () => {
    const { positions, indices } = unitSphere(1);
    // Every triangle has corners of its own, each moved a little.
    const apart = Float32Array.from(
      [...indices].flatMap((v, i) =>
        [0, 1, 2].map((k) => positions[3 * v + k]! + 1e-4 * (((i + k) % 3) - 1)),
      ),
    );
    const cracked = new TriangleMesh({ positions: apart, indices: indices.map((_, i) => i) });
    writeFileSync(join(folder, 'cracked.ply'), encodeMesh(cracked, 'ply'));
    expect((await run('check', 'cracked.ply')).code).toBe(2);
    expect((await run('check', 'cracked.ply', '--weld', '0.01')).code).toBe(0);
  });

  it('refuses what is no mesh with one line that names the file', async () => {
    writeFileSync(join(folder, 'text.stl'), 'no mesh');
    for (const [file, message] of [
      ['text.stl', /text\.stl: /],
      ['missing.stl', /missing\.stl: no such file/],
      ['.', /\.: is a folder, expected a file/],
    ] as const) {
      const { code, stdout, stderr } = await run('check', file);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/^scree: [^\n]+\n$/);
    }
  });
});

describe('scree demo', () => {
  it('makes its folder, classifies, and writes a picture and files for ParaView', async () => {
    const { code, stdout } = await run(
      'demo',
      '--points',
      '8000',
      '--triangles',
      '3000',
      '--out',
      'deep/er',
      '--quiet',
      // `scree simulate` has its own tests.
      '--no-hopper',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^points +8,000$/m);
    expect(readdirSync(join(folder, 'deep/er')).sort()).toEqual(['flags.vtp', 'slice.svg', 'surface.vtp']);
    for (const file of ['flags.vtp', 'slice.svg', 'surface.vtp'])
      expect(stdout).toContain(`wrote ${join('deep/er', file)}`);
  });

  it('refuses a folder that cannot be made', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = await run('demo', '--out', 'file/below');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^scree: file\/below: cannot be made: [^\n]+\n$/);
  });
});

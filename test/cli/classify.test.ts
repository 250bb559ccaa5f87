import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseNpy } from '../../src/io/npy.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { dataPath, describeWithData } from '../support/data.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const N = 12;

beforeAll(() => {
  writeFileSync(join(folder, 'sphere.ply'), encodeMesh(unitSphere(3), 'ply'));
  writeFileSync(join(folder, 'smooth.stl'), encodeMesh(unitSphere(5), 'stl'));
  writeFileSync(join(folder, 'fine.stl'), encodeMesh(unitSphere(6), 'stl'));
  const { positions, indices } = unitSphere(2);
  writeFileSync(
    join(folder, 'open.obj'),
    encodeMesh(new TriangleMesh({ positions, indices: indices.slice(3) }), 'obj'),
  );
});

const run = (...args: string[]) => scree(['classify', ...args], { cwd: folder });

describe('classify --json', () => {
  it('prints exactly one JSON object with counts, method, adapter and seconds', async () => {
    const { code, stdout, stderr } = await run(
      'sphere.ply',
      '--grid',
      `${N}`,
      '--json',
      ...['--method', 'ray-crossing', '--no-cull', '--rule', 'nonzero'],
    );
    expect(code).toBe(0);
    expect(stdout.endsWith('}\n')).toBe(true);
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining([
        ...[
          'points',
          'outside',
          'inside',
          'boundary',
          'resolvedExactly',
          'method',
          'rule',
          'backend',
          'adapter',
        ],
        ...['triangles', 'seconds', 'gpuBytes'],
      ]),
    );
    expect(report).toMatchObject({
      points: N ** 3,
      method: 'ray-crossing',
      rule: 'nonzero',
      backend: 'gpu',
      triangles: 512,
    });
    expect(report.outside + report.inside + report.boundary).toBe(report.points);
    // The ball fills pi / 6 of its box, and the grid's cube is 1.1 times as wide.
    expect(report.inside / report.points).toBeCloseTo(Math.PI / 6 / 1.1 ** 3, 1);
    expect(typeof report.adapter.vendor).toBe('string');
    expect(typeof report.adapter.architecture).toBe('string');
    expect(typeof report.adapter.software).toBe('boolean');
    for (const stage of ['read', 'build', 'upload', 'classify', 'readback', 'exact', 'total']) {
      expect(report.seconds[stage], stage).toBeGreaterThanOrEqual(0);
    }
    expect(stderr).toContain('reading sphere.ply');
  });

  it('says nothing on standard error with --quiet', async () => {
    const { code, stderr } = await run('sphere.ply', '--grid', '3', '--json', '--quiet');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('classify', () => {
  it('prints a table with thousands separators on standard output, progress on standard error', async () => {
    const { code, stdout, stderr } = await run('sphere.ply', '--grid', `${N}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^points +1,728$/m);
    expect(stdout).toMatch(/^ {2}inside +[\d,]+ +\d+\.\d %$/m);
    expect(stdout).toMatch(/points per second/);
    expect(stderr).toMatch(/^reading sphere\.ply$/m);
  });

  it('writes the same flags as .npy, .csv and .vtp, and the points they are for', async () => {
    const grid = ['sphere.ply', '--grid', `${N}`, '--margin', '0.2'];
    const first = await run(
      ...grid,
      '--out',
      'flags.npy',
      '--save-points',
      'points.npy',
      '--slice',
      'slice.svg',
      '--json',
    );
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      out: 'flags.npy',
      savedPoints: 'points.npy',
      slice: 'slice.svg',
    });
    // The saved points are read again, so both outputs below are for the same float32 points.
    expect((await run('sphere.ply', '--points', 'points.npy', '--out', 'flags.csv')).code).toBe(0);
    expect((await run('sphere.ply', '--points', 'points.npy', '--out', 'flags.vtp')).code).toBe(0);

    const flags = parseNpy(readFileSync(join(folder, 'flags.npy')), 'flags.npy');
    const points = parseNpy(readFileSync(join(folder, 'points.npy')), 'points.npy');
    expect(flags).toMatchObject({ dtype: 'u1', shape: [N ** 3] });
    expect(points).toMatchObject({ dtype: 'f4', shape: [N ** 3, 3] });
    const rows = readFileSync(join(folder, 'flags.csv'), 'utf8').trimEnd().split('\n');
    expect(rows.shift()).toBe('x,y,z,flag');
    expect(rows.map((row) => Number(row.split(',')[3]))).toEqual([...flags.data]);
    expect(
      rows.flatMap((row) =>
        row
          .split(',')
          .slice(0, 3)
          .map((x) => Math.fround(Number(x))),
      ),
    ).toEqual([...points.data]);
    const vtp = readFileSync(join(folder, 'flags.vtp'));
    const start = vtp.indexOf('\n_') + 2 + 8;
    expect([...vtp.subarray(start, start + N ** 3)]).toEqual([...flags.data]);
    expect(readFileSync(join(folder, 'slice.svg'), 'utf8')).toContain('sphere.ply');
  });
});

describe('classify refuses, with one line and exit code 2,', () => {
  const refused = async (args: string[], message: RegExp) => {
    const before = readdirSync(folder).length;
    const { code, stdout, stderr } = await run(...args, '--quiet');
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^scree: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(readdirSync(folder)).toHaveLength(before);
  };

  it.each([
    [
      'a method on a backend that it does not run on, before it looks at the mesh',
      ['nothing.stl', '--grid', '9', '--method', 'ray-crossing', '--backend', 'cpu'],
      /--method ray-crossing runs on a GPU device only, found --backend cpu: use --method cell-grid on the CPU\n$/,
    ],
    [
      'an unknown suffix, before it looks at the mesh',
      ['nothing.stl', '--grid', '9', '--out', 'flags.txt'],
      /flags\.txt has the suffix \.txt, expected \.npy, \.csv, \.vtp/,
    ],
    ['a missing mesh', ['nothing.stl', '--grid', '9'], /nothing\.stl: no such file/],
    ['missing points', ['sphere.ply', '--points', 'nothing.npy'], /nothing\.npy: no such file/],
    [
      'a folder that is not there',
      ['sphere.ply', '--grid', '9', '--out', 'no/flags.npy'],
      /no\/flags\.npy: cannot be written: no such folder: no/,
    ],
    ['neither points nor a grid', ['sphere.ply'], /neither --points nor --grid/],
    ['both', ['sphere.ply', '--grid', '9', '--points', 'p.npy'], /both --points and --grid/],
    ['a grid of no points', ['sphere.ply', '--grid', '0'], /'--grid <n>' argument '0' is invalid.*1 to 710/],
    [
      'a slice without a grid',
      ['sphere.ply', '--points', 'sphere.ply', '--slice', 's.svg'],
      /--slice needs --grid/,
    ],
    [
      'writing over what it reads',
      ['sphere.ply', '--points', 'p.csv', '--out', './p.csv'],
      /p\.csv is named twice/,
    ],
    ['an unknown option', ['sphere.ply', '--gird', '9'], /unknown option '--gird'/],
    [
      'an unknown method',
      ['sphere.ply', '--grid', '9', '--method', 'guess'],
      /'--method <method>' argument 'guess'/,
    ],
    [
      'an open mesh, with the number of boundary edges',
      ['open.obj', '--grid', '9', '--out', 'f.npy'],
      /open\.obj: the surface is open: 3 boundary edges/,
    ],
  ])('%s', async (_, args, message) => refused(args, message));
});

describe('an interrupted classify', () => {
  // Tens of billions of tests on one or two cores would take minutes.
  const heavy = ['--grid', '200', '--method', 'ray-crossing', '--no-cull', '--adapter', 'software'];

  it('by SIGTERM while it builds tables exits with its code too', async () => {
    // 200 million cells: building takes a second or more, reading much less.
    const args = ['classify', 'fine.stl', '--cells', '600', '--grid', '9', '--out', 'never.npy'];
    const before = readdirSync(folder);
    const running = startScree(args, { cwd: folder });
    await running.sees('reading');
    await new Promise((resolve) => setTimeout(resolve, 150));
    running.child.kill('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 143, stdout: '' });
    // A busy machine may still be reading. Then the signal itself ends the process.
    expect(stderr.endsWith('\nscree: interrupted\n') || running.child.signalCode === 'SIGTERM').toBe(true);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([
    ['SIGINT', 'while it classifies', 'smooth.stl', ' points)', 130],
    ['SIGTERM', 'while it reads', 'fine.stl', 'reading', 143],
  ] as const)(
    'by %s %s leaves no file behind and exits with its code',
    async (signal, _, mesh, seen, exitCode) => {
      const before = readdirSync(folder);
      const running = startScree(['classify', mesh, ...heavy, '--out', 'never.npy'], { cwd: folder });
      await running.sees(seen);
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.ended;
      expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
      // While the command reads, the signal itself ends the process.
      const isToldBySignal = seen === 'reading' && running.child.signalCode === signal;
      expect(stderr.endsWith('\nscree: interrupted\n') || isToldBySignal).toBe(true);
      expect(readdirSync(folder)).toEqual(before);
    },
  );
});

describeWithData('classify of a scan', () => {
  it('equals the exact oracle byte for byte', async () => {
    const { code, stdout } = await run(
      dataPath('good/skull_100k.obj'),
      ...['--points', dataPath('oracle/good__skull_100k.points.npy'), '--out', 'skull.npy', '--json'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ points: 22_000, triangles: 100_002 });
    const oracle = parseNpy(readFileSync(dataPath('oracle/good__skull_100k.inside.npy')), 'oracle');
    const flags = parseNpy(readFileSync(join(folder, 'skull.npy')), 'flags');
    expect(Buffer.compare(flags.data as Uint8Array, oracle.data as Uint8Array)).toBe(0);
  });
});

import { execFileSync } from 'node:child_process';
import {
  createWriteStream,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdingAll } from '../../src/cli/files.ts';
import { encodeNpy, encodeNpyHeader, parseNpy } from '../../src/io/npy.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { exactFlags } from '../support/flags.ts';
import { randomPoints } from '../support/shapes.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(['classify', 'sphere.ply', ...args], { cwd: folder });
const file = (name: string) => join(folder, name);
const sphere = unitSphere(3);
const MANY = 2000;
const points = randomPoints(sphere, MANY, createRandom(81));
const expected = exactFlags(sphere, points);

beforeAll(() => {
  writeFileSync(file('sphere.ply'), encodeMesh(sphere, 'ply'));
  writeFileSync(file('points.npy'), encodeNpy(points, [MANY, 3]));
});

/** A sparse .npy file of so many points, nearly all at the origin. It takes no room on the disk. */
function sparse(name: string, count: number): void {
  const header = encodeNpyHeader('f4', [count, 3]);
  const descriptor = openSync(file(name), 'w');
  writeSync(descriptor, header);
  truncateSync(file(name), header.length + 12 * count);
}

describe('classify of a .npy file of points', () => {
  it.each(['1', '7', '1999', '2000', '5000'])(
    'in chunks of %s gives the flags, the counts, the memory and the time of all stages',
    async (chunk) => {
      const { code, stdout, stderr } = await run(
        '--points',
        'points.npy',
        '--chunk',
        chunk,
        '--out',
        'f.npy',
        '--json',
      );
      expect(code).toBe(0);
      expect(stderr).toContain('reading sphere.ply');
      expect(Buffer.compare(readFileSync(file('f.npy')), encodeNpy(expected, [MANY]))).toBe(0);
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({
        points: MANY,
        inside: expected.filter((flag) => flag === 1).length,
        streamed: true,
        chunkPoints: Number(chunk),
        out: 'f.npy',
      });
      expect(report).not.toHaveProperty('readAtOnce');
      // Every Node process takes more than this. Points and body add little.
      expect(report.peakMemoryBytes).toBeGreaterThan(20 << 20);
      expect(report.peakMemoryBytes).toBeLessThan(4 * 2 ** 30);
      const { read, upload, classify, readback, exact, write, stream, total } = report.seconds;
      for (const seconds of [read, upload, classify, readback, exact, write]) {
        expect(seconds).toBeGreaterThanOrEqual(0);
      }
      expect(stream).toBeGreaterThan(0);
      expect(stream).toBeLessThan(total);
    },
  );

  it('is streamed on the GPU and by ray crossing as well', async () => {
    for (const way of [
      ['--backend', 'gpu'],
      ['--method', 'ray-crossing', '--rule', 'nonzero'],
    ]) {
      const { stdout } = await run(
        '--points',
        'points.npy',
        '--chunk',
        '300',
        '--out',
        'g.npy',
        '--json',
        ...way,
      );
      expect(JSON.parse(stdout)).toMatchObject({ streamed: true, backend: 'gpu' });
      expect(Buffer.compare(readFileSync(file('g.npy')), encodeNpy(expected, [MANY]))).toBe(0);
    }
  });

  it('is streamed by default, and the report says so', async () => {
    const { stdout } = await run('--points', 'points.npy');
    expect(stdout).toMatch(/^points read +in chunks of 1,048,576$/m);
    expect(stdout).toMatch(/^peak memory +[\d.]+ MiB$/m);
    expect(stdout).toMatch(/^ {2}read to write +\d+\.\d{3}$/m);
    expect(stdout).toMatch(/points per second \(read to write, which went on at the same time\)$/m);
  });

  it('comes through a pipe', async () => {
    execFileSync('mkfifo', [file('pipe')]);
    createWriteStream(file('pipe')).end(encodeNpy(points, [MANY, 3]));
    const { code, stdout } = await run('--points', 'pipe', '--out', 'p.npy', '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, points: MANY, streamed: true });
    expect(Buffer.compare(readFileSync(file('p.npy')), encodeNpy(expected, [MANY]))).toBe(0);
  });

  it('is read at once where its format asks for that, and the report says why', async () => {
    const columns = Float32Array.from(
      { length: 3 * MANY },
      (_, i) => points[3 * (i % MANY) + Math.floor(i / MANY)]!,
    );
    const text = Buffer.from(encodeNpy(columns, [MANY, 3])).toString('latin1');
    writeFileSync(
      file('fortran.npy'),
      text.replace("'fortran_order': False", "'fortran_order': True "),
      'latin1',
    );
    writeFileSync(
      file('p.csv'),
      Array.from({ length: MANY }, (_, i) => points.slice(3 * i, 3 * i + 3).join(',')).join('\n'),
    );
    for (const [name, why] of [
      ['fortran.npy', 'its array is in Fortran order'],
      ['p.csv', 'it is no .npy file'],
    ] as const) {
      const { stdout } = await run('--points', name, '--out', 'f.npy', '--json', '--chunk', '999');
      expect(JSON.parse(stdout)).toMatchObject({ points: MANY, streamed: false, readAtOnce: why });
      expect(Buffer.compare(readFileSync(file('f.npy')), encodeNpy(expected, [MANY]))).toBe(0);
    }
    expect((await run('--points', 'p.csv')).stdout).toMatch(/^points read +at once: it is no \.npy file$/m);
  });

  it('is held at once where other files are written, with equal flags', async () => {
    const { stdout } = await run('--points', 'points.npy', '--out', 'f.csv', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ points: MANY, streamed: false });
    const rows = readFileSync(file('f.csv'), 'utf8').trimEnd().split('\n').slice(1);
    expect(rows.map((row) => Number(row.split(',')[3]))).toEqual([...expected]);
  });
});

describe('classify of points refuses, and leaves no file and every older one,', () => {
  const refused = async (args: string[], message: RegExp) => {
    writeFileSync(file('old.npy'), 'old');
    const before = readdirSync(folder);
    const { code, stdout, stderr } = await run(...args, '--quiet');
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^scree: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(file('old.npy'), 'utf8')).toBe('old');
  };

  it('a file that is cut off', async () => {
    writeFileSync(file('cut.npy'), encodeNpy(points, [MANY, 3]).subarray(0, -1));
    await refused(
      ['--points', 'cut.npy', '--out', 'old.npy'],
      /cut\.npy: byte 128: truncated: found 23999 bytes of data, expected 24000 for the shape \[2000, 3\] of f4/,
    );
  });

  it('a file that turns out bad behind many good chunks', async () => {
    const bad = points.slice();
    bad[3 * (MANY - 1)] = Number.NaN;
    writeFileSync(file('nan.npy'), encodeNpy(bad, [MANY, 3]));
    await refused(
      ['--points', 'nan.npy', '--chunk', '100', '--out', 'old.npy'],
      /nan\.npy: row 1999: non-finite coordinate: found NaN, expected a finite number/,
    );
  });

  it('no points', async () => {
    writeFileSync(file('none.npy'), encodeNpy(new Float32Array(0), [0, 3]));
    await refused(['--points', 'none.npy', '--out', 'old.npy'], /none\.npy: found no points/);
  });

  it('more points than can be held at once, with what to do', async () => {
    sparse('huge.npy', 200_000_000);
    await refused(
      ['--points', 'huge.npy', '--out', 'old.csv'],
      new RegExp(
        'huge\\.npy: 2400000128 bytes found, expected at most 2147483647 for points that are held at once, ' +
          'as old\\.csv needs them: write the flags alone, with --out flags\\.npy',
      ),
    );
  });

  it('points for which there is no memory, with what to do', async () => {
    for (const length of [2 ** 45, 2 ** 53]) {
      await expect(holdingAll('p.npy', async () => new Uint8Array(length))).rejects.toThrow(
        /^p\.npy: more points found than there is memory for \(.*\): write the flags alone, with --out flags\.npy/,
      );
    }
    const other = new RangeError('precision is out of range');
    await expect(holdingAll('p.npy', () => Promise.reject(other))).rejects.toBe(other);
  });

  it.each([
    [['--grid', '3', '--chunk', '5'], /--chunk needs --points, and --out \.npy or no file to write/],
    [['--points', 'points.npy', '--out', 'f.vtp', '--chunk', '5'], /--chunk needs --points, and --out \.npy/],
    [['--points', 'points.npy', '--chunk', '0'], /'--chunk <points>' argument '0' is invalid.*1 to 67108864/],
  ])('%j', async (args, message) => refused(args, message));
});

describe('an interrupted stream', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves no file behind and exits with its code', async (signal, exitCode) => {
    sparse('long.npy', 100_000_000);
    const before = readdirSync(folder);
    // A thousand points at a time take minutes.
    const args = ['classify', 'sphere.ply', '--points', 'long.npy', '--chunk', '1000', '--out', 'never.npy'];
    const running = startScree(args, { cwd: folder });
    await running.sees(' of 100,000,000 points)');
    expect(readdirSync(folder)).toHaveLength(before.length + 1);
    running.child.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr.endsWith('\nscree: interrupted\n')).toBe(true);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('ends though a pipe gives nothing any more', async () => {
    execFileSync('mkfifo', [file('silent')]);
    const pipe = createWriteStream(file('silent'));
    pipe.write(encodeNpyHeader('f4', [1_000_000, 3]));
    pipe.write(new Uint8Array(12 * 100_000));
    // Bytes may still be on their way when the reader goes.
    pipe.on('error', () => {});
    const before = readdirSync(folder);
    const args = ['classify', 'sphere.ply', '--points', 'silent', '--chunk', '1000', '--out', 'never.npy'];
    const running = startScree(args, { cwd: folder });
    // The file of flags is made before points are read.
    while (readdirSync(folder).length === before.length)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(readdirSync(folder)).toEqual(before);
    pipe.destroy();
  });
});

it('flags of a stream are read by NumPy as one array', async () => {
  await run('--points', 'points.npy', '--chunk', '100', '--out', 'f.npy');
  expect(parseNpy(readFileSync(file('f.npy')), 'f.npy')).toEqual({
    data: expected,
    shape: [MANY],
    dtype: 'u1',
  });
});

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  createWriteStream,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shareRows } from '../../src/cli/cluster/shard-file.ts';
import { parseShare } from '../../src/cli/cluster/shards.ts';
import { encodeNpy, encodeNpyHeader, parseNpy } from '../../src/io/npy.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { exactFlags } from '../support/flags.ts';
import { randomPoints } from '../support/shapes.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const run = (...args: string[]) => scree(args, { cwd: folder });
const sphere = unitSphere(3);
const MANY = 2000;
const points = randomPoints(sphere, MANY, createRandom(83));
const expected = encodeNpy(exactFlags(sphere, points), [MANY]);
const CHUNK = ['--points', 'points.npy', '--chunk', '300'];
// Without opening a device: a test of its own holds that what makes flags does not matter.
const CPU = ['--backend', 'cpu', '--quiet'];
const shard = (share: string, ...more: string[]) =>
  run('classify', 'sphere.stl', ...CHUNK, '--out', 'f.npy', '--shard', share, ...CPU, ...more);
const shards = () => readdirSync(folder).filter((name) => name.includes('.shard-') || name.includes('.tmp'));
const isExpected = (name: string) => Buffer.compare(readFileSync(file(name)), expected) === 0;

/** What a command that fails prints, its one line. */
async function lineOf(ended: ReturnType<typeof scree>, exitCode = 2): Promise<string> {
  const { code, stdout, stderr } = await ended;
  expect(stderr).toMatch(/^scree: [^\n]+\n$/);
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  return stderr.slice('scree: '.length, -1);
}

/** Shards by their names. A test that asks for them once more begins with copies. */
const made = new Map<number, ReadonlyMap<string, Buffer>>();

async function makeShards(of: number): Promise<void> {
  const there = made.get(of);
  if (there !== undefined) {
    for (const [name, bytes] of there) writeFileSync(file(name), bytes);
    return;
  }
  const all = Array.from({ length: of }, (_, k) => shard(`${k + 1}/${of}`));
  for (const { code } of await Promise.all(all)) expect(code).toBe(0);
  const names = Array.from({ length: of }, (_, k) => `f.npy.shard-${k + 1}-of-${of}`);
  made.set(of, new Map(names.map((name) => [name, readFileSync(file(name))])));
}

beforeAll(async () => {
  writeFileSync(file('sphere.stl'), encodeMesh(sphere, 'stl'));
  writeFileSync(file('points.npy'), encodeNpy(points, [MANY, 3]));
  const { code } = await run('build', 'sphere.stl', '--out', 'sphere.body', '--quiet');
  expect(code).toBe(0);
});

beforeEach(() => {
  for (const name of readdirSync(folder)) if (/^[fwb]\.npy/.test(name)) rmSync(file(name));
});

describe('shares', () => {
  it('are whole chunks that follow each other, none more than a chunk larger than another', () => {
    for (const [total, chunk, of] of [
      [2000, 300, 4],
      [1, 1 << 20, 7],
      [10 ** 7, 1 << 20, 16],
      [10 ** 11, 1 << 20, 10_000],
      [10 ** 11, 1, 999_983],
    ] as const) {
      const step = Math.max(1, Math.floor(of / 1000));
      let end = 0;
      const sizes: number[] = [];
      for (let index = 1; index <= of; index += 1) {
        const { first, count } = shareRows(total, chunk, { index, of });
        if (first !== end) expect(first).toBe(end);
        end = first + count;
        if (index % step === 0 && index < of) sizes.push(Math.ceil(count / chunk));
        if (index < of && count > 0 && end < total && end % chunk !== 0) expect(end % chunk).toBe(0);
      }
      expect(end).toBe(total);
      expect(Math.max(...sizes, 0) - Math.min(...sizes, Infinity)).toBeLessThanOrEqual(1);
    }
  });

  it.each(['0/4', '5/4', '1/0', '1', '1/', 'a/b', '-1/4', '1/1000001', '1.5/2'])('%s is none', (text) => {
    expect(() => parseShare(text)).toThrow(/Expected I\/N with 1 <= I <= N <= 1000000/);
  });
});

describe('classify --shard and merge', () => {
  it.each([
    [1, 'stl'],
    [4, 'stl'],
    [4, 'body'],
    // More shares than chunks: some are empty.
    [8, 'stl'],
  ])('%i shares, the last of them of the %s, give what one run gives', async (of, suffix) => {
    await makeShards(of);
    const forced = await run(
      ...['classify', `sphere.${suffix}`, ...CHUNK, '--out', 'f.npy'],
      ...['--shard', `${of}/${of}`, '--force', '--json', '--backend', 'cpu'],
    );
    expect(JSON.parse(forced.stdout)).toMatchObject({
      out: `f.npy.shard-${of}-of-${of}`,
      shard: { index: of, of, total: MANY },
      streamed: true,
    });
    expect(shards()).toHaveLength(of);
    const { code, stdout } = await run('merge', 'f.npy', '--points', 'points.npy', '--json', '--quiet');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      out: 'f.npy',
      what: 'flags',
      points: MANY,
      shards: of,
      removed: false,
    });
    expect(isExpected('f.npy')).toBe(true);
    expect(shards()).toHaveLength(of);
  });

  it('gives the same on the software GPU, by other methods and from float64', async () => {
    const wide = encodeNpy(Float64Array.from(points), [MANY, 3]);
    writeFileSync(file('wide.npy'), wide);
    const out = ['--chunk', '300', '--out', 'f.npy', '--quiet'];
    const shares = [
      ['1/3', '--points', 'points.npy', '--backend', 'gpu', '--adapter', 'software'],
      ['2/3', '--points', 'wide.npy', '--method', 'multipole'],
      ['3/3', '--points', 'points.npy', '--backend', 'cpu'],
    ];
    for (const share of shares)
      expect(await run('classify', 'sphere.stl', ...out, '--shard', ...share)).toMatchObject({ code: 0 });
    // Flags are exact, so it does not matter what made them.
    expect(await run('merge', 'f.npy', '--points', 'wide.npy', '--remove')).toMatchObject({ code: 0 });
    expect(isExpected('f.npy')).toBe(true);
    expect(shards()).toEqual([]);
  });

  it('a share that is done is not done again, unless that is asked for', async () => {
    await makeShards(2);
    const before = statSync(file('f.npy.shard-1-of-2')).mtimeMs;
    const again = await shard('1/2');
    expect(again).toEqual({
      code: 0,
      stdout: 'f.npy.shard-1-of-2 is there and whole: not made again\n',
      stderr: '',
    });
    expect(JSON.parse((await shard('1/2', '--json')).stdout)).toEqual({
      points: 900,
      shard: { index: 1, of: 2, first: 0, count: 900, total: MANY },
      skipped: true,
      outputs: ['f.npy.shard-1-of-2'],
    });
    expect(statSync(file('f.npy.shard-1-of-2')).mtimeMs).toBe(before);
    expect((await shard('1/2', '--force')).stdout).toContain('\nwrote f.npy.shard-1-of-2\n');
    expect(statSync(file('f.npy.shard-1-of-2')).mtimeMs).toBeGreaterThan(before);
  });

  it('reads its own rows and not the rest of the file', async () => {
    const bad = points.slice();
    bad[0] = Number.NaN;
    writeFileSync(file('bad.npy'), encodeNpy(bad, [MANY, 3]));
    const last = [
      'classify',
      'sphere.stl',
      '--points',
      'bad.npy',
      '--chunk',
      '300',
      '--out',
      'f.npy',
      ...CPU,
    ];
    expect(await run(...last, '--shard', '2/2')).toMatchObject({ code: 0 });
    expect(await lineOf(run(...last, '--shard', '1/2'))).toBe(
      'bad.npy: row 0: non-finite coordinate: found NaN, expected a finite number',
    );
    expect(shards()).toEqual(['f.npy.shard-2-of-2']);
  });

  it('a shard that was cut short or damaged is made anew, with a remark', async () => {
    await makeShards(2);
    const path = file('f.npy.shard-2-of-2');
    const good = readFileSync(path);
    const flipped = Uint8Array.from(good);
    flipped[5000]! ^= 1;
    for (const [bytes, remark] of [
      [good.subarray(0, -3), 'cut short: 5193 bytes found, expected 5196'],
      [flipped, /^damaged: the checksum \d+ found, expected \d+$/],
      [new Uint8Array(0), 'cut short: 0 bytes found'],
      [good.subarray(0, 100), 'cut short: 100 bytes found'],
    ] as const) {
      writeFileSync(path, bytes);
      expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toMatch(
        /^f\.npy\.shard-2-of-2: (cut short|damaged)/,
      );
      const { code, stderr } = await shard('2/2');
      expect(code).toBe(0);
      const found = /^scree: f\.npy\.shard-2-of-2: (.*): it is made anew\n$/.exec(stderr)?.[1];
      if (typeof remark === 'string') expect(found).toBe(remark);
      else expect(found).toMatch(remark);
      expect(Buffer.compare(readFileSync(path), good)).toBe(0);
    }
  });

  it('a shard whose header cannot be is named', async () => {
    await makeShards(1);
    const path = file('f.npy.shard-1-of-1');
    const good = readFileSync(path);
    const header = good
      .toString('latin1', 0, 4095)
      .trimEnd()
      .replace(/"chunk":\d+/, '"chunk":0');
    writeFileSync(path, Buffer.concat([Buffer.from(`${header.padEnd(4095)}\n`), good.subarray(4096)]));
    const line = await lineOf(run('merge', 'f.npy', '--quiet'));
    expect(line).toBe('f.npy.shard-1-of-1: a damaged header found');
  });

  it('a shard of something else is named and left alone', async () => {
    await makeShards(1);
    const path = 'f.npy.shard-1-of-1';
    const before = readFileSync(file(path));
    const refused = async (line: RegExp, ...args: string[]) => {
      const whole = [...args, '--out', 'f.npy', '--shard', '1/1', ...CPU];
      expect(await lineOf(run('classify', ...whole))).toMatch(line);
      expect(Buffer.compare(readFileSync(file(path)), before)).toBe(0);
    };
    const end = ': --force makes it anew$';
    await refused(
      RegExp(`^${path}: rule odd found, expected nonzero${end}`),
      'sphere.stl',
      ...CHUNK,
      '--rule',
      'nonzero',
    );
    await refused(
      RegExp(`^${path}: points per chunk 300 found, expected 1048576${end}`),
      ...['sphere.stl', '--points', 'points.npy'],
    );
    writeFileSync(file('other.stl'), encodeMesh(unitSphere(2), 'stl'));
    await refused(
      RegExp(`^${path}: body with the hash [0-9a-f]{16} found, expected [0-9a-f]{16}${end}`),
      ...['other.stl', ...CHUNK],
    );
    const moved = points.slice();
    moved[0] = 0.25;
    writeFileSync(file('moved.npy'), encodeNpy(moved, [MANY, 3]));
    await refused(
      RegExp(`^${path}: points with the checksum (\\d+) found, expected (?!\\1)\\d+${end}`),
      ...['sphere.stl', '--points', 'moved.npy', '--chunk', '300'],
    );
    expect(await lineOf(run('merge', 'f.npy', '--points', 'moved.npy', '--quiet'))).toMatch(
      RegExp(`^${path}: points with the checksum \\d+ found, expected \\d+ as in moved.npy$`),
    );
    writeFileSync(file(path), 'something of mine');
    expect(await lineOf(shard('1/1'))).toBe(`${path}: no shard of format 1 found: --force makes it anew`);
    expect(await shard('1/1', '--force')).toMatchObject({ code: 0 });
    expect(Buffer.compare(readFileSync(file(path)), before)).toBe(0);
  });

  it('a task that is killed leaves nothing under the name, and the same command does it', async () => {
    const count = 50_000_000;
    const header = encodeNpyHeader('f4', [count, 3]);
    writeSync(openSync(file('long.npy'), 'w'), header);
    truncateSync(file('long.npy'), header.length + 12 * count);
    const long = ['classify', 'sphere.stl', '--points', 'long.npy', '--out', 'f.npy', '--shard', '1/1'];
    const running = startScree([...long, '--chunk', '1000'], { cwd: folder });
    await running.sees(' of 50,000,000 points)');
    expect(shards()).toHaveLength(1);
    running.child.kill('SIGKILL');
    expect((await running.ended).code).toBe(137);
    expect(shards()).toEqual([expect.stringMatching(/\.tmp$/)]);
    // A process looks for what others left over, once in each folder.
    const again = ['classify', 'sphere.stl', ...CHUNK, '--out', 'f.npy', '--shard', '1/1', ...CPU];
    expect(await scree(again, { cwd: folder, isAlone: true })).toMatchObject({ code: 0 });
    expect(shards()).toEqual(['f.npy.shard-1-of-1']);
  });

  it.runIf(process.platform !== 'win32')('a full disk is one line, and leaves nothing', async () => {
    const full = { cwd: folder, fileBlocks: 4 };
    const why = 'cannot be written: the file would be larger than the system allows';
    const share = ['classify', 'sphere.stl', ...CHUNK, '--out', 'f.npy', '--shard', '1/1', ...CPU];
    expect(await lineOf(scree(share, full), 1)).toBe(`f.npy.shard-1-of-1: ${why}`);
    expect(shards()).toEqual([]);
    const big = 100_000;
    writeFileSync(file('big.npy'), encodeNpy(new Float32Array(3 * big), [big, 3]));
    await run('classify', 'sphere.stl', '--points', 'big.npy', '--out', 'f.npy', '--shard', '1/1', ...CPU);
    expect(await lineOf(scree(['merge', 'f.npy', '--remove', '--quiet'], full), 1)).toBe(`f.npy: ${why}`);
    expect(shards()).toEqual(['f.npy.shard-1-of-1']);
    expect(readdirSync(folder)).not.toContain('f.npy');
  });

  it('refuses what does not go with shares', async () => {
    const refused = (...args: string[]) => lineOf(run('classify', 'sphere.stl', ...args));
    const share = ['--shard', '1/2'];
    expect(await refused('--grid', '3', '--out', 'f.npy', ...share)).toMatch(
      /--shard needs --points with a \.npy file/,
    );
    expect(await refused('--points', '-', '--out', 'f.npy', ...share)).toMatch(/found standard input/);
    expect(await refused(...CHUNK, ...share)).toMatch(/--shard needs --out/);
    for (const more of [
      ['--out', 'f.csv'],
      ['--out', 'f.npy', '--save-points', 'p.npy'],
    ]) {
      expect(await refused('--points', 'points.npy', ...more, ...share)).toMatch(
        /--shard needs --out \.npy, and no other file to write/,
      );
    }
    expect(await refused(...CHUNK, '--out', 'f.npy', '--force')).toBe('--force needs --shard');
    expect(await refused(...CHUNK, '--out', 'f.npy', '--shard', '3/2')).toMatch(
      /Expected I\/N with 1 <= I <= N/,
    );
    writeFileSync(file('p.csv'), '0,0,0\n');
    expect(await refused('--points', 'p.csv', '--out', 'f.npy', '--quiet', ...share)).toBe(
      'p.csv: found rows asked for that cannot be read alone, because it is no .npy file, ' +
        'expected a .npy file in C order on a disk',
    );
    expect(shards()).toEqual([]);
  });
});

describe('merge', () => {
  it('names what is missing', async () => {
    expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toBe(
      'f.npy: no shards found, expected f.npy.shard-1-of-N and so on beside it',
    );
    await makeShards(8);
    for (const index of [2, 4, 5, 8]) rmSync(file(`f.npy.shard-${index}-of-8`));
    expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toBe('f.npy: of 8 shards 4 missing: 2, 4-5, 8');
    expect(await lineOf(run('merge', 'f.npy', '--expect', '3', '--quiet'))).toBe(
      'f.npy: of 3 shards 3 missing: 1-3',
    );
    expect(readdirSync(folder)).not.toContain('f.npy');
  });

  it('asks which where shards of several numbers are there', async () => {
    await makeShards(2);
    await shard('1/3');
    expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toBe(
      'f.npy: shards 2 of 2 and 1 of 3 found, expected those of one number: --expect says which',
    );
    expect(await run('merge', 'f.npy', '--expect', '2', '--remove', '--quiet')).toMatchObject({ code: 0 });
    expect(isExpected('f.npy')).toBe(true);
    expect(shards()).toEqual(['f.npy.shard-1-of-3']);
  });

  it('names shards that do not fit, with both values and both files', async () => {
    await makeShards(3);
    const redo = async (...args: string[]) => {
      const share = ['--out', 'f.npy', '--shard', '3/3', '--force', ...CPU];
      expect(await run('classify', ...args, ...share)).toMatchObject({ code: 0 });
      return lineOf(run('merge', 'f.npy', '--quiet'));
    };
    const line = (what: string) => RegExp(`^f\\.npy\\.shard-3-of-3: ${what} as in f\\.npy\\.shard-1-of-3$`);
    expect(await redo('sphere.stl', ...CHUNK, '--rule', 'nonzero')).toMatch(
      line('rule nonzero found, expected odd'),
    );
    writeFileSync(file('other.stl'), encodeMesh(unitSphere(2), 'stl'));
    expect(await redo('other.stl', ...CHUNK)).toMatch(line('body with the hash \\w+ found, expected \\w+'));
    writeFileSync(file('few.npy'), encodeNpy(points.slice(0, 3000), [1000, 3]));
    expect(await redo('sphere.stl', '--points', 'few.npy', '--chunk', '300')).toMatch(
      line('points in all 1000 found, expected 2000'),
    );
    expect(await redo('sphere.stl', '--points', 'points.npy', '--chunk', '100')).toMatch(
      line('points per chunk 100 found, expected 300'),
    );
    copyFileSync(file('f.npy.shard-1-of-3'), file('f.npy.shard-2-of-3'));
    expect(await lineOf(shard('2/3'))).toBe(
      'f.npy.shard-2-of-3: share 1/3 of 600 rows from 0 on found, ' +
        'expected 2/3 of 600 rows from 600 on: --force makes it anew',
    );
    expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toBe(
      'f.npy.shard-2-of-3: share 1/3 of 600 rows from 0 on found, ' +
        'expected 2/3 of 600 rows from 600 on (nor can be used: 3)',
    );
    expect(readdirSync(folder)).not.toContain('f.npy');
  });

  it('can run twice at once: the file is whole, and each says how it went', async () => {
    for (const more of [[], ['--remove']]) {
      await makeShards(4);
      const merge = () => scree(['merge', 'f.npy', '--quiet', ...more], { cwd: folder, isAlone: true });
      const both = await Promise.all([merge(), merge()]);
      expect(both.some(({ code }) => code === 0)).toBe(true);
      for (const { code, stdout, stderr } of both) {
        if (code === 0)
          expect({ stdout: stdout.split('\n').length, stderr }).toEqual({ stdout: 2, stderr: '' });
        else expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 2, lines: 2 });
      }
      expect(isExpected('f.npy')).toBe(true);
    }
    expect(shards()).toEqual([]);
  });
});

describe('winding --shard and merge', () => {
  const torn = () => {
    const { positions, indices } = sphere;
    writeFileSync(
      file('torn.ply'),
      encodeMesh(new TriangleMesh({ positions, indices: indices.slice(3) }), 'ply'),
    );
    return 'torn.ply';
  };
  const winding = (...args: string[]) => run('winding', torn(), ...CHUNK, ...args, '--quiet');

  it.each([
    [2, 'direct', '--backend', 'cpu'],
    [3, 'multipole', '--backend', 'cpu'],
    [2, 'cell-grid', '--backend', 'cpu'],
    [2, 'multipole', '--adapter', 'software'],
    [2, 'direct', '--adapter', 'software'],
  ] as const)('%i give the values and bounds of one run by %s, %s %s', async (of, method, option, value) => {
    const way = ['--method', method, option, value, '--tolerance', '1e-4'];
    expect(await winding('--out', 'w.npy', '--bounds', 'b.npy', ...way)).toMatchObject({ code: 0 });
    const [values, bounds] = ['w.npy', 'b.npy'].map((name) => readFileSync(file(name)));
    for (let index = 1; index <= of; index += 1) {
      const share = ['--shard', `${index}/${of}`, '--json'];
      const { code, stdout } = await winding('--out', 'w.npy', '--bounds', 'b.npy', ...way, ...share);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        out: `w.npy.shard-${index}-of-${of}`,
        boundsOut: `b.npy.shard-${index}-of-${of}`,
      });
    }
    for (const name of ['w.npy', 'b.npy']) {
      rmSync(file(name));
      expect(await run('merge', name, '--remove', '--quiet')).toMatchObject({ code: 0 });
    }
    expect(Buffer.compare(readFileSync(file('w.npy')), values!)).toBe(0);
    expect(Buffer.compare(readFileSync(file('b.npy')), bounds!)).toBe(0);
  });

  it('shares decide as the whole does, and an empty one too', async () => {
    const shares = ['1/9', '4/9', '9/9'];
    const used = [];
    for (const share of shares) {
      await winding('--out', 'w.npy', '--shard', share);
      const text = readFileSync(file(`w.npy.shard-${share.replace('/', '-of-')}`), 'latin1');
      used.push(JSON.parse(text.slice(0, 4096)));
    }
    expect(used.map(({ rows }) => rows.count)).toEqual([0, 300, 200]);
    for (const one of used) expect(one.used).toEqual(used[0].used);
    expect(used[0].used).toMatchObject({ tolerance: 1e-3, backend: 'cpu' });
  });

  it('are refused together if they were computed differently, or if one is of bounds', async () => {
    await winding('--out', 'w.npy', '--shard', '1/2', '--backend', 'cpu', '--method', 'direct');
    await winding('--out', 'w.npy', '--shard', '2/2', '--backend', 'cpu', '--method', 'multipole');
    expect(await lineOf(run('merge', 'w.npy', '--quiet'))).toBe(
      'w.npy.shard-2-of-2: method multipole found, expected direct as in w.npy.shard-1-of-2',
    );
    await winding(
      '--out',
      'b.npy',
      '--bounds',
      'w.npy',
      '--shard',
      '2/2',
      '--force',
      '--backend',
      'cpu',
      '--method',
      'direct',
    );
    expect(await lineOf(run('merge', 'w.npy', '--quiet'))).toBe(
      'w.npy.shard-2-of-2: results of kind bounds found, expected winding as in w.npy.shard-1-of-2',
    );
  });

  it('--rule winding notes how flags were found', async () => {
    const share = ['classify', torn(), ...CHUNK, '--rule', 'winding', '--out', 'f.npy', ...CPU, '--shard'];
    expect(await run(...share, '1/2', '--method', 'direct')).toMatchObject({ code: 0 });
    expect(await run(...share, '2/2', '--method', 'multipole')).toMatchObject({ code: 0 });
    expect(await lineOf(run('merge', 'f.npy', '--quiet'))).toBe(
      'f.npy.shard-2-of-2: method multipole found, expected direct as in f.npy.shard-1-of-2',
    );
  });
});

it('winding numbers do not depend on chunks, and the report is that of all', async () => {
  // So low a degree leaves many points to be summed up again.
  const way = ['--method', 'multipole', '--degree', '2', '--json'];
  const [whole, parts] = await Promise.all([
    run('winding', 'sphere.stl', '--points', 'points.npy', '--out', 'w.npy', ...way),
    run('winding', 'sphere.stl', ...CHUNK, '--out', 'b.npy', ...way),
  ]);
  const [a, b] = [whole, parts].map(({ stdout }) => JSON.parse(stdout));
  for (const field of [
    'points',
    'least',
    'greatest',
    'largestBound',
    'sharpened',
    'overTolerance',
    'level',
  ]) {
    expect(b[field], field).toBe(a[field]);
  }
  const values = parseNpy(readFileSync(file('b.npy')), 'b.npy').data as Float32Array;
  expect(values).toHaveLength(MANY);
  expect(b).toMatchObject({ least: Math.min(...values), greatest: Math.max(...values) });
  expect(b.sharpened).toBeGreaterThan(0);
  expect(Buffer.compare(readFileSync(file('b.npy')), readFileSync(file('w.npy')))).toBe(0);
});

it('an interrupted run of winding numbers ends though a pipe gives nothing any more', async () => {
  execFileSync('mkfifo', [file('silent')]);
  const args = ['winding', 'sphere.stl', '--points', 'silent', '--chunk', '10', '--out', 'w.npy'];
  const running = startScree(args, { cwd: folder });
  const pipe = createWriteStream(file('silent'));
  pipe.on('error', () => {});
  pipe.write(encodeNpyHeader('f4', [1_000_000, 3]));
  pipe.write(new Uint8Array(12 * 100_000));
  while (!readdirSync(folder).some((name) => name.endsWith('.tmp')))
    await new Promise((go) => setTimeout(go, 20));
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp') || name === 'w.npy')).toEqual([]);
  pipe.destroy();
});

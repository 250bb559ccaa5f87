import { execFileSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeNpy, encodeNpyHeader } from '../../src/io/npy.ts';
import { openPoints } from '../../src/io/open-points.ts';
import { parsePoints } from '../../src/io/points.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { temporaryFolder } from '../cli/scree.ts';
import { bytesOf, complaintOf, gzipOf } from '../mesh/read/fixtures.ts';

const folder = temporaryFolder();
const random = createRandom(71);
/** More points than are read with the header. */
const MANY = 15_000;
const points = Float32Array.from({ length: 3 * MANY }, () => random() - 0.5);

/** A big-endian file: the bytes of every number are reversed, and the header says so. */
function bigEndian(file: Uint8Array, itemSize: number): Uint8Array {
  const turned = file.slice();
  turned[turned.indexOf('<'.charCodeAt(0))] = '>'.charCodeAt(0);
  const start = 10 + turned[8]! + 256 * turned[9]!;
  for (let at = start; at < turned.length; at += itemSize) turned.subarray(at, at + itemSize).reverse();
  return turned;
}

function fortran(file: Uint8Array): Uint8Array {
  const text = Buffer.from(file).toString('latin1');
  return Uint8Array.from(
    Buffer.from(text.replace("'fortran_order': False", "'fortran_order': True "), 'latin1'),
  );
}

const wide = Float64Array.from(points, (x) => x + 1e-12);
const NPY: readonly (readonly [string, Uint8Array])[] = [
  ['float32', encodeNpy(points, [MANY, 3])],
  ['float64', encodeNpy(wide, [MANY, 3])],
  ['float32, big-endian', bigEndian(encodeNpy(points, [MANY, 3]), 4)],
  ['float64, big-endian', bigEndian(encodeNpy(wide, [MANY, 3]), 8)],
];

async function chunksOf(source: Parameters<typeof openPoints>[0], chunkPoints: number) {
  const file = await openPoints(source, { name: 'p.npy', chunkPoints });
  const chunks: Float32Array[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return { file, chunks };
}

const joined = (chunks: readonly Float32Array[]) => Float32Array.from(chunks.flatMap((chunk) => [...chunk]));

/** How often this process has a file open. Undefined if the system does not say. */
function timesOpen(path: string): number | undefined {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return undefined;
  const open = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // The folder itself was open only while it was listed.
      return '';
    }
  });
  return open.filter((target) => target === path).length;
}

/** What `timesOpen` returns for a closed file. */
const closed = existsSync('/proc/self/fd') ? 0 : undefined;

describe('openPoints of .npy', () => {
  it.each(NPY)('gives the points of readPoints in chunks: %s', async (_, bytes) => {
    const expected = await parsePoints(bytes, { name: 'p.npy' });
    for (const chunkPoints of [1000, 4999, 5000, MANY - 1, MANY, MANY + 1, 1 << 20]) {
      const { file, chunks } = await chunksOf(bytes, chunkPoints);
      expect(file).toMatchObject({ name: 'p.npy', count: MANY, whole: undefined });
      expect(chunks.map((chunk) => chunk.length / 3)).toEqual(
        Array.from({ length: Math.ceil(MANY / chunkPoints) }, (__, i) =>
          Math.min(chunkPoints, MANY - i * chunkPoints),
        ),
      );
      expect(Buffer.compare(Buffer.from(joined(chunks).buffer), Buffer.from(expected.buffer))).toBe(0);
    }
  });

  it('gives one point at a time', async () => {
    const few = points.slice(0, 3 * 17);
    const { chunks } = await chunksOf(encodeNpy(few, [17, 3]), 1);
    expect(chunks).toHaveLength(17);
    expect(joined(chunks)).toEqual(few);
  });

  it('gives arrays of their own', async () => {
    const { chunks } = await chunksOf(NPY[0]![1], 1000);
    const buffers = new Set(chunks.map((chunk) => chunk.buffer));
    expect(buffers.size).toBe(chunks.length);
    for (const chunk of chunks) expect(chunk.buffer.byteLength).toBe(chunk.byteLength);
  });

  it('reads files, Blobs and pipes', async () => {
    const bytes = NPY[1]![1];
    const path = join(folder, 'wide.npy');
    writeFileSync(path, bytes);
    expect(joined((await chunksOf(path, 4000)).chunks)).toEqual(points);
    expect(joined((await chunksOf(new Blob([bytes as Uint8Array<ArrayBuffer>]), 4000)).chunks)).toEqual(
      points,
    );
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    createWriteStream(pipe).end(bytes);
    expect(joined((await chunksOf(pipe, 4000)).chunks)).toEqual(points);
  });

  it('takes a file that is too large to be read at once', async () => {
    // A sparse file: it holds a header and one row, and takes no room on the disk.
    const path = join(folder, 'large.npy');
    const count = 200_000_000;
    const header = encodeNpyHeader('f4', [count, 3]);
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, header);
    writeSync(descriptor, new Uint8Array(Float32Array.of(1, 2, 3).buffer), 0, 12, header.length + 12 * 1000);
    truncateSync(path, header.length + 12 * count);
    const file = await openPoints(path, { chunkPoints: 1000 });
    expect(file.count).toBe(count);
    const chunks: Float32Array[] = [];
    for await (const chunk of file) if (chunks.push(chunk) === 2) break;
    expect([...chunks[1]!.subarray(0, 4)]).toEqual([1, 2, 3, 0]);

    const turned = openSync(path, 'r+');
    writeSync(turned, fortran(header));
    expect(await complaintOf(openPoints(path, { name: 'large.npy' }))).toBe(
      `large.npy: found ${header.length + 12 * count} bytes to be read at once, ` +
        'because its array is in Fortran order, ' +
        'expected at most 2147483647, or a .npy file of float32 in C order, which is read in chunks',
    );
  });
});

describe('openPoints with rows', () => {
  const rowsOf = async (source: Parameters<typeof openPoints>[0], first: number, count: number) => {
    const file = await openPoints(source, { name: 'p.npy', chunkPoints: 999, rows: { first, count } });
    const chunks: Float32Array[] = [];
    for await (const chunk of file) chunks.push(chunk);
    return { file, chunks };
  };

  it.each(NPY)('gives these rows alone: %s', async (_, bytes) => {
    const expected = await parsePoints(bytes, { name: 'p.npy' });
    const path = join(folder, 'rows.npy');
    writeFileSync(path, bytes);
    for (const source of [path, bytes, new Blob([bytes as Uint8Array<ArrayBuffer>])]) {
      for (const [first, count] of [
        [0, 1],
        [0, MANY],
        [14_000, 1000],
        [3, 2500],
        [MANY, 0],
      ] as const) {
        const { file, chunks } = await rowsOf(source, first, count);
        expect(file).toMatchObject({ count, total: MANY, whole: undefined });
        expect(chunks).toHaveLength(Math.ceil(count / 999));
        expect(joined(chunks)).toEqual(expected.slice(3 * first, 3 * (first + count)));
      }
    }
  });

  it('does not read the others', async () => {
    const bad = points.slice();
    bad[0] = Number.NaN;
    bad[3 * MANY - 1] = Number.NaN;
    const file = encodeNpy(bad, [MANY, 3]);
    const path = join(folder, 'bad-ends.npy');
    writeFileSync(path, file);
    expect(joined((await rowsOf(path, 1, MANY - 2)).chunks)).toEqual(points.slice(3, -3));
    expect(await complaintOf(rowsOf(path, 14_000, 1000))).toMatch(
      /^p\.npy: row 14999: non-finite coordinate/,
    );
  });

  it('refuses rows that are not there, or cannot be read alone', async () => {
    const bytes = NPY[0]![1];
    expect(await complaintOf(rowsOf(bytes, 14_000, 1001))).toBe(
      'p.npy: found 15000 points, and rows 14000 to 15000 asked for, expected rows that are there',
    );
    const alone = (why: string) =>
      `p.npy: found rows asked for that cannot be read alone, because ${why}, ` +
      'expected a .npy file in C order on a disk';
    expect(await complaintOf(rowsOf(fortran(bytes), 0, 1))).toBe(alone('its array is in Fortran order'));
    expect(await complaintOf(rowsOf(await gzipOf(bytes), 0, 1))).toBe(alone('it is compressed with gzip'));
    expect(await complaintOf(rowsOf(bytesOf('1 2 3\n'), 0, 1))).toBe(alone('it is no .npy file'));
    const pipe = join(folder, 'rows-pipe');
    execFileSync('mkfifo', [pipe]);
    createWriteStream(pipe)
      .on('error', () => {})
      .end(bytes);
    expect(await complaintOf(rowsOf(pipe, 0, 1))).toBe(alone('it is no file on a disk'));
    for (const rows of [{ first: -1, count: 1 }, { first: 0, count: 0.5 }, {}, { first: '0', count: 1 }]) {
      await expect(openPoints(bytes, { rows: rows as never })).rejects.toThrow(
        /^openPoints: rows is \{ first: .*, count: .* \}, expected whole numbers of 0 or more$/,
      );
    }
  });
});

describe('openPoints of other files reads them at once and says why', () => {
  const small = points.slice(0, 60);
  const columns = Float32Array.from({ length: 60 }, (_, i) => small[3 * (i % 20) + Math.floor(i / 20)]!);
  it.each([
    ['it is compressed with gzip', gzipOf(encodeNpy(small, [20, 3]))],
    [
      'it is no .npy file',
      bytesOf(Array.from({ length: 20 }, (_, i) => small.slice(3 * i, 3 * i + 3).join(' ')).join('\n')),
    ],
    ['its array is in Fortran order', fortran(encodeNpy(columns, [20, 3]))],
  ])('%s', async (whole, bytes) => {
    const { file, chunks } = await chunksOf(bytes, 7);
    expect(file).toMatchObject({ count: 20, whole });
    expect(chunks.map((chunk) => chunk.length / 3)).toEqual([7, 7, 6]);
    expect(joined(chunks)).toEqual(small);
  });
});

describe('openPoints refuses', () => {
  const row = (n: number, x: number) => {
    const spoilt = points.slice();
    spoilt[3 * n + 1] = x;
    return encodeNpy(spoilt, [MANY, 3]);
  };
  const good = NPY[0]![1];
  const damaged: readonly (readonly [string, Uint8Array])[] = [
    ['whole numbers', encodeNpy(Int32Array.of(1, 2, 3), [1, 3])],
    ['one dimension', encodeNpy(points.slice(0, 6), [6])],
    ['a transposed array', encodeNpy(points.slice(0, 6), [3, 2])],
    ['no points', encodeNpy(new Float32Array(0), [0, 3])],
    ['nothing', new Uint8Array(0)],
    ['not a number in the last chunk', row(MANY - 1, Number.NaN)],
    ['infinity in the first', row(3, Number.NEGATIVE_INFINITY)],
    ['what overflows float32', encodeNpy(Float64Array.of(1, 2, -1e39), [1, 3])],
    ['a big-endian NaN', bigEndian(row(8000, Number.NaN), 4)],
    ['another version', good.map((byte, i) => (i === 6 ? 9 : byte))],
    ['a file that is too long', Uint8Array.from([...good, 0])],
    ...[1, 7, 11, 60, 128, 129, good.length - 1].map(
      (end) => [`${end} bytes`, good.subarray(0, end)] as const,
    ),
  ];
  it.each(damaged)('%s, in the words of readPoints', async (_, bytes) => {
    const expected = await complaintOf(parsePoints(bytes, { name: 'p.npy' }));
    expect(await complaintOf(chunksOf(bytes, 5000))).toBe(expected);
  });

  it('a pipe that ends too soon or too late, with the row where it does', async () => {
    const pipe = join(folder, 'short');
    execFileSync('mkfifo', [pipe]);
    createWriteStream(pipe).end(good.subarray(0, 128 + 12 * 7000 + 5));
    expect(await complaintOf(chunksOf(pipe, 4000))).toBe(
      'p.npy: row 7000: truncated: found 84005 bytes of data, expected 180000 for the shape [15000, 3] of f4',
    );
    createWriteStream(pipe).end(Uint8Array.from([...good, 0]));
    expect(await complaintOf(chunksOf(pipe, 4000))).toBe(
      'p.npy: byte 180128: too long: found more than 180000 bytes of data, ' +
        'expected 180000 for the shape [15000, 3] of f4',
    );
  });

  it('a file that is cut while it is read, and closes it', async () => {
    const path = join(folder, 'shrinks.npy');
    writeFileSync(path, encodeNpy(new Float32Array(3 * 100_000), [100_000, 3]));
    const file = await openPoints(path, { name: 'p.npy', chunkPoints: 20_000 });
    expect(timesOpen(path)).not.toBe(closed ?? 1);
    const read = async () => {
      for await (const chunk of file) if (chunk.length > 0) truncateSync(path, 128 + 12 * 50_000);
    };
    await expect(read()).rejects.toThrow(
      'p.npy: row 50000: truncated: found 600000 bytes of data, expected 1200000 for the shape [100000, 3] of f4',
    );
    expect(timesOpen(path)).toBe(closed);
  });

  it('a chunk that is none', async () => {
    for (const chunkPoints of [0, 1.5, -1, Number.NaN, 2 ** 27]) {
      await expect(openPoints(good, { chunkPoints })).rejects.toThrow(InputError);
    }
  });

  it('what is not there', async () => {
    await expect(openPoints(join(folder, 'none.npy'))).rejects.toThrow(/none\.npy: no such file$/);
    await expect(openPoints(folder)).rejects.toThrow(/is a folder, expected a file$/);
  });
});

it('a file is closed when reading stops early, and when it is never read', async () => {
  const path = join(folder, 'closed.npy');
  writeFileSync(path, NPY[0]![1]);
  for await (const chunk of await openPoints(path, { chunkPoints: 100 })) if (chunk.length > 0) break;
  expect(timesOpen(path)).toBe(closed);
  const unread = await openPoints(path);
  await unread.close();
  await unread.close();
  expect(timesOpen(path)).toBe(closed);
  const failed = (async () => {
    for await (const _ of await openPoints(path, { chunkPoints: 100 })) throw new Error('a consumer');
  })();
  await expect(failed).rejects.toThrow('a consumer');
  expect(timesOpen(path)).toBe(closed);
});

it.each([
  ['.npy', NPY[0]![1]],
  ['text', new TextEncoder().encode('1 2 3\n4 5 6\n')],
])('a file that was read or closed cannot be read again, and says so: %s', async (_, bytes) => {
  const read = async (file: Awaited<ReturnType<typeof openPoints>>) => {
    let count = 0;
    for await (const chunk of file) count += chunk.length / 3;
    return count;
  };
  const expected = 'expected one to be read for the first time: open it again with openPoints()';
  const file = await openPoints(bytes, { name: 'p.npy' });
  expect(await read(file)).toBe(file.count);
  expect(await complaintOf(read(file))).toBe(
    `p.npy: an open file of points that was read already found, ${expected}`,
  );
  const left = await openPoints(bytes, { name: 'p.npy' });
  for await (const __ of left) break;
  expect(await complaintOf(read(left))).toMatch(/ that was read already found, /);
  const closed = await openPoints(bytes, { name: 'p.npy' });
  await closed.close();
  expect(await complaintOf(read(closed))).toBe(
    `p.npy: an open file of points that was closed found, ${expected}`,
  );
});

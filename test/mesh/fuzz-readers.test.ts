// Whatever was done to a file, a reader returns a sound mesh or fails with one line that names the file. Every property
// starts from valid files of every format and damages them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { parsePoints } from '../../src/io/points.ts';
import { parseMesh } from '../../src/mesh/read/parse-mesh.ts';
import { hasLinearGrowth } from '../support/growth.ts';
import { bytesOf, concat, everyFormat, gzipOf, type Surface, textOf } from './read/fixtures.ts';

const NAME = 'fuzzed.part';
/** "0 0 0" and a line end are 6 bytes and become 12. No reader may make more than twice as many bytes of one. */
const LARGEST_BYTES_PER_BYTE = 4;

const coordinate = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ min: -10, max: 10, noNaN: true }),
);
const surface: fc.Arbitrary<Surface> = fc
  .array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 12 })
  .chain((vertices) => {
    const corner = fc.nat(vertices.length - 1);
    return fc.record({
      vertices: fc.constant(vertices),
      faces: fc.array(fc.tuple(corner, corner, corner), { minLength: 1, maxLength: 12 }),
    });
  });
const FORMATS = [
  'stl-binary',
  'stl-ascii',
  'obj',
  'off',
  'ply-ascii',
  'ply-binary-little-endian',
  'ply-binary-big-endian',
];
const file = fc
  .record({ surface, format: fc.constantFrom(...FORMATS) })
  .map(({ surface: whole, format }) => everyFormat(whole)[format]!);

/** Expects one of the allowed outcomes. `size` are the bytes of the file, or those that it inflates to. */
async function check(bytes: Uint8Array, size = bytes.length): Promise<void> {
  try {
    const { positions, indices, origin } = await parseMesh(bytes, { name: NAME });
    expect(indices.length).toBeGreaterThan(0);
    expect(indices.length % 3).toBe(0);
    expect(indices.length).toBe(3 * (origin.fileTriangles - origin.facesDropped));
    expect(positions.length % 3).toBe(0);
    expect(positions.every((x) => Number.isFinite(x) && !Object.is(x, -0))).toBe(true);
    const points = new Set<string>();
    for (let v = 0; v < positions.length; v += 3) points.add(positions.subarray(v, v + 3).join());
    expect(points.size).toBe(positions.length / 3);
    expect(new Set(indices).size).toBe(positions.length / 3);
    for (let i = 0; i < indices.length; i += 3) expect(new Set(indices.subarray(i, i + 3)).size).toBe(3);
    expect(indices.every((v) => v < positions.length / 3)).toBe(true);
    expect(positions.byteLength).toBeLessThanOrEqual(LARGEST_BYTES_PER_BYTE * size);
    expect(indices.byteLength).toBeLessThanOrEqual(3 * LARGEST_BYTES_PER_BYTE * size);
  } catch (error) {
    checkComplaint(error);
  }
  try {
    const points = await parsePoints(bytes, { name: NAME });
    expect(points.length).toBeGreaterThan(0);
    expect(points.every(Number.isFinite)).toBe(true);
    expect(points.byteLength).toBeLessThanOrEqual(LARGEST_BYTES_PER_BYTE * size);
    expect(points.buffer.byteLength).toBe(points.byteLength);
  } catch (error) {
    checkComplaint(error);
  }
}

function checkComplaint(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
  expect(error.message).toMatch(/^fuzzed\.part: [^\r\n]+$/);
  expect(error.message.length).toBeLessThan(400);
}

async function everyFile(
  damage: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array>,
  seed: number,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(file, damage, async (bytes, change) => check(change(bytes))),
    { seed, numRuns },
  );
}

/** Replaces the text between two offsets, given as fractions of its tokens, by another. */
function replaceToken(bytes: Uint8Array, which: number, token: string): Uint8Array {
  const tokens = textOf(bytes).split(/(\s+)/);
  const at = 2 * Math.floor((which * tokens.length) / 2);
  return bytesOf(tokens.map((old, i) => (i === at ? token : old)).join(''));
}

/** Words that break programs which trust counts and numbers. */
const NASTY = [
  'nan',
  '-NaN',
  'inf',
  '+Infinity',
  '1.#IND',
  '1e39',
  '-1e999',
  '1e-999',
  '0x10',
  '1e',
  '--1',
  '.',
  '-',
  '/',
  '1//',
  '\\',
  '#',
  '-1',
  '0',
  '3',
  '255',
  '256',
  '65536',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '1e9',
  '99999999999999999999',
  '9'.repeat(400),
  'solid',
  'endsolid',
  'facet',
  'v',
  'f',
  'ply',
  'OFF',
  'list',
  'float',
  'uchar',
  'element',
  'end_header',
  '\0',
  'é',
  '',
];

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('readers end with a sound mesh or one line of complaint', () => {
  it('for every valid file', async () => {
    await everyFile(
      fc.constant((bytes) => bytes),
      11,
      900,
    );
  });

  it('for files cut at any byte', async () => {
    const whole = everyFormat({
      vertices: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0.5],
      ],
      faces: [
        [0, 1, 2],
        [2, 1, 0],
      ],
    });
    for (const bytes of Object.values(whole)) {
      for (let end = 0; end <= bytes.length; end++) await check(bytes.subarray(0, end));
    }
    await everyFile(
      fraction.map((part) => (bytes) => bytes.subarray(0, part * bytes.length)),
      12,
      900,
    );
  });

  it('for files with flipped bits', async () => {
    const flips = fc.array(fc.tuple(fraction, fc.nat(7)), { minLength: 1, maxLength: 8 });
    await everyFile(
      flips.map((places) => (bytes) => {
        const damaged = bytes.slice();
        for (const [where, bit] of places) damaged[Math.floor(where * bytes.length)]! ^= 1 << bit;
        return damaged;
      }),
      13,
      4500,
    );
  });

  it('for text with nasty words in it', async () => {
    const words = fc.array(fc.tuple(fraction, fc.constantFrom(...NASTY)), { minLength: 1, maxLength: 3 });
    const text = file.filter((bytes) => !bytes.includes(0));
    await fc.assert(
      fc.asyncProperty(text, words, (bytes, changes) =>
        check(changes.reduce((changed, [which, token]) => replaceToken(changed, which, token), bytes)),
      ),
      { seed: 14, numRuns: 7500 },
    );
  });

  it('for binary with huge numbers in it', async () => {
    const numbers = fc.constantFrom(
      0,
      1,
      2,
      0x7f,
      0xff,
      0x7fff,
      0xffff,
      0x7fffffff,
      0x80000000,
      0xfffffffe,
      0xffffffff,
      0x7f800000,
      0x7fc00000,
    );
    const places = fc.array(fc.tuple(fraction, numbers, fc.boolean()), { minLength: 1, maxLength: 3 });
    await everyFile(
      places.map((changes) => (bytes) => {
        const damaged = bytes.slice();
        const view = new DataView(damaged.buffer);
        for (const [where, value, little] of changes) {
          view.setUint32(Math.floor(where * (bytes.length - 3)), value, little);
        }
        return damaged;
      }),
      15,
      4500,
    );
  });

  it('for a binary STL with any count', async () => {
    await fc.assert(
      fc.asyncProperty(surface, fc.nat(0xffffffff), async (whole, count) => {
        const bytes = everyFormat(whole)['stl-binary']!.slice();
        new DataView(bytes.buffer).setUint32(80, count, true);
        await check(bytes);
      }),
      { seed: 16, numRuns: 600 },
    );
  });

  it('for pieces of files put together', async () => {
    await fc.assert(
      fc.asyncProperty(file, file, fraction, fraction, (a, b, endA, startB) =>
        check(concat(a.subarray(0, endA * a.length), b.subarray(startB * b.length))),
      ),
      { seed: 17, numRuns: 1500 },
    );
  });

  it('for random bytes, alone and behind every magic', async () => {
    const starts = [
      '',
      'solid ',
      'solid x\nfacet',
      'ply\n',
      'ply\nformat ascii 1.0\n',
      'OFF\n',
      'COFF 3 1\n',
      'v ',
      'v 0 0 0\nf ',
      'x,y,z\n',
      '\x93NUMPY\x01\0',
      '\x1f\x8b\x08',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, bytes) =>
        check(concat(new Uint8Array(Buffer.from(start, 'latin1')), bytes)),
      ),
      { seed: 18, numRuns: 4500 },
    );
  });

  it('for random words of the text formats', async () => {
    const numbers = ['0', '1', '2', '3', '-1', '0.5', '1e30', '1/1', '2//1'];
    const word = fc.constantFrom(
      ...NASTY,
      ...numbers,
      ...numbers,
      'normal',
      'outer',
      'loop',
      'vertex',
      'endloop',
      'endfacet',
    );
    const separator = fc.constantFrom(' ', ' ', '\n', '\n', '\r\n', '\r', '\t', '\\\n', ',');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', 'solid a\n', 'OFF 3 1 0\n', 'v 0 0 0\n', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'),
        fc.array(fc.tuple(word, separator), { maxLength: 40 }),
        (start, words) => check(bytesOf(start + words.flat().join(''))),
      ),
      { seed: 19, numRuns: 6000 },
    );
  });

  it('for damaged gzip', async () => {
    await fc.assert(
      fc.asyncProperty(file, fraction, fc.nat(255), fraction, async (bytes, where, byte, end) => {
        const packed = gzipOf(bytes);
        await check(packed, bytes.length);
        const damaged = packed.slice();
        damaged[Math.floor(where * packed.length)] = byte;
        await check(damaged, 256 * packed.length);
        await check(packed.subarray(0, Math.floor(end * packed.length)), bytes.length);
      }),
      { seed: 20, numRuns: 450 },
    );
  });

  it('for text that is one endless word, number or line, in linear time', async () => {
    const files: ((length: number) => Uint8Array)[] = [];
    for (const piece of ['a', '1', '0', '-', '#', '\\', ' ', '\n', '\\\n', '"', ',', 'v ', '1 ', '/1']) {
      for (const start of [
        '',
        'solid',
        'solid\nfacet ',
        'ply\nformat ascii 1.0\nelement ',
        'OFF ',
        'v 1 2 ',
        'v 0 0 0\nf ',
        'x y z\n',
      ]) {
        files.push((length) => bytesOf(start + piece.repeat(length)));
      }
    }
    const checkAll = async (length: number) => {
      for (const file of files) await check(file(length));
    };
    expect(await hasLinearGrowth(checkAll, 100_000)).toBe(true);
  });
});

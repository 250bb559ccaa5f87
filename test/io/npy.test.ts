import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeNpy, encodeNpyHeader, type NpyDtype, parseNpy } from '../../src/io/npy.ts';
import { dataPath, describeWithData } from '../support/data.ts';

interface Written {
  readonly version?: number;
  readonly descr?: string;
  readonly fortran?: string;
  readonly shape?: string;
  readonly data: Uint8Array;
}

/** A .npy file made byte by byte, so that every field can be wrong. */
function npy({ version = 1, descr = "'<f4'", fortran = 'False', shape = '(2,)', data }: Written): Uint8Array {
  const text = `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
  const length =
    version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, text.length >> 8, 0, 0];
  return new Uint8Array([
    0x93,
    ...Buffer.from('NUMPY'),
    version,
    0,
    ...length,
    ...Buffer.from(text),
    ...data,
  ]);
}

const ITEMS: readonly (readonly [
  NpyDtype,
  number,
  (view: DataView, at: number, x: number, little: boolean) => void,
])[] = [
  ['f4', 4, (view, at, x, little) => view.setFloat32(at, x, little)],
  ['f8', 8, (view, at, x, little) => view.setFloat64(at, x, little)],
  ['u1', 1, (view, at, x) => view.setUint8(at, x)],
  ['i1', 1, (view, at, x) => view.setInt8(at, x)],
  ['u2', 2, (view, at, x, little) => view.setUint16(at, x, little)],
  ['i2', 2, (view, at, x, little) => view.setInt16(at, x, little)],
  ['u4', 4, (view, at, x, little) => view.setUint32(at, x, little)],
  ['i4', 4, (view, at, x, little) => view.setInt32(at, x, little)],
  ['u8', 8, (view, at, x, little) => view.setBigUint64(at, BigInt(x), little)],
  ['i8', 8, (view, at, x, little) => view.setBigInt64(at, BigInt(x), little)],
  ['b1', 1, (view, at, x) => view.setUint8(at, x)],
];

function pack(type: NpyDtype, values: readonly number[], little: boolean): Uint8Array {
  const [, size, set] = ITEMS.find(([name]) => name === type)!;
  const view = new DataView(new ArrayBuffer(size * values.length));
  for (const [i, x] of values.entries()) set(view, i * size, x, little);
  return new Uint8Array(view.buffer);
}

const plain = (array: ArrayLike<number | bigint>) => Array.from(array, Number);

describe('parseNpy', () => {
  it.each(ITEMS.map(([type]) => type))('reads %s of either byte order, in versions 1 to 3', (dtype) => {
    const values = dtype === 'b1' ? [0, 1, 1] : [1, 0, 100];
    for (const version of [1, 2, 3]) {
      for (const order of ['<', '>', ...(ITEMS.find(([type]) => type === dtype)![1] === 1 ? ['|'] : [])]) {
        const data = pack(dtype, values, order !== '>');
        const array = parseNpy(npy({ version, descr: `'${order}${dtype}'`, shape: '(3,)', data }), 'a.npy');
        expect(plain(array.data)).toEqual(values);
        expect(array).toMatchObject({ shape: [3], dtype });
      }
    }
  });

  it('turns Fortran order into C order', () => {
    const data = pack('i4', [0, 10, 1, 11, 2, 12], false);
    const array = parseNpy(npy({ descr: "'>i4'", fortran: 'True', shape: '(2, 3)', data }), 'a.npy');
    expect(plain(array.data)).toEqual([0, 1, 2, 10, 11, 12]);
    const cube = Uint8Array.from({ length: 24 }, (_, i) => i);
    const turned = parseNpy(
      npy({ descr: "'|u1'", fortran: 'True', shape: '(2, 3, 4)', data: cube }),
      'a.npy',
    );
    expect(plain(turned.data.subarray(0, 5))).toEqual([0, 6, 12, 18, 2]);
  });

  it('reads a single number, an empty array and double quotes', () => {
    expect(parseNpy(npy({ shape: '()', data: pack('f4', [7], true) }), 'a').shape).toEqual([]);
    const empty = parseNpy(npy({ shape: '(0, 999999999999)', data: new Uint8Array(0) }), 'a');
    expect(empty.data.length).toBe(0);
    const text = npy({ data: pack('f4', [1, 2], true) }).map((byte) => (byte === 0x27 ? 0x22 : byte));
    expect(plain(parseNpy(text, 'a').data)).toEqual([1, 2]);
  });

  const good: Written = { data: pack('f4', [1, 2], true) };
  it.each([
    [{ ...good, version: 4 }, 'a.npy: byte 6: found .npy version 4, expected 1, 2 or 3'],
    [{ ...good, descr: "'<c8'" }, 'a.npy: header: found the type "<c8", expected one of f4, f8,'],
    [{ ...good, descr: "'<f2'" }, 'found the type "<f2"'],
    [{ ...good, descr: "[('x', '<f4')]" }, 'found a structured type, expected plain numbers'],
    [{ ...good, descr: '7' }, 'found no "descr"'],
    [{ ...good, fortran: 'maybe' }, 'found no "fortran_order"'],
    [{ ...good, shape: '2' }, 'found no "shape"'],
    [{ ...good, shape: '(2, , 1)' }, 'found the shape'],
    [{ ...good, shape: '(-2,)' }, 'found no "shape"'],
    [{ ...good, shape: `(${'1, '.repeat(40)})` }, 'found the shape'],
    [{ ...good, shape: '(3,)' }, 'truncated: found 8 bytes of data, expected 12 for the shape [3] of f4'],
    [{ ...good, shape: '(99999999, 99999999, 99999999)' }, 'truncated'],
    [{ ...good, shape: '(1,)' }, 'too long: found 8 bytes of data, expected 4'],
  ])('refuses %j', (written, message) => {
    expect(() => parseNpy(npy(written), 'a.npy')).toThrow(InputError);
    expect(() => parseNpy(npy(written), 'a.npy')).toThrow(message);
  });

  it('refuses every file that is cut short, and any other', () => {
    const bytes = npy(good);
    for (let end = 0; end < bytes.length; end++) {
      expect(() => parseNpy(bytes.subarray(0, end), 'a.npy')).toThrow(InputError);
    }
    expect(() => parseNpy(new Uint8Array(100), 'a.npy')).toThrow('a.npy: byte 0: found no .npy magic');
  });

  it('ends with an array or an InputError whatever is done to the bytes', () => {
    const bytes = npy({ descr: "'>f8'", fortran: 'True', shape: '(2, 3)', data: new Uint8Array(48) });
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(bytes.length), (changes, cut) => {
        const damaged = bytes.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        try {
          expect(
            parseNpy(damaged.subarray(0, changes.length > 2 ? cut : undefined), 'a').data.byteLength,
          ).toBeLessThanOrEqual(48);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as Error).message).toMatch(/^a: [^\r\n]+$/);
        }
      }),
      { seed: 7, numRuns: 3000 },
    );
  });
});

describe('encodeNpy', () => {
  it('writes what parseNpy reads, data aligned to 64 bytes', () => {
    const arrays = [
      ['f4', Float32Array.of(1, -2.5, 3e38, 0, 5, 6)],
      ['f8', Float64Array.of(1, Math.PI, -1e300, 0, 5, 6)],
      ['u1', Uint8Array.of(0, 1, 255, 3, 4, 5)],
      ['u4', Uint32Array.of(0, 1, 0xffffffff, 3, 4, 5)],
      ['i4', Int32Array.of(0, 1, -7, 3, 4, 5)],
    ] as const;
    for (const [dtype, data] of arrays) {
      for (const shape of [[6], [2, 3], [1, 3, 2]]) {
        const bytes = encodeNpy(data, shape);
        expect((bytes.length - data.byteLength) % 64).toBe(0);
        expect(parseNpy(bytes, 'a')).toEqual({ data, shape, dtype });
      }
    }
    expect(parseNpy(encodeNpy(Float32Array.of(7), []), 'a').shape).toEqual([]);
    expect(parseNpy(encodeNpy(Float32Array.of(1, 2, 3).subarray(1), [2]), 'a').data).toEqual(
      Float32Array.of(2, 3),
    );
  });

  it('refuses a shape that does not fit', () => {
    for (const shape of [[5], [2, 2], [-2, -3], [1.5, 4]]) {
      expect(() => encodeNpy(new Float32Array(6), shape)).toThrow(InputError);
    }
  });
});

describe('encodeNpyHeader', () => {
  it('is what encodeNpy begins with', () => {
    for (const [dtype, data] of [
      ['u1', new Uint8Array(6)],
      ['f4', new Float32Array(6)],
      ['f8', new Float64Array(6)],
      ['i4', new Int32Array(6)],
    ] as const) {
      for (const shape of [[6], [2, 3]]) {
        const whole = encodeNpy(data, shape);
        const header = encodeNpyHeader(dtype, shape);
        expect(header).toEqual(whole.subarray(0, whole.length - data.byteLength));
      }
    }
    expect(encodeNpyHeader('u1', [100_000_000]).length % 64).toBe(0);
  });

  it('refuses what is no shape', () => {
    expect(() => encodeNpyHeader('u1', [-1])).toThrow(InputError);
    expect(() => encodeNpyHeader('u1', [1.5, 2])).toThrow(/found the shape \[1.5, 2\]/);
  });
});

describeWithData('NumPy files of the data folder', () => {
  it('come out byte for byte when written again', () => {
    for (const file of ['good__boot.points.npy', 'good__boot.inside.npy']) {
      const bytes = new Uint8Array(readFileSync(dataPath(`oracle/${file}`)));
      const { data, shape } = parseNpy(bytes, file);
      expect(shape[0]).toBe(22000);
      expect(Buffer.compare(encodeNpy(data as Float32Array | Uint8Array, shape), bytes)).toBe(0);
    }
  });
});

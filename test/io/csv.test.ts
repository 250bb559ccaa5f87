import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { encodeCsv } from '../../src/io/csv.ts';
import { readPoints } from '../../src/io/points.ts';
import { float32Text } from '../../src/mesh/write-text.ts';

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('encodeCsv', () => {
  it('writes a header and a line per point', () => {
    const points = Float32Array.of(0, -0.5, 0.1, 16777216, 1e-7, -3);
    expect(decode(encodeCsv({ points, flags: Uint8Array.of(1, 2) }))).toBe(
      'x,y,z,flag\n0,-0.5,0.1,1\n16777216,1e-7,-3,2\n',
    );
    expect(decode(encodeCsv({ points: new Float32Array(0), flags: new Uint8Array(0) }))).toBe('x,y,z,flag\n');
  });

  it('is read back with the same float32 coordinates, over many pieces', async () => {
    // A grid's coordinates repeat and scattered ones do not, so remembered texts are both found and replaced.
    const points = Float32Array.from({ length: 3 * 5000 }, (_, i) =>
      i % 2 ? Math.fround(i % 7) / 3 : Math.sin(i) * 1e3,
    );
    const flags = Uint8Array.from({ length: 5000 }, (_, i) => i % 3);
    const bytes = encodeCsv({ points, flags });
    expect(await readPoints(bytes)).toEqual(points);
    expect(decode(bytes).split('\n')).toHaveLength(5002);
  });

  it('refuses flags that do not fit the points', () => {
    expect(() => encodeCsv({ points: new Float32Array(6), flags: new Uint8Array(3) })).toThrow(
      new InputError('flags: found 3 flags for 6 coordinates, expected one for every three'),
    );
  });
});

describe('float32Text', () => {
  it('gives every float32 again, with the fewest digits that do', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = float32Text(x);
        expect(Object.is(Math.fround(Number(text)), x)).toBe(true);
        const digits = (t: string) =>
          t.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;
        const fewest = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((p) => Math.fround(Number(x.toPrecision(p))) === x)!;
        expect(digits(text)).toBeLessThanOrEqual(fewest);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [0.1, '0.1'],
    [-0, '-0'],
    [1 / 3, '0.33333334'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [1.401298464324817e-45, '1e-45'],
    [16777217, '16777216'],
    [123456789, '123456790'],
  ])('writes %d as %s', (x, text) => expect(float32Text(Math.fround(x))).toBe(text));
});

import { describe, expect, it } from 'vitest';
import { packBodies } from '../../src/broadphase/gpu/tables.ts';
import { createRandom } from '../../src/mesh/random.ts';

const CELL = 0.25;

/** Position of a packed body, in cells: whole ones and 2^-32. */
function placeOf(words: Uint32Array, body: number, axis: number): bigint {
  return BigInt(words[12 * body + axis]! | 0) * 2n ** 32n + BigInt(words[12 * body + 4 + axis]!);
}

describe('bodies in whole cells and fractions', () => {
  it.each([0, 25_000, -32_768])('about %d: positions are rounded down to 2^-32 of a cell', (centre) => {
    const random = createRandom(4);
    const poses = Float64Array.from({ length: 7 * 200 }, () => centre + random());
    const words = packBodies(poses, new Uint8Array(200), CELL);
    for (let body = 0; body < 200; body++) {
      for (let axis = 0; axis < 3; axis++) {
        // Exact: all factors are powers of two.
        const units = (poses[7 * body + axis]! / CELL) * 2 ** 32;
        expect(placeOf(words, body, axis)).toBe(BigInt(Math.floor(units)));
      }
    }
  });

  it('positions next to whole cells stay on their side', () => {
    const poses = Float64Array.of(CELL * (2 ** 17 - 2 ** -36), -1e-300, -CELL * 2 ** 17, 0, 0, 0.6, 0.8);
    const words = packBodies(poses, Uint8Array.of(1), CELL);
    expect([0, 1, 2].map((axis) => placeOf(words, 0, axis))).toEqual([2n ** 49n - 1n, -1n, -(2n ** 49n)]);
    expect(words[3]).toBe(1);
    expect([...new Float32Array(words.buffer, 32)]).toEqual([0, 0, 0.6, 0.8].map(Math.fround));
  });
});

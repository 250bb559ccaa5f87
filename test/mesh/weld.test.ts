import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { weldExact, weldWithin } from '../../src/mesh/weld.ts';
import { hasLinearGrowth, takesLess } from '../support/growth.ts';

/** Points on a coarse lattice, so that many coincide and many are close. */
const latticePoints = fc
  .array(fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -3, max: 3 }))), { minLength: 1, maxLength: 60 })
  .map((points) => Float32Array.from(points.flat(), (x) => x / 10));
const anyPoints = fc
  .array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 60 })
  .map((values) => Float32Array.from(values.slice(0, values.length - (values.length % 3))));
const points = fc.oneof(latticePoints, anyPoints);

function at(positions: Float32Array, v: number): number[] {
  return Array.from(positions.subarray(3 * v, 3 * v + 3));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((x, k) => x - b[k]!));
}

/** The documented rule, word by word. */
function weldByRule(positions: Float32Array, tolerance: number): { kept: number[][]; remap: number[] } {
  const kept: number[][] = [];
  const remap = Array.from({ length: positions.length / 3 }, (_, v) => {
    const point = at(positions, v).map((x) => x + 0);
    const same = kept.findIndex((other) => other.every((x, k) => x === point[k]));
    if (same >= 0) return same;
    let nearest = -1;
    let least = tolerance * tolerance;
    for (const [i, other] of kept.entries()) {
      const squared =
        (other[0]! - point[0]!) ** 2 + (other[1]! - point[1]!) ** 2 + (other[2]! - point[2]!) ** 2;
      if (squared < least) {
        nearest = i;
        least = squared;
      }
    }
    return nearest >= 0 ? nearest : kept.push(point) - 1;
  });
  return { kept, remap };
}

describe('weldExact', () => {
  it('keeps every vertex where it was and leaves no two alike, in the order of appearance', () => {
    fc.assert(
      fc.property(points, (positions) => {
        const welded = weldExact(positions);
        const seen = new Map<string, number>();
        for (const [v, w] of welded.remap.entries()) {
          const key = String(at(positions, v));
          if (!seen.has(key)) seen.set(key, seen.size);
          expect(w).toBe(seen.get(key));
          expect(at(welded.positions, w)).toEqual(at(positions, v).map((x) => x + 0));
        }
        expect(welded.positions.length).toBe(3 * seen.size);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('takes -0 for +0 and keeps the smallest numbers apart', () => {
    const step = 2 ** -149;
    const welded = weldExact(Float32Array.of(0, -0, 0, -0, 0, -0, step, 0, 0, -step, 0, 0));
    expect(Array.from(welded.remap)).toEqual([0, 0, 1, 2]);
    expect(welded.positions.some((x) => Object.is(x, -0))).toBe(false);
  });

  it('welds a part of a larger array and nothing at all', () => {
    const whole = Float32Array.of(9, 1, 2, 3, 1, 2, 3);
    expect(Array.from(weldExact(whole.subarray(1)).positions)).toEqual([1, 2, 3]);
    expect(weldExact(new Float32Array(0)).positions.length).toBe(0);
  });

  it('takes a million and a half corners in linear time', async () => {
    const side = 512;
    const positions = new Float32Array(3 * 6 * side * side);
    for (let i = 0; i < 6 * side * side; i++) {
      positions[3 * i] = (i % side) / side;
      positions[3 * i + 1] = (Math.floor(i / side) % side) / side;
    }
    expect(weldExact(positions).positions.length).toBe(3 * side * side);
    // Beside a table of that size that is filled at random places, which no welding can do without: it takes 8 to 12
    // times as long, and searches in a table that get longer with it take thousands of times. A table of a part would
    // fit into the processor's caches.
    const bits = Math.ceil(Math.log2(2 * 6 * side * side));
    const fill = () => {
      const table = new Uint32Array(2 ** bits);
      for (let i = 0; i < 6 * side * side; i++) table[Math.imul(i, 0x9e3779b1) >>> (32 - bits)]!++;
      return table;
    };
    expect(await takesLess(() => weldExact(positions), 64, fill)).toBe(true);
  });
});

describe('weldWithin', () => {
  it('follows its rule, word by word', () => {
    fc.assert(
      fc.property(latticePoints, fc.constantFrom(1e-3, 0.1, 0.15, 0.25, 3), (positions, tolerance) => {
        const welded = weldWithin(positions, tolerance);
        const wanted = weldByRule(positions, tolerance);
        expect(Array.from(welded.remap)).toEqual(wanted.remap);
        expect(Array.from(welded.positions)).toEqual(wanted.kept.flat());
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('moves no vertex as far as the tolerance and leaves no two closer, at any scale', () => {
    fc.assert(
      fc.property(anyPoints, fc.double({ min: 1e-50, max: 1e50, noNaN: true }), (positions, tolerance) => {
        const { positions: kept, remap } = weldWithin(positions, tolerance);
        for (const [v, w] of remap.entries()) {
          const moved = distance(at(positions, v), at(kept, w));
          expect(moved === 0 || moved < tolerance * (1 + 1e-12)).toBe(true);
        }
        for (let a = 0; a < kept.length / 3; a++) {
          for (let b = 0; b < a; b++) {
            expect(distance(at(kept, a), at(kept, b))).toBeGreaterThanOrEqual(tolerance * (1 - 1e-12));
          }
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  it('does not collapse a chain of close vertices into one', () => {
    const chain = Float32Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? i / 3 : 0));
    expect(Array.from(weldWithin(chain, 1.5).remap)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('merges a crowd in one place in linear time', async () => {
    const crowd = Float32Array.from({ length: 1_500_000 }, (_, i) => 1000 + ((i * 7919) % 1000) * 1e-4);
    expect(weldWithin(crowd, 1).positions.length).toBe(3);
    const weldPart = (vertices: number) => weldWithin(crowd.subarray(0, 3 * vertices), 1);
    expect(await hasLinearGrowth(weldPart, crowd.length / 3)).toBe(true);
  });

  it.each([0, -1, Number.NaN, Infinity])('refuses the tolerance %d', (tolerance) => {
    expect(() => weldWithin(Float32Array.of(0, 0, 0), tolerance)).toThrow(InputError);
  });
});

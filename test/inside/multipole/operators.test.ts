import { describe, expect, it } from 'vitest';
import {
  coefficientCount,
  irregularFactor,
  irregularHarmonics,
  regularFactor,
  regularHarmonics,
} from '../../../src/inside/multipole/harmonics.ts';
import {
  addConverted,
  addLocals,
  addMoments,
  conversionTable,
  evaluateLocal,
  localTables,
  MomentIntegrator,
  momentTables,
  octantOffset,
} from '../../../src/inside/multipole/operators.ts';
import { triangleRule } from '../../../src/inside/multipole/quadrature.ts';
import { regularTranslation } from '../../../src/inside/multipole/translations.ts';
import { addSolidAngles } from '../../../src/inside/potential/solid-angle.ts';
import { createRandom } from '../../../src/mesh/random.ts';

const random = createRandom(31);
const within = (size: number) => [0, 1, 2].map(() => size * (random() - 0.5));

/** Corners of `count` triangles in the unit cell about the origin. */
const triangles = (count: number) => Float64Array.from({ length: 9 * count }, () => random() - 0.5);

function regular(degree: number, [x, y, z]: readonly number[]): Float64Array {
  const out = new Float64Array(coefficientCount(degree));
  regularHarmonics(degree, x!, y!, z!, out);
  return out;
}

function irregular(degree: number, [x, y, z]: readonly number[]): Float64Array {
  const out = new Float64Array(coefficientCount(degree));
  irregularHarmonics(degree, x!, y!, z!, out);
  return out;
}

function momentsOf(corners: Float64Array, degree: number, centre: readonly number[], edge = 1): Float64Array {
  const out = new Float64Array(coefficientCount(degree));
  const integrator = new MomentIntegrator(degree);
  const [x, y, z] = centre;
  for (let t = 0; t < corners.length / 9; t++) integrator.add(corners, t, x!, y!, z!, edge, out, 0);
  return out;
}

function direct(corners: Float64Array, [x, y, z]: readonly number[]): number {
  const sum = new Float64Array(2);
  addSolidAngles(corners, Uint32Array.of(0, corners.length / 9), 0, 1, x!, y!, z!, sum);
  return sum[0]!;
}

const largestDifference = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const norm = (a: readonly number[]) => Math.hypot(...a);

describe('the harmonics', () => {
  it('are the polynomials of the paper, eqs. 14 and 15', () => {
    const [x, y, z] = [0.3, -0.8, 0.45];
    const values = regular(3, [x, y, z]);
    const square = x * x + y * y + z * z;
    const complex: [number, number, number, number][] = [
      [1, 0, z, 0],
      [1, 1, x / 2, y / 2],
      [2, 0, (3 * z * z - square) / 4, 0],
      [2, 1, (z * x) / 2, (z * y) / 2],
      [2, 2, (x * x - y * y) / 8, (2 * x * y) / 8],
      [3, 1, ((5 * z * z - square) * x) / 16, ((5 * z * z - square) * y) / 16],
      [3, 3, (x ** 3 - 3 * x * y * y) / 48, (3 * x * x * y - y ** 3) / 48],
    ];
    const other = irregular(3, [x, y, z]);
    const factorials = [1, 1, 2, 6, 24, 120, 720];
    for (const [n, m, re, im] of complex) {
      expect(values[n * n + n + m]! / regularFactor(n, m), `R ${n} ${m}`).toBeCloseTo(re, 14);
      if (m > 0) expect(values[n * n + n - m]! / regularFactor(n, m), `R ${n} ${-m}`).toBeCloseTo(im, 14);
      // S is (n - m)! (n + m)! / |x|^(2 n + 1) times R.
      const ratio = (factorials[n - m]! * factorials[n + m]!) / square ** (n + 0.5);
      expect(other[n * n + n + m]! / irregularFactor(n, m), `S ${n} ${m}`).toBeCloseTo(re * ratio, 12);
    }
  });

  it('expand 1 / |x - y| as eq. 13, with the error of eq. 12', () => {
    for (let i = 0; i < 200; i++) {
      const x = within(1);
      const y = within(6);
      const ratio = norm(x) / norm(y);
      if (ratio > 0.7) continue;
      const exact = 1 / norm(x.map((c, k) => c - y[k]!));
      for (const p of [0, 1, 4, 8, 12]) {
        const error = Math.abs(dot(regular(p, x), irregular(p, y)) - exact);
        expect(error).toBeLessThan(ratio ** (p + 1) / (norm(y) * (1 - ratio)) + 1e-13);
      }
    }
  });

  it('of a degree have the squares |x|^(2 n) in all', () => {
    const x = within(3);
    const values = regular(12, x);
    for (let n = 0; n <= 12; n++) {
      const squares = values.subarray(n * n, (n + 1) ** 2).reduce((sum, v) => sum + v * v, 0);
      expect(squares / norm(x) ** (2 * n)).toBeCloseTo(1, 12);
    }
  });
});

it('the quadrature of a degree is exact for all polynomials of it, and for no higher ones', () => {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  for (let wanted = 0; wanted <= 11; wanted++) {
    const { degree, points } = triangleRule(wanted);
    expect(degree).toBeGreaterThanOrEqual(wanted);
    let beyond = 0;
    for (let i = 0; i <= degree + 1; i++) {
      for (let j = 0; i + j <= degree + 1; j++) {
        let sum = 0;
        for (let k = 0; k < points.length; k += 3)
          sum += points[k + 2]! * points[k]! ** i * points[k + 1]! ** j;
        const error = Math.abs((sum * factorial(i + j + 2)) / (2 * factorial(i) * factorial(j)) - 1);
        if (i + j <= degree) expect(error).toBeLessThan(1e-14);
        else beyond = Math.max(beyond, error);
      }
    }
    expect(beyond).toBeGreaterThan(1e-4);
  }
});

describe('P2M', () => {
  it('gives the area vector for degree 1', () => {
    const corners = Float64Array.of(0, 0, 0, 2, 0, 0, 0, 3, 0);
    // R of degree 1 is y, z, x; the area 3, along z.
    const moments = momentsOf(corners, 1, [5, -4, 7]);
    expect([...moments].map((m) => -4 * Math.PI * m)).toEqual([0, 0, 3, 0].map((v) => expect.closeTo(v, 14)));
  });

  it('adds up when a triangle is divided: the integral is exact, whatever its rule', () => {
    const corners = triangles(1);
    const at = (i: number) => [...corners.subarray(3 * i, 3 * i + 3)];
    const mix = (i: number, j: number) => at(i).map((c, k) => 0.3 * c + 0.7 * at(j)[k]!);
    const parts = Float64Array.from([
      ...[at(0), mix(0, 1), mix(0, 2)].flat(),
      ...[mix(0, 1), at(1), mix(0, 2)].flat(),
      ...[mix(0, 2), at(1), at(2)].flat(),
    ]);
    for (const degree of [1, 2, 5, 8, 12]) {
      const difference = largestDifference(
        momentsOf(parts, degree, [0.1, 0, 0]),
        momentsOf(corners, degree, [0.1, 0, 0]),
      );
      expect(difference).toBeLessThan(1e-13);
    }
  });

  it('is in cell units: a moment of degree n is divided by edge^(n + 1)', () => {
    const corners = triangles(3);
    const scaled = corners.map((c) => 8 * c);
    expect(
      largestDifference(momentsOf(corners, 6, [0, 0, 0]), momentsOf(scaled, 6, [0, 0, 0], 8)),
    ).toBeLessThan(1e-15);
  });

  it('and the series of eq. 20 (M2P) converge to the solid angle at the rate of the degree', () => {
    const corners = triangles(5);
    const x = [2.1, -1.2, 0.7];
    const exact = direct(corners, x);
    const ratio = Math.sqrt(3) / 2 / norm(x);
    let area = 0;
    for (let t = 0; t < 5; t++)
      area += norm([...momentsOf(corners.subarray(9 * t, 9 * t + 9), 1, [0, 0, 0])]);
    for (let p = 1; p <= 12; p++) {
      const error = Math.abs(dot(momentsOf(corners, p, [0, 0, 0]), irregular(p, x)) - exact);
      // Sum over n > p of n area ratio^(n - 1) / |x|^2.
      const bound = ((area / norm(x) ** 2) * ratio ** p * (p + 1 - p * ratio)) / (1 - ratio) ** 2;
      expect(error).toBeLessThan(bound);
    }
  });
});

describe('the translation theorems', () => {
  it("M2M: a child's moments become those about its parent's centre, exactly", () => {
    for (let octant = 0; octant < 8; octant++) {
      const offset = octantOffset(octant);
      const corners = triangles(4);
      for (const degree of [1, 3, 8, 12]) {
        const size = coefficientCount(degree);
        const both = new Float64Array(2 * size);
        // The child's cell has the edge 1/2.
        both.set(momentsOf(corners, degree, offset, 1 / 2));
        addMoments(momentTables(degree)[octant]!, degree, both, 0, size);
        const expected = momentsOf(corners, degree, [0, 0, 0]);
        expect(largestDifference(both.subarray(size), expected)).toBeLessThan(1e-13);
      }
    }
  });

  it("L2L: the child's expansion is the parent's, everywhere", () => {
    for (let octant = 0; octant < 8; octant++) {
      const offset = octantOffset(octant);
      for (const degree of [1, 2, 5, 8]) {
        const size = coefficientCount(degree);
        const both = new Float64Array(2 * size);
        for (let i = 0; i < size; i++) both[i] = random() - 0.5;
        addLocals(localTables(degree)[octant]!, degree, both, 0, size);
        const scratch = new Float64Array(size);
        const [x, y, z] = within(1);
        const child = evaluateLocal(degree, both, size, x!, y!, z!, scratch);
        const [px, py, pz] = [x!, y!, z!].map((c, k) => offset[k]! + c / 2);
        expect(child).toBeCloseTo(evaluateLocal(degree, both, 0, px!, py!, pz!, scratch), 13);
      }
    }
  });

  it('of R compose: two translations are one', () => {
    const [a, b] = [within(1), within(1)];
    const size = coefficientCount(8);
    const [first, second] = [regularTranslation(8, a), regularTranslation(8, b)];
    const sum = regularTranslation(
      8,
      a.map((c, k) => c + b[k]!),
    );
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        let entry = 0;
        for (let k = 0; k < size; k++) entry += first[size * i + k]! * second[size * k + j]!;
        expect(entry).toBeCloseTo(sum[size * i + j]!, 12);
      }
    }
  });

  it("M2L: the moments' series, expanded about another centre, up to the degree of the expansion", () => {
    const q = 6;
    const offset = [2, -1, 3];
    const moments = momentsOf(triangles(3), q, [0, 0, 0]);
    const x = within(1);
    const series = dot(
      moments,
      irregular(
        q,
        offset.map((c, k) => c + x[k]!),
      ),
    );
    const ratio = norm(x) / norm(offset);
    let size = 0;
    for (let n = 1; n <= q; n++) size += norm([...moments.subarray(n * n, (n + 1) ** 2)]);
    for (const p of [1, 2, 4, 8, 16]) {
      const locals = new Float64Array(coefficientCount(p));
      addConverted(conversionTable(p, q, offset), locals.length, moments, 0, locals, 0);
      const scratch = new Float64Array(locals.length);
      const error = Math.abs(evaluateLocal(p, locals, 0, x[0]!, x[1]!, x[2]!, scratch) - series);
      // The terms of degree s are at most C(q + s, q) ratio^s.
      let [bound, binomial] = [0, 1];
      for (let s = 1; s < 200; s++) {
        binomial *= (q + s) / s;
        if (s > p) bound += binomial * ratio ** s;
      }
      expect(error).toBeLessThan((size * bound) / norm(offset) ** 2 + 1e-15);
    }
  });

  it('M2L against direct sums: the error falls with p as its bound does', () => {
    // Sources and points within 1/2 of their centres, which are 3 apart.
    const corners = triangles(20).map((c) => c / Math.sqrt(3));
    const points = Array.from({ length: 50 }, () => within(1 / Math.sqrt(3)));
    const [radius, distance] = [0.5, 3];
    let size = 0;
    for (let t = 0; t < 20; t++)
      size += norm([...momentsOf(corners.subarray(9 * t, 9 * t + 9), 1, [0, 0, 0])]);
    const bounds: number[] = [];
    for (let p = 1; p <= 8; p++) {
      const locals = new Float64Array(coefficientCount(p));
      const moments = momentsOf(corners, p, [0, 0, 0]);
      addConverted(conversionTable(p, p, [2, 2, -1]), locals.length, moments, 0, locals, 0);
      const scratch = new Float64Array(locals.length);
      // All terms (n, s) that are left out: n C(n + s, n) radius^(n - 1 + s) / distance^(n + s + 1).
      let bound = 0;
      for (let n = 1; n < 60; n++) {
        let term = (n * radius ** (n - 1)) / distance ** (n + 1);
        for (let s = 0; s < 60; s++) {
          if (n > p || s > p) bound += size * term;
          term *= (radius * (n + s + 1)) / (distance * (s + 1));
        }
      }
      bounds.push(bound);
      for (const x of points) {
        const exact = direct(corners, [x[0]! + 2, x[1]! + 2, x[2]! - 1]);
        const error = Math.abs(evaluateLocal(p, locals, 0, x[0]!, x[1]!, x[2]!, scratch) - exact);
        expect(error).toBeLessThan(bound);
      }
    }
    expect(bounds[7]! / bounds[0]!, 'a rate worth the name').toBeLessThan(2e-4);
  });
});

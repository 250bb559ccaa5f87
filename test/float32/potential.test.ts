/**
 * Bounds of solid angles and of the multipole method's far field, where WGSL draws its rounding, fusing and order at
 * random, against exact arithmetic; where roots and arguments make that impossible, against float64, which is 2^29
 * times as fine.
 */
import { describe, expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../src/constants.ts';
import {
  BOUNDARY_DOUBT,
  CROSSING_ROUNDING,
  CROSSING_VOLUME_ROUNDING,
} from '../../src/inside/multipole/constants.ts';
import {
  coefficientCount,
  recurrenceFactors,
  regularHarmonics,
} from '../../src/inside/multipole/harmonics.ts';
import { harmonicRounding } from '../../src/inside/multipole/rounding.ts';
import {
  ARGUMENT_ERROR,
  SOLID_ANGLE_DOUBT_32,
  SOLID_ANGLE_ROUNDING_32,
} from '../../src/inside/potential/constants.ts';
import { Exact } from '../support/exact-number.ts';
import type { DrawnFloat32 } from '../support/float32-emulation.ts';
import { type Drawn, worstRatio } from '../support/worst-ratio.ts';

const f = Math.fround;
type Vec3 = [number, number, number];

/** Three corners and a point in the unit frame, some of them near each other. */
function drawnCorners(draw: DrawnFloat32): { corners: Vec3[]; point: Vec3 } {
  const size = 2 ** (-10 * draw.random());
  const point = [0, 0, 0].map(() => f(draw.random() - 0.5)) as Vec3;
  const corners = [0, 1, 2].map(() => point.map((x) => f(x + size * (draw.random() - 0.5))) as Vec3);
  return { corners, point };
}

const differences = (draw: DrawnFloat32, corners: readonly Vec3[], point: Vec3) =>
  corners.map((corner) => corner.map((x, k) => draw.sub(x, point[k]!)) as Vec3);
const exactly = (corners: readonly Vec3[], point: Vec3) =>
  corners.map((corner) => Exact.difference(Exact.vector(corner), Exact.vector(point)));
const lengthOf = (v: readonly Exact[]) => Math.hypot(...v.map((x) => x.value));
const dot64 = (a: readonly Exact[], b: readonly Exact[]) => Exact.dot(a, b).value;

describe('the number of a solid angle', () => {
  it('is off by less than its doubt allows', () => {
    const worst = worstRatio(1200, (draw) => {
      const { corners, point } = drawnCorners(draw);
      const [a, b, c] = differences(draw, corners, point) as [Vec3, Vec3, Vec3];
      const [la, lb, lc] = [a, b, c].map((v) => draw.length(v)) as Vec3;
      const product = draw.product(la, lb, lc);
      const num = draw.dot(a, draw.cross(b, c));
      const den = draw.sum(product, [draw.dot(a, b), lc], [draw.dot(b, c), la], [draw.dot(c, a), lb]);
      const [x, y, z] = exactly(corners, point) as [Exact[], Exact[], Exact[]];
      const [lx, ly, lz] = [x, y, z].map(lengthOf) as Vec3;
      const volume = lx * ly * lz;
      const exactDen = volume + dot64(x, y) * lz + dot64(y, z) * lx + dot64(z, x) * ly;
      // 73 spacings for den, 9.3 for num: docs/multipole.md.
      const spacing = FLOAT32_SPACING * volume;
      expect(SOLID_ANGLE_DOUBT_32).toBeGreaterThan(73 * FLOAT32_SPACING);
      return [
        { found: den, exact: exactDen, bound: 73 * spacing },
        { found: num, exact: Exact.dot(x, Exact.cross(y, z)), bound: 9.3 * spacing },
      ];
    });
    expect(worst).toBeGreaterThan(0.2);
  });
});

it('the argument of that number is off by less than its steepness allows, next to doubt and far from it', () => {
  // In spacings of |a||b||c|: den is off by 71, num by 9.3; a number is doubtful where |num| and den are below 128.
  let worst = 0;
  const test = (den: number, num: number) => {
    const bound = (32 * (Math.abs(den) + 3 * num)) / (den * den + num * num);
    for (const [x, y] of [
      [-71, -9.3],
      [-71, 9.3],
      [71, -9.3],
      [71, 9.3],
    ] as const) {
      const off = Math.abs(Math.atan2(num + y, den + x) - Math.atan2(num, den));
      worst = Math.max(worst, off / bound);
    }
  };
  for (let i = 0; i <= 4000; i++) {
    for (const limit of [128, 129, 150, 200, 500, 1e4, 1e6]) {
      test(limit, (limit * i) / 4000);
      test(limit - limit * 10 ** ((8 * i) / 4000 - 4), limit);
    }
  }
  expect(worst).toBeLessThan(1);
  expect(worst).toBeGreaterThan(0.9);
  // With the rounding of a product, per steepness.
  expect(SOLID_ANGLE_ROUNDING_32 / FLOAT32_SPACING).toBeGreaterThan(32 / (2 * Math.PI) + 0.46 * 4.2);
});

describe('the near field', () => {
  it('has edges and crossings within their bounds', () => {
    worstRatio(1200, (draw) => {
      const { corners, point } = drawnCorners(draw);
      const [a, b, c] = differences(draw, corners, point) as [Vec3, Vec3, Vec3];
      const [x, y, z] = exactly(corners, point) as [Exact[], Exact[], Exact[]];
      const edge = (u: Vec3, v: Vec3) => draw.sum([u[0], v[1]], [-u[1], v[0]]);
      const exactEdge = (u: readonly Exact[], v: readonly Exact[]) =>
        u[0]!.times(v[1]!).minus(u[1]!.times(v[0]!));
      // An edge's number, den + i num.
      const above = (v: Vec3) => draw.sum(draw.length(v), v[2]);
      const den = draw.sum([above(a), above(b)], [a[0], b[0]], [a[1], b[1]]);
      const [lx, ly] = [lengthOf(x), lengthOf(y)];
      const across = x[0]!.times(y[0]!).plus(x[1]!.times(y[1]!)).value;
      const exactDen = (lx + x[2]!.value) * (ly + y[2]!.value) + across;
      const number = { found: den, exact: exactDen, bound: 58.2 * FLOAT32_SPACING * lx * ly };
      expect(BOUNDARY_DOUBT).toBeGreaterThan(59 * FLOAT32_SPACING);
      // A crossing's edges and volume.
      const sides = [
        [a, b, x, y],
        [b, c, y, z],
        [c, a, z, x],
      ] as const;
      const flat = [x, y, z].reduce((sum, v) => sum + Math.abs(v[0]!.value) + Math.abs(v[1]!.value), 0);
      const square = flat * flat;
      const edges = sides.map(([u, v, p, q]): Drawn => {
        return { found: edge(u, v), exact: exactEdge(p, q), bound: CROSSING_ROUNDING * square };
      });
      const [ab, bc, ca] = edges.map(({ found }) => found) as Vec3;
      const volume = draw.sum([a[2], bc], [b[2], ca], [c[2], ab]);
      const exactVolume = Exact.dot(x, Exact.cross(y, z));
      const heights = [x, y, z].reduce((sum, v) => sum + Math.abs(v[2]!.value), 0);
      const bound = CROSSING_VOLUME_ROUNDING * square * heights;
      return [number, ...edges, { found: volume, exact: exactVolume, bound }];
    });
  });
});

describe('the arc tangent of the kernels', () => {
  // As in argument.wgsl, from the highest coefficient on.
  const SERIES = [
    -0.00396025723, 0.0215092542, -0.0553816979, 0.096016564, -0.138920412, 0.199430812, -0.33329538,
    0.999999249,
  ];

  it('is off by less than 2^-20', () => {
    const worst = worstRatio(2000, (draw) => {
      const turn = 2 * Math.PI * draw.random();
      const [re, im] = [f(Math.cos(turn)), f(Math.sin(turn))];
      const [width, height] = [Math.abs(re), Math.abs(im)];
      const t = height > width ? draw.div(width, height) : draw.div(height, width);
      const s = draw.mul(t, t);
      const sum = SERIES.slice(1).reduce((value, x) => draw.sum([value, s], f(x)), f(SERIES[0]!));
      const eighth = draw.product(sum, t, f(0.15915494309));
      const quarter = height > width ? draw.sub(0.25, eighth) : eighth;
      const half = re < 0 ? draw.sub(0.5, quarter) : quarter;
      const exact = Math.atan2(im, re) / (2 * Math.PI);
      return [{ found: im < 0 ? -half : half, exact, bound: ARGUMENT_ERROR }];
    });
    expect(worst).toBeGreaterThan(0.04);
  });
});

describe('harmonics R by their recurrence', () => {
  it('of one degree are within the bound, in norm', () => {
    const worst = worstRatio(250, (draw) => {
      const degree = 11;
      const p = [0, 0, 0].map(() => f(draw.random() - 0.5)) as Vec3;
      if (draw.random() < 0.3) p[0] = p[1] = f(2 ** -12 * draw.random());
      const found = drawnHarmonics(draw, degree, p);
      const exact = new Float64Array(coefficientCount(degree));
      regularHarmonics(degree, ...p, exact);
      return Array.from({ length: degree }, (_, i): Drawn => {
        const n = i + 1;
        let square = 0;
        for (let j = n * n; j < (n + 1) ** 2; j++) square += (found[j]! - exact[j]!) ** 2;
        return {
          found: Math.sqrt(square),
          exact: 0,
          bound: harmonicRounding(n) * FLOAT32_SPACING * Math.hypot(...p) ** n,
        };
      });
    });
    expect(worst).toBeGreaterThan(0.1);
  });

  /** As in p2m.wgsl and evaluate.wgsl. */
  function drawnHarmonics(draw: DrawnFloat32, degree: number, [x, y, z]: Vec3): Float64Array {
    const out = new Float64Array(coefficientCount(degree));
    const square = draw.dot([x, y, z], [x, y, z]);
    let [cosine, sine] = [1, 0];
    for (let m = 0; m <= degree; m++) {
      if (m > 0) {
        const factor = f(recurrenceFactors(m, m)[2]);
        const next = draw.mul(factor, draw.sum([x, cosine], [-y, sine]));
        sine = draw.mul(factor, draw.sum([x, sine], [y, cosine]));
        cosine = next;
      }
      let [c, s, olderC, olderS] = [cosine, sine, 0, 0];
      for (let n = m; n <= degree; n++) {
        out[n * n + n + m] = c;
        if (m > 0) out[n * n + n - m] = s;
        const [a, b] = n < degree ? recurrenceFactors(n + 1, m).map(f) : [0, 0];
        const [above, below] = [draw.mul(a!, z), draw.mul(b!, square)];
        [c, olderC] = [draw.sum([above, c], [-below, olderC]), c];
        [s, olderS] = [draw.sum([above, s], [-below, olderS]), s];
      }
    }
    return out;
  }

  it('round by no more in any direction: roundings of steps, passed on, and their change between samples', () => {
    for (let degree = 1; degree <= 11; degree++) {
      const step = Math.PI / 2 / SAMPLES;
      let most = 0;
      const growth = new Float64Array((degree + 1) ** 2);
      for (let i = 0; i <= SAMPLES; i++) most = Math.max(most, roundingAt(degree, i * step, growth));
      expect(most + (slopeOf(degree, growth, step) * step) / 2).toBeLessThan(harmonicRounding(degree));
    }
  });

  const SAMPLES = 2000;
  /** What a step rounds, in spacings of its two terms; and a step along the diagonal, of the number itself. */
  const [ABOVE, BELOW, DIAGONAL] = [3.5, 6.5, 5];

  /**
   * Rounding of R of one degree at an angle to the axis, in norm; notes how large a step's error becomes in `growth`.
   */
  function roundingAt(degree: number, angle: number, growth: Float64Array): number {
    const z = Math.cos(angle);
    let square = 0;
    let first = 1;
    for (let m = 0; m <= degree; m++) {
      if (m > 0) first *= recurrenceFactors(m, m)[2] * Math.sin(angle);
      const r = [first];
      for (let n = m + 1; n <= degree; n++) {
        const [a, b] = recurrenceFactors(n, m);
        r.push(a * z * r.at(-1)! - b * (r.at(-2) ?? 0));
      }
      let error = DIAGONAL * m * Math.abs(r.at(-1)!);
      for (let n = m + 1; n <= degree; n++) {
        let [older, passed] = [0, 1];
        for (let j = n + 1; j <= degree; j++) {
          const [a, b] = recurrenceFactors(j, m);
          [older, passed] = [passed, a * z * passed - b * older];
        }
        const at = (degree + 1) * m + n;
        growth[at] = Math.max(growth[at]!, Math.abs(passed));
        const [a, b] = recurrenceFactors(n, m);
        const terms = ABOVE * a * Math.abs(z * r[n - m - 1]!) + BELOW * b * Math.abs(r[n - m - 2] ?? 0);
        error += terms * Math.abs(passed);
      }
      square += error * error;
    }
    return Math.sqrt(square);
  }

  /**
   * How fast that changes with the angle at most: R is a trigonometric polynomial of degree n and at most 1, what is
   * passed on one of the remaining degrees, and by Bernstein's inequality a polynomial of degree d changes by no more
   * than d times its maximum.
   */
  function slopeOf(degree: number, growth: Float64Array, step: number): number {
    let square = 0;
    for (let m = 0; m <= degree; m++) {
      let slope = DIAGONAL * m * degree;
      for (let n = m + 1; n <= degree; n++) {
        const [a, b] = recurrenceFactors(n, m);
        // The maximum lies within half a step of a sample.
        const largest = growth[(degree + 1) * m + n]! / (1 - (degree * step) / 2);
        slope += (ABOVE * a + BELOW * b) * degree * largest;
      }
      square += slope * slope;
    }
    return Math.sqrt(square);
  }
});

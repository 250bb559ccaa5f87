/** DAEs with known solutions, for tests. */
import type { DaeSystem } from '../../src/dae/dae-system.ts';

/** IDA's example: H. H. Robertson's kinetics with conservation as a row, and its two roots. */
export const robertson: DaeSystem = {
  count: 3,
  absoluteTolerances: Float64Array.of(1e-8, 1e-6, 1e-6),
  isConstraint: Uint8Array.of(0, 0, 1),
  residual({ y: [a, b, c], rates }, out) {
    const [slow, mixed, fast] = [0.04 * a!, 1e4 * b! * c!, 3e7 * b! * b!];
    out[0] = rates[0]! + slow - mixed;
    out[1] = rates[1]! - slow + mixed + fast;
    out[2] = a! + b! + c! - 1;
  },
  known: {
    isKnown: Uint8Array.of(1, 1, 1),
    write({ y: [, b, c] }, factor, matrix) {
      matrix.setRow(0, [factor + 0.04, -1e4 * c!, -1e4 * b!]);
      matrix.setRow(1, [-0.04, factor + 1e4 * c! + 6e7 * b!, 1e4 * b!]);
      matrix.setRow(2, [1, 1, 1]);
    },
  },
  roots: {
    count: 2,
    values({ y }, out) {
      out[0] = y[0]! - 1e-4;
      out[1] = y[2]! - 0.01;
    },
  },
};

const HALF = 0.5;
const forces = ([q, x, p, qd, xd, pd]: Float64Array): readonly [number, number, number] => {
  const [s1, c1, s2, c2] = [Math.sin(q!), Math.cos(q!), Math.sin(p!), Math.cos(p!)];
  const [s21, c21] = [Math.sin(p! - q!), Math.cos(p! - q!)];
  const length = Math.sqrt(x! * x! - x! * (c2 + HALF * c1) + (1 + HALF * HALF) / 4 + (HALF * c21) / 2);
  const rate =
    (2 * x! * xd! -
      xd! * (c2 + HALF * c1) +
      x! * (s2 * pd! + HALF * s1 * qd!) -
      (HALF * s21 * (pd! - qd!)) / 2) /
    (2 * length);
  const over = (length - 1 + rate) / length;
  return [
    (-over * HALF * (s21 / 2 + x! * s1)) / 2,
    over * (c2 / 2 - x! + (HALF * c1) / 2) + 1,
    (-over * (x! * s2 - (HALF * s21) / 2)) / 2 - s2,
  ];
};

/** IDA's example: a slider-crank of index 2, its multipliers out of the error test. */
export const sliderCrank: DaeSystem = {
  count: 10,
  absoluteTolerances: new Float64Array(10).fill(1e-6),
  isTested: Uint8Array.of(1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
  residual({ y, rates }, out) {
    const [q, x, p, qd, xd, pd, l1, l2, u1, u2] = y;
    const own = forces(y);
    const [s1, c1, s2, c2] = [Math.sin(q!), Math.cos(q!), Math.sin(p!), Math.cos(p!)];
    out[0] = rates[0]! - qd! + HALF * (s1 * u1! - c1 * u2!);
    out[1] = rates[1]! - xd! + u1!;
    out[2] = rates[2]! - pd! + s2 * u1! - c2 * u2!;
    out[3] = rates[3]! - own[0] + HALF * (s1 * l1! - c1 * l2!);
    out[4] = rates[4]! - own[1] + l1!;
    out[5] = 2 * rates[5]! - own[2] + s2 * l1! - c2 * l2!;
    out[6] = x! - c2 - HALF * c1;
    out[7] = -s2 - HALF * s1;
    out[8] = HALF * s1 * qd! + xd! + s2 * pd!;
    out[9] = -HALF * c1 * qd! - c2 * pd!;
  },
};

/** Its start, at rest, with accelerations of no multipliers. */
export function sliderCrankStart() {
  const [y, rates] = [new Float64Array(10), new Float64Array(10)];
  [y[0], y[2]] = [Math.PI / 2, Math.asin(-HALF)];
  y[1] = Math.cos(y[2]!);
  const own = forces(y);
  [rates[3], rates[4], rates[5]] = [own[0], own[1], own[2] / 2];
  return { time: 0, y, rates };
}

/** The car axis of the test set for initial value problems (Mazzia, Magherini), in Gear's form of index 1. */
export function carAxis(tolerance: number): DaeSystem {
  const [mass, w, r, rest, g] = [10 * 0.01 ** 2 * 0.5, 10, 0.1, 0.5, 10 * 0.01 ** 2 * 0.5];
  return {
    count: 12,
    absoluteTolerances: new Float64Array(12).fill(tolerance),
    isTested: Uint8Array.from({ length: 12 }, (_, i) => (i < 8 ? 1 : 0)),
    isConstraint: Uint8Array.from({ length: 12 }, (_, i) => (i < 8 ? 0 : 1)),
    sizes: new Float64Array(12).fill(0.1),
    residual({ time, y, rates }, out) {
      const [xl, yl, xr, yr, ul, vl, ur, vr] = y;
      const [l1, l2, m1, m2] = rates.subarray(8);
      const [yb, ybRate] = [r * Math.sin(w * time), r * w * Math.cos(w * time)];
      const xb = Math.sqrt(1 - yb * yb);
      const xbRate = (-yb * ybRate) / xb;
      const [left, right] = [Math.hypot(xl!, yl!), Math.hypot(xr! - xb, yr! - yb)];
      const [dx, dy] = [xl! - xr!, yl! - yr!];
      const rows = [
        [xb, 2 * dx],
        [yb, 2 * dy],
        [0, -2 * dx],
        [0, -2 * dy],
      ];
      const [fl, fr] = [(rest - left) / left, (rest - right) / right];
      const own = [fl * xl!, fl * yl! - g, fr * (xr! - xb), fr * (yr! - yb) - g];
      for (let i = 0; i < 4; i++) {
        out[i] = rates[i]! - y[4 + i]! + rows[i]![0]! * m1! + rows[i]![1]! * m2!;
        out[4 + i] = mass * rates[4 + i]! - own[i]! + rows[i]![0]! * l1! + rows[i]![1]! * l2!;
      }
      out[8] = xl! * xb + yl! * yb;
      out[9] = dx * dx + dy * dy - 1;
      out[10] = ul! * xb + vl! * yb + xl! * xbRate + yl! * ybRate;
      out[11] = 2 * dx * (ul! - ur!) + 2 * dy * (vl! - vr!);
    },
  };
}

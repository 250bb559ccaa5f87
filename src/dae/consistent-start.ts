/** Unknowns and rates that fit together, for a start. */
import { Matrix } from 'ml-matrix';
import {
  DIFFERENCE_SHARE,
  LOOK_AHEAD,
  MOST_START_HALVINGS,
  MOST_START_ITERATIONS,
  NEGLIGIBLE_CHANGE,
  RANK_TOLERANCE,
} from './constants.ts';
import type { DaeState, DaeSystem } from './dae-system.ts';
import { blocksOf, columnGroups, Factors } from './iteration-matrix.ts';
import { leastSquares } from './least-squares.ts';

/** What is left of the rows of f, the largest one: a start was not found. */
export interface Gap {
  readonly row: number;
  readonly value: number;
  /** What could not be met: constraints, or the rows with rates. */
  readonly of: 'constraints' | 'rates';
}

/**
 * Moves unknowns onto the constraints, by the shortest way in their sizes, and finds the rates that meet the rows with
 * rates and keep the constraints: f_d(y', y, t) = 0, (df_c/dy) y' + df_c/dt = 0. For a DAE of index 1 they exist.
 *
 * @param weights of the unknowns
 * @param timeScale for the difference by which df_c/dt is found
 * @returns the gap where there is none; `y` and `rates` of the state are overwritten
 */
export function makeConsistent(
  system: DaeSystem,
  { time, y, rates }: DaeState,
  weights: Float64Array,
  timeScale: number,
): Gap | undefined {
  const { count, isConstraint } = system;
  const constraints = Array.from({ length: count }, (_, i) => i).filter((i) => isConstraint?.[i] === 1);
  const isLeft = Uint8Array.from({ length: count }, (_, i) => (isConstraint?.[i] === 1 ? 0 : 1));
  const rows = Array.from(isLeft.keys()).filter((i) => isLeft[i] === 1);
  const out = new Float64Array(count);
  // Also of the columns that are known: they are asked for once.
  const groups = columnGroups({ ...system, known: undefined });
  const blocks = blocksOf(system);
  const unitOf = (j: number) => system.sizes?.[j] ?? 1 / weights[j]!;
  const sizeOf = (j: number) => Math.max(Math.abs(y[j]!), unitOf(j));
  const residual = (at: number, values: Float64Array, speeds: Float64Array) => {
    system.residual({ time: at, y: values, rates: speeds }, out);
    return out.slice();
  };
  /** Derivatives of all rows by unknowns or by rates. */
  const jacobian = (of: 'y' | 'rates') => {
    const matrix = new Matrix(count, count);
    const base = residual(time, y, rates);
    const values = of === 'y' ? y : rates;
    const steps = new Float64Array(count);
    const was = values.slice();
    for (const group of groups) {
      for (const j of group) {
        // Rows are linear in most rates, so their steps are not small.
        const by = of === 'y' ? DIFFERENCE_SHARE * sizeOf(j) : Math.max(1, Math.abs(was[j]!));
        values[j] = was[j]! + by;
        steps[j] = values[j]! - was[j]!;
      }
      const moved = residual(time, y, rates);
      for (const j of group) {
        values[j] = was[j]!;
        const own = system.rowsOf?.[j];
        for (let k = 0; k < (own?.length ?? count); k++) {
          const i = own?.[k] ?? k;
          matrix.set(i, j, (moved[i]! - base[i]!) / steps[j]!);
        }
      }
    }
    return matrix;
  };
  const norm = (values: ArrayLike<number>, chosen: readonly number[]) =>
    chosen.reduce((most, i) => Math.max(most, Math.abs(values[i]!)), 0);
  const gapOf = (values: Float64Array, chosen: readonly number[], of: Gap['of']): Gap => {
    const row = chosen.reduce((a, b) => (Math.abs(values[b]!) > Math.abs(values[a]!) ? b : a));
    return { row, value: values[row]!, of };
  };

  // Newton's method by the shortest change, halved while it does not come closer.
  let left = residual(time, y, rates);
  for (let n = 0; constraints.length > 0; n++) {
    const before = norm(left, constraints);
    if (before === 0) break;
    if (n === MOST_START_ITERATIONS || !Number.isFinite(before))
      return gapOf(left, constraints, 'constraints');
    const full = jacobian('y');
    const scaled = new Matrix(constraints.length, count);
    constraints.forEach((row, i) => {
      for (let j = 0; j < count; j++) scaled.set(i, j, full.get(row, j) * unitOf(j));
    });
    const right = Float64Array.from(constraints, (row) => -left[row]!);
    const change = leastSquares(scaled, right, RANK_TOLERANCE);
    const old = y.slice();
    const put = (share: number) => {
      for (let j = 0; j < count; j++) y[j] = old[j]! + share * change[j]! * unitOf(j);
      left = residual(time, y, rates);
      return norm(left, constraints) < before;
    };
    const isCloser = Array.from({ length: MOST_START_HALVINGS }, (_, k) => 2 ** -k).some(put);
    const whole = change.reduce((most, x, j) => Math.max(most, Math.abs(x * unitOf(j) * weights[j]!)), 0);
    if (!isCloser) {
      put(0);
      if (whole > NEGLIGIBLE_CHANGE) return gapOf(left, constraints, 'constraints');
    }
    // What is left is rounding.
    if (whole < NEGLIGIBLE_CHANGE) break;
  }

  const held = jacobian('y');
  const ones = new Float64Array(count).fill(1);
  const dt = LOOK_AHEAD * timeScale;
  // Nothing is asked before the start: a system may begin there, or have a break. Three points have an error of
  // the second order, as one on each side has.
  const onTheWay = constraints.length > 0 ? [0, 1, 2].map((k) => residual(time + k * dt, y, rates)) : [];
  const drift = (i: number) => (4 * onTheWay[1]![i]! - 3 * onTheWay[0]![i]! - onTheWay[2]![i]!) / (2 * dt);
  for (let n = 0; n < 3; n++) {
    const matrix = jacobian('rates');
    const right = new Float64Array(count);
    left = residual(time, y, rates);
    for (let i = 0; i < count; i++) right[i] = -left[i]!;
    for (const i of constraints) {
      let rate = drift(i);
      for (let j = 0; j < count; j++) {
        matrix.set(i, j, held.get(i, j));
        rate += held.get(i, j) * rates[j]!;
      }
      right[i] = -rate;
    }
    const factors = new Factors(matrix, ones, blocks);
    if (factors.isSingular) return gapOf(left, rows, 'rates');
    const change = right;
    factors.solve(change);
    for (let j = 0; j < count; j++) rates[j]! += change[j]!;
  }
  left = residual(time, y, rates);
  return left.some((x) => !Number.isFinite(x)) ? gapOf(left, rows, 'rates') : undefined;
}

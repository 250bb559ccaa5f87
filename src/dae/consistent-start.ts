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
  state: DaeState,
  weights: Float64Array,
  timeScale: number,
): Gap | undefined {
  const start = startOf(system, state, weights);
  return meetConstraints(start) ?? findRates(start, timeScale);
}

/** A system at its start, and what its rows come to there. */
interface Start {
  readonly system: DaeSystem;
  readonly state: DaeState;
  readonly weights: Float64Array;
  readonly constraints: readonly number[];
  /** The usual size of an unknown. */
  readonly unitOf: (j: number) => number;
  /** With the unknowns and rates of the state, as they are. */
  readonly residual: (time: number) => Float64Array;
  /** Derivatives of all rows by unknowns or by rates. */
  readonly jacobian: (of: 'y' | 'rates') => Matrix;
}

function startOf(system: DaeSystem, state: DaeState, weights: Float64Array): Start {
  const { count, isConstraint } = system;
  const { time, y, rates } = state;
  const constraints = Array.from({ length: count }, (_, i) => i).filter((i) => isConstraint?.[i] === 1);
  const out = new Float64Array(count);
  // Also of the columns that are known: they are asked for once.
  const groups = columnGroups({ ...system, known: undefined });
  const unitOf = (j: number) => system.sizes?.[j] ?? 1 / weights[j]!;
  const sizeOf = (j: number) => Math.max(Math.abs(y[j]!), unitOf(j));
  const residual = (at: number) => {
    system.residual({ time: at, y, rates }, out);
    return out.slice();
  };
  const jacobian = (of: 'y' | 'rates') => {
    const matrix = new Matrix(count, count);
    const base = residual(time);
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
      const moved = residual(time);
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
  return { system, state, weights, constraints, unitOf, residual, jacobian };
}

function gapOf(values: Float64Array, chosen: readonly number[], of: Gap['of']): Gap {
  const row = chosen.reduce((a, b) => (Math.abs(values[b]!) > Math.abs(values[a]!) ? b : a));
  return { row, value: values[row]!, of };
}

/** Newton's method by the shortest change, halved while it does not come closer. */
function meetConstraints({ system, state, weights, constraints, unitOf, residual, jacobian }: Start) {
  const { count } = system;
  const { time, y } = state;
  const norm = (values: Float64Array) =>
    constraints.reduce((most, i) => Math.max(most, Math.abs(values[i]!)), 0);
  let left = residual(time);
  for (let n = 0; constraints.length > 0; n++) {
    const before = norm(left);
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
      left = residual(time);
      return norm(left) < before;
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
  return undefined;
}

/** Rates that keep the constraints, and meet all other rows. */
function findRates({ system, state, constraints, residual, jacobian }: Start, timeScale: number) {
  const { count } = system;
  const { time, rates } = state;
  const isConstraint = new Set(constraints);
  const rows = Array.from({ length: count }, (_, i) => i).filter((i) => !isConstraint.has(i));
  const blocks = blocksOf(system);
  const held = jacobian('y');
  const ones = new Float64Array(count).fill(1);
  const dt = LOOK_AHEAD * timeScale;
  // Nothing is asked before the start: a system may begin there, or have a break. Three points have an error of
  // the second order, as one on each side has.
  const onTheWay = constraints.length > 0 ? [0, 1, 2].map((k) => residual(time + k * dt)) : [];
  const drift = (i: number) => (4 * onTheWay[1]![i]! - 3 * onTheWay[0]![i]! - onTheWay[2]![i]!) / (2 * dt);
  for (let n = 0; n < 3; n++) {
    const matrix = jacobian('rates');
    const left = residual(time);
    const right = left.map((x) => -x);
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
    factors.solve(right);
    for (let j = 0; j < count; j++) rates[j]! += right[j]!;
  }
  const left = residual(time);
  return left.some((x) => !Number.isFinite(x)) ? gapOf(left, rows, 'rates') : undefined;
}

/**
 * Forces of contacts over a step: C. Lennerz, E. Schömer, T. Warken, "A framework for collision detection and
 * response", section 3, (3) to (7). Forces f are scaled to lengths, y = f dt^2 (C^T M^-1 C)_kk, which is by how much
 * each alone would open its gap. docs/complementarity.md has the formulas.
 */
import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import { angularVelocity, BodyStatus, drift, type Inertia, type MotionState } from '../motion/motion.ts';
import {
  LEAST_GAIN,
  LEAST_SINGULAR_VALUE,
  MOST_NEWTON_STEPS,
  PLACE_ROUNDING,
  SHORTEST_SEARCH,
  SOLVED_GAP,
} from './constants.ts';
import type { Gap, Gaps } from './gaps.ts';
import { pushingForces } from './pushing-forces.ts';

/** A step of so much time. */
export interface ForceStep {
  readonly inertia: Inertia;
  readonly statuses: Uint8Array;
  /** Poses of bodies at its start, with the speeds that they have without contacts at its end. */
  readonly free: MotionState;
  /** Puts bodies that are driven where they are at its end. */
  readonly drive: (state: MotionState) => void;
  readonly time: number;
  /** Of the smallest body that moves: a length. */
  readonly size: number;
  /** Whether all contacts hold (5), or push alone (7). */
  readonly isBilateral: boolean;
}

export interface SolvedForces {
  /** `[m]`: along normals out of A, on B. */
  readonly forces: Float64Array;
  /** `[m]`: gaps at the end. */
  readonly distances: Float64Array;
  /** `[m * 12]`: rows of C^T at the start: force and torque of a unit on A, and on B. */
  readonly rows: Float64Array;
  /** Poses of bodies at the end. */
  readonly state: MotionState;
  readonly newtonSteps: number;
}

/** Force and torque on two bodies. */
const ROW = 12;

/** @param guess `[m]`: forces to begin with. @returns undefined where Newton's method finds none */
export function solveForces(
  gaps: Gaps,
  contacts: readonly Gap[],
  guess: Float64Array,
  step: ForceStep,
): SolvedForces | undefined {
  const { free, time, isBilateral } = step;
  const count = contacts.length;
  gaps.place(free);
  const rows = rowsOf(gaps, contacts, free);
  const effects = effectsOf(contacts, rows, step);
  const scales = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    let own = 0;
    for (let c = 0; c < ROW; c++) own += rows[ROW * k + c]! * effects[ROW * k + c]!;
    scales[k] = 1 / (time * time * own);
  }
  const end = copyOfState(free);
  const at = (lengths: Float64Array): Tried => {
    for (const name of ['positions', 'rotations', 'velocities', 'momenta'] as const)
      end[name].set(free[name]);
    for (let k = 0; k < count; k++) push(end, contacts[k]!, rows, k, time * scales[k]! * lengths[k]!, step);
    drift(end, step.inertia, time, step.statuses);
    step.drive(end);
    gaps.place(end);
    const distances = Float64Array.from(contacts, (gap) => gaps.measure(gap));
    const residuals = isBilateral ? distances : distances.map((d, k) => fischer(lengths[k]!, d));
    return { lengths, distances, residuals, square: residuals.reduce((sum, r) => sum + r * r, 0) };
  };
  const solved = SOLVED_GAP * step.size + PLACE_ROUNDING * reachOf(contacts, free);
  let now = at(guess.map((force, k) => force / scales[k]!));
  let newtonSteps = 0;
  for (; !now.residuals.every((r) => Math.abs(r) <= solved); newtonSteps++) {
    if (newtonSteps === MOST_NEWTON_STEPS || !Number.isFinite(now.square)) return undefined;
    // Bodies are where the last trial has put them: that is `now`, or the search would have gone on.
    const matrix = derivative({ contacts, effects, scales, gaps, end, time });
    const change = isBilateral ? leastNorm(matrix, now.distances) : pushingChange(matrix, now, solved / 2);
    if (change === undefined) return undefined;
    let share = 1;
    let next = at(now.lengths.map((y, k) => y - change[k]!));
    while (!(next.square <= (1 - LEAST_GAIN * share) * now.square) && share > SHORTEST_SEARCH) {
      share /= 2;
      next = at(now.lengths.map((y, k) => y - share * change[k]!));
    }
    // No shorter way leads down: it may be rounding, and else the step is made shorter.
    if (!(next.square < now.square)) return undefined;
    now = next;
  }
  // A force is below 0 by rounding alone.
  if (!isBilateral) now = at(now.lengths.map((y) => Math.max(y, 0)));
  const forces = now.lengths.map((y, k) => y * scales[k]!);
  return { forces, distances: now.distances, rows, state: end, newtonSteps };
}

/** A trial: forces as lengths, gaps at the end of the step, and what is to be 0. */
interface Tried {
  readonly lengths: Float64Array;
  readonly distances: Float64Array;
  readonly residuals: Float64Array;
  readonly square: number;
}

/** phi(a, b) = sqrt(a^2 + b^2) - a - b, without cancellation where a + b > 0. */
export function fischer(a: number, b: number): number {
  const root = Math.sqrt(a * a + b * b);
  return a + b > 0 ? (-2 * a * b) / (root + a + b) : root - a - b;
}

/** Rows of C^T where bodies are. Arms are of the places of a contact on both. */
function rowsOf(gaps: Gaps, contacts: readonly Gap[], { positions }: MotionState): Float64Array {
  const rows = new Float64Array(ROW * contacts.length);
  const { normal: n } = gaps;
  for (const [k, gap] of contacts.entries()) {
    gaps.measure(gap);
    for (const [body, on, sign, o] of [
      [gap.a, gaps.onA, -1, ROW * k],
      [gap.b, gaps.onB, 1, ROW * k + 6],
    ] as const) {
      const x = on[0]! - positions[3 * body]!;
      const y = on[1]! - positions[3 * body + 1]!;
      const z = on[2]! - positions[3 * body + 2]!;
      for (let c = 0; c < 3; c++) rows[o + c] = sign * n[c]!;
      rows[o + 3] = sign * (y * n[2]! - z * n[1]!);
      rows[o + 4] = sign * (z * n[0]! - x * n[2]!);
      rows[o + 5] = sign * (x * n[1]! - y * n[0]!);
    }
  }
  return rows;
}

/** Columns of M^-1 C, as rows: what a unit of each force does to velocities and angular velocities. */
function effectsOf(
  contacts: readonly Gap[],
  rows: Float64Array,
  { free, inertia, statuses }: ForceStep,
): Float64Array {
  const effects = new Float64Array(rows.length);
  const turned = copyOfState(free);
  const spin = new Float64Array(3);
  for (const [k, { a, b }] of contacts.entries())
    for (const [body, o] of [
      [a, ROW * k],
      [b, ROW * k + 6],
    ] as const) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0 || statuses[body] !== BodyStatus.present) continue;
      turned.momenta.set(rows.subarray(o + 3, o + 6), 3 * body);
      angularVelocity(turned, inertia, body, spin);
      for (let c = 0; c < 3; c++) {
        effects[o + c] = inverse * rows[o + c]!;
        effects[o + 3 + c] = spin[c]!;
      }
    }
  return effects;
}

/** Gives both bodies of a contact an impulse along its row. */
function push(
  state: MotionState,
  { a, b }: Gap,
  rows: Float64Array,
  k: number,
  impulse: number,
  { inertia }: ForceStep,
) {
  for (const [body, o] of [
    [a, ROW * k],
    [b, ROW * k + 6],
  ] as const) {
    const inverse = inertia.inverseMasses[body]!;
    if (inverse === 0) continue;
    for (let c = 0; c < 3; c++) {
      state.velocities[3 * body + c]! += impulse * inverse * rows[o + c]!;
      state.momenta[3 * body + c]! += impulse * rows[o + 3 + c]!;
    }
  }
}

interface Linearised {
  readonly contacts: readonly Gap[];
  readonly effects: Float64Array;
  readonly scales: Float64Array;
  readonly gaps: Gaps;
  readonly end: MotionState;
  readonly time: number;
}

/** Of gaps by lengths: G(s1) dt^2 M^-1 C, columns scaled. */
function derivative({ contacts, effects, scales, gaps, end, time }: Linearised): Matrix {
  const gradients = rowsOf(gaps, contacts, end);
  const count = contacts.length;
  const matrix = Matrix.zeros(count, count);
  for (let k = 0; k < count; k++)
    for (let l = 0; l < count; l++) {
      let sum = 0;
      for (const [own, o] of [
        [contacts[k]!.a, ROW * k],
        [contacts[k]!.b, ROW * k + 6],
      ] as const)
        for (const [other, p] of [
          [contacts[l]!.a, ROW * l],
          [contacts[l]!.b, ROW * l + 6],
        ] as const) {
          if (own !== other) continue;
          for (let c = 0; c < 6; c++) sum += gradients[o + c]! * effects[p + c]!;
        }
      matrix.set(k, l, time * time * scales[l]! * sum);
    }
  return matrix;
}

/** From a trial back from the forces that solve (6) with the gaps that are linear in them there. */
function pushingChange(
  matrix: Matrix,
  { lengths, distances }: Tried,
  closed: number,
): Float64Array | undefined {
  const constant = distances.map((d, k) => lengths.reduce((sum, y, l) => sum - matrix.get(k, l) * y, d));
  const solution = pushingForces(matrix, constant, closed);
  return solution?.map((y, k) => lengths[k]! - y);
}

/** The shortest vector that solves a system as well as any: rows of contacts that say the same may not agree. */
function leastNorm(matrix: Matrix, right: Float64Array): Float64Array {
  const svd = new SingularValueDecomposition(matrix);
  const { diagonal, leftSingularVectors: u, rightSingularVectors: v } = svd;
  const count = right.length;
  const solution = new Float64Array(count);
  for (let s = 0; s < count; s++) {
    if (!(diagonal[s]! > LEAST_SINGULAR_VALUE)) continue;
    let along = 0;
    for (let k = 0; k < count; k++) along += u.get(k, s) * right[k]!;
    for (let k = 0; k < count; k++) solution[k]! += (v.get(k, s) * along) / diagonal[s]!;
  }
  return solution;
}

/** The largest coordinate of bodies that touch: gaps are rounded relative to it. */
function reachOf(contacts: readonly Gap[], { positions }: MotionState): number {
  let reach = 0;
  for (const { a, b } of contacts)
    for (const body of [a, b])
      for (let k = 0; k < 3; k++) reach = Math.max(reach, Math.abs(positions[3 * body + k]!));
  return reach;
}

export function copyOfState(state: MotionState): MotionState {
  const { count, positions, rotations, velocities, momenta } = state;
  return {
    ...{ count, positions: positions.slice(), rotations: rotations.slice() },
    ...{ velocities: velocities.slice(), momenta: momenta.slice() },
  };
}

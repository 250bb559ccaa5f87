/** Starts of mechanisms: coordinates that close the loops, rows that say the same left out, rates that keep loops. */
import { CholeskyDecomposition, LuDecomposition, Matrix, SingularValueDecomposition } from 'ml-matrix';
import type { DaeState } from '../../dae/dae-system.ts';
import { leastSquares } from '../../dae/least-squares.ts';
import { InputError } from '../../errors.ts';
import { CLOSED, LEAST_GYRATION, LEAST_PIVOT, PROBE_ANGLE, RANK_TOLERANCE } from '../constants.ts';
import type { Equations } from './equations.ts';
import type { Mechanism, MechanismRow } from './mechanism.ts';

/** Newton iterations, and halvings of each. */
const MOST_ITERATIONS = 50;
const MOST_HALVINGS = 10;
/** Poses beside the start at which rows are looked at. */
const PROBES = 2;

export interface ChosenRows {
  readonly rows: readonly MechanismRow[];
  readonly left: readonly MechanismRow[];
}

/** A state of equations without multipliers. */
export function stateOf(equations: Equations, time: number, q: Float64Array, v: Float64Array): DaeState {
  const y = new Float64Array(equations.count);
  y.set(q);
  y.set(v, equations.at.v);
  return { time, y, rates: new Float64Array(equations.count) };
}

/** Units of rows: lengths for places, else 1. */
const unitOf = (row: MechanismRow, { size, rateSizes }: Mechanism) =>
  row.kind === 'place' ? size : row.kind === 'drive' ? rateSizes[row.rate]! : 1;

/** Gaps in their units, and the matrix of rows by rates, both in units. */
function closureAt(equations: Equations, state: DaeState) {
  const { mechanism, rows } = equations;
  const { gaps } = equations.closures(state);
  const units = rows.map((row) => unitOf(row, mechanism));
  const matrix = Matrix.zeros(rows.length, mechanism.tree.rates);
  equations.gradients().forEach((gradient, k) => {
    gradient.forEach((x, r) => {
      matrix.set(k, r, (x * mechanism.rateSizes[r]!) / units[k]!);
    });
  });
  return { gaps: gaps.map((gap, k) => gap / units[k]!), matrix };
}

/**
 * Moves coordinates until all loops are closed, by the shortest way.
 *
 * @throws InputError for a loop that stays open: the joint, and the gap
 */
export function assemble(equations: Equations, state: DaeState): void {
  const { mechanism, rows } = equations;
  if (rows.length === 0) return;
  const { tree, rateSizes } = mechanism;
  const { y } = state;
  const q = y.subarray(0, tree.coordinates);
  const largest = (values: Float64Array) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  let { gaps, matrix } = closureAt(equations, state);
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    const before = largest(gaps);
    if (before === 0) return;
    const change = leastSquares(matrix, gaps, RANK_TOLERANCE, 1);
    const old = q.slice();
    const by = new Float64Array(tree.rates);
    const put = (share: number) => {
      q.set(old);
      for (let r = 0; r < by.length; r++) by[r] = -share * change[r]! * rateSizes[r]!;
      tree.move(q, by);
      gaps = closureAt(equations, state).gaps;
      return largest(gaps) < before;
    };
    if (!Array.from({ length: MOST_HALVINGS }, (_, k) => 2 ** -k).some(put)) {
      q.set(old);
      break;
    }
    ({ gaps, matrix } = closureAt(equations, state));
  }
  ({ gaps } = closureAt(equations, state));
  const gap = largest(gaps);
  if (gap <= CLOSED) return;
  const worst = gaps.findIndex((x) => Math.abs(x) === gap);
  const row = rows[worst]!;
  const what = row.kind === 'place' ? `${gap * mechanism.size} of length` : `${gap}`;
  throw new InputError(`${row.name} cannot be met: a gap of ${what} is left, expected a loop that closes`);
}

/**
 * Rows that say what others do not. Those of a planar loop in space are redundant, and those of mechanisms such as
 * Bricard's. The start may be a pose in which fewer rows count, so that poses beside it are looked at as well.
 */
export function chooseRows(equations: Equations, state: DaeState): ChosenRows {
  const { mechanism, rows } = equations;
  if (rows.length === 0) return { rows, left: [] };
  const { tree, rateSizes } = mechanism;
  const own = { ...state, y: state.y.slice() };
  let best = rankAt(equations, own);
  for (let probe = 1; probe <= PROBES && best.rank < Math.min(rows.length, tree.rates); probe++) {
    // Along a freedom: a direction from a fixed sequence, less what the rows hold of it.
    const { matrix } = closureAt(equations, own);
    const wish = Float64Array.from({ length: tree.rates }, (_, r) => Math.sin(1 + r * Math.SQRT2 + probe));
    const held = leastSquares(
      matrix,
      Float64Array.from(matrix.mmul(Matrix.columnVector(Array.from(wish))).to1DArray()),
      RANK_TOLERANCE,
      1,
    );
    const free = wish.map((x, r) => x - held[r]!);
    const length = Math.max(...free.map(Math.abs));
    if (!(length > RANK_TOLERANCE)) break;
    const by = free.map((x, r) => (x / length) * PROBE_ANGLE * rateSizes[r]!);
    const beside = { ...own, y: own.y.slice() };
    tree.move(beside.y.subarray(0, tree.coordinates), by);
    try {
      assemble(equations, beside);
    } catch (error) {
      if (error instanceof InputError) continue;
      throw error;
    }
    const other = rankAt(equations, beside);
    if (other.rank > best.rank) best = other;
  }
  const kept = new Set(best.kept);
  return {
    rows: rows.filter((_, k) => kept.has(k)),
    left: rows.filter((_, k) => !kept.has(k)),
  };
}

/** The rank of the closure rows, and as many rows that have it: pivots of the left singular vectors. */
function rankAt(equations: Equations, state: DaeState) {
  const { matrix } = closureAt(equations, state);
  const svd = new SingularValueDecomposition(matrix, { autoTranspose: true });
  const values = svd.diagonal;
  const rank = values.filter((x) => x > RANK_TOLERANCE * Math.max(1, ...values)).length;
  if (rank === 0) return { rank, kept: [] };
  const order = values.map((x, k) => ({ x, k })).sort((a, b) => b.x - a.x);
  const left = new Matrix(matrix.rows, rank);
  for (let k = 0; k < rank; k++)
    for (let i = 0; i < matrix.rows; i++) left.set(i, k, svd.leftSingularVectors.get(i, order[k]!.k));
  return { rank, kept: new LuDecomposition(left).pivotPermutationVector.slice(0, rank) };
}

/** @throws InputError where fewer rows count than are held: the mechanism may go on in more than one way */
export function requireFullRank(equations: Equations, state: DaeState): void {
  const { rows } = equations;
  const kept = new Set(rows.length === 0 ? [] : rankAt(equations, state).kept);
  if (kept.size === rows.length) return;
  const lost = rows.find((_, k) => !kept.has(k))!;
  throw new InputError(
    `accelerations are not determined at time ${state.time}: ${kept.size} of ${rows.length} rows of closure count ` +
      `there, and ${lost.name} does not; expected a pose that is not special, as that of a loop that lies flat is`,
  );
}

/** The matrix of masses, in units of rates, and the masses' sum times the size squared. */
function massesOf(equations: Equations, state: DaeState) {
  const { mechanism, at } = equations;
  const { tree, rateSizes, bodies, size } = mechanism;
  const nv = tree.rates;
  const [base, moved] = [new Float64Array(equations.count), new Float64Array(equations.count)];
  const still = { ...state, rates: new Float64Array(equations.count) };
  const first = nv + tree.balls.length;
  equations.residual(still, base);
  const matrix = Matrix.zeros(nv, nv);
  for (let j = 0; j < nv; j++) {
    still.rates[at.v + j] = 1;
    equations.residual(still, moved);
    still.rates[at.v + j] = 0;
    for (let i = 0; i < nv; i++)
      matrix.set(i, j, (moved[first + i]! - base[first + i]!) * rateSizes[i]! * rateSizes[j]!);
  }
  const mass = bodies.reduce((sum, own) => sum + (own.frame < 0 ? 0 : own.mass), 0);
  return { matrix, whole: mass * size ** 2 };
}

/**
 * Masses must be above 0 along all ways that loops leave: M + G^T G is positive definite then, and only then. Both are
 * scaled by the roots of the masses' diagonal.
 *
 * @throws InputError for a rate that moves no mass
 */
export function requireInertia(equations: Equations, state: DaeState): void {
  const { matrix, whole } = massesOf(equations, state);
  const closure = equations.rows.length > 0 ? closureAt(equations, state).matrix : undefined;
  const scales = matrix.diagonal().map((x) => 1 / Math.sqrt(Math.max(x, LEAST_GYRATION ** 2 * whole)));
  const rows = closure?.mulRowVector(scales).to2DArray() ?? [];
  for (const row of rows) {
    const length = Math.hypot(...row);
    row.forEach((x, i) => {
      row[i] = x / (length || 1);
    });
  }
  const nv = scales.length;
  const sum = Matrix.zeros(nv, nv);
  for (let i = 0; i < nv; i++)
    for (let j = 0; j <= i; j++) {
      // What is below rounding of a place on an axis is none.
      const own = i === j && matrix.get(i, i) <= LEAST_GYRATION ** 2 * whole ? 0 : matrix.get(i, j);
      let x = own * scales[i]! * scales[j]!;
      for (const row of rows) x += row[i]! * row[j]!;
      sum.set(i, j, x);
      sum.set(j, i, x);
    }
  const isOpen = sum.to1DArray().some((x) => !Number.isFinite(x));
  const lower = isOpen ? sum : new CholeskyDecomposition(sum).lowerTriangularMatrix;
  const least =
    Array.from(scales.keys()).find((i) => !(lower.get(i, i) ** 2 > LEAST_PIVOT)) ?? (isOpen ? 0 : -1);
  if (least < 0) return;
  throw new InputError(
    `accelerations are not determined at time ${state.time}: ${equations.nameOf(equations.at.v + least)} moves no ` +
      'mass of its own, expected inertia about all axes of all joints',
  );
}

/** Changes rates to those that keep the loops, by impulses of the loops: the nearest ones in kinetic energy. */
export function keepRates(equations: Equations, state: DaeState): void {
  const { mechanism, rows, at } = equations;
  const nv = mechanism.tree.rates;
  const m = rows.length;
  if (m === 0) return;
  const { matrix: masses, whole } = massesOf(equations, state);
  const { rates } = equations.closures(state);
  const { matrix: closure } = closureAt(equations, state);
  // Rates in their units, rows in theirs.
  const matrix = Matrix.zeros(nv + m, nv + m);
  matrix.setSubMatrix(masses.div(whole), 0, 0);
  matrix.setSubMatrix(closure, nv, 0);
  matrix.setSubMatrix(closure.transpose(), 0, nv);
  const right = new Matrix(nv + m, 1);
  rates.forEach((rate, k) => {
    right.set(nv + k, 0, -rate / unitOf(rows[k]!, mechanism));
  });
  const change = new LuDecomposition(matrix).solve(right);
  for (let i = 0; i < nv; i++) state.y[at.v + i]! += change.get(i, 0) * mechanism.rateSizes[i]!;
}

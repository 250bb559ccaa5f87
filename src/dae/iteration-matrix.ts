/** The matrix of Newton's method, df/dy' factor + df/dy, and its factors. */
import { LuDecomposition, Matrix } from 'ml-matrix';
import { DIFFERENCE_SHARE } from './constants.ts';
import type { DaeState, DaeSystem } from './dae-system.ts';

/** Where the matrix is asked for. */
export interface MatrixPlace extends DaeState {
  /** f there. */
  readonly residual: Float64Array;
  readonly weights: Float64Array;
  readonly step: number;
  readonly factor: number;
}

/** Groups of columns that share no row, each found greedily: Curtis, Powell and Reid (1974). */
export function columnGroups({ count, rowsOf, known }: DaeSystem): readonly (readonly number[])[] {
  const wanted = Array.from({ length: count }, (_, j) => j).filter((j) => known?.isKnown[j] !== 1);
  if (rowsOf === undefined) return wanted.map((j) => [j]);
  const groups: { readonly columns: number[]; readonly taken: Uint8Array }[] = [];
  for (const column of wanted) {
    const rows = Array.from(rowsOf[column]!);
    let group = groups.find(({ taken }) => rows.every((row) => taken[row] === 0));
    if (group === undefined) {
      group = { columns: [], taken: new Uint8Array(count) };
      groups.push(group);
    }
    group.columns.push(column);
    for (const row of rows) group.taken[row] = 1;
  }
  return groups.map(({ columns }) => columns);
}

/** @returns how often f was asked for */
export function differences(
  system: DaeSystem,
  groups: readonly (readonly number[])[],
  { time, y, rates, residual, weights, step, factor }: MatrixPlace,
  matrix: Matrix,
): number {
  const { count, rowsOf, sizes, known } = system;
  const [moved, movedRates, out] = [y.slice(), rates.slice(), new Float64Array(count)];
  const place = { time, y: moved, rates: movedRates };
  const steps = new Float64Array(count);
  for (const group of groups) {
    for (const j of group) {
      const change = step * rates[j]!;
      const size = Math.max(Math.abs(y[j]!), Math.abs(change), sizes?.[j] ?? 1 / weights[j]!);
      const by = (change < 0 ? -1 : 1) * DIFFERENCE_SHARE * size;
      // What is added in fact.
      moved[j] = y[j]! + by;
      steps[j] = moved[j]! - y[j]!;
      movedRates[j] = rates[j]! + factor * steps[j]!;
    }
    system.residual(place, out);
    for (const j of group) {
      const rows = rowsOf?.[j];
      const most = rows?.length ?? count;
      for (let k = 0; k < most; k++) {
        const i = rows?.[k] ?? k;
        matrix.set(i, j, (out[i]! - residual[i]!) / steps[j]!);
      }
      moved[j] = y[j]!;
      movedRates[j] = rates[j]!;
    }
  }
  known?.write({ time, y, rates }, factor, matrix);
  return groups.length;
}

/** Factors of a matrix, rows scaled so that pivots are chosen alike in all units. */
export class Factors {
  readonly #lu: LuDecomposition;
  readonly #rows: Float64Array;
  readonly #weights: Float64Array;
  readonly #vector: Matrix;
  readonly isSingular: boolean;

  /** @param weights of the unknowns: columns are divided by them */
  constructor(matrix: Matrix, weights: Float64Array) {
    const count = matrix.rows;
    const scaled = new Matrix(count, count);
    this.#rows = new Float64Array(count);
    this.#weights = weights.slice();
    for (let i = 0; i < count; i++) {
      let most = 0;
      for (let j = 0; j < count; j++) most = Math.max(most, Math.abs(matrix.get(i, j)) / weights[j]!);
      this.#rows[i] = most > 0 ? 1 / most : 1;
      for (let j = 0; j < count; j++) scaled.set(i, j, (matrix.get(i, j) * this.#rows[i]!) / weights[j]!);
    }
    this.#lu = new LuDecomposition(scaled);
    this.#vector = new Matrix(count, 1);
    this.isSingular = this.#lu.isSingular() || scaled.to1DArray().some((x) => !Number.isFinite(x));
  }

  /** Solves in place. */
  solve(vector: Float64Array): void {
    for (let i = 0; i < vector.length; i++) this.#vector.set(i, 0, vector[i]! * this.#rows[i]!);
    const solved = this.#lu.solve(this.#vector);
    for (let i = 0; i < vector.length; i++) vector[i] = solved.get(i, 0) / this.#weights[i]!;
  }
}

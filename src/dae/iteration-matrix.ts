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
export function columnGroups({
  count,
  rowsOf,
  known,
}: Pick<DaeSystem, 'count' | 'rowsOf' | 'known'>): readonly (readonly number[])[] {
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

/** Unknowns and rows that no others have to do with: their equations are solved by themselves. */
export interface Block {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

/** Blocks of the matrix, in the order of their first unknowns. */
export function blocksOf({ count, rowsOf }: Pick<DaeSystem, 'count' | 'rowsOf'>): readonly Block[] {
  const all = Array.from({ length: count }, (_, i) => i);
  const whole = [{ columns: all, rows: all }];
  if (rowsOf === undefined) return whole;
  const above = Int32Array.from(all);
  const rootOf = (row: number) => {
    let at = row;
    while (above[at] !== at) at = above[at] = above[above[at]!]!;
    return at;
  };
  for (const rows of rowsOf) for (let k = 1; k < rows.length; k++) above[rootOf(rows[k]!)] = rootOf(rows[0]!);
  const blocks = new Map<number, { readonly columns: number[]; readonly rows: number[] }>();
  for (const column of all) {
    const first = rowsOf[column]![0];
    if (first === undefined) return whole;
    const root = rootOf(first);
    const own = blocks.get(root) ?? { columns: [], rows: [] };
    own.columns.push(column);
    blocks.set(root, own);
  }
  for (const row of all) blocks.get(rootOf(row))?.rows.push(row);
  const found = [...blocks.values()];
  return found.every(({ columns, rows }) => columns.length === rows.length) ? found : whole;
}

/** Factors of a matrix, block by block, rows scaled so that pivots are chosen alike in all units. */
export class Factors {
  readonly #blocks: readonly (Block & { readonly lu: LuDecomposition; readonly scales: Float64Array })[];
  readonly #weights: Float64Array;
  readonly isSingular: boolean;

  /**
   * @param weights of the unknowns: columns are divided by them
   * @param blocks outside of which the matrix is 0
   */
  constructor(matrix: Matrix, weights: Float64Array, blocks: readonly Block[]) {
    this.#weights = weights.slice();
    let isOpen = false;
    this.#blocks = blocks.map(({ columns, rows }) => {
      const scaled = new Matrix(rows.length, columns.length);
      const scales = new Float64Array(rows.length);
      rows.forEach((row, i) => {
        let most = 0;
        for (const j of columns) most = Math.max(most, Math.abs(matrix.get(row, j)) / weights[j]!);
        scales[i] = most > 0 ? 1 / most : 1;
        columns.forEach((column, j) => {
          const x = (matrix.get(row, column) * scales[i]!) / weights[column]!;
          isOpen ||= !Number.isFinite(x);
          scaled.set(i, j, x);
        });
      });
      return { columns, rows, scales, lu: new LuDecomposition(scaled) };
    });
    this.isSingular = isOpen || this.#blocks.some(({ lu }) => lu.isSingular());
  }

  /** Solves in place. */
  solve(vector: Float64Array): void {
    const solutions = this.#blocks.map(({ rows, lu, scales }) => {
      const right = new Matrix(rows.length, 1);
      for (let i = 0; i < rows.length; i++) right.set(i, 0, vector[rows[i]!]! * scales[i]!);
      return lu.solve(right);
    });
    this.#blocks.forEach(({ columns }, k) => {
      columns.forEach((column, j) => {
        vector[column] = solutions[k]!.get(j, 0) / this.#weights[column]!;
      });
    });
  }
}

/** The cost model of the cell grid, and its constants fitted to what a sweep has measured. */
import { LEAST_POINTS_FORESEEN, POINTS_FORESEEN_PER_TRIANGLE } from '../src/inside/constants.ts';

/** Points that the cost model foresees for a body of so many triangles. */
export function pointsForeseen(triangles: number): number {
  return LEAST_POINTS_FORESEEN + POINTS_FORESEEN_PER_TRIANGLE * triangles;
}

/** What the model knows of one resolution of one body, and what was measured there. */
export interface Measurement {
  /** Expected (cell, triangle) pairs and cells. */
  readonly pairs: number;
  readonly cells: number;
  readonly buildSeconds: number;
  readonly secondsPerRandomPoint: number;
}

/** Nanoseconds each; the first three are called so in src/constants.ts. */
export interface ModelConstants {
  readonly PAIR_COST: number;
  readonly CELL_COST: number;
  readonly POINT_COST_PER_PAIR: number;
  /** What a point costs in any cell. The model leaves it out, since it does not move the optimum. */
  readonly pointCost: number;
}

export function fitConstants(measured: readonly Measurement[]): ModelConstants {
  const [pair, cell] = fitTwo(
    measured.map(({ pairs, cells, buildSeconds }) => ({ a: pairs, b: cells, y: 1e9 * buildSeconds })),
  );
  const [perPair, pointCost] = fitTwo(
    measured.map(({ pairs, cells, secondsPerRandomPoint }) => ({
      a: pairs / cells,
      b: 1,
      y: 1e9 * secondsPerRandomPoint,
    })),
  );
  return { PAIR_COST: pair, CELL_COST: cell, POINT_COST_PER_PAIR: perPair, pointCost };
}

/** Nonnegative x1, x2 with the least sum of squared relative errors of a x1 + b x2 against y. */
function fitTwo(rows: readonly { a: number; b: number; y: number }[]): [number, number] {
  const sum = (term: (a: number, b: number) => number) =>
    rows.reduce((total, { a, b, y }) => total + term(a / y, b / y), 0);
  const [aa, ab, bb] = [sum((a) => a * a), sum((a, b) => a * b), sum((_, b) => b * b)];
  const [a1, b1] = [sum((a) => a), sum((_, b) => b)];
  const determinant = aa * bb - ab * ab;
  const x1 = (a1 * bb - b1 * ab) / determinant;
  const x2 = (b1 * aa - a1 * ab) / determinant;
  if (!(x1 > 0)) return [0, b1 / bb];
  if (!(x2 > 0)) return [a1 / aa, 0];
  return [x1, x2];
}

/** The model's cost in nanoseconds: build, and `points` random points in the box. */
export function modelCost(
  { pairs, cells }: Pick<Measurement, 'pairs' | 'cells'>,
  constants: Omit<ModelConstants, 'pointCost'>,
  points: number,
): number {
  const { PAIR_COST, CELL_COST, POINT_COST_PER_PAIR } = constants;
  return PAIR_COST * pairs + CELL_COST * cells + (points * POINT_COST_PER_PAIR * pairs) / cells;
}

/** The item of least value. */
export function least<T>(items: readonly T[], value: (item: T) => number): T {
  return items.reduce((best, item) => (value(item) < value(best) ? item : best));
}

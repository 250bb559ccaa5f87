/**
 * Forces that push alone, where gaps are linear in them: w = q + A y, w >= 0, y >= 0, w . y = 0. Contacts are taken in
 * one by one, as D. Goldfarb and A. Idnani take in constraints, "A numerically stable dual method for solving strictly
 * convex quadratic programs", Mathematical Programming 27 (1983). Those that carry never depend on each other, so it
 * does not matter how many contacts say the same, or nearly the same.
 */
import { LuDecomposition, Matrix } from 'ml-matrix';
import { LEAST_OWN_SHARE, MOST_ROUNDS_PER_CONTACT } from './constants.ts';

/**
 * @param matrix `[m, m]`: A, symmetric and without negative eigenvalues, but for what a turn over a step changes
 * @param gaps `[m]`: q
 * @param closed gaps below minus this are closed
 * @returns y; undefined where contacts contradict each other
 */
export function pushingForces(matrix: Matrix, gaps: Float64Array, closed: number): Float64Array | undefined {
  const count = gaps.length;
  const forces = new Float64Array(count);
  const carrying: number[] = [];
  const gapOf = (k: number, own: number) =>
    carrying.reduce((sum, l) => sum + matrix.get(k, l) * forces[l]!, gaps[k]! + own * matrix.get(k, k));
  let rounds = MOST_ROUNDS_PER_CONTACT * count;
  for (;;) {
    // The gap that is closed most.
    let added = -1;
    let least = -closed;
    for (let k = 0; k < count; k++) {
      const gap = carrying.includes(k) ? 0 : gapOf(k, 0);
      if (gap < least) [added, least] = [k, gap];
    }
    if (added < 0) return forces;
    while (!carrying.includes(added)) {
      // Rounding may turn in a circle.
      if (rounds-- === 0) return undefined;
      const { changes, effect } = changesBy(matrix, carrying, added);
      const needed =
        effect > LEAST_OWN_SHARE * matrix.get(added, added)
          ? -gapOf(added, forces[added]!) / effect
          : Infinity;
      // The force that is 0 first on that way.
      let [first, most] = [-1, needed];
      for (const [i, k] of carrying.entries()) {
        const share = changes[i]! > 0 ? forces[k]! / changes[i]! : Infinity;
        if (share < most) [first, most] = [i, share];
      }
      if (most === Infinity) return undefined;
      for (const [i, k] of carrying.entries()) forces[k]! -= most * changes[i]!;
      forces[added]! += most;
      if (first < 0) carrying.push(added);
      else forces[carrying.splice(first, 1)[0]!] = 0;
    }
  }
}

/**
 * Effects of a unit of force of a contact while the gaps of those that carry stay as they are: by how much their forces
 * fall, and by how much its own gap grows.
 */
function changesBy(
  matrix: Matrix,
  carrying: readonly number[],
  added: number,
): { changes: readonly number[]; effect: number } {
  if (carrying.length === 0) return { changes: [], effect: matrix.get(added, added) };
  const column = Matrix.columnVector(carrying.map((k) => matrix.get(k, added)));
  const own = matrix.selection([...carrying], [...carrying]);
  const changes = new LuDecomposition(own).solve(column).to1DArray();
  const taken = carrying.reduce((sum, k, i) => sum + matrix.get(added, k) * changes[i]!, 0);
  return { changes, effect: matrix.get(added, added) - taken };
}

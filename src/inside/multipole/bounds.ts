/**
 * Bounds of the truncation error of M2L, sharper than eqs. 26 and 27: from the norms of a cluster's moments of every
 * degree up to Q >= q, the distance of the centres, and the point's distance from the target's centre. Derived in
 * docs/multipole.md, "Error bound". Like M2L itself the bound is a small table per offset times a vector per cluster;
 * it is taken at BOUND_NODES radii about the target's centre and lies below the chord between them.
 */

/** Radii about a cell's centre, relative to the cell's circumradius, at which bounds are kept. */
export const BOUND_NODES: readonly number[] = [0.25, 0.5, 0.75, 1];
/** Circumradius of a cell, in cells. */
export const CELL_RADIUS = Math.sqrt(3) / 2;

/** Length of a cluster's vector: norms of the moments of degrees 1 .. Q, and the bound of the norm of degree Q + 1. */
export function normCount(errorDegree: number): number {
  return errorDegree + 1;
}

/** Norms of a cluster's moments of degrees 1 .. errorDegree into `norms`; the last place is left alone. */
export function momentNorms(
  errorDegree: number,
  moments: Float64Array,
  momentAt: number,
  norms: Float64Array,
  normAt: number,
): void {
  for (let n = 1; n <= errorDegree; n++) {
    let square = 0;
    for (let i = n * n; i < (n + 1) ** 2; i++) square += moments[momentAt + i]! ** 2;
    norms[normAt + n - 1] = Math.sqrt(square);
  }
}

/** Sum over s > p of C(n + s, n) rho^s / distance^(n + s + 1), rho < distance: from above. */
function localRemainder(n: number, p: number, rho: number, distance: number): number {
  const ratio = rho / distance;
  // The term of s = 0, then step by step.
  let term = distance ** -(n + 1);
  for (let s = 1; s <= p; s++) term *= (ratio * (n + s)) / s;
  let sum = 0;
  for (let s = p + 1; s < 1000; s++) {
    const step = (ratio * (n + s)) / s;
    term *= step;
    sum += term;
    // Steps fall towards ratio: what is left is below a geometric series.
    const next = (ratio * (n + s + 1)) / (s + 1);
    if (next < 1 && term * next <= 1e-6 * sum * (1 - next)) return sum + (term * next) / (1 - next);
  }
  return Infinity;
}

/**
 * Sum over k >= 0 of (1 + k / (Q + 1)) t^k, t < 1: degrees above Q, whose norms are at most that factor times
 * radius^k times the bound of degree Q + 1; t is the source's radius over the distance.
 */
export function tailSeries(errorDegree: number, t: number): number {
  return t < 1 ? 1 / (1 - t) + t / ((1 - t) ** 2 * (errorDegree + 1)) : Infinity;
}

export interface BoundOptions {
  /** Degrees of local expansion and moments used, p and q, and Q, the highest whose moments are known. */
  readonly p: number;
  readonly q: number;
  readonly errorDegree: number;
  /** Least distance of the centres, in cells: that of the offset. */
  readonly distance: number;
  /** No cluster that uses the table has a larger radius, in cells. */
  readonly sourceRadius: number;
}

/**
 * The bound's table of one offset: row by row for BOUND_NODES, a weight per entry of a cluster's vector.
 * Row j times the vector bounds the error that the cluster leaves at points within BOUND_NODES[j] of the circumradius.
 */
export function boundTable({ p, q, errorDegree, distance, sourceRadius }: BoundOptions): Float64Array {
  const columns = normCount(errorDegree);
  const table = new Float64Array(BOUND_NODES.length * columns);
  BOUND_NODES.forEach((node, row) => {
    const rho = node * CELL_RADIUS;
    const gap = distance - rho;
    for (let n = 1; n <= errorDegree; n++) {
      table[columns * row + n - 1] = n <= q ? localRemainder(n, p, rho, distance) : gap ** -(n + 1);
    }
    const series = tailSeries(errorDegree, sourceRadius / gap);
    table[columns * row + errorDegree] = series * gap ** -(errorDegree + 2);
  });
  return table;
}

/**
 * Bound at a radius, in units of the circumradius, from those at BOUND_NODES: the chord above, the first node below.
 */
export function boundAt(nodes: Float64Array, at: number, radius: number): number {
  const position = Math.min(Math.max(4 * radius - 1, 0), 3);
  const index = Math.min(Math.floor(position), 2);
  const low = nodes[at + index]!;
  return low + (position - index) * (nodes[at + index + 1]! - low);
}

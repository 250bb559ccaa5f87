/**
 * Float32 rounding of the far field, as a number of spacings of the magnitude of what each degree of moments gives:
 * derived in docs/multipole.md, "Float32". It is made part of the bound: columns behind a cluster's norms.
 */
import { FLOAT32_SPACING } from '../../constants.ts';
import { CELL_RADIUS } from './bounds.ts';
import type { EvaluationTree } from './lists.ts';
import { triangleRule } from './quadrature.ts';
import type { ClusterTree } from './tree.ts';

export interface Roundings {
  /** Relative rounding of all that comes from moments of degree n, at n = 1 .. errorDegree. */
  readonly ofDegree: Float32Array<ArrayBuffer>;
  /** By what bounds are multiplied, since sums of positive float32 numbers may be too small. */
  readonly growth: number;
}

/** Most entries of a list per owner: `starts` has one more place than owners. */
export function longestList(starts: Uint32Array): number {
  let most = 0;
  for (let i = 1; i < starts.length; i++) most = Math.max(most, starts[i]! - starts[i - 1]!);
  return most;
}

/**
 * Rounding of R of degree n by its recurrence, in spacings of |x|^n, in norm: derived in docs/multipole.md,
 * "Float32".
 */
export const harmonicRounding = (n: number) => 6 * n * n + 2 * n;

/** The same degree p of moments and local coefficients in M2L is assumed. */
export function roundings(
  source: ClusterTree,
  tree: EvaluationTree,
  { p, errorDegree }: { readonly p: number; readonly errorDegree: number },
): Roundings {
  const { depth, firsts, lasts, levelStarts } = source;
  let triangles = 0;
  for (let c = levelStarts[depth]!; c < levelStarts[depth + 1]!; c++) {
    triangles = Math.max(triangles, lasts[c]! - firsts[c]!);
  }
  const interactions = longestList(tree.interactionStarts);
  const terms = (p + 1) ** 2;
  const rulePoints = triangleRule(errorDegree - 1).points.length / 3;
  const ofDegree = new Float32Array(errorDegree + 1);
  for (let n = 1; n <= errorDegree; n++) {
    // A matrix of absolute values has at most this times the norm of the matrix of a degree's moments.
    const spread = Math.sqrt(2 * n + 1);
    const p2m = 16 * (n - 1) + harmonicRounding(n - 1) + rulePoints + 51 + triangles;
    const m2m = depth * ((n + 1) ** 2 + 10) * spread;
    // By tables, or for p = 2 by formulas of some 20 roundings each, of terms four times the sum.
    const m2l = Math.max(terms + 2, 80) * spread + interactions;
    const l2l = tree.depth * (terms + 3) * Math.sqrt(2 * p + 1);
    const l2p = 4 * p + harmonicRounding(p) + terms + 4;
    ofDegree[n] = 1.001 * FLOAT32_SPACING * (p2m + m2m + m2l + l2l + l2p);
  }
  const sums = interactions + errorDegree + p + 16 * (tree.depth + 4);
  return { ofDegree, growth: 1 + 2 * sums * FLOAT32_SPACING };
}

/** Distance from a cell's centre that its triangles reach by way of the centres of its descendants, in cells. */
export function clusterReaches({ depth, levelStarts, childStarts, radii }: ClusterTree): Float64Array {
  const reaches = radii.slice();
  for (let level = depth - 1; level >= 0; level--) {
    for (let c = levelStarts[level]!; c < levelStarts[level + 1]!; c++) {
      let most = 0;
      for (let child = childStarts[c]!; child < childStarts[c + 1]!; child++)
        most = Math.max(most, reaches[child]!);
      reaches[c] = most / 2 + CELL_RADIUS / 2;
    }
  }
  return reaches;
}

/** Norms per cluster in float32: those of `normCount`, and the rounding of each degree 1 .. q. */
export function roundedColumns(errorDegree: number, q: number): number {
  return errorDegree + 1 + q;
}

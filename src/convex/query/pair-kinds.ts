// Kinds of queries and the algorithms that answer them.

/** What to find out about each pair; docs/convex.md says what every kind returns. */
export type PairKind = 'intersect' | 'distance' | 'penetration' | 'signed-distance' | 'manifold';
export const PAIR_KINDS: readonly PairKind[] = [
  'intersect',
  'distance',
  'penetration',
  'signed-distance',
  'manifold',
];

/**
 * `auto`: the answers of `gjk` by whatever is fastest; `gjk`: GJK, with EPA behind it; `gjk-johnson` the same with
 * Johnson's sub-algorithm; `sweep-gjk`: the same, but no farther than twice `sweepRadius`; `mpr`: Minkowski Portal
 * Refinement from a ball about the inner point; `mpr-olvang`: the same by the steps of L. Olvang (2010), algorithms 6
 * to 9, which know no ball.
 */
export type PairAlgorithm = 'auto' | 'gjk' | 'gjk-johnson' | 'sweep-gjk' | 'mpr' | 'mpr-olvang';
export const PAIR_ALGORITHMS: readonly PairAlgorithm[] = [
  'auto',
  'gjk',
  'gjk-johnson',
  'sweep-gjk',
  'mpr',
  'mpr-olvang',
];

/** Whether it is Minkowski Portal Refinement. */
export const refinesPortals = (algorithm: PairAlgorithm) => algorithm === 'mpr' || algorithm === 'mpr-olvang';

/** How to solve pairs. */
export interface SolverOptions {
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  /** Gap between the bounds of a distance, relative to the pair's size. */
  readonly tolerance: number;
  /** Radius that `sweep-gjk` sweeps each shape with. Length. */
  readonly sweepRadius: number;
}

/** Signed distance above which pairs are only told apart; Infinity where every distance is wanted. */
export function reachOf({ kind, algorithm, sweepRadius }: Omit<SolverOptions, 'tolerance'>): number {
  if (kind === 'intersect') return 0;
  if (algorithm === 'sweep-gjk') return 2 * sweepRadius;
  return kind === 'distance' || kind === 'signed-distance' ? Infinity : 0;
}

/**
 * Whether the depth of overlaps is found. Kind `distance` leaves it out, except for sweeps, whose reach may lie in it.
 */
export function findsDepth({ kind, algorithm }: Pick<SolverOptions, 'kind' | 'algorithm'>): boolean {
  return kind !== 'intersect' && (kind !== 'distance' || algorithm === 'sweep-gjk');
}

/**
 * What is known about a pair after a query; docs/convex.md says what each promises for every kind of query and
 * algorithm.
 */
export const PairStatus = {
  /** The answer is within the tolerance, proven by its bounds; kind `intersect`: the bodies intersect. */
  converged: 0,
  /**
   * The shapes touch: the signed distance is zero within `TOUCHING_TOLERANCE` of the pair's size, proven by both
   * bounds.
   */
  touching: 1,
  /** The shapes are apart, or farther apart than asked for, and the query wants no distance. */
  separated: 2,
  /** Only inside scree: the algorithm gave up, and a surer one has to decide. Never a status of a result. */
  iterationLimit: 3,
  /** The answer stands within its bounds, but its direction is one of many: concentric balls, or nearly so. */
  degenerate: 4,
  /**
   * The exact signed distance is between the bounds, which are farther apart than the tolerance: most depths of `mpr`.
   */
  bounded: 5,
} as const;

export type PairStatus = (typeof PairStatus)[keyof typeof PairStatus];

const NAMES = ['converged', 'touching', 'separated', 'iteration limit', 'degenerate', 'bounded'] as const;

/** Name of a status, for reports. */
export function pairStatusName(status: number): string {
  return NAMES[status] ?? `unknown status ${status}`;
}

/**
 * Whether a converged distance may not be the least: that of another pair of parts is `bounded` and may be less.
 */
export function isOpen(status: PairStatus, other: PairStatus, otherLower: number, distance: number): boolean {
  return status === PairStatus.converged && other === PairStatus.bounded && otherLower < distance;
}

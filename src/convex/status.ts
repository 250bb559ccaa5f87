/** What is known about a pair after a query; docs/convex.md says what each means for every kind of query. */
export const PairStatus = {
  /** The answer is within the tolerance. */
  converged: 0,
  /** The shapes touch: the signed distance is zero within `TOUCHING_TOLERANCE` of the pair's size. */
  touching: 1,
  /** The shapes are apart, or farther apart than asked for, and the query wants no distance. */
  separated: 2,
  /** Only inside scree: the algorithm gave up, and a surer one has to decide. Never a status of a result. */
  iterationLimit: 3,
  /** The answer stands within its bounds, but its direction is one of many: concentric balls, or nearly so. */
  degenerate: 4,
} as const;

export type PairStatus = (typeof PairStatus)[keyof typeof PairStatus];

const NAMES = ['converged', 'touching', 'separated', 'iteration limit', 'degenerate'] as const;

/** Name of a status, for reports. */
export function pairStatusName(status: number): string {
  return NAMES[status] ?? `unknown status ${status}`;
}

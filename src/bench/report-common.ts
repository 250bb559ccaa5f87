/** What reports of all suites are put together from. */

/** Of repeated measurements of one thing. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  readonly runs: number;
}

export interface WayReport {
  /** `cell-grid-gpu`, `multipole-well-chosen-gpu`, `three-mesh-bvh`, `copy` ... */
  readonly key: string;
  readonly label: string;
  readonly kind: 'scree' | 'peer' | 'yardstick';
}

/** A statement of the paper beside what was measured here. */
export interface Finding {
  /** Figure or table of the paper: `Figure 7`. */
  readonly source: string;
  /** In our own words. */
  readonly statement: string;
  readonly measured: string;
  readonly agrees: 'yes' | 'no' | 'not measured';
  /** How and why ours differs; empty where it does not. */
  readonly why: string;
}

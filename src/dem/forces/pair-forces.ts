/** Forces as callers get them. */

/** Forces between bodies that touch. */
export interface PairForces {
  readonly count: number;
  /** `[count * 2]`: bodies a and b. Those of several parts that touch have several entries. */
  readonly bodies: Uint32Array<ArrayBuffer>;
  /** `[count * 3]`: on b, of all contacts of the pair together. On a there is the opposite. */
  readonly forces: Float64Array<ArrayBuffer>;
}

/** Loads of contacts, summed for each body: all loads, and the part of them that takes energy out. */

/** Places among the numbers of a body: a force and a torque about the centroid each, first of all contacts. */
export const BodyLoad = { dashpots: 6, friction: 12 } as const;
export const BODY_LOADS = 18;

export interface BodyLoads {
  /** `[n * BODY_LOADS]` */
  readonly sums: Float64Array;
  /** `[n * 3]`: torques that resist rolling and torsion; they are among those of all contacts. Undefined: none do. */
  readonly rolling: Float64Array | undefined;
}

/** Tolerances of balls on polyhedra. */

/**
 * Two places on a surface are one within this distance, in sizes of the coordinates: far above what float64 rounds in a
 * nearest point, 2^-48, and far below what float32 tells of a corner.
 */
export const SAME_PLACE = 2 ** -36;

/** Tolerances of balls on polyhedra. */

/**
 * Two places on a surface are one within this distance, in sizes of the coordinates: far above what float64 rounds in a
 * nearest point, 2^-48, and far below what float32 tells of a corner.
 */
export const SAME_PLACE = 2 ** -36;
/**
 * Sine of the angle up to which two triangles are one plane: above what float32 rounds in a normal and a height, 2^-20,
 * and far below any edge that parts patches.
 */
export const FLAT = 2 ** -18;

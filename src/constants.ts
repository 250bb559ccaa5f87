/**
 * Numbers that several families of methods share: IEEE formats and exact predicates. Each family has a `constants.ts`
 * of its own.
 */

/** Radians: angles are in radians, but in files, on the command line and in constants that people read. */
export const DEGREE = Math.PI / 180;
/** Largest float32: the bound of what no bound certifies. */
export const LARGEST_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;
/** A number times this factor, rounded to float32, is not below the number: (1 + 2^-22)(1 - 2^-24) > 1. */
export const FLOAT32_UPWARDS = 1 + 2 ** -22;
/** Least normal float32; below it rounding is not relative. */
export const LEAST_FLOAT32 = 2 ** -126;
/**
 * Rounding of orient3d's float64 determinant, relative to the sum of its absolute terms: (7 + 56 u) u with u = 2^-53,
 * stage A of Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997).
 */
export const ORIENT3D_ERROR = (7 + 56 * 2 ** -53) * 2 ** -53;
/** Spacing of float32 numbers, relative: an operation of WGSL gives one of the two neighbours of its exact result. */
export const FLOAT32_SPACING = 2 ** -23;
/** Lengths of unit quaternions that callers give may be off by this: as float32 rounds one, with room. */
export const UNIT_ERROR = 1e-6;

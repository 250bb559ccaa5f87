/** Numbers of mechanisms, each with its unit and its reason. */

/** Relative tolerance of a run that names none: pictures and tables show no error of it. */
export const DEFAULT_TOLERANCE = 1e-6;
/** Tolerances that a run may ask for: below the least one, rounding of float64 is all there is. */
export const LEAST_TOLERANCE = 1e-13;
export const MOST_TOLERANCE = 1e-2;
/**
 * Singular values of closure rows that count as none, of the largest one or of a row of size 1: far above rounding of
 * an assembled start.
 */
export const RANK_TOLERANCE = 1e-8;
/** How far a mechanism is moved along its freedoms to see whether the start is a special pose, radians. */
export const PROBE_ANGLE = 0.05;
/** Amount by which principal moments may break their triangle inequality, and an inertia its symmetry: rounding. */
export const INERTIA_ROUNDING = 1e-9;
/** How far quaternions of bodies may be off a length of 1: as far as those of scenes. They are made unit ones. */
export const QUATERNION_ROUNDING = 1e-3;
/** What is left of a closure that counts as closed, in the size of the mechanism: rounding of a scene's numbers. */
export const CLOSED = 1e-9;
/** Milliseconds of work between two looks at a signal. */
export const SLICE_MILLISECONDS = 20;

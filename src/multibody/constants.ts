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
/**
 * Radius of gyration, in the mechanism's size, that is none: a mass on a joint's axis is off it by rounding of float64,
 * 1e-16 of the size times the few operations that place it.
 */
export const LEAST_GYRATION = 1e-12;
/** Pivots of a scaled matrix of masses that are none: rounding of sums of some hundred terms of 1. */
export const LEAST_PIVOT = 1e-13;
/** How far the two points of a joint that moves nothing may be apart, in lengths of the scene: poses may be float32. */
export const POINT_ROUNDING = 1e-6;
/** Amount by which principal moments may break their triangle inequality, and an inertia its symmetry: rounding. */
export const INERTIA_ROUNDING = 1e-9;
/** How far quaternions of bodies may be off a length of 1: as far as those of scenes. They are made unit ones. */
export const QUATERNION_ROUNDING = 1e-3;
/** What is left of a closure that counts as closed, in the size of the mechanism: rounding of a scene's numbers. */
export const CLOSED = 1e-9;
/** Milliseconds of work between two looks at a signal. */
export const SLICE_MILLISECONDS = 20;
/**
 * Speed, and rate of a turn per second, below which friction and rolling resistance are proportional to it, and
 * restitution fades: a length per second. Forces have to be smooth for Newton's method (Neumayr and Otter: 0.01).
 */
export const REGULAR_SPEED = 0.01;
export const REGULAR_SPIN = 0.01;
/** Restitution of the slowest impacts: without a limit a ball would touch the ground without end. */
export const LEAST_REBOUND = 1e-3;
/** Largest D / v0, seconds per length: slow contacts would be stiffer in speed than in depth (CH's authors: 1000). */
export const MOST_DAMPING = 1000;
/**
 * Depth at which a contact begins, in radii of the smaller body: far above rounding of distances, and far below what
 * forces need. It ends at a distance of 0, so that no function is 0 where either has been.
 */
export const CONTACT_DEPTH = 1e-9;
/** Zero-crossing functions at first, as in section 5 of Neumayr and Otter 2017. */
export const DEFAULT_CROSSINGS = 100;
/** Evenly spaced places of a step at which motion is looked at: a polynomial of order 5 has as many coefficients. */
export const SPEED_PLACES = 6;
/** How much larger such a polynomial can be between these places: their Lebesgue constant, 3.106, rounded up. */
export const SPEED_BOUND = 3.11;
/**
 * Angle that frames turn by at most, so bounded, where a step is looked through at once: about a radian. Between six
 * places of it a sine is a polynomial of order 5 within 2e-6, while places that are turns apart may all look alike.
 */
export const MOST_TURN = Math.PI;
/** Halvings after which a part of a step in which two bodies have met is left to the search for the root. */
export const CLOSE_PARTINGS = 8;
/** Halvings of a step in which two bodies may have met: its share is then below the width of a root. */
export const MOST_PARTINGS = 44;
/** Times of a step whose places are kept for the next pair: 44 parts are open in one search, and a few times that. */
export const KEPT_PLACES = 256;

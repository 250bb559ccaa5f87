/** Tolerances of the suite's checks and judgements, each with its unit and its reason. */

/** Gap between the bounds of the reference's distances, relative to a pair's size: 1.5e-11, the float64 algorithms' own. */
export const REFERENCE_TOLERANCE = 2 ** -36;

/** Gap that ways of scree are asked for, relative to a pair's size: what float32 can still tell, the same for both formats. */
export const ASKED_TOLERANCE = 2 ** -20;

/**
 * A gap of the class of the peer's errors, to compare speeds at about one accuracy: its depths are off by up to 3e-3 to 5e-3 of a
 * pair's size, but for boxes, where it is 5e-6.
 */
export const COARSE_TOLERANCE = 2 ** -10;

/**
 * By how much a float64 distance may be off beyond the gap that was asked for, relative to the pair's size: the reference's own gap,
 * where rounding, below 2^-46, disappears.
 */
export const FLOAT64_ERROR = 2 * REFERENCE_TOLERANCE;

/**
 * The same for float32 kernels, whose distances are promised to 1e-5 of the size where a gap of `ASKED_TOLERANCE` or less is asked
 * for.
 */
export const FLOAT32_ERROR = 1e-5 - ASKED_TOLERANCE;

/**
 * Rounding of the textbook formulas that prove the reference, relative to the pair's size: a product with a unit vector, a
 * rotation and a root are a few dozen roundings of 2^-53, and the reference's own points are off by its tolerance.
 */
export const PROOF_SLACK = 2 * REFERENCE_TOLERANCE;

/**
 * Signed distance, relative to the pair's size, within which a peer's side does not count: float32 coordinates of bodies a few
 * sizes from the origin, and rotations by float32 quaternions, are off by some 2^-23 each, a dozen of which add up.
 */
export const TOO_CLOSE = 2 ** -19;

/** Depths within this share of the exact one count as right in comparisons of algorithms. */
export const DEPTH_WITHIN = 0.01;

/** Share of the pairs whose support calls are the highest: the thesis takes 1000 of a million. */
export const HIGHEST_SHARE = 1e-3;

/** Tolerances of the suite's checks and judgements, each with its unit and its reason. */

/** Gap between the bounds of the reference's distances, per pair's size: 1.5e-11, the float64 algorithms' own. */
export const REFERENCE_TOLERANCE = 2 ** -36;

/** Gap asked of ways of scree, per pair's size: what float32 can still tell, the same for both formats. */
export const ASKED_TOLERANCE = 2 ** -20;

/**
 * A gap like the peer's errors, to compare speeds at about the same accuracy: its depths are off by up to 3e-3 to 5e-3
 * of a pair's size, for boxes by 5e-6.
 */
export const COARSE_TOLERANCE = 2 ** -10;

/** How far a float64 distance may be off beyond its gap, per pair's size: the reference's gap; rounding is less. */
export const FLOAT64_ERROR = 2 * REFERENCE_TOLERANCE;

/** The same for float32 kernels. They promise 1e-5 of the size for a gap of `ASKED_TOLERANCE` or less. */
export const FLOAT32_ERROR = 1e-5 - ASKED_TOLERANCE;

/**
 * Rounding of the textbook formulas that prove the reference, per pair's size: a product with a unit vector, a rotation
 * and a root are a few dozen roundings of 2^-53, and the reference's own points are off by its tolerance.
 */
export const PROOF_SLACK = 2 * REFERENCE_TOLERANCE;

/**
 * Signed distance, per pair's size, within which a peer's side does not count: float32 coordinates of bodies a few
 * sizes from the origin, and rotations by float32 quaternions, are off by some 2^-23 each, a dozen of which add up.
 */
export const TOO_CLOSE = 2 ** -19;

/** Depths within this share of the exact one count as right in comparisons of algorithms. */
export const DEPTH_WITHIN = 0.01;

/** Share of the pairs whose support calls are the highest: the thesis takes 1000 of a million. */
export const HIGHEST_SHARE = 1e-3;

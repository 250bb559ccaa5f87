/** Numbers of collisions in motion, each with its unit and reason. */

/**
 * Rounding of a posed coordinate, relative to the reach: the largest coordinate and the lengths that it is a sum of.
 * With u = 2^-53: an element of a rotation has fewer than 10 roundings and a sum of four terms 5 more, of a point that
 * is between two poses a few more again; a difference of two has 40 u < 2^-47. Distances of planes and lines add what
 * their directions are off by.
 */
export const PLACE_ERROR = 2 ** -47;

/** Of conservative advancement: bodies so close touch, relative to the smaller one's reach. */
export const DEFAULT_TOLERANCE = 1e-6;

/**
 * A step is looked at in slices in which bodies move by this share of the smaller one's reach: boxes of what moves
 * farther would meet too much.
 */
export const SLICE_SHARE = 1 / 8;
/** Slices, at most: what bodies pass each other in takes no longer by more of them. */
export const MOST_SLICES = 256;
/** Turn of both bodies, in radians, over which features are interpolated at once: a longer one has parts. */
export const MOST_TURN = 1;

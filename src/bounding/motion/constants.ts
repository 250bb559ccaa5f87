/** Numbers of collisions in motion, each with its unit and reason. */

/**
 * Rounding of a posed coordinate, relative to the reach: the largest coordinate and the lengths that it is a sum of.
 * With u = 2^-53: an element of a rotation has fewer than 10 roundings and a sum of four terms 5 more, of a point that
 * is between two poses a few more again; a difference of two has 40 u < 2^-47. Distances of planes and lines add what
 * their directions are off by.
 */
export const PLACE_ERROR = 2 ** -47;

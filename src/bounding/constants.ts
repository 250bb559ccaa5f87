/** Numbers of bounding trees, each with its unit and reason. */

/**
 * Rounding of coordinates and bounds of a query, relative to the reach of both bodies and the distance of their
 * origins: bounds are lowered by it. With u = 2^-53: an element of a rotation has fewer than 10 roundings, a posed
 * coordinate is a sum of four terms (5 more), a direction's length 4, a projection of a volume 8. Three coordinates of
 * two bodies are below 2 * 3 * 27 u < 2^-45.
 */
export const BOUND_ERROR = 2 ** -45;

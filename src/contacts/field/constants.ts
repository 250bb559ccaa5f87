/** Reach of a body's candidates, unless a shape says otherwise: radii of the ball of equal volume. */
export const REACH = 0.5;
/** Cells per side of a mean triangle's square: candidates are few where cells are small against triangles. */
export const CELLS_PER_TRIANGLE_SIDE = 1.4;
/** Cells of a body of few triangles: candidates of neighbouring faces part where cells are small against the body. */
export const LEAST_CELLS = 2 ** 13;
/** Cells per triangle, at most: a body of 2,048 triangles of one size has about 20. */
export const MOST_CELLS_PER_TRIANGLE = 48;
/** Cells of a body, at most: 32 MiB of words. */
export const MOST_CELLS = 2 ** 23;
/**
 * Bytes of a body's lists of candidates, at most: so many per triangle, and so many besides. Where lists are longer,
 * the cells are made larger by `COARSER`. Bodies of triangles of one size take about 1,000.
 */
export const LIST_BYTES_PER_TRIANGLE = 2048;
export const LEAST_LIST_BYTES = 2 ** 23;
export const COARSER = 1.5;
/** Step of a candidate's bound, in cells: 255 of them are two cells, more than a grown cell's diagonal. */
export const BOUND_STEP = 2 ** -7;
/**
 * A block of 2^level cells along an axis, all inside, has one list for all its cells if that has no more candidates
 * than this over 2^level. Few nodes lie there, and bounds end most of a list: memory is spared where it is not felt.
 */
export const LONGEST_SHARED_LIST = 256;
/** Units of the least distance in a list's header, in cells. */
export const LEAST_DISTANCE_UNIT = 2 ** -16;
/** Relative slack of comparisons in float64 when candidates are chosen: far above its rounding. */
export const CANDIDATE_SLACK = 2 ** -30;
/** So much less than a cell's byte is the bound for the points that rounding takes for the cell's, in cells. */
export const BYTE_SLACK = 2 ** -8;
/**
 * Distance from the surface, relative to the size of the numbers in it, below which the direction to the nearest point
 * is rounding: then the feature's pseudo-normal takes its place.
 */
export const LEAST_DIRECTION = 2 ** -40;
/**
 * Coordinates of up to this, and down to its inverse, are left as they are. Squares of triangles' edges, a thousandth
 * of that, and quotients of such are far from float32's ends.
 */
export const MOST_UNSCALED = 2 ** 40;
/**
 * Triangles below which the calling thread makes all tables: it takes a fifth of a second, and workers that have just
 * started as long to warm up.
 */
export const LEAST_TRIANGLES_FOR_WORKERS = 4096;

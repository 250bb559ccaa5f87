/**
 * Every tolerance of scree, with its unit and its reason. Bounds are derived in docs/; nothing here is tuned until a
 * test passes.
 */

/** Unit roundoff of IEEE float32, relative: half the distance from 1 to the next number. */
export const FLOAT32_ROUNDOFF = 2 ** -24;

/** The slope of the common ray against its axis, y over x: float32, dimensionless. See docs/ray-crossing.md. */
export const RAY_SLOPE_Y = Math.fround(0.0173);
/** The slope of the common ray against its axis, z over x: float32, dimensionless. */
export const RAY_SLOPE_Z = Math.fround(0.0119);

/**
 * Forward error of b1, b2, 1 - b1 - b2 and t per |p - a|, in units of roundoff times the row's absolute sum.
 * 7.1 is derived in docs/ray-crossing.md; the rest covers rounding of the bound itself.
 */
export const MARGIN_ERROR_FACTOR = 7.2;
/** Error of 1 - b1 - b2 from the constant 1, in units of roundoff. Derived with MARGIN_ERROR_FACTOR: 2.01. */
export const MARGIN_ERROR_CONSTANT = 2.1;

/**
 * Least |d . n| relative to the sum of its absolute terms for which float64 rows are trusted to 2^-29. Steeper or
 * degenerate triangles get a region in which every point is settled exactly.
 */
export const LEAST_RELATIVE_DETERMINANT = 2 ** -20;
/** Largest entry of a float32 row; products with differences then stay far from overflow. Per unit of length. */
export const LARGEST_ROW = 2 ** 90;
/** Half width of the region around a degenerate triangle, relative to its length. */
export const STEEP_REGION_WIDTH = 2 ** -18;
/** Least length of that region, relative to the mesh's largest extent. */
export const STEEP_REGION_LENGTH = 2 ** -20;
/** Bound inside that region: above 1/3, the largest value that min(b1, b2, 1 - b1 - b2) takes. */
export const STEEP_REGION_BOUND = 0.34;

/**
 * Meshes whose largest absolute coordinate lies outside 2^-16 .. 2^16 are scaled by an exact power of two, so that
 * no product in a kernel overflows or becomes subnormal.
 */
export const UNSCALED_EXPONENT = 16;

/**
 * Slack of the float64 segment-box test, as a fraction of the segment (0 .. 1): four roundings of 2^-53, rounded up
 * generously, since a face that is tested in vain costs nothing but time.
 */
export const SEGMENT_BOX_SLACK = 2 ** -40;

/** Tolerances of ray crossing, each with its unit and its reason. Bounds are derived in docs/ray-crossing.md. */

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
/** Half width of the region around a degenerate triangle, relative to its length. */
export const STEEP_REGION_WIDTH = 2 ** -18;
/** Least length of that region, relative to the mesh's largest extent. */
export const STEEP_REGION_LENGTH = 2 ** -20;
/** Bound inside that region: above 1/3, the largest value that min(b1, b2, 1 - b1 - b2) takes. */
export const STEEP_REGION_BOUND = 0.34;
/**
 * Slack of the float64 segment-box test, as a fraction of the segment (0 .. 1): four roundings of 2^-53, rounded up
 * generously, since a face that is tested in vain costs nothing but time.
 */
export const SEGMENT_BOX_SLACK = 2 ** -40;

/** Tolerances of ray crossing, each with its unit and its reason. Bounds are derived in docs/ray-crossing.md. */
import { FLOAT32_SPACING } from '../../constants.ts';

/** The slope of the common ray against its axis, y over x: float32, dimensionless. See docs/ray-crossing.md. */
export const RAY_SLOPE_Y = Math.fround(0.0173);
/** The slope of the common ray against its axis, z over x: float32, dimensionless. */
export const RAY_SLOPE_Z = Math.fround(0.0119);
/**
 * Forward error of b1, b2, 1 - b1 - b2 and t per |p - a|, times the row's absolute sum: 8.52 spacings, derived in
 * docs/ray-crossing.md. The rest covers rounding of the bound itself, which the kernel sums up.
 */
export const MARGIN_ERROR = 8.7 * FLOAT32_SPACING;
/** Error of 1 - b1 - b2 from the constant 1: six sums, a spacing each. Derived with MARGIN_ERROR. */
export const MARGIN_ERROR_CONSTANT = 6.1 * FLOAT32_SPACING;
/**
 * Error of a point's coordinates sheared along the ray, per largest coordinate of the mesh: 4.1 spacings, derived in
 * docs/ray-crossing.md, rounded up. Boxes of clusters are grown by it.
 */
export const SHEAR_ERROR = 4.2 * FLOAT32_SPACING;
/**
 * Least |d . n| relative to the sum of its absolute terms for which float64 rows are trusted to 2^-29. Steeper or
 * degenerate triangles get a region in which every point is settled exactly.
 */
export const LEAST_RELATIVE_DETERMINANT = 2 ** -20;
/** Half width of the region around a degenerate triangle, relative to its length, ... */
export const STEEP_REGION_WIDTH = 2 ** -18;
/**
 * ... and at least so much relative to the mesh's largest coordinate: float32 moves the region's corner by a 16th of
 * it.
 */
export const LEAST_STEEP_REGION_WIDTH = 8 * FLOAT32_SPACING;
/** Least length of that region, relative to the mesh's largest extent. */
export const STEEP_REGION_LENGTH = 2 ** -20;
/** Bound inside that region: above 1/3, the largest value that min(b1, b2, 1 - b1 - b2) takes. */
export const STEEP_REGION_BOUND = 0.34;

/**
 * Tolerances and the cost model of the multipole method, each with its unit and its reason. Bounds are derived in
 * docs/multipole.md.
 */
import { FLOAT32_SPACING } from '../../constants.ts';

/** Finest level of the multipole method's trees: a cell's place has 10 bits per axis in its Morton code. */
export const MOST_MULTIPOLE_LEVEL = 10;
/** Entries of a list of its evaluation tree, 512 MiB: trees that `auto` makes have fewer, forced depths may not. */
export const LONGEST_TREE_LIST = 2 ** 27;
/**
 * Largest offset of an interaction along an axis, in cells; clusters farther off that are not admissible yet stay
 * near.
 */
export const MOST_CONVERSION_OFFSET = 12;
/** Cost model of the multipole method, in nanoseconds on one core of a current machine: a point against a triangle. */
export const MULTIPOLE_PAIR_COST = 16;
/** One multiply-add of a translation. */
export const MULTIPOLE_TERM_COST = 1.7;
/** One interaction besides those: its lists and its part of the error bound. */
export const MULTIPOLE_CONVERSION_COST = 140;
/** One evaluation cell. */
export const MULTIPOLE_CELL_COST = 1000;
/**
 * Cost model of the multipole kernels, in nanoseconds on a software adapter of two cores, the slowest device there
 * is: a point against an entry of its leaf's near field.
 */
export const KERNEL_ENTRY_COST = 10;
/** To find the boundary of a leaf's near field, per triangle of it, on the host. */
export const BOUNDARY_TRIANGLE_COST = 10;
/** One multiply-add of a translation. */
export const KERNEL_TERM_COST = 0.8;
/** One interaction besides those: its lists on the host, and its part of the error bound. */
export const KERNEL_CONVERSION_COST = 120;
/**
 * Float64 rounding of a far field, in full spheres: sums of fewer than 10^4 terms whose absolute values add up to less
 * than 10^3 (a thousand sheets of surface around a point): 10^7 * 2^-53 < 2^-29. Far below any truncation error.
 */
export const MULTIPOLE_ROUNDING = 2 ** -29;
/** Triangles of the smallest clusters of a cluster sum, at most. */
export const CLUSTER_LEAF = 16;
/** By what areas and integrals over clusters are raised: more than their rounding, that of centroids included. */
export const TAIL_SLACK = 1 + 2 ** -20;
/**
 * Rounding of the norm of a cluster's moments of degree n, in n times area times radius^(n - 1). A part's radius and
 * its way to the whole's centre add up to at most three radii of the whole. So the terms that moving adds up are below
 * 3^5 = 243 of that. There are some twenty roundings of 2^-53 each on some twenty levels, and the norm of polynomials
 * is at most four times this one: 2^-34.
 */
export const NORM_SLACK = 2 ** -32;
/** What a cluster of a cluster sum may leave out at first, in parts of the tolerance: most leave out far less. */
export const CLUSTER_SHARE = 1 / 64;
/** Part of the tolerance that the next walk aims at where one left out more than the tolerance ... */
export const CLUSTER_AIM = 0.8;
/** ... and by what a cluster's part of it becomes smaller at most. */
export const CLUSTER_LEAST_STEP = 1 / 64;
/** Radius of a cluster over its distance, at most, where its series is used. */
export const CLUSTER_RATIO = 0.8;
/**
 * By how much a leaf's cell is grown when triangles that its rays may cross are listed, in cells: float64 rounding of a
 * point's place in the root's cell, 2^-52 of it, is below 2^-42 of the finest cell.
 */
export const NEAR_CELL_MARGIN = 2 ** -20;
/** The same for an edge of the near field's boundary, times |a| |b|: 49.2 spacings, rounded up. */
export const BOUNDARY_ROUNDING = 56 * FLOAT32_SPACING;
/** Rounding of an edge's two numbers, per |a| |b|: below 59 spacings. */
export const BOUNDARY_DOUBT = 64 * FLOAT32_SPACING;
/** Rounding of the edge functions of a crossing, per square of the corners' summed distances: 1 spacing, rounded up. */
export const CROSSING_ROUNDING = 1.25 * FLOAT32_SPACING;
/** Rounding of a crossing's volume, per that square times the corners' summed heights: 2 spacings, rounded up. */
export const CROSSING_VOLUME_ROUNDING = 2.5 * FLOAT32_SPACING;
/**
 * Least size of an edge's number in the kernels' units: smaller ones are doubtful. It is 8 times LEAST_LENGTH_32
 * times the longest distance, 8, so no length below that one counts; and a product with an imaginary part of 2^-74
 * stays normal.
 */
export const LEAST_EDGE_NUMBER = 2 ** -44;
/** Bits of the edge of the trees' root cube, and of a cell's centre above the finest cell: centres are float32 then. */
export const ROOT_EDGE_BITS = 8;

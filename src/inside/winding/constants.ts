/** Choices for winding numbers, each with its unit and its reason. Measured in docs/multipole.md. */

/** Triangles, or caps, up to which the direct sum is taken instead of cluster sums: it is as fast then. */
export const MOST_TRIANGLES_SUMMED_DIRECTLY = 64;
/**
 * Cost model of the cell grid with caps, on one core: `setUp` in nanoseconds per triangle, caps included, `perPoint` in
 * nanoseconds, without the sum over the caps. Measured in docs/multipole.md, "Closed by caps".
 */
export const CAPPED_COSTS = { least: 2e6, setUp: 1000, perPoint: 150 } as const;
/**
 * Cost model of cluster sums, on one core: `setUp` in nanoseconds per triangle, `perPoint` in nanoseconds for so many
 * triangles and such a tolerance, and by which powers of both it grows. Measured in docs/multipole.md, "Cluster sum".
 */
export const CLUSTER_COSTS = {
  ...{ setUp: 1600, perPoint: 6000, triangles: 40_000, tolerance: 0.4 },
  ...{ trianglesPower: 0.55, tolerancePower: 0.4 },
} as const;
/** What cluster sums may leave out of J for flags: most points are farther than that from where flags change. */
export const FLAG_TOLERANCE = 0.3;
/** Least tolerance that cluster sums are asked for: the rounding of a thousand clusters, 2^-29 each, is well below. */
export const LEAST_CLUSTER_SUM_TOLERANCE = 2 ** -17;
/**
 * Part of a tolerance that truncation may take: the rest is for rounding, of 2^-29 per cluster and of float32 values.
 */
export const TRUNCATION_SHARE = 0.9;
/**
 * What flags by rule winding that this leaves open are certified with next, one after the other, where a potential
 * can: what settles them otherwise sets up a tree of the whole mesh.
 */
export const CERTIFYING_TOLERANCES = [2 ** -5, 2 ** -13] as const;
/**
 * Error of J that flags by rule winding are settled with before the direct sum is taken: most points are far from 1/2.
 */
export const SETTLING_TOLERANCE = 2 ** -5;
/** Default of `windingNumber`, in full spheres: far below what tells inside from outside. */
export const DEFAULT_WINDING_TOLERANCE = 1e-3;
/** Separation where only a degree is given: that of the degrees 4 to 8 below. */
export const DEFAULT_SEPARATION = 2;
/**
 * Degrees and separations by what they reach: `within` is a bound of the error that 19 of 20 points of foams and
 * spheres of 8,192 to 40,000 triangles stay below. Costs on one core, for the same bodies: `setUp` in nanoseconds per
 * triangle and `perPoint` in nanoseconds. Measured in docs/multipole.md, "Choice of degree".
 */
export const EXPANSIONS = [
  { degree: 2, separation: 1.6, within: 0.6, setUp: 40_000, perPoint: 7_000 },
  { degree: 3, separation: 1.6, within: 0.25, setUp: 75_000, perPoint: 9_000 },
  { degree: 4, separation: 2, within: 2.5e-2, setUp: 65_000, perPoint: 15_000 },
  { degree: 5, separation: 2, within: 8e-3, setUp: 65_000, perPoint: 19_000 },
  { degree: 6, separation: 2, within: 2.5e-3, setUp: 110_000, perPoint: 19_000 },
  { degree: 7, separation: 2, within: 1e-3, setUp: 180_000, perPoint: 19_000 },
  { degree: 8, separation: 2, within: 3.5e-4, setUp: 300_000, perPoint: 19_000 },
  { degree: 8, separation: 2.5, within: 7e-5, setUp: 450_000, perPoint: 30_000 },
] as const;

/** Tolerances and choices that several methods of point in polyhedron share, each with its unit and its reason. */

/** Largest entry of a float32 row; products with differences then stay far from overflow. Per unit of length. */
export const LARGEST_ROW = 2 ** 90;
/**
 * Meshes whose largest absolute coordinate lies outside 2^-16 .. 2^16 are scaled by an exact power of two, so that
 * no product in a kernel overflows or becomes subnormal.
 */
export const UNSCALED_EXPONENT = 16;
/** Points that a body is built for: so many per triangle, a few time steps of bodies against each other, ... */
export const POINTS_FORESEEN_PER_TRIANGLE = 8;
/** ... and at least so many, one small classification. */
export const LEAST_POINTS_FORESEEN = 2e4;
/** Points below which `backend: 'auto'` stays on the CPU: a submission and a mapping take about as long, 1 ms. */
export const LEAST_POINTS_FOR_GPU = 20_000;
/**
 * Triangles below which the calling thread builds the tables alone: so many take it 5 ms, and two threads 8 ms, of
 * which most is handing over tasks and answers. At twice as many they are even.
 */
export const LEAST_TRIANGLES_FOR_WORKERS = 10_000;
/** Points below which the calling thread tests them alone: so many take 1 to 2 ms, as long as waking other threads. */
export const LEAST_POINTS_FOR_WORKERS = 30_000;
/** A cell is larger than extent / count by this fraction, so that the last vertex does not open one more layer. */
export const LAST_CELL_SLACK = 2 ** -20;
/** Degree and separation for flags of closed surfaces: bounds below 1 for all but a few points are enough. */
export const FLAG_EXPANSION = { degree: 2, separation: 1.6, within: 0.6 } as const;
/** For flags by rule winding: bounds below 1/2, with which J = 0 and J = 1 are certain. */
export const WINDING_EXPANSION = { degree: 3, separation: 1.6, within: 0.3 } as const;

/**
 * Comparisons of runs and triangles with points, per triangle of the mesh, that settle doubtful points before a tree of
 * the triangles is made. A tree takes as long as about so many (docs/ray-crossing.md, "Doubtful points"), so at most
 * twice the time is spent of whichever would have been right.
 */
export const LOOK_WORK_BEFORE_TREE = 250;
/** Comparisons that take as long as reading a triangle. */
export const TRIANGLE_LOOK_WORK = 4;

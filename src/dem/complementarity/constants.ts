/** Numbers of contact forces by complementarity, each with its unit and its reason. */

/** Sine of the angle between triangles that are one face: float32 turns those of a mesh by no more. */
export const FLAT_SINE = 1e-6;
/**
 * Gap up to which a contact is taken into a step, in sizes: what is farther and meets in the step is found on its way.
 */
export const NEAR_GAP = 1e-3;
/** Gap, in sizes, at which bodies touch at first for `bilateral`: what float32 makes of the places of a scene. */
export const TOUCHING_GAP = 1e-6;
/** Deepest overlap at first, in sizes: that of places which were rounded to float32. */
export const OVERLAP_AT_FIRST = 1e-6;
/**
 * Gaps and forces, both as lengths, at which a step counts as solved, in sizes: a hundredth of what gaps are kept to,
 * 1e-10. Below it is rounding of places near the origin.
 */
export const SOLVED_GAP = 1e-12;
/** The same relative to places: fewer than 32 roundings of 2^-53 make a gap. */
export const PLACE_ROUNDING = 2 ** -48;
/** A gap that is less than minus this, in sizes, is one that a step may not leave. */
export const LEAST_GAP = -5e-11;
/**
 * Sine of the angle by which a corner's edges may dip below a face, or a normal lie outside what an edge covers: a step
 * that turns by more is solved again with what it meets.
 */
export const CONE_SINE = 0.05;
/** Sine of the least angle of edges that cross: between others the common normal turns too fast, and corners carry. */
export const CROSSING_SINE = 0.02;
/** By how much a point may be beside a face or an edge, in sizes: distances over a turn are off by more. */
export const BESIDE = 1e-7;
/** Steps of Newton's method before a time step is halved. It takes three to six. */
export const MOST_NEWTON_STEPS = 50;
/** Shortest step of a line search, and the share of the slope that has to be gained (Armijo's rule). */
export const SHORTEST_SEARCH = 2 ** -12;
export const LEAST_GAIN = 1e-4;
/**
 * Singular values of the matrix of contacts that hold, whose rows are scaled to 1, that count as 0: rows of contacts
 * that say the same differ by rounding alone.
 */
export const LEAST_SINGULAR_VALUE = 1e-11;
/** How often a step is solved again with contacts that it met. */
export const MOST_ROUNDS = 12;
/** How often a step that finds no forces is halved. */
export const MOST_STEP_HALVINGS = 6;
/**
 * A contact whose force opens its own gap by less than this share, while those that carry keep theirs, depends on them:
 * the rest is rounding of their matrix.
 */
export const LEAST_OWN_SHARE = 1e-11;
/** Rounds in which contacts are taken in or let go, for each that there is. One each is usual. */
export const MOST_ROUNDS_PER_CONTACT = 8;

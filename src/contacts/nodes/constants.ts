/** Choices of the culling of pairs of polyhedra. */

/** Directions that are tried for two planes between which all is that a pair shares. More gain nothing. */
export const MOST_LOOKS = 6;
/**
 * Skin within which nodes and pieces are asked in each step, of the smaller body's radius: with 1/16 a fourth more are
 * asked, and with 1/64 all are asked twice as often.
 */
export const SKIN_SHARE = 2 ** -5;
/**
 * Clusters that a first list has room for, for each of its pairs; where they need more, there is more in the next step.
 * In a heap of rocks of 1,550 nodes a pair takes 7 of nodes and 2 of edges in the mean. Most pairs of bodies that fall
 * take none.
 */
export const AWAKE_PER_PAIR = 2;
/**
 * Steps that what is as far as the skin has to sleep at least for exact distances to be looked up: they take as long as
 * it takes to ask some times.
 */
export const LEAST_REST = 8;
/** A turn of the direction that is smaller is not tried, radians: samples of the supports are 1/8 apart. */
export const SMALLEST_TURN = 2 ** -6;
/** How far the four other directions are tilted against the best one: the tangent. At 0.2 and 0.6 they cut off less. */
export const PLANE_TILT = 0.3;
/**
 * By how much the planes are moved apart, of both bodies' largest coordinates and the way between them: more than nodes
 * of float32 may lie outside their body (`NODE_ROUNDING`), and far more than rounding in float64. A thin body's reach
 * across it would not do: nodes are rounded by their largest coordinates.
 */
export const PLANE_SLACK = 2 ** -20;

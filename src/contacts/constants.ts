/** Numbers of contacts, each with its unit and its reason. Bounds are derived in docs/contacts.md. */

/**
 * How far a support point in float64 may be off, relative to the radius of its shape and the distance of its centre:
 * 16 roundings of 2^-53 (docs/convex.md, "Tolerances"), and as many for the box that is made of two of them.
 */
export const SUPPORT_ROUNDING = 2 ** -48;
/**
 * How far the height of a point over a plane may be off in float64, in units of the largest of its terms: two products
 * of matrices and a sum of four products, below 2^-48. Clusters and balls that are nearer than this are looked at.
 */
export const HEIGHT_ROUNDING = 2 ** -46;
/**
 * How far nodes and ends of pieces may lie outside of their body, relative to its largest coordinates: they are rounded
 * to float32, 2^-24 in each of three directions.
 */
export const NODE_ROUNDING = 2 ** -23;
/**
 * Default margin of a list of pairs, in radii of the median moving collider: a list lasts for some steps of a
 * simulation, and has a sixth more pairs of round bodies than touch.
 */
export const MARGIN_SHARE = 1 / 20;
/** The same where all that moves are balls: a pair of them takes a distance, so that lists that last pay sooner. */
export const MARGIN_SHARE_OF_BALLS = 1 / 10;
/**
 * The same where steps are long, as by impulses: a body that has fallen by its radius moves by a twelfth of that in a
 * step, so lists of a smaller margin are made anew in most steps.
 */
export const MARGIN_SHARE_OF_LONG_STEPS = 1 / 5;

/** A list that ran over gets so many times what it needed, so that it does not run over in each step. */
export const SPARE_ROOM = 1.25;
/** Bodies below which `backend: 'auto'` stays on the CPU: as with pairs, until contacts are measured on hardware. */
export const LEAST_BODIES_FOR_GPU = 5000;
/**
 * Room on the GPU at first: a packing has about six pairs per body, counted once, and flat faces four contacts each.
 * Lists that run over grow.
 */
export const PAIRS_PER_COLLIDER = 8;
export const CONTACTS_PER_COLLIDER = 16;
/** Of balls alone: each pair has one contact, and a dense packing three pairs that touch per ball. */
export const CONTACTS_PER_BALL = 4;
/** Clusters of nodes near a partner: of rocks of 80 triangles each pair has about four. */
export const CLUSTERS_PER_PAIR = 4;
/** Pairs that touch, those with planes too: a body that rests has about two of its own, of the eight above. */
export const TOUCHING_PER_PAIR = 1 / 4;
/** Triangles near balls: one touches about six, and a body has fewer pairs with polyhedra than there is room for. */
export const TRIANGLES_PER_PAIR = 2;
/** Room that lists of few bodies begin with. Each step has a thread for each place, so spare room costs time. */
export const LEAST_CAPACITY = 128;
/** Places in lists are u32, of which the lists of the broad phase take one bit. */
export const MOST_CAPACITY = 2 ** 31 - 1;

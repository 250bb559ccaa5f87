/** Tolerances of the search along edges. */

/** Chords of an edge inside a body that are shorter are passed over, in lengths of the piece: what rounding leaves. */
export const SHORTEST_CHORD = 2 ** -32;

/**
 * By how much the deepest point of a chord may be deeper than the one that is found, in lengths of the piece: far below
 * what the GPU's float32 places tell (2^-20 of the pair's size), and about twice as many digits as a bracket gains in
 * one step.
 */
export const DEPTH_TOLERANCE = 2 ** -26;

/** Most depths that are looked up on a chord. Where it is not enough, the contact says `bounded`. */
export const MOST_SAMPLES = 64;

/** Most times that a stretch in which two triangles tie is narrowed before the depth is looked up in it. */
export const MOST_HALVINGS = 48;

/** Tolerances of the search along edges. */

/** Chords of an edge inside a body that are shorter are passed over, in lengths of the piece: what rounding leaves. */
export const SHORTEST_CHORD = 2 ** -32;

/**
 * By how much the deepest point of a chord may be deeper than the one that is found, in lengths of the piece: far below
 * what the GPU's float32 places tell (2^-20 of the pair's size), and about twice as many digits as a bracket gains in
 * one step.
 */
export const DEPTH_TOLERANCE = 2 ** -26;

/** The same in depths of the chord's middle: short chords are shallow, and found all the same. */
export const SHALLOW_TOLERANCE = 2 ** -10;

/** Most depths that are looked up on a chord. Where it is not enough, the contact says `bounded`. */
export const MOST_SAMPLES = 64;

/** Most times that a stretch in which two triangles tie is narrowed before the depth is looked up in it. */
export const MOST_NARROWINGS = 48;
/**
 * Of these, those up to which tangents serve every other time. They meet a tie of smooth distances in 2 to 6. Needles
 * can stall them: a distance that is flat and then steep. What is left is more than halves need there (at most 28 in
 * 300,000 pairs of needles).
 */
export const MOST_TANGENTS = 12;

/**
 * By how much triangles are taken for larger where lines pass them, in lengths of their sides. Rounding moves the place
 * by 2^-50 of the sides, over the sine of the angle between line and triangle: lines are seen to pass at least one of
 * two neighbours at any angle above 2^-30.
 */
export const TRIANGLE_MARGIN = 2 ** -20;

/**
 * Two triangles tie at the deepest point of a piece if their distances differ by no more than this, in lengths of the
 * piece: far more than `DEPTH_TOLERANCE`. Below this depth, pseudo-normals give the direction.
 */
export const TIE_TOLERANCE = 2 ** -16;

/** Most places of a piece at which the distance to a triangle is looked up, to measure how far the piece is. */
export const CLEARANCE_LOOKS = 8;

/**
 * Share of a piece's clearance that is told: at distances of `LEAST_CLEARANCE` skins, rounding of a tangent moves it by
 * 2^-30 of them in bodies of up to 2^6 pieces.
 */
export const CLEARANCE_SHARE = 1 - 2 ** -20;

/** Clearance that is told at least, in skins: a part of them, as less is no wait. */
export const LEAST_CLEARANCE = 2 ** -8;

/** Shortest gradient of a depth that has a direction: two faces of a plate that an edge passes straight through. */
export const SHORTEST_GRADIENT = 2 ** -20;

/** Choices about faces of convex shapes, each with its unit and its reason. */

/** Most faces of a shape: the number of a face, that of another's, and that of a point share 31 bits of a feature. */
export const MOST_FACES = 2 ** 14;
/** Points that a piece of a face has: they integrate polynomials of second degree (face-pieces.ts). */
export const PIECE_POINTS = 3;
/** Sides of the prism that stands for a cylinder, or for a cone's side: within 1/207 of the radius. */
export const ROUND_SIDES = 32;
/**
 * How much farther faces may reach than is computed, in units of a pair's size: polygons leave out corners within
 * 2^-20 of a straight edge, and faces within 2^-20 of a plane are one. More faces are looked at than needed, no fewer.
 */
export const FACE_SLACK = 2 ** -18;

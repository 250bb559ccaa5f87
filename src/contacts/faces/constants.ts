/** Choices about faces of convex shapes, each with its unit and its reason. */

/** Sides of the prism that stands for a cylinder, or for a cone's side: within 1/207 of the radius. */
export const ROUND_SIDES = 32;
/**
 * How much farther faces may reach than is computed, in units of a pair's size: polygons leave out corners within
 * 2^-20 of a straight edge, and faces within 2^-20 of a plane are one. More faces are looked at than needed, no fewer.
 */
export const FACE_SLACK = 2 ** -18;
/**
 * How much larger than the pieces that were found the box is in which faces meet (meeting.ts): times its size, and plus
 * a share of the distances of both centres. The larger, the longer it serves, and the more faces it has. In a heap that
 * moves twice and half this margin are no faster, at rest a pair takes 2 % longer than with a sixth of it.
 */
export const MEETING_GROWTH = 1.05;
export const MEETING_MARGIN = 3e-3;
/**
 * Cosine from which on the points of a pair are turned by A's second axis, and not by its first one. It is no angle at
 * which bodies often lie.
 */
export const FIRST_AXIS_COSINE = 0.9;
/**
 * Least force of a pair, in parts of its pressure: more than float32 loses where forces against each other cancel. A
 * body in the middle of another one is pushed nowhere, but it is in there.
 */
export const LEAST_FORCE = 2 ** -20;
/** Most corners of a polygon on a GPU, as `MOST_CORNERS` of the kernels leaves room for planes that cut it. */
export const MOST_POLYGON_CORNERS = 8;
/** Share of a surface that is expected to touch where all faces are small: a quarter of the mean shadow. */
export const PATCH_SHARE = 1 / 16;

/**
 * Most planes that a face is cut by together, each of which takes its part of all pieces so far: as many as both shapes
 * of a meeting have. Of more planes each gets its part of the whole face, since pieces would be far more than planes.
 */
export const MOST_TOGETHER = 16;

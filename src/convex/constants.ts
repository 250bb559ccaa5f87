/** Tolerances of convex pairs, each with its unit and its reason. Bounds are derived in docs/convex.md. */
import { FLOAT32_SPACING } from '../constants.ts';

/**
 * Sizes of convex shapes other than 0, and how far from the origin they may be, in any unit. Sixth powers, as in
 * cross products of cross products, stay normal numbers.
 */
export const LEAST_SHAPE_SIZE = 1e-30;
export const LARGEST_SHAPE_SIZE = 1e30;
/**
 * Coordinates of a polytope below this part of its largest one are made 0, and so are those of a difference below
 * this part of the pair's size. With a largest one of 1e-30, the least bit of a product of three is then above
 * 2^-819, which float64 has.
 */
export const LEAST_COORDINATE = 2 ** -120;
/** How far a quaternion's length may be from 1 by rounding: float32 after a thousand careless products. */
export const QUATERNION_NORM_TOLERANCE = 1e-3;
/** A polytope with this many vertices has lists of the farthest by direction. With fewer, looking at all is as fast. */
export const LEAST_VERTICES_TO_LIST = 12;
/**
 * How far a vertex may seem short of another one by rounding, in units of the polytope's radius. A coordinate about
 * the centroid has one rounding of 2^-53, a product of three of them with a direction three more. Two vertices have
 * twice as many: 2^-50.
 */
export const CLIMB_SLACK = 2 ** -49;
/**
 * How far a polytope's face may be off in direction, times its least height over the polytope's radius. Vertices
 * about the centroid are rounded by sqrt(3) 2^-53 of the radius, which tilts the face by twice that over its height.
 * The cross product adds 4 sqrt(2) roundings of its factors, which are at most twice the radius. The sum is below 16
 * * 2^-53; this is twice that.
 */
export const FACET_ROUNDING = 2 ** -48;
/**
 * How far the offset of a support plane may be off that was found as a face of a difference, in units of the pair's
 * size: 32 roundings of 2^-53, as for any support plane, and as many for places along arcs. Divide it by the length
 * of the vector on the chord of an arc.
 */
export const PLANE_ROUNDING = 2 ** -47;
/**
 * Faces of a difference are tried if the ball in a polytope has this part of the radius of the sphere about it. Of
 * flatter polytopes, too many faces may be the nearest. Chosen, not fitted: this way round polytopes are solved
 * faster than by EPA, a hull of 50 points on a sphere 1.6 times as fast, but balls
 * flattened to a fifth more slowly.
 */
export const LEAST_ROUNDNESS = 0.7;
/** Faces of a polytope up to which they are listed by direction: 80 entries of 4 bytes for each. */
export const MOST_LISTED_FACES = 2048;
/**
 * Signed distance that counts as touching, in units of the pair's size (sum of both bounding radii and the distance of
 * centres): a support point of the difference has at most 16 roundings of 2^-53, a normal as many again; 2^-46 is four
 * times their sum. See docs/convex.md, "Tolerances".
 */
export const TOUCHING_TOLERANCE = 2 ** -46;
/**
 * Distance of cores below which the nearest point is too short to be a direction, in units of the pair's size:
 * rounding of 2^-51 is then more than 2^-31 of it.
 */
export const SHORT_DISTANCE = 2 ** -20;
/**
 * How far a support point or plane that kernels compute in float32 is off at most, in units of the pair's size: 75
 * spacings for a point, 112 for a plane, derived in docs/convex.md, "In float32", rounded up.
 */
export const SUPPORT_ERROR_32 = 112 * FLOAT32_SPACING;
/**
 * Signed distance beyond which its sign is certain in float32, in units of the pair's size: the error of a support
 * point, and as much for rounding of simplices and of the comparison. Pairs that are nearer to touching are decided
 * in float64.
 */
export const TOUCHING_TOLERANCE_32 = 2 * SUPPORT_ERROR_32;
/**
 * Gap between bounds that float32 resolves, in units of the pair's size. By rounding alone, both bounds differ by 6
 * roundings of their coordinates: 2^-21.
 */
export const RESOLUTION_32 = 2 ** -20;
/**
 * Gap of MPR's portals that is good enough if float32 makes no more progress, in units of the pair's size. It is
 * below 1e-5, the accuracy of these answers.
 */
export const STALLED_RESOLUTION_32 = 2 ** -18;
/** Support points after which GJK counts as stuck in float32. Its gap is coarser and takes fewer than float64's. */
export const MOST_GJK_STEPS_32 = 64;
/** Steps in which |v| may stand still in float32. */
export const MOST_GJK_STALLS_32 = 4;
/**
 * Height of a face of EPA's polytope below which float32 does not know on which side of the face the origin is, in
 * units of the pair's size: dot products and a quotient are rounded by 9 spacings, see docs/convex.md.
 */
export const EPA_HEIGHT_ERROR_32 = 16 * FLOAT32_SPACING;
/**
 * A point sees a face of EPA's polytope if its height is more than this many times the face's. Less may be rounding,
 * and would tear faces in one plane apart.
 */
export const EPA_SEEN_32 = 1 + 2 ** -20;
/**
 * How far the foot of the depth may be off the feature that its points are taken from, in units of the pair's size:
 * below 1e-5, the accuracy of float32 answers.
 */
export const POINT_ERROR_32 = 2 ** -17;
/**
 * By how much cells of directions are grown, and by how much vertices in them may be behind the farthest one, in
 * units of the bounding radius: rounding of a direction's place in its cell, and of float32 vertices and their
 * products, is 13 spacings of 2^-23 at most.
 */
export const DIRECTION_CELL_MARGIN = 2 ** -18;
/** Default gap between upper and lower bound of a distance or depth, in units of the pair's size. */
export const CONVEX_TOLERANCE = 2 ** -36;
/**
 * Part of the gap at which algorithms stop. The rest, at least 2^-50 of the pair's size, is more than two later
 * roundings of 2^-53 add to the gap.
 */
export const GAP_SHARE = 15 / 16;
/** Support points after which GJK counts as stuck. It needs 3 to 20; on slender curved shapes up to 60. */
export const MOST_GJK_STEPS = 100;
/** Steps in which |v| may stand still before GJK counts as stuck. Each direction halves the remaining gap or better. */
export const MOST_GJK_STALLS = 16;
/** The same for one phase of MPR, whose portals shrink more slowly. */
export const MOST_MPR_STEPS = 200;
/**
 * Least radius of a ball about MPR's inner point to start from, in units of the pair's size. A plane that touches a
 * smaller ball nearly goes through the inner point. The ray meets such planes where it starts, so going from one to
 * the next is no progress.
 */
export const LEAST_INBALL = 2 ** -10;
/**
 * How far radii of inscribed balls are off at most, in units of the pair's size. The plane through three vertices is
 * off by 4 sqrt(2) 2^-53 over the sine between its edges, which is at least 1e-7.
 */
export const INBALL_ERROR = 2 ** -26;
/**
 * How far corners and planes of portals are off at most in float32, in units of the pair's size: 122 spacings,
 * derived in docs/convex.md, "MPR in float32", rounded up.
 */
export const PORTAL_ERROR_32 = 128 * FLOAT32_SPACING;
/**
 * Least gap between the planes of a portal that MPR's kernels refine to, in units of the pair's size: four times what
 * rounding usually makes, and a fifth of the accuracy that is wanted, 1e-5.
 */
export const LEAST_GAP_32 = 2 ** -19;
/** MOST_MPR_STEPS for float32. There a search that takes longer does not end. */
export const MOST_MPR_STEPS_32 = 100;
/**
 * Two shapes are apart if the distance of their centres is more than this many times the sum of their bounding
 * spheres' radii. That covers the touching tolerance, 2^-46 of a size that is then at most twice the distance. It
 * also covers rounding of the centres, 2^-50 of the size and of the way from a shape's origin to its centre.
 */
export const SPHERES_APART = 1 + 2 ** -40;
/**
 * Support points asked for in the plane of a difference without volume: a disc's edge is followed to 2^-46 with
 * fewer.
 */
export const MOST_FLAT_STEPS = 128;
/** Support points that EPA's polytope may have: a quadratic surface is followed to 2^-36 with fewer than 200. */
export const MOST_POLYTOPE_VERTICES = 1024;
/**
 * Rounding of a point's height over the plane of a face of EPA's polytope, in units of the pair's size over the sine
 * between the face's shorter edges: below 24 * 2^-53, derived in docs/convex.md, "Tolerances". Exact predicates
 * decide lower heights.
 */
export const POLYTOPE_ROUNDING = 2 ** -48;
/**
 * Squared sine of the angle between edges of two boxes below which their cross product is not tried as a separating
 * axis: other axes are then as good to 2^-50 of the pair's size (docs/convex.md, "Tolerances").
 */
export const LEAST_AXIS = 2 ** -100;
/**
 * The same, below which its terms are computed from numbers as small as itself. Above, dividing by its length makes
 * errors of 2^-52 up to 16 times larger.
 */
export const NEARLY_PARALLEL = 2 ** -8;
/**
 * How far a point of a box may lie outside the box, in units of the pair's size: rounding over the least angle of
 * ties. If the boxes are apart, edges have to pass each other this far inside their ends.
 */
export const FOOT_TOLERANCE = 2 ** -40;
/**
 * Sine of the angle within which a face, an edge or a curved surface's straight line counts as lying in a contact's
 * plane: 7.2 degrees. An overlap of depth d reaches 8 d into a face at that angle. A face beyond it is left out and
 * would have added no more width than that.
 */
export const FACING_SINE = 2 ** -3;
/** Its cosine and tangent. */
export const FACING_COSINE = Math.sqrt(1 - FACING_SINE ** 2);
export const FACING_TANGENT = FACING_SINE / FACING_COSINE;
/**
 * How far a contact may lie off the surfaces that it stands for, in units of the pair's size: float32's rounding of
 * places of edges and corners (2^-23 each) with three bits to spare. Triangles whose corners lie in one plane to this
 * part of the polytope's radius are one face.
 */
export const MANIFOLD_RESOLUTION = 2 ** -20;
/**
 * The same for sums, hulls, frusta and flat polytopes, whose faces are sampled, in units of the shape's radius: the
 * square of `LEAST_FEATURE_WIDTH`.
 */
export const SAMPLED_FACE_RESOLUTION = 2 ** -14;
/**
 * Corners of the polygon that stands for a face: those that keep most of its area; for discs, those of a regular
 * octagon.
 */
export const MOST_FACE_CORNERS = 8;
/**
 * Contacts of two convex shapes whose faces are cut with each other. Four span nearly what more do, and solvers take
 * time for each.
 */
export const MOST_CLIPPED_POINTS = 4;
/** Directions in which a contact's feature is sampled on each shape: a rectangle's corners are found with four. */
export const MANIFOLD_SAMPLES = 8;
/** Points that a contact manifold may have: two polygons of so many samples clip to at most twice as many. */
export const MOST_MANIFOLD_POINTS = 2 * MANIFOLD_SAMPLES;
/** Tangent of the angle by which directions are perturbed: faces up to 0.22 degrees off the contact's plane count. */
export const MANIFOLD_PERTURBATION = 2 ** -8;
/**
 * Width below which a sampled feature is an edge or a point, in units of the shape's bounding radius. Samples of a
 * surface with that radius of curvature lie in a circle of diameter 2 * 2^-8.
 */
export const LEAST_FEATURE_WIDTH = 2.01 * MANIFOLD_PERTURBATION;
/**
 * Default gap of `ConvexBatch` between the bounds of a distance, in units of the pair's size: what float32 resolves
 * of a difference of coordinates (2^-24 each) with four bits to spare. So kernels and the CPU answer alike.
 */
export const BATCH_TOLERANCE = 2 ** -20;
/** Pairs below which `backend: 'auto'` stays on the CPU: as with points, until pairs are measured on hardware. */
export const LEAST_PAIRS_FOR_GPU = 20_000;
/** Milliseconds that handing pairs over to worker threads takes, about: a message and its answer, and copies. */
export const HAND_OVER_TIME = 0.3;

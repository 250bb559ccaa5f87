/** Choices about surfaces, each with its unit and its reason. */
import { DEGREE } from '../../constants.ts';

/** Angle between the faces of an edge from which on it is sharp, radians, unless a shape says otherwise. */
export const SHARP_ANGLE = 30 * DEGREE;
/** Angle of a concave edge from which on it parts two patches, radians: as LIGGGHTS and others cut walls. */
export const CONCAVE_ANGLE = 20 * DEGREE;
/**
 * Share of a sub-triangle's area that each of its corners gets where a node is. Such nodes carry area of side faces,
 * which is a bias on flat contact: so it is small. See docs/contacts.md, "Surface nodes".
 */
export const CORNER_SHARE = 1 / 48;
/** Sub-triangle corners that meet at a sample of an edge, on each side of it. */
export const CORNERS_AT_SAMPLE = 3;
/** Nodes per diameter of the ball of equal volume, unless a shape has a spacing. */
export const NODES_PER_DIAMETER = 8;
/**
 * Parts of triangles, about, that a surface has at most besides one or two for each triangle, unless a shape has a
 * spacing: with an eighth of their ball's diameter, hollow bodies and bundles of needles would have millions of nodes.
 */
export const MOST_DEFAULT_PARTS = 2 ** 17;
/** Most nodes, and pieces of edges, of one shape: numbers of features leave a bit free, and memory is finite. */
export const MOST_NODES = 2 ** 24;
/** Sine of the angle between faces below which they count as one plane: rounding of float32 corners. */
export const FLAT_SINE = 2 ** -20;
/** How far a convex shape may reach beyond a face of the mesh that stands in for it, of its diameter. */
export const CHORD = 2 ** -8;
/** Least such chord: below it rounding of corners to float32 would be taken for the shape's own. */
export const LEAST_CHORD = 2 ** -20;
/** Rounds in which corners are added: chords fall to a quarter in each, so that this many reach the least chord. */
export const MOST_ROUNDS = 12;
/**
 * Cells of the table of supports along each side of a face of the cube of directions: a ball is taken for larger by
 * 1/250 of its radius at most. The table has 7 KB.
 */
export const SUPPORT_CELLS = 16;
/** Nodes that are made between two rests: some milliseconds. */
export const NODES_PER_REST = 4096;

/** Shapes of bodies that may touch, and the bodies. */
import type { Shape } from '../../convex/shapes/shapes.ts';
import type { SavedBody } from '../../inside/body-file/body-file.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';

/** A body bounded by a closed mesh, concave or not, in the mesh's unit and frame. */
export interface PolyhedronShape {
  readonly kind: 'polyhedron';
  /**
   * A closed mesh, or a body that `Polyhedron.save` wrote and `readBody` read, whose tables for contacts are taken if
   * it has some: options have to be those that they were made with, or left out. All faces look outwards, or all look
   * inwards: parts of it to the same side, cavities to the other.
   */
  readonly mesh: TriangleMesh | SavedBody;
  /** Most distance between neighbouring surface nodes, a length. Default: an eighth of the diameter of the ball of
   * equal volume. */
  readonly nodeSpacing?: number | undefined;
  /**
   * Depth to which nodes inside get the nearest point of the surface, a length. Default: half the radius of the ball of
   * equal volume. Nodes that lie deeper are marked.
   */
  readonly reach?: number | undefined;
  /** Angle between the faces of an edge from which on it is sharp, radians, 0 to pi. Default pi / 6. */
  readonly sharpAngle?: number | undefined;
}

/** All that lies below z = 0 in the body's frame; its normal is z. */
export interface PlaneShape {
  readonly kind: 'plane';
}

/** Shape of a body of `ContactPipeline`: any shape of `ConvexBatch`, a polyhedron, or a plane. */
export type ContactShape = Shape | PolyhedronShape | PlaneShape;

/** The bodies of a pipeline: one entry per body in each array. */
export interface ContactBodies {
  /** `[n]`: the shape of each body. */
  readonly shapes: Uint32Array;
  /** `[n]`: 1 for bodies that stand still, or move as nothing that they touch tells them. Default: none does. Two
   * of them have no contacts with each other. Bodies of a plane are always static. */
  readonly isStatic?: Uint8Array | undefined;
  /**
   * `[n]`: bits of the groups that a body is in (default 1), and of those it may touch (default all). Bodies a and b
   * may touch if `groups[a] & masks[b]` and `groups[b] & masks[a]` both have a bit.
   */
  readonly groups?: Uint32Array | undefined;
  readonly masks?: Uint32Array | undefined;
  /** `[n]`: bits: two bodies that share one have no contacts with each other. Default 0. */
  readonly apart?: Uint8Array | undefined;
}

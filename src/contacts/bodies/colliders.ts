/**
 * Colliders: what bodies consist of where contacts are sought. A convex body, a polyhedron and a plane are one each; a
 * body of several convex parts has one for each part.
 */

/** Kinds of colliders. */
export const ColliderKind = { convex: 0, polyhedron: 1, plane: 2 } as const;
export type ColliderKind = (typeof ColliderKind)[keyof typeof ColliderKind];

/** In `polyhedra`: there is none. */
export const NO_POLYHEDRON = 2 ** 32 - 1;

/** Colliders, in the order of their bodies, then of their parts. One entry per collider in each array. */
export interface Colliders {
  readonly count: number;
  /** `[n]`: the body. */
  readonly bodies: Uint32Array;
  /** `[n]`: which part of the body's shape; 0 where it has no parts. */
  readonly parts: Uint32Array;
  /** `[n]`: `ColliderKind`. */
  readonly kinds: Uint8Array;
  /** `[n]`: convex: the record in the pipeline's `ShapeTable`; polyhedron: its number among the polyhedra; plane: 0. */
  readonly shapes: Uint32Array;
  /**
   * `[n]`: the number among the polyhedra; of a convex collider that may meet a polyhedron: that of the mesh that
   * stands in for it there. `NO_POLYHEDRON` for all others, and for balls, which meet patches.
   */
  readonly polyhedra: Uint32Array;
  /** `[n * 7]`: where it lies in its body's frame: position, and unit quaternion x, y, z, w. */
  readonly places: Float64Array;
  /**
   * `[n * 6]`: its box in its own frame: middle and half extents. Planes have none: 0.
   */
  readonly boxes: Float64Array;
  /** `[n]`: radius of a ball about the box's middle that holds it as well. Planes: 0. */
  readonly radii: Float64Array;
}

/** The list of contacts. */

/** Kinds of contacts, by the features that touch. */
export const ContactKind = {
  /** A surface node of one polyhedron inside another body. */
  node: 0,
  /** The deepest point of a piece of a sharp edge of one polyhedron inside another. */
  edge: 1,
  /** A sphere and a patch of a polyhedron's surface. */
  patch: 2,
  /** Two convex bodies. */
  convex: 3,
  /** A convex body and a plane. */
  plane: 4,
} as const;
export type ContactKind = (typeof ContactKind)[keyof typeof ContactKind];

/** How much is known of a contact. */
export const ContactStatus = {
  /** All numbers hold within the bounds of docs/contacts.md. */
  sure: 0,
  /** The bounds of the distance are wider than asked for: the deepest that is possible is given. */
  bounded: 1,
  /**
   * Whether there is a contact at all is open: it is shallower than the bound. Of balls on polyhedra: which contacts
   * the pair has is open, as places where they touch are within rounding of each other or of the ball's border.
   */
  open: 2,
  /**
   * A node deeper than its partner's tables reach. Distance, normal and triangle are those of a triangle near it: the
   * nearest one may be another, so the true depth may be less.
   */
  deep: 3,
} as const;
export type ContactStatus = (typeof ContactStatus)[keyof typeof ContactStatus];

/** In `triangles`: the contact has none. */
export const NO_TRIANGLE = 2 ** 32 - 1;
/** The bit of `features` that says that the feature is B's, and the triangle A's. */
export const FEATURE_OF_B = 2 ** 31;

/**
 * Contacts, one entry each in every array. They come in the order of kinds, then of the colliders of A and of B, then
 * of features.
 */
export interface ContactArrays {
  readonly count: number;
  /** `[m * 2]`: bodies A and B, A < B. */
  readonly bodies: Uint32Array<ArrayBuffer>;
  /** `[m * 2]`: which part of A and of B. */
  readonly parts: Uint32Array<ArrayBuffer>;
  /** `[m]`: `ContactKind`. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** `[m]`: `ContactStatus`. */
  readonly statuses: Uint8Array<ArrayBuffer>;
  /**
   * `[m]`: which node, piece of an edge, patch, or point of a convex pair. It names a place of the shape, or which one
   * of the pair's contacts, so it is the same in the next step. `FEATURE_OF_B` is set where the node, edge or sphere is
   * B's.
   */
  readonly features: Uint32Array<ArrayBuffer>;
  /** `[m]`: the nearest triangle of the other one, or `NO_TRIANGLE`. */
  readonly triangles: Uint32Array<ArrayBuffer>;
  /** `[m * 3]`: unit normal from A to B, in the world. */
  readonly normals: Float64Array<ArrayBuffer>;
  /** `[m * 3]`: in the world. Nodes and edges: the point that is inside. Others: halfway between both surfaces. */
  readonly points: Float64Array<ArrayBuffer>;
  /**
   * `[m]`: signed distance along the normal, 0 or less: as deep as its amount. Of faces of convex shapes the mean over
   * the pressure.
   */
  readonly distances: Float64Array<ArrayBuffer>;
  /**
   * `[m]`: nodes: the area that the node stands for; edges: its length; faces of convex shapes: the area that times
   * depth and stiffness per area is the force; 0 where a contact is a point.
   */
  readonly areas: Float64Array<ArrayBuffer>;
}

/** Room for so many. */
export const newContactArrays = (count: number): ContactArrays => ({
  count,
  bodies: new Uint32Array(2 * count),
  parts: new Uint32Array(2 * count),
  kinds: new Uint8Array(count),
  statuses: new Uint8Array(count),
  features: new Uint32Array(count),
  triangles: new Uint32Array(count),
  normals: new Float64Array(3 * count),
  points: new Float64Array(3 * count),
  distances: new Float64Array(count),
  areas: new Float64Array(count),
});

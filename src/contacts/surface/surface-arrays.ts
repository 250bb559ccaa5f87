/** Tables of a polyhedron's surface that contacts are found by. docs/contacts.md, "Surface nodes". */

/** Nodes, and pieces of edges, per cluster. The last cluster may have fewer. */
export const CLUSTER = 32;
/** Balls of one level of a tree that one ball of the next level holds: 2^3. */
export const TREE_BITS = 3;
export const TREE_CHILDREN = 2 ** TREE_BITS;

/** The surface of a polyhedron, in the mesh's frame and unit. Plain arrays, which threads may share. */
export interface SurfaceArrays {
  /** Most distance between neighbouring nodes. */
  readonly spacing: number;
  readonly area: number;
  /** Of the body. Below 0: the mesh was inside out; all normals here point outwards. */
  readonly volume: number;
  /** `[n * 3]`: nodes, in Morton order. A node's number is its feature in contacts. */
  readonly nodes: Float32Array;
  /** `[n]`: the part of the area that each node stands for. They add up to the area. */
  readonly weights: Float64Array;
  /**
   * Middle and radius of balls around nodes: of each cluster, then of each `TREE_CHILDREN` of these, and so on up to
   * the root. The root holds the whole body as well.
   */
  readonly nodeTree: Float32Array;
  /** `[m * 6]`: both ends of the pieces of sharp convex edges, in Morton order. A piece's number is its feature. */
  readonly edges: Float32Array;
  /** `[m * 2]`: the triangles beside each piece. */
  readonly edgeTriangles: Uint32Array;
  /** The same of pieces; empty where there are none. */
  readonly edgeTree: Float32Array;
  /**
   * An overlap up to this length may have no contact if two bodies' gentle edges cross, which have no pieces. Of two
   * bodies the larger length counts.
   */
  readonly missedOverlap: number;
  /** `[triangles]`: the patch of each triangle: parts of the surface that meet at concave edges. */
  readonly patches: Uint32Array;
  readonly patchCount: number;
  /** `[triangles * 3]`: the one triangle of the same patch across each edge ab, bc, ca, or `NO_NEIGHBOUR`. */
  readonly neighbours: Uint32Array;
  /**
   * `[triangles * 21]`: unit outward pseudo-normals of each triangle's features: its face, its edges ab, bc and ca, its
   * corners a, b and c.
   */
  readonly normals: Float32Array;
  /** Middle of the mesh's box. */
  readonly middle: readonly [number, number, number];
  /** How far the body reaches from there in every direction: `supportTable`. */
  readonly support: Float32Array;
}

export const NO_NEIGHBOUR = 2 ** 32 - 1;

/** Floats per triangle in `normals`. */
export const NORMAL_FLOATS = 21;

// Layout of shape records, which float64 algorithms and kernels share.

/** Kinds of records. Several kinds of shapes share one: a disc is a flat ellipsoid, a segment a thin box. */
export const ShapeKind = {
  /** Half extents x, y, z. */
  box: 0,
  /** Radii x, y, z. */
  ellipsoid: 1,
  /** Radius, half height. */
  cylinder: 2,
  /** Radius, z of the base, z of the apex. */
  cone: 3,
  /** Half extents x, y and z of the bottom, then of the top. */
  frustum: 4,
  polytope: 5,
  /** Compounds: rotation of B by rows (0 .. 8), its offset (9 .. 11), A's offset (20 .. 22). */
  sum: 6,
  hull: 7,
  /** Parts `partStart` to before `partStart + partCount`. */
  parts: 8,
} as const;

/**
 * Numbers per record, six vec4: 0 .. 11 by kind; 12 margin, all balls that the core is swept with; 13 radius of the ball
 * that an ellipsoid rolls on inside; 14 radius of the bounding sphere about the centre; 15, 16 what the margins of a hull's
 * children have above its own; 17 .. 19 the centre, origin of the record's frame in the frame of the shape; 20 .. 22 by kind;
 * 23 radius of a ball about the centre that lies in the shape (inball.ts). Those by kind of polytopes: facets.ts.
 */
export const PARAMETERS = 24;
/**
 * Integers per record: kind, first vertex, vertices, child A (of a polytope to climb: its first seed), child B (of a polytope: its
 * first face), 1 if there are edges to climb, first part (of a polytope: its faces), parts.
 */
export const INTEGERS = 8;

/** Faces of all polytopes with volume. */
export interface Facets {
  /** Unit normal and offset of each, FACE numbers. */
  readonly faces: Float64Array;
  /** Corners, counter-clockwise seen from outside, as indices of vertices. */
  readonly faceCorners: Uint32Array;
  /** Face beyond the edge from corner k to the next. */
  readonly faceNeighbours: Uint32Array;
  /**
   * Faces of a polytope, counted from its first, whose normals are within 45 degrees of directions in a cell of seeds.ts, and a few
   * more, for polytopes that are round. Those of cell c are `faceLists[starts[c]]` to before `faceLists[starts[c + 1]]`.
   */
  readonly faceLists: Uint32Array;
  /** SEEDS + 1 for each round polytope, from its parameter 3 on. */
  readonly faceListStarts: Uint32Array;
}

/** Whole faces of all polytopes with volume (face-polygons.ts). */
export interface FacePolygons {
  /** Outward unit normal of each, `[x, y, z]`. */
  readonly polygonNormals: Float64Array;
  /** Corners of polygon i: `polygonCorners[polygonStarts[i]]` to before `polygonCorners[polygonStarts[i + 1]]`. */
  readonly polygonStarts: Uint32Array;
  /** Indices of vertices, counter-clockwise seen from outside. */
  readonly polygonCorners: Uint32Array;
  /** The polygon left of each edge of `neighbours`: those around a vertex are the polygons at that vertex. */
  readonly edgePolygons: Uint32Array;
}

/** Shapes as flat arrays, as algorithms read them. */
export interface ShapeRecords extends Facets, FacePolygons {
  /** Float64 `[records * PARAMETERS]`. */
  readonly parameters: Float64Array;
  /** `[records * INTEGERS]`. */
  readonly integers: Uint32Array;
  /** Vertices of polytopes about their centroids, `[x, y, z]` each. */
  readonly vertices: Float64Array;
  /** Neighbours of vertex i: `neighbours[neighbourStarts[i]]` to before `neighbours[neighbourStarts[i + 1]]`. */
  readonly neighbourStarts: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Where to start climbing, by direction (seeds.ts). */
  readonly seeds: Uint32Array;
}

/** Shapes as flat arrays, which threads share; `ShapeTable` makes them. The first `count` records are those of the shapes. */
export interface ShapeArrays extends ShapeRecords {
  readonly count: number;
  /** Record of each part of a concave shape. */
  readonly partRecords: Uint32Array;
  /** Rotation by rows and position of each part in the frame of the whole, twelve numbers each. */
  readonly partPlacements: Float64Array;
}

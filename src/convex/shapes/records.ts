// Layout of shape records: which number is where. Algorithms read them by these names only.

/** Kinds of records. Several kinds of shapes share one: a disc is a flat ellipsoid, a segment a thin box. */
export const ShapeKind = {
  /** Half extents x, y, z from `Parameter.sizes` on. */
  box: 0,
  /** Radii x, y, z from `Parameter.sizes` on. */
  ellipsoid: 1,
  /** `CylinderParameter`. */
  cylinder: 2,
  /** `ConeParameter`. */
  cone: 3,
  /** `FrustumParameter`. */
  frustum: 4,
  /** `PolytopeParameter`. */
  polytope: 5,
  /** Minkowski sum of two records, `CompoundParameter`. */
  sum: 6,
  /** Convex hull of two records, `CompoundParameter`. */
  hull: 7,
  /** Parts `firstPart` to before `firstPart + partCount`. */
  parts: 8,
} as const;

/** Numbers per record in `parameters`. */
export const PARAMETERS = 24;

/** Places in a record's parameters: lengths that all kinds have. The first twelve belong to the kind. */
export const Parameter = {
  /** Of boxes and ellipsoids: x, y, z. */
  sizes: 0,
  /** Radius of the ball that the core is swept with: all balls of the shape together. */
  margin: 12,
  /** Of an ellipsoid: radius of the largest ball that rolls inside it. The core is what is left without that ball. */
  rollingBall: 13,
  /** Radius of the bounding sphere about the centre. */
  boundingRadius: 14,
  /** The centre, x, y, z: origin of the record's frame, in the frame of the shape. */
  centre: 17,
  /** Radius of a ball about the centre that lies in the shape (inball.ts). */
  inball: 23,
} as const;

export const CylinderParameter = { radius: 0, halfHeight: 1 } as const;
/** Heights are those of the base and the apex over the centre. */
export const ConeParameter = { radius: 0, base: 1, apex: 2 } as const;
/** Half extents x, y and the height over the centre, of both ends. */
export const FrustumParameter = { bottom: 0, top: 3 } as const;
/** Of polytopes with volume; facets.ts computes them. */
export const PolytopeParameter = {
  /** Radius of a ball about the centre that lies on the inner side of all faces; 0 if none is known. */
  faceBall: 0,
  /** How far a support plane along a face's normal, or between two, may be off, in units of a pair's size. */
  planeError: 1,
  /** Least cosine of half the angle between the normals of neighbouring faces. */
  leastCosine: 2,
  /** Where the starts of its lists of faces are in `faceListStarts`; -1 where it has none. */
  faceLists: 3,
} as const;
export const CompoundParameter = {
  /** Rotation of B against A, by rows. */
  rotation: 0,
  /** Offset of B, x, y, z. */
  offsetB: 9,
  /** Of a hull: by how much the margins of A and of B exceed the smaller one, which is the hull's own. */
  excessA: 15,
  excessB: 16,
  /** Offset of A, x, y, z. */
  offsetA: 20,
} as const;

/** Numbers per record in `integers`. */
export const INTEGERS = 8;

/** Places in a record's integers. */
export const Integer = {
  /** `ShapeKind`. */
  kind: 0,
  /** Vertices of a polytope: `firstVertex` to before `firstVertex + vertexCount`. */
  firstVertex: 1,
  vertexCount: 2,
  /** Records of a compound's children. */
  childA: 3,
  childB: 4,
  /** Of a polytope: its first cell in `farthestStarts`, or `NO_CELLS`. */
  firstCell: 3,
  /** Faces of a polytope with volume: `firstFace` to before `firstFace + faceCount`. */
  firstFace: 4,
  faceCount: 6,
  /** 1 if a polytope has edges to climb along. */
  hasEdges: 5,
  /** Parts of a concave shape, in `partRecords`. */
  firstPart: 6,
  partCount: 7,
} as const;

/** In place of the first cell of a polytope that has none, as all its vertices are looked at. */
export const NO_CELLS = 2 ** 32 - 1;

/** A record where it lies. */
export interface PlacedRecord {
  record: number;
  /** Rotation by rows and position, twelve numbers from `at` on. */
  frames: Float64Array;
  at: number;
}

/** Faces of all polytopes with volume. */
export interface Facets {
  /** Unit normal and offset of each, FACE numbers. */
  readonly faces: Float64Array;
  /** Corners, counter-clockwise seen from outside, as indices of vertices. */
  readonly faceCorners: Uint32Array;
  /** Face beyond the edge from corner k to the next. */
  readonly faceNeighbours: Uint32Array;
  /**
   * For round polytopes and each cell of directions (cells.ts): the faces whose normals are within 45 degrees of a
   * direction in the cell, and a few more. They are counted from the polytope's first face. Those of cell c are
   * `faceLists[starts[c]]` to before `faceLists[starts[c + 1]]`.
   */
  readonly faceLists: Uint32Array;
  /** CELLS + 1 for each round polytope, from its `PolytopeParameter.faceLists` on. */
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
  /** Edges of polygons that pass vertex i: `edgeStarts[i]` to before `edgeStarts[i + 1]`. */
  readonly edgeStarts: Uint32Array;
  /** Both ends of each, two vertices, in the order of x, then y, then z. */
  readonly edgeEnds: Uint32Array;
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
  /**
   * Vertices that may be the farthest in a cell's directions (cells.ts), that of its middle first: those of cell c are
   * `farthest[farthestStarts[c]]` to before `farthest[farthestStarts[c + 1]]`.
   */
  readonly farthest: Uint32Array;
  /** CELLS + 1 for each polytope of `LEAST_VERTICES_TO_LIST`. */
  readonly farthestStarts: Uint32Array;
}

/**
 * Shapes as flat arrays, which threads share; `ShapeTable` makes them. The first `count` records are those of the
 * shapes.
 */
export interface ShapeArrays extends ShapeRecords {
  readonly count: number;
  /** Record of each part of a concave shape. */
  readonly partRecords: Uint32Array;
  /** Rotation by rows and position of each part in the frame of the whole, twelve numbers each. */
  readonly partPlacements: Float64Array;
}

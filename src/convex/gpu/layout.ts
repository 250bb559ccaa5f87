/** Bindings that all kernels for pairs have, for the host and for WGSL alike; `tables.ts` and `gpu-pairs.ts` fill them. */
import * as d from 'typegpu/data';
import { ShapeRecord } from './shape-record.ts';

/** What every kernel reads about shapes and bodies. Kernels add bindings of their own, at most three, to these five. */
export const pairTables = {
  /** Three per body: centre in the world and the shape's record, what rounding left of the centre, quaternion; floats as bits. */
  bodies: { storage: d.arrayOf(d.vec4u) },
  /** The two bodies of each pair. */
  pairs: { storage: d.arrayOf(d.vec2u) },
  records: { storage: d.arrayOf(ShapeRecord) },
  /** Vertices of polytopes (bits), in units of their record, and where its neighbours start; then copies, cell by cell of directions. */
  vertices: { storage: d.arrayOf(d.vec4u) },
  /** Neighbours of vertices, the top bit marks the last one of a vertex; then where the vertices of each cell start. */
  neighbours: { storage: d.arrayOf(d.u32) },
} as const;

/** vec4 per pair in `results`. */
export const RESULT = 3;
/** vec4 per pair in `results` for kind `intersect`: the first alone. */
export const INTERSECT_RESULT = 1;
/** vec4 per pair in `simplices`: four points on A and on B. */
export const SIMPLEX = 8;
/** Status of a result, besides `PairStatus`: the cores overlap, for certain, and the depth is still wanted. */
export const INSIDE = 6;

/** What a query asks, for kernels over the pairs `first .. end - 1` of a chunk. */
export const PairParams = d
  .struct({
    first: d.u32,
    end: d.u32,
    /** Gap between the bounds, relative to the pair's size. */
    tolerance: d.f32,
    /** Signed distance above which pairs are only told apart, a length; LARGEST_FLOAT32: none. */
    reach: d.f32,
    /** 1 if `results` has normals to start from. */
    warm: d.u32,
  })
  .$name('PairParams');

/**
 * Bindings that kernels share; each takes what it needs. Floats are kept as bits: loads and stores of floats may flush words
 * that are integers.
 */
export const pairBuffers = {
  /**
   * `RESULT` per pair of the chunk: distance, lower, upper and a word; normal in the world; point on A relative to A's centre, in the world's axes. Lengths are the world's.
   * The word: status, calls << 8 (16 bits), contacts of a manifold << 24. Before the first kernel the place
   * of the normal has the one to start from, if the query is warm. Kind `intersect`: the first word quad alone.
   * `writeResult` of shaders/convex/pair/result.wgsl writes it.
   */
  results: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
  /**
   * `SIMPLEX` per pair of the chunk, where status is `INSIDE`: points a and b of the simplex in A's frame, in the pair's unit, about
   * A's centre, a0, b0, a1, b1, ...; the w of a0 is the number of points, 4.
   */
  simplices: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
  /**
   * Pairs of the slice whose depth is wanted: how many, then their places in the chunk. From the middle of the array on the same for
   * those that box axes leave open.
   */
  work: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' },
  /** The same for those who read it. */
  workRead: { storage: d.arrayOf(d.u32) },
  /** `contactsPerPair` of manifold.ts per pair of the chunk: place about A's centre in the world's axes, signed distance there. */
  contacts: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
  /**
   * Whole faces of polytopes: normals (bits), and where the corners start times 16, plus how many there are; then the corners (bits), in units
   * of their record. For each neighbour in `neighbours` the polygon at that edge is listed there, too, from the record's
   * `edgePolygons` on.
   */
  facets: { storage: d.arrayOf(d.vec4u) },
} as const;

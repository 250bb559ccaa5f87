/** Bindings of the kernels for pairs, for the host and for WGSL alike, and the sizes of what lies in them. */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';
import { ShapeRecord } from './shape-record.ts';

/** A convex body. */
export const Body = struct('Body', {
  /** In the world, rounded to float32. */
  centre: d.vec3f,
  record: d.u32,
  /** What rounding left of the centre. */
  centreRest: d.vec3f,
  /** The largest length that the centre was computed from: it has 48 bits of that. */
  reach: d.f32,
  quaternion: d.vec4f,
  /** Kind of the record. */
  kind: d.u32,
});

/** A convex part of a shape, in the shape's frame. A convex shape is one part of itself. */
export const Part = struct('Part', {
  /** The centre, in units of `scale`, and what rounding left of it. */
  centre: d.vec3f,
  scale: d.f32,
  centreRest: d.vec3f,
  /** `Body.reach`, of the way from the shape's origin to the centre. */
  reach: d.f32,
  /** Quaternion x, y, z, w, and what rounding left of it. */
  turn: d.vec4f,
  turnRest: d.vec4f,
  record: d.u32,
  kind: d.u32,
  /** Bit 0 if the centre is not the shape's origin, bit 1 if the part is turned. */
  place: d.u32,
});

/**
 * What every kernel that answers pairs reads about shapes and bodies. Kernels add bindings of their own, at most three,
 * to these.
 */
export const pairTables = {
  bodies: { storage: d.arrayOf(Body) },
  /**
   * A vec4u per bucket: its first slot, and its number of pairs. The last bucket has all pairs. Behind them one per
   * slot: the convex bodies A and B, and the place of the pair's results.
   */
  pairs: { storage: d.arrayOf(d.vec4u) },
  records: { storage: d.arrayOf(ShapeRecord) },
  /**
   * Vertices of polytopes (bits), in units of their record, and where its neighbours start; then copies, by cells of
   * directions.
   */
  vertices: { storage: d.arrayOf(d.vec4u) },
  /** Neighbours of vertices, the top bit marks the last one of a vertex; then where the vertices of each cell start. */
  neighbours: { storage: d.arrayOf(d.u32) },
} as const;

/** vec4 per place in `results`. */
export const RESULT = 3;
/** vec4 per place in `results` for kind `intersect`: the first alone. */
export const INTERSECT_RESULT = 1;
/** vec4 per place in `simplices`: four points on A and on B. */
export const SIMPLEX = 8;
/** Status of a result, besides `PairStatus`: the cores overlap, for certain, and the depth is still wanted. */
export const INSIDE = 6;
/**
 * Indirect sizes per bucket: of all its pairs, and of both lists in `work`. The first size is that of the pairs of
 * bodies.
 */
export const SIZES_PER_BUCKET = 3;
/** Lists in `work`. */
export const List = { open: 0, depth: 1 } as const;

/** Words per answer; kind `intersect` has the word `status` alone, with the support points above its lowest byte. */
export const ANSWER = 12;
/** Words of an answer. All but `status` and `iterations` are bits of float32. */
export const AnswerWord = {
  distance: 0,
  lower: 1,
  upper: 2,
  /** `PairStatus`; contacts << 24. */
  status: 3,
  normal: 4,
  iterations: 7,
  pointA: 8,
} as const;
/** Words before the pairs in the list of open ones. */
export const OPEN_HEADER = 4;
/** Those words. */
export const OpenWord = {
  /** Pairs asked for, whether there was room for them or not. */
  needed: 0,
  /** Pairs that there is room for. */
  room: 1,
  /** Pairs in the list. */
  listed: 2,
  /** Pairs of convex parts. */
  partPairs: 3,
} as const;

/** What kernels that answer pairs are told. */
export const PairParams = struct('PairParams', {
  bucket: d.u32,
  buckets: d.u32,
  /** Gap between the bounds, relative to the pair's size. */
  tolerance: d.f32,
  /** Signed distance above which pairs are only told apart, a length; LARGEST_FLOAT32: none. */
  reach: d.f32,
  /** 1 if `results` has normals to start from: the caller's, or those of box axes. */
  hasNormals: d.u32,
});

/**
 * Bindings that kernels share; each takes what it needs. Floats are kept as bits: loads and stores of floats may flush
 * words that are integers.
 */
export const pairBuffers = {
  /**
   * `RESULT` per place: distance, lower, upper and a word; normal in the world; point on A relative to A's centre, in
   * the world's axes. Lengths are the world's. The word: status, calls << 8 (16 bits), contacts of a manifold << 24;
   * behind the normal is then how far two contacts are apart at least, and behind the point are the names of clipped
   * contacts, a byte each. Before the first kernel the place of the normal
   * has the one to start from, if the caller gave normals. Kind `intersect`: the first word quad alone. `writeResult`
   * of shaders/convex/pair/result.wgsl writes it.
   */
  results: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
  /**
   * `SIMPLEX` per place, where status is `INSIDE`: points a and b of the simplex in A's frame, in the pair's unit,
   * about A's centre, a0, b0, a1, b1, ...; the w of a0 is the number of points, 4.
   */
  simplices: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
  /**
   * The lengths of both lists of each bucket; then slots of pairs that box axes leave open, then those whose depth is
   * wanted.
   */
  work: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' },
  /** `contactsPerPair` of manifold.ts per place: about A's centre in the world's axes, signed distance there. */
  contacts: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
  /**
   * Whole faces of polytopes: normals (bits), and where the corners start times 16, plus how many there are; then the
   * corners (bits), in units of their record, and which vertex of the polytope each is. For each neighbour in
   * `neighbours` the polygon at that edge is listed there, too, from the record's `edgePolygons` on.
   */
  facets: { storage: d.arrayOf(d.vec4u) },
} as const;

/** Bindings of the kernels before and behind those that answer. */
export const stageBuffers = {
  /** The two bodies of each pair. */
  asked: { storage: d.arrayOf(d.vec2u) },
  /** Of each body: its first convex body, and how many it has; none if it is not usable. */
  spans: { storage: d.arrayOf(d.vec2u) },
  /** The number of pairs; then the place of each pair's first result, 2^32 - 1 for a pair without. */
  places: { storage: d.arrayOf(d.u32) },
  /** Rows of numbers per block of pairs: one for each bucket. */
  counts: { storage: d.arrayOf(d.u32) },
  /** Sizes of indirect dispatches, and what they count. */
  sizes: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
  /** `OPEN_HEADER` words, then pairs that float32 leaves open. */
  open: { storage: d.arrayOf(d.atomic(d.u32)), access: 'mutable' },
  /** `ANSWER` words per pair. */
  answers: { storage: d.arrayOf(d.u32), access: 'mutable' },
} as const;

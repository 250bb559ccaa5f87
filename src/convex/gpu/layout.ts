/** Bindings that all kernels for pairs have, for the host and for WGSL alike; `tables.ts` fills them. */
import * as d from 'typegpu/data';

/** What every kernel reads about shapes and bodies. Kernels add bindings of their own, at most three, to these five. */
export const pairTables = {
  /** Three per body: centre in the world and the shape's record, what rounding left of the centre, quaternion; floats as bits. */
  bodies: { storage: d.arrayOf(d.vec4u) },
  /** The two bodies of each pair. */
  pairs: { storage: d.arrayOf(d.vec2u) },
  /** Eight per record: parameters (six, bits) and integers, as in records.ts; in units of the record, its last parameter. */
  records: { storage: d.arrayOf(d.vec4u) },
  /** Vertices of polytopes (bits), in units of their record; where its neighbours start. */
  vertices: { storage: d.arrayOf(d.vec4u) },
  /** Neighbours of vertices; the top bit marks the last one of a vertex. */
  neighbours: { storage: d.arrayOf(d.u32) },
} as const;

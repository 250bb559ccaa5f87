/** A record as kernels read it: one schema for the host, which fills it by these offsets, and for WGSL. */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';

/**
 * A shape in float32. Lengths are in units of the record. Only convex shapes have one: a concave shape is its convex
 * parts by then. Fields have the names and meanings of `Parameter`, `CompoundParameter` and `Integer` in
 * shapes/records.ts.
 */
export const ShapeRecord = struct('ShapeRecord', {
  /** The twelve numbers that belong to the kind. */
  byKind: d.arrayOf(d.vec4f, 3),
  margin: d.f32,
  rollingBall: d.f32,
  boundingRadius: d.f32,
  excessA: d.f32,
  excessB: d.f32,
  /** Rounded down. */
  inball: d.f32,
  /** Length of the unit: the power of two from the bounding radius down to half of it; 0 for a point. */
  unit: d.f32,
  offsetA: d.vec3f,
  /** Where `neighbours` lists the polygons at a polytope's edges; 0 if it has no faces. */
  edgePolygons: d.u32,
  kind: d.u32,
  firstVertex: d.u32,
  vertexCount: d.u32,
  /**
   * Cells of directions of a polytope: where `neighbours` has the starts of their vertices, and how many cells lie
   * along an edge of the cube; 0 if it has none.
   */
  firstCell: d.u32,
  cellsPerEdge: d.u32,
  hasEdges: d.u32,
  childA: d.u32,
  childB: d.u32,
});

/** Words per record. */
export const RECORD_WORDS = d.sizeOf(ShapeRecord) / 4;

const wordOf = (field: (record: d.Infer<typeof ShapeRecord>) => unknown): number =>
  d.memoryLayoutOf(ShapeRecord, field).offset / 4;

/** Word of each field from the start of its record. */
export const RecordWord = {
  byKind: 0,
  margin: wordOf((r) => r.margin),
  rollingBall: wordOf((r) => r.rollingBall),
  boundingRadius: wordOf((r) => r.boundingRadius),
  excessA: wordOf((r) => r.excessA),
  excessB: wordOf((r) => r.excessB),
  inball: wordOf((r) => r.inball),
  unit: wordOf((r) => r.unit),
  offsetA: wordOf((r) => r.offsetA.x),
  edgePolygons: wordOf((r) => r.edgePolygons),
  kind: wordOf((r) => r.kind),
  firstVertex: wordOf((r) => r.firstVertex),
  vertexCount: wordOf((r) => r.vertexCount),
  firstCell: wordOf((r) => r.firstCell),
  cellsPerEdge: wordOf((r) => r.cellsPerEdge),
  hasEdges: wordOf((r) => r.hasEdges),
  childA: wordOf((r) => r.childA),
  childB: wordOf((r) => r.childB),
} as const;

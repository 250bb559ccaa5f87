/** Structs and bindings of the cell-grid kernels, for the host and for WGSL alike. */
import * as d from 'typegpu/data';
import cellLookUpWgsl from '../../../shaders/inside/cell-grid/cell-look-up.wgsl';
import cellSegmentsWgsl from '../../../shaders/inside/cell-grid/cell-segments.wgsl';
import localPointsWgsl from '../../../shaders/inside/cell-grid/local-points.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { DoubtfulPoints } from '../doubtful-points.ts';

const CellGridParams = struct('CellGridParams', {
  boxMin: d.vec3f,
  /** Cells per unit of length. */
  inverse: d.f32,
  boxMax: d.vec3f,
  /** Points to look up; where they are counted on the GPU, most of them. */
  points: d.u32,
  counts: d.vec3u,
  /** 1 for rule nonzero, 0 for others. */
  nonzero: d.u32,
  /** 1 where the number of points is `counted[countAt]`. */
  isCounted: d.u32,
  countAt: d.u32,
  /** Mixed cells whose pairs are bound, and the number of the first of these pairs. */
  firstRank: d.u32,
  endRank: d.u32,
  firstPair: d.u32,
});

const LocalPointsParams = struct('LocalPointsParams', {
  points: d.u32,
  /** The frame's scale is 2^exponent. */
  exponent: d.i32,
  /** Of the local frame, taken off after scaling. */
  shift: d.vec3f,
  /** The mesh's box as it is in the file, in the order of `orderedBits`. */
  boxMin: d.vec3u,
  boxMax: d.vec3u,
});

/** Coordinates of a point, packed. One index for three numbers: each index is clamped on its own. */
const PackedPoint = struct('PackedPoint', { x: d.f32, y: d.f32, z: d.f32 });
/** Their bits: WGSL promises nothing for what is no number, nor for subnormal ones. */
export const PointBits = struct('PointBits', { x: d.u32, y: d.u32, z: d.u32 });

/** Rows of M and the bound, its sign the winding of a crossing; as PAIR_FLOATS says. */
const SegmentPair = struct('SegmentPair', {
  m00: d.f32,
  m01: d.f32,
  m02: d.f32,
  m10: d.f32,
  m11: d.f32,
  m12: d.f32,
  m20: d.f32,
  m21: d.f32,
  m22: d.f32,
  signedBound: d.f32,
});

/** A grid that refines a mixed cell; `packBlock` writes it. */
const CellGridBlock = struct('CellGridBlock', {
  origin: d.vec3f,
  /** Cells per unit of length. */
  inverse: d.f32,
  cell: d.f32,
  /** Cells along each edge. */
  count: d.u32,
  firstWord: d.u32,
  parentRank: d.u32,
});

/** How many points are in mixed cells, and for each its number and that of its cell. */
export const MixedPoints = (n: number) =>
  struct('MixedPoints', { count: d.atomic(d.u32), entries: d.arrayOf(d.vec2u, n) });
/** The same, once it is complete. */
const ListedPoints = (n: number) => struct('ListedPoints', { count: d.u32, entries: d.arrayOf(d.vec2u, n) });

export const localPointsSource = kernelSource(localPointsWgsl, {
  params: { uniform: LocalPointsParams },
  points: { storage: d.arrayOf(PointBits) },
  local: { storage: d.arrayOf(PointBits), access: 'mutable' },
});

export const cellLookUpSource = kernelSource(cellLookUpWgsl, {
  params: { uniform: CellGridParams },
  points: { storage: d.arrayOf(PointBits) },
  /**
   * Statuses of 16 cells, and the number of mixed cells before them; for winding numbers two more entries, a byte per
   * cell.
   */
  words: { storage: d.arrayOf(d.vec2u) },
  references: { storage: d.arrayOf(d.vec4f) },
  blocks: { storage: d.arrayOf(CellGridBlock) },
  packed: { storage: d.arrayOf(d.u32), access: 'mutable' },
  mixedPoints: { storage: MixedPoints, access: 'mutable' },
  doubtful: { storage: DoubtfulPoints, access: 'mutable' },
  /** The number of points is one of these, if it is counted on the GPU. */
  counted: { storage: d.arrayOf(d.u32) },
});

export const cellSegmentsSource = kernelSource(cellSegmentsWgsl, {
  params: { uniform: CellGridParams },
  points: { storage: d.arrayOf(PackedPoint) },
  mixedPoints: { storage: ListedPoints },
  /** Reference point and its winding number, per mixed cell. */
  references: { storage: d.arrayOf(d.vec4f) },
  /** First pair of each mixed cell, one more at the end. */
  starts: { storage: d.arrayOf(d.u32) },
  pairs: { storage: d.arrayOf(SegmentPair) },
  packed: { storage: (n: number) => d.arrayOf(d.atomic(d.u32), n), access: 'mutable' },
  doubtful: { storage: DoubtfulPoints, access: 'mutable' },
});

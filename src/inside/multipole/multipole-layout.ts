/** Structs and bindings of the multipole kernels, for the host and for WGSL alike. */
import * as d from 'typegpu/data';
import evaluateWgsl from '../../../shaders/inside/multipole/evaluate.wgsl';
import l2lWgsl from '../../../shaders/inside/multipole/l2l.wgsl';
import leafBoundsWgsl from '../../../shaders/inside/multipole/leaf-bounds.wgsl';
import m2lWgsl from '../../../shaders/inside/multipole/m2l.wgsl';
import m2lBoundsWgsl from '../../../shaders/inside/multipole/m2l-bounds.wgsl';
import m2lQuadrupoleWgsl from '../../../shaders/inside/multipole/m2l-quadrupole.wgsl';
import m2mWgsl from '../../../shaders/inside/multipole/m2m.wgsl';
import momentNormsWgsl from '../../../shaders/inside/multipole/moment-norms.wgsl';
import p2mWgsl from '../../../shaders/inside/multipole/p2m.wgsl';
import sumPanelsWgsl from '../../../shaders/inside/multipole/sum-panels.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';

/** Direction of an evaluation cell that has children; `REFINED` in the WGSL. */
export const REFINED = 8;

export const StageParams = struct('StageParams', {
  /** Threads to run: `firstThread .. endThread`. */
  firstThread: d.u32,
  endThread: d.u32,
  /** Cluster or cell of thread 0, and what is bound of the interactions. */
  firstUnit: d.u32,
  firstEntry: d.u32,
  /** For the bounds: 1 / (d + 1), the largest radius of a cluster in cells, and what sums are multiplied by. */
  separated: d.f32,
  largestRadius: d.f32,
  growth: d.f32,
});

/** A cluster of triangles: its cell, their range, its children, and how far they reach in cells. */
const SourceCluster = struct('SourceCluster', {
  centre: d.vec3f,
  /** One over the cell's edge. */
  inverse: d.f32,
  first: d.u32,
  last: d.u32,
  firstChild: d.u32,
  lastChild: d.u32,
  reach: d.f32,
});

/** Words of a `SourceCluster`. */
export const CLUSTER_WORDS = d.sizeOf(SourceCluster) / 4;

/** A cell, and where a leaf's polylines and crossings stand among the entries. */
const EvaluationCell = struct('EvaluationCell', {
  centre: d.vec3f,
  inverse: d.f32,
  first: d.u32,
  middle: d.u32,
  end: d.u32,
  /** Axis times 2, plus 1 where rays run against it; REFINED for cells that are no leaves. */
  direction: d.u32,
});

/** Words of an `EvaluationCell`. */
export const CELL_WORDS = d.sizeOf(EvaluationCell) / 4;

const params = { uniform: StageParams } as const;
const clusters = { storage: d.arrayOf(SourceCluster) } as const;
const corners = { storage: d.arrayOf(d.u32) } as const;
const floats = { storage: d.arrayOf(d.f32) } as const;
const quads = { storage: d.arrayOf(d.vec4f) } as const;
const matrices = { storage: d.arrayOf(d.mat4x4f) } as const;
const words = { storage: d.arrayOf(d.u32) } as const;
const writtenFloats = { storage: d.arrayOf(d.f32), access: 'mutable' } as const;
const writtenQuads = { storage: d.arrayOf(d.vec4f), access: 'mutable' } as const;
/** Source cluster of each interaction; its table, and from bits 14, 19 and 24 on its offset plus 12. */
const interactions = { storage: d.arrayOf(d.vec2u) } as const;

const EvaluateParams = struct('EvaluateParams', {
  /** Threads to run: `firstThread .. endThread`, four points each. */
  firstThread: d.u32,
  endThread: d.u32,
  /** BOUNDARY_DOUBT, LEAST_EDGE_NUMBER, LEAST_HEIGHT_32. */
  doubt: d.f32,
  leastNumber: d.f32,
  leastHeight: d.f32,
  /** CROSSING_ROUNDING, CROSSING_VOLUME_ROUNDING. */
  edgeError: d.f32,
  volumeError: d.f32,
  /** Bound per unit of steepness, and the steepness that makes a whole turn. */
  rounding: d.f32,
  turn: d.f32,
  /** Part of the bound that is the same for all points, and per unit of |J|. */
  constant: d.f32,
  spacing: d.f32,
});

/** A thread's four points: bits of x, y, z in float32, then their leaf. An f32 of an integer's bits may be flushed. */
export const ThreadPoints = d.arrayOf(d.vec4u, 4);

/** What a thread leaves in `results` for its four points: J, and the bounds. */
export const ThreadResults = d.arrayOf(d.vec4f, 2);

/** The kernels. */
export const multipoleSources = {
  evaluate: kernelSource(evaluateWgsl, {
    params: { uniform: EvaluateParams },
    /** `ThreadPoints`. */
    points: { storage: d.arrayOf(d.vec4u) },
    cells: { storage: d.arrayOf(EvaluationCell) },
    /** Per cell its coefficients, and bounds at the four radii. */
    locals: floats,
    entries: words,
    vertices: floats,
    factors: quads,
    /** J and bounds per thread. */
    results: writtenQuads,
  }),
  l2l: kernelSource(l2lWgsl, { params, parents: words, tables: matrices, locals: writtenQuads }),
  leafBounds: kernelSource(leafBoundsWgsl, {
    params,
    cells: { storage: d.arrayOf(EvaluationCell) },
    parents: words,
    locals: writtenQuads,
  }),
  m2l: kernelSource(m2lWgsl, {
    params,
    starts: words,
    interactions,
    tables: matrices,
    moments: quads,
    locals: writtenQuads,
  }),
  m2lQuadrupole: kernelSource(m2lQuadrupoleWgsl, {
    params,
    starts: words,
    interactions,
    moments: quads,
    norms: floats,
    locals: writtenQuads,
  }),
  sumPanels: kernelSource(sumPanelsWgsl, {
    params,
    /** First panel of each finest cluster, one more at the end. */
    panelStarts: words,
    panelMoments: quads,
    moments: writtenQuads,
  }),
  m2lBounds: kernelSource(m2lBoundsWgsl, {
    params,
    starts: words,
    interactions,
    norms: floats,
    locals: writtenQuads,
  }),
  m2m: kernelSource(m2mWgsl, { params, clusters, tables: matrices, moments: writtenQuads }),
  momentNorms: kernelSource(momentNormsWgsl, {
    params,
    clusters,
    corners,
    vertices: floats,
    moments: floats,
    /** Rounding of the degrees 0 .. DEGREE, relative. */
    roundings: floats,
    norms: writtenFloats,
  }),
  p2m: kernelSource(p2mWgsl, {
    params,
    clusters,
    corners,
    vertices: floats,
    /** First and last triangle of each panel, and its cluster. */
    panels: { storage: d.arrayOf(d.vec4u) },
    /** u, v and weight of four points of the rule at a time. */
    rule: quads,
    /** Factors of the recurrence; and of n . grad R, in the second half. */
    factors: quads,
    panelMoments: writtenFloats,
  }),
} as const;

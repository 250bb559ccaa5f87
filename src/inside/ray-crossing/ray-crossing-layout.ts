/** Structs and bindings of the ray-crossing kernels, for the host and for WGSL alike. */
import * as d from 'typegpu/data';
import crossingsWgsl from '../../../shaders/inside/ray-crossing/crossings.wgsl';
import flagsWgsl from '../../../shaders/inside/ray-crossing/flags.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { DoubtfulPoints } from '../doubtful-points.ts';

const CrossingsParams = struct('CrossingsParams', {
  /** Threads to run: `firstThread .. endThread`, sixteen points each. */
  firstThread: d.u32,
  endThread: d.u32,
  /** vec4s between the x, y and z of the points. */
  stride: d.u32,
  triangles: d.u32,
  clusters: d.u32,
  /** 1 to go on from the windings and doubts of the page before. */
  resume: d.u32,
  center: d.vec3f,
  slopeY: d.f32,
  slopeZ: d.f32,
});

/** A corner and three rows in `a0` to `a2`, error bound in `bound` (its w signed by the crossing's winding). */
export const Triangle = struct('Triangle', { a0: d.vec4f, a1: d.vec4f, a2: d.vec4f, bound: d.vec4f });

/** Sheared box of a cluster: yMin, yMax, zMin, zMax, and the far end along the ray. */
const ClusterBox = struct('ClusterBox', { yz: d.vec4f, xMax: d.f32 });

const FlagsParams = struct('FlagsParams', { points: d.u32 });

export const crossingsSource = kernelSource(crossingsWgsl, {
  params: { uniform: CrossingsParams },
  points: { storage: d.arrayOf(d.vec4f) },
  triangles: { storage: d.arrayOf(Triangle) },
  boxes: { storage: d.arrayOf(ClusterBox) },
  windings: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
  doubtfuls: { storage: d.arrayOf(d.u32), access: 'mutable' },
});

export const flagsSource = kernelSource(flagsWgsl, {
  params: { uniform: FlagsParams },
  windings: { storage: d.arrayOf(d.vec4u) },
  doubtfuls: { storage: d.arrayOf(d.u32) },
  packed: { storage: d.arrayOf(d.u32), access: 'mutable' },
  doubtful: { storage: DoubtfulPoints, access: 'mutable' },
});

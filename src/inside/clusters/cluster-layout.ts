/** Structs and bindings of the cluster sums' kernel, for the host and for WGSL alike. */
import * as d from 'typegpu/data';
import clusterSumWgsl from '../../../shaders/inside/clusters/cluster-sum.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';

const ClusterParams = struct('ClusterParams', {
  /** Threads to run: `firstThread .. endThread`, four points each. */
  firstThread: d.u32,
  endThread: d.u32,
  /** Clusters in all. */
  clusters: d.u32,
  /** SOLID_ANGLE_DOUBT_32, LEAST_HEIGHT_32, and the steepness that makes a whole turn. */
  doubt: d.f32,
  leastHeight: d.f32,
  turn: d.f32,
});

/** A cluster in the unit frame; lengths but for `scale` are in units of that. */
export const KernelCluster = struct('KernelCluster', {
  /** The centre in two parts. */
  high: d.vec3f,
  /** A power of two, at least the radius. */
  scale: d.f32,
  low: d.vec3f,
  radius: d.f32,
  /** Norms of degrees 5 and 6, and the bound of degree 7. */
  norms: d.vec3f,
  /** Square of the least distance at which the series is used; in the unit frame. */
  leastSquare: d.f32,
  /** Rounding of the series, times the square and the cube of the inverse distance. */
  rounding: d.vec2f,
  /** Its triangles; where it has parts, the first cluster behind these and 0. */
  first: d.u32,
  last: d.u32,
});

/** What a thread leaves in `sums` for its four points: J, what was left out, its rounding, and the steepness. */
export const ThreadSums = d.arrayOf(d.vec4f, 4);

export const clusterSumSource = kernelSource(clusterSumWgsl, {
  params: { uniform: ClusterParams },
  /** Per thread x, y and z of its four points, and what a cluster may leave out. */
  points: { storage: d.arrayOf(d.vec4f) },
  clusters: { storage: d.arrayOf(KernelCluster) },
  /** `MOMENT_QUADS` per cluster: the coefficients of `ClusterTable`, in units of the cluster's scale. */
  moments: { storage: d.arrayOf(d.vec4f) },
  /** Nine coordinates of the corners, and the least size of the formula's number. */
  triangles: { storage: d.arrayOf(d.f32) },
  /** `ThreadSums`. */
  sums: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
});

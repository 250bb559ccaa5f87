/** Structs and bindings of the direct sum's kernel, for the host and for WGSL alike. */
import * as d from 'typegpu/data';
import solidAnglesWgsl from '../../../shaders/inside/direct/solid-angles.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';

const DirectParams = struct('DirectParams', {
  /** Threads to run: `firstThread .. endThread`, four points each. */
  firstThread: d.u32,
  endThread: d.u32,
  triangles: d.u32,
  /** 1 to go on from the sums of the page before. */
  resume: d.u32,
  /** 1 to turn the sums into J and its bound. */
  finish: d.u32,
  /** SOLID_ANGLE_DOUBT_32, LEAST_HEIGHT_32. */
  doubt: d.f32,
  leastHeight: d.f32,
  /** Bound per unit of steepness, and the steepness that makes a whole turn. */
  rounding: d.f32,
  turn: d.f32,
  /** Part of the bound that is the same for all points, and per unit of |J|. */
  constant: d.f32,
  spacing: d.f32,
});

/** What a thread leaves in `sums` for its four points. */
export const ThreadSums = d.arrayOf(d.vec4f, 4);

export const solidAnglesSource = kernelSource(solidAnglesWgsl, {
  params: { uniform: DirectParams },
  /** Per thread x, y and z of its four points. */
  points: { storage: d.arrayOf(d.vec4f) },
  /** Nine coordinates of the corners, and the least size of the formula's number. */
  triangles: { storage: d.arrayOf(d.f32) },
  /** Per thread: the product, its turns and its steepness; at the end J and its bound. */
  sums: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
});

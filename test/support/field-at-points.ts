/** A kernel that answers signed distances at points from the atlas. */
import * as d from 'typegpu/data';
import { kernelSource } from '../../src/gpu/kernel.ts';
import fieldAtPointsWgsl from './field-at-points.wgsl';

const Answer = d.struct({ normal: d.vec3f, depth: d.f32, code: d.u32, triangle: d.u32 }).$name('Answer');

export const fieldAtPointsSource = kernelSource(fieldAtPointsWgsl, {
  params: { uniform: d.struct({ shape: d.u32, count: d.u32 }).$name('FieldAtPointsParams') },
  atlas: { storage: d.arrayOf(d.u32) },
  points: { storage: d.arrayOf(d.f32) },
  answers: { storage: d.arrayOf(Answer), access: 'mutable' },
});

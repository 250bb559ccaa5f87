// Minkowski Portal Refinement on the GPU: one kernel per kind of answer.
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import intersectionCode from '../../../shaders/convex/mpr-intersection.wgsl?raw';
import penetrationCode from '../../../shaders/convex/mpr-penetration.wgsl?raw';
import signedDistanceCode from '../../../shaders/convex/mpr-signed-distance.wgsl?raw';
import portalCode from '../../../shaders/convex/portal.wgsl?raw';
import { LEAST_GAP_32, MOST_MPR_STEPS_32, SUPPORT_ERROR_32, TOUCHING_TOLERANCE_32 } from '../../constants.ts';
import type { Device } from '../../gpu/device.ts';
import { getKernel, type Kernel } from '../../gpu/passes.ts';
import { type AssembledShader, assembleShader } from '../../gpu/shader.ts';
import { pairTables } from './layout.ts';
import { pairParts } from './shaders.ts';

/** The pairs of a slice, and the gap between bounds to end at, relative to the size of a pair. */
export const MprParams = d.struct({ first: d.u32, end: d.u32, tolerance: d.f32 }).$name('MprParams');

export const mprLayout = tgpu
  .bindGroupLayout({
    ...pairTables,
    results: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
    params: { uniform: MprParams },
  })
  .$idx(0)
  .$name('mprLayout');

/** The kernels: what each finds out about a pair. */
export type MprKind = 'intersect' | 'penetration' | 'signed-distance';

const parts = [...pairParts, { name: 'convex/portal.wgsl', code: portalCode }];

const sources = {
  intersect: { name: 'convex/mpr-intersection.wgsl', code: intersectionCode, entryPoint: 'mprIntersection' },
  penetration: { name: 'convex/mpr-penetration.wgsl', code: penetrationCode, entryPoint: 'mprPenetration' },
  'signed-distance': {
    name: 'convex/mpr-signed-distance.wgsl',
    code: signedDistanceCode,
    entryPoint: 'mprSignedDistance',
  },
} as const;

const assembled = new Map<MprKind, AssembledShader>();

/** The kernel for a kind of answer. Pairs that float32 cannot decide end as status 3. */
export function mprKernel(device: Device, kind: MprKind): Promise<Kernel> {
  const source = sources[kind];
  let shader = assembled.get(kind);
  if (shader === undefined) {
    shader = assembleShader(source, parts, [mprLayout]);
    assembled.set(kind, shader);
  }
  return getKernel(device, shader, {
    entryPoint: source.entryPoint,
    layout: mprLayout,
    constants: {
      TOUCHING: TOUCHING_TOLERANCE_32,
      SUPPORT_ERROR: SUPPORT_ERROR_32,
      LEAST_GAP: LEAST_GAP_32,
      MOST_STEPS: MOST_MPR_STEPS_32,
      WITH_POINTS: kind === 'intersect' ? 0 : 1,
    },
  });
}

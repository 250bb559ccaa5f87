/** GJK on the GPU: shaders/convex/gjk.wgsl and gjk-johnson.wgsl. Twins: src/convex/gjk.ts, exact.ts. */

import {
  MOST_GJK_STALLS_32,
  MOST_GJK_STEPS_32,
  RESOLUTION_32,
  STALLED_RESOLUTION_32,
  SUPPORT_ERROR_32,
  TOUCHING_TOLERANCE_32,
} from '../../constants.ts';
import { type MakePairKernel, pairKernel } from './pair-kernel.ts';
import { gjkLayout, gjkShader } from './shaders.ts';

/** What a query wants of overlapping cores; `WANTED` in the WGSL. */
const Wanted = { status: 0, distance: 1, depth: 2 } as const;

/** GJK with the sub-algorithm by regions. */
export const gjkKernel: MakePairKernel = (device, plan, buffers) => {
  const { kind, wantsDepth, kinds } = plan;
  const wanted = kind === 'intersect' ? Wanted.status : wantsDepth ? Wanted.depth : Wanted.distance;
  return pairKernel(device, plan, buffers, {
    shader: gjkShader(),
    entryPoint: 'gjk',
    layout: gjkLayout,
    constants: {
      WANTED: wanted,
      KIND_A: kinds.kindA,
      KIND_B: kinds.kindB,
      SUPPORT_ERROR: SUPPORT_ERROR_32,
      TOUCHING: TOUCHING_TOLERANCE_32,
      RESOLUTION: RESOLUTION_32,
      STALLED_RESOLUTION: STALLED_RESOLUTION_32,
      MOST_STEPS: MOST_GJK_STEPS_32,
      MOST_STALLS: MOST_GJK_STALLS_32,
    },
  });
};

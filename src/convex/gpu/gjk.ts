/** GJK on the GPU: shaders/convex/gjk/gjk-voronoi.wgsl and gjk-johnson.wgsl. Twins: files of the same names in src/convex/gjk/. */

import {
  MOST_GJK_STALLS_32,
  MOST_GJK_STEPS_32,
  RESOLUTION_32,
  SUPPORT_ERROR_32,
  TOUCHING_TOLERANCE_32,
} from '../constants.ts';
import { type MakePairKernel, pairKernel, usesBoxAxes, wantedOf } from './pair-kernel.ts';
import { gjkJohnsonShader, gjkLayout, gjkVoronoiShader } from './shaders.ts';

/** GJK with the sub-algorithm that the query asks for. */
export const gjkKernel: MakePairKernel = (device, plan, buffers) => {
  const { algorithm, kinds } = plan;
  const open = usesBoxAxes(plan);
  const johnson = algorithm === 'gjk-johnson';
  return pairKernel(device, plan, buffers, {
    shader: johnson ? gjkJohnsonShader() : gjkVoronoiShader(),
    entryPoint: johnson ? 'gjkJohnson' : 'gjkVoronoi',
    layout: gjkLayout,
    ...(open && { list: 'open' as const }),
    constants: {
      WANTED: wantedOf(plan),
      ...(open && { OPEN_ONLY: 1 }),
      KIND_A: kinds.kindA,
      KIND_B: kinds.kindB,
      SUPPORT_ERROR: SUPPORT_ERROR_32,
      TOUCHING: TOUCHING_TOLERANCE_32,
      RESOLUTION: RESOLUTION_32,
      MOST_STEPS: MOST_GJK_STEPS_32,
      MOST_STALLS: MOST_GJK_STALLS_32,
    },
  });
};

/** Separating axes of box cores on the GPU: shaders/convex/separating-axes/box-axes.wgsl. Twin: src/convex/separating-axes/box-axes.ts. */
import { POINT_ERROR_32, RESOLUTION_32, SUPPORT_ERROR_32, TOUCHING_TOLERANCE_32 } from '../constants.ts';
import { ShapeKind } from '../shapes/records.ts';
import { type MakePairKernel, pairKernel, wantedOf } from './pair-kernel.ts';
import { boxAxesLayout, boxAxesShader } from './shaders.ts';

/** Answers for pairs that overlap, that an axis separates beyond the reach, or whose nearest features are not corners or edges side by side; lists the others. */
export const boxAxesKernel: MakePairKernel = (device, plan, buffers) =>
  pairKernel(device, plan, buffers, {
    shader: boxAxesShader(),
    entryPoint: 'boxAxes',
    layout: boxAxesLayout,
    constants: {
      WANTED: wantedOf(plan),
      KIND_A: ShapeKind.box,
      KIND_B: ShapeKind.box,
      SUPPORT_ERROR: SUPPORT_ERROR_32,
      TOUCHING: TOUCHING_TOLERANCE_32,
      RESOLUTION: RESOLUTION_32,
      POINT_ERROR: POINT_ERROR_32,
    },
  });

/** EPA on the GPU: shaders/convex/epa/epa.wgsl. Twin: src/convex/epa/epa.ts. */
import {
  EPA_HEIGHT_ERROR_32,
  EPA_SEEN_32,
  POINT_ERROR_32,
  RESOLUTION_32,
  SUPPORT_ERROR_32,
  TOUCHING_TOLERANCE_32,
} from '../constants.ts';
import { ShapeKind } from '../shapes/records.ts';
import { type KernelPlan, type MakePairKernel, pairKernel } from './pair-kernel.ts';
import { epaLayout, epaShader } from './shaders.ts';

/** Kinds of which few pairs need more than 34 vertices. Curved cores in all directions need more, which takes longer for all. */
const FEW_VERTICES: readonly number[] = [
  ShapeKind.box,
  ShapeKind.cone,
  ShapeKind.frustum,
  ShapeKind.polytope,
];

/** Words of bits for the faces of polytopes of two kinds. */
function wordsFor({ kindA, kindB }: KernelPlan['kinds']): number {
  return FEW_VERTICES.includes(kindA) && FEW_VERTICES.includes(kindB) ? 2 : 3;
}

/** Depth of the pairs that GJK left in `work`. */
export const epaKernel: MakePairKernel = (device, plan, buffers) =>
  pairKernel(device, plan, buffers, {
    shader: epaShader(wordsFor(plan.kinds)),
    entryPoint: 'epa',
    list: 'work',
    layout: epaLayout,
    constants: {
      KIND_A: plan.kinds.kindA,
      KIND_B: plan.kinds.kindB,
      LEAST_GAP: RESOLUTION_32,
      HEIGHT_ERROR: EPA_HEIGHT_ERROR_32,
      SEEN: EPA_SEEN_32,
      SUPPORT_ERROR: SUPPORT_ERROR_32,
      POINT_ERROR: POINT_ERROR_32,
      TOUCHING: TOUCHING_TOLERANCE_32,
    },
  });

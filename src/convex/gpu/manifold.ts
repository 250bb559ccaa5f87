/** Contact manifolds on the GPU: shaders/convex/manifold.wgsl. Twins: src/convex/manifold.ts and feature.ts. */
import { LEAST_FEATURE_WIDTH, MANIFOLD_PERTURBATION, RESOLUTION_32 } from '../../constants.ts';
import { type MakePairKernel, pairKernel } from './pair-kernel.ts';
import { manifoldLayout, manifoldShader } from './shaders.ts';

/** Contacts of all pairs that overlap, behind the kernels that answer for them. */
export const manifoldKernel: MakePairKernel = (device, plan, buffers) =>
  pairKernel(device, plan, buffers, {
    shader: manifoldShader(),
    entryPoint: 'manifold',
    layout: manifoldLayout,
    constants: {
      KIND_A: plan.kinds.kindA,
      KIND_B: plan.kinds.kindB,
      PERTURBATION: MANIFOLD_PERTURBATION,
      LEAST_WIDTH: LEAST_FEATURE_WIDTH,
      RESOLUTION: RESOLUTION_32,
    },
  });

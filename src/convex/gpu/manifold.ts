/** Contact manifolds on the GPU: shaders/convex/manifold-*.wgsl. Twins: src/convex/manifold/clipped-manifold.ts and sampled-manifold.ts. */
import {
  FACING_COSINE,
  FACING_SINE,
  LEAST_FEATURE_WIDTH,
  MANIFOLD_PERTURBATION,
  MANIFOLD_RESOLUTION,
  MOST_CLIPPED_POINTS,
  MOST_MANIFOLD_POINTS,
  RESOLUTION_32,
} from '../constants.ts';
import { type KernelPlan, type MakePairKernel, pairKernel } from './pair-kernel.ts';
import {
  clippedManifoldLayout,
  clippedManifoldShader,
  sampledManifoldLayout,
  sampledManifoldShader,
} from './shaders.ts';

/** Contacts that kernels have room for, per pair of convex bodies. */
export function contactsPerPair({ kind, manifold }: Pick<KernelPlan, 'kind' | 'manifold'>): number {
  if (kind !== 'manifold') return 0;
  return manifold === 'clipped' ? MOST_CLIPPED_POINTS : MOST_MANIFOLD_POINTS;
}

/** Contacts of all pairs that overlap, behind the kernels that answer for them. */
export const manifoldKernel: MakePairKernel = (device, plan, buffers) => {
  const kinds = { KIND_A: plan.kinds.kindA, KIND_B: plan.kinds.kindB };
  return pairKernel(
    device,
    plan,
    buffers,
    plan.manifold === 'clipped'
      ? {
          shader: clippedManifoldShader(),
          entryPoint: 'clippedManifold',
          layout: clippedManifoldLayout,
          constants: { ...kinds, FACING_SINE, FACING_COSINE, RESOLUTION: MANIFOLD_RESOLUTION },
        }
      : {
          shader: sampledManifoldShader(),
          entryPoint: 'sampledManifold',
          layout: sampledManifoldLayout,
          constants: {
            ...kinds,
            PERTURBATION: MANIFOLD_PERTURBATION,
            LEAST_WIDTH: LEAST_FEATURE_WIDTH,
            RESOLUTION: RESOLUTION_32,
          },
        },
  );
};

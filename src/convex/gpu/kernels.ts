/** Which kernels answer a query, in which order. A kernel's host side is a file of its own beside this one. */
import { boxAxesKernel } from './box-axes.ts';
import { epaKernel } from './epa.ts';
import { gjkKernel } from './gjk.ts';
import { manifoldKernel } from './manifold.ts';
import { mprKernel } from './mpr.ts';
import { type KernelPlan, type MakePairKernel, usesBoxAxes } from './pair-kernel.ts';

/**
 * The kernels of a query in the order in which they run over each slice of pairs.
 *
 * Box axes list what they do not decide for GJK, in the second half of `work`. GJK leaves pairs whose depth is wanted as `INSIDE` and lists them in `work`;
 * what runs behind it over `work` writes their final results. What is still `INSIDE` at the end is redone on the host.
 */
export function kernelsFor(plan: KernelPlan): readonly MakePairKernel[] {
  const manifolds = plan.kind === 'manifold' ? [manifoldKernel] : [];
  if (plan.algorithm === 'mpr') return [mprKernel, ...manifolds];
  return [
    ...(usesBoxAxes(plan) ? [boxAxesKernel] : []),
    gjkKernel,
    ...(leavesSimplices(plan) ? [epaKernel] : []),
    ...manifolds,
  ];
}

/** Whether GJK leaves its simplices to EPA: MPR finds depths by itself. */
export function leavesSimplices({ algorithm, wantsDepth }: Omit<KernelPlan, 'kinds'>): boolean {
  return wantsDepth && algorithm !== 'mpr';
}

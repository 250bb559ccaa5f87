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
  const mpr = plan.algorithm === 'mpr';
  const kernels = [mpr ? mprKernel : gjkKernel];
  if (!mpr && usesBoxAxes(plan)) kernels.unshift(boxAxesKernel);
  if (!mpr && plan.wantsDepth) kernels.push(epaKernel);
  if (plan.kind === 'manifold') kernels.push(manifoldKernel);
  return kernels;
}

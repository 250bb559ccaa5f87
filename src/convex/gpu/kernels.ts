/** Which kernels answer a query, in which order. A kernel's host side is a file of its own beside this one. */
import { gjkKernel } from './gjk.ts';
import type { KernelPlan, MakePairKernel } from './pair-kernel.ts';

/**
 * The kernels of a query in the order in which they run over each slice of pairs.
 *
 * GJK leaves pairs whose depth is wanted as `INSIDE` and lists them in `work`; what runs behind it over `work` writes their final
 * results. What is still `INSIDE` at the end is redone on the host.
 */
export function kernelsFor({ kind }: KernelPlan): readonly MakePairKernel[] {
  // mpr.ts: instead of gjkKernel where algorithm is 'mpr'. epa.ts: behind it, where wantsDepth. manifold.ts: last.
  void kind;
  return [gjkKernel];
}

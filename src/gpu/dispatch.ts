/** Sizes of dispatches: threads per workgroup, and workgroups in two dimensions. */

/** Threads per workgroup of all kernels. The assembler (shader.ts) puts it before WGSL under the same name. */
export const GROUP = 64;

/** Most workgroups per dimension in every implementation of WebGPU. */
export const MOST_GROUPS = 65_535;

/** Workgroups whose threads are 2^32 together: more, and the numbers of threads would start again at 0. */
const ALL_GROUPS = 2 ** 32 / GROUP;

/**
 * Workgroups in x and y for `groups` workgroups in all, at most 2^26. A kernel finds its number as
 * `id.x + id.y * groups.x * GROUP`, which stays below 2^32; the last numbers may have nothing to do.
 * The kernel `indirect-size.wgsl` does the same on the GPU.
 *
 * @throws Error for more workgroups, some of which would never run
 */
export function dispatchSize(groups: number, mostPerDimension: number = MOST_GROUPS): [number, number] {
  if (groups > ALL_GROUPS) throw new Error(`${groups} workgroups: expected at most ${ALL_GROUPS}`);
  const y = Math.max(1, Math.ceil(groups / mostPerDimension));
  const x = Math.ceil(groups / y);
  return x * y > ALL_GROUPS ? [2 ** 15, ALL_GROUPS / 2 ** 15] : [x, y];
}

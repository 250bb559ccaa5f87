/** Tolerances that many cases share, each with its reason. Those of one case alone stand beside it. */

/**
 * Share of what is added up that forces by kernels are off by at most: 512 * 2^-23. docs/dem.md, "Rounding", derives
 * it. Speeds that forces bring about, and places after a second, are off by that share of what the forces changed.
 */
export const FLOAT32_FORCE = 2 ** -14;

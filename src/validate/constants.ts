/** What many cases share: tolerances, each with its reason, and why cases are left out. Those of one are beside it. */

/**
 * Share of what is added up that forces by kernels are off by at most: 512 * 2^-23. docs/dem.md, "Rounding", derives
 * it. Speeds that forces bring about, and places after a second, are off by that share of what the forces changed.
 */
export const FLOAT32_FORCE = 2 ** -14;

/** Why a case is left out on software adapters: what takes minutes in float64 takes hours there. */
export const HOURS_ON_SOFTWARE =
  'tens of thousands of steps, each tens of milliseconds or more on a software adapter; --case runs it';

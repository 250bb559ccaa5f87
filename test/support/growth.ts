/**
 * Seconds of the processor that a piece of work takes: the least of a few runs, the first of which warms it up. Not wall time,
 * since other programs may be at work; to be compared with another piece's in the same test and with nothing else.
 */
export async function processorSeconds(work: () => unknown, runs = 4): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

/** How much the sizes of `hasLinearGrowth` differ by. */
const FACTOR = 16;

/**
 * Whether work takes time in proportion to its size: less than 16^1.5 = 64 times as long for 16 times the size. In proportion
 * it is 16 times, and up to 40 times where the larger one no longer fits into the processor's caches; by the square it is 256.
 *
 * @param largest takes at least some milliseconds for a 16th of it, so that clocks and the collector's work do not matter
 */
export async function hasLinearGrowth(work: (size: number) => unknown, largest: number): Promise<boolean> {
  const small = await processorSeconds(() => work(Math.ceil(largest / FACTOR)));
  const large = await processorSeconds(() => work(largest), 2);
  return large < FACTOR ** 1.5 * small;
}

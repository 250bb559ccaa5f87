/**
 * Processor seconds of a piece of work: the least of a few runs, of which the first warms it up. This is not wall time,
 * since other programs may run. Compare it only with that of other work in the same test.
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

/** The factor between the two sizes of `hasLinearGrowth`. */
const FACTOR = 16;

/**
 * Whether work takes time in proportion to its size: less than 16^1.5 = 64 times as long for 16 times the size. In
 * proportion it is 16 times, and up to 40 times if the larger one does not fit into the processor's caches. By the
 * square it is 256 times.
 *
 * @param largest the larger size. A 16th of it has to take some milliseconds, so that clocks and garbage collection do
 *   not matter.
 */
export async function hasLinearGrowth(work: (size: number) => unknown, largest: number): Promise<boolean> {
  const small = await processorSeconds(() => work(Math.ceil(largest / FACTOR)));
  const large = await processorSeconds(() => work(largest), 2);
  return large < FACTOR ** 1.5 * small;
}

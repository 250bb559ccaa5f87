/** How often two pieces of work are timed before one of them is said to take too long. */
const ROUNDS = 6;

/**
 * Whether work takes less than a few times the processor's seconds of other work. They run in turns, and the least of
 * each counts, until the answer is yes. A processor that other programs or machines share is slow at times, so that one
 * answer of no says little. This is not wall time.
 *
 * @param factor how many times as long the work may take.
 */
export async function takesLess(work: () => unknown, factor: number, other: () => unknown): Promise<boolean> {
  let mine = Number.POSITIVE_INFINITY;
  let others = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    others = Math.min(others, await processorSeconds(other));
    mine = Math.min(mine, await processorSeconds(work));
    // The first round warms both up.
    if (round > 0 && mine < factor * others) return true;
  }
  return false;
}

/** Processor seconds of one run of a piece of work. */
async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
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
export function hasLinearGrowth(work: (size: number) => unknown, largest: number): Promise<boolean> {
  return takesLess(
    () => work(largest),
    FACTOR ** 1.5,
    () => work(Math.ceil(largest / FACTOR)),
  );
}

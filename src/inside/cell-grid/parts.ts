/** The table of pairs in parts that fit a binding each; a kernel runs once per part. */
import { limitError } from '../../gpu/limits.ts';
import { type CellGridTables, PAIR_FLOATS } from './tables.ts';

/** Mixed cells `firstRank .. endRank`, whose pairs are `firstPair .. endPair`. */
export interface PairsPart {
  readonly firstRank: number;
  readonly endRank: number;
  readonly firstPair: number;
  readonly endPair: number;
}

/**
 * Cuts the pairs between mixed cells into as few parts as go into bindings of `mostBytes`; at least one.
 *
 * @throws DeviceError `limits` if a single cell has more.
 */
export function cutPairs(
  { starts, mixedCount }: Pick<CellGridTables, 'starts' | 'mixedCount'>,
  mostBytes: number,
): PairsPart[] {
  const most = Math.floor(mostBytes / (4 * PAIR_FLOATS));
  const parts: PairsPart[] = [];
  for (let firstRank = 0; firstRank < mixedCount || parts.length === 0; ) {
    const firstPair = starts[firstRank]!;
    // The last cell that ends within the part, by bisection: starts ascend.
    let [low, high] = [firstRank, mixedCount];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! - firstPair <= most) low = middle;
      else high = middle - 1;
    }
    if (low === firstRank && mixedCount > 0) {
      const found = 4 * PAIR_FLOATS * (starts[firstRank + 1]! - firstPair);
      throw limitError({
        problem: `cell grid: one cell has a table of ${found} bytes, the device allows bindings of ${mostBytes}`,
        limits: ['maxStorageBufferBindingSize'],
        needed: found,
        instead: 'use backend "cpu"',
      });
    }
    parts.push({ firstRank, endRank: low, firstPair, endPair: starts[low]! });
    firstRank = low;
    if (mixedCount === 0) break;
  }
  return parts;
}

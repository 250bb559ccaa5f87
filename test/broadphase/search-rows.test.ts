import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairList, sortPairs } from '../../src/broadphase/pair-list.ts';
import { overlappingPairs } from '../../src/broadphase/pairs-task.ts';
import { sortIntoRows } from '../../src/broadphase/rows.ts';
import { RowSearch } from '../../src/broadphase/search-rows.ts';
import { createRandom } from '../../src/mesh/random.ts';
import {
  allPairs,
  BOX_SETS,
  type BoxSet,
  densePacking,
  mixedEntries,
  mixedSizes,
  strangers,
} from './box-sets.ts';

/** Sorted pairs, and how many boxes were compared, found in ranges of places. */
function found({ boxes, entries }: BoxSet, ranges = 1) {
  const rows = sortIntoRows(boxes, entries, false);
  let compared = 0;
  const lists = Array.from({ length: ranges }, (_, i) => {
    const list = new PairList(false);
    const [first, end] = [i, i + 1].map((one) => Math.floor((entries.count * one) / ranges));
    const search = new RowSearch(rows, list);
    search.run(first!, end!);
    compared += search.compared;
    return list;
  });
  return { pairs: sortPairs(lists.toReversed(), entries.count), compared };
}

describe('pairs of overlapping boxes', () => {
  it.each(Object.entries(BOX_SETS))(
    '%s: each pair of a comparison of all with all, once, sorted',
    (_, make) => {
      fc.assert(
        fc.property(fc.nat(400), fc.nat(2 ** 30), fc.boolean(), (most, seed, isMixed) => {
          const boxes = make(most, seed);
          const count = boxes.length / 6;
          const entries = isMixed ? mixedEntries(count, createRandom(seed)) : strangers(count);
          expect(found({ boxes, entries }).pairs).toEqual(allPairs({ boxes, entries }));
        }),
        { numRuns: 25 },
      );
    },
  );

  it('are the same whatever the ranges that are searched one by one', () => {
    const set = { boxes: mixedSizes(3000), entries: mixedEntries(3000, createRandom(7)) };
    const { pairs, compared } = found(set);
    expect(pairs.length).toBeGreaterThan(1000);
    expect(found(set, 13)).toEqual({ pairs, compared });
  });

  it('group and mask of both sides have to agree', () => {
    const entries = {
      ...strangers(3),
      groups: Uint32Array.of(1, 2, 2 ** 31),
      masks: Uint32Array.of(2, 2 ** 31 + 1, 2),
    };
    expect([...found({ boxes: new Int32Array(18), entries }).pairs]).toEqual([0, 1, 1, 2]);
  });

  it('are refused where bodies lie in each other, before they take all memory', async () => {
    const count = 8000;
    await expect(overlappingPairs(new Int32Array(6 * count), strangers(count))).rejects.toThrow(
      'bodies lie in each other: found more than 16777216 pairs whose bounds overlap, expected fewer',
    );
  });
});

describe('what a search costs', () => {
  const comparedPerBox = (boxes: Int32Array<ArrayBuffer>, entries = strangers(boxes.length / 6)) =>
    found({ boxes, entries }).compared / entries.count;

  it.each<[string, (count: number) => Int32Array<ArrayBuffer>]>([
    ['one size', densePacking],
    ['sizes 1:1000', mixedSizes],
  ])('%s: comparisons per box stay within a factor from 1,000 to 100,000', (_, make) => {
    const few = comparedPerBox(make(1000));
    expect(few).toBeLessThan(60);
    expect(comparedPerBox(make(10_000))).toBeLessThan(1.6 * few);
    expect(comparedPerBox(make(100_000))).toBeLessThan(2 * few);
  });

  it('a giant over all others costs each of them a comparison', () => {
    const boxes = densePacking(20_000);
    const without = comparedPerBox(boxes);
    boxes.set([-(2 ** 31), -(2 ** 31), -(2 ** 31), 2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1], 6 * 5000);
    expect(comparedPerBox(boxes)).toBeLessThan(without + 1.5);
  });

  it('static boxes are never compared with each other', () => {
    const entries = { ...strangers(20_000), isStatic: new Uint8Array(20_000).fill(1) };
    expect(comparedPerBox(densePacking(20_000), entries)).toBe(0);
  });
});

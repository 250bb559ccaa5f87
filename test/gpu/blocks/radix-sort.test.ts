import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMS, type Form } from '../../../src/gpu/blocks/form.ts';
import { createRadixSort, type RadixSort } from '../../../src/gpu/blocks/radix-sort.ts';
import { isOffered, LARGEST, randomBits, SIZES, useBench, wordsBy } from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
const bench = useBench(device);

/**
 * Sorts the first `count` keys, with their places as values. Pairs of key and place have to ascend, and each key has to
 * be that of its place. So no place comes twice, and the order is the one stable order. The rest has to be untouched.
 */
async function expectSorted(
  sort: RadixSort,
  keys: Uint32Array<ArrayBuffer>,
  count: number,
  inBuffer = false,
) {
  const [keyBuffer, valueBuffer] = [
    bench().buffer('keys', keys),
    bench().buffer(
      'values',
      wordsBy(keys.length, (i) => i),
    ),
  ];
  const counts = bench().buffer('counts', new Uint32Array([0, count]));
  await bench().submit((recorder) => {
    const asked = inBuffer ? { buffer: counts, offset: 4 } : count;
    sort.record(recorder, { keys: keyBuffer, values: valueBuffer, count: asked });
  });
  const values = await bench().words(valueBuffer, keys.length);
  const sorted = await bench().words(keyBuffer, keys.length);
  const mistake = values.findIndex((place, at) => {
    if (at >= count) return place !== at || sorted[at] !== keys[at];
    if (place >= count || sorted[at] !== keys[place]) return true;
    if (at === 0 || sorted[at - 1]! < sorted[at]!) return false;
    return sorted[at - 1]! > sorted[at]! || values[at - 1]! >= place;
  });
  expect(mistake).toBe(-1);
}

/** Whether a form is quick on the adapter at hand: on a software adapter workgroups that share memory are not. */
const isQuick = (form: Form) => form === 'serial' || !device().adapter.software;

describe.each(FORMS)('a sort by keys, %s', (form) => {
  it('is stable for sizes around those of workgroups and chunks', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const sizes = isQuick(form) ? SIZES : [1, 65, 4_097];
    for (const count of sizes) {
      const sort = await createRadixSort(device(), { most: count, form });
      // Half of the keys are few, so that many are equal.
      const keys = wordsBy(count, (i) => (i % 2 ? randomBits(i) : randomBits(i) % 5));
      await expectSorted(sort, keys, count);
      sort.destroy();
    }
  });

  it('sorts any keys, counted by host or buffer', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const sort = await createRadixSort(device(), { most: 2_000, form });
    const keys = fc.oneof(
      fc.uint32Array({ maxLength: 2_000 }),
      fc.uint32Array({ maxLength: 2_000, max: 3 }),
      fc.uint32Array({ maxLength: 2_000, min: 2 ** 32 - 3 }),
    );
    const property = fc.asyncProperty(keys, fc.boolean(), async (some, inBuffer) => {
      await expectSorted(sort, new Uint32Array(some), some.length, inBuffer);
    });
    await fc.assert(property, { numRuns: isQuick(form) ? 20 : 3 });
    sort.destroy();
  });

  it('takes no more than there is room for, and leaves what is behind the count', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const sort = await createRadixSort(device(), { most: 3_000, form });
    const keys = wordsBy(3_500, (i) => randomBits(i, 3));
    await expectSorted(sort, keys, 1_234, true);
    await expectSorted(sort, keys, 3_000, true);
    sort.destroy();
  });

  // An odd number of digits ends in the other buffers.
  it.each([8, 9, 12, 20])('sorts keys of %i bits', async (bits) => {
    if (!isOffered(form, device())) return;
    const sort = await createRadixSort(device(), { most: 2_345, bits, form });
    const keys = wordsBy(2_345, (i) => randomBits(i, 4) % 2 ** bits);
    await expectSorted(sort, keys, 2_345);
    await expectSorted(sort, keys, 2_000, true);
    sort.destroy();
  });

  it('is stable for the largest number of keys', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const count = isQuick(form) ? LARGEST : 40_009;
    const sort = await createRadixSort(device(), { most: count, bits: 16, form });
    await expectSorted(
      sort,
      wordsBy(count, (i) => randomBits(i, 5) % 2 ** 16),
      count,
    );
    sort.destroy();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compaction, createCompaction } from '../../../src/gpu/blocks/compaction.ts';
import { FORMS } from '../../../src/gpu/blocks/form.ts';
import {
  firstDifference,
  isOffered,
  largestOf,
  randomBits,
  SIZES,
  useBench,
  wordsBy,
} from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
const bench = useBench(device);

interface Flags {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly count: number;
  readonly flagBits?: number;
  readonly mask?: number;
  readonly inBuffer?: boolean;
  /** Room of the list for numbers, if it is less than enough. */
  readonly room?: number;
}

/** How many flags are set, then their items. */
function listed({ words, count, flagBits = 32, mask = 2 ** flagBits - 1 }: Flags): number[] {
  const list = [0];
  const perWord = 32 / flagBits;
  for (let i = 0; i < count; i++) {
    const flag = words[Math.floor(i / perWord)]! >>> (flagBits * (i % perWord));
    if ((flag & mask) !== 0) list.push(i);
  }
  list[0] = list.length - 1;
  return list;
}

async function expectList(compaction: Compaction, asked: Flags): Promise<void> {
  const { words, count, inBuffer = false, room = count, ...rest } = asked;
  const expected = listed(asked);
  const end = Math.min(expected.length, 1 + room);
  const flags = bench().buffer('flags', words);
  // A place behind the list shows that nothing is written there.
  const list = bench().buffer('list', new Uint32Array(Math.max(16, 1 + room)).fill(7));
  const counts = bench().buffer('counts', new Uint32Array([count]));
  await bench().submit((recorder) => {
    compaction.record(recorder, { flags, list, count: inBuffer ? { buffer: counts } : count, ...rest });
  });
  const found = await bench().words(list, Math.max(16, 1 + room));
  expect(firstDifference(found.subarray(0, end), expected.slice(0, end))).toBeUndefined();
  expect(found.subarray(end).every((word) => word === 7)).toBe(true);
}

describe.each(FORMS)('a compaction, %s', (form) => {
  it('lists the set flags in their order for sizes around those of workgroups and chunks', async ({
    skip,
  }) => {
    if (!isOffered(form, device())) skip();
    for (const count of SIZES) {
      const compaction = await createCompaction(device(), { most: count, form });
      const words = wordsBy(count, (i) => (randomBits(i) % 3 === 0 ? randomBits(i, 1) : 0));
      await expectList(compaction, { words, count });
      compaction.destroy();
    }
  });

  it('lists any flags of any width, counted by host or buffer', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const most = 4_000;
    const compaction = await createCompaction(device(), { most, form });
    const shapes = fc.record({
      words: fc.oneof(
        fc.uint32Array({ maxLength: 300 }),
        fc.uint32Array({ maxLength: 300, max: 1 }),
        fc.constant(new Uint32Array(300)),
      ),
      flagBits: fc.constantFrom(1, 2, 8, 32),
      short: fc.nat(7),
      mask: fc.constantFrom(undefined, 1, 2),
      inBuffer: fc.boolean(),
    });
    const property = fc.asyncProperty(shapes, async ({ words, flagBits, short, mask, inBuffer }) => {
      const count = Math.min(most, Math.max(0, (words.length * 32) / flagBits - short));
      const masked = mask === undefined ? {} : { mask };
      await expectList(compaction, { words: new Uint32Array(words), count, flagBits, inBuffer, ...masked });
    });
    await fc.assert(property, { numRuns: 20 });
    compaction.destroy();
  });

  it('counts what a list has no room for, and writes nothing behind it', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const compaction = await createCompaction(device(), { most: 5_000, form });
    await expectList(compaction, { words: new Uint32Array(5_000).fill(9), count: 5_000, room: 1_235 });
    compaction.destroy();
  });

  it('lists the flags of the largest number of items', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const count = largestOf(form, device());
    const compaction = await createCompaction(device(), { most: count, form });
    // One byte per flag, as for points.
    const words = wordsBy(Math.ceil(count / 4), (i) => randomBits(i) & randomBits(i, 1) & 0x01010101);
    await expectList(compaction, { words, count, flagBits: 8 });
    compaction.destroy();
  });
});

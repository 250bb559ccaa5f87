import { expect, it } from 'vitest';
import { eachKept } from '../../../src/contacts/bodies/kept-pairs.ts';
import { keepMemory, REMEMBERED } from '../../../src/contacts/convex/remembered.ts';

const BEFORE = Uint32Array.of(0, 1, 0, 4, 2, 3, 2, 5, 7, 9);
const NOW = Uint32Array.of(0, 2, 0, 4, 1, 3, 2, 3, 2, 6, 7, 9, 8, 9);

it('finds the pairs that two lists have in common', () => {
  const kept: number[][] = [];
  eachKept(BEFORE, NOW, (from, to) => kept.push([from, to]));
  expect(kept).toEqual([
    [1, 1],
    [2, 3],
    [4, 5],
  ]);
  eachKept(BEFORE, new Uint32Array(0), () => expect.fail('an empty list has no pairs'));
});

it('takes over what is remembered of pairs of convex shapes', () => {
  const remembered = new Uint32Array((REMEMBERED * BEFORE.length) / 2);
  // An axis at the second pair, nothing at the third, a meeting at the fifth.
  for (let k = 0; k < 5; k++) remembered[REMEMBERED + k] = 1 + 4 * k;
  for (let k = 0; k < REMEMBERED; k++) remembered[4 * REMEMBERED + k] = 2 + 4 * k;
  const memory = new Uint32Array((REMEMBERED * NOW.length) / 2);
  keepMemory(NOW, memory, BEFORE, remembered);
  const expected = new Uint32Array(memory.length);
  expected.set(remembered.subarray(REMEMBERED, REMEMBERED + 5), REMEMBERED);
  expected.set(remembered.subarray(4 * REMEMBERED), 5 * REMEMBERED);
  expect(memory).toEqual(expected);
});

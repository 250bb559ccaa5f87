import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum } from '../../src/mesh/checksum.ts';

/** The bytes i^2 * 7 + i mod 256. */
function sample(length: number): Uint32Array {
  return new Uint32Array(Uint8Array.from({ length }, (_, i) => i * i * 7 + i).buffer);
}

it.each([
  [16, '93017e1a'],
  [32, '7dc78333'],
  [48, '64ea29f3'],
  [4096, '65f99d91'],
])('the checksum of %i bytes is what xxhsum -H32 prints', (length, expected) => {
  expect(checksum(sample(length)).toString(16)).toBe(expected);
});

it('any change within one word changes the checksum', () => {
  const words = fc.uint32Array({ minLength: 4, maxLength: 64 }).map((w) => w.subarray(0, w.length & ~3));
  const change = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(words, fc.nat(), change, (before, at, bits) => {
      const after = before.slice();
      after[at % after.length]! ^= bits;
      return checksum(after) !== checksum(before);
    }),
    { numRuns: 2000 },
  );
});

it('sign bits that flip in two words, words that change places and zeros that are added change it', () => {
  const words = sample(64);
  const sum = checksum(words);
  for (let i = 0; i < 16; i++) {
    for (let j = i + 1; j < 16; j++) {
      const flipped = words.slice();
      flipped[i]! ^= 0x80000000;
      flipped[j]! ^= 0x80000000;
      expect(checksum(flipped)).not.toBe(sum);
      const swapped = words.slice();
      [swapped[i], swapped[j]] = [words[j]!, words[i]!];
      expect(checksum(swapped)).not.toBe(sum);
    }
  }
  expect(checksum(Uint32Array.of(...words, 0, 0, 0, 0))).not.toBe(sum);
});

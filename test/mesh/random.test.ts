import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { createRandom, hashCell } from '../../src/mesh/random.ts';

describe('createRandom', () => {
  it('gives numbers in [0, 1) that repeat for a seed', () => {
    const [one, two] = [createRandom(42), createRandom(42)];
    for (let k = 0; k < 1000; k++) {
      const x = one();
      expect(x).toBe(two());
      expect(x >= 0 && x < 1).toBe(true);
    }
  });

  it('fills sixteen bins evenly: chi-squared stays below its 99.9 % point', () => {
    for (const seed of [0, 1, 2 ** 32 - 1]) {
      const random = createRandom(seed);
      const bins = new Array<number>(16).fill(0);
      for (let k = 0; k < 16_000; k++) bins[Math.floor(16 * random())]!++;
      const squares = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
      expect(squares).toBeLessThan(37.7);
    }
  });

  it('gives neighbouring seeds unrelated streams', () => {
    const [one, two] = [createRandom(7), createRandom(8)];
    let correlation = 0;
    for (let k = 0; k < 10_000; k++) correlation += (one() - 0.5) * (two() - 0.5);
    // The sum has a standard deviation of sqrt(10,000) / 12.
    expect(Math.abs(correlation)).toBeLessThan(4 * (100 / 12));
  });

  it('refuses what is no seed', () => {
    for (const seed of [-1, 0.5, 2 ** 32, NaN]) expect(() => createRandom(seed)).toThrow(InputError);
  });
});

describe('hashCell', () => {
  it('tells cells, their order and seeds apart', () => {
    const hashes = new Set<number>();
    for (let i = -5; i < 5; i++) {
      for (let j = -5; j < 5; j++)
        for (let k = -5; k < 5; k++) for (const seed of [0, 1]) hashes.add(hashCell(seed, i, j, k));
    }
    expect(hashes.size).toBe(2000);
  });
});

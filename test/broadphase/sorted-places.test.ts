import { expect, it } from 'vitest';
import { sortedPlaces } from '../../src/broadphase/sorted-places.ts';
import { createRandom } from '../../src/mesh/random.ts';

it('places are in the order of their numbers, and of equal ones in their own', () => {
  const random = createRandom(3);
  const lists = [
    [],
    [7],
    [3, -1, 3, -(2 ** 31), 2 ** 31 - 1, 0, -1, 3],
    // Alike in the lowest digit, in the one in the middle, and in both.
    Array.from({ length: 500 }, () => 2048 * Math.floor(4096 * random())),
    Array.from({ length: 500 }, () => Math.floor(2048 * random()) - 1024),
    Array.from({ length: 500 }, () => 2 ** 22 * Math.floor(1024 * random() - 512)),
    Array.from({ length: 5000 }, () => Math.floor(2 ** 32 * random()) - 2 ** 31),
  ];
  for (const numbers of lists) {
    for (const stride of [1, 6]) {
      const strided = new Int32Array(stride * numbers.length).fill(-5);
      for (const [i, number] of numbers.entries()) strided[stride * i] = number;
      const wanted = numbers.map((_, i) => i).sort((a, b) => numbers[a]! - numbers[b]! || a - b);
      expect([...sortedPlaces(strided, stride, numbers.length)]).toEqual(wanted);
    }
  }
});

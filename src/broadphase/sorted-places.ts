/** Whole numbers in order. */
import { giveMemory, takeMemory } from '../workers/spare-memory.ts';

const DIGIT_BITS = 11;
const SIGN = -0x80000000;

/**
 * Places of numbers, from the least number on, and of equal ones in their order: a radix sort.
 *
 * @param numbers `[count * stride]`: the first of each `stride` of them
 * @returns `[count]`, for `giveMemory`
 */
export function sortedPlaces(numbers: Int32Array, stride: number, count: number): Uint32Array {
  let order = takeMemory(Uint32Array, count, false);
  let next = takeMemory(Uint32Array, count, false);
  for (let place = 0; place < count; place++) order[place] = place;
  const digits = 2 ** DIGIT_BITS;
  // With the sign's bit turned, bits are in the order of numbers.
  const digitOf = (number: number, shift: number) => ((number ^ SIGN) >>> shift) & (digits - 1);
  const places = new Uint32Array(digits + 1);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    places.fill(0);
    for (let at = 0; at < stride * count; at += stride) places[digitOf(numbers[at]!, shift) + 1]!++;
    // Scenes leave most of the highest bits of coordinates alike.
    if (count > 0 && places[digitOf(numbers[0]!, shift) + 1] === count) continue;
    for (let digit = 0; digit < digits; digit++) places[digit + 1]! += places[digit]!;
    for (let i = 0; i < count; i++) {
      const place = order[i]!;
      next[places[digitOf(numbers[stride * place]!, shift)]!++] = place;
    }
    [order, next] = [next, order];
  }
  giveMemory([next]);
  return order;
}

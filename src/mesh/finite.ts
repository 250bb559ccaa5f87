/**
 * Infinities and NaN have an exponent of ones alone. This adds one to the exponent, so theirs overflows into the sign.
 */
const EXPONENT_STEP = 0x00800000;

/** Index of the first number that is not finite, or -1. Takes one pass over the bits if all are finite. */
export function firstNonFinite(numbers: Float32Array): number {
  const bits = new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  let signs = 0;
  for (let i = 0; i < bits.length; i++) signs |= (bits[i]! & 0x7fffffff) + EXPONENT_STEP;
  return signs >= 0 ? -1 : numbers.findIndex((x) => !Number.isFinite(x));
}

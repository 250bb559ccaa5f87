/** Exponent of infinite numbers and of those that are none, and what carries it into the sign. */
const EXPONENT_STEP = 0x00800000;

/** Index of the first number that is not finite, or -1. One pass over the bits where all are. */
export function firstNonFinite(numbers: Float32Array): number {
  const bits = new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  let signs = 0;
  for (let i = 0; i < bits.length; i++) signs |= (bits[i]! & 0x7fffffff) + EXPONENT_STEP;
  return signs >= 0 ? -1 : numbers.findIndex((x) => !Number.isFinite(x));
}

/** Index of the first number that is not finite, or -1. Takes one subtraction per number where all are. */
export function firstNonFinite(numbers: Float32Array): number {
  let sum = 0;
  // x - x is 0 for a finite x and NaN for any other, and NaN stays in a sum.
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]! - numbers[i]!;
  return sum === 0 ? -1 : numbers.findIndex((x) => !Number.isFinite(x));
}

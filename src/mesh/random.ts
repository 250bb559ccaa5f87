// Seeded pseudo-random numbers that are the same in every engine: 32-bit integer arithmetic only. The generator is a
// Weyl sequence (steps of 2^32 over the golden ratio, period 2^32) whose terms are scrambled by the two-round
// xor-shift-multiply mixer with the low-bias constants that C. Wellons found by search ("hash prospector", 2018).
// For scenes and test bodies, not for statistics or secrets.
import { told } from '../arguments.ts';
import { InputError } from '../errors.ts';

const GOLDEN_STEP = 0x9e3779b9;
const LARGEST_SEED = 2 ** 32 - 1;

/** Scrambles 32 bits one to one. */
export function mixBits(value: number): number {
  let z = value;
  z = Math.imul(z ^ (z >>> 16), 0x7feb352d);
  z = Math.imul(z ^ (z >>> 15), 0x846ca68b);
  return (z ^ (z >>> 16)) >>> 0;
}

/** @throws InputError if the seed is not an integer in 0 .. 2^32 - 1. */
export function requireSeed(seed: number): void {
  if (Number.isInteger(seed) && seed >= 0 && seed <= LARGEST_SEED) return;
  throw new InputError(`seed is ${told(seed)}, expected an integer from 0 to ${LARGEST_SEED}`);
}

/**
 * A stream of numbers in [0, 1), multiples of 2^-32, equal for equal seeds on every platform.
 *
 * @throws InputError if the seed is not an integer in 0 .. 2^32 - 1.
 */
export function createRandom(seed: number): () => number {
  requireSeed(seed);
  let state = mixBits(seed);
  return () => {
    state = (state + GOLDEN_STEP) | 0;
    return mixBits(state) / 2 ** 32;
  };
}

/** Hash of an integer lattice cell: 32 bits, the same for the same seed and cell on every platform. */
export function hashCell(seed: number, i: number, j: number, k: number): number {
  return mixBits(mixBits(mixBits(mixBits(seed + GOLDEN_STEP) + i) + j) + k);
}

/** Tolerances of the benchmark's judgements, each with its unit and its reason. Measurements themselves have none. */

/**
 * By how much an exponent may differ from 1 for growth that counts as linear. Between two sizes a factor of 4 apart, as bodies
 * are, times then differ from proportional ones by 4^0.15 = 1.23, what a busy machine does to a call.
 */
export const LINEAR_WITHIN = 0.15;

/** Share of the total time from which on the set-up counts as what dominates it. */
export const DOMINATES_FROM = 0.5;

/**
 * Probability that times which have not changed are called faster or slower by a comparison, by the number of repetitions of
 * either: simulated with times of equal probability between two bounds (test/bench/compare.test.ts). Beyond six it is less still.
 */
export const CHANCE_OF_VERDICT: Readonly<Record<number, number>> = {
  2: 0.083,
  3: 0.019,
  4: 0.0052,
  5: 0.0014,
  6: 0.00035,
};

/** How many times as long as another a time has to be, at least, to count as longer: as much as LINEAR_WITHIN leaves to noise. */
export const CLEARLY_LONGER = 4 ** LINEAR_WITHIN;

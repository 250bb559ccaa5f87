/** How much suite `pairs` measures, in full and quickly. */
export interface PairPlan {
  /** Of an intersection, in ascending order. */
  readonly probabilities: readonly number[];
  /** Random pairs of each combination of shapes at each probability. */
  readonly pairs: number;
  /** Those of them that a timed call is asked about. */
  readonly timedPairs: number;
  /** Pairs that a hardware GPU is asked about at the probability `manyAt`: the same again and again, so many that it is busy. */
  readonly manyPairs: number;
  readonly manyAt: number;
  readonly rounds: number;
  /** Pairs by which the sides of cubes are found. */
  readonly samplePairs: number;
  /** Pairs at each probability whose depth is held against separating axes, which take long on polyhedra. */
  readonly provenDepths: number;
}

/** The thesis has a million pairs, on one processor, without a reference. */
export const FULL_PAIRS: PairPlan = {
  probabilities: [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99],
  pairs: 50_000,
  timedPairs: 10_000,
  manyPairs: 1 << 20,
  manyAt: 0.5,
  rounds: 3,
  samplePairs: 8192,
  provenDepths: 100,
};

export const QUICK_PAIRS: PairPlan = {
  probabilities: [0.5],
  pairs: 1000,
  timedPairs: 1000,
  manyPairs: 1 << 16,
  manyAt: 0.5,
  rounds: 2,
  samplePairs: 512,
  provenDepths: 3,
};

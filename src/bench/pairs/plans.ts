/** How much suite `pairs` measures, in full and quickly. */
import type { AdapterSummary } from '../../index.ts';

export interface PairPlan {
  /** Of an intersection, in ascending order. */
  readonly probabilities: readonly number[];
  /** Random pairs of each combination of shapes at each probability. */
  readonly pairs: number;
  /** Those of them that a timed call is asked about, of ways that are not held against the peer. */
  readonly timedPairs: number;
  /** Pairs for a hardware GPU at the probability `manyAt`: the same again and again, so many that it is busy. */
  readonly manyPairs: number;
  readonly manyAt: number;
  readonly rounds: number;
  /** Pairs by which the sides of cubes are found. */
  readonly samplePairs: number;
  /** Pairs at each probability whose depth is held against separating axes, which take long on polyhedra. */
  readonly provenDepths: number;
  readonly growth: GrowthPlan;
  /**
   * What the GPU is asked about each combination of shapes, as `algorithm question`; default everything. Every
   * algorithm has its own kernels for every pair of kinds of shapes. Compiling them for a software adapter takes longer
   * than running them.
   */
  readonly onGpu?: Readonly<Record<string, readonly string[]>>;
}

export interface GrowthPlan {
  /** Combinations of shapes. */
  readonly shapes: readonly string[];
  /** Numbers of pairs of a call, in ascending order. */
  readonly pairs: readonly number[];
  readonly probability: number;
  readonly rounds: number;
}

/** The thesis has a million pairs, on one processor, without a reference. */
const FULL: PairPlan = {
  probabilities: [0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99],
  pairs: 50_000,
  timedPairs: 10_000,
  manyPairs: 1 << 20,
  manyAt: 0.5,
  rounds: 3,
  samplePairs: 8192,
  provenDepths: 100,
  growth: { shapes: ['box', 'ellipsoid', 'polyhedron'], pairs: [1e3, 1e4, 1e5, 1e6], probability: 0.5, rounds: 3 },
};

/** Kernels on the processor are ten times slower than on hardware: at most about eight minutes on two cores. */
const FULL_ON_SOFTWARE: PairPlan = {
  ...FULL,
  pairs: 16_000,
  timedPairs: 4096,
  growth: { ...FULL.growth, pairs: [1e3, 1e4, 1e5] },
};

/** From 2,048 pairs on, kernels are made for the kinds of shapes: they compile in half the time of those for all. */
const QUICK_PAIRS = 2048;

const QUICK: PairPlan = {
  probabilities: [0.5],
  pairs: QUICK_PAIRS,
  timedPairs: QUICK_PAIRS,
  manyPairs: 1 << 16,
  manyAt: 0.5,
  rounds: 2,
  samplePairs: 512,
  provenDepths: 3,
  growth: { shapes: ['box'], pairs: [QUICK_PAIRS, 2 * QUICK_PAIRS], probability: 0.5, rounds: 2 },
  // Every kernel once. Boxes and round boxes have the same cores, hence the same kernels of GJK and EPA.
  onGpu: {
    box: ['auto intersect', 'auto penetration', 'auto signed-distance'],
    ellipsoid: ['gjk intersect', 'gjk distance'],
    'box-ellipsoid': ['gjk-johnson distance'],
    'round-box': ['gjk penetration', 'sweep-gjk penetration'],
    polyhedron: ['mpr intersect'],
    cone: ['mpr-olvang penetration', 'mpr signed-distance'],
  },
};

export function pairPlanOf(quick: boolean, { software }: Pick<AdapterSummary, 'software'>): PairPlan {
  if (quick) return QUICK;
  return software ? FULL_ON_SOFTWARE : FULL;
}

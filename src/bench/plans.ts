/** What the suites measure: bodies, points, repetitions and limits, in full and quickly. */
import { type BodySource, foamBody, sphereBody } from './bodies.ts';
import type { SuiteReport } from './report.ts';

export interface SuitePlan {
  readonly bodies: readonly BodySource[];
  /** Points along an axis of a set; they are asked in ascending order. */
  readonly perAxis: readonly number[];
  /** Repetitions after the warm-up. */
  readonly rounds: number;
  readonly setUpRounds: number;
  /** Points per set whose flags exact predicates decide beforehand. */
  readonly sampleSize: number;
  /** Seconds that a call may be expected to take; beyond that, a part of the points is asked. */
  readonly mostCallSeconds: number;
  /** Seconds that a set-up may be expected to take; beyond that, it is left out. */
  readonly mostSetUpSeconds: number;
}

const spheres = (refinements: readonly number[]) => refinements.map(sphereBody);

/** Triangles of the paper's foams; the generator meets them within a percent. */
export const PAPER_FOAMS = [28_952, 120_868, 494_124] as const;

/** Muth et al., section 3: spheres of 8 to 131,072 triangles, and foams of the paper's three sizes. */
const PAPER: SuitePlan = {
  bodies: [...spheres([0, 1, 2, 3, 4, 5, 6, 7]), ...PAPER_FOAMS.map((triangles) => foamBody(triangles))],
  perAxis: [10, 20, 40, 80],
  rounds: 3,
  setUpRounds: 2,
  sampleSize: 2000,
  mostCallSeconds: 4,
  mostSetUpSeconds: 120,
};

const INSIDE: SuitePlan = {
  bodies: [sphereBody(7), ...[30_000, 120_000, 490_000].map((triangles) => foamBody(triangles))],
  perAxis: [80],
  rounds: 5,
  setUpRounds: 3,
  sampleSize: 5000,
  mostCallSeconds: 5,
  mostSetUpSeconds: 120,
};

const QUICK_PAPER: SuitePlan = {
  ...PAPER,
  bodies: [...spheres([0, 2, 4]), foamBody(2000, 1), foamBody(4000, 1)],
  perAxis: [10, 20],
  rounds: 2,
  setUpRounds: 1,
  sampleSize: 300,
  mostCallSeconds: 0.5,
  mostSetUpSeconds: 5,
};

const QUICK_INSIDE: SuitePlan = {
  ...INSIDE,
  bodies: [sphereBody(4), foamBody(8000)],
  perAxis: [20],
  rounds: 2,
  setUpRounds: 1,
  sampleSize: 300,
  mostCallSeconds: 0.5,
  mostSetUpSeconds: 5,
};

export function planOf(suite: SuiteReport['name'], quick: boolean): SuitePlan {
  if (suite === 'paper') return quick ? QUICK_PAPER : PAPER;
  return quick ? QUICK_INSIDE : INSIDE;
}

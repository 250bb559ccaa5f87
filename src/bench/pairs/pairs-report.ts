/**
 * The part of `report.json` that suite `pairs` writes, documented in docs/bench-report.md. Seconds, pairs per second and lengths
 * in the unit of the shapes; errors relative to a pair's size, which is both bounding radii and the distance of the centres.
 */
import type { Finding, Spread, WayReport } from '../report-common.ts';

/** What pairs are asked. The thesis has the first three; the fourth is what it calls depth and distance in one. */
export const PAIR_QUESTIONS = ['intersect', 'penetration', 'distance', 'signed-distance'] as const;
export type PairQuestion = (typeof PAIR_QUESTIONS)[number];

export interface PairsReport {
  /** Everything that was compared, in the order of tables and legends. */
  readonly ways: readonly PairWayReport[];
  readonly shapes: readonly PairShapeReport[];
  readonly findings: readonly Finding[];
  /** How times grow with the number of pairs; reports before there was such a part are without. */
  readonly growth?: readonly PairGrowthReport[];
}

export interface PairWayReport extends WayReport {
  readonly algorithm: string;
  readonly precision: 'float32' | 'float64';
  /** Gap between the bounds of a distance that was asked for, relative to the pair's size; missing of a peer, which knows none. */
  readonly tolerance?: number;
}

/** Seconds that a call took for each of its parts; the rest are checks and copies. */
export interface PairParts {
  readonly upload: number;
  readonly kernel: number;
  readonly readback: number;
  /** Redoing in float64 what float32 could not decide. */
  readonly redo: number;
}

/** A way asked one question about so many random pairs at once. */
export interface PairGrowthReport {
  readonly shape: string;
  readonly way: string;
  readonly question: PairQuestion;
  /** That a pair intersects. */
  readonly probability: number;
  readonly pairs: number;
  readonly seconds: Spread;
  /** Medians. */
  readonly parts: PairParts;
  /** Of the arrays handed over and given back; and of the GPU's memory, 0 where it did no work. */
  readonly hostBytes: number;
  readonly gpuBytes: number;
}

/** Two shapes at all probabilities. */
export interface PairShapeReport {
  /** `box`, `ellipsoid`, `box-ellipsoid`, `round-box`, `polyhedron`, `cone`. */
  readonly name: string;
  readonly label: string;
  /** Sizes of both, in words. */
  readonly sizes: string;
  readonly settings: readonly PairSettingReport[];
}

/** Random pairs in a cube. */
export interface PairSettingReport {
  /** That a pair intersects: what the cube was made for. */
  readonly probability: number;
  /** Share of the pairs that do intersect. */
  readonly intersecting: number;
  readonly cubeSide: number;
  readonly pairs: number;
  /** Over all pairs, those that are apart with depth 0 and those that intersect with distance 0; of the reference. */
  readonly meanDepth: number;
  readonly meanDistance: number;
  /** How far others than scree's algorithms confirm the reference. */
  readonly proof: PairProofReport;
  readonly runs: readonly PairRunReport[];
}

export interface PairProofReport {
  /** Pairs that a plane between them proves apart, and pairs that a point in both proves to intersect. */
  readonly apart: number;
  readonly intersecting: number;
  /** Pairs that neither proves: within rounding of touching, or with no common point among those that were tried. */
  readonly open: number;
  /** Depths that the separating axes of polytopes confirm. */
  readonly depths: number;
}

/** A way asked one question about the pairs of a setting. */
export interface PairRunReport {
  readonly way: string;
  readonly question: PairQuestion;
  /** Support points of both shapes at once that a pair took; both 0 where a way does not tell. */
  readonly calls: {
    readonly mean: number;
    /** Mean of the highest thousandth of the pairs: the thesis' 1000 of a million. */
    readonly highest: number;
  };
  /** Pairs that the algorithm left to a surer one. */
  readonly undecided: number;
  /** Pairs held against the reference, and how many of a peer's are on the wrong side; scree's own end the run. */
  readonly checked: number;
  readonly wrong: number;
  /** Pairs whose side is not that of GJK in the same number format. */
  readonly disagreeing: number;
  /** Of depths and distances, relative to the pair's size: how far they are off at most, and on average. */
  readonly error: { readonly worst: number; readonly mean: number };
  /** Mean depth over all pairs, those apart with 0; 0 where no depth was asked. */
  readonly meanDepth: number;
  /** Share of the intersecting pairs whose depth is within a hundredth of the reference's; 0 where no depth was asked. */
  readonly within: number;
  /** Pairs of a timed call, what it took, and the rate. */
  readonly timedPairs: number;
  readonly seconds: Spread;
  /** Kernels by the GPU's own clock, where it has one. */
  readonly gpu?: Spread;
  /** Medians of a timed call; missing of a peer. */
  readonly parts?: PairParts;
  readonly pairsPerSecond: Spread;
  /** Median over rounds of how many times as fast as Rapier; 0 where that did not run. */
  readonly ratioToPeer: number;
}

/** What a way answered about two shapes when asked a question: a run for each probability, in their order. */
export function runsOf({ settings }: PairShapeReport, way: string, question: PairQuestion): PairRunReport[] {
  return settings.flatMap(({ runs }) => runs.filter((run) => run.way === way && run.question === question));
}

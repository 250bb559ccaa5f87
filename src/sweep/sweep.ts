/** A parameter sweep, as it is read from a file. docs/cluster.md describes the format. */
import type { ResponseName } from '../index.ts';
import type { Fields } from '../io/scene/scene-fields.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
  readonly scale: 'linear' | 'log';
}

/** What varies: one value at all of its paths. */
export type Parameter = {
  readonly name: string;
  /** JSON Pointers into the scene. */
  readonly paths: readonly string[];
} & (
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | ({ readonly kind: 'range'; readonly count: number } & Range)
  | ({ readonly kind: 'samples' } & Range)
);

/** What `simulate` in a sweep may say: options of `scree simulate`. */
export interface SweepRun {
  readonly duration?: number;
  readonly timeStep?: number;
  readonly response?: ResponseName;
  readonly frames?: number;
  readonly series?: boolean;
  readonly picture?: boolean;
  readonly film?: boolean;
  readonly laws?: string;
}

export interface Sweep {
  /** The scene in which parameters are set. */
  readonly scene: Fields;
  readonly parameters: readonly Parameter[];
  /** Points of the Latin hypercube; 1 where nothing is sampled. */
  readonly samples: number;
  /** How often each combination is run, and where a task's own seeds go. */
  readonly repetitions: { readonly count: number; readonly paths: readonly string[] };
  readonly seed: number;
  readonly simulate: SweepRun;
  /** What `scree sweep DIR --collect` makes columns of. */
  readonly collect: readonly string[];
}

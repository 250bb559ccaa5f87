/** What a case of `scree validate` is, and the rows that it gives. */

import type { Chart } from '../chart.ts';
import type { Simulation, SimulationOptions, SimulationScene } from '../index.ts';

/** How far a value may be off, and why as far as that. */
export interface Tolerance {
  /** A share of what is expected for `equal`, in the value's own unit for `near`. */
  readonly within: number;
  readonly because: string;
  readonly unit?: string;
}

/** One value, what was expected of it, and how far it is off. */
export interface Row {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  /** As the tolerance is: a share, or in the value's unit. Of a bound: the value itself. */
  readonly error: number;
  readonly tolerance: number;
  readonly isShare: boolean;
  /** Nothing was expected but that the value is on one side of the tolerance. */
  readonly isBound: boolean;
  readonly because: string;
  readonly passed: boolean;
}

export interface CaseResult {
  readonly rows: readonly Row[];
  readonly charts?: readonly Chart[];
}

/** What a case is given. */
export interface CaseContext {
  /** For the tests: as few samples as show that the case works. */
  readonly isQuick: boolean;
  /** A simulation that ends with the case. */
  readonly simulate: (scene: SimulationScene, options?: SimulationOptions) => Promise<Simulation>;
  /** Says how much of the case is done, and throws where the user has stopped it. */
  readonly progress: (done: number, total: number) => void;
}

export interface ValidationCase {
  readonly name: string;
  /** What it shows, in a sentence. */
  readonly shows: string;
  /** Where what is expected comes from. */
  readonly source: string;
  /** Minutes instead of seconds: runs with `--long` or by its name. */
  readonly isLong?: boolean;
  readonly run: (context: CaseContext) => Promise<CaseResult>;
}

/** Four significant digits, or as many as are asked for. */
export function numberText(value: number, digits = 4): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return value
      .toExponential(digits - 1)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e');
  }
  return String(Number(value.toPrecision(digits)));
}

/** A value that has to be what is expected, but for a share of it. */
export function equal(what: string, got: number, expected: number, tolerance: Tolerance): Row {
  return row(what, got, expected, tolerance, Math.abs(got / expected - 1), true);
}

/** A value that has to be what is expected, but for an amount in its own unit. */
export function near(what: string, got: number, expected: number, tolerance: Tolerance): Row {
  return row(what, got, expected, tolerance, Math.abs(got - expected), false);
}

/** A value that may not exceed a bound. */
export function below(what: string, got: number, { within, because, unit = '' }: Tolerance): Row {
  const own = { what, expected: `at most ${numberText(within)}${unit}`, got: `${numberText(got)}${unit}` };
  return {
    ...own,
    error: got,
    tolerance: within,
    isShare: false,
    isBound: true,
    because,
    passed: got <= within,
  };
}

/** A value that may not be less than a bound. */
export function above(what: string, got: number, { within, because, unit = '' }: Tolerance): Row {
  const own = { what, expected: `at least ${numberText(within)}${unit}`, got: `${numberText(got)}${unit}` };
  return {
    ...own,
    error: got,
    tolerance: within,
    isShare: false,
    isBound: true,
    because,
    passed: got >= within,
  };
}

function row(
  what: string,
  got: number,
  expected: number,
  { within, because, unit = '' }: Tolerance,
  error: number,
  isShare: boolean,
): Row {
  const texts = { expected: `${numberText(expected)}${unit}`, got: `${numberText(got)}${unit}` };
  const own = { what, ...texts, error, tolerance: within, isShare, isBound: false };
  return { ...own, because, passed: error <= within };
}

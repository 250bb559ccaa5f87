/** What a case of `scree validate` is, and the rows that it gives. */

import type { Chart } from '../chart.ts';
import type { Simulation, SimulationOptions, SimulationScene } from '../index.ts';

/** How far a value may be off, and why as far as that. */
export interface Tolerance {
  /** A share of what is expected for `equal`, in the value's own unit for `near`. */
  readonly within: number;
  readonly because: string;
  readonly unit?: string;
  /** In its place where steps are made in float32, on the GPU. Default: the same. */
  readonly inFloat32?: { readonly within: number; readonly because: string };
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
  /** The same value, held to what float32 allows. */
  readonly inFloat32?: Row;
}

export interface CaseResult {
  readonly rows: readonly Row[];
  readonly charts?: readonly Chart[];
}

/** What a case is given. */
export interface CaseContext {
  /** For the tests: as few samples as show that the case works. */
  readonly isQuick: boolean;
  /** Steps are made on a software adapter, where even one of few bodies takes tens of milliseconds. */
  readonly isOnSoftware: boolean;
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
  /** Why it is left out where steps are made in float32, on the GPU. */
  readonly needsFloat64?: string;
  /** Why it is left out on software adapters, unless somebody names it. */
  readonly needsHardware?: string;
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
  return row(what, got, numberText(expected), tolerance, {
    ...{ error: Math.abs(got / expected - 1), isShare: true, isBound: false },
    holds: (error, within) => error <= within,
  });
}

/** A value that has to be what is expected, but for an amount in its own unit. */
export function near(what: string, got: number, expected: number, tolerance: Tolerance): Row {
  return row(what, got, numberText(expected), tolerance, {
    ...{ error: Math.abs(got - expected), isShare: false, isBound: false },
    holds: (error, within) => error <= within,
  });
}

/** A value that may not exceed a bound. */
export function below(what: string, got: number, tolerance: Tolerance): Row {
  return row(what, got, 'at most', tolerance, {
    ...{ error: got, isShare: false, isBound: true },
    holds: (value, within) => value <= within,
  });
}

/** A value that may not be less than a bound. */
export function above(what: string, got: number, tolerance: Tolerance): Row {
  return row(what, got, 'at least', tolerance, {
    ...{ error: got, isShare: false, isBound: true },
    holds: (value, within) => value >= within,
  });
}

function row(
  what: string,
  got: number,
  expected: string,
  { within, because, unit = '', inFloat32 }: Tolerance,
  how: Pick<Row, 'error' | 'isShare' | 'isBound'> & { holds: (error: number, within: number) => boolean },
): Row {
  const { holds, ...own } = how;
  const bound = own.isBound ? ` ${numberText(within)}` : '';
  return {
    ...{ what, expected: `${expected}${bound}${unit}`, got: `${numberText(got)}${unit}`, ...own },
    ...{ tolerance: within, because, passed: holds(own.error, within) },
    ...(inFloat32 ? { inFloat32: row(what, got, expected, { ...inFloat32, unit }, how) } : {}),
  };
}

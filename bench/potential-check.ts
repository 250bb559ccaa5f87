/**
 * Potentials against exact winding numbers. Every value has to be within its bound, and every flag that the bound makes
 * certain has to be the exact one: anything else ends the run.
 */

import { WrongFlags } from '../src/bench/check.ts';
import { BOUNDARY, DOUBTFUL } from '../src/inside/classification.ts';
import { certifyClosed } from '../src/inside/multipole/certify.ts';
import type { Potentials } from './potential-way.ts';

export interface Accuracy {
  readonly points: number;
  /** Of |J - exact|, over points off the surface, as all others here. */
  readonly largestError: number;
  readonly rmsError: number;
  /** Points whose J is off by more than 1/2: a whole turn, as bounds of 1 and more announce. Not in `smallError`. */
  readonly turns: number;
  /** The largest error of all other points. */
  readonly smallError: number;
  readonly meanBound: number;
  readonly largestBound: number;
  /** Share of points whose flag the bound leaves open; 0 .. 1. */
  readonly doubtful: number;
}

/** Differences that no error of the method is behind: exact J of float64 sums of solid angles. */
export interface Expected {
  /** Exact J per point, at least as many as there are values; points for which `skip` holds are left out. */
  readonly exact: ArrayLike<number>;
  readonly skip: (i: number) => boolean;
}

/** @throws WrongFlags where |J - exact| exceeds its bound. */
export function requireWithinBounds(
  what: string,
  { values, bounds }: Potentials,
  expected: Expected,
): Omit<Accuracy, 'doubtful'> {
  const { exact, skip } = expected;
  let [points, largestError, squares, sum, largestBound] = [0, 0, 0, 0, 0];
  let [turns, smallError] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (skip(i)) continue;
    const error = Math.abs(values[i]! - exact[i]!);
    const bound = bounds[i]!;
    // The other way round, NaN would pass.
    if (!(error <= bound)) {
      throw new WrongFlags(`${what}: J of point ${i} is ${values[i]}, expected ${exact[i]} within ${bound}`);
    }
    points++;
    squares += error * error;
    sum += bound;
    largestError = Math.max(largestError, error);
    if (error > 0.5) turns++;
    else smallError = Math.max(smallError, error);
    largestBound = Math.max(largestBound, bound);
  }
  return {
    points,
    largestError,
    rmsError: Math.sqrt(squares / points),
    turns,
    smallError,
    meanBound: sum / points,
    largestBound,
  };
}

/**
 * @param flags exact ones of a closed surface that winds at most once around any point, so that J is the flag; at least
 * as many as there are values
 * @throws WrongFlags for a wrong flag that is called certain, and where a bound does not hold
 */
export function requireAccuracy(what: string, potentials: Potentials, flags: Uint8Array): Accuracy {
  const { values, bounds } = potentials;
  const certain = certifyClosed(
    { values: Float64Array.from(values), bounds: Float64Array.from(bounds) },
    'odd',
  );
  let doubtful = 0;
  for (let i = 0; i < certain.length; i++) {
    if (certain[i] === DOUBTFUL) doubtful++;
    else if (certain[i] !== flags[i]) {
      throw new WrongFlags(
        `${what}: point ${i} has the flag ${certain[i]} from J = ${values[i]} within ${bounds[i]}, expected ${flags[i]}`,
      );
    }
  }
  // On the surface J is an angle, and no bound is claimed to be small.
  const skip = (i: number) => flags[i] === BOUNDARY;
  return {
    ...requireWithinBounds(what, potentials, { exact: flags, skip }),
    doubtful: doubtful / certain.length,
  };
}

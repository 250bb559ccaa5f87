/** Flags from a double-layer potential and its bound. What the bound leaves open is for exact predicates. */

import { type CrossingRule, DOUBTFUL, INSIDE, OUTSIDE } from '../classification.ts';

/** J and its bound per point. */
interface BoundedValues {
  readonly values: Float32Array | Float64Array;
  readonly bounds: Float32Array | Float64Array;
}

/**
 * Flags of points by the potential of a closed, consistently oriented surface, which is a whole number off the
 * surface: the winding number. It is certain where only one whole number is within the bound. Points on the surface
 * have a bound of 1 or more, so they are never certain.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyClosed({ values, bounds }: BoundedValues, rule: CrossingRule): Uint8Array {
  // Array.from with a function takes seven times as long.
  const flags = new Uint8Array(values.length);
  for (let i = 0; i < flags.length; i++) {
    const winding = Math.ceil(values[i]! - bounds[i]!);
    // None at all would be a broken bound or an open surface: no flag for that either.
    if (winding !== Math.floor(values[i]! + bounds[i]!)) flags[i] = DOUBTFUL;
    else flags[i] = (rule === 'odd' ? winding % 2 !== 0 : winding !== 0) ? INSIDE : OUTSIDE;
  }
  return flags;
}

/**
 * Flags of points by the generalised winding number of any surface: inside where J > 1/2. Certain where J is farther
 * from 1/2 than the bound, and that is below 1: points on the surface, however many layers there are around them, are
 * not.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyWinding({ values, bounds }: BoundedValues): Uint8Array {
  const flags = new Uint8Array(values.length);
  for (let i = 0; i < flags.length; i++) {
    if (!(Math.abs(values[i]! - 0.5) > bounds[i]! && bounds[i]! < 1)) flags[i] = DOUBTFUL;
    else flags[i] = values[i]! > 0.5 ? INSIDE : OUTSIDE;
  }
  return flags;
}

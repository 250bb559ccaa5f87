/** Flags from a double-layer potential and its bound. What the bound leaves open is for exact predicates. */

import { DOUBTFUL } from '../cell-grid/reference.ts';
import { type CrossingRule, INSIDE, OUTSIDE } from '../classification.ts';

/** J and its bound per point. */
interface BoundedValues {
  readonly values: Float32Array | Float64Array;
  readonly bounds: Float32Array | Float64Array;
}

/**
 * Flags of points by the potential of a closed, consistently oriented surface, which is a whole number off the surface: the
 * winding number. It is certain where only one whole number is within the bound. Points on the surface have a bound of 1
 * or more, so they are never certain.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyClosed({ values, bounds }: BoundedValues, rule: CrossingRule): Uint8Array {
  return Uint8Array.from(values, (value: number, i: number) => {
    const winding = Math.ceil(value - bounds[i]!);
    // None at all would be a broken bound or an open surface: no flag for that either.
    if (winding !== Math.floor(value + bounds[i]!)) return DOUBTFUL;
    return (rule === 'odd' ? winding % 2 !== 0 : winding !== 0) ? INSIDE : OUTSIDE;
  });
}

/**
 * Flags of points by the generalised winding number of any surface: inside where J > 1/2. Certain where J is farther from
 * 1/2 than the bound, and that is below 1: points on the surface, however many layers there are around them, are not.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyWinding({ values, bounds }: BoundedValues): Uint8Array {
  return Uint8Array.from(values, (value: number, i: number) => {
    if (!(Math.abs(value - 0.5) > bounds[i]! && bounds[i]! < 1)) return DOUBTFUL;
    return value > 0.5 ? INSIDE : OUTSIDE;
  });
}

/** Flags from a double-layer potential and its bound. What the bound leaves open is for exact predicates. */

import { DOUBTFUL } from './cell-grid.reference.ts';
import { INSIDE, OUTSIDE, type Rule } from './classification.ts';
import type { Potential } from './solid-angle.ts';

/**
 * Flags of points by the potential of a closed, consistently oriented surface, which is a whole number off the surface: the
 * winding number. It is certain where only one whole number is within the bound. Points on the surface have a bound of 1
 * or more, so they are never certain.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyClosed({ values, bounds }: Potential, rule: Rule): Uint8Array {
  return Uint8Array.from(values, (value, i) => {
    const winding = Math.ceil(value - bounds[i]!);
    // None at all would be a broken bound or an open surface: no flag for that either.
    if (winding !== Math.floor(value + bounds[i]!)) return DOUBTFUL;
    return (rule === 'odd' ? winding % 2 !== 0 : winding !== 0) ? INSIDE : OUTSIDE;
  });
}

/**
 * Flags of points by the generalised winding number of any surface: inside where J > 1/2. Certain where J is farther from
 * 1/2 than the bound.
 *
 * @returns OUTSIDE, INSIDE or DOUBTFUL per point
 */
export function certifyWinding({ values, bounds }: Potential): Uint8Array {
  return Uint8Array.from(values, (value, i) => {
    if (!(Math.abs(value - 0.5) > bounds[i]!)) return DOUBTFUL;
    return value > 0.5 ? INSIDE : OUTSIDE;
  });
}

/** Where a line along x crosses a triangle's plane, in float64 with a bound that holds. */
import { CROSSING_PLACE_ROUNDING, LEAST_CROSSING_NORMAL } from './constants.ts';

/** Filled by `crossingShift`. */
export interface CrossingShift {
  /** From the first corner's x to the crossing. */
  shift: number;
  /** Bound on the error of the shift; Infinity where the triangle is seen so nearly edge-on that there is none. */
  error: number;
}

/**
 * The crossing of the line through (y, z) along x with the plane of a triangle a, b, c.
 *
 * With u = 2^-53, every difference of coordinates is off by u of itself, so the normal's components, differences of two
 * products, by at most 4 u of the sums of these products' absolute values. |px| is insisted on to be above 2^-46 of its
 * sum: then it is off by 2^-5 of itself at most, and the sums of `terms` hold the errors of numerator (7 u) and
 * denominator (4 u) with (1 + 2^-4) for the division by the px found: below 8 u, and CROSSING_PLACE_ROUNDING is 16 u.
 */
export function crossingShift(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  y: number,
  z: number,
  result: CrossingShift,
): void {
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const px = uy * vz - uz * vy;
  const py = uz * vx - ux * vz;
  const pz = ux * vy - uy * vx;
  const normal = Math.abs(uy * vz) + Math.abs(uz * vy);
  const shift = -((y - ay) * py + (z - az) * pz) / px;
  const terms =
    Math.abs(y - ay) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(z - az) * (Math.abs(ux * vy) + Math.abs(uy * vx)) +
    Math.abs(shift) * normal;
  result.shift = shift;
  result.error =
    Math.abs(px) > LEAST_CROSSING_NORMAL * normal
      ? (CROSSING_PLACE_ROUNDING * terms) / Math.abs(px)
      : Infinity;
}

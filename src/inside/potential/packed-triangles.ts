/** Triangles as the kernels that add solid angles read them, and what these take as parameters. */

import { FLOAT32_SPACING } from '../../constants.ts';
import {
  ARGUMENT_ERROR,
  LEAST_HEIGHT_32,
  LEAST_LENGTH_32,
  LEAST_PRODUCT_32,
  SOLID_ANGLE_DOUBT_32,
  SOLID_ANGLE_ROUNDING_32,
  TRIANGLE_FLOATS,
  WHOLE_TURN,
} from './constants.ts';
import { float32Above } from './unit-frame.ts';

/** Points of a thread. */
export const POINTS_PER_THREAD = 4;
/**
 * Farther points, in extents of the mesh, are no kernel's: products of four lengths would leave float32's range.
 */
export const FARTHEST = 2 ** 16;

/**
 * Corners in the unit frame, and the size below which a triangle's number is doubtful: a length may be inexact then.
 *
 * @param corners nine coordinates per triangle, in the local frame
 */
export function packTriangles(corners: Float64Array, scale: number): Float32Array<ArrayBuffer> {
  const count = corners.length / 9;
  const packed = new Float32Array(TRIANGLE_FLOATS * count);
  for (let t = 0; t < count; t++) {
    let longest = 0;
    for (let k = 0; k < 9; k++) {
      packed[TRIANGLE_FLOATS * t + k] = corners[9 * t + k]! * scale;
      const opposite = 9 * t + ((k + 3) % 9);
      // Not below half the longest edge.
      longest = Math.max(longest, Math.abs(corners[9 * t + k]! - corners[opposite]!) * scale);
    }
    // With a corner nearer than LEAST_LENGTH_32 the two others are within that of an edge, and num and den within 4.2
    // |a||b||c|.
    const size = 8 * LEAST_LENGTH_32 * (2 * longest + LEAST_LENGTH_32) ** 2;
    packed[TRIANGLE_FLOATS * t + 9] = float32Above(Math.max(size, LEAST_PRODUCT_32));
  }
  return packed;
}

/** Of a float32 sum of so many numbers that are not negative, what is left of it at least. */
export function leastPartOfSum(count: number): number {
  return Math.max(1 - count * FLOAT32_SPACING, 2 ** -10);
}

/** What the kernels' bounds are made of, for sums over so many triangles. */
export function solidAngleParams(triangles: number) {
  const left = leastPartOfSum(triangles);
  const rounding = float32Above(SOLID_ANGLE_ROUNDING_32 / left);
  return {
    doubt: SOLID_ANGLE_DOUBT_32,
    leastHeight: LEAST_HEIGHT_32,
    rounding,
    turn: float32Above(WHOLE_TURN / (rounding * left)),
    constant: ARGUMENT_ERROR,
  };
}

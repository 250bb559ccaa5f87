// Poses: position and unit quaternion (x, y, z, w), seven numbers. A rotation is kept as its matrix, nine numbers by
// rows.

import { InputError } from '../../errors.ts';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../constants.ts';

/** Numbers per pose: position x, y, z, then quaternion x, y, z, w. */
export const POSE_SIZE = 7;

/**
 * Rotation matrix, by rows, of a quaternion that need not be exactly of unit length: dividing by its squared length
 * makes the matrix orthogonal to rounding.
 */
export function rotationOf(
  x: number,
  y: number,
  z: number,
  w: number,
  out: Float64Array,
  offset: number,
): void {
  const s = 2 / (x * x + y * y + z * z + w * w);
  out[offset] = 1 - s * (y * y + z * z);
  out[offset + 1] = s * (x * y - z * w);
  out[offset + 2] = s * (x * z + y * w);
  out[offset + 3] = s * (x * y + z * w);
  out[offset + 4] = 1 - s * (x * x + z * z);
  out[offset + 5] = s * (y * z - x * w);
  out[offset + 6] = s * (x * z - y * w);
  out[offset + 7] = s * (y * z + x * w);
  out[offset + 8] = 1 - s * (x * x + y * y);
}

/**
 * Checks poses and turns them into matrices and positions, twelve numbers each.
 *
 * @throws InputError if the length is not a multiple of seven, a position is not a number of at most
 * `LARGEST_SHAPE_SIZE`, or a quaternion is not of unit length within `QUATERNION_NORM_TOLERANCE`.
 */
export function placements(poses: Float32Array | Float64Array): Float64Array {
  if (poses.length % POSE_SIZE !== 0) {
    throw new InputError(`poses: ${poses.length} numbers found, expected a multiple of ${POSE_SIZE}`);
  }
  const count = poses.length / POSE_SIZE;
  const out = new Float64Array(12 * count);
  for (let i = 0; i < count; i++) {
    const p = POSE_SIZE * i;
    const x = poses[p + 3]!;
    const y = poses[p + 4]!;
    const z = poses[p + 5]!;
    const w = poses[p + 6]!;
    const squared = x * x + y * y + z * z + w * w;
    // Written so that NaN fails as well.
    if (!(Math.abs(squared - 1) <= 2 * QUATERNION_NORM_TOLERANCE)) {
      throw new InputError(
        `poses: quaternion of pose ${i} has the length ${Math.sqrt(squared)}, expected 1 within ${QUATERNION_NORM_TOLERANCE}`,
      );
    }
    rotationOf(x, y, z, w, out, 12 * i);
    const px = poses[p]!;
    const py = poses[p + 1]!;
    const pz = poses[p + 2]!;
    // Squares of larger ones overflow.
    if (
      !(
        Math.abs(px) <= LARGEST_SHAPE_SIZE &&
        Math.abs(py) <= LARGEST_SHAPE_SIZE &&
        Math.abs(pz) <= LARGEST_SHAPE_SIZE
      )
    ) {
      const value = [px, py, pz].find((one) => !(Math.abs(one) <= LARGEST_SHAPE_SIZE));
      throw new InputError(
        `poses: position of pose ${i} has the coordinate ${value}, expected a number of at most ${LARGEST_SHAPE_SIZE}`,
      );
    }
    out[12 * i + 9] = px;
    out[12 * i + 10] = py;
    out[12 * i + 11] = pz;
  }
  return out;
}

/** Placement of a part: that of the whole after that of the part in it. */
export function compose(w: Float64Array, o: number, p: Float64Array, q: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const x = w[o + 3 * i]!;
    const y = w[o + 3 * i + 1]!;
    const z = w[o + 3 * i + 2]!;
    for (let j = 0; j < 3; j++) out[3 * i + j] = x * p[q + j]! + y * p[q + 3 + j]! + z * p[q + 6 + j]!;
    out[9 + i] = w[o + 9 + i]! + (x * p[q + 9]! + y * p[q + 10]! + z * p[q + 11]!);
  }
}

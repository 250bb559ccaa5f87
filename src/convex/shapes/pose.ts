// Poses: position and unit quaternion (x, y, z, w), seven numbers. A rotation is kept as its matrix, nine numbers by
// rows.
//
// wgpu-matrix does not fit here: docs/gpu-layer.md, "What stays raw".

import { found } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../constants.ts';

/** Numbers per pose: position x, y, z, then quaternion x, y, z, w. */
export const POSE_SIZE = 7;

/**
 * Rotation matrix, by rows, of a quaternion that need not be exactly of unit length: dividing by its squared length
 * makes the matrix orthogonal to rounding.
 */
export function writeRotation(
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

/** Numbers of a placement: rotation by rows, then position. */
export const PLACEMENT = 12;

type Poses = Float32Array | Float64Array;

/**
 * Whether poses `first .. end - 1` can be used: positions of numbers of at most `LARGEST_SHAPE_SIZE`, and quaternions
 * of unit length within `QUATERNION_NORM_TOLERANCE`.
 */
export function arePoses(poses: Poses, first: number, end: number): boolean {
  for (let p = POSE_SIZE * first; p < POSE_SIZE * end; p += POSE_SIZE) {
    if (!isPosition(poses[p]!, poses[p + 1]!, poses[p + 2]!)) return false;
    if (!isUnit(poses[p + 3]!, poses[p + 4]!, poses[p + 5]!, poses[p + 6]!)) return false;
  }
  return true;
}

// Both are written so that NaN fails as well.

function isPosition(x: number, y: number, z: number): boolean {
  // One comparison for nearly all.
  if (Math.abs(x) + Math.abs(y) + Math.abs(z) <= LARGEST_SHAPE_SIZE) return true;
  return [x, y, z].every((one) => Math.abs(one) <= LARGEST_SHAPE_SIZE);
}

function isUnit(x: number, y: number, z: number, w: number): boolean {
  return Math.abs(x * x + y * y + z * z + w * w - 1) <= 2 * QUATERNION_NORM_TOLERANCE;
}

/**
 * Turns pose i into a placement: twelve numbers from `offset` on, the rotation by rows and the position. False, with
 * nothing written, if the pose cannot be used.
 */
export function placePose(poses: Poses, i: number, out: Float64Array, offset: number): boolean {
  const p = POSE_SIZE * i;
  const px = poses[p]!;
  const py = poses[p + 1]!;
  const pz = poses[p + 2]!;
  const x = poses[p + 3]!;
  const y = poses[p + 4]!;
  const z = poses[p + 5]!;
  const w = poses[p + 6]!;
  if (!(isPosition(px, py, pz) && isUnit(x, y, z, w))) return false;
  writeRotation(x, y, z, w, out, offset);
  out[offset + 9] = px;
  out[offset + 10] = py;
  out[offset + 11] = pz;
  return true;
}

/** Poses as rotations and positions, twelve numbers each. They have been checked. */
export function placements(poses: Poses): Float64Array {
  const count = poses.length / POSE_SIZE;
  const out = new Float64Array(PLACEMENT * count);
  for (let i = 0; i < count; i++) placePose(poses, i, out, PLACEMENT * i);
  return out;
}

/** @throws InputError for the first pose that cannot be used (`arePoses`); the message calls it by its name. */
export function requirePoses(poses: Poses, nameOf = (i: number) => `pose ${i}`): void {
  const count = poses.length / POSE_SIZE;
  if (arePoses(poses, 0, count)) return;
  for (let i = 0; i < count; i++) {
    if (arePoses(poses, i, i + 1)) continue;
    const [x, y, z, ...rotation] = poses.subarray(POSE_SIZE * i, POSE_SIZE * (i + 1));
    const place = `poses: ${nameOf(i)}`;
    requireRotation(`${place}: rotation`, rotation);
    requirePosition(`${place}: position`, [x!, y!, z!]);
  }
}

/** @throws InputError for a position whose squares would overflow, or that has a number that is not finite. */
export function requirePosition(place: string, position: readonly number[]): void {
  if (position.every((x) => Math.abs(x) <= LARGEST_SHAPE_SIZE)) return;
  throw new InputError(
    `${place} is ${found(position)}, expected three numbers of at most ${LARGEST_SHAPE_SIZE}`,
  );
}

/** @throws InputError for a quaternion that is not of unit length within QUATERNION_NORM_TOLERANCE. */
export function requireRotation(place: string, rotation: readonly number[]): void {
  const [x, y, z, w] = rotation as [number, number, number, number];
  if (isUnit(x, y, z, w)) return;
  const length = Math.hypot(x, y, z, w);
  throw new InputError(
    `${place} is ${found(rotation)} of length ${length}, expected a quaternion x, y, z, w of length 1`,
  );
}

/** Poses rounded to float32, and what rounding left of them. */
export function splitPoses(poses: Poses) {
  const rounded = Float32Array.from(poses);
  return { poses: rounded, poseRests: Float32Array.from(poses, (x, i) => x - rounded[i]!) };
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

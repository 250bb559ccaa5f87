/** Where two bodies are: poses of callers, and one body in the frame of the other. */
import { told } from '../arguments.ts';
import { UNIT_ERROR } from '../constants.ts';
import { POSE_SIZE, writeRotation } from '../convex/shapes/pose.ts';
import { InputError } from '../errors.ts';

/** `[14]`: of body a, then of body b, position and unit quaternion x, y, z, w. */
export type PosePair = ArrayLike<number>;

/**
 * @param call for the message, as is the name of the poses
 * @throws InputError unless these are two poses of finite positions and unit quaternions.
 */
export function requirePoses(call: string, name: string, poses: unknown): asserts poses is PosePair {
  const isList = Array.isArray(poses) || (ArrayBuffer.isView(poses) && !(poses instanceof DataView));
  if (!isList || (poses as PosePair).length !== 2 * POSE_SIZE) {
    throw new InputError(
      `${call}: ${name}: found ${told(poses)}, expected 14 numbers: position and quaternion of a, of b`,
    );
  }
  for (let at = 0; at < 2 * POSE_SIZE; at += POSE_SIZE) {
    if (isPose(poses as PosePair, at)) continue;
    const place = `${call}: ${name}`;
    const body = at === 0 ? 'a' : 'b';
    const pose = Array.from(poses as ArrayLike<number>).slice(at, at + POSE_SIZE);
    const odd = pose.findIndex((x) => !Number.isFinite(x));
    if (odd >= 0)
      throw new InputError(
        `${place}: number ${odd} of ${body} is ${told(pose[odd])}, expected a finite number`,
      );
    throw new InputError(
      `${place}: the quaternion of ${body} has length ${Math.hypot(...pose.slice(3))}, expected 1`,
    );
  }
}

function isPose(poses: PosePair, at: number): boolean {
  let square = 0;
  for (let k = 0; k < POSE_SIZE; k++) {
    const x = poses[at + k];
    if (!Number.isFinite(x)) return false;
    if (k >= 3) square += x! * x!;
  }
  return Math.abs(Math.sqrt(square) - 1) <= UNIT_ERROR;
}

/** A turn and a shift: x -> R x + t. */
export interface Placement {
  /** `[9]`: rows of R. */
  readonly turn: Float64Array;
  /** `[3]` */
  readonly shift: Float64Array;
}

export function newPlacement(): Placement {
  return { turn: new Float64Array(9), shift: new Float64Array(3) };
}

/** A body's frame in the world, written to a placement. */
export function placementOf(poses: PosePair, at: number, out = newPlacement()): Placement {
  writeRotation(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, out.turn, 0);
  for (let k = 0; k < 3; k++) out.shift[k] = poses[at + k]!;
  return out;
}

/** Body b in the frame of body a, written to a third placement. */
export function relativePlacement(a: Placement, b: Placement, out = newPlacement()): Placement {
  const { turn: p, shift: from } = a;
  const { turn: q, shift: to } = b;
  const dx = to[0]! - from[0]!;
  const dy = to[1]! - from[1]!;
  const dz = to[2]! - from[2]!;
  for (let i = 0; i < 3; i++) {
    const x = p[i]!;
    const y = p[3 + i]!;
    const z = p[6 + i]!;
    out.turn[3 * i] = x * q[0]! + y * q[3]! + z * q[6]!;
    out.turn[3 * i + 1] = x * q[1]! + y * q[4]! + z * q[7]!;
    out.turn[3 * i + 2] = x * q[2]! + y * q[5]! + z * q[8]!;
    out.shift[i] = x * dx + y * dy + z * dz;
  }
  return out;
}

const IDENTITY: Placement = {
  turn: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  shift: new Float64Array(3),
};

/** Body a in the frame of body b, from b in the frame of a. */
export function inverseOf(placement: Placement): Placement {
  return relativePlacement(placement, IDENTITY);
}

/** Writes points, `[n * 3]`, as they are placed; `length` numbers. */
export function place(
  { turn, shift }: Placement,
  from: ArrayLike<number>,
  first: number,
  to: Float64Array,
  length = to.length,
): void {
  for (let at = 0; at < length; at += 3) {
    const x = from[first + at]!;
    const y = from[first + at + 1]!;
    const z = from[first + at + 2]!;
    to[at] = turn[0]! * x + turn[1]! * y + turn[2]! * z + shift[0]!;
    to[at + 1] = turn[3]! * x + turn[4]! * y + turn[5]! * z + shift[1]!;
    to[at + 2] = turn[6]! * x + turn[7]! * y + turn[8]! * z + shift[2]!;
  }
}

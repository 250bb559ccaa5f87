/** Where two bodies are: poses of callers, and one body in the frame of the other. */
import { told } from '../arguments.ts';
import { UNIT_ERROR } from '../constants.ts';
import { POSE_SIZE, writeRotation } from '../convex/shapes/pose.ts';
import { InputError } from '../errors.ts';

/** `[14]`: of body a, then of body b, position and unit quaternion x, y, z, w. */
export type PosePair = ArrayLike<number>;

/** @throws InputError unless these are two poses of finite positions and unit quaternions. */
export function requirePoses(place: string, poses: unknown): asserts poses is PosePair {
  const { length } = Object(poses) as { length?: unknown };
  const isList = Array.isArray(poses) || (ArrayBuffer.isView(poses) && !(poses instanceof DataView));
  if (!isList || length !== 2 * POSE_SIZE) {
    throw new InputError(
      `${place}: found ${told(poses)}, expected 14 numbers: position and quaternion of a, of b`,
    );
  }
  for (let at = 0; at < 2 * POSE_SIZE; at += POSE_SIZE) {
    const body = at === 0 ? 'a' : 'b';
    const pose = Array.from(poses as ArrayLike<number>).slice(at, at + POSE_SIZE);
    const odd = pose.findIndex((x) => !Number.isFinite(x));
    if (odd >= 0)
      throw new InputError(
        `${place}: number ${odd} of ${body} is ${told(pose[odd])}, expected a finite number`,
      );
    const norm = Math.hypot(...pose.slice(3));
    if (Math.abs(norm - 1) > UNIT_ERROR) {
      throw new InputError(`${place}: the quaternion of ${body} has length ${norm}, expected 1`);
    }
  }
}

/** A turn and a shift: x -> R x + t. */
export interface Placement {
  /** `[9]`: rows of R. */
  readonly turn: Float64Array;
  /** `[3]` */
  readonly shift: Float64Array;
}

/** A body's frame in the world. */
export function placementOf(poses: PosePair, at: number): Placement {
  const turn = new Float64Array(9);
  writeRotation(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, turn, 0);
  return { turn, shift: Float64Array.of(poses[at]!, poses[at + 1]!, poses[at + 2]!) };
}

/** Body b in the frame of body a. */
export function relativePlacement(a: Placement, b: Placement): Placement {
  const turn = new Float64Array(9);
  const shift = new Float64Array(3);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const column = a.turn[3 * k + i]!;
      for (let j = 0; j < 3; j++) turn[3 * i + j]! += column * b.turn[3 * k + j]!;
      shift[i]! += column * (b.shift[k]! - a.shift[k]!);
    }
  }
  return { turn, shift };
}

const IDENTITY: Placement = {
  turn: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
  shift: new Float64Array(3),
};

/** Body a in the frame of body b, from b in the frame of a. */
export function inverseOf(placement: Placement): Placement {
  return relativePlacement(placement, IDENTITY);
}

/** Writes points, `[n * 3]`, as they are placed. */
export function place(
  { turn, shift }: Placement,
  from: ArrayLike<number>,
  first: number,
  to: Float64Array,
): void {
  for (let at = 0; at < to.length; at += 3) {
    const x = from[first + at]!;
    const y = from[first + at + 1]!;
    const z = from[first + at + 2]!;
    to[at] = turn[0]! * x + turn[1]! * y + turn[2]! * z + shift[0]!;
    to[at + 1] = turn[3]! * x + turn[4]! * y + turn[5]! * z + shift[1]!;
    to[at + 2] = turn[6]! * x + turn[7]! * y + turn[8]! * z + shift[2]!;
  }
}

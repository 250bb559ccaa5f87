/** Points of a rigid body on its way between two poses. */
import { PLACEMENT, POSE_SIZE, writeRotation } from '../../convex/shapes/pose.ts';

/**
 * A body's way over a step: position and quaternion are interpolated linearly (Lennerz, Schömer, Warken, section 2.3),
 * the quaternion by the shorter way, and made one of unit length. Times are shares of the step, from 0 to 1.
 */
export class PoseWay {
  readonly #from: Float64Array;
  readonly #change = new Float64Array(POSE_SIZE);
  /** At the time that was asked for last. */
  readonly #placement = new Float64Array(PLACEMENT);
  #time = Number.NaN;

  /** @param first where the body's seven numbers begin in both */
  constructor(from: ArrayLike<number>, to: ArrayLike<number>, first = 0) {
    this.#from = Float64Array.from({ length: POSE_SIZE }, (_, k) => from[first + k]!);
    let along = 0;
    for (let k = 3; k < POSE_SIZE; k++) along += from[first + k]! * to[first + k]!;
    // q and -q are the same rotation.
    const sign = along < 0 ? -1 : 1;
    for (let k = 0; k < POSE_SIZE; k++)
      this.#change[k] = (k < 3 ? 1 : sign) * to[first + k]! - this.#from[k]!;
  }

  /** The way between two of its times, as a step. */
  part(begin: number, end: number): PoseWay {
    const part = new PoseWay(this.#from, this.#from);
    for (let k = 0; k < POSE_SIZE; k++) {
      part.#from[k] = this.#from[k]! + begin * this.#change[k]!;
      part.#change[k] = (end - begin) * this.#change[k]!;
    }
    return part;
  }

  /** Writes where points are at a time. @param local `[n * 3]`: in the body's frame */
  place(local: ArrayLike<number>, first: number, time: number, out: Float64Array, to = 0, count = 1): void {
    const m = this.#at(time);
    for (let i = 0; i < 3 * count; i += 3) {
      const x = local[first + i]!;
      const y = local[first + i + 1]!;
      const z = local[first + i + 2]!;
      out[to + i] = m[0]! * x + m[1]! * y + m[2]! * z + m[9]!;
      out[to + i + 1] = m[3]! * x + m[4]! * y + m[5]! * z + m[10]!;
      out[to + i + 2] = m[6]! * x + m[7]! * y + m[8]! * z + m[11]!;
    }
  }

  /** Position and unit quaternion at a time. */
  pose(time: number): Float64Array {
    const pose = this.#from.map((one, k) => one + time * this.#change[k]!);
    const length = Math.hypot(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
    for (let k = 3; k < POSE_SIZE; k++) pose[k]! /= length;
    return pose;
  }

  #at(time: number): Float64Array {
    const m = this.#placement;
    if (time === this.#time) return m;
    this.#time = time;
    const at = (k: number) => this.#from[k]! + time * this.#change[k]!;
    writeRotation(at(3), at(4), at(5), at(6), m, 0);
    for (let k = 0; k < 3; k++) m[9 + k] = at(k);
    return m;
  }
}

/** Points of a body at both ends of a step, in the world. */
export class MovingPoints {
  readonly way: PoseWay;
  /** `[n * 3]`: in the body's frame. */
  readonly local: ArrayLike<number>;
  /** `[n * 3]` each. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** The largest coordinate at both ends, and sums that coordinates are made of: rounding is relative to it. */
  readonly reach: number;

  constructor(way: PoseWay, local: ArrayLike<number>) {
    this.way = way;
    this.local = local;
    const count = local.length / 3;
    this.start = new Float64Array(3 * count);
    this.end = new Float64Array(3 * count);
    way.place(local, 0, 0, this.start, 0, count);
    way.place(local, 0, 1, this.end, 0, count);
    let reach = 0;
    for (let i = 0; i < 3 * count; i++)
      reach = Math.max(
        reach,
        Math.abs(this.start[i]!) + Math.abs(local[i]!),
        Math.abs(this.end[i]!) + Math.abs(local[i]!),
      );
    this.reach = reach;
  }

  /** Writes where a point is at a time. */
  place(point: number, time: number, out: Float64Array, to: number): void {
    this.way.place(this.local, 3 * point, time, out, to);
  }
}

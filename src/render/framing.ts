/** Which part of a scene a picture shows. */
import { quatd, vec3d } from 'wgpu-matrix';
import { MOST_FITTED, STRAYS, WALLS_SHOWN } from './constants.ts';
import type { DrawnShape } from './meshes.ts';

/** Balls that the camera has to see: x, y, z and radius each, relative to `focus`. */
export interface Frame {
  readonly balls: Float64Array;
  /** Middle of the scene, in the world. */
  readonly focus: Float64Array;
  /** Of a ball about the focus that holds all others; above 0. */
  readonly radius: number;
}

export interface FramedBodies {
  readonly shapes: Uint32Array;
  readonly isStatic: Uint8Array;
  readonly drawn: readonly (DrawnShape | undefined)[];
}

interface Box {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * The scene of these poses: all that moves, but for a few strays, and walls as far as they are not much larger than
 * that. Planes have no end, and count for nothing.
 */
export function frameOf({ shapes, isStatic, drawn }: FramedBodies, poses: ArrayLike<number>): Frame {
  const moving: number[] = [];
  const walls: number[] = [];
  shapes.forEach((shape, body) => {
    const isPlaced = Number.isFinite(poses[7 * body]! + poses[7 * body + 1]! + poses[7 * body + 2]!);
    if (drawn[shape] !== undefined && isPlaced) (isStatic[body] === 1 ? walls : moving).push(body);
  });
  const bodies = moving.length > 0 ? moving : walls;
  const ball = (body: number) => ballOf(drawn[shapes[body]!]!, poses, body);
  const all = bodies.map(ball);
  const box = boxWithoutStrays(all);
  const seen = all.filter((one) => holds(box, one));
  if (moving.length > 0) {
    const room = grownBox(box, WALLS_SHOWN);
    for (const wall of walls) seen.push(...cornersOf(drawn[shapes[wall]!]!, poses, wall, room));
  }
  return framed(seen);
}

function framed(balls: readonly Float64Array[]): Frame {
  const some = thinned(balls);
  if (some.length === 0) {
    return { balls: Float64Array.of(0, 0, 0, 1), focus: new Float64Array(3), radius: 1 };
  }
  const { low, high } = boxOf(some);
  const focus = low.map((x, k) => (x + high[k]!) / 2);
  const out = new Float64Array(4 * some.length);
  let radius = 0;
  some.forEach((one, i) => {
    const from = vec3d.subtract(one, focus);
    out.set([...from, one[3]!], 4 * i);
    radius = Math.max(radius, vec3d.length(from) + one[3]!);
  });
  return { balls: out, focus, radius };
}

function thinned<T>(all: readonly T[]): readonly T[] {
  const every = Math.ceil(all.length / MOST_FITTED);
  return every <= 1 ? all : all.filter((_, i) => i % every === 0);
}

/** A ball that holds a body: x, y, z and radius, in the world. */
export function ballOf(shape: DrawnShape, poses: ArrayLike<number>, body: number): Float64Array {
  const center = placed(shape.center, poses, body);
  return Float64Array.of(center[0]!, center[1]!, center[2]!, shape.radius);
}

/** Corners of a wall's box, as balls without extent, moved into the room that is shown. */
function cornersOf(
  { center, half }: DrawnShape,
  poses: ArrayLike<number>,
  body: number,
  { low, high }: Box,
): Float64Array[] {
  return Array.from({ length: 8 }, (_, corner) => {
    const own = center.map((x, k) => x + (corner & (1 << k) ? half[k]! : -half[k]!));
    const place = placed(own, poses, body).map((x, k) => Math.min(Math.max(x, low[k]!), high[k]!));
    return Float64Array.of(...place, 0);
  });
}

/** A point of a body's frame, in the world. */
export function placed(point: readonly number[], poses: ArrayLike<number>, body: number): Float64Array {
  const pose = Float64Array.from({ length: 7 }, (_, k) => poses[7 * body + k]!);
  const place = vec3d.transformQuat(Float64Array.from(point), quatd.normalize(pose.subarray(3)));
  return vec3d.add(place, pose);
}

function boxOf(balls: readonly Float64Array[]): Box {
  const low = new Float64Array(3).fill(Infinity);
  const high = new Float64Array(3).fill(-Infinity);
  for (const one of balls) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, one[k]! - one[3]!);
      high[k] = Math.max(high[k]!, one[k]! + one[3]!);
    }
  }
  return { low, high };
}

/** A box that holds all balls but the strays. Ends are those of balls, so nothing is cut. */
function boxWithoutStrays(balls: readonly Float64Array[]): Box {
  const strays = Math.floor(STRAYS * balls.length);
  const low = new Float64Array(3);
  const high = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    low[k] = Float64Array.from(balls, (one) => one[k]! - one[3]!).sort()[strays] ?? 0;
    high[k] =
      Float64Array.from(balls, (one) => one[k]! + one[3]!)
        .sort()
        .at(-1 - strays) ?? 0;
  }
  // What is just outside is no stray.
  return strays === 0 ? { low, high } : grownBox({ low, high }, 1.25);
}

function grownBox({ low, high }: Box, factor: number): Box {
  const grow = low.map((x, k) => ((factor - 1) / 2) * (high[k]! - x));
  // A flat scene has room above it, too.
  const least = Math.max(...grow) / 2;
  const by = (k: number) => Math.max(grow[k]!, least);
  return { low: low.map((x, k) => x - by(k)), high: high.map((x, k) => x + by(k)) };
}

function holds({ low, high }: Box, ball: Float64Array): boolean {
  return low.every((x, k) => ball[k]! - ball[3]! >= x && ball[k]! + ball[3]! <= high[k]!);
}

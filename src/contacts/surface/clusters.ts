/** Morton order of points, and balls around runs of them. */
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { mortonCode, sortOrder } from '../../inside/morton.ts';
import { CLUSTER } from './surface-arrays.ts';

/** Cells of the Morton order along the longest extent. */
const MORTON_CELLS = 1024;
/** Steps that move a ball's middle towards its farthest point: the radius is within some percent of the least then. */
const BALL_STEPS = 32;

/** The order of points, `[x, y, z]` each, along a Morton curve over their box; ties by number. */
export function mortonOrder(points: ArrayLike<number>): Uint32Array {
  const count = points.length / 3;
  const least = [Infinity, Infinity, Infinity];
  let size = 0;
  for (let i = 0; i < points.length; i++) least[i % 3] = Math.min(least[i % 3]!, points[i]!);
  for (let i = 0; i < points.length; i++) size = Math.max(size, points[i]! - least[i % 3]!);
  const perUnit = size > 0 ? (MORTON_CELLS - 1) / size : 0;
  const cell = (i: number, k: number) => Math.floor((points[3 * i + k]! - least[k]!) * perUnit);
  return sortOrder(
    Uint32Array.from({ length: count }, (_, i) => mortonCode(cell(i, 0), cell(i, 1), cell(i, 2))),
  );
}

/**
 * Balls around runs of points: middle and radius in float32, rounded up so that every point lies in its ball, as the
 * numbers are.
 *
 * @param perRun points per run
 */
export function ballsAround(points: Float32Array, perRun: number): Float32Array<ArrayBuffer> {
  const count = points.length / 3;
  const balls = new Float32Array(4 * Math.ceil(count / perRun));
  for (let r = 0; 4 * r < balls.length; r++) {
    writeBall(points, r * perRun, Math.min(count, (r + 1) * perRun), balls, 4 * r);
  }
  return balls;
}

/** Balls around the clusters of points. */
export const clusterBalls = (points: Float32Array): Float32Array<ArrayBuffer> => ballsAround(points, CLUSTER);

/**
 * From the middle of the points' box, steps of 1/2, 1/3, ... of the way towards the farthest point: the middle of the
 * least ball in the limit (M. Badoiu, K. L. Clarkson, "Smaller core-sets for balls", 2003). The best of all is taken.
 */
function writeBall(points: Float32Array, first: number, end: number, balls: Float32Array, at: number): void {
  const middle = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = first; i < end; i++) {
      low = Math.min(low, points[3 * i + k]!);
      high = Math.max(high, points[3 * i + k]!);
    }
    middle[k] = low + (high - low) / 2;
  }
  let least = Infinity;
  for (let step = 2; step < 2 + BALL_STEPS; step++) {
    const [x, y, z] = [Math.fround(middle[0]!), Math.fround(middle[1]!), Math.fround(middle[2]!)];
    let [far, most] = [first, -1];
    for (let i = first; i < end; i++) {
      const distance = Math.hypot(points[3 * i]! - x, points[3 * i + 1]! - y, points[3 * i + 2]! - z);
      if (distance > most) [far, most] = [i, distance];
    }
    if (most < least) {
      least = most;
      balls.set([x, y, z, most * FLOAT32_UPWARDS], at);
    }
    for (let k = 0; k < 3; k++) middle[k]! += (points[3 * far + k]! - middle[k]!) / step;
  }
}

/** Morton order of points, and a tree of balls around them. */
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { mortonCode, sortOrder } from '../../inside/morton.ts';
import { TREE_CHILDREN } from './surface-arrays.ts';

/** Cells of the Morton order along the longest extent. */
const MORTON_CELLS = 1024;
/** Steps that move a ball's middle towards its farthest point: the radius is within some percent of the least then. */
const BALL_STEPS = 32;
/** Numbers per ball: middle and radius. */
const BALL = 4;
/** Balls between two rests: some milliseconds. */
const BALLS_PER_REST = 1024;

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
 * A tree of balls around points that come in clusters: middle and radius each. First the clusters' balls, then one for
 * each eight of them, and so on up to the root. Numbers are float32, and radii rounded up: all points below a ball lie
 * in it, as the numbers are.
 *
 * @param perCluster points per cluster; the last one may have fewer
 * @param rest is called at times: it may wait, and throw
 * @param others points that the root has to hold as well
 */
export async function clusterTree(
  points: Float32Array,
  perCluster: number,
  rest: () => Promise<void>,
  others: Float32Array = new Float32Array(0),
): Promise<Float32Array<ArrayBuffer>> {
  const balls: number[] = [];
  let perBall = perCluster;
  let items = points;
  let isRoot = items.length === 0;
  for (let size: 3 | 4 = 3; !isRoot; size = BALL) {
    const perRun = size * (size === BALL ? TREE_CHILDREN : perCluster);
    const count = Math.ceil(items.length / perRun);
    isRoot = count === 1;
    const next = new Float32Array(BALL * count);
    for (let b = 0; b < count; b++) {
      if (b % BALLS_PER_REST === 0) await rest();
      const middle = middleOf(items.subarray(perRun * b, perRun * (b + 1)), size);
      const own = radiusAbout(middle, points.subarray(3 * b * perBall, 3 * (b + 1) * perBall));
      next.set(middle, BALL * b);
      next[BALL * b + 3] = FLOAT32_UPWARDS * (isRoot ? Math.max(own, radiusAbout(middle, others)) : own);
    }
    for (const x of next) balls.push(x);
    items = next;
    perBall *= TREE_CHILDREN;
  }
  return Float32Array.from(balls);
}

function radiusAbout(middle: readonly number[], points: Float32Array): number {
  const [x, y, z] = middle as [number, number, number];
  let most = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [dx, dy, dz] = [points[i]! - x, points[i + 1]! - y, points[i + 2]! - z];
    most = Math.max(most, dx * dx + dy * dy + dz * dz);
  }
  return Math.sqrt(most);
}

/**
 * The middle, in float32, of a small ball around points, `size` 3, or balls, `size` 4. From the middle of their box,
 * steps of 1/2, 1/3, ... of the way towards the farthest one: the least ball's middle in the limit (M. Badoiu, K. L.
 * Clarkson, "Smaller core-sets for balls", 2003). The best of all is taken.
 */
function middleOf(items: Float32Array, size: 3 | 4): readonly number[] {
  const middle = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < items.length; i += size) {
      const radius = size === BALL ? items[i + 3]! : 0;
      low = Math.min(low, items[i + k]! - radius);
      high = Math.max(high, items[i + k]! + radius);
    }
    middle[k] = low + (high - low) / 2;
  }
  let best: readonly number[] = middle;
  let least = Infinity;
  for (let step = 2; step < 2 + BALL_STEPS; step++) {
    const x = Math.fround(middle[0]!);
    const y = Math.fround(middle[1]!);
    const z = Math.fround(middle[2]!);
    let far = 0;
    let most = -1;
    for (let i = 0; i < items.length; i += size) {
      const dx = items[i]! - x;
      const dy = items[i + 1]! - y;
      const dz = items[i + 2]! - z;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz) + (size === BALL ? items[i + 3]! : 0);
      if (distance > most) {
        far = i;
        most = distance;
      }
    }
    if (most < least) {
      best = [x, y, z];
      least = most;
    }
    for (let k = 0; k < 3; k++) middle[k]! += (items[far + k]! - middle[k]!) / step;
  }
  return best;
}

/** Morton order of points, and a tree of balls around them. */
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { mortonCode, sortOrder } from '../../inside/morton.ts';
import { TREE_CHILDREN } from './surface-arrays.ts';

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
 * A tree of balls around points that come in clusters: middle and radius each. First the clusters' balls, then one for
 * each eight of them, and so on up to the root. Numbers are float32, and radii rounded up: all points below a ball lie
 * in it, as the numbers are.
 *
 * @param perCluster points per cluster; the last one may have fewer
 * @param others points that the root has to hold as well
 */
export function clusterTree(
  points: Float32Array,
  perCluster: number,
  others: Float32Array = new Float32Array(0),
): Float32Array<ArrayBuffer> {
  const balls: number[] = [];
  let perBall = perCluster;
  let level = runsOf(points, 3, perCluster).map((run) => middleOf(run, 3));
  while (level.length > 0) {
    const isRoot = level.length === 1;
    const next = Float32Array.from(
      level.flatMap((middle, b) => {
        const own = radiusAbout(middle, points.subarray(3 * b * perBall, 3 * (b + 1) * perBall));
        return [...middle, FLOAT32_UPWARDS * (isRoot ? Math.max(own, radiusAbout(middle, others)) : own)];
      }),
    );
    for (const x of next) balls.push(x);
    level = isRoot ? [] : runsOf(next, 4, TREE_CHILDREN).map((run) => middleOf(run, 4));
    perBall *= TREE_CHILDREN;
  }
  return Float32Array.from(balls);
}

/** Runs of so many groups of `size` numbers each. */
function runsOf(values: Float32Array, size: number, perRun: number): Float32Array[] {
  const count = Math.ceil(values.length / size / perRun);
  return Array.from({ length: count }, (_, r) => values.subarray(size * perRun * r, size * perRun * (r + 1)));
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
      const radius = size === 4 ? items[i + 3]! : 0;
      low = Math.min(low, items[i + k]! - radius);
      high = Math.max(high, items[i + k]! + radius);
    }
    middle[k] = low + (high - low) / 2;
  }
  let best = middle;
  let least = Infinity;
  for (let step = 2; step < 2 + BALL_STEPS; step++) {
    const [x, y, z] = [Math.fround(middle[0]!), Math.fround(middle[1]!), Math.fround(middle[2]!)];
    let [far, most] = [0, -1];
    for (let i = 0; i < items.length; i += size) {
      const [dx, dy, dz] = [items[i]! - x, items[i + 1]! - y, items[i + 2]! - z];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz) + (size === 4 ? items[i + 3]! : 0);
      if (distance > most) [far, most] = [i, distance];
    }
    if (most < least) [best, least] = [[x, y, z], most];
    for (let k = 0; k < 3; k++) middle[k]! += (items[far + k]! - middle[k]!) / step;
  }
  return best;
}

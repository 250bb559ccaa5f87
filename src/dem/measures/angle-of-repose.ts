/** How steep a heap is. */
import { requireArray, requireOptions, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';

export interface AngleOfReposeOptions {
  /** The direction upwards, against gravity (default [0, 0, 1]). Of any length but 0. */
  readonly up?: readonly [number, number, number];
}

/**
 * A share of the bodies that is below the heights that count: most of those on the floor. More is not better: of fewer
 * bodies the angle scatters more (docs/dem.md).
 */
const FLOOR_SHARE = 0.25;
/** Coordinates above it are scaled: sums of products of two of them are finite. */
const LARGEST_SQUARED = 2 ** 400;
/** Below it there is no slope. */
const LEAST_BODIES = 4;

/**
 * The angle of repose of a heap on a level floor: the slope of the cone that has the same moments as the centroids.
 *
 * Heights count from the height below which a quarter of the centroids is. With the height h of a centroid and its
 * distance d from the axis, the tangent is the sum of h^2 over that of d h. Both sums are exact for a cone, wherever
 * that height is, and what rolled away and lies on the floor has next to no weight in them. The axis is
 * where the centroids are on average, weighted by h.
 *
 * @param centroids `[n * 3]`: of the bodies of the heap at rest, without floor, walls, and bodies that still fall
 * @returns radians, 0 to pi / 2: 0 where all are at one height, and NaN for less than 4 bodies
 * @throws InputError for centroids that are no whole rows of finite numbers, or for unknown options
 */
export function angleOfRepose(
  centroids: Float64Array | Float32Array,
  options: AngleOfReposeOptions = {},
): number {
  requireArray('angleOfRepose: centroids', centroids, [Float64Array, Float32Array], 'n * 3 numbers');
  requireOptions('angleOfRepose', options, { up: 'checked' });
  if (centroids.length % 3 !== 0) {
    throw new InputError(`angleOfRepose: centroids: found ${centroids.length} numbers, expected n * 3`);
  }
  const wrong = centroids.findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) {
    throw new InputError(
      `angleOfRepose: centroids: body ${Math.floor(wrong / 3)}: found ${centroids[wrong]}, expected finite numbers`,
    );
  }
  const up = unit(options.up ?? [0, 0, 1]);
  // Squares of large coordinates would overflow. A power of two changes no digit of them.
  let largest = 0;
  for (const x of centroids) largest = Math.max(largest, Math.abs(x));
  const scale = largest > LARGEST_SQUARED ? 2 ** -Math.ceil(Math.log2(largest)) : 1;
  return slopeOf(
    Float64Array.from(centroids, (x) => x * scale),
    up,
  );
}

function slopeOf(centroids: Float64Array, up: readonly number[]): number {
  const count = centroids.length / 3;
  if (count < LEAST_BODIES) return Number.NaN;
  const heights = Float64Array.from({ length: count }, (_, i) => {
    const at = 3 * i;
    return centroids[at]! * up[0]! + centroids[at + 1]! * up[1]! + centroids[at + 2]! * up[2]!;
  });
  const floor = heights.toSorted()[Math.floor(FLOOR_SHARE * count)]!;
  const weights = heights.map((height) => Math.max(0, height - floor));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return 0;
  const axis = [0, 0, 0];
  for (const [k, x] of centroids.entries()) axis[k % 3]! += (weights[Math.floor(k / 3)]! * x) / total;
  let [squares, products] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    const [x, y, z] = axis.map((own, k) => centroids[3 * i + k]! - own) as [number, number, number];
    const along = x * up[0]! + y * up[1]! + z * up[2]!;
    const away = Math.hypot(x - along * up[0]!, y - along * up[1]!, z - along * up[2]!);
    squares += weight * weight;
    products += weight * away;
  }
  return Math.atan2(squares, products);
}

function unit(up: unknown): readonly number[] {
  const isVector = Array.isArray(up) && up.length === 3 && up.every(Number.isFinite);
  const most = isVector ? Math.max(...up.map(Math.abs)) : 0;
  if (most === 0) {
    throw new InputError(`angleOfRepose: up: found ${told(up)}, expected three numbers that are not all 0`);
  }
  const scaled = (up as number[]).map((x) => x / most);
  return scaled.map((x) => x / Math.hypot(...scaled));
}

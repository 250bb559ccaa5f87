/**
 * Random configurations as the thesis makes them: position and orientation of both bodies are uniform in a cube. Its
 * side decides how likely they intersect.
 */
import { createRandom } from '../../index.ts';
import { APART, type PairSet } from './pair-way.ts';

/** Numbers of a pair: two poses. */
const PAIR = 14;
/** Cubes between which the side is sought: far too small and far too large for bodies of the thesis' sizes. */
const LEAST_SIDE = 2 ** -6;
const MOST_SIDE = 2 ** 10;
/** Steps of bisection: sides to 2^(16 / 2^12), a quarter of a percent. */
const STEPS = 12;

/** Pairs in a cube of side 1; `scaled` puts them into others. */
export function unitConfigurations(count: number, seed: number): PairSet {
  const random = createRandom(seed);
  const poses = new Float32Array(PAIR * count);
  for (let o = 0; o < poses.length; o += 7) {
    for (let k = 0; k < 3; k++) poses[o + k] = random() - 0.5;
    poses.set(randomRotation(random), o + 3);
  }
  return { poses, count };
}

/**
 * A unit quaternion, uniform over all rotations: two points on circles whose squared radii share 1 uniformly.
 * wgpu-matrix has no such draw.
 */
export function randomRotation(random: () => number): readonly [number, number, number, number] {
  const share = random();
  const [alpha, beta] = [2 * Math.PI * random(), 2 * Math.PI * random()];
  const [r, s] = [Math.sqrt(1 - share), Math.sqrt(share)];
  return [r * Math.sin(alpha), r * Math.cos(alpha), s * Math.sin(beta), s * Math.cos(beta)];
}

/** The same in a cube of another side, or each pair in one of its own. */
export function scaled({ poses, count }: PairSet, side: number | Float64Array): PairSet {
  const moved = poses.slice();
  for (let i = 0; i < count; i++) {
    const own = typeof side === 'number' ? side : side[i]!;
    for (const o of [PAIR * i, PAIR * i + 7]) for (let k = 0; k < 3; k++) moved[o + k]! *= own;
  }
  return { poses: moved, count };
}

/**
 * Sides of cubes for probabilities of intersection. Both shapes contain their origins, so a pair that intersects still
 * does so in a smaller cube. Each pair has its own largest side; the probability is the share of pairs above it.
 *
 * @param ask tells the sides of pairs
 */
export async function cubeSides(
  probabilities: readonly number[],
  pairs: PairSet,
  ask: (set: PairSet) => Promise<Uint8Array>,
): Promise<number[]> {
  const { count } = pairs;
  const low = new Float64Array(count).fill(Math.log2(LEAST_SIDE));
  const high = new Float64Array(count).fill(Math.log2(MOST_SIDE));
  for (let step = 0; step < STEPS; step++) {
    const middle = low.map((from, i) => (from + high[i]!) / 2);
    const own = middle.map((exponent) => 2 ** exponent);
    const sides = await ask(scaled(pairs, own));
    for (let i = 0; i < count; i++) {
      if (sides[i] === APART) high[i] = middle[i]!;
      else low[i] = middle[i]!;
    }
  }
  const largest = low.map((from, i) => 2 ** ((from + high[i]!) / 2)).sort();
  return probabilities.map((p) => largest[Math.min(count - 1, Math.floor((1 - p) * count))]!);
}

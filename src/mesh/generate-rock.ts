// Random rocks for scenes and tests. Convex ones are the exact hull of points on an ellipsoid. Concave ones are
// star-shaped about the origin: a divided octahedron whose vertices are moved along their rays by smooth noise, so
// that every ray from the origin still meets the surface once and it cannot intersect itself. The noise interpolates
// hashed lattice values (value noise) with K. Perlin's quintic fade ("Improving Noise", 2002), in octaves.
import { type Options, requireOptions } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { convexHull } from './convex-hull.ts';
import { createRandom, hashCell } from './random.ts';
import { TriangleMesh } from './triangle-mesh.ts';

export interface RockOptions {
  /** An integer from 0 to 2^32 - 1; equal options give bit-identical rocks on every machine. */
  readonly seed: number;
  /** Whether the rock is convex, exactly so for its float32 vertices. */
  readonly convex: boolean;
  /**
   * Wanted number of triangles. Convex: 4 to 20,000, default 96. The rock has at most this many. With roughness 0 it
   * has them all, but for one if the number is odd, and for points that rounding hides inside the hull. Concave: 8 to
   * 600,000, default 2048. The rock has the nearest number of the form 8 n^2.
   */
  readonly triangles?: number;
  /**
   * Depth of the bumps relative to the radius, 0 to 0.9. Concave: default 0.3; below about 0.05 a rock of few
   * triangles may turn out convex. Convex: default 0; its points sink by up to this much, and hidden ones are lost.
   */
  readonly roughness?: number;
}

const OPTIONS: Options<RockOptions> = {
  seed: 'number',
  convex: 'boolean',
  triangles: 'number',
  roughness: 'number',
};

/** Shortest semi-axis of the ellipsoid under a rock, relative to its longest, which is 1 unit. */
const LEAST_SEMI_AXIS = 0.6;
/** Lattice cells of the coarsest noise per unit of length: a few bumps around the rock. */
const NOISE_FREQUENCY = 1.7;
const NOISE_OCTAVES = 3;

/**
 * A random rock about the origin, closed, manifold and oriented outwards, within `1 + roughness` of the origin.
 *
 * @throws InputError if an option is out of its range.
 */
export function randomRock(options: RockOptions): TriangleMesh {
  requireOptions('randomRock', options, OPTIONS);
  const { seed, convex } = options;
  if (convex === undefined)
    throw new InputError('randomRock: convex: found undefined, expected true or false');
  const { triangles = convex ? 96 : 2048, roughness = convex ? 0 : 0.3 } = options;
  const [least, most] = convex ? [4, 20_000] : [8, 600_000];
  if (!Number.isInteger(triangles) || triangles < least || triangles > most) {
    throw new InputError(
      `randomRock: triangles is ${triangles}, expected an integer from ${least} to ${most}`,
    );
  }
  if (!(roughness >= 0 && roughness <= 0.9)) {
    throw new InputError(`randomRock: roughness is ${roughness}, expected a number from 0 to 0.9`);
  }
  const random = createRandom(seed);
  const axes = randomAxes(random);
  const name = `${convex ? 'convex' : 'concave'} rock ${seed}`;
  if (convex) return new TriangleMesh({ ...convexRock(random, axes, triangles, roughness), name });

  const { directions, indices } = dividedOctahedron(Math.max(1, Math.round(Math.sqrt(triangles / 8))));
  const positions = new Float32Array(directions.length);
  for (let i = 0; i < directions.length; i += 3) {
    const [x, y, z] = [directions[i]!, directions[i + 1]!, directions[i + 2]!];
    const radius = 1 + roughness * fractalNoise(seed, x, y, z);
    positions[i] = axes[0] * radius * x;
    positions[i + 1] = axes[1] * radius * y;
    positions[i + 2] = axes[2] * radius * z;
  }
  return new TriangleMesh({ positions, indices, name });
}

type Axes = readonly [number, number, number];

/** Semi-axes, the longest 1 and on a random axis. */
function randomAxes(random: () => number): Axes {
  const axes: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < 3; k++) axes[k] = LEAST_SEMI_AXIS + (1 - LEAST_SEMI_AXIS) * random();
  const longest = Math.max(...axes);
  return [axes[0] / longest, axes[1] / longest, axes[2] / longest];
}

function convexRock(random: () => number, axes: Axes, triangles: number, roughness: number) {
  // A closed surface of triangles with v vertices and no holes has 2 v - 4 of them (Euler).
  const points = new Float32Array(3 * (Math.floor(triangles / 2) + 2));
  for (let i = 0; i < points.length; i += 3) {
    const direction = randomDirection(random);
    const radius = 1 - roughness * random();
    for (let k = 0; k < 3; k++) points[i + k] = axes[k]! * radius * direction[k]!;
  }
  return convexHull(points);
}

/** Uniform on the unit sphere: a point of the ball, away from its centre, projected outwards. */
function randomDirection(random: () => number): Axes {
  for (;;) {
    const x = 2 * random() - 1;
    const y = 2 * random() - 1;
    const z = 2 * random() - 1;
    const square = x * x + y * y + z * z;
    if (square > 1 || square < 0.01) continue;
    const length = Math.sqrt(square);
    return [x / length, y / length, z / length];
  }
}

/**
 * Octahedron with every edge divided into `n`, projected onto the unit sphere: 8 n^2 triangles in rings about the z
 * axis. Ring z = n .. -n has m = n - |z| points per quadrant.
 */
function dividedOctahedron(n: number): { directions: Float64Array; indices: Uint32Array } {
  const corners = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 0],
  ] as const;
  const directions: number[] = [];
  const starts: number[] = [];
  for (let z = n; z >= -n; z--) {
    const m = n - Math.abs(z);
    starts.push(directions.length / 3);
    for (let k = 0; k < Math.max(4 * m, 1); k++) {
      const quadrant = m === 0 ? 0 : Math.floor(k / m);
      const s = k - quadrant * m;
      const x = (m - s) * corners[quadrant]![0] + s * corners[quadrant + 1]![0];
      const y = (m - s) * corners[quadrant]![1] + s * corners[quadrant + 1]![1];
      const length = Math.sqrt(x * x + y * y + z * z);
      directions.push(x / length, y / length, z / length);
    }
  }

  const indices: number[] = [];
  for (const [pole, inward] of [
    [0, 1],
    [2 * n, -1],
  ] as const) {
    for (let m = 0; m < n; m++) {
      const inner = starts[pole + inward * m]!;
      const outer = starts[pole + inward * (m + 1)]!;
      const add = (a: number, b: number, c: number) =>
        inward === 1 ? indices.push(a, b, c) : indices.push(b, a, c);
      for (let q = 0; q < 4; q++) {
        const at = (s: number) => inner + (m === 0 ? 0 : (q * m + s) % (4 * m));
        const out = (s: number) => outer + ((q * (m + 1) + s) % (4 * (m + 1)));
        for (let s = 0; s <= m; s++) add(out(s), out(s + 1), at(s));
        for (let s = 0; s < m; s++) add(at(s), out(s + 1), at(s + 1));
      }
    }
  }
  return { directions: new Float64Array(directions), indices: new Uint32Array(indices) };
}

/** Octaves of noise, each twice as fine and half as strong as the one before; within [-1, 1]. */
function fractalNoise(seed: number, x: number, y: number, z: number): number {
  let sum = 0;
  let weights = 0;
  for (let octave = 0; octave < NOISE_OCTAVES; octave++) {
    const scale = NOISE_FREQUENCY * 2 ** octave;
    const weight = 2 ** -octave;
    sum += weight * latticeNoise(hashCell(seed, octave, 0, 0), scale * x, scale * y, scale * z);
    weights += weight;
  }
  return sum / weights;
}

/** Values in [-1, 1] at the integer points, blended with twice continuously differentiable weights between them. */
function latticeNoise(seed: number, x: number, y: number, z: number): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [fade(x - i), fade(y - j), fade(z - k)];
  const at = (a: number, b: number, c: number) => hashCell(seed, i + a, j + b, k + c) / 2 ** 31 - 1;
  const alongX = (b: number, c: number) => at(0, b, c) + u * (at(1, b, c) - at(0, b, c));
  const alongXY = (c: number) => alongX(0, c) + v * (alongX(1, c) - alongX(0, c));
  return alongXY(0) + w * (alongXY(1) - alongXY(0));
}

function fade(t: number): number {
  return t * t * t * (t * (6 * t - 15) + 10);
}

/** Sets of points that every body is tested with, equal on every machine. */
import { createRandom, gridPoints, type TriangleMesh } from '../index.ts';

export const POINT_SETS = ['grid', 'random', 'near'] as const;
export type PointSet = (typeof POINT_SETS)[number];

export const POINT_SET_LABELS: Record<PointSet, string> = {
  grid: 'a cubic grid over the box',
  random: 'uniformly random in the box',
  near: 'beside the surface, within 0.001 of the diagonal',
};

const RANDOM_SEED = 20240601;
const NEAR_SEED = 20240602;
/** Farthest that a point near the surface is moved, per diagonal of the box. */
const NEAR = 1e-3;

/** The order in which parts of a set are taken. */
const PART_SEED = 20240604;

/** A part of a set of points: their numbers in it, ascending, and their coordinates. */
export interface Part {
  readonly numbers: Uint32Array;
  readonly points: Float32Array;
}

/** So many points of a set at random, in the order of the set: per point they take what all of them take. */
export function randomPart(points: Float32Array, count: number): Part {
  const random = createRandom(PART_SEED);
  const numbers = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const other = i + Math.floor(random() * (numbers.length - i));
    [numbers[i], numbers[other]] = [numbers[other]!, numbers[i]!];
  }
  const chosen = numbers.slice(0, count).sort();
  const some = new Float32Array(3 * count);
  chosen.forEach((i, n) => {
    some.set(points.subarray(3 * i, 3 * i + 3), 3 * n);
  });
  return { numbers: chosen, points: some };
}

/** @param perAxis the grid's points along an axis; the other sets have as many points as the grid. */
export function makePoints(set: PointSet, mesh: TriangleMesh, perAxis: number): Float32Array {
  const count = perAxis ** 3;
  switch (set) {
    case 'grid':
      return gridPoints(mesh.box, perAxis, { margin: 0 });
    case 'random':
      return randomPoints(mesh, count);
    case 'near':
      return pointsNearSurface(mesh, count);
  }
}

function randomPoints({ box }: TriangleMesh, count: number): Float32Array {
  const random = createRandom(RANDOM_SEED);
  const points = new Float32Array(3 * count);
  for (let i = 0; i < points.length; i++) {
    const low = box.min[i % 3]!;
    points[i] = low + random() * (box.max[i % 3]! - low);
  }
  return points;
}

/** A random point of a random triangle, moved in a random direction by up to NEAR diagonals. */
function pointsNearSurface({ positions, indices, triangleCount, box }: TriangleMesh, count: number) {
  const random = createRandom(NEAR_SEED);
  const farthest = NEAR * Math.hypot(...[0, 1, 2].map((k) => box.max[k]! - box.min[k]!));
  const points = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const t = 3 * Math.floor(random() * triangleCount);
    const [a, b, c] = [3 * indices[t]!, 3 * indices[t + 1]!, 3 * indices[t + 2]!];
    // Folding the unit square onto its lower half keeps the points uniform on the triangle.
    let [u, v] = [random(), random()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const z = 2 * random() - 1;
    const turn = 2 * Math.PI * random();
    const across = Math.sqrt(1 - z * z);
    const direction = [across * Math.cos(turn), across * Math.sin(turn), z];
    const moved = farthest * (2 * random() - 1);
    for (let k = 0; k < 3; k++) {
      const origin = positions[a + k]!;
      const onTriangle = origin + u * (positions[b + k]! - origin) + v * (positions[c + k]! - origin);
      points[3 * i + k] = onTriangle + moved * direction[k]!;
    }
  }
  return points;
}

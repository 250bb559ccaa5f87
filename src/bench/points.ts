/** Sets of points that every body is tested with, equal on every machine. */
import { gridPoints } from '../src/io/points.ts';
import { createRandom } from '../src/mesh/random.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';

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

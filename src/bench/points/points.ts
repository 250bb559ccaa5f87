/** Sets of points that every body is tested with, equal on every machine. */
import { type Box, createRandom, gridPoints, type TriangleMesh } from '../../index.ts';

export const POINT_SETS = ['grid', 'random', 'near'] as const;
export type PointSet = (typeof POINT_SETS)[number];

const RANDOM_SEED = 20240601;
const NEAR_SEED = 20240602;
/** Farthest that a point near the surface is moved, per diagonal of the box. */
const NEAR = 1e-3;

/** The order in which bricks are taken for a part of a set. */
const PART_SEED = 20240604;
/** Bricks of a part, as long as that leaves each of them a number of points between these. */
const BRICKS = 32;
const SMALLEST_BRICK = 64;
const LARGEST_BRICK = 512;
/** Bricks along an axis, at most. */
const MOST_BRICKS = 1024;

/** A part of a set of points: their numbers in it, ascending, and their coordinates. */
export interface Part {
  readonly numbers: Uint32Array;
  readonly points: Float32Array;
}

/**
 * About so many points of a set: random bricks of it, each with all of its points, in the order of the set. Ways that
 * sort points share work among neighbours. So a part has to be as dense as the set: a point then takes as long.
 *
 * @returns at least `count` points, more by less than a brick
 */
export function randomPart(points: Float32Array, count: number): Part {
  const random = createRandom(PART_SEED);
  const brickPoints = Math.min(LARGEST_BRICK, Math.max(SMALLEST_BRICK, count / BRICKS));
  const bricks = bricksOf(points, brickPoints);
  const chosen: number[] = [];
  for (let i = 0; i < bricks.length && chosen.length < count; i++) {
    const other = i + Math.floor(random() * (bricks.length - i));
    [bricks[i], bricks[other]] = [bricks[other]!, bricks[i]!];
    for (const number of bricks[i]!) chosen.push(number);
  }
  const numbers = Uint32Array.from(chosen).sort();
  const some = new Float32Array(3 * numbers.length);
  numbers.forEach((i, n) => {
    some.set(points.subarray(3 * i, 3 * i + 3), 3 * n);
  });
  return { numbers, points: some };
}

/** Sorts numbers of points into bricks of their box; bricks that are not empty have about `brickPoints` points each. */
function bricksOf(points: Float32Array, brickPoints: number): number[][] {
  const count = points.length / 3;
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, points[i]!);
    high[i % 3] = Math.max(high[i % 3]!, points[i]!);
  }
  // On a surface most bricks are empty: they are halved until the others have few enough.
  for (let perAxis = Math.max(1, Math.floor(Math.cbrt(count / brickPoints))); ; perAxis *= 2) {
    const bricks = new Map<number, number[]>();
    for (let i = 0; i < count; i++) {
      let brick = 0;
      for (let k = 0; k < 3; k++) {
        const place = (points[3 * i + k]! - low[k]!) / (high[k]! - low[k]! || 1);
        brick = brick * perAxis + Math.min(perAxis - 1, Math.floor(place * perAxis));
      }
      const own = bricks.get(brick);
      if (own === undefined) bricks.set(brick, [i]);
      else own.push(i);
    }
    if (count / bricks.size <= 2 * brickPoints || perAxis >= MOST_BRICKS) return [...bricks.values()];
  }
}

/** @param perAxis the grid's points along an axis; the other sets have as many points as the grid. */
export function makePoints(set: PointSet, mesh: TriangleMesh, perAxis: number): Float32Array {
  if (set === 'grid') return gridPoints(mesh.box, perAxis, { margin: 0 });
  return set === 'random'
    ? randomPoints(mesh.box, perAxis ** 3, RANDOM_SEED)
    : pointsNearSurface(mesh, perAxis ** 3, NEAR_SEED);
}

/** Points spread evenly over a box. */
export function randomPoints(box: Box, count: number, seed: number): Float32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const points = new Float32Array(3 * count);
  for (let i = 0; i < points.length; i++) {
    const low = box.min[i % 3]!;
    points[i] = low + random() * (box.max[i % 3]! - low);
  }
  return points;
}

/** A random point of a random triangle, moved in a random direction by up to `near` diagonals of the mesh's box. */
export function pointsNearSurface(
  { positions, indices, triangleCount, box }: TriangleMesh,
  count: number,
  seed: number,
  near = NEAR,
): Float32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const farthest = near * Math.hypot(...[0, 1, 2].map((k) => box.max[k]! - box.min[k]!));
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

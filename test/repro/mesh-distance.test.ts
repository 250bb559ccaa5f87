/** Distances of meshes that others' libraries got wrong, under their issue numbers. */
import { expect, it } from 'vitest';
import { BoundingTree, meshDistance, STRATEGIES, TriangleMesh } from '../../src/index.ts';
import { triangleToTriangle } from '../bounding/support.ts';

/** A ball as three.js makes it: rows of vertices around y, the poles' as well. */
function ballOfRows(segments: number, rows: number): TriangleMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= segments; i++) {
      const [turn, tilt] = [(2 * Math.PI * i) / segments, (Math.PI * j) / rows];
      positions.push(-Math.cos(turn) * Math.sin(tilt), Math.cos(tilt), Math.sin(turn) * Math.sin(tilt));
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < segments; i++) {
      const [a, b] = [j * (segments + 1) + i + 1, j * (segments + 1) + i];
      const [c, d] = [b + segments + 1, a + segments + 1];
      if (j > 0) indices.push(a, b, d);
      if (j < rows - 1) indices.push(b, c, d);
    }
  }
  return new TriangleMesh({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
}

it.each(STRATEGIES)(
  'three-mesh-bvh#386: two balls of radius 1, 3 apart, are 1 apart (%s)',
  async (strategy) => {
    for (const rows of [4, 8, 16]) {
      const tree = BoundingTree.create(ballOfRows(2 * rows, rows));
      const poses = [0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1];
      const { distance } = await meshDistance({ a: tree, b: tree, poses }, { strategy });
      expect(distance).toBeCloseTo(1, 12);
    }
  },
);

it('coal#257: the point of an open, bent sheet nearest to a small body is the one below it', async () => {
  // A sheet z = 0.1 (x^2 - y^2), with a small triangle over a place away from its middle.
  const n = 20;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const [x, y] = [(2 * i) / n - 1, (2 * j) / n - 1];
      positions.push(x, y, 0.1 * (x * x - y * y));
      const at = j * (n + 1) + i;
      if (i < n && j < n) indices.push(at, at + 1, at + n + 2, at, at + n + 2, at + n + 1);
    }
  }
  const sheet = new TriangleMesh({
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
  });
  const dot = new TriangleMesh({
    positions: Float32Array.of(0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0),
    indices: Uint32Array.of(0, 1, 2),
  });
  const pair = {
    a: BoundingTree.create(sheet, { volume: 'obb' }),
    b: BoundingTree.create(dot, { volume: 'obb' }),
  };
  const at = [0.52, 0.51, 0.4];
  const { distance, pointA } = await meshDistance({
    ...pair,
    poses: [0, 0, 0, 0, 0, 0, 1, ...at, 0, 0, 0, 1],
  });
  expect(Math.hypot(pointA[0] - at[0]!, pointA[1] - at[1]!)).toBeLessThan(0.1);
  expect(distance).toBeLessThan(0.4);
});

/** Pairs of triangles whose closest points are inside edges, at edges that are nearly parallel, or at corners. */
const PAIRS = [
  [
    'edges that cross at a small angle',
    [0, 0, 0, 1, 0, 0, 0, 1, 0],
    [0, -1e-7, 0.5, 1, 1e-7, 0.5, 0.5, -0.2, 1],
  ],
  ['parallel edges', [0, 0, 0, 1, 0, 0, 0, 1, 0], [0.25, -0.5, 0, 0.75, -0.5, 0, 0.5, -1, 1]],
  ['parallel faces', [0, 0, 0, 1, 0, 0, 0, 1, 0], [0.1, 0.1, 0.25, 0.9, 0.1, 0.25, 0.1, 0.9, 0.25]],
  ['needles', [0, 0, 0, 1, 0, 0, 0.5, 1e-6, 0], [0.5, -1, 0.125, 0.5, 1, 0.125, 0.5, 0, 0.126]],
  ['a corner over a face', [0, 0, 0, 4, 0, 0, 0, 4, 0], [1, 1, 0.5, 1, 2, 1.5, 2, 1, 1.5]],
] as const;

it.each(PAIRS)('fcl#127, fcl#639: points are at the distance given: %s', async (_, first, second) => {
  const meshes = [first, second].map(
    (one) => new TriangleMesh({ positions: Float32Array.from(one), indices: Uint32Array.of(0, 1, 2) }),
  );
  const [a, b] = meshes.map((mesh) => BoundingTree.create(mesh)) as [BoundingTree, BoundingTree];
  const corners = meshes.map(({ positions }) =>
    [0, 3, 6].map((at) => [...positions.slice(at, at + 3)] as unknown as [number, number, number]),
  );
  const expected = triangleToTriangle(corners[0]!, corners[1]!);
  for (const pair of [
    { a, b },
    { a: b, b: a },
  ]) {
    const { distance, pointA, pointB } = await meshDistance(pair);
    expect(Math.abs(distance - expected)).toBeLessThan(1e-15);
    expect(Math.abs(Math.hypot(...pointA.map((x, k) => x - pointB[k]!)) - distance)).toBeLessThan(1e-15);
  }
});

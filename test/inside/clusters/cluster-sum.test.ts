import { describe, expect, it } from 'vitest';
import { PLACE_SIZE } from '../../../src/inside/clusters/cluster-moments.ts';
import { ClusterSum, firstShare } from '../../../src/inside/clusters/cluster-sum.ts';
import {
  BRANCH_SIZE,
  branchesOf,
  cutIntoClusters,
  fillBranches,
  joinBranches,
} from '../../../src/inside/clusters/cluster-tree.ts';
import { CLUSTER_LEAF } from '../../../src/inside/multipole/constants.ts';
import { finishSteps } from '../../../src/inside/multipole/field.ts';
import { MomentIntegrator } from '../../../src/inside/multipole/operators.ts';
import { triangleRule } from '../../../src/inside/multipole/quadrature.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { joinMeshes, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';

const random = createRandom(77);

/** Triangles of all sizes that share nothing. */
function soup(count: number): TriangleMesh {
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const size = 2 ** (-8 * random());
    const at = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[9 * t + i] = at[i % 3]! + size * (random() - 0.5);
  }
  return new TriangleMesh({ positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) });
}

/** Triangles around the origin, down to the least float32 numbers: powers of their sizes leave float64's range. */
function nestedSoup(count: number): TriangleMesh {
  const positions = Float32Array.from({ length: 9 * count }, (_, i) => {
    return 2 ** -(Math.floor(i / 9) % 145) * (random() - 0.5);
  });
  return new TriangleMesh({ positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) });
}

function filledBranches(mesh: TriangleMesh) {
  const clusters = finishSteps(cutIntoClusters(localSurface(mesh), false));
  const all = branchesOf(clusters, false);
  fillBranches(all, 0, all.count);
  return all;
}

function clustersOf(mesh: TriangleMesh) {
  const all = filledBranches(mesh);
  finishSteps(joinBranches(all));
  return all.clusters;
}

const sphere = unitSphere(4);
/** Of more than one branch. */
const large = openCellFoam({ triangles: 20_000, seed: 1 });
const flat = mapMesh(sphere, (x, y) => [x, y, 0]);
const meshes: readonly (readonly [string, TriangleMesh])[] = [
  ['a sphere', sphere],
  [
    'an open sphere',
    new TriangleMesh({ positions: sphere.positions, indices: sphere.indices.slice(0, 3000) }),
  ],
  ['a foam', openCellFoam({ triangles: 4000, seed: 3 })],
  ['a soup', soup(3000)],
  ['a disc in two layers', flat],
  ['triangles without area', mapMesh(sphere, (x) => [x, 0, 0])],
  ['forty equal spheres', joinMeshes(Array.from({ length: 40 }, () => unitSphere(2)))],
  ['one triangle', soup(1)],
];

describe.each(meshes)('the cluster sum of %s', (_, mesh) => {
  const clusters = clustersOf(mesh);
  const surface = localSurface(mesh);
  const points = Float32Array.from([
    ...randomPoints(mesh, 600, random, 0.2),
    ...randomPoints(mesh, 200, random, 20),
    ...pointsOnSurface(mesh, 100, random),
    ...[1e20, -1e30, 3e38, 0, 0, -1e6],
  ]);
  const exact = directPotential(surface, points);

  it('is within its bound, and that within the tolerance', () => {
    const { scale, shift } = surface.frame;
    for (const tolerance of [0.4, 0.03, 1e-3, 1e-5]) {
      const clusterSum = new ClusterSum(clusters, tolerance, firstShare(clusters, tolerance));
      exact.values.forEach((value, i) => {
        const sum = new Float64Array(2);
        const [x, y, z] = [0, 1, 2].map((k) => points[3 * i + k]! * scale - shift[k]!) as [
          number,
          number,
          number,
        ];
        clusterSum.add(x, y, z, sum);
        const [found, bound] = sum as unknown as [number, number];
        const error = Math.abs(found - value);
        if (!(error <= bound + exact.bounds[i]!))
          expect(error, `point ${i}, ${tolerance}`).toBeLessThanOrEqual(bound);
        const most = tolerance + exact.bounds[i]! + 1e-6;
        if (!(bound <= most)) expect(bound, `point ${i}`).toBeLessThanOrEqual(most);
      });
    }
  });

  it('has clusters that part all triangles', () => {
    const { next, firsts, lasts } = clusters;
    let reached = 0;
    for (let node = 0; node < next.length; node++) {
      if (next[node] !== node + 1) {
        const right = next[node + 1]!;
        expect([firsts[node + 1], lasts[node + 1], lasts[right], next[right]]).toEqual([
          firsts[node],
          firsts[right],
          lasts[node],
          next[node],
        ]);
        continue;
      }
      expect(firsts[node]).toBe(reached);
      expect(lasts[node]! - firsts[node]!).toBeLessThanOrEqual(CLUSTER_LEAF);
      reached = lasts[node]!;
    }
    expect(reached).toBe(mesh.triangleCount);
  });
});

it('moments moved up the tree are those of the triangles themselves', () => {
  const mesh = soup(500);
  const whole = clustersOf(mesh);
  const x = [3, -2, 4] as const;
  const sums = [0.4, 1e-9].map((tolerance) => {
    const J = new Float64Array(2);
    new ClusterSum(whole, tolerance, tolerance).add(...x, J);
    return J[0]!;
  });
  const [exact] = directPotential(localSurface(mesh), Float32Array.from(x)).values;
  // Degrees 1 to 4 of a cluster of radius 0.9 at a distance of 5: what is left is far below each of them.
  expect(Math.abs(sums[0]! - exact!)).toBeLessThan(2e-3 * Math.abs(exact!));
  expect(Math.abs(sums[1]! - exact!)).toBeLessThan(1e-8);
});

it('norms and tails are those of the triangles themselves, all the way up', () => {
  const clusters = clustersOf(soup(300));
  const { places, firsts, lasts, triangles } = clusters;
  const degree = 6;
  const integrator = new MomentIntegrator(degree);
  const rule = triangleRule(4).points;
  for (let node = 0; node < firsts.length; node++) {
    const [x, y, z, square, fifth, sixth, tail] = places.subarray(PLACE_SIZE * node, PLACE_SIZE * (node + 1));
    const moments = new Float64Array((degree + 1) ** 2);
    let [area, fourth] = [0, 0];
    for (let t = firsts[node]!; t < lasts[node]!; t++) {
      integrator.add(triangles, t, x!, y!, z!, 1, moments, 0);
      const [a, b, c] = [0, 3, 6].map((k) => {
        const corner = triangles.subarray(9 * t + k, 9 * t + k + 3);
        return [corner[0]! - x!, corner[1]! - y!, corner[2]! - z!];
      }) as [number[], number[], number[]];
      const [u, v] = [b, c].map((corner) => corner.map((at, k) => at - a[k]!)) as [number[], number[]];
      const own = Math.hypot(...[0, 1, 2].map((k) => cross(u, v, k))) / 2;
      area += own;
      for (let i = 0; i < rule.length; i += 3) {
        const d = Math.hypot(...a.map((at, k) => at + rule[i]! * u[k]! + rule[i + 1]! * v[k]!));
        fourth += own * rule[i + 2]! * d ** 4;
      }
    }
    const norm = (n: number) => Math.hypot(...moments.subarray(n * n, (n + 1) ** 2));
    const scale = area * square! ** 2;
    const pairs = [
      [fifth!, norm(5), scale],
      [sixth!, norm(6), scale * Math.sqrt(square!)],
      [tail!, (7 / (4 * Math.PI)) * square! * fourth, scale * square!],
    ] as const;
    for (const [found, expected, size] of pairs) {
      expect(found).toBeGreaterThanOrEqual(expected);
      expect(found - expected).toBeLessThan(3e-6 * size);
    }
  }
});

const cross = (u: readonly number[], v: readonly number[], k: number) =>
  u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!;

it('the walk is seldom made twice, whatever the tolerance', () => {
  const mesh = openCellFoam({ triangles: 8000, seed: 2 });
  const clusters = clustersOf(mesh);
  const points = randomPoints(mesh, 300, random);
  const { scale, shift } = localSurface(mesh).frame;
  for (const tolerance of [0.3, 1e-2, 1e-4]) {
    const share = firstShare(clusters, tolerance);
    const clusterSum = new ClusterSum(clusters, tolerance, share);
    const at = (i: number, k: number) => points[3 * i + k]! * scale - shift[k]!;
    const again = Array.from({ length: 300 }, (_, i) =>
      clusterSum.add(at(i, 0), at(i, 1), at(i, 2), new Float64Array(2)),
    ).filter((most) => most < share);
    expect(again.length).toBeLessThan(60);
  }
});

it.each([
  ['cutting', () => cutIntoClusters(localSurface(large), false)],
  ['joining', () => joinBranches(filledBranches(large))],
] as const)('a step of %s is short', (_, stepsOf) => {
  let longest = 0;
  let last = 0;
  for (const done of stepsOf()) {
    expect(done).toBeGreaterThanOrEqual(last);
    longest = Math.max(longest, done - last);
    last = done;
  }
  expect(longest).toBeLessThan(0.4);
});

it('branches have every triangle once, and are of the size that they may have', () => {
  const { clusters, count, roots } = filledBranches(large);
  expect(count).toBeGreaterThan(4);
  let end = 0;
  for (const node of roots) {
    expect(clusters.firsts[node]).toBe(end);
    end = clusters.lasts[node]!;
    expect(end - clusters.firsts[node]!).toBeLessThanOrEqual(BRANCH_SIZE);
  }
  expect(end).toBe(large.triangleCount);
});

it('clusters of the smallest triangles keep their bound', () => {
  const nested = nestedSoup(1000);
  const [meshes, exponents] = [[nested], [60, 100, 130, 142]];
  // Beside a large triangle, which keeps the frame as it is.
  for (const e of exponents) {
    const positions = Float32Array.from([
      ...soup(200).positions.map((x) => x * 2 ** -e),
      1,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      1,
    ]);
    const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
    meshes.push(new TriangleMesh({ positions, indices }));
  }
  for (const [n, mesh] of meshes.entries()) {
    const around = Array.from({ length: 300 }, (_, i) => {
      const e = n === 0 ? 140 * random() : exponents[n - 1]! - 2 * random();
      return [0, 1, 2].map(() => 2 ** -e * (2 * random() - 1 + (i % 2)));
    });
    const points = Float32Array.from(around.flat());
    const clusters = clustersOf(mesh);
    const exact = directPotential(localSurface(mesh), points);
    for (const tolerance of [0.4, 1e-3, 1e-5]) {
      const sums = new ClusterSum(clusters, tolerance, firstShare(clusters, tolerance));
      exact.values.forEach((value, i) => {
        const sum = new Float64Array(2);
        sums.add(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, sum);
        const error = Math.abs(sum[0]! - value);
        expect(error, `mesh ${n}, point ${i}, ${tolerance}`).toBeLessThanOrEqual(sum[1]! + exact.bounds[i]!);
      });
    }
  }
});

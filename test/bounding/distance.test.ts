import { describe, expect, it } from 'vitest';
import { placementOf, relativePlacement } from '../../src/bounding/pose.ts';
import {
  BoundingTree,
  type BoundingTreeOptions,
  extrusion,
  meshDistance,
  meshesMeet,
  openCellFoam,
  randomRock,
  readMesh,
  TriangleMesh,
  unitSphere,
} from '../../src/index.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { dataPath, hasData } from '../support/data.ts';
import {
  distanceOfAll,
  placedTriangles,
  pointToTriangle,
  randomPoses,
  sizeOf,
  trianglesOf,
} from './support.ts';

const KINDS: readonly BoundingTreeOptions[] = [
  ...([{ volume: 'sphere' }, { volume: 'aabb' }, { volume: 'obb' }] as const),
  ...[14, 18, 26].map((k) => ({ volume: 'k-dop', k }) as const),
];
const nameOf = ({ volume, k }: BoundingTreeOptions) => `${volume}${k ?? ''}`;
const rock = (seed: number, triangles = 392) => randomRock({ seed, convex: false, triangles });
const distanceOf = (
  a: TriangleMesh,
  b: TriangleMesh,
  poses?: ArrayLike<number>,
  kind: BoundingTreeOptions = {},
) =>
  meshDistance({ a: BoundingTree.create(a, kind), b: BoundingTree.create(b, kind), ...(poses && { poses }) });

const BODIES: Record<string, () => [TriangleMesh, TriangleMesh]> = {
  rocks: () => [rock(1, 200), rock(2, 128)],
  'two foams': () => [foam(1), foam(2)],
  'a foam and a rock': () => [foam(1), rock(2, 72)],
  'a rock and a plate without thickness': () => [rock(3), flat()],
};

function foam(seed: number): TriangleMesh {
  return openCellFoam({ triangles: 1000, seed });
}

function flat(): TriangleMesh {
  const positions = Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0);
  return new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2, 0, 2, 3) });
}

describe('distances', () => {
  for (const [name, make] of Object.entries(BODIES)) {
    it(`of ${name} equal those of all pairs of triangles, by all volumes and strategies`, async () => {
      const [a, b] = make();
      const size = sizeOf(a) + sizeOf(b);
      for (let seed = 1; seed <= 2; seed++) {
        const poses = randomPoses(seed, size * (seed === 1 ? 1.2 : 0.55));
        const expected = distanceOfAll(a, b, poses);
        for (const kind of KINDS) {
          const pair = { a: BoundingTree.create(a, kind), b: BoundingTree.create(b, kind), poses };
          for (const strategy of ['greedy', 'best-first'] as const) {
            const found = await meshDistance(pair, { strategy });
            expect(found.exact).toBe(true);
            expect(Math.abs(found.distance - expected), `${nameOf(kind)} ${strategy}`).toBeLessThan(
              1e-12 * size,
            );
          }
        }
      }
    });
  }

  it('are those of the points, which lie on the triangles named', async () => {
    const [a, b] = [rock(4), rock(5)];
    for (let seed = 1; seed <= 20; seed++) {
      const poses = randomPoses(seed, 3);
      const { distance, pointA, pointB, triangleA, triangleB } = await distanceOf(a, b, poses);
      expect(Math.abs(Math.hypot(...pointA.map((x, k) => x - pointB[k]!)) - distance)).toBeLessThan(1e-14);
      const world = Float64Array.of(0, 0, 0, 0, 0, 0, 1, ...poses.slice(0, 7));
      expect(pointToTriangle(pointA, placedTriangles(a, world)[triangleA!]!)).toBeLessThan(1e-14);
      world.set(poses.slice(7), 7);
      expect(pointToTriangle(pointB, placedTriangles(b, world)[triangleB!]!)).toBeLessThan(1e-14);
    }
  });

  it('of meshes that barely cross are 0, and of the same ones a hair apart they are the gap', async () => {
    const prism = extrusion({
      outline: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      height: 1,
    });
    const gap = 2 ** -40;
    for (const [shift, expected] of [
      [-gap, 0],
      [0, 0],
      [gap, gap],
    ] as const) {
      const z = sizeOfZ(prism) + shift;
      const { distance } = await distanceOf(prism, prism, [0, 0, 0, 0, 0, 0, 1, 0.25, 0.25, z, 0, 0, 0, 1]);
      expect(distance, `${shift}`).toBe(expected);
    }
  });

  it('of a body inside another are 0, unless the outer one is open', async () => {
    const [outer, inner] = [unitSphere(3), scaled(unitSphere(2), 0.25)];
    const nested = await distanceOf(outer, inner);
    expect(nested).toMatchObject({ distance: 0, exact: true, triangleA: undefined });
    expect(await distanceOf(inner, outer)).toMatchObject({ distance: 0, triangleB: undefined });
    const open = new TriangleMesh({ positions: outer.positions, indices: outer.indices.slice(3) });
    const found = await distanceOf(open, inner);
    expect(found.distance).toBeGreaterThan(0.7);
  });

  it('are 0 exactly where meshes meet', async () => {
    const [a, b] = [rock(9), foam(4)].map((mesh) => BoundingTree.create(mesh)) as [
      BoundingTree,
      BoundingTree,
    ];
    const found = new Set<boolean>();
    for (let seed = 1; seed <= 40; seed++) {
      const pair = { a, b, poses: randomPoses(seed, 1.3) };
      const { distance } = await meshDistance(pair);
      found.add(await meshesMeet(pair));
      expect(await meshesMeet(pair), `${seed}`).toBe(distance === 0);
    }
    expect(found.size).toBe(2);
    const ball = BoundingTree.create(unitSphere(3));
    expect(await meshesMeet({ a: ball, b: BoundingTree.create(scaled(unitSphere(1), 0.5)) })).toBe(true);
  });

  it('are 0 where closest points are one but for rounding, and triangles meet', async () => {
    const a = openCellFoam({ triangles: 1000, seed: 3 });
    const b = rock(4, 500);
    const at = [1.692540866888581, -0.22681334099000744, 0.761904776096344];
    const poses = Float64Array.of(0, 0, 0, 0, 0, 0, 1, ...at, 0, 0, 0, 1);
    const trees = {
      a: BoundingTree.create(a, { volume: 'aabb' }),
      b: BoundingTree.create(b, { volume: 'aabb' }),
    };
    for (const strategy of ['greedy', 'best-first'] as const)
      expect((await meshDistance({ ...trees, poses }, { strategy })).distance).toBe(0);
  });

  it('look at every part of a body for one that is inside', async () => {
    const [outer, part] = [unitSphere(2), scaled(unitSphere(1), 0.1)];
    const moved = part.positions.map((x, i) => (i % 3 === 0 ? x + 3 : x));
    const two = new TriangleMesh({
      positions: Float32Array.of(...moved, ...part.positions),
      indices: Uint32Array.of(...part.indices, ...part.indices.map((i) => i + part.vertexCount)),
    });
    expect((await distanceOf(outer, two)).distance).toBe(0);
  });

  it('that are stopped have two points and a lower bound that only rises', async () => {
    const pair = {
      a: BoundingTree.create(rock(6)),
      b: BoundingTree.create(rock(7)),
      poses: randomPoses(3, 3),
    };
    const { distance } = await meshDistance(pair);
    for (const strategy of ['greedy', 'best-first'] as const) {
      let before = 0;
      for (let visits = 1; visits < 3000; visits *= 2) {
        const found = await meshDistance(pair, { strategy, visits });
        expect(found.lower).toBeGreaterThanOrEqual(strategy === 'greedy' ? 0 : before);
        expect(found.lower).toBeLessThanOrEqual(distance + 1e-15);
        expect(found.distance).toBeGreaterThanOrEqual(distance);
        expect(found.visited).toBeLessThanOrEqual(visits);
        before = found.lower;
      }
    }
  });

  it('hear an abort signal while they go on', async () => {
    // All pairs of triangles of two spheres about one centre are about as far apart: they take many slices of time.
    const pair = {
      a: BoundingTree.create(unitSphere(7)),
      b: BoundingTree.create(scaled(unitSphere(7), 0.999)),
    };
    const controller = new AbortController();
    // As soon as the search lets anything in.
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(meshDistance(pair, { signal: controller.signal })).rejects.toThrow('enough');
  });

  const meshes = ['boot.obj', 'menger_sponge3_be.ply', 'plate_holes.stl', 'thin_plate.obj', 'wingnut.obj'];
  it.runIf(hasData)('of meshes of others equal those of a greedy search by other volumes', async () => {
    for (const name of meshes) {
      const mesh = await readMesh(dataPath(`good/${name}`));
      const size = sizeOf(mesh);
      const poses = randomPoses(7, 0.8 * size);
      const all = [];
      for (const kind of KINDS.slice(0, 4)) {
        const tree = BoundingTree.create(mesh, kind);
        all.push((await meshDistance({ a: tree, b: tree, poses }, { strategy: 'greedy' })).distance);
      }
      for (const one of all) expect(Math.abs(one - all[0]!), name).toBeLessThan(1e-12 * size);
    }
  });

  const small = ['curiosity_rock1.obj', 'plate_holes.stl', 'thin_plate.obj'];
  it.runIf(hasData)('of small meshes of others equal those of all pairs of triangles', async () => {
    for (const name of small) {
      const mesh = await readMesh(dataPath(`good/${name}`));
      const size = sizeOf(mesh);
      const poses = randomPoses(7, 0.8 * size);
      const expected = distanceOfAll(mesh, mesh, poses);
      for (const kind of KINDS) {
        const tree = BoundingTree.create(mesh, kind);
        const { distance } = await meshDistance({ a: tree, b: tree, poses }, { strategy: 'greedy' });
        expect(Math.abs(distance - expected), `${name} ${nameOf(kind)}`).toBeLessThan(1e-12 * size);
      }
    }
  });
});

describe('bounds', () => {
  for (const kind of KINDS) {
    it(`of ${nameOf(kind)} are never above the distance of what nodes hold`, () => {
      const random = createRandom(8);
      const [a, b] = [rock(8, 128), foam(3)].map((mesh) => BoundingTree.create(mesh, kind)) as [
        BoundingTree,
        BoundingTree,
      ];
      for (let seed = 1; seed <= 20; seed++) {
        const poses = randomPoses(seed, 3 * random());
        const placement = relativePlacement(placementOf(poses, 0), placementOf(poses, 7));
        const bound = a.volumes.bound(a.arrays.values, b.arrays.values, placement, 0);
        const corners = [trianglesOf(a.mesh), placedTriangles(b.mesh, poses)] as const;
        for (let i = 0; i < 20; i++) {
          const nodes = [a, b].map(({ arrays }) => Math.floor(random() * arrays.nodes)) as [number, number];
          const [p, q] = [a, b].map(({ arrays }, n) => {
            const { first, count, triangles } = arrays;
            const node = nodes[n]!;
            return [...triangles.subarray(first[node], first[node]! + count[node]!)].flatMap(
              (t) => corners[n]![t]!,
            );
          }) as unknown as [number[][], number[][]];
          const least = Math.min(
            ...p.map((one) => Math.min(...q.map((two) => Math.hypot(...one.map((x, k) => x - two[k]!))))),
          );
          const most = bound(...nodes, Infinity);
          expect(most).toBeLessThanOrEqual(least + 1e-14);
          // One that ends early is a bound, too, and tells the same of what is enough.
          const enough = most - 0.1 * random();
          expect(bound(...nodes, enough)).toBeLessThanOrEqual(most);
          expect(bound(...nodes, enough)).toBeGreaterThan(enough - 1e-14);
        }
      }
    });
  }
});

describe('oriented boxes', () => {
  it('reach as far as the corners that they hold, near the origin and far from it', () => {
    for (const away of [0, 1000]) {
      const { positions, indices } = rock(4, 3200);
      const mesh = new TriangleMesh({ positions: positions.map((x) => x + away), indices });
      const { arrays, reach } = BoundingTree.create(mesh, { volume: 'obb' });
      let worst = 0;
      for (let node = 0; node < arrays.nodes; node++) {
        const box = arrays.values.subarray(15 * node, 15 * node + 15);
        const begin = 9 * arrays.first[node]!;
        for (const k of [0, 1, 2]) {
          let [low, high] = [Infinity, -Infinity];
          for (let c = begin; c < begin + 9 * arrays.count[node]!; c += 3) {
            let along = 0;
            for (let j = 0; j < 3; j++) along += box[3 + 3 * k + j]! * (arrays.corners[c + j]! - box[j]!);
            low = Math.min(low, along);
            high = Math.max(high, along);
          }
          const half = box[12 + k]!;
          worst = Math.max(worst, Math.abs(high - half), Math.abs(low + half));
        }
      }
      expect(worst).toBeLessThan(2 ** -46 * reach);
    }
  });
});

describe('bad input', () => {
  const tree = BoundingTree.create(unitSphere(1));
  const poses = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2];
  it('is told in one line', async () => {
    const empty = new TriangleMesh({
      positions: new Float32Array(0),
      indices: new Uint32Array(0),
      name: 'empty.stl',
    });
    expect(() => BoundingTree.create(empty)).toThrow('empty.stl: the mesh has no triangles, expected some');
    const make = (options: object) => () => BoundingTree.create(unitSphere(1), options);
    expect(make({ volume: 'ball' })).toThrow('found "ball", expected one of sphere, aabb, obb, k-dop');
    expect(make({ volume: 'k-dop', k: 7 })).toThrow('k: found 7, expected one of 14, 18, 26');
    expect(make({ volume: 'obb', k: 14 })).toThrow('k is for volume k-dop, found volume obb');
    await expect(meshDistance({ a: tree, b: tree, poses })).rejects.toThrow(
      'quaternion of b has length 2, expected 1',
    );
    const other = BoundingTree.create(unitSphere(1), { volume: 'k-dop' });
    await expect(meshDistance({ a: tree, b: other })).rejects.toThrow('volumes sphere and k-dop with k 18');
    await expect(meshDistance({ a: tree, b: tree }, { visits: 0 })).rejects.toThrow('visits: found 0');
    await expect(meshDistance({ a: tree, b: unitSphere(1) as never })).rejects.toThrow(
      'expected a BoundingTree',
    );
    await expect(meshDistance({ a: tree, b: tree }, { strategy: 'best' as never })).rejects.toThrow(
      'greedy, best-first',
    );
  });
});

describe('meshes that meet', () => {
  it('meet a triangle without area whose edges pierce them, in both orders', async () => {
    const meshOf = (...positions: number[]) =>
      new TriangleMesh({
        positions: Float32Array.from(positions),
        indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
      });
    const needle = meshOf(0, 0, -1, 0, 0, 1, 0, 0, 1);
    const sheet = meshOf(-5, -4, 0, 5, -4, 0, 0, 6, 0);
    expect((await distanceOf(needle, sheet)).distance).toBe(0);
    expect((await distanceOf(sheet, needle)).distance).toBe(0);
  });

  it('have their common point on the triangles that are named', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const [a, b] = [rock(seed, 200), foam(seed)];
      const { distance, pointA, triangleA, triangleB } = await distanceOf(a, b);
      expect(distance).toBe(0);
      expect(pointToTriangle(pointA as never, trianglesOf(a)[triangleA!]!)).toBeLessThan(1e-12);
      expect(pointToTriangle(pointA as never, trianglesOf(b)[triangleB!]!)).toBeLessThan(1e-12);
    }
  });
});

function scaled(mesh: TriangleMesh, factor: number): TriangleMesh {
  return new TriangleMesh({ positions: mesh.positions.map((x) => factor * x), indices: mesh.indices });
}

function sizeOfZ({ box }: TriangleMesh): number {
  return box.max[2] - box.min[2];
}

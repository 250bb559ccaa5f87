import { describe, expect, it } from 'vitest';
import {
  BoundingTree,
  createRandom,
  meshCollision,
  randomRock,
  TriangleMesh,
  unitSphere,
} from '../../../src/index.ts';
import { boxMesh } from '../../support/shapes.ts';
import { randomPoses } from '../support.ts';

const treeOf = (mesh: TriangleMesh) => BoundingTree.create(mesh);
const AT_REST = [0, 0, 0, 0, 0, 0, 1];
const at = (x: number, y: number, z: number) => [...AT_REST, x, y, z, 0, 0, 0, 1];

const cube = () => boxMesh([-1, -1, -1], [1, 1, 1]);

describe('collisions in motion', () => {
  it('of translations are exact, however far bodies move', async () => {
    const tree = treeOf(cube());
    for (const [from, to, time, normal] of [
      [at(3, 0.25, 0.125), at(0, 0.25, 0.125), 1 / 3, [-1, 0, 0]],
      [at(0.5, -5, 0.25), at(0.5, 95, 0.25), 0.03, [0, 1, 0]],
      // Through each other within the step.
      [at(100, 0.5, 0.5), at(-100, 0.5, 0.5), 0.49, [-1, 0, 0]],
    ] as const) {
      const found = await meshCollision({ a: tree, b: tree, from, to });
      expect(Math.abs(found!.time - time)).toBeLessThan(1e-12);
      expect([...found!.normal].map((x) => x + 0)).toEqual(normal);
    }
    const past = { a: tree, b: tree, from: at(3, 2.001, 0), to: at(-3, 2.001, 0) };
    expect(await meshCollision(past)).toBeUndefined();
    expect(await meshCollision(past, { method: 'conservative' })).toBeUndefined();
  });

  it('are found where a body rests and presses, not where it parts', async () => {
    const tree = treeOf(cube());
    const found = await meshCollision({ a: tree, b: tree, from: at(0, 0, 2), to: at(0, 0, 1.9) });
    expect(found!.time).toBe(0);
    expect(await meshCollision({ a: tree, b: tree, from: at(0, 0, 2), to: at(0, 0, 2.1) })).toBeUndefined();
  });

  it('none is missed that conservative advancement finds, and both agree on the time', async () => {
    const [a, b] = [1, 2].map((seed) => treeOf(randomRock({ seed, convex: false, triangles: 72 }))) as [
      BoundingTree,
      BoundingTree,
    ];
    const random = createRandom(3);
    let met = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const from = randomPoses(seed, 2.6);
      const to = from.slice();
      // Towards each other and a little past, with a small turn or none.
      for (let k = 0; k < 3; k++) to[7 + k] = from[k]! + 0.9 * (random() - 0.5);
      const isTurned = seed % 2 === 0;
      if (isTurned) {
        for (let k = 3; k < 7; k++) to[7 + k]! += 0.02 * (random() - 0.5);
        const length = Math.hypot(...to.slice(10));
        for (let k = 10; k < 14; k++) to[k]! /= length;
      }
      const sure = await meshCollision({ a, b, from, to }, { method: 'conservative' });
      const found = await meshCollision({ a, b, from, to });
      expect(found === undefined, `${seed}`).toBe(sure === undefined);
      if (sure === undefined) continue;
      met++;
      // The tolerance over how fast they get closer, which a glancing touch makes less.
      expect(Math.abs(found!.time - sure.time), `${seed}`).toBeLessThan(isTurned ? 2e-3 : 2e-5);
    }
    expect(met).toBeGreaterThan(30);
  });

  it('of a tolerance near rounding end, with a normal of unit length', async () => {
    const [tree, other] = [1, 2].map((seed) =>
      treeOf(randomRock({ seed, convex: false, triangles: 72 })),
    ) as [BoundingTree, BoundingTree];
    const from = randomPoses(3, 2.6);
    const to = from.slice();
    for (let k = 7; k < 10; k++) to[k] = 0.2 * from[k]!;
    for (let k = 0; k < 3; k++) to[k] = 0;
    const meshes = { a: tree, b: other, from, to };
    const found = await meshCollision(meshes, { method: 'conservative', tolerance: 1e-12 });
    if (found) expect(Math.hypot(...found.normal)).toBeCloseTo(1, 12);
    expect(found).toBeDefined();
    await expect(meshCollision(meshes, { method: 'conservative', tolerance: 1e-17 })).rejects.toThrow(
      /^meshCollision: tolerance: found 1e-17, expected \d\S* or more: distances of these bodies are rounded$/,
    );
  });

  it('of turns by more than a radian are found, as by conservative advancement', async () => {
    const bar = treeOf(boxMesh([-0.125, -0.125, -2], [0.125, 0.125, 2]));
    const post = treeOf(boxMesh([-0.25, -0.25, -0.25], [0.25, 0.25, 0.25]));
    // The bar's end sweeps through the post half way, and is past it in the end.
    const turn = (angle: number) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
    for (const angle of [1.5, 2.5, 3.1]) {
      const from = [0, 0, 0, ...turn(-angle / 2), 0, 0, 1.5, 0, 0, 0, 1];
      const to = [0, 0, 0, ...turn(angle / 2), 0, 0, 1.5, 0, 0, 0, 1];
      const meshes = { a: bar, b: post, from, to };
      const sure = await meshCollision(meshes, { method: 'conservative', tolerance: 1e-9 });
      const found = await meshCollision(meshes);
      expect(sure!.time).toBeLessThan(0.5);
      expect(Math.abs(found!.time - sure!.time), `${angle}`).toBeLessThan(1e-8);
    }
  });

  it('tell bad input in one line', async () => {
    const tree = treeOf(unitSphere(1));
    const moving = { a: tree, b: tree, from: at(3, 0, 0), to: at(0, 0, 0) };
    await expect(meshCollision(moving, { method: 'exact' as never })).rejects.toThrow(
      'interpolated, conservative',
    );
    await expect(meshCollision(moving, { tolerance: 0 })).rejects.toThrow(
      'tolerance: found 0, expected a length above 0',
    );
    const [outer, mesh] = [treeOf(unitSphere(1)), unitSphere(1)];
    const small = new TriangleMesh({ positions: mesh.positions.map((x) => x / 4), indices: mesh.indices });
    const inner = treeOf(small);
    for (const method of ['interpolated', 'conservative'] as const)
      for (const [pair, words] of [
        [{ a: outer, b: inner }, 'b is inside a'],
        [{ a: inner, b: outer }, 'a is inside b'],
      ] as const) {
        const nested = { ...pair, from: at(0.1, 0, 0), to: at(3, 0, 0) };
        await expect(meshCollision(nested, { method })).rejects.toThrow(
          `meshCollision: from: ${words}, expected bodies apart, or whose surfaces meet`,
        );
      }
    // Turned, its box is larger than the other's.
    const tight = treeOf(
      new TriangleMesh({ positions: mesh.positions.map((x) => 0.75 * x), indices: mesh.indices }),
    );
    const half = Math.PI / 8;
    const turned = [...AT_REST, 0, 0, 0, 0, 0, Math.sin(half), Math.cos(half)];
    await expect(meshCollision({ a: outer, b: tight, from: turned, to: turned })).rejects.toThrow(
      'from: b is inside a',
    );
    const inwards = new TriangleMesh({
      ...{ positions: mesh.positions, name: 'ball.stl' },
      indices: mesh.indices.map((_, i) => mesh.indices[i + [0, 1, -1][i % 3]!]!),
    });
    await expect(meshCollision({ ...moving, b: treeOf(inwards) })).rejects.toThrow(
      /^meshCollision: ball.stl: found a volume of -\d\S*, expected faces that are counter-clockwise seen from outside/,
    );
    const mixed = new TriangleMesh({
      ...{ positions: mesh.positions, name: 'ball.stl' },
      indices: mesh.indices.map((corner, i) => (i < 3 ? mesh.indices[i + [0, 1, -1][i]!]! : corner)),
    });
    await expect(meshCollision({ ...moving, b: treeOf(mixed) })).rejects.toThrow(
      'meshCollision: ball.stl: found faces that look inwards beside others, expected faces that are',
    );
    // The first part looks outwards, and so does the mesh as a whole; the second one, beside it, inwards.
    const apart = new TriangleMesh({
      positions: Float32Array.of(
        ...mesh.positions,
        ...mesh.positions.map((x, i) => x / 2 + (i % 3 === 0 ? 2 : 0)),
      ),
      ...{ indices: Uint32Array.of(...mesh.indices, ...inwards.indices.map((i) => i + mesh.vertexCount)) },
      name: 'two.stl',
    });
    await expect(meshCollision({ ...moving, b: treeOf(apart) })).rejects.toThrow(
      /^meshCollision: two.stl: part 2 of 2 .* faces found that look to the other side than the mesh as a whole/,
    );
    await expect(meshCollision({ ...moving, to: [1] })).rejects.toThrow(
      'meshCollision: to: found an array of length 1',
    );
  });

  it('go by poses as they were when asked, whatever callers write into them', async () => {
    const tree = treeOf(unitSphere(1));
    const expected = await meshCollision({ a: tree, b: tree, from: at(3, 0, 0), to: at(0, 0, 0) });
    for (const method of ['interpolated', 'conservative'] as const) {
      const [from, to] = [at(3, 0, 0), at(0, 0, 0)];
      const asked = meshCollision({ a: tree, b: tree, from, to }, { method });
      from.fill(Number.NaN);
      to.fill(Number.NaN);
      expect((await asked)!.time).toBeCloseTo(expected!.time, 5);
    }
  });
});

it('dartsim#2700: cubes whose edges lie in one plane and cross meet', async () => {
  const tree = treeOf(cube());
  // The second one is turned by an eighth about z; faces above and below stay in the planes of the first.
  const turn = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
  const from = [...AT_REST, 3, 0.1, 0, ...turn];
  const to = [...AT_REST, 1, 0.1, 0, ...turn];
  const found = await meshCollision({ a: tree, b: tree, from, to });
  expect(Math.abs(found!.time - (2 - Math.SQRT2) / 2)).toBeLessThan(1e-7);
});

import { describe, expect, it } from 'vitest';
import { buildSurface } from '../../../src/contacts/surface/build-surface.ts';
import { supportAlong } from '../../../src/contacts/surface/support-table.ts';
import {
  CLUSTER,
  NORMAL_FLOATS,
  type SurfaceArrays,
  TREE_CHILDREN,
} from '../../../src/contacts/surface/surface-arrays.ts';
import { buildEdgeTable } from '../../../src/mesh/edges.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, mapMesh, voxelMesh } from '../../support/shapes.ts';

/** A concave body of five flat faces around and two ends. */
const lPrism = voxelMesh(2, 0.5, (i, j, k) => k === 0 && i + j < 2);
const cube = boxMesh([0, 0, 0], [1, 1, 1], 'cube');

const meshes: [string, TriangleMesh][] = [
  ['a cube', cube],
  ['a thin plate', boxMesh([0, 0, 0], [1, 0.7, 0.01])],
  ['a needle', boxMesh([0, 0, 0], [1, 0.02, 0.01])],
  ['an L of voxels', lPrism],
  ['a sphere', unitSphere(3)],
  ['a rock', randomRock({ seed: 3, convex: false, triangles: 2048 })],
  ['a rock of few triangles', randomRock({ seed: 4, convex: false, triangles: 32 })],
  ['a convex rock', randomRock({ seed: 5, convex: true, triangles: 80 })],
  ['a small sphere', mapMesh(unitSphere(2), (x, y, z) => [x * 1e-6, y * 1e-6, z * 1e-6])],
  ['a sphere inside out', mapMesh(unitSphere(2), (x, y, z) => [-x, y, z])],
];

/** Every triangle cut in four. */
function cutInFour(mesh: TriangleMesh): TriangleMesh {
  const edges = buildEdgeTable(mesh.indices, mesh.vertexCount);
  const positions = [...mesh.positions];
  const middle = new Uint32Array(mesh.indices.length);
  for (let e = 0; e < edges.count; e++) {
    const [a, b] = [3 * edges.vertices[2 * e]!, 3 * edges.vertices[2 * e + 1]!];
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++)
      middle[edges.halfEdges[k]!] = positions.length / 3;
    for (let k = 0; k < 3; k++) positions.push((mesh.positions[a + k]! + mesh.positions[b + k]!) / 2);
  }
  const indices: number[] = [];
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const [a, b, c] = mesh.indices.subarray(t, t + 3) as unknown as [number, number, number];
    const [ab, bc, ca] = middle.subarray(t, t + 3) as unknown as [number, number, number];
    indices.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return new TriangleMesh({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
}

/** Weight of the nodes whose coordinate along an axis is below a value. */
function weightBelow({ nodes, weights }: SurfaceArrays, axis: number, value: number): number {
  return weights.reduce((sum, w, n) => (nodes[3 * n + axis]! < value ? sum + w : sum), 0);
}

describe('surface nodes', () => {
  it.each(meshes)('of %s: weights are above 0 and add up to the area', async (_, mesh) => {
    const surface = await buildSurface(mesh);
    const sum = surface.weights.reduce((a, b) => a + b, 0);
    expect(Math.abs(sum / surface.area - 1)).toBeLessThan(1e-12);
    expect(Math.min(...surface.weights)).toBeGreaterThan(0);
    expect(surface.nodes.length).toBe(3 * surface.weights.length);
  });

  it.each([
    ['a cube', cube],
    ['a cube cut in four', cutInFour(cube)],
    ['a cube cut in 16', cutInFour(cutInFour(cube))],
  ])('of %s: flat contact carries the area of the face', async (_, mesh) => {
    const surface = await buildSurface(mesh);
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(weightBelow(surface, axis, 0.01) - 1)).toBeLessThan(0.02);
    }
  });

  it.each(meshes)(
    'of %s: every point of the surface is within two thirds of the spacing',
    async (_, mesh) => {
      const { nodes, spacing } = await buildSurface(mesh);
      const random = createRandom(2);
      for (let n = 0; n < 100; n++) {
        const t = 3 * Math.floor((random() * mesh.indices.length) / 3);
        const shares = [random(), random(), random()];
        const sum = shares.reduce((a, b) => a + b);
        const p = [0, 1, 2].map((k) =>
          shares.reduce(
            (at, share, c) => at + (share / sum) * mesh.positions[3 * mesh.indices[t + c]! + k]!,
            0,
          ),
        );
        let least = Infinity;
        for (let i = 0; i < nodes.length; i += 3) {
          least = Math.min(
            least,
            Math.hypot(nodes[i]! - p[0]!, nodes[i + 1]! - p[1]!, nodes[i + 2]! - p[2]!),
          );
        }
        hold(least <= (2 / 3) * spacing, () => `${p}: ${least} to the nearest node, spacing ${spacing}`);
      }
    },
  );

  it('are the same in every build', async () => {
    const mesh = randomRock({ seed: 9, convex: false, triangles: 320 });
    expect(await buildSurface(mesh)).toEqual(await buildSurface(mesh));
  });

  it.each(meshes)(
    'of %s: balls of all levels hold their nodes and pieces, the root the body',
    async (_, mesh) => {
      const { nodes, nodeTree, edges, edgeTree } = await buildSurface(mesh);
      const expectHeld = (points: Float32Array, balls: Float32Array, first: number, perBall: number) => {
        for (let i = 0; i < points.length / 3; i++) {
          const b = 4 * (first + Math.floor(i / perBall));
          const distance = Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k]! - balls[b + k]!));
          hold(
            distance <= balls[b + 3]!,
            () => `point ${i} is ${distance} from the middle, radius ${balls[b + 3]}`,
          );
        }
      };
      for (const [points, balls, perCluster] of [
        [nodes, nodeTree, CLUSTER],
        [edges, edgeTree, 2 * CLUSTER],
      ] as const) {
        const count = points.length / 3;
        let [first, perBall] = [0, perCluster];
        for (let level = count > 0 ? Math.ceil(count / perBall) : 0; level > 0; perBall *= TREE_CHILDREN) {
          expectHeld(points, balls, first, perBall);
          first += level;
          level = level === 1 ? 0 : Math.ceil(level / TREE_CHILDREN);
        }
        expect(balls.length).toBe(4 * first);
      }
      expectHeld(mesh.positions, nodeTree, nodeTree.length / 4 - 1, Infinity);
    },
  );
});

describe('sharp edges', () => {
  it('of a cube are its twelve, in pieces no longer than the spacing', async () => {
    const { edges, spacing, missedOverlap } = await buildSurface(cube);
    let length = 0;
    for (let e = 0; e < edges.length; e += 6) {
      const piece = Math.hypot(...[0, 1, 2].map((k) => edges[e + 3 + k]! - edges[e + k]!));
      length += piece;
      hold(piece <= spacing * (1 + 1e-6), () => `piece ${e / 6} is ${piece} long, spacing ${spacing}`);
    }
    expect(length).toBeCloseTo(12, 5);
    expect(missedOverlap).toBe(0);
  });

  it('of an L are the convex ones: not its inner edge', async () => {
    const { edges } = await buildSurface(lPrism);
    let inner = 0;
    for (let e = 0; e < edges.length; e += 3) {
      if (edges[e] === 0.5 && edges[e + 1] === 0.5 && edges[e + 2]! > 0 && edges[e + 2]! < 0.5) inner++;
    }
    expect(inner).toBe(0);
    let length = 0;
    for (let e = 0; e < edges.length; e += 6) {
      length += Math.hypot(...[0, 1, 2].map((k) => edges[e + 3 + k]! - edges[e + k]!));
    }
    // Six corners below and above: 4 of length along both ends; five convex uprights of 1/2.
    expect(length).toBeCloseTo(2 * 4 + 5 * 0.5, 5);
  });

  it('of spheres are none, and the overlap that they can miss falls with the triangles', async () => {
    const missed: number[] = [];
    for (const refinements of [2, 3, 4]) {
      const { edges, missedOverlap, spacing } = await buildSurface(unitSphere(refinements));
      expect(edges.length).toBe(0);
      missed.push(missedOverlap / spacing);
    }
    expect(missed[0]).toBeLessThanOrEqual(2 / 3);
    expect(missed[1]).toBeLessThan(missed[0]!);
    expect(missed[2]).toBeLessThan(0.6 * missed[1]!);
    expect(missed[2]).toBeGreaterThan(0);
    expect((await buildSurface(unitSphere(2), { sharpAngle: 0 })).missedOverlap).toBe(0);
  });
});

describe('table of supports', () => {
  it.each(meshes)('of %s is nowhere less than how far it reaches, and hardly more', async (_, mesh) => {
    const { middle, support, nodes } = await buildSurface(mesh);
    const { min, max } = mesh.box;
    const radius = Math.hypot(...[0, 1, 2].map((k) => max[k]! - min[k]!)) / 2;
    const random = createRandom(8);
    const w = new Float64Array(6);
    const along = (x: number, y: number, z: number, of = 0) => w[of]! * x + w[of + 1]! * y + w[of + 2]! * z;
    for (let i = 0; i < 300; i++) {
      for (let k = 0; k < 3; k++) w[k] = random() - 0.5;
      const length = Math.hypot(...w.subarray(0, 3));
      const reach = supportAlong(support, w);
      let most = -Infinity;
      for (let n = 0; n < nodes.length; n += 3) {
        most = Math.max(
          most,
          along(nodes[n]! - middle[0], nodes[n + 1]! - middle[1], nodes[n + 2]! - middle[2]),
        );
      }
      hold(reach >= most - 2 ** -22 * radius * length, () => `${reach} ${most}`);
      // A sixteenth of a needle's length, where it is looked at from the side; far less of round bodies.
      hold(reach <= most + (radius * length) / 16, () => `${reach} ${most}`);
      // Along the direction it grows by its gradient.
      expect(along(w[0]!, w[1]!, w[2]!, 3)).toBeCloseTo(reach, 12);
    }
  });
});

describe('patches', () => {
  it.each<[string, TriangleMesh, number]>([
    ['a cube', cube, 1],
    ['a sphere', unitSphere(2), 1],
    ['an L', lPrism, 2],
  ])('of %s', async (_, mesh, count) => {
    const { patches, patchCount } = await buildSurface(mesh);
    expect(patchCount).toBe(count);
    expect(new Set(patches).size).toBe(count);
  });
});

describe('pseudo-normals', () => {
  it.each(meshes)('of %s are unit and point outwards', async (_, mesh) => {
    const { normals } = await buildSurface(mesh);
    expect(normals.length).toBe((NORMAL_FLOATS * mesh.indices.length) / 3);
    for (let n = 0; n < normals.length; n += 3) {
      const length = Math.hypot(normals[n]!, normals[n + 1]!, normals[n + 2]!);
      hold(Math.abs(length - 1) < 1e-6, () => `normal ${n / 3} has length ${length}`);
    }
  });

  it('of a cube: faces along axes, edges and corners between them', async () => {
    const { normals } = await buildSurface(cube);
    for (let n = 0; n < normals.length; n += 3) {
      const t = Math.floor(n / NORMAL_FLOATS);
      const feature = (n % NORMAL_FLOATS) / 3;
      if (feature < 4) continue;
      const v = 3 * cube.indices[3 * t + feature - 4]!;
      for (let k = 0; k < 3; k++) {
        expect(normals[n + k]).toBeCloseTo((2 * cube.positions[v + k]! - 1) / Math.sqrt(3), 6);
      }
    }
  });
});

describe('bad input', () => {
  it('ends early once a signal is aborted, in the midst of a million nodes', async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(new Error('enough')));
    await expect(buildSurface(cube, { nodeSpacing: 1 / 300 }, control.signal)).rejects.toThrow('enough');
  });

  it('an open mesh, and options out of range', async () => {
    const open = new TriangleMesh({
      positions: cube.positions,
      indices: cube.indices.subarray(3),
      name: 'bin',
    });
    await expect(buildSurface(open)).rejects.toThrow(/^bin: the surface is open: 3 boundary edges/);
    await expect(buildSurface(cube, { nodeSpacing: 0 })).rejects.toThrow(
      'cube: nodeSpacing is 0, expected a length above 0',
    );
    await expect(buildSurface(cube, { nodeSpacing: 1e-5 })).rejects.toThrow(
      /^cube: more than 16777216 surface nodes/,
    );
    await expect(buildSurface(cube, { sharpAngle: -1 })).rejects.toThrow(
      'cube: sharpAngle is -1, expected radians from 0 to pi',
    );
  });
});

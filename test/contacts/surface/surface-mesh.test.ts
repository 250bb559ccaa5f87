import { describe, expect, it } from 'vitest';
import { buildSurface } from '../../../src/contacts/surface/build-surface.ts';
import { surfaceMeshOf } from '../../../src/contacts/surface/surface-mesh.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { massProperties } from '../../../src/mesh/mass-properties.ts';
import { createRandom } from '../../../src/mesh/random.ts';

const cubeCorners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((v) => [v & 1, (v >> 1) & 1, v >> 2]);

describe('meshes of convex shapes', () => {
  it.each<[string, ConvexShape, number]>([
    ['a box', { kind: 'box', halfExtents: [1, 2, 3] }, 48],
    ['a hull off its origin', { kind: 'polytope', vertices: cubeCorners }, 1],
    ['a frustum', { kind: 'frustum', bottom: [1, 1], top: [1, 1], height: 2 }, 8],
  ])('of %s are exact', async (_, shape, volume) => {
    const { mesh, chordError } = surfaceMeshOf(shape);
    expect(mesh.triangleCount).toBe(12);
    expect(massProperties(mesh).volume).toBeCloseTo(volume, 5);
    expect(chordError).toBeLessThan(1e-5);
    await buildSurface(mesh);
  });

  // How far a point is outside, by the shapes' own equations.
  it.each<[string, ConvexShape, (x: number, y: number, z: number) => number]>([
    ['a sphere', { kind: 'sphere', radius: 2 }, (x, y, z) => Math.hypot(x, y, z) - 2],
    [
      'a capsule',
      { kind: 'capsule', halfLength: 1, radius: 0.5 },
      (x, y, z) => Math.hypot(Math.max(0, Math.abs(x) - 1), y, z) - 0.5,
    ],
    [
      'a cylinder',
      { kind: 'cylinder', radius: 1, halfHeight: 0.2 },
      (x, y, z) => Math.max(Math.hypot(x, y) - 1, Math.abs(z) - 0.2),
    ],
    [
      'a box with a margin',
      { kind: 'box', halfExtents: [1, 0.5, 0.25], margin: 0.1 },
      (x, y, z) =>
        Math.hypot(...[Math.abs(x) - 1, Math.abs(y) - 0.5, Math.abs(z) - 0.25].map((d) => Math.max(0, d))) -
        0.1,
    ],
  ])('of %s: corners on it, and no point of it farther than the chord error', async (_, shape, outside) => {
    const { mesh, chordError } = surfaceMeshOf(shape);
    const { positions, indices } = mesh;
    await buildSurface(mesh);
    for (let v = 0; v < positions.length; v += 3) {
      expect(Math.abs(outside(positions[v]!, positions[v + 1]!, positions[v + 2]!))).toBeLessThan(1e-6);
    }
    expect(chordError).toBeLessThan(0.05);
    // Points of faces lie in the shape, and no deeper than the chord error.
    const random = createRandom(1);
    let deepest = 0;
    for (let h = 0; h < indices.length; h += 3) {
      const shares = [random(), random(), random()];
      const sum = shares.reduce((a, b) => a + b);
      const p = [0, 1, 2].map((k) =>
        shares.reduce((at, share, c) => at + (share / sum) * positions[3 * indices[h + c]! + k]!, 0),
      );
      const d = outside(p[0]!, p[1]!, p[2]!);
      expect(d).toBeLessThan(1e-6);
      deepest = Math.max(deepest, -d);
    }
    expect(deepest).toBeLessThanOrEqual(chordError);
    expect(deepest).toBeGreaterThan(chordError / 10);
  });

  it('are finer for smaller chords', () => {
    const coarse = surfaceMeshOf({ kind: 'sphere', radius: 1 }, { chord: 0.02 });
    const fine = surfaceMeshOf({ kind: 'sphere', radius: 1 }, { chord: 0.002 });
    expect(fine.mesh.triangleCount).toBeGreaterThan(2 * coarse.mesh.triangleCount);
    expect(fine.chordError).toBeLessThan(coarse.chordError / 2);
  });

  it('are refused without volume', () => {
    expect(() => surfaceMeshOf({ kind: 'disc', radius: 1 }, { name: 'lid' })).toThrow(
      'lid: a shape without volume found, expected one with volume where it meets polyhedra',
    );
  });
});

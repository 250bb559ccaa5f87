import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { massProperties } from '../../src/mesh/mass-properties.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { boxMesh, joined, mapVertices, meshOf } from './sample-meshes.ts';

function expectClose(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((x, k) => {
    expect(Math.abs(x - expected[k]!), `${x} for ${expected[k]}`).toBeLessThanOrEqual(tolerance);
  });
}

describe('massProperties', () => {
  it('gives a box its area, volume, centre and moments', () => {
    const found = massProperties(boxMesh([1, 2, 3], [2, 4, 7]));
    expect(found.area).toBe(28);
    expect(found.volume).toBeCloseTo(8, 13);
    expectClose(found.centroid!, [1.5, 3, 5], 1e-14);
    // V / 12 times the sum of the other two squared edges
    expectClose(found.inertia!.flat(), [(8 / 12) * 20, 0, 0, 0, (8 / 12) * 17, 0, 0, 0, (8 / 12) * 5], 1e-13);
  });

  it('gives a right tetrahedron its products of inertia with negative sign', () => {
    const tetrahedron = meshOf(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [
        [0, 2, 1],
        [0, 1, 3],
        [0, 3, 2],
        [1, 2, 3],
      ],
    );
    const found = massProperties(tetrahedron);
    expect(found.volume).toBeCloseTo(1 / 6, 15);
    expectClose(found.centroid!, [0.25, 0.25, 0.25], 1e-15);
    // about the corner: x^2 gives 1/60, x y gives 1/120; then to the centroid with V / 16 each
    const square = 1 / 60 - 1 / 96;
    const product = 1 / 120 - 1 / 96;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        expect(found.inertia![i]![j]).toBeCloseTo(i === j ? 2 * square : -product, 15);
      }
    }
  });

  it('approaches the moments of a sphere with the square of the refinement', () => {
    const errors = [4, 5, 6].map((refinements) => {
      const { volume, inertia, area } = massProperties(unitSphere(refinements));
      return [
        1 - volume / ((4 / 3) * Math.PI),
        1 - area / (4 * Math.PI),
        1 - inertia![1][1] / (((2 / 5) * 4 * Math.PI) / 3),
      ];
    });
    for (let step = 0; step < 2; step++) {
      errors[step]!.forEach((error, k) => {
        const ratio = error / errors[step + 1]![k]!;
        expect(error).toBeGreaterThan(0);
        expect(ratio).toBeGreaterThan(3.9);
        expect(ratio).toBeLessThan(4.1);
      });
    }
  });

  it('keeps its accuracy a million units from the origin', () => {
    const far = massProperties(boxMesh([1e6, -1e6, 1e6], [1e6 + 1, -1e6 + 2, 1e6 + 4]));
    expect(far.volume).toBeCloseTo(8, 12);
    expectClose(far.centroid!, [1e6 + 0.5, -1e6 + 1, 1e6 + 2], 1e-9);
    expectClose(far.inertia!.flat(), [(8 / 12) * 20, 0, 0, 0, (8 / 12) * 17, 0, 0, 0, (8 / 12) * 5], 1e-11);
  });

  it('does not depend on the reference point of a closed, oriented mesh', () => {
    const rock = randomRock({ seed: 3, convex: false, triangles: 500 });
    const near = massProperties(rock);
    const other = massProperties(rock, { reference: [2, -1, 3] });
    expect(other.volume).toBeCloseTo(near.volume, 12);
    expectClose(other.centroid!, near.centroid!, 1e-12);
    expectClose(other.inertia!.flat(), near.inertia!.flat(), 1e-11);
  });

  it('turns every sign but the centroid with the orientation', () => {
    const { positions, indices } = boxMesh();
    const turned = massProperties(new TriangleMesh({ positions, indices: indices.toReversed() }));
    expect(turned.volume).toBeCloseTo(-1, 14);
    expectClose(turned.centroid!, [0.5, 0.5, 0.5], 1e-15);
    expect(turned.inertia![0][0]).toBeCloseTo(-1 / 6, 14);
  });

  it('has no centroid where the volume cancels', () => {
    const leaf = meshOf(
      [
        [0, 0, 0.1],
        [1, 0, 0.2],
        [0.3, 1, 0.7],
      ],
      [
        [0, 1, 2],
        [0, 2, 1],
      ],
    );
    expect(massProperties(leaf).centroid).toBeUndefined();
    expect(massProperties(leaf).inertia).toBeUndefined();
    expect(massProperties(joined(boxMesh(), boxMesh())).volume).toBeCloseTo(2, 14);
  });

  it('is zero for an empty mesh', () => {
    expect(massProperties(meshOf([], []))).toEqual({
      area: 0,
      volume: 0,
      centroid: undefined,
      inertia: undefined,
    });
  });

  it('stays finite at the ends of the float32 range', () => {
    for (const size of [3e38, 1e-44]) {
      const found = massProperties(boxMesh([0, 0, 0], [size, size, size]));
      const rounded = Math.fround(size);
      expect(found.volume / rounded / rounded / rounded).toBeCloseTo(1, 12);
      expect(found.inertia!.flat().every(Number.isFinite)).toBe(true);
    }
  });

  it('moves with the mesh and turns with it', () => {
    const rock = randomRock({ seed: 9, convex: false, triangles: 200 });
    const start = massProperties(rock);
    const integer = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(integer, integer, integer, fc.integer({ min: 0, max: 2 }), (dx, dy, dz, turns) => {
        // Cyclic turns of the axes are exact in float32; shifts round the vertices by up to 2^-19.
        const turn = <T>(v: readonly T[]) => [0, 1, 2].map((k) => v[(k + turns) % 3]!);
        const moved = massProperties(
          mapVertices(rock, (x, y, z) => {
            const [u, v, w] = turn([x, y, z]);
            return [u! + dx, v! + dy, w! + dz];
          }),
        );
        const [u, v, w] = turn(start.centroid!);
        expect(Math.abs(moved.volume - start.volume)).toBeLessThan(start.area * 2 ** -18);
        expectClose(moved.centroid!, [u! + dx, v! + dy, w! + dz], 2 ** -17);
        expectClose(moved.inertia!.flat(), turn(start.inertia!.map(turn)).flat(), 2 ** -16);
      }),
      { numRuns: 50 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { pointOf } from './sample-meshes.ts';

describe('unitSphere', () => {
  it('has 8 * 4^k triangles and 4^(k + 1) + 2 vertices, closed, manifold and oriented', () => {
    for (let k = 0; k <= 7; k++) {
      const sphere = unitSphere(k);
      expect(sphere.triangleCount).toBe(8 * 4 ** k);
      expect(sphere.vertexCount).toBe(4 ** (k + 1) + 2);
      const report = checkMesh(sphere);
      expect(report).toMatchObject({
        closed: true,
        manifold: true,
        oriented: true,
        components: 1,
        unusedVertices: 0,
      });
      expect(report.degenerateFaces.count).toBe(0);
    }
  });

  it('has its vertices on the sphere but for the rounding to float32', () => {
    const sphere = unitSphere(6);
    let worst = 0;
    for (let v = 0; v < sphere.vertexCount; v++) {
      worst = Math.max(worst, Math.abs(1 - Math.hypot(...pointOf(sphere, v))));
    }
    expect(worst).toBeLessThan(Math.sqrt(3) * 2 ** -25);
  });

  it('has no two vertices at one place', () => {
    const sphere = unitSphere(7);
    const places = new Set(
      Array.from({ length: sphere.vertexCount }, (_, v) => pointOf(sphere, v).join(' ')),
    );
    expect(places.size).toBe(sphere.vertexCount);
  });

  it('approaches the volume of the ball, four times closer with every refinement', () => {
    const missing = [3, 4, 5, 6].map(
      (k) => 1 - checkMesh(unitSphere(k)).enclosedVolume! / ((4 / 3) * Math.PI),
    );
    for (let k = 0; k < 3; k++) expect(missing[k]! / missing[k + 1]!).toBeCloseTo(4, 1);
    expect(missing[3]).toBeGreaterThan(0);
  });

  it('starts from the octahedron', () => {
    expect([...unitSphere(0).positions].toSorted()).toEqual(
      [...Array(3).fill(-1), ...Array(12).fill(0), ...Array(3).fill(1)].toSorted(),
    );
    expect(checkMesh(unitSphere(0)).enclosedVolume).toBeCloseTo(4 / 3, 14);
  });

  it('refuses other numbers of refinements', () => {
    for (const refinements of [-1, 1.5, 9, NaN]) expect(() => unitSphere(refinements)).toThrow(InputError);
    expect(() => unitSphere(9)).toThrow('refinements is 9, expected an integer from 0 to 8');
  });
});

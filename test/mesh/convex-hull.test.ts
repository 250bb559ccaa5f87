import fc from 'fast-check';
import { orient3d } from 'robust-predicates';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { convexHull } from '../../src/mesh/convex-hull.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { cornersOf, type Point } from './sample-meshes.ts';

/**
 * How many points lie strictly outside a facet's plane, summed over all facets. Exact: orient3d is negative above a
 * counter-clockwise triangle.
 */
function pointsOutside(hull: TriangleMesh, points: Float32Array): number {
  let count = 0;
  for (let t = 0; t < hull.triangleCount; t++) {
    const [a, b, c] = cornersOf(hull, t);
    for (let i = 0; i < points.length; i += 3) {
      const p: Point = [points[i]!, points[i + 1]!, points[i + 2]!];
      if (orient3d(...a, ...b, ...c, ...p) < 0) count++;
    }
  }
  return count;
}

function expectHull(points: Float32Array): TriangleMesh {
  const hull = new TriangleMesh(convexHull(points));
  const report = checkMesh(hull);
  expect(report).toMatchObject({
    closed: true,
    manifold: true,
    oriented: true,
    components: 1,
    eulerCharacteristic: 2,
  });
  expect(report.degenerateFaces.count).toBe(0);
  expect(report.enclosedVolume).toBeGreaterThan(0);
  expect(pointsOutside(hull, points)).toBe(0);
  return hull;
}

describe('convexHull', () => {
  it('keeps the corners of a grid and none of its inner points', () => {
    const points: number[] = [];
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) for (let k = 0; k < 4; k++) points.push(i, j, k);
    const hull = expectHull(new Float32Array(points));
    expect(checkMesh(hull).enclosedVolume).toBeCloseTo(27, 12);
  });

  it('is exactly convex for points with many on common planes and lines, and repeated ones', () => {
    const coordinate = fc.integer({ min: -2, max: 2 });
    const point = fc.tuple(coordinate, coordinate, coordinate);
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 40 }), (extra) => {
        expectHull(new Float32Array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], ...extra].flat()));
      }),
      { numRuns: 200 },
    );
  });

  it('is exactly convex for points nearly in one plane', () => {
    const coordinate = fc.integer({ min: 0, max: 1000 }).map((x) => x / 1000);
    const point = fc
      .tuple(coordinate, coordinate, fc.integer({ min: 0, max: 3 }))
      .map(([x, y, z]) => [x, y, 1 + z * 2 ** -23]);
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (extra) => {
        expectHull(new Float32Array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [0.3, 0.3, 1.5], ...extra].flat()));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses points in one plane', () => {
    expect(() => convexHull(new Float32Array([0, 0, 0, 1, 1, 1, 2, 2, 2, 1, 1, 1]))).toThrow(InputError);
    expect(() => convexHull(new Float32Array([0, 0, 1, 1, 0, 1, 0, 1, 1, 5, 5, 1]))).toThrow(
      'lie in one plane',
    );
    expect(() => convexHull(new Float32Array())).toThrow(InputError);
  });
});

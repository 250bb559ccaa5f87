import { describe, expect, it } from 'vitest';
import { crossSection, type Polyline } from '../../src/io/section.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { boxMesh, joinMeshes } from '../support/shapes.ts';

/** Signed area, positive for counter-clockwise curves. */
function area({ points }: Polyline): number {
  let twice = 0;
  for (let i = 0; i < points.length; i += 2) {
    const j = (i + 2) % points.length;
    twice += points[i]! * points[j + 1]! - points[j]! * points[i + 1]!;
  }
  return twice / 2;
}

const total = (section: readonly Polyline[]) =>
  section.reduce((sum, curve) => sum + Math.abs(area(curve)), 0);

describe('crossSection', () => {
  it('of a box is its rectangle, in the axes asked for', () => {
    const mesh = boxMesh([0, 10, 100], [1, 12, 103]);
    for (const [axis, place, plane, expected] of [
      [0, 0.3, [1, 2], 6],
      [1, 10.5, [0, 2], 3],
      [2, 101, [0, 1], 2],
    ] as const) {
      const section = crossSection({ mesh, axis, place, plane });
      expect(section).toHaveLength(1);
      expect(section[0]!.closed).toBe(true);
      expect(total(section)).toBeCloseTo(expected, 12);
    }
  });

  it('of a sphere is one closed curve near its circle', () => {
    const section = crossSection({ mesh: unitSphere(5), axis: 2, place: 0.6, plane: [0, 1] });
    expect(section.map((curve) => curve.closed)).toEqual([true]);
    expect(total(section)).toBeCloseTo(Math.PI * 0.64, 1);
  });

  it('of any closed mesh consists of closed curves', () => {
    const mesh = openCellFoam({ triangles: 8000 });
    for (const place of [0.2, 0.5, mesh.positions[300]!]) {
      expect(crossSection({ mesh, axis: 0, place, plane: [1, 2] }).every((curve) => curve.closed)).toBe(true);
    }
  });

  it('shows faces in the plane by their outline, whichever side the body is on', () => {
    const mesh = joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([3, 0, -1], [5, 1, 0])]);
    const section = crossSection({ mesh, axis: 2, place: 0, plane: [0, 1] });
    expect(section.map((curve) => Math.abs(area(curve))).sort()).toEqual([1, 2]);
  });

  it('is empty beside the mesh, and open where the mesh is open', () => {
    const mesh = boxMesh([0, 0, 0], [1, 1, 1]);
    expect(crossSection({ mesh, axis: 0, place: 2, plane: [1, 2] })).toEqual([]);
    const open = new TriangleMesh({ positions: mesh.positions, indices: mesh.indices.slice(0, 30) });
    expect(
      crossSection({ mesh: open, axis: 1, place: 0.3, plane: [0, 2] }).some((curve) => !curve.closed),
    ).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { ROUND_SIDES } from '../../../src/contacts/faces/constants.ts';
import {
  FACE_RANGE,
  type FaceTable,
  makeFaceTable,
  meetsPlaneWithFaces,
  PLANE,
  touchWithFaces,
} from '../../../src/contacts/faces/face-table.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { Vector } from '../../convex/shapes-of-all-kinds.ts';
import { hold } from '../../support/hold.ts';
import { areaOf, cross, lengthOf, minus, plus, solidOf } from './foundation.ts';
import { facedShapes, randomPoints } from './shapes.ts';

function facesOf(shapes: readonly ConvexShape[]): FaceTable {
  return makeFaceTable(
    new ShapeTable(shapes),
    shapes.map((_, i) => `shape ${i}`),
  );
}

const vectorAt = (array: Float64Array, at: number) => [...array.subarray(at, at + 3)] as unknown as Vector;

/** Corners of each face of a record. */
function polygonsOf({ ranges, starts, corners, vertices }: FaceTable, record: number): Vector[][] {
  const first = ranges[FACE_RANGE * record]!;
  return Array.from({ length: ranges[FACE_RANGE * record + 1]! }, (_, f) =>
    Array.from(corners.subarray(starts[first + f]!, starts[first + f + 1]!), (v) =>
      vectorAt(vertices, 3 * v),
    ),
  );
}

/** Twice the area of a polygon, along its normal. */
const areaVector = ([a, ...others]: readonly Vector[]) =>
  others
    .slice(1)
    .reduce((sum, p, i) => plus(sum, cross(minus(others[i]!, a!), minus(p, a!)), 0.5), [0, 0, 0] as Vector);

describe('faces of convex shapes', () => {
  const faces = facesOf(facedShapes.map(([, shape]) => shape));

  it.each(facedShapes.map(([name], record) => [name, record] as const))('of a %s are closed', (_, record) => {
    const polygons = polygonsOf(faces, record);
    const [first, , firstVertex, count] = faces.ranges.subarray(FACE_RANGE * record) as unknown as number[];
    expect(polygons.length).toBeGreaterThan(3);
    let sum: Vector = [0, 0, 0];
    polygons.forEach((polygon, f) => {
      const at = PLANE * (first! + f);
      const n = vectorAt(faces.planes, at);
      const offset = faces.planes[at + 3]!;
      const area = areaVector(polygon);
      sum = plus(sum, area);
      // Counter-clockwise seen from outside.
      const along = area[0] * n[0] + area[1] * n[1] + area[2] * n[2];
      expect(along / lengthOf(area)).toBeGreaterThan(1 - 1e-6);
      // Faces within 2^-20 of a plane are one, and no vertex lies beyond any: in radii, which are below 2.
      for (let v = 0; v < count!; v++) {
        const p = vectorAt(faces.vertices, 3 * (firstVertex! + v));
        const height = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
        hold(height <= offset + 2 ** -19, () => `face ${f}, vertex ${v}: ${height} above ${offset}`);
      }
    });
    expect(lengthOf(sum)).toBeLessThan(1e-5);
  });

  it('of a box and of a hull have its surface', () => {
    const points = randomPoints(createRandom(8), 15);
    const own = facesOf([
      { kind: 'box', halfExtents: [1, 2, 3] },
      { kind: 'polytope', vertices: points.flat() },
    ]);
    const areaOfRecord = (record: number) =>
      polygonsOf(own, record).reduce((sum, polygon) => sum + lengthOf(areaVector(polygon)), 0);
    expect(polygonsOf(own, 0).map((polygon) => polygon.length)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(areaOfRecord(0)).toBeCloseTo(8 * (2 + 3 + 6), 12);
    expect(areaOfRecord(1)).toBeCloseTo(areaOf(solidOf(points, [0, 0, 0], [0, 0, 0, 1])), 12);
  });

  it('of cylinders and cones have rims of as many sides as ROUND_SIDES, on the rim', () => {
    const round = facesOf([
      { kind: 'cylinder', radius: 2, halfHeight: 3 },
      { kind: 'cone', radius: 2, height: 4 },
    ]);
    expect(
      polygonsOf(round, 0)
        .map(({ length }) => length)
        .sort((a, b) => a - b),
    ).toEqual([...Array(ROUND_SIDES).fill(4), ...[ROUND_SIDES, ROUND_SIDES]]);
    expect(
      polygonsOf(round, 1)
        .map(({ length }) => length)
        .sort((a, b) => a - b),
    ).toEqual([...Array(ROUND_SIDES).fill(3), ROUND_SIDES]);
    for (const [x, y, z] of polygonsOf(round, 0).flat()) {
      expect(Math.hypot(x, y)).toBeCloseTo(2, 12);
      expect(Math.abs(z)).toBeCloseTo(3, 12);
    }
    expect(round.mostCorners).toBe(ROUND_SIDES);
  });

  it('are those of shapes with volume that are no balls; capsules have none for their like and for planes', () => {
    const shapes: ConvexShape[] = [
      { kind: 'box', halfExtents: [1, 1, 1] },
      { kind: 'capsule', halfLength: 1, radius: 0.5 },
      { kind: 'segment', halfLength: 1, margin: 0.5 },
      { kind: 'sphere', radius: 1 },
      { kind: 'point', margin: 1 },
      { kind: 'ellipsoid', radii: [1, 2, 3] },
      { kind: 'point' },
      { kind: 'segment', halfLength: 1 },
      { kind: 'rectangle', halfExtents: [1, 1] },
      { kind: 'disc', radius: 1 },
      { kind: 'ellipse', radii: [1, 2] },
      { kind: 'polytope', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] },
    ];
    const own = facesOf(shapes);
    const all = shapes.map((_, i) => i);
    expect(all.filter((i) => touchWithFaces(own, 0, i))).toEqual([0, 1, 2]);
    expect(all.filter((i) => touchWithFaces(own, 1, i))).toEqual([0]);
    expect(all.filter((i) => meetsPlaneWithFaces(own, i))).toEqual([0]);
    const others = facesOf(facedShapes.map(([, shape]) => shape));
    facedShapes.forEach(([name], i) => {
      expect([name, meetsPlaneWithFaces(others, i)]).toEqual([name, name !== 'capsule']);
    });
  });
});

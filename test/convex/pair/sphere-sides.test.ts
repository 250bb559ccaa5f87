/** Bounding spheres and inscribed balls tell on which side pairs are, and only where they do. */
import { expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { SphereSide, sideOfPositions, sideOfSpheres } from '../../../src/convex/pair/sphere-sides.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { PARAMETERS, Parameter } from '../../../src/convex/shapes/records.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { manyPairs, manyShapes } from '../scenes.ts';

it('apart beyond both radii, overlapping where nearer than both balls, whichever way the bodies are turned', () => {
  // Its centroid is a unit above its origin.
  const table = new ShapeTable([
    { kind: 'polytope', vertices: [1, 1, 0, 1, -1, 0, -1, -1, 0, -1, 1, 0, 0, 0, 4] },
    { kind: 'box', halfExtents: [1, 2, 3] },
  ]);
  const centre = table.parameters[17 + 2]!;
  expect(centre).toBeCloseTo(1, 12);
  const radii = table.parameters[14]! + table.parameters[PARAMETERS + 14]!;
  // The base of the pyramid and the nearest faces of the box.
  const balls = table.parameters[23]! + 1;
  const half = Math.SQRT1_2;
  for (const [quaternion, axis] of [
    [
      [0, 0, 0, 1],
      [0, 0, 1],
    ],
    [
      [half, 0, 0, half],
      [0, -1, 0],
    ],
    [
      [0, half, 0, half],
      [1, 0, 0],
    ],
  ] as const) {
    for (const [distance, side] of [
      [(1 + 1e-9) * radii, SphereSide.apart],
      [(1 - 1e-9) * radii, SphereSide.open],
      // Within what rounding and the touching tolerance make of radii, and of balls in polytopes.
      [(1 + 2 ** -42) * radii, SphereSide.open],
      [balls - 2 ** -26 * radii, SphereSide.open],
      [(1 + 1e-6) * balls, SphereSide.open],
      [(1 - 1e-6) * balls, SphereSide.overlapping],
    ] as const) {
      // On the line from the pyramid's origin through its apex.
      const far = centre + distance;
      const placed = placements(
        Float64Array.of(0, 0, 0, ...quaternion, ...axis.map((x) => x * far), 0, 0, 0, 1),
      );
      const [a, b] = [0, 1].map((record) => ({ record, frames: placed, at: 12 * record }));
      expect(sideOfSpheres(table, a!, b!)).toBe(side);
      expect(sideOfSpheres(table, b!, a!)).toBe(side);
    }
  }
});

it('says nothing that GJK does not say', () => {
  const table = new ShapeTable(manyShapes);
  const scene = manyPairs(2000);
  const { status } = queryPairs(table, { ...scene, kind: 'intersect', algorithm: 'gjk' });
  const auto = queryPairs(table, { ...scene, kind: 'intersect', algorithm: 'auto' });
  expect(auto.status).toEqual(status);
  const placed = placements(scene.poses);
  const { pairs, shapes: bodies } = scene;
  const told = [0, 0, 0];
  let centred = 0;
  const statusOf = {
    [SphereSide.apart]: PairStatus.separated,
    [SphereSide.overlapping]: PairStatus.converged,
  };
  status.forEach((found, i) => {
    const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
    const [shapeA, shapeB] = [bodies[a]!, bodies[b]!];
    if (table.isConcave(shapeA) || table.isConcave(shapeB)) return;
    const side = sideOfSpheres(
      table,
      { record: shapeA, frames: placed, at: 12 * a },
      { record: shapeB, frames: placed, at: 12 * b },
    );
    told[side]!++;
    // Where no rotation matters, positions tell the same.
    const isCentred = [shapeA, shapeB].every((shape) => {
      const at = PARAMETERS * shape + Parameter.centre;
      return table.parameters.subarray(at, at + 3).every((x) => x === 0);
    });
    expect(sideOfPositions(table, scene, a, b)).toBe(isCentred ? side : SphereSide.open);
    centred += Number(isCentred);
    if (side !== SphereSide.open) expect(found).toBe(statusOf[side]);
  });
  for (const times of [...told, centred, status.length - centred]) expect(times).toBeGreaterThan(50);
});

/** Bounding spheres tell pairs apart only where they are. */
import { expect, it } from 'vitest';
import { areSpheresApart } from '../../src/convex/bounding-spheres.ts';
import { placements } from '../../src/convex/pose.ts';
import { queryPairs } from '../../src/convex/query.ts';
import { PARAMETERS } from '../../src/convex/records.ts';
import { ShapeTable } from '../../src/convex/shape-table.ts';
import { PairStatus } from '../../src/convex/status.ts';
import { manyPairs, manyShapes } from './scenes.ts';

it('where the centres are farther apart than both radii, whichever way the bodies are turned, and not where they are nearer', () => {
  // Its centroid is a unit above its origin.
  const table = new ShapeTable([
    { kind: 'polytope', vertices: [1, 1, 0, 1, -1, 0, -1, -1, 0, -1, 1, 0, 0, 0, 4] },
    { kind: 'box', halfExtents: [1, 2, 3] },
  ]);
  const centre = table.parameters[17 + 2]!;
  expect(centre).toBeCloseTo(1, 12);
  const radii = table.parameters[14]! + table.parameters[PARAMETERS + 14]!;
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
    for (const [share, isApart] of [
      [1 + 1e-9, true],
      [1 - 1e-9, false],
    ] as const) {
      // The box is beyond the pyramid's apex, as seen from its centroid.
      const far = centre + share * radii;
      const placed = placements(
        Float64Array.of(0, 0, 0, ...quaternion, ...axis.map((x) => x * far), 0, 0, 0, 1),
      );
      expect(areSpheresApart(table, 0, placed, 0, 1, placed, 12)).toBe(isApart);
      expect(areSpheresApart(table, 1, placed, 12, 0, placed, 0)).toBe(isApart);
    }
  }
});

it('says nothing that GJK does not say', () => {
  const table = new ShapeTable(manyShapes);
  const scene = manyPairs(2000);
  const { status } = queryPairs(table, { ...scene, kind: 'intersect', algorithm: 'gjk' });
  const placed = placements(scene.poses);
  const { pairs, bodies } = scene;
  let apart = 0;
  status.forEach((found, i) => {
    const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
    const [shapeA, shapeB] = [bodies[a]!, bodies[b]!];
    if (table.isConcave(shapeA) || table.isConcave(shapeB)) return;
    if (!areSpheresApart(table, shapeA, placed, 12 * a, shapeB, placed, 12 * b)) return;
    apart++;
    expect(found).toBe(PairStatus.separated);
  });
  expect(apart).toBeGreaterThan(50);
});

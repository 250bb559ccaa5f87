import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inballRadius } from '../../../src/convex/shapes/inball.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { hold } from '../../support/hold.ts';
import { arbitraryShape, directions, dot, kinds, supportValue } from '../shapes-of-all-kinds.ts';

/** Kinds whose every shape has volume and a known ball. */
const fat = [
  'box',
  'sphere',
  'ellipsoid',
  'capsule',
  'lozenge',
  'round-box',
  'cylinder',
  'cone',
  'wheel',
  'frustum',
];

it.each(kinds)(
  '%s: no direction in which the shape ends before its ball, one in which little later',
  (kind) => {
    fc.assert(
      fc.property(arbitraryShape(kind), (shape) => {
        const table = new ShapeTable([shape]);
        const centre = table.parameters.subarray(17, 20);
        const radius = inballRadius(table, 0);
        const reach = directions.map((n) => supportValue(shape, n) - dot(n, centre));
        const size = table.parameters[14]! || 1;
        for (const one of reach)
          hold(one > radius - 1e-12 * size, () => `${one}, the ball ends at ${radius}`);
        // Directions are 0.2 apart, so that one is within 0.15 of that of the nearest plane.
        if (fat.includes(kind)) {
          expect(radius).toBeGreaterThan(0);
          expect(Math.min(...reach)).toBeLessThan(radius + 0.15 * size);
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  },
);

it('a tetrahedron and a cube of vertices: the ball is not far from the faces', () => {
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
  const table = new ShapeTable([
    { kind: 'polytope', vertices: cube },
    { kind: 'polytope', vertices: [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1], margin: 0.5 },
  ]);
  // Three diagonals of faces may make a triangle that is none.
  expect(inballRadius(table, 0)).toBeGreaterThan(0.577);
  expect(inballRadius(table, 0)).toBeLessThanOrEqual(1);
  expect(inballRadius(table, 1)).toBeCloseTo(0.5 + 1 / Math.sqrt(3), 12);
});

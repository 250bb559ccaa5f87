import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestByJohnson } from '../../../src/convex/gjk/gjk-johnson.ts';
import { nearestByVoronoi } from '../../../src/convex/gjk/gjk-voronoi.ts';
import { Pair, POINT } from '../../../src/convex/pair/pair.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';

const table = new ShapeTable([{ kind: 'point' }]);

function simplexOf(points: readonly (readonly number[])[]): Pair {
  const pair = new Pair(table);
  // No coordinate is larger.
  pair.size = 2;
  points.forEach((p, i) => {
    pair.points.set(p, POINT * i);
  });
  pair.count = points.length;
  return pair;
}

/** Distance from the origin to the hull of points, by minimising over weights step by step: slow, sure, not exact. */
function byProjection(points: readonly (readonly number[])[]): number {
  let v = [...points[0]!];
  for (let i = 0; i < 20_000; i++) {
    let best = points[0]!;
    let least = Infinity;
    for (const p of points) {
      const value = p[0]! * v[0]! + p[1]! * v[1]! + p[2]! * v[2]!;
      if (value < least) [least, best] = [value, p];
    }
    const d = best.map((x, k) => x - v[k]!);
    const dd = d.reduce((s, x) => s + x * x, 0);
    const step = dd > 0 ? Math.min(1, -(d[0]! * v[0]! + d[1]! * v[1]! + d[2]! * v[2]!) / dd) : 0;
    if (!(step > 0)) break;
    v = v.map((x, k) => x + step * d[k]!);
  }
  return Math.hypot(...v);
}

/** Pairs have no smaller differences than 2^-120 of their size: exact predicates would underflow. */
const usual = (x: number) => (Math.abs(x) < 2 ** -120 ? 0 : x);
const coordinate = fc.oneof(
  fc.constantFrom(-1, 0, 1, 2),
  fc.double({ min: -1, max: 2, noNaN: true }).map(usual),
);
const point = fc.tuple(coordinate, coordinate, coordinate);

describe.each([
  ['regions', nearestByVoronoi],
  ['Johnson', nearestByJohnson],
] as const)('nearest point of a simplex by %s', (name, nearest) => {
  it('is as near as any point of it, and weighted by what is kept', () => {
    let asked = 0;
    let farther = 0;
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 4 }), (points) => {
        const pair = simplexOf(points);
        const inside = nearest(pair);
        const expected = byProjection(points);
        if (inside) {
          expect(expected).toBeLessThan(0.02);
          return;
        }
        const length = Math.hypot(...pair.nearest);
        // Johnson's cofactors may take a near feature for the nearest on slivers, which GJK's bounds tell.
        asked++;
        if (length >= expected + 1e-9) farther++;
        if (name === 'regions') expect(length).toBeLessThan(expected + 1e-9);
        expect(length).toBeGreaterThan(expected - 0.02);
        let sum = 0;
        const combined = [0, 0, 0];
        for (let i = 0; i < pair.count; i++) {
          expect(pair.weights[i]).toBeGreaterThan(0);
          sum += pair.weights[i]!;
          for (let k = 0; k < 3; k++) combined[k]! += pair.weights[i]! * pair.points[POINT * i + k]!;
        }
        expect(sum).toBeCloseTo(1, 12);
        for (let k = 0; k < 3; k++) expect(combined[k]).toBeCloseTo(pair.nearest[k]!, 7);
      }),
      { numRuns: 300 },
    );
    expect(asked).toBeGreaterThan(200);
    expect(farther).toBeLessThan(0.02 * asked);
  });
});

describe('regions', () => {
  it('a flat tetrahedron never holds an origin beside it, whatever rounding says of its volumes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 4, maxLength: 4 }), (flat) => {
        // In the plane x + y + z = 3 u, from multiples that float64 has.
        const points = flat.map(([s, t]) => [3 + s, 3 + t, 3 - s - t]);
        const pair = simplexOf(points);
        const exactlyFlat = points.every(([x, y, z]) => x! + y! + z! === 9);
        if (!exactlyFlat) return;
        expect(nearestByVoronoi(pair)).toBe(false);
        expect(Math.hypot(...pair.nearest)).toBeGreaterThan(3 * Math.sqrt(3) - 1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it('the origin on a face, an edge or a corner of a tetrahedron is held', () => {
    for (const shift of [
      [0.25, 0.25, 0],
      [0.5, 0, 0],
      [0, 0, 0],
      [0.25, 0.25, 0.5],
    ]) {
      const corners = [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      const pair = simplexOf(corners.map((c) => c.map((x, k) => x - shift[k]!)));
      const inside = nearestByVoronoi(pair);
      expect(inside || Math.hypot(...pair.nearest) === 0).toBe(true);
    }
  });
});

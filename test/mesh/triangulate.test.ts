import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { triangulate } from '../../src/mesh/triangulate.ts';
import { takesLess } from '../support/growth.ts';

type Point = readonly [number, number, number];

/** Triangles, as corners of the polygon, that the polygon is split into. */
function split(polygon: readonly Point[]): number[][] {
  const triangles = triangulate(
    {
      positions: Float32Array.from(polygon.flat()),
      corners: Uint32Array.from(polygon, (_, i) => i),
      faceStarts: Uint32Array.of(0, polygon.length),
    },
    'polygon',
  );
  return Array.from({ length: triangles.length / 3 }, (_, t) =>
    Array.from(triangles.subarray(3 * t, 3 * t + 3)),
  );
}

/** Twice the vector area. */
function areaVector(polygon: readonly Point[]): Point {
  const sum: [number, number, number] = [0, 0, 0];
  for (const [i, a] of polygon.entries()) {
    const b = polygon[(i + 1) % polygon.length]!;
    for (let k = 0; k < 3; k++)
      sum[k]! += a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!;
  }
  return sum;
}

function length(vector: Point): number {
  return Math.hypot(...vector);
}

/** Twice the sum of the triangles' areas, all positive. It is that of the polygon only if no triangles overlap. */
function sumOfAreas(polygon: readonly Point[], triangles: readonly number[][]): number {
  return triangles.reduce((sum, corners) => sum + length(areaVector(corners.map((i) => polygon[i]!))), 0);
}

/** Whether the triangles have exactly the polygon's edges as a boundary, each in the polygon's direction. */
function keepsBoundary(n: number, triangles: readonly number[][]): boolean {
  const open = new Set<string>();
  for (const [a, b, c] of triangles as [number, number, number][]) {
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      if (!open.delete(`${to} ${from}`)) open.add(`${from} ${to}`);
    }
  }
  return (
    open.size === n && Array.from({ length: n }, (_, i) => open.has(`${i} ${(i + 1) % n}`)).every(Boolean)
  );
}

function expectSound(polygon: readonly Point[]): void {
  const triangles = split(polygon);
  expect(triangles).toHaveLength(polygon.length - 2);
  expect(keepsBoundary(polygon.length, triangles)).toBe(true);
  const whole = length(areaVector(polygon));
  expect(Math.abs(sumOfAreas(polygon, triangles) / whole - 1)).toBeLessThan(1e-5);
}

const flat = (...points: readonly (readonly [number, number])[]): Point[] =>
  points.map(([x, y]) => [x, y, 0]);

describe('triangulate', () => {
  it('leaves triangles as they are', () => {
    const corners = Uint32Array.of(0, 1, 2, 2, 1, 3);
    expect(triangulate({ positions: new Float32Array(12), corners, faceStarts: undefined }, 'm')).toEqual(
      corners,
    );
  });

  it('fans convex polygons from their first corner', () => {
    const regular = Array.from({ length: 7 }, (_, i): Point => {
      const angle = (2 * Math.PI * i) / 7;
      return [Math.cos(angle), 1, Math.sin(angle)];
    });
    const fan = [1, 2, 3, 4, 5].map((i) => [0, i, i + 1]);
    expect(split(regular)).toEqual(fan);
    expect(split([...regular].reverse())).toEqual(fan);
  });

  it.each([
    ['an arrow head', flat([0, 0], [4, -3], [1, 0], [4, 3])],
    ['an arrow head from its notch', flat([1, 0], [4, 3], [0, 0], [4, -3])],
    ['an L', flat([0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2])],
    ['an L from behind', flat([2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [0, 0])],
    ['a comb', flat([0, 0], [9, 0], [9, 5], [7, 1], [6, 5], [5, 1], [4, 5], [3, 1], [2, 5], [1, 1], [0, 5])],
    [
      'a square with corners on its edges',
      flat([1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1], [0, 0]),
    ],
    ['a triangle with corners on one edge', flat([0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [0, 4])],
    [
      'a square with a square hole, joined by a doubled edge',
      flat([0, 0], [3, 0], [3, 3], [0, 3], [0, 0], [1, 1], [1, 2], [2, 2], [2, 1], [1, 1]),
    ],
    [
      'a spiral',
      flat(
        [0, 0],
        [9, 0],
        [9, 9],
        [1, 9],
        [1, 3],
        [6, 3],
        [6, 6],
        [4, 6],
        [4, 5],
        [5, 5],
        [5, 4],
        [2, 4],
        [2, 8],
        [8, 8],
        [8, 1],
        [0, 1],
      ),
    ],
  ])('splits %s without overlap, in every plane and direction', (_title, polygon) => {
    for (const turned of [polygon, [...polygon].reverse()]) {
      expectSound(turned);
      expectSound(turned.map(([x, y]) => [7, x, y]));
      expectSound(turned.map(([x, y]) => [x, -3, y]));
      expectSound(turned.map(([x, y]) => [x + y, 2 * x - y, 1 - x]));
      expectSound(turned.map(([x, y]) => [1e-20 * x, 1e-20 * y, 1e30]));
      expectSound(turned.map(([x, y]) => [1e30 * x, 1e30 * y, 0]));
    }
  });

  it('splits random simple polygons without overlap', () => {
    const star = fc.array(
      fc.tuple(fc.double({ min: 0.1, max: 1, noNaN: true }), fc.double({ min: 0.05, max: 1, noNaN: true })),
      {
        minLength: 4,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(star, (steps) => {
        // Corners around the origin at growing angles: a simple polygon, mostly far from convex.
        const turn = (2 * Math.PI) / steps.reduce((sum, [step]) => sum + step, 0);
        let angle = 0;
        const polygon = steps.map(([step, radius]): Point => {
          angle += step * turn;
          const [x, y] = [Math.fround(radius * Math.cos(angle)), Math.fround(radius * Math.sin(angle))];
          return [x, y, 0];
        });
        fc.pre(Math.max(...steps.map(([step]) => step * turn)) < 3);
        expectSound(polygon);
      }),
      { seed: 5, numRuns: 400 },
    );
  });

  it('keeps the boundary of any polygon, planar or not, crossing itself or not', () => {
    const coordinate = fc.integer({ min: -3, max: 3 });
    const polygon = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(polygon, (corners) => {
        const triangles = split(corners);
        expect(triangles).toHaveLength(corners.length - 2);
        expect(keepsBoundary(corners.length, triangles)).toBe(true);
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  it('takes a large polygon that is not convex in the time of the square of its corners', async () => {
    const saw = (teeth: number): Point[] => [
      ...Array.from({ length: teeth }, (_, i): Point => [i, i % 2, 0]),
      [teeth, 50, 0],
      [-1, 50, 0],
    ];
    expectSound(saw(4000));
    const [small, large] = [saw(1000), saw(4000)];
    // For 4 times the corners: 16 times as long by the square, 64 times by the cube.
    expect(
      await takesLess(
        () => split(large),
        32,
        () => split(small),
      ),
    ).toBe(true);
  });

  it('refuses polygons that would take minutes', () => {
    const saw = Array.from({ length: 60_000 }, (_, i): Point => [i, i % 2, 0]);
    expect(() => split([...saw, [6e4, 9, 0], [-1, 9, 0]])).toThrow(InputError);
    expect(() => split([...saw, [6e4, 9, 0], [-1, 9, 0]])).toThrow(/polygon: face 0: found 60002 corners/);
  });
});

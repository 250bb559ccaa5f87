import fc from 'fast-check';
import { orient3d } from 'robust-predicates';
import { expect, it } from 'vitest';
import * as polytope from '../../../src/convex/epa/expanding-polytope.ts';
import { POINT } from '../../../src/convex/pair/pair.ts';

/** Corners of faces in use. */
function faces(): number[][] {
  const all: number[][] = [];
  for (let f = 0; f < polytope.end(); f += polytope.FACE) {
    if (polytope.offset(f) < Infinity) all.push([...polytope.corners.subarray(f, f + 3)]);
  }
  return all;
}

const vertex = (i: number) => polytope.vertices.subarray(i, i + 3);

function beyond(corners: readonly number[], p: ArrayLike<number>): boolean {
  const [a, b, c] = corners.map(vertex) as [Float64Array, Float64Array, Float64Array];
  return orient3d(a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!, c[0]!, c[1]!, c[2]!, p[0]!, p[1]!, p[2]!) < 0;
}

const onGrid = fc.constantFrom(-1, -0.5, 0, 0.5, 1);
// Far enough from each other for each face to have a plane: one without is the same as a free slot here.
const anywhere = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => Math.round(x * 2 ** 20) / 2 ** 20);
const point = fc.oneof(fc.tuple(onGrid, onGrid, onGrid), fc.tuple(anywhere, anywhere, anywhere));

it('stays convex and closed, exactly, whatever points are added: on a grid, in planes, inside', () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 5, maxLength: 40 }), (points) => {
      const start = new Float64Array(4 * POINT);
      points.slice(0, 4).forEach((p, i) => {
        start.set(p, POINT * i);
      });
      if (!polytope.start(start, Math.sqrt(3))) return;
      for (const p of points.slice(4)) {
        polytope.vertices.set(p, polytope.next());
        const seen = [];
        for (let f = 0; f < polytope.end(); f += polytope.FACE) {
          if (polytope.offset(f) === Infinity) continue;
          const corners = [...polytope.corners.subarray(f, f + 3)];
          const sees = polytope.sees(f, polytope.next());
          expect(sees).toBe(beyond(corners, p));
          if (sees) seen.push(f);
        }
        if (seen.length > 0) polytope.add(seen[0]!);
      }
      const all = faces();
      for (const p of points) for (const corners of all) expect(beyond(corners, p)).toBe(false);
      const edges = new Set<string>();
      for (const [i, j, k] of all as [number, number, number][]) {
        for (const edge of [`${i} ${j}`, `${j} ${k}`, `${k} ${i}`]) {
          expect(edges.has(edge)).toBe(false);
          edges.add(edge);
        }
      }
      for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
      expect(new Set(all.flat()).size - edges.size / 2 + all.length).toBe(2);
    }),
    { numRuns: 500, endOnFailure: true },
  );
});

it('finds the face that is nearest to the origin, until it is settled', () => {
  const start = new Float64Array(4 * POINT);
  [
    [-1, -1, -1],
    [2, -1, -1],
    [-1, 3, -1],
    [-1, -1, 4],
  ].forEach((p, i) => {
    start.set(p, POINT * i);
  });
  expect(polytope.start(start, 5)).toBe(true);
  const offsets: number[] = [];
  for (let f = polytope.nearestFace(Infinity); f >= 0; f = polytope.nearestFace(Infinity)) {
    offsets.push(polytope.planes[f + 3]!);
    polytope.settle(f);
  }
  expect(offsets).toHaveLength(4);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(Math.max(...offsets)).toBeCloseTo(1, 14);
});

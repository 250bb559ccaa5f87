import { describe, expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus, pairStatusName } from '../../../src/convex/pair/status.ts';
import { PAIR_ALGORITHMS } from '../../../src/convex/query/pair-kinds.ts';
import type { PairQuery } from '../../../src/convex/query/pair-query.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { InputError } from '../../../src/errors.ts';
import { ask, at } from '../ask.ts';

const cube: Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
const table = new ShapeTable([cube, { kind: 'sphere', radius: 1 }]);
const pose = (x: number) => [x, 0, 0, 0, 0, 0, 1];
const good: PairQuery = {
  poses: Float64Array.from([...pose(0), ...pose(3)]),
  pairs: Uint32Array.of(0, 1),
  kind: 'signed-distance',
};

describe('queryPairs', () => {
  it('takes float32 and float64 poses, and bodies that share shapes', () => {
    const bodies = Uint32Array.of(0, 0, 1);
    const poses = [...pose(0), ...pose(2), ...pose(4)];
    const pairs = Uint32Array.of(0, 1, 1, 2, 2, 0);
    for (const array of [Float32Array.from(poses), Float64Array.from(poses)]) {
      const results = queryPairs(table, { poses: array, pairs, shapes: bodies, kind: 'signed-distance' });
      expect([...results.distance]).toEqual([1, 0.5, 2.5]);
      expect([...results.normal]).toEqual([1, 0, 0, 1, 0, 0, -1, 0, 0].map((x) => expect.closeTo(x, 12)));
      expect([...results.pointA.subarray(0, 3)]).toEqual([0.5, expect.any(Number), expect.any(Number)]);
    }
  });

  it('answers no pairs with nothing', () => {
    const results = queryPairs(table, { ...good, pairs: new Uint32Array(0) });
    expect(results.distance.length).toBe(0);
    expect(results.status.length).toBe(0);
  });

  it('a sweep of 0 and depth only measure what overlaps; what is apart has a lower bound and its axis', () => {
    const results = queryPairs(table, { ...good, kind: 'penetration' });
    expect(results.status[0]).toBe(PairStatus.separated);
    expect(results.distance[0]).toBeGreaterThan(0);
    expect(results.distance[0]).toBeLessThanOrEqual(1.5);
    expect(results.upper[0]).toBe(Infinity);
    expect(pairStatusName(results.status[0]!)).toBe('separated');
  });

  it("an answer does not depend on the pairs before it: not even which of two parallel faces' points it names", () => {
    // Corners enough to be climbed, whole numbers: those of a cap are equally far along the axis.
    const corners = [...Array(20).keys()].flatMap((i) =>
      [i * (19 - i), 19 - i, i * (19 - i), i - 19].map((y, k) => [2 * i - 19, k < 2 ? y : -y]),
    );
    const prism: Shape = {
      kind: 'polytope',
      vertices: [-1, 1].flatMap((z) => corners.flatMap(([x, y]) => [x!, y!, 5 * z])),
    };
    const stack = new ShapeTable([prism]);
    const places = [
      [0, 0, 0],
      [40, 9, 2],
      [-30, 99, 8],
      [9, -120, 4],
      [0, 0, 12],
      [0, 0, 9],
    ];
    const poses = Float64Array.from(places.flatMap((place) => [...place, 0, 0, 0, 1]));
    const query = { poses, shapes: new Uint32Array(places.length), kind: 'signed-distance' } as const;
    for (const body of [4, 5]) {
      const alone = queryPairs(stack, { ...query, pairs: Uint32Array.of(0, body) });
      for (const before of [1, 2, 3]) {
        const behind = queryPairs(stack, { ...query, pairs: Uint32Array.of(0, before, 0, body) });
        expect([...behind.pointA.subarray(3)]).toEqual([...alone.pointA]);
        expect(behind.iterations[1]).toBe(alone.iterations[0]);
      }
    }
  });

  it('bounds are in order, also where they meet to rounding', () => {
    const shapes: Shape[] = [
      { kind: 'sphere', radius: 1 },
      { kind: 'box', halfExtents: [1, 1, 1] },
      { kind: 'cone', radius: 1, height: 1 },
    ];
    const places = Array.from({ length: 60 }, (_, i) => [3 + (i % 7) / 9, (i % 5) / 3, 3 - (i % 11) / 4]);
    const poses = Float64Array.from([[0, 0, 0], ...places].flatMap((place) => [...place, 0, 0, 0, 1]));
    const bodies = Uint32Array.from({ length: 61 }, (_, i) => i % 3);
    const pairs = Uint32Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
    for (const algorithm of PAIR_ALGORITHMS) {
      const query = {
        poses,
        shapes: bodies,
        pairs,
        kind: 'signed-distance',
        algorithm,
        sweepRadius: 9,
      } as const;
      const { lower, upper } = queryPairs(new ShapeTable(shapes), query);
      for (let i = 0; i < lower.length; i++) expect(lower[i]).toBeLessThanOrEqual(upper[i]!);
    }
  });

  it('concave bodies answer for the nearest of their parts', () => {
    // A U of three boxes, open upwards, and a sphere in it.
    const wall: Shape = { kind: 'box', halfExtents: [0.1, 1, 1] };
    const u: Shape = {
      kind: 'parts',
      parts: [
        { shape: wall, position: [-1, 0, 0] },
        { shape: wall, position: [1, 0, 0] },
        { shape: { kind: 'box', halfExtents: [1, 1, 0.1] }, position: [0, 0, -1] },
      ],
    };
    const ball = (x: number, z: number) => at({ kind: 'sphere', radius: 0.25 }, x, 0, z);
    expect(ask(at(u), ball(0, 0.5), 'signed-distance').distance).toBeCloseTo(0.65, 12);
    expect(ask(at(u), ball(0.6, 0.5), 'signed-distance').distance).toBeCloseTo(0.05, 12);
    expect(ask(ball(0.6, 0.5), at(u), 'signed-distance').normal[0]).toBeCloseTo(1, 12);
    const deep = ask(at(u), ball(0.7, 0.5), 'manifold');
    expect(deep.distance).toBeCloseTo(-0.05, 12);
    expect(deep.contacts.length).toBe(1);
    expect(ask(at(u), ball(0, 0), 'intersect').status).toBe(PairStatus.separated);
    expect(ask(at(u), ball(0.7, 0), 'intersect', 'mpr').status).toBe(PairStatus.converged);
    // Turned by 90 degrees about y, what was at the side is above.
    const turned = { shape: u, position: [0, 0, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] } as const;
    expect(ask(turned, ball(0.5, 0.6), 'signed-distance').distance).toBeCloseTo(0.05, 12);
  });

  it('concave bodies that overlap in one part and touch in another one overlap, whichever comes first', () => {
    const parts = [
      { shape: cube, position: [1, 0, 0] as const },
      { shape: cube, position: [0.75, 0, 0] as const },
    ];
    for (const order of [parts, [...parts].reverse()]) {
      const concave = { kind: 'parts', parts: order } as const;
      for (const algorithm of ['gjk', 'auto', 'mpr'] as const) {
        const { status, distance } = ask(at(cube), at(concave), 'distance', algorithm);
        expect([status, distance]).toEqual([PairStatus.converged, 0]);
      }
    }
  });

  it('refuses what it cannot answer, with one line that names the field', () => {
    const bad: [Partial<PairQuery>, string][] = [
      [{ poses: new Float64Array(13) }, 'poses: 13 numbers found, expected a multiple of 7'],
      [
        { poses: Float64Array.from([...pose(0), 0, 0, 0, 0, 0, 0, 2]) },
        'pose 1: rotation is [0,0,0,2] of length 2',
      ],
      [{ poses: Float64Array.from([...pose(0), ...pose(Number.NaN)]) }, 'pose 1: position is [NaN,'],
      [
        { poses: Float64Array.from([...pose(0), ...pose(1e160)]) },
        'pose 1: position is [1e+160,0,0], expected three numbers of at most 1e+30',
      ],
      [{ pairs: Uint32Array.of(0) }, 'pairs: 1 numbers found, expected a multiple of 2'],
      [
        { poses: [0, 0, 0, 0, 0, 0, 1] as never },
        'poses: found an array of length 7, expected a Float32Array or Float64Array of seven',
      ],
      [
        { pairs: [0, 1] as never },
        'pairs: found an array of length 2, expected a Uint32Array of two bodies per pair',
      ],
      [
        { pairs: Int32Array.of(0, 1) as never },
        'pairs: found an Int32Array of length 2, expected a Uint32Array of two bodies per pair',
      ],
      [{ pairs: Uint32Array.of(0, 1, 1, 1) }, 'pairs: pair 1 is body 1 with itself, expected two bodies'],
      [
        { poses: Float64Array.from([...pose(0), ...pose(1), ...pose(2)]) },
        'shapes: none found for 3 poses of 2 shapes, expected the shape of each',
      ],
      [
        { previous: { pairs: Uint32Array.of(0, 1), normal: new Float64Array(4) } },
        'previous: 4 numbers in normal found, expected three for each of 1 pairs',
      ],
      [
        { previous: { pairs: Uint32Array.of(0, 1), normal: Float32Array.of(0, Number.NaN, 1) } },
        'previous: normal of pair 0 has the number NaN, expected finite ones',
      ],
      [{ pairs: Uint32Array.of(0, 2) }, 'pairs: pair 0 names the body 2, expected less than 2'],
      [{ shapes: Uint32Array.of(0) }, 'shapes: 1 found, expected one per pose, 2'],
      [{ shapes: Uint32Array.of(0, 7) }, 'shapes: body 1 has the shape 7, expected less than 2'],
      [{ kind: 'nearness' as never }, 'kind is "nearness", expected intersect, distance'],
      [{ kind: undefined as never }, 'kind is missing, expected intersect, distance'],
      [{ manifold: 'whole' as never }, 'manifold is "whole", expected clipped, sampled'],
      [{ algorithm: 'sat' as never }, 'algorithm is "sat", expected auto, gjk'],
      [{ tolerance: 0 }, 'tolerance is 0, expected'],
      [{ tolerance: '1e-3' as never }, 'tolerance is "1e-3", expected a number'],
      [{ sweepRadius: '1' as never }, 'sweepRadius is "1", expected a number'],
      [
        { previous: {} as never },
        'previous: pairs: found undefined, expected a Uint32Array of two bodies per pair',
      ],
      [{ sweepRadius: -1 }, 'sweepRadius is -1, expected a length of at least 0'],
    ];
    for (const [change, message] of bad) {
      expect(() => queryPairs(table, { ...good, ...change })).toThrow(InputError);
      expect(() => queryPairs(table, { ...good, ...change })).toThrow(message);
    }
  });
});

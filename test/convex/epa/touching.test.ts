/** `touching` and `converged` tell the truth for bodies a hair apart. Exact arithmetic is the judge. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { intersects } from '../../../src/convex/query/intersects.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS, type PairKind } from '../../../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import {
  arbitraryShape,
  kinds,
  overlapAlong,
  type Placed,
  type Quaternion,
  rotate,
  sizeOf,
  supportValue,
  type Vector,
} from '../shapes-of-all-kinds.ts';

/** What `touching` may stand for, in units of the pair's size: docs/convex.md, and rounding of a support plane. */
const TOUCHING = 2 * TOUCHING_TOLERANCE + 2 ** -48;
const UNIT: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Only distances go on until a tolerance is met. */
const tolerancesOf = (kind: PairKind) => (kind === 'signed-distance' ? [2 ** -20, 2 ** -36] : [2 ** -20]);

/** Contact manifolds stand on what `penetration` says. */
const cases = PAIR_ALGORITHMS.flatMap((algorithm) =>
  PAIR_KINDS.filter((kind) => kind !== 'manifold').map((kind) => [algorithm, kind] as const),
);

/** To a multiple of 2^-52, which exact arithmetic takes. */
const short = (x: number) => Math.round(x * 2 ** 52) / 2 ** 52;
const whole = (x: number) => BigInt(x * 2 ** 52);

/**
 * Signed distance of two boxes of one rotation, exact but for the last rounding: the way from A to B in A's frame is a
 * quotient of whole numbers, since a quaternion of any length turns by a matrix of products over its squared length.
 */
function distanceOfBoxes(a: Vector, b: Vector, q: Quaternion, from: Vector, to: Vector): number {
  const [x, y, z, w] = q.map(whole) as [bigint, bigint, bigint, bigint];
  const d = from.map((c, k) => whole(to[k]!) - whole(c)) as [bigint, bigint, bigint];
  const [xx, yy, zz, ww] = [x * x, y * y, z * z, w * w];
  const columns = [
    [xx - yy - zz + ww, 2n * (x * y + z * w), 2n * (x * z - y * w)],
    [2n * (x * y - z * w), -xx + yy - zz + ww, 2n * (y * z + x * w)],
    [2n * (x * z + y * w), 2n * (y * z - x * w), -xx - yy + zz + ww],
  ] as const;
  const squared = xx + yy + zz + ww;
  const gaps = columns.map((column, k) => {
    const along = column[0] * d[0] + column[1] * d[1] + column[2] * d[2];
    const gap = (along < 0n ? -along : along) - (whole(a[k]!) + whole(b[k]!)) * squared;
    return Number(gap) / Number(squared) / 2 ** 52;
  });
  const apart = gaps.filter((gap) => gap > 0);
  return apart.length > 0 ? Math.hypot(...apart) : Math.max(...gaps);
}

/** Boxes turned alike, a pair of sides flush, inside or outside of each other, from 1e-7 apart to 1e-7 deep. */
function flushBoxes(count: number) {
  const random = createRandom(13);
  const even = () => 2 * random() - 1;
  const halves = Array.from({ length: 200 }, () => [0, 1, 2].map(() => short(0.2 + random())));
  const shapes = halves.map((half): ConvexShape => {
    const vertices = Array.from({ length: 8 }, (_, v) => half.map((x, k) => ((v >> k) & 1 ? x : -x))).flat();
    return { kind: 'polytope', vertices };
  });
  const bodies = Uint32Array.from({ length: 2 * count }, () => Math.floor(random() * shapes.length));
  const poses = new Float64Array(14 * count);
  const exact = new Float64Array(count);
  const sizes = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [a, b] = [0, 1].map((k) => halves[bodies[2 * i + k]!]!) as unknown as [Vector, Vector];
    const turn = [even(), even(), even(), even()];
    const q = turn.map((x) => short(x / Math.hypot(...turn))) as unknown as Quaternion;
    const gap = (i % 5 === 0 ? -1 : 1) * 10 ** (-11 + 4 * random());
    const across = i % 3;
    const flush = (across + 1) % 3;
    const by = [0, 0, 0];
    by[across] = (random() < 0.5 ? -1 : 1) * (a[across]! + b[across]! + gap);
    by[flush] = (random() < 0.5 ? -1 : 1) * (a[flush]! + (random() < 0.5 ? -1 : 1) * b[flush]!);
    const third = (across + 2) % 3;
    const reach = a[third]! + b[third]!;
    by[third] = random() < 0.2 ? a[third]! - b[third]! : 0.9 * even() * reach;
    const from = [short(random()), short(random()), short(random())] as const;
    const to = rotate(q, by).map((x, k) => short(from[k]! + x)) as unknown as Vector;
    poses.set([...from, ...q, ...to, ...q], 14 * i);
    exact[i] = distanceOfBoxes(a, b, q, from, to);
    sizes[i] = Math.hypot(...a) + Math.hypot(...b) + Math.hypot(...by);
  }
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  return { shapes, exact, sizes, query: { poses, shapes: bodies, pairs } };
}

describe('10,000 pairs of boxes as polytopes, turned alike, sides flush, 1e-11 to 1e-7 apart or deep', () => {
  const { shapes, exact, sizes, query } = flushBoxes(10_000);
  const table = new ShapeTable(shapes);

  it('are what they are meant to be', () => {
    const apart = exact.filter((d) => d > 0);
    expect(apart.length).toBeGreaterThan(7500);
    expect(exact.length - apart.length).toBeGreaterThan(900);
    expect(Math.max(...exact)).toBeLessThan(1e-6);
  });

  it.each(cases)('%s, %s: none is on the wrong side, and bounds hold', (algorithm, kind) => {
    for (const tolerance of tolerancesOf(kind)) {
      const results = { kind, ...queryPairs(table, { ...query, kind, algorithm, tolerance }) };
      const wrong: unknown[] = [];
      for (let i = 0; i < exact.length; i++) {
        const least = TOUCHING * sizes[i]!;
        const status = results.status[i];
        const isApart = exact[i]! > least;
        const isDeep = exact[i]! < -least;
        const side = intersects(results, i) ? !isApart : !isDeep;
        const touches = status !== PairStatus.touching || !(isApart || isDeep);
        const expected = kind === 'distance' ? Math.max(0, exact[i]!) : exact[i]!;
        const bounds =
          kind === 'intersect' ||
          (results.lower[i]! <= expected + least && expected - least <= results.upper[i]!);
        if (!(side && touches && bounds))
          wrong.push({ i, status, exact: exact[i], found: results.distance[i] });
      }
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});

/** A polytope with an edge as sharp as a knife's along z, at x = 0.5. */
const knife = (angle: number): ConvexShape => ({
  kind: 'polytope',
  vertices: [1, -1].flatMap((z) => [0.5, 0, z, -0.5, angle / 2, z, -0.5, -angle / 2, z]),
});

/** Turns by half and quarter circles, which keep axes parallel. */
const turns: readonly Quaternion[] = [
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  [0, Math.SQRT1_2, 0, Math.SQRT1_2],
];

/**
 * Pairs whose support planes across `n` are 1e-12 to 1e-5 of their size apart. So they are apart. Some are parallel and
 * flush.
 */
function planesApart(count: number) {
  const random = createRandom(31);
  const even = () => 2 * random() - 1;
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  const knives = Array.from({ length: 30 }, () => knife(10 ** (-4 * random())));
  const all = [
    ...kinds.flatMap((kind) => fc.sample(arbitraryShape(kind), { numRuns: 12, seed: 6 })),
    ...knives,
  ];
  const bodies: Placed[] = [];
  const gaps: number[] = [];
  const sizes: number[] = [];
  while (gaps.length < count) {
    const [shapeA, shapeB] = random() < 0.3 ? [pick(knives), pick(all)] : [pick(all), pick(all)];
    const q = [even(), even(), even(), even()];
    const turn = q.map((x) => x / Math.hypot(...q)) as unknown as Quaternion;
    const isFlush = random() < 0.6;
    const n = isFlush ? pick(UNIT) : (rotate(turn, UNIT[0]!) as Vector);
    const a: Placed = { shape: shapeA, position: [0, 0, 0], rotation: [0, 0, 0, 1] };
    const rotation = isFlush ? pick(turns) : turn;
    let position: Vector = [even(), even(), even()];
    const size = sizeOf(shapeA) + sizeOf(shapeB);
    if (!(size > 0.1)) continue;
    if (isFlush) {
      // Sides in one plane.
      const along = UNIT.map((e) => {
        const side = random() < 0.5 ? 1 : -1;
        const ends =
          supportValue(shapeA, e) -
          overlapAlong(
            { ...a, shape: { kind: 'point' } },
            { shape: shapeB, position: [0, 0, 0], rotation },
            e.map((x) => -x * side) as unknown as Vector,
          ) *
            side;
        return random() < 0.7 ? ends : even();
      });
      position = along as unknown as Vector;
    }
    const gap = size * 10 ** (-12 + 7 * random());
    const overlap = overlapAlong(a, { shape: shapeB, position, rotation }, n);
    position = position.map((x, k) => x + (overlap + gap) * n[k]!) as unknown as Vector;
    bodies.push(a, { shape: shapeB, position, rotation });
    gaps.push(gap);
    sizes.push(size + Math.hypot(...position));
  }
  const poses = Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation]));
  return { bodies, poses, gaps, sizes, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
}

describe('4,000 pairs of all kinds of shapes and of knives, 1e-12 to 1e-5 of their size apart', () => {
  const { bodies, poses, pairs, gaps, sizes } = planesApart(4000);
  const table = new ShapeTable(bodies.map(({ shape }) => shape));

  it.each(cases)('%s, %s: none touches, none intersects', (algorithm, kind) => {
    for (const tolerance of tolerancesOf(kind)) {
      const results = { kind, ...queryPairs(table, { poses, pairs, kind, algorithm, tolerance }) };
      const wrong: unknown[] = [];
      gaps.forEach((gap, i) => {
        if (!(gap > TOUCHING * sizes[i]!)) return;
        const status = results.status[i];
        const bounds = kind === 'intersect' || results.upper[i]! >= gap - TOUCHING * sizes[i]!;
        if (intersects(results, i) || status === PairStatus.touching || !bounds) {
          wrong.push({ i, kinds: [bodies[2 * i]!.shape.kind, bodies[2 * i + 1]!.shape.kind], status, gap });
        }
      });
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});

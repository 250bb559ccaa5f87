// The reported pairs once more, by kernels: every sign, distance and normal that a batch gives with a GPU.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConvexBatch } from '../../src/convex/batch/convex-batch.ts';
import { queryPairs } from '../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../src/convex/pair/status.ts';
import { intersects } from '../../src/convex/query/intersects.ts';
import { PAIR_ALGORITHMS, refinesPortals } from '../../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { at, type PlacedShape } from '../convex/ask.ts';
import type { Quaternion } from '../convex/shapes-of-all-kinds.ts';
import { useDevice } from '../support/device.ts';
import { box, cube, hull, placed } from './convex-cases.ts';

const device = useDevice();
const random = createRandom(71);
const spread = (by: number): number => by * (2 * random() - 1);
const anyRotation = (): Quaternion => {
  const q = [0, 0, 0, 0].map(() => random() - 0.5);
  return q.map((x) => x / Math.hypot(...q)) as unknown as Quaternion;
};
const about = (axis: 0 | 1 | 2, angle: number): Quaternion => {
  const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)];
  q[axis] = Math.sin(angle / 2);
  return q;
};
const many = (
  count: number,
  make: (i: number) => readonly [PlacedShape, PlacedShape],
): (readonly [PlacedShape, PlacedShape])[] => Array.from({ length: count }, (_, i) => make(i));

const cylinder: ConvexShape = { kind: 'cylinder', radius: 0.3, halfHeight: 0.4 };
const small: ConvexShape = { kind: 'cylinder', radius: 0.05, halfHeight: 0.1 };
const round: ConvexShape = { kind: 'round-box', halfExtents: [0.5, 0.5, 0.5], radius: 0.1 };
const needle: ConvexShape = { kind: 'ellipsoid', radii: [1, 1e-3, 1e-4] };
const segment: ConvexShape = { kind: 'segment', halfLength: 1 };
const square = hull([0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]);
const octahedron = hull([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]);
const large = hull([-50, -50, 0], [50, -50, 0], [0, 50, 0]);
const rocks = Array.from({ length: 8 }, () =>
  hull(...Array.from({ length: 30 }, () => [spread(0.5), spread(0.5), spread(0.5)])),
);
const thousand = hull(
  ...Array.from({ length: 1000 }, () => {
    const p = [spread(1), spread(1), spread(1)];
    return p.map((x) => x / (2 * Math.hypot(...p)));
  }),
);
const spike = hull([0, 0, 2], ...[0, 1, 2, 3, 4].map((k) => [0.02 * Math.cos(k), 0.02 * Math.sin(k), 0]));
const far = hull(
  ...Array.from({ length: 8 }, (_, i) => [9e4 + (i & 1), 9e4 + ((i >> 1) & 1), 9e4 + (i >> 2)]),
);

/** The cases of each report. */
const reports: Record<string, (readonly [PlacedShape, PlacedShape])[]> = {
  'libccd#25, #49, #51, #68, aligned cubes, touching ones and +-eps': [
    [at(cube), at(cube, 0.9)],
    ...many(
      60,
      (i) => [at(cube), at(cube, 1 + (i % 2 === 0 ? 1 : -1) * 2 ** -(i / 2), 0.25, 0.125)] as const,
    ),
    ...many(8, (i) => [at(cube), at(cube, i & 1, (i >> 1) & 1, i >> 2)] as const).slice(1),
  ],
  'libccd#7, mujoco_warp#1526: lattice positions': many(125, (i) => [
    at(i % 2 === 0 ? cube : octahedron),
    at(cube, (i % 5) / 4, (Math.floor(i / 5) % 5) / 4, Math.floor(i / 25) / 4),
  ]),
  'libccd#71, #55: a cone over a plate': many(60, (i) => [
    at(box(1, 1, 0.5)),
    at({ kind: 'cone', radius: 0.5, height: 1 }, -1.3 + i * 0.04, 0.37, 0.74),
  ]),
  'libccd#17, mujoco_warp#1430, bullet3#1703: small on large': many(9, (i) => [
    at(box(500, 500, 1)),
    at(box(0.05, 0.05, 0.05), 124 * (i % 5), 60 * i, 1.049 + 0.01 * i),
  ]),
  'newton#3773, Jolt#671, #940, #1008: a large triangle': [
    ...many(20, (i) => [at(large), at(cube, 3, 2, 0.3 + 0.02 * i)] as const),
    ...many(20, (i) => [at(large), at(small, 3, 4, 0.02 + 0.01 * i)] as const),
  ],
  'newton#2622: beside a triangle': many(50, () => [
    at(square),
    at(cube, spread(2), spread(2), 0.5 + 1e-3 + random() * 1e-3),
  ]),
  'newton#2296: from GJK to EPA': many(80, (i) => [at(round), at(round, 1.2 + (i - 40) * 1e-3, 0.1, 0.2)]),
  'mujoco#3383: separated hulls': many(80, (i) => [
    at(rocks[i % 8]!),
    placed(rocks[(i * 3) % 8]!, [1.01 + random(), spread(1), spread(1)], anyRotation()),
  ]),
  'fcl#395, #390, #398, #493: thin boxes': many(30, (i) => [
    at(box(1, 1, 10 ** -(i % 6))),
    placed(box(1, 1, 10 ** -(i % 6)), [spread(1), spread(1), spread(0.1)], about(0, 0.02 * i)),
  ]),
  'fcl#293, #446, openGJK#56, #3, #54: segments, squares, points': [
    [at(segment), at(segment, 3)],
    [at(segment), at(segment, 0.5, 1e-9)],
    [at(segment), at(segment, 0.5)],
    [at(square), at(square, 3)],
    [at(square), at(square, 0.5, 0.5, 2)],
    [at(square), at(square, 0.5, 0.5)],
    [at({ kind: 'point' }), at(hull([10, 10, 10], [11, 10, 10], [10, 11, 10], [10, 10, 11]))],
  ],
  'fcl#302, #508, #545: faces, axes, diagonals': [
    [at(box(2, 2, 0.5)), at({ kind: 'sphere', radius: 0.25 }, 0.7, -0.3, 1)],
    [at(box(1, 1, 1)), at(box(1, 1, 1), 5)],
    [at(box(1, 1, 1)), at(box(1, 1, 1), 5, 1)],
    [at(box(1, 1, 1)), at({ kind: 'sphere', radius: 0.1 }, 0.5, 0.5, 0.5)],
    [at(box(1, 1, 1)), at(box(1, 1, 1), 0.5, 0.5, 0.5)],
  ],
  'fcl#366: slender ellipsoids': many(40, (i) => [
    at(needle),
    placed(needle, [0.01 * i, 0, 1.5e-4], about(2, 0.05 * i)),
  ]),
  'fcl#375: concentric shapes': (
    [{ kind: 'point' }, { kind: 'sphere', radius: 1 }, segment, { kind: 'disc', radius: 1 }, cube] as const
  ).map((shape) => [at(shape), at(shape)]),
  'coal#325, #37: cylinders and corners': [
    ...many(
      80,
      () => [at(cube), placed(cylinder, [spread(0.8), spread(0.8), spread(0.8)], anyRotation())] as const,
    ),
    [at(cube), at(cube, 1.3, 1.3, 1.3)],
  ],
  'openGJK#13: random cubes': many(600, () => [
    placed(cube, [0, 0, 0], anyRotation()),
    placed(cube, [spread(1), spread(1), spread(1)], anyRotation()),
  ]),
  'openGJK#52: coordinates near 9e4': [
    [at(cube, 9e4, 9e4, 9e4), at(cube, 9e4 + 1.5, 9e4, 9e4)],
    [at(cube, 9e4, 9e4, 9e4), at(cube, 9e4 + 0.75, 9e4 + 0.25, 9e4)],
    [at(far), at(far, 1.5)],
    [at(far), at(far, 0.5, 0.25)],
  ],
  'parry#378: long rods': many(60, () => [
    at(box(10, 0.01, 0.01)),
    placed(box(10, 0.01, 0.01), [random(), random(), 0.02 * random()], about(2, 3 * random())),
  ]),
  'rapier#455: hulls of 1000 points, sharp hulls': [
    ...many(20, (i) => [at(box(5, 5, 0.5)), at(thousand, 0, 0, 0.99 + i * 1e-4)] as const),
    ...many(
      20,
      (i) => [at(box(5, 5, 0.5)), placed(spike, [0, 0, 2.45 + i * 0.005], about(0, Math.PI))] as const,
    ),
  ],
  'Modia3D.jl PR#42, and box pairs as in the notes on eq. (9)': many(400, (i) => [
    placed(box(0.5, 0.3, 0.7), [0, 0, 0], i < 100 ? [0, 0, 0, 1] : anyRotation()),
    placed(
      box(0.6, 0.5, 0.2),
      [(i % 5) / 4, (i % 7) / 6, (i % 3) / 2],
      i < 100 ? [0, 0, 0, 1] : anyRotation(),
    ),
  ]),
  'bodies of a millimetre': many(300, () => [
    placed(box(5e-4, 5e-4, 5e-4), [0, 0, 0], anyRotation()),
    placed(box(5e-4, 5e-4, 5e-4), [spread(1e-3), spread(1e-3), spread(1e-3)], anyRotation()),
  ]),
};

const all = Object.entries(reports).flatMap(([report, pairs]) => pairs.map(([a, b]) => ({ report, a, b })));
const bodies = all.flatMap(({ a, b }) => [a, b]);
const shapes = [...new Set(bodies.map(({ shape }) => shape))];
const query = {
  poses: Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation])),
  shapes: Uint32Array.from(bodies, ({ shape }) => shapes.indexOf(shape)),
  pairs: Uint32Array.from({ length: bodies.length }, (_, i) => i),
  sweepRadius: 0.1,
};
const table = new ShapeTable(shapes);
const exact = queryPairs(table, { ...query, kind: 'signed-distance' });
const sizes = all.map(({ a, b }, i) => {
  const apart = Math.hypot(...[0, 1, 2].map((k) => a.position[k]! - b.position[k]!));
  return table.boundingRadius(query.shapes[2 * i]!) + table.boundingRadius(query.shapes[2 * i + 1]!) + apart;
});

describe.each(PAIR_ALGORITHMS)('%s', (algorithm) => {
  let batch: ConvexBatch;
  beforeAll(async () => {
    batch = await ConvexBatch.create(device(), shapes);
  });
  afterAll(() => batch.destroy());

  it.each(['intersect', 'signed-distance', 'penetration', 'manifold'] as const)(
    '%s: every sign right, every distance, nothing undecided, no normal zero',
    async (kind) => {
      const results = await batch.query({ ...query, kind, algorithm, backend: 'gpu' });
      const wrong: unknown[] = [];
      const fail = (i: number, what: string, found?: number) =>
        wrong.push({ case: all[i]!.report, i, what, found, expected: exact.distance[i] });
      all.forEach((_, i) => {
        const expected = exact.distance[i]!;
        const size = sizes[i]!;
        if (results.status[i] === PairStatus.iterationLimit) fail(i, 'undecided');
        const touches = exact.status[i] === PairStatus.touching;
        if (!touches && intersects(results, i) !== expected <= 0) fail(i, 'sign', results.distance[i]);
        if (kind === 'intersect') return;
        const distance = results.distance[i]!;
        const normal = results.normal.subarray(3 * i, 3 * i + 3);
        if (!(Math.abs(Math.hypot(...normal) - 1) < 1e-6))
          fail(i, 'length of the normal', Math.hypot(...normal));
        const numbers = [
          distance,
          ...results.pointA.subarray(3 * i, 3 * i + 3),
          ...results.pointB.subarray(3 * i, 3 * i + 3),
        ];
        if (!numbers.every(Number.isFinite)) fail(i, 'a number that is not finite');
        if (results.status[i] === PairStatus.separated) {
          if (!(distance <= expected + 1e-5 * size)) fail(i, 'bound', distance);
        } else if (refinesPortals(algorithm)) {
          // Not below the distance, not less deep (theorem 4.2).
          const less = expected > 0 ? expected - distance : distance - expected;
          if (!(less <= 1e-5 * size)) fail(i, 'distance', distance);
        } else if (!(Math.abs(distance - expected) <= 1e-5 * size)) fail(i, 'distance', distance);
        const known = [exact.lower[i]! - 1e-12 * size, exact.upper[i]! + 1e-12 * size] as const;
        if (!(results.lower[i]! <= known[1] && known[0] <= results.upper[i]!)) {
          fail(i, 'bounds', distance);
        }
      });
      expect(wrong.slice(0, 8)).toEqual([]);
      // Redone are touching and nearly touching pairs, flat and concentric ones. Kernels answer the rest.
      expect(results.redone).toBeLessThan(0.14 * all.length);
    },
  );
});

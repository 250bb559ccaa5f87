/** Kernels beside their twins: the same contacts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utils } from 'wgpu-matrix';
import { MANIFOLD_RESOLUTION, SUPPORT_ERROR_32 } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape, Shape } from '../../../src/convex/shapes/shapes.ts';
import { useDevice } from '../../support/device.ts';
import { mayLieOff, offSurfaces, type PlacedShape } from '../ask.ts';
import {
  arbitraryPlaced,
  dot,
  kinds,
  type Quaternion,
  sizeOf,
  turnAbout,
  type Vector,
} from '../shapes-of-all-kinds.ts';
import { askKernels } from './gpu-ask.ts';

const device = useDevice();
const still: Quaternion = [0, 0, 0, 1];
const box = (x: number, y: number, z: number): ConvexShape => ({ kind: 'box', halfExtents: [x, y, z] });
const about = (axis: Vector, degrees: number) => turnAbout(axis, utils.degToRad(degrees));

/** Kinds of which kernels know nothing but support points: their contacts are the host's. */
const ON_HOST: readonly string[] = ['frustum', 'sum', 'hull'];

async function both(bodies: readonly PlacedShape[]) {
  const table = new ShapeTable(bodies.map(({ shape }) => shape));
  const query = {
    poses: Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation])),
    pairs: Uint32Array.from(bodies, (_, i) => i),
    kind: 'manifold',
    algorithm: 'auto',
  } as const;
  const kernels = await askKernels(device(), table, query);
  const exact = queryPairs(table, { ...query, tolerance: 2 ** -20 });
  const contacts = (of: typeof kernels | typeof exact, i: number) =>
    Array.from({ length: of.contactCounts[i]! }, (_, c) => [
      ...of.contacts.subarray(64 * i + 4 * c, 64 * i + 4 * c + 4),
      ...of.contactNormals.subarray(48 * i + 3 * c, 48 * i + 3 * c + 3),
    ]);
  return { kernels, exact, contacts };
}

/** How far a contact is from the nearest of others, place and distance. */
const gapTo = (others: readonly number[][], [x, y, z, d]: readonly number[]) =>
  Math.min(...others.map((p) => Math.hypot(p[0]! - x!, p[1]! - y!, p[2]! - z!, p[3]! - d!)));

/** Longest distance of two contacts. */
const spanOf = (contacts: readonly number[][]) =>
  Math.max(
    ...contacts.flatMap((p) => contacts.map((q) => Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!))),
  );

describe('clipped manifolds by kernels', () => {
  const floor: PlacedShape = { shape: box(2, 2, 0.5), position: [0, 0, 0], rotation: still };
  const on = (shape: Shape, z: number, rotation = still, x = 0.031): PlacedShape[] => [
    floor,
    { shape, position: [x, 0.017, z], rotation },
  ];
  const cube = box(0.5, 0.5, 0.5);
  const cubeVertices = [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].flatMap((z) => [x, y, z])),
  );
  const polytope: ConvexShape = { kind: 'polytope', vertices: cubeVertices };
  const cylinder: ConvexShape = { kind: 'cylinder', radius: 0.5, halfHeight: 1 };
  const capsule: ConvexShape = { kind: 'capsule', halfLength: 1, radius: 0.25 };
  const prism: ConvexShape = {
    kind: 'polytope',
    vertices: [-1, 1].flatMap((z) =>
      Array.from({ length: 40 }, (_, i) => [
        Math.cos(0.157079632679 * (i + 0.4)),
        Math.sin(0.157079632679 * (i + 0.4)),
        z,
      ]).flat(),
    ),
  };
  const leg = (x: number, y: number) => ({ shape: box(0.1, 0.1, 0.5), position: [x, y, 0] as Vector });
  const table: Shape = {
    kind: 'parts',
    parts: [
      { shape: box(1, 1, 0.1), position: [0, 0, 0.6] },
      leg(0.8, 0.8),
      leg(-0.8, 0.8),
      leg(0.8, -0.8),
      leg(-0.8, -0.8),
    ],
  };
  const cases: readonly (readonly [string, readonly PlacedShape[], number])[] = [
    ['face on face', on(cube, 0.99), 4],
    ['face tilted by half a degree', on(cube, 0.99, about([0, 1, 0], 0.5)), 4],
    ['face tilted by half a degree across', on(cube, 0.98, about([0.6, 0.8, 0], 0.5)), 4],
    ['face tilted out of the floor', on(cube, 0.99, about([0, 1, 0], 3)), 4],
    ['faces that cover each other in part', on(box(0.5, 0.25, 0.5), 0.99, still, 1.753), 4],
    ['polytope tilted by half a degree', on(polytope, 0.99, about([0, 1, 0], 0.5)), 4],
    ['edge of a polytope', on(polytope, 1.2, about([0, 1, 0], 45.3)), 2],
    ['corner of a polytope', on(polytope, 1.35, about([1, -1, 0], 54)), 1],
    ['prism on its side', on(prism, 1.48, about([1, 0, 0], 90.5)), 4],
    ['prism upright', on(prism, 1.48, about([1, 0, 0], 0.3)), 4],
    ['edge on face', on(cube, 0.5 + Math.SQRT1_2 - 0.01, about([0, 1, 0], 45)), 2],
    ['corner on face', on(cube, 0.5 + Math.sqrt(0.75) - 0.01, about([1, -1, 0], 54.7)), 1],
    ['sphere', on({ kind: 'sphere', radius: 0.5 }, 0.99), 1],
    ['capsule', on(capsule, 0.73, about([0, 1, 0], 0.5)), 2],
    [
      'capsules beside each other',
      [
        { ...floor, shape: capsule },
        { shape: capsule, position: [0.6, 0.01, 0.49], rotation: about([0, 0, 1], 2) },
      ],
      2,
    ],
    [
      'capsules across each other',
      [
        { ...floor, shape: capsule },
        { shape: capsule, position: [0.6, 0.01, 0.49], rotation: about([0, 0, 1], 40) },
      ],
      1,
    ],
    [
      'round box',
      on({ kind: 'round-box', halfExtents: [0.5, 0.5, 0.25], radius: 0.25 }, 0.98, about([0, 1, 0], 0.5)),
      4,
    ],
    ['cylinder upright', on(cylinder, 1.47, about([0.6, 0.8, 0], 1)), 4],
    ['cylinder on its side', on(cylinder, 0.98, about([1, 0, 0], 91)), 2],
    ['cone on its base', on({ kind: 'cone', radius: 0.5, height: 1 }, 0.73, about([0.6, 0.8, 0], 0.5)), 4],
    ['cone on its side', on({ kind: 'cone', radius: 0.5, height: 1 }, 0.72, about([1, 0, 0], 116)), 2],
    ['wheel', on({ kind: 'wheel', radius: 0.5, tubeRadius: 0.1 }, 0.58, about([0, 1, 0], 0.5)), 4],
    ['table', on(table, 0.98, about([0.6, 0.8, 0], 0.2)), 16],
    ['apart', on(cube, 1.01), 0],
  ];

  it('are those of the host, case by case', async () => {
    const { kernels, exact, contacts } = await both(cases.flatMap(([, bodies]) => bodies));
    cases.forEach(([name, bodies, count], i) => {
      expect(kernels.status[i], name).not.toBe(PairStatus.iterationLimit);
      expect(exact.contactCounts[i], name).toBe(count);
      expect(kernels.contactCounts[i], name).toBe(count);
      const size = 8;
      expect(bodies.length).toBe(2);
      const of = contacts(exact, i);
      for (const contact of contacts(kernels, i)) {
        // Where the deepest place on a rim or a round side is, is known to the square root of what the depth is.
        const curved = /cylinder|cone|wheel|capsule/.test(name);
        expect(gapTo(of, contact), name).toBeLessThan((curved ? 2 ** -8 : 2 ** -17) * size);
      }
    });
  });

  it.each(kinds)('%s and all others: as deep, and of the same span', async (kind) => {
    const bodies = fc
      .sample(fc.tuple(arbitraryPlaced(kind), fc.constantFrom(...kinds).chain(arbitraryPlaced)), {
        numRuns: 60,
        seed: 37,
      })
      .flat();
    const { kernels, exact, contacts } = await both(bodies);
    let compared = 0;
    for (let i = 0; i < bodies.length / 2; i++) {
      const [a, b] = [bodies[2 * i]!.shape, bodies[2 * i + 1]!.shape];
      const isOnHost = ON_HOST.includes(a.kind) || ON_HOST.includes(b.kind);
      if (isOnHost && exact.status[i] !== PairStatus.separated) {
        expect(kernels.status[i]).toBe(PairStatus.iterationLimit);
        continue;
      }
      if (kernels.status[i] === PairStatus.iterationLimit) continue;
      expect(kernels.contactCounts[i]! > 0).toBe(exact.status[i] !== PairStatus.separated);
      expect(kernels.contactCounts[i]).toBeLessThanOrEqual(4);
      if (kernels.contactCounts[i] === 0) continue;
      const size = sizeOf(a as ConvexShape) + sizeOf(b as ConvexShape) + 2;
      const found = contacts(kernels, i);
      const rounding = (SUPPORT_ERROR_32 + 2 * MANIFOLD_RESOLUTION) * size;
      expect(found[0]![3]).toBeLessThanOrEqual(kernels.distance[i]! + rounding);
      for (const [, , , distance, ...normal] of found) {
        expect(distance).toBeGreaterThanOrEqual(kernels.distance[i]! - rounding);
        expect(distance).toBeLessThanOrEqual(rounding);
        expect(normal).toEqual([...kernels.normal.subarray(3 * i, 3 * i + 3)]);
      }
      // Where several axes tie, or a curved surface turns, normals differ, and contacts with them.
      if (dot(kernels.normal.subarray(3 * i), exact.normal.subarray(3 * i)) < 1 - 1e-9) continue;
      compared++;
      const answer = {
        contacts: found,
        contactNormals: found.map((contact) => contact.slice(4) as unknown as Vector),
      };
      const off = offSurfaces(bodies[2 * i]!, bodies[2 * i + 1]!, answer);
      expect(off[0]).toBeLessThanOrEqual(rounding + mayLieOff(a as ConvexShape));
      expect(off[1]).toBeLessThanOrEqual(rounding + mayLieOff(b as ConvexShape));
      // Which of several that span as much rounding decides.
      expect(Math.abs(spanOf(found) - spanOf(contacts(exact, i)))).toBeLessThan(2 ** -10 * size);
    }
    if (!ON_HOST.includes(kind)) expect(compared).toBeGreaterThan(0);
  });
});

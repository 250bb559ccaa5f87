import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { useDevice } from '../../support/device.ts';
import { bentEdge } from '../scenes.ts';
import {
  arbitraryPlaced,
  dot,
  kinds,
  outsideBy,
  type Placed,
  type Quaternion,
  sizeOf,
  turnAbout,
} from '../shapes-of-all-kinds.ts';
import { askKernels } from './gpu-ask.ts';

const device = useDevice();
const still: Quaternion = [0, 0, 0, 1];
const box = (x: number, y: number, z: number): ConvexShape => ({ kind: 'box', halfExtents: [x, y, z] });

async function manifolds(bodies: readonly Placed[], algorithm: 'gjk' | 'auto' = 'auto') {
  const table = new ShapeTable(bodies.map(({ shape }) => shape));
  const query = {
    poses: Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation])),
    pairs: Uint32Array.from(bodies, (_, i) => i),
    kind: 'manifold',
    manifold: 'sampled',
  } as const;
  const kernels = await askKernels(device(), table, { ...query, algorithm });
  const contacts = (of: { contacts: ArrayLike<number>; contactCounts: ArrayLike<number> }, i: number) =>
    Array.from({ length: of.contactCounts[i]! }, (_, c) =>
      Array.from({ length: 4 }, (_, k) => of.contacts[64 * i + 4 * c + k]!),
    );
  return { table, query, kernels, contacts };
}

describe('sampled contact manifolds by kernels', () => {
  const floor: Placed = { shape: box(2, 2, 0.5), position: [0, 0, 0], rotation: still };
  const on = (shape: ConvexShape, z: number, rotation = still, x = 0.031): Placed[] => [
    floor,
    { shape, position: [x, 0.017, z], rotation },
  ];
  const beam = (x: number, z: number, yaw: number): Placed => ({
    shape: box(1, 0.05, 0.05),
    position: [x, 0, z],
    rotation: [
      Math.sin(Math.PI / 8) * Math.cos(yaw / 2),
      Math.sin(Math.PI / 8) * Math.sin(yaw / 2),
      Math.cos(Math.PI / 8) * Math.sin(yaw / 2),
      Math.cos(Math.PI / 8) * Math.cos(yaw / 2),
    ],
  });
  const cube = box(0.5, 0.5, 0.5);
  const corner = turnAbout([1, -1, 0], Math.atan(Math.SQRT2));
  const cases: readonly (readonly [string, readonly Placed[], number])[] = [
    ['face on face', on(cube, 0.99), 4],
    ['faces that cover each other in part', on(box(0.5, 0.25, 0.5), 0.99, still, 1.753), 4],
    [
      'turned face on its like',
      [
        { shape: box(1, 1, 0.5), position: [0, 0, 0], rotation: still },
        {
          shape: box(1, 1, 0.5),
          position: [0.013, 0.007, 0.999],
          rotation: turnAbout([0, 0, 1], Math.PI / 4),
        },
      ],
      8,
    ],
    ['edge on face', on(cube, 0.5 + Math.SQRT1_2 - 0.01, turnAbout([0, 1, 0], Math.PI / 4)), 2],
    ['corner on face', on(cube, 0.5 + Math.sqrt(0.75) - 0.01, corner), 1],
    ['edge across edge', [beam(0, 0, 0), beam(0.3, 0.1 * Math.SQRT2 - 1e-3, Math.PI / 2)], 1],
    ['sphere', on({ kind: 'sphere', radius: 0.5 }, 0.99), 1],
    ['capsule', on({ kind: 'capsule', halfLength: 1, radius: 0.25 }, 0.74), 2],
    ['round box', on({ kind: 'round-box', halfExtents: [0.5, 0.5, 0.25], radius: 0.25 }, 0.99), 4],
    ['cylinder upright', on({ kind: 'cylinder', radius: 0.5, halfHeight: 0.5 }, 0.99), 8],
    [
      'cylinder on its side',
      on({ kind: 'cylinder', radius: 0.5, halfHeight: 1 }, 0.99, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
      2,
    ],
    [
      'bent edge',
      [
        { ...floor, shape: bentEdge },
        { ...floor, position: [0, 0, 1.4] },
      ],
      2,
    ],
    ['apart', on(cube, 1.01), 0],
  ];

  it('have the points of faces, edges and corners', async () => {
    const { kernels, contacts, query, table } = await manifolds(cases.flatMap(([, bodies]) => bodies));
    const exact = queryPairs(table, query);
    cases.forEach(([name, bodies, count], i) => {
      expect(kernels.status[i], name).not.toBe(PairStatus.iterationLimit);
      expect(kernels.contactCounts[i], name).toBe(count);
      expect(exact.contactCounts[i], name).toBe(count);
      const of = contacts(exact, i);
      const size = sizeOf(bodies[0]!.shape) + sizeOf(bodies[1]!.shape);
      for (const [x, y, z, depth] of contacts(kernels, i)) {
        // The same points in some order; on level features the cut starts anywhere.
        const nearest = Math.min(
          ...of.map((p) => Math.hypot(p[0]! - x!, p[1]! - y!, p[2]! - z!, p[3]! - depth!)),
        );
        // Where a surface is curved, the normal is as exact as the square root of the depth, and samples move with it.
        expect(nearest, name).toBeLessThan(name.startsWith('cylinder on') ? size / 256 : 3e-5 * size);
      }
    });
  });

  it.each(kinds)(
    '%s and all others: one contact at least near both shapes, none where apart',
    async (kind) => {
      const bodies = fc
        .sample(fc.tuple(arbitraryPlaced(kind), fc.constantFrom(...kinds).chain(arbitraryPlaced)), {
          numRuns: 60,
          seed: 31,
        })
        .flat();
      const { kernels, contacts, query, table } = await manifolds(bodies);
      const exact = queryPairs(table, query);
      const placed = placements(query.poses);
      expect(placed.length).toBe(12 * bodies.length);
      for (let i = 0; i < bodies.length / 2; i++) {
        if (kernels.status[i] === PairStatus.iterationLimit) continue;
        const count = kernels.contactCounts[i]!;
        expect(count > 0).toBe(exact.status[i] !== PairStatus.separated);
        expect(count).toBeLessThanOrEqual(16);
        const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
        const size = sizeOf(a.shape) + sizeOf(b.shape);
        const sameNormal = dot(kernels.normal.subarray(3 * i), exact.normal.subarray(3 * i)) > 1 - 1e-6;
        for (const [x, y, z, depth] of contacts(kernels, i)) {
          expect([x, y, z, depth].every(Number.isFinite)).toBe(true);
          const near = Math.abs(kernels.distance[i]!) / 2 + 0.03 * size;
          expect(outsideBy(a, [x!, y!, z!])).toBeLessThan(near);
          expect(outsideBy(b, [x!, y!, z!])).toBeLessThan(near);
          // No contact is deeper than the pair, but for features that are not quite level.
          if (sameNormal) expect(depth!).toBeGreaterThan(exact.distance[i]! - 0.01 * size);
        }
      }
    },
  );
});

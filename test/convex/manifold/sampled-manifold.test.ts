import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { type Answer, ask, at, type PlacedShape } from '../ask.ts';
import { bentEdge } from '../scenes.ts';
import {
  arbitraryPlaced,
  kinds,
  outsideBy,
  type Placed,
  sizeOf,
  unitQuaternion,
} from '../shapes-of-all-kinds.ts';

const box = (x: number, y: number, z: number): ConvexShape => ({ kind: 'box', halfExtents: [x, y, z] });
const manifold = (a: PlacedShape, b: PlacedShape): Answer =>
  ask(a, b, 'manifold', 'gjk', { manifold: 'sampled' });
/** Contacts as sorted x, y, rounded. */
const places = (answer: Answer) =>
  answer.contacts
    .map(([x, y]) => [x!, y!].map((v) => Math.round(v * 1e6) / 1e6 + 0))
    .sort((p, q) => p[0]! - q[0]! || p[1]! - q[1]!);

describe('sampled contact manifold', () => {
  it('of a box on a box: the corners of the common rectangle, each as deep as the boxes overlap', () => {
    const answer = manifold(at(box(1, 1, 0.5)), at(box(0.5, 0.25, 0.5), 0.75, 0, 0.99));
    expect(places(answer)).toEqual([
      [0.25, -0.25],
      [0.25, 0.25],
      [1, -0.25],
      [1, 0.25],
    ]);
    for (const [, , z, depth] of answer.contacts) {
      expect(depth).toBeCloseTo(-0.01, 12);
      expect(z).toBeCloseTo(0.495, 12);
    }
  });

  it('of a turned box on a box: an octagon', () => {
    const turned: PlacedShape = {
      shape: box(1, 1, 0.5),
      position: [0, 0, 0.999],
      rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
    };
    const answer = manifold(at(box(1, 1, 0.5)), turned);
    expect(answer.contacts.length).toBe(8);
    for (const [x, y] of answer.contacts) {
      expect(Math.max(Math.abs(x!), Math.abs(y!))).toBeCloseTo(1, 9);
      expect(Math.min(Math.abs(x!), Math.abs(y!))).toBeCloseTo(Math.SQRT2 - 1, 9);
    }
  });

  it('of a bent edge, over whose middle samples go there and back: its ends', () => {
    const answer = manifold(at(bentEdge), at(box(5, 5, 5), 0, 0, 5.9));
    expect(places(answer)).toEqual([
      [-1, 0.3],
      [1, 0.3],
    ]);
    for (const [, , , depth] of answer.contacts) expect(depth).toBeCloseTo(0.9 - 0.9971, 9);
  });

  it('of a box tilted by less than the perturbation: depths follow the tilt', () => {
    const angle = 1e-3;
    const tilted: PlacedShape = {
      shape: box(0.5, 0.5, 0.5),
      position: [0, 0, 0.999],
      rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    };
    const answer = manifold(at(box(2, 2, 0.5)), tilted);
    expect(answer.contacts.length).toBe(4);
    for (const [x, , , depth] of answer.contacts) expect(depth).toBeCloseTo(-1e-3 - angle * x!, 5);
  });

  it('of rounded and curved shapes: that of their cores, an edge for a capsule, a point for a sphere', () => {
    const floor = at(box(2, 2, 0.5));
    const count = (shape: ConvexShape, z: number) => manifold(floor, at(shape, 0, 0, z)).contacts.length;
    expect(count({ kind: 'sphere', radius: 0.5 }, 0.99)).toBe(1);
    expect(count({ kind: 'ellipsoid', radii: [0.5, 0.7, 0.5] }, 0.99)).toBe(1);
    expect(count({ kind: 'capsule', halfLength: 1, radius: 0.25 }, 0.74)).toBe(2);
    expect(count({ kind: 'round-box', halfExtents: [0.5, 0.5, 0.25], radius: 0.25 }, 0.99)).toBe(4);
    expect(count({ kind: 'cylinder', radius: 0.5, halfHeight: 0.5 }, 0.99)).toBe(8);
    const lying: PlacedShape = {
      shape: { kind: 'cylinder', radius: 0.5, halfHeight: 1 },
      position: [0, 0, 0.99],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    };
    expect(manifold(floor, lying).contacts.length).toBe(2);
  });

  it('of crossing and of parallel edges: a point, and the common part', () => {
    const beam = box(1, 0.05, 0.05);
    const diamond = (x: number, z: number, yaw: number): PlacedShape => ({
      shape: beam,
      position: [x, 0, z],
      // An edge up and an edge down: turned by 45 degrees about its length, then about z.
      rotation: [
        Math.sin(Math.PI / 8) * Math.cos(yaw / 2),
        Math.sin(Math.PI / 8) * Math.sin(yaw / 2),
        Math.cos(Math.PI / 8) * Math.sin(yaw / 2),
        Math.cos(Math.PI / 8) * Math.cos(yaw / 2),
      ],
    });
    const height = 0.1 * Math.SQRT2 - 1e-3;
    const crossing = manifold(diamond(0, 0, 0), diamond(0.3, height, Math.PI / 2));
    expect(crossing.contacts.length).toBe(1);
    expect(crossing.contacts[0]![0]).toBeCloseTo(0.3, 6);
    expect(crossing.contacts[0]![1]).toBeCloseTo(0, 6);
    const capsule: ConvexShape = { kind: 'capsule', halfLength: 1, radius: 0.1 };
    const parallel = manifold(at(capsule), at(capsule, 0.6, 0, 0.199));
    const along = parallel.contacts.map(([x]) => Math.round(x! * 1e6) / 1e6);
    expect(along.sort((p, q) => p - q)).toEqual([-0.4, 1]);
  });

  it('has at least one contact for every pair that overlaps, near both shapes, and none for pairs that do not', () => {
    for (const kindA of kinds) {
      for (const kindB of kinds) {
        fc.assert(
          fc.property(arbitraryPlaced(kindA), arbitraryPlaced(kindB), (a, b) => {
            const answer = manifold(a, b);
            if (answer.status === PairStatus.separated) {
              expect(answer.contacts).toEqual([]);
              return;
            }
            expect(answer.contacts.length).toBeGreaterThan(0);
            expect(answer.contacts.length).toBeLessThanOrEqual(16);
            const size = sizeOf(a.shape) + sizeOf(b.shape) || 1;
            for (const [x, y, z, depth] of answer.contacts) {
              expect([x, y, z, depth].every(Number.isFinite)).toBe(true);
              const near = Math.abs(answer.distance) / 2 + 0.03 * size;
              expect(outsideBy(a, [x!, y!, z!])).toBeLessThan(near);
              expect(outsideBy(b, [x!, y!, z!])).toBeLessThan(near);
            }
          }),
          { numRuns: 40, endOnFailure: true },
        );
      }
    }
  });

  it('of a capsule across the rim of a disc: the place where they touch, by both rules', () => {
    // Their cores meet in one point, and do so hardly: GJK got stuck there, and the end of the capsule was the answer.
    const capsule: Placed = {
      shape: {
        kind: 'capsule',
        halfLength: 1.3966338862440257,
        radius: 0.061878473557239105,
        margin: 0.03821889179299394,
      },
      position: [-7.139614427132722e-255, 7.4e-323, -5.1120234470578925e-186],
      rotation: [0.5, 0.5, 0.5, 0.5],
    };
    const disc: Placed = {
      shape: { kind: 'disc', radius: 1, margin: 0.020000000000000018 },
      position: [1, 2.6532233592647027e-90, -1.2567126951029256e-62],
      rotation: [4.7172877704432095e-226, -9.276771482998914e-99, -1e-323, 1],
    };
    for (const rule of ['sampled', 'clipped'] as const) {
      const answer = ask(capsule, disc, 'manifold', 'gjk', { manifold: rule });
      for (const [x, y, z] of [...answer.contacts, answer.pointA, answer.pointB]) {
        expect(Math.hypot(x!, y!)).toBeLessThan(1e-9);
        expect(Math.abs(z!)).toBeLessThan(0.11);
      }
    }
  });

  it('turns with the pair', () => {
    fc.assert(
      fc.property(unitQuaternion, (rotation) => {
        const a: Placed = { shape: box(1, 1, 0.5), position: [0, 0, 0], rotation };
        const up = ask(a, a, 'distance');
        expect(up.distance).toBe(0);
        const [x, y, z, w] = rotation;
        // The third column of the rotation.
        const axis = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
        const b: Placed = { ...a, position: axis.map((e) => 0.99 * e) as unknown as Placed['position'] };
        expect(manifold(a, b).contacts.length).toBe(4);
      }),
      { numRuns: 50 },
    );
  });
});

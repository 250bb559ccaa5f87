import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REMEMBERED } from '../../../src/contacts/convex/remembered.ts';
import { touchWithFaces } from '../../../src/contacts/faces/face-table.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import {
  arbitraryPlaced,
  kinds,
  product,
  rotate,
  turnAbout,
  unrotate,
} from '../../convex/shapes-of-all-kinds.ts';
import { hold } from '../../support/hold.ts';
import { bodyOf, contactsIn, convexContactsOf, facesOf, posedConvex, type TestBody } from '../posed.ts';

/** Contacts of body 0 with body 1. */
function contactsOf(shapes: readonly Shape[], bodies: readonly TestBody[], pairs = [0, 1]) {
  const sink = new ContactSink();
  convexContactsOf(new ShapeTable(shapes), posedConvex(bodies), { pairs: Uint32Array.from(pairs) }, sink);
  return contactsIn(sink);
}

const anyPlaced = fc.oneof(...kinds.map(arbitraryPlaced));
const sphere: Shape = { kind: 'sphere', radius: 1 };
const box: Shape = { kind: 'box', halfExtents: [1, 2, 3] };

describe('convex contacts', () => {
  it('of two balls are one point halfway between their surfaces', () => {
    const [contact, ...more] = contactsOf(
      [sphere, { kind: 'sphere', radius: 0.5 }],
      [bodyOf(0, [5, 0, 0]), bodyOf(1, [5, 1.25, 0])],
    );
    expect(more).toEqual([]);
    expect(contact).toEqual({
      ...{
        colliderA: 0,
        colliderB: 1,
        feature: 0,
        status: ContactStatus.sure,
        kind: ContactKind.convex,
        triangle: NO_TRIANGLE,
      },
      ...{ normal: [0, 1, 0], point: [0, 0.875, 0], distance: -0.25, area: 0 },
    });
  });

  it('are none where shapes are apart', () => {
    expect(contactsOf([sphere], [bodyOf(0, [0, 0, 0]), bodyOf(0, [0, 2.001, 0])])).toEqual([]);
    expect(contactsOf([box], [bodyOf(0, [0, 0, 0]), bodyOf(0, [2.001, 0, 0])])).toEqual([]);
  });

  it('of balls with one centre have a normal', () => {
    const [contact] = contactsOf([sphere], [bodyOf(0, [1, 2, 3]), bodyOf(0, [1, 2, 3])]);
    expect(contact).toMatchObject({ distance: -2, normal: [1, 0, 0] });
  });

  it('of faces on each other are three around the middle of the patch', () => {
    const contacts = contactsOf([box], [bodyOf(0, [0, 0, 0]), bodyOf(0, [1.99, 1, 0.5])]);
    expect(contacts.map(({ feature, distance }) => [feature, distance < 0])).toEqual(
      [0, 1, 2].map((feature) => [feature, true]),
    );
    // The faces lie 0.01 deep in each other: the rims, as wide, are all that differs from that and from the patch.
    const area = contacts.reduce((sum, one) => sum + one.area, 0);
    expect(Math.abs(area - 3 * 5.5)).toBeLessThan(0.01 * 2 * (3 + 5.5));
    [0.995, 0.5, 0.25].forEach((x, k) => {
      const middle = contacts.reduce((sum, { point }) => sum + point[k]! / 3, 0);
      expect(Math.abs(middle - x)).toBeLessThan(0.01);
    });
    for (const { distance, normal } of contacts) {
      expect(Math.abs(distance + 0.01)).toBeLessThan(1e-4);
      expect(normal[0]).toBeGreaterThan(1 - 1e-4);
    }
  });

  it('keep features and places on A while the patch moves, without jumps', () => {
    const at = (y: number, z: number, turn: number) => {
      const rotation = turnAbout([3, 1, 2], turn);
      const contacts = contactsOf(
        [box],
        [bodyOf(0, [0, 0, 0], rotation), bodyOf(0, rotate(rotation, [1.99, y, z]), rotation)],
      );
      return contacts.map(({ feature, point }) => ({ feature, point: unrotate(rotation, point) }));
    };
    let last = at(1, 0.5, 0);
    for (let step = 1; step <= 100; step++) {
      const now = at(1 + 0.005 * step, 0.5 + 0.01 * step, 0.01 * step);
      expect(now.map(({ feature }) => feature)).toEqual([0, 1, 2]);
      // The patch moves and shrinks by no more than 0.015 in a step.
      now.forEach(({ point }, i) => {
        expect(Math.hypot(...point.map((x, k) => x - last[i]!.point[k]!))).toBeLessThan(0.015);
      });
      last = now;
    }
  });

  it('agree with the deepest point that pair queries give, but for shapes with faces', () => {
    fc.assert(
      fc.property(anyPlaced, anyPlaced, (a, b) => {
        const table = new ShapeTable([a.shape, b.shape]);
        const bodies = [bodyOf(0, a.position, a.rotation), bodyOf(1, b.position, b.rotation)];
        const posed = posedConvex(bodies);
        const asked = queryPairs(table, {
          ...{ kind: 'penetration', poses: posed.poses, shapes: Uint32Array.of(0, 1) },
          pairs: Uint32Array.of(0, 1),
        });
        const contacts = contactsOf([a.shape, b.shape], bodies);
        if (asked.status[0] === PairStatus.separated) {
          hold(contacts.length === 0, () => `apart by ${asked.distance[0]}, ${contacts.length} contacts`);
          return;
        }
        const size = table.boundingRadius(0) + table.boundingRadius(1);
        const touching = 1e-10 * size;
        if (asked.distance[0]! > -touching) return;
        const names = contacts.map(({ feature }) => feature);
        hold(
          names.every((name, i) => i === 0 || name > names[i - 1]!),
          () => `features ${names}`,
        );
        if (touchWithFaces(facesOf(table), 0, 1)) {
          hold(contacts.length === 0 || names.join() === '0,1,2', () => `features ${names}`);
          hold(
            contacts.every(({ distance, area }) => distance < 0 && area > 0),
            () => 'no depth or no area',
          );
          return;
        }
        const deepest = Math.min(...contacts.map(({ distance }) => distance));
        hold(
          Math.abs(deepest - asked.distance[0]!) <= 1e-6 * size,
          () => `${deepest} against ${asked.distance[0]}`,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are the same bytes far from the origin', () => {
    const rotation = turnAbout([1, 2, 3], 0.7);
    const shift = 2 ** 24;
    const near = contactsOf([box], [bodyOf(0, [0.5, 0.25, 0]), bodyOf(0, [2.25, 1, 0.5], rotation)]);
    const far = contactsOf(
      [box],
      [
        bodyOf(0, [0.5 + shift, 0.25 - shift, shift]),
        bodyOf(0, [2.25 + shift, 1 - shift, 0.5 + shift], rotation),
      ],
    );
    expect(near.length).toBeGreaterThan(0);
    expect(far).toEqual(near);
  });

  it('of a part follow its place in the body', () => {
    const place = [0.5, -1, 0.25, ...turnAbout([0, 1, 2], 0.4)];
    const turned = turnAbout([1, 0, 3], 1.1);
    const other = bodyOf(1, [1.5, 0.3, 0.2], turnAbout([2, 1, 0], 0.3));
    const [x, y, z] = rotate(turned, place.slice(0, 3));
    const shapes: Shape[] = [box, { kind: 'ellipsoid', radii: [1, 0.5, 2] }];
    const part = contactsOf(shapes, [{ ...bodyOf(0, [0, 0, 0], turned), place }, other]);
    const alone = contactsOf(shapes, [
      bodyOf(0, [x, y, z], product(turned, turnAbout([0, 1, 2], 0.4))),
      other,
    ]);
    expect(part.length).toBe(1);
    expect(part[0]!.distance).toBeCloseTo(alone[0]!.distance, 12);
    for (const k of [0, 1, 2]) expect(part[0]!.point[k]!).toBeCloseTo(alone[0]!.point[k]! + [x, y, z][k]!, 9);
  });

  it('are the same whatever range they are asked in', () => {
    const bodies = Array.from({ length: 12 }, (_, i) =>
      bodyOf(i % 2, [0.9 * (i % 3), 1.1 * Math.floor(i / 3), 0.1 * i], turnAbout([1, i, 2], i)),
    );
    const shapes = [box, sphere];
    const pairs = Uint32Array.from(
      bodies.flatMap((_, i) => bodies.slice(i + 1).flatMap((__, j) => [i, i + 1 + j])),
    );
    const table = new ShapeTable(shapes);
    const posed = posedConvex(bodies);
    const [whole, cut] = [new ContactSink(), new ContactSink()];
    convexContactsOf(table, posed, { pairs }, whole);
    for (let k = 0; k < pairs.length / 2; k += 7)
      convexContactsOf(table, posed, { pairs }, cut, [k, Math.min(pairs.length / 2, k + 7)]);
    expect(whole.count).toBeGreaterThan(20);
    expect(cut.rows()).toEqual(whole.rows());
  });
});

describe('what is remembered of pairs', () => {
  it('changes no answer, while bodies move, and is of use', () => {
    const random = createRandom(17);
    const points = (count: number) =>
      Array.from({ length: count }, () => {
        const v = [0, 1, 2].map(() => random() - 0.5);
        return v.map((x) => x / Math.hypot(...v));
      }).flat();
    const shapes: Shape[] = [
      { kind: 'polytope', vertices: points(16) },
      { kind: 'polytope', vertices: points(24) },
      {
        kind: 'polytope',
        vertices: [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-0.6, 0.6].flatMap((z) => [x, y, z]))),
      },
      { kind: 'polytope', vertices: points(12), margin: 0.1 },
      { kind: 'cylinder', radius: 0.8, halfHeight: 0.8 },
    ];
    const table = new ShapeTable(shapes);
    const bodies = Array.from({ length: 64 }, (_, i) =>
      bodyOf(
        i % shapes.length,
        [i % 4, Math.floor(i / 4) % 4, Math.floor(i / 16)].map((x) => 1.55 * x + 0.1 * random()),
        turnAbout([random() - 0.5, random() - 0.5, 1], 6 * random()),
      ),
    );
    const pairs = Uint32Array.from(
      bodies.flatMap((a, i) =>
        bodies.flatMap((b, j) =>
          j > i && Math.hypot(...[0, 1, 2].map((k) => a.pose[k]! - b.pose[k]!)) < 2.3 ? [i, j] : [],
        ),
      ),
    );
    const remembered = new Uint32Array((REMEMBERED * pairs.length) / 2);
    const { colliders, poses } = posedConvex(bodies);
    const start = poses.slice();
    let [touching, known] = [0, 0];
    for (let step = 0; step < 20; step++) {
      // Every fifth step is a long one.
      const amount = step % 5 === 4 ? 0.05 : 1e-3;
      for (let i = 0; i < poses.length; i++)
        if (i % 7 < 3) poses[i] = start[i]! + amount * Math.sin(step + 7 * i);
      const posed = { colliders, poses: poses.slice() };
      const [fresh, warm] = [new ContactSink(), new ContactSink()];
      convexContactsOf(table, posed, { pairs }, fresh);
      const before = remembered.slice();
      convexContactsOf(table, posed, { pairs, remembered }, warm);
      const again = new ContactSink();
      convexContactsOf(table, posed, { pairs, remembered }, again);
      expect(again.rows()).toEqual(warm.rows());
      for (let i = 0; i < before.length; i += REMEMBERED)
        known += Number(before[i]! !== 0 && before[i]! < 8 && before[i] === remembered[i]);
      const [expected, found] = [contactsIn(fresh), contactsIn(warm)];
      touching += expected.length;
      const deepest = (of: typeof found) => {
        const least = new Map<string, number>();
        for (const { colliderA, colliderB, distance } of of) {
          const key = `${colliderA} ${colliderB}`;
          least.set(key, Math.min(distance, least.get(key) ?? 0));
        }
        return least;
      };
      const [here, there] = [deepest(found), deepest(expected)];
      for (const [key, distance] of there) {
        const other = here.get(key) ?? 0;
        hold(
          Math.abs(other - distance) < 1e-9,
          () => `step ${step}, pair ${key}: ${other} against ${distance}`,
        );
      }
      for (const key of here.keys()) hold(there.has(key), () => `step ${step}: pair ${key}`);
    }
    expect(touching).toBeGreaterThan(1000);
    expect(known).toBeGreaterThan(300);
  });
});

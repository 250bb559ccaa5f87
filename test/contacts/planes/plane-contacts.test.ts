import { describe, expect, it } from 'vitest';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { ROUND_SIDES } from '../../../src/contacts/faces/constants.ts';
import { ContactKind, FEATURE_OF_B, NO_TRIANGLE } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { planeContacts } from '../../../src/contacts/planes/plane-contacts.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { rotate, turnAbout } from '../../convex/shapes-of-all-kinds.ts';
import { bodyOf, contactsIn, facesOf, posedConvex, type TestBody } from '../posed.ts';

const box: Shape = { kind: 'box', halfExtents: [1, 2, 3] };
const cubeHull: Shape = {
  kind: 'polytope',
  vertices: [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z]))),
};
const plane = (position: readonly number[] = [0, 0, 0], rotation: readonly number[] = [0, 0, 0, 1]) =>
  bodyOf(0, position, rotation, ColliderKind.plane);

function contactsOf(shape: Shape, bodies: readonly TestBody[]) {
  const sink = new ContactSink();
  const table = new ShapeTable([shape]);
  const pairs = { pairs: Uint32Array.of(0, 1) };
  planeContacts(table, facesOf(table), [], posedConvex(bodies), pairs, 0, 1, sink);
  return contactsIn(sink);
}

describe('contacts with a plane', () => {
  it('of a ball are its lowest point', () => {
    const [contact, ...more] = contactsOf({ kind: 'sphere', radius: 1 }, [bodyOf(0, [4, 5, 0.75]), plane()]);
    expect(more).toEqual([]);
    expect(contact).toMatchObject({
      ...{ kind: ContactKind.plane, triangle: NO_TRIANGLE, feature: 0, distance: -0.25, area: 0 },
      normal: [-0, -0, -1],
    });
    expect(contact!.point).toEqual([0, 0, -0.875]);
  });

  it('are none above', () => {
    expect(contactsOf(box, [bodyOf(0, [0, 0, 3.001]), plane()])).toEqual([]);
    expect(contactsOf({ kind: 'sphere', radius: 1 }, [bodyOf(0, [0, 0, 1.001]), plane()])).toEqual([]);
  });

  const sides = Math.PI / ROUND_SIDES;
  it.each([
    ['a box', box, 3, 8, 12],
    ['a hull', cubeHull, 1, 4, 8],
    [
      'a cylinder',
      { kind: 'cylinder', radius: 1, halfHeight: 3 } as const,
      3,
      (ROUND_SIDES / 2) * Math.sin(2 * sides),
      2 * ROUND_SIDES * Math.sin(sides),
    ],
  ])('of %s that stands on it are three, of the face and the sides below', (_, shape, half, area, around) => {
    const d = 0.01;
    const contacts = contactsOf(shape, [bodyOf(0, [0, 0, half - d]), plane()]);
    expect(contacts.map(({ feature }) => feature)).toEqual([0, 1, 2]);
    const force = area * d + (around * d ** 2) / 2;
    const work = area * d ** 2 + (around * d ** 3) / 3;
    const points = contacts.reduce((sum, { point }) => sum.map((x, k) => x + point[k]! / 3), [0, 0, 0]);
    // The middle is on the axis; less the body's position.
    expect(points[0]).toBeCloseTo(0, 12);
    expect(points[1]).toBeCloseTo(0, 12);
    for (const { distance, normal, ...one } of contacts) {
      expect(distance).toBeCloseTo(-work / force, 12);
      expect(one.area).toBeCloseTo(force ** 2 / work / 3, 10);
      expect(normal[2]).toBeCloseTo(-1, 12);
    }
  });

  it('of a round box that stands on it have at least its face, and no more than the depth', () => {
    const shape = { kind: 'round-box', halfExtents: [1, 2, 2.5], radius: 0.5 } as const;
    const contacts = contactsOf(shape, [bodyOf(0, [0, 0, 2.99]), plane()]);
    expect(contacts.map(({ feature }) => feature)).toEqual([0, 1, 2]);
    expect(contacts.reduce((sum, { area, distance }) => sum - area * distance, 0)).toBeGreaterThan(0.08);
    for (const { distance } of contacts) expect(-distance).toBeLessThan(0.01);
  });

  it('change without jumps while a box tips over its edge', () => {
    const at = (angle: number) => {
      const rotation = turnAbout([0, 1, 0], angle);
      // The edge x = 1, z = -3 stays at the height -0.01.
      const [, , z] = rotate(rotation, [1, 0, -3]);
      const contacts = contactsOf(box, [bodyOf(0, [0, 0, -0.01 - z], rotation), plane()]);
      expect(contacts.map(({ feature }) => feature)).toEqual([0, 1, 2]);
      return contacts.reduce((sum, { area, distance }) => sum - area * distance, 0);
    };
    let last = at(0);
    for (let step = 1; step <= 500; step++) {
      const now = at(1e-4 * step);
      expect(now).toBeLessThan(last);
      // No point of the face, 2 by 4, falls or rises by more than its width times the angle.
      expect(last - now).toBeLessThan(8 * 2 * 1e-4);
      last = now;
    }
    // Of the edge, 4 long, the strip 0.01 / sin(0.05) wide is below, 0.005 in the mean.
    expect(last).toBeGreaterThan((4 * 0.01 * 0.005) / Math.sin(0.05));
  });

  it('have B first where the plane is A', () => {
    const rotation = turnAbout([1, 0, 0], Math.PI / 2);
    // The plane's normal is -y.
    const [contact] = contactsOf({ kind: 'sphere', radius: 1 }, [
      plane([0, 3, 0], rotation),
      bodyOf(0, [0, 2.5, 0]),
    ]);
    expect(contact!.distance).toBeCloseTo(-0.5, 12);
    expect(contact!.normal[1]).toBeCloseTo(-1, 12);
    expect(contact!.feature).toBe(FEATURE_OF_B);
    // From the plane's position: between the plane and the ball's highest point, 0.5 beyond it.
    expect(contact!.point[1]).toBeCloseTo(0.25, 12);
  });

  it('are the same far from the origin', () => {
    const rotation = turnAbout([1, 2, 3], 0.1);
    const near = contactsOf(box, [bodyOf(0, [0, 0, 2.5], rotation), plane()]);
    const far = contactsOf(box, [bodyOf(0, [2 ** 20, 0, 2.5], rotation), plane([2 ** 20, 7, 0])]);
    expect(near.length).toBeGreaterThan(0);
    expect(far.length).toBe(near.length);
    far.forEach(({ distance }, i) => {
      expect(distance).toBeCloseTo(near[i]!.distance, 12);
    });
  });

  it('of a polyhedron are its nodes below, with the area of each', () => {
    const count = 100;
    const nodes = Float32Array.from({ length: 3 * count }, (_, i) => ((i * 37) % 101) / 50 - 1);
    const weights = Float64Array.from({ length: count }, (_, i) => 1 + i);
    const nodeTree = Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 3 ? 2 : 0));
    const polyhedron = { surface: { nodes, weights, nodeTree } };
    const rotation = turnAbout([1, 1, 0], 0.4);
    const sink = new ContactSink();
    const table = new ShapeTable([box]);
    planeContacts(
      table,
      facesOf(table),
      [polyhedron],
      posedConvex([plane(), bodyOf(0, [3, 4, 0.5], rotation, ColliderKind.polyhedron)]),
      { pairs: Uint32Array.of(0, 1) },
      ...([0, 1, sink] as const),
    );
    const expected = Array.from({ length: count }, (_, i) => {
      const [x, y, z] = rotate(rotation, nodes.subarray(3 * i));
      return { i, height: z + 0.5, point: [x + 3, y + 4, (z + 0.5) / 2] };
    }).filter(({ height }) => height <= 0);
    const found = contactsIn(sink);
    expect(expected.length).toBeGreaterThan(10);
    expect(found.map(({ feature }) => feature)).toEqual(expected.map(({ i }) => i + FEATURE_OF_B));
    found.forEach((contact, k) => {
      const { i, height, point } = expected[k]!;
      expect(contact.area).toBe(weights[i]);
      expect(contact.distance).toBeCloseTo(height, 12);
      expect(contact.normal).toEqual([0, 0, 1]);
      point.forEach((x, axis) => {
        expect(contact.point[axis]!).toBeCloseTo(x, 12);
      });
    });
  });
});

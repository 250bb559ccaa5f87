import { describe, expect, it } from 'vitest';
import { resolveBodies } from '../../../src/contacts/bodies/check-bodies.ts';
import { namesOf } from '../../../src/contacts/bodies/check-shapes.ts';
import { makeColliders } from '../../../src/contacts/bodies/collider-table.ts';
import { ColliderKind, NO_POLYHEDRON } from '../../../src/contacts/bodies/colliders.ts';
import type { ContactBodies, ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { PARAMETERS, Parameter } from '../../../src/convex/shapes/records.ts';
import { coreSupport } from '../../../src/convex/shapes/support.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';

const half = Math.SQRT1_2;
const shapes: ContactShape[] = [
  { kind: 'plane' },
  { kind: 'polyhedron', mesh: randomRock({ triangles: 80, seed: 1, convex: false }) },
  {
    kind: 'parts',
    parts: [
      { shape: { kind: 'sphere', radius: 0.5 }, position: [-1, 0, 0] },
      { shape: { kind: 'cone', radius: 0.4, height: 2 }, position: [1, 0, 0], rotation: [0, 0, half, half] },
    ],
  },
  { kind: 'polytope', vertices: [3, 0, 0, 4, 0, 0, 3, 1, 0, 3, 0, 2], margin: 0.25 },
  { kind: 'ellipsoid', radii: [2, 2, 2] },
];

function collidersOf(bodies: ContactBodies) {
  const names = shapes.map((_, i) => `shape ${i}`);
  return makeColliders(
    shapes,
    names,
    resolveBodies(bodies, shapes, (count) => namesOf('body', undefined, count)),
  );
}

describe('colliders', () => {
  const { colliders, convex, polyhedra } = collidersOf({ shapes: Uint32Array.of(2, 0, 1, 3, 2, 4) });

  it('come in the order of bodies and parts', () => {
    expect(colliders.count).toBe(8);
    expect([...colliders.bodies]).toEqual([0, 0, 1, 2, 3, 4, 4, 5]);
    expect([...colliders.parts]).toEqual([0, 1, 0, 0, 0, 0, 1, 0]);
    const { convex: c, polyhedron: p, plane } = ColliderKind;
    expect([...colliders.kinds]).toEqual([c, c, plane, p, c, c, c, c]);
    expect([...colliders.shapes]).toEqual([0, 1, 0, 0, 2, 0, 1, 3]);
    expect([...colliders.places.subarray(7, 14)]).toEqual([
      1,
      0,
      0,
      0,
      0,
      expect.closeTo(half),
      expect.closeTo(half),
    ]);
  });

  it('that may meet a polyhedron have a mesh that stands in for them, but for balls', () => {
    const none = NO_POLYHEDRON;
    expect([...colliders.polyhedra]).toEqual([none, 1, none, 0, 2, none, 1, none]);
    expect(polyhedra.map(({ name }) => name)).toEqual(['shape 1', 'shape 2, part 1', 'shape 3']);
  });

  it('hold their shapes in their boxes and balls', () => {
    const random = createRandom(1);
    const p = convex!.parameters;
    const out = new Float64Array(3);
    for (const c of [0, 1, 4, 7]) {
      const record = PARAMETERS * colliders.shapes[c]!;
      const box = colliders.boxes.subarray(6 * c, 6 * c + 6);
      let [farthest, touched] = [0, 0];
      for (let n = 0; n < 2000; n++) {
        const axis = n % 4;
        const direction = [0, 1, 2].map((k) =>
          axis === 3 ? random() - 0.5 : k === axis ? (n % 8) - 3.5 : 0,
        );
        const length = Math.hypot(...direction);
        coreSupport(convex!, colliders.shapes[c]!, direction[0]!, direction[1]!, direction[2]!, out, 0);
        const point = [0, 1, 2].map(
          (k) =>
            p[record + Parameter.centre + k]! +
            out[k]! +
            (p[record + Parameter.margin]! * direction[k]!) / length,
        );
        const away = point.map((x, k) => Math.abs(x - box[k]!));
        for (let k = 0; k < 3; k++) expect(away[k]).toBeLessThanOrEqual(box[3 + k]!);
        if (away.some((x, k) => x > 0.999999 * box[3 + k]!)) touched++;
        farthest = Math.max(farthest, Math.hypot(...away));
      }
      expect(farthest).toBeLessThanOrEqual(colliders.radii[c]!);
      expect(touched).toBeGreaterThan(1000);
    }
    expect(colliders.radii[7]).toBeCloseTo(2, 12);
    expect(colliders.radii[0]).toBeCloseTo(0.5, 12);
  });
});

describe('meshes that stand in for convex shapes', () => {
  it.each<[string, Partial<ContactBodies>]>([
    ['no group meets', { groups: Uint32Array.of(1, 2), masks: Uint32Array.of(1, 2) }],
    ['neither moves', { isStatic: Uint8Array.of(1, 1) }],
  ])('are not made where %s', (_, rest) => {
    expect(collidersOf({ shapes: Uint32Array.of(1, 3), ...rest }).polyhedra).toHaveLength(1);
    expect(collidersOf({ shapes: Uint32Array.of(1, 3) }).polyhedra).toHaveLength(2);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { vec3d } from 'wgpu-matrix';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { nearestOnTriangle } from '../../../src/contacts/field/nearest.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactKind, ContactStatus, FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { patchContacts } from '../../../src/contacts/patches/patch-contacts.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { rotate, turnAbout, type Vector } from '../../convex/shapes-of-all-kinds.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, mapMesh, voxelMesh } from '../../support/shapes.ts';
import { bodyOf, contactsIn, posedConvex } from '../posed.ts';

const NO_TURN = [0, 0, 0, 1] as const;

/** Contacts of a ball, body 0, with a polyhedron, body 1; or the other way round. */
function contactsOf(
  poly: PolyhedronArrays,
  centre: Vector,
  radius: number,
  { isB = false, position = [0, 0, 0], rotation = NO_TURN as readonly number[] } = {},
) {
  const ball = bodyOf(0, centre);
  const mesh = bodyOf(0, position, rotation, ColliderKind.polyhedron);
  const sink = new ContactSink();
  const posed = posedConvex(isB ? [mesh, ball] : [ball, mesh]);
  const table = new ShapeTable([{ kind: 'sphere', radius }]);
  patchContacts(table, [poly], posed, { pairs: Uint32Array.of(0, 1) }, 0, 1, sink);
  return contactsIn(sink);
}

/** Signed distance of the unit cube, above 0 outside. */
function cubeDistance(p: Vector): number {
  const out = p.map((x) => Math.max(-x, x - 1));
  return Math.max(...out) < 0 ? Math.max(...out) : Math.hypot(...out.map((x) => Math.max(0, x)));
}

describe('a ball and a cube', () => {
  let cube: PolyhedronArrays;
  beforeAll(async () => {
    cube = await makePolyhedron(boxMesh([0, 0, 0], [1, 1, 1], 'cube'), { reach: 1 });
  });

  it.each([0.01, 0.3, 5])('have one contact as deep as they overlap, radius %s', (radius) => {
    const random = createRandom(3);
    let [found, inside] = [0, 0];
    for (let i = 0; i < 400; i++) {
      const span = 1 + 2.2 * radius;
      const centre = [0, 1, 2].map(() => 0.5 + span * (random() - 0.5)) as unknown as Vector;
      const expected = cubeDistance(centre) - radius;
      const contacts = contactsOf(cube, centre, radius);
      const words = () => `centre ${centre}: ${JSON.stringify(contacts)}, expected ${expected}`;
      if (Math.abs(expected) < 1e-12) continue;
      hold(contacts.length === (expected < 0 ? 1 : 0), words);
      if (expected > 0) continue;
      const { distance, normal, point, kind, area } = contacts[0]!;
      found++;
      if (cubeDistance(centre) < 0) inside++;
      hold(kind === ContactKind.patch && area === 0, words);
      hold(Math.abs(distance - expected) < 1e-12, words);
      // Out of the cube by half the overlap: the point lies halfway between both surfaces, along the normal.
      const surface = point.map((x, k) => x + centre[k]! + (distance / 2) * normal[k]!) as unknown as Vector;
      const lowest = point.map((x, k) => x - (distance / 2) * normal[k]!);
      hold(Math.abs(Math.hypot(...lowest) - radius) < 1e-12, words);
      hold(Math.abs(cubeDistance(surface)) < 1e-12, words);
      hold(Math.abs(Math.hypot(...normal) - 1) < 1e-12, words);
    }
    expect(found).toBeGreaterThan(30);
    if (radius < 5) expect(inside).toBeGreaterThan(0);
  });

  it('have one over an edge and over a corner', () => {
    const over = contactsOf(cube, [1.1, 0.5, 1.1], 0.2);
    expect(over.length).toBe(1);
    expect(over[0]!.normal.map((x) => Math.round(1e6 * x) + 0)).toEqual([-707107, 0, -707107]);
    expect(contactsOf(cube, [1.1, 1.1, 1.1], 0.2).length).toBe(1);
  });

  it('a ball that rolls over coplanar triangles, edges and corners keeps its depth', () => {
    // Over the diagonal of the top, where one contact per triangle would come twice.
    for (let step = 0; step <= 100; step++) {
      const contacts = contactsOf(cube, [step / 100, 0.01 * step, 1.2], 0.25);
      expect(contacts.length).toBe(1);
      expect(contacts[0]!.distance).toBeCloseTo(-0.05, 12);
      expect(contacts[0]!.feature).toBe(0);
    }
  });

  it('tell who is A', () => {
    const turned = turnAbout([1, 2, 3], 0.8);
    const position = [10, -5, 3];
    const local: Vector = [0.4, 0.6, 1.1];
    const centre = rotate(turned, local).map((x, k) => x + position[k]!) as unknown as Vector;
    const up = rotate(turned, [0, 0, 1]);
    const [asA] = contactsOf(cube, centre, 0.2, { rotation: turned, position });
    const [asB] = contactsOf(cube, centre, 0.2, { rotation: turned, position, isB: true });
    expect(asA!.feature).toBe(0);
    expect(asB!.feature).toBe(FEATURE_OF_B);
    for (const k of [0, 1, 2]) {
      expect(asA!.normal[k]).toBeCloseTo(-up[k]!, 12);
      expect(asB!.normal[k]).toBeCloseTo(up[k]!, 12);
      expect(asA!.point[k]! + centre[k]!).toBeCloseTo(asB!.point[k]! + position[k]!, 12);
    }
  });

  it('far from the origin it is the same to the last bits of the poses', () => {
    const at = 2 ** 30;
    const near = contactsOf(cube, [0.5, 0.5, 1.125], 0.25);
    const far = contactsOf(cube, [at + 0.5, 0.5, 1.125 - at], 0.25, { position: [at, 0, -at] });
    expect(far).toEqual(near);
  });
});

describe('a ball in a corner', () => {
  let corner: PolyhedronArrays;
  beforeAll(async () => {
    // Floor and wall, each a quarter thick; the inner corner runs along z at x = y = 0.25.
    corner = await makePolyhedron(voxelMesh(4, 0.25, (i, j) => i === 0 || j === 0));
  });

  it('touches floor and wall, each once', () => {
    const contacts = contactsOf(corner, [0.4, 0.4, 0.5], 0.2);
    expect(contacts.length).toBe(2);
    for (const { distance, status } of contacts) {
      expect(distance).toBeCloseTo(-0.05, 6);
      expect(status).toBe(ContactStatus.sure);
    }
    const normals = contacts.map(({ normal }) => normal.map((x) => Math.round(x)).join()).sort();
    expect(normals).toEqual(['-1,0,0', '0,-1,0']);
  });

  it('has features that last', () => {
    const features = (x: number) => contactsOf(corner, [x, 0.4, 0.5], 0.2).map(({ feature }) => feature);
    const both = features(0.4);
    expect(features(0.41)).toEqual(both);
    const floor = features(0.7);
    expect(floor.length).toBe(1);
    expect(both).toContain(floor[0]);
  });

  it('is not touched by the other side of a wall that is thinner than the ball', () => {
    const contacts = contactsOf(corner, [0.8, 0.7, 0.5], 0.58);
    for (const { normal } of contacts) expect(Math.min(normal[0], normal[1])).toBeLessThan(-0.5);
    expect(contacts.length).toBe(2);
  });
});

describe('a ball in a box that is open above', () => {
  let box: PolyhedronArrays;
  beforeAll(async () => {
    // Walls a quarter thick; the room inside is 1 wide.
    box = await makePolyhedron(
      voxelMesh(6, 0.25, (i, j, k) => k === 0 || [i, j].some((c) => c < 1 || c > 4)),
    );
  });

  it('touches all walls and the floor, though walls are joined over the rim', () => {
    const contacts = contactsOf(box, [0.75, 0.75, 0.7], 0.51);
    const normals = contacts.map(({ normal }) => normal.map((x) => Math.round(x) + 0).join()).sort();
    expect(normals).toEqual(['-1,0,0', '0,-1,0', '0,0,-1', '0,1,0', '1,0,0']);
    expect(new Set(contacts.map(({ feature }) => feature)).size).toBe(5);
  });

  it.each([0, 90, 180, 270])(
    'touches an edge of the rim once, whatever patches meet there: at %d degrees',
    (angle) => {
      const turn = turnAbout([0, 0, 1], (angle * Math.PI) / 180);
      for (const along of [-0.1, 0, 0.13]) {
        const offset = rotate(turn, [0.5 - 0.1, along, 0.1]);
        const contacts = contactsOf(box, [0.75 + offset[0], 0.75 + offset[1], 1.5 + offset[2]], 0.2);
        expect(contacts.length).toBe(1);
        expect(contacts[0]!.distance).toBeCloseTo(Math.SQRT1_2 / 5 - 0.2, 6);
      }
    },
  );
});

it('a ball on a slot that is narrower than itself touches both of its edges', async () => {
  const isSlot = (i: number, j: number) => i === 2 && j > 0 && j < 5;
  const plate = await makePolyhedron(voxelMesh(6, 0.25, (i, j, k) => k === 0 && !isSlot(i, j)));
  const contacts = contactsOf(plate, [0.625, 0.75, 0.5], 0.3);
  expect(contacts.map(({ normal }) => Math.sign(normal[0])).sort()).toEqual([-1, 1]);
});

it('a ball touches both faces of a shallow concave edge until the edge is within it: then the nearer one', async () => {
  // docs/contacts.md, "Spheres on meshes": what comes and goes there is no deeper than R (1 - cos of half the angle).
  const [radius, half] = [0.8, (9 * Math.PI) / 180];
  const most = radius * (1 - Math.cos(half));
  const flat = voxelMesh(4, 1, (_i, _j, k) => k === 0);
  const valley = mapMesh(flat, (x, y, z) => [x, y, z + Math.abs(x - 2) * Math.tan(half)]);
  const poly = await makePolyhedron(valley);
  // The centre is at `far` from the edge, at an angle from upwards; feet of both heights are on the faces.
  const depthsAt = (far: number, angle: number) => {
    const centre: Vector = [2 + far * Math.sin(angle), 2.1, 1 + far * Math.cos(angle)];
    return contactsOf(poly, centre, radius)
      .map(({ distance }) => -distance)
      .sort((one, other) => other - one);
  };
  let largest = 0;
  for (const angle of [0, 0.01, -0.04, 0.08, -0.15]) {
    const expected = (far: number) => [
      radius - far * Math.cos(half + Math.abs(angle)),
      radius - far * Math.cos(half - Math.abs(angle)),
    ];
    for (const far of [radius + 1e-6, radius + 0.005, radius + 0.2]) {
      const depths = expected(far).filter((depth) => depth > 0);
      hold(
        depthsAt(far, angle).every((depth, k) => Math.abs(depth - depths[k]!) < 1e-6),
        () => `${far} ${angle}`,
      );
      expect(depthsAt(far, angle).length).toBe(depths.length);
    }
    const [near] = depthsAt(radius - 1e-6, angle);
    expect(depthsAt(radius - 1e-6, angle).length).toBe(1);
    expect(near).toBeCloseTo(expected(radius - 1e-6)[0]!, 6);
    const [, shallow] = depthsAt(radius + 1e-6, angle);
    expect(shallow).toBeLessThan(most);
    largest = Math.max(largest, shallow! / most);
  }
  expect(largest).toBeCloseTo(1, 3);
});

/** Triangles near a ball's centre, by the connected parts of patches that they make within the ball. */
function partsOf(
  { positions, indices }: TriangleMesh,
  patches: Uint32Array,
  near: ReadonlyMap<number, number>,
  centre: Vector,
  radius: number,
): number[][] {
  const corner = (v: number) => Array.from(positions.subarray(3 * v, 3 * v + 3)) as unknown as Vector;
  const distanceOfEdge = (v: number, w: number) => {
    const along = vec3d.subtract(corner(w), corner(v));
    const share = vec3d.dot(vec3d.subtract(centre, corner(v)), along) / vec3d.lenSq(along);
    return vec3d.distance(centre, vec3d.addScaled(corner(v), along, Math.min(1, Math.max(0, share))));
  };
  const cornersOf = (t: number) => [...indices.subarray(3 * t, 3 * t + 3)];
  // Edges of more faces join none.
  const facesAt = (v: number, w: number) =>
    Array.from({ length: indices.length / 3 }, (_, t) => cornersOf(t)).filter(
      (corners) => corners.includes(v) && corners.includes(w),
    ).length;
  const areJoined = (s: number, t: number) => {
    const common = cornersOf(s).filter((v) => cornersOf(t).includes(v));
    if (common.length === 2 && facesAt(common[0]!, common[1]!) !== 2) return false;
    return (
      patches[s] === patches[t] && common.length === 2 && distanceOfEdge(common[0]!, common[1]!) <= radius
    );
  };
  const parts: number[][] = [];
  for (const t of near.keys()) {
    const joined = parts.filter((part) => part.some((s) => areJoined(s, t)));
    for (const part of joined) parts.splice(parts.indexOf(part), 1);
    parts.push([t, ...joined.flat()]);
  }
  return parts;
}

describe('a ball and a rock', () => {
  it.each([
    ['concave', randomRock({ seed: 8, convex: false, triangles: 320 })],
    ['of holes', voxelMesh(4, 0.3, (i, j, k) => (i + j + k) % 3 !== 0 || i === 0)],
  ])(
    '%s: each part of a patch at its nearest point, of all triangles that face the centre',
    async (_, mesh) => {
      const poly = await makePolyhedron(mesh);
      const { patches } = poly.surface;
      const { corners } = poly.field;
      const random = createRandom(5);
      const size = Math.max(...[0, 1, 2].map((k) => mesh.box.max[k]! - mesh.box.min[k]!));
      const w = new Float64Array(7);
      let several = 0;
      for (let i = 0; i < 250; i++) {
        const radius = size * 10 ** (-2 * random());
        const centre = [0, 1, 2].map(
          (k) => mesh.box.min[k]! - radius + (size + 2 * radius) * random(),
        ) as unknown as Vector;
        const contacts = contactsOf(poly, centre, radius);
        const near = new Map<number, number>();
        let least = Infinity;
        for (let t = 0; t < mesh.triangleCount; t++) {
          w.set(centre);
          nearestOnTriangle(corners, 9 * t, w);
          const distance = Math.sqrt(w[6]!);
          least = Math.min(least, distance);
          const c = Array.from(corners.subarray(9 * t, 9 * t + 9));
          const [u, v, p] = [3, 6]
            .map((o) => [0, 1, 2].map((k) => c[o + k]! - c[k]!))
            .concat([[0, 1, 2].map((k) => centre[k]! - c[k]!)]) as [number[], number[], number[]];
          const height =
            (u[1]! * v[2]! - u[2]! * v[1]!) * p[0]! +
            (u[2]! * v[0]! - u[0]! * v[2]!) * p[1]! +
            (u[0]! * v[1]! - u[1]! * v[0]!) * p[2]!;
          if (height < 0 || distance > radius) continue;
          near.set(t, distance);
        }
        const words = () => `centre ${centre}, radius ${radius}: ${JSON.stringify(contacts)}`;
        if (contacts.length === 1 && contacts[0]!.distance < -radius) {
          hold(
            contacts[0]!.status === ContactStatus.deep ||
              Math.abs(contacts[0]!.distance + radius + least) < 1e-9,
            words,
          );
          continue;
        }
        const parts = partsOf(mesh, patches, near, centre, radius);
        hold(contacts.length <= parts.length, words);
        several += Number(contacts.length > 1);
        for (const { triangle, distance } of contacts) {
          const part = parts.find((triangles) => triangles.includes(triangle))!;
          hold(Math.abs(distance + radius - Math.min(...part.map((t) => near.get(t)!))) < 1e-9 * size, words);
          parts.splice(parts.indexOf(part), 1);
        }
        // What has none has its nearest point on a triangle of another part, which is as near or nearer.
        for (const part of parts) {
          const [t] = part.sort((p, q) => near.get(p)! - near.get(q)!) as [number];
          w.set(centre);
          nearestOnTriangle(corners, 9 * t, w);
          const point = w.slice(3, 6);
          const isOn = (other: number) => {
            w.set(point);
            nearestOnTriangle(corners, 9 * other, w);
            return Math.sqrt(w[6]!) < 1e-9 * size;
          };
          const others = [...near].filter(
            ([other, d]) => !part.includes(other) && d <= near.get(t)! + 1e-9 * size,
          );
          hold(
            others.some(([other]) => isOn(other)),
            words,
          );
        }
        const ids = contacts.map(({ feature }) => feature);
        hold(
          ids.every((id, k) => k === 0 || id > ids[k - 1]!),
          words,
        );
      }
      expect(several).toBeGreaterThan(10);
    },
  );

  it('keep the names of contacts, over corners and inside too, where the ball moves by rounding', async () => {
    const poly = await makePolyhedron(randomRock({ seed: 8, convex: false, triangles: 320, roughness: 0.5 }));
    const random = createRandom(5);
    let found = 0;
    for (let i = 0; i < 1500; i++) {
      const centre = [0, 1, 2].map(() => 2.4 * (random() - 0.5)) as unknown as Vector;
      const moved = centre.map((x) => x + 1e-13 * (random() - 0.5)) as unknown as Vector;
      const names = (at: Vector) => contactsOf(poly, at, 0.5).map(({ feature }) => feature);
      hold(names(centre).join() === names(moved).join(), () => `at ${centre}`);
      found += names(centre).length;
    }
    expect(found).toBeGreaterThan(1500);
  });
});

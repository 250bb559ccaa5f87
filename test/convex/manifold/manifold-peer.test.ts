/** As many contacts as Rapier finds in the same configurations, on faces that rest on each other. */
import rapier from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_CLIPPED_POINTS } from '../../../src/convex/constants.ts';
import { hullOfPoints } from '../../../src/convex/shapes/hull.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { ask, type PlacedShape } from '../ask.ts';
import { type Quaternion, rotate } from '../shapes-of-all-kinds.ts';

const floor: PlacedShape = {
  shape: { kind: 'box', halfExtents: [5, 5, 0.5] },
  position: [0, 0, -0.5],
  rotation: [0, 0, 0, 1],
};

function descriptionOf(shape: ConvexShape) {
  if (shape.kind === 'box') return rapier.ColliderDesc.cuboid(...shape.halfExtents);
  if (shape.kind === 'capsule') {
    // Rapier's lies along y.
    const s = Math.SQRT1_2;
    const along = { x: 0, y: 0, z: s, w: s };
    return rapier.ColliderDesc.capsule(shape.halfLength, shape.radius).setRotation(along);
  }
  if (shape.kind === 'polytope') return rapier.ColliderDesc.convexHull(Float32Array.from(shape.vertices))!;
  throw new Error(shape.kind);
}

/** Contacts of Rapier's manifolds: those that it finds before it moves anything. */
function rapierCount(a: PlacedShape, b: PlacedShape): number {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const colliders = [a, b].map(({ shape, position: [x, y, z], rotation: [i, j, k, w] }) => {
    const body = world.createRigidBody(
      (shape === a.shape ? rapier.RigidBodyDesc.fixed() : rapier.RigidBodyDesc.dynamic())
        .setTranslation(x, y, z)
        .setRotation({ x: i, y: j, z: k, w }),
    );
    return world.createCollider(descriptionOf(shape as ConvexShape), body);
  });
  world.step();
  let count = 0;
  world.contactPair(colliders[0]!, colliders[1]!, (manifold) => {
    const seen: { x: number; y: number; z: number }[] = [];
    for (let i = 0; i < manifold.numContacts(); i++) {
      const point = manifold.localContactPoint1(i)!;
      // It names some twice, and some that are apart.
      const isSeen = seen.some((p) => Math.hypot(p.x - point.x, p.y - point.y, p.z - point.z) < 1e-4);
      if (manifold.contactDist(i) <= 0 && !isSeen) seen.push(point);
    }
    count += seen.length;
  });
  world.free();
  return count;
}

/**
 * A rock that rests on one of its faces: turned so that the face lies on the floor, tilted by a little, and sunk until
 * all of it overlaps.
 */
function restingRock(seed: number): PlacedShape {
  const random = createRandom(seed);
  const turn = () => 2 * Math.PI * random();
  const base = Array.from({ length: 4 + Math.floor(3 * random()) }, () => {
    const [phi, r] = [turn(), 0.5 + 0.1 * random()];
    return [r * Math.cos(phi), r * Math.sin(phi), -0.4];
  });
  const above = Array.from({ length: 12 }, () => {
    const [z, phi] = [random(), turn()];
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(phi), 0.8 * r * Math.sin(phi), 0.6 * z];
  });
  const { vertices } = hullOfPoints([...base, ...above].flat());
  const tilt = 0.01 * random();
  const [c, s] = [Math.cos(6 * random()), Math.sin(6 * random())];
  const length = Math.hypot(c, s);
  const rotation: Quaternion = [(tilt * c) / length, (tilt * s) / length, 0, Math.sqrt(1 - tilt * tilt)];
  let highest = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    const z = rotate(rotation, vertices.subarray(i, i + 3))[2];
    if (vertices[i + 2] === -0.4) highest = Math.max(highest, z);
  }
  return { shape: { kind: 'polytope', vertices }, position: [0.1, 0.2, -highest - 1e-4], rotation };
}

describe('contacts beside those of Rapier', () => {
  beforeAll(() => rapier.init());

  const tilt: Quaternion = [0, Math.sin(Math.PI / 720), 0, Math.cos(Math.PI / 720)];
  const box: ConvexShape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };
  const capsule: ConvexShape = { kind: 'capsule', halfLength: 1, radius: 0.25 };
  const cases: [string, PlacedShape, PlacedShape][] = [
    ['box, level', floor, { shape: box, position: [0, 0, 0.49], rotation: [0, 0, 0, 1] }],
    ['box, tilted by half a degree', floor, { shape: box, position: [0, 0, 0.49], rotation: tilt }],
    ['capsule', floor, { shape: capsule, position: [0, 0, 0.23], rotation: tilt }],
    ...Array.from({ length: 40 }, (_, i): [string, PlacedShape, PlacedShape] => [
      `rock ${i}`,
      floor,
      restingRock(i),
    ]),
  ];

  it.each(cases)('%s: no fewer', (_, a, b) => {
    const theirs = rapierCount(a, b);
    const ours = ask(a, b, 'manifold', 'auto').contacts.length;
    expect(theirs).toBeGreaterThanOrEqual(2);
    expect(ours).toBeGreaterThanOrEqual(Math.min(theirs, MOST_CLIPPED_POINTS));
  });
});

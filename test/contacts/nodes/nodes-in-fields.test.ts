import { beforeAll, describe, expect, it } from 'vitest';
import { quatd, vec3d } from 'wgpu-matrix';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { ContactStatus, FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { nodesInFields } from '../../../src/contacts/nodes/nodes-in-fields.ts';
import { randomRock, readMesh } from '../../../src/index.ts';
import { dataPath, describeWithData } from '../../support/data.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, mapMesh } from '../../support/shapes.ts';
import { ask, type Contact } from './ask.ts';
import { type Body, bruteNodes, pointIn } from './brute-force.ts';
import { nearestOnTriangles, type Vector } from './nearest.ts';
import { RandomPoses } from './poses.ts';
import { unionOfBoxes } from './solids.ts';

const poses = new RandomPoses(3);
const placed: RandomPoses['placed'] = (...of) => poses.placed(...of);
/** Depths below this are rounding: brute force and fields may differ on them. */
const ROUNDING = 1e-12;

/** Contacts are those of every node, exact in what is unique. */
function expectBrute(a: Body, b: Body, size = 1): number {
  const { contacts, counts } = ask(nodesInFields, [a, b]);
  const far = Math.hypot(...a.pose.slice(0, 3)) + Math.hypot(...b.pose.slice(0, 3));
  const tolerance = ROUNDING * size + 4 * far * 2 ** -52;
  const expected = new Map(bruteNodes(a, b, tolerance).map((one) => [one.feature, one]));
  const found = new Map(contacts.filter((one) => -one.distance > tolerance).map((one) => [one.feature, one]));
  expect([...found.keys()].toSorted((x, y) => x - y)).toEqual([...expected.keys()].toSorted((x, y) => x - y));
  for (const [feature, one] of found) {
    const brute = expected.get(feature)!;
    const told = () => `node ${feature}: ${JSON.stringify([one, brute])}`;
    expect(one.area).toBe(brute.area);
    for (let k = 0; k < 3; k++) hold(Math.abs(one.point[k]! - brute.point[k]!) <= 4 * tolerance, told);
    if (one.status === ContactStatus.deep) continue;
    hold(Math.abs(-one.distance - brute.depth) <= 4 * tolerance, told);
    hold(Math.abs(Math.hypot(...one.normal) - 1) < 1e-9, told);
    // The nearest point is at the end of the normal: which of two that tie is nobody's claim.
    const of = feature < FEATURE_OF_B ? a : b;
    const into = feature < FEATURE_OF_B ? b : a;
    const sign = feature < FEATURE_OF_B ? -1 : 1;
    const end = [0, 1, 2].map((k) => one.point[k]! - one.distance * sign * one.normal[k]!) as Vector;
    const foot = pointIn([...a.pose.slice(0, 3), 0, 0, 0, 1], into.pose, end);
    const { distance } = nearestOnTriangles(into.solid, foot, one.triangle);
    hold(distance <= 8 * tolerance, () => `${told()} ${distance} ${of.solid.name}`);
  }
  expect(counts.near).toBeLessThanOrEqual(counts.tested);
  return found.size;
}

describe('nodes in fields', () => {
  let solids: Record<'rock' | 'smooth' | 'pebble' | 'fork' | 'cube', PolyhedronArrays>;

  beforeAll(async () => {
    const make = (mesh: Parameters<typeof makePolyhedron>[0]) => makePolyhedron(mesh);
    solids = {
      rock: await make(randomRock({ seed: 5, convex: false, triangles: 200, roughness: 0.5 })),
      smooth: await make(randomRock({ seed: 6, convex: false, triangles: 512, roughness: 0.2 })),
      pebble: await make(randomRock({ seed: 7, convex: true, triangles: 80 })),
      fork: await make(
        unionOfBoxes([
          [0, 0, 0, 0.25, 0.25, 2],
          [0, 0.75, 0, 0.25, 1, 2],
          [0, 0, -0.5, 0.25, 1, 0],
        ]),
      ),
      cube: await make(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])),
    };
  });

  it('are found where float32 puts them outside of a body that is thin', async () => {
    // Its normal is among the samples of the table of supports, so planes tell that such plates are apart.
    const [nx, ny] = [1, 0.625];
    const half = 2 ** -20;
    const plate = mapMesh(boxMesh([-1, -1, -1], [1, 1, 1]), (x, y, z) => [
      ...[0.6875 * ny * x + half * nx * z, -0.6875 * nx * x + half * ny * z, y],
    ]);
    const solid = await makePolyhedron(plate, { nodeSpacing: 0.1, reach: 1 });
    const gap = 2 * half + 2 ** -28;
    const a: Body = { solid, pose: [0, 0, 0, 0, 0, 0, 1] };
    const b: Body = { solid, pose: [gap * nx, gap * ny, 0, 0, 0, 0, 1] };
    const expected = bruteNodes(a, b).map(({ feature }) => feature);
    expect(expected.length).toBeGreaterThan(100);
    expect(ask(nodesInFields, [a, b]).contacts.map(({ feature }) => feature)).toEqual(expected);
  });

  it('are those of every node, by brute force', () => {
    let found = 0;
    for (const a of Object.values(solids))
      for (const b of Object.values(solids)) {
        found += expectBrute(placed(a, 0), placed(b, 1));
      }
    expect(found).toBeGreaterThan(1000);
  });

  it('are so where faces and edges lie on each other', () => {
    const { cube, fork } = solids;
    const turned = (position: number[], turn = [0, 0, 0, 1]) => [...position, ...turn];
    const at = (solid: PolyhedronArrays, ...pose: Parameters<typeof turned>): Body => ({
      solid,
      pose: turned(...pose),
    });
    for (const z of [1, 1 - 2 ** -10, 0.75, 0]) {
      expectBrute(at(cube, [0, 0, 0]), at(cube, [0.25, 0, z]));
      expectBrute(at(cube, [0, 0, 0]), at(fork, [0, 0, z]));
    }
  });

  it('are the same from 10^5 sizes off, but for what the poses round', () => {
    const { rock, pebble } = solids;
    for (const far of [1e3, 1e5])
      expectBrute(placed(rock, 0, [far, -far, far]), placed(pebble, 1, [far, -far, far]));
  });

  /** A contact of B and A as one of A and B, or one whose bodies have been moved. */
  const expectSame = (found: Contact[], other: Contact[], change: (one: Contact) => Contact) => {
    expect(found.length).toBeGreaterThan(0);
    const sorted = other.map(change).toSorted((x, y) => x.feature - y.feature);
    expect(sorted.map(({ feature }) => feature)).toEqual(found.map(({ feature }) => feature));
    found.forEach((one, i) => {
      const same = sorted[i]!;
      expect(same.distance).toBeCloseTo(one.distance, 11);
      for (let k = 0; k < 3; k++) {
        expect(same.normal[k]).toBeCloseTo(one.normal[k]!, 7);
        expect(same.point[k]).toBeCloseTo(one.point[k]!, 11);
      }
    });
  };

  it('change sides with the bodies, and turn with them', () => {
    const { rock, smooth } = solids;
    for (let i = 0; i < 6; i++) {
      const [a, b] = [placed(rock, 0), placed(smooth, 1.2)];
      const { contacts } = ask(nodesInFields, [a, b]);
      const way = [0, 1, 2].map((k) => b.pose[k]! - a.pose[k]!);
      expectSame(contacts, ask(nodesInFields, [b, a]).contacts, (one) => ({
        ...one,
        feature: (one.feature ^ FEATURE_OF_B) >>> 0,
        normal: one.normal.map((x) => -x) as Vector,
        point: one.point.map((x, k) => x + way[k]!) as Vector,
      }));
      const turn = poses.turn() as unknown as Parameters<typeof quatd.multiply>[0];
      const moved = [a, b].map(({ solid, pose }) => ({
        solid,
        pose: [
          ...[...vec3d.transformQuat(pose.slice(0, 3), turn)].map((x, k) => x + [3, -1, 2][k]!),
          ...quatd.multiply(turn, pose.slice(3) as never),
        ],
      }));
      const back = quatd.inverse(turn);
      expectSame(contacts, ask(nodesInFields, moved).contacts, (one) => ({
        ...one,
        normal: [...vec3d.transformQuat(one.normal, back)] as Vector,
        point: [...vec3d.transformQuat(one.point, back)] as Vector,
      }));
    }
  });

  it('are marked where they lie deeper than the tables reach', async () => {
    const shallow = await makePolyhedron(boxMesh([-3, -3, -3], [3, 3, 3]), { reach: 0.25 });
    const { contacts } = ask(nodesInFields, [
      { solid: shallow, pose: [0, 0, 0, 0, 0, 0, 1] },
      { solid: solids.cube, pose: [0, 0, 0, 0, 0, 0, 1] },
    ]);
    expect(contacts.length).toBe(solids.cube.surface.weights.length);
    for (const one of contacts) {
      expect(one.status).toBe(ContactStatus.deep);
      expect(-one.distance).toBeGreaterThan(0.25);
    }
  });

  it('are looked up near the partner: half of them in cells inside or mixed, where bodies overlap by a tenth', () => {
    const { rock, smooth, pebble } = solids;
    let [tested, near, all] = [0, 0, 0];
    for (const a of [rock, smooth, pebble])
      for (const b of [rock, smooth, pebble]) {
        const { counts } = ask(nodesInFields, [placed(a, 0), placed(b, 1.3)]);
        tested += counts.tested;
        near += counts.near;
        all += a.surface.weights.length + b.surface.weights.length;
      }
    expect(tested).toBeLessThan(all / 3);
    expect(near).toBeGreaterThan(tested / 2);
  });

  it('are not looked up where bodies are apart by a twentieth of their size, their middles not over each other', () => {
    const { cube } = solids;
    // One face up, the other one on a corner.
    const onCorner = quatd.fromAxisAngle(vec3d.normalize([1, -1, 0]), Math.acos(Math.sqrt(1 / 3)));
    const height = 0.5 + Math.sqrt(3) / 2;
    const testedAt = (gap: number, x: number, y: number) => {
      const b = { solid: cube, pose: [x, y, height + gap, ...onCorner] };
      return ask(nodesInFields, [{ solid: cube, pose: [0, 0, 0, 0, 0, 0, 1] }, b]).counts.tested;
    };
    for (const x of [-0.4, 0, 0.3])
      for (const y of [-0.2, 0.4]) {
        expect(testedAt(-0.05, x, y)).toBeGreaterThan(0);
        expect(testedAt(0.05, x, y)).toBe(0);
      }
  });
});

describeWithData('nodes of read rocks', () => {
  it.each(['curiosity_rock1.obj', 'offroad_rock4.obj', 'pcm_torus.obj'])('%s', async (file) => {
    const mesh = await readMesh(dataPath(`good/${file}`));
    const { min, max } = mesh.box;
    const size = Math.hypot(...[0, 1, 2].map((k) => max[k]! - min[k]!));
    const solid = await makePolyhedron(mesh, { nodeSpacing: size / 9 });
    const place = (far: number) => {
      const { pose } = placed(solid, far);
      const turn = pose.slice(3);
      const middle = vec3d.transformQuat(
        [0, 1, 2].map((k) => (min[k]! + max[k]!) / 2) as Vector,
        turn as never,
      );
      return { solid, pose: [...[0, 1, 2].map((k) => pose[k]! - middle[k]!), ...turn] };
    };
    expect(expectBrute(place(0), place(0.25 * size), size)).toBeGreaterThan(10);
  });
});

import { describe, expect, it } from 'vitest';
import { quatd } from 'wgpu-matrix';
import { ContactKind } from '../../../src/contacts/list/contact-arrays.ts';
import { BodyStatus, drift, kickBody } from '../../../src/dem/motion/motion.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { boxMesh } from '../../../src/validate/scenes.ts';
import { useDevice } from '../../support/device.ts';
import { ForceBench, ROOM } from './force-bench.ts';
import { softer } from './scenes.ts';

const device = useDevice();

/** Bodies on a lattice that is too narrow for them, so that they overlap a little, all in motion, after two walls. */
function heap(shapes: number[], count: number, spacing: number, seed: number, height = 0) {
  const random = createRandom(seed);
  const walls = 2;
  const poses = new Float64Array(7 * (walls + count));
  const list = new Uint32Array(walls + count);
  // A floor, and a plane that leans on the heap from the side.
  list[1] = 1;
  poses[6] = 1;
  poses.set([0.3, 0, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2], 7);
  for (let n = 0; n < count; n++) {
    list[walls + n] = shapes[n % shapes.length]!;
    const place = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)];
    const axis = [random() - 0.5, random() - 0.5, random() - 0.5];
    const turn = quatd.fromAxisAngle(
      axis.map((x) => x / Math.hypot(...axis)),
      6 * random(),
    );
    const position = place.map((x, k) => spacing * (x + 0.5) + (k === 2 ? height : 0));
    poses.set([...position, ...turn], 7 * (walls + n));
  }
  const speeds = () => Float64Array.from({ length: 3 * (walls + count) }, () => 2 * (random() - 0.5));
  return { shapes: list, poses, velocities: speeds(), angularVelocities: speeds() };
}

const material = { density: 1, youngsModulus: 1e4 };
const sticky = { cohesion: 3, rollingFriction: 0.1, torsionalFriction: 0.05, restitution: 0.3 };
const plane = { kind: 'plane' } as const;
const ball = { kind: 'sphere', radius: 1 } as const;

const scenes: Record<string, { scene: () => SimulationScene; kinds: number[] }> = {
  'balls and rocks between a plane and a moving box, with a law of their own for some': {
    scene: () => ({
      shapes: [
        { kind: 'polyhedron', mesh: boxMesh(9, 9, 1) },
        plane,
        ball,
        { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 40, convex: false }) },
      ],
      materials: [
        { ...material, ...sticky },
        { ...material, youngsModulus: 3e4 },
      ],
      pairs: [{ materials: [0, 1], law: softer }],
      bodies: {
        ...heap([2, 3], 11, 1.65, 3, 0.95),
        // A ball and a rock of each.
        materials: Uint32Array.from({ length: 13 }, (_, body) => (body >> 1) & 1),
        motions: new Map([[0, { velocity: [0.3, 0, 0.2], angularVelocity: [0, 0.1, 0.2] }]]),
      },
    }),
    kinds: [ContactKind.node, ContactKind.edge, ContactKind.patch, ContactKind.plane],
  },
  'convex bodies of two materials, some of several parts, between two planes': {
    scene: () => {
      const random = createRandom(5);
      const vertices = Array.from({ length: 60 }, () => (2 * random() - 1) / 1.5);
      const bodies = heap([2, 3, 4, 5, 6], 20, 1.55, 2);
      return {
        shapes: [
          ...[plane, plane, ball, { kind: 'box', halfExtents: [0.9, 0.8, 0.85] }],
          { kind: 'polytope', vertices, margin: 0.02 },
          { kind: 'capsule', radius: 0.5, halfLength: 0.6 },
          // Its pairs meet in several groups.
          {
            kind: 'parts',
            parts: [
              { shape: { kind: 'box', halfExtents: [0.8, 0.5, 0.5] }, position: [0.3, 0, 0] },
              { shape: ball, position: [-0.3, 0, 0.1] },
            ],
          },
        ] as SimulationScene['shapes'],
        materials: [
          { ...material, friction: 0.1 },
          { ...material, ...sticky, youngsModulus: 3e4, friction: 0.8, density: 2 },
        ],
        pairs: [{ materials: [0, 1], cohesion: 2 }],
        bodies: { ...bodies, materials: bodies.shapes.map((_, body) => body % 2) },
      };
    },
    kinds: [ContactKind.convex, ContactKind.plane],
  },
};

/** What kernels may be off by, in parts of the amounts they add up: docs/dem.md, "Forces on the GPU". */
const ROUNDING = 512 * 2 ** -23;
const allPresent = (count: number) => new Uint8Array(count).fill(BodyStatus.present);
const STEPS = 5;
const TIME = 2 ** -8;

describe.each(Object.entries(scenes))('forces on the GPU: %s', (_, { scene, kinds }) => {
  it('are those of float64, step after step', async () => {
    const bench = await ForceBench.create(device(), scene());
    const { state, inertia, count } = bench.model;
    const zeros = () => new Float64Array(3 * count);
    const allowed = { forces: zeros(), torques: zeros(), energy: 0, power: 0 };
    const met = new Set<number>();
    let worst = 0;
    const compare = (found: number, wanted: number, scale: number) => {
      const error = Math.abs(found - wanted);
      expect(error).not.toBeNaN();
      if (error > 0) worst = Math.max(worst, error / scale);
    };
    for (let step = 0; step < STEPS; step++) {
      const time = step === 0 ? 0 : TIME;
      drift(state, inertia, time, allPresent(count));
      bench.round();
      await bench.detect();
      for (const kind of bench.contacts!.kinds) met.add(kind);
      const scales = bench.scales(time);
      const [found, wanted] = [await bench.onDevice(time), await bench.onHost(time)];
      // What contacts remember keeps the errors of all steps so far.
      allowed.energy += scales.energy;
      allowed.power += scales.power;
      for (const what of ['forces', 'torques'] as const) {
        for (let k = 0; k < 3 * count; k++) {
          allowed[what][k]! += scales[what][Math.floor(k / 3)]!;
          compare(found.loads[what][k]!, wanted.loads[what][k]!, allowed[what][k]!);
        }
      }
      for (const what of ['elastic', 'tangential', 'rolled'] as const)
        compare(found.sums[what], wanted.sums[what], allowed.energy);
      for (const what of ['dashpots', 'friction', 'rolling'] as const)
        compare(found.sums[what], wanted.sums[what], allowed.power);
      const { largestFrequency, deepest, contacts } = wanted.sums;
      compare(found.sums.largestFrequency, largestFrequency, largestFrequency);
      expect(found.sums).toMatchObject({ deepest, contacts });
      for (let body = 0; body < count; body++)
        kickBody(state, wanted.loads, body, time * inertia.inverseMasses[body]!, time);
    }
    bench.destroy();
    expect([...met].sort()).toEqual(kinds);
    expect(worst).toBeLessThan(ROUNDING);
  });

  it('are the same bytes again, also where steps are given up, lists grow, and another one goes on', async () => {
    const one = await ForceBench.create(device(), scene());
    let other = await ForceBench.create(device(), scene());
    const { state, inertia, count } = one.model;
    for (let step = 0; step < 4; step++) {
      drift(state, inertia, TIME, allPresent(count));
      one.round();
      await one.detect();
      other.takeFrom(one);
      await other.onDevice(TIME, false);
      if (step === 0) {
        await other.forces.grow({ contacts: 2 * ROOM, rows: 2 * ROOM, touching: 2 * ROOM });
        // Room that there is stays.
        await other.forces.grow({ contacts: 1, rows: 1, touching: 1 });
      }
      expect(await other.onDevice(TIME)).toEqual(await one.onDevice(TIME));
      if (step !== 1) continue;
      const stored = await one.stored();
      expect(stored).toEqual(await other.stored());
      expect(stored.contactKeys).toHaveLength(4 * one.contacts!.count);
      other.destroy();
      other = await ForceBench.create(device(), scene());
      await other.restored(stored);
    }
    one.destroy();
    other.destroy();
  });
});

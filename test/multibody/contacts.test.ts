import { createRequire } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { impactFactor } from '../../src/dem/materials/damping.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { MOST_DAMPING } from '../../src/multibody/constants.ts';
import { collisionModel } from '../../src/multibody/contacts/collision-model.ts';
import { ContactLoads } from '../../src/multibody/contacts/contact-loads.ts';
import { NearPairs } from '../../src/multibody/contacts/near-pairs.ts';
import { PairGeometry } from '../../src/multibody/contacts/pair-geometry.ts';
import { PairSelection } from '../../src/multibody/contacts/select-pairs.ts';
import { bodyPoses } from '../../src/multibody/equations/body-poses.ts';
import { mechanismOf } from '../../src/multibody/equations/mechanism.ts';
import { ContactWatch, type Event } from '../../src/multibody/events/contact-watch.ts';
import { Multibody } from '../../src/multibody/multibody.ts';
import type { MultibodyScene } from '../../src/multibody/scene/multibody-scene.ts';

type Shape = MultibodyScene['shapes'][number];
interface Body {
  readonly shape: number;
  readonly position?: readonly [number, number, number];
  readonly velocity?: readonly [number, number, number];
  readonly isStatic?: boolean;
}

const STEEL = { density: 7800, youngsModulus: 2e9, poissonRatio: 0.3, restitution: 1, friction: 0 } as const;
const RADIUS = 0.05;
const BALL: Shape = { kind: 'sphere', radius: RADIUS };
const PLANE: Shape = { kind: 'plane' };
const tight = { relativeTolerance: 1e-10 };
const still = { gravity: [0, 0, 0] } as const;
/** Shares of momenta and energies of size 1: some hundred steps of 1e-10. */
const MANY_STEPS = 1e-7;
/** Of energies at a tolerance of 1e-6, a hundred steps. */
const USUAL_STEPS = 1e-4;

function sceneOf(
  shapes: readonly Shape[],
  bodies: readonly Body[],
  more: Partial<MultibodyScene> = {},
): MultibodyScene {
  const zero = [0, 0, 0] as const;
  return {
    ...{ shapes, materials: [STEEL], ...more },
    bodies: {
      shapes: Uint32Array.from(bodies, ({ shape }) => shape),
      poses: Float64Array.from(bodies.flatMap(({ position = zero }) => [...position, 0, 0, 0, 1])),
      velocities: Float64Array.from(bodies.flatMap(({ velocity = zero }) => [...velocity])),
      isStatic: Uint8Array.from(bodies, ({ isStatic }) => (isStatic ? 1 : 0)),
    },
  };
}

describe('which pairs are watched', () => {
  it('table 1 of Neumayr and Otter 2017: 8 and 2 leave, 12 and 4 enter, three negative before and after', () => {
    const selection = new PairSelection(6);
    const before = new Map([
      ...([
        [10, -0.09],
        [5, -0.003],
        [3, -0.001],
        [7, 0.02],
        [8, 0.3],
        [2, 0.4],
      ] as const),
      ...([
        [12, 0.6],
        [4, 0.7],
      ] as const),
    ]);
    const after = new Map([
      ...([
        [10, -0.08],
        [5, -0.015],
        [3, -0.002],
        [7, 0.04],
        [8, 0.55],
        [2, 0.53],
      ] as const),
      ...([
        [12, 0.4],
        [4, 0.5],
      ] as const),
    ]);
    const listed = (map: ReadonlyMap<number, number>) =>
      [...map].map(([pair, distance]) => ({ pair, distance }));
    const values = (map: ReadonlyMap<number, number>) => {
      const out = new Float64Array(8);
      selection.getDistances((pair) => map.get(pair)!, out, 9);
      return Array.from(out);
    };
    expect(selection.selectContactPairs(listed(before))).toBe(3);
    expect(selection.selected).toEqual([10, 5, 3, 7, 8, 2]);
    expect(values(before)).toEqual([-0.09, -0.003, -0.001, 0.02, 0.3, 0.4, 9, 9]);
    // Within the step the selection stays.
    expect(values(after)).toEqual([-0.08, -0.015, -0.002, 0.04, 0.55, 0.53, 9, 9]);
    expect(selection.selectContactPairs(listed(after))).toBe(3);
    expect(selection.selected).toEqual([10, 5, 3, 7, 12, 4]);
    expect(values(after)).toEqual([-0.08, -0.015, -0.002, 0.04, 0.4, 0.5, 9, 9]);
  });

  it('keeps both of two pairs at equal distance, in the order of pairs', () => {
    const selection = new PairSelection(2);
    selection.selectContactPairs([2, 0, 1].map((pair) => ({ pair, distance: 0.5 })));
    expect(selection.selected).toEqual([0, 1]);
  });

  it('are those of all bodies whose distance is within the margin, less what joints keep apart', () => {
    const bodies = Array.from(
      { length: 60 },
      (_, i): Body => ({
        shape: 0,
        position: [Math.sin(i * 1.7), Math.sin(i * 2.9 + 1), Math.sin(i * 4.3 + 2)],
      }),
    );
    const joints = [{ kind: 'spherical', a: 3, b: 4, point: [0, 0, 0], pointA: undefined }] as const;
    const scene = sceneOf([{ kind: 'sphere', radius: 0.2 }], bodies, { joints });
    const names = bodies.map((_, i) => `body ${i}`);
    const model = collisionModel(scene, mechanismOf(scene, names, ['joint']), names)!;
    const near = new NearPairs(model);
    const poses = Float64Array.from(scene.bodies.poses);
    const way = 0.05;
    expect(near.update(poses, way)).toBe(true);
    const found = new Set<string>();
    for (let i = 0; i < near.pairs.length; i += 2) found.add(`${near.pairs[i]} ${near.pairs[i + 1]}`);
    expect(found.size).toBe(near.pairs.length / 2);
    let close = 0;
    for (let a = 0; a < 60; a++)
      for (let b = a + 1; b < 60; b++) {
        const distance = Math.hypot(...[0, 1, 2].map((k) => poses[7 * a + k]! - poses[7 * b + k]!)) - 0.4;
        if (distance > 2 * way) continue;
        close++;
        expect(found.has(`${a} ${b}`), `${a} ${b}`).toBe(a !== 3 || b !== 4);
      }
    expect(close).toBeGreaterThan(20);
    // The list serves until something has moved by half of the margin.
    poses[0]! += 0.01;
    expect(near.update(poses, 0)).toBe(false);
    poses[0]! += 1;
    expect(near.update(poses, 0)).toBe(true);
  });
});

it('factors of impacts give the restitution that is asked for, and printed ones another', () => {
  for (const [e, factor] of [
    [0.2, 4.919167],
    [0.3, 3.087082],
    [0.5, 1.432751],
    [0.7, 0.634828],
    [0.8, 0.373146],
    [0.9, 0.166482],
  ] as const)
    expect(Math.abs(impactFactor(e) - factor)).toBeLessThan(1e-6);
  expect(impactFactor(1)).toBe(0);
  // Close to 1 it is 3/2 (1 - e) to first order.
  expect(impactFactor(1 - 1e-7) / 1.5e-7).toBeCloseTo(1, 5);
  // 8 (1 - e) / (5 e), as printed, gives these.
  for (const [e, got] of [
    [0.3, 0.256208],
    [0.5, 0.470445],
    [0.8, 0.788539],
  ] as const)
    expect(Math.abs(impactFactor(got) / ((8 * (1 - e)) / (5 * e)) - 1)).toBeLessThan(1e-5);
});

it('balls that touch in a row pass momentum on as their equations say', async () => {
  const [count, speed] = [4, 1];
  const bodies = Array.from(
    { length: count },
    (_, i): Body => ({
      ...{ shape: 0, position: [i === 0 ? -0.01 : 2 * RADIUS * i, 0, 0] },
      velocity: [i === 0 ? speed : 0, 0, 0],
    }),
  );
  const system = await Multibody.create(sceneOf([BALL], bodies, still), tight);
  await system.advance(0.02);
  const found = [...(await system.read('velocities'))].filter((_, i) => i % 3 === 0);
  const modulus = STEEL.youngsModulus / (2 * (1 - STEEL.poissonRatio ** 2));
  const stiffness = (4 / 3) * modulus * Math.sqrt(RADIUS / 2);
  const mass = (STEEL.density * 4 * Math.PI * RADIUS ** 3) / 3;
  const { Solver } = createRequire(import.meta.url)('odex');
  const solver = new Solver(2 * count);
  solver.absoluteTolerance = 1e-12;
  solver.relativeTolerance = 1e-12;
  const start = bodies.flatMap(({ position }) => position![0]).concat(bodies.map((b) => b.velocity![0]));
  const { y } = solver.solve(
    (_: number, state: number[]) => {
      const out = [...state.slice(count), ...new Array<number>(count).fill(0)];
      for (let i = 0; i + 1 < count; i++) {
        const depth = Math.max(0, 2 * RADIUS - (state[i + 1]! - state[i]!));
        const approach = state[count + i]! - state[count + i + 1]!;
        // Contacts that begin slowly are damped as far as any are.
        const share = Math.max(0, 1 + (i === 0 ? 0 : MOST_DAMPING) * approach);
        out[count + i]! -= (stiffness * depth ** 1.5 * share) / mass;
        out[count + i + 1]! += (stiffness * depth ** 1.5 * share) / mass;
      }
      return out;
    },
    ...[0, start, 0.02],
  );
  found.forEach((v, i) => {
    expect(Math.abs(v - y[count + i]!)).toBeLessThan(1e-6);
  });
  // Slow contacts do not rebound: what touches goes on together.
  expect(found[count - 1]!).toBeLessThan(0.9);
});

it('a ball meets a bar on a hinge: energy, and angular momentum about the hinge, stay', async () => {
  const bar: Shape = { kind: 'box', halfExtents: [0.5, 0.05, 0.05] };
  const scene = sceneOf(
    [BALL, bar],
    [
      { shape: 1, position: [0.5, 0, 0] },
      { shape: 0, position: [0.8, 0, 0.2], velocity: [0, 0, -2] },
    ],
    { ...still, joints: [{ kind: 'revolute', a: 'world', b: 0, point: [-0.5, 0, 0], axis: [0, 1, 0] }] },
  );
  const system = await Multibody.create(scene, tight);
  const before = system.monitors;
  await system.advance(0.08);
  const after = system.monitors;
  expect(Array.from(system.events.kinds)).toEqual([1, 0]);
  expect(Array.from(system.events.bodies)).toEqual([0, 1, 0, 1]);
  expect(Math.abs(after.balance / before.balance - 1)).toBeLessThan(MANY_STEPS);
  expect(Math.abs(after.angularMomentum[1]! / before.angularMomentum[1]! - 1)).toBeLessThan(MANY_STEPS);
  expect((await system.read('rates'))[0]!).toBeGreaterThan(0.1);
});

it('boxes and rounded boxes fall on a plane, come to rest, and are carried by contacts', async () => {
  const shapes: Shape[] = [
    { kind: 'box', halfExtents: [0.1, 0.07, 0.05] },
    { kind: 'round-box', halfExtents: [0.1, 0.07, 0.05], radius: 0.02 },
  ];
  for (const shape of shapes) {
    const scene = sceneOf([shape, PLANE], [{ shape: 0, position: [0, 0, 0.2] }, { shape: 1 }], {
      materials: [{ ...STEEL, youngsModulus: 1e8, restitution: 0.3, friction: 0.5 }],
    });
    const turned = { ...scene.bodies, angularVelocities: Float64Array.of(3, 2, 1, 0, 0, 0) };
    const system = await Multibody.create({ ...scene, bodies: turned });
    const { balance } = system.monitors;
    await system.advance(1.5);
    const after = system.monitors;
    expect(after.kinetic).toBeLessThan(1e-9 * after.dashpots);
    expect(Math.abs(after.balance - balance) / after.dashpots).toBeLessThan(USUAL_STEPS);
    const { count, forces, bodies } = await system.contactForces();
    expect(count).toBe(1);
    expect(Array.from(bodies)).toEqual([0, 1]);
    const [mass] = await system.read('masses');
    // On the plane: the weight.
    expect(Math.abs(forces[2]! / (-9.81 * mass!) - 1)).toBeLessThan(1e-6);
    const contacts = await system.contacts();
    expect(contacts.count).toBe(3);
    expect(Math.max(...contacts.distances)).toBeLessThan(0);
  }
});

it('faces of two bodies: what stands, lies and falls on an edge comes to rest on a box, and energy stays', async () => {
  const shapes: Shape[] = [
    { kind: 'box', halfExtents: [1, 1, 0.1] },
    { kind: 'box', halfExtents: [0.05, 0.05, 0.08] },
    { kind: 'cylinder', radius: 0.05, halfHeight: 0.08 },
  ];
  const scene = sceneOf(
    shapes,
    [
      { shape: 0, position: [0, 0, -0.1], isStatic: true },
      { shape: 1, position: [0.3, 0, 0.12] },
      { shape: 2, position: [0, 0, 0.0801] },
      { shape: 1, position: [0.01, 0.005, 0.25] },
    ],
    { materials: [{ ...STEEL, restitution: 0.3, friction: 0.5, rollingFriction: 0.01 }] },
  );
  const tipped = [0, 0, 0, 1, 0, Math.sin(0.3), 0, Math.cos(0.3)];
  scene.bodies.poses.set(tipped.slice(4), 10);
  const system = await Multibody.create(scene);
  const { balance } = system.monitors;
  await system.advance(1);
  const after = system.monitors;
  expect(after.kinetic).toBeLessThan(1e-9 * after.dashpots);
  expect(Math.abs(after.balance - balance) / after.dashpots).toBeLessThan(USUAL_STEPS);
  const { forces, bodies } = await system.contactForces();
  let carried = 0;
  forces.forEach((force, i) => {
    if (i % 3 === 2 && bodies[2 * Math.floor(i / 3)] === 0) carried += force;
  });
  const masses = await system.read('masses');
  const weight = 9.81 * (masses[1]! + masses[2]! + masses[3]!);
  expect(Math.abs(carried / weight - 1)).toBeLessThan(1e-6);
});

it('two boxes part as their restitution says, and energy stays where a ball touches beside faces', async () => {
  const cube: Shape = { kind: 'box', halfExtents: [0.1, 0.1, 0.1] };
  const bodies = [
    { shape: 0, position: [0, 0, 0], isStatic: true },
    { shape: 0, position: [0, 0, 0.21], velocity: [0, 0, -1] },
    { shape: 1, position: [0.05, 0, 0.3703], velocity: [0, 0, -2] },
  ] as const;
  const materials = [{ ...STEEL, restitution: 0.5 }];
  const flat = await Multibody.create(sceneOf([cube], bodies.slice(0, 2), { ...still, materials }), {
    relativeTolerance: 1e-8,
  });
  await flat.advance(0.012);
  const { speeds, kinds } = flat.events;
  expect(Array.from(kinds)).toEqual([1, 0]);
  expect(Math.abs(speeds[1]! / speeds[0]! - 0.5)).toBeLessThan(1e-6);
  // The ball meets the cube while that lies on the other one.
  const system = await Multibody.create(sceneOf([cube, BALL], bodies, still), { relativeTolerance: 1e-8 });
  const before = system.monitors.balance;
  await system.advance(0.0107);
  expect(Array.from((await system.contacts()).bodies)).toEqual([0, 1, 0, 1, 0, 1, 1, 2]);
  await system.advance(0.003);
  expect(system.events.count).toBeGreaterThan(3);
  expect(Math.abs(system.monitors.balance / before - 1)).toBeLessThan(1e-6);
});

it('a thin plate lets no fast ball through, however long a step is', async () => {
  const plate: Shape = { kind: 'box', halfExtents: [1, 1, 1e-3] };
  const scene = sceneOf(
    [{ kind: 'sphere', radius: 1e-3 }, plate],
    [
      { shape: 0, position: [0.1, 0.2, 0.9], velocity: [0, 0, -300] },
      { shape: 1, isStatic: true },
    ],
    { ...still, materials: [{ ...STEEL, youngsModulus: 2e12 }] },
  );
  const system = await Multibody.create(scene, { relativeTolerance: 1e-7 });
  await system.advance(0.02);
  expect(system.events.count).toBe(2);
  expect(system.statistics.steps).toBeLessThan(1000);
  expect(system.statistics.rootEvaluations).toBeGreaterThan(system.statistics.steps);
  expect((await system.read('velocities'))[2]!).toBeGreaterThan(290);
});

it('balls that fall side by side, with no gap, meet nothing', async () => {
  const balls = [0, 2 * RADIUS].map((x): Body => ({ shape: 0, position: [x, 0, 1] }));
  const system = await Multibody.create(sceneOf([BALL], balls));
  await system.advance(1);
  expect(system.events.count).toBe(0);
  const poses = await system.read('poses');
  expect(Math.abs(poses[2]! - (1 - 9.81 / 2))).toBeLessThan(1e-4);
});

it('balls that swing side by side on pendulums, with no gap, meet nothing, as few looks show', async () => {
  const balls = [0, 1, 2].map((i): Body => ({ shape: 0, position: [0.5, 2 * RADIUS * i, 0] }));
  const joints = balls.map((_, b) => ({
    ...({ kind: 'revolute', a: 'world', point: [-0.5, 0, 0], axis: [0, 1, 0] } as const),
    b,
  }));
  const system = await Multibody.create(sceneOf([BALL], balls, { joints }));
  const looks = vi.spyOn(PairGeometry.prototype, 'gapAlong');
  await system.advance(0.5);
  expect(system.events.count).toBe(0);
  // Two places of each of two pairs, each along both normals: a bound that forgets what both have in common halves on.
  expect(looks.mock.calls.length).toBeLessThan(16 * system.statistics.steps);
  looks.mockRestore();
});

it('a long step hides no meeting of rotors, though places of it that are whole turns apart look alike', () => {
  // Two balls go around on circles, twice and once per 2 pi; the first one also rises through the other's plane.
  const [span, rise] = [10 * Math.PI, 0.01];
  const height = -rise * 5 * Math.PI;
  const scene = sceneOf(
    [{ kind: 'sphere', radius: 0.02 }],
    [
      { shape: 0, position: [0.25, 0, height] },
      { shape: 0, position: [2.25, 0, 0] },
    ],
    {
      joints: [
        { kind: 'cylindrical', a: 'world', b: 0, point: [-0.25, 0, 0], axis: [0, 0, 1] },
        { kind: 'revolute', a: 'world', b: 1, point: [-1, 0, 0], axis: [0, 0, 1] },
      ],
    },
  );
  const names = ['body 0', 'body 1'];
  const mechanism = mechanismOf(scene, names, ['screw', 'rotor']);
  const model = collisionModel(scene, mechanism, names)!;
  const { tree, coordinates, rates } = mechanism;
  const geometry = new PairGeometry(model, mechanism);
  const watch = new ContactWatch(model, geometry, new ContactLoads(model, geometry, tree, 1), tree, 100);
  const speeds = [2, rise, 1];
  const placeAt = (time: number) => {
    const y = Float64Array.from([...tree.zero(), ...new Float64Array(tree.rates)]);
    coordinates.forEach(({ index, sign }, i) => {
      y[index] = sign * speeds[i]! * time;
    });
    rates.forEach(({ index, sign }, i) => {
      y[tree.coordinates + index] = sign * speeds[i]!;
    });
    tree.forward(y, new Float64Array(y.length));
  };
  let [at, looks] = [0, 0];
  let event: Event | undefined;
  while (event === undefined && at < span && looks++ < 100)
    ({ until: at, event } = watch.first(at, span, placeAt, () => bodyPoses(mechanism, model.bodies)));
  // Where the first one is in the plane of the other one, both are at 0.25, 0.
  expect(Math.abs(event!.time - 5 * Math.PI)).toBeLessThan(0.04);
});

it('contacts of a start begin at the speed that joints give', async () => {
  const slide = {
    kind: 'prismatic',
    ...({ a: 'world', b: 0, axis: [0, 0, 1], canCollide: true } as const),
    drive: { velocity: [0, 0, -2] },
  } as const;
  const bodies = [{ shape: 0, position: [0, 0, RADIUS - 1e-4] }, { shape: 1 }] as const;
  const system = await Multibody.create(sceneOf([BALL, PLANE], bodies, { joints: [slide] }));
  expect(Array.from(system.events.kinds)).toEqual([1]);
  expect(system.events.speeds[0]!).toBeCloseTo(2, 12);
});

describe('runs', () => {
  const row = (count: number): MultibodyScene =>
    sceneOf(
      [BALL, PLANE],
      [
        ...Array.from(
          { length: count },
          (_, i): Body => ({
            ...{ shape: 0, position: [i * 0.11, 0.003 * i, RADIUS + 0.02 * (i + 1)] },
            velocity: [i === 0 ? 2 : 0, 0, 0],
          }),
        ),
        { shape: 1 },
      ],
      { materials: [{ ...STEEL, restitution: 0.6, friction: 0.3 }] },
    );

  it('give the same bytes, stopped or not, however many pairs are watched', async () => {
    const [whole, parts, few] = await Promise.all([
      Multibody.create(row(3)),
      Multibody.create(row(3)),
      Multibody.create(row(3), { crossings: 1 }),
    ]);
    await whole.advance(0.3);
    await few.advance(0.3);
    let stops = 0;
    while (parts.time < 0.3) {
      const controller = new AbortController();
      const onProgress = () => controller.abort();
      const isLast = stops >= 40;
      const share = Math.min(0.3 - parts.time, isLast ? 1 : 0.02);
      await parts.advance(share, isLast ? {} : { signal: controller.signal, onProgress }).catch((error) => {
        expect(String(error)).toMatch(/abort/i);
      });
      stops++;
    }
    expect(whole.events.count).toBeGreaterThan(5);
    expect(Array.from(whole.events.times)).toEqual(Array.from(whole.events.times).sort((a, b) => a - b));
    for (const other of [parts, few]) {
      expect(other.events.times.slice(0, 4)).toEqual(whole.events.times.slice(0, 4));
      expect(other.events.kinds).toEqual(whole.events.kinds);
    }
    expect(await few.read('poses')).toEqual(await whole.read('poses'));
  });

  it('end where more pairs touch than may be watched, and say how many it takes', async () => {
    const system = await Multibody.create(row(3), { crossings: { most: 1 } });
    await expect(system.advance(0.3)).rejects.toThrow(/crossings\.most is 1, expected [23] or more/);
    // The step that could not be looked through is not taken for one that was.
    await expect(system.advance(1e-6)).rejects.toThrow(/crossings\.most is 1, expected [23] or more/);
  });
});

it('steps that get too short name the time, and the pair that met last', async () => {
  const materials = [{ ...STEEL, youngsModulus: 1e30 }];
  const bodies = [{ shape: 0, position: [0, 0, RADIUS + 0.01], velocity: [0, 0, -1] }, { shape: 1 }] as const;
  const system = await Multibody.create(sceneOf([BALL, PLANE], bodies, { ...still, materials }));
  await expect(system.advance(0.1)).rejects.toThrow(
    /too short at time 0\.01\d*, found the largest error in .* during the contact of body 0 and body 1:/,
  );
});

describe('bad input is one line', () => {
  const polyhedron: Shape = { kind: 'polyhedron', mesh: unitSphere(1) };
  const refused: (readonly [string, () => MultibodyScene, object, RegExp])[] = [
    [
      'a polyhedron',
      () => sceneOf([polyhedron, PLANE], [{ shape: 0, position: [0, 0, 2] }, { shape: 1 }]),
      {},
      /body 0 is a polyhedron, expected convex shapes, parts, or an empty mask/,
    ],
    [
      'a shape without volume',
      () => sceneOf([BALL, { kind: 'rectangle', halfExtents: [1, 1] }], [{ shape: 0 }, { shape: 1 }]),
      {},
      /shapes\[1\]: a shape without volume found/,
    ],
    [
      'overlap at first',
      () => sceneOf([BALL, PLANE], [{ shape: 0, position: [0, 0, 0.03] }, { shape: 1 }]),
      {},
      /body 0 and body 1 overlap by 0\.02\d* at first, expected at most 0\.0125, a quarter/,
    ],
    [
      'two boxes in one place, whose faces have no force',
      () => sceneOf([{ kind: 'box', halfExtents: [0.1, 0.1, 0.1] }], [{ shape: 0 }, { shape: 0 }]),
      {},
      /body 0 and body 1 overlap by 0\.2\d* at first, expected at most 0\.031/,
    ],
    [
      'cohesion',
      () => sceneOf([BALL, PLANE], [{ shape: 0 }, { shape: 1 }], { materials: [{ ...STEEL, cohesion: 1 }] }),
      {},
      /materials\[0\]\.cohesion is 1, expected 0/,
    ],
    [
      'groups as an array',
      () => {
        const scene = sceneOf([BALL, PLANE], [{ shape: 0 }, { shape: 1 }]);
        return { ...scene, bodies: { ...scene.bodies, groups: [1, 2] as never } };
      },
      {},
      /bodies\.groups: found an array of length 2, expected a Uint32Array of bits per body/,
    ],
    [
      'functions',
      () => sceneOf([BALL], [{ shape: 0 }]),
      { crossings: 0 },
      /crossings is 0, expected a whole number above 0/,
    ],
    [
      'functions as a list',
      () => sceneOf([BALL], [{ shape: 0 }]),
      { crossings: [5] },
      /crossings is an array of length 1, expected a whole number above 0/,
    ],
    [
      'an unknown field of functions',
      () => sceneOf([BALL], [{ shape: 0 }]),
      { crossings: { most: 1, least: 2 } },
      /crossings: unknown field "least", expected most/,
    ],
    [
      'a reduction',
      () => sceneOf([BALL], [{ shape: 0 }]),
      { reduction: 0 },
      /reduction is 0, expected a number above 0, up to 1/,
    ],
    [
      'a field of a shape',
      () => sceneOf([{ kind: 'cylinder', radius: 1, halfLength: 1 } as never], [{ shape: 0 }]),
      {},
      /shapes\[0\].*halfLength/,
    ],
  ];
  it.each(refused)('%s', async (_, scene, options, message) => {
    const error = await Multibody.create(scene(), options).then(
      () => undefined,
      (found: Error) => found,
    );
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
    expect(error).toMatchObject({ exitCode: 2 });
  });
});

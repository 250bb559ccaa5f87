import { expect, it } from 'vitest';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';
import { heapOf } from '../heap.ts';
import { packing, SHAPES } from '../packing.ts';

const BY_IMPULSES = { response: 'impulses', threads: 1 } as const;

/** Rocks, hulls, balls and boxes that fall on each other, on a belt that turns away from a wall. */
function heap(): SimulationScene {
  const count = 12;
  const { shapes, bodies } = heapOf([...SHAPES, { kind: 'box', halfExtents: [0.8, 0.7, 0.6] }], count);
  return {
    shapes,
    materials: [
      { density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1, torsionalFriction: 0.1 },
    ],
    bodies: { ...bodies, motions: new Map([[count, { surfaceVelocity: [0.5, 0, 0] }]]) },
  };
}

it('a resumed run, and one on more threads, has the same bytes; other responses are refused', async () => {
  const whole = await Simulation.create(undefined, heap(), BY_IMPULSES);
  const other = await Simulation.create(undefined, heap(), { ...BY_IMPULSES, threads: 8 });
  expect(whole.response).toBe('impulses');
  await whole.step(60);
  await other.step(60);
  const saved = await other.checkpoint();
  const resumed = await Simulation.resume(undefined, heap(), saved, { threads: 2 });
  expect(resumed.monitors).toEqual(whole.monitors);
  expect(await resumed.contactForces()).toEqual(await whole.contactForces());
  await whole.step(40);
  await resumed.step(40);
  expect(resumed.monitors.contacts).toBeGreaterThan(20);
  expect(Buffer.from(await resumed.checkpoint()).equals(Buffer.from(await whole.checkpoint()))).toBe(true);
  // Work of the belt, friction and rolling are in the balance.
  const { balance, kinetic, friction, rolling, driven, dashpots } = whole.monitors;
  expect(Math.min(kinetic, friction, rolling, Math.abs(driven), dashpots)).toBeGreaterThan(1);
  expect(Math.abs(balance)).toBeLessThan(1e-5 * dashpots);
  await expect(Simulation.resume(undefined, heap(), saved, { response: 'forces' })).rejects.toThrow(
    'checkpoint: of a simulation by impulses, found "forces", expected the same',
  );
  await expect(Simulation.resume(undefined, heap(), saved, { substeps: 5 })).rejects.toThrow(
    'checkpoint: of a simulation with 4 substeps, found 5',
  );
  for (const one of [whole, other, resumed]) one.destroy();
});

it('momentum stays, and so does energy but for what impacts and friction take, in a space that repeats', async () => {
  const simulation = await Simulation.create(undefined, packing(), { ...BY_IMPULSES, timeStep: 0.01 });
  const size = () => simulation.monitors.kinetic;
  const at = simulation.monitors.momentum;
  const first = size();
  await simulation.step(50);
  const { momentum, contacts, balance, pushed, dashpots, friction, rolling } = simulation.monitors;
  expect(contacts).toBeGreaterThan(0);
  expect(dashpots + friction + rolling).toBeGreaterThan(0.3 * first);
  // The sum of all amounts of momentum is about the root of 2 m E.
  const scale = Math.sqrt(2 * 27 * 3000 * first);
  for (let k = 0; k < 3; k++) expect(Math.abs(momentum[k]! - at[k]!)).toBeLessThan(1e-12 * scale);
  expect(Math.abs(balance - first)).toBeLessThan(1e-3 * first);
  expect(Math.abs(pushed)).toBeLessThan(0.1 * first);
  simulation.destroy();
});

it('angular momentum stays, and one impact has the impulse of its formula', async () => {
  // A ball hits a box off its centre: J = (1 + e) u / (1 / m_a + 1 / m_b + (r x n) . I^-1 (r x n)).
  const [e, u] = [0.6, 0.4];
  const simulation = await Simulation.create(
    undefined,
    {
      shapes: [
        { kind: 'sphere', radius: 0.5 },
        { kind: 'box', halfExtents: [1, 0.4, 0.5] },
      ],
      materials: [{ density: 3, youngsModulus: 1e6, restitution: e, friction: 0 }],
      bodies: {
        shapes: Uint32Array.of(0, 1),
        poses: Float64Array.of(-0.7, -0.901, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
        velocities: Float64Array.of(0, u, 0, 0, 0, 0),
      },
      gravity: [0, 0, 0],
    },
    { ...BY_IMPULSES, timeStep: 0.004 },
  );
  const before = simulation.monitors;
  await simulation.step(8);
  const { momentum, angularMomentum, pushed } = simulation.monitors;
  const [massA, massB] = [(3 * 4 * Math.PI * 0.125) / 3, 3 * 8 * 0.2];
  // The arm from the box's centre is -0.7, 0.1 across the normal.
  const [ixx, izz] = [(massB / 3) * (0.4 ** 2 + 0.5 ** 2), (massB / 3) * (1 + 0.4 ** 2)];
  const impulse = ((1 + e) * u) / (1 / massA + 1 / massB + 0.7 ** 2 / izz + 0.1 ** 2 / ixx);
  const velocities = await simulation.read('velocities');
  expect(velocities[4]! * massB).toBeCloseTo(impulse, 4);
  expect(u - velocities[1]!).toBeCloseTo(impulse / massA, 4);
  for (let k = 0; k < 3; k++) {
    expect(momentum[k]).toBeCloseTo(before.momentum[k]!, 12);
    expect(angularMomentum[k]).toBeCloseTo(before.angularMomentum[k]!, 12);
  }
  expect(Math.abs(pushed)).toBeLessThan(1e-3 * before.kinetic);
  simulation.destroy();
});

it('what impulses cannot use is refused in one line', async () => {
  const refused = (options: object, scene = heap()) =>
    expect(Simulation.create(undefined, scene, { threads: 1, ...options } as SimulationOptions)).rejects;
  await refused({ response: 'springs' }).toThrow(
    'response is "springs", expected forces, impulses, olvang, complementarity or bilateral',
  );
  await refused({ substeps: 4 }).toThrow('substeps is 4, expected none without the response impulses');
  await refused({ response: 'impulses', substeps: 65 }).toThrow(
    'substeps is 65, expected a whole number from 1 to 64',
  );
  await refused({ response: 'impulses', timeStep: 0.5 }).toThrow(
    /^timeStep is 0\.5, expected at most 0\.06\d+ for impulses: .* 0\.01\d+ is recommended$/,
  );
  const law = {
    name: 'rubber',
    wgsl: 'fn rubber(depth: f32, area: f32, p: LawParameters) -> vec3f { return vec3f(0.0); }',
    twin: () => [0, 0, 0] as const,
  };
  await refused({ response: 'impulses' }, { ...heap(), pairs: [{ materials: [0, 0], law }] }).toThrow(
    'pairs: found the law rubber, expected none: with impulses no body gives way',
  );
});

it('a body that moves by more than half its radius in a step stops the run, with the step to take', async () => {
  const scene: SimulationScene = {
    shapes: [{ kind: 'sphere', radius: 0.1 }, { kind: 'plane' }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      poses: Float64Array.of(0, 0, 50, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
    },
    names: { bodies: ['ball', 'ground'] },
  };
  const byDefault = await Simulation.create(undefined, scene, BY_IMPULSES);
  const timeStep = byDefault.recommendedTimeStep;
  const simulation = await Simulation.create(undefined, scene, { ...BY_IMPULSES, timeStep });
  await expect(simulation.step(1000)).rejects.toThrow(
    /^step \d+: ball moves by 0\.05\d+, expected at most half its radius, 0\.0500: use a timeStep of 0\.00\d+$/,
  );
  expect(simulation.halvings).toEqual([]);
  // It stands at the last whole step, and has fallen freely until then.
  const { time, balance } = simulation.monitors;
  expect((await simulation.read('centroids'))[2]).toBeCloseTo(50 - (9.81 * time ** 2) / 2, 9);
  expect(Math.abs(balance)).toBeLessThan(1e-9);
  // A step that nobody asked for is halved there, and the ball falls on, to the ground.
  await byDefault.step(simulation.monitors.steps);
  expect(await byDefault.read('poses')).toEqual(await simulation.read('poses'));
  simulation.destroy();
  await byDefault.step(1400);
  const [first, second] = byDefault.halvings;
  expect(byDefault.halvings.length).toBe(2);
  expect(first).toMatchObject({ time, timeStep: timeStep / 2, frequency: 0 });
  expect(second!.time).toBeCloseTo(2 * time, 1);
  expect(byDefault.timeStep).toBe(timeStep / 4);
  expect(byDefault.time).toBeGreaterThan(Math.sqrt(100 / 9.81));
  expect(byDefault.monitors.dashpots).toBeGreaterThan(0);
  byDefault.destroy();
});

it('a tower does not take the impulses of a longer step for those of a shorter one', async () => {
  const heights = Array.from({ length: 10 }, (_, i) => 0.1 + 0.2 * i);
  const scene: SimulationScene = {
    shapes: [
      { kind: 'sphere', radius: 0.1 },
      { kind: 'box', halfExtents: [0.2, 0.2, 0.1] },
      { kind: 'plane' },
    ],
    materials: [{ density: 1000, youngsModulus: 1e7, friction: 0.5 }],
    bodies: {
      shapes: Uint32Array.of(0, ...heights.map(() => 1), 2),
      poses: Float64Array.from([300, ...heights, 0].flatMap((z, i) => [i === 0 ? 50 : 0, 0, z, 0, 0, 0, 1])),
    },
  };
  const simulation = await Simulation.create(undefined, scene, BY_IMPULSES);
  const largest = async () => Math.max(...(await simulation.contactForces()).forces.map(Math.abs));
  await simulation.step(60);
  const before = await largest();
  const checkpoint = await simulation.checkpoint();
  // The ball beside it moves too far.
  while (simulation.halvings.length === 0) await simulation.step(1);
  // Twice the impulses that it needs are twice the force.
  expect(await largest()).toBeLessThan(2 * before);
  await simulation.step(5);
  const resumed = await Simulation.resume(undefined, scene, checkpoint, BY_IMPULSES);
  await resumed.step(simulation.monitors.steps - 60);
  expect(resumed.halvings).toEqual(simulation.halvings);
  expect(await resumed.read('poses')).toEqual(await simulation.read('poses'));
  simulation.destroy();
  resumed.destroy();
});

it('bodies that get too deep are told with what helps: what they are made of does not count', async () => {
  const scene: SimulationScene = {
    shapes: [{ kind: 'sphere', radius: 0.1 }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    gravity: [0, 0, 0],
    bodies: {
      shapes: Uint32Array.of(0, 0),
      poses: Float64Array.of(-0.104, 0, 0, 0, 0, 0, 1, 0.104, 0, 0, 0, 0, 0, 1),
      velocities: Float64Array.of(4, 0, 0, -4, 0, 0),
    },
    names: { bodies: ['left', 'right'] },
  };
  const simulation = await Simulation.create(undefined, scene, { ...BY_IMPULSES, timeStep: 0.01 });
  await expect(simulation.step(1)).rejects.toThrow(
    'step 1: left and right overlap by 0.0720, expected at most 0.0500: use lower speeds, or a shorter timeStep',
  );
  simulation.destroy();
});

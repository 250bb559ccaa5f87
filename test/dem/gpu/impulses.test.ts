/** Steps by impulses on the GPU against those in float64, and what makes them the same in every run. */
import { expect, it } from 'vitest';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';
import { useDevice } from '../../support/device.ts';
import { heapOf } from '../heap.ts';
import { packing, SHAPES } from '../packing.ts';
import { balls } from './scenes.ts';

const device = useDevice();
const BY_IMPULSES = { response: 'impulses', threads: 1 } as const;
const onGpu = (scene: SimulationScene, options: SimulationOptions = {}) =>
  Simulation.create(device(), scene, { ...BY_IMPULSES, backend: 'gpu', ...options });
const onCpu = (scene: SimulationScene, options: SimulationOptions = {}) =>
  Simulation.create(undefined, scene, { ...BY_IMPULSES, ...options });
const bytesOf = async (simulation: Simulation) =>
  Buffer.from(await simulation.checkpoint()).toString('base64');
const largest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);

const ENERGIES = [
  ...(['kinetic', 'gravity', 'elastic', 'dashpots', 'friction', 'rolling', 'driven', 'pushed'] as const),
  ...(['balance', 'inserted', 'removed'] as const),
];

/** Rocks, hulls and balls that pull at each other and fall on a belt; one appears later. */
function heap(): SimulationScene {
  const count = 9;
  const { shapes, bodies } = heapOf(SHAPES, count);
  const material = { density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 };
  return {
    shapes,
    materials: [{ ...material, torsionalFriction: 0.1, cohesion: 200 }],
    bodies: {
      ...bodies,
      motions: new Map([[count, { surfaceVelocity: [0.5, 0, 0] }]]),
      appearsAt: Float64Array.from({ length: count + 1 }, (_, i) => (i === 8 ? 0.1 : 0)),
    },
  };
}

/** Balls in heaps, and one that leaves by a plane. */
function ballsInHeaps(): SimulationScene {
  const places = Array.from({ length: 12 }, (_, i) => {
    const [x, y] = [1.05 * (i % 2) + 0.02 * (i % 7), 1.05 * (Math.floor(i / 2) % 2)];
    return [x, y, 0.52 + 1.1 * Math.floor(i / 4)] as const;
  });
  return balls(places);
}

/**
 * Both after some steps, in which what was turned over is the scale of energies.
 *
 * @param most part of it that an energy may be off by
 */
async function compare(scene: SimulationScene, steps: number, most: number, timeStep?: number) {
  const [gpu, cpu] = [await onGpu(scene, { timeStep }), await onCpu(scene, { timeStep })];
  const first = cpu.monitors.kinetic;
  await Promise.all([gpu.step(steps), cpu.step(steps)]);
  const [found, expected] = [gpu.monitors, cpu.monitors];
  const scale = first + Math.abs(expected.gravity) + expected.kinetic;
  for (const name of ENERGIES)
    expect(Math.abs(found[name] - expected[name]) / scale, name).toBeLessThan(most);
  return { gpu, cpu, found, expected, scale };
}

it('bodies of all kinds move as in float64', async () => {
  const { gpu, cpu, found, expected } = await compare(heap(), 50, 1e-3);
  const { steps, presentBodies, contacts } = expected;
  expect([found.steps, found.presentBodies, found.contacts]).toEqual([steps, presentBodies, contacts]);
  expect(presentBodies).toBe(10);
  expect(Math.min(expected.friction, expected.rolling, expected.driven, expected.pushed)).toBeGreaterThan(10);
  expect(found.deepestOverlap).toBeCloseTo(expected.deepestOverlap, 3);
  for (const what of ['poses', 'velocities'] as const)
    expect(largest(await gpu.read(what), await cpu.read(what)), what).toBeLessThan(0.05);
  const [between, twins] = [await gpu.contactForces(), await cpu.contactForces()];
  expect(between.bodies).toEqual(twins.bodies);
  const strongest = twins.forces.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  expect(largest(between.forces, twins.forces) / strongest).toBeLessThan(0.05);
  // What bodies feel is that, and their weight.
  const rest = await gpu.read('forces');
  for (const [i, x] of between.forces.entries()) {
    const [a, b] = [between.bodies[2 * Math.floor(i / 3)]!, between.bodies[2 * Math.floor(i / 3) + 1]!];
    rest[3 * a + (i % 3)]! += x;
    rest[3 * b + (i % 3)]! -= x;
  }
  const weight = (4 / 3) * Math.PI * 0.9 ** 3 * 1000 * -9.81;
  expect(rest[3 * 2 + 2]! / weight).toBeCloseTo(1, 4);
  for (let i = 0; i < rest.length; i++)
    if (i % 3 < 2 || i >= 27) expect(Math.abs(rest[i]!) / strongest).toBeLessThan(1e-5);
  gpu.destroy();
  cpu.destroy();
});

it('monitors of 200 steps are those of float64', async () => {
  const { gpu, cpu, found, expected } = await compare(ballsInHeaps(), 200, 1e-2);
  expect(expected.contacts).toBeGreaterThan(4);
  expect(Math.min(found.dashpots, found.friction)).toBeGreaterThan(1000);
  gpu.destroy();
  cpu.destroy();
});

it('in a space that repeats bodies move as in float64, and momentum stays', async () => {
  const { gpu, cpu, found, expected, scale } = await compare(packing(), 20, 1e-3, 0.01);
  // A node that just touches may do so in one of both alone.
  expect(Math.abs(found.contacts - expected.contacts)).toBeLessThan(3);
  expect(found.contacts).toBeGreaterThan(5);
  expect(found.dashpots).toBeGreaterThan(0.1 * scale);
  const size = Math.sqrt(2 * 27 * 3000 * scale);
  expect(largest(found.momentum, expected.momentum) / size).toBeLessThan(1e-5);
  gpu.destroy();
  cpu.destroy();
});

it('a body with more neighbours than there are colours stops them as in float64', async () => {
  const count = 40;
  const around = Array.from({ length: count }, (_, i) => {
    const [u, w] = [Math.acos(1 - (2 * (i + 0.5)) / count), 2.4 * i];
    return [Math.sin(u) * Math.cos(w), Math.sin(u) * Math.sin(w), Math.cos(u)] as const;
  });
  const scene: SimulationScene = {
    shapes: [
      { kind: 'sphere', radius: 0.5 },
      { kind: 'sphere', radius: 3.05 },
    ],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5 }],
    gravity: [0, 0, 0],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === count ? 1 : 0)),
      poses: Float64Array.from(
        [...around, [0, 0, 0]].flatMap((place) => [...place.map((x) => 3.6 * x!), 0, 0, 0, 1]),
      ),
      velocities: Float64Array.from(
        [...around.map(([x, y, z]) => [-5 * x + 1, -5 * y, -5 * z]), [0, 0, 0]].flat(),
      ),
    },
  };
  const { gpu, cpu, found, expected, scale } = await compare(scene, 10, 0.02, 0.01);
  expect(found.dashpots).toBeGreaterThan(0.5 * scale);
  expect(Math.abs(found.balance - expected.balance) / scale).toBeLessThan(1e-5);
  expect(largest(found.momentum, expected.momentum) / expected.momentum[0]!).toBeLessThan(1e-5);
  gpu.destroy();
  cpu.destroy();
});

it('two runs, a resumed one, and one whose lists run over have the same bytes', async () => {
  const whole = await onGpu(heap());
  await whole.step(24);
  const saved = await whole.checkpoint();
  await whole.step(10);
  const expected = await bytesOf(whole);
  const resumed = await Simulation.resume(device(), heap(), saved, { backend: 'gpu', threads: 1 });
  expect(resumed.response).toBe('impulses');
  await resumed.step(10);
  expect((await bytesOf(resumed)) === expected).toBe(true);
  const parts = await onGpu(heap(), { capacity: { pairs: 1, contacts: 1 } });
  await parts.step(34);
  expect((await bytesOf(parts)) === expected).toBe(true);
  expect(parts.monitors.contacts).toBeGreaterThan(10);
  for (const one of [whole, resumed, parts]) one.destroy();
});

it('a body that moves too far in a step stops the run, and other responses stay on the CPU', async () => {
  const scene = balls([[0, 0, 1.5]], { velocities: Float64Array.of(0, 0, -100, 0, 0, 0) });
  const gpu = await onGpu(scene, { timeStep: 0.01 });
  await expect(gpu.step(3)).rejects.toThrow(
    'body 0 moves by 1.00, expected at most half its radius, 0.250: use a timeStep of 0.0012',
  );
  expect(gpu.monitors.steps).toBe(0);
  gpu.destroy();
  // One that nobody asked for is halved.
  const byDefault = await onGpu(balls([[0, 0, 1.5]], { velocities: Float64Array.of(0, 0, -40, 0, 0, 0) }));
  await byDefault.step(4);
  const { halvings, recommendedTimeStep, timeStep } = byDefault;
  expect(halvings[0]).toMatchObject({ steps: 0, time: 0, frequency: 0 });
  expect(timeStep).toBe(recommendedTimeStep / 2 ** halvings.length);
  expect(40 * timeStep).toBeLessThan(0.25);
  expect(byDefault.monitors.steps).toBe(4);
  byDefault.destroy();
  // What rests does not feel it.
  const apart = balls([
    [0, 0, 0.5],
    [3, 0, 30],
  ]);
  const beside = await onGpu(apart);
  await beside.step(20);
  const velocities = await beside.read('velocities');
  velocities[5] = -40;
  await beside.write('velocities', velocities);
  const again = await Simulation.resume(device(), apart, await beside.checkpoint(), { backend: 'gpu' });
  for (const one of [beside, again]) await one.step(1);
  expect(beside.halvings.length).toBeGreaterThan(0);
  expect(await bytesOf(again)).toBe(await bytesOf(beside));
  again.destroy();
  expect(Math.abs((await beside.read('velocities'))[2]!)).toBeLessThan(1e-3);
  beside.destroy();
  const inBox: SimulationScene = {
    ...balls([[3.9, 1, 1.5]], { velocities: Float64Array.of(50, 0, 0, 0, 0, 0) }),
    box: { low: [0, 0, 0], high: [4, 4, 4], periodic: [true, true, false] },
  };
  const through = await onGpu(inBox, { timeStep: 0.01 });
  await expect(through.step(3)).rejects.toThrow(
    /body 0 moves by 0\.500, expected at most half its radius, 0\.250/,
  );
  through.destroy();
  await expect(onGpu(scene, { response: 'olvang' })).rejects.toThrow(
    'backend is gpu, expected cpu for the response olvang',
  );
});

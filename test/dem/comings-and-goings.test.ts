import { describe, expect, it, vi } from 'vitest';
import { requireScene } from '../../src/dem/scene/check-scene.ts';
import type { SimulationBodies, SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';

const POSE = [0, 0, 0, 0, 0, 0, 1];

function sceneOf(fields: Partial<SimulationScene>, bodies: Partial<SimulationBodies> = {}): SimulationScene {
  return {
    shapes: [{ kind: 'sphere', radius: 0.01 }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    bodies: { shapes: Uint32Array.of(0, 0), poses: Float64Array.of(...POSE, 1, 0, 0, 0, 0, 0, 1), ...bodies },
    ...fields,
  };
}

it('a simulation goes by its scene as it was when it was asked for', async () => {
  const make = () =>
    ballsOverPlane([0.02, 0.03], {
      velocities: new Float64Array(9).fill(0.1),
      appearsAt: Float64Array.of(0, 1e-3, 0),
      materials: new Uint32Array(3),
    });
  const spoiled = make();
  // Each look at the clock is a second after the last one: whatever may pause does.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  const making = Simulation.create(undefined, spoiled, { threads: 1 });
  const { poses, velocities, appearsAt, materials, shapes } = spoiled.bodies;
  for (const array of [poses, velocities!, appearsAt!, materials!, shapes]) array.fill(7);
  Object.assign(spoiled.shapes[0]!, { radius: 7 });
  const simulation = await making;
  clock.mockRestore();
  const expected = await Simulation.create(undefined, make(), { threads: 1 });
  for (const one of [simulation, expected]) await one.step(20);
  expect(Buffer.from(await simulation.checkpoint()).equals(Buffer.from(await expected.checkpoint()))).toBe(
    true,
  );
  simulation.destroy();
  expected.destroy();
});

/** Balls over a plane, at heights, that move to the side. */
function ballsOverPlane(heights: readonly number[], rest: Partial<SimulationBodies> = {}): SimulationScene {
  const poses = heights.flatMap((height, i) => [0.05 * i, 0, height, 0, 0, 0, 1]);
  return {
    shapes: [{ kind: 'sphere', radius: 0.01 }, { kind: 'plane' }],
    materials: [{ density: 1000, youngsModulus: 1e6, restitution: 0.8, friction: 0.3 }],
    bodies: {
      shapes: Uint32Array.from([...heights.map(() => 0), 1]),
      poses: Float64Array.from([...poses, ...POSE]),
      ...rest,
    },
  };
}

const MASS = 1000 * (4 / 3) * Math.PI * 0.01 ** 3;

describe('bodies that appear', () => {
  const appearsAt = Float64Array.of(0, 0.02, 0.05, 0);
  const velocities = Float64Array.of(0, 0, 0, 1, 0, -2, 0, 0, 0, 0, 0, 0);
  const heights = [0.012, 0.05, 0.0095];

  it('are not there before, and begin with their pose and velocity after the step that their time is in', async () => {
    const timeStep = 1e-4;
    const scene = ballsOverPlane(heights, { appearsAt, velocities });
    const simulation = await Simulation.create(undefined, scene, { timeStep, threads: 1 });
    const alone = await Simulation.create(undefined, ballsOverPlane([0.012]), { timeStep, threads: 1 });
    await simulation.step(199);
    await alone.step(199);
    expect([...(await simulation.read('statuses'))]).toEqual([1, 0, 0, 1]);
    expect((await simulation.read('poses')).slice(0, 21)).toEqual(
      Float64Array.of(...(await alone.read('poses')).slice(0, 7), ...scene.bodies.poses.slice(7, 21)),
    );
    expect((await simulation.read('forces')).slice(3, 9)).toEqual(new Float64Array(6));
    expect(simulation.monitors.kinetic).toBe(alone.monitors.kinetic);
    expect([simulation.monitors.presentBodies, simulation.monitors.removedBodies]).toEqual([2, 0]);
    await simulation.step();
    expect([...(await simulation.read('statuses'))]).toEqual([1, 1, 0, 1]);
    expect((await simulation.read('poses')).slice(7, 14)).toEqual(scene.bodies.poses.slice(7, 14));
    expect((await simulation.read('velocities')).slice(3, 6)).toEqual(velocities.slice(3, 6));
    expect(simulation.monitors.inserted).toBeCloseTo((MASS * 5) / 2, 12);
    await simulation.step(100);
    expect((await simulation.read('centroids'))[3]).toBeCloseTo(0.05 + 100 * timeStep, 12);
    await simulation.step(200);
    expect(simulation.monitors.presentBodies).toBe(4);
    simulation.destroy();
    alone.destroy();
  });

  it('bring their energy, that of contacts that they begin with included', async () => {
    const scene = ballsOverPlane(heights, { appearsAt, velocities });
    const simulation = await Simulation.create(undefined, scene, { threads: 1 });
    let [last, largest] = [simulation.monitors.balance, 0];
    while (simulation.time < 0.06) {
      await simulation.step();
      const { balance } = simulation.monitors;
      largest = Math.max(largest, Math.abs(balance - last));
      last = balance;
    }
    const { presentBodies, inserted } = simulation.monitors;
    expect(presentBodies).toBe(4);
    // The third one begins half a millimetre deep: without the energy of its spring the balance would jump by 5 %.
    expect(largest).toBeLessThan(1e-3 * inserted);
    simulation.destroy();
  });

  it('stop the run where they have no room: the step is not made', async () => {
    const blocked = ballsOverPlane([0.012, 0.014], {
      poses: Float64Array.of(0, 0, 0.012, 0, 0, 0, 1, 0, 0, 0.016, 0, 0, 0, 1, ...POSE),
      appearsAt: Float64Array.of(0, 0.01, 0),
    });
    const simulation = await Simulation.create(
      undefined,
      { ...blocked, names: { bodies: ['a', 'drop', 'floor'] } },
      { timeStep: 1e-4, threads: 1 },
    );
    await simulation.step(99);
    const stateOf = async () => [
      simulation.monitors,
      await Promise.all(
        (['poses', 'velocities', 'angularVelocities', 'forces', 'statuses'] as const).map((one) =>
          simulation.read(one),
        ),
      ),
    ];
    const before = await stateOf();
    const message =
      /^step 100: drop appears at 0.01 and overlaps a by 0.0155, expected at most 0.00250: let it appear later/;
    await expect(simulation.step(5)).rejects.toThrow(message);
    await expect(simulation.step()).rejects.toThrow(message);
    expect(await stateOf()).toEqual(before);
    // Where it is moved to, there is room.
    const poses = await simulation.read('poses');
    poses[9] = 0.1;
    await simulation.write('poses', poses);
    await simulation.step(5);
    expect(simulation.monitors.presentBodies).toBe(3);
    simulation.destroy();
  });
});

describe('removal planes', () => {
  it('remove what gets beyond them, with its energy, and nothing else', async () => {
    const scene = {
      ...ballsOverPlane([0.02, 0.03], { velocities: Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0) }),
      // Past the floor's own place, which stays.
      removal: [{ point: [0.045, 0, 0], normal: [0.5, 0, 0] }] as const,
    };
    const bodies = { ...scene.bodies, poses: scene.bodies.poses.slice() };
    bodies.poses.set([-0.05], 7);
    const simulation = await Simulation.create(undefined, { ...scene, bodies }, { threads: 1 });
    const { balance } = simulation.monitors;
    // What it has from height and speed, which it keeps as it falls.
    let whole = 0;
    while (simulation.monitors.removedBodies === 0 && simulation.time < 0.1) {
      whole = simulation.monitors.kinetic + simulation.monitors.gravity;
      await simulation.step();
    }
    expect([...(await simulation.read('statuses'))]).toEqual([2, 1, 1]);
    const [x] = await simulation.read('centroids');
    expect(x).toBeGreaterThan(0.045);
    expect(x).toBeLessThan(0.045 + 1.001 * simulation.timeStep);
    expect(simulation.monitors.removed).toBeCloseTo(MASS / 2, 12);
    expect(whole).toBeCloseTo(MASS / 2, 12);
    expect(Math.abs(simulation.monitors.balance - balance)).toBeLessThan(1e-12 * whole);
    await simulation.step(20);
    expect((await simulation.read('centroids'))[0]).toBe(x);
    simulation.destroy();
  });

  it('and bodies that appear are in checkpoints: a resumed simulation is the same, bit for bit', async () => {
    const count = 12;
    const make = (): SimulationScene => ({
      ...ballsOverPlane(
        Array.from({ length: count }, (_, i) => 0.02 + 0.001 * i),
        {
          appearsAt: Float64Array.from({ length: count + 1 }, (_, i) => (i < count ? 0.004 * i : 0)),
          velocities: Float64Array.from({ length: 3 * count + 3 }, (_, k) => (k % 3 === 2 ? -0.5 : 0.2)),
        },
      ),
      removal: [{ point: [0.1, 0, 0], normal: [1, 0, 0] }],
    });
    const [whole, other] = await Promise.all(
      [1, 2].map((threads) => Simulation.create(undefined, make(), { threads })),
    );
    const half = Math.round(0.025 / whole!.timeStep);
    for (const one of [whole!, other!]) await one.step(half);
    const resumed = await Simulation.resume(undefined, make(), await other!.checkpoint(), { threads: 1 });
    for (const one of [whole!, resumed]) await one.step(half);
    const { removedBodies, presentBodies } = whole!.monitors;
    expect(removedBodies).toBeGreaterThan(1);
    expect(presentBodies).toBeGreaterThan(2);
    const [a, b] = await Promise.all([whole!, resumed].map((one) => one.checkpoint()));
    expect(Buffer.from(a!).equals(Buffer.from(b!))).toBe(true);
    for (const one of [whole!, other!, resumed]) one.destroy();
  });
});

describe('bodies that come, go and repeat', () => {
  it('names what cannot be used', () => {
    const box = { low: [0, 0, 0], high: [1, 1, 1], periodic: [true, false, true] } as const;
    const plane = { point: [0, 0, 0], normal: [0, 0, -1] } as const;
    for (const [scene, message] of [
      [
        sceneOf({}, { appearsAt: Float64Array.of(0, -1) }),
        'bodies.appearsAt: body 1 has -1, expected a time of 0 or more',
      ],
      [
        sceneOf({}, { appearsAt: Float64Array.of(0) }),
        'bodies.appearsAt: 1 numbers found, expected 2: 1 for each of 2 bodies',
      ],
      [
        sceneOf({ removal: [plane, { ...plane, normal: [0, 0, 0] }] }),
        'removal[1].normal is [0,0,0], expected a vector longer than 0',
      ],
      [sceneOf({ removal: [{ point: [0, 0, 0] } as never] }), 'removal[0].normal is missing, expected 3'],
      [
        sceneOf({ removal: [{ ...plane, up: 1 } as never] }),
        'removal[0]: unknown field "up", expected point',
      ],
      [
        sceneOf({ bounds: { low: [0, 0, 0], high: [1, 1, 0] } }),
        'bounds.high[2] is 0, expected more than low, 0',
      ],
      [sceneOf({ box: { ...box, high: [0, 1, 1] } }), 'box.high[0] is 0, expected more than low, 0'],
      [sceneOf({ box: { ...box, periodic: [true] as never } }), 'box.periodic is [true], expected true'],
    ] as const) {
      expect(() => requireScene(scene)).toThrow(message);
    }
  });
});

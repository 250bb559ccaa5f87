/** Servo walls: the load on them comes to be what they press with, without going beyond it. */
import { describe, expect, it } from 'vitest';
import type { ServoWall, SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../src/dem/simulation/simulation-parts.ts';
import { Multibody, parseScene, simulationScene } from '../../src/index.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const STEP = 5e-4;
const RADIUS = 0.05;
const MODULUS = 1e7;
const FORCE = 200;
const SPEED = 0.2;
const MASS = (2500 * 4 * Math.PI * RADIUS ** 3) / 3;
const LID = 4;

/** Three balls on each other, and a lid that comes down on them from a height. */
const column = (height: number, wall: Partial<ServoWall> = {}): SimulationScene => ({
  shapes: [{ kind: 'sphere', radius: RADIUS }, { kind: 'plane' }],
  materials: [{ density: 2500, youngsModulus: MODULUS, restitution: 0.2 }],
  bodies: {
    shapes: Uint32Array.of(1, 0, 0, 0, 1),
    poses: Float64Array.of(
      ...[0, 0, 0, 0, 0, 0, 1],
      ...[1, 3, 5].flatMap((radii) => [0, 0, radii * RADIUS, 0, 0, 0, 1]),
      ...[0, 0, height, 1, 0, 0, 0],
    ),
    servos: new Map([[LID, { direction: [0, 0, -3], force: FORCE, speed: SPEED, ...wall }]]),
  },
});
const make = (scene: SimulationScene, options: SimulationOptions = {}) =>
  Simulation.create(options.backend === 'gpu' ? device() : undefined, scene, {
    ...{ threads: 1, timeStep: STEP, ...options },
  });
/** Height of the lid, its speed downwards, and the load on it. */
const read = async (simulation: Simulation) => ({
  height: (await simulation.read('poses'))[7 * LID + 2]!,
  speed: -(await simulation.read('velocities'))[3 * LID + 2]!,
  load: (await simulation.read('forces'))[3 * LID + 2]!,
});

it('the load comes to be the force, and never goes beyond it where the speed is low', async () => {
  const simulation = await make(column(6.1 * RADIUS));
  const { balance } = simulation.monitors;
  let most = 0;
  let off = 0;
  for (let i = 0; i < 400; i++) {
    await simulation.step(4);
    most = Math.max(most, (await read(simulation)).load);
    off = Math.max(off, Math.abs(simulation.monitors.balance - balance));
  }
  const before = await read(simulation);
  await simulation.step(1);
  const { height, speed, load } = await read(simulation);
  // What is left moves it: M du/dt = F - L - F u / speed, in a half of a step whose speeds are between these two.
  const left = (FORCE * speed) / SPEED + (2 * 3 * MASS * Math.abs(speed - before.speed)) / STEP;
  expect(Math.abs(load - FORCE)).toBeLessThanOrEqual(left);
  expect(left).toBeLessThan(1e-3 * FORCE);
  // A contact's stiffness 2 E* (R d)^0.5 is 1.2e5 at most, and that of four in a row, K, a quarter of it. So the drag
  // F / speed, 1000, is above the critical one, 2 (K M)^0.5 = 690.
  expect(most).toBeLessThanOrEqual(FORCE * (1 + 1e-9));
  // Hertz: each contact carries the force and the weight above it.
  const modulus = MODULUS / (2 * (1 - 0.25 ** 2));
  let closed = 6 * RADIUS;
  let softness = 0;
  for (const [above, radius] of [
    [0, RADIUS],
    [1, RADIUS / 2],
    [2, RADIUS / 2],
    [3, RADIUS],
  ] as const) {
    const normal = FORCE + above * MASS * 9.81;
    const depth = ((3 * normal) / (4 * modulus * Math.sqrt(radius))) ** (2 / 3);
    closed -= depth;
    softness += (2 * depth) / (3 * normal);
  }
  expect(Math.abs(height - closed)).toBeLessThan(2 * softness * left);
  // Steps are of the second order: a few 1e-5 of what was turned over.
  expect(simulation.monitors.driven).toBeGreaterThan(0.9);
  expect(off).toBeLessThan(1e-3 * simulation.monitors.driven);
  simulation.destroy();
});

it('comes to its speed where nothing resists, times its factor, and stands outside of its times', async () => {
  const factors = [
    [0.05, 1],
    [0.06, 3],
  ] as const;
  const simulation = await make(column(2, { factors, from: 0.01, until: 0.1 }));
  const speeds: number[] = [];
  for (let i = 0; i < 220; i++) {
    await simulation.step(1);
    speeds.push((await read(simulation)).speed);
  }
  // It stands until 0.01, and has the time M speed / F = 4 ms.
  expect(speeds.slice(0, 19)).toEqual(speeds.slice(0, 19).fill(0));
  expect(speeds[98]).toBeCloseTo(SPEED, 4);
  expect(
    speeds.slice(19, 99).every((speed, i, all) => i === 0 || (speed > all[i - 1]! && speed <= SPEED)),
  ).toBe(true);
  expect(speeds[197]).toBeCloseTo(3 * SPEED, 3);
  expect(speeds.slice(200)).toEqual(speeds.slice(200).fill(0));
  simulation.destroy();
});

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  it('stops the run where it leaves the bounds, as any body that forces move', async () => {
    const bounds = { low: [-1, -1, -1], high: [1, 1, 1] } as const;
    const away = { direction: [0, 0, 1], speed: 10, until: 0.02 } as const;
    const simulation = await make({ ...column(0.995, away), bounds }, { backend });
    await expect(simulation.step(40)).rejects.toThrow(
      /^step \d+: body 4 is at \[0, 0, 1(\.\d+)?\], expected a place from \[-1, .*1\]: let the wall press/,
    );
    // The state is that before the step.
    expect((await read(simulation)).height).toBeLessThanOrEqual(1);
    simulation.destroy();
    const still = { ...column(0.995, { ...away, until: 0.01 }), bounds };
    const standing = await make(still, { backend });
    await standing.step(40);
    standing.destroy();
  });

  it('goes on from a checkpoint byte by byte, and moves as in float64', async () => {
    const scene = column(5.99 * RADIUS, { force: undefined, pressure: 2 * FORCE, area: 0.5 });
    const simulation = await make(scene, { backend });
    await simulation.step(60);
    const saved = await simulation.checkpoint();
    await simulation.step(60);
    const on = backend === 'gpu' ? device() : undefined;
    const resumed = await Simulation.resume(on, scene, saved, { threads: 1, backend });
    await resumed.step(60);
    expect(await resumed.checkpoint()).toEqual(await simulation.checkpoint());
    const other = column(5.99 * RADIUS);
    await expect(Simulation.resume(on, other, saved, { threads: 1, backend })).rejects.toThrow(
      /found other motions/,
    );
    const twin = await make(scene);
    await twin.step(120);
    const [found, wanted] = [await read(simulation), await read(twin)];
    expect(wanted.load).toBeGreaterThan(FORCE / 10);
    // Depths are off by 2^-20 of a body's size at worst, and loads by a contact's stiffness times that.
    const depth = 2 ** -20 * 2 * RADIUS;
    expect(Math.abs(found.height - wanted.height)).toBeLessThan(10 * depth);
    expect(Math.abs(found.load - wanted.load)).toBeLessThan(10 * depth * 1.2e5);
    expect(Math.abs(found.speed - wanted.speed)).toBeLessThan(1e-4 * SPEED);
    expect(simulation.monitors.driven / twin.monitors.driven).toBeCloseTo(1, 4);
    for (const one of [simulation, resumed, twin]) one.destroy();
  });
});

it('is refused in one line where it cannot be', async () => {
  const scene = column(1);
  await expect(make(scene, { response: 'impulses', timeStep: undefined })).rejects.toThrow(
    'body 4 is a servo wall, expected none with the response impulses: its load is a force',
  );
  const tolerant = { ...scene, names: { bodies: ['floor', 'a', 'b', 'c', 'lid'] } };
  await expect(Multibody.create(tolerant)).rejects.toThrow(
    'lid.servo is there, expected none where steps follow from a tolerance',
  );
  const wrong = (wall: object) => make(column(1, wall as Partial<ServoWall>));
  const at = 'bodies.servos, body 4';
  await expect(wrong({ force: 0 })).rejects.toThrow(`${at}.force is 0, expected a number above 0`);
  await expect(wrong({ area: 1 })).rejects.toThrow(`${at}: expected either force, or pressure and area`);
  await expect(wrong({ direction: [0, 0, 0] })).rejects.toThrow(
    `${at}.direction is [0,0,0], expected a vector longer`,
  );
  await expect(wrong({ force: 1e31 })).rejects.toThrow(`${at} presses with 1e+31, expected 1e-30 to 1e+30`);
  await expect(wrong({ force: undefined, pressure: 1e-200, area: 1e-200 })).rejects.toThrow(
    `${at} presses with 0, expected 1e-30 to 1e+30`,
  );
  await expect(wrong({ direction: [1e308, 1e308, 0] })).rejects.toThrow(
    `${at}.direction is [1e+308,1e+308,0], expected a vector longer than 0, of at most 1e+30`,
  );
  await expect(wrong({ from: -1e308 })).rejects.toThrow(
    `${at}.from is -1e+308, expected a number from -1e+30 to 1e+30`,
  );
  const none = { ...scene, bodies: { ...scene.bodies, servos: new Map([[LID, null as never]]) } };
  await expect(make(none)).rejects.toThrow(`${at}: found null, expected an object with force, pressure,`);
  await expect(wrong({ factors: [[0]] })).rejects.toThrow(
    `${at}.factors[0] is [0], expected a time and a factor`,
  );
  const box = { low: [-1, -1, -1], high: [1, 1, 1], periodic: [true, false, true] } as const;
  await expect(make({ ...scene, box })).rejects.toThrow(
    `${at}.direction is [0,0,-3], expected 0 along z, along which space repeats`,
  );
  const motions = new Map([[LID, { velocity: [0, 0, 1] as const }]]);
  await expect(make({ ...scene, bodies: { ...scene.bodies, motions } })).rejects.toThrow(
    `${at}: found a motion as well, expected one of both`,
  );
});

it('is a field of bodies in scene files', async () => {
  const parse = (lid: object) =>
    parseScene(
      JSON.stringify({
        shapes: { ball: { kind: 'sphere', radius: 1 } },
        materials: { stone: { density: 1, youngsModulus: 1 } },
        bodies: [{ name: 'lid', shape: 'ball', ...lid }],
      }),
      { name: 'a.json' },
    );
  const servo = { direction: [0, 0, -1], pressure: 5, area: 2, speed: 1 };
  expect(simulationScene(await parse({ servo })).bodies.servos!.get(0)).toEqual(servo);
  await expect(parse({ servo: { ...servo, speed: -1 } })).rejects.toThrow(
    'a.json: bodies[0].servo.speed is -1, expected a number from 1e-30 to 1e+30',
  );
  await expect(parse({ servo, motion: {} })).rejects.toThrow(
    'a.json: bodies[0] has motion and servo, expected one of both',
  );
});

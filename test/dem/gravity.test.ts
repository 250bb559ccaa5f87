/** Gravity that changes over time: bodies fall as its integrals say, and its work is in the balance. */
import { describe, expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../src/dem/simulation/simulation-parts.ts';
import { gravityAt, Multibody, parseScene, simulationScene } from '../../src/index.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const STEP = 1e-3;
const RADIUS = 0.5;
const DENSITY = 1000;
const MASS = (DENSITY * 4 * Math.PI * RADIUS ** 3) / 3;
/** Corners are at whole steps. */
const GRAVITY = [
  [0.02, 0, 0, -9.81],
  [0.12, 4, 0, -5],
  [0.17, 4, -2, -5],
] as const;
/** Largest acceleration, and largest change of it per time. */
const MOST = 9.81;
const JERK = Math.hypot(40, 48.1);

/** One ball falls, one is removed on its way, one appears, and one lies in a corner of two planes. */
const scene: SimulationScene = {
  shapes: [{ kind: 'sphere', radius: RADIUS }, { kind: 'plane' }],
  materials: [{ density: DENSITY, youngsModulus: 1e7, restitution: 0.2, friction: 0.5 }],
  gravity: GRAVITY,
  removal: [{ point: [0, 0, 29.9], normal: [0, 0, -1] }],
  bodies: {
    shapes: Uint32Array.of(0, 0, 0, 1),
    poses: Float64Array.of(
      ...[0, 0, 50, 0, 0, 0, 1],
      ...[4, 0, 30, 0, 0, 0, 1],
      ...[8, 0, 40, 0, 0, 0, 1],
      ...[0, 0, 0, 0, 0, 0, 1],
    ),
    appearsAt: Float64Array.of(0, 0, 0.1, 0),
  },
};

/** Velocity and way of a ball that has fallen from rest, by integrals of the pieces. */
function fallen(time: number) {
  const speed = [0, 0, 0];
  const way = [0, 0, 0];
  const corners = [0, ...GRAVITY.map(([t]) => t), Infinity];
  const rows = [GRAVITY[0], ...GRAVITY, GRAVITY[2]];
  for (let i = 0; i + 1 < corners.length && corners[i]! < time; i++) {
    const h = Math.min(time, corners[i + 1]!) - corners[i]!;
    for (let k = 0; k < 3; k++) {
      const a = rows[i]![k + 1]!;
      const slope =
        corners[i + 1] === Infinity ? 0 : (rows[i + 1]![k + 1]! - a) / (corners[i + 1]! - corners[i]!);
      way[k]! += speed[k]! * h + (a * h ** 2) / 2 + (slope * h ** 3) / 6;
      speed[k]! += a * h + (slope * h ** 2) / 2;
    }
  }
  return { speed, way };
}

describe.each(['cpu', 'gpu', 'impulses'] as const)('on %s', (where) => {
  const on = () => (where === 'gpu' ? device() : undefined);
  const options: SimulationOptions = {
    ...{ threads: 1, timeStep: STEP, backend: where === 'gpu' ? 'gpu' : 'cpu' },
    ...(where === 'impulses' && { response: 'impulses', substeps: 1 }),
  };
  /** What float32 leaves of places and speeds, in parts of the largest. */
  const rounding = where === 'gpu' ? 2 ** -20 : 1e-12;

  it('bodies fall by its integrals, and energies stay in balance while bodies come and go', async () => {
    const simulation = await Simulation.create(on(), scene, options);
    const { balance } = simulation.monitors;
    const time = 0.2;
    await simulation.step(time / STEP);
    const { speed, way } = fallen(time);
    const velocities = await simulation.read('velocities');
    const centroids = await simulation.read('centroids');
    for (let k = 0; k < 3; k++) {
      // Velocities take the mean of two linear loads, which is exact. A step's way misses jerk h^3 / 6.
      expect(Math.abs(velocities[k]! - speed[k]!)).toBeLessThan(2 * rounding);
      const at = centroids[k]! - [0, 0, 50][k]!;
      expect(Math.abs(at - way[k]!)).toBeLessThan((JERK * time * STEP ** 2) / 6 + 50 * rounding);
    }
    const after = simulation.monitors;
    expect(after).toMatchObject({ presentBodies: 3, removedBodies: 1 });
    const missed = 3 * MASS * MOST * rounding;
    // Impulses move the ball that is removed by the mean gravity of its last step, and it leaves with that before.
    const left = where === 'impulses' ? (MASS * JERK * MOST * time * STEP ** 2) / 2 : 0;
    expect(Math.abs(after.balance - balance)).toBeLessThan(missed + left);
    // Without the work of the change the balance would be off by all of it.
    expect(Math.abs(after.driven)).toBeGreaterThan(100 * (missed + left));
    simulation.destroy();
  });

  it.each([1, 2])('sets in within %i steps on balls at rest, and no energy is off', async (steps) => {
    const gravity = [
      [0, 0, 0, 0],
      [steps * STEP, 4, 0, -MOST],
    ] as const;
    const [high, low] = [
      [0, 0, 50, 0, 0, 0, 1],
      [4, 0, RADIUS, 0, 0, 0, 1],
    ];
    const bodies = { shapes: Uint32Array.of(0, 1), poses: Float64Array.of(...high, ...high.with(2, 0)) };
    const simulation = await Simulation.create(on(), { ...scene, gravity, bodies }, options);
    const { balance } = simulation.monitors;
    await simulation.step(10);
    const { kinetic, balance: after } = simulation.monitors;
    expect(kinetic).toBeGreaterThan(0.01);
    expect(Math.abs(after - balance)).toBeLessThan(rounding * MASS * MOST);
    simulation.destroy();
    // A ball that touches the ground takes it, too.
    const lying = { shapes: Uint32Array.of(0, 1), poses: Float64Array.of(...low, ...high.with(2, 0)) };
    const still = { ...scene, gravity, removal: [], bodies: lying };
    const other = await Simulation.create(on(), still, options);
    await other.step(10);
    expect(other.monitors.contacts).toBe(1);
    other.destroy();
  });

  it('goes on from a checkpoint in its middle, byte by byte, and a script may put another in its place', async () => {
    const simulation = await Simulation.create(on(), scene, options);
    await simulation.step(70);
    const saved = await simulation.checkpoint();
    await simulation.step(70);
    const resumed = await Simulation.resume(on(), scene, saved, options);
    await resumed.step(70);
    expect(await resumed.checkpoint()).toEqual(await simulation.checkpoint());
    const other = { ...scene, gravity: GRAVITY.slice(0, 2) };
    await expect(Simulation.resume(on(), other, saved, options)).rejects.toThrow(/found other gravity/);
    await resumed.write('gravity', Float64Array.of(0, 0, 1));
    await resumed.step(5);
    const written = await resumed.checkpoint();
    await resumed.step(30);
    const again = await Simulation.resume(on(), scene, written, options);
    const before = await again.read('velocities');
    await again.step(30);
    expect((await again.read('velocities'))[2]! - before[2]!).toBeCloseTo(30 * STEP, 6);
    expect(await again.checkpoint()).toEqual(await resumed.checkpoint());
    for (const one of [simulation, resumed, again]) one.destroy();
  });
});

it('is a table in scene files, checked row by row', async () => {
  const parse = async (gravity: unknown, more = {}) => {
    const text = JSON.stringify({
      ...{ shapes: { ball: { kind: 'sphere', radius: 1 } }, bodies: [{ shape: 'ball' }], ...more },
      materials: { stone: { density: 1, youngsModulus: 1 } },
      gravity,
    });
    return simulationScene(await parseScene(text, { name: 'a.json' })).gravity;
  };
  expect(await parse(GRAVITY)).toEqual(GRAVITY);
  await expect(parse([[0, 1]])).rejects.toThrow('a.json: gravity[0] is [0,1], expected a time and x, y, z');
  const rows = [
    [1, 0, 0, 1],
    [1, 0, 0, 2],
  ];
  await expect(parse(rows)).rejects.toThrow(
    'a.json: gravity[1] is of time 1, expected more than 1, that before',
  );
  await expect(parse([[0, 0, 0, 1e200]])).rejects.toThrow(
    'a.json: gravity[0] is [0,0,0,1e+200], expected numbers of',
  );
  const expected = 'expected an array of 3 numbers, or of rows of a time and x, y, z';
  await expect(parse([1, 2])).rejects.toThrow(`a.json: gravity is [1,2], ${expected}`);
  await expect(parse([])).rejects.toThrow(`a.json: gravity is [], ${expected}`);
  expect(() => gravityAt(Float64Array.of(0, 0, -1) as never, 0)).toThrow(
    `gravity is a Float64Array of length 3, ${expected}`,
  );
  // The difference of these times is beyond all numbers.
  await expect(parse([-1e308, 1e308].map((time) => [time, 0, 0, -1]))).rejects.toThrow(
    'a.json: gravity[0] is [-1e+308,0,0,-1], expected numbers of at most 1e+30',
  );
});

it('is refused where steps follow from a tolerance', async () => {
  await expect(Multibody.create({ ...scene, removal: undefined })).rejects.toThrow(
    'gravity is a table over time, expected 3 numbers: where steps follow from a tolerance, gravity stays as it is',
  );
});

/** What scripts change between steps: gravity, forces on bodies, and which bodies are there. */
import { describe, expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const TIME_STEP = 1e-3;
const RADIUS = 0.5;
const DENSITY = 1000;
const MASS = (DENSITY * 4 * Math.PI * RADIUS ** 3) / 3;
const MOMENT = 0.4 * MASS * RADIUS ** 2;
/** Of what is expected. On the GPU steps and sums of work are float32. */
const SHARE = { cpu: 1e-9, gpu: 1e-5 } as const;

/** A ball high up, one that rests on a plane, and one beside it that a script brings in. */
const scene: SimulationScene = {
  shapes: [{ kind: 'sphere', radius: RADIUS }, { kind: 'plane' }],
  materials: [{ density: DENSITY, youngsModulus: 1e6 }],
  bodies: {
    shapes: Uint32Array.of(0, 0, 0, 1),
    poses: Float64Array.of(
      ...[0, 0, 50, 0, 0, 0, 1],
      ...[4, 0, 0.499, 0, 0, 0, 1],
      ...[4, 0, 1.49, 0, 0, 0, 1],
      ...[0, 0, 0, 0, 0, 0, 1],
    ),
    appearsAt: Float64Array.of(0, 0, Infinity, 0),
  },
};

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  const on = () => (backend === 'gpu' ? device() : undefined);
  const options = { backend, threads: 1, timeStep: TIME_STEP } as const;
  const create = () => Simulation.create(on(), scene, options);
  const ofBall = (numbers: readonly number[]) => Float64Array.from({ length: 12 }, (_, i) => numbers[i] ?? 0);
  const expectNear = (found: number, wanted: number) =>
    expect(Math.abs(found - wanted)).toBeLessThan(SHARE[backend] * Math.max(1, Math.abs(wanted)));

  it('gravity is what was written last, and energies go on from there', async () => {
    const simulation = await create();
    await simulation.write('gravity', Float64Array.of(2, 0, 0));
    await simulation.step(100);
    await simulation.write('gravity', Float64Array.of(0, -3, 0));
    await simulation.step(100);
    const [centroids, velocities] = [await simulation.read('centroids'), await simulation.read('velocities')];
    const time = 100 * TIME_STEP;
    // Steps are exact where a force is constant.
    expectNear(centroids[0]!, 2 * time ** 2 * 1.5);
    expectNear(centroids[1]!, -1.5 * time ** 2);
    expectNear(centroids[2]!, 50);
    expectNear(velocities[0]!, 2 * time);
    expectNear(velocities[1]!, -3 * time);
    expect(scene.gravity).toBeUndefined();
    simulation.destroy();
  });

  it('forces and torques act until others are written, and their work is in `driven`', async () => {
    const simulation = await create();
    const gravity = Float64Array.of(0, 0, 0);
    await simulation.write('gravity', gravity);
    await simulation.step(1);
    const before = simulation.monitors;
    await simulation.write('appliedForces', ofBall([0, 0, 2 * MASS]));
    await simulation.write('appliedTorques', ofBall([0, 3 * MOMENT, 0]));
    await simulation.step(200);
    const time = 200 * TIME_STEP;
    expectNear((await simulation.read('velocities'))[2]!, 2 * time);
    expectNear((await simulation.read('angularVelocities'))[1]!, 3 * time);
    expectNear((await simulation.read('forces'))[2]!, 2 * MASS);
    const work = (MASS * (2 * time) ** 2 + MOMENT * (3 * time) ** 2) / 2;
    expectNear(simulation.monitors.driven - before.driven, work);
    await simulation.write('appliedForces', new Float64Array(12));
    await simulation.step(50);
    expectNear((await simulation.read('velocities'))[2]!, 2 * time);
    simulation.destroy();
  });

  it('bodies are brought in where they were put, taken out, and brought in again', async () => {
    const simulation = await create();
    await simulation.step(20);
    expect(simulation.monitors).toMatchObject({ presentBodies: 3, contacts: 1 });
    const put = async (statuses: number[]) => {
      await simulation.write('statuses', Float64Array.from(statuses));
      await simulation.step(1);
      return simulation.monitors;
    };
    // It lies on the one that rests: a pair that no list had.
    expect(await put([1, 1, 1, 1])).toMatchObject({ presentBodies: 4, contacts: 2 });
    expect(await put([1, 2, 1, 1])).toMatchObject({ presentBodies: 3, removedBodies: 1, contacts: 0 });
    const removed = (await simulation.read('centroids')).slice(3, 6);
    await simulation.step(5);
    expect((await simulation.read('centroids')).slice(3, 6)).toEqual(removed);
    const poses = await simulation.read('poses');
    poses.set([-4, 0, 0.499], 7);
    await simulation.write('poses', poses);
    expect(await put([1, 1, 1, 1])).toMatchObject({ presentBodies: 4, removedBodies: 0, contacts: 1 });
    expect([...(await simulation.read('statuses'))]).toEqual([1, 1, 1, 1]);
    simulation.destroy();
  });

  if (backend === 'gpu')
    it('a speed that float32 turns by no number stops it in one line', async () => {
      const simulation = await create();
      await simulation.write('angularVelocities', ofBall([0, 1e8, 0]));
      await expect(simulation.step(1)).rejects.toThrow(/^step 1: the speed of body 0 is not finite/);
      simulation.destroy();
    });

  it('what was written is in checkpoints', async () => {
    const simulation = await create();
    await simulation.write('gravity', Float64Array.of(0, 1, -5));
    await simulation.write('appliedForces', ofBall([0, MASS, MASS]));
    await simulation.write('appliedTorques', ofBall([MOMENT, 0, 0]));
    await simulation.write('statuses', Float64Array.of(1, 1, 1, 1));
    await simulation.step(10);
    const saved = await simulation.checkpoint();
    await simulation.step(10);
    const resumed = await Simulation.resume(on(), scene, saved, options);
    await resumed.step(10);
    expect(await resumed.checkpoint()).toEqual(await simulation.checkpoint());
    for (const one of [simulation, resumed]) one.destroy();
  });
});

it('a speed that turns a body by no finite angle stops it in one line', async () => {
  const simulation = await Simulation.create(undefined, scene, { threads: 1 });
  await simulation.write(
    'angularVelocities',
    Float64Array.from({ length: 12 }, (_, i) => (i === 1 ? 1e250 : 0)),
  );
  await expect(simulation.step(3)).rejects.toThrow(/^step 1: the speed of body 0 is not finite/);
  simulation.destroy();
});

it('refuses in one line what cannot be written', async () => {
  const simulation = await Simulation.create(undefined, scene, { threads: 1 });
  const write = (quantity: string, ...numbers: number[]) =>
    simulation.write(quantity as never, Float64Array.from(numbers));
  await expect(write('gravity', 1, 2)).rejects.toThrow('write: gravity: 2 numbers found, expected 3');
  await expect(write('gravity', 1, 2, Number.NaN)).rejects.toThrow(
    'gravity: found NaN, expected finite numbers',
  );
  await expect(write('appliedForces', 1)).rejects.toThrow(
    'write: appliedForces: 1 numbers found, expected 12: 3 per body',
  );
  await expect(write('statuses', 1, 0, 0, 1)).rejects.toThrow(
    'write: statuses: body 1 has 0, expected 1 as it is, 1 to bring it in or 2 to take it out',
  );
  await expect(write('gravity', 0, 0, 1e39)).rejects.toThrow(
    'write: gravity is [0,0,1e+39], expected numbers of at most',
  );
  await expect(write('appliedForces', ...Array(11).fill(0), -1e31)).rejects.toThrow(
    'write: appliedForces: body 3 has -1e+31, expected numbers of at most 1e+30',
  );
  await expect(write('masses', 1)).rejects.toThrow(/^write: found "masses", expected poses, velocities, /);
  simulation.destroy();
  const impulses = await Simulation.create(undefined, scene, { threads: 1, response: 'impulses' });
  await expect(
    impulses.write(
      'appliedForces',
      Float64Array.from({ length: 12 }, () => 1),
    ),
  ).rejects.toThrow('write: appliedForces: of a simulation by impulses, expected one by forces');
  impulses.destroy();
});

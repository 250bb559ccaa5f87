/** Calls that are given up, that come together, and that come after the end. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { type Device, openDevice } from '../../src/gpu/device.ts';
import { sharedDevice } from '../support/device.ts';

/** A ball, and another one that lies on a plane. */
const scene: SimulationScene = {
  shapes: [{ kind: 'sphere', radius: 0.5 }, { kind: 'plane' }],
  materials: [{ density: 1000, youngsModulus: 1e6 }],
  bodies: {
    shapes: Uint32Array.of(0, 0, 1),
    poses: Float64Array.of(...[0, 0, 2, 0, 0, 0, 1], ...[2, 0, 0.499, 0, 0, 0, 1], ...[0, 0, 0, 0, 0, 0, 1]),
  },
};

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  let device: Device | undefined;
  beforeAll(async () => {
    if (backend === 'gpu') device = await sharedDevice('software');
  });
  const make = () => Simulation.create(device, scene, { backend, threads: 1 });

  it('hears of an abort within a long call, and stands at a whole step', async () => {
    const [simulation, other] = [await make(), await make()];
    await expect(simulation.step(1e8, { signal: AbortSignal.timeout(100) })).rejects.toThrow(
      /abort|timeout/i,
    );
    const { steps } = simulation.monitors;
    expect(steps).toBeGreaterThan(0);
    await other.step(steps);
    expect(await simulation.checkpoint()).toEqual(await other.checkpoint());
    const aborted = AbortSignal.abort(new Error('too late'));
    await expect(simulation.step(1, { signal: aborted })).rejects.toThrow('too late');
    await expect(Simulation.create(device, scene, { backend, signal: aborted })).rejects.toThrow('too late');
    expect(simulation.monitors.steps).toBe(steps);
    for (const one of [simulation, other]) one.destroy();
  });

  it('takes a step that fails back as a whole, also what contacts remember', async () => {
    // Two balls roll beside two that meet too fast.
    const rolling: SimulationScene = {
      ...scene,
      materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 }],
      bodies: {
        shapes: Uint32Array.of(0, 0, 0, 0, 1),
        poses: Float64Array.from(
          [...[-4, 0.499], ...[4, 0.499], ...[0, 9], ...[1.2, 9], ...[0, 0]].flatMap((x, i, all) =>
            i % 2 === 0 ? [x, 0, all[i + 1]!, 0, 0, 0, 1] : [],
          ),
        ),
        velocities: Float64Array.of(...[-1, 0, 0], ...[1, 0, 0], ...[0, 0, 0], ...[0, 0, 0], ...[0, 0, 0]),
      },
    };
    const [simulation, other] = await Promise.all(
      [0, 1].map(() => Simulation.create(device, rolling, { backend, threads: 1 })),
    );
    const meet = async (one: Simulation, speed: number) => {
      const velocities = await one.read('velocities');
      velocities.set([speed, 0, 0], 6);
      await one.write('velocities', velocities);
    };
    for (const one of [simulation!, other!]) await one.step(40);
    await meet(simulation!, 150);
    await expect(simulation!.step(40)).rejects.toThrow(/overlap|timeStep/);
    await meet(other!, 150);
    await other!.step(simulation!.monitors.steps - 40);
    for (const one of [simulation!, other!]) {
      await meet(one, 0);
      await one.step(1);
    }
    expect(await simulation!.read('angularVelocities')).toEqual(await other!.read('angularVelocities'));
    for (const one of [simulation!, other!]) one.destroy();
  });

  it('refuses rotations that are none, and lists contacts where they were found', async () => {
    const simulation = await make();
    await simulation.step(2);
    const [poses, before] = [await simulation.read('poses'), await simulation.contacts()];
    expect(before.count).toBe(1);
    for (const [quaternion, length] of [
      [[0, 0, 0, 0], '0'],
      [[0, 0, 0, 1.1], '1.1'],
    ] as const) {
      const wrong = poses.slice();
      wrong.set(quaternion, 7 + 3);
      await expect(simulation.write('poses', wrong)).rejects.toThrow(
        `write: poses: body 1 has a quaternion of length ${length}, expected 1 within 0.001`,
      );
    }
    poses[7] = 5;
    await simulation.write('poses', poses);
    const after = await simulation.contacts();
    expect([after.points, after.distances]).toEqual([before.points, before.distances]);
    await simulation.evaluate();
    expect((await simulation.contacts()).points[0]).toBeCloseTo(5, 5);
    simulation.destroy();
  });

  it('makes calls that come together one after the other', async () => {
    const [simulation, other] = [await make(), await make()];
    const velocities = Float64Array.of(...[1, 0, 0], ...[0, 0, 0], ...[0, 0, 0]);
    const [, poses, , , saved] = await Promise.all([
      simulation.step(5),
      simulation.read('poses'),
      simulation.write('velocities', velocities),
      simulation.step(5),
      simulation.checkpoint(),
    ]);
    await other.step(5);
    expect(poses).toEqual(await other.read('poses'));
    await other.write('velocities', velocities);
    await other.step(5);
    expect(saved).toEqual(await other.checkpoint());
    for (const one of [simulation, other]) one.destroy();
  });

  it('ends while calls are under way, and refuses those that come later', async () => {
    const simulation = await make();
    const calls = [
      simulation.step(1e6),
      simulation.read('poses'),
      simulation.checkpoint(),
      simulation.contacts(),
    ];
    const ends = Promise.allSettled(calls);
    await new Promise((resolve) => setTimeout(resolve, 30));
    simulation.destroy();
    simulation.destroy();
    for (const end of await ends)
      expect(String((end as { reason?: unknown }).reason)).toMatch(/was destroyed/);
    for (const call of [() => simulation.step(), () => simulation.evaluate(), () => simulation.read('poses')])
      await expect(call()).rejects.toThrow('this simulation was destroyed; create a new one');
  });

  it('takes a scene without anything that forces move, with a step', async () => {
    const still = {
      ...scene,
      bodies: { shapes: Uint32Array.of(1), poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1) },
    };
    await expect(Simulation.create(device, still, { backend })).rejects.toThrow(
      'timeStep is missing, expected a time above 0: none is recommended, as forces move no body',
    );
    const simulation = await Simulation.create(device, still, { backend, timeStep: 1 });
    await simulation.step(3);
    expect([simulation.time, simulation.monitors.kinetic]).toEqual([3, 0]);
    const saved = await simulation.checkpoint();
    simulation.destroy();
    const other = backend === 'cpu' ? 'gpu' : 'cpu';
    await expect(Simulation.resume(device, still, saved, { backend: other })).rejects.toThrow(
      `checkpoint: of a simulation on the backend ${backend}, found ${other}: their numbers differ`,
    );
  });

  it('refuses numbers that run over, and stops where those of a step do', async () => {
    const gravity = [0, 0, -1e300] as const;
    await expect(Simulation.create(device, { ...scene, gravity }, { backend })).rejects.toThrow(
      /^gravity is /,
    );
    // In float64 they do not.
    if (backend === 'cpu') return;
    const simulation = await make();
    await simulation.write(
      'angularVelocities',
      Float64Array.of(...[0, 1e25, 0], ...[0, 1e25, 0], ...[0, 0, 0]),
    );
    const stopped = await simulation.step(60).catch((error: Error) => error.message);
    expect(stopped).toMatch(/^step \d+: .* (not finite|by more than|overlap)/);
    // It stands at a whole step, of which a call that follows says the same.
    const again = await simulation.step(60).catch((error: Error) => error.message);
    const steps = [stopped, again].map((line) => Number(/^step (\d+)/.exec(line as string)![1]));
    expect(steps[1]).toBeGreaterThanOrEqual(steps[0]!);
    expect(simulation.monitors.steps).toBe(steps[1]);
    expect((await simulation.read('poses')).every(Number.isFinite)).toBe(true);
    simulation.destroy();
  });

  it('refuses more steps than are counted', async () => {
    const simulation = await make();
    await simulation.step(2);
    await expect(simulation.step(2 ** 32 - 2)).rejects.toThrow(
      'step: found 4294967294 after 2 steps, expected at most 4294967295 in all',
    );
    simulation.destroy();
  });

  it('rejects where its device is lost within a call', async () => {
    if (backend === 'cpu') return;
    // A device of its own: those of other tests go on.
    const own = await openDevice({ adapter: 'software' });
    const simulation = await Simulation.create(own, scene, { backend, threads: 1 });
    const calls = Promise.allSettled([simulation.step(1e6), simulation.read('poses')]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    own.handle.destroy();
    for (const end of await calls) {
      expect((end as { reason?: unknown }).reason).toMatchObject({ name: 'DeviceError', message: /lost/ });
    }
    await expect(simulation.step()).rejects.toThrow(/lost/);
    simulation.destroy();
  });
});

/** The scene above with all that callers may change: a ball that moves, and one that presses upwards. */
function changeableScene() {
  const factors = () => [[0, 1] as [number, number], [1, 1] as [number, number]];
  const motion = { velocity: [0, 0, 1] as [number, number, number], factors: factors() };
  const servo = { direction: [0, 0, 1] as const, force: 10, speed: 1, factors: factors() };
  return {
    ...{ materials: scene.materials, margin: 0.1, motion, servo },
    shapes: [{ kind: 'sphere' as const, radius: 0.5 }, { kind: 'plane' as const }],
    names: { shapes: ['ball', 'ground'], bodies: ['falls', 'moves', 'lies', 'presses'] },
    bodies: {
      shapes: Uint32Array.of(0, 0, 1, 0),
      poses: Float64Array.of(...scene.bodies.poses, ...[4, 0, 2, 0, 0, 0, 1]),
      motions: new Map([[1, motion]]),
      servos: new Map([[3, servo]]),
    },
  };
}

/** The poses after some steps, or what was refused. */
async function ending(
  { motion, servo, ...own }: ReturnType<typeof changeableScene>,
  afterCall = () => {},
  afterCreate = () => {},
) {
  const call = Simulation.create(undefined, own, { threads: 1 });
  afterCall();
  try {
    const simulation = await call;
    afterCreate();
    await simulation.step(20);
    const poses = await simulation.read('poses');
    simulation.destroy();
    return poses;
  } catch (error) {
    return (error as Error).message;
  }
}

it.each(['olvang', 'bilateral', 'complementarity'] as const)(
  '%s refuses a device in one line',
  async (response) => {
    const device = await sharedDevice('software');
    await expect(Simulation.create(device, scene, { response, timeStep: 1 / 60 })).rejects.toThrow(
      new RegExp(`^device: found one, expected undefined: the response ${response} is made on the CPU$`),
    );
  },
);

it('a caller who changes the scene right after the call changes nothing', async () => {
  const [one, other] = [changeableScene(), changeableScene()];
  const poses = await ending(one);
  expect(poses).toBeInstanceOf(Float64Array);
  for (const body of [1, 3]) expect(poses[7 * body + 2]).not.toBe(one.bodies.poses[7 * body + 2]);
  const afterCall = () => {
    other.margin = NaN;
    other.names.shapes[0] = 7 as never;
    other.names.bodies.length = 0;
    other.shapes[0] = { kind: 'plane' };
  };
  const afterCreate = () => {
    other.motion.velocity[2] = -1;
    for (const { factors } of [other.motion, other.servo]) factors[0]![1] = -1;
  };
  expect(await ending(other, afterCall, afterCreate)).toEqual(poses);
  // Where there is no model, the engine says what is wrong with the shapes of the call.
  const [wrong, mended] = [0, 0].map(() => ({ ...changeableScene(), shapes: [{ kind: 'blob' } as never] }));
  const refused = await ending(wrong!);
  expect(refused).toMatch(/^ball: .*blob/);
  const mend = () => {
    mended!.names.shapes[0] = 'other';
    mended!.shapes[0] = { kind: 'sphere', radius: 0.5 } as never;
  };
  expect(await ending(mended!, mend)).toBe(refused);
});

it('a scene is made in parts, between which signals are heard', async () => {
  // Each look at the clock is a second after the last one, so every part has taken its time.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  try {
    // After so many turns of the event loop it is given up.
    const givenUpAfter = (turns: number) => {
      const controller = new AbortController();
      let isOver = false;
      const turn = (left: number) => {
        if (left === 0) controller.abort(new Error('given up'));
        else if (!isOver) setTimeout(turn, 0, left - 1);
      };
      turn(turns);
      return Simulation.create(undefined, scene, { threads: 1, signal: controller.signal }).then(
        (simulation) => {
          isOver = true;
          simulation.destroy();
          return false;
        },
        (error: Error) => error.message === 'given up',
      );
    };
    let parts = 0;
    while (await givenUpAfter(parts)) parts++;
    // The model, places, tables, entries, lengths, stages, lists, twelve parts of the digest, the step, what forces
    // need, forces, steps, boxes, and the first contacts.
    expect(parts).toBeGreaterThanOrEqual(27);
  } finally {
    clock.mockRestore();
  }
});

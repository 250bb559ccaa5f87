/** Steps on the GPU against those in float64, and what makes them the same in every run. */
import { describe, expect, it, vi } from 'vitest';
import { ContactKind } from '../../../src/contacts/list/contact-arrays.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';
import { SimulationError } from '../../../src/errors.ts';
import { openDevice } from '../../../src/gpu/device.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { Bench } from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';
import { countHostWaits } from '../../support/host-waits.ts';
import { onBelt } from '../belts.ts';
import { describeRepeatedSpace } from './repeated-space.ts';
import { balls, heap, softer } from './scenes.ts';

const device = useDevice();
const onGpu = (scene: SimulationScene, options: SimulationOptions = {}) =>
  Simulation.create(device(), scene, { backend: 'gpu', threads: 1, ...options });
const onCpu = (scene: SimulationScene, options: SimulationOptions = {}) =>
  Simulation.create(undefined, scene, { threads: 1, ...options });
const largest = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
const bytesOf = async (simulation: Simulation) =>
  Buffer.from(await simulation.checkpoint()).toString('base64');

/** Names of energies. */
const ENERGIES = [
  'kinetic',
  'gravity',
  'elastic',
  'dashpots',
  'friction',
  'rolling',
  'driven',
  'balance',
] as const;
/** Steps until all bodies touch others, and the lid has been down on them. */
const STEPS = 130;

describe('bodies of all kinds', () => {
  it('move as in float64', async () => {
    const [gpu, cpu] = [await onGpu(heap()), await onCpu(heap())];
    await Promise.all([gpu.step(STEPS), cpu.step(STEPS)]);
    const [found, expected] = [gpu.monitors, cpu.monitors];
    expect(expected.contacts).toBeGreaterThan(60);
    expect(Math.abs(expected.driven)).toBeGreaterThan(1);
    expect([found.steps, found.time, found.contacts, found.openContacts]).toEqual([
      ...[STEPS, cpu.time, expected.contacts, 0],
    ]);
    // Depths are off by 2^-20 of a body's size at worst, forces and energies by as much of what they are to each other,
    // and a collision makes ten times of that.
    const scale = expected.kinetic + Math.abs(expected.gravity) + expected.elastic;
    for (const name of ENERGIES)
      expect(Math.abs(found[name] - expected[name]) / scale, name).toBeLessThan(1e-5);
    expect(found.deepestOverlap).toBeCloseTo(expected.deepestOverlap, 5);
    expect(found.largestFrequency / expected.largestFrequency).toBeCloseTo(1, 4);
    for (const what of ['poses', 'velocities', 'angularVelocities'] as const)
      expect(largest(await gpu.read(what), await cpu.read(what)), what).toBeLessThan(1e-4);
    const [contacts, other] = [await gpu.contacts(), await cpu.contacts()];
    expect(contacts.bodies).toEqual(other.bodies);
    expect(contacts.features).toEqual(other.features);
    expect(largest(contacts.points, other.points)).toBeLessThan(1e-4);
    const [between, twins] = [await gpu.contactForces(), await cpu.contactForces()];
    expect(between.bodies).toEqual(twins.bodies);
    const strongest = twins.forces.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(largest(between.forces, twins.forces) / strongest).toBeLessThan(1e-3);
    for (const [one, pairs] of [
      [gpu, between],
      [cpu, twins],
    ] as const) {
      const rest = await one.read('forces');
      for (const [i, x] of pairs.forces.entries()) {
        const [a, b] = [pairs.bodies[2 * Math.floor(i / 3)]!, pairs.bodies[2 * Math.floor(i / 3) + 1]!];
        rest[3 * a + (i % 3)]! += x;
        rest[3 * b + (i % 3)]! -= x;
      }
      // What acts besides is weight, on bodies that forces move.
      const weight = (4 / 3) * Math.PI * 0.9 ** 3 * 1000 * -9.81;
      expect(rest[3 * 2 + 2]! / weight).toBeCloseTo(1, 5);
      const others = rest.filter((_, i) => i % 3 < 2 || i >= 3 * 6);
      for (const x of others) expect(Math.abs(x) / strongest).toBeLessThan(1e-6);
    }
    gpu.destroy();
    cpu.destroy();
  });

  it('take what belts of meshes give along their surfaces, as in float64', async () => {
    const [gpu, cpu] = [await onGpu(onBelt(0.5, 5)), await onCpu(onBelt(0.5, 5))];
    await Promise.all([gpu.step(150), cpu.step(150)]);
    const [found, expected] = [gpu.monitors, cpu.monitors];
    expect(expected.driven).toBeGreaterThan(1000);
    for (const name of ENERGIES)
      expect(Math.abs(found[name] - expected[name]) / expected.driven, name).toBeLessThan(1e-4);
    gpu.destroy();
    cpu.destroy();
  });

  it('are the same, bit for bit, in two runs, resumed, after an abort, and whatever room lists had', async () => {
    const whole = await onGpu(heap());
    await whole.step(STEPS);
    const expected = await bytesOf(whole);
    whole.destroy();
    // Its lists run over in nearly every step at first.
    const parts = await onGpu(heap(), { capacity: { pairs: 1, contacts: 1 } });
    await parts.step(50);
    const saved = await parts.checkpoint();
    const [shown, touching] = [parts.monitors, await parts.contacts()];
    const aborting = new AbortController();
    const stopping = parts.step(1000, {
      signal: aborting.signal,
      onProgress: () => aborting.abort(new Error('enough')),
    });
    await expect(stopping).rejects.toThrow('enough');
    const { steps } = parts.monitors;
    expect(steps).toBeGreaterThan(50);
    expect(steps).toBeLessThanOrEqual(STEPS);
    await parts.step(STEPS - steps);
    expect((await bytesOf(parts)) === expected).toBe(true);
    parts.destroy();
    const resumed = await Simulation.resume(device(), heap(), saved, { backend: 'gpu', threads: 1 });
    expect(resumed.monitors).toEqual(shown);
    expect(resumed.monitors.steps).toBe(50);
    const found = await resumed.contacts();
    expect(found.count).toBeGreaterThan(0);
    for (const name of ['bodies', 'features', 'distances', 'points'] as const)
      expect(found[name], name).toEqual(touching[name]);
    await resumed.step(STEPS - 50);
    expect((await bytesOf(resumed)) === expected).toBe(true);
    resumed.destroy();
    const refused = Simulation.resume(undefined, heap(), saved, { threads: 1, name: 'a.sim' });
    await expect(refused).rejects.toThrow('a.sim: of a simulation on the backend gpu, found cpu');
  });

  it('are those of larger lists where a list of contacts runs over that of pairs has long served', async () => {
    // Balls that fall on fixed ones, all at once, after more steps than a list of pairs is looked after for.
    const over = [0, 2, 4].flatMap((x) => [[x, 0, 2] as const, [x, 0, 3.01] as const]);
    const scene = balls(over, { isStatic: Uint8Array.of(1, 0, 1, 0, 1, 0, 1) });
    const ends = [];
    for (const room of [{}, { capacity: { contacts: 1 } }]) {
      const one = await onGpu({ ...scene, margin: 0.4 }, { timeStep: 1e-3, ...room });
      await one.step(30);
      expect(one.monitors.contacts).toBe(0);
      await one.step(60);
      expect(one.monitors.contacts).toBe(3);
      ends.push(await bytesOf(one));
      one.destroy();
    }
    expect(ends[0] === ends[1]).toBe(true);
  });

  it('may be put anywhere', async () => {
    const [gpu, cpu] = [await onGpu(heap()), await onCpu(heap())];
    for (const one of [gpu, cpu]) {
      await one.step(3);
      const poses = await one.read('poses');
      // The first rock into the ground, turned.
      poses.set([0.1, 0.2, 0.85, 0.6, 0, 0, 0.8]);
      await one.write('poses', poses);
      await one.write('angularVelocities', new Float64Array(24).fill(0.5));
      await one.evaluate();
    }
    expect(gpu.monitors.contacts).toBe(cpu.monitors.contacts);
    expect(gpu.monitors.contacts).toBeGreaterThan(0);
    for (const what of ['forces', 'torques', 'angularVelocities'] as const) {
      const expected = await cpu.read(what);
      const scale = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      expect(largest(await gpu.read(what), expected) / scale, what).toBeLessThan(1e-5);
    }
    gpu.destroy();
    cpu.destroy();
  });
});

describe('a law of a user', () => {
  it('moves bodies as its twin does', async () => {
    const { shapes, materials } = heap();
    const scene: SimulationScene = {
      ...{ shapes, materials, pairs: [{ materials: [0, 0], law: softer }] },
      bodies: {
        // A rock and a ball, which touch, on a plane.
        shapes: Uint32Array.of(0, 2, 4),
        poses: Float64Array.of(
          0.1,
          0.2,
          0.85,
          0.6,
          0,
          0,
          0.8,
          1.95,
          0,
          0.89,
          0,
          0,
          0,
          1,
          0,
          0,
          0,
          0,
          0,
          0,
          1,
        ),
      },
    };
    const [gpu, cpu] = [await onGpu(scene), await onCpu(scene)];
    expect(new Set((await cpu.contacts()).kinds)).toEqual(new Set([ContactKind.patch, ContactKind.plane]));
    await Promise.all([gpu.step(30), cpu.step(30)]);
    const [found, expected] = [gpu.monitors, cpu.monitors];
    expect(expected.elastic).toBeGreaterThan(1);
    for (const name of ENERGIES)
      expect(
        Math.abs(found[name] - expected[name]) / (expected.kinetic + expected.elastic),
        name,
      ).toBeLessThan(1e-5);
    gpu.destroy();
    cpu.destroy();
  });
});

describe('bodies that come and go', () => {
  /** Balls that appear over, beside and in the ground, one of them within another; a step; and a plane that ends it. */
  const scene = (): SimulationScene => {
    const places: [number, number, number][] = [
      [0, 0, 0.52],
      [0.95, 0, 0.5],
      [3, 0, 0.49],
      [5, 0, 2],
      [-3, 0, 0.5],
    ];
    const names = { bodies: ['a', 'near', 'low', 'late', 'fixed', 'floor'] };
    return {
      ...balls(places, {
        velocities: Float64Array.from([0, 0, -0.5, 0, 0, 0, 4, 0.2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]),
        isStatic: Uint8Array.of(0, 0, 0, 0, 1, 0),
        appearsAt: Float64Array.of(0, 0.02, 0.03, 1e9, 0.05, 0),
        gravity: [0, 0, -9.81],
      }),
      removal: [{ point: [3.3, 0, 0], normal: [2, 0, 0] }],
      names,
    };
  };
  const options = { timeStep: 1e-3 };

  it('are there as in float64, with their energies, and in checkpoints', async () => {
    const [gpu, cpu] = [await onGpu(scene(), options), await onCpu(scene(), options)];
    for (const [steps, statuses] of [
      [10, [1, 0, 0, 0, 0, 1]],
      [10, [1, 1, 0, 0, 0, 1]],
      [35, [1, 1, 1, 0, 1, 1]],
      [95, [1, 1, 2, 0, 1, 1]],
    ] as const) {
      await Promise.all([gpu.step(steps), cpu.step(steps)]);
      expect([...(await gpu.read('statuses'))]).toEqual([...statuses]);
      expect([...(await cpu.read('statuses'))]).toEqual([...statuses]);
      const [found, expected] = [gpu.monitors, cpu.monitors];
      for (const name of ['presentBodies', 'removedBodies', 'contacts'] as const)
        expect(found[name], name).toBe(expected[name]);
      // As above: of what there is and what came and went.
      const scale = expected.kinetic + expected.elastic + expected.inserted + expected.removed;
      for (const name of [...ENERGIES, 'inserted', 'removed'] as const)
        expect(Math.abs(found[name] - expected[name]) / scale, name).toBeLessThan(1e-5);
      for (const what of ['poses', 'velocities', 'angularVelocities'] as const)
        expect(largest(await gpu.read(what), await cpu.read(what)), what).toBeLessThan(1e-4);
    }
    // One begins in the ground and another one in a ball, and what leaves is in contact.
    expect(cpu.monitors.inserted).toBeGreaterThan(0);
    expect(cpu.monitors.removed).toBeGreaterThan(0);
    const saved = await gpu.checkpoint();
    await gpu.step(20);
    const expected = await bytesOf(gpu);
    const resumed = await Simulation.resume(device(), scene(), saved, { backend: 'gpu', threads: 1 });
    await resumed.step(20);
    expect((await bytesOf(resumed)) === expected).toBe(true);
    for (const one of [gpu, cpu, resumed]) one.destroy();
  });

  it('have to have room', async () => {
    const blocked = scene();
    blocked.bodies.poses.set([0.1, 0, 0.6], 7);
    const message =
      /^step 20: near appears at 0\.02 and overlaps a by 0\.[89]\d*, expected at most 0\.125: let it/;
    for (const one of [await onGpu(blocked, options), await onCpu(blocked, options)]) {
      await one.step(19);
      const before = one.monitors;
      await expect(one.step(5)).rejects.toMatchObject({ reason: 'blocked', step: 20, bodies: [1, 0] });
      await expect(one.step(5)).rejects.toThrow(message);
      expect(one.monitors).toEqual(before);
      const poses = await one.read('poses');
      poses[8] = 2;
      await one.write('poses', poses);
      await one.step(5);
      expect([...(await one.read('statuses'))]).toEqual([1, 1, 0, 0, 0, 1]);
      one.destroy();
    }
  });
});

describe('float32', () => {
  it('has the momenta of what can be read', async () => {
    // Masses of 2 and moments of 1/3 have inverses that float32 has.
    const count = 70;
    const random = createRandom(12);
    const some = (factor: number) =>
      Float64Array.from({ length: 3 * count }, () => factor * (random() - 0.5));
    const velocities = some(3e3);
    const spins = some(0.1);
    const poses = Float64Array.from({ length: 7 * count }, (_, i) =>
      i % 7 === 0 ? 4 * i : i % 7 === 6 ? 1 : i % 7 < 3 ? 1e5 * random() : 0,
    );
    const gpu = await onGpu(
      {
        shapes: [{ kind: 'box', halfExtents: [0.5, 0.5, 0.5] }],
        materials: [{ density: 2, youngsModulus: 1e6 }],
        gravity: [0, 0, 0],
        bodies: { shapes: new Uint32Array(count), poses, velocities, angularVelocities: spins },
      },
      { timeStep: 1e-6 },
    );
    await gpu.step(3);
    const [at, v, w] = [
      await gpu.read('centroids'),
      await gpu.read('velocities'),
      await gpu.read('angularVelocities'),
    ];
    const [momentum, angular, amounts] = [new Float64Array(3), new Float64Array(3), [0, 0]];
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        const [y, z] = [3 * i + ((k + 1) % 3), 3 * i + ((k + 2) % 3)];
        momentum[k]! += 2 * v[3 * i + k]!;
        angular[k]! += w[3 * i + k]! / 3 + 2 * (at[y]! * v[z]! - at[z]! * v[y]!);
        amounts[0]! += 2 * Math.abs(v[3 * i + k]!);
        amounts[1]! += 2 * Math.abs(at[y]! * v[z]!);
      }
    }
    // Numbers of two float32 keep 2^-44 in each of some sums and products.
    expect(largest(gpu.monitors.momentum, momentum) / amounts[0]!).toBeLessThan(2 ** -40);
    expect(largest(gpu.monitors.angularMomentum, angular) / amounts[1]!).toBeLessThan(2 ** -40);
    gpu.destroy();
  });

  it('loses no slow motion, no small force and no place far away', async () => {
    // In each of 200 steps they move by less than what float32 would round it to.
    const far = 2 ** 16;
    const scene = balls(
      [
        [far, 3, 9],
        [3 - far, 0, 9],
      ],
      {
        gravity: [0, 0, -1e-7],
        velocities: Float64Array.of(1e-6, 0, 0, 0, 3, 0, 0, 0, 0),
        angularVelocities: Float64Array.of(0, 0, 1e-6, 0.3, 1, 0.2, 0, 0, 0),
      },
    );
    const options = { timeStep: 1e-3 };
    const [gpu, cpu] = [await onGpu(scene, options), await onCpu(scene, options)];
    await Promise.all([gpu.step(200), cpu.step(200)]);
    const [found, expected] = [await gpu.read('poses'), await cpu.read('poses')];
    // Steps are off by 2^-23 of their length.
    // Float64 has 2^-36 left there.
    expect(found[0]! - far).toBeCloseTo(2e-7, 10);
    expect((found[2]! - 9) / -2e-9).toBeCloseTo(1, 5);
    expect(found[8]!).toBeCloseTo(0.6, 7);
    expect(found[5]!).toBeCloseTo(1e-7, 13);
    expect(largest(found, expected)).toBeLessThan(1e-6);
    const [a, b] = [gpu.monitors, cpu.monitors];
    expect(a.kinetic / b.kinetic).toBeCloseTo(1, 6);
    for (let k = 0; k < 3; k++) expect(a.momentum[k]).toBeCloseTo(b.momentum[k]!, 2);
    gpu.destroy();
    cpu.destroy();
  });
});

describeRepeatedSpace(device);

describe('the host', () => {
  it('reads once per submission, of up to 64 steps, and waits for nothing else', async () => {
    const gpu = await onGpu(balls([[0, 0, 0.6]]));
    // A GPU that takes no time: submissions have 1, 2, 4, ..., 64 steps.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const { waits } = await countHostWaits(device(), () => gpu.step(127));
      expect(waits).toEqual({ queue: 0, mappings: 8 });
      const again = await countHostWaits(device(), () => gpu.step(64));
      expect(again.waits).toEqual({ queue: 0, mappings: 1 });
    } finally {
      clock.mockRestore();
    }
    expect(gpu.monitors.steps).toBe(191);
    gpu.destroy();
  });

  it('hears why there is no going on, on both backends, and then stands at a whole step', async () => {
    const reasons: Record<string, object> = {
      escape: { reason: 'out-of-bounds', bodies: [0] },
      bounds: { reason: 'out-of-bounds', bodies: [0] },
      overlap: { reason: 'too-deep', bodies: [0, 1] },
      step: { reason: 'step-too-long' },
      balance: { reason: 'energy-balance' },
    };
    const cases: [string, SimulationScene, SimulationOptions, RegExp][] = [
      [
        'escape',
        balls([[262100, 0, 2]], { gravity: [0, 0, 0], velocities: Float64Array.of(900, 0, 0, 0, 0, 0) }),
        {},
        /^step \d+: body 0 is at \[\d+(\.\d+)?, 0, 2\], expected a place from \[-262\d+, .* removal plane take it$/,
      ],
      [
        'bounds',
        {
          ...balls([[0, 0, 2]], { gravity: [0, 0, 0], velocities: Float64Array.of(9, 0, 0, 0, 0, 0) }),
          bounds: { low: [-1, -1, -1], high: [1, 1, 3] },
        },
        {},
        /^step \d+: body 0 is at \[1\.\d+, 0, 2\], expected a place from \[-1, -1, -1\] to \[1, 1, 3\]: close/,
      ],
      [
        'overlap',
        balls([[0, 0, 0.51]], { velocities: Float64Array.of(0, 0, -60, 0, 0, 0) }),
        {},
        /^step \d+: body 0 and body 1 overlap by 0\.\d+, expected at most 0\.250: use a larger youngsModulus/,
      ],
      [
        'step',
        balls([[0, 0, 0.5]], { velocities: Float64Array.of(0, 0, -9, 0, 0, 0) }),
        { timeStep: 0.022 },
        /^step \d+: timeStep is 0\.022, expected at most 0\.0\d+: the stiffest contact.* lasts/,
      ],
      [
        // It swings once in 1.3 steps: its speeds have nothing to do with its places.
        'balance',
        {
          ...balls([[0, 0, 0.52]]),
          bodies: {
            ...balls([[0, 0, 0.52]]).bodies,
            motions: new Map([[1, { amplitude: [0, 0, 0.05], frequency: 1 / (1.3 * 0.005) }]]),
          },
        },
        { timeStep: 0.005 },
        /^step \d+: energies are off by .*, expected at most 10 % of what was turned over.*: use a shorter timeStep/,
      ],
    ];
    for (const [name, scene, options, message] of cases) {
      const [gpu, cpu] = [await onGpu(scene, options), await onCpu(scene, options)];
      const why: SimulationError[] = [];
      for (const one of [gpu, cpu]) await one.step(2000).catch((error) => why.push(error));
      expect(why).toHaveLength(2);
      for (const error of why) {
        expect(error, name).toBeInstanceOf(SimulationError);
        expect(error.message, name).toMatch(message);
        expect(error, name).toMatchObject(reasons[name]!);
      }
      expect(Math.abs(gpu.monitors.steps - cpu.monitors.steps), name).toBeLessThanOrEqual(1);
      for (const [i, one] of [gpu, cpu].entries()) {
        const { step } = why[i]!;
        expect(why[i]!.message.startsWith(`step ${step}: `), name).toBe(true);
        expect(one.monitors.steps, name).toBe(step - 1);
        // A run that ends one step earlier is there, too.
        const whole = await [onGpu, onCpu][i]!(scene, options);
        await whole.step(one.monitors.steps);
        for (const what of ['poses', 'velocities', 'forces'] as const)
          expect(await one.read(what), `${name}: ${what}`).toEqual(await whole.read(what));
        whole.destroy();
      }
      // So are the buffers that are drawn from.
      const { bodies, cell } = gpu.buffers!;
      const bench = new Bench(device());
      const words = await bench.words(bodies, 7);
      const drawn = Float64Array.of(0, 1, 2).map((k) => cell * ((words[k]! | 0) + words[4 + k]! / 2 ** 32));
      expect(largest(drawn, (await gpu.read('poses')).subarray(0, 3)), name).toBeLessThan(1e-6);
      bench.destroy();
      gpu.destroy();
      cpu.destroy();
    }
  });

  it('hears of a speed that is not finite, on both backends', async () => {
    for (const one of [await onGpu(balls([[0, 0, 2]])), await onCpu(balls([[0, 0, 2]]))]) {
      await one.step(2);
      // Finite, but the momentum is not.
      await one.write('angularVelocities', Float64Array.of(0, 0, 1e308, 0, 0, 0));
      await expect(one.step()).rejects.toMatchObject({ reason: 'not-finite', step: 2, bodies: [0] });
      await expect(one.step()).rejects.toThrow(/^step 2: the speed of body 0 is not finite: use a shorter/);
      await one.write('angularVelocities', new Float64Array(6));
      await one.step();
      expect(one.monitors.steps).toBe(3);
      one.destroy();
    }
  });

  it('may end it at any time, as a device that is lost does', async () => {
    const gpu = await onGpu(balls([[0, 0, 0.6]]));
    const stepping = gpu.step(1e6);
    const reading = gpu.read('poses');
    gpu.destroy();
    await expect(stepping).rejects.toThrow('this simulation was destroyed');
    await expect(reading).rejects.toThrow('this simulation was destroyed');
    await expect(gpu.step()).rejects.toThrow('this simulation was destroyed');
    // A device of its own: those of other tests go on.
    const own = await openDevice();
    const other = await Simulation.create(own, balls([[0, 0, 0.6]]), { backend: 'gpu', threads: 1 });
    const pending = other.step(1e6, { onProgress: () => own.handle.destroy() });
    const message = /^the WebGPU device was lost .*; open a new one with openDevice\(\)$/;
    await expect(pending).rejects.toThrow(message);
    await expect(other.step()).rejects.toThrow(message);
    await expect(other.read('poses')).rejects.toThrow(message);
    other.destroy();
  });
});

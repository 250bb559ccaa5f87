import { beforeAll, describe, expect, it } from 'vitest';
import { meshOf } from '../../src/contacts/bodies/check-shapes.ts';
import type { ContactShape, PolyhedronShape } from '../../src/contacts/bodies/contact-shape.ts';
import { contactTables } from '../../src/contacts/pipeline/contact-tables.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/dem/checkpoint/checkpoint.ts';
import { BodyStatus } from '../../src/dem/motion/motion.ts';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import type { Device } from '../../src/gpu/device.ts';
import { readBody } from '../../src/inside/body-file/body-file.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { checksum } from '../../src/mesh/checksum.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { sharedDevice } from '../support/device.ts';
import { heapOf } from './heap.ts';
import { SHAPES } from './packing.ts';

let shapes: readonly ContactShape[];
beforeAll(async () => {
  const [rock, ...others] = SHAPES as readonly [PolyhedronShape, ...ContactShape[]];
  // Its tables are made once, and not for each checkpoint that a test takes up.
  const body = await Polyhedron.create(undefined, meshOf(rock));
  const file = await body.save({ contacts: await contactTables(meshOf(rock)) });
  shapes = [{ ...rock, mesh: await readBody(file, { name: 'rock.body' }) }, ...others];
});

/** Rocks, hulls and balls that fall on each other. */
const heap = (): SimulationScene => ({
  ...heapOf(shapes, 9),
  materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 }],
});

async function hashOf(simulation: Simulation): Promise<string> {
  const bytes = await simulation.checkpoint();
  return Buffer.from(bytes).toString('base64');
}

it('a resumed simulation is the same, bit for bit, on any number of threads', async () => {
  const whole = await Simulation.create(undefined, heap(), { threads: 1 });
  const other = await Simulation.create(undefined, heap(), { threads: 2 });
  await whole.step(150);
  await other.step(150);
  const saved = await other.checkpoint();
  const resumed = await Simulation.resume(undefined, heap(), saved, { threads: 2 });
  expect(resumed.time).toBe(whole.time);
  // What it shows is of this step, and not of the scene's first one.
  expect(resumed.monitors).toEqual(whole.monitors);
  expect(resumed.monitors.contacts).toBeGreaterThan(20);
  const [there, before] = [await resumed.contacts(), await whole.contacts()];
  expect(there.features).toEqual(before.features);
  for (const [i, x] of there.distances.entries()) expect(x).toBeCloseTo(before.distances[i]!, 12);
  expect(await resumed.contactForces()).toEqual(await whole.contactForces());
  await whole.step(100);
  await resumed.step(100);
  expect((await whole.contacts()).count).toBeGreaterThan(50);
  // The whole one made no checkpoint on its way.
  expect((await hashOf(resumed)) === (await hashOf(whole))).toBe(true);
  for (const one of [whole, other, resumed]) one.destroy();
});

it('checkpoints that are damaged, of another version or scene are refused', async () => {
  const simulation = await Simulation.create(undefined, heap(), { threads: 1 });
  const saved = await simulation.checkpoint();
  simulation.destroy();
  const damaged = saved.slice();
  damaged[100]! ^= 1;
  const [older, newer] = [saved.slice(), saved.slice()];
  older[8]!--;
  newer[8]!++;
  const scene = heap();
  const heavier = { ...scene, materials: [{ ...scene.materials[0]!, density: 1001 }] };
  const resume = (bytes: Uint8Array, own = scene) =>
    Simulation.resume(undefined, own, bytes, { threads: 1, name: 'a.sim' });
  await expect(resume(damaged)).rejects.toThrow(/^a.sim: damaged: checksum/);
  await expect(resume(older)).rejects.toThrow('a.sim: format version 12 found, expected 13: begin the');
  await expect(resume(newer)).rejects.toThrow('a.sim: format version 14 found, expected 13: begin the');
  await expect(resume(saved.slice(0, 64))).rejects.toThrow(/^a.sim: damaged/);
  await expect(resume(Uint8Array.from([1, 2]))).rejects.toThrow('a.sim: no checkpoint');
  await expect(resume(saved, heavier)).rejects.toThrow('a.sim: of another scene, found other materials');
});

it('goes on where a lost worker left no list of pairs', async () => {
  const whole = await Simulation.create(undefined, heap(), { threads: 1 });
  await whole.step(150);
  const { numbers, arrays } = decodeCheckpoint(await whole.checkpoint(), 'a.sim');
  whole.destroy();
  const left = Object.fromEntries(Object.entries(arrays).filter(([name]) => !name.startsWith('kept')));
  const [one, other] = await Promise.all(
    [0, 1].map(() => Simulation.resume(undefined, heap(), encodeCheckpoint({ numbers, arrays: left }))),
  );
  expect(one!.monitors.contacts).toBeGreaterThan(5);
  await one!.step(40);
  await other!.step(20);
  const saved = await other!.checkpoint();
  other!.destroy();
  const resumed = await Simulation.resume(undefined, heap(), saved, { threads: 1 });
  await resumed.step(20);
  expect((await hashOf(resumed)) === (await hashOf(one!))).toBe(true);
  for (const simulation of [one!, resumed]) simulation.destroy();
});

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  let device: Device | undefined;
  beforeAll(async () => {
    if (backend === 'gpu') device = await sharedDevice('software');
  });
  const own = { backend, threads: 1 };

  /** A ball on a belt, in front of a wall. */
  const scene: SimulationScene = {
    shapes: [{ kind: 'sphere', radius: 0.5 }, { kind: 'plane' }, { kind: 'box', halfExtents: [0.1, 2, 2] }],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5 }],
    bodies: {
      shapes: Uint32Array.of(0, 1, 2),
      poses: Float64Array.of(...[0, 0, 0.5, 0, 0, 0, 1], ...[0, 0, 0, 0, 0, 0, 1], ...[3, 0, 0, 0, 0, 0, 1]),
      isStatic: Uint8Array.of(0, 0, 1),
      motions: new Map([[1, { surfaceVelocity: [0.1, 0, 0] }]]),
    },
    margin: 0.05,
  };
  const { bodies } = scene;
  const resumed = (saved: Uint8Array, other: Partial<SimulationScene>) =>
    Simulation.resume(device, { ...scene, ...other }, saved, { ...own, name: 'a.sim' });

  it('a checkpoint is of one scene: any part that steps depend on is missed where it differs', async () => {
    const simulation = await Simulation.create(device, scene, own);
    await simulation.step(9);
    const saved = await simulation.checkpoint();
    simulation.destroy();
    const [poses, other] = [bodies.poses.slice(), scene.shapes.slice()];
    poses[0] = 0.1;
    other[2] = { kind: 'box', halfExtents: [0.1, 2, 1] };
    const others: Readonly<Record<string, Partial<SimulationScene>>> = {
      // The step of the checkpoint is too long for these two.
      bodies: { bodies: { ...bodies, isStatic: Uint8Array.of(0, 0, 0) } },
      materials: { materials: [{ ...scene.materials[0]!, youngsModulus: 1e12 }] },
      margin: { margin: 0.5 },
      motions: { bodies: { ...bodies, motions: new Map([[1, { surfaceVelocity: [5, 0, 0] }]]) } },
      poses: { bodies: { ...bodies, poses } },
      velocities: { bodies: { ...bodies, velocities: Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0) } },
      shapes: { shapes: other },
      gravity: { gravity: [0, 0, -9] },
      removal: { removal: [{ point: [0, 0, -1], normal: [0, 0, -1] }] },
    };
    for (const [part, change] of Object.entries(others)) {
      await expect(resumed(saved, change)).rejects.toThrow(
        `a.sim: of another scene, found other ${part}, expected one of this scene`,
      );
    }
  });

  it('bounds and names may be others where a simulation goes on, and hold from there', async () => {
    const bounds = { low: [-9, -9, -9], high: [9, 9, 9] } as const;
    const simulation = await Simulation.create(device, { ...scene, bounds }, own);
    await simulation.step(9);
    const saved = await simulation.checkpoint();
    simulation.destroy();
    const one = await resumed(saved, {
      bounds: { low: [-1, -1, 0.49999], high: [9, 9, 9] },
      names: { bodies: ['the ball', 'the belt', 'the wall'] },
    })
      .then(async (one) => one.step(1).finally(() => one.destroy()))
      .catch((error: Error) => error);
    expect(String(one)).toMatch(
      /^SimulationError: step \d+: the ball is at .*, expected a place from \[-1, -1, 0\.5\]/,
    );
  });

  /** A checkpoint of bodies that touch, edited, with the checksum that goes with it. */
  describe('forged, with the right checksum', () => {
    let saved: Uint8Array<ArrayBuffer>;
    let length: number;
    beforeAll(async () => {
      const simulation = await Simulation.create(device, heap(), own);
      await simulation.step(60);
      saved = await simulation.checkpoint();
      simulation.destroy();
      length = new DataView(saved.buffer).getUint32(16, true);
    });
    const signed = (bytes: Uint8Array<ArrayBuffer>) => {
      const sum = checksum(new Uint32Array(bytes.buffer, 16));
      new DataView(bytes.buffer).setUint32(12, sum, true);
      return bytes;
    };
    /** What comes of it: no message, or one. */
    const outcome = async (bytes: Uint8Array) => {
      try {
        const one = await Simulation.resume(device, heap(), bytes, { ...own, name: 'a.sim' });
        await one.step(2).finally(() => one.destroy());
        for (const quantity of ['poses', 'velocities'] as const)
          if (!(await one.read(quantity).catch(() => new Float64Array())).every(Number.isFinite))
            return 'NaN';
        return '';
      } catch (error) {
        return String(error);
      }
    };
    const isRight = (message: string) =>
      message === '' ||
      /^(InputError: (a\.sim: |timeStep is )|SimulationError: step \d+: )[^\n]*$/.test(message);

    it('any edit of the header is taken, or refused in one line', async () => {
      const random = createRandom(5);
      const wrong: string[] = [];
      let refused = 0;
      for (let run = 0; run < (backend === 'cpu' ? 120 : 30); run++) {
        const bytes = saved.slice();
        bytes[20 + Math.floor(random() * length)] = 32 + Math.floor(random() * 95);
        const message = await outcome(signed(bytes));
        if (message.startsWith('InputError: a.sim: ')) refused++;
        if (!isRight(message)) wrong.push(message);
      }
      for (const size of [0, 2, 2 ** 32 - 1]) {
        const bytes = saved.slice();
        new DataView(bytes.buffer).setUint32(16, size, true);
        const message = await outcome(signed(bytes));
        if (!message.startsWith('InputError: a.sim: ')) wrong.push(message);
      }
      expect(wrong).toEqual([]);
      expect(refused).toBeGreaterThan(10);
    });

    it('what is no number is refused in any array of numbers', async () => {
      const { numbers, arrays } = decodeCheckpoint(saved, 'a.sim');
      const wrong: string[] = [];
      for (const [name, array] of Object.entries(arrays)) {
        // Those of the GPU are words: of the state, of monitors and of springs they are the bits of float32.
        const isFloat32 = ['state', 'monitors', 'contactHistory'].includes(name);
        if (!(array instanceof Float64Array || isFloat32) || array.length === 0) continue;
        const edited = array.slice();
        // A velocity, of a state.
        if (isFloat32) edited[name === 'state' ? 20 : 0] = 0x7fc00000;
        else edited[edited.length - 1] = NaN;
        const bytes = encodeCheckpoint({ numbers, arrays: { ...arrays, [name]: edited } });
        const message = await outcome(bytes);
        if (!/^InputError: a\.sim: \w+: number \d+ is NaN, expected a finite number$/.test(message))
          wrong.push(`${name}: ${message}`);
      }
      expect(wrong).toEqual([]);
    });

    it.runIf(backend === 'cpu')(
      'a body that is gone, beyond the range of positions, is refused too',
      async () => {
        const { numbers, arrays } = decodeCheckpoint(saved, 'a.sim');
        const positions = (arrays.positions as Float64Array).map((x, i) => (i === 3 ? 1e200 : x));
        const statuses = arrays.statuses!.map((status, body) => (body === 1 ? BodyStatus.removed : status));
        const message = await outcome(
          encodeCheckpoint({ numbers, arrays: { ...arrays, positions, statuses } as never }),
        );
        expect(message).toMatch(
          /^InputError: a\.sim: poses: \w+ 1: its position is \[1e\+200,.*, expected coordinates/,
        );
      },
    );

    it('any words in any array are taken, or refused in one line', async () => {
      const { numbers, arrays } = decodeCheckpoint(saved, 'a.sim');
      const random = createRandom(6);
      const wrong: string[] = [];
      for (const [name, array] of Object.entries(arrays)) {
        for (let run = 0; run < (backend === 'cpu' ? 8 : 2); run++) {
          const edited = array.slice();
          const words = new Uint8Array(edited.buffer, edited.byteOffset, edited.byteLength);
          for (let k = 0; k < 4; k++) words[Math.floor(random() * words.length)] = Math.floor(256 * random());
          const message = await outcome(encodeCheckpoint({ numbers, arrays: { ...arrays, [name]: edited } }));
          if (!isRight(message)) wrong.push(`${name}: ${message}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
});

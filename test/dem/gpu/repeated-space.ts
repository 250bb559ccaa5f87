/** Space that repeats, by kernels against float64: tests for a file whose kernels are compiled already. */
import { describe, expect, it } from 'vitest';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { boxMesh } from '../../../src/validate/scenes.ts';
import { CUBE, EDGE, packing, SHAPES } from '../packing.ts';

const options: SimulationOptions = { timeStep: 7e-4, threads: 1 };
const onCpu = (scene: SimulationScene, more: SimulationOptions = {}) =>
  Simulation.create(undefined, scene, { ...options, ...more });
const bytesOf = async (simulation: Simulation) =>
  Buffer.from(await simulation.checkpoint()).toString('base64');
/** Rocks and balls. */
const rocks = () => packing(0, CUBE, [SHAPES[0]!, SHAPES[2]!]);
/** Of a box and three balls. */
const MASSES = 1000 * (8 + 4 * Math.PI) * 0.1 ** 3;
const ENERGIES = [
  ...['kinetic', 'gravity', 'elastic', 'dashpots', 'friction', 'rolling', 'driven', 'balance'],
  ...['inserted', 'removed'],
] as ('kinetic' | 'inserted')[];

/** Holds contacts, places and energies of both together. @param lengths of the box along x, y and z */
async function compare(gpu: Simulation, cpu: Simulation, lengths: readonly number[]): Promise<void> {
  const [found, expected] = [gpu.monitors, cpu.monitors];
  const scale = expected.kinetic + Math.abs(expected.gravity) + expected.elastic + expected.dashpots;
  for (const name of ENERGIES)
    expect(Math.abs(found[name] - expected[name]) / scale, name).toBeLessThan(1e-5);
  const off = (a: number, b: number, k: number) =>
    Math.abs(a - b - lengths[k]! * Math.round((a - b) / lengths[k]!));
  const [contacts, other] = [await gpu.contacts(), await cpu.contacts()];
  for (const name of ['bodies', 'parts', 'kinds', 'features'] as const)
    expect(contacts[name], name).toEqual(other[name]);
  for (const [i, x] of contacts.points.entries()) expect(off(x, other.points[i]!, i % 3)).toBeLessThan(1e-4);
  const [places, otherPlaces] = [await gpu.read('centroids'), await cpu.read('centroids')];
  for (const [i, x] of places.entries()) expect(off(x, otherPlaces[i]!, i % 3)).toBeLessThan(1e-4);
}

export function describeRepeatedSpace(device: () => Device): void {
  const onGpu = (scene: SimulationScene, more: SimulationOptions = {}) =>
    Simulation.create(device(), scene, { backend: 'gpu', ...options, ...more });

  describe('space that repeats', () => {
    it('has the contacts, places and energies of float64', async () => {
      const [gpu, cpu] = [await onGpu(rocks()), await onCpu(rocks())];
      await compare(gpu, cpu, [EDGE, EDGE, EDGE]);
      for (const periodic of [[true, false, true] as const, [false, true, false] as const]) {
        const scene = { ...rocks(), box: { ...CUBE, periodic } };
        const [some, other] = [await onGpu(scene), await onCpu(scene)];
        await compare(some, other, [EDGE, EDGE, EDGE]);
        some.destroy();
        other.destroy();
      }
      const momentum = gpu.monitors.momentum.slice();
      const crossed = new Set<number>();
      let before = await gpu.read('centroids');
      for (let round = 0; round < 2; round++) {
        await Promise.all([gpu.step(15), cpu.step(15)]);
        await compare(gpu, cpu, [EDGE, EDGE, EDGE]);
        const now = await gpu.read('centroids');
        for (const [i, x] of now.entries()) if (Math.abs(x - before[i]!) > EDGE / 2) crossed.add(i);
        before = now;
      }
      expect(crossed.size).toBeGreaterThan(3);
      expect(gpu.monitors.contacts).toBeGreaterThan(100);
      const total = 27 * 1000 * 4 * 5;
      for (const [k, p] of gpu.monitors.momentum.entries())
        expect(Math.abs(p - momentum[k]!)).toBeLessThan(1e-6 * total);
      gpu.destroy();
      cpu.destroy();
    });

    it('is the same, bit for bit, resumed and whatever room lists had', async () => {
      const whole = await onGpu(rocks());
      await whole.step(24);
      const expected = await bytesOf(whole);
      whole.destroy();
      const parts = await onGpu(rocks(), { capacity: { pairs: 1, contacts: 1 } });
      await parts.step(12);
      const saved = await parts.checkpoint();
      await parts.step(12);
      expect((await bytesOf(parts)) === expected).toBe(true);
      parts.destroy();
      const resumed = await Simulation.resume(device(), rocks(), saved, { backend: 'gpu', threads: 1 });
      await resumed.step(12);
      expect((await bytesOf(resumed)) === expected).toBe(true);
      resumed.destroy();
    });

    it('lets walls through its borders, and bodies be driven, appear, leave and be put elsewhere', async () => {
      const box = { low: [-1, -1, 0], high: [1, 1, 4], periodic: [true, true, false] } as const;
      const place = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1];
      const scene: SimulationScene = {
        shapes: [
          { kind: 'sphere', radius: 0.1 },
          { kind: 'plane' },
          { kind: 'polyhedron', mesh: boxMesh(4, 0.2, 0.1) },
          { kind: 'box', halfExtents: [0.1, 0.1, 0.1] },
        ],
        materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.4, rollingFriction: 0.05 }],
        bodies: {
          shapes: Uint32Array.of(0, 3, 0, 0, 0, 2, 1, 3, 0),
          poses: Float64Array.of(
            // One rolls through a border, one slides through it on the wall.
            ...[...place(0.95, -0.5, 0.0999), ...place(0.97, 0.5, 0.2995)],
            // One is pushed by the driven body, across the border.
            ...place(-0.855, 0, 0.0999),
            // One appears beside another across a border, which then is removed.
            ...[...place(0.2, -0.95, 0.0995), ...place(0.22, 0.84, 0.0999)],
            ...[...place(0, 0.5, 0.1), ...place(0, 0, 0), ...place(0.95, 0, 0.11)],
            // One stands, is given outside of the box, and touches the one that appears, across the border.
            ...place(4.02, -1.015, 0.0999),
          ),
          velocities: Float64Array.of(
            ...[2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0],
            ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
          ),
          isStatic: Uint8Array.of(0, 0, 0, 0, 0, 1, 1, 0, 1),
          motions: new Map([[7, { velocity: [2, 0, 0] }]]),
          appearsAt: Float64Array.of(0, 0, 0, 0.01, 0, 0, 0, 0, 0),
        },
        gravity: [1, 0, -9.81],
        removal: [{ point: [0, 0.875, 0], normal: [0, 1, 0] }],
        box,
      };
      const timeStep = 4e-4;
      const [gpu, cpu] = [await onGpu(scene, { timeStep }), await onCpu(scene, { timeStep })];
      for (const steps of [26, 74]) {
        await Promise.all([gpu.step(steps), cpu.step(steps)]);
        await compare(gpu, cpu, [2, 2, 4]);
        const { bodies } = await gpu.contacts();
        if (steps === 26) expect(Array.from(bodies).join()).toMatch(/3,4.*3,8/);
      }
      for (const one of [gpu, cpu]) {
        expect([...(await one.read('statuses'))]).toEqual([1, 1, 1, 1, 2, 1, 1, 1, 1]);
        const poses = await one.read('poses');
        for (const x of [0, 7, 49].map((at) => poses[at]!)) expect(x).toBeLessThan(0);
        // By some boxes: all is as it was, but for gravity's energy.
        for (const at of [0, 7, 14, 21]) {
          poses[at]! += 6;
          poses[at + 1]! -= 4;
        }
        const before = one.monitors;
        await one.write('poses', poses);
        await one.evaluate();
        expect(one.monitors.contacts).toBe(before.contacts);
        expect(one.monitors.gravity - before.gravity).toBeCloseTo(-6 * MASSES, 1);
        await one.step(5);
      }
      await compare(gpu, cpu, [2, 2, 4]);
      gpu.destroy();
      cpu.destroy();
    });
  });
}

/** Steps that get too long for contacts that come up. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import type { Device } from '../../src/gpu/device.ts';
import { sharedDevice } from '../support/device.ts';
import { boxMesh } from '../support/shapes.ts';

const at = (x: number, z: number) => [x, 0, z, 0, 0, 0, 1];
const THIN = 0.002;

/** Two plates fall flat: their faces are far larger than those of a ball of their volume. */
const plates: SimulationScene = {
  shapes: [
    { kind: 'polyhedron', mesh: boxMesh([-0.5, -0.5, -THIN / 2], [0.5, 0.5, THIN / 2]), nodeSpacing: 0.1 },
    { kind: 'plane' },
  ],
  materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 }],
  bodies: {
    shapes: Uint32Array.of(0, 0, 1),
    poses: Float64Array.of(...at(0, 0.51 * THIN), ...at(0, 1.52 * THIN), ...at(0, 0)),
    velocities: Float64Array.of(...[0, 0, -0.1], ...[0.05, 0, -0.1], ...[0, 0, 0]),
  },
};

const STIFFNESS = 3e6;
const APPEARS = 0.012;
/** A ball meets a plane by a law far stiffer than materials tell, a lid swings, and another ball appears later. */
const stiff: SimulationScene = {
  shapes: [{ kind: 'sphere', radius: 0.5 }, { kind: 'plane' }, { kind: 'box', halfExtents: [1, 1, 0.1] }],
  materials: [{ density: 10, youngsModulus: 1e5 }],
  pairs: [
    {
      materials: [0, 0],
      law: {
        name: 'stiff',
        wgsl: `fn stiff(depth: f32, area: f32, p: LawParameters) -> vec3f {
          return vec3f(${STIFFNESS}.0 * depth, ${STIFFNESS}.0, ${STIFFNESS / 2}.0 * depth * depth);
        }`,
        twin: (depth) => [STIFFNESS * depth, STIFFNESS, (STIFFNESS / 2) * depth ** 2],
      },
    },
  ],
  bodies: {
    shapes: Uint32Array.of(0, 1, 2, 0),
    poses: Float64Array.of(...at(0, 0.5005), ...at(0, 0), ...at(0, 9), ...at(4, 4)),
    velocities: Float64Array.of(...[0, 0, -1], ...[0, 0, 0], ...[0, 0, 0], ...[0, 0, 0]),
    motions: new Map([[2, { amplitude: [0, 0, 1], frequency: 20 }]]),
    appearsAt: Float64Array.of(0, 0, 0, APPEARS),
  },
};

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  let device: Device | undefined;
  beforeAll(async () => {
    if (backend === 'gpu') device = await sharedDevice('software');
  });
  const make = (scene: SimulationScene, timeStep?: number) =>
    Simulation.create(device, scene, { backend, threads: 1, timeStep });

  it('one that was chosen by default is halved for thin plates that meet flat', async () => {
    const simulation = await make(plates);
    await simulation.step(60);
    const { halvings, recommendedTimeStep, timeStep, monitors } = simulation;
    expect(halvings.length).toBeGreaterThan(0);
    expect(timeStep).toBe(recommendedTimeStep / 2 ** halvings.length);
    expect(timeStep * monitors.largestFrequency).toBeLessThan(Math.PI / 10);
    expect(monitors.steps).toBe(60);
    simulation.destroy();
    // Who asks for a step has that one or none.
    const asked = await make(plates, recommendedTimeStep);
    await expect(asked.step(60)).rejects.toThrow(/^step \d+: timeStep is 0\.0001\d+, expected at most 0\.0/);
    expect(asked.halvings).toEqual([]);
    asked.destroy();
  });

  it('time goes on where a step is halved, for what moves and what appears, and in resumed runs', async () => {
    const simulation = await make(stiff);
    const { recommendedTimeStep } = simulation;
    const told: number[] = [];
    await simulation.step(30, { onProgress: (done) => told.push(done) });
    const { halvings, monitors } = simulation;
    expect(halvings.length).toBeGreaterThan(1);
    let [time, steps] = [0, 0];
    for (const [i, halving] of halvings.entries()) {
      time += (halving.steps - steps) * (recommendedTimeStep / 2 ** i);
      steps = halving.steps;
      expect(halving.time).toBeCloseTo(time, 12);
      expect(halving.timeStep).toBe(recommendedTimeStep / 2 ** (i + 1));
      expect(2 * halving.timeStep * halving.frequency).toBeGreaterThan(Math.PI / 10);
    }
    expect(monitors.time).toBeCloseTo(time + (30 - steps) * simulation.timeStep, 12);
    expect(simulation.time).toBe(monitors.time);
    expect(told.at(-1)).toBe(30);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    const lid = (await simulation.read('centroids'))[8]!;
    expect(lid - 9).toBeCloseTo(Math.sin(2 * Math.PI * 20 * simulation.time), 5);
    // With the first step that ends at its time or later.
    expect(simulation.time).toBeLessThan(APPEARS);
    const resumed = await Simulation.resume(device, stiff, await simulation.checkpoint(), {
      backend,
      threads: 1,
    });
    expect(resumed.halvings).toEqual(halvings);
    expect(resumed.time).toBe(simulation.time);
    for (const one of [simulation, resumed]) {
      while (one.time < APPEARS - 1e-9) {
        expect((await one.read('statuses'))[3]).toBe(0);
        await one.step();
      }
      expect((await one.read('statuses'))[3]).toBe(1);
      await one.step(20);
    }
    expect(await resumed.checkpoint()).toEqual(await simulation.checkpoint());
    for (const one of [simulation, resumed]) one.destroy();
  });
});

import { describe, expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { LYING, restlessness, SOFT, tower } from './scenes/resting.ts';

const start = (scene: SimulationScene, timeStep?: number) =>
  Simulation.create(undefined, scene, { threads: 1, timeStep });
const stepFor = (simulation: Simulation, time: number) =>
  simulation.step(Math.ceil(time / simulation.timeStep));

describe('bodies come to rest', () => {
  it.each(['sphere', 'box', 'cylinder, upright', 'cylinder, lying', 'cone', 'capsule', 'hull', 'round box'])(
    '%s on a plane: below 1e-5 sqrt(g L)',
    async (name) => {
      const simulation = await start(tower(LYING[name]!, 'plane'));
      await stepFor(simulation, 3);
      expect(await restlessness(simulation)).toBeLessThan(1e-5);
      simulation.destroy();
    },
  );

  it('a cube of triangles on a mesh: below 1e-5 sqrt(g L)', async () => {
    const simulation = await start(tower(LYING.cube!, 'mesh', 1, { ...SOFT, youngsModulus: 2e6 }));
    await stepFor(simulation, 3);
    expect(await restlessness(simulation)).toBeLessThan(1e-5);
    simulation.destroy();
  });

  it('a tower of five boxes: they calm, and what they touch with stays the same', async () => {
    const scene = tower(LYING.box!, 'plane', 5, { ...SOFT, youngsModulus: 3e7 });
    // Turned and shifted against each other, so that patches have up to eight corners.
    for (let i = 1; i <= 5; i++) {
      const angle = 0.03 * ((5 * i) % 4);
      scene.bodies.poses[7 * i + 1] = 0.013 * (((7 * i) % 3) - 1);
      scene.bodies.poses.set([0, 0, Math.sin(angle), Math.cos(angle)], 7 * i + 3);
    }
    const simulation = await start(scene);
    const featuresNow = async () => {
      const { features, count } = await simulation.contacts();
      return features.slice(0, count);
    };
    await stepFor(simulation, 1.5);
    const { balance, dashpots } = simulation.monitors;
    const before = await restlessness(simulation);
    const features = await featuresNow();
    await stepFor(simulation, 2);
    expect(await featuresNow()).toEqual(features);
    expect(Math.abs(simulation.monitors.balance - balance)).toBeLessThan(1e-3 * dashpots);
    expect(await restlessness(simulation)).toBeLessThan(before / 2);
    simulation.destroy();
  });
});

describe('walls of meshes act as planes', () => {
  it.each([
    ['slides', [2, 0.3, 0], 0.5],
    ['bounces', [1.5, 0.4, -2], 0.8],
  ] as const)('a ball that %s over coplanar triangles moves as on a plane', async (_, velocity, height) => {
    const ends: Float64Array[] = [];
    for (const ground of ['plane', 'mesh'] as const) {
      const scene = tower(LYING.sphere!, ground);
      scene.bodies.poses.set([-1, -0.8, height, 0, 0, 0, 1], 7);
      const simulation = await start({
        ...scene,
        bodies: { ...scene.bodies, velocities: Float64Array.of(0, 0, 0, ...velocity) },
      });
      await stepFor(simulation, 1);
      ends.push(
        Float64Array.of(
          ...(await simulation.read('centroids')).subarray(3),
          ...(await simulation.read('velocities')).subarray(3),
          ...(await simulation.read('angularVelocities')).subarray(3),
        ),
      );
      simulation.destroy();
    }
    ends[0]!.forEach((x, k) => {
      expect(Math.abs(x - ends[1]![k]!)).toBeLessThan(1e-12);
    });
  });

  it('a cube that falls flat parts with the restitution that was asked for, and sinks in as far', async () => {
    const [restitution, speed] = [0.5, 2];
    const depths: number[] = [];
    for (const ground of ['plane', 'mesh'] as const) {
      const scene = tower(LYING.cube!, ground, 1, { ...SOFT, youngsModulus: 1e8, restitution, friction: 0 });
      scene.bodies.poses.set([0.3, 0.2, 0.505, 0, 0, 0, 1], 7);
      const simulation = await start({
        ...scene,
        gravity: [0, 0, 0],
        bodies: { ...scene.bodies, velocities: Float64Array.of(0, 0, 0, 0, 0, -speed) },
      });
      let deepest = 0;
      do {
        await simulation.step();
        deepest = Math.max(deepest, simulation.monitors.deepestOverlap);
      } while (deepest === 0 || simulation.monitors.contacts > 0);
      depths.push(deepest);
      const rebound = (await simulation.read('velocities'))[5]! / speed;
      expect(rebound / restitution).toBeGreaterThan(0.98);
      expect(rebound / restitution).toBeLessThan(1.02);
      simulation.destroy();
    }
    expect(depths[1]! / depths[0]!).toBeGreaterThan(0.8);
    expect(depths[1]! / depths[0]!).toBeLessThan(1.2);
  });
});

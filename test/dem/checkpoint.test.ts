import { expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';

/** Rocks, hulls and balls that fall on each other. */
function heap(): SimulationScene {
  const rock = randomRock({ seed: 3, triangles: 80, convex: false });
  const { positions: vertices } = randomRock({ seed: 4, triangles: 28, convex: true });
  const count = 9;
  const poses = new Float64Array(7 * (count + 1));
  for (let i = 0; i < count; i++)
    poses.set([1.9 * (i % 2), 1.9 * ((i >> 1) % 2), 1.1 + 2.2 * (i >> 2), 0, 0, 0, 1], 7 * i);
  poses[7 * count + 6] = 1;
  return {
    shapes: [
      { kind: 'polyhedron', mesh: rock },
      { kind: 'polytope', vertices },
      { kind: 'sphere', radius: 0.9 },
      { kind: 'plane' },
    ],
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, rollingFriction: 0.1 }],
    bodies: { shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === count ? 3 : i % 3)), poses },
  };
}

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
  await expect(resume(older)).rejects.toThrow('a.sim: format version 2 found, expected 3: begin the');
  await expect(resume(newer)).rejects.toThrow('a.sim: format version 4 found, expected 3: begin the');
  await expect(resume(saved.slice(0, 64))).rejects.toThrow(/^a.sim: damaged/);
  await expect(resume(Uint8Array.from([1, 2]))).rejects.toThrow('a.sim: no checkpoint');
  await expect(resume(saved, heavier)).rejects.toThrow('a.sim: of another scene');
});

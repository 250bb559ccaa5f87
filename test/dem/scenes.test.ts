/** Every scene of demos/scenes begins and moves. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { readScene } from '../../src/io/scene/scene.ts';
import { simulationScene } from '../../src/io/scene/simulation-scene.ts';

const folder = resolve(import.meta.dirname, '../../demos/scenes');
const files = readdirSync(folder).filter((file) => /(?<!-sweep)\.json$/.test(file));

async function simulationOf(file: string, timeStep?: number) {
  const scene = await readScene(join(folder, file));
  const own = simulationScene(scene);
  const { timeStep: given, duration } = scene.simulation;
  const simulation = await Simulation.create(undefined, own, { timeStep: timeStep ?? given, threads: 1 });
  return { simulation, names: scene.names.bodies, duration };
}

const moving: string[] = [];
for (const file of files) {
  const { simulation, mechanism } = await readScene(join(folder, file));
  if (simulation.materials.length > 0 && mechanism === undefined) moving.push(file);
}

describe('scenes in motion', () => {
  it('are there', () => {
    const names = ['conveyor', 'cradle', 'drum', 'heap', 'hopper', 'nut-and-bolt', 'stack', 'tumbling-rocks'];
    expect(moving).toEqual(expect.arrayContaining(names.map((name) => `${name}.json`)));
  });

  it.each(moving)('%s takes steps', async (file) => {
    const { simulation, duration } = await simulationOf(file);
    await simulation.step(3);
    expect(simulation.monitors.steps).toBe(3);
    expect(duration).toBeGreaterThan(0);
    simulation.destroy();
  });

  it('the last ball of the cradle takes all of the speed, the others stand', async () => {
    const { simulation, names } = await simulationOf('cradle.json', 1e-4);
    await simulation.step(2500);
    const velocities = await simulation.read('velocities');
    const speeds = new Map(names.map((name, i) => [name, velocities[3 * i]!]));
    expect(speeds.get('ball 3')! / 2).toBeCloseTo(1, 2);
    for (const name of ['first', 'ball 0', 'ball 1', 'ball 2'])
      expect(Math.abs(speeds.get(name)!)).toBeLessThan(0.05);
    simulation.destroy();
  });
});

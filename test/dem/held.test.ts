import { expect, it } from 'vitest';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { crossedEdges, cubeOnSpikes, forks } from './scenes/held.ts';
import { nutOnBolt, PITCH } from './scenes/nut.ts';
import { creepSince, LYING, restlessness, SOFT, tower } from './scenes/resting.ts';

/** How far the last body gets in a time, and how fast it then is. */
async function afterAll(scene: SimulationScene, time: number) {
  const simulation = await Simulation.create(undefined, scene, { threads: 1 });
  const before = await simulation.read('centroids');
  await simulation.step(Math.ceil(time / simulation.timeStep));
  const moved = await creepSince(simulation, before);
  const speed = await restlessness(simulation);
  simulation.destroy();
  return { moved, speed };
}

// How far each sinks in, of its size: points and edges are much softer than faces.
it.each([
  ['forks that hang in each other', forks(), 1.2, 0.05],
  ['edges that cross', crossedEdges(), 0.8, 0.15],
  ['a cube on six spikes, of meshes', cubeOnSpikes(true), 1.2, 0.2],
  ['a box on six cones', cubeOnSpikes(false), 0.5, 0.03],
])('%s hold', async (_, scene, time, most) => {
  const { moved, speed } = await afterAll(scene, time);
  expect(moved).toBeLessThan(most);
  expect(speed).toBeLessThan(1e-3);
});

it('a nut goes down a bolt by its pitch per turn, and never jumps', async () => {
  const simulation = await Simulation.create(undefined, nutOnBolt(1), { threads: 1 });
  let turns = 0;
  const behind: number[] = [];
  while (turns > -0.45) {
    await simulation.step();
    turns += ((await simulation.read('angularVelocities'))[5]! * simulation.timeStep) / (2 * Math.PI);
    const fallen = (await simulation.read('centroids'))[5]! - PITCH;
    behind.push(fallen - PITCH * turns);
  }
  simulation.destroy();
  // It falls through the play and swings in it, by less than a tenth of the pitch.
  expect(Math.min(...behind)).toBeGreaterThan(-0.1 * PITCH);
  const later = behind.slice(behind.length / 2);
  expect(Math.max(...later) - Math.min(...later)).toBeLessThan(0.05 * PITCH);
});

it('a tower 10^5 sizes away moves as one at the origin', async () => {
  const ends: Float64Array[] = [];
  const far = 1e5;
  for (const away of [0, far]) {
    const scene = tower(LYING.box!, 'plane', 3, SOFT);
    for (let body = 0; body < 4; body++) scene.bodies.poses[7 * body]! += away;
    const simulation = await Simulation.create(undefined, scene, { threads: 1 });
    await simulation.step(Math.ceil(0.25 / simulation.timeStep));
    ends.push((await simulation.read('centroids')).map((x, k) => (k % 3 === 0 ? x - away : x)));
    simulation.destroy();
  }
  // Float64 has 2^-37 of a size there.
  ends[0]!.forEach((x, k) => {
    expect(Math.abs(x - ends[1]![k]!)).toBeLessThan(1e-7);
  });
});

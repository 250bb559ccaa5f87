/** Belts: bodies that stand while their surfaces run. */
import { expect, it } from 'vitest';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { onBelt } from './belts.ts';

const after = async (steps: number, friction: number, speed: number) => {
  const simulation = await Simulation.create(undefined, onBelt(friction, speed), { threads: 1 });
  await simulation.step(steps);
  const { monitors } = simulation;
  const poses = await simulation.read('poses');
  simulation.destroy();
  return { monitors, poses };
};

it('without friction a belt of a mesh moves nothing, and gives no energy', async () => {
  const [stands, runs] = [await after(200, 0, 0), await after(200, 0, 5)];
  expect(runs.monitors.contacts).toBeGreaterThan(10);
  expect(runs.monitors.dashpots).toBeGreaterThan(10);
  // Rounding, of numbers that are some thousands.
  expect(Math.abs(runs.monitors.driven)).toBeLessThan(1e-8);
  expect(runs.monitors.dashpots).toBeCloseTo(stands.monitors.dashpots, 8);
  stands.poses.forEach((x, i) => {
    expect(runs.poses[i]).toBeCloseTo(x, 10);
  });
});

it('with friction it takes bodies along, and what it gives is where energies say', async () => {
  const { monitors, poses } = await after(300, 0.5, 2);
  expect(poses[0]).toBeGreaterThan(-0.9);
  expect(monitors.driven).toBeGreaterThan(1000);
  // What a step's length leaves: speeds of 2 along normals would make it 0.3 %.
  expect(Math.abs(monitors.balance) / monitors.driven).toBeLessThan(1e-3);
});

/**
 * Steps by impulses on the GPU in the form for hardware, a thread per pair and a dispatch per colour, on whatever
 * adapter there is: the form that suits software adapters makes one thread of them.
 */
import { expect, it, vi } from 'vitest';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import { sharedDevice } from '../../support/device.ts';
import { balls } from '../gpu/scenes.ts';

vi.mock('../../../src/gpu/blocks/form.ts', async (load) => ({
  ...(await load<typeof import('../../../src/gpu/blocks/form.ts')>()),
  formOf: () => 'workgroup',
}));

it('balls move as in float64, and the same in two runs', async () => {
  const places = Array.from({ length: 12 }, (_, i) => {
    const [x, y] = [0.99 * (i % 2) + 0.01 * (i % 3), 0.99 * (Math.floor(i / 2) % 2)];
    return [x, y, 0.5 + 0.99 * Math.floor(i / 4)] as const;
  });
  const scene = balls(places);
  const device = await sharedDevice('software');
  const make = (backend: 'cpu' | 'gpu') =>
    Simulation.create(backend === 'gpu' ? device : undefined, scene, {
      response: 'impulses',
      backend,
      threads: 1,
    });
  const [gpu, again, cpu] = await Promise.all([make('gpu'), make('gpu'), make('cpu')]);
  for (const one of [gpu, again, cpu]) await one.step(10);
  const [found, expected] = [gpu.monitors, cpu.monitors];
  expect(expected.contacts).toBeGreaterThan(5);
  expect(found.contacts).toBe(expected.contacts);
  const [speeds, twins] = [await gpu.read('velocities'), await cpu.read('velocities')];
  const fastest = twins.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  expect(fastest).toBeGreaterThan(0.01);
  // Each of some hundred impulses is off by a rounding of float32.
  for (const [i, x] of speeds.entries()) expect(Math.abs(x - twins[i]!)).toBeLessThan(1e-3 * fastest);
  for (const name of ['dashpots', 'friction', 'pushed'] as const)
    expect(Math.abs(found[name] / expected[name] - 1), name).toBeLessThan(1e-2);
  expect(await gpu.checkpoint()).toEqual(await again.checkpoint());
  for (const one of [gpu, again, cpu]) one.destroy();
});

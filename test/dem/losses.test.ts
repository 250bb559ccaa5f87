/** What was lost is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { type Device, openDevice } from '../../src/gpu/device.ts';
import { CUBE, packing, SHAPES } from './packing.ts';

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  let device: Device | undefined;
  beforeAll(async () => {
    if (backend === 'gpu') device = await openDevice({ adapter: 'software' });
  });
  afterAll(() => device?.destroy());

  it.each(SHAPES.map((shape) => ({ kind: shape.kind, shape })))(
    'what dashpots and friction took of bodies of kind $kind never grows less',
    {
      timeout: 60_000,
    },
    async ({ shape }) => {
      const { materials, bodies, ...rest } = packing(0, CUBE, [shape]);
      const scene = {
        ...rest,
        materials: [{ ...materials[0]!, rollingFriction: 0 }],
        bodies: { ...bodies, velocities: bodies.velocities!.map((speed) => 0.4 * speed) },
      };
      const simulation = await Simulation.create(device, scene, { backend, threads: 1, timeStep: 0.0008 });
      let last = simulation.monitors;
      const falls: string[] = [];
      for (let step = 1; step <= (backend === 'cpu' ? 400 : 120); step++) {
        await simulation.step();
        const now = simulation.monitors;
        for (const of of ['dashpots', 'friction'] as const)
          if (now[of] < last[of]) falls.push(`${of}: ${last[of]} to ${now[of]} in step ${step}`);
        last = now;
      }
      simulation.destroy();
      expect(falls).toEqual([]);
      expect(Math.min(last.dashpots, last.friction)).toBeGreaterThan(100);
    },
  );
});

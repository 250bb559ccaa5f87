/** What was lost is lost. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import type { Device } from '../../src/gpu/device.ts';
import { sharedDevice } from '../support/device.ts';
import { CUBE, packing, SHAPES } from './packing.ts';

describe.each(['cpu', 'gpu'] as const)('on the %s', (backend) => {
  let device: Device | undefined;
  beforeAll(async () => {
    if (backend === 'gpu') device = await sharedDevice('software');
  });

  it.each(SHAPES.map((shape) => ({ kind: shape.kind, shape })))(
    'what dashpots, friction and rolling took of bodies of kind $kind never grows less',
    async ({ shape }) => {
      const { materials, bodies, ...rest } = packing(0, CUBE, [shape]);
      const scene = {
        ...rest,
        materials: [{ ...materials[0]!, rollingFriction: 0.1, torsionalFriction: 0.05 }],
        bodies: { ...bodies, velocities: bodies.velocities!.map((speed) => 0.4 * speed) },
      };
      const simulation = await Simulation.create(device, scene, { backend, threads: 1, timeStep: 0.0008 });
      let last = simulation.monitors;
      const { kinetic, elastic, balance } = last;
      let [off, pace] = [0, 0];
      const falls: string[] = [];
      for (let step = 1; step <= (backend === 'cpu' ? 400 : 120); step++) {
        await simulation.step();
        const now = simulation.monitors;
        for (const of of ['dashpots', 'friction', 'rolling'] as const)
          if (now[of] < last[of]) falls.push(`${of}: ${last[of]} to ${now[of]} in step ${step}`);
        off = Math.max(off, Math.abs(now.balance - balance));
        pace = Math.max(pace, now.largestFrequency * simulation.timeStep);
        last = now;
      }
      simulation.destroy();
      expect(falls).toEqual([]);
      expect(Math.min(last.dashpots, last.friction)).toBeGreaterThan(100);
      expect(last.rolling).toBeGreaterThan(0);
      // What the account falls short by for a while is an error of the step: of second order.
      expect(off / (kinetic + elastic)).toBeLessThan(pace ** 2);
    },
  );
});

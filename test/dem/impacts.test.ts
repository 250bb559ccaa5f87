import { describe, expect, it } from 'vitest';
import type { Material } from '../../src/dem/materials/materials.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';

const GLASS: Material = {
  density: 2800,
  youngsModulus: 48e9,
  poissonRatio: 0.2,
  restitution: 1,
  friction: 0,
};
const LIMESTONE: Material = {
  density: 2500,
  youngsModulus: 20e9,
  poissonRatio: 0.25,
  restitution: 1,
  friction: 0,
};

/** Two balls that meet head-on, at 2 `speed`. */
async function twoBalls(
  material: Material,
  radius: number,
  speed: number,
  timeStep?: number,
): Promise<Simulation> {
  const gap = 1e-9 * radius;
  return Simulation.create(
    undefined,
    {
      shapes: [{ kind: 'sphere', radius }],
      materials: [material],
      gravity: [0, 0, 0],
      bodies: {
        shapes: new Uint32Array(2),
        poses: Float64Array.of(-radius - gap, 0, 0, 0, 0, 0, 1, radius + gap, 0, 0, 0, 0, 0, 1),
        velocities: Float64Array.of(speed, 0, 0, -speed, 0, 0),
      },
    },
    { threads: 1, timeStep },
  );
}

/** Steps until contact is over: depth, force and time of the contact. */
async function impact(simulation: Simulation, most = 10000) {
  let [depth, force, touching] = [0, 0, 0];
  for (let i = 0; i < most; i++) {
    await simulation.step();
    const { deepestOverlap, contacts } = simulation.monitors;
    if (contacts > 0) touching++;
    else if (touching > 0) break;
    depth = Math.max(depth, deepestOverlap);
    force = Math.max(force, Math.abs((await simulation.read('forces'))[0]!));
  }
  return { depth, force, time: touching * simulation.timeStep };
}

describe('impacts of balls follow Hertz', () => {
  // Y. C. Chung, J. Y. Ooi (2011), tests 1: each ball at 10 m/s.
  it.each([
    ['glass', GLASS, 274.11e-6, 10697, 40.34e-6],
    ['limestone', LIMESTONE, 368.3e-6, 7108, 54.2e-6],
  ] as const)(
    '%s: overlap, force and time of contact within 1 %%',
    async (_, material, depth, force, time) => {
      const simulation = await twoBalls(material, 0.01, 10, time / 400);
      const found = await impact(simulation);
      expect(found.depth / depth).toBeCloseTo(1, 2);
      expect(found.force / force).toBeCloseTo(1, 2);
      expect(found.time / time).toBeCloseTo(1, 2);
      simulation.destroy();
    },
  );

  it.each([0.2, 0.5, 0.8, 1])(
    'balls part with the restitution that was asked for: %f',
    async (restitution) => {
      const simulation = await twoBalls({ ...GLASS, restitution }, 0.01, 3.9, 1e-7);
      await impact(simulation);
      const [v] = await simulation.read('velocities');
      expect(-v! / 3.9).toBeCloseTo(restitution, 2);
      const { balance, kinetic } = simulation.monitors;
      expect(Math.abs(balance / (kinetic / restitution ** 2) - 1)).toBeLessThan(0.01);
      simulation.destroy();
    },
  );
});

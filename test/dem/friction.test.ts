import { describe, expect, it } from 'vitest';
import type { Material } from '../../src/dem/materials/materials.ts';
import type { SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { boxMesh } from './box-mesh.ts';

const G = 9.81;
const withinOnePercent = (ratio: number) => Math.abs(ratio - 1) < 0.01;

/** A ball or box of size 1 on a plane that is level, where gravity is turned by an angle. */
async function onIncline(
  material: Material,
  angle: number,
  options: { kind: 'ball' | 'box'; mu?: number; speed?: number },
) {
  const ball = options.kind === 'ball';
  const height = ball ? 0.5 : 0.5;
  const scene: SimulationScene = {
    shapes: [
      ball ? { kind: 'sphere', radius: 0.5 } : { kind: 'polyhedron', mesh: boxMesh(0.5, 0.5, 0.5) },
      { kind: 'plane' },
    ],
    materials: [material],
    gravity: [G * Math.sin(angle), 0, -G * Math.cos(angle)],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      poses: Float64Array.of(0, 0, height, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
      velocities: Float64Array.of(options.speed ?? 0, 0, 0, 0, 0, 0),
    },
  };
  return Simulation.create(undefined, scene, { threads: 1 });
}

const SOFT: Material = {
  density: 1000,
  youngsModulus: 1e7,
  poissonRatio: 0.3,
  restitution: 0.4,
  friction: 0.3,
};

it('a belt that runs takes a box along by mu g, up to its own speed', async () => {
  const simulation = await Simulation.create(
    undefined,
    {
      shapes: [{ kind: 'polyhedron', mesh: boxMesh(0.5, 0.2, 0.1) }, { kind: 'plane' }],
      materials: [{ ...SOFT, youngsModulus: 1e6, restitution: 0.1 }],
      bodies: {
        shapes: Uint32Array.of(0, 1),
        poses: Float64Array.of(0, 0, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
        motions: new Map([[1, { surfaceVelocity: [1, 0, 0] }]]),
      },
    },
    { threads: 1 },
  );
  await simulation.step(Math.ceil(0.2 / simulation.timeStep));
  expect((await simulation.read('velocities'))[0]! / (0.3 * G * simulation.time)).toSatisfy(withinOnePercent);
  await simulation.step(Math.ceil(0.3 / simulation.timeStep));
  expect((await simulation.read('velocities'))[0]).toBeCloseTo(1, 3);
  // The belt itself stays.
  expect([...(await simulation.read('poses')).subarray(7, 10)]).toEqual([0, 0, 0]);
  simulation.destroy();
});

describe('friction on an incline', () => {
  it('a ball rolls with 5/7 g sin where tan is below 3.5 mu', async () => {
    const angle = Math.atan(0.5);
    const simulation = await onIncline(SOFT, angle, { kind: 'ball' });
    await simulation.step(Math.ceil(0.3 / simulation.timeStep));
    const [v0, t0] = [(await simulation.read('velocities'))[0]!, simulation.time];
    await simulation.step(Math.ceil(0.3 / simulation.timeStep));
    const a = ((await simulation.read('velocities'))[0]! - v0) / (simulation.time - t0);
    expect(a / ((5 / 7) * G * Math.sin(angle))).toSatisfy(withinOnePercent);
    simulation.destroy();
  });

  it('a ball slides and rolls with g (sin - mu cos) where it is steeper', async () => {
    const angle = Math.atan(2);
    const simulation = await onIncline(SOFT, angle, { kind: 'ball' });
    await simulation.step(Math.ceil(0.3 / simulation.timeStep));
    const [v0, t0] = [(await simulation.read('velocities'))[0]!, simulation.time];
    await simulation.step(Math.ceil(0.3 / simulation.timeStep));
    const a = ((await simulation.read('velocities'))[0]! - v0) / (simulation.time - t0);
    expect(a / (G * (Math.sin(angle) - 0.3 * Math.cos(angle)))).toSatisfy(withinOnePercent);
    simulation.destroy();
  });

  it('a box sticks where tan is below mu, and slides with g (sin - mu cos) above', async () => {
    for (const tangent of [0.28, 0.4]) {
      const angle = Math.atan(tangent);
      const simulation = await onIncline({ ...SOFT, youngsModulus: 1e6, restitution: 0.1 }, angle, {
        kind: 'box',
      });
      // It has sunk in and come to rest.
      await simulation.step(Math.ceil(2 / simulation.timeStep));
      const [v0, t0] = [(await simulation.read('velocities'))[0]!, simulation.time];
      await simulation.step(Math.ceil(0.2 / simulation.timeStep));
      const v1 = (await simulation.read('velocities'))[0]!;
      const a = (v1 - v0) / (simulation.time - t0);
      if (tangent < 0.3) expect(Math.abs(v1)).toBeLessThan(1e-3);
      else expect(a / (G * (Math.sin(angle) - 0.3 * Math.cos(angle)))).toSatisfy(withinOnePercent);
      simulation.destroy();
    }
  });

  it('a ball that slides comes to roll at 5/7 of its speed after 2 v / (7 mu g)', async () => {
    const [speed, mu] = [2, 0.3];
    const simulation = await onIncline(SOFT, 0, { kind: 'ball', speed });
    const expected = (2 * speed) / (7 * mu * G);
    let at = 0;
    while (simulation.time < 2 * expected) {
      await simulation.step();
      const slip =
        (await simulation.read('velocities'))[0]! - 0.5 * (await simulation.read('angularVelocities'))[1]!;
      if (at === 0 && slip < 0.01 * speed) at = simulation.time;
    }
    expect(at / expected).toBeGreaterThan(0.97);
    expect(at / expected).toBeLessThan(1.02);
    expect((await simulation.read('velocities'))[0]! / ((5 / 7) * speed)).toSatisfy(withinOnePercent);
    simulation.destroy();
  });
});

import { expect, it } from 'vitest';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { boxMesh } from './box-mesh.ts';

/** Complete elliptic integral of the first kind, by the arithmetic-geometric mean. */
function ellipticK(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

async function freeBox(spin: readonly number[], timeStep: number) {
  return Simulation.create(
    undefined,
    {
      shapes: [{ kind: 'polyhedron', mesh: boxMesh(0.5, 1, 1.5) }],
      materials: [{ density: 1, youngsModulus: 1 }],
      gravity: [0, 0, 0],
      bodies: {
        shapes: new Uint32Array(1),
        poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1),
        angularVelocities: Float64Array.from(spin),
      },
    },
    { threads: 1, timeStep },
  );
}

it('a free body keeps its angular momentum, and its energy but for an error of second order', async () => {
  const errors: number[] = [];
  for (const timeStep of [0.02, 0.01]) {
    const simulation = await freeBox([0.3, 1, 0.2], timeStep);
    const { kinetic, angularMomentum } = simulation.monitors;
    let worst = 0;
    for (let i = 0; i < 20; i++) {
      await simulation.step(0.5 / timeStep);
      worst = Math.max(worst, Math.abs(simulation.monitors.kinetic / kinetic - 1));
    }
    const after = simulation.monitors.angularMomentum;
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(angularMomentum[k]!, 12);
    errors.push(worst);
    simulation.destroy();
  }
  expect(errors[0]).toBeLessThan(1e-4);
  expect(errors[0]! / errors[1]!).toBeGreaterThan(3.8);
});

it('the period of a free turn is 4 K(k) / p', async () => {
  const spin = [0.3, 1, 0.2] as const;
  const timeStep = 0.01;
  const simulation = await freeBox(spin, timeStep);
  // Half axes 1/2, 1, 3/2; volume 6.
  const own = [2 * (1 + 2.25), 2 * (0.25 + 2.25), 2 * (0.25 + 1)];
  const energy = own.reduce((sum, moment, k) => sum + (moment * spin[k]! ** 2) / 2, 0);
  const square = own.reduce((sum, moment, k) => sum + (moment * spin[k]!) ** 2, 0);
  const [i1, i2, i3] = [...own].sort((a, b) => a - b) as [number, number, number];
  // L^2 is below 2 E I2 or above: the axes change their places.
  const [a, c] = square > 2 * energy * i2 ? [i1, i3] : [i3, i1];
  const p = Math.sqrt(((c - i2) * (square - 2 * energy * a)) / (i1 * i2 * i3));
  const k = Math.sqrt(((i2 - a) * (2 * energy * c - square)) / ((c - i2) * (square - 2 * energy * a)));
  const period = (4 * ellipticK(k)) / p;
  // The middle axis' angular velocity in the body's frame is 0 twice in a period.
  const crossings: number[] = [];
  let last: number = spin[1];
  while (crossings.length < 3) {
    await simulation.step();
    const [, , , x, y, z, w] = (await simulation.read('poses')) as unknown as number[];
    const [wx, wy, wz] = (await simulation.read('angularVelocities')) as unknown as [number, number, number];
    const middle =
      2 * (x! * y! - w! * z!) * wx + (1 - 2 * (x! * x! + z! * z!)) * wy + 2 * (y! * z! + w! * x!) * wz;
    if (middle * last < 0) crossings.push(simulation.time - (timeStep * middle) / (middle - last));
    last = middle;
  }
  expect((crossings[2]! - crossings[0]!) / period).toBeCloseTo(1, 3);
  simulation.destroy();
});

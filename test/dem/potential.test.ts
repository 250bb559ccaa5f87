import { expect, it } from 'vitest';
import { quatd } from 'wgpu-matrix';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { createRandom } from '../../src/mesh/random.ts';

it('forces and torques of concave pairs are minus the gradient of their energy', async () => {
  const random = createRandom(9);
  const unit = () => {
    for (;;) {
      const v = [0, 1, 2].map(() => 2 * random() - 1);
      const length = Math.hypot(...v);
      if (length > 0.1 && length < 1) return v.map((x) => x / length);
    }
  };
  const turned = () => Array.from(quatd.fromAxisAngle(unit(), 2 * Math.PI * random()));
  const simulation = await Simulation.create(
    undefined,
    {
      shapes: [{ kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 80, convex: false }) }],
      materials: [{ density: 1, youngsModulus: 1000, poissonRatio: 0, restitution: 1, friction: 0 }],
      gravity: [0, 0, 0],
      margin: 0.2,
      bodies: {
        shapes: new Uint32Array(2),
        poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 1),
      },
    },
    { threads: 1 },
  );
  const poses = new Float64Array(14);
  const at = async (own: Float64Array) => {
    await simulation.write('poses', own);
    await simulation.evaluate();
    return simulation.monitors.elastic;
  };
  const wanted = 20;
  const errors: number[] = [];
  while (errors.length < wanted) {
    const direction = unit();
    const distance = 1.2 + 0.6 * random();
    poses.set([0, 0, 0, ...turned(), ...direction.map((x) => distance * x), ...turned()]);
    const energy = await at(poses);
    const { deepestOverlap } = simulation.monitors;
    if (energy === 0 || deepestOverlap > 0.05) continue;
    // About the origin of body 1's frame.
    const force = (await simulation.read('forces')).slice(3, 6);
    const torque = (await simulation.read('torques')).slice(3, 6);
    const arm = (await simulation.read('centroids')).slice(3, 6).map((x, k) => x - poses[7 + k]!);
    const about = [0, 1, 2].map((k) => {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      return torque[k]! + arm[i]! * force[j]! - arm[j]! * force[i]!;
    });
    const h = 1e-6;
    const differences: number[] = [];
    for (let axis = 0; axis < 6; axis++) {
      const energies: number[] = [];
      for (const sign of [1, -1]) {
        const moved = poses.slice();
        if (axis < 3) moved[7 + axis]! += sign * h;
        else {
          const turn = quatd.fromAxisAngle(
            [0, 1, 2].map((k) => (k === axis - 3 ? 1 : 0)),
            sign * h,
          );
          moved.set(Array.from(quatd.multiply(turn, moved.slice(10, 14))), 10);
        }
        energies.push(await at(moved));
      }
      differences.push((energies[1]! - energies[0]!) / (2 * h));
    }
    const size = Math.hypot(...force) + Math.hypot(...about);
    const found = [...force, ...about];
    errors.push(Math.max(...found.map((x, k) => Math.abs(x - differences[k]!))) / size);
  }
  simulation.destroy();
  errors.sort((a, b) => a - b);
  expect(errors.at(-1)).toBeLessThan(1e-3);
});

/** A pile of rocks, which falls together from a lattice. */

import type { Material } from '../../../src/dem/materials/materials.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { SOFT } from './resting.ts';

/** Concave rocks of 32 triangles, of about 2 in size, over a plane at z = 0. */
export function pile(
  count = 200,
  material: Material = { ...SOFT, rollingFriction: 0.1, torsionalFriction: 0.1 },
): SimulationScene {
  const random = createRandom(11);
  const rocks = [1, 2, 3, 4].map((seed) => randomRock({ seed, triangles: 32, convex: false }));
  const side = 8;
  const poses = [0, 0, 0, 0, 0, 0, 1];
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
    const turn = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const length = Math.hypot(...turn);
    poses.push(2.1 * (x - 3.5), 2.1 * (y - 3.5), 1.1 + 2.1 * z, ...turn.map((one) => one / length));
  }
  return {
    shapes: [{ kind: 'plane' }, ...rocks.map((mesh) => ({ kind: 'polyhedron', mesh }) as const)],
    materials: [material],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0 : 1 + (i % rocks.length))),
      poses: Float64Array.from(poses),
    },
    margin: 0.1,
  };
}

/** Random poses. */
import { vec3d } from 'wgpu-matrix';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { Body } from './brute-force.ts';

/** Draws poses from a seed. */
export class RandomPoses {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  /** A unit quaternion, evenly over all turns (K. Shoemake, "Uniform random rotations", 1992). */
  turn(): number[] {
    const random = this.#random;
    const [a, b, c] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
    const [s, t] = [Math.sqrt(1 - a), Math.sqrt(a)];
    return [s * Math.sin(b), s * Math.cos(b), t * Math.sin(c), t * Math.cos(c)];
  }

  /** A body at a random turn, so far off from a place, in a random direction. */
  placed(solid: PolyhedronArrays, far: number, from: readonly number[] = [0, 0, 0]): Body {
    const way = vec3d.transformQuat([0, 0, far], this.turn());
    return { solid, pose: [...[0, 1, 2].map((k) => from[k]! + way[k]!), ...this.turn()] };
  }
}

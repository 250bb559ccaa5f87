/** Numbers of bodies that contacts read, side by side per body: in separate arrays each read would miss the cache. */

import { share } from '../../workers/shared-memory.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import { angularVelocities } from '../motion/motion.ts';
import type { BodyLaws } from './body-laws.ts';
import { inverse } from './law-tables.ts';

/** Numbers of a body: velocity, angular velocity, centroid; from there to the origin of its shape; then these. */
export const Moving = {
  spin: 3,
  centroid: 6,
  origin: 9,
  inverseMass: 12,
  /** 1 / moment of inertia where all three are equal, else `UNEQUAL`. */
  inverseMoment: 13,
  /** 0 for walls. */
  inverseRadius: 14,
  /** 1 / moment of inertia about a contact, at the body's radius from its centroid; 0 for walls. */
  inverseAtContact: 15,
} as const;
/** As many as two lines of a cache hold. */
export const MOVING = 16;
/** Instead of an inverse moment. */
export const UNEQUAL = -1;

export class MovingBodies {
  /** `[n * MOVING]`, in memory that threads see, as all of these. */
  readonly numbers: Float64Array;
  /** `[n * 4]`: as `MotionState` has them. */
  readonly rotations: Float64Array;
  /** `[n * 3]`: as `BodyLaws.surfaceVelocities`. */
  readonly belts: Float64Array;
  readonly #surfaceVelocities: Float64Array;
  readonly #inertia: Inertia;
  /** `[n * 3]` */
  readonly #spins: Float64Array;

  constructor({ radii, surfaceVelocities }: BodyLaws, inertia: Inertia) {
    const { inverseMasses, inverseMoments } = inertia;
    const count = radii.length;
    this.#inertia = inertia;
    this.#spins = new Float64Array(3 * count);
    this.numbers = share(new Float64Array(MOVING * count));
    this.rotations = share(new Float64Array(4 * count));
    this.belts = share(new Float64Array(3 * count));
    this.#surfaceVelocities = surfaceVelocities;
    for (let body = 0; body < count; body++) {
      const at = MOVING * body;
      const moment = inverseMoments[3 * body]!;
      const areEqual = moment === inverseMoments[3 * body + 1] && moment === inverseMoments[3 * body + 2];
      this.numbers[at + Moving.inverseMass] = inverseMasses[body]!;
      this.numbers[at + Moving.inverseMoment] = areEqual ? moment : UNEQUAL;
      this.numbers[at + Moving.inverseRadius] = inverse(radii[body]!);
      const mass = inverseMasses[body]!;
      if (mass === 0) continue;
      const mean = (moment + inverseMoments[3 * body + 1]! + inverseMoments[3 * body + 2]!) / 3;
      this.numbers[at + Moving.inverseAtContact] = 1 / (1 / mean + radii[body]! ** 2 / mass);
    }
  }

  /** @param poses `[n * 7]`: of the shapes' frames */
  update(state: MotionState, poses: Float64Array): void {
    const spins = this.#spins;
    angularVelocities(state, this.#inertia, spins);
    this.rotations.set(state.rotations);
    this.belts.set(this.#surfaceVelocities);
    const { numbers } = this;
    const { count, velocities, positions } = state;
    for (let body = 0; body < count; body++) {
      const at = MOVING * body;
      const from = 3 * body;
      const pose = 7 * body;
      const x = positions[from]!;
      const y = positions[from + 1]!;
      const z = positions[from + 2]!;
      numbers[at] = velocities[from]!;
      numbers[at + 1] = velocities[from + 1]!;
      numbers[at + 2] = velocities[from + 2]!;
      numbers[at + 3] = spins[from]!;
      numbers[at + 4] = spins[from + 1]!;
      numbers[at + 5] = spins[from + 2]!;
      numbers[at + 6] = x;
      numbers[at + 7] = y;
      numbers[at + 8] = z;
      numbers[at + 9] = poses[pose]! - x;
      numbers[at + 10] = poses[pose + 1]! - y;
      numbers[at + 11] = poses[pose + 2]! - z;
    }
  }
}

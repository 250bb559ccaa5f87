/** Puts driven bodies where they are at a time. */

import { type MotionState, placeBody } from '../motion/motion.ts';
import type { SimulationModel } from './model.ts';
import { prescribedPlace } from './prescribed.ts';

/** Sets places of all driven bodies, the speeds of their centroids, and those of their surfaces. */
export function driveBodies(
  model: Pick<SimulationModel, 'driven' | 'centroids' | 'principal' | 'laws'>,
  state: MotionState,
  time: number,
): void {
  for (const [body, { motion, pose }] of model.driven) {
    const place = prescribedPlace(motion, pose, time);
    const { position, rotation, velocity, angularVelocity } = place;
    model.laws.surfaceVelocities.set(place.surfaceVelocity, 3 * body);
    placeBody(state, model, body, Float64Array.of(...position, ...rotation));
    // The velocity of the centroid.
    const { positions } = state;
    const arm = [0, 1, 2].map((k) => positions[3 * body + k]! - position[k]!);
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const around = angularVelocity[i]! * arm[j]! - angularVelocity[j]! * arm[i]!;
      state.velocities[3 * body + k] = velocity[k]! + around;
      state.momenta[3 * body + k] = angularVelocity[k]!;
    }
  }
}

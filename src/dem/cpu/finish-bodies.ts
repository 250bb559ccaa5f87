/**
 * The end of a step: what bodies carry, the second half of the change of their speeds, and their energies. All of it
 * body by body, as most of the time is that of memory.
 */
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BODY_LOADS, BodyLoad, type BodyLoads } from '../forces/body-loads.ts';
import { angularVelocity, BodyStatus, kickBody, type Loads } from '../motion/motion.ts';
import type { SimulationModel } from '../scene/model.ts';

export interface BodiesEnd {
  readonly model: SimulationModel;
  /** At the end of the step; bodies that were not there before are not `moved`. */
  readonly statuses: Uint8Array;
  readonly moved: Uint8Array;
  /** All that bodies carry: written, unless `losses` is undefined. */
  readonly loads: Loads;
  /** Loads of contacts. Undefined: a step by impulses, which changes speeds and counts its losses itself. */
  readonly losses: BodyLoads | undefined;
  readonly gravity: Vector3;
  /** `[n * 3]`: heights of gravity's energy. */
  readonly start: Float64Array;
  /** What speeds change for. */
  readonly time: number;
}

/** Energies of motion and of gravity, and energy per time that loads take from bodies, or that driven bodies give. */
export type BodySums = Record<'kinetic' | 'gravity' | 'dashpots' | 'friction' | 'rolling' | 'driven', number>;

/** Writes the loads of contacts on a body. */
export function setLoads({ forces, torques }: Loads, { sums }: BodyLoads, body: number): void {
  const from = BODY_LOADS * body;
  const at = 3 * body;
  forces[at] = sums[from]!;
  forces[at + 1] = sums[from + 1]!;
  forces[at + 2] = sums[from + 2]!;
  torques[at] = sums[from + 3]!;
  torques[at + 1] = sums[from + 4]!;
  torques[at + 2] = sums[from + 5]!;
}

/** Adds gravity, and what is applied, to the loads of a body with this inverse mass. */
export function weigh(
  { forces, torques }: Loads,
  applied: Loads,
  body: number,
  inverse: number,
  gravity: Vector3,
): void {
  for (let at = 3 * body, k = 0; k < 3; at++, k++) {
    forces[at]! += gravity[k]! / inverse + applied.forces[at]!;
    torques[at]! += applied.torques[at]!;
  }
}

const spin = new Float64Array(3);

export function finishBodies(end: BodiesEnd): BodySums {
  const { model, statuses, moved, loads, losses, gravity, start, time } = end;
  const { inertia, laws, applied, state } = model;
  const { inverseMasses, isDriven: areDriven } = inertia;
  const { positions, velocities, momenta } = state;
  const { surfaceVelocities: belts } = laws;
  const { forces, torques } = loads;
  const { forces: pushes, torques: twists } = applied;
  const { sums, rolling } = losses ?? NO_LOSSES;
  const [gx, gy, gz] = gravity;
  // Numbers that stay in registers: an object's would be made anew for each body.
  let ofDashpots = 0;
  let ofFriction = 0;
  let ofRolling = 0;
  let driven = 0;
  let kinetic = 0;
  let potential = 0;
  for (let body = 0; body < state.count; body++) {
    const inverse = inverseMasses[body]!;
    const isDriven = areDriven[body] === 1;
    const isPresent = statuses[body] === BodyStatus.present;
    const at = 3 * body;
    if (losses) {
      setLoads(loads, losses, body);
      if (isPresent && inverse !== 0) {
        weigh(loads, applied, body, inverse, gravity);
        if (time > 0 && moved[body] === BodyStatus.present)
          kickBody(state, loads, body, time * inverse, time);
      }
    }
    if ((inverse === 0 && !isDriven) || !isPresent) continue;
    angularVelocity(state, inertia, body, spin);
    const vx = velocities[at]!;
    const vy = velocities[at + 1]!;
    const vz = velocities[at + 2]!;
    const wx = spin[0]!;
    const wy = spin[1]!;
    const wz = spin[2]!;
    if (losses) {
      const d = BODY_LOADS * body + BodyLoad.dashpots;
      const f = BODY_LOADS * body + BodyLoad.friction;
      ofDashpots -= sums[d]! * vx + sums[d + 1]! * vy + sums[d + 2]! * vz;
      ofDashpots -= sums[d + 3]! * wx + sums[d + 4]! * wy + sums[d + 5]! * wz;
      ofFriction -= sums[f]! * vx + sums[f + 1]! * vy + sums[f + 2]! * vz;
      ofFriction -= sums[f + 3]! * wx + sums[f + 4]! * wy + sums[f + 5]! * wz;
      if (rolling) ofRolling -= rolling[at]! * wx + rolling[at + 1]! * wy + rolling[at + 2]! * wz;
      // Impulses count what driven bodies do themselves. Forces along normals do not feel a belt.
      for (let k = 0; k < 3 && isDriven; k++) {
        const belt = belts[at + k]!;
        driven -= forces[at + k]! * velocities[at + k]! + torques[at + k]! * spin[k]!;
        ofDashpots += sums[d + k]! * belt;
        driven += (forces[at + k]! - sums[f + k]!) * belt;
      }
    }
    if (isDriven) continue;
    const linear = (vx * vx + vy * vy + vz * vz) / inverse;
    kinetic += (linear + momenta[at]! * wx + momenta[at + 1]! * wy + momenta[at + 2]! * wz) / 2;
    driven += pushes[at]! * vx + pushes[at + 1]! * vy + pushes[at + 2]! * vz;
    driven += twists[at]! * wx + twists[at + 1]! * wy + twists[at + 2]! * wz;
    const fallen =
      gx * (positions[at]! - start[at]!) +
      gy * (positions[at + 1]! - start[at + 1]!) +
      gz * (positions[at + 2]! - start[at + 2]!);
    potential -= fallen / inverse;
  }
  return {
    ...{ kinetic, gravity: potential, dashpots: ofDashpots, friction: ofFriction },
    ...{ rolling: ofRolling, driven },
  };
}

const NO_LOSSES: BodyLoads = { sums: new Float64Array(0), rolling: undefined };

/** When bodies appear, and where they are removed: the same on the host and for kernels. */
import { BodyStatus } from '../motion/motion.ts';
import type { StepClock } from '../motion/step-clock.ts';
import type { SimulationScene } from './simulation-scene.ts';

/** In times of a step: what rounding may make of a time that is a whole number of steps. */
const STEP_ROUNDING = 1e-6;
const NEVER = 2 ** 32 - 1;

/**
 * `[n]`: the number of steps after which each body appears: the first that ends at its time or later. 0: from the
 * start.
 */
export function appearanceSteps(appearsAt: Float64Array, { timeStep, extra }: StepClock): Uint32Array {
  return Uint32Array.from(appearsAt, (time) =>
    Math.min(NEVER, Math.max(0, Math.ceil(time / timeStep - STEP_ROUNDING) - extra)),
  );
}

/** `[n]`: `BodyStatus` before the first step. */
export function statusesAtFirst(appearsAfter: Uint32Array): Uint8Array {
  return Uint8Array.from(appearsAfter, (steps) => (steps === 0 ? BodyStatus.present : BodyStatus.absent));
}

/** `[k * 6]`: point and normal of each plane. */
export function removalPlanes({ removal = [] }: SimulationScene): Float64Array {
  return Float64Array.from(removal.flatMap(({ point, normal }) => [...point, ...normal]));
}

/** Whether a place is beyond one of the planes. */
export function isBeyond(planes: Float64Array, x: number, y: number, z: number): boolean {
  for (let at = 0; at < planes.length; at += 6) {
    const [nx, ny, nz] = [planes[at + 3]!, planes[at + 4]!, planes[at + 5]!];
    if (nx * (x - planes[at]!) + ny * (y - planes[at + 1]!) + nz * (z - planes[at + 2]!) > 0) return true;
  }
  return false;
}

/** Checks of what a checkpoint holds: who knows the format may have changed it, checksum and all. */
import { QUATERNION_NORM_TOLERANCE } from '../../convex/constants.ts';
import { InputError } from '../../errors.ts';
import { BodyStatus, type Loads, type MotionState } from '../motion/motion.ts';
import type { StoredState } from './checkpoint.ts';

/** Kind and length that a stored array has to have. Float64 have to be finite. */
export interface StoredRule {
  readonly type: 'Float64Array' | 'Uint32Array' | 'Uint8Array';
  readonly length: number;
  /** Words have to be below this number. Default: any may be there. */
  readonly below?: number;
  /** Words are the bits of float32, which are finite. */
  readonly isFloat32?: boolean;
}

/** Rules for some arrays. */
export const floats = (length: number): StoredRule => ({ type: 'Float64Array', length });
export const words = (length: number, below?: number): StoredRule => ({
  ...{ type: 'Uint32Array', length },
  ...(below !== undefined && { below }),
});
export const bytes = (length: number, below: number): StoredRule => ({ type: 'Uint8Array', length, below });

/** Of lists, the length that others go by: how many whole items of so many numbers there are. */
export function itemsOf({ arrays }: StoredState, name: string, size: number): number {
  return Math.floor((Object.hasOwn(arrays, name) ? arrays[name]!.length : 0) / size);
}

/**
 * @param name for messages
 * @param numbers that have to be there. Those that are there are finite.
 * @throws InputError for the first number that is missing, and the first array that does not keep its rule
 */
export function requireStored(
  { numbers: found, arrays }: StoredState,
  name: string,
  numbers: readonly string[],
  rules: Readonly<Record<string, StoredRule>>,
): void {
  const missing = numbers.find((one) => !Object.hasOwn(found, one));
  if (missing !== undefined) throw new InputError(`${name}: ${missing} is missing, expected a number`);
  for (const [own, rule] of Object.entries(rules)) {
    const { type, length } = rule;
    const array = Object.hasOwn(arrays, own) ? arrays[own]! : undefined;
    if (array === undefined) throw new InputError(`${name}: ${own} is missing, expected a ${type}`);
    const { name: other } = array.constructor;
    if (other !== type || array.length !== length) {
      throw new InputError(
        `${name}: ${own}: a ${other} of ${array.length} found, expected a ${type} of ${length}`,
      );
    }
    const { below = Infinity, isFloat32 } = rule;
    const values = isFloat32 ? new Float32Array(array.buffer, array.byteOffset, length) : array;
    // NaN is below nothing.
    const at = (values as Float64Array).findIndex((x) => !(x < below && x > -Infinity));
    if (at < 0) continue;
    const expected = below === Infinity ? 'a finite number' : `a number below ${below}`;
    throw new InputError(`${name}: ${own}: number ${at} is ${values[at]}, expected ${expected}`);
  }
}

/** @throws InputError for bodies whose numbers are none, or whose rotations are no unit quaternions */
export function requireBodies(
  state: MotionState & Loads & { readonly statuses: Uint8Array },
  name: string,
): void {
  const { count, statuses, positions, rotations, velocities, momenta, forces, torques } = state;
  for (const [own, array] of Object.entries({ positions, rotations, velocities, momenta, forces, torques })) {
    const at = array.findIndex((x) => !Number.isFinite(x));
    if (at < 0) continue;
    throw new InputError(`${name}: ${own}: number ${at} is ${array[at]}, expected a finite number`);
  }
  for (let body = 0; body < count; body++) {
    const length = Math.hypot(...rotations.subarray(4 * body, 4 * body + 4));
    if (Math.abs(length - 1) > QUATERNION_NORM_TOLERANCE) {
      throw new InputError(
        `${name}: rotations: that of body ${body} has the length ${length}, ` +
          `expected 1 within ${QUATERNION_NORM_TOLERANCE}`,
      );
    }
    if (statuses[body]! <= BodyStatus.removed) continue;
    throw new InputError(`${name}: statuses: number ${body} is ${statuses[body]}, expected a number below 3`);
  }
}

/** Gravity of a scene at a time, for callers outside of steps. */
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { requireGravity } from './check-scene.ts';
import type { Gravity } from './simulation-scene.ts';
import { gravityAt as gravityOf } from './time-table.ts';

/**
 * Gravity of a scene at a time.
 *
 * @param gravity as the scene has it: a vector, or a table over time
 * @param time in the scene's unit, finite; before the first row and after the last these hold
 * @returns x, y, z
 * @throws InputError if gravity is neither, or the time is not finite
 */
export function gravityAt(gravity: Gravity, time: number): Vector3 {
  requireGravity('gravity', gravity);
  if (!Number.isFinite(time)) throw new InputError('gravityAt: time: expected a finite number');
  return gravityOf(gravity, time);
}

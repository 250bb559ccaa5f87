/** Numbers that change over simulated time: rows of a time and numbers, in order of time. */
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { Gravity, GravityRow } from './simulation-scene.ts';

type TimeTable = readonly (readonly number[])[];

/**
 * A number at a time: linear between two rows, constant before the first and after the last.
 *
 * @param column place of the number in a row, from 1
 */
export function valueAt(table: TimeTable, time: number, column = 1): number {
  const after = table.findIndex(([t]) => t! > time);
  if (after <= 0) return table.at(after)![column]!;
  const [one, next] = [table[after - 1]!, table[after]!];
  return one[column]! + ((next[column]! - one[column]!) * (time - one[0]!)) / (next[0]! - one[0]!);
}

/** The integral over time of the first number, from the first row's time on. */
export function integralUpTo(table: TimeTable, time: number): number {
  const [start, first] = table[0] as readonly [number, number];
  if (time <= start) return first * (time - start);
  let sum = 0;
  for (const [i, row] of table.entries()) {
    const [t, value] = row as readonly [number, number];
    if (t >= time) break;
    const end = Math.min(time, table[i + 1]?.[0] ?? time);
    // A line's integral is its middle times its length.
    sum += ((value + valueAt(table, end)) / 2) * (end - t);
  }
  return sum;
}

/** Gravity of a scene, in its unit, at a time in seconds: as it stands, or between the rows of a table. */
export function gravityAt(gravity: Gravity, time: number): Vector3 {
  if (!changes(gravity)) return gravity;
  return [valueAt(gravity, time, 1), valueAt(gravity, time, 2), valueAt(gravity, time, 3)];
}

/** Of any time: between two rows it is less than in one of them. */
export function largestGravity(gravity: Gravity): number {
  if (!changes(gravity)) return Math.hypot(...gravity);
  return gravity.reduce((most, [, ...vector]) => Math.max(most, Math.hypot(...vector)), 0);
}

/** Whether it is a table. */
export function changes(gravity: Gravity): gravity is readonly GravityRow[] {
  return Array.isArray(gravity[0]);
}

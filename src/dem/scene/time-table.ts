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
  const after = rowsUpTo(table, time);
  if (after === 0 || after === table.length) return table[Math.max(after - 1, 0)]![column]!;
  const [one, next] = [table[after - 1]!, table[after]!];
  return one[column]! + ((next[column]! - one[column]!) * (time - one[0]!)) / (next[0]! - one[0]!);
}

/** How many rows are of this time or earlier: each step asks, so long tables are halved and not gone through. */
function rowsUpTo(table: TimeTable, time: number): number {
  let [low, high] = [0, table.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle]![0]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The integral over time of the first number, from the first row's time on. */
export function integralUpTo(table: TimeTable, time: number): number {
  const [start, first] = table[0] as readonly [number, number];
  if (time <= start) return first * (time - start);
  // A line's integral is its middle times its length.
  const last = rowsUpTo(table, time) - 1;
  let sum = ((table[last]![1]! + valueAt(table, time)) / 2) * (time - table[last]![0]!);
  for (let i = 0; i < last; i++) {
    const [one, next] = [table[i]!, table[i + 1]!];
    sum += ((one[1]! + next[1]!) / 2) * (next[0]! - one[0]!);
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

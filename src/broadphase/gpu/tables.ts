/** Bodies and entries as kernels read them. */
import { sizeOf } from 'typegpu/data';
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { WORD } from '../../gpu/words.ts';
import { ContactBody, EntryFilter, EntryPlace } from '../broad-phase-layout.ts';
import type { Entries, EntryPlaces } from '../entries.ts';

const BODY = sizeOf(ContactBody) / WORD;
const PLACE = sizeOf(EntryPlace) / WORD;
const FILTER = sizeOf(EntryFilter) / WORD;

/**
 * Bodies as `ContactBody`. Positions are rounded down to 2^-32 of a cell, so none leaves the range of cells.
 *
 * @param poses `[n * 7]`: position, and quaternion x, y, z, w, within the range of cells (`firstOutOfRange`)
 * @param isStatic `[n]`
 * @param absent `[n]`: 1 for bodies that are not there
 */
export function packBodies(
  poses: Float32Array | Float64Array,
  isStatic: Uint8Array,
  cell: number,
  absent?: Uint8Array,
): Uint32Array<ArrayBuffer> {
  const count = poses.length / 7;
  const words = new Uint32Array(BODY * count);
  const floats = new Float32Array(words.buffer);
  for (let body = 0; body < count; body++) {
    const at = BODY * body;
    for (let axis = 0; axis < 3; axis++) {
      const place = poses[7 * body + axis]! / cell;
      const whole = Math.floor(place);
      words[at + axis] = whole;
      // Just below a whole number the difference is rounded to 1.
      words[at + 4 + axis] = Math.min((place - whole) * 2 ** 32, 2 ** 32 - 1);
    }
    words[at + 3] = (isStatic[body]! === 0 ? 0 : 1) | (absent?.[body] === 1 ? 2 : 0);
    for (let i = 0; i < 4; i++) floats[at + 8 + i] = poses[7 * body + 3 + i]!;
  }
  return words;
}

/** Entries as `EntryPlace`. */
export function packPlaces({
  count,
  bodies,
  middles,
  halfAxes,
  radii,
}: EntryPlaces): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(PLACE * count);
  const floats = new Float32Array(words.buffer);
  for (let entry = 0; entry < count; entry++) {
    const at = PLACE * entry;
    const middle = middles.subarray(3 * entry, 3 * entry + 3);
    const half = halfAxes.subarray(9 * entry, 9 * entry + 9);
    floats.set(middle, at);
    floats[at + 3] = radii[entry]! * FLOAT32_UPWARDS;
    for (let axis = 0; axis < 3; axis++) floats.set(half.subarray(3 * axis, 3 * axis + 3), at + 4 + 4 * axis);
    words[at + 7] = bodies[entry]!;
    floats[at + 11] = (Math.hypot(...middle) + Math.hypot(...half)) * FLOAT32_UPWARDS;
  }
  return words;
}

/** Entries as `EntryFilter`. */
export function packFilters({
  count,
  bodies,
  groups,
  masks,
  apart,
  isStatic,
}: Entries): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(FILTER * count);
  for (let entry = 0; entry < count; entry++) {
    const mask = masks?.[entry] ?? 2 ** 32 - 1;
    const flags = isStatic[entry]! | ((apart?.[entry] ?? 0) << 1);
    words.set([bodies[entry]!, groups?.[entry] ?? 1, mask, flags], FILTER * entry);
  }
  return words;
}

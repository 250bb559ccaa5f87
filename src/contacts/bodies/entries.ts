/** Entries of the broad phase: all colliders but planes, which have no box. */
import { type EntryPlaces, numbersTo, placeEntries } from '../../broadphase/entries.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

export interface ContactEntries {
  /** `[n]`: the collider of each entry, in ascending order. */
  readonly colliders: Uint32Array;
  /** In the frames of bodies. */
  readonly places: EntryPlaces;
}

export function makeEntries({ count, kinds, bodies, places, boxes, radii }: Colliders): ContactEntries {
  const colliders = numbersTo(count).filter((collider) => kinds[collider] !== ColliderKind.plane);
  const own = { boxes: new Float64Array(6 * colliders.length), radii: new Float64Array(colliders.length) };
  for (let entry = 0; entry < colliders.length; entry++) {
    const collider = colliders[entry]!;
    for (let k = 0; k < 6; k++) own.boxes[6 * entry + k] = boxes[6 * collider + k]!;
    own.radii[entry] = radii[collider]!;
  }
  return { colliders, places: placeEntries({ bodies, places, colliders, ...own }) };
}

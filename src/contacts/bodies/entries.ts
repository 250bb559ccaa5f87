/** Entries of the broad phase: all colliders but planes, which have no box. */
import { numbersTo, placeEntries, reachesOf } from '../../broadphase/entries.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

/** One entry per place in each array, in the order of colliders. */
export interface ContactEntries {
  readonly count: number;
  readonly colliders: Uint32Array;
  /** `[n * 6]`: middle and half extents in the collider's frame. */
  readonly boxes: Float64Array;
  /** `[n]`: radius of a ball about the middle. */
  readonly radii: Float64Array;
}

export function makeEntries({ count, kinds, boxes, radii }: Colliders): ContactEntries {
  const isEntry = (collider: number) => kinds[collider] !== ColliderKind.plane;
  const colliders = numbersTo(count).filter(isEntry);
  return {
    ...{ count: colliders.length, colliders },
    boxes: new Float64Array(6 * colliders.length).map(
      (_, i) => boxes[6 * colliders[Math.floor(i / 6)]! + (i % 6)]!,
    ),
    radii: new Float64Array(colliders.length).map((_, i) => radii[colliders[i]!]!),
  };
}

/** `[bodies]`: how far colliders reach from the origins of their bodies. */
export function bodyReaches(colliders: Colliders, bodies: number): Float64Array {
  return reachesOf(placeEntries({ ...colliders, colliders: numbersTo(colliders.count) }), bodies);
}

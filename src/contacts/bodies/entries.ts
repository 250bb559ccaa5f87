/** Entries of the broad phase: all colliders but planes, which have no box. */
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
  const isEntry = (_: number, collider: number) => kinds[collider] !== ColliderKind.plane;
  const colliders = Uint32Array.from({ length: count }, (_, collider) => collider).filter(isEntry);
  return {
    ...{ count: colliders.length, colliders },
    boxes: boxes.filter((_, i) => isEntry(0, Math.floor(i / 6))),
    radii: radii.filter(isEntry),
  };
}

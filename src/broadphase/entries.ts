/** Entries: what the broad phase finds pairs of. Each collider that has a box is one. */
import { mat3d, quatd, vec3d } from 'wgpu-matrix';

/** Which entries may pair: one number per entry in each array. */
export interface Entries {
  readonly count: number;
  /** `[n]`: the body. Entries of one body never pair. */
  readonly bodies: Uint32Array;
  /** `[n]`: 1 for entries of static bodies: no two of them pair. */
  readonly isStatic: Uint8Array;
  /** `[n]`: a and b pair only if `groups[a] & masks[b]` and `groups[b] & masks[a]` both have a bit. Default: all do. */
  readonly groups?: Uint32Array | undefined;
  readonly masks?: Uint32Array | undefined;
  /** `[n]`: two that share a bit do not pair. Default 0. */
  readonly apart?: Uint8Array | undefined;
}

/** Where entries lie in the frames of their bodies. A length is one of the scene. */
export interface EntryPlaces {
  readonly count: number;
  /** `[n]`: the body, in ascending order. */
  readonly bodies: Uint32Array;
  /** `[n * 3]`: middle of its box. */
  readonly middles: Float64Array;
  /** `[n * 9]`: the box's three half axes, one after the other. */
  readonly halfAxes: Float64Array;
  /** `[n]`: radius of a ball about the middle that holds the entry as well: a box is cut where the ball is narrower. */
  readonly radii: Float64Array;
}

export interface EntryInput {
  /** `[c]`: the body of each collider. */
  readonly bodies: Uint32Array;
  /** `[c * 7]`: its place in the body's frame: position, and unit quaternion x, y, z, w. */
  readonly places: Float64Array;
  /** `[n]`: the collider of each entry, in ascending order. */
  readonly colliders: Uint32Array;
  /** `[n * 6]`: the entry's box in the collider's frame: middle and half extents. */
  readonly boxes: Float64Array;
  /** `[n]`: radius of a ball about the box's middle that holds the entry. Default: half the diagonal. */
  readonly radii?: Float64Array | undefined;
}

/** Entries of colliders, in the frames of the bodies. */
export function placeEntries({ bodies, places, colliders, boxes, radii }: EntryInput): EntryPlaces {
  const count = colliders.length;
  const placed = {
    count,
    bodies: Uint32Array.from(colliders, (collider) => bodies[collider]!),
    middles: new Float64Array(3 * count),
    halfAxes: new Float64Array(9 * count),
    radii: new Float64Array(count),
  };
  const { middles, halfAxes } = placed;
  // Room that serves again: millions of views of arrays would take seconds, in which no signal is heard.
  const [turn, rotation, middle] = [quatd.create(), mat3d.create(), vec3d.create()];
  for (let entry = 0; entry < count; entry++) {
    const place = 7 * colliders[entry]!;
    const box = 6 * entry;
    for (let k = 0; k < 4; k++) turn[k] = places[place + 3 + k]!;
    mat3d.fromQuat(quatd.normalize(turn, turn), rotation);
    for (let k = 0; k < 3; k++) middle[k] = boxes[box + k]!;
    vec3d.transformMat3(middle, rotation, middle);
    for (let k = 0; k < 3; k++) middles[3 * entry + k] = middle[k]! + places[place + k]!;
    for (let axis = 0; axis < 3; axis++) {
      // wgpu-matrix keeps a column in four numbers.
      for (let k = 0; k < 3; k++)
        halfAxes[9 * entry + 3 * axis + k] = rotation[4 * axis + k]! * boxes[box + 3 + axis]!;
    }
    placed.radii[entry] = radii?.[entry] ?? lengthAt(boxes, box + 3);
  }
  return placed;
}

/** 0 to count - 1. Unlike `from` of a length it makes no object of as many fields. */
export function numbersTo(count: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(count).map((_, number) => number);
}

function lengthAt(vectors: Float64Array, at: number): number {
  const [x, y, z] = [vectors[at]!, vectors[at + 1]!, vectors[at + 2]!];
  return Math.sqrt(x * x + y * y + z * z);
}

/** `[bodies]`: how far a point of any of its entries can be from a body's origin: as far as a turn can move it. */
export function reachesOf({ count, bodies, middles, radii }: EntryPlaces, bodyCount: number): Float64Array {
  const reaches = new Float64Array(bodyCount);
  for (let entry = 0; entry < count; entry++) {
    const reach = lengthAt(middles, 3 * entry) + radii[entry]!;
    const body = bodies[entry]!;
    if (reach > reaches[body]!) reaches[body] = reach;
  }
  return reaches;
}

/** Rounding of half axes, relative: far less than boxes are grown for rounding. */
const AXIS_ROUNDING = 2 ** -49;

/**
 * `[bodies]`: the same of boxes that bodies' entries are cut to. A ball takes up the same room however it turns, so its
 * turns count for where its middle is alone: balls that roll would have their lists made twice as often.
 */
export function boxReachesOf(places: EntryPlaces, bodyCount: number): Float64Array {
  const { halfAxes, radii } = places;
  const lengthOf = (entry: number, axis: number) => lengthAt(halfAxes, 9 * entry + 3 * axis);
  const least = (entry: number) => Math.min(lengthOf(entry, 0), lengthOf(entry, 1), lengthOf(entry, 2));
  const own = radii.map((radius, entry) => (radius <= least(entry) * (1 + AXIS_ROUNDING) ? 0 : radius));
  return reachesOf({ ...places, radii: own }, bodyCount);
}

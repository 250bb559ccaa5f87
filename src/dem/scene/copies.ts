/** Poses of copies of bodies in a space that repeats, and contacts of these as contacts of the bodies. */
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import type { RepeatedSpace } from './repeated-space.ts';

/** Contacts of bodies. */
export interface RepeatedContacts extends DetectedContacts {
  /** `[m * 3]`: how far the copy of B that A touches is from B. Undefined: space does not repeat. */
  readonly shifts?: Float64Array | undefined;
}

/**
 * Brings a body in on the other side of the box.
 *
 * @param positions `[n * 3]`: centroids
 * @param moved is told which coordinate has become less by so many lengths of the box
 */
export function bringIn(
  { axes, lows, lengths, walls }: RepeatedSpace,
  body: number,
  positions: Float64Array,
  moved: (at: number, turns: number, length: number) => void,
): void {
  axes.forEach((axis, j) => {
    if ((walls[body]! >> j) & 1) return;
    const at = 3 * body + axis;
    const turns = Math.floor((positions[at]! - lows[j]!) / lengths[j]!);
    positions[at]! -= turns * lengths[j]!;
    moved(at, turns, lengths[j]!);
  });
}

/** `[copies * 3]`: how far each copy is from its body. */
export function shiftsOfCopies({ axes, lengths, copies }: RepeatedSpace): Float64Array {
  const shifts = new Float64Array(3 * copies);
  for (let copy = 0; copy < copies; copy++) {
    axes.forEach((axis, j) => {
      if ((copy >> j) & 1) shifts[3 * copy + axis] = lengths[j]!;
    });
  }
  return shifts;
}

/** Poses of all copies, of those of the bodies. @param all room for them */
export function posesOfCopies(
  { axes, lengths, copies }: RepeatedSpace,
  poses: Float64Array,
  all = new Float64Array(copies * poses.length),
): Float64Array<ArrayBuffer> {
  for (let at = 0; at < all.length; at += 7) {
    const one = at / 7;
    const from = 7 * Math.floor(one / copies);
    all.set(poses.subarray(from, from + 7), at);
    axes.forEach((axis, j) => {
      if ((one >> j) & 1) all[at + axis]! += lengths[j]!;
    });
  }
  return all;
}

/** Contacts of bodies, in the order of lists, of those of their copies. Each pair of bodies touches in one way. */
export function contactsOfBodies(
  { axes, lengths, copies }: RepeatedSpace,
  found: DetectedContacts,
): RepeatedContacts {
  const { bodies: owners, parts, kinds, count } = found;
  const bodyOf = (one: number) => Math.floor(one / copies);
  // Contacts of one pair and kind follow each other, in the order of features: they stay together.
  const runs: number[] = [];
  for (let i = 0; i < count; i++) {
    const isNew =
      i === 0 ||
      kinds[i] !== kinds[i - 1] ||
      [0, 1].some(
        (k) => owners[2 * i + k] !== owners[2 * i + k - 2] || parts[2 * i + k] !== parts[2 * i + k - 2],
      );
    if (isNew) runs.push(i);
  }
  const ends = new Map(runs.map((first, r) => [first, runs[r + 1] ?? count]));
  runs.sort(
    (i, k) =>
      kinds[i]! - kinds[k]! ||
      bodyOf(owners[2 * i]!) - bodyOf(owners[2 * k]!) ||
      parts[2 * i]! - parts[2 * k]! ||
      bodyOf(owners[2 * i + 1]!) - bodyOf(owners[2 * k + 1]!) ||
      parts[2 * i + 1]! - parts[2 * k + 1]! ||
      i - k,
  );
  const order = new Uint32Array(count);
  let placed = 0;
  for (const first of runs) for (let i = first; i < ends.get(first)!; i++) order[placed++] = i;
  const picked = <A extends Uint8Array | Uint32Array | Float64Array>(array: A, size: number): A => {
    const out = new (array.constructor as new (length: number) => A)(array.length);
    for (let to = 0; to < count; to++)
      for (let k = 0; k < size; k++) out[size * to + k] = array[size * order[to]! + k]!;
    return out;
  };
  const points = picked(found.points, 3);
  const shifts = new Float64Array(3 * count);
  const bodies = picked(owners, 2);
  for (let i = 0; i < count; i++) {
    const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
    axes.forEach((axis, j) => {
      const [ofA, ofB] = [(a >> j) & 1, (b >> j) & 1];
      points[3 * i + axis]! -= ofA * lengths[j]!;
      shifts[3 * i + axis] = (ofB - ofA) * lengths[j]!;
    });
  }
  return {
    ...found,
    ...{ bodies: bodies.map(bodyOf), points, shifts, parts: picked(parts, 2), kinds: picked(kinds, 1) },
    ...{ statuses: picked(found.statuses, 1), features: picked(found.features, 1) },
    ...{ triangles: picked(found.triangles, 1), normals: picked(found.normals, 3) },
    ...{ distances: picked(found.distances, 1), areas: picked(found.areas, 1) },
  };
}

/** Copies of bodies near the borders of a space that repeats, and their contacts as contacts of the bodies. */
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import type { StoredArrays } from '../checkpoint/checkpoint.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import { BodyStatus } from '../scene/comings-and-goings.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';

/** Contacts of bodies. */
export interface RepeatedContacts extends DetectedContacts {
  /** `[m * 3]`: how far the copy of B that A touches is from B. Undefined: space does not repeat. */
  readonly shifts?: Float64Array | undefined;
}

/**
 * Which copies are there is decided anew when a body has moved by half the margin, or comes or goes; then bodies that
 * have left the box come in on the other side. Until then they may be outside by half the margin. A copy is there where
 * its body is nearer to the low side than both its own radius, the largest one and the margin: two bodies may have come
 * nearer to each other by half the margin each since.
 */
export class Copies {
  readonly #space: RepeatedSpace;
  readonly #inertia: Inertia;
  readonly #margin: number;
  /** `[n * 3]`: centroids when that was decided, and statuses then; NaN before the first time. */
  readonly #reference: Float64Array;
  readonly #statuses: Uint8Array;
  /** `[n * 3]`: lengths of the box that places of driven bodies are less than those of their motions. */
  readonly #turns: Float64Array;
  /** `[n * copies]`: 1 for copies that are not there. */
  readonly absent: Uint8Array;

  constructor(space: RepeatedSpace, inertia: Inertia, count: number, margin: number) {
    this.#space = space;
    this.#inertia = inertia;
    this.#margin = margin;
    this.#reference = new Float64Array(3 * count).fill(NaN);
    this.#statuses = new Uint8Array(count);
    this.#turns = new Float64Array(3 * count);
    this.absent = new Uint8Array(space.copies * count);
  }

  store(): StoredArrays {
    return {
      ...{ copiesReference: this.#reference, copiesStatuses: this.#statuses },
      ...{ copiesTurns: this.#turns, copiesAbsent: this.absent },
    };
  }

  restore(arrays: StoredArrays): void {
    this.#reference.set(arrays.copiesReference!);
    this.#statuses.set(arrays.copiesStatuses!);
    this.#turns.set(arrays.copiesTurns!);
    this.absent.set(arrays.copiesAbsent!);
  }

  /**
   * Brings copies up to date. Bodies that come in on the other side take `start` along.
   *
   * @param start `[n * 3]`: where gravity's energy is 0
   */
  update(state: MotionState, start: Float64Array, statuses: Uint8Array): void {
    const { axes, lengths } = this.#space;
    const { isDriven } = this.#inertia;
    const { positions, count } = state;
    for (let body = 0; body < count; body++) {
      if (isDriven[body] === 0) continue;
      axes.forEach((axis, j) => {
        positions[3 * body + axis]! -= this.#turns[3 * body + axis]! * lengths[j]!;
      });
    }
    if (!this.#isStale(positions, statuses)) return;
    for (let body = 0; body < count; body++) this.#wrap(body, positions, start);
    this.#reference.set(positions);
    this.#statuses.set(statuses);
    for (let body = 0; body < count; body++) this.#choose(body, positions);
  }

  #isStale(positions: Float64Array, statuses: Uint8Array): boolean {
    const most = (this.#margin / 2) ** 2;
    for (let body = 0; body < statuses.length; body++) {
      if (statuses[body] !== this.#statuses[body]) return true;
      let squared = 0;
      for (let k = 3 * body; k < 3 * body + 3; k++) squared += (positions[k]! - this.#reference[k]!) ** 2;
      // What is no number is stale.
      if (!(squared <= most)) return true;
    }
    return false;
  }

  #wrap(body: number, positions: Float64Array, start: Float64Array): void {
    const { axes, lows, lengths, walls } = this.#space;
    axes.forEach((axis, j) => {
      if ((walls[body]! >> j) & 1) return;
      const at = 3 * body + axis;
      const turns = Math.floor((positions[at]! - lows[j]!) / lengths[j]!);
      positions[at]! -= turns * lengths[j]!;
      if (this.#inertia.isDriven[body] === 1) this.#turns[at]! += turns;
      else start[at]! -= turns * lengths[j]!;
    });
  }

  #choose(body: number, positions: Float64Array): void {
    const { axes, lows, copies, walls, radii, largest } = this.#space;
    let near = 0;
    axes.forEach((axis, j) => {
      const most = lows[j]! + radii[body]! + largest[j]! + this.#margin;
      if (!((walls[body]! >> j) & 1) && positions[3 * body + axis]! <= most) near |= 1 << j;
    });
    const isThere = this.#statuses[body] === BodyStatus.present;
    for (let copy = 0; copy < copies; copy++)
      this.absent[copies * body + copy] = isThere && (copy & ~near) === 0 ? 0 : 1;
  }

  /** Poses of all copies, of those of the bodies. */
  posesOf(poses: Float64Array): Float64Array {
    const { axes, lengths, copies } = this.#space;
    const all = new Float64Array(copies * poses.length);
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
  contactsOf(found: DetectedContacts): RepeatedContacts {
    const { axes, lengths, copies } = this.#space;
    const { bodies: owners, parts, kinds, count } = found;
    const bodyOf = (one: number) => Math.floor(one / copies);
    // Contacts of one pair and kind follow each other, in the order of features: they stay together.
    const runs: number[] = [];
    const rank = (i: number) => [
      kinds[i]!,
      bodyOf(owners[2 * i]!),
      parts[2 * i]!,
      bodyOf(owners[2 * i + 1]!),
    ];
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
    runs.sort((i, k) => {
      const [a, b] = [rank(i), rank(k)];
      const at = a.findIndex((x, n) => x !== b[n]);
      return at < 0 ? parts[2 * i + 1]! - parts[2 * k + 1]! || i - k : a[at]! - b[at]!;
    });
    const order = runs.flatMap((first) =>
      Array.from({ length: ends.get(first)! - first }, (_, n) => first + n),
    );
    const picked = <A extends Uint8Array | Uint32Array | Float64Array>(array: A, size: number): A => {
      const out = new (array.constructor as new (length: number) => A)(array.length);
      for (const [to, from] of order.entries())
        out.set(array.subarray(size * from, size * (from + 1)), size * to);
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
}

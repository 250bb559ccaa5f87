// Contact manifolds: where two shapes that overlap touch each other, by one of two rules.
import { MOST_MANIFOLD_POINTS } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { clippedManifold } from './clipped-manifold.ts';
import { CONTACT } from './contact-plane.ts';
import type { ManifoldRule } from './manifold-rules.ts';
import { sampledManifold } from './sampled-manifold.ts';

/**
 * Contacts of a pair whose normal and points are known, in A's frame: up to MOST_MANIFOLD_POINTS * CONTACT numbers from
 * `offset` on.
 *
 * @param reach distance up to which there are contacts
 * @returns how many contacts, at least one
 */
export function contactManifold(
  pair: Pair,
  rule: ManifoldRule,
  reach: number,
  out: Float64Array,
  offset: number,
): number {
  return rule === 'sampled' ? sampledManifold(pair, out, offset) : clippedManifold(pair, reach, out, offset);
}

/** Where contacts of a pair go: from `place` on of arrays with room for MOST_MANIFOLD_POINTS of each pair. */
export interface ContactArrays {
  readonly contacts: Float32Array | Float64Array;
  readonly contactNormals: Float32Array | Float64Array;
  readonly contactCounts: Uint8Array;
}

/** Contacts of all parts of two bodies. */
export class PartContacts {
  /** x, y, z, distance and the unit normal of each, one after another. */
  readonly #all: number[] = [];

  /**
   * Adds a contact, unless one with its place and normal is there already: where two parts meet, both have it.
   *
   * @param contact x, y, z and the distance
   * @param normal unit normal
   * @param near length below which two places are the same
   */
  add(contact: ArrayLike<number>, normal: ArrayLike<number>, near: number): void {
    const all = this.#all;
    const [x, y, z, distance] = [contact[0]!, contact[1]!, contact[2]!, contact[3]!];
    const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
    for (let i = 0; i < all.length; i += 7) {
      const isThere =
        Math.abs(all[i]! - x) <= near &&
        Math.abs(all[i + 1]! - y) <= near &&
        Math.abs(all[i + 2]! - z) <= near;
      if (!isThere || all[i + 4]! * nx + all[i + 5]! * ny + all[i + 6]! * nz < 0.999) continue;
      if (distance < all[i + 3]!) all[i + 3] = distance;
      return;
    }
    all.push(x, y, z, distance, nx, ny, nz);
  }

  /**
   * Writes the contacts of pair `i` and forgets them. If there are more than there is room for, it keeps the deepest
   * one, and then again and again the one that lies farthest from all those kept.
   */
  write(i: number, { contacts, contactNormals, contactCounts }: ContactArrays): void {
    const all = this.#all;
    const order = all.length <= 7 * MOST_MANIFOLD_POINTS ? byDepth(all) : farthestFirst(all);
    order.forEach((from, k) => {
      const at = MOST_MANIFOLD_POINTS * i + k;
      for (let c = 0; c < CONTACT; c++) contacts[CONTACT * at + c] = all[from + c]!;
      for (let c = 0; c < 3; c++) contactNormals[3 * at + c] = all[from + 4 + c]!;
    });
    contactCounts[i] = order.length;
    all.length = 0;
  }
}

const starts = (all: readonly number[]) => Array.from({ length: all.length / 7 }, (_, i) => 7 * i);

function byDepth(all: readonly number[]): number[] {
  return starts(all).sort((p, q) => all[p + 3]! - all[q + 3]! || p - q);
}

function farthestFirst(all: readonly number[]): number[] {
  const kept = byDepth(all).slice(0, 1);
  const gaps = new Float64Array(all.length / 7).fill(Infinity);
  while (kept.length < MOST_MANIFOLD_POINTS) {
    const last = kept.at(-1)!;
    let farthest = 0;
    for (let i = 0; i < gaps.length; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => all[7 * i + k]! - all[last + k]!) as [number, number, number];
      gaps[i] = Math.min(gaps[i]!, x * x + y * y + z * z);
      if (gaps[i]! > gaps[farthest]!) farthest = i;
    }
    kept.push(7 * farthest);
  }
  return kept;
}

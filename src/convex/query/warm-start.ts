// Normals of an earlier query for the pairs of another one. Broad phases keep most pairs from step to step, but not
// their places.
import { requireArray, requireObject } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import type { PreviousPairs } from './pair-query.ts';

/**
 * Normals for pairs that an earlier query had as well; 0, 0, 0 for others. `[m * 3]`, in the world. Undefined if the
 * results have no normals: those of kind `intersect`.
 *
 * @throws InputError if the earlier results have no normal per pair, or one that is not finite.
 */
export function startNormals(previous: PreviousPairs, pairs: Uint32Array): Float64Array | undefined {
  requireObject('previous', previous, 'results of an earlier query, with pairs and normal');
  const { normal } = previous;
  requireArray('previous: pairs', previous.pairs, [Uint32Array], 'two bodies per pair');
  requireArray('previous: normal', normal, [Float32Array, Float64Array], 'three numbers per pair');
  const count = previous.pairs.length / 2;
  if (normal.length === 0) return undefined;
  if (normal.length !== 3 * count) {
    throw new InputError(
      `previous: ${normal.length} numbers in normal found, expected three for each of ${count} pairs`,
    );
  }
  for (let i = 0; i < normal.length; i++) {
    if (!Number.isFinite(normal[i]!)) {
      throw new InputError(
        `previous: normal of pair ${Math.floor(i / 3)} has the number ${normal[i]}, expected finite ones`,
      );
    }
  }
  const found = new Float64Array((3 * pairs.length) / 2);
  const copy = (i: number, place: number) => {
    const sign = previous.pairs[2 * place] === pairs[2 * i] ? 1 : -1;
    for (let k = 0; k < 3; k++) found[3 * i + k] = sign * normal[3 * place + k]!;
  };
  const open: number[] = [];
  for (let i = 0, next = 0; i < pairs.length / 2; i++) {
    const end = Math.min(count, next + LOOK_AHEAD);
    let place = next;
    while (place < end && !isPair(previous.pairs, place, pairs[2 * i]!, pairs[2 * i + 1]!)) place++;
    if (place === end) {
      open.push(i);
      continue;
    }
    copy(i, place);
    next = place + 1;
  }
  if (open.length === 0) return found;
  const table = new PairTable(pairs, open);
  const places = new Int32Array(pairs.length / 2).fill(-1);
  for (let place = 0; place < count; place++) {
    const i = table.find(previous.pairs[2 * place]!, previous.pairs[2 * place + 1]!);
    if (i >= 0) places[i] = place;
  }
  for (const i of open) {
    const place = places[table.find(pairs[2 * i]!, pairs[2 * i + 1]!)]!;
    if (place >= 0) copy(i, place);
  }
  return found;
}

/**
 * Places of the earlier list that are looked at for the next pair. Where a list keeps its order this finds most pairs,
 * and the table of the others is small.
 */
const LOOK_AHEAD = 4;

/** Whether pair number `place` is one of these two bodies, in either order. */
function isPair(pairs: Uint32Array, place: number, a: number, b: number): boolean {
  const p = pairs[2 * place]!;
  const q = pairs[2 * place + 1]!;
  return (p === a && q === b) || (p === b && q === a);
}

/** Some pairs of a list, by their bodies in either order: a hash table with open addressing, half full at most. */
class PairTable {
  readonly #pairs: Uint32Array;
  /** Number of the pair + 1, or 0. */
  readonly #slots: Uint32Array;

  constructor(pairs: Uint32Array, numbers: readonly number[]) {
    this.#pairs = pairs;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * numbers.length)));
    for (const i of numbers) this.#slots[this.#slotOf(pairs[2 * i]!, pairs[2 * i + 1]!)] = i + 1;
  }

  /** The number of a pair; -1 if it is not in the table. */
  find(a: number, b: number): number {
    return this.#slots[this.#slotOf(a, b)]! - 1;
  }

  /** The pair's slot, or the free one where it would be. */
  #slotOf(a: number, b: number): number {
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    const mask = this.#slots.length - 1;
    // Multiplicative hashing by odd constants; the upper bits are the good ones.
    const mixed = Math.imul(Math.imul(low, 0x9e3779b1) ^ high, 0x85ebca6b);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#slots[slot]! - 1;
      if (place < 0) return slot;
      if (isPair(this.#pairs, place, low, high)) return slot;
    }
  }
}

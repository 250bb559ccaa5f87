/** Pairs of entries: lists that grow while pairs are found, in any order, and the one list sorted from them. */

import { MOST_PAIRS } from './constants.ts';

/** Pairs that a list has room for at first. */
const FIRST_ROOM = 4096;

/** A growing list of pairs, in memory that threads share where there is such memory. */
export class PairList {
  /** Lower and higher entry of each pair; `2 * count` of them count. */
  words: Uint32Array<ArrayBuffer>;
  count = 0;
  readonly #shared: boolean;

  constructor(shared: boolean) {
    this.#shared = shared && typeof SharedArrayBuffer !== 'undefined';
    this.words = this.#room(FIRST_ROOM);
  }

  /** Whether it takes no more pairs. */
  get isFull(): boolean {
    return this.count > MOST_PAIRS;
  }

  add(one: number, other: number): void {
    if (2 * this.count === this.words.length) {
      if (this.isFull) return;
      const larger = this.#room(2 * this.count);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[2 * this.count] = Math.min(one, other);
    this.words[2 * this.count + 1] = Math.max(one, other);
    this.count++;
  }

  #room(pairs: number): Uint32Array<ArrayBuffer> {
    const bytes = 2 * pairs * Uint32Array.BYTES_PER_ELEMENT;
    // TypeScript tells buffers that threads share from others; readers of lists take both.
    return new Uint32Array(
      (this.#shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as ArrayBuffer,
    );
  }
}

/** Pairs in some order, each once: what a `PairList` holds. */
export type FoundPairs = Pick<PairList, 'words' | 'count'>;

/**
 * One list, `[k * 2]`, sorted by the lower and then by the higher entry, whatever the order of the lists and in them.
 *
 * Pairs go behind each other by their higher entry, then, in that order, by their lower one: two passes over pairs and
 * entries, however many pairs an entry has.
 */
export function sortPairs(lists: readonly FoundPairs[], entries: number): Uint32Array<ArrayBuffer> {
  // Places of the first pair of each lower, and of each higher, entry.
  const lowerStarts = new Uint32Array(entries + 1);
  const higherStarts = new Uint32Array(entries + 1);
  for (const { words, count } of lists) {
    for (let at = 0; at < 2 * count; at += 2) {
      lowerStarts[words[at]! + 1]!++;
      higherStarts[words[at + 1]! + 1]!++;
    }
  }
  for (let entry = 0; entry < entries; entry++) {
    lowerStarts[entry + 1]! += lowerStarts[entry]!;
    higherStarts[entry + 1]! += higherStarts[entry]!;
  }
  const pairs = lowerStarts[entries]!;
  const lowers = new Uint32Array(pairs);
  for (const { words, count } of lists) {
    for (let at = 0; at < 2 * count; at += 2) lowers[higherStarts[words[at + 1]!]!++] = words[at]!;
  }
  // By now the start of each higher entry has moved to its end.
  const sorted = new Uint32Array(2 * pairs);
  let at = 0;
  for (let higher = 0; higher < entries; higher++) {
    for (; at < higherStarts[higher]!; at++) {
      const place = 2 * lowerStarts[lowers[at]!]!++;
      sorted[place] = lowers[at]!;
      sorted[place + 1] = higher;
    }
  }
  return sorted;
}

/**
 * Contacts of a step in groups: all of one pair of colliders, nodes and edges together. Pairs stand in lists that live
 * for many steps, so a group finds itself in the step before by the number of its pair. Names of colliders are compared
 * only where a list has been made anew, or a checkpoint is read.
 */
import type { ColliderPairs } from '../../contacts/bodies/collider-pairs.ts';
import type { Stage } from '../../contacts/cpu/contacts-task.ts';
import type { ContactRows } from '../../contacts/list/contact-sink.ts';
import { NO_GROUP } from './history.ts';

/** What stages found, and the pairs that they went through. Rows come in the order of pairs. */
export interface StagedContacts {
  readonly lists: Readonly<Record<Stage, ColliderPairs>>;
  readonly stages: Readonly<Partial<Record<Stage, readonly ContactRows[]>>>;
}

/** Lists that have groups, in the order of these. Those of polyhedra have the contacts of nodes, and of edges. */
const LISTS = ['nodes', 'patches', 'convex', 'planes'] as const;

/**
 * Words of a group: the piece of rows that its contacts are in, the first one there and the one after the last; the
 * same of the pair's edges; and where its contacts begin among all.
 */
export const GROUP_WORDS = 7;

/** Groups of a step, as a later one finds them again. */
export interface KeptGroups {
  readonly count: number;
  /** `[count * 2]`: colliders A and B; where space repeats, those of the bodies themselves. */
  readonly colliders: Uint32Array;
}

const NO_ROWS: readonly ContactRows[] = [];
const UNKNOWN = new Int32Array(0);

export class PairGroups {
  count = 0;
  /** Of all groups. */
  contacts = 0;
  /** `[count * GROUP_WORDS]` */
  words = new Uint32Array(0);
  /** `[count * 2]`: colliders of the pair. */
  colliders = new Uint32Array(0);
  /** `[count]`: the group of the same pair in the step before, or `NO_GROUP`. */
  before = new Int32Array(0);
  /** All rows. */
  readonly pieces: ContactRows[] = [];
  /** `[pairs]` of each list: its group, or `NO_GROUP`; of this step, and of the one before. */
  #groupOf = LISTS.map(() => UNKNOWN);
  #groupBefore = LISTS.map(() => UNKNOWN);
  #pairs: readonly (Uint32Array | undefined)[] = LISTS.map(() => undefined);

  /**
   * Makes the groups of a step.
   *
   * @param kept those of the step before
   * @param isKnown whether the last call was that step: else its groups are found by the names of colliders
   * @param nameOf the collider that one stands for. Undefined: itself
   */
  make(
    { lists, stages }: StagedContacts,
    kept: KeptGroups | undefined,
    isKnown: boolean,
    nameOf: Uint32Array | undefined,
  ): void {
    [this.#groupOf, this.#groupBefore] = [this.#groupBefore, this.#groupOf];
    const pairs = LISTS.map((list) => lists[list].pairs);
    let seek: GroupsByName | undefined;
    for (let l = 0; l < LISTS.length; l++) {
      const count = pairs[l]!.length / 2;
      if (!isKnown || pairs[l] !== this.#pairs[l]) {
        seek ??= new GroupsByName(kept);
        const before = new Int32Array(count);
        for (let k = 0; k < count; k++) before[k] = seek.find(pairs[l]!, 2 * k, nameOf);
        this.#groupBefore[l] = before;
      }
      if (this.#groupOf[l]!.length === count) this.#groupOf[l]!.fill(NO_GROUP);
      else this.#groupOf[l] = new Int32Array(count).fill(NO_GROUP);
    }
    this.#pairs = pairs;
    this.pieces.length = 0;
    this.count = 0;
    this.contacts = 0;
    for (let l = 0; l < LISTS.length; l++) {
      const stage = LISTS[l]!;
      this.#add(l, pairs[l]!, stages[stage] ?? NO_ROWS, (stage === 'nodes' && stages.edges) || NO_ROWS);
    }
  }

  /** Adds the groups of a list. */
  #add(list: number, pairs: Uint32Array, rows: readonly ContactRows[], edges: readonly ContactRows[]): void {
    const { pieces } = this;
    let piece = pieces.length;
    const endOfPieces = piece + rows.length;
    let edgePiece = endOfPieces;
    const endOfEdges = edgePiece + edges.length;
    let most = this.count;
    for (const one of rows) {
      pieces.push(one);
      most += one.count;
    }
    for (const one of edges) {
      pieces.push(one);
      most += one.count;
    }
    this.#reserve(most);
    const { words, colliders, before } = this;
    const groupOf = this.#groupOf[list]!;
    const groupBefore = this.#groupBefore[list]!;
    let group = this.count;
    let slot = this.contacts;
    // Where both kinds are, and which pairs they are of.
    let at = 0;
    let atEdge = 0;
    let pair = 0;
    let edgePair = 0;
    for (;;) {
      while (piece < endOfPieces && at === pieces[piece]!.count) {
        piece++;
        at = 0;
      }
      while (edgePiece < endOfEdges && atEdge === pieces[edgePiece]!.count) {
        edgePiece++;
        atEdge = 0;
      }
      const hasMore = piece < endOfPieces;
      const hasEdges = edgePiece < endOfEdges;
      if (!hasMore && !hasEdges) break;
      pair = hasMore ? placeOf(pairs, pair, pieces[piece]!.colliders, at) : Infinity;
      edgePair = hasEdges ? placeOf(pairs, edgePair, pieces[edgePiece]!.colliders, atEdge) : Infinity;
      const k = Math.min(pair, edgePair);
      const w = GROUP_WORDS * group;
      words[w] = words[w + 3] = hasMore ? piece : edgePiece;
      words[w + 1] = words[w + 2] = words[w + 4] = words[w + 5] = 0;
      words[w + 6] = slot;
      if (pair === k) {
        const end = endOf(pieces[piece]!, at);
        words[w + 1] = at;
        words[w + 2] = end;
        slot += end - at;
        at = end;
      }
      if (edgePair === k) {
        const end = endOf(pieces[edgePiece]!, atEdge);
        words[w + 3] = edgePiece;
        words[w + 4] = atEdge;
        words[w + 5] = end;
        slot += end - atEdge;
        atEdge = end;
      }
      colliders[2 * group] = pairs[2 * k]!;
      colliders[2 * group + 1] = pairs[2 * k + 1]!;
      before[group] = groupBefore[k]!;
      groupOf[k] = group++;
    }
    this.count = group;
    this.contacts = slot;
  }

  #reserve(groups: number): void {
    if (this.before.length >= groups) return;
    const most = Math.max(2 * this.before.length, groups);
    this.words = grown(this.words, GROUP_WORDS * most);
    this.colliders = grown(this.colliders, 2 * most);
    this.before = grown(this.before, most);
  }
}

function grown<A extends Uint32Array | Int32Array>(array: A, length: number): A {
  const larger = new (array.constructor as new (length: number) => A)(length);
  larger.set(array);
  return larger;
}

/** The place of a contact's pair, from `k` on. */
function placeOf(pairs: Uint32Array, k: number, colliders: Uint32Array, i: number): number {
  const a = colliders[2 * i]!;
  const b = colliders[2 * i + 1]!;
  let at = 2 * k;
  while (at < pairs.length && (pairs[at] !== a || pairs[at + 1] !== b)) at += 2;
  return at / 2;
}

/** The contact after the last one of the same pair. */
function endOf({ colliders, count }: ContactRows, first: number): number {
  const a = colliders[2 * first]!;
  const b = colliders[2 * first + 1]!;
  let end = first + 1;
  while (end < count && colliders[2 * end] === a && colliders[2 * end + 1] === b) end++;
  return end;
}

/** Groups by the names of their colliders: a table in which the next free place is taken. */
class GroupsByName {
  readonly #kept: KeptGroups | undefined;
  /** A group and 1 more; 0: the place is free. */
  readonly #table: Uint32Array;

  constructor(kept: KeptGroups | undefined) {
    this.#kept = kept;
    const count = kept?.count ?? 0;
    let size = 1;
    while (size < 2 * count) size *= 2;
    this.#table = new Uint32Array(size);
    for (let group = 0; group < count; group++) {
      let at = this.#placeOf(kept!.colliders[2 * group]!, kept!.colliders[2 * group + 1]!);
      while (this.#table[at] !== 0) at = (at + 1) & (size - 1);
      this.#table[at] = group + 1;
    }
  }

  /** The group of the pair of colliders at `at`, or `NO_GROUP`. */
  find(pairs: Uint32Array, at: number, nameOf: Uint32Array | undefined): number {
    if (this.#kept === undefined || this.#kept.count === 0) return NO_GROUP;
    const { colliders } = this.#kept;
    const a = nameOf ? nameOf[pairs[at]!]! : pairs[at]!;
    const b = nameOf ? nameOf[pairs[at + 1]!]! : pairs[at + 1]!;
    const table = this.#table;
    for (let place = this.#placeOf(a, b); table[place] !== 0; place = (place + 1) & (table.length - 1)) {
      const group = table[place]! - 1;
      if (colliders[2 * group] === a && colliders[2 * group + 1] === b) return group;
    }
    return NO_GROUP;
  }

  #placeOf(a: number, b: number): number {
    // Odd numbers that scatter neighbours (D. Knuth's for 32 bits, and one of another hash).
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & (this.#table.length - 1);
  }
}

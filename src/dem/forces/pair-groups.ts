/**
 * Contacts of a step in groups: all of one pair of colliders, nodes and edges together. Groups come in batches, in the
 * order of pairs, and are listed nowhere. Pairs stand in lists that live for many steps, so a group finds itself in the
 * step before by the number of its pair. Names of colliders are compared only where a list has been made anew, or a
 * checkpoint is read.
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

/** Most groups of a batch: the numbers of their bodies stay near by until their forces are made. */
export const BATCH = 64;

/**
 * Words of a group: the piece of rows that its contacts are in, the first one there and the one after the last; the
 * same of the pair's edges; where its contacts begin among those of the batch; and the number of its pair.
 */
export const GROUP_WORDS = 8;

/** Groups of a step, as a later one finds them again. */
export interface KeptGroups {
  readonly count: number;
  /** `[count * 2]`: colliders A and B; where space repeats, those of the bodies themselves. */
  readonly colliders: Uint32Array;
  /** `[count]`: pairs of groups, and the lists that these are numbers in; no lists where only names are known. */
  readonly pairs: Uint32Array;
  readonly lists: readonly KeptList[];
}

/** A list of pairs, and the numbers of its groups: the first one, and the one after the last. */
interface KeptList {
  readonly pairs: Uint32Array;
  readonly first: number;
  end: number;
}

export class PairGroups {
  /** Groups of the batch, and their contacts; how many groups and contacts came before it. */
  count = 0;
  contacts = 0;
  first = 0;
  firstContact = 0;
  /** Of the batch, `[count * GROUP_WORDS]`. */
  readonly words = new Uint32Array(GROUP_WORDS * BATCH);
  /** `[count * 2]`: colliders of the pair. */
  readonly colliders = new Uint32Array(2 * BATCH);
  /** `[count]`: the group of the same pair in the step before, or `NO_GROUP`. */
  readonly before = new Int32Array(BATCH);
  /** All rows of the list that is open. */
  readonly pieces: ContactRows[] = [];
  /** Those that were opened so far. */
  lists: KeptList[] = [];
  #found!: StagedContacts;
  #kept: KeptGroups | undefined;
  #nameOf: Uint32Array | undefined;
  #byName: GroupsByName | undefined;
  /** Pieces in which contacts of the list that is open come next, where in them, and the pairs that they are of. */
  #piece = 0;
  #endOfPieces = 0;
  #at = 0;
  #pair = 0;
  #edgePiece = 0;
  #atEdge = 0;
  #edgePair = 0;
  /** The group of the step before that comes next, and where those of the list end. Below 0: they go by name. */
  #old = 0;
  #endOfOld = 0;

  /**
   * Begins a step.
   *
   * @param kept the groups of the step before
   * @param nameOf the collider that one stands for. Undefined: itself
   */
  begin(found: StagedContacts, kept: KeptGroups | undefined, nameOf: Uint32Array | undefined): void {
    this.#found = found;
    this.#kept = kept;
    this.#nameOf = nameOf;
    this.#byName = undefined;
    this.rewind();
  }

  /** Ends the step: lets go of the groups of the step before. */
  end(): void {
    this.#kept = undefined;
    this.#byName = undefined;
  }

  /** Most groups and contacts that the step may have. */
  get most(): { readonly groups: number; readonly contacts: number } {
    const { lists, stages } = this.#found;
    const contacts = Object.values(stages).reduce(
      (sum, rows) => rows.reduce((n, { count }) => n + count, sum),
      0,
    );
    const pairs = LISTS.reduce((sum, list) => sum + lists[list].pairs.length / 2, 0);
    return { groups: Math.min(pairs, contacts), contacts };
  }

  /** The next batch is the first one. */
  rewind(): void {
    this.count = this.contacts = this.first = this.firstContact = 0;
    this.lists = [];
    this.#open();
  }

  /** Goes on to the next batch. False if there is none. */
  next(): boolean {
    this.first += this.count;
    this.firstContact += this.contacts;
    this.count = 0;
    this.contacts = 0;
    do this.#fill();
    while (
      // A batch has groups of one list, whose rows are in `pieces`.
      this.count === 0 &&
      this.#open()
    );
    return this.count > 0;
  }

  /** Opens the next list. False if there is none. */
  #open(): boolean {
    const stage = LISTS[this.lists.length];
    if (stage === undefined) return false;
    const { lists, stages } = this.#found;
    const { pairs } = lists[stage];
    const kept = this.#kept?.lists[this.lists.length];
    const isKnown = kept !== undefined && kept.pairs === pairs;
    this.#old = isKnown ? kept.first : -1;
    this.#endOfOld = isKnown ? kept.end : -1;
    this.lists.push({ pairs, first: this.first, end: this.first });
    const { pieces } = this;
    pieces.length = 0;
    pieces.push(...(stages[stage] ?? []));
    this.#endOfPieces = pieces.length;
    if (stage === 'nodes') pieces.push(...(stages.edges ?? []));
    this.#edgePiece = this.#endOfPieces;
    this.#piece = this.#at = this.#atEdge = this.#pair = this.#edgePair = 0;
    return true;
  }

  /** Adds groups of the list that is open to the batch. */
  #fill(): void {
    const { pieces, words, colliders, before } = this;
    const list = this.lists[this.lists.length - 1]!;
    const { pairs } = list;
    const endOfPieces = this.#endOfPieces;
    const kept = this.#kept?.pairs;
    const none = pairs.length / 2;
    let piece = this.#piece;
    let edgePiece = this.#edgePiece;
    let at = this.#at;
    let atEdge = this.#atEdge;
    let pair = this.#pair;
    let edgePair = this.#edgePair;
    let old = this.#old;
    let group = 0;
    let slot = 0;
    while (group < BATCH) {
      while (piece < endOfPieces && at === pieces[piece]!.count) {
        piece++;
        at = 0;
      }
      while (edgePiece < pieces.length && atEdge === pieces[edgePiece]!.count) {
        edgePiece++;
        atEdge = 0;
      }
      pair = piece < endOfPieces ? placeOf(pairs, pair, pieces[piece]!.colliders, at) : none;
      edgePair =
        edgePiece < pieces.length ? placeOf(pairs, edgePair, pieces[edgePiece]!.colliders, atEdge) : none;
      const k = Math.min(pair, edgePair);
      if (k === none) break;
      const w = GROUP_WORDS * group;
      words[w] = words[w + 3] = pair === k ? piece : edgePiece;
      words[w + 1] = words[w + 2] = words[w + 4] = words[w + 5] = 0;
      words[w + 6] = slot;
      words[w + 7] = k;
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
      if (old < 0) before[group] = this.#namedBefore(2 * group);
      else {
        while (old < this.#endOfOld && kept![old]! < k) old++;
        before[group] = old < this.#endOfOld && kept![old] === k ? old : NO_GROUP;
      }
      group++;
    }
    this.#piece = piece;
    this.#edgePiece = edgePiece;
    this.#at = at;
    this.#atEdge = atEdge;
    this.#pair = pair;
    this.#edgePair = edgePair;
    this.#old = old;
    this.count = group;
    this.contacts = slot;
    list.end = this.first + group;
  }

  /** The group of the step before of the colliders at `at`. */
  #namedBefore(at: number): number {
    this.#byName ??= new GroupsByName(this.#kept);
    return this.#byName.find(this.colliders, at, this.#nameOf);
  }
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

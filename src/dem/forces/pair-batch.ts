/**
 * Contacts of a step pair by pair: all of two colliders, nodes and edges together, in the order of a list of pairs.
 * They come in batches, as a call per pair would cost more than what is done with it.
 */
import type { ColliderPairs } from '../../contacts/bodies/collider-pairs.ts';
import type { Stage } from '../../contacts/cpu/contacts-task.ts';
import type { ContactColumns, ContactRows } from '../../contacts/list/contact-sink.ts';

/** What stages found, and the pairs that they went through. Rows come in the order of pairs. */
export interface StagedContacts {
  readonly lists: Readonly<Record<Stage, ColliderPairs>>;
  readonly stages: Readonly<Partial<Record<Stage, readonly ContactRows[]>>>;
}

/** Lists of pairs that have contacts, in the order of these. Those of polyhedra have some of nodes, and of edges. */
export const LISTS = ['nodes', 'patches', 'convex', 'planes'] as const;

/** What forces read of contacts. */
export type ContactMemory = Pick<ContactColumns, 'values' | 'kinds' | 'features' | 'pairs'>;

/** Rows of a stage, in pieces of the order of pairs. */
export interface StageRows {
  readonly count: number;
  readonly memories: readonly ContactMemory[];
  /** `[p * PIECE]`: the memory of a piece, its first contact there, how many it has, and how many come before it. */
  readonly pieces: Int32Array;
}
const PIECE = 4;

export function rowsOfStage(found: readonly ContactRows[] = []): StageRows {
  const memories = [...new Set(found.map(({ all }) => all))];
  let count = 0;
  const pieces = found.flatMap((rows) => {
    const piece = [memories.indexOf(rows.all), rows.first, rows.count, count];
    count += rows.count;
    return rows.count === 0 ? [] : piece;
  });
  return {
    ...{ count, pieces: Int32Array.from(pieces) },
    memories: memories.map(({ values, kinds, features, pairs }) => ({ values, kinds, features, pairs })),
  };
}

/** Most pairs of a batch. With so many contacts it takes no further pair: what passes read stays in the cache. */
export const BATCH = 256;
const BATCH_CONTACTS = 512;

/**
 * Words of a pair: its number, which is its place in the list; its first contact in the memory of the batch and the one
 * after its last; the same of its edges.
 */
export const BATCH_WORDS = 5;

const NO_MEMORY: ContactMemory = {
  ...{ values: new Float64Array(), kinds: new Uint8Array() },
  ...{ features: new Uint32Array(), pairs: new Uint32Array() },
};

/** A pair that no list has. */
const NONE = 2 ** 31 - 1;

/** Goes through the rows of a stage. */
class Cursor {
  #rows: StageRows = { count: 0, memories: [], pieces: new Int32Array(0) };
  /** The piece that comes after the open one. */
  #piece = 0;
  memory = NO_MEMORY;
  /** The next contact in the memory, and the end of the open piece. */
  at = 0;
  end = 0;

  /** Goes to the first contact of a pair of that number or a later one. Returns how many come before it. */
  open(rows: StageRows, pair: number): number {
    const { memories, pieces, count } = rows;
    const firstOf = (piece: number) => memories[pieces[PIECE * piece]!]!.pairs[pieces[PIECE * piece + 1]!]!;
    this.#rows = rows;
    this.memory = NO_MEMORY;
    // The last piece that begins before the pair may have it.
    this.#piece = Math.max(0, lowest(pieces.length / PIECE, (p) => firstOf(p) >= pair) - 1);
    this.at = this.end = 0;
    this.look();
    if (this.at === this.end) return count;
    const { pairs } = this.memory;
    const first = this.at;
    const passed = lowest(this.end - first, (i) => pairs[first + i]! >= pair);
    this.at += passed;
    return pieces[PIECE * this.#piece - 1]! + passed;
  }

  /** Opens the next piece where this one has ended. */
  look(): void {
    const { memories, pieces } = this.#rows;
    if (this.at < this.end || PIECE * this.#piece === pieces.length) return;
    const p = PIECE * this.#piece++;
    this.memory = memories[pieces[p]!]!;
    this.at = pieces[p + 1]!;
    this.end = this.at + pieces[p + 2]!;
  }
}

/** The lowest of the numbers 0 .. count - 1 that is so, or `count`, where all after such a one are so too. */
function lowest(count: number, isSo: (i: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class PairBatch {
  /** Pairs of the batch, and their contacts. */
  count = 0;
  contacts = 0;
  /** `[count * BATCH_WORDS]` */
  readonly words = new Int32Array(BATCH_WORDS * BATCH);
  readonly #nodes = new Cursor();
  readonly #edges = new Cursor();
  #starts: Int32Array = new Int32Array(0);
  /** The pair that comes next, the one after the last, and contacts before it. */
  #pair = 0;
  #end = 0;
  #before = 0;

  /** Memory of contacts, and of edges. */
  get nodes(): ContactMemory {
    return this.#nodes.memory;
  }

  get edges(): ContactMemory {
    return this.#edges.memory;
  }

  /**
   * Begins with pairs `first .. end - 1` of a list. `next` goes to their first batch.
   *
   * @param starts as `PairHistory` has them: those of these pairs are written, and of the one after
   */
  open(nodes: StageRows, edges: StageRows, first: number, end: number, starts: Int32Array): void {
    this.#before = this.#nodes.open(nodes, first) + this.#edges.open(edges, first);
    this.#pair = first;
    this.#end = end;
    this.#starts = starts;
  }

  /** Goes on to the next batch, as long as there is room and neither piece ends. False if there is none. */
  next(): boolean {
    const nodes = this.#nodes;
    const edges = this.#edges;
    nodes.look();
    edges.look();
    const { words } = this;
    const starts = this.#starts;
    const { pairs } = nodes.memory;
    const { pairs: edgePairs } = edges.memory;
    const { end: last } = nodes;
    const { end: lastEdge } = edges;
    const end = this.#end;
    let at = nodes.at;
    let atEdge = edges.at;
    let pair = this.#pair;
    let count = 0;
    const first = this.#before;
    let before = first;
    const hasBoth = at < last && atEdge < lastEdge;
    while (count < BATCH && before - first < BATCH_CONTACTS) {
      if (hasBoth ? at === last || atEdge === lastEdge : at === last && atEdge === lastEdge) break;
      const ofNodes = at < last ? pairs[at]! : NONE;
      const ofEdges = atEdge < lastEdge ? edgePairs[atEdge]! : NONE;
      const touching = ofNodes < ofEdges ? ofNodes : ofEdges;
      if (touching >= end) break;
      for (; pair < touching; pair++) starts[2 * pair] = starts[2 * pair + 1] = before;
      const w = BATCH_WORDS * count++;
      words[w] = pair;
      words[w + 1] = at;
      starts[2 * pair] = before;
      while (at < last && pairs[at] === pair) at++;
      words[w + 2] = at;
      before += at - words[w + 1]!;
      starts[2 * pair + 1] = before;
      words[w + 3] = atEdge;
      while (atEdge < lastEdge && edgePairs[atEdge] === pair) atEdge++;
      words[w + 4] = atEdge;
      before += atEdge - words[w + 3]!;
      pair++;
    }
    if (count === 0) for (; pair < end; pair++) starts[2 * pair] = starts[2 * pair + 1] = before;
    starts[2 * pair] = before;
    nodes.at = at;
    edges.at = atEdge;
    this.#pair = pair;
    this.#before = before;
    this.count = count;
    this.contacts = before - first;
    return count > 0;
  }
}

/**
 * Contacts of a step pair by pair: all of two colliders, nodes and edges together, in the order of a list of pairs.
 * They come in batches, as a call per pair would cost more than what is done with it.
 */
import type { ColliderPairs } from '../../contacts/bodies/collider-pairs.ts';
import type { Stage } from '../../contacts/cpu/contacts-task.ts';
import type { ContactRows } from '../../contacts/list/contact-sink.ts';

/** What stages found, and the pairs that they went through. Rows come in the order of pairs. */
export interface StagedContacts {
  readonly lists: Readonly<Record<Stage, ColliderPairs>>;
  readonly stages: Readonly<Partial<Record<Stage, readonly ContactRows[]>>>;
}

/** Lists of pairs that have contacts, in the order of these. Those of polyhedra have some of nodes, and of edges. */
export const LISTS = ['nodes', 'patches', 'convex', 'planes'] as const;
type ListName = (typeof LISTS)[number];

/** Rows of a list's contacts, and those of edges. */
function piecesOf(stages: StagedContacts['stages'], list: ListName) {
  return [stages[list] ?? [], list === 'nodes' ? (stages.edges ?? []) : []] as const;
}

/** How many contacts a list has. */
export function countOf({ stages }: StagedContacts, list: ListName): number {
  return piecesOf(stages, list)
    .flat()
    .reduce((sum, { count }) => sum + count, 0);
}

/** Most pairs of a batch. With so many contacts it takes no further pair: what passes read stays in the cache. */
export const BATCH = 256;
const BATCH_CONTACTS = 512;

/**
 * Words of a pair: its number, which is its place in the list; its first contact among the rows and the one after its
 * last; the same among those of edges.
 */
export const BATCH_WORDS = 5;

const NO_ROWS: ContactRows = {
  ...{ count: 0, colliders: new Uint32Array(), kinds: new Uint8Array(), statuses: new Uint8Array() },
  ...{ features: new Uint32Array(), triangles: new Uint32Array(), values: new Float64Array() },
};

/** A collider that no pair has. */
const NONE = 2 ** 32 - 1;

export class PairBatch {
  /** Pairs of the batch, and their contacts. */
  count = 0;
  contacts = 0;
  /** Rows of contacts, and of edges, that the batch has contacts of. */
  rows = NO_ROWS;
  edgeRows = NO_ROWS;
  /** `[count * BATCH_WORDS]` */
  readonly words = new Int32Array(BATCH_WORDS * BATCH);
  #list = new Uint32Array();
  #pieces: readonly ContactRows[] = [];
  #edgePieces: readonly ContactRows[] = [];
  /** The pieces that come next; where in the open ones the batch ends, and in the list. */
  #piece = 0;
  #edgePiece = 0;
  #at = 0;
  #atEdge = 0;
  #pair = 0;

  /** Begins with a list. `next` goes to its first batch. */
  open({ lists, stages }: StagedContacts, list: ListName): void {
    this.#list = lists[list].pairs as Uint32Array<ArrayBuffer>;
    [this.#pieces, this.#edgePieces] = piecesOf(stages, list);
    this.rows = this.edgeRows = NO_ROWS;
    this.#at = this.#atEdge = this.#piece = this.#edgePiece = this.#pair = 0;
  }

  /** Goes on to the next batch. False if there is none. */
  next(): boolean {
    while (this.#at === this.rows.count && this.#piece < this.#pieces.length) {
      this.rows = this.#pieces[this.#piece++]!;
      this.#at = 0;
    }
    while (this.#atEdge === this.edgeRows.count && this.#edgePiece < this.#edgePieces.length) {
      this.edgeRows = this.#edgePieces[this.#edgePiece++]!;
      this.#atEdge = 0;
    }
    this.#fill();
    return this.count > 0;
  }

  /** Takes pairs as long as there is room, and neither of the pieces comes to its end. */
  #fill(): void {
    const { words } = this;
    const list = this.#list;
    const { colliders, count: rows } = this.rows;
    const { colliders: edgeColliders, count: edges } = this.edgeRows;
    let at = this.#at;
    let atEdge = this.#atEdge;
    let k = 2 * this.#pair;
    let count = 0;
    let contacts = 0;
    const hasBoth = at < rows && atEdge < edges;
    while (
      count < BATCH &&
      contacts < BATCH_CONTACTS &&
      (hasBoth ? at < rows && atEdge < edges : at < rows || atEdge < edges)
    ) {
      const a = at < rows ? colliders[2 * at]! : NONE;
      const b = at < rows ? colliders[2 * at + 1]! : NONE;
      const edgeA = atEdge < edges ? edgeColliders[2 * atEdge]! : NONE;
      const edgeB = atEdge < edges ? edgeColliders[2 * atEdge + 1]! : NONE;
      while ((list[k] !== a || list[k + 1] !== b) && (list[k] !== edgeA || list[k + 1] !== edgeB)) {
        k += 2;
        if (k >= list.length) throw new Error('a contact is of no pair of its list');
      }
      const listA = list[k]!;
      const listB = list[k + 1]!;
      const w = BATCH_WORDS * count++;
      words[w] = k / 2;
      words[w + 1] = at;
      while (at < rows && colliders[2 * at] === listA && colliders[2 * at + 1] === listB) at++;
      words[w + 2] = at;
      words[w + 3] = atEdge;
      while (atEdge < edges && edgeColliders[2 * atEdge] === listA && edgeColliders[2 * atEdge + 1] === listB)
        atEdge++;
      words[w + 4] = atEdge;
      contacts += at - words[w + 1]! + atEdge - words[w + 3]!;
      k += 2;
    }
    this.#at = at;
    this.#atEdge = atEdge;
    this.#pair = k / 2;
    this.count = count;
    this.contacts = contacts;
  }
}

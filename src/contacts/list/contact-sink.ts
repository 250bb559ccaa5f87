/** Contacts as narrow phases find them: rows that grow, are cut, and are joined. */
import { SPARE_ROOM } from '../constants.ts';
import type { ContactKind, ContactStatus } from './contact-arrays.ts';

/** One contact. Narrow phases keep one of these, fill it and push it: rows copy it. */
export interface FoundContact {
  /** Its number in the list that stages go through; 0 where there is no such list. */
  pair: number;
  /** A's body has the lower number. */
  colliderA: number;
  colliderB: number;
  kind: ContactKind;
  status: ContactStatus;
  /** With `FEATURE_OF_B` where it is B's. */
  feature: number;
  /** Or `NO_TRIANGLE`. */
  triangle: number;
  /** Unit normal from A to B, in the world's axes. */
  nx: number;
  ny: number;
  nz: number;
  /** The point less the position of A's body, in the world's axes: far from the origin it keeps its last bits. */
  px: number;
  py: number;
  pz: number;
  distance: number;
  area: number;
}

/** Numbers per contact in `values`: normal x, y, z, point x, y, z, distance, area. */
export const CONTACT_VALUES = 8;

/** Numbers of contacts, in one piece of memory: threads see it where they share some. */
export interface ContactColumns {
  /** `[m]`: numbers of their pairs in the list that stages went through. */
  readonly pairs: Uint32Array<ArrayBuffer>;
  /** `[m * 2]`: colliders A and B. */
  readonly colliders: Uint32Array<ArrayBuffer>;
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly statuses: Uint8Array<ArrayBuffer>;
  readonly features: Uint32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;
  /** `[m * CONTACT_VALUES]` */
  readonly values: Float64Array<ArrayBuffer>;
}

/** Contacts that follow each other: views. */
export interface ContactRows extends ContactColumns {
  readonly count: number;
  /** All columns that these are views of, and the place of their first contact there. */
  readonly all: ContactColumns;
  readonly first: number;
}

/** Contacts that there is room for at first. */
const FIRST_CAPACITY = 64;

/** Bytes of a contact in all columns. */
const ROW_BYTES = 8 * CONTACT_VALUES + 22;

function columnsFor(capacity: number): ContactColumns {
  const Memory = typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer;
  const memory = new Memory(ROW_BYTES * capacity) as ArrayBuffer;
  const words = 8 * CONTACT_VALUES * capacity;
  return {
    values: new Float64Array(memory, 0, CONTACT_VALUES * capacity),
    colliders: new Uint32Array(memory, words, 2 * capacity),
    features: new Uint32Array(memory, words + 8 * capacity, capacity),
    triangles: new Uint32Array(memory, words + 12 * capacity, capacity),
    pairs: new Uint32Array(memory, words + 16 * capacity, capacity),
    kinds: new Uint8Array(memory, words + 20 * capacity, capacity),
    statuses: new Uint8Array(memory, words + 21 * capacity, capacity),
  };
}

/** A list of contacts that grows. */
export class ContactSink {
  #count = 0;
  #capacity: number;
  #rows: ContactColumns;

  constructor(capacity = FIRST_CAPACITY) {
    this.#capacity = capacity;
    this.#rows = columnsFor(capacity);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a contact; `found` may be used again. */
  push(found: FoundContact): void {
    const i = this.#count;
    if (i === this.#capacity) this.#grow(Math.ceil(SPARE_ROOM * i));
    this.#count = i + 1;
    const { pairs, colliders, kinds, statuses, features, triangles, values } = this.#rows;
    pairs[i] = found.pair;
    colliders[2 * i] = found.colliderA;
    colliders[2 * i + 1] = found.colliderB;
    kinds[i] = found.kind;
    statuses[i] = found.status;
    features[i] = found.feature;
    triangles[i] = found.triangle;
    const v = CONTACT_VALUES * i;
    values[v] = found.nx;
    values[v + 1] = found.ny;
    values[v + 2] = found.nz;
    values[v + 3] = found.px;
    values[v + 4] = found.py;
    values[v + 5] = found.pz;
    values[v + 6] = found.distance;
    values[v + 7] = found.area;
  }

  /** Forgets the contacts from number `count` on. */
  cut(count: number): void {
    this.#count = Math.min(this.#count, count);
  }

  /** The contacts so far: views that hold until the next push. */
  rows(): ContactRows {
    return rowsOf(this.#rows, 0, this.#count);
  }

  #grow(capacity: number): void {
    const larger = columnsFor(Math.max(FIRST_CAPACITY, capacity));
    copyRows(this.rows(), larger, 0);
    this.#rows = larger;
    this.#capacity = larger.kinds.length;
  }
}

/** Lists one after the other, in arrays of their own. */
export function joinRows(lists: readonly ContactRows[]): ContactRows {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  const joined = columnsFor(count);
  let at = 0;
  for (const list of lists) {
    copyRows(list, joined, at);
    at += list.count;
  }
  return { count, ...joined, all: joined, first: 0 };
}

function copyRows(from: ContactRows, to: ContactColumns, at: number): void {
  to.pairs.set(from.pairs, at);
  to.colliders.set(from.colliders, 2 * at);
  to.kinds.set(from.kinds, at);
  to.statuses.set(from.statuses, at);
  to.features.set(from.features, at);
  to.triangles.set(from.triangles, at);
  to.values.set(from.values, CONTACT_VALUES * at);
}

/** Contacts `first .. end - 1` of a list. */
export function rowsBetween({ all, first: start }: ContactRows, first: number, end: number): ContactRows {
  return rowsOf(all, start + first, start + end);
}

function rowsOf(all: ContactColumns, first: number, end: number): ContactRows {
  return {
    ...{ count: end - first, all, first },
    pairs: all.pairs.subarray(first, end),
    colliders: all.colliders.subarray(2 * first, 2 * end),
    kinds: all.kinds.subarray(first, end),
    statuses: all.statuses.subarray(first, end),
    features: all.features.subarray(first, end),
    triangles: all.triangles.subarray(first, end),
    values: all.values.subarray(CONTACT_VALUES * first, CONTACT_VALUES * end),
  };
}

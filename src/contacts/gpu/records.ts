/** Records of contacts from the GPU as rows, and what float64 decides of them anew. */
import { sizeOf } from 'typegpu/data';
import type { Colliders } from '../bodies/colliders.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import type { ContactKind, ContactStatus } from '../list/contact-arrays.ts';
import { type ContactRows, ContactSink, type FoundContact, rowsBetween } from '../list/contact-sink.ts';

const RECORD = sizeOf(ContactRecord) / 4;

/** Bits of a record's `parts` that are A's. */
const PART_BITS = 16;
/** Bits of a record's `kindAndStatus` that are the kind. */
const KIND_BITS = 8;

/** The first collider of each body. */
export function firstCollidersOf({ count, bodies }: Colliders, bodyCount: number): Uint32Array {
  const first = new Uint32Array(bodyCount);
  for (let c = count - 1; c >= 0; c--) first[bodies[c]!] = c;
  return first;
}

/** @param words of records, as `ContactRecord` */
export function rowsOfRecords(words: Uint32Array, firstColliders: Uint32Array): ContactRows {
  const count = words.length / RECORD;
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const sink = new ContactSink(count);
  for (let at = 0; at < words.length; at += RECORD) {
    const parts = words[at + 2]!;
    const kindAndStatus = words[at + 13]!;
    const found: FoundContact = {
      pair: 0,
      colliderA: firstColliders[words[at]!]! + (parts & (2 ** PART_BITS - 1)),
      colliderB: firstColliders[words[at + 1]!]! + (parts >>> PART_BITS),
      kind: (kindAndStatus & (2 ** KIND_BITS - 1)) as ContactKind,
      status: (kindAndStatus >>> KIND_BITS) as ContactStatus,
      ...{ feature: words[at + 3]!, triangle: words[at + 12]! },
      ...{ nx: floats[at + 4]!, ny: floats[at + 5]!, nz: floats[at + 6]! },
      ...{ px: floats[at + 8]!, py: floats[at + 9]!, pz: floats[at + 10]! },
      ...{ distance: floats[at + 7]!, area: floats[at + 11]! },
    };
    sink.push(found);
  }
  return sink.rows();
}

/**
 * Rows with those of some pairs replaced, in order.
 *
 * @param pairs `[k * 2]`: colliders of the pairs that were answered anew, in order
 * @param redone their contacts
 */
export function withRedone(rows: ContactRows, pairs: Uint32Array, redone: ContactRows): ContactRows[] {
  const parts: ContactRows[] = [];
  let [i, r] = [0, 0];
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k]!, pairs[k + 1]!];
    const before = i;
    while (i < rows.count && compare(rows, i, a, b) < 0) i++;
    parts.push(rowsBetween(rows, before, i));
    while (i < rows.count && compare(rows, i, a, b) === 0) i++;
    const start = r;
    while (r < redone.count && compare(redone, r, a, b) === 0) r++;
    parts.push(rowsBetween(redone, start, r));
  }
  parts.push(rowsBetween(rows, i, rows.count));
  return parts;
}

/** The order of row i against a pair of colliders. */
function compare({ colliders }: ContactRows, i: number, a: number, b: number): number {
  return colliders[2 * i]! - a || colliders[2 * i + 1]! - b;
}

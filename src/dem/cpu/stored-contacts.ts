/** Contacts as checkpoints hold them, for steps that begin with those of the step before. */
import { ContactKind, ContactStatus } from '../../contacts/list/contact-arrays.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import type { RepeatedContacts } from '../scene/copies.ts';

/** Names in checkpoints, and numbers per contact. */
const ARRAYS = {
  bodies: ['contactBodies', 2],
  parts: ['contactParts', 2],
  kinds: ['contactKinds', 1],
  statuses: ['contactStatuses', 1],
  features: ['contactFeatures', 1],
  triangles: ['contactTriangles', 1],
  normals: ['contactNormals', 3],
  points: ['contactPoints', 3],
  distances: ['contactDistances', 1],
  areas: ['contactAreas', 1],
  shifts: ['contactShifts', 3],
} as const;
const FIELDS = Object.entries(ARRAYS) as readonly [keyof typeof ARRAYS, readonly [string, number]][];

export function storedContacts(contacts: RepeatedContacts): StoredArrays {
  return Object.fromEntries(
    FIELDS.flatMap(([field, [name]]) => (contacts[field] === undefined ? [] : [[name, contacts[field]]])),
  );
}

/** @param bodies that there are */
export function contactRules(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>> {
  const count = itemsOf(stored, 'contactKinds', 1);
  const rules: Readonly<Record<keyof typeof ARRAYS, StoredRule>> = {
    ...{ bodies: words(2 * count, bodies), parts: words(2 * count) },
    kinds: bytes(count, Object.keys(ContactKind).length),
    statuses: bytes(count, Object.keys(ContactStatus).length),
    ...{ features: words(count), triangles: words(count), normals: floats(3 * count) },
    ...{
      points: floats(3 * count),
      distances: floats(count),
      areas: floats(count),
      shifts: floats(3 * count),
    },
  };
  return Object.fromEntries(
    FIELDS.filter(([field, [name]]) => field !== 'shifts' || stored.arrays[name] !== undefined).map(
      ([field, [name]]) => [name, rules[field]],
    ),
  );
}

/** @param arrays of `storedContacts` */
export function withContacts(contacts: RepeatedContacts, arrays: StoredArrays): RepeatedContacts {
  const own = Object.fromEntries(
    FIELDS.flatMap(([field, [name]]) => (arrays[name] === undefined ? [] : [[field, arrays[name]]])),
  );
  return { ...contacts, ...own, count: arrays.contactKinds!.length };
}

/** Lists of contacts that callers hand back: checked, and as rows of narrow phases. */
import { requireRows } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { type ContactArrays, ContactKind, ContactStatus } from './contact-arrays.ts';
import { type ContactRows, ContactSink, type FoundContact } from './contact-sink.ts';

/** Numbers per contact in each array. */
export const CONTACT_WIDTHS = {
  ...{ bodies: 2, parts: 2, kinds: 1, statuses: 1, features: 1, triangles: 1 },
  ...{ normals: 3, points: 3, distances: 1, areas: 1 },
} as const satisfies Record<keyof Omit<ContactArrays, 'count'>, number>;

const NAMES = { kinds: Object.keys(ContactKind), statuses: Object.keys(ContactStatus) } as const;

/**
 * @param place where contacts are, and what they are from, for messages
 * @throws InputError unless arrays are of `count` contacts, of kinds and statuses that there are
 */
export function requireContacts(place: string, contacts: ContactArrays, from: string): void {
  requireRows(place, contacts, { widths: CONTACT_WIDTHS, rows: 'contacts', from });
  for (const field of ['kinds', 'statuses'] as const) {
    const { length } = NAMES[field];
    const at = contacts[field].findIndex((one) => !(one < length));
    if (at < 0) continue;
    const found = contacts[field][at];
    throw new InputError(`${place}.${field}: contact ${at} has ${found}, expected a number below ${length}`);
  }
}

/**
 * Rows of contacts whose points are less the positions of A's bodies.
 *
 * @param colliderOf the collider that is this part of a body
 */
export function disassembleContacts(
  contacts: ContactArrays,
  colliderOf: (body: number, part: number) => number,
): ContactRows {
  const { count, bodies, parts, kinds, statuses, features, triangles, normals, points } = contacts;
  const sink = new ContactSink(count);
  for (let i = 0; i < count; i++) {
    const [a, b] = [2 * i, 2 * i + 1];
    const found: FoundContact = {
      pair: 0,
      colliderA: colliderOf(bodies[a]!, parts[a]!),
      colliderB: colliderOf(bodies[b]!, parts[b]!),
      ...{ kind: kinds[i] as ContactKind, status: statuses[i] as ContactStatus },
      ...{ feature: features[i]!, triangle: triangles[i]! },
      ...{ nx: normals[3 * i]!, ny: normals[3 * i + 1]!, nz: normals[3 * i + 2]! },
      ...{ px: points[3 * i]!, py: points[3 * i + 1]!, pz: points[3 * i + 2]! },
      ...{ distance: contacts.distances[i]!, area: contacts.areas[i]! },
    };
    sink.push(found);
  }
  return sink.rows();
}

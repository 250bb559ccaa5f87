/** Rows of narrow phases as the list that callers get. */
import type { Colliders } from '../bodies/colliders.ts';
import { type ContactArrays, ContactStatus, newContactArrays } from './contact-arrays.ts';
import { CONTACT_VALUES, type ContactRows } from './contact-sink.ts';

/** How many contacts are less than sure. */
export interface StatusCounts {
  readonly openContacts: number;
  readonly deepContacts: number;
}

/**
 * Contacts of several rows, one after the other. Rows keep points relative to the positions of A's bodies, which are
 * added here.
 */
export function assembleContacts(
  lists: readonly ContactRows[],
  { bodies, parts }: Colliders,
  poses: Float64Array,
): ContactArrays & StatusCounts {
  const contacts = newContactArrays(lists.reduce((sum, list) => sum + list.count, 0));
  let i = 0;
  let openContacts = 0;
  let deepContacts = 0;
  for (const list of lists) {
    const { colliders, values } = list;
    contacts.kinds.set(list.kinds, i);
    contacts.statuses.set(list.statuses, i);
    contacts.features.set(list.features, i);
    contacts.triangles.set(list.triangles, i);
    for (let row = 0; row < list.count; row++, i++) {
      const [a, b] = [colliders[2 * row]!, colliders[2 * row + 1]!];
      const body = bodies[a]!;
      contacts.bodies[2 * i] = body;
      contacts.bodies[2 * i + 1] = bodies[b]!;
      contacts.parts[2 * i] = parts[a]!;
      contacts.parts[2 * i + 1] = parts[b]!;
      const v = CONTACT_VALUES * row;
      for (let k = 0; k < 3; k++) {
        contacts.normals[3 * i + k] = values[v + k]!;
        contacts.points[3 * i + k] = poses[7 * body + k]! + values[v + 3 + k]!;
      }
      contacts.distances[i] = values[v + 6]!;
      contacts.areas[i] = values[v + 7]!;
      const status = list.statuses[row];
      if (status === ContactStatus.open) openContacts++;
      else if (status === ContactStatus.deep) deepContacts++;
    }
  }
  return { ...contacts, openContacts, deepContacts };
}

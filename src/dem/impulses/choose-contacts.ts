/** Few contacts of a pair instead of many: those that carry it. */
import type { ContactArrays } from '../../contacts/list/contact-arrays.ts';
import { DIRECTION_SHARE, MOST_ROWS } from '../constants.ts';
import { type ContactGroups, RANGE_WORDS } from '../forces/groups.ts';
import type { ContactKeys } from './seekers.ts';

/** Contacts that were chosen, in the order of the list. */
export interface ChosenContacts extends ContactKeys {
  /** `[count]`: places in the list. */
  readonly from: Uint32Array<ArrayBuffer>;
}

type Places = Pick<ContactArrays, 'distances' | 'points' | 'normals'>;

/**
 * Chooses up to `MOST_ROWS` contacts of each group: the deepest one, then again and again the one that is farthest from
 * those chosen, in place and in direction. A pair of concave bodies has 70 contacts, which a few of them span.
 *
 * @param radii `[n]`: of the balls of equal volume; 0 for walls
 */
export function chooseContacts(
  contacts: ContactArrays,
  groups: ContactGroups,
  radii: Float64Array,
): ChosenContacts {
  const { bodies, parts, kinds, features, count: all } = contacts;
  const isChosen = new Uint8Array(all);
  const members = new Uint32Array(all);
  const apart = new Float64Array(all);
  for (let group = 0; group < groups.count; group++) {
    const at = RANGE_WORDS * group;
    let count = 0;
    for (let k = at; k < at + RANGE_WORDS; k += 2)
      for (let i = groups.ranges[k]!; i < groups.ranges[k + 1]!; i++) members[count++] = i;
    if (count <= MOST_ROWS) {
      for (let m = 0; m < count; m++) isChosen[members[m]!] = 1;
      continue;
    }
    const some = members[0]!;
    const radius = Math.min(radii[bodies[2 * some]!]! || Infinity, radii[bodies[2 * some + 1]!]! || Infinity);
    spread(contacts, members, count, DIRECTION_SHARE * radius, apart, isChosen);
  }
  let count = 0;
  for (const one of isChosen) count += one;
  const chosen = {
    ...{
      count,
      from: new Uint32Array(count),
      kinds: new Uint8Array(count),
      features: new Uint32Array(count),
    },
    ...{ bodies: new Uint32Array(2 * count), parts: new Uint32Array(2 * count) },
  };
  for (let i = 0, to = 0; i < all; i++) {
    if (isChosen[i] === 0) continue;
    chosen.from[to] = i;
    chosen.kinds[to] = kinds[i]!;
    chosen.features[to] = features[i]!;
    chosen.bodies[2 * to] = bodies[2 * i]!;
    chosen.bodies[2 * to + 1] = bodies[2 * i + 1]!;
    chosen.parts[2 * to] = parts[2 * i]!;
    chosen.parts[2 * to + 1] = parts[2 * i + 1]!;
    to++;
  }
  return chosen;
}

/** @param turn the length that opposite normals count as twice of */
function spread(
  { distances, points, normals }: Places,
  members: Uint32Array,
  count: number,
  turn: number,
  apart: Float64Array,
  isChosen: Uint8Array,
): void {
  let last = members[0]!;
  for (let m = 0; m < count; m++) {
    if (distances[members[m]!]! < distances[last]!) last = members[m]!;
    apart[m] = Infinity;
  }
  isChosen[last] = 1;
  for (let chosen = 1; chosen < MOST_ROWS; chosen++) {
    const x = points[3 * last]!;
    const y = points[3 * last + 1]!;
    const z = points[3 * last + 2]!;
    const nx = normals[3 * last]!;
    const ny = normals[3 * last + 1]!;
    const nz = normals[3 * last + 2]!;
    let most = -1;
    for (let m = 0; m < count; m++) {
      const i = members[m]!;
      const dx = points[3 * i]! - x;
      const dy = points[3 * i + 1]! - y;
      const dz = points[3 * i + 2]! - z;
      const cosine = nx * normals[3 * i]! + ny * normals[3 * i + 1]! + nz * normals[3 * i + 2]!;
      const far = Math.sqrt(dx * dx + dy * dy + dz * dz) + turn * (1 - cosine);
      if (far < apart[m]!) apart[m] = far;
      if (isChosen[i] === 0 && apart[m]! > most) {
        most = apart[m]!;
        last = i;
      }
    }
    isChosen[last] = 1;
  }
}

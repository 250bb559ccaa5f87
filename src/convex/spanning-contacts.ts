// Of many contacts in a plane the few that span most.
import { MOST_CLIPPED_POINTS } from '../constants.ts';
import { CONTACT } from './contact-plane.ts';

const chosen = new Uint32Array(MOST_CLIPPED_POINTS);
const kept = { chosen, count: 0 };

/**
 * Chooses four of the contacts at most, each u, v and the heights of A and B: the deepest one (of those as deep to `near`, the first);
 * the farthest from it; the farthest from the line of both; and that which adds most area to the triangle. Those that add none are left out.
 */
export function spanningContacts(contacts: Float64Array, count: number, near: number): typeof kept {
  const distanceOf = (i: number) => contacts[CONTACT * i + 3]! - contacts[CONTACT * i + 2]!;
  let deepest = Infinity;
  for (let i = 0; i < count; i++) deepest = Math.min(deepest, distanceOf(i));
  let first = 0;
  while (distanceOf(first) > deepest + near) first++;
  chosen[0] = first;
  kept.count = 1;
  const [u0, v0] = [contacts[CONTACT * first]!, contacts[CONTACT * first + 1]!];
  const take = (measure: (u: number, v: number) => number, least: number): boolean => {
    let [best, most] = [-1, least];
    for (let i = 0; i < count; i++) {
      const value = measure(contacts[CONTACT * i]! - u0, contacts[CONTACT * i + 1]! - v0);
      if (value > most) [best, most] = [i, value];
    }
    if (best >= 0) chosen[kept.count++] = best;
    return best >= 0;
  };
  if (!take((u, v) => u * u + v * v, near * near)) return kept;
  const u1 = contacts[CONTACT * chosen[1]!]! - u0;
  const v1 = contacts[CONTACT * chosen[1]! + 1]! - v0;
  // Areas are twice as large; one of a strip as narrow as `near` is none.
  const none = near * Math.sqrt(u1 * u1 + v1 * v1);
  if (!take((u, v) => Math.abs(u1 * v - v1 * u), none)) return kept;
  const u2 = contacts[CONTACT * chosen[2]!]! - u0;
  const v2 = contacts[CONTACT * chosen[2]! + 1]! - v0;
  const turn = Math.sign(u1 * v2 - v1 * u2);
  // Twice the area of the triangle with the side that a contact lies beyond.
  const beyond = (u: number, v: number) =>
    Math.max(
      turn * (v1 * u - u1 * v),
      turn * ((v2 - v1) * (u - u1) - (u2 - u1) * (v - v1)),
      turn * (u2 * v - v2 * u),
    );
  take(beyond, none);
  return kept;
}

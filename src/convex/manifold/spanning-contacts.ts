// Chooses the few contacts that span most, of many in a plane.
import { MOST_CLIPPED_POINTS } from '../constants.ts';
import { CONTACT } from './contact-plane.ts';

const chosen = new Uint32Array(MOST_CLIPPED_POINTS);
const kept = { chosen, count: 0 };

/**
 * Chooses four of the contacts at most: the first one that is as deep as `deep`; the one farthest from it; the one
 * farthest from the line of both; and the one that adds most area to the triangle. Contacts that add nothing are left
 * out.
 *
 * @param contacts u, v and the heights of A and of B of each
 * @param deep a distance; at least one contact has no larger one
 * @param near length below which two places are the same
 */
export function spanningContacts(
  contacts: Float64Array,
  count: number,
  deep: number,
  near: number,
): typeof kept {
  let best = 0;
  while (best + 1 < count && distanceOf(contacts, best) > deep) best++;
  const u0 = contacts[CONTACT * best]!;
  const v0 = contacts[CONTACT * best + 1]!;
  let [u1, v1, u2, v2] = [0, 0, 0, 0];
  let least = near * near;
  let taken = 0;
  while (best >= 0) {
    chosen[taken++] = best;
    if (taken === MOST_CLIPPED_POINTS) break;
    const u = contacts[CONTACT * best]! - u0;
    const v = contacts[CONTACT * best + 1]! - v0;
    if (taken === 2) {
      u1 = u;
      v1 = v;
      // Areas are doubled here. A strip as narrow as `near` has none.
      least = near * Math.sqrt(u * u + v * v);
    } else if (taken === 3) {
      // The triangle turns counter-clockwise.
      const isTurned = u1 * v - v1 * u < 0;
      u2 = isTurned ? u1 : u;
      v2 = isTurned ? v1 : v;
      if (isTurned) {
        u1 = u;
        v1 = v;
      }
    }
    let most = least;
    best = -1;
    for (let i = 0; i < count; i++) {
      const p = contacts[CONTACT * i]! - u0;
      const q = contacts[CONTACT * i + 1]! - v0;
      const value =
        taken === 1
          ? p * p + q * q
          : taken === 2
            ? Math.abs(u1 * q - v1 * p)
            : // Twice the area of the triangle with the side that it lies beyond.
              Math.max(v1 * p - u1 * q, (v2 - v1) * (p - u1) - (u2 - u1) * (q - v1), u2 * q - v2 * p);
      if (value > most) {
        most = value;
        best = i;
      }
    }
  }
  kept.count = taken;
  return kept;
}

function distanceOf(contacts: Float64Array, i: number): number {
  return contacts[CONTACT * i + 3]! - contacts[CONTACT * i + 2]!;
}

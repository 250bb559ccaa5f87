/** The order in which groups of contacts are solved. */
import { sortedPlaces } from '../../broadphase/sorted-places.ts';
import { giveMemory } from '../../workers/spare-memory.ts';
import { type ContactGroups, someOf } from '../forces/groups.ts';
import type { ContactKeys } from './seekers.ts';

/** Groups by colour: no two of a colour have a moving body in common, so those of one may be solved at once. */
export interface Colours {
  readonly count: number;
  /** Groups, colour after colour, and in their own order within one. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** `[count + 1]`: where each colour begins in `order`. */
  readonly starts: Uint32Array<ArrayBuffer>;
}

/**
 * Colours of M. T. Jones and P. E. Plassmann ("A parallel graph coloring heuristic", 1993), which are those of a greedy
 * colouring in the order of priorities: a group takes the least colour that is free at both bodies once all neighbours
 * of higher priority have theirs. Priorities are hashed from what names a group. So the order does not depend on
 * timing, lasts from step to step, and is known to every processor that knows the group.
 *
 * @param isMoving `[n]`: 1 for bodies that forces move. Others are in no one's way.
 */
export function colourGroups(keys: ContactKeys, groups: ContactGroups, isMoving: Uint8Array): Colours {
  const { count } = groups;
  const byPriority = groupsByPriority(keys, groups, 0);
  const colours = new Uint32Array(count);
  // Colours that bodies have already: bits of a word per body, for each 32 of them.
  const taken: Uint32Array[] = [];
  let most = 0;
  for (const group of byPriority) {
    const some = someOf(groups, group);
    const a = keys.bodies[2 * some]!;
    const b = keys.bodies[2 * some + 1]!;
    const [ofA, ofB] = [isMoving[a] === 1, isMoving[b] === 1];
    for (let word = 0; ; word++) {
      taken[word] ??= new Uint32Array(isMoving.length);
      const words = taken[word]!;
      const free = ~((ofA ? words[a]! : 0) | (ofB ? words[b]! : 0));
      if (free === 0) continue;
      const bit = free & -free;
      if (ofA) words[a]! |= bit;
      if (ofB) words[b]! |= bit;
      colours[group] = 32 * word + 31 - Math.clz32(bit);
      break;
    }
    most = Math.max(most, colours[group]! + 1);
  }
  giveMemory([byPriority]);
  const starts = new Uint32Array(most + 1);
  for (const colour of colours) starts[colour + 1]!++;
  for (let colour = 0; colour < most; colour++) starts[colour + 1]! += starts[colour]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let group = 0; group < count; group++) order[next[colours[group]!]!++] = group;
  return { count: most, order, starts };
}

/**
 * Groups from the highest priority on.
 *
 * @param seed other seeds give other orders
 * @returns `[groups]`, for `giveMemory`
 */
export function groupsByPriority(keys: ContactKeys, groups: ContactGroups, seed: number): Uint32Array {
  // Turned, and with the sign's bit turned too, as numbers with a sign are sorted.
  const turned = new Int32Array(groups.count);
  for (let group = 0; group < groups.count; group++)
    turned[group] = ~priorityOf(keys, someOf(groups, group), seed) ^ 0x80000000;
  return sortedPlaces(turned, 1, groups.count);
}

/** Of bodies and parts, by the finalizer of MurmurHash3 (A. Appleby): neighbours get numbers far apart. */
export function priorityOf({ bodies, parts }: ContactKeys, i: number, seed = 0): number {
  let hash = seed;
  for (let k = 0; k < 4; k++) {
    const word = k < 2 ? bodies[2 * i + k]! : parts[2 * i + k - 2]!;
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

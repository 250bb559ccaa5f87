/** The order in which groups of contacts are solved. */
import { type ContactGroups, someOf } from '../forces/groups.ts';
import type { ContactKeys } from '../forces/history.ts';

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
  const priorities = new Uint32Array(count);
  for (let group = 0; group < count; group++) priorities[group] = priorityOf(keys, someOf(groups, group));
  const byPriority = Uint32Array.from({ length: count }, (_, group) => group).sort(
    (a, b) => priorities[b]! - priorities[a]! || a - b,
  );
  const colours = new Uint32Array(count);
  // Colours that bodies have already, 32 to a word.
  const taken: number[][] = [];
  let most = 0;
  for (const group of byPriority) {
    const some = someOf(groups, group);
    const [a, b] = [keys.bodies[2 * some]!, keys.bodies[2 * some + 1]!];
    const own = [a, b].filter((body) => isMoving[body] === 1).map((body) => (taken[body] ??= []));
    let word = 0;
    const usedIn = (at: number) => own.reduce((bits, words) => bits | (words[at] ?? 0), 0);
    while (~usedIn(word) === 0) word++;
    const free = ~usedIn(word);
    const bit = 31 - Math.clz32(free & -free);
    for (const words of own) {
      while (words.length <= word) words.push(0);
      words[word]! |= 1 << bit;
    }
    colours[group] = 32 * word + bit;
    most = Math.max(most, colours[group]! + 1);
  }
  const starts = new Uint32Array(most + 1);
  for (const colour of colours) starts[colour + 1]!++;
  for (let colour = 0; colour < most; colour++) starts[colour + 1]! += starts[colour]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let group = 0; group < count; group++) order[next[colours[group]!]!++] = group;
  return { count: most, order, starts };
}

/** Of bodies and parts, by the finalizer of MurmurHash3 (A. Appleby): neighbours get numbers far apart. */
export function priorityOf({ bodies, parts }: ContactKeys, i: number): number {
  let hash = 0;
  for (const word of [bodies[2 * i]!, bodies[2 * i + 1]!, parts[2 * i]!, parts[2 * i + 1]!]) {
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

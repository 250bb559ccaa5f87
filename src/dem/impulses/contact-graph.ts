/** The graph of bodies that rest on others. */

import type { ContactArrays } from '../../contacts/list/contact-arrays.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { type ContactGroups, RANGE_WORDS, someOf } from '../forces/groups.ts';

/**
 * Levels of bodies in the contact graph of E. Guendelman, R. Bridson and R. Fedkiw ("Nonconvex rigid bodies with
 * stacking", 2003): 0 for those that forces do not move, and one more than the highest body below for all others. A
 * body is below another where their normal points upwards from it; where it does neither, each is below the other.
 * Bodies that rest on each other in a circle have one level.
 *
 * @param groups of the contacts
 * @param isMoving `[n]`: 1 for bodies that forces move
 * @returns `[n]`
 */
export function levelsOf(
  contacts: Pick<ContactArrays, 'bodies' | 'normals'>,
  groups: ContactGroups,
  isMoving: Uint8Array,
  gravity: Vector3,
): Uint32Array<ArrayBuffer> {
  const below: number[][] = Array.from(isMoving, () => []);
  for (let group = 0; group < groups.count; group++) {
    const some = someOf(groups, group);
    const [a, b] = [contacts.bodies[2 * some]!, contacts.bodies[2 * some + 1]!];
    if (isMoving[a] === 0 || isMoving[b] === 0) continue;
    let rise = 0;
    for (let at = RANGE_WORDS * group; at < RANGE_WORDS * (group + 1); at += 2) {
      for (let i = groups.ranges[at]!; i < groups.ranges[at + 1]!; i++)
        for (let k = 0; k < 3; k++) rise -= contacts.normals[3 * i + k]! * gravity[k]!;
    }
    if (rise >= 0) below[b]!.push(a);
    if (rise <= 0) below[a]!.push(b);
  }
  const levels = new Uint32Array(isMoving.length);
  for (const circle of circlesOf(below)) {
    if (isMoving[circle[0]!] === 0) continue;
    let highest = 0;
    // Those of the circle itself have no level yet.
    for (const body of circle) for (const other of below[body]!) highest = Math.max(highest, levels[other]!);
    for (const body of circle) levels[body] = 1 + highest;
  }
  return levels;
}

/**
 * Strongly connected components of a graph, each after all that it leads to (R. Tarjan, "Depth-first search and linear
 * graph algorithms", 1972), without recursion: a tower is as deep as it is high.
 */
function circlesOf(next: readonly (readonly number[])[]): number[][] {
  const circles: number[][] = [];
  const found = new Int32Array(next.length).fill(-1);
  const least = new Int32Array(next.length);
  const isOpen = new Uint8Array(next.length);
  const open: number[] = [];
  let count = 0;
  for (let root = 0; root < next.length; root++) {
    if (found[root] !== -1) continue;
    // Nodes on the way from the root, and how many of what they lead to was looked at.
    const way: { readonly node: number; at: number }[] = [];
    const enter = (node: number) => {
      found[node] = least[node] = count++;
      open.push(node);
      isOpen[node] = 1;
      way.push({ node, at: 0 });
    };
    enter(root);
    while (way.length > 0) {
      const here = way.at(-1)!;
      const { node } = here;
      if (here.at < next[node]!.length) {
        const other = next[node]![here.at++]!;
        if (found[other] === -1) enter(other);
        else if (isOpen[other] === 1) least[node] = Math.min(least[node]!, found[other]!);
        continue;
      }
      way.pop();
      const before = way.at(-1);
      if (before) least[before.node] = Math.min(least[before.node]!, least[node]!);
      if (least[node] !== found[node]) continue;
      const circle = open.splice(open.lastIndexOf(node));
      for (const one of circle) isOpen[one] = 0;
      circles.push(circle);
    }
  }
  return circles;
}

/** Which contacts impulses are found for, and in which order. */
import { expect, it } from 'vitest';
import { ContactKind } from '../../../src/contacts/list/contact-arrays.ts';
import { groupContacts, RANGE_WORDS, someOf } from '../../../src/dem/forces/groups.ts';
import { chooseContacts } from '../../../src/dem/impulses/choose-contacts.ts';
import { colourGroups } from '../../../src/dem/impulses/colours.ts';
import { createRandom } from '../../../src/mesh/random.ts';

/** Contacts of pairs, so many each, at places on a disc. */
function contactsOf(pairs: readonly (readonly [number, number])[], each: number) {
  const random = createRandom(5);
  const count = each * pairs.length;
  const all = Array.from({ length: count }, (_, i) => pairs[Math.floor(i / each)]!);
  return {
    count,
    bodies: Uint32Array.from(all.flat()),
    parts: new Uint32Array(2 * count),
    kinds: new Uint8Array(count).fill(ContactKind.convex),
    statuses: new Uint8Array(count),
    features: Uint32Array.from(all, (_, i) => i % each),
    triangles: new Uint32Array(count),
    normals: Float64Array.from({ length: 3 * count }, (_, i) => (i % 3 === 2 ? 1 : 0)),
    points: Float64Array.from({ length: 3 * count }, (_, i) => (i % 3 === 2 ? 0 : random())),
    distances: Float64Array.from({ length: count }, () => -random()),
    areas: new Float64Array(count),
  };
}

const groupsOf = (contacts: ReturnType<typeof contactsOf>) =>
  groupContacts(contacts, new Uint32Array(RANGE_WORDS * contacts.count));

it('of many contacts eight stay: the deepest, and those that span the rest', () => {
  const contacts = contactsOf(
    [
      [0, 1],
      [1, 2],
    ],
    60,
  );
  const chosen = chooseContacts(contacts, groupsOf(contacts), new Float64Array(3).fill(1));
  expect(chosen.count).toBe(16);
  expect(groupContacts(chosen, new Uint32Array(RANGE_WORDS * 16)).count).toBe(2);
  const own = [...chosen.from.slice(0, 8)];
  const deepest = contacts.distances.subarray(0, 60).indexOf(Math.min(...contacts.distances.subarray(0, 60)));
  expect(own).toContain(deepest);
  // Each contact that was left out is nearer to one that stays than those are to each other.
  const far = (i: number, k: number) =>
    Math.hypot(
      contacts.points[3 * i]! - contacts.points[3 * k]!,
      contacts.points[3 * i + 1]! - contacts.points[3 * k + 1]!,
    );
  const least = Math.min(...own.flatMap((i) => own.filter((k) => k !== i).map((k) => far(i, k))));
  for (let i = 0; i < 60; i++)
    if (!own.includes(i)) expect(Math.min(...own.map((k) => far(i, k)))).toBeLessThanOrEqual(least);
});

it('no two groups of a colour share a moving body, and the order is that of keys alone', () => {
  const random = createRandom(9);
  const pairs = Array.from(
    { length: 400 },
    () => [Math.floor(60 * random()), Math.floor(60 * random())] as const,
  )
    .filter(([a, b]) => a < b)
    .sort(([a, b], [c, d]) => a - c || b - d)
    .filter(([a, b], i, all) => i === 0 || a !== all[i - 1]![0] || b !== all[i - 1]![1]);
  const isMoving = Uint8Array.from({ length: 60 }, (_, body) => (body === 0 ? 0 : 1));
  const coloured = (list: typeof pairs) => {
    const contacts = contactsOf(list, 1);
    const groups = groupsOf(contacts);
    const colours = colourGroups(contacts, groups, isMoving);
    const names = [...colours.order].map((group) => list[someOf(groups, group)]!.join());
    return { colours, names };
  };
  const { colours, names } = coloured(pairs);
  let most = 0;
  for (let body = 1; body < 60; body++)
    most = Math.max(most, pairs.filter((pair) => pair.includes(body)).length);
  // Greedy: no group has more neighbours than both bodies have others.
  expect(colours.count).toBeGreaterThan(most / 2);
  expect(colours.count).toBeLessThan(2 * most);
  for (let colour = 0; colour < colours.count; colour++) {
    const own = names
      .slice(colours.starts[colour], colours.starts[colour + 1])
      .flatMap((name) => name.split(','));
    const moving = own.filter((body) => body !== '0');
    expect(new Set(moving).size).toBe(moving.length);
  }
  // Of a list without the last pairs, those that stay and touch none of them keep their order.
  const again = coloured(pairs);
  expect(again.names).toEqual(names);
});

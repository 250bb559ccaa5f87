/**
 * Contacts in groups: all of one pair of colliders. Nodes and edges of a pair are one group, though they are apart in
 * the list.
 */
import { type ContactArrays, ContactKind } from '../../contacts/list/contact-arrays.ts';

/** Groups in the order of `ContactKind` of their first contact, then of colliders. */
export interface ContactGroups {
  readonly count: number;
  /** `[n * 4]`: first contact and the one after the last; then the same of the pair's edges. */
  readonly ranges: Uint32Array;
}

/** Words of `ranges` per group. */
export const RANGE_WORDS = 4;

/** @param ranges room for as many groups as there are contacts */
export function groupContacts(
  contacts: PairsOfContacts & Pick<ContactArrays, 'count' | 'kinds'>,
  ranges: Uint32Array,
): ContactGroups {
  const { count, kinds } = contacts;
  let groups = 0;
  const put = (first: number, end: number, firstEdge: number, endEdge: number) => {
    const at = RANGE_WORDS * groups++;
    ranges[at] = first;
    ranges[at + 1] = end;
    ranges[at + 2] = firstEdge;
    ranges[at + 3] = endEdge;
  };
  const endOf = (first: number) => {
    let end = first + 1;
    while (end < count && kinds[end] === kinds[first] && comparePairs(contacts, first, contacts, end) === 0)
      end++;
    return end;
  };
  let nodes = 0;
  let edges = 0;
  while (edges < count && kinds[edges] === ContactKind.node) edges++;
  const endOfNodes = edges;
  let rest = edges;
  while (rest < count && kinds[rest] === ContactKind.edge) rest++;
  const endOfEdges = rest;
  while (nodes < endOfNodes || edges < endOfEdges) {
    const order =
      nodes === endOfNodes ? 1 : edges === endOfEdges ? -1 : comparePairs(contacts, nodes, contacts, edges);
    const [n, e] = [order <= 0 ? endOf(nodes) : nodes, order >= 0 ? endOf(edges) : edges];
    put(nodes, n, edges, e);
    [nodes, edges] = [n, e];
  }
  while (rest < count) {
    const end = endOf(rest);
    put(rest, end, end, end);
    rest = end;
  }
  return { count: groups, ranges: ranges.subarray(0, RANGE_WORDS * groups) };
}

/** The order of the pairs of colliders of two contacts, of one list or two: below 0 if the first one's comes first. */
export function comparePairs(one: PairsOfContacts, i: number, other: PairsOfContacts, j: number): number {
  return (
    one.bodies[2 * i]! - other.bodies[2 * j]! ||
    one.parts[2 * i]! - other.parts[2 * j]! ||
    one.bodies[2 * i + 1]! - other.bodies[2 * j + 1]! ||
    one.parts[2 * i + 1]! - other.parts[2 * j + 1]!
  );
}

/** A contact of a group. */
export function someOf({ ranges }: Pick<ContactGroups, 'ranges'>, group: number): number {
  const at = RANGE_WORDS * group;
  return ranges[at + 1]! > ranges[at]! ? ranges[at]! : ranges[at + 2]!;
}

/** The kind of the contacts that one is in a group with: edges are with nodes. */
export function classOf(kind: number): number {
  return kind === ContactKind.edge ? ContactKind.node : kind;
}

type PairsOfContacts = Pick<ContactArrays, 'bodies' | 'parts'>;

/** From pairs of entries to lists of pairs of colliders, one for each class. */
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { ColliderKind, type Colliders, NO_POLYHEDRON } from '../bodies/colliders.ts';

/** Pairs of colliders, by the narrow phase that they are for. */
export interface PairClasses {
  readonly convex: ColliderPairs;
  /** For nodes and for edges. */
  readonly polyhedra: ColliderPairs;
  readonly patches: ColliderPairs;
}

function classOf(a: number, b: number, { kinds, polyhedra }: Colliders): keyof PairClasses {
  if (kinds[a] === ColliderKind.convex && kinds[b] === ColliderKind.convex) return 'convex';
  return polyhedra[a] === NO_POLYHEDRON || polyhedra[b] === NO_POLYHEDRON ? 'patches' : 'polyhedra';
}

/** The place of the first pair that is none of colliders that may be in its list; -1: there is none. */
export function firstUnclassified(
  pairs: Uint32Array,
  wanted: keyof PairClasses,
  colliders: Colliders,
): number {
  const mayBe = (collider: number) =>
    collider < colliders.count && colliders.kinds[collider] !== ColliderKind.plane;
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k]!, pairs[k + 1]!];
    if (!(mayBe(a) && mayBe(b) && classOf(a, b, colliders) === wanted)) return k / 2;
  }
  return -1;
}

/**
 * @param pairs `[k * 2]`: entries, the lower one first, in order
 * @param entries the collider of each
 */
export function classifyPairs(pairs: Uint32Array, entries: Uint32Array, colliders: Colliders): PairClasses {
  const sizes: Record<keyof PairClasses, number> = { convex: 0, polyhedra: 0, patches: 0 };
  for (let k = 0; k < pairs.length; k += 2)
    sizes[classOf(entries[pairs[k]!]!, entries[pairs[k + 1]!]!, colliders)] += 2;
  const lists = {
    convex: new Uint32Array(sizes.convex),
    polyhedra: new Uint32Array(sizes.polyhedra),
    patches: new Uint32Array(sizes.patches),
  };
  const ends: Record<keyof PairClasses, number> = { convex: 0, polyhedra: 0, patches: 0 };
  for (let k = 0; k < pairs.length; k += 2) {
    const a = entries[pairs[k]!]!;
    const b = entries[pairs[k + 1]!]!;
    const own = classOf(a, b, colliders);
    lists[own][ends[own]++] = a;
    lists[own][ends[own]++] = b;
  }
  const { convex, polyhedra, patches } = lists;
  return { convex: { pairs: convex }, polyhedra: { pairs: polyhedra }, patches: { pairs: patches } };
}

/** From pairs of entries to lists of pairs of colliders, one for each class. */
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { ColliderKind, type Colliders, NO_POLYHEDRON } from '../bodies/colliders.ts';
import { REMEMBERED } from '../convex/remembered.ts';

/** What a pair is for. Those with planes come from elsewhere: planes are in no broad phase. */
export interface PairClasses {
  readonly convex: ColliderPairs;
  /** For nodes and for edges. */
  readonly polyhedra: ColliderPairs;
  readonly patches: ColliderPairs;
}

/**
 * @param pairs `[k * 2]`: entries, the lower one first, in order
 * @param entries the collider of each
 */
export function classifyPairs(
  pairs: Uint32Array,
  entries: Uint32Array,
  { kinds, polyhedra: numbers }: Colliders,
): PairClasses {
  const convex: number[] = [];
  const polyhedra: number[] = [];
  const patches: number[] = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [entries[pairs[k]!]!, entries[pairs[k + 1]!]!];
    if (kinds[a] === ColliderKind.convex && kinds[b] === ColliderKind.convex) convex.push(a, b);
    else if (numbers[a] === NO_POLYHEDRON || numbers[b] === NO_POLYHEDRON) patches.push(a, b);
    else polyhedra.push(a, b);
  }
  const remembered = new Uint32Array((REMEMBERED * convex.length) / 2);
  return {
    convex: { pairs: Uint32Array.from(convex), remembered },
    polyhedra: { pairs: Uint32Array.from(polyhedra) },
    patches: { pairs: Uint32Array.from(patches) },
  };
}

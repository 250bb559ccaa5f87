/** From pairs of entries to lists of pairs of colliders, one for each narrow phase. */
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { PAIR_CLUSTERS } from '../bodies/collider-pairs.ts';
import { ColliderKind, type Colliders, NO_POLYHEDRON } from '../bodies/colliders.ts';
import { type ContactEntries, EntryRole, type SurfaceClusters } from '../bodies/entries.ts';
import { REMEMBERED } from '../convex/remembered.ts';

/** What a pair is for. `planes` come from elsewhere: planes are in no broad phase. */
export interface PairClasses {
  readonly nodes: ColliderPairs;
  readonly edges: ColliderPairs;
  readonly patches: ColliderPairs;
  readonly convex: ColliderPairs;
  /** Pairs of colliders, each once. */
  readonly count: number;
}

/** Pairs of colliders with clusters, before they are sorted. */
class ClusterItems {
  readonly pairs: number[] = [];
  readonly clusters: number[] = [];

  add(a: number, b: number, firstA: number, endA: number, firstB: number, endB: number): void {
    if (firstA === endA && firstB === endB) return;
    this.pairs.push(a, b);
    this.clusters.push(firstA, endA, firstB, endB);
  }

  /** By A, then B, then all of A's clusters before B's. */
  sorted(): ColliderPairs {
    const { pairs, clusters } = this;
    const count = pairs.length / 2;
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    const compare = (i: number, j: number) =>
      pairs[2 * i]! - pairs[2 * j]! ||
      pairs[2 * i + 1]! - pairs[2 * j + 1]! ||
      // Items have A's clusters, or B's, or all of both.
      clusters[4 * i + 2]! - clusters[4 * j + 2]! ||
      clusters[4 * i + 3]! - clusters[4 * j + 3]! ||
      clusters[4 * i]! - clusters[4 * j]!;
    let isSorted = true;
    for (let i = 1; i < count && isSorted; i++) isSorted = compare(i - 1, i) < 0;
    if (isSorted) return { pairs: Uint32Array.from(pairs), clusters: Uint32Array.from(clusters) };
    order.sort(compare);
    return {
      pairs: Uint32Array.from({ length: 2 * count }, (_, k) => pairs[2 * order[k >> 1]! + (k & 1)]!),
      clusters: Uint32Array.from(
        { length: PAIR_CLUSTERS * count },
        (_, k) => clusters[4 * order[k >> 2]! + (k & 3)]!,
      ),
    };
  }
}

/**
 * @param pairs `[k * 2]`: entries, the lower one first, in order
 * @param polyhedra by their numbers
 */
export function classifyPairs(
  pairs: Uint32Array,
  entries: ContactEntries,
  colliders: Colliders,
  polyhedra: readonly SurfaceClusters[],
): PairClasses {
  const convex: number[] = [];
  const patches: number[] = [];
  const nodes = new ClusterItems();
  const edges = new ClusterItems();
  let count = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const [entryA, entryB] = [pairs[k]!, pairs[k + 1]!];
    const [a, b] = [entries.colliders[entryA]!, entries.colliders[entryB]!];
    const isWhole = entries.roles[entryA] === EntryRole.whole && entries.roles[entryB] === EntryRole.whole;
    if (isWhole) count++;
    const [kindA, kindB] = [colliders.kinds[a], colliders.kinds[b]];
    if (kindA === ColliderKind.convex && kindB === ColliderKind.convex) convex.push(a, b);
    else if (colliders.polyhedra[a] === NO_POLYHEDRON || colliders.polyhedra[b] === NO_POLYHEDRON) {
      // A ball; of a mesh in pieces the whole serves.
      if (isWhole) patches.push(a, b);
    } else {
      const meshes = [polyhedra[colliders.polyhedra[a]!]!, polyhedra[colliders.polyhedra[b]!]!] as const;
      addClusters(nodes, EntryRole.nodes, entries, entryA, entryB, [
        meshes[0].nodeClusters.length / 4,
        meshes[1].nodeClusters.length / 4,
      ]);
      addClusters(edges, EntryRole.edges, entries, entryA, entryB, [
        meshes[0].edgeClusters.length / 4,
        meshes[1].edgeClusters.length / 4,
      ]);
    }
  }
  return {
    nodes: nodes.sorted(),
    edges: edges.sorted(),
    patches: { pairs: Uint32Array.from(patches) },
    convex: {
      pairs: Uint32Array.from(convex),
      remembered: new Uint32Array((REMEMBERED * convex.length) / 2),
    },
    count,
  };
}

/** The clusters of a pair that are tested for a role: all, but where one comes in pieces. */
function addClusters(
  items: ClusterItems,
  role: EntryRole,
  { colliders, roles, clusters, inPieces }: ContactEntries,
  entryA: number,
  entryB: number,
  [countA, countB]: readonly [number, number],
): void {
  const [a, b] = [colliders[entryA]!, colliders[entryB]!];
  const [roleA, roleB] = [roles[entryA], roles[entryB]];
  if (roleA === EntryRole.whole && roleB === EntryRole.whole) {
    items.add(a, b, 0, inPieces[a] === 1 ? 0 : countA, 0, inPieces[b] === 1 ? 0 : countB);
  } else if (roleA === role) items.add(a, b, clusters[2 * entryA]!, clusters[2 * entryA + 1]!, 0, 0);
  else if (roleB === role) items.add(a, b, 0, 0, clusters[2 * entryB]!, clusters[2 * entryB + 1]!);
}

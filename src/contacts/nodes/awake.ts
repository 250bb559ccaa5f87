/**
 * Which nodes and edge pieces of a pair are asked about. Each sleeps until both bodies together have moved as far as it
 * was from the partner: docs/contacts.md, "What sleeps".
 */
import type { AwakeRows, ColliderPairs, Features } from '../bodies/collider-pairs.ts';
import type { Colliders } from '../bodies/colliders.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { CLUSTER, type SurfaceArrays } from '../surface/surface-arrays.ts';
import { MOST_AWAKE } from './constants.ts';

/** A tree of balls around features, and how many there are. */
export const FEATURES = {
  nodes: { tree: 'nodeTree', count: ({ weights }: SurfaceArrays) => weights.length },
  edges: { tree: 'edgeTree', count: ({ edges }: SurfaceArrays) => edges.length / 6 },
} as const;
/** In `limits`: all of a pair is asked in the next step, or in each, as more is awake than there is room for. */
const NEXT = -1;
export const ALWAYS = -2;

/** Parts of a skin. The last one is not reached: then all of a pair is asked. */
export const PARTS = 256;

/** Rows of a list of pairs, all to be asked. */
export function awakeRows(
  { pairs }: ColliderPairs,
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
  features: Features,
): AwakeRows {
  const clusters = polyhedra.map(({ surface }) =>
    Math.min(MOST_AWAKE, Math.ceil(FEATURES[features].count(surface) / CLUSTER)),
  );
  const count = pairs.length / 2;
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    const ofA = clusters[colliders.polyhedra[pairs[2 * i]!]!]!;
    const ofB = clusters[colliders.polyhedra[pairs[2 * i + 1]!]!]!;
    starts[i + 1] = starts[i]! + ofA + ofB;
  }
  const most = starts[count]!;
  return {
    ...{ limits: new Float64Array(count).fill(NEXT), counts: new Uint8Array(2 * count), starts },
    ...{ clusters: new Uint32Array(most), waits: new Uint8Array(CLUSTER * most) },
  };
}

/** How long a feature waits that is as near to the partner as `bound` at least, where bodies have moved so far. */
export function waitOf(bound: number, moved: number, skin: number): number {
  return bound > 0 ? Math.min(PARTS - 1, Math.floor((PARTS * (moved + bound)) / skin)) : 0;
}

/** The wait that is over where bodies have moved so far. */
export function waitedFor(moved: number, skin: number): number {
  return Math.min(PARTS - 1, Math.floor((PARTS * moved) / skin));
}

/**
 * Entries of the broad phase: a collider is one. A large static polyhedron has more: pieces of its surface, so that
 * nobody goes through all of it for each body that touches it.
 */
import { PIECE_CLUSTERS } from '../constants.ts';
import type { ResolvedBodies } from './check-bodies.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

/** What an entry stands for. */
export const EntryRole = {
  /** A collider: all of it, or of one that has pieces all but its own nodes and edges. */
  whole: 0,
  /** Some clusters of its nodes. */
  nodes: 1,
  /** Some clusters of its edges. */
  edges: 2,
} as const;
export type EntryRole = (typeof EntryRole)[keyof typeof EntryRole];

/** Clusters of a polyhedron's surface: middle and radius of a ball around each, four numbers. */
export interface SurfaceClusters {
  readonly nodeClusters: Float32Array;
  readonly edgeClusters: Float32Array;
}

/** One entry per place in each array, in the order of colliders. Planes have none. */
export interface ContactEntries {
  readonly count: number;
  readonly colliders: Uint32Array;
  /** `EntryRole` */
  readonly roles: Uint8Array;
  /** `[n * 2]`: of pieces: the first cluster, and the one after the last. */
  readonly clusters: Uint32Array;
  /** `[n * 6]`: middle and half extents in the collider's frame. */
  readonly boxes: Float64Array;
  /** `[n]`: radius of a ball about the middle. */
  readonly radii: Float64Array;
  /** `[colliders]`: 1 for those in pieces. */
  readonly inPieces: Uint8Array;
}

interface Entry {
  readonly collider: number;
  readonly role: EntryRole;
  readonly clusters: readonly [number, number];
  readonly box: ArrayLike<number>;
  readonly radius: number;
}

/** @param polyhedra by their numbers */
export function makeEntries(
  colliders: Colliders,
  { isStatic }: ResolvedBodies,
  polyhedra: readonly SurfaceClusters[],
): ContactEntries {
  const entries: Entry[] = [];
  const inPieces = new Uint8Array(colliders.count);
  for (let collider = 0; collider < colliders.count; collider++) {
    if (colliders.kinds[collider] === ColliderKind.plane) continue;
    const box = colliders.boxes.subarray(6 * collider, 6 * collider + 6);
    const radius = colliders.radii[collider]!;
    entries.push({ collider, role: EntryRole.whole, clusters: [0, 0], box, radius });
    const isPolyhedron = colliders.kinds[collider] === ColliderKind.polyhedron;
    if (!isPolyhedron || isStatic[colliders.bodies[collider]!] === 0) continue;
    const { nodeClusters, edgeClusters } = polyhedra[colliders.polyhedra[collider]!]!;
    if (Math.max(nodeClusters.length, edgeClusters.length) <= 4 * PIECE_CLUSTERS) continue;
    inPieces[collider] = 1;
    entries.push(...piecesOf(collider, EntryRole.nodes, nodeClusters));
    entries.push(...piecesOf(collider, EntryRole.edges, edgeClusters));
  }
  return {
    count: entries.length,
    colliders: Uint32Array.from(entries, ({ collider }) => collider),
    roles: Uint8Array.from(entries, ({ role }) => role),
    clusters: Uint32Array.from(entries.flatMap(({ clusters }) => clusters)),
    boxes: Float64Array.from(entries.flatMap(({ box }) => Array.from(box))),
    radii: Float64Array.from(entries, ({ radius }) => radius),
    inPieces,
  };
}

function piecesOf(collider: number, role: EntryRole, balls: Float32Array): Entry[] {
  const count = balls.length / 4;
  const pieces: Entry[] = [];
  for (let first = 0; first < count; first += PIECE_CLUSTERS) {
    const end = Math.min(count, first + PIECE_CLUSTERS);
    const box = boxOf(balls.subarray(4 * first, 4 * end));
    const radius = Math.hypot(box[3]!, box[4]!, box[5]!);
    pieces.push({ collider, role, clusters: [first, end], box, radius });
  }
  return pieces;
}

/** Middle and half extents of a box around balls. Sums of float32 numbers are exact in float64, or nearly so. */
function boxOf(balls: Float32Array): number[] {
  const box: number[] = [];
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < balls.length; i += 4) {
      low = Math.min(low, balls[i + k]! - balls[i + 3]!);
      high = Math.max(high, balls[i + k]! + balls[i + 3]!);
    }
    box[k] = (low + high) / 2;
    box[3 + k] = (high - low) / 2;
  }
  return box;
}

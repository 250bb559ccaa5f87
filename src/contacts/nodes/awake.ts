/**
 * Nodes and edge pieces of a pair sleep or are awake, and those awake are asked about. Each sleeps until the bodies
 * have moved against each other as far as it was from the partner: docs/contacts.md, "What sleeps".
 */
import { MOVE } from '../../broadphase/moved.ts';
import type { Awake, AwakeRows, ColliderPairs, Features } from '../bodies/collider-pairs.ts';
import type { Colliders } from '../bodies/colliders.ts';
import { eachKept } from '../bodies/kept-pairs.ts';
import { SPARE_ROOM } from '../constants.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { CLUSTER, type SurfaceArrays } from '../surface/surface-arrays.ts';
import { AWAKE_PER_PAIR } from './constants.ts';

/** A tree of balls around features, and how many there are. */
export const FEATURES = {
  nodes: { tree: 'nodeTree', count: ({ weights }: SurfaceArrays) => weights.length },
  edges: { tree: 'edgeTree', count: ({ edges }: SurfaceArrays) => edges.length / 6 },
} as const;
/** In `limits`: all of a pair is asked in the next step, or in each, as more is awake than there is room for. */
export const NEXT = -1;
export const ALWAYS = -2;

/** Places in `AwakeRows.taken`: how much of the room is taken, and how much was refused as none was left. */
const Taken = { room: 0, refused: 1 } as const;

/** Parts of a skin. The last one is not reached: then all of a pair is asked. A byte has room for them, and a sign. */
export const PARTS = 128;

/**
 * Features of a list that are awake: pairs that the list before has keep their rows, all others are asked. There is
 * room for what that list needed. `lacksRoom` tells where more is needed, then the list's own rows move to larger ones.
 *
 * @param before the list up to now, or the same list
 */
export function awakeOf(
  list: ColliderPairs,
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
  before?: ColliderPairs,
): Awake {
  const of = (features: Features) => {
    const rows = awakeRows(list, colliders, polyhedra, features, before?.awake?.[features]);
    if (before?.awake) keepRows(list, rows, before, features);
    return rows;
  };
  const count = list.pairs.length / 2;
  return {
    ...{ paths: new Float64Array(count), lastMoves: new Float64Array(count) },
    ...{ nodes: of('nodes'), edges: of('edges') },
  };
}

/** Whether pairs were refused a row: there is room for too few clusters. */
export function lacksRoom({ nodes, edges }: Awake): boolean {
  return nodes.taken[Taken.refused]! > 0 || edges.taken[Taken.refused]! > 0;
}

/** How much room rows need, with those that were refused. */
function neededRoom({ rooms, taken }: AwakeRows): number {
  return rooms.reduce((sum, room) => sum + room, taken[Taken.refused]!);
}

/** Rows of a list of pairs, all to be asked. @param before rows that these follow */
function awakeRows(
  { pairs }: ColliderPairs,
  colliders: Colliders,
  polyhedra: readonly PolyhedronArrays[],
  features: Features,
  before?: AwakeRows,
): AwakeRows {
  const clusters = polyhedra.map(({ surface }) => Math.ceil(FEATURES[features].count(surface) / CLUSTER));
  const count = pairs.length / 2;
  let most = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const ofA = clusters[colliders.polyhedra[pairs[k]!]!]!;
    const ofB = clusters[colliders.polyhedra[pairs[k + 1]!]!]!;
    most += roomFor(Math.min(MOST_CLUSTERS, ofA + ofB));
  }
  const wanted = before ? SPARE_ROOM * neededRoom(before) : AWAKE_PER_PAIR * count;
  const size = Math.min(most, Math.ceil(wanted));
  return {
    ...{ limits: new Float64Array(count).fill(NEXT), counts: new Uint8Array(2 * count) },
    ...{ starts: new Uint32Array(count), rooms: new Uint8Array(count), taken: new Int32Array(2) },
    ...{ clusters: new Uint32Array(size), busy: new Int32Array(size), leastWaits: new Int8Array(size) },
    waits: new Int8Array(CLUSTER * size),
  };
}

/**
 * Takes over the rows of pairs that go on. Limits say what is left of them, as paths begin anew: a long sum would lose
 * small steps in rounding.
 *
 * @param rows of the new list, from `awakeRows`
 */
function keepRows(
  { pairs }: ColliderPairs,
  rows: AwakeRows,
  before: ColliderPairs,
  features: Features,
): void {
  const { paths, [features]: last } = before.awake!;
  const { limits, counts, starts, clusters, waits, leastWaits, busy } = last;
  eachKept(before.pairs, pairs, (from, to) => {
    const left = limits[from]! - paths[from]!;
    if (!(left >= 0)) return;
    const all = counts[2 * from]! + counts[2 * from + 1]!;
    const start = takeRow(rows, to, all);
    if (start < 0) return;
    const old = starts[from]!;
    for (let k = 0; k < all; k++) {
      rows.clusters[start + k] = clusters[old + k]!;
      rows.leastWaits[start + k] = leastWaits[old + k]!;
      rows.busy[start + k] = busy[old + k]!;
    }
    rows.waits.set(waits.subarray(CLUSTER * old, CLUSTER * (old + all)), CLUSTER * start);
    rows.counts[2 * to] = counts[2 * from]!;
    rows.counts[2 * to + 1] = counts[2 * from + 1]!;
    rows.limits[to] = left;
  });
}

/** Adds to the paths of pairs how far their bodies have moved against each other. @param moves from `writeMoves` */
export function addPaths({ pairs, awake }: ColliderPairs, bodies: Uint32Array, moves: Float64Array): void {
  const { paths, lastMoves } = awake!;
  for (let k = 0; k < paths.length; k++) {
    const a = MOVE * bodies[pairs[2 * k]!]!;
    const b = MOVE * bodies[pairs[2 * k + 1]!]!;
    const x = moves[b]! - moves[a]!;
    const y = moves[b + 1]! - moves[a + 1]!;
    const z = moves[b + 2]! - moves[a + 2]!;
    const move = Math.sqrt(x * x + y * y + z * z) + moves[a + 3]! + moves[b + 3]!;
    lastMoves[k] = move;
    paths[k]! += move;
  }
}

/** Most clusters of a row: a byte counts them. */
const MOST_CLUSTERS = 255;

/** A row's room for so many clusters: a quarter more, as bodies turn. */
function roomFor(clusters: number): number {
  return Math.min(MOST_CLUSTERS, clusters + (clusters >> 2));
}

/**
 * Takes a row for a pair, with room for so many clusters. Returns its place, or -1 if no room is left. Threads take
 * rows in whatever order they come: which nodes sleep changes no answer.
 */
export function takeRow({ starts, rooms, taken, clusters }: AwakeRows, pair: number, wanted: number): number {
  if (wanted <= rooms[pair]!) return starts[pair]!;
  if (wanted > MOST_CLUSTERS) return -1;
  const room = roomFor(wanted);
  // A thread takes room only where it fits. Were room taken and given back, two other threads could get the same.
  for (let start = Atomics.load(taken, Taken.room); start + room <= clusters.length; ) {
    const seen = Atomics.compareExchange(taken, Taken.room, start, start + room);
    if (seen === start) {
      starts[pair] = start;
      rooms[pair] = room;
      return start;
    }
    start = seen;
  }
  Atomics.add(taken, Taken.refused, room);
  return -1;
}

/**
 * How long a feature waits that is as far from the partner's surface as `bound` at least, where bodies have moved so
 * far. Of a bound below 0 the feature is inside: as `AwakeRows.waits` has it.
 */
export function waitOf(bound: number, moved: number, skin: number): number {
  if (bound === 0) return 0;
  const parts = Math.min(PARTS - 1, Math.floor((PARTS * (moved + Math.abs(bound))) / skin));
  return bound > 0 ? parts : -parts;
}

/** Whether a feature that was inside still is. A part is left over, far more than what rounding takes. */
export function isStillInside(wait: number, waited: number): boolean {
  return -wait > waited + 1;
}

/** The wait that is over where bodies have moved so far. */
export function waitedFor(moved: number, skin: number): number {
  return Math.min(PARTS - 1, Math.floor((PARTS * moved) / skin));
}

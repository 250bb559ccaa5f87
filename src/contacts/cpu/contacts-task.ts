/** The narrow phases as they run on threads. */
import type { ShapeArrays } from '../../convex/shapes/records.ts';
import { type PartsDone, takePart, type WorkParts } from '../../workers/parts.ts';
import type { Task } from '../../workers/worker-pool.ts';
import type { ColliderPairs, PosedColliders } from '../bodies/collider-pairs.ts';
import { convexContacts } from '../convex/convex-contacts.ts';
import { edgesInFields } from '../edges/edges-in-fields.ts';
import type { FaceTable } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { type ContactRows, ContactSink, joinRows, rowsBetween } from '../list/contact-sink.ts';
import { type NodeCounts, nodesInFields } from '../nodes/nodes-in-fields.ts';
import { patchContacts } from '../patches/patch-contacts.ts';
import { planeContacts } from '../planes/plane-contacts.ts';

/** Narrow phases, in the order of the kinds of their contacts. */
export const STAGES = ['nodes', 'edges', 'patches', 'convex', 'planes'] as const;
export type Stage = (typeof STAGES)[number];

/** All that narrow phases read. */
export interface ContactScene {
  /** Undefined where there are no convex shapes: then no pair has one. */
  readonly convex: ShapeArrays | undefined;
  /** Faces of these. */
  readonly faces: FaceTable | undefined;
  /** By their numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly posed: PosedColliders;
  /** Of convex colliders, from `turnCentres`; empty where there are none. */
  readonly centres: Float64Array;
}

/** Pairs of one class from `first` on. All arrays are in memory that threads share. */
export interface ContactsTask extends Task<ContactsAnswer>, WorkParts {
  readonly kind: 'contacts';
  readonly stage: Stage;
  readonly scene: ContactScene;
  readonly pairs: ColliderPairs;
  readonly first: number;
}

/** Contacts of some parts of the pairs, in the order of `firsts`. */
export interface ContactsAnswer extends PartsDone {
  /** The first pair of each part that the thread took, and where its contacts end in `rows`. */
  readonly firsts: readonly number[];
  readonly ends: readonly number[];
  readonly rows: ContactRows;
  /** Nodes that were looked up, and those of them in cells that are inside or that the surface passes. */
  readonly nodes: NodeCounts;
}

/** Adds the contacts of pairs `first .. end - 1` of a class. Returns how many nodes were looked up. */
export function findContacts(
  stage: Stage,
  { convex, faces, polyhedra, posed, centres }: ContactScene,
  pairs: ColliderPairs,
  first: number,
  end: number,
  sink: ContactSink,
): NodeCounts {
  const { awake } = pairs;
  switch (stage) {
    case 'nodes':
      return nodesInFields({ polyhedra, posed, pairs, first, end, sink, awake });
    case 'edges':
      edgesInFields({ polyhedra, posed, pairs, first, end, sink, awake });
      break;
    case 'patches':
      patchContacts(convex!, polyhedra, posed, pairs, first, end, sink);
      break;
    case 'convex':
      convexContacts({ shapes: convex!, faces: faces!, posed, centres, pairs, first, end, sink });
      break;
    case 'planes':
      planeContacts(convex!, faces!, polyhedra, posed, pairs, first, end, sink);
  }
  return NO_NODES;
}

const NO_NODES: NodeCounts = { tested: 0, near: 0 };

/** Milliseconds between two looks at the clock, about: calls for parts that take less take more at once. */
const LOOK_TIME = 0.1;

/** Contacts that a worker finds, until it hands them over: this memory serves again. */
const handedOver = new ContactSink();

/**
 * Runs a task, on whichever thread.
 *
 * @param until no part is begun after this time
 * @param own gets the contacts behind those that it has, and `rows` are views of it. Undefined: arrays of their own
 * @param most parts that are taken at once, while they are quick. By default threads share fairly what there is
 */
export function runContacts(
  task: ContactsTask,
  until = Infinity,
  own?: ContactSink,
  most = 1,
): ContactsAnswer {
  const sink = own ?? handedOver;
  if (own === undefined) sink.cut(0);
  const before = sink.count;
  const firsts: number[] = [];
  const ends: number[] = [];
  const nodes: NodeCounts = { tested: 0, near: 0 };
  let done = 0;
  let end = -1;
  let parts = 1;
  for (let now = performance.now(); now < until; ) {
    const from = takePart(task, parts);
    if (from < 0) break;
    const to = Math.min(task.count, from + parts * task.part);
    const { stage, scene, pairs, first } = task;
    const { tested, near } = findContacts(stage, scene, pairs, first + from, first + to, sink);
    nodes.tested += tested;
    nodes.near += near;
    // Parts that follow each other are one.
    if (task.first + from === end) ends[ends.length - 1] = sink.count - before;
    else {
      firsts.push(task.first + from);
      ends.push(sink.count - before);
    }
    end = task.first + to;
    done += to - from;
    const began = now;
    now = performance.now();
    // Pairs that sleep may be followed by pairs that take a thousand times as long.
    if (now - began > LOOK_TIME) parts = 1;
    else if (now - began < LOOK_TIME / 2) parts = Math.min(most, 2 * parts);
  }
  // Messages copy the whole memory of an array, so the rows of workers get memory of their own.
  const rows = own ? rowsBetween(own.rows(), before, own.count) : joinRows([sink.rows()]);
  return { done, firsts, ends, rows, nodes };
}

/** Contacts of several answers in the order of pairs, whichever thread found them. */
export function inOrder(answers: readonly ContactsAnswer[]): ContactRows[] {
  return answers
    .flatMap(({ firsts, ends, rows }) =>
      firsts.map((first, i) => ({ first, rows: rowsBetween(rows, i === 0 ? 0 : ends[i - 1]!, ends[i]!) })),
    )
    .sort((a, b) => a.first - b.first)
    .map(({ rows }) => rows);
}

/**
 * Contacts of two convex shapes, in float64. Shapes that touch with faces have those of the pieces of their faces
 * (faces/face-pieces.ts), two capsules side by side two, all others one. docs/contacts.md, "Convex pairs".
 */

import { CONVEX_TOLERANCE, SPHERES_APART, TOUCHING_TOLERANCE } from '../../convex/constants.ts';
import { PairSolver } from '../../convex/cpu/pair-solver.ts';
import { clippedManifold } from '../../convex/manifold/clipped-manifold.ts';
import { CONTACT } from '../../convex/manifold/contact-plane.ts';
import type { Pair } from '../../convex/pair/pair.ts';
import { PairStatus } from '../../convex/pair/status.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import { PARAMETERS, Parameter, type PlacedRecord, type ShapeArrays } from '../../convex/shapes/records.ts';
import type { ColliderPairs, PosedColliders } from '../bodies/collider-pairs.ts';
import { PLACED, placeCollider } from '../bodies/placed-collider.ts';
import { facePieces, Overlap } from '../faces/face-pieces.ts';
import { type FaceTable, touchWithFaces } from '../faces/face-table.ts';
import { Meeting } from '../faces/meeting.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { setContactOfBalls } from './balls.ts';
import { Memory } from './remembered.ts';

/** Most contacts of a pair. */
const MOST = 4;

const points = new Float64Array(CONTACT * MOST);
const names = new Uint32Array(MOST);
const order = new Uint32Array(MOST);

export interface ConvexContactsOptions {
  readonly shapes: ShapeArrays;
  readonly faces: FaceTable;
  readonly posed: PosedColliders;
  /** Of the colliders, from `turnCentres`. */
  readonly centres: Float64Array;
  readonly pairs: ColliderPairs;
  readonly first: number;
  readonly end: number;
  readonly sink: ContactSink;
}

/** Work space for the pairs of some shapes. */
interface Work {
  readonly solver: PairSolver;
  readonly found: FoundContact;
  /** Poses of A and B. */
  readonly frames: Float64Array;
  readonly a: PlacedRecord;
  readonly b: PlacedRecord;
}

/** Making it takes as long as answering a few pairs, and pairs come a few at a time. */
const workOf = new WeakMap<ShapeArrays, Work>();

function makeWork(shapes: ShapeArrays): Work {
  const frames = new Float64Array(2 * PLACED);
  const asked = { kind: 'manifold', algorithm: 'auto', tolerance: CONVEX_TOLERANCE, sweepRadius: 0 } as const;
  return {
    ...{ solver: new PairSolver(shapes, asked), found: newContact(), frames },
    ...{ a: { record: 0, frames, at: 0 }, b: { record: 0, frames, at: PLACED } },
  };
}

/** The frames of both shapes about their centres, and the direction of their force, in A's frame. */
const centred = new Float64Array(2 * PLACED);
const axis = new Float64Array(3);
const meeting = new Meeting();

/** From A's centre to B's, in the world; then the distance of cores from which on shapes are surely apart. */
const way = new Float64Array(4);

const memories = new WeakMap<Uint32Array, Memory>();

function memoryOf(words: Uint32Array): Memory {
  let memory = memories.get(words);
  if (memory === undefined) memories.set(words, (memory = new Memory(words)));
  return memory;
}

/**
 * Adds the contacts of pairs `first .. end - 1`, in the order of pairs and then of features. Distances are 0 or less. A
 * contact's `feature` is its name in the manifold (clipped-manifold.ts): 0 where it is the pair's deepest point.
 */
export function convexContacts({
  shapes,
  faces,
  posed,
  centres,
  pairs,
  first,
  end,
  sink,
}: ConvexContactsOptions): void {
  let work = workOf.get(shapes);
  if (work === undefined) workOf.set(shapes, (work = makeWork(shapes)));
  const { solver, found, frames, a, b } = work;
  const { pair } = solver;
  const { poses, colliders } = posed;
  const { bodies, shapes: records } = colliders;
  const p = shapes.parameters;
  const memory = pairs.remembered && memoryOf(pairs.remembered);
  let colliderA = -1;
  let isPlaced = false;
  let bodyA = 0;
  let radiusA = 0;
  let marginA = 0;
  for (let i = first; i < end; i++) {
    // Pairs are in the order of A.
    if (pairs.pairs[2 * i]! !== colliderA) {
      colliderA = pairs.pairs[2 * i]!;
      bodyA = bodies[colliderA]!;
      a.record = records[colliderA]!;
      radiusA = p[PARAMETERS * a.record + Parameter.boundingRadius]!;
      marginA = p[PARAMETERS * a.record + Parameter.margin]!;
      isPlaced = false;
    }
    const colliderB = pairs.pairs[2 * i + 1]!;
    const bodyB = bodies[colliderB]!;
    const recordB = records[colliderB]!;
    const radiusB = p[PARAMETERS * recordB + Parameter.boundingRadius]!;
    const marginB = p[PARAMETERS * recordB + Parameter.margin]!;
    const [oa, ob] = [3 * colliderA, 3 * colliderB];
    const [pa, pb] = [POSE_SIZE * bodyA, POSE_SIZE * bodyB];
    // Poses of the same magnitude: their difference is exact or nearly so.
    const dx = poses[pb]! - poses[pa]! + (centres[ob]! - centres[oa]!);
    const dy = poses[pb + 1]! - poses[pa + 1]! + (centres[ob + 1]! - centres[oa + 1]!);
    const dz = poses[pb + 2]! - poses[pa + 2]! + (centres[ob + 2]! - centres[oa + 2]!);
    const squared = dx * dx + dy * dy + dz * dz;
    const radii = radiusA + radiusB;
    if (radiusA === marginA && radiusB === marginB) {
      if (squared > radii * radii) continue;
      way[0] = dx;
      way[1] = dy;
      way[2] = dz;
      found.pair = i;
      found.colliderA = colliderA;
      found.colliderB = colliderB;
      setContactOfBalls(found, way, squared, marginA, marginB);
      found.px += centres[oa]!;
      found.py += centres[oa + 1]!;
      found.pz += centres[oa + 2]!;
      if (found.distance <= 0) sink.push(found);
      continue;
    }
    if (squared > (SPHERES_APART * radii) ** 2) continue;
    way[0] = dx;
    way[1] = dy;
    way[2] = dz;
    if (!isPlaced) placeCollider(posed, colliderA, bodyA, frames, 0);
    isPlaced = true;
    placeCollider(posed, colliderB, bodyA, frames, PLACED);
    way[3] = marginA + marginB + TOUCHING_TOLERANCE * (1 + SPHERES_APART) * radii;
    if (memory?.isApart(i, shapes, recordB, frames, way)) continue;
    b.record = recordB;
    found.pair = i;
    found.colliderA = colliderA;
    found.colliderB = colliderB;
    const hasFaces = touchWithFaces(faces, a.record, recordB);
    if (hasFaces) {
      placeCentres(frames, centres, oa, way);
      if (memory?.meetingOf(i, meeting, axis) && addPieces(faces, a.record, recordB, found, sink, meeting)) {
        if (meeting.isNew) memory.keepMeeting(i, meeting);
        continue;
      }
    }
    pair.place(a, b);
    const status = solver.solve();
    if (status === PairStatus.separated) {
      memory?.keepAxis(i, pair);
      continue;
    }
    if (!hasFaces) {
      pushContacts(pair, status, found, sink);
      continue;
    }
    axis.set(pair.normal);
    meeting.count = 0;
    if (addPieces(faces, a.record, recordB, found, sink, memory && meeting)) memory?.keepMeeting(i, meeting);
  }
}

/** Places both frames' origins at the centres of the shapes. @param at of A's centre in `centres` */
function placeCentres(frames: Float64Array, centres: Float64Array, at: number, way: Float64Array): void {
  for (let k = 0; k < 2 * PLACED; k++) centred[k] = frames[k]!;
  for (let k = 0; k < 3; k++) {
    centred[9 + k] = centres[at + k]!;
    centred[PLACED + 9 + k] = centres[at + k]! + way[k]!;
  }
}

/** Adds the contacts of two shapes that touch with faces. False if there are none. */
function addPieces(
  faces: FaceTable,
  a: number,
  b: number,
  found: FoundContact,
  sink: ContactSink,
  meeting: Meeting | undefined,
): boolean {
  found.status = ContactStatus.sure;
  return facePieces(faces, a, b, centred, axis, found, sink, meeting) === Overlap.some;
}

function newContact(): FoundContact {
  return {
    ...{ pair: 0, colliderA: 0, colliderB: 0, kind: ContactKind.convex, status: ContactStatus.sure },
    ...{ feature: 0, triangle: NO_TRIANGLE, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
  };
}

/** The contacts of the pair just solved. Its frame is relative to A's body already. */
function pushContacts(pair: Pair, status: PairStatus, found: FoundContact, sink: ContactSink): void {
  const { frame: r, normal: n } = pair;
  const count = clippedManifold(pair, 0, points, 0, names);
  found.status = status === PairStatus.bounded ? ContactStatus.bounded : ContactStatus.sure;
  found.nx = r[0]! * n[0]! + r[1]! * n[1]! + r[2]! * n[2]!;
  found.ny = r[3]! * n[0]! + r[4]! * n[1]! + r[5]! * n[2]!;
  found.nz = r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!;
  found.area = 0;
  sortByName(count);
  for (let k = 0; k < count; k++) {
    const c = CONTACT * order[k]!;
    const distance = points[c + 3]!;
    if (distance > 0) continue;
    const x = points[c]!;
    const y = points[c + 1]!;
    const z = points[c + 2]!;
    found.feature = names[order[k]!]!;
    found.px = r[9]! + (r[0]! * x + r[1]! * y + r[2]! * z);
    found.py = r[10]! + (r[3]! * x + r[4]! * y + r[5]! * z);
    found.pz = r[11]! + (r[6]! * x + r[7]! * y + r[8]! * z);
    // Bounds wider than asked for: the deepest that is possible.
    found.distance =
      found.status === ContactStatus.bounded ? distance + (pair.lower - pair.distance) : distance;
    sink.push(found);
  }
}

/** Sets `order` to the contacts, by their names. */
function sortByName(count: number): void {
  for (let i = 0; i < count; i++) {
    let k = i;
    while (k > 0 && names[order[k - 1]!]! > names[i]!) {
      order[k] = order[k - 1]!;
      k--;
    }
    order[k] = i;
  }
}

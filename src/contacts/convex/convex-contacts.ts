/**
 * Contacts of two convex shapes, in float64. Shapes with flat faces on each other get up to four contacts, which span
 * the patch; all others one. docs/contacts.md, "Convex pairs".
 */
import { CONVEX_TOLERANCE } from '../../convex/constants.ts';
import { PairSolver } from '../../convex/cpu/pair-solver.ts';
import { clippedManifold } from '../../convex/manifold/clipped-manifold.ts';
import { CONTACT } from '../../convex/manifold/contact-plane.ts';
import type { Pair } from '../../convex/pair/pair.ts';
import { PairStatus } from '../../convex/pair/status.ts';
import type { PlacedRecord, ShapeArrays } from '../../convex/shapes/records.ts';
import { isBall } from '../bodies/ball.ts';
import type { ColliderPairs, PosedColliders } from '../bodies/collider-pairs.ts';
import { PLACED, placeCollider } from '../bodies/placed-collider.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { ballsApart, ballsDistance } from './balls.ts';
import { hullArea } from './hull-area.ts';
import { Memory, Recall } from './remembered.ts';

/** Most contacts of a pair. */
const MOST = 4;

const points = new Float64Array(CONTACT * MOST);
const names = new Uint32Array(MOST);
const order = new Uint32Array(MOST);

/**
 * Adds the contacts of pairs `first .. end - 1`, in the order of pairs and then of features. Distances are 0 or less. A
 * contact's `feature` is its name in the manifold (clipped-manifold.ts): 0 where it is the pair's deepest point.
 */
export function convexContacts(
  shapes: ShapeArrays,
  posed: PosedColliders,
  { pairs, remembered }: ColliderPairs,
  first: number,
  end: number,
  sink: ContactSink,
): void {
  const solver = new PairSolver(shapes, {
    ...{ kind: 'manifold', algorithm: 'auto', tolerance: CONVEX_TOLERANCE, sweepRadius: 0 },
  });
  const { pair } = solver;
  const { bodies, shapes: records } = posed.colliders;
  const frames = new Float64Array(2 * PLACED);
  const a: PlacedRecord = { record: 0, frames, at: 0 };
  const b: PlacedRecord = { record: 0, frames, at: PLACED };
  const memory = remembered && new Memory(remembered);
  const found = newContact();
  let placed = -1;
  for (let i = first; i < end; i++) {
    const colliderA = pairs[2 * i]!;
    const colliderB = pairs[2 * i + 1]!;
    const bodyA = bodies[colliderA]!;
    // Pairs are in the order of A.
    if (colliderA !== placed) placeCollider(posed, colliderA, bodyA, frames, 0);
    placed = colliderA;
    placeCollider(posed, colliderB, bodyA, frames, PLACED);
    a.record = records[colliderA]!;
    b.record = records[colliderB]!;
    found.colliderA = colliderA;
    found.colliderB = colliderB;
    if (isBall(shapes, a.record) && isBall(shapes, b.record)) {
      if (ballsDistance(shapes, a, b, found) <= 0) sink.push(found);
      continue;
    }
    if (ballsApart(shapes, a, b)) continue;
    pair.place(a, b);
    const recall = memory?.recall(i, pair) ?? Recall.unknown;
    if (recall === Recall.apart) continue;
    let status: PairStatus = PairStatus.converged;
    if (recall === Recall.unknown) {
      status = solver.solve();
      if (status === PairStatus.separated) {
        memory?.keepAxis(i, pair);
        continue;
      }
      // By the features as well, so that the next step gives the same bytes for the same poses.
      if (memory?.keepFeatures(i, pair)) status = PairStatus.converged;
    }
    pushContacts(pair, status, found, sink);
  }
}

function newContact(): FoundContact {
  return {
    ...{ colliderA: 0, colliderB: 0, kind: ContactKind.convex, status: ContactStatus.sure },
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
  found.area = hullArea(points, count) / count;
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

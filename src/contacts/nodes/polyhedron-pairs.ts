/** Pairs of polyhedra, each from both sides: what nodes and edges have in common. */
import { type ColliderPairs, PAIR_CLUSTERS, type PosedColliders } from '../bodies/collider-pairs.ts';
import type { FieldArrays, PolyhedronArrays } from '../field/field-arrays.ts';
import { type ContactKind, ContactStatus, FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { leastDistance } from './least-distance.ts';
import { PairFrames, type Placement } from './pair-frames.ts';

/** What narrow phases of polyhedra are asked. */
export interface PolyhedronPairsJob {
  /** By the numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly posed: PosedColliders;
  readonly pairs: ColliderPairs;
  /** Pairs `first .. end - 1` are answered. */
  readonly first: number;
  readonly end: number;
  readonly sink: ContactSink;
}

/** A pair from one side: whose features are asked about, and in whom. */
export interface Side {
  /** 0 where they are A's, `FEATURE_OF_B` where they are B's. */
  readonly bit: number;
  /** Frame of the one to that of the partner. */
  readonly inPartner: Placement;
  /** Frames of both to world axes about the position of A's body. */
  readonly frame: Placement;
  readonly partnerFrame: Placement;
  own: PolyhedronArrays;
  partner: PolyhedronArrays;
  /** Clusters of the one that are asked about. */
  firstCluster: number;
  endCluster: number;
}

/** A contact of polyhedra before it is found. */
export function newContact(kind: ContactKind): FoundContact {
  return {
    ...{ colliderA: 0, colliderB: 0, kind, status: ContactStatus.sure, feature: 0, triangle: 0 },
    ...{ nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
  };
}

/**
 * Goes through the pairs of a job, from the side of A and then of B. The colliders of `found` are set.
 *
 * @param answer is given a side that is overwritten by the next one
 */
export function eachSide(
  { polyhedra, posed, pairs, first, end }: PolyhedronPairsJob,
  found: FoundContact,
  answer: (side: Side) => void,
): void {
  const frames = new PairFrames();
  const [own, partner] = [polyhedra[0]!, polyhedra[0]!];
  const common = { own, partner, firstCluster: 0, endCluster: Infinity };
  const { a, b, aInB, bInA } = frames;
  const ofA: Side = { bit: 0, inPartner: aInB, frame: a, partnerFrame: b, ...common };
  const ofB: Side = { bit: FEATURE_OF_B, inPartner: bInA, frame: b, partnerFrame: a, ...common };
  for (let i = first; i < end; i++) {
    found.colliderA = pairs.pairs[2 * i]!;
    found.colliderB = pairs.pairs[2 * i + 1]!;
    ofA.own = ofB.partner = polyhedra[posed.colliders.polyhedra[found.colliderA]!]!;
    ofB.own = ofA.partner = polyhedra[posed.colliders.polyhedra[found.colliderB]!]!;
    if (pairs.clusters !== undefined) {
      const at = PAIR_CLUSTERS * i;
      ofA.firstCluster = pairs.clusters[at]!;
      ofA.endCluster = pairs.clusters[at + 1]!;
      ofB.firstCluster = pairs.clusters[at + 2]!;
      ofB.endCluster = pairs.clusters[at + 3]!;
    }
    frames.set(posed, found.colliderA, found.colliderB);
    answer(ofA);
    answer(ofB);
  }
}

/** A point of the one's frame, in world axes about A's body. */
export function setPoint(found: FoundContact, { frame: m }: Side, x: number, y: number, z: number): void {
  found.px = m[0]! * x + m[1]! * y + m[2]! * z + m[9]!;
  found.py = m[3]! * x + m[4]! * y + m[5]! * z + m[10]!;
  found.pz = m[6]! * x + m[7]! * y + m[8]! * z + m[11]!;
}

/** The partner's outward normal, in its frame. A feature of A leaves B against the normal from A to B. */
export function setNormal(
  found: FoundContact,
  { partnerFrame: m, bit }: Side,
  x: number,
  y: number,
  z: number,
): void {
  const sign = bit === 0 ? -1 : 1;
  found.nx = sign * (m[0]! * x + m[1]! * y + m[2]! * z);
  found.ny = sign * (m[3]! * x + m[4]! * y + m[5]! * z);
  found.nz = sign * (m[6]! * x + m[7]! * y + m[8]! * z);
}

/** Whether no point of a ball of the one's frame, `[x, y, z, radius]` from `at` on, is in the partner. */
export function isBallFar({ inPartner: m, partner }: Side, balls: Float32Array, at: number): boolean {
  const field: FieldArrays = partner.field;
  const x = balls[at]!;
  const y = balls[at + 1]!;
  const z = balls[at + 2]!;
  const { scale, shift } = field.frame;
  const least = leastDistance(
    field,
    (m[0]! * x + m[1]! * y + m[2]! * z + m[9]!) * scale - shift[0],
    (m[3]! * x + m[4]! * y + m[5]! * z + m[10]!) * scale - shift[1],
    (m[6]! * x + m[7]! * y + m[8]! * z + m[11]!) * scale - shift[2],
  );
  return least > balls[at + 3]! * scale;
}

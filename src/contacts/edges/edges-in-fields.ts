/**
 * Sharp edges of polyhedra in polyhedra: the deepest points of their pieces. In float64; the twin of the kernels in
 * shaders/contacts/edges/. docs/contacts.md, "Edges".
 */
import { ContactKind, ContactStatus } from '../list/contact-arrays.ts';
import type { ContactSink } from '../list/contact-sink.ts';
import { PLANE_LENGTH } from '../nodes/between-planes.ts';
import {
  type BallCounts,
  eachNearCluster,
  isWorthMeasuring,
  newContact,
  type PolyhedronPairsJob,
  type Side,
  setNormal,
  setPoint,
} from '../nodes/polyhedron-pairs.ts';
import { LEAST_CLEARANCE } from './constants.ts';
import { PieceInField, type PointOfPiece } from './piece-in-field.ts';

/** How much was looked at. */
export interface EdgeCounts {
  /** Pieces that culling left. */
  tested: number;
}

const found = newContact(ContactKind.edge);
const piece = new PieceInField();
const ends = new Float64Array(6);

/**
 * Adds a contact per piece that enters the partner, at its deepest point, and one at its shallower end if both ends are
 * inside. Features are twice the piece's number, and one more for the shallower end. They come in the order of pairs,
 * A's pieces before B's.
 */
export function edgesInFields(job: PolyhedronPairsJob): EdgeCounts & BallCounts {
  const counts: EdgeCounts = { tested: 0 };
  const balls = eachNearCluster(job, 'edges', found, (side, e) => addPiece(side, e, counts, job.sink));
  return { ...counts, balls };
}

/** Returns how far the piece is from the partner at least: 0 where some of it is inside, or where nobody asks. */
function addPiece(side: Side, e: number, counts: EdgeCounts, sink: ContactSink): number {
  const { skin } = side;
  let bound = side.hasPlanes ? distanceBeyond(side, e) : 0;
  if (skin === 0 ? bound > 0 : bound >= skin) return bound;
  place(side, e);
  piece.place(side.partner, ends);
  bound = Math.max(bound, piece.least());
  if (bound > 0) return bound;
  counts.tested++;
  const points = piece.find();
  if (points > 0) push(side, 2 * e, piece.deepest, sink);
  if (points > 1) push(side, 2 * e + 1, piece.shallowerEnd, sink);
  if (points > 0 || !isWorthMeasuring(side)) return 0;
  const clearance = piece.clearance(skin);
  return clearance < LEAST_CLEARANCE * skin ? 0 : clearance;
}

/**
 * How far both ends of a piece, and so all of it, are beyond one plane of the partner; 0 where they are not. Of more
 * than the skin it is not asked how much more.
 */
function distanceBeyond({ own, shared: u, skin }: Side, piece: number): number {
  const { edges } = own.surface;
  const e = 6 * piece;
  let most = 0;
  for (let i = 0; i < u.length; i += 4) {
    const start = u[i + 3]!;
    const first = start - (u[i]! * edges[e]! + u[i + 1]! * edges[e + 1]! + u[i + 2]! * edges[e + 2]!);
    const last = start - (u[i]! * edges[e + 3]! + u[i + 1]! * edges[e + 4]! + u[i + 2]! * edges[e + 5]!);
    const least = (first < last ? first : last) / PLANE_LENGTH;
    if (least > most) most = least;
    if (most > skin) break;
  }
  return most;
}

/** Writes the ends of a piece in the partner's frame. */
function place({ inPartner: m, own }: Side, piece: number): void {
  const { edges } = own.surface;
  for (let k = 0; k < 6; k += 3) {
    const x = edges[6 * piece + k]!;
    const y = edges[6 * piece + k + 1]!;
    const z = edges[6 * piece + k + 2]!;
    ends[k] = m[0]! * x + m[1]! * y + m[2]! * z + m[9]!;
    ends[k + 1] = m[3]! * x + m[4]! * y + m[5]! * z + m[10]!;
    ends[k + 2] = m[6]! * x + m[7]! * y + m[8]! * z + m[11]!;
  }
}

function push(side: Side, feature: number, point: PointOfPiece, sink: ContactSink): void {
  const { edges } = side.own.surface;
  const e = 6 * (feature >>> 1);
  const [x, y, z] = [edges[e]!, edges[e + 1]!, edges[e + 2]!];
  const [dx, dy, dz] = [edges[e + 3]! - x, edges[e + 4]! - y, edges[e + 5]! - z];
  const { at, isDeep, isSure, triangle, depth, slope } = point;
  found.status = isDeep ? ContactStatus.deep : isSure ? ContactStatus.sure : ContactStatus.bounded;
  found.feature = side.bit + feature;
  found.triangle = triangle;
  found.distance = -depth;
  // Half of the piece for each of its two points: on a flat face that is the trapezoidal rule.
  found.area = (slope * Math.sqrt(dx * dx + dy * dy + dz * dz)) / 2;
  setPoint(found, side, x + at * dx, y + at * dy, z + at * dz);
  setNormal(found, side, point.nx, point.ny, point.nz);
  sink.push(found);
}

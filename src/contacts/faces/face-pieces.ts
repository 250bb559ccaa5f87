/**
 * Contacts of convex shapes that touch with faces, in float64: the elastic foundation of docs/dem.md, integrated
 * exactly over the surface of each shape inside the other. Twin of shaders/contacts/faces/. docs/contacts.md, "Faces",
 * has the formulas.
 *
 * In a convex partner the depth of a point is the least of its distances to the partner's planes. Over a face each of
 * these is linear in two coordinates. So each face is cut by the partner's planes, and where the nearest plane changes.
 * What all pieces come to are three contacts (`FaceSums`).
 */
import { PLACED } from '../bodies/placed-collider.ts';
import { FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { FACE_SLACK, MOST_TOGETHER } from './constants.ts';
import { FaceSums } from './face-sums.ts';
import { type FaceTable, PLANE } from './face-table.ts';
import { Extent, type Meeting } from './meeting.ts';
import {
  type FaceFrame,
  type Frame,
  findNear,
  measure,
  NearFaces,
  placeFace,
  setListed,
} from './near-faces.ts';
import { CORNER, LINEAR, NAME, Polygon, UV } from './polygon.ts';

const IDENTITY: Frame = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

const nearA = new NearFaces();
const nearB = new NearFaces();
const placement = new Float64Array(PLACED);
const sums = new FaceSums();
const extent = new Extent();

/** Outcome of `facePieces` for a pair. */
export const Overlap = { apart: 0, none: 1, some: 2 } as const;
export type Overlap = (typeof Overlap)[keyof typeof Overlap];

/**
 * Adds the three contacts of a pair that touches with faces. They do not depend on the axis: it only tells which faces
 * need not be looked at.
 *
 * @param frames where the shapes are, seen from A's body, `PLACED` numbers each: rotation by rows, and the centre
 * @param axis a unit vector in A's frame: the nearer to the direction of the overlap, the sooner the answer. It becomes
 *   the direction of the force.
 * @param found colliders, kind and status are set already
 * @param meeting faces that met at the last call; gets those that meet now. Undefined: nobody asks again
 * @returns `apart` where the shapes are apart along the axis
 */
export function facePieces(
  table: FaceTable,
  a: number,
  b: number,
  frames: Float64Array,
  axis: Float64Array,
  found: FoundContact,
  sink: ContactSink,
  meeting?: Meeting,
): Overlap {
  relativePlacement(frames, placement);
  if (meeting !== undefined && setMeeting(table, a, b, meeting)) {
    extent.along(axis);
    cutBoth(table);
    const isWhole = meeting.holds(placement, extent);
    // If it is not whole, the last direction is as good as any other.
    if (sums.finish(axis) && isWhole) {
      sums.push(frames, found, sink);
      return Overlap.some;
    }
  }
  extent.along(axis);
  const x = axis[0]!;
  const y = axis[1]!;
  const z = axis[2]!;
  const r = placement;
  // B's axis, in its own frame.
  const bx = r[0]! * x + r[3]! * y + r[6]! * z;
  const by = r[1]! * x + r[4]! * y + r[7]! * z;
  const bz = r[2]! * x + r[5]! * y + r[8]! * z;
  const way = r[9]! * x + r[10]! * y + r[11]! * z;
  const most = measure(table, a, nearA, x, y, z, 1, 0);
  const least = -measure(table, b, nearB, bx, by, bz, -1, way);
  const overlap = most - least;
  if (overlap < 0) return Overlap.apart;
  const size = Math.abs(most) + Math.abs(least) + Math.abs(way);
  const slack = FACE_SLACK * size;
  // A point of the overlap is within `overlap` of both surfaces, as it is along the axis. So the plane nearest to it is
  // that of a face which comes as near.
  findNear(table, a, nearA, IDENTITY, least - slack, overlap + slack);
  findNear(table, b, nearB, placement, -most - slack, overlap + slack);
  cutBoth(table);
  if (!sums.finish(axis)) return Overlap.none;
  sums.push(frames, found, sink);
  meeting?.find(table, a, b, placement, extent);
  return Overlap.some;
}

/** Sets near faces to those of a meeting. False if there is none. */
function setMeeting(table: FaceTable, a: number, b: number, { faces, countOfA, count }: Meeting): boolean {
  return (
    count > 0 &&
    setListed(table, a, nearA, IDENTITY, faces, 0, countOfA) &&
    setListed(table, b, nearB, placement, faces, countOfA, count)
  );
}

/** Cuts the near faces of both shapes by the planes of each other. */
function cutBoth(table: FaceTable): void {
  sums.clear();
  // Both surfaces have half of the stiffness. On B acts what A's surface finds, against the normals of B's planes.
  cutFaces(table, nearA, IDENTITY, nearB, -1 / 2);
  cutFaces(table, nearB, placement, nearA, 1 / 2);
}

/** Pose of B in A's frame. */
function relativePlacement(f: Float64Array, out: Float64Array): void {
  const b = PLACED;
  const dx = f[b + 9]! - f[9]!;
  const dy = f[b + 10]! - f[10]!;
  const dz = f[b + 11]! - f[11]!;
  for (let i = 0; i < 3; i++) {
    const p = f[i]!;
    const q = f[3 + i]!;
    const s = f[6 + i]!;
    for (let j = 0; j < 3; j++) out[3 * i + j] = p * f[b + j]! + q * f[b + 3 + j]! + s * f[b + 6 + j]!;
    out[9 + i] = p * dx + q * dy + s * dz;
  }
}

/** Numbers of two corners: a polygon has more. */
const LEAST = 2 * CORNER;
/** A face that is cut, and where it is. */
const face = new Polygon();
const frame: FaceFrame = new Float64Array(9);
/** `[n * LINEAR]`: depths below planes over the face. */
let depths = new Float64Array(0);
/** Planes that cut the face, then those that may be nearest to some point of it. */
let some = new Uint32Array(0);
/** Planes that have left edges of the face, rising; 1 where a plane has, by names. */
let edges = new Uint32Array(0);
let areEdges = new Uint8Array(1);
/** How much deeper one plane is than another. */
const between = new Float64Array(LINEAR);
/** Planes that are not farther from all of the face than another one; and the least depth of each plane there. */
let candidates = new Uint32Array(0);
let lows = new Float64Array(0);
/** The part of the face that is nearest to one plane; corners of all that there are, and where each one ends. */
const region = new Polygon();
let kept = new Float64Array(0);
const keptEnds: number[] = [];
/** Parts of the face, which is the first one, and the plane that is nearest to each. */
const pieces = [face];
const owners: number[] = [];

/** Makes room for faces that planes cut. Returns how many corners a polygon has room for. */
function reserve(corners: number, planes: number): number {
  const room = corners + 2 * planes;
  face.reserve(room);
  if (areEdges.length <= planes) {
    areEdges = new Uint8Array(2 * planes + 1);
    edges = new Uint32Array(2 * planes + 1);
    some = new Uint32Array(2 * planes + 1);
    depths = new Float64Array(2 * LINEAR * planes);
    lows = new Float64Array(2 * planes + 1);
  }
  if (candidates.length < room) candidates = new Uint32Array(2 * room);
  return room;
}

/** Cuts the faces of one shape by the planes of the other, and adds up what is inside. @param share below 0 for A's */
function cutFaces(table: FaceTable, own: NearFaces, place: Frame, others: NearFaces, share: number): void {
  const { starts, flat, mostCorners } = table;
  const room = reserve(mostCorners, others.count);
  for (let i = 0; i < own.count; i++) {
    if (own.reaches[i] === 0) continue;
    placeFace(table, own, i, place, frame);
    const start = starts[own.faces[i]!]!;
    const end = starts[own.faces[i]! + 1]!;
    const cuts = setDepths(flat, start, end, others);
    if (cuts < 0) continue;
    face.load(flat, start, end);
    let done = 0;
    for (let k = 0; k < cuts && face.end > LEAST; k++) done += Number(cutBy(some[k]!));
    if (face.end <= LEAST) continue;
    const left = listEdges(others.count);
    if (left < done) cutAgain(flat, start, end, left);
    extent.add(face, frame);
    let near = setNearest(others.count);
    if (near > MOST_TOGETHER) {
      near = keepRegions(near, others.count, room);
      if (near > MOST_TOGETHER) {
        for (let k = 0; k < near; k++) {
          region.copy(kept, keptEnds[k - 1] ?? 0, keptEnds[k]!);
          const p = some[k]!;
          sums.add(region, frame, depths, LINEAR * p, others.planes, PLANE * p, share);
        }
        continue;
      }
    }
    let count = cutPieces(near, room);
    if (near > left) {
      const used = keepOwners(near, count);
      if (used < near) {
        cutAgain(flat, start, end, left);
        count = cutPieces(used, room);
      }
    }
    for (let k = 0; k < count; k++) {
      if (pieces[k]!.end <= LEAST) continue;
      sums.add(pieces[k]!, frame, depths, LINEAR * owners[k]!, others.planes, PLANE * owners[k]!, share);
    }
  }
}

/** Sets `depths`, and lists the planes that cut a face. Returns how many; -1 where all of it is outside of one. */
function setDepths(corners: Float64Array, start: number, end: number, { planes, count }: NearFaces): number {
  const f = frame;
  let cuts = 0;
  for (let p = 0; p < count; p++) {
    const n = PLANE * p;
    const x = planes[n]!;
    const y = planes[n + 1]!;
    const z = planes[n + 2]!;
    const a = planes[n + 3]! - (x * f[0]! + y * f[1]! + z * f[2]!);
    const b = -(x * f[3]! + y * f[4]! + z * f[5]!);
    const c = -(x * f[6]! + y * f[7]! + z * f[8]!);
    let outside = 0;
    for (let i = start; i < end; i++) {
      outside += Number(a + b * corners[UV * i]! + c * corners[UV * i + 1]! < 0);
    }
    if (outside === end - start) return -1;
    some[cuts] = p;
    cuts += Number(outside > 0);
    depths[LINEAR * p] = a;
    depths[LINEAR * p + 1] = b;
    depths[LINEAR * p + 2] = c;
  }
  return cuts;
}

/** Cuts off the part of the face outside of plane p. False if there is none. */
function cutBy(p: number): boolean {
  return face.cut(depths, LINEAR * p, p + 1);
}

/** Cuts the face by planes that have left edges alone: others that were tried leave no trace in its last bits. */
function cutAgain(corners: Float64Array, start: number, end: number, left: number): void {
  face.load(corners, start, end);
  for (let k = 0; k < left; k++) cutBy(edges[k]!);
}

/** Lists the planes that have left edges of the face. Returns how many. */
function listEdges(planeCount: number): number {
  const { at, end } = face;
  for (let p = 1; p <= planeCount; p++) areEdges[p] = 0;
  for (let i = NAME; i < end; i += CORNER) areEdges[at[i]!] = 1;
  let count = 0;
  for (let p = 0; p < planeCount; p++) {
    edges[count] = p;
    count += areEdges[p + 1]!;
  }
  return count;
}

/** Sets `some` to planes that may be nearest to some point of the face, which is inside. Returns how many they are. */
function setNearest(planeCount: number): number {
  let few = planeCount;
  if (planeCount > MOST_TOGETHER) few = setCandidates(planeCount);
  else for (let p = 0; p < planeCount; p++) candidates[p] = p;
  let near = 0;
  for (let k = 0; k < few; k++) {
    const p = candidates[k]!;
    // A plane is nearest at its own edge.
    if (areEdges[p + 1] === 1 || !isBeyond(p, few)) some[near++] = p;
  }
  return near;
}

/** Sets `candidates`. No point is farther from all planes than the plane whose farthest corner is nearest. */
function setCandidates(planeCount: number): number {
  const { at, end } = face;
  let bound = Infinity;
  for (let p = 0; p < planeCount; p++) {
    const d = LINEAR * p;
    const a = depths[d]!;
    const b = depths[d + 1]!;
    const c = depths[d + 2]!;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < end; i += CORNER) {
      const depth = a + b * at[i]! + c * at[i + 1]!;
      low = Math.min(low, depth);
      high = Math.max(high, depth);
    }
    lows[p] = areEdges[p + 1] === 1 ? -Infinity : low;
    bound = Math.min(bound, high);
  }
  let few = 0;
  for (let p = 0; p < planeCount; p++) if (lows[p]! <= bound) candidates[few++] = p;
  return few;
}

/** True where another candidate is as near at all corners of the face and nearer at one, or the same and earlier. */
function isBeyond(p: number, few: number): boolean {
  const { at, end } = face;
  const d = LINEAR * p;
  for (let k = 0; k < few; k++) {
    const q = candidates[k]!;
    const o = LINEAR * q;
    const a = depths[d]! - depths[o]!;
    const b = depths[d + 1]! - depths[o + 1]!;
    const c = depths[d + 2]! - depths[o + 2]!;
    let nearer = 0;
    let farther = 0;
    for (let i = 0; i < end && nearer === 0; i += CORNER) {
      const difference = a + b * at[i]! + c * at[i + 1]!;
      nearer += Number(difference < 0);
      farther += Number(difference > 0);
    }
    if (nearer === 0 && (farther > 0 || q < p)) return true;
  }
  return false;
}

/**
 * Cuts off what is nearer to another of the first `near` of `some` than to number k. It takes longer than `cutPieces`
 * where planes are few. Where they are many, that would leave far more pieces than planes.
 */
function cutRegion(k: number, near: number, planeCount: number, room: number): void {
  region.reserve(room);
  region.copy(face.at, 0, face.end);
  let done = 0;
  for (let l = 0; l < near && region.end > LEAST; l++)
    if (l !== k) done += Number(cutRegionBy(k, l, planeCount));
  if (region.end <= LEAST) return;
  // Other planes that were tried leave no trace in its last bits.
  let left = 0;
  for (let i = NAME; i < region.end; i += CORNER) {
    const other = region.at[i]! - planeCount - 1;
    if (other >= 0) candidates[left++] = other;
  }
  if (left === done) return;
  const those = candidates.subarray(0, left).sort();
  region.copy(face.at, 0, face.end);
  for (const l of those) cutRegionBy(k, l, planeCount);
}

/** False if nothing is nearer to number l. Edges of the cut have names behind those of planes. */
function cutRegionBy(k: number, l: number, planeCount: number): boolean {
  setBetween(some[l]!, some[k]!);
  return region.cut(between, 0, planeCount + 1 + l);
}

/** Sets `between` to how much deeper plane p is than plane q. */
function setBetween(p: number, q: number): void {
  const d = LINEAR * p;
  const o = LINEAR * q;
  for (let l = 0; l < LINEAR; l++) between[l] = depths[d + l]! - depths[o + l]!;
}

/** Of the first `near` planes of `some` keeps those that have a region, and these. Returns how many they are. */
function keepRegions(near: number, planeCount: number, room: number): number {
  let end = 0;
  owners.length = keptEnds.length = 0;
  for (let k = 0; k < near; k++) {
    cutRegion(k, near, planeCount, room);
    if (region.end <= LEAST) continue;
    const from = end;
    end += region.end;
    if (kept.length < end) {
      const more = new Float64Array(2 * end);
      more.set(kept);
      kept = more;
    }
    for (let i = from; i < end; i++) kept[i] = region.at[i - from]!;
    keptEnds.push(end);
    owners.push(some[k]!);
  }
  some.set(owners);
  return owners.length;
}

/** Cuts the face into pieces of one nearest plane of the first `near` of `some`. Returns how many pieces there are. */
function cutPieces(near: number, room: number): number {
  owners[0] = some[0]!;
  let count = 1;
  for (let k = 1; k < near; k++) {
    for (let i = 0, before = count; i < before; i++) {
      const piece = pieces[i]!;
      if (piece.end <= LEAST) continue;
      pieces[count] ??= new Polygon();
      const nearer = pieces[count]!;
      nearer.reserve(room);
      setBetween(some[k]!, owners[i]!);
      if (piece.cut(between, 0, 1, nearer) && nearer.end > LEAST) owners[count++] = some[k]!;
    }
  }
  return count;
}

/** Of the first `near` planes of `some` keeps those that are nearest to a piece. Returns how many they are. */
function keepOwners(near: number, count: number): number {
  let used = 0;
  for (let k = 0; k < near; k++) {
    const p = some[k]!;
    if (pieces.some(({ end }, i) => i < count && owners[i] === p && end > LEAST)) some[used++] = p;
  }
  return used;
}

/**
 * Adds the three contacts of a shape with faces and a plane, of the parts of its faces below.
 *
 * @param frame where the shape is, as `facePieces` says
 * @param plane as `placeCollider` says: its normal is the third column
 * @param found colliders, kind and status are set already
 * @param isB true where the shape is B
 */
export function facesBelowPlane(
  table: FaceTable,
  record: number,
  frame: Float64Array,
  plane: Float64Array,
  found: FoundContact,
  isB: boolean,
  sink: ContactSink,
): void {
  const nx = plane[2]!;
  const ny = plane[5]!;
  const nz = plane[8]!;
  const f = frame;
  const height = (f[9]! - plane[9]!) * nx + (f[10]! - plane[10]!) * ny + (f[11]! - plane[11]!) * nz;
  const x = f[0]! * nx + f[3]! * ny + f[6]! * nz;
  const y = f[1]! * nx + f[4]! * ny + f[7]! * nz;
  const z = f[2]! * nx + f[5]! * ny + f[8]! * nz;
  if (measure(table, record, nearA, x, y, z, -1, height) < 0) return;
  findNear(table, record, nearA, IDENTITY, 0, 0);
  // The plane in the frame of the shape. Points below it are inside.
  const { planes } = planeBelow;
  planes[0] = x;
  planes[1] = y;
  planes[2] = z;
  planes[3] = -height;
  sums.clear();
  cutFaces(table, nearA, IDENTITY, planeBelow, isB ? 1 : -1);
  if (sums.finish(direction)) sums.push(frame, found, sink, isB ? FEATURE_OF_B : 0);
}

const planeBelow = new NearFaces();
planeBelow.reserve(1, 0);
planeBelow.count = 1;
const direction = new Float64Array(3);

/**
 * Contacts of convex shapes that touch with faces, in float64: the elastic foundation of docs/dem.md, integrated
 * exactly over the surface of each shape inside the other. Twin of shaders/contacts/faces/. docs/contacts.md, "Faces",
 * has the formulas.
 *
 * In a convex partner the depth of a point is the least of its distances to the partner's planes. So each face is cut
 * by the partner's planes, and where the nearest plane changes. Over such a piece the depth is linear. The middles of a
 * triangle's edges integrate second degrees exactly: its energy, force and torque. What all pieces come to are three
 * contacts (`FaceSums`).
 */
import { PLACED } from '../bodies/placed-collider.ts';
import { FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { FACE_SLACK } from './constants.ts';
import { FaceSums } from './face-sums.ts';
import { FACE_RANGE, type FaceTable, PLANE } from './face-table.ts';
import { Extent, type Meeting } from './meeting.ts';
import { type Frame, findNear, measure, NearFaces, setListed } from './near-faces.ts';
import { Polygon, XYZ } from './polygon.ts';

const IDENTITY: Frame = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

const nearA = new NearFaces();
const nearB = new NearFaces();
const face = new Polygon();
const piece = new Polygon();
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
    cutBoth(table, a, b);
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
  cutBoth(table, a, b);
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
function cutBoth(table: FaceTable, a: number, b: number): void {
  sums.clear();
  // Both surfaces have half of the stiffness. On B acts what A's surface finds, against the normals of B's planes.
  cutFaces(table, a, nearA, IDENTITY, nearB, -1 / 2);
  cutFaces(table, b, nearB, placement, nearA, 1 / 2);
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

/** Planes in a word of `outside`. */
const BITS = 32;
/** `[n * words]`: a bit for each plane that a vertex is outside of. */
let outside = new Uint32Array(0);
/** Planes that cut a face, and those of them that are left. */
let cutting = new Uint32Array(0);
let cutAgain = new Uint32Array(0);

/** Places the vertices of faces that reach into the overlap, and sets `outside`. */
function placeVertices(table: FaceTable, record: number, own: NearFaces, f: Frame, others: NearFaces): void {
  const { starts, corners, vertices: v } = table;
  const first = table.ranges[FACE_RANGE * record + 2]!;
  const { slots, vertices, places, faces, reaches } = own;
  let count = 0;
  for (let i = 0; i < own.count; i++) {
    if (reaches[i] === 0) continue;
    const end = starts[faces[i]! + 1]!;
    for (let c = starts[faces[i]!]!; c < end; c++) {
      const vertex = corners[c]! - first;
      if (slots[vertex] !== 0) continue;
      vertices[count++] = vertex;
      slots[vertex] = count;
    }
  }
  const { planes, count: planeCount } = others;
  const words = Math.ceil(planeCount / BITS);
  if (outside.length < words * count) outside = new Uint32Array(2 * words * count);
  if (cutting.length < planeCount) cutting = new Uint32Array(2 * planeCount);
  for (let i = 0; i < count; i++) {
    const at = XYZ * (first + vertices[i]!);
    const vx = v[at]!;
    const vy = v[at + 1]!;
    const vz = v[at + 2]!;
    const x = f[9]! + (f[0]! * vx + f[1]! * vy + f[2]! * vz);
    const y = f[10]! + (f[3]! * vx + f[4]! * vy + f[5]! * vz);
    const z = f[11]! + (f[6]! * vx + f[7]! * vy + f[8]! * vz);
    places[3 * i] = x;
    places[3 * i + 1] = y;
    places[3 * i + 2] = z;
    for (let word = 0, p = 0; word < words; word++) {
      let bits = 0;
      for (const end = Math.min(planeCount, p + BITS); p < end; p++) {
        const n = PLANE * p;
        const side = planes[n]! * x + planes[n + 1]! * y + planes[n + 2]! * z - planes[n + 3]!;
        if (side > 0) bits |= 1 << p;
      }
      outside[words * i + word] = bits;
    }
  }
  own.placed = count;
}

/** Loads a face, and lists the planes that cut it. Returns how many; -1 where all of it is outside of one. */
function loadFace(
  table: FaceTable,
  record: number,
  own: NearFaces,
  number: number,
  planeCount: number,
): number {
  const { starts, corners, ranges } = table;
  const first = ranges[FACE_RANGE * record + 2]!;
  const { slots, places } = own;
  const start = starts[number]!;
  const end = starts[number + 1]!;
  const words = Math.ceil(planeCount / BITS);
  let cuts = 0;
  for (let word = 0; word < words; word++) {
    let all = -1;
    let some = 0;
    for (let c = start; c < end; c++) {
      const bits = outside[words * (slots[corners[c]! - first]! - 1) + word]!;
      all &= bits;
      some |= bits;
    }
    if (all !== 0) return -1;
    for (; some !== 0; some &= some - 1) cutting[cuts++] = BITS * word + 31 - Math.clz32(some & -some);
  }
  const to = face.at;
  for (let c = start; c < end; c++) {
    const from = XYZ * (slots[corners[c]! - first]! - 1);
    const i = XYZ * (c - start);
    to[i] = places[from]!;
    to[i + 1] = places[from + 1]!;
    to[i + 2] = places[from + 2]!;
  }
  face.count = end - start;
  for (let i = 0; i < face.count; i++) face.names[i] = 0;
  return cuts;
}

/** Cuts the faces of one shape by the planes of the other, and adds up what is inside. @param share below 0 for A's */
function cutFaces(
  table: FaceTable,
  record: number,
  own: NearFaces,
  frame: Frame,
  others: NearFaces,
  share: number,
): void {
  const { planes, count: planeCount } = others;
  const room = table.mostCorners + 2 * planeCount;
  face.reserve(room);
  piece.reserve(room);
  placeVertices(table, record, own, frame, others);
  if (cutAgain.length < room) cutAgain = new Uint32Array(room);
  for (let i = 0; i < own.count; i++) {
    if (own.reaches[i] === 0) continue;
    const cuts = loadFace(table, record, own, own.faces[i]!, planeCount);
    if (cuts < 0) continue;
    let done = 0;
    for (let k = 0; k < cuts && face.count > 2; k++) done += face.cutBy(planes, cutting[k]!);
    if (face.count < 3) continue;
    const again = face.listNames(cutAgain);
    if (again < done) {
      loadFace(table, record, own, own.faces[i]!, planeCount);
      for (let k = 0; k < again; k++) face.cutBy(planes, cutAgain[k]! - 1);
    }
    extent.add(face);
    const count = setNearest(face, planes, planeCount);
    for (let k = 0; k < count; k++) {
      const p = nearest[k]!;
      if (count === 1) {
        sums.add(face.at, face.count, planes, PLANE * p, share);
        break;
      }
      let from = face;
      for (let l = 0; l < count && from.count > 2; l++) {
        if (l === k) continue;
        piece.setNearer(from, planes, p, nearest[l]!);
        from = piece;
      }
      if (piece.count > 2) sums.add(piece.at, piece.count, planes, PLANE * p, share);
    }
  }
  for (let i = 0; i < own.placed; i++) own.slots[own.vertices[i]!] = 0;
}

/** Planes that may be nearest to some point of a polygon, and room for fewer of them. */
let nearest = new Uint32Array(0);
let few = new Uint32Array(0);
/** `[n * corners]`: distances of a polygon's corners to planes; `[n]`: the least of each. */
let depths = new Float64Array(0);
let least = new Float64Array(0);

/** Sets `nearest` to the planes that may be nearest to some point of a polygon inside. Returns how many they are. */
function setNearest({ at, count }: Polygon, planes: Float64Array, planeCount: number): number {
  if (depths.length < planeCount * count) depths = new Float64Array(2 * planeCount * count);
  if (nearest.length < planeCount) {
    nearest = new Uint32Array(2 * planeCount);
    few = new Uint32Array(2 * planeCount);
    least = new Float64Array(2 * planeCount);
  }
  // No point is farther from all planes than the plane whose farthest corner is nearest.
  let bound = Infinity;
  for (let p = 0; p < planeCount; p++) {
    const n = PLANE * p;
    const nx = planes[n]!;
    const ny = planes[n + 1]!;
    const nz = planes[n + 2]!;
    const h = planes[n + 3]!;
    let low = Infinity;
    let high = -Infinity;
    for (let c = 0; c < count; c++) {
      const depth = h - (nx * at[3 * c]! + ny * at[3 * c + 1]! + nz * at[3 * c + 2]!);
      depths[p * count + c] = depth;
      if (depth < low) low = depth;
      if (depth > high) high = depth;
    }
    least[p] = low;
    if (high < bound) bound = high;
  }
  let near = 0;
  for (let p = 0; p < planeCount; p++) if (least[p]! <= bound) nearest[near++] = p;
  let some = 0;
  for (let k = 0; k < near; k++) if (!isBeyond(k, near, count)) few[some++] = nearest[k]!;
  [nearest, few] = [few, nearest];
  return some;
}

/** True where another of the nearest planes is as near at all corners and nearer at one, or the same and earlier. */
function isBeyond(k: number, near: number, corners: number): boolean {
  const p = nearest[k]! * corners;
  for (let l = 0; l < near; l++) {
    if (l === k) continue;
    const q = nearest[l]! * corners;
    let isFarther = true;
    let isSame = true;
    for (let c = 0; c < corners && isFarther; c++) {
      const difference = depths[p + c]! - depths[q + c]!;
      if (difference < 0) isFarther = false;
      else if (difference > 0) isSame = false;
    }
    if (isFarther && (!isSame || l < k)) return true;
  }
  return false;
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
  cutFaces(table, record, nearA, IDENTITY, planeBelow, isB ? 1 : -1);
  if (sums.finish(direction)) sums.push(frame, found, sink, isB ? FEATURE_OF_B : 0);
}

const planeBelow = new NearFaces();
planeBelow.reserve(1, 0);
planeBelow.count = 1;
const direction = new Float64Array(3);

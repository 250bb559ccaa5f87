/**
 * Contacts of convex shapes that touch with faces, in float64: the elastic foundation of docs/dem.md, integrated exactly
 * over the surface of each shape inside the other. Twin of shaders/contacts/faces/. docs/contacts.md, "Faces", has the
 * formulas.
 *
 * In a convex partner the depth of a point is the least of its distances to the partner's planes. So each face is cut
 * by the partner's planes, and where the nearest plane changes. Over such a piece the depth is linear. Three points with
 * a third of its area each have its area, centre and second moments, so they give its energy, force and torque exactly.
 */
import { PLACED } from '../bodies/placed-collider.ts';
import { FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { FACE_SLACK, PIECE_POINTS } from './constants.ts';
import { FACE_RANGE, type FaceTable, PLANE } from './face-table.ts';

/** Numbers per corner of a polygon. */
const XYZ = 3;

/** A polygon that planes cut. Corners that are cut off leave room for those of the cut: one more at most. */
class Polygon {
  count = 0;
  at = new Float64Array(0);
  #other = new Float64Array(0);
  #sides = new Float64Array(0);

  reserve(corners: number): void {
    if (this.#sides.length >= corners) return;
    this.at = new Float64Array(XYZ * corners);
    this.#other = new Float64Array(XYZ * corners);
    this.#sides = new Float64Array(corners);
  }

  copy({ count, at }: Polygon): void {
    this.count = count;
    for (let i = 0; i < XYZ * count; i++) this.at[i] = at[i]!;
  }

  /** Keeps what has x n <= h (I. Sutherland, G. Hodgman 1974). What is left of nothing is nothing. */
  cut(nx: number, ny: number, nz: number, h: number): void {
    const { count, at } = this;
    const sides = this.#sides;
    let outside = 0;
    for (let i = 0; i < count; i++) {
      const side = nx * at[3 * i]! + ny * at[3 * i + 1]! + nz * at[3 * i + 2]! - h;
      sides[i] = side;
      if (side > 0) outside++;
    }
    if (outside === 0) return;
    if (outside === count) {
      this.count = 0;
      return;
    }
    const out = this.#other;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const next = i + 1 === count ? 0 : i + 1;
      const side = sides[i]!;
      const sideOfNext = sides[next]!;
      if (side <= 0) {
        out[3 * kept] = at[3 * i]!;
        out[3 * kept + 1] = at[3 * i + 1]!;
        out[3 * kept + 2] = at[3 * i + 2]!;
        kept++;
      }
      if ((side < 0 && sideOfNext > 0) || (side > 0 && sideOfNext < 0)) {
        const part = side / (side - sideOfNext);
        for (let k = 0; k < 3; k++) {
          out[3 * kept + k] = at[3 * i + k]! + part * (at[3 * next + k]! - at[3 * i + k]!);
        }
        kept++;
      }
    }
    this.#other = at;
    this.at = out;
    this.count = kept;
  }
}

/** Faces of one shape that matter for a pair, in the frame that both have in common. */
class NearFaces {
  /** How many may be nearest to a point of the overlap; the first ones of the arrays are these. */
  count = 0;
  /** Numbers of faces, rising, and whether a face reaches into the overlap itself. */
  faces = new Uint32Array(0);
  reaches = new Uint8Array(0);
  /** `[n * 4]`: planes. */
  planes = new Float64Array(0);
  /** Of the vertices of the shape, along the axis. */
  heights = new Float64Array(0);

  reserve(faces: number, vertices: number): void {
    if (this.faces.length < faces) {
      this.faces = new Uint32Array(faces);
      this.reaches = new Uint8Array(faces);
      this.planes = new Float64Array(PLANE * faces);
    }
    if (this.heights.length < vertices) this.heights = new Float64Array(vertices);
  }
}

/** From one record's frame to the common one: rotation by rows, and place. */
type Frame = Float64Array;
const IDENTITY: Frame = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

const nearA = new NearFaces();
const nearB = new NearFaces();
const face = new Polygon();
const piece = new Polygon();
const placement = new Float64Array(PLACED);
/** Distances of a polygon's corners to planes. */
let depths = new Float64Array(0);
const FIRST_ANGLE = Math.PI / 2;
const CIRCLE = Float64Array.from({ length: 2 * PIECE_POINTS }, (_, i) => {
  const angle = FIRST_ANGLE + (2 * Math.PI * (i >> 1)) / PIECE_POINTS;
  return Math.SQRT2 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
});

/** What `facePieces` finds of a pair. */
export const Overlap = { apart: 0, none: 1, some: 2 } as const;
export type Overlap = (typeof Overlap)[keyof typeof Overlap];

/**
 * Adds the contacts of a pair that touches with faces, those of A's faces first, each by faces and then by the other's.
 * They do not depend on the axis: it only tells which faces need not be looked at.
 *
 * @param frames where the shapes are, seen from A's body, `PLACED` numbers each: rotation by rows, and the centre
 * @param axis a unit vector in A's frame: the nearer to the direction of the overlap, the sooner the answer. It becomes
 *   the direction of the force.
 * @param found colliders, kind and status are set already
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
): Overlap {
  relativePlacement(frames, placement);
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
  const before = sink.count;
  force[0] = force[1] = force[2] = 0;
  // A's surface inside B: both halves of the foundation have half of the stiffness.
  cutFaces(table, a, nearA, IDENTITY, nearB, b, -1, frames, found, sink);
  cutFaces(table, b, nearB, placement, nearA, a, 1, frames, found, sink);
  if (sink.count === before) return Overlap.none;
  const length = Math.sqrt(force[0]! ** 2 + force[1]! ** 2 + force[2]! ** 2);
  if (length > 0) for (let k = 0; k < 3; k++) axis[k] = force[k]! / length;
  return Overlap.some;
}

/** Sum of areas times depths along the normals from A to B, in A's frame. */
const force = new Float64Array(3);

/** Where B is in A's frame. */
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

/** Sets the heights of a shape's vertices along an axis, times a sign. Returns the largest. */
function measure(
  { ranges, vertices: v }: FaceTable,
  record: number,
  near: NearFaces,
  x: number,
  y: number,
  z: number,
  sign: number,
  origin: number,
): number {
  const first = ranges[FACE_RANGE * record + 2]!;
  const count = ranges[FACE_RANGE * record + 3]!;
  near.reserve(ranges[FACE_RANGE * record + 1]!, count);
  const { heights } = near;
  let most = -Infinity;
  for (let i = 0; i < count; i++) {
    const at = XYZ * (first + i);
    const height = sign * (v[at]! * x + v[at + 1]! * y + v[at + 2]! * z + origin);
    heights[i] = height;
    if (height > most) most = height;
  }
  return most;
}

/** Lists faces with a corner above a height less a depth, and places their planes. */
function findNear(
  { ranges, planes, starts, corners }: FaceTable,
  record: number,
  near: NearFaces,
  f: Frame,
  height: number,
  depth: number,
): void {
  const firstFace = ranges[FACE_RANGE * record]!;
  const endFace = firstFace + ranges[FACE_RANGE * record + 1]!;
  const firstVertex = ranges[FACE_RANGE * record + 2]!;
  const { heights, faces, reaches, planes: placed } = near;
  let count = 0;
  for (let i = firstFace; i < endFace; i++) {
    let top = -Infinity;
    const end = starts[i + 1]!;
    for (let c = starts[i]!; c < end; c++) {
      const value = heights[corners[c]! - firstVertex]!;
      if (value > top) top = value;
    }
    if (top < height - depth) continue;
    faces[count] = i;
    reaches[count] = top >= height ? 1 : 0;
    const nx = planes[PLANE * i]!;
    const ny = planes[PLANE * i + 1]!;
    const nz = planes[PLANE * i + 2]!;
    const to = PLANE * count;
    const wx = f[0]! * nx + f[1]! * ny + f[2]! * nz;
    const wy = f[3]! * nx + f[4]! * ny + f[5]! * nz;
    const wz = f[6]! * nx + f[7]! * ny + f[8]! * nz;
    placed[to] = wx;
    placed[to + 1] = wy;
    placed[to + 2] = wz;
    placed[to + 3] = planes[PLANE * i + 3]! + (wx * f[9]! + wy * f[10]! + wz * f[11]!);
    count++;
  }
  near.count = count;
}

/** Sets `face` to a face of a record, in the common frame. */
function loadFace({ starts, corners, vertices: v }: FaceTable, number: number, f: Frame): void {
  const start = starts[number]!;
  const count = starts[number + 1]! - start;
  const to = face.at;
  for (let i = 0; i < count; i++) {
    const at = XYZ * corners[start + i]!;
    const x = v[at]!;
    const y = v[at + 1]!;
    const z = v[at + 2]!;
    to[3 * i] = f[9]! + (f[0]! * x + f[1]! * y + f[2]! * z);
    to[3 * i + 1] = f[10]! + (f[3]! * x + f[4]! * y + f[5]! * z);
    to[3 * i + 2] = f[11]! + (f[6]! * x + f[7]! * y + f[8]! * z);
  }
  face.count = count;
}

/** Cuts the faces of one shape by the planes of the other, and adds what is inside. @param sign 1 for B's faces */
function cutFaces(
  table: FaceTable,
  record: number,
  own: NearFaces,
  frame: Frame,
  others: NearFaces,
  other: number,
  sign: number,
  frames: Float64Array,
  found: FoundContact,
  sink: ContactSink,
): void {
  const { planes, faces: otherFaces, count: planeCount } = others;
  const room = table.mostCorners + 2 * planeCount;
  face.reserve(room);
  piece.reserve(room);
  const planesOfOther = table.ranges[FACE_RANGE * other + 1]!;
  const firstOfOther = table.ranges[FACE_RANGE * other]!;
  const firstOfOwn = table.ranges[FACE_RANGE * record]!;
  for (let i = 0; i < own.count; i++) {
    if (own.reaches[i] === 0) continue;
    loadFace(table, own.faces[i]!, frame);
    for (let p = 0; p < planeCount && face.count > 2; p++) {
      const at = PLANE * p;
      face.cut(planes[at]!, planes[at + 1]!, planes[at + 2]!, planes[at + 3]!);
    }
    if (face.count < 3) continue;
    const corners = face.count;
    const nearest = setDepths(face, planes, planeCount);
    const number = (own.faces[i]! - firstOfOwn) * planesOfOther;
    for (let p = nearest < 0 ? 0 : nearest; p < planeCount; p++) {
      if (nearest < 0) {
        if (!mayBeNearest(p, planeCount, corners)) continue;
        piece.copy(face);
        cutToNearest(p, planes, planeCount, corners);
        if (piece.count < 3) continue;
      }
      found.feature =
        PIECE_POINTS * (number + otherFaces[p]! - firstOfOther) + (sign > 0 ? FEATURE_OF_B : 0);
      const normal = PLANE * own.faces[i]!;
      push(nearest < 0 ? piece : face, table.planes, normal, frame, planes, PLANE * p, sign, frames, found, sink);
      if (nearest >= 0) break;
    }
  }
}

/** Sets `depths` to those of a polygon's corners below planes. Returns the plane that is nearest to all; -1: none is. */
function setDepths({ at, count }: Polygon, planes: Float64Array, planeCount: number): number {
  if (depths.length < planeCount * count) depths = new Float64Array(2 * planeCount * count);
  let nearest = 0;
  for (let p = 0; p < planeCount; p++) {
    const n = PLANE * p;
    const nx = planes[n]!;
    const ny = planes[n + 1]!;
    const nz = planes[n + 2]!;
    const h = planes[n + 3]!;
    for (let c = 0; c < count; c++) {
      depths[p * count + c] = h - (nx * at[3 * c]! + ny * at[3 * c + 1]! + nz * at[3 * c + 2]!);
    }
    if (sumOf(p, count) < sumOf(nearest, count)) nearest = p;
  }
  for (let p = 0; p < planeCount; p++) {
    for (let c = 0; c < count; c++) {
      if (depths[p * count + c]! < depths[nearest * count + c]!) return -1;
    }
  }
  return nearest;
}

function sumOf(p: number, count: number): number {
  let sum = 0;
  for (let c = 0; c < count; c++) sum += depths[p * count + c]!;
  return sum;
}

/** False where another plane is as near at all corners and nearer at one, or the same and earlier. */
function mayBeNearest(p: number, planeCount: number, corners: number): boolean {
  for (let q = 0; q < planeCount; q++) {
    if (q === p) continue;
    let isFarther = true;
    let isSame = true;
    for (let c = 0; c < corners; c++) {
      const difference = depths[p * corners + c]! - depths[q * corners + c]!;
      if (difference < 0) {
        isFarther = false;
        break;
      }
      if (difference > 0) isSame = false;
    }
    if (isFarther && (!isSame || q < p)) return false;
  }
  return true;
}

/** Cuts `piece` to where plane p is the nearest. */
function cutToNearest(p: number, planes: Float64Array, planeCount: number, corners: number): void {
  const at = PLANE * p;
  for (let q = 0; q < planeCount && piece.count > 2; q++) {
    if (q === p) continue;
    let isNearer = false;
    for (let c = 0; c < corners; c++) {
      if (depths[q * corners + c]! < depths[p * corners + c]!) isNearer = true;
    }
    if (!isNearer) continue;
    const other = PLANE * q;
    piece.cut(
      planes[other]! - planes[at]!,
      planes[other + 1]! - planes[at + 1]!,
      planes[other + 2]! - planes[at + 2]!,
      planes[other + 3]! - planes[at + 3]!,
    );
  }
}

/** Points of a polygon in 3D, and the area of each: `setPoints`. */
const points = new Float64Array(XYZ * PIECE_POINTS);

/**
 * Sets `points` to three that have the centre and the second moments of a polygon, in its plane and in it: a convex
 * polygon holds the ellipse whose half axes are sqrt(2) standard deviations (R. Kannan, L. Lovasz, M. Simonovits,
 * "Isoperimetric problems for convex bodies and a localization lemma", 1995). Returns its area.
 *
 * @param normals from which `at` on the unit normal of its plane stands, in the frame of the shape
 */
export function setPoints({ at, count }: Polygon, normals: Float64Array, n: number, f: Frame): number {
  const nx = f[0]! * normals[n]! + f[1]! * normals[n + 1]! + f[2]! * normals[n + 2]!;
  const ny = f[3]! * normals[n]! + f[4]! * normals[n + 1]! + f[5]! * normals[n + 2]!;
  const nz = f[6]! * normals[n]! + f[7]! * normals[n + 1]! + f[8]! * normals[n + 2]!;
  // Sums over the triangles at the first corner of area, centre and products, in space.
  const ox = at[0]!;
  const oy = at[1]!;
  const oz = at[2]!;
  let [area, mx, my, mz, xx, yy, zz, xy, yz, zx] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  let px = at[3]! - ox;
  let py = at[4]! - oy;
  let pz = at[5]! - oz;
  for (let i = 2; i < count; i++) {
    const qx = at[3 * i]! - ox;
    const qy = at[3 * i + 1]! - oy;
    const qz = at[3 * i + 2]! - oz;
    const own = ((py * qz - pz * qy) * nx + (pz * qx - px * qz) * ny + (px * qy - py * qx) * nz) / 2;
    const sx = px + qx;
    const sy = py + qy;
    const sz = pz + qz;
    area += own;
    mx += (own / 3) * sx;
    my += (own / 3) * sy;
    mz += (own / 3) * sz;
    const w = own / 12;
    xx += w * (px * px + qx * qx + sx * sx);
    yy += w * (py * py + qy * qy + sy * sy);
    zz += w * (pz * pz + qz * qz + sz * sz);
    xy += w * (px * py + qx * qy + sx * sy);
    yz += w * (py * pz + qy * qz + sy * sz);
    zx += w * (pz * px + qz * qx + sz * sx);
    px = qx;
    py = qy;
    pz = qz;
  }
  if (!(area > 0)) return 0;
  mx /= area;
  my /= area;
  mz /= area;
  xx = xx / area - mx * mx;
  yy = yy / area - my * my;
  zz = zz / area - mz * mz;
  xy = xy / area - mx * my;
  yz = yz / area - my * mz;
  zx = zx / area - mz * mx;
  // The root of the moments, C: (C + s 1) / t with s^2 = det C in the plane, t^2 = trace C + 2 s. There s^2 is the sum
  // of C's principal minors, of which those across the normal are 0.
  const minors = xx * yy - xy * xy + (yy * zz - yz * yz) + (zz * xx - zx * zx);
  const s = Math.sqrt(Math.max(0, minors));
  const t = Math.sqrt(xx + yy + zz + 2 * s);
  if (!(t > 0)) return 0;
  // Two directions in the plane: one that is fixed in the shape, so that points do not leap as it turns.
  setAcrossIn(normals, n, f, nx, ny, nz);
  const [ux, uy, uz, vx, vy, vz] = across;
  for (let k = 0; k < PIECE_POINTS; k++) {
    const c = CIRCLE[2 * k]!;
    const d = CIRCLE[2 * k + 1]!;
    const ex = c * ux! + d * vx!;
    const ey = c * uy! + d * vy!;
    const ez = c * uz! + d * vz!;
    points[3 * k] = ox + mx + (xx * ex + xy * ey + zx * ez + s * ex) / t;
    points[3 * k + 1] = oy + my + (xy * ex + yy * ey + yz * ez + s * ey) / t;
    points[3 * k + 2] = oz + mz + (zx * ex + yz * ey + zz * ez + s * ez) / t;
  }
  return area;
}

const across = new Float64Array(6);

/** Sets `across` to two unit vectors in a plane, the first one along the projection of an axis of the shape. */
function setAcrossIn(normals: Float64Array, n: number, f: Frame, nx: number, ny: number, nz: number): void {
  const x = Math.abs(normals[n]!);
  const y = Math.abs(normals[n + 1]!);
  const z = Math.abs(normals[n + 2]!);
  const k = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  const out = normals[n + k]!;
  const ux = f[k]! - out * nx;
  const uy = f[3 + k]! - out * ny;
  const uz = f[6 + k]! - out * nz;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  across[0] = ux / length;
  across[1] = uy / length;
  across[2] = uz / length;
  across[3] = ny * across[2] - nz * across[1];
  across[4] = nz * across[0] - nx * across[2];
  across[5] = nx * across[1] - ny * across[0];
}

/** Adds the contacts of a piece. @param from where its own normal stands in `normals`. @param p the nearest plane's */
function push(
  polygon: Polygon,
  normals: Float64Array,
  from: number,
  frame: Frame,
  planes: Float64Array,
  p: number,
  sign: number,
  frames: Float64Array,
  found: FoundContact,
  sink: ContactSink,
): void {
  const area = setPoints(polygon, normals, from, frame);
  if (area === 0) return;
  const px = planes[p]!;
  const py = planes[p + 1]!;
  const pz = planes[p + 2]!;
  const r = frames;
  found.nx = sign * (r[0]! * px + r[1]! * py + r[2]! * pz);
  found.ny = sign * (r[3]! * px + r[4]! * py + r[5]! * pz);
  found.nz = sign * (r[6]! * px + r[7]! * py + r[8]! * pz);
  found.area = area / (2 * PIECE_POINTS);
  for (let k = 0; k < PIECE_POINTS; k++) {
    const x = points[3 * k]!;
    const y = points[3 * k + 1]!;
    const z = points[3 * k + 2]!;
    const depth = Math.max(0, planes[p + 3]! - (px * x + py * y + pz * z));
    found.distance = -depth;
    found.px = r[9]! + (r[0]! * x + r[1]! * y + r[2]! * z);
    found.py = r[10]! + (r[3]! * x + r[4]! * y + r[5]! * z);
    found.pz = r[11]! + (r[6]! * x + r[7]! * y + r[8]! * z);
    sink.push(found);
    found.feature++;
    const weight = sign * found.area * depth;
    force[0]! += weight * px;
    force[1]! += weight * py;
    force[2]! += weight * pz;
  }
}

/**
 * Adds the contacts of a shape with faces and a plane: of each face the part below.
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
  face.reserve(table.mostCorners + 1);
  const sign = isB ? 1 : -1;
  found.nx = sign * nx;
  found.ny = sign * ny;
  found.nz = sign * nz;
  for (let i = 0; i < nearA.count; i++) {
    loadFace(table, nearA.faces[i]!, IDENTITY);
    face.cut(x, y, z, -height);
    if (face.count < 3) continue;
    const area = setPoints(face, table.planes, PLANE * nearA.faces[i]!, IDENTITY);
    if (area === 0) continue;
    found.area = area / PIECE_POINTS;
    found.feature =
      PIECE_POINTS * (nearA.faces[i]! - table.ranges[FACE_RANGE * record]!) + (isB ? FEATURE_OF_B : 0);
    for (let k = 0; k < PIECE_POINTS; k++) {
      const [a, b, c] = [points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!];
      found.distance = Math.min(0, height + (x * a + y * b + z * c));
      const down = found.distance / 2;
      found.px = f[9]! + (f[0]! * a + f[1]! * b + f[2]! * c) - down * nx;
      found.py = f[10]! + (f[3]! * a + f[4]! * b + f[5]! * c) - down * ny;
      found.pz = f[11]! + (f[6]! * a + f[7]! * b + f[8]! * c) - down * nz;
      sink.push(found);
      found.feature++;
    }
  }
}

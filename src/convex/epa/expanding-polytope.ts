// The growing convex polytope of EPA, of support points of A - B. L. Olvang (2010), section 2.5, algorithm 10.
//
// Departure: exact predicates decide which faces a new point sees, as in mesh/convex-hull.ts. So the region that it
// sees is always a disc with one rim, no face ever has zero area, and the polytope is exactly convex. None of the ways
// in which a float EPA breaks exist (libccd#7, fcl#390, fcl#493, parry#378). Faces with the origin beyond them are
// allowed; their offset is negative.
//
// A thread has one polytope at a time, in arrays of this module: engines know where these lie, which takes a quarter of
// the time off.
import { MOST_POLYTOPE_VERTICES, POLYTOPE_ROUNDING } from '../constants.ts';
import { POINT } from '../pair/pair.ts';
import { volumeOf } from '../pair/volume.ts';

const FACES = 2 * MOST_POLYTOPE_VERTICES;
/** Numbers per plane: outward unit normal, offset. */
export const PLANE = 4;
/** Corners and half-edges per face, one of them unused: the face of half-edge h is h >> 2. */
export const EDGES = 4;
const NEXT = Int32Array.of(1, 2, 0);
/** A face is slender if the squared product of two edges is this many times that of their cross product. */
const SLENDER = 256;

/** Slots of POINT numbers. */
export const vertices = new Float64Array(POINT * MOST_POLYTOPE_VERTICES);
/** Three corners of each face of four, counter-clockwise seen from outside. */
export const corners = new Int32Array(EDGES * FACES);
/**
 * Outward unit normal of each face, and the offset of its plane from the origin: negative if the origin lies beyond it,
 * Infinity if the face is too slender to have a plane or the slot is free.
 */
export const planes = new Float64Array(PLANE * FACES);
/** Heights over each face's plane below which rounding may decide the sign. */
const doubts = new Float64Array(FACES);
/** Half-edge on the other side of half-edge k of a face, from corner k to the next. */
const twins = new Int32Array(EDGES * FACES);
/** For each face: 2 v if vertex v removed it, 2 v + 1 if vertex v did not see it. */
const marks = new Int32Array(FACES);
const free = new Int32Array(FACES);
const removed = new Int32Array(FACES);
/** Half-edges around the hole, on the faces that stay. */
const rim = new Int32Array(FACES);
/** Faces along which a support point may still be asked for, each once and in any order, and 1 for each of them. */
const open = new Int32Array(FACES);
const isOpen = new Uint8Array(FACES);
const state = {
  vertexCount: 0,
  faceSlots: 0,
  freeCount: 0,
  removedCount: 0,
  rimCount: 0,
  openCount: 0,
  /** Rounding of a height over a plane from three far points. */
  rounding: 0,
};

/** True if there is room for another vertex. */
export function hasRoom(): boolean {
  return state.vertexCount < MOST_POLYTOPE_VERTICES - 1;
}

/** Where in `vertices` the next vertex goes. */
export function next(): number {
  return POINT * state.vertexCount;
}

/** Slots of faces, in use or free. */
export function faceSlots(): number {
  return state.faceSlots;
}

/**
 * Starts from four points in slots 0 .. 3.
 *
 * @param size no point of the polytope is farther from the origin
 * @returns false if they lie in one plane, exactly
 */
export function start(points: Float64Array, size: number): boolean {
  state.rounding = POLYTOPE_ROUNDING * size;
  state.vertexCount = 4;
  state.freeCount = 0;
  state.faceSlots = 4;
  for (let i = 0; i < state.openCount; i++) isOpen[open[i]!] = 0;
  state.openCount = 0;
  for (let i = 0; i < 4 * POINT; i++) vertices[i] = points[i]!;
  const volume = volumeOf(vertices, 0, POINT, 2 * POINT, 3 * POINT);
  if (volume === 0) return false;
  // The volume is negative if the last point sees the first three counter-clockwise. From outside it has to be
  // positive.
  const b = volume > 0 ? 1 : 2;
  const c = 3 - b;
  startFace(0, 0, b, c);
  startFace(1, b, 0, 3);
  startFace(2, c, b, 3);
  startFace(3, 0, c, 3);
  // Joins the base and the sides across its edges, then each side and the next.
  join(0, EDGES);
  join(1, 2 * EDGES);
  join(2, 3 * EDGES);
  join(EDGES + 1, 3 * EDGES + 2);
  join(2 * EDGES + 1, EDGES + 2);
  join(3 * EDGES + 1, 2 * EDGES + 2);
  return true;
}

function startFace(face: number, i: number, j: number, k: number): void {
  corners[EDGES * face] = i;
  corners[EDGES * face + 1] = j;
  corners[EDGES * face + 2] = k;
  marks[face] = 0;
  list(face);
  setPlane(face, POINT * i, POINT * j, POINT * k);
}

/** The slot may be in the list from a face that is gone. */
function list(face: number): void {
  if (isOpen[face] === 1) return;
  isOpen[face] = 1;
  open[state.openCount++] = face;
}

function join(h: number, g: number): void {
  twins[h] = g;
  twins[g] = h;
}

/** True if the point at p in `vertices` lies strictly beyond the face's plane; exact. */
export function sees(face: number, p: number): boolean {
  const at = PLANE * face;
  const height =
    planes[at]! * vertices[p]! +
    planes[at + 1]! * vertices[p + 1]! +
    planes[at + 2]! * vertices[p + 2]! -
    planes[at + 3]!;
  const doubt = doubts[face]!;
  if (height > doubt) return true;
  if (height < -doubt) return false;
  return seesExactly(face, p);
}

function seesExactly(face: number, p: number): boolean {
  const a = POINT * corners[EDGES * face]!;
  const b = POINT * corners[EDGES * face + 1]!;
  const c = POINT * corners[EDGES * face + 2]!;
  return volumeOf(vertices, a, b, c, p) < 0;
}

/**
 * Takes in the point at `next`, which sees the face: removes all faces that it sees and joins it to the rim of the
 * hole.
 */
export function add(face: number): void {
  const vertex = state.vertexCount++;
  state.removedCount = 1;
  state.rimCount = 0;
  removed[0] = face;
  marks[face] = 2 * vertex;
  cross(twins[EDGES * face]!, vertex);
  cross(twins[EDGES * face + 1]!, vertex);
  cross(twins[EDGES * face + 2]!, vertex);
  joinRim(vertex);
}

/**
 * Crosses a half-edge. If the vertex sees its face, removes the face and crosses its other edges; else adds it to the
 * rim.
 */
function cross(h: number, vertex: number): void {
  const face = h >> 2;
  const mark = marks[face]!;
  if (mark === 2 * vertex) return;
  if (mark !== 2 * vertex + 1 && sees(face, POINT * vertex)) {
    marks[face] = 2 * vertex;
    removed[state.removedCount++] = face;
    const first = NEXT[h & 3]!;
    cross(twins[EDGES * face + first]!, vertex);
    cross(twins[EDGES * face + NEXT[first]!]!, vertex);
    return;
  }
  marks[face] = 2 * vertex + 1;
  rim[state.rimCount++] = h;
}

/** Makes faces from the rim, which runs counter-clockwise, to the vertex. */
function joinRim(vertex: number): void {
  const rimCount = state.rimCount;
  const removedCount = state.removedCount;
  const x = vertices[POINT * vertex]!;
  const y = vertices[POINT * vertex + 1]!;
  const z = vertices[POINT * vertex + 2]!;
  const doubt = state.rounding * Math.sqrt(SLENDER);
  const h0 = rim[0]!;
  let from = corners[(h0 & -EDGES) + NEXT[h0 & 3]!]!;
  let ux = vertices[POINT * from]! - x;
  let uy = vertices[POINT * from + 1]! - y;
  let uz = vertices[POINT * from + 2]! - z;
  let uu = ux * ux + uy * uy + uz * uz;
  let firstFace = -1;
  let lastFace = -1;
  for (let i = 0; i < rimCount; i++) {
    const h = rim[i]!;
    const to = corners[h]!;
    const face =
      i < removedCount ? removed[i]! : state.freeCount > 0 ? free[--state.freeCount]! : state.faceSlots++;
    const edge = EDGES * face;
    // The slot may have a mark of an earlier polytope.
    marks[face] = 0;
    list(face);
    corners[edge] = from;
    corners[edge + 1] = to;
    corners[edge + 2] = vertex;
    twins[edge] = h;
    twins[h] = edge;
    if (i === 0) {
      firstFace = edge;
    } else {
      twins[edge + 2] = lastFace + 1;
      twins[lastFace + 1] = edge + 2;
    }
    lastFace = edge;
    const wx = vertices[POINT * to]! - x;
    const wy = vertices[POINT * to + 1]! - y;
    const wz = vertices[POINT * to + 2]! - z;
    const ww = wx * wx + wy * wy + wz * wz;
    const nx = uy * wz - uz * wy;
    const ny = uz * wx - ux * wz;
    const nz = ux * wy - uy * wx;
    const squared = nx * nx + ny * ny + nz * nz;
    if (uu * ww < SLENDER * squared) {
      const s = 1 / Math.sqrt(squared);
      const ex = s * nx;
      const ey = s * ny;
      const ez = s * nz;
      const offset = ex * x + ey * y + ez * z;
      const at = PLANE * face;
      planes[at] = ex;
      planes[at + 1] = ey;
      planes[at + 2] = ez;
      planes[at + 3] = offset;
      doubts[face] = doubt;
    } else {
      setPlane(face, POINT * from, POINT * to, POINT * vertex);
    }
    from = to;
    ux = wx;
    uy = wy;
    uz = wz;
    uu = ww;
  }
  twins[firstFace + 2] = lastFace + 1;
  twins[lastFace + 1] = firstFace + 2;
  // There are fewer faces than before only if a vertex went. Of points in convex position none goes but by rounding.
  for (let i = rimCount; i < removedCount; i++) {
    const face = removed[i]!;
    planes[PLANE * face + 3] = Infinity;
    free[state.freeCount++] = face;
  }
}

/**
 * The face whose plane has the least offset, among those not settled; -1 if there is none.
 *
 * @param limit faces beyond are not looked at again
 */
export function nearestFace(limit: number): number {
  let nearest = -1;
  let least = Infinity;
  for (let i = 0; i < state.openCount; ) {
    const face = open[i]!;
    const offset = planes[PLANE * face + 3]!;
    if (offset > limit || offset === Infinity) {
      isOpen[face] = 0;
      open[i] = open[--state.openCount]!;
      continue;
    }
    if (offset < least || (offset === least && face < nearest)) {
      least = offset;
      nearest = face;
    }
    i++;
  }
  return nearest;
}

/** Takes a face out of the search. */
export function settle(face: number): void {
  isOpen[face] = 0;
  open[open.indexOf(face)] = open[--state.openCount]!;
}

/** Offset of a face's plane; Infinity where it has none. */
export function offset(face: number): number {
  return planes[PLANE * face + 3]!;
}

/**
 * Takes the normal from the two shorter edges, since the error of a cross product grows with the lengths of its
 * factors.
 */
function setPlane(face: number, a: number, b: number, c: number): void {
  const ab = squaredDistance(a, b);
  const bc = squaredDistance(b, c);
  const ca = squaredDistance(c, a);
  // The corner opposite the longest edge comes first. Turning the corners keeps the orientation.
  let p = a;
  let q = b;
  let r = c;
  let lengths = ab * ca;
  if (ca >= ab && ca >= bc) {
    p = b;
    q = c;
    r = a;
    lengths = bc * ab;
  } else if (ab >= bc) {
    p = c;
    q = a;
    r = b;
    lengths = ca * bc;
  }
  const x = vertices[p]!;
  const y = vertices[p + 1]!;
  const z = vertices[p + 2]!;
  const ux = vertices[q]! - x;
  const uy = vertices[q + 1]! - y;
  const uz = vertices[q + 2]! - z;
  const wx = vertices[r]! - x;
  const wy = vertices[r + 1]! - y;
  const wz = vertices[r + 2]! - z;
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  const squared = nx * nx + ny * ny + nz * nz;
  const at = PLANE * face;
  if (!(squared > 0)) {
    // A face so slender that its normal is lost lies within rounding of its neighbours' planes. They stand for it.
    planes[at + 3] = Infinity;
    doubts[face] = Infinity;
    return;
  }
  const s = 1 / Math.sqrt(squared);
  const offset = s * (nx * x + ny * y + nz * z);
  planes[at] = s * nx;
  planes[at + 1] = s * ny;
  planes[at + 2] = s * nz;
  planes[at + 3] = offset;
  doubts[face] = state.rounding * s * Math.sqrt(lengths);
}

function squaredDistance(a: number, b: number): number {
  const x = vertices[a]! - vertices[b]!;
  const y = vertices[a + 1]! - vertices[b + 1]!;
  const z = vertices[a + 2]! - vertices[b + 2]!;
  return x * x + y * y + z * z;
}

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

const MOST_FACES = 2 * MOST_POLYTOPE_VERTICES;
/**
 * Numbers per face. A face is named by where it starts in `corners` and `planes`, its half-edges by this and 0 to 2
 * more, a vertex by where it starts in `vertices`.
 */
export const FACE = 4;
/** In `corners`: the vertex that removed the face, or 1 more if it did not see it. */
const MARK = 3;
const NEXT = Int32Array.of(1, 2, 0);
/** A face is slender if the squared product of two edges is this many times that of their cross product. */
const SLENDER = 256;

/** Slots of POINT numbers. */
export const vertices = new Float64Array(POINT * MOST_POLYTOPE_VERTICES);
/** Three corners of each face, counter-clockwise seen from outside. */
export const corners = new Int32Array(FACE * MOST_FACES);
/**
 * Outward unit normal of each face, and the offset of its plane from the origin: negative if the origin lies beyond it,
 * Infinity if the face is too slender to have a plane or the slot is free.
 */
export const planes = new Float64Array(FACE * MOST_FACES);
/** Heights over each face's plane below which rounding may decide the sign, one per face. */
const doubts = new Float64Array(MOST_FACES);
/** Half-edge on the other side of the one from corner k of a face to the next. */
const twins = new Int32Array(FACE * MOST_FACES);
const free = new Int32Array(MOST_FACES);
const removed = new Int32Array(MOST_FACES);
/** Half-edges to be crossed. */
const waiting = new Int32Array(MOST_FACES);
/** Half-edges around the hole, on the faces that stay. */
const rim = new Int32Array(MOST_FACES);
/** Faces along which a support point may still be asked for, each once and in any order, and 1 for each of them. */
const open = new Int32Array(MOST_FACES);
const isOpen = new Uint8Array(MOST_FACES);
const state = {
  next: 0,
  end: 0,
  freeCount: 0,
  openCount: 0,
  /** Rounding of a height over a plane from three far points. */
  rounding: 0,
};

/** True if there is room for another vertex. */
export function hasRoom(): boolean {
  return state.next < POINT * (MOST_POLYTOPE_VERTICES - 1);
}

/** Where in `vertices` the next vertex goes. */
export function next(): number {
  return state.next;
}

/** Where the last face ends, in use or free. */
export function end(): number {
  return state.end;
}

/**
 * Starts from four points in slots 0 .. 3.
 *
 * @param size no point of the polytope is farther from the origin
 * @returns false if they lie in one plane, exactly
 */
export function start(points: Float64Array, size: number): boolean {
  state.rounding = POLYTOPE_ROUNDING * size;
  state.next = 4 * POINT;
  state.freeCount = 0;
  state.end = 4 * FACE;
  for (let i = 0; i < state.openCount; i++) isOpen[open[i]! >> 2] = 0;
  state.openCount = 0;
  for (let i = 0; i < 4 * POINT; i++) vertices[i] = points[i]!;
  const volume = volumeOf(vertices, 0, POINT, 2 * POINT, 3 * POINT);
  if (volume === 0) return false;
  // The volume is negative if the last point sees the first three counter-clockwise. From outside it has to be
  // positive.
  const b = volume > 0 ? POINT : 2 * POINT;
  const c = 3 * POINT - b;
  startFace(0, 0, b, c);
  startFace(FACE, b, 0, 3 * POINT);
  startFace(2 * FACE, c, b, 3 * POINT);
  startFace(3 * FACE, 0, c, 3 * POINT);
  // Joins the base and the sides across its edges, then each side and the next.
  join(0, FACE);
  join(1, 2 * FACE);
  join(2, 3 * FACE);
  join(FACE + 1, 3 * FACE + 2);
  join(2 * FACE + 1, FACE + 2);
  join(3 * FACE + 1, 2 * FACE + 2);
  return true;
}

function startFace(face: number, i: number, j: number, k: number): void {
  corners[face] = i;
  corners[face + 1] = j;
  corners[face + 2] = k;
  corners[face + MARK] = 0;
  list(face);
  setPlane(face, i, j, k);
}

/** The slot may be in the list from a face that is gone. */
function list(face: number): void {
  if (isOpen[face >> 2] === 1) return;
  isOpen[face >> 2] = 1;
  open[state.openCount++] = face;
}

function join(h: number, g: number): void {
  twins[h] = g;
  twins[g] = h;
}

/** True if the point at p in `vertices` lies strictly beyond the face's plane; exact. */
export function sees(face: number, p: number): boolean {
  const height =
    planes[face]! * vertices[p]! +
    planes[face + 1]! * vertices[p + 1]! +
    planes[face + 2]! * vertices[p + 2]! -
    planes[face + 3]!;
  const doubt = doubts[face >> 2]!;
  if (height > doubt) return true;
  if (height < -doubt) return false;
  return volumeOf(vertices, corners[face]!, corners[face + 1]!, corners[face + 2]!, p) < 0;
}

/**
 * Takes in the point at `next`, which sees the face: removes all faces that it sees and joins it to the rim of the
 * hole.
 */
export function add(face: number): void {
  const vertex = state.next;
  state.next = vertex + POINT;
  let removedCount = 1;
  let rimCount = 0;
  removed[0] = face;
  corners[face + MARK] = vertex;
  let waitingCount = 3;
  waiting[0] = twins[face + 2]!;
  waiting[1] = twins[face + 1]!;
  waiting[2] = twins[face]!;
  // Crosses half-edges one by one: to a face that goes, whose other edges come next, or to one that stays.
  while (waitingCount > 0) {
    const h = waiting[--waitingCount]!;
    const beyond = h & -FACE;
    const mark = corners[beyond + MARK]!;
    if (mark === vertex) continue;
    if (mark !== vertex + 1 && sees(beyond, vertex)) {
      corners[beyond + MARK] = vertex;
      removed[removedCount++] = beyond;
      const first = NEXT[h & 3]!;
      waiting[waitingCount++] = twins[beyond + NEXT[first]!]!;
      waiting[waitingCount++] = twins[beyond + first]!;
    } else {
      corners[beyond + MARK] = vertex + 1;
      rim[rimCount++] = h;
    }
  }
  joinRim(vertex, rimCount, removedCount);
}

/** The slot of a face that is gone, or a new one. */
function freeSlot(): number {
  if (state.freeCount > 0) return free[--state.freeCount]!;
  state.end += FACE;
  return state.end - FACE;
}

/** Makes faces from the rim, which runs counter-clockwise, to the vertex. */
function joinRim(vertex: number, rimCount: number, removedCount: number): void {
  const x = vertices[vertex]!;
  const y = vertices[vertex + 1]!;
  const z = vertices[vertex + 2]!;
  const doubt = state.rounding * Math.sqrt(SLENDER);
  const h0 = rim[0]!;
  let from = corners[(h0 & -FACE) + NEXT[h0 & 3]!]!;
  let ux = vertices[from]! - x;
  let uy = vertices[from + 1]! - y;
  let uz = vertices[from + 2]! - z;
  let uu = ux * ux + uy * uy + uz * uz;
  let firstFace = -1;
  let lastFace = -1;
  for (let i = 0; i < rimCount; i++) {
    const h = rim[i]!;
    const to = corners[h]!;
    const face = i < removedCount ? removed[i]! : freeSlot();
    // The slot may have a mark of an earlier polytope.
    corners[face + MARK] = 0;
    corners[face] = from;
    corners[face + 1] = to;
    corners[face + 2] = vertex;
    list(face);
    join(face, h);
    if (i === 0) firstFace = face;
    else join(face + 2, lastFace + 1);
    lastFace = face;
    const wx = vertices[to]! - x;
    const wy = vertices[to + 1]! - y;
    const wz = vertices[to + 2]! - z;
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
      planes[face] = ex;
      planes[face + 1] = ey;
      planes[face + 2] = ez;
      planes[face + 3] = ex * x + ey * y + ez * z;
      doubts[face >> 2] = doubt;
    } else {
      setPlane(face, from, to, vertex);
    }
    from = to;
    ux = wx;
    uy = wy;
    uz = wz;
    uu = ww;
  }
  join(firstFace + 2, lastFace + 1);
  // There are fewer faces than before only if a vertex went. Of points in convex position none goes but by rounding.
  for (let i = rimCount; i < removedCount; i++) {
    const face = removed[i]!;
    planes[face + 3] = Infinity;
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
    const offset = planes[face + 3]!;
    if (offset > limit) {
      isOpen[face >> 2] = 0;
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
  isOpen[face >> 2] = 0;
  open[open.indexOf(face)] = open[--state.openCount]!;
}

/** Offset of a face's plane; Infinity where it has none. */
export function offset(face: number): number {
  return planes[face + 3]!;
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
  if (!(squared > 0)) {
    // A face so slender that its normal is lost lies within rounding of its neighbours' planes. They stand for it.
    planes[face + 3] = Infinity;
    doubts[face >> 2] = Infinity;
    return;
  }
  const s = 1 / Math.sqrt(squared);
  const offset = s * (nx * x + ny * y + nz * z);
  planes[face] = s * nx;
  planes[face + 1] = s * ny;
  planes[face + 2] = s * nz;
  planes[face + 3] = offset;
  doubts[face >> 2] = state.rounding * s * Math.sqrt(lengths);
}

function squaredDistance(a: number, b: number): number {
  const x = vertices[a]! - vertices[b]!;
  const y = vertices[a + 1]! - vertices[b + 1]!;
  const z = vertices[a + 2]! - vertices[b + 2]!;
  return x * x + y * y + z * z;
}

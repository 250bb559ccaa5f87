// Depth of two polytopes by the faces of their difference.
//
// A - B is a polytope. Its faces have normals of A's faces, of B's (turned round), or are spanned by an edge of each, and the depth is
// the least h(n) of these normals. Over the normals on the sphere, A's faces are points and its edges arcs between them;
// where B's support point along the arc passes from one vertex to another, both edges span a face. So all of them are found by
// asking B along A's faces, A along B's, and walking from vertex to vertex of B along each of A's arcs. Between two such places the
// support points stay the same, and n . (a - b), positive, is least at one end of an arc.
//
// Few have to be looked at: B holds a ball of radius r about its centre, so h(n) >= (A's part) + r - n . t, which costs a product.
import { FOOT_TOLERANCE, LEAST_VERTICES_TO_CLIMB } from '../constants.ts';
import { FACE, LISTED } from './facets.ts';
import { farthestVertex } from './farthest-vertex.ts';
import type { Pair } from './pair.ts';
import { INTEGERS, PARAMETERS, type ShapeRecords } from './records.ts';
import { seedOf } from './seeds.ts';

/** Kinds of faces of the difference. */
const FACE_P = 0;
const FACE_Q = 1;
const EDGES = 2;
/** Numbers per candidate: h, kind, face of P or Q, vertex of the other; of edges: face of P, its corner, both vertices of Q, place on the arc. */
const CANDIDATE = 7;
const MOST_CANDIDATES = 16;

const candidates = new Float64Array(CANDIDATE * MOST_CANDIDATES);
let candidateCount = 0;
/** The least h so far, and how much more ties with it. Not plain variables: those of a module allocate with every number they are given. */
const state = new Float64Array(2);

/** Rotation from Q's frame into P's by rows, Q's centre in P's frame. */
const m = new Float64Array(12);
let keysP = new Float64Array(0);
let keysQ = new Float64Array(0);
/** Vertex of Q far against each face of P, -1 if none was asked for; whether it is the farthest. */
let beyond = new Int32Array(0);
let exact = new Uint8Array(0);
/** The last scan that a face of P was in; keys of those before are not its own. */
let scanned = new Float64Array(0);
let scan = 0;
/** 0, 1, 2 and so on. */
let every = new Uint32Array(0);
/** Normals of P's faces, turned round, in Q's frame. */
let turned = new Float64Array(0);

const n = new Float64Array(3);
const foot = new Float64Array(3);
const onP = new Float64Array(3);

/** P, whose arcs are walked, and Q. */
let table: ShapeRecords;
let shapeP = 0;
let shapeQ = 0;
let firstP = 0;
let firstQ = 0;
/** Where their seeds start, -1 for those without. */
let seedsP = 0;
let seedsQ = 0;

/** True for round polytopes with planes that are good enough for the gap. */
export function hasFacets(pair: Pair): boolean {
  const { integers, parameters } = pair.table;
  if (!(pair.polytopeA && pair.polytopeB)) return false;
  if (integers[INTEGERS * pair.shapeA + 6] === 0 || integers[INTEGERS * pair.shapeB + 6] === 0) return false;
  if (parameters[pair.recordA + 3]! < 0 || parameters[pair.recordB + 3]! < 0) return false;
  const error = Math.max(parameters[pair.recordA + 1]!, parameters[pair.recordB + 1]!);
  return 2 * error * pair.size + pair.touching <= pair.gap;
}

/** True if balls in both polytopes overlap. */
export function ballsOverlap(pair: Pair): boolean {
  const p = pair.table.parameters;
  const t = pair.placement;
  const reach = p[pair.recordA]! + p[pair.recordB]! - pair.touching;
  return reach > 0 && t[9]! * t[9]! + t[10]! * t[10]! + t[11]! * t[11]! < reach * reach;
}

/**
 * Depth of the cores, which are polytopes with faces; leaves the answer in the pair.
 *
 * @param known an upper bound of the depth, or Infinity
 * @returns false if it is not decided here: they touch, or no point is found that is on both
 */
export function polytopeAxes(pair: Pair, known: number): boolean {
  table = pair.table;
  state[1] = pair.touching;
  const { integers, parameters } = table;
  const swapped = integers[INTEGERS * pair.shapeA + 6]! > integers[INTEGERS * pair.shapeB + 6]!;
  place(pair, swapped);
  firstP = integers[INTEGERS * shapeP + 4]!;
  firstQ = integers[INTEGERS * shapeQ + 4]!;
  seedsP = seedsOf(shapeP);
  seedsQ = seedsOf(shapeQ);
  const facesP = integers[INTEGERS * shapeP + 6]!;
  const facesQ = integers[INTEGERS * shapeQ + 6]!;
  const innerP = parameters[PARAMETERS * shapeP]!;
  const innerQ = parameters[PARAMETERS * shapeQ]!;
  makeRoom(facesP, facesQ);
  candidateCount = 0;
  state[0] = known;
  pair.calls++;
  const cosineP = parameters[PARAMETERS * shapeP + 2]!;
  const tx = m[0]! * m[9]! + m[3]! * m[10]! + m[6]! * m[11]!;
  const ty = m[1]! * m[9]! + m[4]! * m[10]! + m[7]! * m[11]!;
  const tz = m[2]! * m[9]! + m[5]! * m[10]! + m[8]! * m[11]!;
  const { faceLists, faceListStarts: starts } = table;
  const cellP = parameters[PARAMETERS * shapeP + 3]! + seedOf(m[9]!, m[10]!, m[11]!);
  const cellQ = parameters[PARAMETERS * shapeQ + 3]! + seedOf(-tx, -ty, -tz);
  // First those that face the other's centre. Of all others, P's part is at least this, Q's that.
  const away = LISTED * Math.sqrt(tx * tx + ty * ty + tz * tz);
  askAll(faceLists, starts[cellP]!, starts[cellP + 1]!, faceLists, starts[cellQ]!, starts[cellQ + 1]!);
  if (state[0]! <= state[1]!) return false;
  const enough = state[0]! + 2 * state[1]!;
  const room = state[0]! - innerQ;
  const some = room < 0 ? room * cosineP : room;
  if (innerP + innerQ - away > enough && innerP - away > some + 2 * state[1]!) {
    walkArcs(faceLists, starts[cellP]!, starts[cellP + 1]!, innerQ, cosineP);
  } else {
    askAll(every, 0, facesP, every, 0, facesQ);
    walkArcs(every, 0, facesP, innerQ, cosineP);
  }
  return state[0]! > state[1]! && finish(pair, swapped);
}

/** Asks along the normals of faces `listP[fromP]` to before `listP[toP]`, and of Q's, as far as they can be the nearest. */
function askAll(
  listP: Uint32Array,
  fromP: number,
  toP: number,
  listQ: Uint32Array,
  fromQ: number,
  toQ: number,
): void {
  const innerP = table.parameters[PARAMETERS * shapeP]!;
  const innerQ = table.parameters[PARAMETERS * shapeQ]!;
  const nearestP = scanP(listP, fromP, toP);
  const nearestQ = scanQ(listQ, fromQ, toQ);
  if (nearestP >= 0 && (nearestQ < 0 || keysP[nearestP]! + innerQ < keysQ[nearestQ]! + innerP))
    askP(nearestP);
  else if (nearestQ >= 0) askQ(nearestQ);
  for (let e = fromP; e < toP; e++) {
    const i = listP[e]!;
    if (keysP[i]! + innerQ < state[0]! + state[1]! && beyond[i]! < 0) askP(i);
  }
  for (let e = fromQ; e < toQ; e++) {
    const i = listQ[e]!;
    if (keysQ[i]! + innerP < state[0]! + state[1]!) askQ(i);
  }
}

function place(pair: Pair, swapped: boolean): void {
  const r = pair.placement;
  shapeP = swapped ? pair.shapeB : pair.shapeA;
  shapeQ = swapped ? pair.shapeA : pair.shapeB;
  if (!swapped) {
    m.set(r);
    return;
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) m[3 * i + j] = r[3 * j + i]!;
    m[9 + i] = -(r[i]! * r[9]! + r[3 + i]! * r[10]! + r[6 + i]! * r[11]!);
  }
}

function seedsOf(shape: number): number {
  const { integers } = table;
  return integers[INTEGERS * shape + 2]! < LEAST_VERTICES_TO_CLIMB ? -1 : integers[INTEGERS * shape + 3]!;
}

function makeRoom(facesP: number, facesQ: number): void {
  const most = Math.max(facesP, facesQ);
  if (keysP.length >= most) return;
  const room = 2 * most;
  keysP = new Float64Array(room);
  keysQ = new Float64Array(room);
  beyond = new Int32Array(room);
  exact = new Uint8Array(room);
  scanned = new Float64Array(room);
  turned = new Float64Array(3 * room);
  every = Uint32Array.from({ length: room }, (_, i) => i);
}

/** P's part of h(n) for its faces in a list; the one where it is least. */
function scanP(list: Uint32Array, from: number, to: number): number {
  const { faces } = table;
  const tx = m[9]!;
  const ty = m[10]!;
  const tz = m[11]!;
  let nearest = -1;
  let low = Infinity;
  scan++;
  for (let e = from; e < to; e++) {
    const i = list[e]!;
    const at = FACE * (firstP + i);
    const key = faces[at + 3]! - (faces[at]! * tx + faces[at + 1]! * ty + faces[at + 2]! * tz);
    keysP[i] = key;
    beyond[i] = -1;
    scanned[i] = scan;
    if (key < low) {
      low = key;
      nearest = i;
    }
  }
  return nearest;
}

/** The same of Q's faces, whose normals are turned round. */
function scanQ(list: Uint32Array, from: number, to: number): number {
  const { faces } = table;
  const tx = m[0]! * m[9]! + m[3]! * m[10]! + m[6]! * m[11]!;
  const ty = m[1]! * m[9]! + m[4]! * m[10]! + m[7]! * m[11]!;
  const tz = m[2]! * m[9]! + m[5]! * m[10]! + m[8]! * m[11]!;
  let nearest = -1;
  let low = Infinity;
  for (let e = from; e < to; e++) {
    const i = list[e]!;
    const at = FACE * (firstQ + i);
    const key = faces[at + 3]! + (faces[at]! * tx + faces[at + 1]! * ty + faces[at + 2]! * tz);
    keysQ[i] = key;
    if (key < low) {
      low = key;
      nearest = i;
    }
  }
  return nearest;
}

/** P's part for a face that was in no list. */
function scanAlone(i: number): void {
  const { faces } = table;
  const at = FACE * (firstP + i);
  keysP[i] = faces[at + 3]! - (faces[at]! * m[9]! + faces[at + 1]! * m[10]! + faces[at + 2]! * m[11]!);
  beyond[i] = -1;
  scanned[i] = scan;
}

/** Direction of P's face i, turned round, in Q's frame. */
function turn(i: number): void {
  const { faces } = table;
  const at = FACE * (firstP + i);
  const x = faces[at]!;
  const y = faces[at + 1]!;
  const z = faces[at + 2]!;
  turned[3 * i] = -(m[0]! * x + m[3]! * y + m[6]! * z);
  turned[3 * i + 1] = -(m[1]! * x + m[4]! * y + m[7]! * z);
  turned[3 * i + 2] = -(m[2]! * x + m[5]! * y + m[8]! * z);
}

/** h along the normal of P's face. */
function askP(i: number): void {
  turn(i);
  const x = turned[3 * i]!;
  const y = turned[3 * i + 1]!;
  const z = turned[3 * i + 2]!;
  const v = table.vertices;
  if (seedsQ >= 0) {
    // Any vertex makes a lower bound, and one is close to the farthest.
    const b = table.seeds[seedsQ + seedOf(x, y, z)]!;
    beyond[i] = b;
    exact[i] = 0;
    if (keysP[i]! + (x * v[3 * b]! + y * v[3 * b + 1]! + z * v[3 * b + 2]!) >= state[0]! + state[1]!) return;
  }
  askFarthest(i);
}

/** The same, with the farthest of all vertices. */
function askFarthest(i: number): void {
  const v = table.vertices;
  const x = turned[3 * i]!;
  const y = turned[3 * i + 1]!;
  const z = turned[3 * i + 2]!;
  const b = farthestVertex(table, shapeQ, x, y, z);
  beyond[i] = b;
  exact[i] = 1;
  const h = keysP[i]! + (x * v[3 * b]! + y * v[3 * b + 1]! + z * v[3 * b + 2]!);
  if (h < state[0]! + state[1]!) keep(h, FACE_P, firstP + i, b, 0, 0, 0);
}

/** h against the normal of Q's face. */
function askQ(i: number): void {
  const { faces, vertices: v } = table;
  const at = FACE * (firstQ + i);
  const x = -(m[0]! * faces[at]! + m[1]! * faces[at + 1]! + m[2]! * faces[at + 2]!);
  const y = -(m[3]! * faces[at]! + m[4]! * faces[at + 1]! + m[5]! * faces[at + 2]!);
  const z = -(m[6]! * faces[at]! + m[7]! * faces[at + 1]! + m[8]! * faces[at + 2]!);
  const limit = state[0]! + state[1]!;
  if (seedsP >= 0) {
    const a = 3 * table.seeds[seedsP + seedOf(x, y, z)]!;
    if (keysQ[i]! + (x * v[a]! + y * v[a + 1]! + z * v[a + 2]!) >= limit) return;
  }
  const a = farthestVertex(table, shapeP, x, y, z);
  const h = keysQ[i]! + (x * v[3 * a]! + y * v[3 * a + 1]! + z * v[3 * a + 2]!);
  if (h < limit) keep(h, FACE_Q, firstQ + i, a, 0, 0, 0);
}

/** Keeps a face of the difference that may be the nearest, or tie with it. */
function keep(h: number, kind: number, face: number, k: number, from: number, to: number, s: number): void {
  if (h < state[0]!) state[0] = h;
  let room = candidateCount;
  if (room === MOST_CANDIDATES) {
    room = 0;
    for (let i = 0; i < MOST_CANDIDATES; i++) {
      if (candidates[CANDIDATE * i]! > candidates[CANDIDATE * room]!) room = i;
    }
  } else {
    candidateCount++;
  }
  const at = CANDIDATE * room;
  candidates[at] = h;
  candidates[at + 1] = kind;
  candidates[at + 2] = face;
  candidates[at + 3] = k;
  candidates[at + 4] = from;
  candidates[at + 5] = to;
  candidates[at + 6] = s;
}

/** Faces spanned by edges: along all arcs of P on which h can be less than the least so far. */
function walkArcs(list: Uint32Array, from: number, to: number, inner: number, cosine: number): void {
  const { faceNeighbours, vertices: v } = table;
  // On an arc, P's part is at least the lesser of its ends, over the chord's length where that is negative.
  const room = state[0]! - inner;
  const limit = room < 0 ? room * cosine : room;
  for (let e = from; e < to; e++) {
    const i = list[e]!;
    if (keysP[i]! >= limit) continue;
    if (beyond[i]! < 0) askP(i);
    for (let k = 0; k < 3; k++) {
      const j = faceNeighbours[3 * (firstP + i) + k]! - firstP;
      if (scanned[j] !== scan) scanAlone(j);
      if (keysP[j]! < limit) {
        // From the one end only.
        if (j < i) continue;
        if (beyond[j]! < 0) askP(j);
        if (beyond[j] === beyond[i]) continue;
        // As below, seen from the other end.
        const c = 3 * beyond[j]!;
        const there =
          turned[3 * i]! * v[c]! + turned[3 * i + 1]! * v[c + 1]! + turned[3 * i + 2]! * v[c + 2]!;
        if (keysP[i]! + there >= state[0]! + state[1]!) continue;
      } else if (beyond[j]! < 0) {
        turn(j);
      }
      // With one vertex of Q for all of the arc, what is less than h is least at one of its ends. That of i is not below the least.
      const b = 3 * beyond[i]!;
      const here = turned[3 * j]! * v[b]! + turned[3 * j + 1]! * v[b + 1]! + turned[3 * j + 2]! * v[b + 2]!;
      if (keysP[j]! + here >= state[0]! + state[1]!) continue;
      if (exact[i] === 0) askFarthest(i);
      walk(i, j, k);
    }
  }
}

/** Q's vertices along the arc from P's face i to its neighbour j across edge k. */
function walk(i: number, j: number, k: number): void {
  const { vertices: v, neighbourStarts, neighbours, faces } = table;
  const x1 = turned[3 * i]!;
  const y1 = turned[3 * i + 1]!;
  const z1 = turned[3 * i + 2]!;
  const x2 = turned[3 * j]!;
  const y2 = turned[3 * j + 1]!;
  const z2 = turned[3 * j + 2]!;
  const g1 = keysP[i]!;
  const g2 = keysP[j]!;
  const p = FACE * (firstP + i);
  const q = FACE * (firstP + j);
  const dx = faces[q]! - faces[p]!;
  const dy = faces[q + 1]! - faces[p + 1]!;
  const dz = faces[q + 2]! - faces[p + 2]!;
  let b = beyond[i]!;
  let s = 0;
  while (true) {
    const b1 = x1 * v[3 * b]! + y1 * v[3 * b + 1]! + z1 * v[3 * b + 2]!;
    const b2 = x2 * v[3 * b]! + y2 * v[3 * b + 1]! + z2 * v[3 * b + 2]!;
    // Of all vertices that are farther than b at the arc's end, the first to be so.
    let first = 1;
    let next = -1;
    const end = neighbourStarts[b + 1]!;
    for (let e = neighbourStarts[b]!; e < end; e++) {
      const c = 3 * neighbours[e]!;
      const e2 = x2 * v[c]! + y2 * v[c + 1]! + z2 * v[c + 2]! - b2;
      if (e2 <= 0) continue;
      const e1 = x1 * v[c]! + y1 * v[c + 1]! + z1 * v[c + 2]! - b1;
      const at = e1 < 0 ? e1 / (e1 - e2) : 0;
      if (at > first || (at === first && next >= 0)) continue;
      first = at;
      next = c / 3;
    }
    if (next < 0) {
      // The neighbour's own value, or less by rounding.
      if (g2 + b2 < state[0]!) state[0] = g2 + b2;
      return;
    }
    if (first > s) s = first;
    const nx = faces[p]! + s * dx;
    const ny = faces[p + 1]! + s * dy;
    const nz = faces[p + 2]! + s * dz;
    const h = (g1 + s * (g2 - g1) + (b1 + s * (b2 - b1))) / Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (h < state[0]! + state[1]!) keep(h, EDGES, firstP + i, k, b, next, s);
    b = next;
  }
}

/** Points of the depth along the normal of a face of the difference; false where none is found on both. */
function finish(pair: Pair, swapped: boolean): boolean {
  const { pointA, placement: r } = pair;
  const p = table.parameters;
  const height = state[0]!;
  const error = Math.max(p[pair.recordA + 1]!, p[pair.recordB + 1]!) * pair.size;
  for (let c = 0; c < candidateCount; c++) {
    const at = CANDIDATE * c;
    if (candidates[at]! > height + state[1]!) continue;
    setNormal(at);
    if (candidates[at + 1]! === EDGES && !isFarthest(candidates[at + 4]!)) continue;
    // In A's frame, out of A.
    const x = swapped ? -(r[0]! * n[0]! + r[1]! * n[1]! + r[2]! * n[2]!) : n[0]!;
    const y = swapped ? -(r[3]! * n[0]! + r[4]! * n[1]! + r[5]! * n[2]!) : n[1]!;
    const z = swapped ? -(r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!) : n[2]!;
    for (let k = 0; k < 3; k++) foot[k] = height * n[k]!;
    if (!findPoint(at, FOOT_TOLERANCE * pair.size)) continue;
    if (!swapped) {
      pointA.set(onP);
    } else {
      // A's point in the frame of B, which is P: q = p - foot.
      const qx = onP[0]! - foot[0]!;
      const qy = onP[1]! - foot[1]!;
      const qz = onP[2]! - foot[2]!;
      pointA[0] = r[0]! * qx + r[1]! * qy + r[2]! * qz + r[9]!;
      pointA[1] = r[3]! * qx + r[4]! * qy + r[5]! * qz + r[10]!;
      pointA[2] = r[6]! * qx + r[7]! * qy + r[8]! * qz + r[11]!;
    }
    const margins = pair.marginA + pair.marginB;
    pair.answer(-height, x, y, z);
    pair.lower = -(height + error) - margins;
    pair.upper = -(height - error) - margins;
    return true;
  }
  return false;
}

/** True if no vertex of Q is farther than one against the normal: walking does not see beyond ties. */
function isFarthest(b: number): boolean {
  const v = table.vertices;
  const x = -(m[0]! * n[0]! + m[3]! * n[1]! + m[6]! * n[2]!);
  const y = -(m[1]! * n[0]! + m[4]! * n[1]! + m[7]! * n[2]!);
  const z = -(m[2]! * n[0]! + m[5]! * n[1]! + m[8]! * n[2]!);
  const c = farthestVertex(table, shapeQ, x, y, z);
  const more =
    x * (v[3 * c]! - v[3 * b]!) + y * (v[3 * c + 1]! - v[3 * b + 1]!) + z * (v[3 * c + 2]! - v[3 * b + 2]!);
  return more <= state[1]!;
}

/** Unit normal of a candidate, out of P, in P's frame. */
function setNormal(at: number): void {
  const { faces, faceNeighbours } = table;
  const kind = candidates[at + 1]!;
  const face = candidates[at + 2]!;
  const f = FACE * face;
  if (kind === FACE_Q) {
    for (let i = 0; i < 3; i++) {
      n[i] = -(m[3 * i]! * faces[f]! + m[3 * i + 1]! * faces[f + 1]! + m[3 * i + 2]! * faces[f + 2]!);
    }
    return;
  }
  for (let i = 0; i < 3; i++) n[i] = faces[f + i]!;
  if (kind === FACE_P) return;
  const g = FACE * faceNeighbours[3 * face + candidates[at + 3]!]!;
  const s = candidates[at + 6]!;
  for (let i = 0; i < 3; i++) n[i] = n[i]! + s * (faces[g + i]! - n[i]!);
  const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
  for (let i = 0; i < 3; i++) n[i] = n[i]! / length;
}

const corner = new Float64Array(3);
const edgeP = new Float64Array(3);
const edgeQ = new Float64Array(3);
const between = new Float64Array(3);

/** A vertex of Q in P's frame. */
function moveVertex(b: number, out: Float64Array): void {
  const v = table.vertices;
  for (let i = 0; i < 3; i++) {
    out[i] =
      m[3 * i]! * v[3 * b]! + m[3 * i + 1]! * v[3 * b + 1]! + m[3 * i + 2]! * v[3 * b + 2]! + m[9 + i]!;
  }
}

/** The point of P that is the foot away from one of Q, into `onP`; false if it is not on the features of the candidate. */
function findPoint(at: number, slack: number): boolean {
  const { vertices: v, faceCorners } = table;
  const kind = candidates[at + 1]!;
  const face = candidates[at + 2]!;
  const other = candidates[at + 3]!;
  if (kind === FACE_P) {
    moveVertex(other, onP);
    for (let i = 0; i < 3; i++) onP[i] = onP[i]! + foot[i]!;
    return isOver(face, onP[0]!, onP[1]!, onP[2]!, slack);
  }
  if (kind === FACE_Q) {
    for (let i = 0; i < 3; i++) {
      onP[i] = v[3 * other + i]!;
      corner[i] = onP[i]! - foot[i]! - m[9 + i]!;
    }
    const x = m[0]! * corner[0]! + m[3]! * corner[1]! + m[6]! * corner[2]!;
    const y = m[1]! * corner[0]! + m[4]! * corner[1]! + m[7]! * corner[2]!;
    const z = m[2]! * corner[0]! + m[5]! * corner[1]! + m[8]! * corner[2]!;
    return isOver(face, x, y, z, slack);
  }
  const a = faceCorners[3 * face + other]!;
  const c = faceCorners[3 * face + ((other + 1) % 3)]!;
  moveVertex(candidates[at + 4]!, corner);
  moveVertex(candidates[at + 5]!, edgeQ);
  for (let i = 0; i < 3; i++) {
    edgeQ[i] = edgeQ[i]! - corner[i]!;
    edgeP[i] = v[3 * c + i]! - v[3 * a + i]!;
    between[i] = v[3 * a + i]! - corner[i]! - foot[i]!;
  }
  // between + alpha edgeP - beta edgeQ = 0 across n.
  const area = triple(edgeP, edgeQ);
  const alpha = -triple(between, edgeQ) / area;
  const beta = -triple(between, edgeP) / area;
  for (let i = 0; i < 3; i++) onP[i] = v[3 * a + i]! + alpha * edgeP[i]!;
  return isWithin(alpha, edgeP, slack) && isWithin(beta, edgeQ, slack);
}

/** (u x w) . n */
function triple(u: Float64Array, w: Float64Array): number {
  return (
    (u[1]! * w[2]! - u[2]! * w[1]!) * n[0]! +
    (u[2]! * w[0]! - u[0]! * w[2]!) * n[1]! +
    (u[0]! * w[1]! - u[1]! * w[0]!) * n[2]!
  );
}

function isWithin(part: number, edge: Float64Array, slack: number): boolean {
  const length = Math.sqrt(edge[0]! * edge[0]! + edge[1]! * edge[1]! + edge[2]! * edge[2]!);
  return part * length >= -slack && (part - 1) * length <= slack;
}

/** True if a point in a face's plane is in the face. */
function isOver(face: number, x: number, y: number, z: number, slack: number): boolean {
  const { vertices: v, faces, faceCorners } = table;
  const f = FACE * face;
  for (let k = 0; k < 3; k++) {
    const a = 3 * faceCorners[3 * face + k]!;
    const b = 3 * faceCorners[3 * face + (k === 2 ? 0 : k + 1)]!;
    const ux = v[b]! - v[a]!;
    const uy = v[b + 1]! - v[a + 1]!;
    const uz = v[b + 2]! - v[a + 2]!;
    const wx = x - v[a]!;
    const wy = y - v[a + 1]!;
    const wz = z - v[a + 2]!;
    const inward =
      (uy * wz - uz * wy) * faces[f]! +
      (uz * wx - ux * wz) * faces[f + 1]! +
      (ux * wy - uy * wx) * faces[f + 2]!;
    if (inward < -slack * Math.sqrt(ux * ux + uy * uy + uz * uz)) return false;
  }
  return true;
}

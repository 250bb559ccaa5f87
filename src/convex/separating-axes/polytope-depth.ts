// Depth of two polytopes by the faces of their difference.
//
// A - B is a polytope. Its faces have normals of A's faces, of B's (turned round), or are spanned by an edge of each, and the depth is
// the least h(n) of these normals. Over the normals on the sphere, A's faces are points and its edges arcs between them;
// where B's support point along the arc passes from one vertex to another, both edges span a face. So all of them are found by
// asking B along A's faces, A along B's, and walking from vertex to vertex of B along each of A's arcs. Between two such places the
// support points stay the same, and n . (a - b), positive, is least at one end of an arc.
//
// Few have to be looked at: B holds a ball of radius r about its centre, so h(n) >= (A's part) + r - n . t, which costs a product.
import { LEAST_VERTICES_TO_CLIMB } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { FACE, LISTED } from '../shapes/facets.ts';
import { farthestVertex } from '../shapes/farthest-vertex.ts';
import { INTEGERS, Integer, PARAMETERS, PolytopeParameter, type ShapeRecords } from '../shapes/records.ts';
import { seedOf } from '../shapes/seeds.ts';
import { EDGES, FACE_P, FACE_Q, forgetCandidates, keep, m, state } from './difference-faces.ts';
import { finish } from './polytope-points.ts';

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
  if (
    integers[INTEGERS * pair.shapeA + Integer.faceCount] === 0 ||
    integers[INTEGERS * pair.shapeB + Integer.faceCount] === 0
  )
    return false;
  const { faceLists, planeError } = PolytopeParameter;
  const { recordA, recordB } = pair;
  if (parameters[recordA + faceLists]! < 0 || parameters[recordB + faceLists]! < 0) return false;
  const error = Math.max(parameters[recordA + planeError]!, parameters[recordB + planeError]!);
  return 2 * error * pair.size + pair.touching <= pair.gap;
}

/** True if balls in both polytopes overlap. */
export function innerBallsOverlap(pair: Pair): boolean {
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
export function polytopeDepth(pair: Pair, known: number): boolean {
  table = pair.table;
  state[1] = pair.touching;
  const { integers, parameters } = table;
  const swapped =
    integers[INTEGERS * pair.shapeA + Integer.faceCount]! >
    integers[INTEGERS * pair.shapeB + Integer.faceCount]!;
  place(pair, swapped);
  firstP = integers[INTEGERS * shapeP + Integer.firstFace]!;
  firstQ = integers[INTEGERS * shapeQ + Integer.firstFace]!;
  seedsP = seedsOf(shapeP);
  seedsQ = seedsOf(shapeQ);
  const facesP = integers[INTEGERS * shapeP + Integer.faceCount]!;
  const facesQ = integers[INTEGERS * shapeQ + Integer.faceCount]!;
  const innerP = parameters[PARAMETERS * shapeP + PolytopeParameter.faceBall]!;
  const innerQ = parameters[PARAMETERS * shapeQ + PolytopeParameter.faceBall]!;
  makeRoom(facesP, facesQ);
  forgetCandidates();
  state[0] = known;
  pair.calls++;
  const cosineP = parameters[PARAMETERS * shapeP + PolytopeParameter.leastCosine]!;
  const tx = m[0]! * m[9]! + m[3]! * m[10]! + m[6]! * m[11]!;
  const ty = m[1]! * m[9]! + m[4]! * m[10]! + m[7]! * m[11]!;
  const tz = m[2]! * m[9]! + m[5]! * m[10]! + m[8]! * m[11]!;
  const { faceLists, faceListStarts: starts } = table;
  const cellP =
    parameters[PARAMETERS * shapeP + PolytopeParameter.faceLists]! + seedOf(m[9]!, m[10]!, m[11]!);
  const cellQ = parameters[PARAMETERS * shapeQ + PolytopeParameter.faceLists]! + seedOf(-tx, -ty, -tz);
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
  return state[0]! > state[1]! && finish(pair, shapeQ, swapped);
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
  const innerP = table.parameters[PARAMETERS * shapeP + PolytopeParameter.faceBall]!;
  const innerQ = table.parameters[PARAMETERS * shapeQ + PolytopeParameter.faceBall]!;
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
  return integers[INTEGERS * shape + Integer.vertexCount]! < LEAST_VERTICES_TO_CLIMB
    ? -1
    : integers[INTEGERS * shape + Integer.firstSeed]!;
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

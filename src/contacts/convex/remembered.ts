/**
 * What is remembered of a convex pair from one step to the next: an axis along which it was apart, or the features of
 * two polytopes that touched. Both are looked at first. An axis still tells that the pair is apart, or it does not. Of
 * features it is proven that no other direction is as short a way out; if that fails, the pair is solved anew. So the
 * answer is the same within the tolerance, whatever was remembered.
 */
import { PLANE_ROUNDING } from '../../convex/constants.ts';
import { NEWEST, type Pair } from '../../convex/pair/pair.ts';
import { FACE } from '../../convex/shapes/facets.ts';
import { INTEGERS, Integer, PolytopeParameter, type ShapeRecords } from '../../convex/shapes/records.ts';
import { FEATURE_TIE, LEAST_EDGE_SINE } from '../constants.ts';

/** Numbers per pair: what it is, then an axis in A's frame (float32 bits), or the features (vertices, or a face). */
export const REMEMBERED = 4;

const What = { nothing: 0, axis: 1, faceOfA: 2, faceOfB: 3, edges: 4 } as const;

/** What a look at a remembered pair says. */
export const Recall = { unknown: 0, apart: 1, answered: 2 } as const;
export type Recall = (typeof Recall)[keyof typeof Recall];

/** Vertices of both edges of a pair are kept in 16 bits each. */
const MOST_VERTICES = 2 ** 16;

const n = new Float64Array(3);
const local = new Float64Array(3);
const foot = new Float64Array(3);
const a1 = new Float64Array(3);
const ea = new Float64Array(3);
const b1 = new Float64Array(3);
const eb = new Float64Array(3);
const tied = new Uint32Array(2);

/** Memory of pairs, by their places in a list. */
export class Memory {
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;

  /** @param words `REMEMBERED` per pair; 0 at first */
  constructor(words: Uint32Array) {
    this.#words = words;
    this.#floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** Looks whether what is remembered of pair i, which is in `pair`, still holds. The answer is in the pair then. */
  recall(i: number, pair: Pair): Recall {
    const at = REMEMBERED * i;
    const words = this.#words;
    switch (words[at]) {
      case What.axis: {
        const f = this.#floats;
        return isApartAlong(pair, f[at + 1]!, f[at + 2]!, f[at + 3]!) ? Recall.apart : Recall.unknown;
      }
      case What.faceOfA:
        return touchesFace(pair, words[at + 1]!, words[at + 2]!, false) ? Recall.answered : Recall.unknown;
      case What.faceOfB:
        return touchesFace(pair, words[at + 1]!, words[at + 2]!, true) ? Recall.answered : Recall.unknown;
      case What.edges:
        return touchEdges(pair, words[at + 1]!, words[at + 2]!) ? Recall.answered : Recall.unknown;
      default:
        return Recall.unknown;
    }
  }

  /** Remembers that pair i, which is in `pair`, is apart along its normal. */
  keepAxis(i: number, { normal }: Pair): void {
    const at = REMEMBERED * i;
    this.#words[at] = What.axis;
    for (let k = 0; k < 3; k++) this.#floats[at + 1 + k] = normal[k]!;
  }

  /**
   * Remembers the features along the normal of pair i, which is in `pair`, where both cores are polytopes, and if they
   * prove the answer. True if they do; the pair's answer is then theirs.
   */
  keepFeatures(i: number, pair: Pair): boolean {
    this.#setFeatures(REMEMBERED * i, pair);
    if (this.recall(i, pair) === Recall.answered) return true;
    this.#words[REMEMBERED * i] = What.nothing;
    return false;
  }

  #setFeatures(at: number, pair: Pair): void {
    const words = this.#words;
    words[at] = What.nothing;
    if (!hasFaces(pair)) return;
    const [x, y, z] = [pair.normal[0]!, pair.normal[1]!, pair.normal[2]!];
    const { placement: r, table, shapeA, shapeB } = pair;
    const tie = FEATURE_TIE * pair.size;
    const ofA = countTied(table, shapeA, x, y, z, tie);
    const [fromA, toA] = [tied[0]!, tied[1]!];
    const lx = -(r[0]! * x + r[3]! * y + r[6]! * z);
    const ly = -(r[1]! * x + r[4]! * y + r[7]! * z);
    const lz = -(r[2]! * x + r[5]! * y + r[8]! * z);
    const ofB = countTied(table, shapeB, lx, ly, lz, tie);
    const [fromB, toB] = [tied[0]!, tied[1]!];
    if (ofA > 2 || ofB > 2) {
      const isB = ofA <= 2;
      const face = isB
        ? faceAlong(pair, shapeB, lx, ly, lz, fromA, true)
        : faceAlong(pair, shapeA, x, y, z, fromB, false);
      if (face < 0) return;
      words[at] = isB ? What.faceOfB : What.faceOfA;
      words[at + 1] = face;
      words[at + 2] = isB ? fromA : fromB;
    } else if (ofA === 2 && ofB === 2) {
      const [firstA, firstB] = [firstVertex(table, shapeA), firstVertex(table, shapeB)];
      if (Math.max(fromA - firstA, toA - firstA, fromB - firstB, toB - firstB) >= MOST_VERTICES) return;
      words[at] = What.edges;
      words[at + 1] = (fromA - firstA) | ((toA - firstA) << 16);
      words[at + 2] = (fromB - firstB) | ((toB - firstB) << 16);
    }
  }
}

const firstVertex = ({ integers }: ShapeRecords, shape: number) =>
  integers[INTEGERS * shape + Integer.firstVertex]!;

function isVertexOf({ integers }: ShapeRecords, shape: number, vertex: number): boolean {
  const rank = vertex - integers[INTEGERS * shape + Integer.firstVertex]!;
  return rank >= 0 && rank < integers[INTEGERS * shape + Integer.vertexCount]!;
}

function isFaceOf({ integers }: ShapeRecords, shape: number, face: number): boolean {
  const rank = face - integers[INTEGERS * shape + Integer.firstFace]!;
  return rank >= 0 && rank < integers[INTEGERS * shape + Integer.faceCount]!;
}

/** True where both cores are polytopes with volume, whose planes are good enough for the gap. */
function hasFaces(pair: Pair): boolean {
  const { integers, parameters } = pair.table;
  if (!(pair.polytopeA && pair.polytopeB)) return false;
  if (integers[INTEGERS * pair.shapeA + Integer.faceCount] === 0) return false;
  if (integers[INTEGERS * pair.shapeB + Integer.faceCount] === 0) return false;
  const { planeError } = PolytopeParameter;
  const error = Math.max(parameters[pair.recordA + planeError]!, parameters[pair.recordB + planeError]!);
  return 2 * error * pair.size + pair.touching <= pair.gap;
}

/** How many vertices lie as far along a direction as the farthest: the first two go to `tied`, the farthest first. */
function countTied(table: ShapeRecords, shape: number, x: number, y: number, z: number, tie: number): number {
  const v = table.vertices;
  const first = firstVertex(table, shape);
  const end = first + table.integers[INTEGERS * shape + Integer.vertexCount]!;
  let most = -Infinity;
  for (let i = first; i < end; i++) {
    const value = v[3 * i]! * x + v[3 * i + 1]! * y + v[3 * i + 2]! * z;
    if (value <= most) continue;
    most = value;
    tied[0] = i;
  }
  let count = 1;
  for (let i = first; i < end; i++) {
    if (i === tied[0] || v[3 * i]! * x + v[3 * i + 1]! * y + v[3 * i + 2]! * z < most - tie) continue;
    if (count === 1) tied[1] = i;
    count++;
  }
  // In the order of vertices, whichever rounding made the farther one.
  if (count === 2) tied.sort();
  return count;
}

/** The face with this normal that the other's vertex lies over farthest from the rim; -1 if it lies over none. */
function faceAlong(
  pair: Pair,
  shape: number,
  x: number,
  y: number,
  z: number,
  vertex: number,
  ofB: boolean,
): number {
  const { faces, integers } = pair.table;
  const first = integers[INTEGERS * shape + Integer.firstFace]!;
  const end = first + integers[INTEGERS * shape + Integer.faceCount]!;
  moveVertex(pair, vertex, ofB, foot);
  let [best, most] = [-1, 0];
  for (let f = first; f < end; f++) {
    const at = FACE * f;
    if (!(faces[at]! * x + faces[at + 1]! * y + faces[at + 2]! * z > 1 - FEATURE_TIE)) continue;
    const room = roomInFace(pair.table, f);
    if (room > most) [best, most] = [f, room];
  }
  return best;
}

/** A vertex of B in A's frame; or, where `toB`, one of A in B's frame. */
function moveVertex({ table, placement: r }: Pair, vertex: number, toB: boolean, out: Float64Array): void {
  const v = table.vertices;
  const x = v[3 * vertex]!;
  const y = v[3 * vertex + 1]!;
  const z = v[3 * vertex + 2]!;
  if (!toB) {
    out[0] = r[0]! * x + r[1]! * y + r[2]! * z + r[9]!;
    out[1] = r[3]! * x + r[4]! * y + r[5]! * z + r[10]!;
    out[2] = r[6]! * x + r[7]! * y + r[8]! * z + r[11]!;
    return;
  }
  const dx = x - r[9]!;
  const dy = y - r[10]!;
  const dz = z - r[11]!;
  out[0] = r[0]! * dx + r[3]! * dy + r[6]! * dz;
  out[1] = r[1]! * dx + r[4]! * dy + r[7]! * dz;
  out[2] = r[2]! * dx + r[5]! * dy + r[8]! * dz;
}

/** How far `foot` is inside the rim of a face, seen along its normal; below 0 outside. */
function roomInFace({ faces, faceCorners, vertices: v }: ShapeRecords, face: number): number {
  const f = FACE * face;
  const nx = faces[f]!;
  const ny = faces[f + 1]!;
  const nz = faces[f + 2]!;
  let room = Infinity;
  for (let k = 0; k < 3; k++) {
    const a = 3 * faceCorners[3 * face + k]!;
    const b = 3 * faceCorners[3 * face + (k === 2 ? 0 : k + 1)]!;
    const ux = v[b]! - v[a]!;
    const uy = v[b + 1]! - v[a + 1]!;
    const uz = v[b + 2]! - v[a + 2]!;
    const wx = foot[0]! - v[a]!;
    const wy = foot[1]! - v[a + 1]!;
    const wz = foot[2]! - v[a + 2]!;
    const inward = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    const value = inward / Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (value < room) room = value;
  }
  return room;
}

/** The farthest vertex in the direction `local`, by climbing from one: on a convex polytope no other is farther. */
function climb({ vertices: v, neighbourStarts, neighbours }: ShapeRecords, start: number): number {
  const x = local[0]!;
  const y = local[1]!;
  const z = local[2]!;
  let best = start;
  let most = v[3 * best]! * x + v[3 * best + 1]! * y + v[3 * best + 2]! * z;
  for (let from = -1; from !== best; ) {
    from = best;
    const end = neighbourStarts[from + 1]!;
    for (let e = neighbourStarts[from]!; e < end; e++) {
      const i = 3 * neighbours[e]!;
      const value = v[i]! * x + v[i + 1]! * y + v[i + 2]! * z;
      if (value <= most) continue;
      most = value;
      best = i / 3;
    }
  }
  return best;
}

/** True if the shapes are apart along a unit vector of A's frame. */
function isApartAlong(pair: Pair, x: number, y: number, z: number): boolean {
  const { points } = pair;
  pair.core(x, y, z, points, NEWEST);
  const low = -(x * points[NEWEST]! + y * points[NEWEST + 1]! + z * points[NEWEST + 2]!);
  // The axis has the length 1 to float32's rounding.
  return low * (1 - 2 ** -20) > pair.marginA + pair.marginB + pair.touching;
}

/**
 * The depth along the normal of a face of A, or of B, over which the other's vertex lies. True if it is proven that no
 * way out is shorter; the answer is in the pair then.
 */
function touchesFace(pair: Pair, face: number, start: number, ofB: boolean): boolean {
  const { table, placement: r, pointA } = pair;
  const { faces } = table;
  // Calls at once may share a memory.
  if (!isFaceOf(table, ofB ? pair.shapeB : pair.shapeA, face)) return false;
  if (!isVertexOf(table, ofB ? pair.shapeA : pair.shapeB, start)) return false;
  const f = FACE * face;
  const x = faces[f]!;
  const y = faces[f + 1]!;
  const z = faces[f + 2]!;
  // Against the normal, in the frame of the vertex' shape.
  if (ofB) {
    local[0] = -(r[0]! * x + r[1]! * y + r[2]! * z);
    local[1] = -(r[3]! * x + r[4]! * y + r[5]! * z);
    local[2] = -(r[6]! * x + r[7]! * y + r[8]! * z);
  } else {
    local[0] = -(r[0]! * x + r[3]! * y + r[6]! * z);
    local[1] = -(r[1]! * x + r[4]! * y + r[7]! * z);
    local[2] = -(r[2]! * x + r[5]! * y + r[8]! * z);
  }
  const vertex = climb(table, start);
  moveVertex(pair, vertex, ofB, foot);
  const height = x * foot[0]! + y * foot[1]! + z * foot[2]! - faces[f + 3]!;
  if (!(height < -pair.touching)) return false;
  for (let k = 0; k < 3; k++) foot[k] = foot[k]! - height * faces[f + k]!;
  const room = roomInFace(table, face);
  if (!(room > 0)) return false;
  // Out of A, in A's frame: `local` is that already where the face is B's.
  n[0] = ofB ? local[0]! : x;
  n[1] = ofB ? local[1]! : y;
  n[2] = ofB ? local[2]! : z;
  if (!isShortest(pair, -height, room)) return false;
  const { planeError } = PolytopeParameter;
  const error = table.parameters[(ofB ? pair.recordB : pair.recordA) + planeError]! * pair.size;
  for (let k = 0; k < 3; k++) pointA[k] = ofB ? table.vertices[3 * vertex + k]! : foot[k]!;
  answer(pair, height, error);
  const corner = table.faceCorners[3 * face]!;
  pair.vertexA = ofB ? vertex : corner;
  pair.vertexB = ofB ? corner : vertex;
  return true;
}

/** The same for two edges that cross: A's and B's vertices, counted from the shapes' first, 16 bits each. */
function touchEdges(pair: Pair, ofA: number, ofB: number): boolean {
  const { table, placement: r, pointA } = pair;
  const { vertices: v } = table;
  const [firstA, firstB] = [firstVertex(table, pair.shapeA), firstVertex(table, pair.shapeB)];
  const [fromA, toA] = [firstA + (ofA & 0xffff), firstA + (ofA >>> 16)];
  const [fromB, toB] = [firstB + (ofB & 0xffff), firstB + (ofB >>> 16)];
  if (!(isVertexOf(table, pair.shapeA, fromA) && isVertexOf(table, pair.shapeA, toA))) return false;
  if (!(isVertexOf(table, pair.shapeB, fromB) && isVertexOf(table, pair.shapeB, toB))) return false;
  moveVertex(pair, fromB, false, b1);
  moveVertex(pair, toB, false, eb);
  for (let k = 0; k < 3; k++) {
    a1[k] = v[3 * fromA + k]!;
    ea[k] = v[3 * toA + k]! - a1[k]!;
    eb[k] = eb[k]! - b1[k]!;
  }
  let x = ea[1]! * eb[2]! - ea[2]! * eb[1]!;
  let y = ea[2]! * eb[0]! - ea[0]! * eb[2]!;
  let z = ea[0]! * eb[1]! - ea[1]! * eb[0]!;
  const area = Math.sqrt(x * x + y * y + z * z);
  const lengthA = Math.sqrt(ea[0]! * ea[0]! + ea[1]! * ea[1]! + ea[2]! * ea[2]!);
  const lengthB = Math.sqrt(eb[0]! * eb[0]! + eb[1]! * eb[1]! + eb[2]! * eb[2]!);
  const sine = area / (lengthA * lengthB);
  if (!(sine > LEAST_EDGE_SINE)) return false;
  // Out of A, whose centre is the origin.
  const turn = (x * a1[0]! + y * a1[1]! + z * a1[2]! < 0 ? -1 : 1) / area;
  x *= turn;
  y *= turn;
  z *= turn;
  n[0] = x;
  n[1] = y;
  n[2] = z;
  const [gx, gy, gz] = [a1[0]! - b1[0]!, a1[1]! - b1[1]!, a1[2]! - b1[2]!];
  const depth = x * gx + y * gy + z * gz;
  if (!(depth > pair.touching)) return false;
  // Where alpha ea - beta eb = depth n - (a1 - b1).
  const [px, py, pz] = [depth * x - gx, depth * y - gy, depth * z - gz];
  // ea x eb = n / turn. So alpha and beta are triple products with n, times turn.
  const alpha =
    turn *
    ((py * eb[2]! - pz * eb[1]!) * x + (pz * eb[0]! - px * eb[2]!) * y + (px * eb[1]! - py * eb[0]!) * z);
  const beta =
    turn *
    ((py * ea[2]! - pz * ea[1]!) * x + (pz * ea[0]! - px * ea[2]!) * y + (px * ea[1]! - py * ea[0]!) * z);
  const room = Math.min(
    (Math.min(alpha, 1 - alpha) * area) / lengthB,
    (Math.min(beta, 1 - beta) * area) / lengthA,
  );
  if (!(room > 0)) return false;
  const tie = pair.touching;
  if (!isSupport(table, fromA, x, y, z, tie) || !isSupport(table, toA, x, y, z, tie)) return false;
  const lx = -(r[0]! * x + r[3]! * y + r[6]! * z);
  const ly = -(r[1]! * x + r[4]! * y + r[7]! * z);
  const lz = -(r[2]! * x + r[5]! * y + r[8]! * z);
  if (!isSupport(table, fromB, lx, ly, lz, tie) || !isSupport(table, toB, lx, ly, lz, tie)) return false;
  if (!isShortest(pair, depth, room)) return false;
  for (let k = 0; k < 3; k++) pointA[k] = a1[k]! + alpha * ea[k]!;
  answer(pair, -depth, (PLANE_ROUNDING / sine) * pair.size);
  pair.vertexA = fromA;
  pair.vertexB = fromB;
  return true;
}

/** True if no neighbour of a vertex lies farther along a direction. */
function isSupport(
  { vertices: v, neighbourStarts, neighbours }: ShapeRecords,
  vertex: number,
  x: number,
  y: number,
  z: number,
  tie: number,
): boolean {
  const most = v[3 * vertex]! * x + v[3 * vertex + 1]! * y + v[3 * vertex + 2]! * z + tie;
  const end = neighbourStarts[vertex + 1]!;
  for (let e = neighbourStarts[vertex]!; e < end; e++) {
    const i = 3 * neighbours[e]!;
    if (v[i]! * x + v[i + 1]! * y + v[i + 2]! * z > most) return false;
  }
  return true;
}

/**
 * Whether the way out along `n` is the shortest. Its end lies in a face of the difference of both cores, with `room` to
 * the face's rim. The difference also holds a ball: of the sum of the radii of balls in both cores, about the
 * difference of their centres.
 *
 * Along a unit vector m at an angle of w to n, the face reaches depth cos w + room sin w at least. That is no less than
 * the depth as long as tan (w / 2) <= room / depth. Beyond that angle w0, the ball reaches -m . t + radii, with t the
 * way from A's centre to B's. As t and n are at an angle of p, m . t is at most |t| cos (w0 - p).
 */
function isShortest(pair: Pair, depth: number, room: number): boolean {
  const p = pair.table.parameters;
  const t = pair.placement;
  const { faceBall } = PolytopeParameter;
  const radii = p[pair.recordA + faceBall]! + p[pair.recordB + faceBall]!;
  const away = Math.sqrt(t[9]! * t[9]! + t[10]! * t[10]! + t[11]! * t[11]!);
  if (away <= radii - depth) return true;
  const cosP = (n[0]! * t[9]! + n[1]! * t[10]! + n[2]! * t[11]!) / away;
  const sinP = Math.sqrt(Math.max(0, 1 - cosP * cosP));
  const s = room / depth;
  const cosW = (1 - s * s) / (1 + s * s);
  const sinW = (2 * s) / (1 + s * s);
  // The angle w0 reaches beyond t.
  if (!(cosW < cosP)) return false;
  return away * (cosW * cosP + sinW * sinP) <= radii - depth - pair.touching;
}

/** The pair's answer along `n`; `pointA` is on A's core. */
function answer(pair: Pair, height: number, error: number): void {
  const margins = pair.marginA + pair.marginB;
  pair.answer(height, n[0]!, n[1]!, n[2]!);
  pair.lower = height - error - margins;
  pair.upper = height + error - margins;
}

/**
 * What features of two polytopes prove. The depth along their normal is computed, and proven to be the shortest way
 * out. docs/contacts.md, "Convex pairs", has the proof.
 */
import { PLANE_ROUNDING } from '../../convex/constants.ts';
import type { Pair } from '../../convex/pair/pair.ts';
import { FACE } from '../../convex/shapes/facets.ts';
import { INTEGERS, Integer, PolytopeParameter, type ShapeRecords } from '../../convex/shapes/records.ts';
import { LEAST_EDGE_SINE } from '../constants.ts';
import { climb } from './climb.ts';
import { FeatureKind, features, firstVertex, moveVertex, roomInFace } from './touching-features.ts';

/** What features prove. */
export const Proof = {
  /** Nothing. */
  none: 0,
  /** The pair's depth: its answer is in the pair. */
  deepest: 1,
  /** Nothing, but the cores seem to be apart along the features' normal, which is the pair's normal now. */
  parted: 2,
} as const;
export type Proof = (typeof Proof)[keyof typeof Proof];

const n = new Float64Array(3);
const local = new Float64Array(3);
const foot = new Float64Array(3);
const a1 = new Float64Array(3);
const ea = new Float64Array(3);
const b1 = new Float64Array(3);
const eb = new Float64Array(3);

/** Looks what `features` prove of the pair. They may be of an earlier pose, or of other shapes. */
export function prove(kind: FeatureKind, pair: Pair): Proof {
  switch (kind) {
    case FeatureKind.faceOfA:
      return proveFace(pair, features[0]!, features[1]!, false);
    case FeatureKind.faceOfB:
      return proveFace(pair, features[0]!, features[1]!, true);
    case FeatureKind.edges:
      return proveEdges(pair, features[0]!, features[1]!);
    default:
      return Proof.none;
  }
}

function isVertexOf({ integers }: ShapeRecords, shape: number, vertex: number): boolean {
  const rank = vertex - integers[INTEGERS * shape + Integer.firstVertex]!;
  return rank >= 0 && rank < integers[INTEGERS * shape + Integer.vertexCount]!;
}

function isFaceOf({ integers }: ShapeRecords, shape: number, face: number): boolean {
  const rank = face - integers[INTEGERS * shape + Integer.firstFace]!;
  return rank >= 0 && rank < integers[INTEGERS * shape + Integer.faceCount]!;
}

/** The depth along the normal of a face of A, or of B, over which the other's vertex lies. */
function proveFace(pair: Pair, face: number, start: number, ofB: boolean): Proof {
  const { table, placement: r, pointA } = pair;
  const { faces } = table;
  const other = ofB ? pair.shapeA : pair.shapeB;
  // Whatever is remembered, it leads to nothing that is not of the shape.
  if (!isFaceOf(table, ofB ? pair.shapeB : pair.shapeA, face) || !isVertexOf(table, other, start))
    return Proof.none;
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
  const vertex = climb(table, other, start, local);
  moveVertex(pair, vertex, ofB, foot);
  const height = x * foot[0]! + y * foot[1]! + z * foot[2]! - faces[f + 3]!;
  // Out of A, in A's frame: `local` is that already where the face is B's.
  n[0] = ofB ? local[0]! : x;
  n[1] = ofB ? local[1]! : y;
  n[2] = ofB ? local[2]! : z;
  if (height > pair.marginA + pair.marginB + pair.touching) return parted(pair);
  if (!(height < -pair.touching)) return Proof.none;
  for (let k = 0; k < 3; k++) foot[k] = foot[k]! - height * faces[f + k]!;
  const room = roomInFace(table, face, foot);
  if (!(room > 0) || !isShortest(pair, -height, room)) return Proof.none;
  const { planeError } = PolytopeParameter;
  const error = table.parameters[(ofB ? pair.recordB : pair.recordA) + planeError]! * pair.size;
  for (let k = 0; k < 3; k++) pointA[k] = ofB ? table.vertices[3 * vertex + k]! : foot[k]!;
  answer(pair, height, error);
  const corner = table.faceCorners[3 * face]!;
  pair.vertexA = ofB ? vertex : corner;
  pair.vertexB = ofB ? corner : vertex;
  return Proof.deepest;
}

/** The same for two edges that cross: A's and B's vertices, counted from the shapes' first, 16 bits each. */
function proveEdges(pair: Pair, ofA: number, ofB: number): Proof {
  const { table, placement: r, pointA } = pair;
  const { vertices: v } = table;
  const firstA = firstVertex(table, pair.shapeA);
  const firstB = firstVertex(table, pair.shapeB);
  const fromA = firstA + (ofA & 0xffff);
  const toA = firstA + (ofA >>> 16);
  const fromB = firstB + (ofB & 0xffff);
  const toB = firstB + (ofB >>> 16);
  if (!(isVertexOf(table, pair.shapeA, fromA) && isVertexOf(table, pair.shapeA, toA))) return Proof.none;
  if (!(isVertexOf(table, pair.shapeB, fromB) && isVertexOf(table, pair.shapeB, toB))) return Proof.none;
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
  if (!(sine > LEAST_EDGE_SINE)) return Proof.none;
  // Out of A, whose centre is the origin.
  const turn = (x * a1[0]! + y * a1[1]! + z * a1[2]! < 0 ? -1 : 1) / area;
  x *= turn;
  y *= turn;
  z *= turn;
  n[0] = x;
  n[1] = y;
  n[2] = z;
  const gx = a1[0]! - b1[0]!;
  const gy = a1[1]! - b1[1]!;
  const gz = a1[2]! - b1[2]!;
  const depth = x * gx + y * gy + z * gz;
  if (-depth > pair.marginA + pair.marginB + pair.touching) return parted(pair);
  if (!(depth > pair.touching)) return Proof.none;
  // Where alpha ea - beta eb = depth n - (a1 - b1).
  const px = depth * x - gx;
  const py = depth * y - gy;
  const pz = depth * z - gz;
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
  if (!(room > 0)) return Proof.none;
  if (!isSupport(pair, fromA, n) || !isSupport(pair, toA, n)) return Proof.none;
  local[0] = -(r[0]! * x + r[3]! * y + r[6]! * z);
  local[1] = -(r[1]! * x + r[4]! * y + r[7]! * z);
  local[2] = -(r[2]! * x + r[5]! * y + r[8]! * z);
  if (!isSupport(pair, fromB, local) || !isSupport(pair, toB, local)) return Proof.none;
  if (!isShortest(pair, depth, room)) return Proof.none;
  for (let k = 0; k < 3; k++) pointA[k] = a1[k]! + alpha * ea[k]!;
  answer(pair, -depth, (PLANE_ROUNDING / sine) * pair.size);
  pair.vertexA = fromA;
  pair.vertexB = fromB;
  return Proof.deepest;
}

/** True if no neighbour of a vertex lies farther along a direction, by more than counts as touching. */
function isSupport(pair: Pair, vertex: number, direction: Float64Array): boolean {
  const { vertices: v, neighbourStarts, neighbours } = pair.table;
  const x = direction[0]!;
  const y = direction[1]!;
  const z = direction[2]!;
  const most = v[3 * vertex]! * x + v[3 * vertex + 1]! * y + v[3 * vertex + 2]! * z + pair.touching;
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

/** Makes `n` the pair's normal. */
function parted({ normal }: Pair): Proof {
  for (let k = 0; k < 3; k++) normal[k] = n[k]!;
  return Proof.parted;
}

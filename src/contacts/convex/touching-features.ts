/** Features of two polytopes that face each other along a normal: a face and a vertex, or two edges that cross. */
import type { Pair } from '../../convex/pair/pair.ts';
import { FACE } from '../../convex/shapes/facets.ts';
import { INTEGERS, Integer, PolytopeParameter, type ShapeRecords } from '../../convex/shapes/records.ts';
import { FEATURE_TIE } from '../constants.ts';

/** Which features of a pair face each other. */
export const FeatureKind = { none: 0, faceOfA: 1, faceOfB: 2, edges: 3 } as const;
export type FeatureKind = (typeof FeatureKind)[keyof typeof FeatureKind];

/** Of a face: its number, and the other's vertex. Of edges: A's and B's, two vertices each (`MOST_VERTICES`). */
export const features = new Uint32Array(2);

/** Vertices of both ends of an edge, counted from their shape's first, have 16 bits each. */
const MOST_VERTICES = 2 ** 16;

const foot = new Float64Array(3);
const tied = new Uint32Array(2);

/** Sets `features` to those that face each other along the pair's normal. Both cores have to be polytopes. */
export function findFeatures(pair: Pair): FeatureKind {
  if (!hasFaces(pair)) return FeatureKind.none;
  const x = pair.normal[0]!;
  const y = pair.normal[1]!;
  const z = pair.normal[2]!;
  const { placement: r, table, shapeA, shapeB } = pair;
  const tie = FEATURE_TIE * pair.size;
  const ofA = countTied(table, shapeA, x, y, z, tie);
  const fromA = tied[0]!;
  const toA = tied[1]!;
  const lx = -(r[0]! * x + r[3]! * y + r[6]! * z);
  const ly = -(r[1]! * x + r[4]! * y + r[7]! * z);
  const lz = -(r[2]! * x + r[5]! * y + r[8]! * z);
  const ofB = countTied(table, shapeB, lx, ly, lz, tie);
  const fromB = tied[0]!;
  const toB = tied[1]!;
  if (ofA > 2 || ofB > 2) {
    const isB = ofA <= 2;
    const face = isB
      ? faceAlong(pair, shapeB, lx, ly, lz, fromA, true)
      : faceAlong(pair, shapeA, x, y, z, fromB, false);
    if (face < 0) return FeatureKind.none;
    features[0] = face;
    features[1] = isB ? fromA : fromB;
    return isB ? FeatureKind.faceOfB : FeatureKind.faceOfA;
  }
  if (ofA !== 2 || ofB !== 2) return FeatureKind.none;
  const firstA = firstVertex(table, shapeA);
  const firstB = firstVertex(table, shapeB);
  if (Math.max(fromA - firstA, toA - firstA, fromB - firstB, toB - firstB) >= MOST_VERTICES) {
    return FeatureKind.none;
  }
  features[0] = (fromA - firstA) | ((toA - firstA) << 16);
  features[1] = (fromB - firstB) | ((toB - firstB) << 16);
  return FeatureKind.edges;
}

export const firstVertex = ({ integers }: ShapeRecords, shape: number) =>
  integers[INTEGERS * shape + Integer.firstVertex]!;

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
  if (count === 2 && tied[0]! > tied[1]!) {
    const last = tied[0]!;
    tied[0] = tied[1]!;
    tied[1] = last;
  }
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
  let best = -1;
  let most = 0;
  for (let f = first; f < end; f++) {
    const at = FACE * f;
    if (!(faces[at]! * x + faces[at + 1]! * y + faces[at + 2]! * z > 1 - FEATURE_TIE)) continue;
    const room = roomInFace(pair.table, f, foot);
    if (room <= most) continue;
    best = f;
    most = room;
  }
  return best;
}

/** A vertex of B in A's frame; or, where `toB`, one of A in B's frame. */
export function moveVertex(
  { table, placement: r }: Pair,
  vertex: number,
  toB: boolean,
  out: Float64Array,
): void {
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

/** How far a place is inside the rim of a face, seen along its normal; below 0 outside. */
export function roomInFace(
  { faces, faceCorners, vertices: v }: ShapeRecords,
  face: number,
  place: Float64Array,
): number {
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
    const wx = place[0]! - v[a]!;
    const wy = place[1]! - v[a + 1]!;
    const wz = place[2]! - v[a + 2]!;
    const inward = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
    const value = inward / Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (value < room) room = value;
  }
  return room;
}

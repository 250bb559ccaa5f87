// Points of the depth of two polytopes, from the nearest face of their difference.
import { FOOT_TOLERANCE } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { FACE } from '../shapes/facets.ts';
import { farthestVertex } from '../shapes/farthest-vertex.ts';
import { PolytopeParameter, type ShapeRecords } from '../shapes/records.ts';
import { type DifferenceFaces, EDGES, FACE_P, FACE_Q } from './difference-faces.ts';

/** Unit normal of the face that is tried, out of P, in P's frame. */
const n = new Float64Array(3);
/** From the face's point on Q to that on P. */
const foot = new Float64Array(3);
const onP = new Float64Array(3);

/**
 * Answers from the nearest face, among those that tie from the first whose points are on both; false if there is none.
 */
export function answerFromNearestFace(pair: Pair, difference: DifferenceFaces): boolean {
  const { pointA, placement: r } = pair;
  const { least: height, tie, isSwapped } = difference;
  const { parameters } = pair.table;
  const { planeError } = PolytopeParameter;
  const error =
    Math.max(parameters[pair.recordA + planeError]!, parameters[pair.recordB + planeError]!) * pair.size;
  for (let c = 0; c < difference.count; c++) {
    if (difference.of(c, 'height') > height + tie) continue;
    setNormal(difference, c);
    if (difference.of(c, 'kind') === EDGES && !isFarthest(difference, difference.of(c, 'from'))) continue;
    // In A's frame, out of A.
    const x = isSwapped ? -(r[0]! * n[0]! + r[1]! * n[1]! + r[2]! * n[2]!) : n[0]!;
    const y = isSwapped ? -(r[3]! * n[0]! + r[4]! * n[1]! + r[5]! * n[2]!) : n[1]!;
    const z = isSwapped ? -(r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!) : n[2]!;
    for (let k = 0; k < 3; k++) foot[k] = height * n[k]!;
    if (!findPoint(difference, c, FOOT_TOLERANCE * pair.size)) continue;
    if (!isSwapped) {
      pointA.set(onP);
    } else {
      // P is B here. A's point in B's frame is q = p - foot.
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

/**
 * True if no vertex of Q lies farther against the normal than this one. Walking along arcs does not see beyond ties.
 */
function isFarthest({ m, table, shapeQ, tie }: DifferenceFaces, b: number): boolean {
  const v = table.vertices;
  const x = -(m[0]! * n[0]! + m[3]! * n[1]! + m[6]! * n[2]!);
  const y = -(m[1]! * n[0]! + m[4]! * n[1]! + m[7]! * n[2]!);
  const z = -(m[2]! * n[0]! + m[5]! * n[1]! + m[8]! * n[2]!);
  const c = farthestVertex(table, shapeQ, x, y, z);
  const more =
    x * (v[3 * c]! - v[3 * b]!) + y * (v[3 * c + 1]! - v[3 * b + 1]!) + z * (v[3 * c + 2]! - v[3 * b + 2]!);
  return more <= tie;
}

/** Sets `n` for face c of those kept. */
function setNormal(difference: DifferenceFaces, c: number): void {
  const { m, table } = difference;
  const { faces, faceNeighbours } = table;
  const kind = difference.of(c, 'kind');
  const face = difference.of(c, 'face');
  const f = FACE * face;
  if (kind === FACE_Q) {
    for (let i = 0; i < 3; i++) {
      n[i] = -(m[3 * i]! * faces[f]! + m[3 * i + 1]! * faces[f + 1]! + m[3 * i + 2]! * faces[f + 2]!);
    }
    return;
  }
  for (let i = 0; i < 3; i++) n[i] = faces[f + i]!;
  if (kind === FACE_P) return;
  const g = FACE * faceNeighbours[3 * face + difference.of(c, 'other')]!;
  const s = difference.of(c, 'place');
  for (let i = 0; i < 3; i++) n[i] = n[i]! + s * (faces[g + i]! - n[i]!);
  const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
  for (let i = 0; i < 3; i++) n[i] = n[i]! / length;
}

const corner = new Float64Array(3);
const edgeP = new Float64Array(3);
const edgeQ = new Float64Array(3);
const between = new Float64Array(3);

/** A vertex of Q in P's frame. */
function moveVertex({ m, table }: DifferenceFaces, b: number, out: Float64Array): void {
  const v = table.vertices;
  for (let i = 0; i < 3; i++) {
    out[i] =
      m[3 * i]! * v[3 * b]! + m[3 * i + 1]! * v[3 * b + 1]! + m[3 * i + 2]! * v[3 * b + 2]! + m[9 + i]!;
  }
}

/**
 * Finds the point of P that is `foot` away from one of Q, into `onP`; false if they are not on the features of face c.
 */
function findPoint(difference: DifferenceFaces, c: number, slack: number): boolean {
  const { m, table } = difference;
  const { vertices: v, faceCorners } = table;
  const kind = difference.of(c, 'kind');
  const face = difference.of(c, 'face');
  const other = difference.of(c, 'other');
  if (kind === FACE_P) {
    moveVertex(difference, other, onP);
    for (let i = 0; i < 3; i++) onP[i] = onP[i]! + foot[i]!;
    return isOver(table, face, onP[0]!, onP[1]!, onP[2]!, slack);
  }
  if (kind === FACE_Q) {
    for (let i = 0; i < 3; i++) {
      onP[i] = v[3 * other + i]!;
      corner[i] = onP[i]! - foot[i]! - m[9 + i]!;
    }
    const x = m[0]! * corner[0]! + m[3]! * corner[1]! + m[6]! * corner[2]!;
    const y = m[1]! * corner[0]! + m[4]! * corner[1]! + m[7]! * corner[2]!;
    const z = m[2]! * corner[0]! + m[5]! * corner[1]! + m[8]! * corner[2]!;
    return isOver(table, face, x, y, z, slack);
  }
  const a = faceCorners[3 * face + other]!;
  const b = faceCorners[3 * face + ((other + 1) % 3)]!;
  moveVertex(difference, difference.of(c, 'from'), corner);
  moveVertex(difference, difference.of(c, 'to'), edgeQ);
  for (let i = 0; i < 3; i++) {
    edgeQ[i] = edgeQ[i]! - corner[i]!;
    edgeP[i] = v[3 * b + i]! - v[3 * a + i]!;
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
function isOver(
  { vertices: v, faces, faceCorners }: ShapeRecords,
  face: number,
  x: number,
  y: number,
  z: number,
  slack: number,
): boolean {
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

// The face, edge or straight line of a core that faces a direction. The whole of it is found, however the direction is
// tilted within the angle of `FACING_SINE`. Contact manifolds cut those of both bodies with each other.
// Twin: shaders/convex/manifold/supporting-face.wgsl.
import { FACING_COSINE, FACING_SINE, MOST_FACE_CORNERS } from '../constants.ts';
import { farthestVertex } from '../shapes/farthest-vertex.ts';
import {
  ConeParameter,
  CylinderParameter,
  INTEGERS,
  Integer,
  PARAMETERS,
  ShapeKind,
  type ShapeRecords,
} from '../shapes/records.ts';
import { sampleFace } from './face-samples.ts';
import type { SupportingFace } from './feature.ts';

/** Cosines and sines of the corners of an octagon. */
const RIM_X = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2] as const;
const RIM_Y = [0, Math.SQRT1_2, 1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2] as const;

/**
 * Finds the face, edge or line of a core that faces a direction of unit length.
 *
 * @param vertex of a polytope: its farthest in the direction, where it is known
 */
export function supportingFace(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  out: SupportingFace,
  vertex = -1,
): void {
  out.count = 0;
  out.radius = 0;
  const p = table.parameters;
  const at = PARAMETERS * shape;
  switch (table.integers[INTEGERS * shape + Integer.kind]!) {
    case ShapeKind.box:
      boxFace(p, at, x, y, z, out);
      return;
    case ShapeKind.ellipsoid:
      // A curved ellipsoid faces with a point only. A flat one has a face or a line.
      if (p[at]! === 0 || p[at + 1]! === 0 || p[at + 2]! === 0) flatEllipsoidFace(p, at, x, y, z, out);
      return;
    case ShapeKind.cylinder:
      cylinderFace(p, at, x, y, z, out);
      return;
    case ShapeKind.cone:
      coneFace(p, at, x, y, z, out);
      return;
    case ShapeKind.polytope:
      if (table.integers[INTEGERS * shape + Integer.faceCount]! > 0)
        polytopeFace(table, shape, x, y, z, out, vertex);
      else sampleFace(table, shape, x, y, z, out);
      return;
    default:
      sampleFace(table, shape, x, y, z, out);
  }
}

function push(out: SupportingFace, x: number, y: number, z: number): void {
  out.names[out.count] = out.count;
  const o = 3 * out.count++;
  out.points[o] = x;
  out.points[o + 1] = y;
  out.points[o + 2] = z;
}

function setNormal(out: SupportingFace, x: number, y: number, z: number): void {
  out.normal[0] = x;
  out.normal[1] = y;
  out.normal[2] = z;
}

/** Name of a box's corner. */
export function boxCorner(x: number, y: number, z: number): number {
  return (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0);
}

const extents = new Float64Array(3);

/** Edges along an axis face a direction that is nearly across that axis. Two such axes span a face. */
function boxFace(p: Float64Array, at: number, x: number, y: number, z: number, out: SupportingFace): void {
  const freeX = Math.abs(x) <= FACING_SINE;
  const freeY = Math.abs(y) <= FACING_SINE;
  const freeZ = Math.abs(z) <= FACING_SINE;
  if (!freeX && !freeY && !freeZ) return;
  const i = freeX ? 0 : freeY ? 1 : 2;
  const j = freeZ && i !== 2 ? 2 : freeY && i !== 1 ? 1 : -1;
  extents[0] = x < 0 ? -p[at]! : p[at]!;
  extents[1] = y < 0 ? -p[at + 1]! : p[at + 1]!;
  extents[2] = z < 0 ? -p[at + 2]! : p[at + 2]!;
  const corners = j < 0 ? 2 : 4;
  for (let k = 0; k < corners; k++) {
    push(out, extents[0], extents[1], extents[2]);
    const o = 3 * k;
    // + +, - +, - -, + -: around a face.
    out.points[o + i] = k === 0 || k === 3 ? p[at + i]! : -p[at + i]!;
    if (j >= 0) out.points[o + j] = k < 2 ? p[at + j]! : -p[at + j]!;
    out.names[k] = boxCorner(out.points[o]!, out.points[o + 1]!, out.points[o + 2]!);
  }
  setNormal(out, freeX ? 0 : Math.sign(x), freeY ? 0 : Math.sign(y), freeZ ? 0 : Math.sign(z));
}

/** Disc or ellipse across one axis, or a segment. */
function flatEllipsoidFace(
  p: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: SupportingFace,
): void {
  const [a, b, c] = [p[at]!, p[at + 1]!, p[at + 2]!];
  // The axis across has no extent. If there are several, it is the one most nearly along the direction.
  const alongX = a === 0 ? Math.abs(x) : -1;
  const alongY = b === 0 ? Math.abs(y) : -1;
  const alongZ = c === 0 ? Math.abs(z) : -1;
  const k = alongZ >= alongX && alongZ >= alongY ? 2 : alongY >= alongX ? 1 : 0;
  const [i, j] = [(k + 1) % 3, (k + 2) % 3];
  const n = k === 2 ? z : k === 1 ? y : x;
  const ni = k === 2 ? x : k === 1 ? z : y;
  const nj = k === 2 ? y : k === 1 ? x : z;
  const ri = p[at + i]!;
  const rj = p[at + j]!;
  if ((ri > 0 && Math.abs(ni) > FACING_SINE) || (rj > 0 && Math.abs(nj) > FACING_SINE)) return;
  if (ri === 0 || rj === 0) {
    for (const sign of [1, -1]) {
      push(out, 0, 0, 0);
      out.points[3 * out.count - 3 + i] = sign * ri;
      out.points[3 * out.count - 3 + j] = sign * rj;
    }
    return;
  }
  for (let c = 0; c < MOST_FACE_CORNERS; c++) {
    push(out, 0, 0, 0);
    out.points[3 * c + i] = ri * RIM_X[c]!;
    out.points[3 * c + j] = rj * RIM_Y[c]!;
  }
  setNormal(out, 0, 0, 0);
  out.normal[k] = Math.sign(n);
}

function rim(out: SupportingFace, radius: number, height: number): void {
  for (let k = 0; k < MOST_FACE_CORNERS; k++) push(out, radius * RIM_X[k]!, radius * RIM_Y[k]!, height);
}

/** An end of the cylinder, as an octagon; or the line along its side. */
function cylinderFace(
  p: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: SupportingFace,
): void {
  const radius = p[at + CylinderParameter.radius]!;
  const half = p[at + CylinderParameter.halfHeight]!;
  const across = Math.sqrt(x * x + y * y);
  if (across <= FACING_SINE) {
    rim(out, radius, z < 0 ? -half : half);
    setNormal(out, 0, 0, z < 0 ? -1 : 1);
  } else if (Math.abs(z) <= FACING_SINE) {
    const s = radius / across;
    push(out, s * x, s * y, half);
    push(out, s * x, s * y, -half);
    out.radius = radius;
  }
}

/** The base of the cone, as an octagon; or the line from its rim to the apex. */
function coneFace(p: Float64Array, at: number, x: number, y: number, z: number, out: SupportingFace): void {
  const radius = p[at + ConeParameter.radius]!;
  const base = p[at + ConeParameter.base]!;
  const apex = p[at + ConeParameter.apex]!;
  const across = Math.sqrt(x * x + y * y);
  if (across <= FACING_SINE && (z < 0 || base === apex)) {
    rim(out, radius, base);
    setNormal(out, 0, 0, z < 0 ? -1 : 1);
    return;
  }
  if (across === 0) return;
  const height = apex - base;
  const slant = Math.sqrt(radius * radius + height * height);
  if (Math.abs(height * z - radius * across) > FACING_SINE * slant) return;
  push(out, (radius * x) / across, (radius * y) / across, base);
  push(out, 0, 0, apex);
}

/**
 * The face at the farthest vertex that faces the direction most; if it is tilted too much, the most level edge of these
 * faces there.
 */
function polytopeFace(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  out: SupportingFace,
  known: number,
): void {
  const { polygonNormals, polygonStarts, polygonCorners, vertices } = table;
  const vertex = known < 0 ? farthestVertex(table, shape, x, y, z) : known;
  const best = facingPolygon(table, vertex, x, y, z);
  const firstVertex = table.integers[INTEGERS * shape + Integer.firstVertex]!;
  if (best >= 0) {
    const end = polygonStarts[best + 1]!;
    for (let i = polygonStarts[best]!; i < end; i++)
      pushVertex(out, vertices, polygonCorners[i]!, firstVertex);
    setNormal(out, polygonNormals[3 * best]!, polygonNormals[3 * best + 1]!, polygonNormals[3 * best + 2]!);
    return;
  }
  const edge = levelEdge(table, vertex, x, y, z);
  if (edge < 0) return;
  pushVertex(out, vertices, table.edgeEnds[2 * edge]!, firstVertex);
  pushVertex(out, vertices, table.edgeEnds[2 * edge + 1]!, firstVertex);
}

function pushVertex(out: SupportingFace, vertices: Float64Array, vertex: number, firstVertex: number): void {
  const o = 3 * out.count;
  out.names[out.count++] = vertex - firstVertex;
  out.points[o] = vertices[3 * vertex]!;
  out.points[o + 1] = vertices[3 * vertex + 1]!;
  out.points[o + 2] = vertices[3 * vertex + 2]!;
}

/** The face at a vertex that faces a direction most; -1 if all are tilted too much. */
export function facingPolygon(
  { neighbourStarts, edgePolygons, polygonNormals }: ShapeRecords,
  vertex: number,
  x: number,
  y: number,
  z: number,
): number {
  let best = -1;
  let most = -1;
  const end = neighbourStarts[vertex + 1]!;
  for (let e = neighbourStarts[vertex]!; e < end; e++) {
    const i = 3 * edgePolygons[e]!;
    const cosine = polygonNormals[i]! * x + polygonNormals[i + 1]! * y + polygonNormals[i + 2]! * z;
    if (cosine <= most) continue;
    best = edgePolygons[e]!;
    most = cosine;
  }
  return most >= FACING_COSINE ? best : -1;
}

/** The most level of the edges that pass a vertex, as seen from a direction; -1 if all are too steep. */
export function levelEdge(
  { vertices: v, edgeStarts, edgeEnds }: ShapeRecords,
  vertex: number,
  x: number,
  y: number,
  z: number,
): number {
  let level = -1;
  let steepest = FACING_SINE;
  const end = edgeStarts[vertex + 1]!;
  for (let e = edgeStarts[vertex]!; e < end; e++) {
    const a = 3 * edgeEnds[2 * e]!;
    const b = 3 * edgeEnds[2 * e + 1]!;
    const dx = v[b]! - v[a]!;
    const dy = v[b + 1]! - v[a + 1]!;
    const dz = v[b + 2]! - v[a + 2]!;
    const squared = dx * dx + dy * dy + dz * dz;
    const along = x * dx + y * dy + z * dz;
    // Most edges are too steep: they need no root.
    if (along * along > steepest * steepest * squared) continue;
    const steepness = Math.abs(along) / Math.sqrt(squared);
    if (steepness > steepest) continue;
    level = e;
    steepest = steepness;
  }
  return level;
}

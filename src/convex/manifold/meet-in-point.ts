// Whether two polytopes meet in a point alone: most of a packing do, and their manifold is the pair's own point.
import { FACING_SINE } from '../constants.ts';
import type { Pair } from '../pair/pair.ts';
import { INTEGERS, Integer } from '../shapes/records.ts';
import { facingPolygon, levelEdge } from './supporting-face.ts';

/** Rounding of products and of lengths, many times over: who is nearer to the angle of `FACING_SINE` is looked at. */
const ANGLE_ROUNDING = 2 ** -20;

const edgeA = new Float64Array(3);
const edgeB = new Float64Array(3);

/**
 * True if cutting the faces of a pair with each other surely gives its own point alone: on one side neither a face nor
 * an edge lies in the contact's plane, or there is an edge on both and they cross. Only polytopes whose farthest
 * vertices are known are looked at.
 */
export function meetInPoint(pair: Pair): boolean {
  const { table, vertexA, vertexB, normal, placement: r } = pair;
  if (vertexA < 0 || vertexB < 0) return false;
  const { integers } = table;
  if (integers[INTEGERS * pair.shapeA + Integer.faceCount] === 0) return false;
  if (integers[INTEGERS * pair.shapeB + Integer.faceCount] === 0) return false;
  const x = normal[0]!;
  const y = normal[1]!;
  const z = normal[2]!;
  const faceA = facingPolygon(table, vertexA, x, y, z);
  const ofA = faceA < 0 ? levelEdge(table, vertexA, x, y, z) : -1;
  if (faceA < 0 && ofA < 0) return true;
  const lx = -(r[0]! * x + r[3]! * y + r[6]! * z);
  const ly = -(r[1]! * x + r[4]! * y + r[7]! * z);
  const lz = -(r[2]! * x + r[5]! * y + r[8]! * z);
  if (facingPolygon(table, vertexB, lx, ly, lz) >= 0) return false;
  const ofB = levelEdge(table, vertexB, lx, ly, lz);
  if (ofB < 0) return true;
  if (ofA < 0) return false;
  setEdge(pair, ofA, edgeA);
  setEdge(pair, ofB, edgeB);
  const ax = edgeA[0]!;
  const ay = edgeA[1]!;
  const az = edgeA[2]!;
  // B's edge in A's frame.
  const bx = r[0]! * edgeB[0]! + r[1]! * edgeB[1]! + r[2]! * edgeB[2]!;
  const by = r[3]! * edgeB[0]! + r[4]! * edgeB[1]! + r[5]! * edgeB[2]!;
  const bz = r[6]! * edgeB[0]! + r[7]! * edgeB[1]! + r[8]! * edgeB[2]!;
  const across = (ay * bz - az * by) * x + (az * bx - ax * bz) * y + (ax * by - ay * bx) * z;
  // Of both edges as they look along the normal.
  const along = ax * bx + ay * by + az * bz - (ax * x + ay * y + az * z) * (bx * x + by * y + bz * z);
  return Math.abs(across) * (1 - ANGLE_ROUNDING) > FACING_SINE * Math.abs(along);
}

/** The way from an edge's first end to the other, in the frame of its shape. */
function setEdge({ table: { vertices: v, edgeEnds } }: Pair, edge: number, out: Float64Array): void {
  const from = 3 * edgeEnds[2 * edge]!;
  const to = 3 * edgeEnds[2 * edge + 1]!;
  for (let k = 0; k < 3; k++) out[k] = v[to + k]! - v[from + k]!;
}

// Whether a pair is apart or overlaps, as far as bounding spheres and inscribed balls tell. Only the poses are needed.
import { INBALL_ERROR, SPHERES_APART } from '../constants.ts';
import { POSE_SIZE } from '../shapes/pose.ts';
import {
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  type PlacedRecord,
  type ShapeRecords,
} from '../shapes/records.ts';

/** What spheres say of a pair. */
export const SphereSide = {
  open: 0,
  apart: 1,
  overlapping: 2,
} as const;

export type SphereSide = (typeof SphereSide)[keyof typeof SphereSide];

/**
 * Whether the bounding spheres of two shapes prove that they are apart, or balls in them prove that they overlap: both
 * by more than the touching tolerance.
 */
export function sideOfSpheres(
  { parameters: p }: ShapeRecords,
  { record: shapeA, frames: placedA, at: a }: PlacedRecord,
  { record: shapeB, frames: placedB, at: b }: PlacedRecord,
): SphereSide {
  const recordA = PARAMETERS * shapeA;
  const recordB = PARAMETERS * shapeB;
  const ax = p[recordA + Parameter.centre]!;
  const ay = p[recordA + Parameter.centre + 1]!;
  const az = p[recordA + Parameter.centre + 2]!;
  const bx = p[recordB + Parameter.centre]!;
  const by = p[recordB + Parameter.centre + 1]!;
  const bz = p[recordB + Parameter.centre + 2]!;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const o = 3 * k;
    const d =
      placedB[b + 9 + k]! -
      placedA[a + 9 + k]! +
      (placedB[b + o]! * bx + placedB[b + o + 1]! * by + placedB[b + o + 2]! * bz) -
      (placedA[a + o]! * ax + placedA[a + o + 1]! * ay + placedA[a + o + 2]! * az);
    squared += d * d;
  }
  return sideAt(squared, p, recordA, recordB);
}

/** Poses of bodies, and the shape of each. */
interface Bodies {
  readonly poses: Float32Array | Float64Array;
  readonly shapes: Uint32Array;
}

/**
 * The same of bodies a and b from their positions alone, where both are convex and have their centre at the origin of
 * their frame. Others are left open. It takes a fraction of the time that rotations take.
 */
export function sideOfPositions(
  { parameters: p, integers }: ShapeRecords,
  { poses, shapes }: Bodies,
  a: number,
  b: number,
): SphereSide {
  const shapeA = shapes[a]!;
  const shapeB = shapes[b]!;
  const recordA = PARAMETERS * shapeA;
  const recordB = PARAMETERS * shapeB;
  const parts =
    integers[INTEGERS * shapeA + Integer.partCount]! + integers[INTEGERS * shapeB + Integer.partCount]!;
  if (parts > 0 || !(isCentred(p, recordA) && isCentred(p, recordB))) return SphereSide.open;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const d = poses[POSE_SIZE * b + k]! - poses[POSE_SIZE * a + k]!;
    squared += d * d;
  }
  return sideAt(squared, p, recordA, recordB);
}

function isCentred(p: Float64Array, record: number): boolean {
  const c = record + Parameter.centre;
  return p[c] === 0 && p[c + 1] === 0 && p[c + 2] === 0;
}

/** @param squared distance of the centres, squared */
function sideAt(squared: number, p: Float64Array, recordA: number, recordB: number): SphereSide {
  const radii = p[recordA + Parameter.boundingRadius]! + p[recordB + Parameter.boundingRadius]!;
  if (squared > (SPHERES_APART * radii) ** 2) return SphereSide.apart;
  // The pair's size is at most twice the sum of the radii here.
  const inscribed =
    p[recordA + Parameter.inball]! + p[recordB + Parameter.inball]! - 2 * INBALL_ERROR * radii;
  return inscribed > 0 && squared < inscribed * inscribed ? SphereSide.overlapping : SphereSide.open;
}

/** Finds the faces of a shape that matter for a pair, and places them. */
import { FACE_RANGE, type FaceTable, PLANE } from './face-table.ts';

/** From one record's frame to the common one: rotation by rows, and place. */
export type Frame = Float64Array;

/** Numbers per vertex. */
const XYZ = 3;

/** Where a face is: its origin, and the directions of u and v. */
export type FaceFrame = Float64Array;

/** Faces of one shape that matter for a pair, in the frame that both have in common. */
export class NearFaces {
  /** How many may be nearest to a point of the overlap; the first ones of the arrays are these. */
  count = 0;
  /** Numbers of faces, rising, and whether a face reaches into the overlap itself. */
  faces = new Uint32Array(0);
  reaches = new Uint8Array(0);
  /** `[n * 4]`: planes. */
  planes = new Float64Array(0);
  /** Of the vertices of the shape, along the axis. */
  heights = new Float64Array(0);

  reserve(faces: number, vertices: number): void {
    if (this.faces.length < faces) {
      this.faces = new Uint32Array(faces);
      this.reaches = new Uint8Array(faces);
      this.planes = new Float64Array(PLANE * faces);
    }
    if (this.heights.length < vertices) this.heights = new Float64Array(vertices);
  }
}

/** Sets the heights of a shape's vertices along an axis, times a sign. Returns the largest. */
export function measure(
  { ranges, vertices: v }: FaceTable,
  record: number,
  near: NearFaces,
  x: number,
  y: number,
  z: number,
  sign: number,
  origin: number,
): number {
  const first = ranges[FACE_RANGE * record + 2]!;
  const count = ranges[FACE_RANGE * record + 3]!;
  near.reserve(ranges[FACE_RANGE * record + 1]!, count);
  const { heights } = near;
  let most = -Infinity;
  for (let i = 0; i < count; i++) {
    const at = XYZ * (first + i);
    const height = sign * (v[at]! * x + v[at + 1]! * y + v[at + 2]! * z + origin);
    heights[i] = height;
    if (height > most) most = height;
  }
  return most;
}

/** Lists faces with a corner above a height less a depth, and places their planes. */
export function findNear(
  { ranges, planes, starts, corners }: FaceTable,
  record: number,
  near: NearFaces,
  f: Frame,
  height: number,
  depth: number,
): void {
  const firstFace = ranges[FACE_RANGE * record]!;
  const endFace = firstFace + ranges[FACE_RANGE * record + 1]!;
  const firstVertex = ranges[FACE_RANGE * record + 2]!;
  const { heights, faces, reaches, planes: placed } = near;
  let count = 0;
  for (let i = firstFace; i < endFace; i++) {
    let top = -Infinity;
    const end = starts[i + 1]!;
    for (let c = starts[i]!; c < end; c++) {
      const value = heights[corners[c]! - firstVertex]!;
      if (value > top) top = value;
    }
    if (top < height - depth) continue;
    faces[count] = i;
    reaches[count] = top >= height ? 1 : 0;
    placePlane(planes, i, f, placed, count++);
  }
  near.count = count;
}

/**
 * Sets `near` to faces that a meeting lists, from `from` to before `end`, and places their planes. False if the shape
 * has no such faces: whatever is remembered, it leads to nothing that is not of the shape.
 */
export function setListed(
  { ranges, planes }: FaceTable,
  record: number,
  near: NearFaces,
  f: Frame,
  listed: Uint16Array,
  from: number,
  end: number,
): boolean {
  const firstFace = ranges[FACE_RANGE * record]!;
  const all = ranges[FACE_RANGE * record + 1]!;
  near.reserve(all, ranges[FACE_RANGE * record + 3]!);
  let count = 0;
  for (let i = from; i < end; i++) {
    const word = listed[i]!;
    if (word >>> 1 >= all || (i > from && word <= listed[i - 1]!)) return false;
    const face = firstFace + (word >>> 1);
    near.faces[count] = face;
    near.reaches[count] = word & 1;
    placePlane(planes, face, f, near.planes, count++);
  }
  near.count = count;
  return true;
}

function placePlane(planes: Float64Array, i: number, f: Frame, out: Float64Array, k: number): void {
  const nx = planes[PLANE * i]!;
  const ny = planes[PLANE * i + 1]!;
  const nz = planes[PLANE * i + 2]!;
  const x = f[0]! * nx + f[1]! * ny + f[2]! * nz;
  const y = f[3]! * nx + f[4]! * ny + f[5]! * nz;
  const z = f[6]! * nx + f[7]! * ny + f[8]! * nz;
  const to = PLANE * k;
  out[to] = x;
  out[to + 1] = y;
  out[to + 2] = z;
  out[to + 3] = planes[PLANE * i + 3]! + (x * f[9]! + y * f[10]! + z * f[11]!);
}

/** Places a face's origin and directions. @param k its number among the near ones */
export function placeFace(
  { planes, axes }: FaceTable,
  near: NearFaces,
  k: number,
  f: Frame,
  out: FaceFrame,
): void {
  const face = near.faces[k]!;
  const h = planes[PLANE * face + 3]!;
  for (let i = 0; i < 3; i++) out[i] = f[9 + i]! + h * near.planes[PLANE * k + i]!;
  for (let d = 0; d < 2; d++) {
    const from = 6 * face + 3 * d;
    const x = axes[from]!;
    const y = axes[from + 1]!;
    const z = axes[from + 2]!;
    for (let i = 0; i < 3; i++) {
      out[3 + 3 * d + i] = f[3 * i]! * x + f[3 * i + 1]! * y + f[3 * i + 2]! * z;
    }
  }
}

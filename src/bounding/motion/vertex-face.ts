/**
 * When a vertex meets a face on its way: C. Lennerz, E. Schömer, T. Warken, "A framework for collision detection and
 * response", section 2.3. Its distance from the face's plane is interpolated linearly over a step. From where that is 0
 * on, the crossing is looked for at interpolated poses, and there the vertex in the prism over the face. Distances
 * within rounding of 0 count as 0: what rests does not slip through.
 */
import { crossingTime } from './crossing-time.ts';
import type { MovingPoints } from './moving-points.ts';
import { type Measured, measure, newMeasured } from './plane-distance.ts';

/** Where two features meet first. */
export interface Touch {
  /** A share of the step, 0 to 1. */
  readonly time: number;
  /** `[3]`: of unit length, out of the second body. */
  readonly normal: Float64Array;
  /** `[3]` */
  readonly point: Float64Array;
}

const first = newMeasured();
const last = newMeasured();
const corners = new Float64Array(9);

/**
 * A vertex of p and a face of q: d(t) = d0 + t (d1 - d0), where d0 >= 0 and d0 > d1.
 *
 * @param face three points of q, counter-clockwise seen from outside
 * @param pieces triangles that the face is made of, three points each; default: it is a triangle. None: it has no end
 * @param radius of a ball about the vertex
 */
export function vertexFace(
  p: MovingPoints,
  vertex: number,
  q: MovingPoints,
  face: readonly [number, number, number],
  pieces: ArrayLike<number> = face,
  radius = 0,
): Touch | undefined {
  const reach = p.reach + q.reach;
  const plane = [3 * face[0], 3 * face[1], 3 * face[2]] as const;
  measure(p.start, 3 * vertex, q.start, plane, reach, first);
  const begin = first.distance - radius;
  const d0 = Math.max(begin, 0);
  if (begin < -first.error) return undefined;
  measure(p.end, 3 * vertex, q.end, plane, reach, last);
  const d1 = last.distance - radius;
  if (!(begin > d1 && d1 <= 0)) return undefined;
  const point = new Float64Array(3);
  const look = (at: number) => {
    p.place(vertex, at, point, 0);
    for (let k = 0; k < 3; k++) q.place(face[k]!, at, corners, 3 * k);
    measure(point, 0, corners, CORNERS, reach, last);
    last.distance -= radius;
    return last;
  };
  const time = crossingTime(look, [0, d0], [1, d1]);
  look(time);
  if (pieces.length > 0 && !isOver(point, q, pieces, time, last)) return undefined;
  return { time, point, normal: last.normal.slice() };
}

const CORNERS = [0, 3, 6] as const;

/** Whether a point is over one of the triangles that a face is made of. */
function isOver(
  point: Float64Array,
  q: MovingPoints,
  pieces: ArrayLike<number>,
  time: number,
  plane: Measured,
): boolean {
  for (let piece = 0; piece < pieces.length; piece += 3) {
    for (let k = 0; k < 3; k++) q.place(pieces[piece + k]!, time, corners, 3 * k);
    if (isInPrism(point, corners, plane)) return true;
  }
  return false;
}

/** Whether a point is in the prism over a triangle, or within the error of it. @param corners `[9]` */
export function isInPrism(
  point: ArrayLike<number>,
  corners: ArrayLike<number>,
  { normal, error }: Measured,
): boolean {
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  for (let k = 0; k < 9; k += 3) {
    const next = (k + 3) % 9;
    const ex = corners[next]! - corners[k]!;
    const ey = corners[next + 1]! - corners[k + 1]!;
    const ez = corners[next + 2]! - corners[k + 2]!;
    const wx = point[0]! - corners[k]!;
    const wy = point[1]! - corners[k + 1]!;
    const wz = point[2]! - corners[k + 2]!;
    const inward = (ny * ez - nz * ey) * wx + (nz * ex - nx * ez) * wy + (nx * ey - ny * ex) * wz;
    if (inward < -error * Math.sqrt(ex * ex + ey * ey + ez * ez)) return false;
  }
  return true;
}

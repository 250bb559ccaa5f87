/**
 * When an edge meets an edge on its way: C. Lennerz, E. Schömer, T. Warken, "A framework for collision detection and
 * response", section 2.3, (1) and (2). As with vertices and faces, translations are exact.
 */
import { PLACE_ERROR } from './constants.ts';
import { crossingTime } from './crossing-time.ts';
import type { MovingPoints } from './moving-points.ts';
import { type Measured, measure, newMeasured } from './plane-distance.ts';
import type { Touch } from './vertex-face.ts';

/** An edge between two points of a body, and the third of a triangle next to it: counter-clockwise from outside. */
export type EdgeOfTriangle = readonly [from: number, to: number, third: number];

const found = newMeasured();
/** Of triangles in parallel planes. */
const WHOLE_STEP = [[0, 1]] as const;

/**
 * An edge of p and one of q. In the intervals in which the ends of one are on different sides of the triangle next to
 * the other (1), the distance of their lines (2) is interpolated linearly; roles are exchanged where the edge is
 * parallel to the triangle. Edges meet where that distance falls to 0 at points of both, and both triangles lie on
 * different sides of the plane that the edges have in common then: others are crossed already, or meet elsewhere first.
 */
export function edgeEdge(
  p: MovingPoints,
  edge: EdgeOfTriangle,
  q: MovingPoints,
  other: EdgeOfTriangle,
): Touch | undefined {
  const intervals = sidesDiffer(p, edge, q, other) ?? sidesDiffer(q, other, p, edge) ?? WHOLE_STEP;
  for (const [begin, end] of intervals) {
    const touch = linesMeet(p, edge, q, other, begin, end);
    if (touch) return touch;
  }
  return undefined;
}

/** Intervals of time in which (1) holds, in order; undefined: the edge is parallel to the triangle throughout. */
function sidesDiffer(
  p: MovingPoints,
  [a, b]: EdgeOfTriangle,
  q: MovingPoints,
  [k, l, m]: EdgeOfTriangle,
): [begin: number, end: number][] | undefined {
  const reach = p.reach + q.reach;
  const corners = [3 * k, 3 * l, 3 * m] as const;
  measure(p.start, 3 * a, q.start, corners, reach, found);
  const [a0, e0] = [found.distance, found.error];
  measure(p.start, 3 * b, q.start, corners, reach, found);
  const [b0, f0] = [found.distance, found.error];
  measure(p.end, 3 * a, q.end, corners, reach, found);
  const [a1, e1] = [found.distance, found.error];
  measure(p.end, 3 * b, q.end, corners, reach, found);
  const [b1, f1] = [found.distance, found.error];
  if (Math.abs(a0 - b0) <= e0 + f0 && Math.abs(a1 - b1) <= e1 + f1) return undefined;
  const isAbove = a0 > 0;
  if (b0 > 0 === isAbove && a1 > 0 === isAbove && b1 > 0 === isAbove) return [];
  const zeroOf = (point: number, first: number, last: number) =>
    first > 0 === last > 0
      ? 1
      : crossingTime((time) => height(p, point, q, [k, l, m], time), [0, first], [1, last]);
  const zeros = [zeroOf(a, a0, a1), zeroOf(b, b0, b1)] as const;
  const bounds = [0, Math.min(...zeros), Math.max(...zeros), 1];
  const intervals: [number, number][] = [];
  for (let n = 0; n < 3; n++) {
    const [begin, end] = [bounds[n]!, bounds[n + 1]!];
    const isPast = zeros.map((zero) => begin >= zero);
    const [first, last] = [isPast[0] ? a1 : a0, isPast[1] ? b1 : b0];
    if (end > begin && first > 0 !== last > 0) intervals.push([begin, end]);
  }
  return intervals;
}

const point = new Float64Array(3);
const plane = new Float64Array(9);

/** Of a point of p over the plane of three of q, at a time. */
function height(
  p: MovingPoints,
  one: number,
  q: MovingPoints,
  corners: EdgeOfTriangle,
  time: number,
): Measured {
  p.place(one, time, point, 0);
  for (let k = 0; k < 3; k++) q.place(corners[k]!, time, plane, 3 * k);
  measure(point, 0, plane, [0, 3, 6], p.reach + q.reach, found);
  return found;
}

/** Both edges and their third points at a time: from, to, third of p, then of q. */
const places = new Float64Array(18);

/** What `look` found last. */
const lines = {
  /** Across both lines, of unit length. */
  normal: new Float64Array(3),
  /** (2): from the line of q to that of p, along the normal. */
  distance: 0,
  /** Shares of the way along both edges at which the closest points of their lines are. */
  ofP: 0,
  ofQ: 0,
  lengthOfP: 0,
  lengthOfQ: 0,
  /** Lines at a small angle meet where rounding puts them: off by that of places over the sine. */
  error: 0,
};

/** Looks at the lines of both edges at a time. */
function look(
  p: MovingPoints,
  edge: EdgeOfTriangle,
  q: MovingPoints,
  other: EdgeOfTriangle,
  time: number,
): typeof lines {
  const x = places;
  for (let k = 0; k < 3; k++) {
    p.place(edge[k]!, time, x, 3 * k);
    q.place(other[k]!, time, x, 9 + 3 * k);
  }
  const [ux, uy, uz] = [x[3]! - x[0]!, x[4]! - x[1]!, x[5]! - x[2]!];
  const [vx, vy, vz] = [x[12]! - x[9]!, x[13]! - x[10]!, x[14]! - x[11]!];
  const [wx, wy, wz] = [x[0]! - x[9]!, x[1]! - x[10]!, x[2]! - x[11]!];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  const size = Math.sqrt(square);
  lines.normal[0] = nx / size;
  lines.normal[1] = ny / size;
  lines.normal[2] = nz / size;
  lines.distance = (nx * wx + ny * wy + nz * wz) / size;
  // w + s u - t v is along n: its products with v x n and u x n are 0.
  const cx = wy * nz - wz * ny;
  const cy = wz * nx - wx * nz;
  const cz = wx * ny - wy * nx;
  lines.ofP = (vx * cx + vy * cy + vz * cz) / square;
  lines.ofQ = (ux * cx + uy * cy + uz * cz) / square;
  lines.lengthOfP = Math.sqrt(ux * ux + uy * uy + uz * uz);
  lines.lengthOfQ = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const sine = size / (lines.lengthOfP * lines.lengthOfQ);
  lines.error = (PLACE_ERROR * (p.reach + q.reach) * 4) / sine;
  return lines;
}

/** Where the lines of two edges meet between two times, if that is on both edges. */
function linesMeet(
  p: MovingPoints,
  edge: EdgeOfTriangle,
  q: MovingPoints,
  other: EdgeOfTriangle,
  begin: number,
  end: number,
): Touch | undefined {
  const d1 = look(p, edge, q, other, begin).distance;
  const d2 = look(p, edge, q, other, end).distance;
  // Edges that are parallel at an end of the interval are in the plane of the triangle: its corners meet first.
  if (!Number.isFinite(d1 + d2) || d1 === d2) return undefined;
  const falls = d1 > d2 ? 1 : -1;
  const lookAt = (at: number) => look(p, edge, q, other, at);
  const time = falls * d1 <= 0 ? begin : falls * d2 >= 0 ? end : crossingTime(lookAt, [begin, d1], [end, d2]);
  const { normal, error, ofP, ofQ, lengthOfP, lengthOfQ } = lookAt(time);
  const sign = sideOf(normal, error);
  if (!(sign * d1 > sign * d2 && sign * d1 >= -error && sign * d2 <= error)) return undefined;
  if (!isShare(ofP, error / lengthOfP) || !isShare(ofQ, error / lengthOfQ)) return undefined;
  const x = places;
  const point = Float64Array.from({ length: 3 }, (_, k) => {
    const onP = x[k]! + ofP * (x[3 + k]! - x[k]!);
    const onQ = x[9 + k]! + ofQ * (x[12 + k]! - x[9 + k]!);
    return (onP + onQ) / 2;
  });
  return { time, point, normal: normal.map((n) => sign * n) };
}

/**
 * The sign with which the normal leads out of q: the triangle of p is on that side of the plane of both edges, and that
 * of q on the other. A triangle that lies in the plane has its body behind it. 0: they are not.
 */
function sideOf(normal: Float64Array, error: number): number {
  const p = heightOf(0, normal, error);
  const q = -heightOf(9, normal, error);
  if (p >= 0 && q >= 0 && Math.max(p, q) > 0) return 1;
  return p <= 0 && q <= 0 && Math.min(p, q) < 0 ? -1 : 0;
}

/** On which side of the plane of both edges the body at a triangle is, by the third point, or else by its back. */
function heightOf(at: number, [nx, ny, nz]: Float64Array, error: number): number {
  const x = places;
  const [ux, uy, uz] = [x[at + 3]! - x[at]!, x[at + 4]! - x[at + 1]!, x[at + 5]! - x[at + 2]!];
  const [vx, vy, vz] = [x[at + 6]! - x[at]!, x[at + 7]! - x[at + 1]!, x[at + 8]! - x[at + 2]!];
  const height = nx! * vx + ny! * vy + nz! * vz;
  if (Math.abs(height) > error) return height;
  // As the height of the third point over the edge, where rounding leaves that.
  const turn = nx! * (uy * vz - uz * vy) + ny! * (uz * vx - ux * vz) + nz! * (ux * vy - uy * vx);
  const width = turn / Math.sqrt(ux * ux + uy * uy + uz * uz);
  return Math.abs(width) > error ? -width : 0;
}

function isShare(share: number, error: number): boolean {
  return share >= -error && share <= 1 + error;
}

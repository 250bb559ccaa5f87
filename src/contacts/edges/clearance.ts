/**
 * How far a piece of an edge is from a polyhedron's surface at least. docs/contacts.md, "What sleeps".
 *
 * Along a line, the distance to a triangle is convex. So it is nowhere below its tangents at two places, which cross
 * where both are lowest. The distance is looked up there, and its tangent takes the place of one of the two.
 */
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';
import { eachNear } from '../surface/triangle-tree.ts';
import { CLEARANCE_LOOKS, CLEARANCE_SHARE } from './constants.ts';
import type { Line } from './crossings.ts';

const w = new Float64Array(NEAREST_FLOATS);
let body: PolyhedronArrays;
let line: Line;
let length = 0;
/** The least distance so far. */
let least = 0;
/** Of the triangle that was looked at last: how its distance grows along the line. */
let slope = 0;

/**
 * How far all points of a line are from a body's surface, at least: half of the distance or more, or 0 where that takes
 * too many looks. In local coordinates.
 *
 * @param most of more no more is told
 */
export function clearanceOf(of: PolyhedronArrays, along: Line, most: number): number {
  body = of;
  line = along;
  const { px, py, pz, dx, dy, dz } = line;
  length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  least = most;
  eachNear(body.tree, px + dx / 2, py + dy / 2, pz + dz / 2, length / 2 + most, look);
  return CLEARANCE_SHARE * least;
}

function look(rank: number): void {
  const triangle = 9 * body.tree.order[rank]!;
  let from = 0;
  let to = length;
  let before = distanceAt(from, triangle);
  let fall = slope;
  let behind = distanceAt(to, triangle);
  let rise = slope;
  for (let looks = 2; ; looks++) {
    const nearer = Math.min(before, behind);
    // It falls, then rises, and is lowest between. If not, it is lowest at an end.
    const isBetween = fall < 0 && rise > 0;
    const way = isBetween ? (behind - before - rise * (to - from)) / (fall - rise) : 0;
    const low = isBetween ? before + fall * way : nearer;
    if (low >= least) return;
    if (!isBetween || low >= nearer / 2 || looks === CLEARANCE_LOOKS) {
      least = Math.max(0, low);
      return;
    }
    const at = Math.min(to, Math.max(from, from + way));
    const there = distanceAt(at, triangle);
    if (slope < 0) [from, before, fall] = [at, there, slope];
    else [to, behind, rise] = [at, there, slope];
  }
}

/** The distance from a place, a length from the line's start, to a triangle. Sets `slope`. */
function distanceAt(way: number, triangle: number): number {
  const { px, py, pz, dx, dy, dz } = line;
  const at = way / length;
  w[0] = px + at * dx;
  w[1] = py + at * dy;
  w[2] = pz + at * dz;
  nearestOnTriangle(body.field.corners, triangle, w);
  const distance = Math.sqrt(w[6]!);
  const along = (w[0]! - w[3]!) * dx + (w[1]! - w[4]!) * dy + (w[2]! - w[5]!) * dz;
  slope = distance > 0 ? along / (distance * length) : 0;
  return distance;
}

// Differences A - B without volume: of points, of parallel segments, of shapes in one plane.

import { MOST_FLAT_STEPS } from '../constants.ts';
import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { NEWEST, type Pair, POINT } from '../pair/pair.ts';
import { setAcross } from '../shapes/directions-across.ts';

/** Corners of a polygon in the plane of the difference, x and y each. */
const corners = new Float64Array(2 * (MOST_FLAT_STEPS + 4));
/** Two axes in the plane. */
const p = new Float64Array(3);
const q = new Float64Array(3);
/** The best axis so far, and how far the difference reaches along it. */
const axis = new Float64Array(4);
const HEIGHT = 3;

/**
 * Depth of the cores if their difference has no volume, or a separating axis.
 *
 * If GJK found that the origin is in the difference, its simplex is in `points`. The depth is then that across the
 * flat, which is zero: along the plane's normal, along any normal of a line, in any direction for a point. Without a
 * simplex, GJK got stuck. The origin may then also lie beside the difference, in its own plane.
 *
 * @param rank dimension of the difference; `normal` is that of its plane, or one of its line
 * @param line unit direction of the difference, if its rank is 1
 * @returns whether one direction stands out
 */
export function flatDepth(pair: Pair, rank: number, line: Float64Array): boolean {
  const { points, normal } = pair;
  const margins = pair.marginA + pair.marginB;
  axis[HEIGHT] = Infinity;
  const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
  ask(pair, x, y, z);
  const pointThere = points.slice(NEWEST, NEWEST + POINT);
  if (ask(pair, -x, -y, -z)) pointThere.set(points.subarray(NEWEST, NEWEST + POINT));
  if (pair.count === 0 && axis[HEIGHT]! >= -pair.touching) {
    if (rank === 2) askInPlane(pair, x, y, z, pointThere);
    else askAroundLine(pair, rank, line, pointThere);
  }
  points.set(pointThere, NEWEST);
  const depth = axis[HEIGHT]!;
  pair.upper = pair.lower = -depth - margins;
  // The simplex that GJK ended with holds the origin. Without one there is only the support point, and its distance is
  // all that is known.
  if (pair.count > 0) {
    nearestByVoronoi(pair);
    pair.weigh();
  } else {
    for (let k = 0; k < 3; k++) {
      pair.pointA[k] = points[NEWEST + 3 + k]!;
      pair.pointB[k] = points[NEWEST + 6 + k]!;
    }
    const far = Math.sqrt(points[NEWEST]! ** 2 + points[NEWEST + 1]! ** 2 + points[NEWEST + 2]! ** 2);
    pair.upper = Math.max(pair.upper, far - margins);
  }
  pair.answer(-depth, axis[0]!, axis[1]!, axis[2]!);
  return rank === 2;
}

/**
 * Asks for the support point in a unit direction; true if the difference reaches less far than along the best axis so
 * far.
 */
function ask(pair: Pair, x: number, y: number, z: number): boolean {
  const { points } = pair;
  pair.core(x, y, z, points, NEWEST);
  const height = x * points[NEWEST]! + y * points[NEWEST + 1]! + z * points[NEWEST + 2]!;
  if (!(height < axis[HEIGHT]!)) return false;
  axis.set([x, y, z, height]);
  return true;
}

/**
 * Looks for an axis in the plane with normal x, y, z along which the origin lies beyond the difference: EPA in two
 * dimensions. It asks for a support point along the edge of least offset from the origin, until that edge is on the
 * boundary.
 *
 * @param best gets the support point of the best axis
 */
function askInPlane(pair: Pair, x: number, y: number, z: number, best: Float64Array): void {
  const { points, touching } = pair;
  setAcross(x, y, z, p, q);
  let count = 0;
  const askAt = (u: number, v: number, at: number) => {
    if (ask(pair, u * p[0]! + v * q[0]!, u * p[1]! + v * q[1]!, u * p[2]! + v * q[2]!)) {
      best.set(points.subarray(NEWEST, NEWEST + POINT));
    }
    const [wx, wy, wz] = [points[NEWEST]!, points[NEWEST + 1]!, points[NEWEST + 2]!];
    corners.copyWithin(2 * at + 2, 2 * at, 2 * count);
    corners[2 * at] = wx * p[0]! + wy * p[1]! + wz * p[2]!;
    corners[2 * at + 1] = wx * q[0]! + wy * q[1]! + wz * q[2]!;
    count++;
    return u * corners[2 * at]! + v * corners[2 * at + 1]!;
  };
  askAt(1, 0, 0);
  askAt(0, 1, 1);
  askAt(-1, 0, 2);
  askAt(0, -1, 3);
  while (count < MOST_FLAT_STEPS + 4) {
    let [u, v, least, after] = [0, 0, Infinity, -1];
    for (let i = 0; i < count; i++) {
      const [a, b] = [2 * i, (2 * i + 2) % (2 * count)];
      const [dx, dy] = [corners[b]! - corners[a]!, corners[b + 1]! - corners[a + 1]!];
      const length = Math.sqrt(dx * dx + dy * dy);
      if (!(length > touching)) continue;
      // Counter-clockwise: outwards is to the right.
      const offset = (dy * corners[a]! - dx * corners[a + 1]!) / length;
      if (offset >= least) continue;
      [u, v, least, after] = [dy / length, -dx / length, offset, i + 1];
    }
    if (after < 0 || askAt(u, v, after) - least <= touching) return;
  }
}

/** The same for a line or a point: the axis from its nearest point to the origin. */
function askAroundLine(pair: Pair, rank: number, line: Float64Array, best: Float64Array): void {
  const { points, touching } = pair;
  if (rank === 1) {
    for (const s of [1, -1]) {
      if (ask(pair, s * line[0]!, s * line[1]!, s * line[2]!))
        best.set(points.subarray(NEWEST, NEWEST + POINT));
    }
  }
  let [x, y, z] = [points[NEWEST]!, points[NEWEST + 1]!, points[NEWEST + 2]!];
  // Twice, because the first time leaves a part along the line by rounding.
  for (let turn = 0; turn < 2 * rank; turn++) {
    const along = x * line[0]! + y * line[1]! + z * line[2]!;
    x -= along * line[0]!;
    y -= along * line[1]!;
    z -= along * line[2]!;
  }
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > touching && ask(pair, -x / length, -y / length, -z / length)) {
    best.set(points.subarray(NEWEST, NEWEST + POINT));
  }
}

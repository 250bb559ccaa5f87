/**
 * Points in the order that the ray-crossing kernel wants: the ones outside the body's box dropped, the rest sorted
 * into columns along the ray, so that the sixteen points of a thread pass the same few clusters.
 */

import type { Box } from '../../mesh/triangle-mesh.ts';
import type { Frame } from '../frame.ts';
import { RAY_SLOPE_Y, RAY_SLOPE_Z } from './constants.ts';

/** Points per thread of the kernel. */
export const POINTS_PER_THREAD = 16;
const POINTS_PER_CELL = 16;
/** Cells along the ray for one across it. */
const CELL_LENGTH = 8;
/** Points that make a cell crowded: they are sorted into cells of their own, up to so many times. */
const CROWD = 8 * POINTS_PER_CELL;
const LEVELS = 4;
/** Least extent across which cells are counted, per largest extent: of all points, and of those of a crowded cell. */
const LEAST_EXTENT = 1e-6;
const LEAST_CROWD_EXTENT = 1e-2;

export interface OrderedPoints {
  /** Index among the points given (from `first`) of each ordered point; length: points inside the box. */
  readonly order: Uint32Array;
  /** Frame coordinates, all x, then all y, then all z; each `stride` floats, the last point repeated as padding. */
  readonly coordinates: Float32Array;
  /** `order.length` rounded up to whole threads. */
  readonly stride: number;
}

/** Orders points `first .. first + count` of `points` (`[n*3]`). Points on the box itself are kept. */
export function orderPoints(
  points: Float32Array,
  first: number,
  count: number,
  box: Box,
  { axes, scale }: Frame,
): OrderedPoints {
  const order = pointsInBox(points, first, count, box);
  sortIntoColumns(order, points.subarray(3 * first), axes, 0);
  const kept = order.length;
  const stride = Math.ceil(kept / POINTS_PER_THREAD) * POINTS_PER_THREAD;
  const coordinates = new Float32Array(3 * stride);
  const [kx, ky, kz] = axes;
  for (let place = 0; place < kept; place++) {
    const at = 3 * (first + order[place]!);
    coordinates[place] = points[at + kx]! * scale;
    coordinates[stride + place] = points[at + ky]! * scale;
    coordinates[2 * stride + place] = points[at + kz]! * scale;
  }
  for (let k = 0; k < 3 && kept > 0; k++) {
    coordinates.fill(coordinates[k * stride + kept - 1]!, k * stride + kept, (k + 1) * stride);
  }
  return { order, coordinates, stride };
}

function pointsInBox(points: Float32Array, first: number, count: number, { min, max }: Box): Uint32Array {
  const [x0, y0, z0] = min;
  const [x1, y1, z1] = max;
  const ids = new Uint32Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const at = 3 * (first + i);
    const x = points[at]!;
    const y = points[at + 1]!;
    const z = points[at + 2]!;
    if (x < x0 || x > x1 || y < y0 || y > y1 || z < z0 || z > z1) continue;
    ids[kept++] = i;
  }
  return ids.slice(0, kept);
}

/**
 * Sorts points into cells `CELL_LENGTH` times as long as wide, along rows that go back and forth. Cells span the points
 * themselves, not the body: all may lie in a corner of it. Crowded cells are sorted in the same way.
 *
 * @param ids of the points, sorted in place
 */
function sortIntoColumns(ids: Uint32Array, points: Float32Array, axes: Frame['axes'], level: number): void {
  const count = ids.length;
  const [kx, ky, kz] = axes;
  let [x0, y0, z0] = [Infinity, Infinity, Infinity];
  let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const at = 3 * ids[i]!;
    const x = points[at + kx]!;
    const y = points[at + ky]! - RAY_SLOPE_Y * x;
    const z = points[at + kz]! - RAY_SLOPE_Z * x;
    x0 = x < x0 ? x : x0;
    x1 = x > x1 ? x : x1;
    y0 = y < y0 ? y : y0;
    y1 = y > y1 ? y : y1;
    z0 = z < z0 ? z : z0;
    z1 = z > z1 ? z : z1;
  }
  const [ex, ey, ez] = [x1 - x0, y1 - y0, z1 - z0];
  const largest = Math.max(ex, ey, ez);
  if (!(largest > 0)) return;
  const least = largest * (level === 0 ? LEAST_EXTENT : LEAST_CROWD_EXTENT);
  const volume = Math.max(ex, least) * Math.max(ey, least) * Math.max(ez, least);
  const width = Math.cbrt((volume * POINTS_PER_CELL) / (count * CELL_LENGTH));
  const cellsAlong = (extent: number, size: number, most: number) =>
    Math.min(most, Math.max(1, Math.ceil(extent / size)));
  const nx = cellsAlong(ex, width * CELL_LENGTH, 256);
  const ny = cellsAlong(ey, width, 1024);
  const nz = cellsAlong(ez, width, 1024);
  const [sx, sy, sz] = [ex > 0 ? nx / ex : 0, ey > 0 ? ny / ey : 0, ez > 0 ? nz / ez : 0];

  const cells = new Uint32Array(count);
  const starts = new Uint32Array(nx * ny * nz + 1);
  for (let i = 0; i < count; i++) {
    const at = 3 * ids[i]!;
    const x = points[at + kx]!;
    const cx = Math.min(nx - 1, ((x - x0) * sx) | 0);
    const cy = Math.min(ny - 1, ((points[at + ky]! - RAY_SLOPE_Y * x - y0) * sy) | 0);
    const cz = Math.min(nz - 1, ((points[at + kz]! - RAY_SLOPE_Z * x - z0) * sz) | 0);
    // Rows back and forth: neighbouring cells stay neighbours where a row ends.
    const row = cz & 1 ? ny - 1 - cy : cy;
    const cell = (cz * ny + row) * nx + (row & 1 ? nx - 1 - cx : cx);
    cells[i] = cell;
    starts[cell + 1]!++;
  }
  for (let c = 1; c < starts.length; c++) starts[c]! += starts[c - 1]!;
  const unsorted = ids.slice();
  const places = starts.slice();
  for (let i = 0; i < count; i++) ids[places[cells[i]!]!++] = unsorted[i]!;
  if (level + 1 === LEVELS) return;
  for (let c = 0; c + 1 < starts.length; c++) {
    const [start, end] = [starts[c]!, starts[c + 1]!];
    if (end - start > CROWD) sortIntoColumns(ids.subarray(start, end), points, axes, level + 1);
  }
}

/**
 * Points in the order that the ray-crossing kernel wants: the ones outside the body's box dropped, the rest sorted
 * into columns along the ray, so that the sixteen points of a thread pass the same few clusters.
 */
import { RAY_SLOPE_Y, RAY_SLOPE_Z } from '../constants.ts';
import type { Box } from '../mesh/triangle-mesh.ts';
import type { Frame } from './frame.ts';

/** Points per thread of the kernel. */
export const POINTS_PER_THREAD = 16;
const POINTS_PER_CELL = 16;
/** Cells along the ray for one across it. */
const CELL_LENGTH = 8;

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
  frame: Frame,
  cellOptions = { perCell: POINTS_PER_CELL, length: CELL_LENGTH },
): OrderedPoints {
  const [kx, ky, kz] = frame.axes;
  const { scale } = frame;
  const [x0, y0, z0] = [box.min[kx]!, box.min[ky]!, box.min[kz]!];
  const [x1, y1, z1] = [box.max[kx]!, box.max[ky]!, box.max[kz]!];
  const [ex, ey, ez] = [x1 - x0, y1 - y0, z1 - z0];

  // Cells `CELL_LENGTH` times as long as wide, about POINTS_PER_CELL points in each if they fill the box evenly.
  const largest = Math.max(ex, ey, ez) || 1;
  const floor = largest * 1e-6;
  const volume = Math.max(ex, floor) * Math.max(ey, floor) * Math.max(ez, floor);
  const width = Math.cbrt((volume * cellOptions.perCell) / (Math.max(count, 1) * cellOptions.length));
  const cellsAlong = (extent: number, size: number, most: number) =>
    Math.min(most, Math.max(1, Math.ceil(extent / size)));
  const nx = cellsAlong(ex, width * cellOptions.length, 256);
  const ny = cellsAlong(ey, width, 1024);
  const nz = cellsAlong(ez, width, 1024);
  const [sx, sy, sz] = [ex > 0 ? nx / ex : 0, ey > 0 ? ny / ey : 0, ez > 0 ? nz / ez : 0];
  const midX = (x0 + x1) / 2;

  const cells = new Uint32Array(count);
  const starts = new Uint32Array(nx * ny * nz + 1);
  let kept = 0;
  const OUT = 0xffffffff;
  for (let i = 0; i < count; i++) {
    const at = 3 * (first + i);
    const x = points[at + kx]!;
    const y = points[at + ky]!;
    const z = points[at + kz]!;
    if (x < x0 || x > x1 || y < y0 || y > y1 || z < z0 || z > z1) {
      cells[i] = OUT;
      continue;
    }
    const along = x - midX;
    const cx = Math.min(nx - 1, ((x - x0) * sx) | 0);
    const cy = Math.max(0, Math.min(ny - 1, ((y - y0 - RAY_SLOPE_Y * along) * sy) | 0));
    const cz = Math.max(0, Math.min(nz - 1, ((z - z0 - RAY_SLOPE_Z * along) * sz) | 0));
    // Rows back and forth: neighbouring cells stay neighbours where a row ends.
    const row = cz & 1 ? ny - 1 - cy : cy;
    const cell = (cz * ny + row) * nx + (row & 1 ? nx - 1 - cx : cx);
    cells[i] = cell;
    starts[cell + 1]!++;
    kept++;
  }
  for (let c = 1; c < starts.length; c++) starts[c]! += starts[c - 1]!;

  const stride = Math.ceil(kept / POINTS_PER_THREAD) * POINTS_PER_THREAD;
  const order = new Uint32Array(kept);
  const coordinates = new Float32Array(3 * stride);
  for (let i = 0; i < count; i++) {
    const cell = cells[i]!;
    if (cell === OUT) continue;
    const place = starts[cell]!++;
    order[place] = i;
    const at = 3 * (first + i);
    coordinates[place] = points[at + kx]! * scale;
    coordinates[stride + place] = points[at + ky]! * scale;
    coordinates[2 * stride + place] = points[at + kz]! * scale;
  }
  for (let k = 0; k < 3 && kept > 0; k++) {
    coordinates.fill(coordinates[k * stride + kept - 1]!, k * stride + kept, (k + 1) * stride);
  }
  return { order, coordinates, stride };
}

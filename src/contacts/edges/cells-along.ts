/** Crossings of a line with the surface of a polyhedron, looked for in the cells that the line passes. */
import { CELL_REST, CellCode, type FieldArrays, LIST_HEADER } from '../field/field-arrays.ts';
import { type Crossings, crossingOf, type Line } from './crossings.ts';

const RANK = LIST_HEADER - 1;
/** Shares of the way at which a line enters the grid and leaves it. */
const span = new Float64Array(2);

/**
 * All places at which a line may pass the surface: cell by cell along the line (J. Amanatides, A. Woo, "A fast voxel
 * traversal algorithm for ray tracing", 1987), those of the triangles that the mixed ones list. They list all that
 * overlap the cell and a margin around it, far wider than rounding of places on the line.
 */
export function crossingsAlong(
  { grid, cells, lists, starts, pairTriangles, corners }: FieldArrays,
  line: Line,
  out: Crossings,
): void {
  const { origin, counts, cell: size } = grid;
  const countX = counts[0];
  const countY = counts[1];
  const countZ = counts[2];
  // Start and way of the line in cells, from the grid's corner. An axis is a line of its own: loops over axes, which
  // read all of this from arrays, took twice the time.
  const perSize = 1 / size;
  const px = (line.px - origin[0]) * perSize;
  const py = (line.py - origin[1]) * perSize;
  const pz = (line.pz - origin[2]) * perSize;
  const dx = line.dx * perSize;
  const dy = line.dy * perSize;
  const dz = line.dz * perSize;
  // Share of the way per cell, infinite along an axis that the line is across.
  const perX = 1 / dx;
  const perY = 1 / dy;
  const perZ = 1 / dz;
  out.clear(corners.length / 9);
  span[0] = 0;
  span[1] = 1;
  clip(px, perX, countX);
  clip(py, perY, countY);
  clip(pz, perZ, countZ);
  const first = span[0]!;
  const last = span[1]!;
  if (!(first <= last)) return;
  let x = cellAt(px + first * dx, countX);
  let y = cellAt(py + first * dy, countY);
  let z = cellAt(pz + first * dz, countZ);
  let nextX = leaving(px, perX, x);
  let nextY = leaving(py, perY, y);
  let nextZ = leaving(pz, perZ, z);
  for (;;) {
    const word = cells[(z * countY + y) * countX + x]!;
    if (word >>> 30 === CellCode.mixed) {
      const rank = lists[(word & CELL_REST) + RANK]!;
      const end = starts[rank + 1]!;
      for (let i = starts[rank]!; i < end; i++) {
        const triangle = pairTriangles[i]!;
        if (!out.isFirstTime(triangle)) continue;
        const at = crossingOf(line, corners, triangle);
        if (at >= 0) out.add(at, triangle);
      }
    }
    if (nextX <= nextY && nextX <= nextZ) {
      if (nextX >= last) return;
      x += dx > 0 ? 1 : -1;
      if (x < 0 || x >= countX) return;
      nextX += Math.abs(perX);
    } else if (nextY <= nextZ) {
      if (nextY >= last) return;
      y += dy > 0 ? 1 : -1;
      if (y < 0 || y >= countY) return;
      nextY += Math.abs(perY);
    } else {
      if (nextZ >= last) return;
      z += dz > 0 ? 1 : -1;
      if (z < 0 || z >= countZ) return;
      nextZ += Math.abs(perZ);
    }
  }
}

/** Leaves of the span what is between a grid's faces across an axis. */
function clip(from: number, perCell: number, count: number): void {
  if (Math.abs(perCell) === Infinity) {
    if (from < 0 || from > count) span[1] = -1;
    return;
  }
  const a = -from * perCell;
  const b = (count - from) * perCell;
  span[0] = Math.max(span[0]!, Math.min(a, b));
  span[1] = Math.min(span[1]!, Math.max(a, b));
}

function cellAt(place: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(place)));
}

/** The share of the way at which a line leaves its cell along an axis. */
function leaving(from: number, perCell: number, cell: number): number {
  return Math.abs(perCell) === Infinity ? Infinity : (cell + (perCell > 0 ? 1 : 0) - from) * perCell;
}

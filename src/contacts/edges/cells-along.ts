/** Crossings of a line with the surface of a polyhedron, looked for in the cells that the line passes. */
import { CELL_REST, CellCode, type FieldArrays, LIST_HEADER } from '../field/field-arrays.ts';
import { type Crossings, crossingOf, type Line } from './crossings.ts';

const RANK = LIST_HEADER - 1;
const [p, d, from, to] = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)];
const cell = new Int32Array(3);
/** Per axis: the share of the way at which the line leaves its cell, and what a whole cell takes. */
const [next, perCell] = [new Float64Array(3), new Float64Array(3)];

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
  out.clear();
  p[0] = line.px;
  p[1] = line.py;
  p[2] = line.pz;
  d[0] = line.dx;
  d[1] = line.dy;
  d[2] = line.dz;
  const { origin, counts, cell: size } = grid;
  let first = 0;
  let last = 1;
  for (let k = 0; k < 3; k++) {
    // In cells from the grid's corner.
    from[k] = (p[k]! - origin[k]!) / size;
    to[k] = d[k]! / size;
    if (to[k] === 0) {
      if (from[k]! < 0 || from[k]! > counts[k]!) return;
      continue;
    }
    const a = -from[k]! / to[k]!;
    const b = (counts[k]! - from[k]!) / to[k]!;
    first = Math.max(first, Math.min(a, b));
    last = Math.min(last, Math.max(a, b));
  }
  if (first > last) return;
  for (let k = 0; k < 3; k++) {
    const at = from[k]! + first * to[k]!;
    cell[k] = Math.max(0, Math.min(counts[k]! - 1, Math.floor(at)));
    perCell[k] = Math.abs(1 / to[k]!);
    next[k] = to[k] === 0 ? Infinity : (cell[k]! + (to[k]! > 0 ? 1 : 0) - from[k]!) / to[k]!;
  }
  for (;;) {
    const word = cells[(cell[2]! * counts[1] + cell[1]!) * counts[0] + cell[0]!]!;
    if (word >>> 30 === CellCode.mixed) {
      const rank = lists[(word & CELL_REST) + RANK]!;
      for (let i = starts[rank]!; i < starts[rank + 1]!; i++) {
        const triangle = pairTriangles[i]!;
        if (out.has(triangle)) continue;
        const at = crossingOf(line, corners, triangle);
        if (at >= 0) out.add(at, triangle);
      }
    }
    const k = next[0]! <= next[1]! ? (next[0]! <= next[2]! ? 0 : 2) : next[1]! <= next[2]! ? 1 : 2;
    if (next[k]! >= last) return;
    cell[k]! += to[k]! > 0 ? 1 : -1;
    if (cell[k]! < 0 || cell[k]! >= counts[k]!) return;
    next[k]! += perCell[k]!;
  }
}

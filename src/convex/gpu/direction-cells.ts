// Which vertices of a polytope can be its farthest one in a direction. Directions are sorted into cells, which are
// squares on the faces of a cube. A kernel only looks at the few vertices of a cell. It finds what it would find among
// all vertices, so proofs may use it.
import { mayBeFarthest } from '../shapes/cells.ts';

/**
 * Polytopes with this many vertices get cells. With fewer, kernels look at all vertices; with more, the tables would be
 * large.
 */
export const LEAST_VERTICES_FOR_CELLS = 12;
export const MOST_VERTICES_FOR_CELLS = 2000;
/** Vertices per cell, on average, from which on climbing along edges is as good: climbing looks at 25 to 40. */
const MOST_PER_CELL = 32;
/** The most candidates that are compared with each other: there are more cells here than on the host. */
const MOST_COMPARED = 64;

/** Cells of one polytope. */
export interface DirectionCells {
  /** Cells along an edge of the cube. */
  readonly perEdge: number;
  /** `[6 * perEdge^2 + 1]`: where the vertices of each cell start in `vertices`. */
  readonly starts: Uint32Array;
  /** Vertices, counted from the polytope's first. */
  readonly vertices: readonly number[];
}

/**
 * Cells of the vertices `first .. first + count - 1` of `coordinates`, and what `mayBeFarthest` in each of them.
 *
 * @param radius bounding radius, the measure of rounding
 * @param most vertices that all cells may list
 * @returns undefined if they would list more, or so many that climbing is better
 */
export function directionCells(
  coordinates: Float64Array,
  first: number,
  count: number,
  radius: number,
  most: number,
): DirectionCells | undefined {
  const perEdge = Math.min(48, Math.max(4, Math.ceil(Math.sqrt(count))));
  const starts = new Uint32Array(6 * perEdge * perEdge + 1);
  const vertices: number[] = [];
  const room = Math.min(most, MOST_PER_CELL * (starts.length - 1));
  const p = coordinates.subarray(3 * first, 3 * (first + count));
  const along = new Float64Array(count);
  for (let cell = 0; cell < starts.length - 1; cell++) {
    const { middle, reach } = cellDirections(cell, perEdge);
    vertices.push(...mayBeFarthest(p, radius, middle, reach, along, MOST_COMPARED));
    if (vertices.length > room) return undefined;
    starts[cell + 1] = vertices.length;
  }
  return { perEdge, starts, vertices };
}

/** Unit direction of a cell's middle, and how far the cell's unit directions are from it at most: that of a corner. */
function cellDirections(cell: number, perEdge: number): { middle: number[]; reach: number } {
  const face = Math.floor(cell / (perEdge * perEdge));
  const row = Math.floor(cell / perEdge) % perEdge;
  const column = cell % perEdge;
  const middle = direction(face, (2 * column + 1) / perEdge - 1, (2 * row + 1) / perEdge - 1);
  let reach = 0;
  for (const [i, j] of [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const) {
    const corner = direction(face, (2 * (column + i)) / perEdge - 1, (2 * (row + j)) / perEdge - 1);
    reach = Math.max(reach, Math.hypot(...middle.map((m, k) => corner[k]! - m)));
  }
  return { middle, reach };
}

/**
 * On face 2 k, coordinate k is the largest in magnitude and positive; on face 2 k + 1 it is negative. u and v are the
 * next two coordinates, divided by it.
 */
function direction(face: number, u: number, v: number): number[] {
  const k = face >> 1;
  const length = Math.hypot(1, u, v);
  const out = [0, 0, 0];
  out[k] = (face % 2 === 0 ? 1 : -1) / length;
  out[(k + 1) % 3] = u / length;
  out[(k + 2) % 3] = v / length;
  return out;
}

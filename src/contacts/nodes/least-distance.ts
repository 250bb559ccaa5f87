/** How far points are from a polyhedron: at least, by one look at a cell, which culls most; and exactly. */
import { BYTE_SLACK } from '../field/constants.ts';
import { CELL_REST, CellCode, type FieldArrays, type PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';
import { eachNear } from '../surface/triangle-tree.ts';

/**
 * A lower bound of the distance from a point, `[x, y, z]` in local coordinates, to the body; 0 where the point is near
 * or inside. For a point outside the grid's box, with q the nearest point of the box: every point of the body is at
 * least as far as both legs of a right triangle, from the point to q, and from q to the body.
 */
export function leastDistance(field: FieldArrays, point: Float64Array): number {
  return Math.sqrt(squaredLeast(field, point, Infinity));
}

/** Whether `leastDistance` is above some distance. Where the box alone tells, no cell is looked at. */
export function isFarther(field: FieldArrays, point: Float64Array, distance: number): boolean {
  const square = distance * distance;
  return squaredLeast(field, point, square) > square;
}

function squaredLeast({ grid, box, cells }: FieldArrays, point: Float64Array, enough: number): number {
  const x = point[0]!;
  const y = point[1]!;
  const z = point[2]!;
  const { origin, counts, cell: size } = grid;
  const { min, max } = box;
  const qx = x < min[0] ? min[0] : x > max[0] ? max[0] : x;
  const qy = y < min[1] ? min[1] : y > max[1] ? max[1] : y;
  const qz = z < min[2] ? min[2] : z > max[2] ? max[2] : z;
  const across = (x - qx) * (x - qx) + (y - qy) * (y - qy) + (z - qz) * (z - qz);
  if (across > enough) return across;
  const i = Math.min(counts[0] - 1, ((qx - origin[0]) / size) | 0);
  const j = Math.min(counts[1] - 1, ((qy - origin[1]) / size) | 0);
  const k = Math.min(counts[2] - 1, ((qz - origin[2]) / size) | 0);
  const word = cells[(k * counts[1] + j) * counts[0] + i]!;
  const beyond = word >>> 30 === CellCode.outside ? Math.max(0, (word & CELL_REST) - BYTE_SLACK) * size : 0;
  return across + beyond * beyond;
}

const w = new Float64Array(NEAREST_FLOATS);
/** Whose triangles are looked at, and the square of the least distance so far. */
let asked: PolyhedronArrays;
let least = 0;

function look(rank: number): void {
  nearestOnTriangle(asked.field.corners, 9 * asked.tree.order[rank]!, w);
  if (w[6]! < least) least = w[6]!;
}

/** How far a point, in local coordinates, is from a body's surface; of more than `most`, a length, no more is told. */
export function distanceWithin(body: PolyhedronArrays, point: Float64Array, most: number): number {
  const { scale } = body.field.frame;
  const reach = most * scale;
  w[0] = point[0]!;
  w[1] = point[1]!;
  w[2] = point[2]!;
  asked = body;
  least = reach * reach;
  eachNear(body.tree, w[0], w[1], w[2], reach, look);
  return Math.sqrt(least) / scale;
}

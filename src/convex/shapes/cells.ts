// Which vertices of a polytope may be the farthest in a direction: lists of them by cells of directions, all over a
// cube. Lists are short, so a look at one of them takes the place of a look at all vertices.
import { DIRECTION_CELL_MARGIN } from '../constants.ts';

/** Cells along an edge of the cube. */
const PER_EDGE = 8;
/** Cells of one polytope. */
export const CELLS = 6 * PER_EDGE * PER_EDGE;
/** Half the cells; a little less, so that no direction on the cube's edge is rounded into the cell beyond. */
const HALF = (PER_EDGE / 2) * (1 - 2 ** -40);

/** Index of the cell that a direction passes, 0 to before CELLS. */
export function cellOf(x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  let face: number;
  let u: number;
  let v: number;
  // No direction is too short to divide by: sizes are 1e-30 or more.
  if (ax >= ay && ax >= az) {
    const s = HALF / ax;
    face = x < 0 ? PER_EDGE : 0;
    u = y * s;
    v = z * s;
  } else if (ay >= az) {
    const s = HALF / ay;
    face = y < 0 ? 3 * PER_EDGE : 2 * PER_EDGE;
    u = x * s;
    v = z * s;
  } else {
    const s = HALF / az;
    face = z < 0 ? 5 * PER_EDGE : 4 * PER_EDGE;
    u = x * s;
    v = y * s;
  }
  return (face + ((u + PER_EDGE / 2) | 0)) * PER_EDGE + ((v + PER_EDGE / 2) | 0);
}

/** Unit vector through the middle of a cell on the cube; with du, dv = -1 or 1 through one of its corners. */
export function middleOfCell(cell: number, out: Float64Array, du = 0, dv = 0): void {
  const face = Math.floor(cell / (PER_EDGE * PER_EDGE));
  const axis = face >> 1;
  const u = (2 * (Math.floor(cell / PER_EDGE) % PER_EDGE) + 1 + du) / PER_EDGE - 1;
  const v = (2 * (cell % PER_EDGE) + 1 + dv) / PER_EDGE - 1;
  const s = 1 / Math.sqrt(1 + u * u + v * v);
  out[axis] = face & 1 ? -s : s;
  out[axis === 0 ? 1 : 0] = s * u;
  out[axis === 2 ? 1 : 2] = s * v;
}

/** The most vertices of a cell that are compared with each other. */
const MOST_COMPARED = 256;
/** How far unit vectors of each cell are from its middle at most: a corner is. */
const reaches = new Float64Array(CELLS);

/**
 * Vertices that may be the farthest in a cell's directions n, in order: all but those that another one is farther than
 * in all of them, n . (w - v) >= c . (w - v) - r |w - v| with the middle c and the reach r of the cell.
 *
 * @param v vertices, three numbers each
 * @param radius bounding radius, the measure of rounding
 * @param along gets how far each vertex is along the middle
 * @param most of them that are compared with each other: more, as in a cluster, are all kept
 */
export function mayBeFarthest(
  v: Float64Array,
  radius: number,
  [x, y, z]: ArrayLike<number> & Iterable<number>,
  reach: number,
  along: Float64Array,
  most: number,
): number[] {
  const count = v.length / 3;
  const margin = DIRECTION_CELL_MARGIN * radius;
  const widest = reach + DIRECTION_CELL_MARGIN;
  let farthest = 0;
  for (let i = 0; i < count; i++) {
    along[i] = x! * v[3 * i]! + y! * v[3 * i + 1]! + z! * v[3 * i + 2]!;
    if (along[i]! > along[farthest]!) farthest = i;
  }
  const mayBeFarther = (i: number, j: number) => {
    const less = along[j]! - along[i]! - margin;
    if (less <= 0) return true;
    const dx = v[3 * i]! - v[3 * j]!;
    const dy = v[3 * i + 1]! - v[3 * j + 1]!;
    const dz = v[3 * i + 2]! - v[3 * j + 2]!;
    return less * less <= widest * widest * (dx * dx + dy * dy + dz * dz);
  };
  const rivals: number[] = [];
  for (let i = 0; i < count; i++) if (mayBeFarther(i, farthest)) rivals.push(i);
  if (rivals.length > most) return rivals;
  return rivals.filter((i) => rivals.every((j) => mayBeFarther(i, j)));
}

/**
 * Lists the vertices that may be the farthest in each cell. Those that are farther in the middle come first. Adds to
 * `starts` where lists begin, and where the last one ends.
 *
 * @param radius as above
 */
export function listFarthest(
  vertices: Float64Array,
  first: number,
  count: number,
  radius: number,
  lists: number[],
  starts: number[],
): void {
  const middle = new Float64Array(3);
  const along = new Float64Array(count);
  const own = vertices.subarray(3 * first, 3 * (first + count));
  for (let cell = 0; cell < CELLS; cell++) {
    if (reaches[cell] === 0) reaches[cell] = reachOf(cell);
    middleOfCell(cell, middle);
    starts.push(lists.length);
    const found = mayBeFarthest(own, radius, middle, reaches[cell]!, along, MOST_COMPARED);
    for (const i of found.sort((i, j) => along[j]! - along[i]!)) lists.push(first + i);
  }
  starts.push(lists.length);
}

function reachOf(cell: number): number {
  const middle = new Float64Array(3);
  const corner = new Float64Array(3);
  middleOfCell(cell, middle);
  return Math.max(
    ...[0, 1, 2, 3].map((k) => {
      middleOfCell(cell, corner, k < 2 ? -1 : 1, k % 2 === 0 ? -1 : 1);
      return Math.hypot(corner[0]! - middle[0]!, corner[1]! - middle[1]!, corner[2]! - middle[2]!);
    }),
  );
}

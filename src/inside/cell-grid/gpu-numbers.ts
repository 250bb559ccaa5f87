/** The constants and line coordinates that the build's kernels read, each the very float64 that the host's build uses. */

import { FLOAT32_ROUNDOFF, ORIENT2D_ERROR, ORIENT3D_ERROR } from '../../constants.ts';
import { LARGEST_ROW } from '../constants.ts';
import {
  CELL_MARGIN,
  CELL_REFERENCE_PLACES,
  CELL_ROW_Y,
  CELL_ROW_Z,
  CROSSING_PLACE_ERROR,
  CROSSING_PLACE_ROUNDING,
  LEAST_CLEARANCE,
  LEAST_CROSSING_NORMAL,
  LEAST_SEGMENT_DETERMINANT,
  NORMAL_ROUNDING,
  SEGMENT_ERROR_CONSTANT,
  SEGMENT_ERROR_FACTOR,
} from './constants.ts';
import { NUMBER_SIZES } from './gpu-layout.ts';
import type { GridShape } from './tables.ts';

/** The farther of a cell's two faces from a place in it, with the margins of both cells, in cells. */
const reachFrom = (place: number) => Math.max(place, 1 - place);

function constantsOf({ origin, cell: h }: GridShape): Record<keyof typeof NUMBER_SIZES, readonly number[]> {
  return {
    origin,
    cell: [h],
    inverse: [1 / h],
    margin: [CELL_MARGIN],
    half: [0.5 + CELL_MARGIN],
    normalRounding: [NORMAL_ROUNDING],
    line: [0, CELL_ROW_Y, CELL_ROW_Z],
    enough: [LEAST_CLEARANCE * h],
    reach: [
      (Math.max(...CELL_REFERENCE_PLACES.map(reachFrom)) + 2 * CELL_MARGIN) * h,
      (reachFrom(CELL_ROW_Y) + 2 * CELL_MARGIN) * h,
      (reachFrom(CELL_ROW_Z) + 2 * CELL_MARGIN) * h,
    ],
    leastDeterminant: [LEAST_SEGMENT_DETERMINANT],
    largestRow: [LARGEST_ROW],
    error: [SEGMENT_ERROR_FACTOR * FLOAT32_ROUNDOFF],
    constant: [SEGMENT_ERROR_CONSTANT * FLOAT32_ROUNDOFF],
    placeRounding: [CROSSING_PLACE_ROUNDING],
    leastNormal: [LEAST_CROSSING_NORMAL],
    placeError: [CROSSING_PLACE_ERROR],
    twicePlaceError: [2 * CROSSING_PLACE_ERROR],
    orient2d: [ORIENT2D_ERROR],
    orient3d: [ORIENT3D_ERROR],
  };
}

/** Coordinates of the line of a row, as float32. */
export function rowLine({ origin, cell }: GridShape, j: number, k: number): { y: number; z: number } {
  return {
    y: Math.fround(origin[1] + (j + CELL_ROW_Y) * cell),
    z: Math.fround(origin[2] + (k + CELL_ROW_Z) * cell),
  };
}

/** The middle of a cell along x, where cells without triangles have their reference. */
export function middleX({ origin, cell }: GridShape, i: number): number {
  return origin[0] + (i + 0.5) * cell;
}

/** Constants and lines as the kernels' struct `Numbers` lays them out. */
export function buildNumbers(grid: GridShape): Float64Array<ArrayBuffer> {
  const { origin, cell, counts } = grid;
  const [nx, ny, nz] = counts;
  const constants = constantsOf(grid);
  const names = Object.keys(NUMBER_SIZES) as (keyof typeof NUMBER_SIZES)[];
  const head = names.flatMap((name) => constants[name]);
  const places = CELL_REFERENCE_PLACES.length;
  const out = new Float64Array(head.length + ny + nz + (places + 1) * nx);
  out.set(head);
  let at = head.length;
  for (let j = 0; j < ny; j++) out[at++] = rowLine(grid, j, 0).y;
  for (let k = 0; k < nz; k++) out[at++] = rowLine(grid, 0, k).z;
  for (let i = 0; i < nx; i++) {
    for (const place of CELL_REFERENCE_PLACES) out[at++] = Math.fround(origin[0] + (i + place) * cell);
  }
  for (let i = 0; i < nx; i++) out[at++] = middleX(grid, i);
  return out;
}

/**
 * The cell size of a body's grid, from the mesh alone. A triangle on a lattice of cells of edge h overlaps, averaged
 * over all positions of the lattice, (volume of the triangle grown by a cell) / h^3 of them, which is exactly
 *
 *     1 + (sum of the box's extents) / h + (sum of the areas projected along x, y and z) / h^2,
 *
 * so the number of (cell, triangle) pairs is known for every h without building anything. Cost of a body: pairs and
 * cells to build, and for a point in the box the pairs of its cell, which are pairs(h) h^3 / volume on average.
 */

import { InputError } from '../../errors.ts';
import { LAST_CELL_SLACK, LEAST_POINTS_FORESEEN, POINTS_FORESEEN_PER_TRIANGLE } from '../constants.ts';
import type { Surface } from '../surface.ts';
import {
  CELL_COST,
  LARGEST_CELL_COUNT,
  LARGEST_CELLS_PER_AXIS,
  LARGEST_PAIR_BYTES,
  LEAST_TABLE_BYTES,
  PAIR_COST,
  POINT_COST_PER_PAIR,
  TABLE_BYTES_PER_TRIANGLE,
} from './constants.ts';
import { boundWordBytes, CELLS_PER_WORD, PAIR_FLOATS, REFERENCE_FLOATS } from './tables.ts';

export interface Resolution {
  /** Edge of a cell. */
  readonly cell: number;
  /** Expected (cell, triangle) pairs, before the grid's own rounding. */
  readonly expectedPairs: number;
  /** Expected cells that the surface passes: a plane cuts, per area, as many as its three projections have. */
  readonly expectedMixedCells: number;
}

export interface ResolutionOptions {
  /** Cells along the longest extent, instead of the model's choice: 1 .. 4095. */
  readonly cellsPerAxis?: number | undefined;
  /** Most bytes that a table may take that a kernel has to see as a whole: statuses, or references. */
  readonly largestBinding: number;
  /** Whether the winding number of every cell is kept. Default false. */
  readonly windings?: boolean | undefined;
}

/** Sums over all triangles of their box's extents and of their projected areas. */
function measure(surface: Surface): { extents: number; areas: number } {
  const { positions, indices } = surface;
  let extents = 0;
  let areas = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const ux = positions[b]! - ax;
    const uy = positions[b + 1]! - ay;
    const uz = positions[b + 2]! - az;
    const vx = positions[c]! - ax;
    const vy = positions[c + 1]! - ay;
    const vz = positions[c + 2]! - az;
    // The extent of 0, u and v is half the way around them. Branches of minima and maxima would be hard to foresee.
    extents += (Math.abs(ux) + Math.abs(vx) + Math.abs(ux - vx)) / 2;
    extents += (Math.abs(uy) + Math.abs(vy) + Math.abs(uy - vy)) / 2;
    extents += (Math.abs(uz) + Math.abs(vz) + Math.abs(uz - vz)) / 2;
    areas += (Math.abs(uy * vz - uz * vy) + Math.abs(uz * vx - ux * vz) + Math.abs(ux * vy - uy * vx)) / 2;
  }
  return { extents, areas };
}

/** Bytes of tables: statuses and bases, references with starts, pairs. */
function expectedBytes(cells: number, pairs: number): number {
  const mixed = Math.min(cells, pairs);
  return 4 * ((3 * cells) / CELLS_PER_WORD + (REFERENCE_FLOATS + 1) * mixed + PAIR_FLOATS * pairs);
}

/** Says which limit the tables of a resolution go beyond, or undefined. */
function excessOf(
  cells: number,
  pairs: number,
  { largestBinding, windings }: ResolutionOptions,
): string | undefined {
  const over = (found: number, most: number, what: string) =>
    found > most ? `${what} of about ${Math.round(found)} bytes, expected at most ${most}` : undefined;
  if (cells > LARGEST_CELL_COUNT) return `${cells} cells, expected at most ${LARGEST_CELL_COUNT}`;
  return (
    over((boundWordBytes(windings) * cells) / CELLS_PER_WORD, largestBinding, 'statuses') ??
    // Every mixed cell has a pair at least.
    over(4 * REFERENCE_FLOATS * Math.min(cells, pairs), largestBinding, 'references') ??
    over(4 * PAIR_FLOATS * pairs, LARGEST_PAIR_BYTES, 'pairs')
  );
}

/**
 * Chooses the cell size of least cost whose tables keep to a budget of bytes per triangle.
 *
 * @throws InputError for `cellsPerAxis` out of range, or tables beyond the limits.
 */
export function chooseResolution(surface: Surface, options: ResolutionOptions): Resolution {
  const { min, max } = surface.box;
  const sizes = [0, 1, 2].map((k) => max[k]! - min[k]!);
  const longest = Math.max(...sizes);
  // A flat or point-like body still needs a cell with a size.
  if (longest === 0)
    return {
      cell: Math.max(Math.abs(max[0]), Math.abs(max[1]), Math.abs(max[2]), 1),
      expectedPairs: surface.triangleCount,
      expectedMixedCells: 1,
    };
  const { extents, areas } = measure(surface);
  const pairsAt = (h: number) => surface.triangleCount + extents / h + areas / h ** 2;
  const cellsAt = (h: number) => sizes.reduce((product, size) => product * (Math.floor(size / h) + 1), 1);
  const resolution = (cell: number): Resolution => {
    const expectedPairs = pairsAt(cell);
    const expectedMixedCells = Math.max(1, Math.min(areas / cell ** 2, expectedPairs, cellsAt(cell)));
    return { cell, expectedPairs, expectedMixedCells };
  };
  const { cellsPerAxis } = options;
  if (cellsPerAxis !== undefined) {
    if (!Number.isInteger(cellsPerAxis) || cellsPerAxis < 1 || cellsPerAxis > LARGEST_CELLS_PER_AXIS) {
      throw new InputError(
        `cellsPerAxis is ${cellsPerAxis}, expected an integer from 1 to ${LARGEST_CELLS_PER_AXIS}`,
      );
    }
    // A hair above, so that the last vertex does not open one more layer of cells.
    const cell = (longest / cellsPerAxis) * (1 + LAST_CELL_SLACK);
    const excess = excessOf(cellsAt(cell), pairsAt(cell), options);
    if (excess !== undefined) throw new InputError(`cellsPerAxis ${cellsPerAxis}: ${excess}`);
    return resolution(cell);
  }
  const points = LEAST_POINTS_FORESEEN + POINTS_FORESEEN_PER_TRIANGLE * surface.triangleCount;
  const cost = (h: number) => {
    const [pairs, cells] = [pairsAt(h), cellsAt(h)];
    return PAIR_COST * pairs + CELL_COST * cells + (points * POINT_COST_PER_PAIR * pairs) / cells;
  };
  const bytesAt = (h: number) => expectedBytes(cellsAt(h), pairsAt(h));
  const mostBytes = LEAST_TABLE_BYTES + TABLE_BYTES_PER_TRIANGLE * surface.triangleCount;
  const excessAt = (h: number) => excessOf(cellsAt(h), pairsAt(h), options);
  // The cost has one valley over the logarithm of h but for the steps of small counts: walk it in fine steps.
  let best = longest * (1 + LAST_CELL_SLACK);
  const excess = excessAt(best);
  if (excess !== undefined) throw new InputError(`${surface.name}: cell grid: ${excess}`);
  for (let cells = 1; cells < LARGEST_CELLS_PER_AXIS; cells = Math.max(cells + 1, Math.floor(cells * 1.04))) {
    const h = (longest / cells) * (1 + LAST_CELL_SLACK);
    if (excessAt(h) !== undefined || bytesAt(h) > mostBytes) break;
    if (cost(h) < cost(best)) best = h;
  }
  return resolution(best);
}

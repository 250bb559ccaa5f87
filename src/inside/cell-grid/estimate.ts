/** How large the cell grid of a body will be, from the mesh alone: sums over its triangles, nothing is built. */
import { InputError } from '../../errors.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { PolyhedronOptions } from '../options.ts';
import { localSurface } from '../surface.ts';
import { PORTABLE_BINDING } from './create.ts';
import { chooseResolution } from './resolution.ts';
import { CELLS_PER_WORD, gridOver, PAIR_FLOATS, REFERENCE_FLOATS } from './tables.ts';

/** What is expected of a body's cell grid. `cells` and `cellSize` are exact, the rest are means: see `estimateCellGrid`. */
export interface CellGridEstimate {
  /** Cells along x, y and z that cover the box of the body. */
  readonly cells: readonly [number, number, number];
  /** Edge of a cell, in the mesh's unit. */
  readonly cellSize: number;
  /** Expected cells that the surface passes. */
  readonly mixedCells: number;
  /** Expected (cell, triangle) pairs. */
  readonly pairs: number;
  /** Expected bytes of the tables on the host, `tableBytes` of a classification. */
  readonly tableBytes: number;
}

/**
 * The cell grid that the first classification of a closed mesh would build on a device with portable limits or on the CPU:
 * its resolution, as the cost model or `cellsPerAxis` has it, and what it is expected to take. Takes time linear in the
 * triangles, and far less than building.
 *
 * Pairs, mixed cells and bytes are means over all positions of the lattice of cells. On scans and generated bodies the
 * tables are within a tenth of that; on bodies of a few triangles within a half. A body on the lattice itself, such as
 * voxels as large as a cell, takes four times as much; never are there more than eight times the pairs (docs/cell-grid.md).
 *
 * Blocks that refine crowded cells (docs/cell-grid.md) are not in it: on bodies whose detail lies in a small part of their
 * box the tables are some times as large, up to about 300 bytes per triangle.
 *
 * Whether the mesh is closed is not looked at: `checkMesh` does that, and no table is built of one that is not.
 *
 * @throws InputError for a mesh without triangles, or `cellsPerAxis` that is out of range or asks for too large a table.
 */
export function estimateCellGrid(
  mesh: TriangleMesh,
  options: Pick<PolyhedronOptions, 'cellsPerAxis'> = {},
): CellGridEstimate {
  if (mesh.triangleCount === 0) {
    throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
  }
  const surface = localSurface(mesh);
  const { cellsPerAxis } = options;
  const resolution = chooseResolution(surface, { cellsPerAxis, largestBinding: PORTABLE_BINDING });
  const grid = gridOver(surface, resolution.cell);
  const { min, max } = surface.box;
  const words = (grid.counts[0] * grid.counts[1] * grid.counts[2]) / CELLS_PER_WORD;
  const mixedCells = Math.round(resolution.expectedMixedCells);
  const pairs = Math.round(resolution.expectedPairs);
  return {
    // Rows are padded to whole words; the padding has bytes, but it covers nothing.
    cells: [Math.floor((max[0] - min[0]) / grid.cell) + 1, grid.counts[1], grid.counts[2]],
    cellSize: grid.cell / surface.frame.scale,
    mixedCells,
    pairs,
    // Two tables of statuses and one of bases; references; starts; pairs.
    tableBytes: 4 * (3 * words + REFERENCE_FLOATS * mixedCells + (mixedCells + 1) + PAIR_FLOATS * pairs),
  };
}

/** How large the cell grid of a body will be: what its tables will hold is counted, nothing is built. */
import { type Options, requireOptions } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { PolyhedronOptions } from '../options.ts';
import { runFloats } from '../ray-runs.ts';
import { localSurface } from '../surface.ts';
import { BLOCK_WORDS } from './block-table.ts';
import { type BlockLayout, type BlockMaker, refineCell } from './blocks.ts';
import { LEAST_TRIANGLES_TO_REFINE } from './constants.ts';
import { fitsBinding, PORTABLE_BINDING } from './create.ts';
import { type CrowdedCell, cellSurface, sumOf } from './crowded-cells.ts';
import { findOverlaps } from './overlap.ts';
import { NumberList, PairList } from './pairs.ts';
import { chooseResolution } from './resolution.ts';
import {
  CELLS_PER_WORD,
  type GridShape,
  gridOver,
  PAIR_FLOATS,
  REFERENCE_FLOATS,
  type SurfaceArrays,
} from './tables.ts';

/** What a body's cell grid will be; see `estimateCellGrid`. */
export interface CellGridEstimate {
  /** Cells along x, y and z that cover the box of the body. */
  readonly cells: readonly [number, number, number];
  /** Edge of a cell, in the mesh's unit. */
  readonly cellSize: number;
  /** Cells that the surface passes, those of blocks included. */
  readonly mixedCells: number;
  /** (cell, triangle) pairs. */
  readonly pairs: number;
  /** Bytes of the tables on the host, `tableBytes` of a classification. */
  readonly tableBytes: number;
}

/** Entries of a grid's tables. */
interface Counts {
  /** Words of 16 cells. */
  words: number;
  mixed: number;
  pairs: number;
  blocks: number;
}

/** Triangles whose pairs are held at once. */
const TRIANGLES_AT_ONCE = 1 << 14;

export type EstimateOptions = Pick<PolyhedronOptions, 'cellsPerAxis'>;

const OPTIONS: Options<EstimateOptions> = { cellsPerAxis: 'number' };

/**
 * The cell grid that the first classification of a closed mesh would build on a device with portable limits or on the
 * CPU: its resolution, as the cost model or `cellsPerAxis` has it, and what it will take, blocks that refine crowded
 * cells included (docs/cell-grid.md). Overlaps of triangles and cells are counted as the build finds them, which takes
 * about a third of its time and half a byte to a byte of memory per cell.
 *
 * All numbers are those of the tables themselves, unless the surface passes exactly through points that a block's
 * windings are counted from: then that block has a cell more or fewer along each edge, or is left out. On bodies with
 * such blocks the tables are within a fifth of the estimate.
 *
 * Whether the mesh is closed is not looked at: `checkMesh` does that, and no table is built of one that is not.
 *
 * @throws InputError for a mesh without triangles, or `cellsPerAxis` that is out of range or asks for too large a
 *   table.
 */
export function estimateCellGrid(mesh: TriangleMesh, options: EstimateOptions = {}): CellGridEstimate {
  requireMesh('estimateCellGrid: mesh', mesh);
  requireOptions('estimateCellGrid', options, OPTIONS);
  if (mesh.triangleCount === 0) {
    throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
  }
  const surface = localSurface(mesh);
  const { cellsPerAxis } = options;
  const { cell } = chooseResolution(surface, { cellsPerAxis, largestBinding: PORTABLE_BINDING });
  const grid = gridOver(surface, cell);
  const { min, max } = surface.box;
  const { root, refined } = countGrid(surface, grid, cellsPerAxis === undefined);
  const { words, mixed, pairs, blocks } = fitsBinding(refined, PORTABLE_BINDING) ? refined : root;
  return {
    // Rows are padded to whole words; the padding has bytes, but it covers nothing.
    cells: [Math.floor((max[0] - min[0]) / grid.cell) + 1, grid.counts[1], grid.counts[2]],
    cellSize: grid.cell / surface.frame.scale,
    mixedCells: mixed,
    pairs,
    // Two tables of statuses and one of bases; references and starts; pairs; blocks; runs.
    tableBytes:
      4 *
      (3 * words +
        (REFERENCE_FLOATS * mixed + (mixed + 1)) +
        PAIR_FLOATS * pairs +
        BLOCK_WORDS * blocks +
        runFloats(mesh.triangleCount)),
  };
}

/** Calls with the pairs of a grid, range by range of triangles. */
function eachRange(mesh: SurfaceArrays, grid: GridShape, use: (found: PairList) => void): void {
  const triangles = mesh.indices.length / 3;
  const room = 4 * Math.min(triangles, TRIANGLES_AT_ONCE) + 16;
  const found = new PairList({ cells: new Uint32Array(room), triangles: new Uint32Array(room) });
  for (let first = 0; first < triangles; first += TRIANGLES_AT_ONCE) {
    found.count = 0;
    findOverlaps(mesh, grid, first, Math.min(triangles, first + TRIANGLES_AT_ONCE), found);
    use(found);
  }
}

/** Counts the tables of a grid, without blocks and with them. */
function countGrid(mesh: SurfaceArrays, grid: GridShape, refine: boolean): { root: Counts; refined: Counts } {
  const [nx, ny, nz] = grid.counts;
  // Triangles per cell, as far as they are too few for a block.
  const inCell = new Uint8Array(nx * ny * nz);
  const root: Counts = { words: inCell.length / CELLS_PER_WORD, mixed: 0, pairs: 0, blocks: 0 };
  const crowded = new Map<number, NumberList>();
  eachRange(mesh, grid, ({ cells, count }) => {
    for (let p = 0; p < count; p++) {
      const cell = cells[p]!;
      const before = inCell[cell]!;
      if (before === LEAST_TRIANGLES_TO_REFINE) continue;
      inCell[cell] = before + 1;
      if (before === 0) root.mixed++;
      if (before + 1 === LEAST_TRIANGLES_TO_REFINE) crowded.set(cell, new NumberList());
    }
    root.pairs += count;
  });
  if (!refine || crowded.size === 0) return { root, refined: root };

  const meetings = new Uint32Array(mesh.indices.length / 3);
  eachRange(mesh, grid, ({ cells, triangles, count }) => {
    for (let p = 0; p < count; p++) {
      meetings[triangles[p]!]!++;
      if (inCell[cells[p]!] === LEAST_TRIANGLES_TO_REFINE) crowded.get(cells[p]!)!.push(triangles[p]!);
    }
  });
  const counter = new BlockCounter(root);
  for (const [cell, { values, count }] of crowded) {
    const surface = cellSurface(mesh, values.subarray(0, count), (t) => 1 / meetings[t]!);
    const found: CrowdedCell = { surface, cell, rank: 0, share: sumOf(surface.shares) };
    if (refineCell(grid, found, counter)) counter.counts.pairs -= count;
  }
  return { root, refined: counter.counts };
}

/** Counts what blocks add to a grid's tables. */
class BlockCounter implements BlockMaker {
  readonly counts: Counts;

  constructor(root: Counts) {
    this.counts = { ...root };
  }

  add(_: CrowdedCell, { words, part }: BlockLayout): number {
    this.counts.words += words.length;
    this.counts.mixed += part.endMixed;
    this.counts.pairs += part.endPair;
    return this.counts.blocks++;
  }

  refined(_: number, { starts }: BlockLayout, ranks: readonly number[]): void {
    for (const rank of ranks) this.counts.pairs -= starts[rank + 1]! - starts[rank]!;
  }
}

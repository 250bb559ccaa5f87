/** Makes the tables of a polyhedron's signed distance. */
import { buildCellGridInParts, buildCellGridOnWorkers, releaseTables } from '../../inside/cell-grid/build.ts';
import { findOverlaps } from '../../inside/cell-grid/overlap.ts';
import { groupByCell, PairList, roomForPairs } from '../../inside/cell-grid/pairs.ts';
import {
  CELLS_PER_WORD,
  type CellGridTables,
  type GridShape,
  mixedRank,
} from '../../inside/cell-grid/tables.ts';
import { type LocalFrame, localFrame, localSurface, type Surface } from '../../inside/surface.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { bytesOf, share } from '../../workers/shared-memory.ts';
import { orWithoutWorkers, type WorkerPool } from '../../workers/worker-pool.ts';
import { blockLevels } from './blocks-of-cells.ts';
import { COARSER, LEAST_LIST_BYTES, LIST_BYTES_PER_TRIANGLE, MOST_UNSCALED } from './constants.ts';
import { CellCode, type FieldArrays } from './field-arrays.ts';
import { findCandidates } from './find-candidates.ts';
import { writeOutsideDistances } from './outside-distances.ts';
import { fieldCell } from './resolution.ts';

export interface FieldOptions {
  /** Depth to which cells have candidates, in the mesh's unit. */
  readonly reach: number;
  /** Area of the surface, in the mesh's unit. */
  readonly area: number;
  readonly signal?: AbortSignal | undefined;
  /** Undefined: the calling thread does all. */
  readonly pool?: WorkerPool | undefined;
  /** Most threads of the pool. */
  readonly threads?: number | undefined;
  /** Called with the share that is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** The signed distance of a closed mesh. @throws the signal's reason once it is aborted */
export async function buildField(
  mesh: TriangleMesh,
  { reach, area, signal, pool, threads, onProgress }: FieldOptions,
): Promise<FieldArrays> {
  const surface = localSurface(mesh, fieldFrame(mesh));
  const { frame, box } = surface;
  const corners = share(cornersOf(surface));
  const mostWords = (LEAST_LIST_BYTES + LIST_BYTES_PER_TRIANGLE * surface.triangleCount) / 4;
  for (let cell = fieldCell(surface, area * frame.scale * frame.scale); ; cell *= COARSER) {
    const tables = await gridOf(surface, cell, pool, signal);
    const { grid, cells } = cellsOf(surface, tables);
    writeOutsideDistances(cells, grid.counts);
    const source = { grid, corners, cells, levels: blockLevels(cells, grid.counts) };
    // A single cell has all triangles at most.
    const most = cells.length > 1 ? mostWords : Infinity;
    const options = { mostWords: most, pool, threads, signal, onProgress };
    const found = await findCandidates({ ...source, reach: reach * frame.scale }, options);
    if (found === undefined) {
      releaseTables(tables);
      continue;
    }
    const { references, starts, pairs } = tables;
    const pairTriangles = trianglesOfPairs(surface, tables);
    const arrays = { ...found, corners, references, starts, pairs, pairTriangles };
    return { frame, box, reach, grid, ...arrays, bytes: bytesOf(arrays) };
  }
}

/** The cell grid, made on worker threads where there are some. */
async function gridOf(
  surface: Surface,
  cell: number,
  pool: WorkerPool | undefined,
  signal: AbortSignal | undefined,
): Promise<CellGridTables> {
  const options = { refine: false };
  const onWorkers = () => buildCellGridOnWorkers(surface, cell, pool!, options, signal);
  const tables = pool && (await orWithoutWorkers(onWorkers));
  return tables ?? buildCellGridInParts(surface, cell, options, signal);
}

/**
 * The local frame of a mesh, unscaled unless its coordinates are extreme indeed: kernels of contacts multiply no more
 * than two lengths, and lengths of bodies are then those of their scene.
 */
function fieldFrame({ box }: TriangleMesh): LocalFrame {
  const { scale, shift } = localFrame(box);
  if (scale > MOST_UNSCALED || scale < 1 / MOST_UNSCALED) return { scale, shift };
  return { scale: 1, shift: [shift[0] / scale, shift[1] / scale, shift[2] / scale] };
}

/** Cells without the padding of the tables' rows: their codes, and the ranks of mixed cells. */
function cellsOf(
  { box }: Surface,
  { grid, odd, bases }: CellGridTables,
): { grid: GridShape; cells: Uint32Array } {
  const [padded, ny, nz] = grid.counts;
  const nx = Math.min(padded, Math.floor((box.max[0] - box.min[0]) / grid.cell) + 1);
  const cells = share(new Uint32Array(nx * ny * nz));
  for (let row = 0, at = 0; row < ny * nz; row++) {
    for (let i = 0; i < nx; i++, at++) {
      const cell = row * padded + i;
      const bits = (odd[Math.floor(cell / CELLS_PER_WORD)]! >>> (2 * (cell % CELLS_PER_WORD))) & 3;
      if (bits >= 2) cells[at] = ((CellCode.mixed << 30) | mixedRank(odd, bases, cell)) >>> 0;
      else if (bits === 1) cells[at] = CellCode.inside << 30;
    }
  }
  return { grid: { ...grid, counts: [nx, ny, nz] }, cells };
}

function cornersOf({ positions, indices }: Surface): Float32Array<ArrayBuffer> {
  const corners = new Float32Array(3 * indices.length);
  for (let h = 0; h < indices.length; h++) {
    for (let k = 0; k < 3; k++) corners[3 * h + k] = positions[3 * indices[h]! + k]!;
  }
  return corners;
}

/** The triangle of each pair: overlaps are found and grouped once more, in the same order as the tables' own. */
function trianglesOfPairs(
  surface: Surface,
  { grid, odd, bases, starts, mixedCount, pairCount }: CellGridTables,
) {
  const list = new PairList(roomForPairs(pairCount + 16, false));
  findOverlaps(surface, grid, 0, surface.triangleCount, list);
  const [nx, ny, nz] = grid.counts;
  const rows = ny * nz;
  const whole = {
    ...{ firstRow: 0, endRow: rows, firstCell: 0, endCell: nx * rows },
    ...{ firstMixed: 0, endMixed: mixedCount, firstPair: 0, endPair: pairCount },
  };
  return groupByCell(odd, bases, [list], whole, starts.slice()).grouped.slice();
}

/** The cell size of a body's signed distance. */
import { LARGEST_CELLS_PER_AXIS } from '../../inside/cell-grid/constants.ts';
import type { Surface } from '../../inside/surface.ts';
import { CELLS_PER_TRIANGLE_SIDE, LEAST_CELLS, MOST_CELLS, MOST_CELLS_PER_TRIANGLE } from './constants.ts';

/** A cell is larger than extent / count by this fraction, so that the last vertex does not open one more layer. */
const SLACK = 1 + 2 ** -20;

/**
 * Edge of a cell, local: small against the triangles, so that few can be nearest to a point of a cell, and between
 * limits of the number of cells.
 *
 * @param area of the surface, local
 */
export function fieldCell({ box, triangleCount }: Surface, area: number): number {
  const sizes = [0, 1, 2].map((k) => box.max[k]! - box.min[k]!);
  const longest = Math.max(...sizes);
  if (!(longest > 0)) return 1;
  const cellsAt = (h: number) => sizes.reduce((product, size) => product * (Math.floor(size / h) + 1), 1);
  const most = Math.min(MOST_CELLS, Math.max(LEAST_CELLS, MOST_CELLS_PER_TRIANGLE * triangleCount));
  const wanted = Math.sqrt(area / triangleCount) / CELLS_PER_TRIANGLE_SIDE;
  let best = longest * SLACK;
  // As fine as is wanted, and finer while cells are few; never beyond the most.
  for (let cells = 2; cells <= LARGEST_CELLS_PER_AXIS; cells++) {
    const h = (longest / cells) * SLACK;
    if (cellsAt(h) > most || (best <= wanted && cellsAt(best) >= LEAST_CELLS)) break;
    best = h;
  }
  return best;
}

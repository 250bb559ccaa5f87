/** How many cells a block has: by the cost model of cell-grid/resolution.ts, for the triangles of one cell. */
import {
  BLOCK_CELL_COST,
  BLOCK_COST,
  CLUSTER_PAIRS,
  CLUSTER_SPAN,
  LARGEST_BLOCK_AXIS,
  LEAST_SPACINGS_PER_CELL,
  NEAR_POINTS_FORESEEN_PER_TRIANGLE,
  PAIR_COST,
  POINT_COST_PER_PAIR,
} from './constants.ts';
import type { CrowdedCell } from './crowded-cells.ts';
import type { SurfaceArrays } from './tables.ts';

/** The lower corner of a cell. */
export type Corner = readonly [number, number, number];

/**
 * Sums over triangles of their box's extents and projected areas, as far as they lie in a cubic cell, and the longest
 * extent of all together.
 */
function measureIn({ positions, indices }: SurfaceArrays, corner: Corner, edge: number) {
  const [lowX, lowY, lowZ] = corner;
  const [highX, highY, highZ] = [lowX + edge, lowY + edge, lowZ + edge];
  let extents = 0;
  let areas = 0;
  let [x0, y0, z0, x1, y1, z1] = [highX, highY, highZ, lowX, lowY, lowZ];
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const bx = positions[b]!;
    const by = positions[b + 1]!;
    const bz = positions[b + 2]!;
    const cx = positions[c]!;
    const cy = positions[c + 1]!;
    const cz = positions[c + 2]!;
    const left = Math.max(lowX, Math.min(ax, bx, cx));
    const front = Math.max(lowY, Math.min(ay, by, cy));
    const bottom = Math.max(lowZ, Math.min(az, bz, cz));
    const right = Math.min(highX, Math.max(ax, bx, cx));
    const back = Math.min(highY, Math.max(ay, by, cy));
    const top = Math.min(highZ, Math.max(az, bz, cz));
    x0 = Math.min(x0, left);
    y0 = Math.min(y0, front);
    z0 = Math.min(z0, bottom);
    x1 = Math.max(x1, right);
    y1 = Math.max(y1, back);
    z1 = Math.max(z1, top);
    const ex = Math.max(0, right - left);
    const ey = Math.max(0, back - front);
    const ez = Math.max(0, top - bottom);
    extents += ex + ey + ez;
    const x = Math.abs((by - ay) * (cz - az) - (bz - az) * (cy - ay)) / 2;
    const y = Math.abs((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2;
    const z = Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
    areas += Math.min(x, ey * ez) + Math.min(y, ez * ex) + Math.min(z, ex * ey);
  }
  return { extents, areas, span: Math.max(x1 - x0, y1 - y0, z1 - z0) };
}

/** Nanoseconds that a block takes to make, by the cost model: what its budget is spent on. */
export function workOfBlock(cells: number, pairs: number): number {
  return BLOCK_COST + PAIR_COST * pairs + BLOCK_CELL_COST * cells;
}

/**
 * Cells along an edge of the block that refines a cell at the least cost, by the model of cell-grid/resolution.ts with
 * the points near the triangles: 1 where a block does not pay, or takes more than the budget.
 *
 * @param budget nanoseconds that the block and those in its cells may take
 */
export function cellsOfBlock(
  { surface, share }: Pick<CrowdedCell, 'surface' | 'share'>,
  corner: Corner,
  edge: number,
  budget: number,
): number {
  const triangles = surface.indices.length / 3;
  const { extents, areas, span } = measureIn(surface, corner, edge);
  // Points near a triangle that meets many cells are not all in this one.
  const points = NEAR_POINTS_FORESEEN_PER_TRIANGLE * share;
  let best = 1;
  let least = points * POINT_COST_PER_PAIR * triangles;
  const smallest = LEAST_SPACINGS_PER_CELL * spacingIn(corner, edge);
  const most = Math.min(LARGEST_BLOCK_AXIS, Math.floor(edge / smallest));
  for (let n = 2; n <= most; n = Math.max(n + 1, Math.floor(n * 1.1))) {
    const h = edge / n;
    const pairs = triangles + extents / h + areas / h ** 2;
    const work = workOfBlock(n ** 3, pairs);
    if (work > budget) break;
    // A surface passes as many cells as it has area in each of the three projections, in squares of a cell.
    const mixed = Math.max(1, Math.min(n ** 3, areas / h ** 2));
    const cost = work + (points * POINT_COST_PER_PAIR * pairs) / mixed;
    if (cost < least) {
      least = cost;
      best = n;
    }
  }
  if (best > 1 || span > CLUSTER_SPAN * edge) return best;
  // So close together that few cells of any such block have them all: a step nearer, for blocks in the block, if what
  // those save is more than what this one takes.
  const n = Math.max(1, Math.min(most, Math.ceil(edge / span)));
  const cost = workOfBlock(n ** 3, CLUSTER_PAIRS * triangles);
  return cost < Math.min(least, budget) ? n : 1;
}

/** Float32 spacing of the largest coordinate of a box. */
function spacingIn(corner: Corner, edge: number): number {
  const largest = Math.max(...corner.map((x) => Math.max(Math.abs(x), Math.abs(x + edge))));
  return 2 ** (Math.floor(Math.log2(largest)) - 23);
}

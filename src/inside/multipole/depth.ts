/**
 * How far the evaluation tree is refined. The paper fixes one finest level for all cells, from the number of
 * triangles N and of points M (`well-chosen`) or from N alone (`pre-chosen`). `auto` decides cell by cell: of all
 * trees that refining and not refining can make, the one of least modelled time.
 */

import { InputError } from '../../errors.ts';
import { LEAST_POINTS_FORESEEN, POINTS_FORESEEN_PER_TRIANGLE } from '../constants.ts';
import type { Surface } from '../surface.ts';
import {
  BOUNDARY_TRIANGLE_COST,
  KERNEL_CONVERSION_COST,
  KERNEL_ENTRY_COST,
  KERNEL_TERM_COST,
  MOST_MULTIPOLE_LEVEL,
  MULTIPOLE_CELL_COST,
  MULTIPOLE_CONVERSION_COST,
  MULTIPOLE_PAIR_COST,
  MULTIPOLE_TERM_COST,
} from './constants.ts';
import { coefficientCount } from './harmonics.ts';
import { type EvaluationTree, EvaluationTreeBuilder } from './lists.ts';
import type { SourceTree } from './tree.ts';

/** Finest level of the evaluation tree, 0 .. 10, or a way to choose it. */
export type MultipoleDepth = 'auto' | 'well-chosen' | 'pre-chosen' | number;

export interface DepthOptions {
  readonly depth: MultipoleDepth;
  /** Number of points to be evaluated, if known: needed for `well-chosen`, taken into account by `auto`. */
  readonly points?: number | undefined;
  /** Degrees of local expansions and of moments in M2L. */
  readonly p: number;
  readonly q: number;
  /** Separation of eq. 16. */
  readonly d: number;
  /** What is to be fast: `float64` on the CPU (default), or the kernels. */
  readonly costs?: 'float64' | 'kernels' | undefined;
}

/** Times of a tree's parts, in nanoseconds on one core. */
interface CostModel {
  /** Set-up of one cell with so many interactions. */
  setUp(interactions: number): number;
  /** All points of a leaf against its near field. */
  near(cell: number, builder: EvaluationTreeBuilder): number;
}

/**
 * Time of a near field of so many triangles: for so many points, and once. The kernels' near field is its boundary,
 * and what a column of it meets; about that power of the triangles from some hundred to 10^5 of them while borders of
 * clusters follow the mesh's edges. They are straight by now (panels.ts): edges are about 2.1 per near cluster and
 * crossings 0.033 per near triangle, so this is too much where clusters have many triangles. It leads to finer trees
 * than the least total of set-up and evaluation asks for, in favour of bodies that are asked again.
 */
const nearTimes = {
  float64: (triangles: number) => ({ perPoint: MULTIPOLE_PAIR_COST * triangles, once: 0 }),
  kernels: (triangles: number) => ({
    perPoint: KERNEL_ENTRY_COST * 1.5 * triangles ** 0.75,
    once: BOUNDARY_TRIANGLE_COST * triangles,
  }),
} as const;

function costModel(
  surface: Surface,
  tree: SourceTree,
  points: number,
  { p, q, costs = 'float64' }: DepthOptions,
): CostModel {
  const terms = coefficientCount(p) * (coefficientCount(q) - 1);
  const onKernels = costs === 'kernels';
  const perConversion = onKernels ? KERNEL_CONVERSION_COST : MULTIPOLE_CONVERSION_COST;
  const perTerm = onKernels ? KERNEL_TERM_COST : MULTIPOLE_TERM_COST;
  const conversion = perConversion + perTerm * terms;
  const cellCost = MULTIPOLE_CELL_COST + perTerm * coefficientCount(p) ** 2;
  const { min, max } = surface.box;
  const { origin, edge } = tree.root;
  return {
    setUp: (interactions) => cellCost + conversion * interactions,
    near(cell, builder) {
      const size = edge * 2 ** -builder.level(cell);
      // Points are foreseen to be spread evenly over the box.
      let share = 1;
      for (let k = 0; k < 3; k++) {
        const low = origin[k]! + builder.place(cell, k) * size;
        const [from, to] = [Math.max(low, min[k]!), Math.min(low + size, max[k]!)];
        const extent = max[k]! - min[k]!;
        share *= extent > 0 ? Math.max(to - from, 0) / extent : from <= to ? 1 : 0;
      }
      const { perPoint, once } = nearTimes[costs](builder.nearTriangles(cell));
      return points * share * perPoint + once;
    },
  };
}

/** The finest level at which a surface of N triangles, 4^level cells, has about log10(N)^2 triangles in a cell. */
export function preChosenDepth(triangles: number): number {
  if (triangles < 2) return 0;
  return Math.max(0, Math.round(Math.log2(triangles / Math.max(1, Math.log10(triangles) ** 2)) / 2));
}

/** @throws InputError for a depth that is none, and for `well-chosen` without points. */
export function checkDepth({ depth, points }: Pick<DepthOptions, 'depth' | 'points'>): void {
  const isLevel =
    typeof depth === 'number' && Number.isInteger(depth) && depth >= 0 && depth <= MOST_MULTIPOLE_LEVEL;
  if (!isLevel && depth !== 'auto' && depth !== 'well-chosen' && depth !== 'pre-chosen') {
    throw new InputError(
      `depth is ${JSON.stringify(depth)}, expected auto, well-chosen, pre-chosen ` +
        `or an integer from 0 to ${MOST_MULTIPOLE_LEVEL}`,
    );
  }
  if (points !== undefined && !(Number.isFinite(points) && points >= 0)) {
    throw new InputError(`points is ${points}, expected a number of points`);
  }
  if (depth === 'well-chosen' && points === undefined) {
    throw new InputError('depth "well-chosen" needs the number of points: give points, or use depth "auto"');
  }
}

/** The evaluation tree of least cost, or of the depth asked for. */
export function buildEvaluationTree(
  surface: Surface,
  tree: SourceTree,
  options: DepthOptions,
): EvaluationTree {
  checkDepth(options);
  const { depth } = options;
  const foreseen = LEAST_POINTS_FORESEEN + POINTS_FORESEEN_PER_TRIANGLE * surface.triangleCount;
  const cost = costModel(surface, tree, options.points ?? foreseen, options);
  const builder = new EvaluationTreeBuilder(tree, options.d);
  if (depth === 'auto') return refineWhereItPays(builder, tree, cost);
  if (depth === 'well-chosen') return refineToBestLevel(builder, tree, cost);
  const finest = Math.min(depth === 'pre-chosen' ? preChosenDepth(surface.triangleCount) : depth, tree.depth);
  for (let cell = 0; cell < builder.count; cell++) {
    if (builder.level(cell) < finest && builder.nearTriangles(cell) > 0) builder.refine(cell);
  }
  return builder.finish(() => true);
}

function childrenSetUp(builder: EvaluationTreeBuilder, cell: number, cost: CostModel): number {
  const first = builder.firstChild(cell);
  let sum = 0;
  for (let child = first; child < first + 8; child++) sum += cost.setUp(builder.interactions(child));
  return sum;
}

/**
 * Refines as long as a cell's children cost less than its near field: no tree below it could pay otherwise. Then, from
 * the finest cells up, keeps a refinement only if it is cheaper than the leaf instead of it.
 */
function refineWhereItPays(
  builder: EvaluationTreeBuilder,
  tree: SourceTree,
  cost: CostModel,
): EvaluationTree {
  for (let cell = 0; cell < builder.count; cell++) {
    if (builder.level(cell) >= tree.depth || builder.nearTriangles(cell) === 0) continue;
    const near = cost.near(cell, builder);
    // Of the clusters that its children are tested against, about three in four become interactions.
    if (near <= 8 * cost.setUp(builder.nearChildren(cell) / 2)) continue;
    builder.refine(cell);
    if (childrenSetUp(builder, cell, cost) >= near) builder.takeBack(cell);
  }
  const best = new Float64Array(builder.count);
  const pays = new Uint8Array(builder.count);
  for (let cell = builder.count - 1; cell >= 0; cell--) {
    const near = cost.near(cell, builder);
    best[cell] = near;
    const first = builder.firstChild(cell);
    if (first === 0) continue;
    let refined = childrenSetUp(builder, cell, cost);
    for (let child = first; child < first + 8; child++) refined += best[child]!;
    if (refined >= near) continue;
    best[cell] = refined;
    pays[cell] = 1;
  }
  return builder.finish((cell) => pays[cell] === 1);
}

/** Refines level by level, until the set-up alone costs more than the best level found. */
function refineToBestLevel(
  builder: EvaluationTreeBuilder,
  tree: SourceTree,
  cost: CostModel,
): EvaluationTree {
  let setUp = cost.setUp(0);
  /** Near fields of cells of the level in hand; a cell without one stays a leaf. */
  let near = cost.near(0, builder);
  let [best, least] = [0, setUp + near];
  let first = 0;
  for (let level = 0; level < tree.depth && setUp < least; level++) {
    const last = builder.count;
    near = 0;
    for (let cell = first; cell < last; cell++) {
      if (builder.nearTriangles(cell) === 0) continue;
      builder.refine(cell);
      setUp += childrenSetUp(builder, cell, cost);
      const child = builder.firstChild(cell);
      for (let c = child; c < child + 8; c++) near += cost.near(c, builder);
    }
    first = last;
    if (setUp + near < least) [best, least] = [level + 1, setUp + near];
  }
  return builder.finish((cell) => builder.level(cell) < best);
}

/**
 * The fast multipole double-layer potential in float64, without a GPU (Muth et al., section 2.1.2): set-up once per
 * body, then J per point with a bound of its error. The kernels are held to this, stage by stage.
 */
import { InputError } from '../../errors.ts';
import type { Surface } from '../surface.ts';
import { BOUND_NODES, boundAt, boundTable, CELL_RADIUS, momentNorms, normCount } from './bounds.ts';
import { buildEvaluationTree, checkDepth, type MultipoleDepth } from './depth.ts';
import { coefficientCount } from './harmonics.ts';
import type { EvaluationTree } from './lists.ts';
import {
  addConverted,
  addLocals,
  addMoments,
  conversionTable,
  localTables,
  MomentIntegrator,
  momentTables,
} from './operators.ts';
import { buildSourceTree, cellCentre, forEachCluster, type SourceTree, truncateSourceTree } from './tree.ts';

export interface MultipoleOptions {
  /** Degree p of the local expansions, 1 .. 8. */
  readonly p: number;
  /** Separation d of eq. 16, above 1. */
  readonly d: number;
  /** Degree q of the moments in M2L, 1 .. 9; p by default, as in the paper. */
  readonly q?: number | undefined;
  /** Highest degree of moments that the error bound knows, q .. 12; q + 4, at most 12, by default. */
  readonly errorDegree?: number | undefined;
  /** The surface is closed: J is 0 outside its box, and nothing is computed there. Default false. */
  readonly closed?: boolean | undefined;
  /** Default `auto`. */
  readonly depth?: MultipoleDepth | undefined;
  /** Number of points to come, if known. */
  readonly points?: number | undefined;
}

/** What the evaluation needs, and the steps to it. */
export interface MultipoleField {
  readonly surface: Surface;
  readonly p: number;
  readonly q: number;
  readonly errorDegree: number;
  readonly d: number;
  readonly closed: boolean;
  readonly source: SourceTree;
  readonly evaluation: EvaluationTree;
  /** `(errorDegree + 1)^2` per source cluster, in cell units. */
  readonly moments: Float64Array;
  /** `errorDegree + 1` per source cluster: see normCount. */
  readonly norms: Float64Array;
  /** `(p + 1)^2` per evaluation cell, in cell units; after L2L, all of the far field. */
  readonly locals: Float64Array;
  /** Bounds of the truncation error at BOUND_NODES, per evaluation cell; for leaves those of all ancestors too. */
  readonly bounds: Float64Array;
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(`${name} is ${value}, expected an integer from ${least} to ${most}`);
}

/** Work that is done bit by bit: yields, every millisecond or so, what part of it is done, 0 .. 1. */
export type Steps<T> = Generator<number, T, void>;

/** Does all steps in one go. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Trees, lists and expansions of a surface.
 *
 * @throws InputError for degrees, a separation or a depth out of range
 */
export function setUpMultipole(surface: Surface, options: MultipoleOptions): MultipoleField {
  return finishSteps(setUpInSteps(surface, options));
}

/** Parts of the set-up's time that trees, P2M with M2M, and M2L take, for progress; the rest is for bounds. */
const PROGRESS = { trees: 0.1, moments: 0.3, conversions: 0.85 } as const;

/** As setUpMultipole; trees and lists are three steps, the expansions many. */
export function* setUpInSteps(surface: Surface, options: MultipoleOptions): Steps<MultipoleField> {
  const { p, d, q = p, closed = false, depth = 'auto', points } = options;
  requireInteger('p', p, 1, 8);
  requireInteger('q', q, 1, 9);
  const { errorDegree = Math.min(q + 4, 12) } = options;
  requireInteger('errorDegree', errorDegree, q, 12);
  if (!(d > 1 && Number.isFinite(d))) throw new InputError(`d is ${d}, expected a number above 1`);
  checkDepth({ depth, points });
  const whole = buildSourceTree(surface);
  yield PROGRESS.trees / 3;
  const evaluation = buildEvaluationTree(surface, whole, { depth, points, p, q, d });
  yield PROGRESS.trees;
  const source = truncateSourceTree(whole, evaluation.depth);
  return yield* expandInSteps(surface, source, evaluation, { p, q, errorDegree, d, closed });
}

export interface ExpandOptions extends Degrees {
  readonly d: number;
  readonly closed: boolean;
}

/** The expansions of trees that are there. */
export function* expandInSteps(
  surface: Surface,
  source: SourceTree,
  evaluation: EvaluationTree,
  { p, q, errorDegree, d, closed }: ExpandOptions,
): Steps<MultipoleField> {
  const { trees, moments: first, conversions: second } = PROGRESS;
  const moments = yield* within(trees, first, upwardSteps(source, errorDegree));
  const norms = boundNorms(source, moments, errorDegree);
  const locals = yield* within(first, second, convertInSteps(evaluation, moments, { p, q, errorDegree }));
  downwardPass(evaluation, locals, p);
  const degrees = { p, q, errorDegree, d };
  const bounds = yield* within(second, 1, boundsInSteps(source, evaluation, norms, degrees));
  gatherBounds(evaluation, bounds);
  return { surface, p, q, errorDegree, d, closed, source, evaluation, moments, norms, locals, bounds };
}

/** Steps that are a part of others. */
function* within<T>(from: number, to: number, steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}

/** Triangles, and interactions, of a step: about a millisecond's work at the least degree, twenty at the highest. */
const STEP_SIZE = { triangles: 200, interactions: 2000 } as const;

/** Which of its parent's eight children a cell is. */
function octantOf(cells: Uint16Array, cell: number): number {
  return (cells[3 * cell]! & 1) | ((cells[3 * cell + 1]! & 1) << 1) | ((cells[3 * cell + 2]! & 1) << 2);
}

/** P2M on the finest level, M2M from there up: moments of every cluster about its cell's centre. */
export function upwardPass(tree: SourceTree, degree: number): Float64Array {
  return finishSteps(upwardSteps(tree, degree));
}

/** As upwardPass. */
function* upwardSteps(tree: SourceTree, degree: number): Steps<Float64Array> {
  const size = coefficientCount(degree);
  const moments = new Float64Array(size * tree.firsts.length);
  const integrator = new MomentIntegrator(degree);
  const tables = momentTables(degree);
  const { depth, root, levelStarts, cells, firsts, lasts, childStarts } = tree;
  let sinceYield = 0;
  for (let level = depth; level >= 0; level--) {
    const edge = root.edge * 2 ** -level;
    for (let cluster = levelStarts[level]!; cluster < levelStarts[level + 1]!; cluster++) {
      const at = size * cluster;
      if (level === depth) {
        const [x, y, z] = [0, 1, 2].map((k) => cellCentre(root, level, cells[3 * cluster + k]!, k)) as [
          number,
          number,
          number,
        ];
        for (let t = firsts[cluster]!; t < lasts[cluster]!; t++, sinceYield++)
          integrator.add(tree.triangles, t, x, y, z, edge, moments, at);
      } else {
        for (let child = childStarts[cluster]!; child < childStarts[cluster + 1]!; child++, sinceYield++)
          addMoments(tables[octantOf(cells, child)]!, degree, moments, size * child, at);
      }
      if (sinceYield < STEP_SIZE.triangles) continue;
      sinceYield = 0;
      // Clusters come from the finest level, the last in number, up.
      yield Math.min(1, 1 - levelStarts[level]! / firsts.length);
    }
  }
  return moments;
}

/** Norms of the moments up to Q, and the bound of that of degree Q + 1, per cluster in cell units. */
export function boundNorms(tree: SourceTree, moments: Float64Array, errorDegree: number): Float64Array {
  const columns = normCount(errorDegree);
  const norms = new Float64Array(columns * tree.firsts.length);
  forEachCluster(tree, (cluster, x, y, z, edge) => {
    momentNorms(errorDegree, moments, coefficientCount(errorDegree) * cluster, norms, columns * cluster);
    // (Q + 1) / 4 pi times the integral of |y - C|^Q, which is convex: at most the area times the corners' mean.
    let sum = 0;
    const t = tree.triangles;
    for (let a = 9 * tree.firsts[cluster]!; a < 9 * tree.lasts[cluster]!; a += 9) {
      let corners = 0;
      for (let v = a; v < a + 9; v += 3)
        corners += ((t[v]! - x) ** 2 + (t[v + 1]! - y) ** 2 + (t[v + 2]! - z) ** 2) ** (errorDegree / 2);
      const ux = t[a + 3]! - t[a]!;
      const uy = t[a + 4]! - t[a + 1]!;
      const uz = t[a + 5]! - t[a + 2]!;
      const vx = t[a + 6]! - t[a]!;
      const vy = t[a + 7]! - t[a + 1]!;
      const vz = t[a + 8]! - t[a + 2]!;
      const area =
        Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2) / 2;
      sum += (area * corners) / 3;
    }
    norms[columns * cluster + errorDegree] =
      ((errorDegree + 1) / (4 * Math.PI)) * sum * edge ** -(errorDegree + 2);
  });
  return norms;
}

interface Degrees {
  readonly p: number;
  readonly q: number;
  readonly errorDegree: number;
}

/** M2L: each cell's own interactions. */
export function* convertInSteps(
  tree: EvaluationTree,
  moments: Float64Array,
  { p, q, errorDegree }: Degrees,
): Steps<Float64Array> {
  const rows = coefficientCount(p);
  const stride = coefficientCount(errorDegree);
  const locals = new Float64Array(rows * tree.levels.length);
  const tables: Float64Array[] = [];
  for (let o = 0; o < tree.offsets.length; o += 3)
    tables.push(conversionTable(p, q, [...tree.offsets.subarray(o, o + 3)]));
  let yielded = 0;
  for (let cell = 0; cell < tree.levels.length; cell++) {
    for (let n = tree.interactionStarts[cell]!; n < tree.interactionStarts[cell + 1]!; n++)
      addConverted(tables[tree.tables[n]!]!, rows, moments, stride * tree.sources[n]!, locals, rows * cell);
    if (tree.interactionStarts[cell + 1]! - yielded < STEP_SIZE.interactions) continue;
    yielded = tree.interactionStarts[cell + 1]!;
    yield yielded / tree.sources.length;
  }
  return locals;
}

/** L2L from the root down: adds the parent's far field to each cell's own. */
export function downwardPass(tree: EvaluationTree, locals: Float64Array, p: number): void {
  const rows = coefficientCount(p);
  const tables = localTables(p);
  for (let cell = 1; cell < tree.levels.length; cell++) {
    addLocals(tables[octantOf(tree.cells, cell)]!, p, locals, rows * tree.parents[cell]!, rows * cell);
  }
}

/** Bounds of the error of each cell's own interactions at BOUND_NODES about its centre. */
export function* boundsInSteps(
  source: SourceTree,
  tree: EvaluationTree,
  norms: Float64Array,
  { p, q, errorDegree, d }: Degrees & { readonly d: number },
): Steps<Float64Array> {
  const columns = normCount(errorDegree);
  const bounds = new Float64Array(4 * tree.levels.length);
  const largest = source.radii.reduce((most, radius) => Math.max(most, radius), 0);
  const tables: Float64Array[] = [];
  for (let o = 0; o < tree.offsets.length; o += 3) {
    const distance = Math.hypot(...tree.offsets.subarray(o, o + 3));
    const sourceRadius = Math.min(largest, distance / (d + 1));
    tables.push(boundTable({ p, q, errorDegree, distance, sourceRadius }));
  }
  let yielded = 0;
  for (let cell = 0; cell < tree.levels.length; cell++) {
    for (let n = tree.interactionStarts[cell]!; n < tree.interactionStarts[cell + 1]!; n++) {
      const table = tables[tree.tables[n]!]!;
      const at = columns * tree.sources[n]!;
      let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
      for (let j = 0; j < columns; j++) {
        const norm = norms[at + j]!;
        sum0 += table[j]! * norm;
        sum1 += table[columns + j]! * norm;
        sum2 += table[2 * columns + j]! * norm;
        sum3 += table[3 * columns + j]! * norm;
      }
      bounds[4 * cell]! += sum0;
      bounds[4 * cell + 1]! += sum1;
      bounds[4 * cell + 2]! += sum2;
      bounds[4 * cell + 3]! += sum3;
    }
    if (tree.interactionStarts[cell + 1]! - yielded < STEP_SIZE.interactions) continue;
    yielded = tree.interactionStarts[cell + 1]!;
    yield yielded / tree.sources.length;
  }
  return bounds;
}

/** Adds to each leaf's bounds those of its ancestors, for the part of them that the leaf is. */
export function gatherBounds(tree: EvaluationTree, bounds: Float64Array): void {
  const rows = BOUND_NODES.length;
  for (let leaf = 1; leaf < tree.levels.length; leaf++) {
    if (tree.firstChildren[leaf]! > 0) continue;
    let scale = 1;
    for (let cell = leaf; cell > 0; ) {
      cell = tree.parents[cell]!;
      scale /= 2;
      // Distances of the leaf's centre, and of its farthest corner, from the ancestor's centre, in the ancestor's
      // cells.
      let [centre, corner] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const offset = Math.abs((tree.cells[3 * leaf + k]! + 0.5) * scale - tree.cells[3 * cell + k]! - 0.5);
        centre += offset ** 2;
        corner += (offset + scale / 2) ** 2;
      }
      for (let row = 0; row < rows; row++) {
        const reach = Math.sqrt(centre) + BOUND_NODES[row]! * CELL_RADIUS * scale;
        const radius = Math.min(reach, Math.sqrt(corner)) / CELL_RADIUS;
        bounds[rows * leaf + row]! += boundAt(bounds, rows * cell, radius);
      }
    }
  }
}

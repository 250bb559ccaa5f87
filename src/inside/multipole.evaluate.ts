/**
 * Evaluation of the fast multipole double-layer potential in float64 (eq. 20): L2P and the exact near field, points sorted
 * by the leaf that they are in.
 */
import { MULTIPOLE_ROUNDING } from '../constants.ts';
import { sortOrder } from './morton.ts';
import { BOUND_NODES, boundAt, CELL_RADIUS, normCount, tailSeries } from './multipole.bounds.ts';
import { coefficientCount, irregularHarmonics } from './multipole.harmonics.ts';
import type { EvaluationTree } from './multipole.lists.ts';
import { evaluateLocal } from './multipole.operators.ts';
import type { MultipoleField } from './multipole.reference.ts';
import { cellCentre, type RootCell } from './multipole.tree.ts';
import { addSolidAngles, localAxes, type Potential } from './solid-angle.ts';

/** The leaf that a point is in; -1 for a point outside the root's cube. */
export function leafOf(tree: EvaluationTree, root: RootCell, x: number, y: number, z: number): number {
  const { firstChildren, cells } = tree;
  // Place in the root's cell, 0 .. 1.
  const u = (x - root.origin[0]) / root.edge;
  const v = (y - root.origin[1]) / root.edge;
  const w = (z - root.origin[2]) / root.edge;
  if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1 && w >= 0 && w <= 1)) return -1;
  let cell = 0;
  for (let scale = 2; firstChildren[cell]! > 0; scale *= 2) {
    // The last child begins where the middle is.
    const first = firstChildren[cell]!;
    const last = 3 * (first + 7);
    const right = u * scale >= cells[last]! ? 1 : 0;
    const back = v * scale >= cells[last + 1]! ? 2 : 0;
    const up = w * scale >= cells[last + 2]! ? 4 : 0;
    cell = first + right + back + up;
  }
  return cell;
}

/** What the potential outside the tree's cube is made of. */
export type OutsideField = Pick<MultipoleField, 'source' | 'moments' | 'norms' | 'errorDegree' | 'd'>;

/**
 * Adds J of a point outside the tree's cube and its bound: the series of eq. 20 for all clusters that are far enough from
 * it (M2P), with all moments that there are, from the root down; triangles of clusters that never are.
 */
export function addOutside(field: OutsideField, x: number, y: number, z: number, sum: Float64Array): void {
  const { source, moments, norms, errorDegree, d } = field;
  const { root, levelStarts, cells, radii, childStarts, triangles } = source;
  const size = coefficientCount(errorDegree);
  const harmonics = new Float64Array(size);
  const range = new Uint32Array(2);
  const stack: number[] = radii.length > 0 ? [0] : [];
  for (let cluster = stack.pop(); cluster !== undefined; cluster = stack.pop()) {
    let level = 0;
    while (cluster >= levelStarts[level + 1]!) level++;
    const edge = root.edge * 2 ** -level;
    const dx = (x - cellCentre(root, level, cells[3 * cluster]!, 0)) / edge;
    const dy = (y - cellCentre(root, level, cells[3 * cluster + 1]!, 1)) / edge;
    const dz = (z - cellCentre(root, level, cells[3 * cluster + 2]!, 2)) / edge;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const ratio = radii[cluster]! / distance;
    if (ratio * (d + 1) < 1) {
      irregularHarmonics(errorDegree, dx, dy, dz, harmonics);
      for (let i = 1; i < size; i++) sum[0]! += harmonics[i]! * moments[size * cluster + i]!;
      const norm = norms[normCount(errorDegree) * (cluster + 1) - 1]!;
      sum[1]! += norm * tailSeries(errorDegree, ratio) * distance ** -(errorDegree + 2) + MULTIPOLE_ROUNDING;
    } else if (level < source.depth) {
      for (let child = childStarts[cluster]!; child < childStarts[cluster + 1]!; child++) stack.push(child);
    } else {
      range[0] = source.firsts[cluster]!;
      range[1] = source.lasts[cluster]!;
      addSolidAngles(triangles, range, 0, 1, x, y, z, sum);
    }
  }
}

/**
 * J of points with its bound. Outside the tree's cube J of a closed surface is 0, that of others a sum over clusters.
 *
 * @param points `[x, y, z]` per point, as they are in the mesh's file
 */
export function evaluateMultipole(field: MultipoleField, points: Float32Array): Potential {
  const { source, evaluation, p, locals, bounds: leafBounds } = field;
  const { root, triangles } = source;
  const { levels, cells, nearStarts, nearRanges } = evaluation;
  const rows = coefficientCount(p);
  const count = points.length / 3;
  const values = new Float64Array(count);
  const bounds = new Float64Array(count);
  const harmonics = new Float64Array(rows);
  const sum = new Float64Array(2);
  const leaves = new Uint32Array(count);
  const [localX, localY, localZ] = localAxes(field.surface);
  for (let i = 0; i < count; i++) {
    const x = localX(points[3 * i]!);
    const y = localY(points[3 * i + 1]!);
    const z = localZ(points[3 * i + 2]!);
    leaves[i] = leafOf(evaluation, root, x, y, z) + 1;
  }
  for (const i of sortOrder(leaves)) {
    const x = localX(points[3 * i]!);
    const y = localY(points[3 * i + 1]!);
    const z = localZ(points[3 * i + 2]!);
    const cell = leaves[i]! - 1;
    sum.fill(0);
    if (cell < 0) {
      if (!field.closed) addOutside(field, x, y, z, sum);
    } else {
      const edge = root.edge * 2 ** -levels[cell]!;
      const dx = (x - cellCentre(root, levels[cell]!, cells[3 * cell]!, 0)) / edge;
      const dy = (y - cellCentre(root, levels[cell]!, cells[3 * cell + 1]!, 1)) / edge;
      const dz = (z - cellCentre(root, levels[cell]!, cells[3 * cell + 2]!, 2)) / edge;
      const radius = Math.sqrt(dx * dx + dy * dy + dz * dz) / CELL_RADIUS;
      sum[0] = evaluateLocal(p, locals, rows * cell, dx, dy, dz, harmonics);
      sum[1] = boundAt(leafBounds, BOUND_NODES.length * cell, radius) + MULTIPOLE_ROUNDING;
      addSolidAngles(triangles, nearRanges, nearStarts[cell]!, nearStarts[cell + 1]!, x, y, z, sum);
    }
    values[i] = sum[0]!;
    bounds[i] = sum[1]!;
  }
  return { values, bounds };
}

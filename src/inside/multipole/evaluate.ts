/**
 * Evaluation of the fast multipole double-layer potential in float64 (eq. 20): L2P and the exact near field, points
 * sorted by the leaf that they are in.
 */

import { sortOrder } from '../morton.ts';
import { addSolidAngles, localAxes, type PotentialValues } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import { BOUND_NODES, boundAt, CELL_RADIUS } from './bounds.ts';
import { MULTIPOLE_ROUNDING } from './constants.ts';
import type { MultipoleField } from './field.ts';
import { coefficientCount } from './harmonics.ts';
import type { EvaluationTree } from './lists.ts';
import { evaluateLocal } from './operators.ts';
import { type ClusterField, OutsideSum } from './outside.ts';
import { cellCentre, type RootCell } from './tree.ts';

/** The leaf that a point is in; -1 for a point outside the root's cube. */
export function leafOf(
  tree: Pick<EvaluationTree, 'firstChildren' | 'cells'>,
  root: RootCell,
  x: number,
  y: number,
  z: number,
): number {
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

/** What the evaluation needs of a field. */
export interface EvaluatedField
  extends Pick<MultipoleField, 'p' | 'd' | 'closed' | 'locals' | 'bounds'>,
    ClusterField {
  readonly surface: Pick<Surface, 'frame'>;
  readonly evaluation: Pick<
    EvaluationTree,
    'levels' | 'cells' | 'firstChildren' | 'nearStarts' | 'nearRanges'
  >;
}

/**
 * J of points with its bound. Outside the tree's cube J of a closed surface is 0, that of others a sum over clusters.
 *
 * @param points `[x, y, z]` per point, as they are in the mesh's file
 */
export function evaluateMultipole(field: EvaluatedField, points: Float32Array): PotentialValues {
  const { source, evaluation, p, locals, bounds: leafBounds } = field;
  const { root, triangles } = source;
  const { levels, cells, nearStarts, nearRanges } = evaluation;
  const rows = coefficientCount(p);
  const count = points.length / 3;
  const values = new Float64Array(count);
  const bounds = new Float64Array(count);
  const harmonics = new Float64Array(rows);
  const sum = new Float64Array(2);
  const clusters = new OutsideSum(field, field.d);
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
      if (!field.closed) clusters.add(x, y, z, sum);
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

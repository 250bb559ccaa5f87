/** Principal axes of an inertia tensor. */
import { quatd } from 'wgpu-matrix';
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';

export interface PrincipalAxes {
  /** Moments about the axes. */
  readonly moments: Vector3;
  /** Unit quaternion that turns the principal frame into the frame of the tensor. */
  readonly rotation: Float64Array;
}

/** Sweeps of Jacobi's method: it converges quadratically, and five are enough for 3 x 3. */
const SWEEPS = 12;

/** Jacobi's method for a symmetric matrix. Diagonal ones keep their axes. */
export function principalAxes(inertia: Matrix3): PrincipalAxes {
  const a = inertia.map((row) => Array.from(row));
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const off = a[p]![q]!;
      if (off === 0) continue;
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * off);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (const matrix of [a, axes]) {
        for (const row of matrix) [row[p], row[q]] = [c * row[p]! - s * row[q]!, s * row[p]! + c * row[q]!];
      }
      for (let k = 0; k < 3; k++) {
        [a[p]![k], a[q]![k]] = [c * a[p]![k]! - s * a[q]![k]!, s * a[p]![k]! + c * a[q]![k]!];
      }
    }
  }
  // Turns of turns: the axes are right-handed. wgpu-matrix has columns of four numbers.
  const [x, y, z] = axes as [number[], number[], number[]];
  const matrix = [x[0]!, y[0]!, z[0]!, 0, x[1]!, y[1]!, z[1]!, 0, x[2]!, y[2]!, z[2]!, 0];
  const rotation = quatd.normalize(quatd.fromMat(Float64Array.from(matrix) as never));
  return { moments: [a[0]![0]!, a[1]![1]!, a[2]![2]!], rotation: Float64Array.from(rotation) };
}

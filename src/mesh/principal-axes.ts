/** Principal axes of an inertia tensor, and of any symmetric matrix. */
import { quatd } from 'wgpu-matrix';
import type { Matrix3, Vector3 } from './mass-properties.ts';

export interface PrincipalAxes {
  /** Moments about the axes. */
  readonly moments: Vector3;
  /** Unit quaternion that turns the principal frame into the frame of the tensor. */
  readonly rotation: Float64Array;
}

/** Sweeps of Jacobi's method, at most: it converges quadratically, and ends when nothing is left to turn. */
const SWEEPS = 12;

/** Jacobi's method for a symmetric matrix. Diagonal ones keep their axes. */
export function principalAxes(inertia: Matrix3): PrincipalAxes {
  const a = Float64Array.from(inertia.flat());
  const axes = new Float64Array(9);
  turnToDiagonal(a, axes, SWEEPS);
  // Turns of turns: the axes are right-handed. wgpu-matrix has columns of four numbers.
  const matrix = Float64Array.from({ length: 12 }, (_, i) =>
    i % 4 === 3 ? 0 : axes[Math.floor(i / 4) + 3 * (i % 4)]!,
  );
  const rotation = quatd.normalize(quatd.fromMat(matrix as never));
  return { moments: [a[0]!, a[4]!, a[8]!], rotation: Float64Array.from(rotation) };
}

/**
 * Turns the axes of a symmetric matrix so that it becomes diagonal, by Jacobi's method. A sweep fewer than it takes
 * leaves axes that are a little off, and still at right angles.
 *
 * @param a `[9]`: becomes diagonal
 * @param axes `[9]`: gets the axes as columns, right-handed, in the order of the diagonal
 */
export function turnToDiagonal(a: Float64Array, axes: Float64Array, sweeps: number): void {
  axes.fill(0);
  axes[0] = 1;
  axes[4] = 1;
  axes[8] = 1;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (a[1] === 0 && a[2] === 0 && a[5] === 0) return;
    turnPair(a, axes, 0, 1);
    turnPair(a, axes, 0, 2);
    turnPair(a, axes, 1, 2);
  }
}

/** Turns two axes so that the element of both becomes 0. */
function turnPair(a: Float64Array, axes: Float64Array, p: number, q: number): void {
  const off = a[3 * p + q]!;
  if (off === 0) return;
  const theta = (a[4 * q]! - a[4 * p]!) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const r = 3 - p - q;
  a[4 * p] = a[4 * p]! - t * off;
  a[4 * q] = a[4 * q]! + t * off;
  const x = a[3 * r + p]!;
  const y = a[3 * r + q]!;
  a[3 * p + q] = 0;
  a[3 * q + p] = 0;
  a[3 * r + p] = c * x - s * y;
  a[3 * p + r] = a[3 * r + p]!;
  a[3 * r + q] = s * x + c * y;
  a[3 * q + r] = a[3 * r + q]!;
  for (let row = 0; row < 9; row += 3) {
    const u = axes[row + p]!;
    const v = axes[row + q]!;
    axes[row + p] = c * u - s * v;
    axes[row + q] = s * u + c * v;
  }
}

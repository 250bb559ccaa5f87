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
 * @param angle turns by less, in radians, are left out
 */
export function turnToDiagonal(a: Float64Array, axes: Float64Array, sweeps: number, angle = 0): void {
  // Numbers stay in registers: a loop over pairs of axes takes 1.4 times as long.
  let xx = a[0]!;
  let yy = a[4]!;
  let zz = a[8]!;
  let xy = a[1]!;
  let yz = a[5]!;
  let zx = a[2]!;
  let [ux, uy, uz] = [1, 0, 0];
  let [vx, vy, vz] = [0, 1, 0];
  let [wx, wy, wz] = [0, 0, 1];
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (xy === 0 && yz === 0 && zx === 0) break;
    // Axes u and v.
    if (isTurned(xy, yy - xx, angle)) {
      const t = tangentOf(xy, yy - xx);
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      xx -= t * xy;
      yy += t * xy;
      xy = 0;
      [zx, yz] = [c * zx - s * yz, s * zx + c * yz];
      [ux, vx] = [c * ux - s * vx, s * ux + c * vx];
      [uy, vy] = [c * uy - s * vy, s * uy + c * vy];
      [uz, vz] = [c * uz - s * vz, s * uz + c * vz];
    }
    // Axes u and w.
    if (isTurned(zx, zz - xx, angle)) {
      const t = tangentOf(zx, zz - xx);
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      xx -= t * zx;
      zz += t * zx;
      zx = 0;
      [xy, yz] = [c * xy - s * yz, s * xy + c * yz];
      [ux, wx] = [c * ux - s * wx, s * ux + c * wx];
      [uy, wy] = [c * uy - s * wy, s * uy + c * wy];
      [uz, wz] = [c * uz - s * wz, s * uz + c * wz];
    }
    // Axes v and w.
    if (isTurned(yz, zz - yy, angle)) {
      const t = tangentOf(yz, zz - yy);
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      yy -= t * yz;
      zz += t * yz;
      yz = 0;
      [xy, zx] = [c * xy - s * zx, s * xy + c * zx];
      [vx, wx] = [c * vx - s * wx, s * vx + c * wx];
      [vy, wy] = [c * vy - s * wy, s * vy + c * wy];
      [vz, wz] = [c * vz - s * wz, s * vz + c * wz];
    }
  }
  a[0] = xx;
  a[4] = yy;
  a[8] = zz;
  a[1] = a[3] = xy;
  a[5] = a[7] = yz;
  a[2] = a[6] = zx;
  axes[0] = ux;
  axes[1] = vx;
  axes[2] = wx;
  axes[3] = uy;
  axes[4] = vy;
  axes[5] = wy;
  axes[6] = uz;
  axes[7] = vz;
  axes[8] = wz;
}

/** Whether two axes are turned by more than an angle: by off / difference where that is small, and less elsewhere. */
function isTurned(off: number, difference: number, angle: number): boolean {
  return !(Math.abs(off) <= angle * Math.abs(difference));
}

/** Of the lesser angle by which two axes turn so that the element of both becomes 0. */
function tangentOf(off: number, difference: number): number {
  const theta = difference / (2 * off);
  return (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
}

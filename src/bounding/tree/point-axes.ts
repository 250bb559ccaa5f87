/** Principal axes of points. */
import { turnToDiagonal } from '../../mesh/principal-axes.ts';

/** Numbers of moments: mean, then sums of products of what points are off it, xx, yy, zz, xy, yz, zx. */
export const MOMENTS = 9;

/** Radians: axes that are off by less make boxes larger by 0.1 %. */
const ANGLE = 1e-3;

const matrix = new Float64Array(9);

/**
 * Writes the moments of points.
 *
 * @param points `[x, y, z]`, from number `begin` to before `end`
 */
export function writeMoments(
  points: Float32Array | Float64Array,
  begin: number,
  end: number,
  moments: Float64Array,
  to: number,
): void {
  // Sums are about one of the points: a small part far from the origin loses nothing.
  const ox = points[3 * begin]!;
  const oy = points[3 * begin + 1]!;
  const oz = points[3 * begin + 2]!;
  let x = 0;
  let y = 0;
  let z = 0;
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let yz = 0;
  let zx = 0;
  for (let p = 3 * begin; p < 3 * end; p += 3) {
    const dx = points[p]! - ox;
    const dy = points[p + 1]! - oy;
    const dz = points[p + 2]! - oz;
    x += dx;
    y += dy;
    z += dz;
    xx += dx * dx;
    yy += dy * dy;
    zz += dz * dz;
    xy += dx * dy;
    yz += dy * dz;
    zx += dz * dx;
  }
  const n = end - begin;
  moments[to] = ox + x / n;
  moments[to + 1] = oy + y / n;
  moments[to + 2] = oz + z / n;
  moments[to + 3] = xx - (x * x) / n;
  moments[to + 4] = yy - (y * y) / n;
  moments[to + 5] = zz - (z * z) / n;
  moments[to + 6] = xy - (x * y) / n;
  moments[to + 7] = yz - (y * z) / n;
  moments[to + 8] = zx - (z * x) / n;
}

/**
 * Finds the principal axes of points by their moments. Returns the axis along which they are spread the most.
 *
 * @param axes `[9]`: gets them as columns
 * @param sweeps of Jacobi's method
 */
export function axesOfMoments(moments: Float64Array, at: number, axes: Float64Array, sweeps: number): number {
  matrix[0] = moments[at + 3]!;
  matrix[4] = moments[at + 4]!;
  matrix[8] = moments[at + 5]!;
  matrix[1] = matrix[3] = moments[at + 6]!;
  matrix[5] = matrix[7] = moments[at + 7]!;
  matrix[2] = matrix[6] = moments[at + 8]!;
  turnToDiagonal(matrix, axes, sweeps, ANGLE);
  const [u, v, w] = [matrix[0]!, matrix[4]!, matrix[8]!];
  return u >= v ? (u >= w ? 0 : 2) : v >= w ? 1 : 2;
}

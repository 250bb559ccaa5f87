/** Principal axes of points. */
import { turnToDiagonal } from '../../mesh/principal-axes.ts';

/** Numbers of moments: mean, then sums of products of what points are off it, xx, yy, zz, xy, yz, zx. */
export const MOMENTS = 9;

/** Radians: axes that are off by less make boxes larger by 0.1 %. */
const ANGLE = 1e-3;

/** Of the matrix of moments: its 16th power. */
const SQUARINGS = 4;

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
 * Finds the principal axes of points by their moments.
 *
 * @param axes `[9]`: gets them as columns
 * @param sweeps of Jacobi's method
 */
export function axesOfMoments(moments: Float64Array, at: number, axes: Float64Array, sweeps: number): void {
  matrix[0] = moments[at + 3]!;
  matrix[4] = moments[at + 4]!;
  matrix[8] = moments[at + 5]!;
  matrix[1] = matrix[3] = moments[at + 6]!;
  matrix[5] = matrix[7] = moments[at + 7]!;
  matrix[2] = matrix[6] = moments[at + 8]!;
  turnToDiagonal(matrix, axes, sweeps, ANGLE);
}

/**
 * Writes the axis along which points are spread the most, of any length: a column of a high power of the matrix of
 * moments, where it outgrows the others. Of axes along which points are spread about alike it is one in between.
 *
 * @param axis `[3]`
 */
export function writeLongestAxis(moments: Float64Array, at: number, axis: Float64Array): void {
  let xx = moments[at + 3]!;
  let yy = moments[at + 4]!;
  let zz = moments[at + 5]!;
  let xy = moments[at + 6]!;
  let yz = moments[at + 7]!;
  let zx = moments[at + 8]!;
  const trace = xx + yy + zz;
  // Powers of what has the trace 1 do not overflow, and that of the 16th is 7e-8 or more.
  const scale = trace > 0 ? 1 / trace : 0;
  xx *= scale;
  yy *= scale;
  zz *= scale;
  xy *= scale;
  yz *= scale;
  zx *= scale;
  for (let squaring = 0; squaring < SQUARINGS; squaring++) {
    const uu = xx * xx + xy * xy + zx * zx;
    const vv = xy * xy + yy * yy + yz * yz;
    const ww = zx * zx + yz * yz + zz * zz;
    const uv = xx * xy + xy * yy + zx * yz;
    const vw = xy * zx + yy * yz + yz * zz;
    const wu = zx * xx + yz * xy + zz * zx;
    xx = uu;
    yy = vv;
    zz = ww;
    xy = uv;
    yz = vw;
    zx = wu;
  }
  const isX = xx >= yy && xx >= zz;
  const isY = !isX && yy >= zz;
  axis[0] = isX ? xx : isY ? xy : zx;
  axis[1] = isX ? xy : isY ? yy : yz;
  axis[2] = isX ? zx : isY ? yz : zz;
}

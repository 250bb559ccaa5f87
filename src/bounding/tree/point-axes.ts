/** Principal axes of points. */
import { turnToDiagonal } from '../../mesh/principal-axes.ts';

const moments = new Float64Array(9);

/**
 * Finds the mean and the principal axes of points. Returns the axis along which they are spread the most.
 *
 * @param points `[x, y, z]`, from number `begin` to before `end`
 * @param axes `[9]`: gets them as columns
 * @param mean `[3]`: gets it
 * @param sweeps of Jacobi's method
 * @param step one point in so many is looked at
 */
export function axesOfPoints(
  points: Float32Array | Float64Array,
  begin: number,
  end: number,
  axes: Float64Array,
  mean: Float64Array,
  sweeps: number,
  step = 1,
): number {
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
  for (let p = 3 * begin; p < 3 * end; p += 3 * step) {
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
  const n = Math.ceil((end - begin) / step);
  moments[0] = xx - (x * x) / n;
  moments[4] = yy - (y * y) / n;
  moments[8] = zz - (z * z) / n;
  moments[1] = xy - (x * y) / n;
  moments[5] = yz - (y * z) / n;
  moments[2] = zx - (z * x) / n;
  moments[3] = moments[1]!;
  moments[7] = moments[5]!;
  moments[6] = moments[2]!;
  mean[0] = ox + x / n;
  mean[1] = oy + y / n;
  mean[2] = oz + z / n;
  turnToDiagonal(moments, axes, sweeps);
  const [u, v, w] = [moments[0]!, moments[4]!, moments[8]!];
  return u >= v ? (u >= w ? 0 : 2) : v >= w ? 1 : 2;
}

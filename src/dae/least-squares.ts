/** Linear equations that may be too few, or say the same twice. */
import { type Matrix, SingularValueDecomposition } from 'ml-matrix';

/**
 * The shortest solution of fewest squares.
 *
 * @param least singular values up to this share of the largest one, or of `size`, count as none and are left out
 * @param size of a usual row, where one is known
 */
export function leastSquares(matrix: Matrix, right: Float64Array, least: number, size = 0): Float64Array {
  const svd = new SingularValueDecomposition(matrix, { autoTranspose: true });
  const [u, v, values] = [svd.leftSingularVectors, svd.rightSingularVectors, svd.diagonal];
  const out = new Float64Array(matrix.columns);
  const bound = least * Math.max(size, ...values);
  values.forEach((value, k) => {
    if (!(value > bound)) return;
    let along = 0;
    for (let i = 0; i < matrix.rows; i++) along += u.get(i, k) * right[i]!;
    for (let j = 0; j < matrix.columns; j++) out[j]! += (along / value) * v.get(j, k);
  });
  return out;
}

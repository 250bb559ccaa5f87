/**
 * Translation tables of the solid harmonics, dense matrices for one offset: eqs. 23 (M2M) and 25 (L2L) share the
 * addition theorem of R, eq. 24 (M2L) is that of S. The theorems hold for the paper's complex harmonics with signs
 * that are powers of i (docs/multipole.md, "Translations"); here they are taken to real form.
 */
import {
  coefficientCount,
  irregularFactor,
  irregularHarmonics,
  regularFactor,
  regularHarmonics,
} from './harmonics.ts';

/** i^(|t| + |m - t| - |m|): that exponent is 0 or twice the smaller of two orders of opposite sign. */
function sign(t: number, rest: number, m: number): number {
  return (Math.abs(t) + Math.abs(rest) - Math.abs(m)) % 4 === 0 ? 1 : -1;
}

/** The paper's complex harmonic (n, m), also for m < 0 (its conjugate), from Schmidt's real ones. */
class Harmonics {
  readonly #values: Float64Array;
  readonly #factor: (n: number, m: number) => number;
  re = 0;
  im = 0;

  constructor(values: Float64Array, factor: (n: number, m: number) => number) {
    this.#values = values;
    this.#factor = factor;
  }

  /** Sets `re` and `im` to the value of (n, m) times `scale`; 0 where |m| > n. */
  read(n: number, m: number, scale: number): void {
    const order = Math.abs(m);
    if (order > n) {
      this.re = 0;
      this.im = 0;
      return;
    }
    const f = scale / this.#factor(n, order);
    this.re = f * this.#values[n * n + n + order]!;
    this.im = m === 0 ? 0 : Math.sign(m) * f * this.#values[n * n + n - order]!;
  }
}

/**
 * The matrix A with R_i(z + e) = sum over j of A_ij R_j(z), degrees 0 .. degree, row by row: exact, lower triangular
 * in degrees. Moments about a centre moved by -e are A times the old ones; a local expansion about a centre moved by
 * e is A^T times the old one.
 */
export function regularTranslation(degree: number, e: readonly number[]): Float64Array {
  const size = coefficientCount(degree);
  const matrix = new Float64Array(size * size);
  const values = new Float64Array(size);
  regularHarmonics(degree, e[0]!, e[1]!, e[2]!, values);
  const harmonics = new Harmonics(values, regularFactor);
  for (let n = 0; n <= degree; n++) {
    for (let m = 0; m <= n; m++) {
      const cosines = size * (n * n + n + m);
      const sines = size * (n * n + n - m);
      for (let s = 0; s <= n; s++) {
        for (let t = 0; t <= s; t++) {
          const f = regularFactor(n, m) / regularFactor(s, t);
          const column = s * s + s;
          harmonics.read(n - s, m - t, f * sign(t, m - t, m));
          const { re, im } = harmonics;
          if (t === 0) {
            matrix[cosines + column] = re;
            if (m > 0) matrix[sines + column] = im;
            continue;
          }
          harmonics.read(n - s, m + t, f * sign(-t, m + t, m));
          matrix[cosines + column + t] = re + harmonics.re;
          matrix[cosines + column - t] = harmonics.im - im;
          if (m === 0) continue;
          matrix[sines + column + t] = im + harmonics.im;
          matrix[sines + column - t] = re - harmonics.re;
        }
      }
    }
  }
  return matrix;
}

/**
 * The matrix T with which local coefficients of degrees 0 .. p about a centre are T times moments of degrees 1 .. q
 * about another: sum over j of S_j(D + x) M_j = sum over i of R_i(x) (T M)_i as p grows, with D from the moments'
 * centre to the local one. Row by row, `(p + 1)^2` rows of `(q + 1)^2 - 1`: double layers have no moment of degree 0.
 */
export function irregularTranslation(p: number, q: number, offset: readonly number[]): Float64Array {
  const columns = coefficientCount(q) - 1;
  const matrix = new Float64Array(coefficientCount(p) * columns);
  const values = new Float64Array(coefficientCount(p + q));
  irregularHarmonics(p + q, offset[0]!, offset[1]!, offset[2]!, values);
  const harmonics = new Harmonics(values, irregularFactor);
  for (let s = 0; s <= p; s++) {
    for (let t = 0; t <= s; t++) {
      const cosines = columns * (s * s + s + t) - 1;
      const sines = columns * (s * s + s - t) - 1;
      for (let n = 1; n <= q; n++) {
        for (let m = 0; m <= n; m++) {
          const f = ((s % 2 === 0 ? 1 : -1) * irregularFactor(n, m)) / regularFactor(s, t);
          const column = n * n + n;
          harmonics.read(n + s, m + t, f * sign(t, m, m + t));
          const { re, im } = harmonics;
          if (t === 0) {
            matrix[cosines + column + m] = re;
            if (m > 0) matrix[cosines + column - m] = im;
            continue;
          }
          harmonics.read(n + s, m - t, f * sign(-t, m, m - t));
          matrix[cosines + column + m] = re + harmonics.re;
          matrix[sines + column + m] = im - harmonics.im;
          if (m === 0) continue;
          matrix[cosines + column - m] = im + harmonics.im;
          matrix[sines + column - m] = harmonics.re - re;
        }
      }
    }
  }
  return matrix;
}

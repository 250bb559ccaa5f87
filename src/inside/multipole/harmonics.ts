/**
 * Real solid harmonics R and S, eqs. 14 and 15 of Muth et al., in Schmidt's normalisation:
 *
 *     1 / |x - y| = sum over n, m of R_nm(x) S_nm(y) for |x| < |y|,   S_nm(y) = R_nm(y) / |y|^(2 n + 1),
 *     sum over m of R_nm(x)^2 = |x|^(2 n).
 *
 * The second line is what makes the sums of squares of coefficients into sharp error bounds, and keeps float32 away
 * from factorials. Coefficient (n, m) stands at n^2 + n + m: cosines of m phi at m >= 0, sines of |m| phi at m < 0.
 * How these are made of the paper's complex ones stands in docs/multipole.md, "Harmonics".
 */

/** Highest degree of any series: M2L meets the sum of its two degrees. */
const MOST_HARMONIC_DEGREE = 24;

/** Number of coefficients of degrees 0 .. degree. */
export function coefficientCount(degree: number): number {
  return (degree + 1) ** 2;
}

const SIDE = MOST_HARMONIC_DEGREE + 1;
/** R_mm from R_(m-1)(m-1): sqrt((2 m - 1) / (2 m)), but 1 for m = 1. */
const diagonal = new Float64Array(SIDE);
/** R_nm = above z R_(n-1)m - below |x|^2 R_(n-2)m, at `SIDE * n + m`. */
const above = new Float64Array(SIDE * SIDE);
const below = new Float64Array(SIDE * SIDE);
/** Schmidt's factors: of R over the paper's R, at `SIDE * n + m`; that of S is `w_m / factor`. */
const schmidt = new Float64Array(SIDE * SIDE);

const factorial = new Float64Array(2 * SIDE).fill(1);
for (let i = 1; i < factorial.length; i++) factorial[i] = i * factorial[i - 1]!;
for (let n = 0; n < SIDE; n++) {
  diagonal[n] = n < 2 ? 1 : Math.sqrt((2 * n - 1) / (2 * n));
  for (let m = 0; m <= n; m++) {
    schmidt[SIDE * n + m] = Math.sqrt((m === 0 ? 1 : 2) * factorial[n - m]! * factorial[n + m]!);
    if (m === n) continue;
    above[SIDE * n + m] = (2 * n - 1) / Math.sqrt(n * n - m * m);
    below[SIDE * n + m] = Math.sqrt(((n - 1) ** 2 - m * m) / (n * n - m * m));
  }
}

/** Schmidt's R over the paper's, which is sqrt(w_m (n - m)! (n + m)!), w_0 = 1, else 2; m >= 0. */
export function regularFactor(n: number, m: number): number {
  return schmidt[SIDE * n + m]!;
}

/** Schmidt's S over the paper's, which is sqrt(w_m / ((n - m)! (n + m)!)); m >= 0. */
export function irregularFactor(n: number, m: number): number {
  return (m === 0 ? 1 : 2) / schmidt[SIDE * n + m]!;
}

/** Factors of R's recurrence, above, m >= 0: `[above, below, diagonal]`, the last of R_mm; 0 where there is none. */
export function recurrenceFactors(n: number, m: number): [number, number, number] {
  return [above[SIDE * n + m]!, below[SIDE * n + m]!, diagonal[m]!];
}

/** R_nm at (x, y, z), degrees 0 .. degree, into `out` from 0 on. */
export function regularHarmonics(degree: number, x: number, y: number, z: number, out: Float64Array): void {
  const square = x * x + y * y + z * z;
  let cosine = 1;
  let sine = 0;
  for (let m = 0; m <= degree; m++) {
    if (m > 0) {
      const f = diagonal[m]!;
      const next = f * (x * cosine - y * sine);
      sine = f * (x * sine + y * cosine);
      cosine = next;
    }
    let [c, s, olderC, olderS] = [cosine, sine, 0, 0];
    out[m * m + 2 * m] = c;
    if (m > 0) out[m * m] = s;
    for (let n = m + 1; n <= degree; n++) {
      const a = above[SIDE * n + m]! * z;
      const b = below[SIDE * n + m]! * square;
      const newC = a * c - b * olderC;
      olderC = c;
      c = newC;
      out[n * n + n + m] = c;
      if (m === 0) continue;
      const newS = a * s - b * olderS;
      olderS = s;
      s = newS;
      out[n * n + n - m] = s;
    }
  }
}

/** S_nm at (x, y, z), not the origin, degrees 0 .. degree, into `out` from 0 on. */
export function irregularHarmonics(degree: number, x: number, y: number, z: number, out: Float64Array): void {
  regularHarmonics(degree, x, y, z, out);
  const square = x * x + y * y + z * z;
  let factor = 1 / Math.sqrt(square);
  for (let n = 0; n <= degree; n++) {
    for (let i = n * n; i < (n + 1) ** 2; i++) out[i]! *= factor;
    factor /= square;
  }
}

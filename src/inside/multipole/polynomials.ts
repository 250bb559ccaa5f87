/**
 * Homogeneous polynomials in x, y, z as lists of coefficients: by descending powers of x, then of y. Tables of where
 * their products, derivatives and harmonic parts stand.
 */

/** Highest degree. */
export const MOST_POLYNOMIAL_DEGREE = 6;

const DEGREES = Array.from({ length: MOST_POLYNOMIAL_DEGREE + 1 }, (_, n) => n);
/** Exponents of x, y, z of the coefficients, by degree. */
const MONOMIALS = DEGREES.map((n) => {
  const all: (readonly [number, number, number])[] = [];
  for (let i = n; i >= 0; i--) for (let j = n - i; j >= 0; j--) all.push([i, j, n - i - j]);
  return all;
});
const DOUBLE_FACTORIALS = [1, 1];
for (let n = 2; n <= 2 * MOST_POLYNOMIAL_DEGREE; n++) DOUBLE_FACTORIALS.push(n * DOUBLE_FACTORIALS[n - 2]!);

/** n (n - 2) (n - 4) ..., written n!!, up to twice the highest degree; of -1 it is 1. */
export function doubleFactorial(n: number): number {
  return n < 0 ? 1 : DOUBLE_FACTORIALS[n]!;
}

const FACTORIALS = DEGREES.map((n) => doubleFactorial(n) * doubleFactorial(n - 1));

/** Where the coefficient of a power of x times y^j z^k stands. */
const placeOf = (j: number, k: number) => ((j + k) * (j + k + 1)) / 2 + k;

/** Number of coefficients. */
export const polynomialSize = (degree: number) => ((degree + 1) * (degree + 2)) / 2;

/** First coefficient of each degree where polynomials of degrees 1, 2, .. stand one behind the other. */
export const POLYNOMIAL_STARTS = DEGREES.map((n) => polynomialSizes(n - 1));

/** Number of coefficients of the polynomials of degrees 1 .. n together. */
export function polynomialSizes(n: number): number {
  return n < 1 ? 0 : polynomialSize(n) + polynomialSizes(n - 1);
}

/** Per degree n, where x^2, y^2 and z^2 times each monomial of degree n - 2 stand, three each. */
const TWICE_RAISED = MONOMIALS.map((_, n) =>
  Uint8Array.from(
    (MONOMIALS[n - 2] ?? []).flatMap(([, j, k]) => [placeOf(j, k), placeOf(j + 2, k), placeOf(j, k + 2)]),
  ),
);
/** The factors that second derivatives of those put before the monomials of degree n - 2. */
const DERIVED = MONOMIALS.map((_, n) =>
  Uint8Array.from(
    (MONOMIALS[n - 2] ?? []).flatMap((powers) => powers.map((power) => (power + 2) * (power + 1))),
  ),
);
/** Products of the exponents' factorials. */
const WEIGHTS = MONOMIALS.map((all) =>
  Float64Array.from(all, (powers) => powers.reduce((c, k) => c * FACTORIALS[k]!, 1)),
);

/**
 * Puts (x ex + y ey + z ez) times a polynomial of degree n, plus another of degree n + 1, into one of degree n + 1,
 * which may be that other one, but not the first.
 */
export function raise(
  n: number,
  from: Float64Array,
  fromAt: number,
  ex: number,
  ey: number,
  ez: number,
  other: Float64Array,
  otherAt: number,
  into: Float64Array,
  intoAt: number,
): void {
  // Rows have equal powers of x. Times x a coefficient stays where it is; times y or z it goes to the row below.
  into[intoAt] = other[otherAt]! + ex * from[fromAt]!;
  let above = fromAt;
  let start = 1;
  for (let r = 1; r <= n; r++) {
    const own = fromAt + start;
    const beside = otherAt + start;
    const to = intoAt + start;
    into[to] = other[beside]! + ex * from[own]! + ey * from[above]!;
    for (let j = 1; j < r; j++)
      into[to + j] =
        other[beside + j]! + ex * from[own + j]! + ey * from[above + j]! + ez * from[above + j - 1]!;
    into[to + r] = other[beside + r]! + ex * from[own + r]! + ez * from[above + r - 1]!;
    above = own;
    start += r + 1;
  }
  const beside = otherAt + start;
  const to = intoAt + start;
  into[to] = other[beside]! + ey * from[above]!;
  for (let j = 1; j <= n; j++)
    into[to + j] = other[beside + j]! + ey * from[above + j]! + ez * from[above + j - 1]!;
  into[to + n + 1] = other[beside + n + 1]! + ez * from[above + n]!;
}

/** Room for the Laplacians of a polynomial, and theirs. */
const LAPLACIANS = DEGREES.slice(0, 4).map(() => new Float64Array(polynomialSize(MOST_POLYNOMIAL_DEGREE)));

/**
 * Takes from a polynomial P of degree n what harmonic functions do not see:
 *
 *     H = sum over k of (-1)^k |x|^2k Laplacian^k P (2n - 2k - 1)!! / ((2k)!! (2n - 1)!!).
 */
export function makeHarmonic(n: number, polynomial: Float64Array, at: number): void {
  const half = n >> 1;
  for (let k = 1; k <= half; k++) {
    const [from, fromAt] = k === 1 ? [polynomial, at] : [LAPLACIANS[k - 1]!, 0];
    takeLaplacian(n - 2 * k + 2, from, fromAt, LAPLACIANS[k]!);
  }
  for (let k = half; k >= 1; k--) {
    const own = LAPLACIANS[k]!;
    const size = polynomialSize(n - 2 * k);
    const f =
      ((k % 2 === 0 ? 1 : -1) * doubleFactorial(2 * (n - k) - 1)) /
      (doubleFactorial(2 * k) * doubleFactorial(2 * n - 1));
    for (let i = 0; i < size; i++) own[i]! *= f;
    if (k < half) addSquared(n - 2 * k, LAPLACIANS[k + 1]!, own, 0);
  }
  if (half > 0) addSquared(n, LAPLACIANS[1]!, polynomial, at);
}

function takeLaplacian(n: number, from: Float64Array, fromAt: number, into: Float64Array): void {
  const [places, factors] = [TWICE_RAISED[n]!, DERIVED[n]!];
  for (let i = 0, k = 0; k < places.length; i++, k += 3) {
    into[i] =
      factors[k]! * from[fromAt + places[k]!]! +
      factors[k + 1]! * from[fromAt + places[k + 1]!]! +
      factors[k + 2]! * from[fromAt + places[k + 2]!]!;
  }
}

/** Adds (x^2 + y^2 + z^2) times a polynomial of degree n - 2 to one of degree n. */
function addSquared(n: number, from: Float64Array, into: Float64Array, at: number): void {
  const places = TWICE_RAISED[n]!;
  for (let k = 0; k < places.length; k++) into[at + places[k]!]! += from[Math.floor(k / 3)]!;
}

/**
 * The largest value that a harmonic polynomial H of degree n may have on the unit sphere: |H|^2 there is at most 2n + 1
 * times its mean. That is the sum of its squared coefficients, times the factorials of their exponents, over
 * (2n + 1)!!.
 */
export function largestOnSphere(n: number, polynomial: Float64Array, at: number): number {
  const weights = WEIGHTS[n]!;
  let most = 0;
  for (let i = 0; i < weights.length; i++) most = Math.max(most, Math.abs(polynomial[at + i]!));
  if (most === 0) return 0;
  // Squares of the coefficients of a tiny cluster would be 0.
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * (polynomial[at + i]! / most) ** 2;
  return most * Math.sqrt(sum / doubleFactorial(2 * n - 1));
}

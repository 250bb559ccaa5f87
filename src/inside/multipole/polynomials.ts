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
/** n (n - 2) (n - 4) ..., written n!!. */
export function doubleFactorial(n: number): number {
  return n < 2 ? 1 : n * doubleFactorial(n - 2);
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

/** Per degree n, where x, y and z times each monomial of degree n stand in degree n + 1, three each. */
const RAISED = MONOMIALS.slice(0, -1).map((all) =>
  Uint8Array.from(all.flatMap(([, j, k]) => [placeOf(j, k), placeOf(j + 1, k), placeOf(j, k + 1)])),
);
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

/** Adds (x ex + y ey + z ez) times a polynomial of degree n to one of degree n + 1. */
export function addRaised(
  n: number,
  from: Float64Array,
  fromAt: number,
  ex: number,
  ey: number,
  ez: number,
  into: Float64Array,
  intoAt: number,
): void {
  const raised = RAISED[n]!;
  for (let i = 0, k = 0; k < raised.length; i++, k += 3) {
    const c = from[fromAt + i]!;
    into[intoAt + raised[k]!]! += c * ex;
    into[intoAt + raised[k + 1]!]! += c * ey;
    into[intoAt + raised[k + 2]!]! += c * ez;
  }
}

/** (x ex + y ey + z ez) times a polynomial of degree n - 1, plus another of degree n where there is one. */
export function raiseInto(
  n: number,
  from: Float64Array,
  ex: number,
  ey: number,
  ez: number,
  added: Float64Array | undefined,
  into: Float64Array,
): void {
  if (added === undefined) into.fill(0);
  else for (let i = 0; i < into.length; i++) into[i] = added[i]!;
  addRaised(n - 1, from, 0, ex, ey, ez, into, 0);
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
      ((-1) ** k * doubleFactorial(2 * (n - k) - 1)) / (doubleFactorial(2 * k) * doubleFactorial(2 * n - 1));
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

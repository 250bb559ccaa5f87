/**
 * Quadrature on a triangle that is exact for polynomials of a given degree: the conical product of two Gauss rules.
 * With corners a, b, c and the point a + u (b - a) + (1 - u) v (c - a), the integral over the triangle is twice its
 * area times
 *
 *     integral over u of (1 - u) integral over v of f du dv,
 *
 * a polynomial of the same degree in u and in v, so k points in each direction are exact to degree 2 k - 1: Gauss's
 * rule for the weight 1 - u in u, and Gauss's own in v. All weights are positive, all points inside. For degrees 4
 * and 5 there is a smaller rule.
 */

export interface TriangleRule {
  /** Highest degree of polynomials that the rule integrates exactly. */
  readonly degree: number;
  /** `[u, v, w]` per point: the point is a + u (b - a) + v (c - a), the weights w add up to 1. */
  readonly points: Float64Array;
}

/** Coefficients of the monic orthogonal polynomials p_(j+1) = (x - a_j) p_j - b_j p_(j-1). */
interface Recurrence {
  readonly a: (j: number) => number;
  readonly b: (j: number) => number;
  /** Integral of the weight. */
  readonly total: number;
}

/** Legendre's polynomials moved to 0 .. 1, weight 1. */
const legendre: Recurrence = {
  a: () => 1 / 2,
  b: (j) => (j * j) / (4 * (4 * j * j - 1)),
  total: 1,
};

/** Jacobi's (1, 0) moved to 0 .. 1, weight 1 - x. */
const jacobi: Recurrence = {
  a: (j) => 1 / 2 - 1 / (2 * (2 * j + 1) * (2 * j + 3)),
  b: (j) => (j * (j + 1)) / (4 * (2 * j + 1) ** 2),
  total: 1 / 2,
};

/** p_n(x), and the sum of p_j(x)^2 / |p_j|^2 over j < n. */
function evaluate({ a, b, total }: Recurrence, n: number, x: number): { value: number; sum: number } {
  let [older, value, square, sum] = [0, 1, total, 0];
  for (let j = 0; j < n; j++) {
    sum += value ** 2 / square;
    const next = (x - a(j)) * value - (j === 0 ? 0 : b(j) * older);
    older = value;
    value = next;
    square *= b(j + 1);
  }
  return { value, sum };
}

/** Gauss's rule of k points: zeros of p_k, found between those of p_(k-1), and Christoffel's weights. */
function gauss(recurrence: Recurrence, k: number): { nodes: number[]; weights: number[] } {
  let nodes: number[] = [];
  for (let n = 1; n <= k; n++) {
    const ends = [0, ...nodes, 1];
    nodes = nodes.concat(0).map((_, i) => {
      let [low, high] = [ends[i]!, ends[i + 1]!];
      const rising = evaluate(recurrence, n, high).value > 0;
      // Halving until nothing lies between: as exact as float64 gets, and never astray.
      for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
        if (evaluate(recurrence, n, middle).value > 0 === rising) high = middle;
        else low = middle;
      }
      return (low + high) / 2;
    });
  }
  return { nodes, weights: nodes.map((x) => 1 / evaluate(recurrence, k, x).sum) };
}

/** Radon's rule of seven points, exact to degree 5, where a product of Gauss rules takes nine. */
function radonRule(): TriangleRule {
  const root = Math.sqrt(15);
  const [a, b] = [(6 - root) / 21, (6 + root) / 21];
  const [wa, wb] = [(155 - root) / 1200, (155 + root) / 1200];
  const around = (x: number, w: number) => [x, x, w, 1 - 2 * x, x, w, x, 1 - 2 * x, w];
  return { degree: 5, points: Float64Array.of(1 / 3, 1 / 3, 9 / 40, ...around(a, wa), ...around(b, wb)) };
}

/** A rule that is exact for polynomials of degree `degree` (0 or more) on any triangle. */
export function triangleRule(degree: number): TriangleRule {
  if (degree === 4 || degree === 5) return radonRule();
  const k = Math.floor(degree / 2) + 1;
  const outer = gauss(jacobi, k);
  const inner = gauss(legendre, k);
  const points = new Float64Array(3 * k * k);
  let at = 0;
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < k; j++) {
      const u = outer.nodes[i]!;
      points.set([u, (1 - u) * inner.nodes[j]!, 2 * outer.weights[i]! * inner.weights[j]!], at);
      at += 3;
    }
  }
  return { degree: 2 * k - 1, points };
}

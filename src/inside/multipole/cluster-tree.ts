/**
 * Clusters of triangles for sums without an evaluation tree: a binary tree along a Morton curve, with moments of
 * degrees 1 .. 4 about each cluster's centroid, in Cartesian form, and what bounds the rest of the series. Set up in
 * time linear in the triangles, but for the sorting. See docs/multipole.md, "Cluster sum".
 */
import { sortOrder } from '../morton.ts';
import { gatherTriangles } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import { CLUSTER_LEAF } from './constants.ts';
import { triangleRule } from './quadrature.ts';
import type { Steps } from './reference.ts';
import { centroidCodes, rootCell } from './tree.ts';

/** Numbers of a cluster in `places`: centre, square of the radius, cube root of the tail. */
export const PLACE_SIZE = 5;
/**
 * Coefficients of the polynomials of degree 1, 2, 3 and 4 in `moments`: by descending powers of x, then of y. They are
 * harmonic, with the factors that M2P needs.
 */
export const MOMENT_SIZE = 3 + 6 + 10 + 15;

/** Clusters in the order in which a walk from the root meets them. */
export interface ClusterTable {
  readonly places: Float64Array;
  readonly moments: Float64Array;
  /** The first cluster behind a cluster and all of its parts: the next one where it has none. */
  readonly next: Uint32Array;
  /** Triangles of cluster c are `firsts[c] .. lasts[c] - 1`. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
  /** Corners, nine coordinates per triangle, in the surface's local frame. */
  readonly triangles: Float64Array;
}

/** Triangles, or clusters, of a step. */
const STEP_SIZE = 4096;

/** Sets the clusters of a surface up. */
export function* setUpClusters(surface: Surface): Steps<ClusterTable> {
  const unsorted = centroidCodes(surface, rootCell(surface));
  yield 0.1;
  const order = sortOrder(unsorted);
  const codes = new Uint32Array(order.length);
  for (let t = 0; t < codes.length; t++) codes[t] = unsorted[order[t]!]!;
  yield 0.2;
  const triangles = gatherTriangles(surface, order);
  yield 0.3;
  const { next, firsts, lasts } = cutIntoClusters(codes);
  const builder = new MomentBuilder(next.length, triangles);
  let done = 0;
  for (let node = next.length - 1; node >= 0; node--) {
    // Parts come behind what they are parts of.
    if (next[node] === node + 1) builder.fromTriangles(node, firsts[node]!, lasts[node]!);
    else builder.fromParts(node, node + 1, next[node + 1]!, firsts[node]!, lasts[node]!);
    done += 1 + (next[node] === node + 1 ? lasts[node]! - firsts[node]! : 0);
    if (done < STEP_SIZE) continue;
    done = 0;
    yield 1 - 0.7 * (node / next.length);
  }
  return { ...builder.finish(), next, firsts, lasts, triangles };
}

/** Halves ranges of triangles where their codes differ first, down to CLUSTER_LEAF triangles. */
function cutIntoClusters(codes: Uint32Array): Pick<ClusterTable, 'next' | 'firsts' | 'lasts'> {
  const most = Math.max(0, 2 * codes.length - 1);
  const [next, firsts, lasts] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  let count = 0;
  const cut = (first: number, last: number): void => {
    const node = count++;
    firsts[node] = first;
    lasts[node] = last;
    if (last - first > CLUSTER_LEAF) {
      const middle = middleOf(codes, first, last);
      cut(first, middle);
      cut(middle, last);
    }
    next[node] = count;
  };
  if (codes.length > 0) cut(0, codes.length);
  return { next: next.slice(0, count), firsts: firsts.slice(0, count), lasts: lasts.slice(0, count) };
}

/** Where the highest bit changes in which codes of a range differ; its middle where all are equal. */
function middleOf(codes: Uint32Array, first: number, last: number): number {
  const different = codes[first]! ^ codes[last - 1]!;
  if (different === 0) return (first + last) >> 1;
  const bit = 1 << (31 - Math.clz32(different));
  let [low, high] = [first, last - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((codes[middle]! & bit) === 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const FACTORIAL = [1, 1, 2, 6, 24];
/** Exponents of x, y, z of a polynomial's coefficients, by degree. */
const MONOMIALS = [0, 1, 2, 3, 4].map((n) => {
  const all: (readonly [number, number, number])[] = [];
  for (let i = n; i >= 0; i--) for (let j = n - i; j >= 0; j--) all.push([i, j, n - i - j]);
  return all;
});
/** Where the coefficient of x^i y^j stands in a polynomial of degree n. */
const placeOf = (n: number, i: number, j: number) => ((n - i) * (n - i + 1)) / 2 + n - i - j;
/** Per degree n, where x, y and z times each monomial of degree n stand in degree n + 1, three each. */
const RAISED = MONOMIALS.map((all, n) =>
  Uint8Array.from(
    all.flatMap(([i, j]) => [placeOf(n + 1, i + 1, j), placeOf(n + 1, i, j + 1), placeOf(n + 1, i, j)]),
  ),
);
/** First coefficient of the polynomial of a degree, 1 .. 4, in a cluster's moments. */
const STARTS = [0, 0, 3, 9, 19];

/** Coefficients of the powers of x + y + z. */
const POWERS = MONOMIALS.map((all, n) =>
  Uint8Array.from(all.map((powers) => powers.reduce((c, k) => c / FACTORIAL[k]!, FACTORIAL[n]!))),
);

/** Adds f (x ex + y ey + z ez) times a polynomial of degree n to one of degree n + 1. */
function addRaised(
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

/** By what tails are raised: more than their rounding, that of centroids included. */
const TAIL_SLACK = 1 + 2 ** -20;
/** Of a cluster's area, about its centroid: area, integrals of d d (xx, xy, xz, yy, yz, zz), |d|^2 d, |d|^4. */
const SPREAD_SIZE = 11;

/**
 * Moments as polynomials in g: integrals of (n . g) (d . g)^(k - 1) / (k - 1)! for k = 1 .. 4, d a triangle's point
 * less the centre. Moved by e, they are sums of products with powers of e . g.
 */
class MomentBuilder {
  readonly #triangles: Float64Array;
  readonly #rule = triangleRule(4).points;
  readonly #places: Float64Array;
  readonly #moments: Float64Array;
  readonly #spreads: Float64Array;
  /** Integrals of the monomials of d of degrees 0 .. 3 over a triangle. */
  readonly #integrals = [1, 3, 6, 10].map((size) => new Float64Array(size));
  readonly #work = [0, 3, 6, 10].map((size) => new Float64Array(size));

  constructor(count: number, triangles: Float64Array) {
    this.#triangles = triangles;
    this.#places = new Float64Array(PLACE_SIZE * count);
    this.#moments = new Float64Array(MOMENT_SIZE * count);
    this.#spreads = new Float64Array(SPREAD_SIZE * count);
  }

  fromTriangles(node: number, first: number, last: number): void {
    const t = this.#triangles;
    let [area, x, y, z] = [0, 0, 0, 0];
    for (let a = 9 * first; a < 9 * last; a += 9) {
      const own = this.#areaOf(a);
      area += own;
      x += (own / 3) * (t[a]! + t[a + 3]! + t[a + 6]!);
      y += (own / 3) * (t[a + 1]! + t[a + 4]! + t[a + 7]!);
      z += (own / 3) * (t[a + 2]! + t[a + 5]! + t[a + 8]!);
    }
    // Triangles without area have no moments, but a place.
    if (area > 0) this.#place(node, x / area, y / area, z / area, first, last);
    else this.#place(node, t[9 * first]!, t[9 * first + 1]!, t[9 * first + 2]!, first, last);
    for (let a = 9 * first; a < 9 * last; a += 9) this.#addTriangle(node, a);
    this.#finishTail(node);
  }

  /** Moves the moments of two parts to their common centroid. */
  fromParts(node: number, left: number, right: number, first: number, last: number): void {
    const [places, spreads] = [this.#places, this.#spreads];
    const [a, b] = [spreads[SPREAD_SIZE * left]!, spreads[SPREAD_SIZE * right]!];
    const f = a + b > 0 ? b / (a + b) : 0.5;
    const [l, r] = [PLACE_SIZE * left, PLACE_SIZE * right];
    this.#place(
      node,
      places[l]! + f * (places[r]! - places[l]!),
      places[l + 1]! + f * (places[r + 1]! - places[l + 1]!),
      places[l + 2]! + f * (places[r + 2]! - places[l + 2]!),
      first,
      last,
    );
    this.#move(left, node);
    this.#move(right, node);
    this.#finishTail(node);
  }

  /** Area of the triangle whose corners begin there. */
  #areaOf(a: number): number {
    const t = this.#triangles;
    const ux = t[a + 3]! - t[a]!;
    const uy = t[a + 4]! - t[a + 1]!;
    const uz = t[a + 5]! - t[a + 2]!;
    const vx = t[a + 6]! - t[a]!;
    const vy = t[a + 7]! - t[a + 1]!;
    const vz = t[a + 8]! - t[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  }

  /** Centre and radius. */
  #place(node: number, x: number, y: number, z: number, first: number, last: number): void {
    const [places, t] = [this.#places, this.#triangles];
    let most = 0;
    for (let v = 9 * first; v < 9 * last; v += 3) {
      const dx = t[v]! - x;
      const dy = t[v + 1]! - y;
      const dz = t[v + 2]! - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square > most) most = square;
    }
    const at = PLACE_SIZE * node;
    places[at] = x;
    places[at + 1] = y;
    places[at + 2] = z;
    places[at + 3] = most;
  }

  #addTriangle(node: number, a: number): void {
    const [t, places, spreads, rule] = [this.#triangles, this.#places, this.#spreads, this.#rule];
    const [zero, one, two, three] = this.#integrals as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const p = PLACE_SIZE * node;
    const ax = t[a]! - places[p]!;
    const ay = t[a + 1]! - places[p + 1]!;
    const az = t[a + 2]! - places[p + 2]!;
    const ux = t[a + 3]! - t[a]!;
    const uy = t[a + 4]! - t[a + 1]!;
    const uz = t[a + 5]! - t[a + 2]!;
    const vx = t[a + 6]! - t[a]!;
    const vy = t[a + 7]! - t[a + 1]!;
    const vz = t[a + 8]! - t[a + 2]!;
    zero[0] = 1;
    one.fill(0);
    two.fill(0);
    three.fill(0);
    let fourth = 0;
    for (let i = 0; i < rule.length; i += 3) {
      const u = rule[i]!;
      const v = rule[i + 1]!;
      const w = rule[i + 2]!;
      const x = ax + u * ux + v * vx;
      const y = ay + u * uy + v * vy;
      const z = az + u * uz + v * vz;
      const wx = w * x;
      const wy = w * y;
      const wz = w * z;
      one[0]! += wx;
      one[1]! += wy;
      one[2]! += wz;
      const xx = wx * x;
      const xy = wx * y;
      const xz = wx * z;
      const yy = wy * y;
      const yz = wy * z;
      const zz = wz * z;
      two[0]! += xx;
      two[1]! += xy;
      two[2]! += xz;
      two[3]! += yy;
      two[4]! += yz;
      two[5]! += zz;
      three[0]! += xx * x;
      three[1]! += xx * y;
      three[2]! += xx * z;
      three[3]! += xy * y;
      three[4]! += xy * z;
      three[5]! += xz * z;
      three[6]! += yy * y;
      three[7]! += yy * z;
      three[8]! += yz * z;
      three[9]! += zz * z;
      const square = x * x + y * y + z * z;
      fourth += w * square * square;
    }
    const nx = (uy * vz - uz * vy) / 2;
    const ny = (uz * vx - ux * vz) / 2;
    const nz = (ux * vy - uy * vx) / 2;
    // The moments are those of a polynomial in d, times n; powers of d . g have multinomial coefficients.
    for (let i = 0; i < 6; i++) two[i]! *= POWERS[2]![i]!;
    for (let i = 0; i < 10; i++) three[i]! *= POWERS[3]![i]!;
    const m = MOMENT_SIZE * node;
    addRaised(0, zero, 0, nx, ny, nz, this.#moments, m);
    addRaised(1, one, 0, nx, ny, nz, this.#moments, m + 3);
    addRaised(2, two, 0, nx / 2, ny / 2, nz / 2, this.#moments, m + 9);
    addRaised(3, three, 0, nx / 6, ny / 6, nz / 6, this.#moments, m + 19);

    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const s = SPREAD_SIZE * node;
    spreads[s]! += area;
    spreads[s + 1]! += area * two[0]!;
    spreads[s + 2]! += (area / 2) * two[1]!;
    spreads[s + 3]! += (area / 2) * two[2]!;
    spreads[s + 4]! += area * two[3]!;
    spreads[s + 5]! += (area / 2) * two[4]!;
    spreads[s + 6]! += area * two[5]!;
    spreads[s + 7]! += area * (three[0]! + (three[3]! + three[5]!) / 3);
    spreads[s + 8]! += area * (three[6]! + (three[1]! + three[8]!) / 3);
    spreads[s + 9]! += area * (three[9]! + (three[2]! + three[7]!) / 3);
    spreads[s + 10]! += area * fourth;
  }

  /** Adds what a part's moments are about the whole's centre. */
  #move(part: number, whole: number): void {
    const [places, moments, spreads, work] = [this.#places, this.#moments, this.#spreads, this.#work];
    const [p, q] = [PLACE_SIZE * part, PLACE_SIZE * whole];
    const ex = places[p]! - places[q]!;
    const ey = places[p + 1]! - places[q + 1]!;
    const ez = places[p + 2]! - places[q + 2]!;
    const from = MOMENT_SIZE * part;
    const into = MOMENT_SIZE * whole;
    // Degree n: the part's, plus e . g / k times what is left of the degree below, k = n - 1 .. 1 from inside out.
    for (let n = 1; n <= 4; n++) {
      for (let i = STARTS[n]!, end = i + MONOMIALS[n]!.length; i < end; i++)
        moments[into + i]! += moments[from + i]!;
      let inner = moments;
      let innerAt = from;
      for (let k = 1; k < n; k++) {
        // What begins at degree k is divided by n - k on its way up to the next one.
        const f = 1 / (n - k);
        if (k === n - 1) {
          addRaised(k, inner, innerAt, ex * f, ey * f, ez * f, moments, into + STARTS[n]!);
          continue;
        }
        const outer = work[k + 1]!;
        const at = from + STARTS[k + 1]!;
        for (let i = 0; i < outer.length; i++) outer[i] = moments[at + i]!;
        addRaised(k, inner, innerAt, ex * f, ey * f, ez * f, outer, 0);
        inner = outer;
        innerAt = 0;
      }
    }
    const [s, o] = [SPREAD_SIZE * part, SPREAD_SIZE * whole];
    const area = spreads[s]!;
    const xx = spreads[s + 1]!;
    const xy = spreads[s + 2]!;
    const xz = spreads[s + 3]!;
    const yy = spreads[s + 4]!;
    const yz = spreads[s + 5]!;
    const zz = spreads[s + 6]!;
    const qx = spreads[s + 7]!;
    const qy = spreads[s + 8]!;
    const qz = spreads[s + 9]!;
    const square = ex * ex + ey * ey + ez * ez;
    const trace = xx + yy + zz;
    const sx = xx * ex + xy * ey + xz * ez;
    const sy = xy * ex + yy * ey + yz * ez;
    const sz = xz * ex + yz * ey + zz * ez;
    spreads[o]! += area;
    spreads[o + 1]! += xx + area * ex * ex;
    spreads[o + 2]! += xy + area * ex * ey;
    spreads[o + 3]! += xz + area * ex * ez;
    spreads[o + 4]! += yy + area * ey * ey;
    spreads[o + 5]! += yz + area * ey * ez;
    spreads[o + 6]! += zz + area * ez * ez;
    spreads[o + 7]! += qx + trace * ex + 2 * sx + area * square * ex;
    spreads[o + 8]! += qy + trace * ey + 2 * sy + area * square * ey;
    spreads[o + 9]! += qz + trace * ez + 2 * sz + area * square * ez;
    spreads[o + 10]! +=
      spreads[s + 10]! +
      4 * (ex * qx + ey * qy + ez * qz) +
      2 * square * trace +
      4 * (ex * sx + ey * sy + ez * sz) +
      area * square * square;
  }

  /** 5 / 4 pi times the integral of |d|^4, whose cube root is kept. */
  #finishTail(node: number): void {
    const tail = (5 / (4 * Math.PI)) * this.#spreads[SPREAD_SIZE * node + 10]!;
    this.#places[PLACE_SIZE * node + 4] = Math.cbrt(tail * TAIL_SLACK);
  }

  /** Takes from each polynomial what harmonic functions do not see, and puts the factors of M2P in. */
  finish(): Pick<ClusterTable, 'places' | 'moments'> {
    const moments = this.#moments;
    const f = 1 / (4 * Math.PI);
    for (let m = 0; m < moments.length; m += MOMENT_SIZE) {
      for (let i = 0; i < 3; i++) moments[m + i]! *= f;
      detrace2(moments, m + 3, -3 * f);
      detrace3(moments, m + 9, 15 * f);
      detrace4(moments, m + 19, -105 * f);
    }
    return { places: this.#places, moments };
  }
}

/** P - |x|^2 (Laplacian of P) / 6, times f. */
function detrace2(c: Float64Array, at: number, f: number): void {
  const third = (c[at]! + c[at + 3]! + c[at + 5]!) / 3;
  c[at]! -= third;
  c[at + 3]! -= third;
  c[at + 5]! -= third;
  for (let i = at; i < at + 6; i++) c[i]! *= f;
}

/** P - |x|^2 (Laplacian of P) / 10, times f. */
function detrace3(c: Float64Array, at: number, f: number): void {
  const lx = (6 * c[at]! + 2 * c[at + 3]! + 2 * c[at + 5]!) / 10;
  const ly = (2 * c[at + 1]! + 6 * c[at + 6]! + 2 * c[at + 8]!) / 10;
  const lz = (2 * c[at + 2]! + 2 * c[at + 7]! + 6 * c[at + 9]!) / 10;
  for (const i of [0, 3, 5]) c[at + i]! -= lx;
  for (const i of [1, 6, 8]) c[at + i]! -= ly;
  for (const i of [2, 7, 9]) c[at + i]! -= lz;
  for (let i = at; i < at + 10; i++) c[i]! *= f;
}

/** P - |x|^2 L / 14 + |x|^4 (Laplacian of L) / 280 of the Laplacian L of P, times f. */
function detrace4(c: Float64Array, at: number, f: number): void {
  const at4 = (i: number, j: number) => at + placeOf(4, i, j);
  const xx = 12 * c[at4(4, 0)]! + 2 * c[at4(2, 2)]! + 2 * c[at4(2, 0)]!;
  const yy = 2 * c[at4(2, 2)]! + 12 * c[at4(0, 4)]! + 2 * c[at4(0, 2)]!;
  const zz = 2 * c[at4(2, 0)]! + 2 * c[at4(0, 2)]! + 12 * c[at4(0, 0)]!;
  const xy = 6 * c[at4(3, 1)]! + 6 * c[at4(1, 3)]! + 2 * c[at4(1, 1)]!;
  const xz = 6 * c[at4(3, 0)]! + 2 * c[at4(1, 2)]! + 6 * c[at4(1, 0)]!;
  const yz = 2 * c[at4(2, 1)]! + 6 * c[at4(0, 3)]! + 6 * c[at4(0, 1)]!;
  const scalar = (2 * (xx + yy + zz)) / 280;
  // |x|^2 (scalar |x|^2 - L / 14): one polynomial of degree 2 times |x|^2.
  const q = [xx, xy, xz, yy, yz, zz].map((l, i) => (i === 0 || i === 3 || i === 5 ? scalar : 0) - l / 14);
  MONOMIALS[2]!.forEach(([i, j], n) => {
    c[at4(i + 2, j)]! += q[n]!;
    c[at4(i, j + 2)]! += q[n]!;
    c[at4(i, j)]! += q[n]!;
  });
  for (let i = at; i < at + 15; i++) c[i]! *= f;
}

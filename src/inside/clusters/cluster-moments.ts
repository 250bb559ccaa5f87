/**
 * Moments of clusters about their centroids, as polynomials in a direction g: integrals of
 *
 *     (n . g) (d . g)^(k - 1) / (k - 1)!,   k = 1 .. 6,
 *
 * d a triangle's point less the centre. Moved by e, they are sums of products with powers of e . g. Those of degrees 1
 * to 4 are kept, and of degrees 5 and 6 what they can come to. See docs/multipole.md, "Cluster sum".
 */
import { NORM_SLACK, TAIL_SLACK } from '../multipole/constants.ts';
import {
  doubleFactorial,
  largestOnSphere,
  MOST_POLYNOMIAL_DEGREE,
  makeHarmonic,
  POLYNOMIAL_STARTS,
  polynomialSize,
  polynomialSizes,
  raise,
} from '../multipole/polynomials.ts';

/** Degree of the moments that are kept. */
export const CLUSTER_DEGREE = 4;
/** Numbers of a cluster in `places`: centre, square of the radius, norms of degrees 5 and 6, bound of degree 7. */
export const PLACE_SIZE = 7;
/** Coefficients of a cluster in `moments`, harmonic, with the factors that M2P needs. */
export const MOMENT_SIZE = polynomialSizes(CLUSTER_DEGREE);

const ALL = polynomialSizes(MOST_POLYNOMIAL_DEGREE);
/** Where a record has what its area comes to: the area, integrals of d d, |d|^2 d and |d|^4. */
const [AREA, SQUARES, CUBES, FOURTH] = [ALL, ALL + 1, ALL + 7, ALL + 10];
/** Numbers of a cluster that those it is a part of are made from. */
export const RECORD_SIZE = FOURTH + 1;

/** 1 / (C(n + 2, 2) n!). */
const POWER_FACTORS = [1, 1 / 3, 1 / 12, 1 / 60, 1 / 360, 1 / 2520];

/** A polynomial without coefficients but 0. */
const NONE = new Float64Array(polynomialSize(MOST_POLYNOMIAL_DEGREE));

/** The least number that float64 has with all its digits. */
const LEAST_FLOAT64 = 2 ** -1022;

/** Of clusters what walks need, and the triangles. */
export interface ClusterNumbers {
  /** PLACE_SIZE numbers per cluster. */
  readonly places: Float64Array;
  /** MOMENT_SIZE numbers per cluster. */
  readonly moments: Float64Array;
  /** Corners, nine coordinates per triangle, in the surface's local frame. */
  readonly triangles: Float64Array;
}

/** Fills places and moments. */
export class ClusterMoments {
  readonly #places: Float64Array;
  readonly #moments: Float64Array;
  readonly #triangles: Float64Array;
  /** Of clusters whose whole is still to come, the last one first; behind them spare ones. */
  readonly #records: Float64Array[] = [];
  #open = 0;
  /**
   * Of a triangle's corners as linear forms a . g, b . g, c . g, the sums of all products of n of them, n = 0 .. 5: of
   * c alone, of b and c, of all three. The mean of (d . g)^n over the triangle is the last one over C(n + 2, 2).
   */
  readonly #powers = { one: polynomials(), two: polynomials(), three: polynomials() };
  readonly #work = polynomials();

  constructor({ places, moments, triangles }: ClusterNumbers) {
    this.#places = places;
    this.#moments = moments;
    this.#triangles = triangles;
  }

  /** A cluster of triangles `first .. last - 1`. */
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
    const record = this.#begin();
    for (let a = 9 * first; a < 9 * last; a += 9) this.#addTriangle(node, a, record);
    this.#finish(node, record);
  }

  /** A cluster of the two that came last, `left` after `right`. Moves their moments to their common centroid. */
  fromParts(node: number, left: number, right: number, first: number, last: number): void {
    const places = this.#places;
    const whole = this.#begin();
    const parts = [this.#records[this.#open - 2]!, this.#records[this.#open - 3]!] as const;
    const [a, b] = [parts[0][AREA]!, parts[1][AREA]!];
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
    this.#move(left, parts[0], node, whole);
    this.#move(right, parts[1], node, whole);
    // The whole takes the place of its parts, and theirs become spare.
    const top = this.#open - 1;
    [this.#records[top], this.#records[top - 2]] = [this.#records[top - 2]!, whole];
    this.#open -= 2;
    this.#finish(node, whole);
  }

  /** Ends with the cluster that came last; its record is copied for `putBack`. */
  takeLast(record: Float64Array): void {
    record.set(this.#records[--this.#open]!);
  }

  /** A cluster that others have filled comes last. */
  putBack(record: Float64Array): void {
    this.#begin().set(record);
  }

  /** An empty record on top of the others. */
  #begin(): Float64Array {
    const record = (this.#records[this.#open++] ??= new Float64Array(RECORD_SIZE));
    return record.fill(0);
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

  #addTriangle(node: number, a: number, record: Float64Array): void {
    const places = this.#places;
    const t = this.#triangles;
    const p = PLACE_SIZE * node;
    const [px, py, pz] = [places[p]!, places[p + 1]!, places[p + 2]!];
    const ax = t[a]! - px;
    const ay = t[a + 1]! - py;
    const az = t[a + 2]! - pz;
    const bx = t[a + 3]! - px;
    const by = t[a + 4]! - py;
    const bz = t[a + 5]! - pz;
    const cx = t[a + 6]! - px;
    const cy = t[a + 7]! - py;
    const cz = t[a + 8]! - pz;
    const [ux, uy, uz] = [t[a + 3]! - t[a]!, t[a + 4]! - t[a + 1]!, t[a + 5]! - t[a + 2]!];
    const [vx, vy, vz] = [t[a + 6]! - t[a]!, t[a + 7]! - t[a + 1]!, t[a + 8]! - t[a + 2]!];
    const nx = (uy * vz - uz * vy) / 2;
    const ny = (uz * vx - ux * vz) / 2;
    const nz = (ux * vy - uy * vx) / 2;
    const { one, two, three } = this.#powers;
    raise(0, three[0]!, 0, nx, ny, nz, record, 0, record, 0);
    for (let n = 1; n < MOST_POLYNOMIAL_DEGREE; n++) {
      raise(n - 1, one[n - 1]!, 0, cx, cy, cz, NONE, 0, one[n]!, 0);
      raise(n - 1, two[n - 1]!, 0, bx, by, bz, one[n]!, 0, two[n]!, 0);
      raise(n - 1, three[n - 1]!, 0, ax, ay, az, two[n]!, 0, three[n]!, 0);
      const f = POWER_FACTORS[n]!;
      const at = POLYNOMIAL_STARTS[n + 1]!;
      raise(n, three[n]!, 0, f * nx, f * ny, f * nz, record, at, record, at);
    }
    // The powers' coefficients are means of monomials times multinomial coefficients, but for a factor.
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const [, , squares, cubes, fourths] = three;
    record[AREA]! += area;
    const [second, third, fourth] = [area / 6, area / 10, area / 15];
    record[SQUARES]! += second * squares![0]!;
    record[SQUARES + 1]! += (second / 2) * squares![1]!;
    record[SQUARES + 2]! += (second / 2) * squares![2]!;
    record[SQUARES + 3]! += second * squares![3]!;
    record[SQUARES + 4]! += (second / 2) * squares![4]!;
    record[SQUARES + 5]! += second * squares![5]!;
    record[CUBES]! += third * (cubes![0]! + (cubes![3]! + cubes![5]!) / 3);
    record[CUBES + 1]! += third * (cubes![6]! + (cubes![1]! + cubes![8]!) / 3);
    record[CUBES + 2]! += third * (cubes![9]! + (cubes![2]! + cubes![7]!) / 3);
    record[FOURTH]! +=
      fourth *
      (fourths![0]! + fourths![10]! + fourths![14]! + (fourths![3]! + fourths![5]! + fourths![12]!) / 3);
  }

  /** Adds what a part's moments are about the whole's centre. */
  #move(part: number, from: Float64Array, whole: number, into: Float64Array): void {
    const places = this.#places;
    const [p, q] = [PLACE_SIZE * part, PLACE_SIZE * whole];
    const ex = places[p]! - places[q]!;
    const ey = places[p + 1]! - places[q + 1]!;
    const ez = places[p + 2]! - places[q + 2]!;
    // Degree n: the part's, plus e . g / k times what is left of the degree below, k = n - 1 .. 1 from inside out.
    for (let n = 1; n <= MOST_POLYNOMIAL_DEGREE; n++) {
      const start = POLYNOMIAL_STARTS[n]!;
      for (let i = start, end = start + polynomialSize(n); i < end; i++) into[i]! += from[i]!;
      let inner = from;
      let innerAt = 0;
      for (let k = 1; k < n; k++) {
        // What begins at degree k is divided by n - k on its way up to the next one.
        const f = 1 / (n - k);
        if (k === n - 1) {
          raise(k, inner, innerAt, ex * f, ey * f, ez * f, into, start, into, start);
          continue;
        }
        const outer = this.#work[k + 1]!;
        const at = POLYNOMIAL_STARTS[k + 1]!;
        raise(k, inner, innerAt, ex * f, ey * f, ez * f, from, at, outer, 0);
        inner = outer;
        innerAt = 0;
      }
    }
    const area = from[AREA]!;
    const xx = from[SQUARES]!;
    const xy = from[SQUARES + 1]!;
    const xz = from[SQUARES + 2]!;
    const yy = from[SQUARES + 3]!;
    const yz = from[SQUARES + 4]!;
    const zz = from[SQUARES + 5]!;
    const qx = from[CUBES]!;
    const qy = from[CUBES + 1]!;
    const qz = from[CUBES + 2]!;
    const square = ex * ex + ey * ey + ez * ez;
    const trace = xx + yy + zz;
    const sx = xx * ex + xy * ey + xz * ez;
    const sy = xy * ex + yy * ey + yz * ez;
    const sz = xz * ex + yz * ey + zz * ez;
    into[AREA]! += area;
    into[SQUARES]! += xx + area * ex * ex;
    into[SQUARES + 1]! += xy + area * ex * ey;
    into[SQUARES + 2]! += xz + area * ex * ez;
    into[SQUARES + 3]! += yy + area * ey * ey;
    into[SQUARES + 4]! += yz + area * ey * ez;
    into[SQUARES + 5]! += zz + area * ez * ez;
    into[CUBES]! += qx + trace * ex + 2 * sx + area * square * ex;
    into[CUBES + 1]! += qy + trace * ey + 2 * sy + area * square * ey;
    into[CUBES + 2]! += qz + trace * ez + 2 * sz + area * square * ez;
    into[FOURTH]! +=
      from[FOURTH]! +
      4 * (ex * qx + ey * qy + ez * qz) +
      2 * square * trace +
      4 * (ex * sx + ey * sy + ez * sz) +
      area * square * square;
  }

  /** Takes the harmonic parts, which are all that moving needs, too, and keeps what the walk needs. */
  #finish(node: number, record: Float64Array): void {
    const [places, moments] = [this.#places, this.#moments];
    const area = record[AREA]! * TAIL_SLACK;
    const at = PLACE_SIZE * node;
    const square = places[at + 3]! * TAIL_SLACK;
    for (let n = 1; n <= MOST_POLYNOMIAL_DEGREE; n++) {
      const start = POLYNOMIAL_STARTS[n]!;
      makeHarmonic(n, record, start);
      // Degree n of the potential: its operator applied to 1/r.
      const f = doubleFactorial(2 * n - 1) / (4 * Math.PI);
      if (n <= CLUSTER_DEGREE) {
        const g = n % 2 === 1 ? f : -f;
        for (let i = start; i < start + polynomialSize(n); i++)
          moments[MOMENT_SIZE * node + i] = g * record[i]!;
      } else {
        const rounding = NORM_SLACK * n * area * square ** ((n - 1) / 2);
        places[at + n - 1] = f * largestOnSphere(n, record, start) * TAIL_SLACK + rounding;
      }
    }
    // Powers of the smallest float32 numbers leave float64's range.
    places[at + 6] = (7 / (4 * Math.PI)) * square * record[FOURTH]! * TAIL_SLACK + LEAST_FLOAT64;
  }
}

/** Of degrees 0 .. 5, the first one 1. */
function polynomials(): Float64Array[] {
  const all = Array.from({ length: MOST_POLYNOMIAL_DEGREE }, (_, n) => new Float64Array(polynomialSize(n)));
  all[0]![0] = 1;
  return all;
}

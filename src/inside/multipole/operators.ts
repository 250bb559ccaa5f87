/**
 * The operators of the fast multipole double-layer potential, in float64: P2M (eq. 22), M2M (23), M2L (24), L2L (25),
 * L2P (20); P2P (18) is `addSolidAngles`. Everything is in cell units: lengths are divided by the edge of the
 * cluster's cell, moments of degree n by edge^(n + 1), local coefficients of degree n by edge^-n, so that tables
 * depend on offsets between cells only and serve all levels. The factor -1 / 4 pi of eq. 6 is in the moments. See
 * docs/multipole.md, "Operators".
 */
import { coefficientCount, regularFactor, regularHarmonics } from './harmonics.ts';
import { triangleRule } from './quadrature.ts';
import { irregularTranslation, regularTranslation } from './translations.ts';

/**
 * Factors of n . grad R_nm times -1 / 4 pi, m >= 0: of R_(n-1)m times the normal's z, and of R_(n-1)(m+1) and
 * R_(n-1)(m-1) times its x and y.
 */
export function derivativeFactors(n: number, m: number): [number, number, number] {
  const factor = -regularFactor(n, m) / (4 * Math.PI);
  return [
    m < n ? factor / regularFactor(n - 1, m) : 0,
    m < n - 1 ? (m === 0 ? -1 : -1 / 2) * (factor / regularFactor(n - 1, m + 1)) : 0,
    m > 0 ? (1 / 2) * (factor / regularFactor(n - 1, m - 1)) : 0,
  ];
}

/** P2M: moments of triangles about a centre, exact but for rounding. */
export class MomentIntegrator {
  readonly #degree: number;
  readonly #points: Float64Array;
  readonly #values: Float64Array;
  readonly #integrals: Float64Array;
  /** Factors of the three terms of n . grad R_nm, four per (n, m), m >= 0. */
  readonly #factors: Float64Array;

  /** @param degree highest degree of moments, 1 or more */
  constructor(degree: number) {
    this.#degree = degree;
    // n . grad R is a polynomial of degree n - 1 on a flat triangle.
    this.#points = triangleRule(degree - 1).points;
    this.#values = new Float64Array(coefficientCount(degree - 1));
    this.#integrals = new Float64Array(coefficientCount(degree - 1));
    this.#factors = new Float64Array(3 * (degree + 1) ** 2);
    for (let n = 1; n <= degree; n++) {
      for (let m = 0; m <= n; m++) {
        this.#factors.set(derivativeFactors(n, m), 3 * ((degree + 1) * n + m));
      }
    }
  }

  /**
   * Adds moments of triangle `t` to `moments` from `at` on, `(degree + 1)^2` of them.
   *
   * @param triangles nine coordinates per triangle
   * @param x coordinates of the cell's centre
   * @param edge of the cell
   */
  add(
    triangles: Float64Array,
    t: number,
    x: number,
    y: number,
    z: number,
    edge: number,
    moments: Float64Array,
    at: number,
  ): void {
    const f = 1 / edge;
    const ax = (triangles[9 * t]! - x) * f;
    const ay = (triangles[9 * t + 1]! - y) * f;
    const az = (triangles[9 * t + 2]! - z) * f;
    const ux = (triangles[9 * t + 3]! - x) * f - ax;
    const uy = (triangles[9 * t + 4]! - y) * f - ay;
    const uz = (triangles[9 * t + 5]! - z) * f - az;
    const vx = (triangles[9 * t + 6]! - x) * f - ax;
    const vy = (triangles[9 * t + 7]! - y) * f - ay;
    const vz = (triangles[9 * t + 8]! - z) * f - az;
    const integrals = this.#integrals.fill(0);
    const values = this.#values;
    const points = this.#points;
    const degree = this.#degree;
    for (let i = 0; i < points.length; i += 3) {
      const u = points[i]!;
      const v = points[i + 1]!;
      const w = points[i + 2]!;
      regularHarmonics(degree - 1, ax + u * ux + v * vx, ay + u * uy + v * vy, az + u * uz + v * vz, values);
      for (let j = 0; j < values.length; j++) integrals[j]! += w * values[j]!;
    }
    // The normal times the area: half the cross product of two sides.
    this.#differentiate(
      (uy * vz - uz * vy) / 2,
      (uz * vx - ux * vz) / 2,
      (ux * vy - uy * vx) / 2,
      moments,
      at,
    );
  }

  /** Adds n . grad R_nm, made of the integrals of R of one degree less, times -1 / 4 pi. */
  #differentiate(nx: number, ny: number, nz: number, moments: Float64Array, at: number): void {
    const integrals = this.#integrals;
    const degree = this.#degree;
    for (let n = 1; n <= degree; n++) {
      const target = at + n * n + n;
      const source = (n - 1) * n;
      for (let m = 0; m <= n; m++) {
        const f = 3 * ((degree + 1) * n + m);
        let cosine = 0;
        let sine = 0;
        if (m < n) {
          cosine += this.#factors[f]! * nz * integrals[source + m]!;
          if (m > 0) sine += this.#factors[f]! * nz * integrals[source - m]!;
        }
        if (m < n - 1) {
          const c = integrals[source + m + 1]!;
          const s = integrals[source - m - 1]!;
          cosine += this.#factors[f + 1]! * (nx * c + ny * s);
          sine += this.#factors[f + 1]! * (nx * s - ny * c);
        }
        if (m > 0) {
          const c = integrals[source + m - 1]!;
          const s = m > 1 ? integrals[source - m + 1]! : 0;
          cosine += this.#factors[f + 2]! * (nx * c - ny * s);
          sine += this.#factors[f + 2]! * (nx * s + ny * c);
        }
        moments[target + m]! += cosine;
        if (m > 0) moments[target - m]! += sine;
      }
    }
  }
}

/** Offset of a child's centre from its parent's, in the parent's cell units. Octants count x first, then y, then z. */
export function octantOffset(octant: number): [number, number, number] {
  return [(octant & 1) / 2 - 1 / 4, ((octant >> 1) & 1) / 2 - 1 / 4, (octant >> 2) / 2 - 1 / 4];
}

/** M2M tables, one per octant: parent's moments of degrees 0 .. degree are the sum of table times child's. */
export function momentTables(degree: number): Float64Array[] {
  const size = coefficientCount(degree);
  return Array.from({ length: 8 }, (_, octant) => {
    const table = regularTranslation(
      degree,
      octantOffset(octant).map((e) => 2 * e),
    );
    // Both in the child's units so far: a moment of degree n in the parent's is 2^-(n + 1) of that.
    for (let i = 0; i < size; i++) {
      const scale = 2 ** -(Math.floor(Math.sqrt(i)) + 1);
      for (let j = 0; j < size; j++) table[size * i + j]! *= scale;
    }
    return table;
  });
}

/** L2L tables, one per octant: the child's local coefficients are its table times the parent's. */
export function localTables(degree: number): Float64Array[] {
  const size = coefficientCount(degree);
  return Array.from({ length: 8 }, (_, octant) => {
    const regular = regularTranslation(degree, octantOffset(octant));
    const table = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      const scale = 2 ** -Math.floor(Math.sqrt(i));
      for (let j = 0; j < size; j++) table[size * i + j] = scale * regular[size * j + i]!;
    }
    return table;
  });
}

/**
 * M2L table of an offset in cells, from the source's centre to the target's. See irregularTranslation for its shape.
 */
export function conversionTable(p: number, q: number, offset: readonly number[]): Float64Array {
  return irregularTranslation(p, q, offset);
}

/** M2M: adds `table` times a child's moments, both of degrees 1 .. degree. Moments do not depend on higher ones. */
export function addMoments(
  table: Float64Array,
  degree: number,
  moments: Float64Array,
  childAt: number,
  parentAt: number,
): void {
  const size = coefficientCount(degree);
  for (let n = 1; n <= degree; n++) {
    const columns = (n + 1) * (n + 1);
    for (let i = n * n; i < columns; i++) {
      let sum = 0;
      const row = size * i;
      for (let j = 1; j < columns; j++) sum += table[row + j]! * moments[childAt + j]!;
      moments[parentAt + i]! += sum;
    }
  }
}

/** L2L: adds `table` times the parent's local coefficients. Coefficients do not depend on lower ones. */
export function addLocals(
  table: Float64Array,
  degree: number,
  locals: Float64Array,
  parentAt: number,
  childAt: number,
): void {
  const size = coefficientCount(degree);
  for (let n = 0; n <= degree; n++) {
    for (let i = n * n; i < (n + 1) * (n + 1); i++) {
      let sum = 0;
      const row = size * i;
      for (let j = n * n; j < size; j++) sum += table[row + j]! * locals[parentAt + j]!;
      locals[childAt + i]! += sum;
    }
  }
}

/**
 * M2L: adds `table` times the moments of degrees 1 .. q, which follow that of degree 0 at `fromAt`. `rows` is a square;
 * three rows at a time, since one sum alone waits for each of its additions.
 */
export function addConverted(
  table: Float64Array,
  rows: number,
  moments: Float64Array,
  fromAt: number,
  locals: Float64Array,
  toAt: number,
): void {
  const columns = table.length / rows;
  const first = fromAt + 1;
  let i = 0;
  for (; i + 3 <= rows; i += 3) {
    const row0 = columns * i;
    const row1 = row0 + columns;
    const row2 = row1 + columns;
    let [sum0, sum1, sum2] = [0, 0, 0];
    for (let j = 0; j < columns; j++) {
      const moment = moments[first + j]!;
      sum0 += table[row0 + j]! * moment;
      sum1 += table[row1 + j]! * moment;
      sum2 += table[row2 + j]! * moment;
    }
    locals[toAt + i]! += sum0;
    locals[toAt + i + 1]! += sum1;
    locals[toAt + i + 2]! += sum2;
  }
  for (; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += table[columns * i + j]! * moments[first + j]!;
    locals[toAt + i]! += sum;
  }
}

/** L2P: the local expansion at a point, in cell units from the centre. `values` is scratch of `(degree + 1)^2`. */
export function evaluateLocal(
  degree: number,
  locals: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  values: Float64Array,
): number {
  regularHarmonics(degree, x, y, z, values);
  let sum = 0;
  for (let i = 0; i < (degree + 1) ** 2; i++) sum += values[i]! * locals[at + i]!;
  return sum;
}

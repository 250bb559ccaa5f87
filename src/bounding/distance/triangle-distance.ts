/**
 * The closest points of two triangles: of a corner and a face or of two edges (Lennerz, Schömer, Warken, section 2.4);
 * 0 where the triangles have a point in common, which exact predicates tell.
 */
import { trianglesMeet } from './triangle-crossing.ts';

/**
 * Rounding of a height over a plane, times the length of its normal, relative to the product of the sums of absolute
 * components of its three vectors: seven roundings of products and sums and three of differences, below 2^-49. Of the
 * third vector it is enough that it is no longer than bodies reach.
 */
const HEIGHT_ERROR = 2 ** -48;

/**
 * Numbers per prepared triangle: corners, edges from each to the next, normal, its square, rounding of heights over it,
 * times the length of the normal.
 */
export const PREPARED = 23;

/**
 * Writes what pairs with a triangle need of it.
 *
 * @param corners `[at .. at + 8]`
 * @param out `[to .. to + PREPARED - 1]`
 * @param far no corner of another triangle is farther from it, in sums of absolute components
 */
export function prepareTriangle(
  corners: Float32Array | Float64Array,
  at: number,
  out: Float64Array,
  to: number,
  far: number,
): void {
  for (let k = 0; k < 3; k++) {
    const p = corners[at + k]!;
    const q = corners[at + 3 + k]!;
    const r = corners[at + 6 + k]!;
    out[to + k] = p;
    out[to + 3 + k] = q;
    out[to + 6 + k] = r;
    out[to + 9 + k] = q - p;
    out[to + 12 + k] = r - q;
    out[to + 15 + k] = p - r;
  }
  const ux = out[to + 9]!;
  const uy = out[to + 10]!;
  const uz = out[to + 11]!;
  const vx = out[to + 12]!;
  const vy = out[to + 13]!;
  const vz = out[to + 14]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  out[to + 18] = nx;
  out[to + 19] = ny;
  out[to + 20] = nz;
  out[to + 21] = nx * nx + ny * ny + nz * nz;
  const lengths = (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  out[to + 22] = HEIGHT_ERROR * lengths * far;
}

/** Has the closest points found last. */
export class TriangleDistance {
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Heights of the other triangle's corners, times the length of the normal. */
  readonly #overA = new Float64Array(3);
  readonly #overB = new Float64Array(3);

  /**
   * The squared distance of two triangles where it is below `best`, otherwise `best`: then the points stay.
   *
   * @param a `[i .. i + PREPARED - 1]`: a prepared triangle
   * @param b `[j .. j + PREPARED - 1]`
   */
  find(a: Float64Array, i: number, b: Float64Array, j: number, best: number): number {
    const gapA = heightsOver(a, i, b, j, this.#overA);
    if (gapA > 0 && gapA * gapA >= best * a[i + 21]!) return best;
    const gapB = heightsOver(b, j, a, i, this.#overB);
    if (gapB > 0 && gapB * gapB >= best * b[j + 21]!) return best;
    if (gapA === 0 && gapB === 0) {
      if (trianglesMeet(a, i, b, j, this.pointA)) {
        this.pointB.set(this.pointA);
        return 0;
      }
      // Of triangles with areas, that tells all about common points.
      if (best === Number.MIN_VALUE && a[i + 21]! > 0 && b[j + 21]! > 0) return best;
    }
    let found = cornersOver(a, i, b, j, this.#overA, best, this.pointA, this.pointB);
    found = cornersOver(b, j, a, i, this.#overB, found, this.pointB, this.pointA);
    return this.#edges(a, i, b, j, found);
  }

  /** Of all pairs of edges. */
  #edges(a: Float64Array, firstA: number, b: Float64Array, firstB: number, best: number): number {
    let found = best;
    for (let i = firstA; i < firstA + 9; i += 3) {
      const px = a[i]!;
      const py = a[i + 1]!;
      const pz = a[i + 2]!;
      const ux = a[9 + i]!;
      const uy = a[10 + i]!;
      const uz = a[11 + i]!;
      const uu = ux * ux + uy * uy + uz * uz;
      for (let j = firstB; j < firstB + 9; j += 3) {
        const vx = b[9 + j]!;
        const vy = b[10 + j]!;
        const vz = b[11 + j]!;
        const wx = b[j]! - px;
        const wy = b[j + 1]! - py;
        const wz = b[j + 2]! - pz;
        // By the cross product and not by uu vv - (uv)^2: edges at a small angle lose nothing.
        const nx = uy * vz - uz * vy;
        const ny = uz * vx - ux * vz;
        const nz = ux * vy - uy * vx;
        const nn = nx * nx + ny * ny + nz * nz;
        let s = 0;
        if (nn > 0) {
          const gap = wx * nx + wy * ny + wz * nz;
          // As far as the lines are from each other.
          if (gap * gap >= found * nn) continue;
          s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn;
          s = s < 0 ? 0 : s > 1 ? 1 : s;
        }
        const vv = vx * vx + vy * vy + vz * vz;
        let t = vv > 0 ? (vx * (s * ux - wx) + vy * (s * uy - wy) + vz * (s * uz - wz)) / vv : 0;
        if (!(t >= 0 && t <= 1) || vv === 0) {
          t = t > 1 ? 1 : 0;
          s = uu > 0 ? (ux * (wx + t * vx) + uy * (wy + t * vy) + uz * (wz + t * vz)) / uu : 0;
          s = s < 0 ? 0 : s > 1 ? 1 : s;
        }
        const dx = wx + t * vx - s * ux;
        const dy = wy + t * vy - s * uy;
        const dz = wz + t * vz - s * uz;
        const square = dx * dx + dy * dy + dz * dz;
        if (square >= found) continue;
        found = square;
        setPoint(this.pointA, px + s * ux, py + s * uy, pz + s * uz);
        setPoint(this.pointB, b[j]! + t * vx, b[j + 1]! + t * vy, b[j + 2]! + t * vz);
      }
    }
    return found;
  }
}

function setPoint(point: Float64Array, x: number, y: number, z: number): void {
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

/**
 * Writes heights of a triangle's corners over another one's plane. Returns the least of them where all are surely on
 * one side, otherwise 0.
 */
function heightsOver(
  own: Float64Array,
  i: number,
  other: Float64Array,
  j: number,
  over: Float64Array,
): number {
  const nx = own[i + 18]!;
  const ny = own[i + 19]!;
  const nz = own[i + 20]!;
  const x = own[i]!;
  const y = own[i + 1]!;
  const z = own[i + 2]!;
  const p = nx * (other[j]! - x) + ny * (other[j + 1]! - y) + nz * (other[j + 2]! - z);
  const q = nx * (other[j + 3]! - x) + ny * (other[j + 4]! - y) + nz * (other[j + 5]! - z);
  const r = nx * (other[j + 6]! - x) + ny * (other[j + 7]! - y) + nz * (other[j + 8]! - z);
  over[0] = p;
  over[1] = q;
  over[2] = r;
  const low = p < q ? (p < r ? p : r) : q < r ? q : r;
  const high = p > q ? (p > r ? p : r) : q > r ? q : r;
  const gap = low > 0 ? low : -high;
  return gap > own[i + 22]! ? gap : 0;
}

/** Corners of another triangle in the prism over a triangle: the least squared distance, or `best`. */
function cornersOver(
  own: Float64Array,
  i: number,
  other: Float64Array,
  j: number,
  over: Float64Array,
  best: number,
  ownPoint: Float64Array,
  otherPoint: Float64Array,
): number {
  const nx = own[i + 18]!;
  const ny = own[i + 19]!;
  const nz = own[i + 20]!;
  const nn = own[i + 21]!;
  let found = best;
  if (nn === 0) return found;
  for (let k = 0; k < 3; k++) {
    const height = over[k]!;
    if (height * height >= found * nn) continue;
    const x = other[j + 3 * k]!;
    const y = other[j + 3 * k + 1]!;
    const z = other[j + 3 * k + 2]!;
    let isOver = true;
    for (let e = i; e < i + 9 && isOver; e += 3) {
      const ex = own[9 + e]!;
      const ey = own[10 + e]!;
      const ez = own[11 + e]!;
      const dx = x - own[e]!;
      const dy = y - own[e + 1]!;
      const dz = z - own[e + 2]!;
      isOver = (ey * dz - ez * dy) * nx + (ez * dx - ex * dz) * ny + (ex * dy - ey * dx) * nz >= 0;
    }
    if (!isOver) continue;
    found = (height * height) / nn;
    const share = height / nn;
    setPoint(ownPoint, x - share * nx, y - share * ny, z - share * nz);
    setPoint(otherPoint, x, y, z);
  }
  return found;
}

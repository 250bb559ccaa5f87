/**
 * The closest points of two triangles: of a corner and a face or of two edges (Lennerz, Schömer, Warken, section 2.4);
 * 0 where the triangles have a point in common, which exact predicates tell.
 */
import { trianglesMeet } from './triangle-crossing.ts';

/**
 * Rounding of a height over a plane, times the length of its normal, relative to the product of the sums of absolute
 * components of its three vectors: seven roundings of products and sums and three of differences, below 2^-49.
 */
const HEIGHT_ERROR = 2 ** -48;

/** Has the closest points found last. */
export class TriangleDistance {
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Corners, then edges from each to the next. */
  readonly #a = new Float64Array(18);
  readonly #b = new Float64Array(18);
  /** Normal, its square, and heights of the other triangle's corners, times the length of the normal. */
  readonly #overA = new Float64Array(7);
  readonly #overB = new Float64Array(7);

  /**
   * The squared distance of two triangles where it is below `best`, otherwise `best`: then the points stay.
   *
   * @param a `[i .. i + 8]`: corners of a triangle
   * @param b `[j .. j + 8]`
   */
  find(a: Float32Array, i: number, b: Float64Array, j: number, best: number): number {
    copyTriangle(a, i, this.#a);
    copyTriangle(b, j, this.#b);
    const gapA = heightsOver(this.#a, this.#b, this.#overA);
    if (gapA > 0 && gapA * gapA >= best * this.#overA[3]!) return best;
    const gapB = heightsOver(this.#b, this.#a, this.#overB);
    if (gapB > 0 && gapB * gapB >= best * this.#overB[3]!) return best;
    if (gapA === 0 && gapB === 0 && trianglesMeet(a, i, b, j, this.pointA)) {
      this.pointB.set(this.pointA);
      return 0;
    }
    let found = cornersOver(this.#a, this.#b, this.#overA, best, this.pointA, this.pointB);
    found = cornersOver(this.#b, this.#a, this.#overB, found, this.pointB, this.pointA);
    return this.#edges(found);
  }

  /** Of all pairs of edges. */
  #edges(best: number): number {
    const a = this.#a;
    const b = this.#b;
    let found = best;
    for (let i = 0; i < 9; i += 3) {
      const px = a[i]!;
      const py = a[i + 1]!;
      const pz = a[i + 2]!;
      const ux = a[9 + i]!;
      const uy = a[10 + i]!;
      const uz = a[11 + i]!;
      const uu = ux * ux + uy * uy + uz * uz;
      for (let j = 0; j < 9; j += 3) {
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

function copyTriangle(from: ArrayLike<number>, at: number, to: Float64Array): void {
  for (let k = 0; k < 9; k++) to[k] = from[at + k]!;
  for (let k = 0; k < 9; k++) to[9 + k] = to[k < 6 ? k + 3 : k - 6]! - to[k]!;
}

function setPoint(point: Float64Array, x: number, y: number, z: number): void {
  point[0] = x;
  point[1] = y;
  point[2] = z;
}

/**
 * Writes the normal of a triangle, and heights of another's corners over it. Returns the least of the heights where all
 * are surely on one side, otherwise 0.
 */
function heightsOver(own: Float64Array, other: Float64Array, over: Float64Array): number {
  const ux = own[9]!;
  const uy = own[10]!;
  const uz = own[11]!;
  const vx = own[12]!;
  const vy = own[13]!;
  const vz = own[14]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  over[0] = nx;
  over[1] = ny;
  over[2] = nz;
  over[3] = nx * nx + ny * ny + nz * nz;
  let low = Infinity;
  let high = -Infinity;
  let far = 0;
  for (let k = 0; k < 3; k++) {
    const x = other[3 * k]! - own[0]!;
    const y = other[3 * k + 1]! - own[1]!;
    const z = other[3 * k + 2]! - own[2]!;
    const height = nx * x + ny * y + nz * z;
    over[4 + k] = height;
    if (height < low) low = height;
    if (height > high) high = height;
    far = Math.max(far, Math.abs(x) + Math.abs(y) + Math.abs(z));
  }
  const gap = low > 0 ? low : -high;
  const lengths = (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  return gap > HEIGHT_ERROR * lengths * far ? gap : 0;
}

/** Corners of another triangle in the prism over a triangle: the least squared distance, or `best`. */
function cornersOver(
  own: Float64Array,
  other: Float64Array,
  over: Float64Array,
  best: number,
  ownPoint: Float64Array,
  otherPoint: Float64Array,
): number {
  const nx = over[0]!;
  const ny = over[1]!;
  const nz = over[2]!;
  const nn = over[3]!;
  let found = best;
  if (nn === 0) return found;
  for (let k = 0; k < 3; k++) {
    const height = over[4 + k]!;
    if (height * height >= found * nn) continue;
    const x = other[3 * k]!;
    const y = other[3 * k + 1]!;
    const z = other[3 * k + 2]!;
    let isOver = true;
    for (let e = 0; e < 9 && isOver; e += 3) {
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

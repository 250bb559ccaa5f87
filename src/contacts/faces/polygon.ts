/** A polygon that planes cut. */
import { PLANE } from './face-table.ts';

/** Numbers per corner of a polygon. */
export const XYZ = 3;

/** The plane between two others. */
const between = new Float64Array(PLANE);

/** A polygon that planes cut. Corners that are cut off leave room for those of the cut: one more at most. */
export class Polygon {
  count = 0;
  at = new Float64Array(0);
  /** Name of the plane that cut the edge behind each corner; 0: none did. */
  names = new Uint32Array(0);
  #other = new Float64Array(0);
  #otherNames = new Uint32Array(0);
  #sides = new Float64Array(0);

  reserve(corners: number): void {
    if (this.#sides.length >= corners) return;
    this.at = new Float64Array(XYZ * corners);
    this.#other = new Float64Array(XYZ * corners);
    this.names = new Uint32Array(corners);
    this.#otherNames = new Uint32Array(corners);
    this.#sides = new Float64Array(corners);
  }

  /**
   * Lists what cut the edges that are left, in rising order. Returns how many. A polygon that these alone cut is the
   * same bit for bit, whatever else has cut corners that are gone.
   */
  listNames(out: Uint32Array): number {
    const { names, count } = this;
    let some = 0;
    for (let i = 0; i < count; i++) {
      const name = names[i]!;
      if (name === 0) continue;
      let k = some;
      while (k > 0 && out[k - 1]! > name) k--;
      if (k > 0 && out[k - 1] === name) continue;
      for (let l = some++; l > k; l--) out[l] = out[l - 1]!;
      out[k] = name;
    }
    return some;
  }

  /** Cuts off the part outside of plane p. Returns 1 if there was one, else 0. */
  cutBy(planes: Float64Array, p: number): number {
    return this.#cut(this, planes, PLANE * p, p + 1);
  }

  /** Becomes the part of a polygon that is nearer to plane p than to plane q, seen from inside of both. */
  setNearer(of: Polygon, planes: Float64Array, p: number, q: number): void {
    const from = PLANE * p;
    const to = PLANE * q;
    for (let k = 0; k < PLANE; k++) between[k] = planes[to + k]! - planes[from + k]!;
    this.#cut(of, between, 0, q + 1);
  }

  /**
   * Becomes the part of a polygon with x n <= h (I. Sutherland, G. Hodgman 1974). Returns 1 if that cuts something off,
   * else 0.
   *
   * @param p where n and h stand in `planes`
   * @param name of the cut, above 0
   */
  #cut(of: Polygon, planes: Float64Array, p: number, name: number): number {
    const nx = planes[p]!;
    const ny = planes[p + 1]!;
    const nz = planes[p + 2]!;
    const h = planes[p + 3]!;
    const { count, at, names } = of;
    const sides = this.#sides;
    let outside = 0;
    for (let i = 0, o = 0; i < count; i++, o += XYZ) {
      const side = nx * at[o]! + ny * at[o + 1]! + nz * at[o + 2]! - h;
      sides[i] = side;
      if (side > 0) outside++;
    }
    if (outside === 0 && of === this) return 0;
    if (outside === count) {
      this.count = 0;
      return 1;
    }
    const out = this.#other;
    const outNames = this.#otherNames;
    let kept = 0;
    let to = 0;
    for (let i = 0, o = 0; i < count; i++, o += XYZ) {
      const next = i + 1 === count ? 0 : i + 1;
      const side = sides[i]!;
      const sideOfNext = sides[next]!;
      const x = at[o]!;
      const y = at[o + 1]!;
      const z = at[o + 2]!;
      if (side <= 0) {
        out[to] = x;
        out[to + 1] = y;
        out[to + 2] = z;
        to += XYZ;
        outNames[kept++] = side === 0 && sideOfNext > 0 ? name : names[i]!;
      }
      if ((side < 0 && sideOfNext > 0) || (side > 0 && sideOfNext < 0)) {
        const part = side / (side - sideOfNext);
        const n = XYZ * next;
        out[to] = x + part * (at[n]! - x);
        out[to + 1] = y + part * (at[n + 1]! - y);
        out[to + 2] = z + part * (at[n + 2]! - z);
        to += XYZ;
        // On the way out the cut follows.
        outNames[kept++] = side < 0 ? name : names[i]!;
      }
    }
    this.#other = this.at;
    this.at = out;
    this.#otherNames = this.names;
    this.names = outNames;
    this.count = kept;
    return outside > 0 ? 1 : 0;
  }
}

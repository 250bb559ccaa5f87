// A polygon or segment that is cut by lines, edge by edge (I. E. Sutherland, G. W. Hodgman 1974).
// Twin: shaders/convex/manifold/cut-polygon.wgsl.
import { MOST_FACE_CORNERS, MOST_MANIFOLD_POINTS } from '../constants.ts';
import type { Feature } from './feature.ts';

/** Every cut of a convex polygon adds one point at most. Rounding may add as many again. */
const ROOM = MOST_MANIFOLD_POINTS + MOST_FACE_CORNERS;

export class CutPolygon {
  /** u, v of each point. */
  readonly points = new Float64Array(2 * ROOM);
  count = 0;
  readonly #next = new Float64Array(2 * ROOM);
  #kept = 0;

  /** Starts from a feature. */
  start({ vertices, count }: Feature): void {
    for (let i = 0; i < count; i++) {
      this.points[2 * i] = vertices[3 * i]!;
      this.points[2 * i + 1] = vertices[3 * i + 1]!;
    }
    this.count = count;
  }

  /**
   * Keeps what lies inside a polygon, or on its rim.
   *
   * @param same points that differ by no more in either coordinate are one
   */
  cutByPolygon({ vertices: v, count }: Feature, same: number): void {
    for (let i = 0; i < count && this.count > 0; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const du = v[3 * j]! - v[3 * i]!;
      const dv = v[3 * j + 1]! - v[3 * i + 1]!;
      const length = Math.sqrt(du * du + dv * dv);
      const [a, b] = [-dv / length, du / length];
      // Corners on the line, to rounding, stay. So two features that end in the same line keep that line.
      this.cut(a, b, -(a * v[3 * i]! + b * v[3 * i + 1]!), same, same);
    }
  }

  /**
   * Keeps the part where a u + b v + c >= -slack. A segment, of two points, has one edge; a polygon is walked around.
   *
   * @param same points that differ by no more in either coordinate are one
   */
  cut(a: number, b: number, c: number, slack: number, same: number): void {
    const { points, count } = this;
    const next = this.#next;
    const edges = count === 2 ? 1 : count;
    this.#kept = 0;
    for (let i = 0; i < edges; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const [u, v] = [points[2 * i]!, points[2 * i + 1]!];
      const [toU, toV] = [points[2 * j]!, points[2 * j + 1]!];
      const p = a * u + b * v + c;
      const q = a * toU + b * toV + c;
      if (p >= -slack) this.#keep(u, v, same);
      if ((p < -slack && q > slack) || (p > slack && q < -slack)) {
        const t = p / (p - q);
        this.#keep(u + t * (toU - u), v + t * (toV - v), same);
      }
      if (edges === 1 && count === 2 && q >= -slack) this.#keep(toU, toV, same);
    }
    let kept = this.#kept;
    if (
      kept > 2 &&
      Math.abs(next[0]! - next[2 * kept - 2]!) <= same &&
      Math.abs(next[1]! - next[2 * kept - 1]!) <= same
    ) {
      kept--;
    }
    // A loop, because making a view takes longer than this copy.
    for (let i = 0; i < 2 * kept; i++) points[i] = next[i]!;
    this.count = kept;
  }

  #keep(u: number, v: number, same: number): void {
    const next = this.#next;
    const kept = this.#kept;
    if (kept > 0 && Math.abs(next[2 * kept - 2]! - u) <= same && Math.abs(next[2 * kept - 1]! - v) <= same)
      return;
    next[2 * kept] = u;
    next[2 * kept + 1] = v;
    this.#kept++;
  }
}

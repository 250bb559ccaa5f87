// A polygon or segment that is cut by lines, edge by edge (I. E. Sutherland, G. W. Hodgman 1974).
// Twin: shaders/convex/manifold/cut-polygon.wgsl.
import { MOST_FACE_CORNERS, MOST_MANIFOLD_POINTS } from '../constants.ts';
import type { Feature } from './feature.ts';

/** Every cut of a convex polygon adds one point at most. Rounding may add as many again. */
const ROOM = MOST_MANIFOLD_POINTS + MOST_FACE_CORNERS;

/**
 * Names of the lines that bound a cut polygon: below `MOST_FACE_CORNERS` the edges of A's face, from there on those of
 * B's, then these. Each line bounds the polygon once, so a corner is named by the line that leads from it. Rounding
 * does not change names, and neither does a shift of the faces on each other, as long as the same lines bound what they
 * share.
 */
export const CutLine = {
  ofB: MOST_FACE_CORNERS,
  /** Up to which the shapes overlap. */
  reach: 2 * MOST_FACE_CORNERS,
  /** Beyond which the rounded surface of A or of B bends away. */
  roundA: 2 * MOST_FACE_CORNERS + 1,
  roundB: 2 * MOST_FACE_CORNERS + 2,
  /** Behind the last point of a segment. */
  end: 2 * MOST_FACE_CORNERS + 3,
} as const;

export class CutPolygon {
  /** u, v of each point. */
  readonly points = new Float64Array(2 * ROOM);
  /** Which line leads from each point to the next: `CutLine`. */
  readonly lines = new Uint8Array(ROOM);
  count = 0;
  readonly #next = new Float64Array(2 * ROOM);
  readonly #nextLines = new Uint8Array(ROOM);
  #kept = 0;
  /**
   * The line to cut by: a, b, c, slack, same. `cut` keeps where a u + b v + c >= -slack; points that differ by no more
   * than `same` in either coordinate are one. In an array, as engines put float64 arguments on the heap.
   */
  readonly line = new Float64Array(5);
  /** The point to keep. */
  readonly #point = new Float64Array(2);

  /**
   * Starts from a feature.
   *
   * @param firstLine name of its first edge
   */
  start({ vertices, count }: Feature, firstLine = 0): void {
    for (let i = 0; i < count; i++) {
      this.points[2 * i] = vertices[3 * i]!;
      this.points[2 * i + 1] = vertices[3 * i + 1]!;
      this.lines[i] = firstLine + i;
    }
    if (count === 2) this.lines[1] = CutLine.end;
    this.count = count;
  }

  /**
   * Keeps what lies inside a polygon, or on its rim.
   *
   * @param same points that differ by no more in either coordinate are one
   * @param firstLine name of the polygon's first edge
   */
  cutByPolygon({ vertices: v, count }: Feature, same: number, firstLine = 0): void {
    const { line } = this;
    // Corners on the line, to rounding, stay. So two features that end in the same line keep that line.
    line[3] = same;
    line[4] = same;
    for (let i = 0; i < count && this.count > 0; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const du = v[3 * j]! - v[3 * i]!;
      const dv = v[3 * j + 1]! - v[3 * i + 1]!;
      const length = Math.sqrt(du * du + dv * dv);
      const a = -dv / length;
      const b = du / length;
      line[0] = a;
      line[1] = b;
      line[2] = -(a * v[3 * i]! + b * v[3 * i + 1]!);
      this.cut(firstLine + i);
    }
  }

  /**
   * Keeps what lies on one side of `line`. A segment, of two points, has one edge; a polygon is walked around.
   *
   * @param name of the line
   */
  cut(name = 0): void {
    const { points, lines, count } = this;
    const next = this.#next;
    const point = this.#point;
    const a = this.line[0]!;
    const b = this.line[1]!;
    const c = this.line[2]!;
    const slack = this.line[3]!;
    const same = this.line[4]!;
    const edges = count === 2 ? 1 : count;
    this.#kept = 0;
    for (let i = 0; i < edges; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const u = points[2 * i]!;
      const v = points[2 * i + 1]!;
      const toU = points[2 * j]!;
      const toV = points[2 * j + 1]!;
      const p = a * u + b * v + c;
      const q = a * toU + b * toV + c;
      if (p >= -slack) {
        point[0] = u;
        point[1] = v;
        this.#keep(lines[i]!);
      }
      if ((p < -slack && q > slack) || (p > slack && q < -slack)) {
        const t = p / (p - q);
        point[0] = u + t * (toU - u);
        point[1] = v + t * (toV - v);
        this.#keep(p > q ? name : lines[i]!);
      }
      if (edges === 1 && count === 2 && q >= -slack) {
        point[0] = toU;
        point[1] = toV;
        this.#keep(lines[j]!);
      }
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
    for (let i = 0; i < kept; i++) {
      points[2 * i] = next[2 * i]!;
      points[2 * i + 1] = next[2 * i + 1]!;
      lines[i] = this.#nextLines[i]!;
    }
    this.count = kept;
  }

  #keep(line: number): void {
    const next = this.#next;
    const kept = this.#kept;
    const same = this.line[4]!;
    const u = this.#point[0]!;
    const v = this.#point[1]!;
    if (kept > 0 && Math.abs(next[2 * kept - 2]! - u) <= same && Math.abs(next[2 * kept - 1]! - v) <= same) {
      this.#nextLines[kept - 1] = line;
      return;
    }
    this.#nextLines[kept] = line;
    next[2 * kept] = u;
    next[2 * kept + 1] = v;
    this.#kept++;
  }
}

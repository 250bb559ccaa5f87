/**
 * Which triangles the rays of some points may pass, by one look at each triangle: for few points that is less than a
 * tree of boxes takes to make (ray-tree.ts).
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Bins along an axis across the rays. */
const BINS = 4096;
/** Vertices, or triangles, of a step at most: some 10 us. Many short steps are compiled sooner than one long loop. */
export const SCAN_STEP = 8192;

export class RayScan {
  readonly #mesh: TriangleMesh;
  readonly #axis: number;
  /** Of the points, along that axis. */
  readonly #low: number;
  readonly #scale: number;
  /** Per bin, 2 n + 1 if it is the n-th of those with points, and 2 n if it is empty and n of them are before it. */
  readonly #codeOf = new Uint16Array(BINS + 2);
  /** Points by their bin: `#order[#starts[n]]` to before `#order[#starts[n + 1]]` are those of the n-th with some. */
  readonly #starts = [0];
  readonly #order: number[];
  /** The code of each vertex. */
  readonly #codes: Uint16Array;
  readonly #found = new Uint32Array(SCAN_STEP);

  /**
   * @param axis across the rays: 0, 1 or 2
   * @param along coordinates of the points along it, no more than 32,000
   */
  constructor(mesh: TriangleMesh, axis: number, along: Float64Array) {
    this.#mesh = mesh;
    this.#axis = axis;
    this.#low = along.reduce((least, x) => Math.min(least, x), Infinity);
    const high = along.reduce((most, x) => Math.max(most, x), -Infinity);
    this.#scale = Math.min(BINS / (high - this.#low), Number.MAX_VALUE);
    this.#codes = new Uint16Array(mesh.vertexCount);
    this.#order = [...along.keys()].sort((i, j) => along[i]! - along[j]!);
    let next = 0;
    for (let b = 0; b < BINS + 2; b++) {
      const first = next;
      while (next < along.length && this.#binOf(along[this.#order[next]!]!) === b) next++;
      this.#codeOf[b] = 2 * (this.#starts.length - 1) + Number(next > first);
      if (next > first) this.#starts.push(next);
    }
  }

  /** Never falls as x rises, so what lies between two places is in the bins between theirs. */
  #binOf(x: number): number {
    const place = (x - this.#low) * this.#scale;
    return place < 0 ? 0 : place < BINS ? (place | 0) + 1 : BINS + 1;
  }

  /** Has to be done with all vertices before a look. */
  mark(from: number, end: number): void {
    const { positions } = this.#mesh;
    const axis = this.#axis;
    const codes = this.#codes;
    const codeOf = this.#codeOf;
    for (let v = from; v < end; v++) codes[v] = codeOf[this.#binOf(positions[3 * v + axis]!)]!;
  }

  /**
   * Calls for each of the triangles `from .. end - 1` and each point whose coordinate may lie between those of its
   * corners.
   */
  look(from: number, end: number, use: (triangle: number, point: number) => void): void {
    const { indices } = this.#mesh;
    const codes = this.#codes;
    const found = this.#found;
    let count = 0;
    for (let t = from; t < end; t++) {
      const a = codes[indices[3 * t]!]!;
      const b = codes[indices[3 * t + 1]!]!;
      const c = codes[indices[3 * t + 2]!]!;
      found[count] = t;
      // Triangles between two neighbouring bins with points have no point: their codes are even and the same.
      count += Number(((a ^ b) | (a ^ c) | (a & 1)) !== 0);
    }
    for (let n = 0; n < count; n++) {
      const t = found[n]!;
      const a = codes[indices[3 * t]!]!;
      const b = codes[indices[3 * t + 1]!]!;
      const c = codes[indices[3 * t + 2]!]!;
      const last = this.#starts[(Math.max(a, b, c) + 1) >> 1]!;
      for (let i = this.#starts[Math.min(a, b, c) >> 1]!; i < last; i++) use(t, this.#order[i]!);
    }
  }
}

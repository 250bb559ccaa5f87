/**
 * Which triangles the rays of some points may pass, by one look at each triangle: for few points that is less than a
 * tree of boxes takes to make (ray-tree.ts).
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Bins along an axis across the rays. */
const BINS = 4096;

export class RayScan {
  readonly #mesh: TriangleMesh;
  readonly #axis: number;
  /** Of the points, along that axis. */
  readonly #low: number;
  readonly #high: number;
  readonly #scale: number;
  /** Points by their bin: those of bin b are `#order[#starts[b]]` to before `#order[#starts[b + 1]]`. */
  readonly #starts = new Uint32Array(BINS + 1);
  readonly #order: Uint32Array;

  /**
   * @param axis across the rays: 0, 1 or 2
   * @param along coordinates of the points along it
   */
  constructor(mesh: TriangleMesh, axis: number, along: Float64Array) {
    this.#mesh = mesh;
    this.#axis = axis;
    this.#low = along.reduce((least, x) => Math.min(least, x), Infinity);
    this.#high = along.reduce((most, x) => Math.max(most, x), -Infinity);
    const extent = this.#high - this.#low;
    this.#scale = extent > 0 ? Math.min(BINS / extent, Number.MAX_VALUE) : 0;
    const starts = this.#starts;
    for (const x of along) starts[this.#binOf(x) + 1]!++;
    for (let b = 0; b < BINS; b++) starts[b + 1]! += starts[b]!;
    const next = starts.slice();
    this.#order = new Uint32Array(along.length);
    for (let i = 0; i < along.length; i++) this.#order[next[this.#binOf(along[i]!)]!++] = i;
  }

  /** Never falls as x rises, so what lies between two places is in the bins between theirs. */
  #binOf(x: number): number {
    return Math.min(BINS - 1, Math.floor((x - this.#low) * this.#scale));
  }

  /**
   * Calls for each of the triangles `from .. end - 1` and each point whose coordinate may lie between those of its
   * corners.
   */
  look(from: number, end: number, use: (triangle: number, point: number) => void): void {
    const { positions, indices } = this.#mesh;
    const axis = this.#axis;
    const low = this.#low;
    const high = this.#high;
    const starts = this.#starts;
    for (let t = from; t < end; t++) {
      const a = positions[3 * indices[3 * t]! + axis]!;
      const b = positions[3 * indices[3 * t + 1]! + axis]!;
      const c = positions[3 * indices[3 * t + 2]! + axis]!;
      const least = a < b ? (a < c ? a : c) : b < c ? b : c;
      const most = a > b ? (a > c ? a : c) : b > c ? b : c;
      if (most < low || least > high) continue;
      const first = starts[least <= low ? 0 : this.#binOf(least)]!;
      const last = starts[(most >= high ? BINS - 1 : this.#binOf(most)) + 1]!;
      for (let i = first; i < last; i++) use(t, this.#order[i]!);
    }
  }
}

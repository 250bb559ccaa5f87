/** Lists of candidates as they are in `FieldArrays.lists`. */
import type { CandidateStack } from './candidate-stack.ts';
import { BOUND_STEP, CANDIDATE_SLACK, LEAST_DISTANCE_UNIT } from './constants.ts';
import { LIST_HEADER } from './field-arrays.ts';

/** Values of a bound. */
const BOUNDS = 256;
/** Lists up to this length are sorted without looking at bounds first. */
const SHORT = 16;

/** Growing list of words. */
export class CandidateLists {
  words = new Uint32Array(1 << 12);
  count = 0;
  readonly #ends = new Uint32Array(BOUNDS + 1);
  #keys = new Float64Array(0);
  #sorted = new Uint32Array(0);

  #reserve(more: number): void {
    if (this.count + more <= this.words.length) return;
    const grown = new Uint32Array(Math.max(2 * this.words.length, this.count + more));
    grown.set(this.words.subarray(0, this.count));
    this.words = grown;
  }

  /**
   * Writes a list of a block of an edge: `count` candidates on the stack, sorted by distance, then by number. Returns
   * its place.
   *
   * @param rest rank of a mixed cell, or level of a block
   */
  write(stack: CandidateStack, from: number, count: number, edge: number, rest: number): number {
    this.#reserve(LIST_HEADER + count);
    if (count > this.#keys.length) {
      this.#keys = new Float64Array(2 * count);
      this.#sorted = new Uint32Array(2 * count);
    }
    const [keys, sorted, ends] = [this.#keys, this.#sorted, this.#ends];
    const { triangles, distances } = stack;
    let nearest = Infinity;
    for (let c = from; c < from + count; c++) if (distances[c]! < nearest) nearest = distances[c]!;
    const least = Math.floor((nearest * (1 - CANDIDATE_SLACK)) / (LEAST_DISTANCE_UNIT * edge));
    const scale = (1 - CANDIDATE_SLACK) / (edge * BOUND_STEP);
    const shift = (least * LEAST_DISTANCE_UNIT) / BOUND_STEP;
    // A bound is rounded down, and lower by so much that the roundings before do not matter.
    const boundOf = (distance: number) => Math.max(0, Math.min(BOUNDS - 1, distance * scale - shift)) | 0;
    if (count <= SHORT) {
      for (let c = 0; c < count; c++) {
        sorted[c] = triangles[from + c]!;
        keys[c] = distances[from + c]!;
      }
    } else {
      // Bounds ascend with distances, so only candidates of equal bounds are sorted afterwards.
      ends.fill(0);
      for (let c = from; c < from + count; c++) ends[boundOf(distances[c]!) + 1]!++;
      for (let b = 0; b < BOUNDS; b++) ends[b + 1]! += ends[b]!;
      for (let c = from; c < from + count; c++) {
        const to = ends[boundOf(distances[c]!)]!++;
        sorted[to] = triangles[c]!;
        keys[to] = distances[c]!;
      }
    }
    for (let c = 1; c < count; c++) {
      const triangle = sorted[c]!;
      const distance = keys[c]!;
      let at = c;
      for (; at > 0; at--) {
        const before = keys[at - 1]!;
        if (before < distance || (before === distance && sorted[at - 1]! < triangle)) break;
        keys[at] = before;
        sorted[at] = sorted[at - 1]!;
      }
      keys[at] = distance;
      sorted[at] = triangle;
    }
    const { words, count: start } = this;
    words[start] = count;
    words[start + 1] = least;
    words[start + 2] = rest;
    for (let c = 0; c < count; c++) {
      words[start + LIST_HEADER + c] = ((sorted[c]! << 8) | boundOf(keys[c]!)) >>> 0;
    }
    this.count += LIST_HEADER + count;
    return start;
  }
}

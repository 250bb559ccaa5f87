/**
 * The deepest point of a chord: of a stretch of a line inside a body.
 *
 * Inside, the depth is the least of the distances to the body's triangles. Each of these distances is a convex
 * function along the line. So with S the nearest triangle at a, and T that at b, the depth between a and b is at most
 * the lower of these two distances, and that is greatest where they tie. The tie is between l and r if S is nearer at
 * l, and T at r; then it is at most as deep as the crossing of two straight lines, the chord of the distance to S and
 * that of the distance to T. Where S and T are met in their planes, this crossing is the tie itself. Otherwise it
 * comes near the tie from one side only. The crossing of tangents often comes near it from the other; where a
 * distance is flat and then steep it does not, so halves follow. The depth is looked up there, which parts the
 * stretch. Stretches that cannot be deeper than the deepest point so far are done with. So what is found is the
 * deepest point of all, not of one valley, up to a tolerance.
 */
import { MOST_NARROWINGS, MOST_SAMPLES, MOST_TANGENTS } from './constants.ts';

/** A body's distances along a line, by places on the line (lengths from its start). */
export interface DepthAlong {
  /** The depth at a place, and the triangle that is nearest there. */
  sample(at: number, out: DepthSample): void;
  /** 0: a place. 1 and 2: the distance from it, and how fast that grows. As arguments they would be on the heap. */
  readonly numbers: Float64Array;
  /** Sets numbers 1 and 2 to those of a triangle. */
  measure(triangle: number): void;
}

export interface DepthSample {
  at: number;
  /** Below 0 outside. */
  depth: number;
  triangle: number;
}

/** The deepest point that was found, and the triangles that are nearest just before and behind it. */
export interface Deepest extends DepthSample {
  before: number;
  behind: number;
  /** False if more places would have had to be looked at. */
  isSure: boolean;
}

/** Searches one chord after the other; results are overwritten by the next. */
export class DeepestPoint {
  readonly found: Deepest = { at: 0, depth: 0, triangle: 0, before: 0, behind: 0, isSure: true };
  #left: DepthSample = newSample();
  #right: DepthSample = newSample();
  #middle: DepthSample = newSample();
  readonly #last: DepthSample = newSample();
  #next = 0;

  /**
   * The deepest point from `first` to `last`, which are inside or on the surface, within `tolerance`, a depth. An end
   * is taken before a place between that is deeper by no more than that.
   */
  search(line: DepthAlong, first: DepthSample, last: DepthSample, tolerance: number): Deepest {
    const { found } = this;
    copy(first, this.#left);
    copy(last, this.#last);
    copy(last, this.#right);
    this.#take(first.depth >= last.depth ? first : last, first.triangle, last.triangle);
    found.isSure = true;
    for (let samples = 0; ; ) {
      if (!this.#canBeDeeper(line, tolerance)) {
        // Done up to here: the rest of the chord is next.
        if (this.#right.at >= this.#last.at) return found;
        [this.#left, this.#right] = [this.#right, this.#left];
        copy(this.#last, this.#right);
        if (found.at === this.#left.at) found.behind = this.#right.triangle;
        continue;
      }
      if (samples++ === MOST_SAMPLES) {
        found.isSure = false;
        return found;
      }
      line.sample(this.#next, this.#middle);
      const { at, depth, triangle } = this.#middle;
      if (depth > found.depth) this.#take(this.#middle, this.#left.triangle, this.#right.triangle);
      else if (found.at === this.#left.at) found.behind = triangle;
      else if (found.at === this.#right.at) found.before = triangle;
      if (at <= this.#left.at || at >= this.#right.at) return found;
      [this.#right, this.#middle] = [this.#middle, this.#right];
    }
  }

  #take({ at, depth, triangle }: DepthSample, before: number, behind: number): void {
    const { found } = this;
    found.at = at;
    found.depth = depth;
    found.triangle = triangle;
    found.before = before;
    found.behind = behind;
  }

  /** Whether it may be deeper between left and right than what was found, and where to look. */
  #canBeDeeper(line: DepthAlong, tolerance: number): boolean {
    const [left, right] = [this.#left, this.#right];
    if (left.triangle === right.triangle) return false;
    const enough = this.found.depth + tolerance;
    if (enough === Infinity) return false;
    const { numbers } = line;
    let l = left.at;
    let r = right.at;
    // Distances to the left and the right one's triangle, at both places.
    let sl = left.depth;
    numbers[0] = l;
    line.measure(right.triangle);
    let tl = numbers[1]!;
    numbers[0] = r;
    line.measure(left.triangle);
    let sr = numbers[1]!;
    let tr = right.depth;
    // Where tangents at the last place cross.
    let tie = l;
    for (let narrowings = 0; ; narrowings++) {
      const rise = sr - sl;
      const fall = tl - tr;
      if (rise <= 0 || fall <= 0) return false;
      // Rounding may make the nearest triangle a little farther than the other one.
      const share = Math.min(1, Math.max(0, (tl - sl) / (rise + fall)));
      const bound = sl + rise * share;
      if (bound <= enough) return false;
      // Every other time by tangents, or where these have not led to the tie soon, in the middle.
      let next = l + (r - l) * share;
      if (narrowings % 2 === 1) next = narrowings < MOST_TANGENTS && tie > l && tie < r ? tie : (l + r) / 2;
      this.#next = numbers[0] = next;
      line.measure(left.triangle);
      const s = numbers[1]!;
      const rising = numbers[2]!;
      line.measure(right.triangle);
      const t = numbers[1]!;
      const closing = rising - numbers[2]!;
      tie = closing > 0 ? next + (t - s) / closing : l;
      if (Math.min(s, t) >= bound - tolerance / 2 || narrowings === MOST_NARROWINGS) return true;
      if (s <= t) {
        l = next;
        sl = s;
        tl = t;
      } else {
        r = next;
        sr = s;
        tr = t;
      }
    }
  }
}

function newSample(): DepthSample {
  return { at: 0, depth: 0, triangle: 0 };
}

function copy(from: DepthSample, to: DepthSample): void {
  to.at = from.at;
  to.depth = from.depth;
  to.triangle = from.triangle;
}

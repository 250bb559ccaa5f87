/** A flat polygon that lines cut. */

/**
 * Numbers per corner of a polygon: u, v, the name of the plane that cut the edge behind it, or 0 if none did, and its
 * depth at the last cut. They are in one array, as engines check each array anew in each round of a loop.
 */
export const CORNER = 4;
/** Places among them. */
export const NAME = 2;
const DEPTH = 3;
/** Numbers of a corner of a face that nothing has cut: u and v. */
export const UV = 2;
/** Numbers of a depth that is linear over a plane: at its origin, per u and per v. */
export const LINEAR = 3;

/** A flat polygon that lines cut. Corners that are cut off leave room for those of the cut: one more at most. */
export class Polygon {
  /** How many numbers its corners are. */
  end = 0;
  /** `[n * CORNER]`: corners, counter-clockwise. */
  at = new Float64Array(0);
  #other = new Float64Array(0);

  reserve(corners: number): void {
    if (Math.min(this.at.length, this.#other.length) >= CORNER * corners) return;
    this.at = new Float64Array(CORNER * corners);
    this.#other = new Float64Array(CORNER * corners);
  }

  /** Becomes the polygon of corners `from .. end - 1`. */
  load(corners: Float64Array, from: number, end: number): void {
    const { at } = this;
    let to = 0;
    for (let i = UV * from; i < UV * end; i += UV) {
      at[to] = corners[i]!;
      at[to + 1] = corners[i + 1]!;
      at[to + NAME] = 0;
      to += CORNER;
    }
    this.end = to;
  }

  /** Becomes a polygon that was cut: numbers `from .. end - 1`. */
  copy(corners: Float64Array, from: number, end: number): void {
    for (let i = from; i < end; i++) this.at[i - from] = corners[i]!;
    this.end = end - from;
  }

  /**
   * Keeps the part where a depth is 0 or more (I. Sutherland, G. Hodgman 1974). Returns whether there is another one.
   * A polygon that some planes cut is the same bit for bit, whatever else has cut corners that are gone.
   *
   * @param linear from which `from` on the depth stands
   * @param name of the cut, above 0
   * @param rest becomes the part that is cut off
   */
  cut(linear: Float64Array, from: number, name: number, rest?: Polygon): boolean {
    const { at, end } = this;
    const a = linear[from]!;
    const b = linear[from + 1]!;
    const c = linear[from + 2]!;
    let outside = 0;
    let was = 0;
    let changes = 0;
    for (let i = 0; i < end; i += CORNER) {
      const depth = a + b * at[i]! + c * at[i + 1]!;
      at[i + DEPTH] = depth;
      // Which corners are outside is in no order: a branch would be guessed wrong.
      const isOutside = Number(depth < 0);
      changes += isOutside ^ was;
      was = isOutside;
      outside += isOutside;
    }
    if (outside === 0) return false;
    if (outside * CORNER === end) {
      if (rest !== undefined) {
        this.at = rest.at;
        rest.at = at;
        rest.end = end;
      }
      this.end = 0;
      return true;
    }
    // Of a convex polygon all corners outside follow each other, from `first` to before `next`. Where many lines meet
    // in a point, rounding puts other corners outside as well: those around the outermost one are cut off.
    const isFirst = Number(at[DEPTH]! < 0);
    let first = changes - isFirst + (isFirst ^ was) > 2 ? this.#outermost() : 0;
    if (at[first + DEPTH]! < 0) {
      while (at[(first || end) - CORNER + DEPTH]! < 0) first = (first || end) - CORNER;
    } else while (at[first + DEPTH]! >= 0) first += CORNER;
    let next = first;
    do next = next + CORNER === end ? 0 : next + CORNER;
    while (at[next + DEPTH]! < 0);
    const last = (first || end) - CORNER;
    const before = (next || end) - CORNER;
    const depthOfNext = at[next + DEPTH]!;
    const depthOfLast = at[last + DEPTH]!;
    // Both ends of the cut, seen from inside: a corner on the line is one of them, bit for bit.
    const back = depthOfNext / (depthOfNext - at[before + DEPTH]!);
    const uOfStart = at[next]! + back * (at[before]! - at[next]!);
    const vOfStart = at[next + 1]! + back * (at[before + 1]! - at[next + 1]!);
    const on = depthOfLast / (depthOfLast - at[first + DEPTH]!);
    const uOfEnd = at[last]! + on * (at[first]! - at[last]!);
    const vOfEnd = at[last + 1]! + on * (at[first + 1]! - at[last + 1]!);
    const out = this.#other;
    out[0] = uOfStart;
    out[1] = vOfStart;
    out[NAME] = at[before + NAME]!;
    let kept = depthOfNext > 0 ? CORNER : 0;
    for (let i = next; i !== first; ) {
      out[kept] = at[i]!;
      out[kept + 1] = at[i + 1]!;
      out[kept + NAME] = at[i + NAME]!;
      kept += CORNER;
      i += CORNER;
      if (i === end) i = 0;
    }
    if (depthOfLast === 0) kept -= CORNER;
    out[kept] = uOfEnd;
    out[kept + 1] = vOfEnd;
    out[kept + NAME] = name;
    kept += CORNER;
    if (rest !== undefined) {
      const off = rest.at;
      off[0] = uOfEnd;
      off[1] = vOfEnd;
      let left = CORNER;
      for (let i = first; i !== next; ) {
        off[left] = at[i]!;
        off[left + 1] = at[i + 1]!;
        left += CORNER;
        i += CORNER;
        if (i === end) i = 0;
      }
      off[left] = uOfStart;
      off[left + 1] = vOfStart;
      left += CORNER;
      rest.end = left;
    }
    this.#other = at;
    this.at = out;
    this.end = kept;
    return true;
  }

  /** The corner with the least depth. */
  #outermost(): number {
    const { at, end } = this;
    let first = 0;
    for (let i = CORNER; i < end; i += CORNER) if (at[i + DEPTH]! < at[first + DEPTH]!) first = i;
    return first;
  }
}

/**
 * Lists of the faces of two shapes that meet, and of their planes that may be nearest there. They are kept from step to
 * step, as long as it is proven that no other face or plane can have come in. docs/contacts.md, "Faces", has the proof.
 */
import { setAcross } from '../../convex/shapes/directions-across.ts';
import { PLACEMENT, writeRotation } from '../../convex/shapes/pose.ts';
import { FACE_SLACK, MEETING_GROWTH, MEETING_MARGIN } from './constants.ts';
import { FACE_RANGE, type FaceTable, PLANE } from './face-table.ts';
import type { FaceFrame } from './near-faces.ts';
import { CORNER, type Polygon } from './polygon.ts';

/** Most faces of a meeting, of both shapes together. Where there are more, nothing is kept. */
const MOST_FACES = 16;
/** Places among the numbers of a meeting. */
const At = { counts: 0, axis: 1, middle: 4, halves: 7, place: 10, turn: 13, faces: 17 } as const;
/** Numbers of 32 bits per meeting. */
export const MEETING = At.faces + MOST_FACES / 2;
/** Most faces of a shape that have a number in a meeting. */
const MOST_NUMBERS = 2 ** 15;

const second = new Float64Array(3);
const third = new Float64Array(3);

/** Sets rows to an axis and two directions across it. */
function setDirections(axis: Float64Array, out: Float64Array): void {
  setAcross(axis[0]!, axis[1]!, axis[2]!, second, third);
  for (let k = 0; k < 3; k++) {
    out[k] = axis[k]!;
    out[3 + k] = second[k]!;
    out[6 + k] = third[k]!;
  }
}

/** The extent of the pieces of an overlap, in A's frame: along an axis and two directions across it. */
export class Extent {
  /** By rows: the axis and both directions. */
  readonly directions = new Float64Array(9);
  /** Along each of them: least and largest. */
  readonly ends = new Float64Array(6);

  /** Begins with no pieces. @param axis a unit vector */
  along(axis: Float64Array): void {
    setDirections(axis, this.directions);
    for (let k = 0; k < 3; k++) {
      this.ends[2 * k] = Infinity;
      this.ends[2 * k + 1] = -Infinity;
    }
  }

  add({ at, end }: Polygon, f: FaceFrame): void {
    for (let k = 0; k < 3; k++) {
      const x = this.directions[3 * k]!;
      const y = this.directions[3 * k + 1]!;
      const z = this.directions[3 * k + 2]!;
      const origin = x * f[0]! + y * f[1]! + z * f[2]!;
      const perU = x * f[3]! + y * f[4]! + z * f[5]!;
      const perV = x * f[6]! + y * f[7]! + z * f[8]!;
      let low = this.ends[2 * k]!;
      let high = this.ends[2 * k + 1]!;
      for (let i = 0; i < end; i += CORNER) {
        const along = origin + perU * at[i]! + perV * at[i + 1]!;
        low = Math.min(low, along);
        high = Math.max(high, along);
      }
      this.ends[2 * k] = low;
      this.ends[2 * k + 1] = high;
    }
  }
}

/**
 * The faces that meet in a box, and the planes that may be nearest there. The box stands in A, along an axis, and moves
 * with B as well: both shapes have one, which were the same when it was found.
 */
export class Meeting {
  /** Faces of both, and of A alone; 0: nothing is known. */
  count = 0;
  countOfA = 0;
  /** Whether it was found since it was loaded. */
  isNew = false;
  /** Faces of A, then of B, rising. Each is twice its number within the shape, and one more if it meets. */
  readonly faces = new Uint16Array(MOST_FACES);
  /** Its other numbers. */
  readonly #floats = new Float32Array(At.faces);

  load(words: Uint32Array, floats: Float32Array, from: number, axis: Float64Array): void {
    this.isNew = false;
    const own = this.#floats;
    for (let k = At.axis; k < At.faces; k++) own[k] = floats[from + k]!;
    for (let k = 0; k < 3; k++) axis[k] = own[At.axis + k]!;
    const counts = words[from]!;
    this.countOfA = counts & 0xff;
    this.count = counts >>> 8;
    if (this.count > MOST_FACES || this.countOfA > this.count) this.count = 0;
    for (let k = 0; k < this.count; k++) {
      this.faces[k] = words[from + At.faces + (k >> 1)]! >>> (16 * (k & 1));
    }
  }

  store(words: Uint32Array, floats: Float32Array, from: number): void {
    words[from] = (this.count << 8) | this.countOfA;
    for (let k = At.axis; k < At.faces; k++) floats[from + k] = this.#floats[k]!;
    // Numbers of other pairs may stand behind its own. Rows are saved, so they have nothing of these.
    this.faces.fill(0, this.count);
    for (let k = 0; k < MOST_FACES; k += 2) {
      words[from + At.faces + (k >> 1)] = this.faces[k]! | (this.faces[k + 1]! << 16);
    }
  }

  /** Whether the pieces between these faces lie in A's box and in B's. @param now where B is in A's frame */
  holds(now: Float64Array, { ends, directions: e }: Extent): boolean {
    const f = this.#floats;
    writeRotation(f[At.turn]!, f[At.turn + 1]!, f[At.turn + 2]!, f[At.turn + 3]!, before, 0);
    const x = f[At.middle]! - f[At.place]!;
    const y = f[At.middle + 1]! - f[At.place + 1]!;
    const z = f[At.middle + 2]! - f[At.place + 2]!;
    const r = before;
    const bx = r[0]! * x + r[3]! * y + r[6]! * z;
    const by = r[1]! * x + r[4]! * y + r[7]! * z;
    const bz = r[2]! * x + r[5]! * y + r[8]! * z;
    let shift = 0;
    let turn = 0;
    let halves = 0;
    for (let k = 0; k < 3; k++) {
      const p = now[3 * k]!;
      const q = now[3 * k + 1]!;
      const s = now[3 * k + 2]!;
      shift += (p * bx + q * by + s * bz + now[9 + k]! - f[At.middle + k]!) ** 2;
      for (let l = 0; l < 3; l++) {
        // Of B's turn since then, less none: R R0^T - 1.
        turn += (p * r[3 * l]! + q * r[3 * l + 1]! + s * r[3 * l + 2]! - (k === l ? 1 : 0)) ** 2;
      }
      halves += f[At.halves + k]! ** 2;
    }
    // B's box has moved by no more.
    const moved = Math.sqrt(shift) + Math.sqrt(turn * halves);
    for (let k = 0; k < 3; k++) {
      const middle =
        e[3 * k]! * f[At.middle]! + e[3 * k + 1]! * f[At.middle + 1]! + e[3 * k + 2]! * f[At.middle + 2]!;
      const half = f[At.halves + k]! - moved;
      if (!(middle - ends[2 * k]! <= half && ends[2 * k + 1]! - middle <= half)) return false;
    }
    return true;
  }

  /**
   * Finds it anew.
   *
   * @param now where B is in A's frame
   * @param extent of all of both surfaces that is inside the other
   */
  find(table: FaceTable, a: number, b: number, now: Float64Array, { ends, directions: e }: Extent): void {
    this.isNew = true;
    const f = this.#floats;
    for (let k = 0; k < 3; k++) {
      let middle = 0;
      for (let l = 0; l < 3; l++) middle += (e[3 * l + k]! * (ends[2 * l]! + ends[2 * l + 1]!)) / 2;
      f[At.axis + k] = e[k]!;
      f[At.middle + k] = middle;
      f[At.place + k] = now[9 + k]!;
    }
    setQuaternion(now, f, At.turn);
    // Both boxes are where these numbers say, which are rounded.
    writeRotation(f[At.turn]!, f[At.turn + 1]!, f[At.turn + 2]!, f[At.turn + 3]!, before, 0);
    for (let k = 0; k < 3; k++) {
      axis[k] = f[At.axis + k]!;
      middleOfA[k] = f[At.middle + k]!;
    }
    setDirections(axis, across);
    const x = middleOfA[0]! - f[At.place]!;
    const y = middleOfA[1]! - f[At.place + 1]!;
    const z = middleOfA[2]! - f[At.place + 2]!;
    const r = before;
    for (let k = 0; k < 3; k++) {
      middleOfB[k] = r[k]! * x + r[3 + k]! * y + r[6 + k]! * z;
      for (let l = 0; l < 3; l++) {
        const o = 3 * l;
        acrossOfB[o + k] = r[k]! * across[o]! + r[3 + k]! * across[o + 1]! + r[6 + k]! * across[o + 2]!;
      }
    }
    const size = Math.hypot(...middleOfA) + Math.hypot(...middleOfB);
    for (let l = 0; l < 3; l++) {
      const half = (ends[2 * l + 1]! - ends[2 * l]!) / 2;
      f[At.halves + l] = MEETING_GROWTH * half + MEETING_MARGIN * size;
    }
    this.count = 0;
    this.countOfA = 0;
    const slack = FACE_SLACK * size;
    const ofA = this.#list(table, a, middleOfA, across, slack, 0);
    if (ofA < 0) return;
    const all = this.#list(table, b, middleOfB, acrossOfB, slack, ofA);
    if (all < 0) return;
    this.count = all;
    this.countOfA = ofA;
  }

  /**
   * Lists faces whose planes reach into a box, or may be nearest to some point in it. Returns where they end; -1 where
   * there are too many.
   */
  #list(
    { ranges, planes }: FaceTable,
    record: number,
    middle: Float64Array,
    directions: Float64Array,
    slack: number,
    from: number,
  ): number {
    const first = ranges[FACE_RANGE * record]!;
    const count = ranges[FACE_RANGE * record + 1]!;
    if (count > MOST_NUMBERS) return -1;
    if (depths.length < count) {
      depths = new Float64Array(count);
      some = new Uint32Array(count);
    }
    let least = 0;
    for (let i = 0; i < count; i++) {
      const p = PLANE * (first + i);
      depths[i] =
        planes[p + 3]! -
        (planes[p]! * middle[0]! + planes[p + 1]! * middle[1]! + planes[p + 2]! * middle[2]!);
      if (depths[i]! < depths[least]!) least = i;
    }
    let left = 0;
    for (let i = 0; i < count; i++) {
      const p = PLANE * (first + i);
      const reach = this.#reach(planes[p]!, planes[p + 1]!, planes[p + 2]!, directions) + slack;
      const meets = depths[i]! <= reach;
      if (!meets && this.#isFarther(planes, first, i, least, directions, slack)) continue;
      some[left++] = 2 * i + (meets ? 1 : 0);
    }
    let end = from;
    for (let k = 0; k < left; k++) {
      let isFarther = false;
      if ((some[k]! & 1) === 0) {
        for (let l = 0; l < left && !isFarther; l++) {
          isFarther = this.#isFarther(planes, first, some[k]! >> 1, some[l]! >> 1, directions, slack);
        }
      }
      if (isFarther) continue;
      if (end === MOST_FACES) return -1;
      this.faces[end++] = some[k]!;
    }
    return end;
  }

  /** Whether plane i is farther than plane k from all points of the box. */
  #isFarther(
    planes: Float64Array,
    first: number,
    i: number,
    k: number,
    directions: Float64Array,
    slack: number,
  ): boolean {
    const p = PLANE * (first + i);
    const q = PLANE * (first + k);
    const x = planes[p]! - planes[q]!;
    const y = planes[p + 1]! - planes[q + 1]!;
    const z = planes[p + 2]! - planes[q + 2]!;
    return depths[i]! - depths[k]! > this.#reach(x, y, z, directions) + slack;
  }

  /** How far the box reaches from its middle along a vector. */
  #reach(x: number, y: number, z: number, e: Float64Array): number {
    const h = this.#floats;
    return (
      h[At.halves]! * Math.abs(x * e[0]! + y * e[1]! + z * e[2]!) +
      h[At.halves + 1]! * Math.abs(x * e[3]! + y * e[4]! + z * e[5]!) +
      h[At.halves + 2]! * Math.abs(x * e[6]! + y * e[7]! + z * e[8]!)
    );
  }
}

/** How B was turned in A's frame. */
const before = new Float64Array(PLACEMENT);
const axis = new Float64Array(3);
const middleOfA = new Float64Array(3);
const middleOfB = new Float64Array(3);
/** The directions of the box, in A's frame and in B's. */
const across = new Float64Array(9);
const acrossOfB = new Float64Array(9);
/** Of the planes of a shape from the middle, and those that are left: as `Meeting.faces` says. */
let depths = new Float64Array(0);
let some = new Uint32Array(0);

/** The quaternion of a rotation by rows; not of unit length. */
function setQuaternion(r: Float64Array, out: Float32Array, at: number): void {
  // Of four, the one with the largest of its numbers first: no digits are lost.
  const t = 1 + r[0]! + r[4]! + r[8]!;
  const x = 1 + r[0]! - r[4]! - r[8]!;
  const y = 1 - r[0]! + r[4]! - r[8]!;
  const z = 1 - r[0]! - r[4]! + r[8]!;
  const most = Math.max(t, x, y, z);
  const [u, v, w] = [r[7]! - r[5]!, r[2]! - r[6]!, r[3]! - r[1]!];
  const [p, q, s] = [r[3]! + r[1]!, r[2]! + r[6]!, r[7]! + r[5]!];
  if (most === t) set(out, at, u, v, w, t);
  else if (most === x) set(out, at, x, p, q, u);
  else if (most === y) set(out, at, p, y, s, v);
  else set(out, at, q, s, z, w);
}

function set(out: Float32Array, at: number, x: number, y: number, z: number, w: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = w;
}

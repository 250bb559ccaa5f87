/**
 * What is remembered of a convex pair from one step to the next: an axis along which it was apart, or of shapes that
 * touched with faces, which faces met. An axis still tells that the pair is apart, or it does not; and so does a
 * meeting, that no other faces meet. So the answer is the same, whatever was remembered.
 */
import type { Pair } from '../../convex/pair/pair.ts';
import { farthestVertex } from '../../convex/shapes/farthest-vertex.ts';
import { INTEGERS, Integer, ShapeKind, type ShapeRecords } from '../../convex/shapes/records.ts';
import { coreSupport } from '../../convex/shapes/support.ts';
import { eachKept } from '../bodies/kept-pairs.ts';
import { PLACED } from '../bodies/placed-collider.ts';
import { MEETING, type Meeting } from '../faces/meeting.ts';
import { climb } from './climb.ts';

/**
 * Numbers per pair. The first has 1 in its lowest bit if there is an axis along which the pair was apart, 2 if there is
 * a meeting of faces; the others are B's vertex against the axis. Then come the axis in A's frame and A's reach along
 * it, as bits of float32, or the meeting.
 */
export const REMEMBERED = 1 + MEETING;

/** Of these, what an axis takes. */
const AXIS = 5;

const HAS_AXIS = 1;
const HAS_MEETING = 2;
const VERTEX_SHIFT = 2;
const MOST_VERTICES = 2 ** (32 - VERTEX_SHIFT);

/** An axis in float32 is of unit length to this. */
const AXIS_ROUNDING = 2 ** -20;

const direction = new Float64Array(3);
const point = new Float64Array(3);

/**
 * Takes over what is remembered of pairs that another list had.
 *
 * @param memory of the new list; 0
 */
export function keepMemory(
  pairs: Uint32Array,
  memory: Uint32Array,
  before: Uint32Array,
  remembered: Uint32Array,
): void {
  eachKept(before, pairs, (from, to) => {
    const first = remembered[REMEMBERED * from]!;
    if (first === 0) return;
    const length = first & HAS_AXIS ? AXIS : REMEMBERED;
    for (let k = 0; k < length; k++) memory[REMEMBERED * to + k] = remembered[REMEMBERED * from + k]!;
  });
}

/** Memory of pairs, by their places in a list. */
export class Memory {
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;

  /** @param words `REMEMBERED` per pair; 0 at first */
  constructor(words: Uint32Array) {
    this.#words = words;
    this.#floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /**
   * True if the cores of pair i are surely farther apart along the axis that is remembered than is asked for.
   *
   * @param shape B's record
   * @param frames A's place, then B's, `PLACED` numbers each
   * @param way from A's centre to B's, in the world; then the distance that is asked for, 0 or more
   */
  isApart(i: number, table: ShapeRecords, shape: number, frames: Float64Array, way: Float64Array): boolean {
    const at = REMEMBERED * i;
    const first = this.#words[at]!;
    if ((first & HAS_AXIS) === 0) return false;
    const floats = this.#floats;
    const f = frames;
    const x = floats[at + 1]!;
    const y = floats[at + 2]!;
    const z = floats[at + 3]!;
    const wx = f[0]! * x + f[1]! * y + f[2]! * z;
    const wy = f[3]! * x + f[4]! * y + f[5]! * z;
    const wz = f[6]! * x + f[7]! * y + f[8]! * z;
    const between = wx * way[0]! + wy * way[1]! + wz * way[2]! - floats[at + 4]!;
    const b = PLACED;
    const lx = -(f[b]! * wx + f[b + 3]! * wy + f[b + 6]! * wz);
    const ly = -(f[b + 1]! * wx + f[b + 4]! * wy + f[b + 7]! * wz);
    const lz = -(f[b + 2]! * wx + f[b + 5]! * wy + f[b + 8]! * wz);
    const { integers, vertices: v } = table;
    let reach: number;
    if (integers[INTEGERS * shape + Integer.kind] === ShapeKind.polytope) {
      direction[0] = lx;
      direction[1] = ly;
      direction[2] = lz;
      const start = first >>> VERTEX_SHIFT;
      const rank = start - integers[INTEGERS * shape + Integer.firstVertex]!;
      // A number that is not of this shape is not used.
      if (!(rank >= 0 && rank < integers[INTEGERS * shape + Integer.vertexCount]!)) return false;
      const vertex = climb(table, shape, start, direction);
      if (vertex !== start) this.#words[at] = HAS_AXIS | (vertex << VERTEX_SHIFT);
      reach = v[3 * vertex]! * lx + v[3 * vertex + 1]! * ly + v[3 * vertex + 2]! * lz;
    } else {
      coreSupport(table, shape, lx, ly, lz, point, 0);
      reach = point[0]! * lx + point[1]! * ly + point[2]! * lz;
    }
    return (between - reach) * (1 - AXIS_ROUNDING) > way[3]!;
  }

  /** Remembers that pair i, which is in `pair`, is apart along its normal. */
  keepAxis(i: number, { table, shapeA, shapeB, normal, placement: r, polytopeB }: Pair): void {
    const at = REMEMBERED * i;
    const floats = this.#floats;
    for (let k = 0; k < 3; k++) floats[at + 1 + k] = normal[k]!;
    const x = floats[at + 1]!;
    const y = floats[at + 2]!;
    const z = floats[at + 3]!;
    coreSupport(table, shapeA, x, y, z, point, 0);
    const reach = point[0]! * x + point[1]! * y + point[2]! * z;
    // Rounded up: cores hold their centres, so it is 0 or more.
    floats[at + 4] = reach * (1 + 2 ** -22);
    let vertex = 0;
    if (polytopeB) {
      const lx = -(r[0]! * x + r[3]! * y + r[6]! * z);
      const ly = -(r[1]! * x + r[4]! * y + r[7]! * z);
      const lz = -(r[2]! * x + r[5]! * y + r[8]! * z);
      vertex = farthestVertex(table, shapeB, lx, ly, lz);
    }
    this.#words[at] = vertex < MOST_VERTICES ? HAS_AXIS | (vertex << VERTEX_SHIFT) : 0;
  }

  /** Sets a meeting, and its axis in A's frame, to those of pair i. False if none is remembered. */
  meetingOf(i: number, meeting: Meeting, axis: Float64Array): boolean {
    const at = REMEMBERED * i;
    if ((this.#words[at]! & HAS_MEETING) === 0) return false;
    meeting.load(this.#words, this.#floats, at + 1, axis);
    return true;
  }

  /** Remembers the meeting of pair i. */
  keepMeeting(i: number, meeting: Meeting): void {
    const at = REMEMBERED * i;
    meeting.store(this.#words, this.#floats, at + 1);
    this.#words[at] = HAS_MEETING;
  }
}

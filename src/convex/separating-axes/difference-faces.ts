// The difference of two polytopes P and Q, and those of its faces that may be the nearest. polytope-depth.ts finds
// them, polytope-points.ts takes the first one that has a point on both polytopes.
import type { Pair } from '../pair/pair.ts';
import { INTEGERS, Integer, type ShapeRecords } from '../shapes/records.ts';

/** Kinds of faces of the difference: a face of P, a face of Q, or one that an edge of each spans. */
export const FACE_P = 0;
export const FACE_Q = 1;
export const EDGES = 2;

/** Numbers of a face that is kept. */
export const Candidate = {
  /** How far the difference reaches along its normal. */
  height: 0,
  kind: 1,
  /** Face of P or of Q; of edges the face of P at whose edge they are. */
  face: 2,
  /** Vertex of the other polytope; of edges the corner of P's face that its edge starts from. */
  other: 3,
  /** Of edges: both vertices of Q's edge. */
  from: 4,
  to: 5,
  /** Of edges: where on the arc between the normals of P's faces their normal is, 0 to 1. */
  place: 6,
} as const;
const NUMBERS = 7;
const MOST_CANDIDATES = 16;

/** Work space for one pair of polytopes at a time. */
export class DifferenceFaces {
  table!: ShapeRecords;
  /** P, the polytope with fewer faces, and Q. */
  shapeP = 0;
  shapeQ = 0;
  /** True where P is B. */
  isSwapped = false;
  /** Rotation from Q's frame into P's by rows, then Q's centre in P's frame. */
  readonly m = new Float64Array(12);
  /** The least height so far. */
  least = Infinity;
  /** How much more still ties with it. Length. */
  tie = 0;
  count = 0;
  readonly #numbers = new Float64Array(NUMBERS * MOST_CANDIDATES);

  /**
   * Puts a pair in.
   *
   * @param known upper bound of the least height, or Infinity
   */
  place(pair: Pair, known: number): void {
    const r = pair.placement;
    const { m } = this;
    const { integers } = pair.table;
    this.table = pair.table;
    this.least = known;
    this.tie = pair.touching;
    this.count = 0;
    const facesA = integers[INTEGERS * pair.shapeA + Integer.faceCount]!;
    this.isSwapped = facesA > integers[INTEGERS * pair.shapeB + Integer.faceCount]!;
    this.shapeP = this.isSwapped ? pair.shapeB : pair.shapeA;
    this.shapeQ = this.isSwapped ? pair.shapeA : pair.shapeB;
    if (!this.isSwapped) {
      m.set(r);
      return;
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) m[3 * i + j] = r[3 * j + i]!;
      m[9 + i] = -(r[i]! * r[9]! + r[3 + i]! * r[10]! + r[6 + i]! * r[11]!);
    }
  }

  /** A number of face `c` of those kept, by its name in `Candidate`. */
  of(c: number, name: keyof typeof Candidate): number {
    return this.#numbers[NUMBERS * c + Candidate[name]]!;
  }

  /** Keeps a face of P or of Q with the vertex of the other one that lies farthest against it. */
  keepFace(height: number, kind: typeof FACE_P | typeof FACE_Q, face: number, vertex: number): void {
    const at = this.#roomFor(height);
    this.#numbers[at + Candidate.kind] = kind;
    this.#numbers[at + Candidate.face] = face;
    this.#numbers[at + Candidate.other] = vertex;
  }

  /** Keeps a face that is spanned by the edge of P's face from a corner on, and by Q's edge between two vertices. */
  keepEdges(height: number, face: number, corner: number, from: number, to: number, place: number): void {
    const at = this.#roomFor(height);
    this.#numbers[at + Candidate.kind] = EDGES;
    this.#numbers[at + Candidate.face] = face;
    this.#numbers[at + Candidate.other] = corner;
    this.#numbers[at + Candidate.from] = from;
    this.#numbers[at + Candidate.to] = to;
    this.#numbers[at + Candidate.place] = place;
  }

  /** Where a face of this height goes: where all room is taken, in place of the highest. */
  #roomFor(height: number): number {
    const numbers = this.#numbers;
    if (height < this.least) this.least = height;
    let room = this.count;
    if (room === MOST_CANDIDATES) {
      room = 0;
      for (let i = 0; i < MOST_CANDIDATES; i++) {
        if (numbers[NUMBERS * i]! > numbers[NUMBERS * room]!) room = i;
      }
    } else {
      this.count++;
    }
    numbers[NUMBERS * room] = height;
    return NUMBERS * room;
  }
}

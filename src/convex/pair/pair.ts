// A pair of shapes as algorithms see it: the Minkowski difference A - B in the frame of A's centre. Algorithms ask for
// its support points (Olvang 2010, eqs. 4 and 5; Neumayr & Otter 2017, eq. 5). Coordinates are relative to A, so
// positions far from the world's origin cost no digits.
//
// Twin: shaders/convex/pair/pair.wgsl.
import { CONVEX_TOLERANCE, GAP_SHARE, LEAST_COORDINATE, TOUCHING_TOLERANCE } from '../constants.ts';
import {
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  type PlacedRecord,
  ShapeKind,
  type ShapeRecords,
} from '../shapes/records.ts';
import { supportAlong } from '../shapes/support.ts';

/** Numbers per support point: difference w = a - b, then a, then b. */
export const POINT = 9;
/** Where in `points` the newest support point is. */
export const NEWEST = 4 * POINT;

/** Distance and bounds of an overlap whose depth is not measured. */
const UNMEASURED_DEPTH = { distance: 0, lower: -Infinity, upper: 0 } as const;

const moved = new Float64Array(3);
/** The direction in A's frame, and the opposite one in B's. */
const toward = new Float64Array(6);
/** Support points of A and B, each in its own frame. */
const s = new Float64Array(6);

/**
 * Work space for one pair at a time: plain numbers and small arrays, allocated once. `place` puts a pair in. Algorithms
 * leave their answer in the fields below, all in A's frame.
 */
export class Pair {
  readonly table: ShapeRecords;
  shapeA = 0;
  shapeB = 0;
  /** Rotation of B against A by rows, then B's centre seen from A's. */
  readonly placement = new Float64Array(12);
  /** A's rotation in the world by rows, then its centre in the world. */
  readonly frame = new Float64Array(12);
  marginA = 0;
  marginB = 0;
  /** Size of the pair, the measure of all tolerances: both bounding radii and the distance of the centres. Length. */
  size = 1;
  /** Gap between the bounds of an answer, relative to `size`. */
  tolerance = CONVEX_TOLERANCE;
  /** False where MPR goes without the ball that A - B holds about its inner point. */
  knowsInball = true;

  /** Slots of POINT numbers: GJK's simplex in 0 .. 3, MPR's portal in 1 .. 3, the newest support point in 4. */
  readonly points = new Float64Array(5 * POINT);
  /** Points of the simplex, slots 0 .. count - 1. */
  count = 0;
  /** Weights of the simplex' points in the point nearest to the origin. */
  readonly weights = new Float64Array(4);
  /** Point of the simplex nearest to the origin, x, y, z. */
  readonly nearest = new Float64Array(3);

  /** Support points asked for since `place`. */
  calls = 0;
  /** Answer: signed distance, positive where apart. */
  distance = 0;
  /** Bounds of the exact signed distance. */
  lower = 0;
  upper = 0;
  /** Unit normal e_A: out of A, towards B. */
  readonly normal = new Float64Array(3);
  /** Points on A and B: pointB - pointA = distance * normal. */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** The first direction to ask in, towards B. For a warm start, the normal of an earlier answer. */
  readonly guess = new Float64Array(3);
  /** Coordinates of differences below this are 0. */
  #least = 0;
  /** Where the parameters of A and B start in the table. */
  recordA = 0;
  recordB = 0;
  /** True where the core is a box. */
  boxA = false;
  boxB = false;
  /** True where it is a polytope. */
  polytopeA = false;
  polytopeB = false;
  /** Vertices of polytopes that are farthest along the answer's normal, and against it; -1 where they are not known. */
  vertexA = -1;
  vertexB = -1;

  constructor(table: ShapeRecords) {
    this.table = table;
  }

  /**
   * Puts a pair in. Rotations are those of the shapes' own frames.
   *
   * @param warm normal to start from, in the world, from place `w` on. Without it: the direction between the centres
   */
  place(placedA: PlacedRecord, placedB: PlacedRecord, warm?: Float64Array, w = 0): void {
    const p = this.table.parameters;
    const { placement: r, frame } = this;
    const { record: shapeA, frames: placementsA, at: a } = placedA;
    const { record: shapeB, frames: placementsB, at: b } = placedB;
    this.shapeA = shapeA;
    this.shapeB = shapeB;
    const recordA = PARAMETERS * shapeA;
    const recordB = PARAMETERS * shapeB;
    const { integers } = this.table;
    this.recordA = recordA;
    this.recordB = recordB;
    const kindA = integers[INTEGERS * shapeA + Integer.kind];
    const kindB = integers[INTEGERS * shapeB + Integer.kind];
    this.boxA = kindA === ShapeKind.box;
    this.boxB = kindB === ShapeKind.box;
    this.polytopeA = kindA === ShapeKind.polytope;
    this.polytopeB = kindB === ShapeKind.polytope;
    this.marginA = p[recordA + Parameter.margin]!;
    this.marginB = p[recordB + Parameter.margin]!;
    // Difference of positions first: it is exact for bodies near each other and far from the origin.
    let dx = placementsB[b + 9]! - placementsA[a + 9]!;
    let dy = placementsB[b + 10]! - placementsA[a + 10]!;
    let dz = placementsB[b + 11]! - placementsA[a + 11]!;
    frame[9] = placementsA[a + 9]!;
    frame[10] = placementsA[a + 10]!;
    frame[11] = placementsA[a + 11]!;
    if (this.#moveToCentre(recordA, placementsA, a)) {
      dx -= moved[0]!;
      dy -= moved[1]!;
      dz -= moved[2]!;
      for (let k = 0; k < 3; k++) frame[9 + k]! += moved[k]!;
    }
    if (this.#moveToCentre(recordB, placementsB, b)) {
      dx += moved[0]!;
      dy += moved[1]!;
      dz += moved[2]!;
    }
    for (let i = 0; i < 3; i++) {
      const x = placementsA[a + i]!;
      const y = placementsA[a + 3 + i]!;
      const z = placementsA[a + 6 + i]!;
      for (let j = 0; j < 3; j++) {
        r[3 * i + j] = x * placementsB[b + j]! + y * placementsB[b + 3 + j]! + z * placementsB[b + 6 + j]!;
      }
      r[9 + i] = x * dx + y * dy + z * dz;
      frame[i] = placementsA[a + i]!;
      frame[3 + i] = placementsA[a + 3 + i]!;
      frame[6 + i] = placementsA[a + 6 + i]!;
      if (warm !== undefined) this.guess[i] = x * warm[w]! + y * warm[w + 1]! + z * warm[w + 2]!;
      else this.guess[i] = r[9 + i]!;
    }
    const tx = r[9]!;
    const ty = r[10]!;
    const tz = r[11]!;
    const radii = p[recordA + Parameter.boundingRadius]! + p[recordB + Parameter.boundingRadius]!;
    const size = radii + Math.sqrt(tx * tx + ty * ty + tz * tz);
    // Two points in one place have no size; any will do.
    this.size = size > 0 ? size : 1;
    this.#least = LEAST_COORDINATE * this.size;
    this.calls = 0;
    this.count = 0;
    this.vertexA = -1;
    this.vertexB = -1;
  }

  /** Centre of a record's shape against its origin, in the world, into `moved`; false where it is the origin. */
  #moveToCentre(record: number, placed: Float64Array, o: number): boolean {
    const p = this.table.parameters;
    const c = record + Parameter.centre;
    const x = p[c]!;
    const y = p[c + 1]!;
    const z = p[c + 2]!;
    if (x === 0 && y === 0 && z === 0) return false;
    moved[0] = placed[o]! * x + placed[o + 1]! * y + placed[o + 2]! * z;
    moved[1] = placed[o + 3]! * x + placed[o + 4]! * y + placed[o + 5]! * z;
    moved[2] = placed[o + 6]! * x + placed[o + 7]! * y + placed[o + 8]! * z;
    return true;
  }

  /** Length below which two things are the same, or touch. */
  get touching(): number {
    return TOUCHING_TOLERANCE * this.size;
  }

  /** True where the bounding spheres are disjoint. */
  get isFarApart(): boolean {
    const t = this.placement;
    return 4 * (t[9]! * t[9]! + t[10]! * t[10]! + t[11]! * t[11]!) > this.size * this.size;
  }

  /**
   * Gap of the cores' bounds at which to stop. It is a little less than the tolerance, since margins are still to be
   * added to the bounds and that rounds them.
   */
  get gap(): number {
    return GAP_SHARE * Math.max(this.tolerance * this.size, this.touching);
  }

  /** Support point of the difference of the cores, in a direction of any length but 0, into a slot of `points`. */
  core(x: number, y: number, z: number, out: Float64Array, o: number): void {
    // By an array: engines make objects of numbers that calls pass.
    toward[0] = x;
    toward[1] = y;
    toward[2] = z;
    this.#support(out, o);
  }

  #support(out: Float64Array, o: number): void {
    const r = this.placement;
    const x = toward[0]!;
    const y = toward[1]!;
    const z = toward[2]!;
    toward[3] = -(r[0]! * x + r[3]! * y + r[6]! * z);
    toward[4] = -(r[1]! * x + r[4]! * y + r[7]! * z);
    toward[5] = -(r[2]! * x + r[5]! * y + r[8]! * z);
    this.calls++;
    const { table } = this;
    supportAlong(table, this.shapeA, toward, 0, s, 0);
    supportAlong(table, this.shapeB, toward, 3, s, 3);
    const bx = s[3]!;
    const by = s[4]!;
    const bz = s[5]!;
    const px = r[0]! * bx + r[1]! * by + r[2]! * bz + r[9]!;
    const py = r[3]! * bx + r[4]! * by + r[5]! * bz + r[10]!;
    const pz = r[6]! * bx + r[7]! * by + r[8]! * bz + r[11]!;
    out[o + 3] = s[0]!;
    out[o + 4] = s[1]!;
    out[o + 5] = s[2]!;
    out[o + 6] = px;
    out[o + 7] = py;
    out[o + 8] = pz;
    // Exact predicates need products of coordinates free of underflow.
    const least = this.#least;
    const wx = s[0]! - px;
    const wy = s[1]! - py;
    const wz = s[2]! - pz;
    out[o] = Math.abs(wx) < least ? 0 : wx;
    out[o + 1] = Math.abs(wy) < least ? 0 : wy;
    out[o + 2] = Math.abs(wz) < least ? 0 : wz;
  }

  /** Support point of the difference of the whole shapes, in a direction of unit length. */
  full(x: number, y: number, z: number, out: Float64Array, o: number): void {
    this.core(x, y, z, out, o);
    const { marginA, marginB } = this;
    const both = marginA + marginB;
    out[o] = out[o]! + both * x;
    out[o + 1] = out[o + 1]! + both * y;
    out[o + 2] = out[o + 2]! + both * z;
    out[o + 3] = out[o + 3]! + marginA * x;
    out[o + 4] = out[o + 4]! + marginA * y;
    out[o + 5] = out[o + 5]! + marginA * z;
    out[o + 6] = out[o + 6]! - marginB * x;
    out[o + 7] = out[o + 7]! - marginB * y;
    out[o + 8] = out[o + 8]! - marginB * z;
  }

  /**
   * Makes an answer for the shapes from one for the cores: `pointA` on A's core, and the unit normal e. Margins move
   * the points towards each other and shorten the distance.
   */
  answer(coreDistance: number, ex: number, ey: number, ez: number): void {
    const { marginA, pointA, pointB, normal } = this;
    const both = marginA + this.marginB;
    this.distance = coreDistance - both;
    normal[0] = ex;
    normal[1] = ey;
    normal[2] = ez;
    pointA[0]! += marginA * ex;
    pointA[1]! += marginA * ey;
    pointA[2]! += marginA * ez;
    pointB[0] = pointA[0]! + this.distance * ex;
    pointB[1] = pointA[1]! + this.distance * ey;
    pointB[2] = pointA[2]! + this.distance * ez;
  }

  /**
   * Answers that the shapes are apart: a lower bound of their distance, the unit normal e of a plane between them, and
   * the newest support point, which was asked for along e.
   */
  answerSeparated(coreDistance: number, ex: number, ey: number, ez: number): void {
    const { marginA, marginB, normal, points, pointA, pointB } = this;
    this.distance = coreDistance - (marginA + marginB);
    this.lower = this.distance;
    this.upper = Infinity;
    normal[0] = ex;
    normal[1] = ey;
    normal[2] = ez;
    for (let k = 0; k < 3; k++) {
      pointA[k] = points[NEWEST + 3 + k]! + marginA * normal[k]!;
      pointB[k] = points[NEWEST + 6 + k]! - marginB * normal[k]!;
    }
  }

  /**
   * Leaves out the depth of an overlap, for kind `distance`: overlapping shapes have the distance 0. How far below 0
   * the signed distance is, nothing says.
   */
  leaveOutDepth(): void {
    this.distance = UNMEASURED_DEPTH.distance;
    this.lower = UNMEASURED_DEPTH.lower;
    this.upper = UNMEASURED_DEPTH.upper;
  }

  /** An answer of an algorithm that works on the whole shapes: `pointA` is on A already. */
  answerWhole(distance: number, ex: number, ey: number, ez: number): void {
    const { pointA, pointB, normal } = this;
    this.distance = distance;
    normal[0] = ex;
    normal[1] = ey;
    normal[2] = ez;
    pointB[0] = pointA[0]! + distance * ex;
    pointB[1] = pointA[1]! + distance * ey;
    pointB[2] = pointA[2]! + distance * ez;
  }

  /** Points on the cores, from the weights of the simplex. */
  weigh(): void {
    const { points, weights, pointA, pointB } = this;
    for (let k = 0; k < 3; k++) {
      let a = 0;
      let b = 0;
      for (let i = 0; i < this.count; i++) {
        a += weights[i]! * points[POINT * i + 3 + k]!;
        b += weights[i]! * points[POINT * i + 6 + k]!;
      }
      pointA[k] = a;
      pointB[k] = b;
    }
  }
}

/** One piece of an edge in the field of another polyhedron. */
import type { FieldArrays, PolyhedronArrays } from '../field/field-arrays.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../field/nearest.ts';
import { DistanceStatus, SignedDistance, signedDistance } from '../field/signed-distance.ts';
import { leastDistance } from '../nodes/least-distance.ts';
import { NORMAL_FLOATS } from '../surface/surface-arrays.ts';
import { crossingsAlong } from './cells-along.ts';
import { clearanceOf } from './clearance.ts';
import {
  DEPTH_TOLERANCE,
  SHALLOW_TOLERANCE,
  SHORTEST_CHORD,
  SHORTEST_GRADIENT,
  TIE_TOLERANCE,
} from './constants.ts';
import { Crossings, type Line } from './crossings.ts';
import { DeepestPoint, type DepthAlong, type DepthSample } from './deepest-point.ts';

/** A point of a piece inside the partner. Directions and lengths are those of the partner's frame. */
export interface PointOfPiece {
  /** Share of the way along the piece. */
  at: number;
  depth: number;
  /** Deeper than the partner's tables reach. */
  isDeep: boolean;
  /** More places would have had to be looked at. */
  isSure: boolean;
  /** The partner's nearest triangle. */
  triangle: number;
  /** Unit, outwards. */
  nx: number;
  ny: number;
  nz: number;
  /** Length of the depth's gradient: below 1 where two faces tie. */
  slope: number;
}

/** Finds the deepest points of pieces, one after the other. */
export class PieceInField {
  readonly deepest: PointOfPiece = newPoint();
  readonly shallowerEnd: PointOfPiece = newPoint();
  /** The piece in the partner's frame, and in the local one that its tables are in. */
  readonly #line: Line = { px: 0, py: 0, pz: 0, dx: 0, dy: 0, dz: 0 };
  readonly #localLine: Line = { px: 0, py: 0, pz: 0, dx: 0, dy: 0, dz: 0 };
  readonly #crossings = new Crossings();
  readonly #search = new DeepestPoint();
  /** At the place that was asked for last, at the deepest place of a search, and at both ends. */
  #field = new SignedDistance();
  #best = new SignedDistance();
  readonly #ends = [new SignedDistance(), new SignedDistance()] as const;
  #bestAt = 0;
  readonly #point = new Float64Array(3);
  readonly #w = new Float64Array(NEAREST_FLOATS);
  readonly #start: DepthSample = { at: 0, depth: 0, triangle: 0 };
  readonly #end: DepthSample = { at: 0, depth: 0, triangle: 0 };
  readonly #middle: DepthSample = { at: 0, depth: 0, triangle: 0 };
  readonly #along: DepthAlong = {
    sample: (at, out) => this.#sampleOfSearch(at, out),
    numbers: new Float64Array(3),
    measure: (triangle) => this.#measure(triangle),
  };
  #partner!: PolyhedronArrays;
  #length = 0;

  /** Places the piece between two ends, `[x, y, z]` each in the partner's frame: all else is asked of this one. */
  place(partner: PolyhedronArrays, ends: Float64Array): void {
    const { scale, shift } = partner.field.frame;
    setLine(this.#line, ends, 1, NO_SHIFT);
    setLine(this.#localLine, ends, scale, shift);
    const { dx, dy, dz } = this.#localLine;
    this.#partner = partner;
    this.#length = Math.sqrt(dx * dx + dy * dy + dz * dz) / scale;
  }

  /** How far all of the piece is from the body at least, as both ends tell; 0 or less: it may touch. */
  least(): number {
    const { field } = this.#partner;
    const { scale } = field.frame;
    return leastAlong(field, this.#localLine, this.#length * scale) / scale;
  }

  /**
   * Looks for the deepest point of the piece. 0 if no point is inside; 1 if some are: `deepest`; 2 if both ends are:
   * `shallowerEnd` as well.
   */
  find(): 0 | 1 | 2 {
    crossingsAlong(this.#partner.field, this.#localLine, this.#crossings);
    return this.#deepestChord();
  }

  /** How far all of a piece outside is from the surface at least (`clearanceOf`). */
  clearance(most: number): number {
    const { scale } = this.#partner.field.frame;
    return clearanceOf(this.#partner, this.#localLine, most * scale) / scale;
  }

  #deepestChord(): 0 | 1 | 2 {
    const { at, triangles, count } = this.#crossings;
    const { deepest } = this;
    deepest.depth = 0;
    let before = 0;
    let behind = 0;
    let atStart = -1;
    let atEnd = -1;
    let startIsDeep = false;
    let endIsDeep = false;
    const [fieldAtStart, fieldAtEnd] = this.#ends;
    this.#best.depth = 0;
    for (let i = 0; i <= count; i++) {
      const from = i === 0 ? 0 : at[i - 1]!;
      const to = i === count ? 1 : at[i]!;
      if (to - from <= SHORTEST_CHORD) continue;
      this.#sample((from + to) / 2, this.#middle, this.#field);
      if (this.#middle.depth <= 0) continue;
      if (i > 0) setSample(this.#start, from, 0, triangles[i - 1]!);
      else {
        this.#sample(0, this.#start, fieldAtStart);
        atStart = fieldAtStart.depth;
        startIsDeep = this.#start.depth === Infinity;
      }
      if (i < count) setSample(this.#end, to, 0, triangles[i]!);
      else {
        this.#sample(1, this.#end, fieldAtEnd);
        atEnd = fieldAtEnd.depth;
        endIsDeep = this.#end.depth === Infinity;
      }
      const tolerance = Math.min(DEPTH_TOLERANCE * this.#length, SHALLOW_TOLERANCE * this.#middle.depth);
      const found = this.#search.search(this.#along, this.#start, this.#end, tolerance);
      if (found.depth <= deepest.depth) continue;
      deepest.at = found.at;
      deepest.depth = found.depth;
      deepest.isSure = found.isSure;
      before = found.before;
      behind = found.behind;
    }
    if (deepest.depth === 0) return 0;
    const isStart = startIsDeep === endIsDeep ? atStart < atEnd : endIsDeep;
    const shallower = isStart ? 0 : 1;
    // Beyond the reach the search ends where it begins: both ends count, in their order.
    if (startIsDeep && endIsDeep) deepest.at = 1 - shallower;
    const { at: place } = deepest;
    if (place === 0 && atStart > 0) describe(deepest, fieldAtStart);
    else if (place === 1 && atEnd > 0) describe(deepest, fieldAtEnd);
    else if (place === this.#bestAt && this.#best.depth > 0) describe(deepest, this.#best);
    else describe(deepest, this.#look(place, this.#field));
    if (deepest.at > 0 && deepest.at < 1) this.#turnAcross(deepest, before, behind);
    if (atStart <= 0 || atEnd <= 0) return 1;
    this.shallowerEnd.at = shallower;
    this.shallowerEnd.isSure = true;
    describe(this.shallowerEnd, isStart ? fieldAtStart : fieldAtEnd);
    return 2;
  }

  /** The partner's field at a place of the piece. */
  #look(at: number, out: SignedDistance): SignedDistance {
    const { px, py, pz, dx, dy, dz } = this.#line;
    const point = this.#point;
    point[0] = px + at * dx;
    point[1] = py + at * dy;
    point[2] = pz + at * dz;
    signedDistance(this.#partner, point, out, true);
    return out;
  }

  /** Keeps the field at the deepest place. */
  #sampleOfSearch(at: number, out: DepthSample): void {
    this.#sample(at, out, this.#field);
    if (this.#field.depth <= this.#best.depth) return;
    [this.#best, this.#field] = [this.#field, this.#best];
    this.#bestAt = at;
  }

  #sample(at: number, out: DepthSample, field: SignedDistance): void {
    const { status, depth, triangle } = this.#look(at, field);
    // No search goes on beyond a place that the tables do not reach.
    setSample(out, at, status === DistanceStatus.deep ? Infinity : depth, triangle);
  }

  #measure(triangle: number): void {
    const { numbers } = this.#along;
    const { scale } = this.#partner.field.frame;
    const { dx, dy, dz } = this.#localLine;
    const w = this.#w;
    this.#nearest(numbers[0]!, triangle);
    const distance = Math.sqrt(w[6]!);
    const along = (w[0]! - w[3]!) * dx + (w[1]! - w[4]!) * dy + (w[2]! - w[5]!) * dz;
    numbers[1] = distance / scale;
    numbers[2] = distance > 0 ? along / (distance * scale) : 0;
  }

  /** The nearest point of one triangle, in the local frame, into #w; the feature of the triangle that it is on. */
  #nearest(at: number, triangle: number): number {
    this.#place(at);
    return nearestOnTriangle(this.#partner.field.corners, 9 * triangle, this.#w);
  }

  /** Puts a place of the piece into #w, in the local frame. */
  #place(at: number): void {
    const { px, py, pz, dx, dy, dz } = this.#localLine;
    this.#w[0] = px + at * dx;
    this.#w[1] = py + at * dy;
    this.#w[2] = pz + at * dz;
  }

  /**
   * The gradient g of the greatest depth along the piece, at a point where two triangles tie. It is the mean of both
   * normals that is across the piece: g = m n1 + (1 - m) n2 with g e = 0. Its length is below 1: when the piece moves
   * along g, depth grows by less than the way.
   */
  #turnAcross(point: PointOfPiece, before: number, behind: number): void {
    const { dx, dy, dz } = this.#line;
    const here = (point.nx * dx + point.ny * dy + point.nz * dz) / this.#length;
    // The side on which the piece would get deeper, were it not for the triangle of the other side.
    const other = here < 0 ? behind : before;
    const feature = this.#nearest(point.at, other);
    const w = this.#w;
    const distance = Math.sqrt(w[6]!) / this.#partner.field.frame.scale;
    if (distance > point.depth + TIE_TOLERANCE * this.#length) return;
    let [x, y, z] = [w[3]! - w[0]!, w[4]! - w[1]!, w[5]! - w[2]!];
    if (distance < TIE_TOLERANCE * this.#length) {
      // The direction would be rounding.
      const n = NORMAL_FLOATS * other + 3 * feature;
      [x, y, z] = this.#partner.surface.normals.subarray(n, n + 3) as unknown as [number, number, number];
    }
    const size = Math.sqrt(x * x + y * y + z * z);
    const there = (x * dx + y * dy + z * dz) / (size * this.#length);
    if (!(here * there < 0)) return;
    const share = there / (there - here);
    const gx = share * point.nx + ((1 - share) * x) / size;
    const gy = share * point.ny + ((1 - share) * y) / size;
    const gz = share * point.nz + ((1 - share) * z) / size;
    point.slope = Math.sqrt(gx * gx + gy * gy + gz * gz);
    // Both faces of a thin plate: it is no shallower to either side.
    if (point.slope < SHORTEST_GRADIENT) return;
    point.nx = gx / point.slope;
    point.ny = gy / point.slope;
    point.nz = gz / point.slope;
  }
}

const NO_SHIFT = [0, 0, 0] as const;
const end = new Float64Array(3);

/**
 * Least distance of a piece's points from the body. From an end along the piece to its nearest point, and on to the
 * body, is a way as long as that end's distance at least; so is the way from the other end. Both together are the
 * piece's length and twice the least distance.
 */
function leastAlong(field: FieldArrays, { px, py, pz, dx, dy, dz }: Line, length: number): number {
  end[0] = px;
  end[1] = py;
  end[2] = pz;
  const least = leastDistance(field, end);
  end[0] = px + dx;
  end[1] = py + dy;
  end[2] = pz + dz;
  return least === 0 ? 0 : (least + leastDistance(field, end) - length) / 2;
}

/** A line between two ends. */
function setLine(
  line: Line,
  ends: Float64Array,
  scale: number,
  shift: readonly [number, number, number],
): void {
  line.px = ends[0]! * scale - shift[0];
  line.py = ends[1]! * scale - shift[1];
  line.pz = ends[2]! * scale - shift[2];
  line.dx = ends[3]! * scale - shift[0] - line.px;
  line.dy = ends[4]! * scale - shift[1] - line.py;
  line.dz = ends[5]! * scale - shift[2] - line.pz;
}

function newPoint(): PointOfPiece {
  return { at: 0, depth: 0, isDeep: false, isSure: true, triangle: 0, nx: 0, ny: 0, nz: 0, slope: 1 };
}

/** Sets all of a point but its place by the field there. */
function describe(point: PointOfPiece, { status, depth, triangle, nx, ny, nz }: SignedDistance): void {
  point.isDeep = status === DistanceStatus.deep;
  point.depth = depth;
  point.triangle = triangle;
  point.nx = nx;
  point.ny = ny;
  point.nz = nz;
  point.slope = 1;
}

function setSample(out: DepthSample, at: number, depth: number, triangle: number): void {
  out.at = at;
  out.depth = depth;
  out.triangle = triangle;
}

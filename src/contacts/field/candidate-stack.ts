/**
 * Triangles that can be nearest to points of a cube, each with a bound of its distance. docs/contacts.md, "Candidates".
 */
import { FLOAT32_UPWARDS } from '../../constants.ts';
import { CANDIDATE_SLACK } from './constants.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from './nearest.ts';

/** Numbers of a plane: unit normal, and what is added to normal times point. */
const PLANE = 4;
const ROOT_3 = Math.sqrt(3);
/** Radii of a triangle's ball from which on a plane across the way to its middle does as well as the best one. */
const FAR = 8;

/** By how much a candidate may be farther from the middle of a cube than the nearest. */
interface Bound {
  /** Half the edge, and half the diagonal of the cube. */
  half: number;
  diagonal: number;
  /** Distance of the nearest from the middle, with slack for rounding, and unit way from there to the middle. */
  limit: number;
  ax: number;
  ay: number;
  az: number;
  /** Beyond the growth along that way, distances from the nearest point grow by no more than this. */
  bend: number;
  /** A candidate that is farther than the limit by more than this is farther in any direction. */
  most: number;
}

/**
 * Candidates of cubes, those of a cube behind those of the cube that it is a part of. Each has a plane: the triangle
 * lies below it, so a point is no nearer to the triangle than its height above the plane. A plane holds for all points,
 * so that of a cube serves for its parts.
 */
export class CandidateStack {
  triangles: Uint32Array;
  /** Distance from the middle of the cube. */
  distances: Float64Array;
  #planes: Float64Array;
  readonly #corners: Float32Array;
  /** Middle and radius of a ball around each triangle. */
  readonly #balls: Float32Array;
  /** Candidates of any part of a cube. */
  #ofParts = new Uint8Array(0);
  readonly #w = new Float64Array(NEAREST_FLOATS);
  /** Heights of a point above the planes of the candidates that are looked at. */
  readonly #heights: Float64Array;
  readonly #bound: Bound = { half: 0, diagonal: 0, limit: 0, ax: 0, ay: 0, az: 0, bend: 0, most: 0 };
  /** Of the cube that was tested last: distance from its middle to the nearest triangle, and which one that is. */
  least = 0;
  nearest = 0;

  /** Begins with all triangles. */
  constructor(corners: Float32Array) {
    const count = corners.length / 9;
    const room = 4 * count + 64;
    this.#corners = corners;
    this.#balls = ballsOf(corners);
    this.triangles = new Uint32Array(room);
    this.distances = new Float64Array(room);
    this.#planes = new Float64Array(PLANE * room);
    this.#heights = new Float64Array(count);
    for (let t = 0; t < count; t++) {
      this.triangles[t] = t;
      this.#planes[PLANE * t + 3] = -Infinity;
    }
  }

  #reserve(count: number): void {
    if (count <= this.triangles.length) return;
    const [triangles, distances, planes] = [this.triangles, this.distances, this.#planes];
    this.triangles = new Uint32Array(2 * count);
    this.distances = new Float64Array(2 * count);
    this.#planes = new Float64Array(2 * PLANE * count);
    this.triangles.set(triangles);
    this.distances.set(distances);
    this.#planes.set(planes);
  }

  /**
   * Puts those of `count` candidates on the stack behind them that can be nearest to a point of a cube, the nearest to
   * its middle first. Returns how many they are.
   *
   * @param half half the edge of the cube about (x, y, z)
   */
  keep(x: number, y: number, z: number, half: number, from: number, count: number): number {
    this.#reserve(from + 2 * count);
    const w = this.#w;
    const triangles = this.triangles;
    const planes = this.#planes;
    const balls = this.#balls;
    const corners = this.#corners;
    const diagonal = ROOT_3 * half;
    const most = 2 * diagonal;
    w[0] = x;
    w[1] = y;
    w[2] = z;
    // Of the nearest point up to now; that of the block around is the first guess. Any point of the surface tells which
    // triangles are farther.
    nearestOnTriangle(corners, 9 * triangles[from]!, w);
    let least = Math.sqrt(w[6]!);
    let limit = least + CANDIDATE_SLACK * (least + diagonal);
    let bend = (diagonal * diagonal) / (2 * least);
    let ax = (x - w[3]!) / least;
    let ay = (y - w[4]!) / least;
    let az = (z - w[5]!) / least;
    let nearest = -1;
    const begin = from + count;
    let end = begin;
    for (let c = from; c < begin; c++) {
      const p = PLANE * c;
      const px = planes[p]!;
      const py = planes[p + 1]!;
      const pz = planes[p + 2]!;
      const height = px * x + py * y + pz * z + planes[p + 3]!;
      const before = height - limit;
      if (
        before > most ||
        before > half * (Math.abs(ax - px) + Math.abs(ay - py) + Math.abs(az - pz)) + bend ||
        before > diagonal + half * (Math.abs(px) + Math.abs(py) + Math.abs(pz))
      ) {
        continue;
      }
      const t = triangles[c]!;
      const bx = x - balls[4 * t]!;
      const by = y - balls[4 * t + 1]!;
      const bz = z - balls[4 * t + 2]!;
      const radius = balls[4 * t + 3]!;
      const square = bx * bx + by * by + bz * bz;
      const far = limit + most + radius;
      if (square > far * far) continue;
      const middle = Math.sqrt(square);
      if (middle > FAR * radius && middle - radius >= least) {
        this.#setPlane(end, t, bx / middle, by / middle, bz / middle);
      } else {
        this.#setNearestPlane(end, t);
        const distance = Math.sqrt(w[6]!);
        if (distance < least || (nearest < 0 && distance === least)) {
          least = distance;
          limit = least + CANDIDATE_SLACK * (least + diagonal);
          bend = (diagonal * diagonal) / (2 * least);
          ax = planes[PLANE * end]!;
          ay = planes[PLANE * end + 1]!;
          az = planes[PLANE * end + 2]!;
          nearest = end;
        }
      }
      triangles[end++] = t;
    }
    this.least = least;
    // No triangle was measured if the guess is the nearest one, and its ball was a good enough bound of its distance.
    this.nearest = triangles[nearest < 0 ? from : nearest]!;
    let to = begin;
    for (let c = begin; c < end; c++) {
      const p = PLANE * c;
      const px = planes[p]!;
      const py = planes[p + 1]!;
      const pz = planes[p + 2]!;
      const pw = planes[p + 3]!;
      const above = px * x + py * y + pz * z + pw - limit;
      if (
        above > half * (Math.abs(ax - px) + Math.abs(ay - py) + Math.abs(az - pz)) + bend ||
        above > diagonal + half * (Math.abs(px) + Math.abs(py) + Math.abs(pz))
      ) {
        continue;
      }
      triangles[to] = triangles[c]!;
      const q = PLANE * to;
      planes[q] = px;
      planes[q + 1] = py;
      planes[q + 2] = pz;
      planes[q + 3] = pw;
      if (c === nearest) this.#swap(begin, to);
      to++;
    }
    return to - begin;
  }

  /**
   * Leaves those of `count` candidates of a cube that can be nearest to a point of it, as seen from their nearest
   * points to its middle, and sets their distances from that. Returns how many they are.
   */
  refine(x: number, y: number, z: number, half: number, from: number, count: number): number {
    const [triangles, planes, w] = [this.triangles, this.#planes, this.#w];
    this.#findNearest(x, y, z, from, count, 0);
    const bound = this.#boundFor(half);
    let to = from;
    for (let c = from; c < from + count; c++) {
      const t = triangles[c]!;
      this.#setNearestPlane(to, t);
      const at = PLANE * to;
      const above =
        planes[at]! * x + planes[at + 1]! * y + planes[at + 2]! * z + planes[at + 3]! - bound.limit;
      if (this.#isFarther(above, at, bound)) continue;
      triangles[to] = t;
      this.distances[to++] = Math.sqrt(w[6]!);
    }
    return to - from;
  }

  /**
   * Leaves those of `count` candidates of a cube that are candidates of one of its eight halves along all axes. Returns
   * how many they are.
   */
  keepOfParts(x: number, y: number, z: number, half: number, from: number, count: number): number {
    if (count === 1) return 1;
    if (count > this.#ofParts.length) this.#ofParts = new Uint8Array(2 * count);
    const [triangles, heights, planes] = [this.triangles, this.#heights, this.#planes];
    const ofParts = this.#ofParts.fill(0, 0, count);
    // Planes of the parts are made behind the candidates.
    const spare = from + count;
    this.#reserve(spare + 1);
    let open = count;
    let nearest = 0;
    for (let part = 0; part < 8 && open > 0; part++) {
      const px = x + ((part & 1) - 0.5) * half;
      const py = y + (((part >> 1) & 1) - 0.5) * half;
      const pz = z + ((part >> 2) - 0.5) * half;
      nearest = this.#findNearest(px, py, pz, from, count, nearest);
      const bound = this.#boundFor(half / 2);
      for (let c = 0; c < count; c++) {
        const over = heights[c]! - bound.limit;
        if (ofParts[c] === 1 || over > bound.most || this.#isFarther(over, PLANE * (from + c), bound))
          continue;
        this.#setNearestPlane(spare, triangles[from + c]!);
        const at = PLANE * spare;
        const above =
          planes[at]! * px + planes[at + 1]! * py + planes[at + 2]! * pz + planes[at + 3]! - bound.limit;
        if (this.#isFarther(above, at, bound)) continue;
        ofParts[c] = 1;
        open--;
      }
    }
    let left = 0;
    for (let c = 0; c < count; c++) if (ofParts[c] === 1) this.#move(from + c, from + left++);
    return left;
  }

  /**
   * Finds which of `count` candidates is nearest to a point, which is left in `w`. Writes the heights of the point
   * above all planes.
   */
  #findNearest(x: number, y: number, z: number, from: number, count: number, guess: number): number {
    const [w, triangles, planes, corners, balls, heights] = [
      this.#w,
      this.triangles,
      this.#planes,
      this.#corners,
      this.#balls,
      this.#heights,
    ];
    w[0] = x;
    w[1] = y;
    w[2] = z;
    nearestOnTriangle(corners, 9 * triangles[from + guess]!, w);
    let nearest = guess;
    let square = w[6]!;
    let least = Math.sqrt(square);
    let wx = x - w[3]!;
    let wy = y - w[4]!;
    let wz = z - w[5]!;
    for (let c = 0; c < count; c++) {
      const at = PLANE * (from + c);
      const height = planes[at]! * x + planes[at + 1]! * y + planes[at + 2]! * z + planes[at + 3]!;
      heights[c] = height;
      if (height >= least || c === guess) continue;
      const t = triangles[from + c]!;
      const bx = x - balls[4 * t]!;
      const by = y - balls[4 * t + 1]!;
      const bz = z - balls[4 * t + 2]!;
      const far = least + balls[4 * t + 3]!;
      if (bx * bx + by * by + bz * bz > far * far) continue;
      nearestOnTriangle(corners, 9 * t, w);
      if (!(w[6]! < square)) continue;
      nearest = c;
      square = w[6]!;
      least = Math.sqrt(square);
      wx = x - w[3]!;
      wy = y - w[4]!;
      wz = z - w[5]!;
    }
    this.least = least;
    const bound = this.#bound;
    bound.ax = wx / least;
    bound.ay = wy / least;
    bound.az = wz / least;
    return nearest;
  }

  /** The bound for candidates of a cube: how much farther from its middle than the nearest one they may be. */
  #boundFor(half: number): Bound {
    const [bound, least] = [this.#bound, this.least];
    const diagonal = ROOT_3 * half;
    bound.half = half;
    bound.diagonal = diagonal;
    bound.limit = least + CANDIDATE_SLACK * (least + diagonal);
    bound.bend = (diagonal * diagonal) / (2 * least);
    bound.most = 2 * diagonal;
    return bound;
  }

  /**
   * Whether a triangle is farther from all points of a cube than the nearest to its middle.
   *
   * @param above height of the middle above the triangle's plane, less the limit
   */
  #isFarther(above: number, plane: number, { half, diagonal, bend, ax, ay, az }: Bound): boolean {
    const planes = this.#planes;
    const x = planes[plane]!;
    const y = planes[plane + 1]!;
    const z = planes[plane + 2]!;
    return (
      above > diagonal + half * (Math.abs(x) + Math.abs(y) + Math.abs(z)) ||
      above > half * (Math.abs(ax - x) + Math.abs(ay - y) + Math.abs(az - z)) + bend
    );
  }

  /** A plane across the way from a triangle's nearest point to the point in `w`. */
  #setNearestPlane(to: number, t: number): void {
    const w = this.#w;
    nearestOnTriangle(this.#corners, 9 * t, w);
    const distance = Math.sqrt(w[6]!);
    this.#setPlane(to, t, (w[0]! - w[3]!) / distance, (w[1]! - w[4]!) / distance, (w[2]! - w[5]!) / distance);
  }

  /** The plane of a unit normal through the triangle's farthest corner along it: it holds whatever rounding did. */
  #setPlane(to: number, t: number, x: number, y: number, z: number): void {
    const [planes, corners] = [this.#planes, this.#corners];
    const v = 9 * t;
    const at = PLANE * to;
    planes[at] = x;
    planes[at + 1] = y;
    planes[at + 2] = z;
    planes[at + 3] = -Math.max(
      x * corners[v]! + y * corners[v + 1]! + z * corners[v + 2]!,
      x * corners[v + 3]! + y * corners[v + 4]! + z * corners[v + 5]!,
      x * corners[v + 6]! + y * corners[v + 7]! + z * corners[v + 8]!,
    );
  }

  #move(from: number, to: number): void {
    if (from === to) return;
    this.triangles[to] = this.triangles[from]!;
    this.distances[to] = this.distances[from]!;
    const planes = this.#planes;
    for (let k = 0; k < PLANE; k++) planes[PLANE * to + k] = planes[PLANE * from + k]!;
  }

  #swap(one: number, other: number): void {
    if (one === other) return;
    for (const values of [this.triangles, this.distances]) {
      [values[one], values[other]] = [values[other]!, values[one]!];
    }
    for (let k = 0; k < PLANE; k++) {
      const [i, j] = [PLANE * one + k, PLANE * other + k];
      [this.#planes[i], this.#planes[j]] = [this.#planes[j]!, this.#planes[i]!];
    }
  }
}

/** Balls around triangles: middle of the box, and a radius that is rounded up. */
function ballsOf(corners: Float32Array): Float32Array {
  const balls = new Float32Array((4 * corners.length) / 9);
  for (let t = 0; 9 * t < corners.length; t++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [corners[9 * t + k]!, corners[9 * t + 3 + k]!, corners[9 * t + 6 + k]!];
      const low = Math.min(a, b, c);
      balls[4 * t + k] = low + (Math.max(a, b, c) - low) / 2;
    }
    for (let at = 9 * t; at < 9 * t + 9; at += 3) {
      const x = corners[at]! - balls[4 * t]!;
      const y = corners[at + 1]! - balls[4 * t + 1]!;
      const z = corners[at + 2]! - balls[4 * t + 2]!;
      square = Math.max(square, x * x + y * y + z * z);
    }
    balls[4 * t + 3] = Math.sqrt(square) * FLOAT32_UPWARDS;
  }
  return balls;
}

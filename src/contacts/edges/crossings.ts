/** Crossings of a line with the triangles of a mesh. */
import { TRIANGLE_MARGIN } from './constants.ts';

const CORNERS = 9;

/** A line from p to p + d. */
export interface Line {
  px: number;
  py: number;
  pz: number;
  dx: number;
  dy: number;
  dz: number;
}

/** Finds the places at which a line may pass the surface, in order along the line. One line at a time. */
export class Crossings {
  count = 0;
  /** Shares of the way from the line's start to its end. */
  at = new Float64Array(16);
  triangles = new Uint32Array(16);
  /** `[triangles]`: the line that was last asked about each. The first line has number 1. */
  #lines = new Uint32Array(0);
  #line = 0;

  /** Begins with a line. @param triangleCount of the mesh */
  clear(triangleCount: number): void {
    this.count = 0;
    if (this.#lines.length < triangleCount) this.#lines = new Uint32Array(triangleCount);
    // Once in 2^32 lines numbers begin anew.
    this.#line = (this.#line + 1) >>> 0;
    if (this.#line !== 0) return;
    this.#lines.fill(0);
    this.#line = 1;
  }

  /** Whether this line has not been asked about a triangle yet. Cells that lie beside each other list the same. */
  isFirstTime(triangle: number): boolean {
    if (this.#lines[triangle] === this.#line) return false;
    this.#lines[triangle] = this.#line;
    return true;
  }

  /** Puts a place where it belongs; equal ones stay in the order in which they came. */
  add(at: number, triangle: number): void {
    if (this.count === this.at.length) this.#grow();
    let i = this.count++;
    for (; i > 0 && this.at[i - 1]! > at; i--) {
      this.at[i] = this.at[i - 1]!;
      this.triangles[i] = this.triangles[i - 1]!;
    }
    this.at[i] = at;
    this.triangles[i] = triangle;
  }

  #grow(): void {
    const [at, triangles] = [this.at, this.triangles];
    this.at = new Float64Array(2 * at.length);
    this.triangles = new Uint32Array(2 * at.length);
    this.at.set(at);
    this.triangles.set(triangles);
  }
}

/**
 * Share of the way from p to p + d at which the line passes the triangle with corners a, a + u and a + v, or -1 (T.
 * Moeller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997). Triangles are a little larger here
 * than they are, so a line through an edge passes at least one of its faces. One that passes both is parted twice at
 * one place, which does no harm: whether it is inside is asked between the places. A line in the triangle's plane does
 * not pass: where it leaves the triangle, it passes others.
 *
 * @param corners `[triangles * 9]`
 */
export function crossingOf(line: Line, corners: Float32Array, triangle: number): number {
  const t = CORNERS * triangle;
  const ax = corners[t]!;
  const ay = corners[t + 1]!;
  const az = corners[t + 2]!;
  const ux = corners[t + 3]! - ax;
  const uy = corners[t + 4]! - ay;
  const uz = corners[t + 5]! - az;
  const vx = corners[t + 6]! - ax;
  const vy = corners[t + 7]! - ay;
  const vz = corners[t + 8]! - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const { px, py, pz, dx, dy, dz } = line;
  const fall = -(nx * dx + ny * dy + nz * dz);
  if (fall === 0) return -1;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  const at = (nx * wx + ny * wy + nz * wz) / fall;
  if (!(at >= 0 && at <= 1)) return -1;
  // The place as a + v u + w v, with Cramer's rule: the cross product of the way and the line has both.
  const sx = dy * wz - dz * wy;
  const sy = dz * wx - dx * wz;
  const sz = dx * wy - dy * wx;
  const v = -(vx * sx + vy * sy + vz * sz) / fall;
  const w = (ux * sx + uy * sy + uz * sz) / fall;
  return v >= -TRIANGLE_MARGIN && w >= -TRIANGLE_MARGIN && v + w <= 1 + TRIANGLE_MARGIN ? at : -1;
}

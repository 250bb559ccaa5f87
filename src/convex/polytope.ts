// A growing convex polytope: EPA's, of support points of A - B. L. Olvang (2010), section 2.5, algorithm 10.
//
// Departure: what a new point sees is decided by exact predicates, as in mesh/convex-hull.ts. The region that it sees is then
// always a disc, its rim one loop, no face ever has zero area, and the polytope is exactly convex: none of the ways in which a
// float EPA breaks (libccd#7, fcl#390, fcl#493, parry#378) exist. Faces with the origin beyond them are allowed; their offset
// is negative.
import { orient3d } from 'robust-predicates';
import { MOST_POLYTOPE_VERTICES, POLYTOPE_ROUNDING } from '../constants.ts';
import { POINT } from './pair.ts';

const FACES = 2 * MOST_POLYTOPE_VERTICES;
/** Numbers per plane: outward unit normal, offset. */
const PLANE = 4;

export class Polytope {
  /** Slots of POINT numbers. */
  readonly vertices = new Float64Array(POINT * MOST_POLYTOPE_VERTICES);
  vertexCount = 0;
  /** Corners of each face, counter-clockwise seen from outside. */
  readonly corners = new Int32Array(3 * FACES);
  /** Outward unit normal of each face, and distance of its plane from the origin, negative where the origin lies beyond it. */
  readonly planes = new Float64Array(PLANE * FACES);
  /** Heights over a face's plane below which rounding may have their sign. */
  readonly #doubts = new Float64Array(FACES);
  /** 0 unused, 1 in use, 2 in use and known to be on the boundary. */
  readonly states = new Uint8Array(FACES);
  /** Slots of faces that have been in use. */
  faceSlots = 0;
  /** Face across the edge from corner k to corner k + 1. */
  readonly #neighbours = new Int32Array(3 * FACES);
  readonly #free = new Int32Array(FACES);
  #freeCount = 0;
  readonly #visible = new Int32Array(FACES);
  readonly #created = new Int32Array(FACES);
  readonly #byStart = new Int32Array(MOST_POLYTOPE_VERTICES);
  /** Vertex that was found not to see a face last. */
  readonly #blind = new Int32Array(FACES);
  /** Rounding of a height over a plane from three far points. */
  #rounding = 0;

  /** True if there is room for another vertex. */
  get hasRoom(): boolean {
    return this.vertexCount < MOST_POLYTOPE_VERTICES;
  }

  /**
   * Starts from four points in slots 0 .. 3.
   *
   * @param size no point of the polytope is farther from the origin
   * @returns false if they lie in one plane, exactly
   */
  start(points: Float64Array, size: number): boolean {
    this.vertexCount = 4;
    this.#rounding = POLYTOPE_ROUNDING * size;
    for (let i = 0; i < 4 * POINT; i++) this.vertices[i] = points[i]!;
    this.states.fill(0, 0, this.faceSlots);
    this.faceSlots = 0;
    this.#freeCount = 0;
    const volume = this.#volume();
    if (volume === 0) return false;
    // orient3d is negative where the last point sees the first three counter-clockwise: from outside it has to be positive.
    const b = volume > 0 ? 1 : 2;
    const c = 3 - b;
    const base = this.#create(0, b, c);
    const s0 = this.#create(b, 0, 3);
    const s1 = this.#create(c, b, 3);
    const s2 = this.#create(0, c, 3);
    const n = this.#neighbours;
    n[3 * base] = s0;
    n[3 * base + 1] = s1;
    n[3 * base + 2] = s2;
    // Each side: the base, then the sides across its edges to and from the apex.
    n[3 * s0] = base;
    n[3 * s0 + 1] = s2;
    n[3 * s0 + 2] = s1;
    n[3 * s1] = base;
    n[3 * s1 + 1] = s0;
    n[3 * s1 + 2] = s2;
    n[3 * s2] = base;
    n[3 * s2 + 1] = s1;
    n[3 * s2 + 2] = s0;
    return true;
  }

  /** True if the point lies strictly beyond the face's plane; exact. */
  sees(face: number, points: Float64Array, p: number): boolean {
    const { planes } = this;
    const at = PLANE * face;
    const height =
      planes[at]! * points[p]! +
      planes[at + 1]! * points[p + 1]! +
      planes[at + 2]! * points[p + 2]! -
      planes[at + 3]!;
    const doubt = this.#doubts[face]!;
    if (height > doubt) return true;
    if (height < -doubt) return false;
    return this.#seesExactly(face, points, p);
  }

  #seesExactly(face: number, points: Float64Array, p: number): boolean {
    const v = this.vertices;
    const a = POINT * this.corners[3 * face]!;
    const b = POINT * this.corners[3 * face + 1]!;
    const c = POINT * this.corners[3 * face + 2]!;
    return (
      orient3d(
        v[a]!,
        v[a + 1]!,
        v[a + 2]!,
        v[b]!,
        v[b + 1]!,
        v[b + 2]!,
        v[c]!,
        v[c + 1]!,
        v[c + 2]!,
        points[p]!,
        points[p + 1]!,
        points[p + 2]!,
      ) < 0
    );
  }

  /** Adds a point that sees the face: faces that it sees go, the rim of the hole is joined to it. */
  add(points: Float64Array, p: number, face: number): void {
    const vertex = this.vertexCount++;
    const v = this.vertices;
    for (let k = 0; k < POINT; k++) v[POINT * vertex + k] = points[p + k]!;
    const { states, corners } = this;
    const neighbours = this.#neighbours;
    const visible = this.#visible;
    const created = this.#created;
    const byStart = this.#byStart;
    const blind = this.#blind;
    let visibleCount = 1;
    visible[0] = face;
    states[face] = 0;
    let createdCount = 0;
    for (let i = 0; i < visibleCount; i++) {
      const old = 3 * visible[i]!;
      for (let k = 0; k < 3; k++) {
        const other = neighbours[old + k]!;
        if (states[other] === 0 || blind[other] === vertex) continue;
        if (this.sees(other, points, p)) {
          states[other] = 0;
          visible[visibleCount++] = other;
        } else {
          blind[other] = vertex;
        }
      }
    }
    for (let i = 0; i < visibleCount; i++) {
      const old = 3 * visible[i]!;
      for (let k = 0; k < 3; k++) {
        const other = neighbours[old + k]!;
        // What this loop makes is no neighbour of what was visible, so whatever is in use is beyond the rim.
        if (states[other] === 0) continue;
        const from = corners[old + k]!;
        const to = corners[old + (k === 2 ? 0 : k + 1)]!;
        const fresh = this.#create(from, to, vertex);
        neighbours[3 * fresh] = other;
        const back = 3 * other;
        neighbours[corners[back] === to ? back : corners[back + 1] === to ? back + 1 : back + 2] = fresh;
        byStart[from] = fresh;
        created[createdCount++] = fresh;
      }
    }
    for (let i = 0; i < createdCount; i++) {
      const fresh = created[i]!;
      const next = byStart[corners[3 * fresh + 1]!]!;
      neighbours[3 * fresh + 1] = next;
      neighbours[3 * next + 2] = fresh;
    }
    const free = this.#free;
    let freeCount = this.#freeCount;
    for (let i = 0; i < visibleCount; i++) free[freeCount++] = visible[i]!;
    this.#freeCount = freeCount;
  }

  /** The face in use whose plane has the least offset, of those not known to be on the boundary; -1 if there is none. */
  nearestFace(): number {
    const { planes, states, faceSlots } = this;
    let best = -1;
    let least = Infinity;
    for (let f = 0; f < faceSlots; f++) {
      const offset = planes[PLANE * f + 3]!;
      if (offset < least && states[f] === 1) {
        least = offset;
        best = f;
      }
    }
    return best;
  }

  /** Offset of a face's plane; Infinity of a face that is so slender that it has none. */
  offset(face: number): number {
    return this.planes[PLANE * face + 3]!;
  }

  /** Volume of the tetrahedron of the first four vertices; its sign is exact. */
  #volume(): number {
    const v = this.vertices;
    return orient3d(
      v[0]!,
      v[1]!,
      v[2]!,
      v[POINT]!,
      v[POINT + 1]!,
      v[POINT + 2]!,
      v[2 * POINT]!,
      v[2 * POINT + 1]!,
      v[2 * POINT + 2]!,
      v[3 * POINT]!,
      v[3 * POINT + 1]!,
      v[3 * POINT + 2]!,
    );
  }

  /** A face with its plane. The normal is taken from the two shorter edges: the error of a cross product grows with the
   * lengths of its factors. */
  #create(i: number, j: number, k: number): number {
    const face = this.#freeCount > 0 ? this.#free[--this.#freeCount]! : this.faceSlots++;
    const { corners, planes, states } = this;
    const v = this.vertices;
    corners[3 * face] = i;
    corners[3 * face + 1] = j;
    corners[3 * face + 2] = k;
    this.#blind[face] = -1;
    const a = POINT * i;
    const b = POINT * j;
    const c = POINT * k;
    const ax = v[a]!;
    const ay = v[a + 1]!;
    const az = v[a + 2]!;
    const bx = v[b]!;
    const by = v[b + 1]!;
    const bz = v[b + 2]!;
    const cx = v[c]!;
    const cy = v[c + 1]!;
    const cz = v[c + 2]!;
    let ux = bx - ax;
    let uy = by - ay;
    let uz = bz - az;
    const wx = cx - bx;
    const wy = cy - by;
    const wz = cz - bz;
    const tx = ax - cx;
    const ty = ay - cy;
    const tz = az - cz;
    let uu = ux * ux + uy * uy + uz * uz;
    let ww = wx * wx + wy * wy + wz * wz;
    const tt = tx * tx + ty * ty + tz * tz;
    let sx = wx;
    let sy = wy;
    let sz = wz;
    // All three products of two edges in their turn are the same normal.
    if (uu > tt) {
      if (uu >= ww) {
        ux = wx;
        uy = wy;
        uz = wz;
        sx = tx;
        sy = ty;
        sz = tz;
        uu = tt;
      } else {
        sx = ux;
        sy = uy;
        sz = uz;
        ux = tx;
        uy = ty;
        uz = tz;
        ww = tt;
      }
    } else if (ww > tt) {
      sx = ux;
      sy = uy;
      sz = uz;
      ux = tx;
      uy = ty;
      uz = tz;
      ww = tt;
    }
    const nx = uy * sz - uz * sy;
    const ny = uz * sx - ux * sz;
    const nz = ux * sy - uy * sx;
    const squared = nx * nx + ny * ny + nz * nz;
    const at = PLANE * face;
    if (!(squared > 0)) {
      // A face so slender that its normal is lost lies within rounding of its neighbours' planes, which stand for it.
      states[face] = 2;
      planes[at + 3] = Infinity;
      this.#doubts[face] = Infinity;
      return face;
    }
    const s = 1 / Math.sqrt(squared);
    states[face] = 1;
    const ex = s * nx;
    const ey = s * ny;
    const ez = s * nz;
    planes[at] = ex;
    planes[at + 1] = ey;
    planes[at + 2] = ez;
    planes[at + 3] = ex * bx + ey * by + ez * bz;
    this.#doubts[face] = this.#rounding * s * Math.sqrt(uu * ww);
    return face;
  }
}

// The growing convex polytope of EPA, of support points of A - B. L. Olvang (2010), section 2.5, algorithm 10.
//
// Departure: exact predicates decide which faces a new point sees, as in mesh/convex-hull.ts. So the region that it
// sees is always a disc with one rim, no face ever has zero area, and the polytope is exactly convex. None of the ways
// in which a float EPA breaks exist (libccd#7, fcl#390, fcl#493, parry#378). Faces with the origin beyond them are
// allowed; their offset is negative.
import { MOST_POLYTOPE_VERTICES, POLYTOPE_ROUNDING } from '../constants.ts';
import { POINT } from '../pair/pair.ts';
import { volumeOf } from '../pair/volume.ts';

const FACES = 2 * MOST_POLYTOPE_VERTICES;
/** Numbers per plane: outward unit normal, offset. */
export const PLANE = 4;
/** Corners and half-edges per face, one of them unused: the face of half-edge h is h >> 2. */
export const EDGES = 4;
const NEXT = Int32Array.of(1, 2, 0);
/** A face is slender if the squared product of two edges is this many times that of their cross product. */
const SLENDER = 256;

export class ExpandingPolytope {
  /** Slots of POINT numbers. */
  readonly vertices = new Float64Array(POINT * MOST_POLYTOPE_VERTICES);
  vertexCount = 0;
  /** Slots of faces, in use or free. */
  faceSlots = 0;
  /** Three corners of each face of four, counter-clockwise seen from outside. */
  readonly corners = new Int32Array(EDGES * FACES);
  /**
   * Outward unit normal of each face, and the offset of its plane from the origin: negative if the origin lies beyond
   * it, Infinity if the face is too slender to have a plane or the slot is free.
   */
  readonly planes = new Float64Array(PLANE * FACES);
  /** The same offset of faces along which a support point may still be asked for, Infinity for all others. */
  readonly #keys = new Float64Array(FACES);
  /** Heights over each face's plane below which rounding may decide the sign. */
  readonly #doubts = new Float64Array(FACES);
  /** Half-edge on the other side of half-edge k of a face, from corner k to the next. */
  readonly #twins = new Int32Array(EDGES * FACES);
  /** For each face: 2 v if vertex v removed it, 2 v + 1 if vertex v did not see it. */
  readonly #marks = new Int32Array(FACES);
  readonly #free = new Int32Array(FACES);
  #freeCount = 0;
  readonly #removed = new Int32Array(FACES);
  #removedCount = 0;
  /** Half-edges around the hole, on the faces that stay. */
  readonly #rim = new Int32Array(FACES);
  #rimCount = 0;
  /** Rounding of a height over a plane from three far points. */
  #rounding = 0;

  /** True if there is room for another vertex. */
  get hasRoom(): boolean {
    return this.vertexCount < MOST_POLYTOPE_VERTICES - 1;
  }

  /** Where in `vertices` the next vertex goes. */
  get next(): number {
    return POINT * this.vertexCount;
  }

  /**
   * Starts from four points in slots 0 .. 3.
   *
   * @param size no point of the polytope is farther from the origin
   * @returns false if they lie in one plane, exactly
   */
  start(points: Float64Array, size: number): boolean {
    this.#rounding = POLYTOPE_ROUNDING * size;
    this.vertexCount = 4;
    this.#freeCount = 0;
    this.faceSlots = 4;
    for (let i = 0; i < 4 * POINT; i++) this.vertices[i] = points[i]!;
    const volume = volumeOf(this.vertices, 0, POINT, 2 * POINT, 3 * POINT);
    if (volume === 0) return false;
    // The volume is negative if the last point sees the first three counter-clockwise. From outside it has to be
    // positive.
    const b = volume > 0 ? 1 : 2;
    const c = 3 - b;
    this.#startFace(0, 0, b, c);
    this.#startFace(1, b, 0, 3);
    this.#startFace(2, c, b, 3);
    this.#startFace(3, 0, c, 3);
    // Joins the base and the sides across its edges, then each side and the next.
    this.#join(0, EDGES);
    this.#join(1, 2 * EDGES);
    this.#join(2, 3 * EDGES);
    this.#join(EDGES + 1, 3 * EDGES + 2);
    this.#join(2 * EDGES + 1, EDGES + 2);
    this.#join(3 * EDGES + 1, 2 * EDGES + 2);
    return true;
  }

  #startFace(face: number, i: number, j: number, k: number): void {
    this.corners[EDGES * face] = i;
    this.corners[EDGES * face + 1] = j;
    this.corners[EDGES * face + 2] = k;
    this.#marks[face] = 0;
    this.#setPlane(face, POINT * i, POINT * j, POINT * k);
  }

  #join(h: number, g: number): void {
    this.#twins[h] = g;
    this.#twins[g] = h;
  }

  /** True if the point at p in `vertices` lies strictly beyond the face's plane; exact. */
  sees(face: number, p: number): boolean {
    const { planes } = this;
    const v = this.vertices;
    const at = PLANE * face;
    const height =
      planes[at]! * v[p]! + planes[at + 1]! * v[p + 1]! + planes[at + 2]! * v[p + 2]! - planes[at + 3]!;
    const doubt = this.#doubts[face]!;
    if (height > doubt) return true;
    if (height < -doubt) return false;
    return this.#seesExactly(face, p);
  }

  #seesExactly(face: number, p: number): boolean {
    const a = POINT * this.corners[EDGES * face]!;
    const b = POINT * this.corners[EDGES * face + 1]!;
    const c = POINT * this.corners[EDGES * face + 2]!;
    return volumeOf(this.vertices, a, b, c, p) < 0;
  }

  /**
   * Takes in the point at `next`, which sees the face: removes all faces that it sees and joins it to the rim of the
   * hole.
   */
  add(face: number): void {
    const vertex = this.vertexCount++;
    this.#removedCount = 1;
    this.#rimCount = 0;
    this.#removed[0] = face;
    this.#marks[face] = 2 * vertex;
    this.#cross(this.#twins[EDGES * face]!, vertex);
    this.#cross(this.#twins[EDGES * face + 1]!, vertex);
    this.#cross(this.#twins[EDGES * face + 2]!, vertex);
    this.#close(vertex);
  }

  /**
   * Crosses a half-edge. If the vertex sees its face, removes the face and crosses its other edges; else adds it to the
   * rim.
   */
  #cross(h: number, vertex: number): void {
    const face = h >> 2;
    const mark = this.#marks[face]!;
    if (mark === 2 * vertex) return;
    if (mark !== 2 * vertex + 1 && this.sees(face, POINT * vertex)) {
      this.#marks[face] = 2 * vertex;
      this.#removed[this.#removedCount++] = face;
      const first = NEXT[h & 3]!;
      this.#cross(this.#twins[EDGES * face + first]!, vertex);
      this.#cross(this.#twins[EDGES * face + NEXT[first]!]!, vertex);
      return;
    }
    this.#marks[face] = 2 * vertex + 1;
    this.#rim[this.#rimCount++] = h;
  }

  /** Makes faces from the rim, which runs counter-clockwise, to the vertex. */
  #close(vertex: number): void {
    const { corners, planes } = this;
    const v = this.vertices;
    const twins = this.#twins;
    const keys = this.#keys;
    const marks = this.#marks;
    const rim = this.#rim;
    const rimCount = this.#rimCount;
    const removed = this.#removed;
    const removedCount = this.#removedCount;
    const x = v[POINT * vertex]!;
    const y = v[POINT * vertex + 1]!;
    const z = v[POINT * vertex + 2]!;
    const doubt = this.#rounding * Math.sqrt(SLENDER);
    const h0 = rim[0]!;
    let from = corners[(h0 & -EDGES) + NEXT[h0 & 3]!]!;
    let ux = v[POINT * from]! - x;
    let uy = v[POINT * from + 1]! - y;
    let uz = v[POINT * from + 2]! - z;
    let uu = ux * ux + uy * uy + uz * uz;
    let firstFace = -1;
    let lastFace = -1;
    for (let i = 0; i < rimCount; i++) {
      const h = rim[i]!;
      const to = corners[h]!;
      const face =
        i < removedCount
          ? removed[i]!
          : this.#freeCount > 0
            ? this.#free[--this.#freeCount]!
            : this.faceSlots++;
      const edge = EDGES * face;
      // The slot may have a mark of an earlier polytope.
      marks[face] = 0;
      corners[edge] = from;
      corners[edge + 1] = to;
      corners[edge + 2] = vertex;
      twins[edge] = h;
      twins[h] = edge;
      if (i === 0) {
        firstFace = edge;
      } else {
        twins[edge + 2] = lastFace + 1;
        twins[lastFace + 1] = edge + 2;
      }
      lastFace = edge;
      const wx = v[POINT * to]! - x;
      const wy = v[POINT * to + 1]! - y;
      const wz = v[POINT * to + 2]! - z;
      const ww = wx * wx + wy * wy + wz * wz;
      const nx = uy * wz - uz * wy;
      const ny = uz * wx - ux * wz;
      const nz = ux * wy - uy * wx;
      const squared = nx * nx + ny * ny + nz * nz;
      if (uu * ww < SLENDER * squared) {
        const s = 1 / Math.sqrt(squared);
        const ex = s * nx;
        const ey = s * ny;
        const ez = s * nz;
        const offset = ex * x + ey * y + ez * z;
        const at = PLANE * face;
        planes[at] = ex;
        planes[at + 1] = ey;
        planes[at + 2] = ez;
        planes[at + 3] = offset;
        keys[face] = offset;
        this.#doubts[face] = doubt;
      } else {
        this.#setPlane(face, POINT * from, POINT * to, POINT * vertex);
      }
      from = to;
      ux = wx;
      uy = wy;
      uz = wz;
      uu = ww;
    }
    twins[firstFace + 2] = lastFace + 1;
    twins[lastFace + 1] = firstFace + 2;
    // There are fewer faces than before only if a vertex went. Of points in convex position none goes but by rounding.
    for (let i = rimCount; i < removedCount; i++) {
      const face = removed[i]!;
      keys[face] = Infinity;
      planes[PLANE * face + 3] = Infinity;
      this.#free[this.#freeCount++] = face;
    }
  }

  /** The face whose plane has the least offset, among those not settled; -1 if there is none. */
  nearestFace(): number {
    const keys = this.#keys;
    const count = this.faceSlots;
    let nearest = -1;
    let least = Infinity;
    for (let f = 0; f < count; f++) {
      const key = keys[f]!;
      if (key < least) {
        least = key;
        nearest = f;
      }
    }
    return nearest;
  }

  /** Takes a face out of the search. */
  settle(face: number): void {
    this.#keys[face] = Infinity;
  }

  /** Offset of a face's plane; Infinity where it has none. */
  offset(face: number): number {
    return this.planes[PLANE * face + 3]!;
  }

  /**
   * Takes the normal from the two shorter edges, since the error of a cross product grows with the lengths of its
   * factors.
   */
  #setPlane(face: number, a: number, b: number, c: number): void {
    const v = this.vertices;
    const ab = squaredDistance(v, a, b);
    const bc = squaredDistance(v, b, c);
    const ca = squaredDistance(v, c, a);
    // The corner opposite the longest edge comes first. Turning the corners keeps the orientation.
    let p = a;
    let q = b;
    let r = c;
    let lengths = ab * ca;
    if (ca >= ab && ca >= bc) {
      p = b;
      q = c;
      r = a;
      lengths = bc * ab;
    } else if (ab >= bc) {
      p = c;
      q = a;
      r = b;
      lengths = ca * bc;
    }
    const x = v[p]!;
    const y = v[p + 1]!;
    const z = v[p + 2]!;
    const ux = v[q]! - x;
    const uy = v[q + 1]! - y;
    const uz = v[q + 2]! - z;
    const wx = v[r]! - x;
    const wy = v[r + 1]! - y;
    const wz = v[r + 2]! - z;
    const nx = uy * wz - uz * wy;
    const ny = uz * wx - ux * wz;
    const nz = ux * wy - uy * wx;
    const squared = nx * nx + ny * ny + nz * nz;
    const at = PLANE * face;
    if (!(squared > 0)) {
      // A face so slender that its normal is lost lies within rounding of its neighbours' planes. They stand for it.
      this.#keys[face] = Infinity;
      this.planes[at + 3] = Infinity;
      this.#doubts[face] = Infinity;
      return;
    }
    const s = 1 / Math.sqrt(squared);
    const offset = s * (nx * x + ny * y + nz * z);
    this.planes[at] = s * nx;
    this.planes[at + 1] = s * ny;
    this.planes[at + 2] = s * nz;
    this.planes[at + 3] = offset;
    this.#keys[face] = offset;
    this.#doubts[face] = this.#rounding * s * Math.sqrt(lengths);
  }
}

function squaredDistance(v: Float64Array, a: number, b: number): number {
  const x = v[a]! - v[b]!;
  const y = v[a + 1]! - v[b + 1]!;
  const z = v[a + 2]! - v[b + 2]!;
  return x * x + y * y + z * z;
}

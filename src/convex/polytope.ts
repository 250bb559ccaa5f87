// A growing convex polytope: EPA's, of support points of A - B. L. Olvang (2010), section 2.5, algorithm 10.
//
// Departure: what a new point sees is decided by exact predicates, as in mesh/convex-hull.ts. The region that it sees is then
// always a disc, its rim one loop, no face ever has zero area, and the polytope is exactly convex: none of the ways in which a
// float EPA breaks (libccd#7, fcl#390, fcl#493, parry#378) exist. Faces with the origin beyond them are allowed; their offset
// is negative.
import { orient3d } from 'robust-predicates';
import { MOST_POLYTOPE_VERTICES } from '../constants.ts';
import { POINT } from './pair.ts';

const FACES = 2 * MOST_POLYTOPE_VERTICES;

export class Polytope {
  /** Slots of POINT numbers. */
  readonly vertices = new Float64Array(POINT * MOST_POLYTOPE_VERTICES);
  vertexCount = 0;
  /** Corners of each face, counter-clockwise seen from outside. */
  readonly corners = new Int32Array(3 * FACES);
  /** Outward unit normals. */
  readonly normals = new Float64Array(3 * FACES);
  /** Distance of each face's plane from the origin, negative where the origin lies beyond it. */
  readonly offsets = new Float64Array(FACES);
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

  /** True if there is room for another vertex. */
  get hasRoom(): boolean {
    return this.vertexCount < MOST_POLYTOPE_VERTICES;
  }

  /**
   * Starts from four points in slots 0 .. 3.
   *
   * @returns false if they lie in one plane, exactly
   */
  start(points: Float64Array): boolean {
    this.vertexCount = 4;
    for (let i = 0; i < 4 * POINT; i++) this.vertices[i] = points[i]!;
    this.states.fill(0, 0, this.faceSlots);
    this.faceSlots = 0;
    this.#freeCount = 0;
    const volume = this.#volume(0, 1, 2, 3);
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
    for (let k = 0; k < POINT; k++) this.vertices[POINT * vertex + k] = points[p + k]!;
    const { states, corners } = this;
    const neighbours = this.#neighbours;
    const visible = this.#visible;
    let visibleCount = 1;
    visible[0] = face;
    states[face] = 0;
    for (let i = 0; i < visibleCount; i++) {
      for (let k = 0; k < 3; k++) {
        const other = neighbours[3 * visible[i]! + k]!;
        if (states[other] === 0 || !this.sees(other, points, p)) continue;
        states[other] = 0;
        visible[visibleCount++] = other;
      }
    }
    let createdCount = 0;
    for (let i = 0; i < visibleCount; i++) {
      const old = visible[i]!;
      for (let k = 0; k < 3; k++) {
        const other = neighbours[3 * old + k]!;
        if (states[other] === 0) continue;
        const from = corners[3 * old + k]!;
        const to = corners[3 * old + (k === 2 ? 0 : k + 1)]!;
        const fresh = this.#create(from, to, vertex);
        neighbours[3 * fresh] = other;
        for (let e = 0; e < 3; e++) if (corners[3 * other + e] === to) neighbours[3 * other + e] = fresh;
        this.#byStart[from] = fresh;
        this.#created[createdCount++] = fresh;
        // A face made in this loop must not be taken for a neighbour in use that the point does not see.
      }
    }
    for (let i = 0; i < createdCount; i++) {
      const fresh = this.#created[i]!;
      const next = this.#byStart[corners[3 * fresh + 1]!]!;
      neighbours[3 * fresh + 1] = next;
      neighbours[3 * next + 2] = fresh;
    }
    for (let i = 0; i < visibleCount; i++) this.#free[this.#freeCount++] = visible[i]!;
  }

  /** The face in use whose plane has the least offset, of those not known to be on the boundary; -1 if there is none. */
  nearestFace(): number {
    const { offsets, states, faceSlots } = this;
    let best = -1;
    let least = Infinity;
    for (let f = 0; f < faceSlots; f++) {
      if (states[f] === 1 && offsets[f]! < least) {
        least = offsets[f]!;
        best = f;
      }
    }
    return best;
  }

  #volume(i: number, j: number, k: number, l: number): number {
    const v = this.vertices;
    const [a, b, c, d] = [POINT * i, POINT * j, POINT * k, POINT * l];
    return orient3d(
      v[a]!,
      v[a + 1]!,
      v[a + 2]!,
      v[b]!,
      v[b + 1]!,
      v[b + 2]!,
      v[c]!,
      v[c + 1]!,
      v[c + 2]!,
      v[d]!,
      v[d + 1]!,
      v[d + 2]!,
    );
  }

  #create(i: number, j: number, k: number): number {
    const face = this.#freeCount > 0 ? this.#free[--this.#freeCount]! : this.faceSlots++;
    this.corners[3 * face] = i;
    this.corners[3 * face + 1] = j;
    this.corners[3 * face + 2] = k;
    this.states[face] = 1;
    this.#setPlane(face, POINT * i, POINT * j, POINT * k);
    return face;
  }

  /** Normal from the two shorter edges: the error of a cross product grows with the lengths of its factors. */
  #setPlane(face: number, a: number, b: number, c: number): void {
    const v = this.vertices;
    const ab = squaredDistance(v, a, b);
    const bc = squaredDistance(v, b, c);
    const ca = squaredDistance(v, c, a);
    // Corner opposite the longest edge first; a turn of corners keeps the orientation.
    let p = a;
    let q = b;
    let r = c;
    if (ca >= ab && ca >= bc) {
      p = b;
      q = c;
      r = a;
    } else if (ab >= bc) {
      p = c;
      q = a;
      r = b;
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
    if (!(squared > 0)) {
      // A face so slender that its normal is lost lies within rounding of its neighbours' planes, which stand for it.
      this.states[face] = 2;
      this.offsets[face] = Infinity;
      return;
    }
    const s = 1 / Math.sqrt(squared);
    this.normals[3 * face] = s * nx;
    this.normals[3 * face + 1] = s * ny;
    this.normals[3 * face + 2] = s * nz;
    this.offsets[face] = s * (nx * x + ny * y + nz * z);
  }
}

function squaredDistance(v: Float64Array, a: number, b: number): number {
  const x = v[a]! - v[b]!;
  const y = v[a + 1]! - v[b + 1]!;
  const z = v[a + 2]! - v[b + 2]!;
  return x * x + y * y + z * z;
}

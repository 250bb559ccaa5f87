/** The triangles of a leaf, in the frame of a: their boxes, and what pairs of those that are near need. */
import { type Placement, place } from '../pose.ts';
import type { BoundingTree } from '../tree/bounding-tree.ts';
import { LEAF } from '../tree/build-tree.ts';
import { PREPARED, prepareTriangle } from './triangle-distance.ts';

/** Numbers per box: least and greatest coordinates. */
const BOX = 6;

export class LeafTriangles {
  /** Of each triangle that was asked for (`prepare`). */
  readonly values = new Float64Array(PREPARED * LEAF);
  /** Those that `findNear` found. */
  readonly near = new Uint8Array(LEAF);
  /** `[triangle * 2]`: least and greatest coordinate of each along a direction (`project`). */
  readonly spans = new Float64Array(2 * LEAF);
  /** The direction that spans are along now. */
  readonly #along = new Float64Array(3);
  #begin = 0;
  #count = 0;
  readonly #corners: Float32Array;
  readonly #placement: Placement | undefined;
  readonly #far: number;
  readonly #placed = new Float64Array(9 * LEAF);
  readonly #isPrepared = new Uint8Array(LEAF);
  readonly #boxes = new Float64Array(BOX * LEAF);
  /** Around all of them. */
  readonly #box = new Float64Array(BOX);

  /**
   * @param far no corner of a triangle of the other body is farther, in sums of absolute components
   * @param placement of the tree in the frame of a, where it is not that of a
   */
  constructor({ arrays }: BoundingTree, far: number, placement?: Placement) {
    this.#corners = arrays.corners;
    this.#far = far;
    this.#placement = placement;
  }

  /** Turns to the triangles at these places of the tree. */
  take(begin: number, count: number): void {
    if (this.#begin === begin && this.#count === count) return;
    this.#begin = begin;
    this.#count = count;
    const corners = this.#placed;
    if (this.#placement) place(this.#placement, this.#corners, 9 * begin, corners, 9 * count);
    else for (let k = 0; k < 9 * count; k++) corners[k] = this.#corners[9 * begin + k]!;
    this.#isPrepared.fill(0);
    // No direction is the same as that.
    this.#along.fill(NaN);
    const boxes = this.#boxes;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = 0; i < count; i++) {
        const p = corners[9 * i + k]!;
        const q = corners[9 * i + 3 + k]!;
        const r = corners[9 * i + 6 + k]!;
        const least = p < q ? (p < r ? p : r) : q < r ? q : r;
        const most = p > q ? (p > r ? p : r) : q > r ? q : r;
        boxes[BOX * i + k] = least;
        boxes[BOX * i + 3 + k] = most;
        if (least < low) low = least;
        if (most > high) high = most;
      }
      this.#box[k] = low;
      this.#box[3 + k] = high;
    }
  }

  /** Writes how far triangles reach along a direction. */
  project(direction: Float64Array): void {
    const [x, y, z] = [direction[0]!, direction[1]!, direction[2]!];
    if (this.#along[0] === x && this.#along[1] === y && this.#along[2] === z) return;
    this.#along.set(direction);
    const corners = this.#placed;
    for (let i = 0; i < this.#count; i++) {
      const c = 9 * i;
      const p = x * corners[c]! + y * corners[c + 1]! + z * corners[c + 2]!;
      const q = x * corners[c + 3]! + y * corners[c + 4]! + z * corners[c + 5]!;
      const r = x * corners[c + 6]! + y * corners[c + 7]! + z * corners[c + 8]!;
      this.spans[2 * i] = p < q ? (p < r ? p : r) : q < r ? q : r;
      this.spans[2 * i + 1] = p > q ? (p > r ? p : r) : q > r ? q : r;
    }
  }

  /** Prepares a triangle; returns where its values begin. */
  prepare(i: number): number {
    if (this.#isPrepared[i] === 0) {
      this.#isPrepared[i] = 1;
      prepareTriangle(this.#placed, 9 * i, this.values, PREPARED * i, this.#far);
    }
    return PREPARED * i;
  }

  /** Finds the triangles whose boxes are nearer to that of all others than the root of a number; returns how many. */
  findNear(others: LeafTriangles, square: number): number {
    let count = 0;
    for (let i = 0; i < this.#count; i++) {
      if (boxGap(this.#boxes, BOX * i, others.#box, 0) < square) this.near[count++] = i;
    }
    return count;
  }

  /** The squared distance of the box of a triangle and that of another. */
  gap(i: number, others: LeafTriangles, j: number): number {
    return boxGap(this.#boxes, BOX * i, others.#boxes, BOX * j);
  }
}

/** The squared distance of two boxes. */
function boxGap(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const after = b[j + k]! - a[i + 3 + k]!;
    const before = a[i + k]! - b[j + 3 + k]!;
    if (after > 0) square += after * after;
    else if (before > 0) square += before * before;
  }
  return square;
}

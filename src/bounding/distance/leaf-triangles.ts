/** The triangles of a leaf, in the frame of a. */
import { type Placement, place } from '../pose.ts';
import type { BoundingTree } from '../tree/bounding-tree.ts';
import { LEAF } from '../tree/build-tree.ts';
import { BOX, boxGap, PREPARED, prepareTriangle } from './triangle-distance.ts';

/** Prepared triangles at some places of a tree. */
export class LeafTriangles {
  readonly values = new Float64Array(PREPARED * LEAF);
  /** Least and greatest coordinates of all of them. */
  readonly #box = new Float64Array(6);
  #begin = -1;
  #count = 0;
  readonly #corners: Float32Array;
  readonly #placement: Placement | undefined;
  readonly #placed = new Float64Array(9 * LEAF);
  readonly #far: number;

  /**
   * @param far no corner of a triangle of the other body is farther, in sums of absolute components
   * @param placement of the tree in the frame of a, where it is not that of a
   */
  constructor({ arrays }: BoundingTree, far: number, placement?: Placement) {
    this.#corners = arrays.corners;
    this.#far = far;
    this.#placement = placement;
  }

  prepare(begin: number, count: number): void {
    if (this.#begin === begin && this.#count === count) return;
    this.#begin = begin;
    this.#count = count;
    if (this.#placement) place(this.#placement, this.#corners, 9 * begin, this.#placed, 9 * count);
    for (let i = 0; i < count; i++) {
      if (this.#placement) prepareTriangle(this.#placed, 9 * i, this.values, PREPARED * i, this.#far);
      else prepareTriangle(this.#corners, 9 * (begin + i), this.values, PREPARED * i, this.#far);
    }
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let at = BOX + k; at < PREPARED * count; at += PREPARED) {
        low = Math.min(low, this.values[at]!);
        high = Math.max(high, this.values[at + 3]!);
      }
      this.#box[k] = low;
      this.#box[3 + k] = high;
    }
  }

  /** The squared distance of the box of a triangle and that of all others: what is far from it need not be asked. */
  gapTo(i: number, others: LeafTriangles): number {
    return boxGap(this.values, PREPARED * i + BOX, others.#box, 0);
  }
}

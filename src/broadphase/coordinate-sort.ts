/**
 * Pairs of overlapping boxes by sorting them along one axis (Lennerz, Schömer, Warken, section 2.1): a box can overlap
 * only those that begin before it ends. From step to step the order hardly changes, so boxes are inserted into the last
 * one. A box is compared with all whose intervals meet its own on that axis, n^(2/3) of n boxes that are spread in
 * space: rows (`rows.ts`) take less from some thousands on.
 */
import { numbersTo } from './entries.ts';
import type { PairList } from './pair-list.ts';

/** Boxes in the order of their least coordinates on an axis. */
export interface CoordinateOrder {
  readonly axis: number;
  /** `[n]`: numbers of boxes. */
  readonly order: Uint32Array;
}

/** Moves of boxes past others, for each box: with more of them, sorting anew takes less. */
const MOST_MOVES = 64;

/**
 * @param boxes `[n * 6]`: least and greatest coordinates
 * @param previous an order of as many boxes; undefined: there is none
 */
export function sortedAlongAxis(
  boxes: ArrayLike<number>,
  previous: CoordinateOrder | undefined,
): CoordinateOrder {
  const axis = previous?.axis ?? widestAxis(boxes);
  const order = previous?.order.slice() ?? numbersTo(boxes.length / 6);
  if (previous === undefined || !insertAll(boxes, axis, order)) {
    order.sort((a, b) => boxes[6 * a + axis]! - boxes[6 * b + axis]! || a - b);
  }
  return { axis, order };
}

/** Puts each box in its place among those before it; false where that takes too long. */
function insertAll(boxes: ArrayLike<number>, axis: number, order: Uint32Array): boolean {
  let moves = MOST_MOVES * order.length;
  for (let i = 1; i < order.length; i++) {
    const box = order[i]!;
    const least = boxes[6 * box + axis]!;
    let at = i;
    for (; at > 0 && boxes[6 * order[at - 1]! + axis]! > least; at--) order[at] = order[at - 1]!;
    order[at] = box;
    moves -= i - at;
    if (moves < 0) return false;
  }
  return true;
}

/** The axis along which the middles of boxes vary most. */
function widestAxis(boxes: ArrayLike<number>): number {
  const count = boxes.length / 6;
  // Squares of coordinates above 1e154, and of those below 1e-162, are no numbers of float64.
  let largest = Number.MIN_VALUE;
  for (let i = 0; i < boxes.length; i++) largest = Math.max(largest, Math.abs(boxes[i]!));
  const spreads = [0, 1, 2].map((axis) => {
    let mean = 0;
    let square = 0;
    for (let i = 0; i < count; i++) {
      const middle = boxes[6 * i + axis]! / largest / 2 + boxes[6 * i + 3 + axis]! / largest / 2 - mean;
      mean += middle / (i + 1);
      square += (middle * middle * i) / (i + 1);
    }
    return square;
  });
  return spreads.indexOf(Math.max(...spreads));
}

/** Adds the pairs of boxes that overlap, both ends included. */
export function sweepAlongAxis(
  boxes: ArrayLike<number>,
  { axis, order }: CoordinateOrder,
  list: PairList,
): void {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  // In the order of the sweep, so that what is compared lies side by side.
  const sorted = sidesInOrder(boxes, order);
  for (let i = 0; i < order.length; i++) {
    const at = 6 * i;
    const end = sorted[at + 3 + axis]!;
    const leastU = sorted[at + u]!;
    const endU = sorted[at + 3 + u]!;
    const leastV = sorted[at + v]!;
    const endV = sorted[at + 3 + v]!;
    for (let other = at + 6; other < sorted.length && sorted[other + axis]! <= end; other += 6) {
      if (sorted[other + u]! > endU || sorted[other + 3 + u]! < leastU) continue;
      if (sorted[other + v]! > endV || sorted[other + 3 + v]! < leastV) continue;
      list.add(order[i]!, order[other / 6]!);
    }
  }
}

/** `[n * 6]`: boxes by place. */
export function sidesInOrder(boxes: ArrayLike<number>, order: Uint32Array): Float64Array {
  const sides = new Float64Array(6 * order.length);
  for (let place = 0; place < order.length; place++) {
    const at = 6 * order[place]!;
    for (let k = 0; k < 6; k++) sides[6 * place + k] = boxes[at + k]!;
  }
  return sides;
}

/** `cullBoxes`: which of many boxes overlap. */
import { type Options, requireArray, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { MOST_PAIRS } from './constants.ts';
import { type CoordinateOrder, sidesInOrder, sortedAlongAxis, sweepAlongAxis } from './coordinate-sort.ts';
import { numbersTo } from './entries.ts';
import { PairList, sortPairs } from './pair-list.ts';
import { releaseRows, sortIntoRows } from './rows.ts';
import { RowSearch } from './search-rows.ts';

export interface CullBoxesOptions {
  /**
   * `hash`: boxes in rows of cells of their own size, found by a hash; its time grows with the number of boxes.
   * `sort`: boxes in order along an axis, for few boxes or slow ones. Both give the same list. Default `hash`.
   */
  readonly method?: 'hash' | 'sort';
  /** What the call gave a step ago, for as many boxes in the same order: `sort` goes on from its order. */
  readonly previous?: CulledBoxes | undefined;
}

export interface CulledBoxes {
  /** `[m * 2]`: pairs of boxes that overlap, each once, sorted by the lower and then by the higher number. */
  readonly pairs: Uint32Array;
  /** The order of boxes along an axis; undefined of `hash`. */
  readonly sorted: CoordinateOrder | undefined;
}

const OPTIONS: Options<CullBoxesOptions> = { method: 'checked', previous: 'object' };
const METHODS = ['hash', 'sort'];
/** Bits of a quantum's number: with rounding outwards it stays an int32. */
const QUANTUM_BITS = 30;

/**
 * Pairs of axis-aligned boxes that overlap, those that only touch included (Lennerz, Schömer, Warken, section 2.1).
 * `bodyBoxes` makes boxes of bodies, at an instant or over a step.
 *
 * @param boxes `[n * 6]`: least x, y, z, then greatest
 * @throws InputError for a box that has no number or its least coordinate above its greatest, and for more than 2^24
 *   pairs.
 */
export function cullBoxes(boxes: Float32Array | Float64Array, options: CullBoxesOptions = {}): CulledBoxes {
  requireArray(
    'cullBoxes: boxes',
    boxes,
    [Float32Array, Float64Array],
    'least x, y, z, then greatest, of each box',
  );
  requireOptions('cullBoxes', options, OPTIONS);
  const { method = 'hash', previous } = options;
  if (!METHODS.includes(method)) {
    throw new InputError(`cullBoxes: method: found ${told(method)}, expected one of ${METHODS.join(', ')}`);
  }
  const count = boxes.length / 6;
  if (!Number.isInteger(count)) {
    throw new InputError(`cullBoxes: boxes: found ${boxes.length} numbers, expected 6 for each box`);
  }
  const largest = requireBoxes(boxes);
  const last = previous?.sorted;
  if (last !== undefined && last.order.length !== count) {
    throw new InputError(`cullBoxes: previous: found ${last.order.length} boxes, expected ${count} as now`);
  }
  const list = new PairList(false);
  const sorted = method === 'sort' ? sortedAlongAxis(boxes, last) : undefined;
  if (sorted !== undefined) sweepAlongAxis(boxes, sorted, list);
  else searchRows(boxes, largest, list);
  if (list.isFull) {
    throw new InputError(
      `cullBoxes: found more than ${MOST_PAIRS} pairs of boxes that overlap, expected fewer`,
    );
  }
  return { pairs: sortPairs([list], count), sorted };
}

/** The largest coordinate. */
function requireBoxes(boxes: Float32Array | Float64Array): number {
  let largest = 0;
  for (let i = 0; i < boxes.length; i++) {
    const side = boxes[i]!;
    if (!Number.isFinite(side)) {
      throw new InputError(
        `cullBoxes: box ${Math.floor(i / 6)}: found the coordinate ${side}, expected a finite number`,
      );
    }
    if (i % 6 < 3 && side > boxes[i + 3]!) {
      const axis = 'xyz'[i % 6];
      throw new InputError(
        `cullBoxes: box ${Math.floor(i / 6)}: found least ${axis} ${side} above greatest ${boxes[i + 3]}, ` +
          'expected least first',
      );
    }
    largest = Math.max(largest, Math.abs(side));
  }
  return largest;
}

/** In whole quanta, rounded outwards; what overlaps there alone takes no room in the list. */
function searchRows(boxes: Float32Array | Float64Array, largest: number, list: PairList): void {
  const count = boxes.length / 6;
  const quantum =
    2 ** (Math.floor(Math.log2(Math.max(largest, Number.MIN_VALUE * 2 ** 52))) + 1 - QUANTUM_BITS);
  const whole = new Int32Array(boxes.length);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let k = 0; k < 3; k++) {
      whole[at + k] = Math.floor(boxes[at + k]! / quantum);
      whole[at + 3 + k] = Math.ceil(boxes[at + 3 + k]! / quantum);
    }
  }
  const bodies = numbersTo(count);
  const rows = sortIntoRows(whole, { count, bodies, isStatic: new Uint8Array(count) }, false);
  // Rows are searched by place: what is compared lies side by side, also the boxes as they are.
  const { entries } = rows;
  const sides = sidesInOrder(boxes, entries);
  const add = (one: number, other: number) => {
    const [a, b] = [6 * one, 6 * other];
    for (let k = 0; k < 3; k++)
      if (sides[a + k]! > sides[b + 3 + k]! || sides[b + k]! > sides[a + 3 + k]!) return;
    list.add(entries[one]!, entries[other]!);
  };
  new RowSearch({ ...rows, entries: bodies, bodies }, { add }).run(0, count);
  releaseRows(rows);
}

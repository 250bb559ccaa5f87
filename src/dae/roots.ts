/** Changes of sign of functions along a solution: the modified secant method in a bracket. */
import { ROOT_WIDTH, SECANT_TRIES, UNIT } from './constants.ts';

/** Writes the values of all functions at a time. */
export type ValuesAt = (time: number, out: Float64Array) => void;

export interface Root {
  /** The end of the bracket that the functions have crossed at. */
  readonly time: number;
  /** Those that cross within the bracket, which is a few rounding errors wide. */
  readonly functions: readonly number[];
}

/**
 * Watches functions for their sides of 0. A function that is 0 where the watch starts is on no side: it takes the one
 * that it leaves to, and a root is what leads from one side to the other, or to 0 itself.
 */
export class RootWatch {
  /** -1, 0 for none, 1. */
  readonly sides: Int8Array;
  #low: Float64Array;
  #time = 0;
  evaluations = 0;

  constructor(count: number) {
    this.sides = new Int8Array(count);
    this.#low = new Float64Array(count);
  }

  /** The time up to which all roots are found. */
  get time(): number {
    return this.#time;
  }

  /**
   * Starts anew.
   *
   * @param ahead a time a little later, for the sides of functions that are 0
   * @param crossed functions that count as 0: their root was found just now, and is not found again
   */
  start(time: number, ahead: number, valuesAt: ValuesAt, crossed: readonly number[]): void {
    const later = this.#low.slice();
    valuesAt(time, this.#low);
    this.evaluations++;
    const open = new Set(crossed);
    this.#low.forEach((value, i) => {
      this.sides[i] = Math.sign(value);
      if (value === 0) open.add(i);
    });
    this.#time = time;
    if (open.size === 0) return;
    valuesAt(ahead, later);
    this.evaluations++;
    for (const i of open) this.sides[i] = Math.sign(later[i]! - this.#low[i]!);
  }

  /** The first root up to a time, if there is one. The watch goes on from it. */
  next(end: number, step: number, valuesAt: ValuesAt): Root | undefined {
    const { sides } = this;
    const evaluate = (time: number) => {
      const values = new Float64Array(sides.length);
      valuesAt(time, values);
      this.evaluations++;
      return values;
    };
    const crossed = (values: Float64Array) =>
      Array.from(sides.keys()).filter((i) => sides[i] !== 0 && Math.sign(values[i]!) !== sides[i]);
    let [low, high] = [this.#time, end];
    let [lows, highs] = [this.#low, evaluate(end)];
    let found = crossed(highs);
    if (found.length === 0) {
      this.#go(end, highs);
      return undefined;
    }
    const width = ROOT_WIDTH * UNIT * (Math.abs(end) + Math.abs(step));
    let [alpha, side, tries, before] = [1, 0, 0, high - low];
    while (Math.abs(high - low) > width) {
      const largest = found.reduce((a, b) => (share(b, lows, highs) > share(a, lows, highs) ? b : a));
      const [g, h] = [lows[largest]!, highs[largest]!];
      let middle = high - ((high - low) * h) / (h - alpha * g);
      // A secant that shortens the bracket from one end alone gives way to bisection.
      if (++tries > SECANT_TRIES) {
        const isSlow = Math.abs(high - low) > 0.5 * Math.abs(before);
        if (isSlow) middle = (low + high) / 2;
        [tries, before] = [0, isSlow ? (high - low) / 2 : high - low];
      }
      const least = Math.sign(high - low) * Math.min(width / 2, Math.abs(high - low) / 4);
      // Also where it is no number.
      if (!((middle - low) * Math.sign(least) >= Math.abs(least))) middle = low + least;
      if (!((high - middle) * Math.sign(least) >= Math.abs(least))) middle = high - least;
      const values = evaluate(middle);
      const there = crossed(values);
      const own = there.length > 0 ? 1 : 2;
      if (own === 1) [high, highs, found] = [middle, values, there];
      else [low, lows] = [middle, values];
      alpha = own !== side ? 1 : own === 2 ? 2 * alpha : alpha / 2;
      side = own;
    }
    this.#go(high, highs);
    return { time: high, functions: found };
  }

  #go(time: number, values: Float64Array): void {
    this.#time = time;
    this.#low = values;
    values.forEach((value, i) => {
      const was = this.sides[i]!;
      const is = Math.sign(value);
      // On 0 without a side it waits; from a side onto 0 it has crossed, and waits for the side that it leaves to.
      if (is !== was) this.sides[i] = is;
    });
  }
}

/** How far along the bracket the line between the ends crosses 0, counted from its end. */
function share(i: number, lows: Float64Array, highs: Float64Array): number {
  return Math.abs(highs[i]! / (highs[i]! - lows[i]!));
}

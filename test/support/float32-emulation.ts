/**
 * Float32 as the WGSL specification has it (docs/float32.md), drawn at random: every result is one of the two numbers
 * around the exact one, products and sums are fused or not, sums come in any order, and subnormal numbers are flushed
 * or not.
 */
import { createRandom } from '../../src/mesh/random.ts';

const SPACING = 2 ** -23;
const LEAST_NORMAL = 2 ** -126;

/** A number, or a product that a sum may fuse. */
export type Term = number | readonly [number, number];

const neighbour = new Float32Array(1);
const neighbourBits = new Int32Array(neighbour.buffer);

/** The float32 next to `x`, upwards or downwards. */
function next(x: number, up: boolean): number {
  if (x === 0) return up ? 2 ** -149 : -(2 ** -149);
  neighbour[0] = x;
  neighbourBits[0]! += x > 0 === up ? 1 : -1;
  return neighbour[0]!;
}

/** One spacing of float32 at `x`. */
export function spacingAt(x: number): number {
  return Math.max(2 ** Math.floor(Math.log2(Math.abs(x))) * SPACING, 2 ** -149);
}

/**
 * How one evaluation rounds: each operation as it likes, or all of them in the direction that hurts most in the long
 * run.
 */
const HABITS = ['any', 'any', 'up', 'down', 'nearest', 'away', 'towards'] as const;

/** The arithmetic of one evaluation. Operands and results are float32 numbers. */
export class DrawnFloat32 {
  readonly random: () => number;
  #habit: (typeof HABITS)[number];
  readonly #fusing: number;
  readonly #flushing: number;

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.#habit = HABITS[Math.floor(this.random() * HABITS.length)]!;
    this.#fusing = Math.floor(this.random() * 3) / 2;
    this.#flushing = Math.floor(this.random() * 3) / 2;
  }

  /** Rounds away from 0 from here on: the worst for sums of one sign. */
  lean(): void {
    this.#habit = 'away';
  }

  /** A subnormal number may be 0. */
  flushed(x: number): number {
    return Math.abs(x) < LEAST_NORMAL && this.random() < this.#flushing ? 0 : x;
  }

  /** A neighbour of the exact number `value + rest`, where `value` is that number rounded to float64. */
  #rounded(value: number, rest: number): number {
    const near = Math.fround(value);
    const beyond = value - near + rest;
    if (beyond === 0) return this.flushed(near);
    const other = next(near, beyond > 0);
    const [low, high] = beyond > 0 ? [near, other] : [other, near];
    const up = {
      any: this.random() < 0.5,
      up: true,
      down: false,
      nearest: near === high,
      away: value > 0,
      towards: value < 0,
    }[this.#habit];
    return this.flushed(up ? high : low);
  }

  add(a: number, b: number): number {
    const [x, y] = [this.flushed(a), this.flushed(b)];
    const sum = x + y;
    const part = sum - x;
    return this.#rounded(sum, x - (sum - part) + (y - part));
  }

  sub(a: number, b: number): number {
    return this.add(a, -b);
  }

  mul(a: number, b: number): number {
    // Float64 holds the product of two float32 numbers.
    return this.#rounded(this.flushed(a) * this.flushed(b), 0);
  }

  #fused(a: number, b: number, c: number): number {
    const product = this.flushed(a) * this.flushed(b);
    const last = this.flushed(c);
    const sum = product + last;
    const part = sum - product;
    return this.#rounded(sum, product - (sum - part) + (last - part));
  }

  /** The sum of numbers and products, in any order, each product fused with a sum or not. */
  sum(...terms: readonly Term[]): number {
    const left: Term[] = [...terms];
    const take = () => left.splice(Math.floor(this.random() * left.length), 1)[0]!;
    while (left.length > 1) left.push(this.#together(take(), take()));
    return this.#valueOf(left[0]!);
  }

  /** The sum from left to right: one order of many, for a test that knows the worst. */
  inOrder(...terms: readonly Term[]): number {
    return terms.reduce<number>((sum, term) => this.#together(sum, term), 0);
  }

  #together(a: Term, b: Term): number {
    const [product, other] = typeof a === 'number' ? [b, a] : [a, b];
    if (typeof product === 'number' || this.random() >= this.#fusing)
      return this.add(this.#valueOf(a), this.#valueOf(b));
    return this.#fused(product[0], product[1], this.#valueOf(other));
  }

  #valueOf(term: Term): number {
    return typeof term === 'number' ? term : this.mul(term[0], term[1]);
  }

  /** A product of numbers in any order. */
  product(...factors: readonly number[]): number {
    const left = [...factors];
    const take = () => left.splice(Math.floor(this.random() * left.length), 1)[0]!;
    while (left.length > 1) left.push(this.mul(take(), take()));
    return left[0]!;
  }

  dot(a: readonly number[], b: readonly number[]): number {
    return this.sum(...a.map((x, k) => [x, b[k]!] as const));
  }

  /** The three components of a x b. */
  cross(a: readonly number[], b: readonly number[]): [number, number, number] {
    const component = (i: number, j: number) => this.sum([a[i]!, b[j]!], [-a[j]!, b[i]!]);
    return [component(1, 2), component(2, 0), component(0, 1)];
  }

  /** Any float32 number within so many ulp of an exact result, its ends often. */
  #within(exact: number, ulp: number): number {
    const draw = this.random();
    const ends = { up: 1, down: -1, away: Math.sign(exact), towards: -Math.sign(exact), nearest: 0 };
    const part = this.#habit === 'any' ? 2 * draw - 1 : ends[this.#habit];
    const aim = exact + part * ulp * spacingAt(exact);
    const near = Math.fround(aim);
    // Rounding may have left the range: the neighbour towards the exact result is in it.
    const tooFar = Math.abs(near - exact) > ulp * spacingAt(exact);
    return this.flushed(tooFar ? next(near, near < exact) : near);
  }

  div(a: number, b: number): number {
    return this.#within(this.flushed(a) / b, 2.5);
  }

  inverseSqrt(x: number): number {
    return this.#within(1 / Math.sqrt(x), 2);
  }

  sqrt(x: number): number {
    return x === 0 ? 0 : this.div(1, this.inverseSqrt(x));
  }

  length(v: readonly number[]): number {
    return this.sqrt(this.dot(v, v));
  }
}

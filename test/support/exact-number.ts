/** Rational numbers: what float32 results are held against. */

const bits = new DataView(new ArrayBuffer(8));

export class Exact {
  readonly #over: bigint;
  /** Above 0. */
  readonly #under: bigint;

  private constructor(over: bigint, under: bigint) {
    this.#over = under < 0n ? -over : over;
    this.#under = under < 0n ? -under : under;
  }

  /** A finite float64 number as it is. */
  static of(x: number): Exact {
    bits.setFloat64(0, x);
    const high = bits.getUint32(0);
    const exponent = (high >>> 20) & 0x7ff;
    const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
    const size = exponent === 0 ? fraction : fraction | (1n << 52n);
    const over = x < 0 ? -size : size;
    const shift = Math.max(exponent, 1) - 1075;
    return shift < 0 ? new Exact(over, 1n << BigInt(-shift)) : new Exact(over << BigInt(shift), 1n);
  }

  static vector(x: ArrayLike<number>): Exact[] {
    return Array.from(x, Exact.of);
  }

  static dot(a: readonly Exact[], b: readonly Exact[]): Exact {
    return a.map((x, k) => x.times(b[k]!)).reduce((sum, x) => sum.plus(x));
  }

  static cross(a: readonly Exact[], b: readonly Exact[]): Exact[] {
    const component = (i: number, j: number) => a[i]!.times(b[j]!).minus(a[j]!.times(b[i]!));
    return [component(1, 2), component(2, 0), component(0, 1)];
  }

  static difference(a: readonly Exact[], b: readonly Exact[]): Exact[] {
    return a.map((x, k) => x.minus(b[k]!));
  }

  static least(...numbers: readonly Exact[]): Exact {
    return numbers.reduce((least, x) => (x.minus(least).sign < 0 ? x : least));
  }

  plus(x: Exact): Exact {
    if (this.#under === x.#under) return new Exact(this.#over + x.#over, this.#under);
    return new Exact(this.#over * x.#under + x.#over * this.#under, this.#under * x.#under);
  }

  minus(x: Exact): Exact {
    return this.plus(new Exact(-x.#over, x.#under));
  }

  times(x: Exact): Exact {
    return new Exact(this.#over * x.#over, this.#under * x.#under);
  }

  /** By a number other than 0. */
  over(x: Exact): Exact {
    return new Exact(this.#over * x.#under, this.#under * x.#over);
  }

  get abs(): Exact {
    return this.#over < 0n ? new Exact(-this.#over, this.#under) : this;
  }

  get sign(): number {
    return this.#over === 0n ? 0 : this.#over > 0n ? 1 : -1;
  }

  /** About the same in float64, to 2^-50: for messages, and for how near a bound is. */
  get value(): number {
    if (this.#over === 0n) return 0;
    const length = (x: bigint) => x.toString(16).length * 4;
    const size = this.#over < 0n ? -this.#over : this.#over;
    const shift = length(this.#under) - length(size) + 60;
    const quotient =
      shift > 0 ? (size << BigInt(shift)) / this.#under : size / (this.#under << BigInt(-shift));
    return this.sign * Number(quotient) * 2 ** -shift;
  }
}

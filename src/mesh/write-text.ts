/** Text of big arrays: decimal numbers that name a float32 exactly, and bytes that grow piece by piece. */

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
/**
 * Fewer digits need not be tried. Every decimal of so many digits survives float32, so a shorter text is found here as
 * well, with zeros at its end. That does not hold for subnormal numbers.
 */
const FEWEST_DIGITS = 6;
/** With so many digits any two float32 numbers have different texts. */
const MOST_DIGITS = 9;
const SMALLEST_NORMAL = 2 ** -126;

/**
 * The shortest decimal number that gives `x` again when it is read as float64 and rounded to float32.
 *
 * @param x a finite float32 number; -0 keeps its sign
 */
export function float32Text(x: number): string {
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  // Below 2^24 every whole number is a float32 of its own, so no digit can be spared.
  if (Number.isInteger(x) && Math.abs(x) < 16_777_216) return `${x}`;
  const exponent = Math.floor(Math.log10(Math.abs(x)));
  const fewest = Math.abs(x) < SMALLEST_NORMAL ? 1 : FEWEST_DIGITS;
  for (let digits = fewest; digits < MOST_DIGITS; digits++) {
    const rounded = roundToDigits(x, digits, exponent);
    if (Math.fround(rounded) === x) return `${rounded}`;
  }
  return `${Number(x.toPrecision(MOST_DIGITS))}`;
}

/** The float64 next to `x` rounded to some significant decimal digits; `exponent` is that of the first digit. */
function roundToDigits(x: number, digits: number, exponent: number): number {
  const scale = POWERS_OF_TEN[digits - 1 - exponent];
  // A power of ten up to 10^22 is exact in float64, so the quotient is the float64 next to the decimal number. Other
  // magnitudes take the slow way.
  return scale === undefined ? Number(x.toPrecision(digits)) : Math.round(x * scale) / scale;
}

const FIRST_CAPACITY = 1 << 16;

/** Collects text as UTF-8 without one huge string in between, which JavaScript limits to 512 MiB. */
export class TextBuilder {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  readonly #encoder = new TextEncoder();

  /** Appends text; pieces of a few thousand characters are fastest. */
  append(text: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const most = this.#length + 3 * text.length;
    if (most > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(most, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** The text so far. The builder is not to be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}

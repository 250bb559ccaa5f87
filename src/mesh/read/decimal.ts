// Decimal numbers straight from bytes, correctly rounded to float64. Up to 15 digits and powers of ten up to 22 need
// one exact product or quotient (W. D. Clinger, "How to read floating point numbers accurately", 1990); what is
// longer goes through the platform's own conversion.

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_CASE = 0x20;
const LETTER_E = 0x65;

/** Decimal digits that a float64 integer certainly holds exactly. */
const EXACT_DIGITS = 15;
/** Powers of ten that float64 holds exactly: 1 to 1e22. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const EXACT_EXPONENT = POWERS_OF_TEN.length - 1;
/** Beyond this exponent a number is infinite or zero, with as many digits as memory can hold. */
const EXPONENT_CAP = 1e10;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** What C, Python, Java and Windows print for infinities and NaN. */
const NON_FINITE = /^[+-]?(inf|infinity|nan|nan\(.*\)|\d*\.#(inf|ind|qnan|snan)\d*)$/i;
const utf8 = new TextDecoder();

/** Whether a word means an infinity or NaN. */
export function isNonFiniteWord(word: string): boolean {
  return NON_FINITE.test(word);
}

/** Whether a word is a decimal number or means an infinity or NaN. */
export function isNumberWord(word: string): boolean {
  return DECIMAL.test(word) || isNonFiniteWord(word);
}

/** Where `scanDecimal` leaves its results, so that no object is made per number. */
export interface DecimalResult {
  /** Infinite if the number is beyond float64's range. */
  value: number;
  /** Byte offset behind the last character. */
  end: number;
}

/** The decimal digit at `at`; above 9 if there is none. */
export function digitAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at]! - ZERO) >>> 0 : 10;
}

export function isMinus(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === MINUS;
}

export function isSign(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === MINUS || bytes[at] === PLUS;
}

/**
 * Scans a number that begins at `start`: sign, digits with or without a point, exponent.
 * @returns Whether there is one. The caller checks what follows it.
 */
export function scanDecimal(bytes: Uint8Array, start: number, result: DecimalResult): boolean {
  let p = isSign(bytes, start) ? start + 1 : start;
  let mantissa = 0;
  let significant = 0;
  let exponent = 0;
  const digitsStart = p;
  for (let digit = digitAt(bytes, p); digit <= 9; digit = digitAt(bytes, ++p)) {
    mantissa = mantissa * 10 + digit;
    if (mantissa !== 0) significant++;
  }
  let digits = p - digitsStart;
  if (p < bytes.length && bytes[p] === POINT) {
    const fractionStart = ++p;
    for (let digit = digitAt(bytes, p); digit <= 9; digit = digitAt(bytes, ++p)) {
      mantissa = mantissa * 10 + digit;
      if (mantissa !== 0) significant++;
    }
    exponent = fractionStart - p;
    digits += p - fractionStart;
  }
  if (digits === 0) return false;
  if (p < bytes.length && (bytes[p]! | LOWER_CASE) === LETTER_E) {
    p++;
    const isNegative = isMinus(bytes, p);
    if (isSign(bytes, p)) p++;
    const powerStart = p;
    let power = 0;
    for (let digit = digitAt(bytes, p); digit <= 9; digit = digitAt(bytes, ++p)) {
      power = Math.min(power * 10 + digit, EXPONENT_CAP);
    }
    if (p === powerStart) return false;
    exponent += isNegative ? -power : power;
  }
  result.end = p;
  if (significant > EXACT_DIGITS || Math.abs(exponent) > EXACT_EXPONENT) {
    result.value = Number(utf8.decode(bytes.subarray(start, p)));
    return true;
  }
  const size = exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent]! : mantissa * POWERS_OF_TEN[exponent]!;
  result.value = isMinus(bytes, start) ? -size : size;
  return true;
}

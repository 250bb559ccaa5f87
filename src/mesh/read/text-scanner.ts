// Reads numbers and words straight from the bytes of a text file: no string is made for a line or, in the usual
// case, for a number. Lines end with LF, CRLF or CR, in any mixture.
import type { InputError } from '../../errors.ts';
import { digitAt, isMinus, isNonFiniteWord, isSign, scanDecimal } from './decimal.ts';
import { countOf, quoteBytes, readError } from './read-error.ts';

/** What a byte means between tokens; 0 is part of a token. */
const BLANK = 1;
const LINE_END = 2;
const COMMENT = 3;
const CONTINUATION = 4;
const DELIMITER = 5;

const TAB = 0x09;
const LF = 0x0a;
const VERTICAL_TAB = 0x0b;
const FORM_FEED = 0x0c;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const LOWER_CASE = 0x20;

/** Bytes of a token that are looked at to tell whether it means an infinity or NaN. */
const LONGEST_WORD = 64;
const utf8 = new TextDecoder();

export interface ScannerOptions {
  /** The file's name, for messages. */
  readonly name: string;
  /** Byte to begin with; 0 if left out. */
  readonly start?: number;
  /** Line number of that byte; 1 if left out. */
  readonly line?: number;
  /** Whether `#` begins a comment that lasts to the end of its line. */
  readonly comments?: boolean;
  /** Whether `\` before a line's end joins it with the next. */
  readonly continuations?: boolean;
  /** One more byte that ends a token, such as a comma; it is not skipped as a blank. */
  readonly delimiter?: number;
}

export class TextScanner {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Byte offset of what is read next. */
  pos: number;
  /** Line number of that byte, from 1. */
  line: number;
  readonly #decimal = { value: 0, end: 0 };
  readonly #kinds = new Uint8Array(256);

  constructor(bytes: Uint8Array, options: ScannerOptions) {
    this.bytes = bytes;
    this.name = options.name;
    this.pos = options.start ?? 0;
    this.line = options.line ?? 1;
    for (const byte of [TAB, VERTICAL_TAB, FORM_FEED, SPACE]) this.#kinds[byte] = BLANK;
    this.#kinds[LF] = LINE_END;
    this.#kinds[CR] = LINE_END;
    if (options.comments) this.#kinds[HASH] = COMMENT;
    if (options.continuations) this.#kinds[BACKSLASH] = CONTINUATION;
    if (options.delimiter !== undefined) this.#kinds[options.delimiter] = DELIMITER;
  }

  get atEnd(): boolean {
    return this.pos >= this.bytes.length;
  }

  /** Whether nothing more stands on this line: its end, a comment or the end of the file. */
  get atLineEnd(): boolean {
    if (this.atEnd) return true;
    const kind = this.#kinds[this.bytes[this.pos]!];
    return kind === LINE_END || kind === COMMENT;
  }

  /** Whether a token cannot go on here. */
  get atTokenEnd(): boolean {
    return this.atEnd || this.#kinds[this.bytes[this.pos]!] !== 0;
  }

  /** Skips blanks, and line ends that a continuation hides. */
  skipBlanks(): void {
    const { bytes } = this;
    for (;;) {
      while (this.pos < bytes.length && this.#kinds[bytes[this.pos]!] === BLANK) this.pos++;
      if (!this.#atContinuation(this.pos)) return;
      this.pos++;
      this.#takeLineEnd();
    }
  }

  /** Goes to the next token, over blanks, line ends and comments. False at the end of the file. */
  toToken(): boolean {
    for (;;) {
      this.skipBlanks();
      if (this.atEnd) return false;
      if (!this.atLineEnd) return true;
      this.nextLine();
    }
  }

  /** Skips the rest of the line, its continuations and comments included. */
  nextLine(): void {
    const { bytes } = this;
    let inComment = false;
    while (this.pos < bytes.length) {
      const kind = this.#kinds[bytes[this.pos]!];
      if (kind === LINE_END) {
        this.#takeLineEnd();
        return;
      }
      if (kind === COMMENT) inComment = true;
      const hidden = !inComment && this.#atContinuation(this.pos);
      this.pos++;
      if (hidden) this.#takeLineEnd();
    }
  }

  /** Skips to the end of this token. */
  skipToken(): void {
    while (!this.atTokenEnd) this.pos++;
  }

  /**
   * Takes `word` (lower case) if it is the token that stands here, in any case, and skips the blanks after it.
   * False, and nothing taken, if something else stands here.
   */
  takeWord(word: string): boolean {
    const { bytes, pos } = this;
    const end = pos + word.length;
    if (end > bytes.length) return false;
    for (let i = 0; i < word.length; i++) {
      const byte = bytes[pos + i]!;
      const isUpper = byte >= 0x41 && byte <= 0x5a;
      if ((isUpper ? byte | LOWER_CASE : byte) !== word.charCodeAt(i)) return false;
    }
    if (end < bytes.length && this.#kinds[bytes[end]!] === 0) return false;
    this.pos = end;
    this.skipBlanks();
    return true;
  }

  /** The token that stands here as text, and the blanks after it skipped; empty at the end of the line. */
  takeText(): string {
    const start = this.pos;
    this.skipToken();
    const text = utf8.decode(this.bytes.subarray(start, this.pos));
    this.skipBlanks();
    return text;
  }

  /**
   * A decimal number, correctly rounded to float64, and the blanks after it skipped. `what` names it for an error.
   * @throws InputError if no number stands here, or one that is not finite.
   */
  takeNumber(what: string): number {
    const start = this.pos;
    const isNumber = scanDecimal(this.bytes, start, this.#decimal);
    if (isNumber) this.pos = this.#decimal.end;
    const { value } = this.#decimal;
    if (!isNumber || !this.atTokenEnd || !Number.isFinite(value)) {
      const overflows = isNumber && this.atTokenEnd;
      this.pos = start;
      const problem = overflows
        ? 'number overflows float64'
        : this.#isNonFinite()
          ? 'non-finite number'
          : undefined;
      throw this.error(`a finite number for ${what}`, problem);
    }
    this.skipBlanks();
    return value;
  }

  /**
   * One coordinate as float32, and the blanks after it skipped.
   * @throws InputError if no number stands here, or one that is not finite or beyond float32's range.
   */
  takeCoordinate(axis: string): number {
    const start = this.pos;
    const value = Math.fround(this.takeNumber(axis));
    if (!Number.isFinite(value)) {
      this.pos = start;
      throw this.error(
        `a number within float32's range (3.4e38) for ${axis}`,
        'coordinate overflows float32',
      );
    }
    return value;
  }

  /**
   * A signed integer. Stops behind its last digit: the caller looks at what follows.
   * @throws InputError if no digit stands here.
   */
  takeInteger(expected: string): number {
    const { bytes } = this;
    const start = this.pos;
    let p = isSign(bytes, start) ? start + 1 : start;
    const digitsStart = p;
    let value = 0;
    for (let digit = digitAt(bytes, p); digit <= 9; digit = digitAt(bytes, ++p)) value = value * 10 + digit;
    if (p === digitsStart) throw this.error(expected);
    this.pos = p;
    return isMinus(bytes, start) ? -value : value;
  }

  /**
   * A whole non-negative number, and the blanks after it skipped.
   * @throws InputError if anything else stands here.
   */
  takeCount(expected: string): number {
    const start = this.pos;
    const value = this.takeInteger(expected);
    if (value < 0 || !this.atTokenEnd) {
      this.pos = start;
      throw this.error(expected);
    }
    this.skipBlanks();
    return value;
  }

  /** The error for what stands here. At the end of the file its problem is `truncated`. */
  error(expected: string, problem?: string): InputError {
    const place = `line ${this.line}`;
    const { name } = this;
    if (this.atEnd) {
      return readError({ name, place, problem: 'truncated', found: 'the end of the file', expected });
    }
    const found = this.atLineEnd ? 'the end of the line' : this.#quoteToken();
    return readError({ name, place, ...(problem !== undefined && { problem }), found, expected });
  }

  /** @throws InputError if a token is left. */
  expectEnd(afterWhat: string): void {
    if (this.toToken()) throw this.error(`nothing after ${afterWhat}`);
  }

  /** @throws InputError `truncated` if the rest of the file is shorter than `least` bytes. */
  expectBytes(least: number, forWhat: string): void {
    const left = this.bytes.length - this.pos;
    if (left >= least) return;
    throw readError({
      name: this.name,
      place: `line ${this.line}`,
      problem: 'truncated',
      found: countOf(left, 'more byte'),
      expected: `at least ${least} for ${forWhat}`,
    });
  }

  /** Whether the token here means an infinity or NaN. */
  #isNonFinite(): boolean {
    const start = this.pos;
    this.skipToken();
    const word = utf8.decode(this.bytes.subarray(start, Math.min(this.pos, start + LONGEST_WORD)));
    this.pos = start;
    return isNonFiniteWord(word);
  }

  #quoteToken(): string {
    const start = this.pos;
    this.skipToken();
    const end = Math.max(this.pos, start + 1);
    this.pos = start;
    return quoteBytes(this.bytes, start, end);
  }

  #atContinuation(at: number): boolean {
    const { bytes } = this;
    return (
      at + 1 < bytes.length &&
      bytes[at] === BACKSLASH &&
      this.#kinds[BACKSLASH] === CONTINUATION &&
      this.#kinds[bytes[at + 1]!] === LINE_END
    );
  }

  #takeLineEnd(): void {
    if (this.bytes[this.pos] === CR && this.bytes[this.pos + 1] === LF) this.pos++;
    this.pos++;
    this.line++;
  }
}

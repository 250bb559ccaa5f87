// The values behind a PLY header, one by one, in either encoding.
import { PLY_TYPE_BYTES, type PlyType } from './ply-header.ts';
import { countOf, readError } from './read-error.ts';
import type { TextScanner } from './text-scanner.ts';

export interface PlyValues {
  /** The file's name, for messages. */
  readonly name: string;
  /** Bytes that are left. */
  readonly bytesLeft: number;
  /** Least number of bytes that one value takes. */
  leastBytes(type: PlyType): number;
  /**
   * The next value; `what` names it for an error.
   * @throws InputError `truncated` at the end of the file, or if text holds no finite number.
   */
  take(type: PlyType, what: string): number;
  /**
   * Skips values without looking at them.
   * @throws InputError `truncated` if there are fewer.
   */
  skip(type: PlyType, count: number, what: string): void;
  /** Where the last value that was taken stands, for messages. */
  place(): string;
  /** @throws InputError if anything but blanks is left. */
  expectEnd(afterWhat: string): void;
}

/** Values in text: any blanks and line ends between them, as most readers have it. */
export class TextValues implements PlyValues {
  readonly name: string;
  readonly #scanner: TextScanner;

  constructor(scanner: TextScanner) {
    this.name = scanner.name;
    this.#scanner = scanner;
  }

  get bytesLeft(): number {
    // One more, since the blank after the last value of the file may be missing.
    return this.#scanner.bytes.length - this.#scanner.pos + 1;
  }

  leastBytes(): number {
    // A digit and a blank.
    return 2;
  }

  take(_type: PlyType, what: string): number {
    this.#scanner.toToken();
    return this.#scanner.takeNumber(what);
  }

  skip(_type: PlyType, count: number, what: string): void {
    for (let i = 0; i < count; i++) {
      if (!this.#scanner.toToken()) throw this.#scanner.error(what);
      this.#scanner.skipToken();
    }
  }

  place(): string {
    return `line ${this.#scanner.line}`;
  }

  expectEnd(afterWhat: string): void {
    this.#scanner.expectEnd(afterWhat);
  }
}

/** Bytes that may follow the last element: editors and transfers append line ends, tools pad with zeros. */
const PADDING = new Set([0x00, 0x09, 0x0a, 0x0d, 0x1a, 0x20]);

export class BinaryValues implements PlyValues {
  readonly name: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  #at: number;
  #lastAt: number;

  constructor(bytes: Uint8Array, start: number, littleEndian: boolean, name: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#littleEndian = littleEndian;
    this.name = name;
    this.#at = start;
    this.#lastAt = start;
  }

  get bytesLeft(): number {
    return this.#bytes.length - this.#at;
  }

  leastBytes(type: PlyType): number {
    return PLY_TYPE_BYTES[type];
  }

  take(type: PlyType, what: string): number {
    const at = this.#at;
    this.#advance(PLY_TYPE_BYTES[type], what);
    switch (type) {
      case 'int8':
        return this.#view.getInt8(at);
      case 'uint8':
        return this.#view.getUint8(at);
      case 'int16':
        return this.#view.getInt16(at, this.#littleEndian);
      case 'uint16':
        return this.#view.getUint16(at, this.#littleEndian);
      case 'int32':
        return this.#view.getInt32(at, this.#littleEndian);
      case 'uint32':
        return this.#view.getUint32(at, this.#littleEndian);
      case 'float32':
        return this.#view.getFloat32(at, this.#littleEndian);
      case 'float64':
        return this.#view.getFloat64(at, this.#littleEndian);
    }
  }

  skip(type: PlyType, count: number, what: string): void {
    this.#advance(count * PLY_TYPE_BYTES[type], what);
  }

  place(): string {
    return `byte ${this.#lastAt}`;
  }

  expectEnd(afterWhat: string): void {
    for (let at = this.#at; at < this.#bytes.length; at++) {
      if (PADDING.has(this.#bytes[at]!)) continue;
      throw readError({
        name: this.name,
        place: `byte ${this.#at}`,
        problem: 'too long',
        found: countOf(this.bytesLeft, 'more byte'),
        expected: `nothing after ${afterWhat}`,
      });
    }
  }

  #advance(size: number, what: string): void {
    if (size > this.bytesLeft) {
      throw readError({
        name: this.name,
        place: `byte ${this.#at}`,
        problem: 'truncated',
        found: countOf(this.bytesLeft, 'more byte'),
        expected: `${size} for ${what}`,
      });
    }
    this.#lastAt = this.#at;
    this.#at += size;
  }
}

// The header of PLY, after Greg Turk's "The PLY Polygon File Format" (1994) with the sized type names (int8,
// float32, ...) that came later.
import { quoteBytes, readError } from './read-error.ts';
import { TextScanner } from './text-scanner.ts';

export type PlyEncoding = 'ascii' | 'binary-little-endian' | 'binary-big-endian';
export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  /** The type of the length in front of a list; undefined for a scalar. */
  readonly countType: PlyType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: PlyEncoding;
  readonly elements: readonly PlyElement[];
  /** Byte offset of the first element. */
  readonly dataStart: number;
  /** Line number of the first element, for ASCII. */
  readonly dataLine: number;
}

/** Bytes of a scalar in a binary file. */
export const PLY_TYPE_BYTES: Readonly<Record<PlyType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

const TYPES: Readonly<Record<string, PlyType>> = {
  char: 'int8',
  int8: 'int8',
  uchar: 'uint8',
  uint8: 'uint8',
  short: 'int16',
  int16: 'int16',
  ushort: 'uint16',
  uint16: 'uint16',
  int: 'int32',
  int32: 'int32',
  uint: 'uint32',
  uint32: 'uint32',
  float: 'float32',
  float32: 'float32',
  double: 'float64',
  float64: 'float64',
};

const ENCODINGS: Readonly<Record<string, PlyEncoding>> = {
  ascii: 'ascii',
  binary_little_endian: 'binary-little-endian',
  binary_big_endian: 'binary-big-endian',
};

const LF = 0x0a;
const CR = 0x0d;

interface OpenElement extends PlyElement {
  readonly properties: PlyProperty[];
  readonly propertyNames: Set<string>;
}

/**
 * Parses the header up to and with the line end behind `end_header`.
 * @throws InputError with the line number.
 */
export function parsePlyHeader(bytes: Uint8Array, name: string, start: number): PlyHeader {
  const scanner = new TextScanner(bytes, { name, start });
  if (!scanner.takeWord('ply')) throw scanner.error('"ply"');
  // A file that ends its lines with CR alone may go on with a byte that happens to be LF; others may mix LF and CRLF.
  const carriageReturnAlone = bytes[scanner.pos] === CR && bytes[scanner.pos + 1] !== LF;
  scanner.nextLine();

  let encoding: PlyEncoding | undefined;
  const elements: OpenElement[] = [];
  for (;;) {
    if (!scanner.toToken()) throw scanner.error('"end_header"');
    if (scanner.takeWord('end_header')) break;
    if (scanner.takeWord('format')) {
      encoding = takeOneOf(scanner, ENCODINGS, 'ascii, binary_little_endian or binary_big_endian');
      if (!scanner.takeWord('1.0')) throw scanner.error('PLY version 1.0');
    } else if (scanner.takeWord('element')) {
      const elementName = scanner.takeText();
      const count = scanner.takeCount('the number of elements');
      elements.push({ name: elementName, count, properties: [], propertyNames: new Set() });
    } else if (scanner.takeWord('property')) {
      const element = elements.at(-1);
      if (element === undefined) throw scanner.error('an element before its properties');
      element.properties.push(takeProperty(scanner, element));
    } else if (!scanner.takeWord('comment') && !scanner.takeWord('obj_info')) {
      throw scanner.error('format, element, property, comment, obj_info or end_header');
    }
    scanner.nextLine();
  }
  if (encoding === undefined) {
    throw readError({
      name,
      place: `line ${scanner.line}`,
      found: 'no "format" in the header',
      expected: 'one',
    });
  }
  if (!scanner.atLineEnd) throw scanner.error('the end of the line');
  const dataStart = endOfLine(bytes, scanner.pos, carriageReturnAlone);
  return { encoding, elements, dataStart, dataLine: scanner.line + 1 };
}

function endOfLine(bytes: Uint8Array, at: number, carriageReturnAlone: boolean): number {
  if (bytes[at] === CR && bytes[at + 1] === LF && !carriageReturnAlone) return at + 2;
  return Math.min(at + 1, bytes.length);
}

function takeProperty(scanner: TextScanner, element: OpenElement): PlyProperty {
  const types = 'a scalar type such as float or uint8';
  let countType: PlyType | undefined;
  if (scanner.takeWord('list')) {
    countType = takeOneOf(scanner, TYPES, types);
    if (countType.startsWith('float')) {
      throw scanner.error(`an integer type for the length of a list instead of ${countType}`);
    }
  }
  const type = takeOneOf(scanner, TYPES, countType === undefined ? `list or ${types}` : types);
  const at = scanner.pos;
  const name = scanner.takeText();
  if (name === '' || element.propertyNames.has(name)) {
    scanner.pos = at;
    throw scanner.error('a name that no other property of the element has');
  }
  element.propertyNames.add(name);
  return { name, type, countType };
}

function takeOneOf<T>(scanner: TextScanner, table: Readonly<Record<string, T>>, expected: string): T {
  const { pos } = scanner;
  const word = scanner.takeText();
  if (!Object.hasOwn(table, word)) {
    throw readError({
      name: scanner.name,
      place: `line ${scanner.line}`,
      found: word === '' ? 'the end of the line' : quoteBytes(scanner.bytes, pos, pos + word.length),
      expected,
    });
  }
  return table[word]!;
}

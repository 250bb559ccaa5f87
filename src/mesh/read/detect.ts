// Tells formats apart by what is in the file; its name is never looked at.

import { parseObj } from './obj.ts';
import { isOffKeyword, parseOff } from './off.ts';
import { parsePly } from './ply.ts';
import type { RawMesh } from './raw-mesh.ts';
import { hasBinaryStlLength, parseAsciiStl, parseBinaryStl } from './stl.ts';
import { TextScanner } from './text-scanner.ts';

export type MeshFormat = 'stl-binary' | 'stl-ascii' | 'obj' | 'ply' | 'off';

/** A zero byte this early means a binary file: a binary STL has one in its count at the latest. */
const TEXT_PROBE_BYTES = 256;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** The byte where the text of a file begins: behind its byte order mark, if it has one. */
export function textStart(bytes: Uint8Array): number {
  return UTF8_MARK.every((byte, i) => bytes[i] === byte) ? UTF8_MARK.length : 0;
}

/** The format of a file that is not compressed, and the byte where it begins (behind a byte order mark). */
export interface Detected {
  readonly format: MeshFormat;
  readonly start: number;
}

/**
 * Finds the format of a mesh file. In this order: a length that fits the count of a binary STL; the first word `ply`;
 * a zero byte near the start, which leaves only binary STL; the first word `OFF` with its prefixes, or `solid`; a
 * line that begins with `v` (OBJ).
 * @returns undefined for text that is none of these.
 */
export function detectFormat(bytes: Uint8Array): Detected | undefined {
  if (hasBinaryStlLength(bytes)) return { format: 'stl-binary', start: 0 };
  const start = textStart(bytes);
  const scanner = new TextScanner(bytes, { name: '', start, comments: true });
  if (scanner.takeWord('ply')) return { format: 'ply', start };
  if (bytes.subarray(0, TEXT_PROBE_BYTES).includes(0)) return { format: 'stl-binary', start: 0 };
  if (!scanner.toToken()) return undefined;
  const first = scanner.pos;
  if (scanner.takeWord('solid')) return { format: 'stl-ascii', start };
  if (isOffKeyword(scanner.takeText())) return { format: 'off', start };
  scanner.pos = first;
  while (scanner.toToken()) {
    if (scanner.takeWord('v')) return { format: 'obj', start };
    scanner.nextLine();
  }
  return undefined;
}

/** Parses a file of a known format. @throws InputError as the format's parser does. */
export function parseDetected(bytes: Uint8Array, detected: Detected, name: string): RawMesh {
  const { format, start } = detected;
  switch (format) {
    case 'stl-binary':
      return parseBinaryStl(bytes, name);
    case 'stl-ascii':
      return parseAsciiStl(bytes, name, start);
    case 'obj':
      return parseObj(bytes, name, start);
    case 'ply':
      return parsePly(bytes, name, start);
    case 'off':
      return parseOff(bytes, name, start);
  }
}

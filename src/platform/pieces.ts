/** Bytes in pieces: files whose bytes come in pieces, files read to their end, memory cut into pieces. */
import { failingAs, firstLine, InputError } from '../errors.ts';
import type { OpenFile } from './platform.ts';

/** Where the bytes of a file come from that gives them in pieces of any length. */
interface PieceSource {
  /** The next piece; undefined at the end of the file. */
  next(): Promise<Uint8Array | undefined>;
  /** The error to throw, with the file's name, when `next` fails. */
  asError(failure: unknown): Error;
  close(): Promise<void>;
}

/** A file of unknown size whose bytes come in pieces. */
export function fileOfPieces({ next, asError, close }: PieceSource): OpenFile {
  /** Bytes that have come and were not asked for yet. */
  let rest = new Uint8Array(0);
  const fill = async (into: Uint8Array): Promise<number> => {
    let filled = 0;
    while (filled < into.length) {
      if (rest.length === 0) {
        const piece = await next();
        if (piece === undefined) break;
        rest = piece as Uint8Array<ArrayBuffer>;
      }
      const taken = rest.subarray(0, into.length - filled);
      into.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
    }
    return filled;
  };
  return { size: undefined, read: (into) => failingAs(() => fill(into), asError), close };
}

/**
 * Reads a file to its end. Returns all of it, with what was read before.
 *
 * @param limit most bytes in all; a file with more is not read on
 * @param tooLarge makes the error for such a file, given how many bytes were found
 * @param start what was read of the file before
 */
export async function readToEnd(
  file: OpenFile,
  limit: number,
  tooLarge: (found: string) => Error,
  start: Uint8Array = new Uint8Array(0),
): Promise<Uint8Array> {
  if (file.size !== undefined && file.size > limit) throw tooLarge(`${file.size} bytes`);
  // One byte more than the size, so that the end shows. Where the size is unknown, the room doubles when it runs out.
  let bytes = new Uint8Array(
    Math.max(start.length, file.size ?? Math.max(2 * start.length, PIECE_BYTES)) + 1,
  );
  bytes.set(start);
  let filled = start.length;
  for (;;) {
    filled += await file.read(bytes.subarray(filled));
    if (filled > limit) throw tooLarge(`more than ${limit} bytes`);
    if (filled < bytes.length) return bytes.subarray(0, filled);
    const more = new Uint8Array(Math.min(2 * bytes.length, limit + 1));
    more.set(bytes);
    bytes = more;
  }
}

/** How many bytes of a compressed file, or of one of unknown size, are handled at a time. */
export const PIECE_BYTES = 1 << 16;

/** Views on `bytes`, piece after piece. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

export function damagedGzip(name: string, cause: unknown): InputError {
  return new InputError(`${name}: damaged gzip data (${firstLine(cause)})`, { cause });
}

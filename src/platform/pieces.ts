import { InputError } from '../errors.ts';
import type { OpenFile } from './platform.ts';

/** `read` of an `OpenFile` whose bytes come in pieces of any length. @param next undefined at the end */
export function readerOf(next: () => Promise<Uint8Array | undefined>): (into: Uint8Array) => Promise<number> {
  /** What has come and was not asked for yet. */
  let rest = new Uint8Array(0);
  return async (into) => {
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
}

/**
 * What is left of a file.
 *
 * @param limit most bytes, `start` included; past it what `tooLarge` makes is thrown, before more is read
 * @param start what was read of it before
 */
export async function readToEnd(
  file: OpenFile,
  limit: number,
  tooLarge: (found: string) => Error,
  start: Uint8Array = new Uint8Array(0),
): Promise<Uint8Array> {
  if (file.size !== undefined && file.size > limit) throw tooLarge(`${file.size} bytes`);
  // Of unknown size: twice as much room whenever it runs out. One more than the size, so that the end shows.
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

/** Bytes in which files of unknown size and compressed ones are handled at a time. */
export const PIECE_BYTES = 1 << 16;

/** Views on `bytes`, piece after piece. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

export function damagedGzip(name: string, cause: unknown): InputError {
  return new InputError(`${name}: damaged gzip data (${(cause as Error).message.split('\n', 1)[0]})`, {
    cause,
  });
}

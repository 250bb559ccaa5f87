/** Reads the points of a file chunk by chunk, so that there can be more than memory holds. */
import type { OpenFile } from '#platform';
import { type Options, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { readError } from '../mesh/read/read-error.ts';
import { openSource, type ReadSource } from '../mesh/read/source.ts';
import { readToEnd } from '../platform/pieces.ts';
import {
  dataLength,
  isNpy,
  type NpyHeader,
  npyHeaderLength,
  parseNpyHeader,
  requireDataLength,
  reverseItems,
  wrongDataLength,
} from './npy.ts';
import { noPoints, parsePoints, requireFinitePoints, requirePointArray } from './points.ts';

/** In points: 12 MiB of coordinates. */
const DEFAULT_CHUNK = 1 << 20;
/** In points: 768 MiB of coordinates. */
const LARGEST_CHUNK = 1 << 26;
/**
 * Bytes read first. The largest header of version 1 has half as many, and that of an array of plain numbers far less.
 */
const START_BYTES = 1 << 17;
/** Most bytes that are read at once: Node's own limit. */
const LARGEST_WHOLE = 2 ** 31 - 1;
const BYTES_PER_ROW = { f4: 12, f8: 24 } as const;

export interface OpenPointsOptions {
  /** For messages; by default that of the path, URL or File. */
  readonly name?: string;
  /** Points per chunk, 1 to 2^26; the last chunk has what is left. Default 2^20, 12 MiB. */
  readonly chunkPoints?: number;
  /**
   * Only these rows of a `.npy` file in C order, `first` counted from 0. The rest is not read, and `count` is that of
   * the rows. Other files cannot be read in part.
   */
  readonly rows?: RowRange;
}

export interface RowRange {
  readonly first: number;
  readonly count: number;
}

/**
 * An open file of points. `for await` over it gives its points in order, `[x, y, z]` per point, in a new array for
 * every `chunkPoints` points. The loop closes the file, however it ends. The points can be read once: a second loop, or
 * one after `close()`, throws an InputError. Open the file again for that.
 */
export interface PointFile extends AsyncIterable<Float32Array<ArrayBuffer>> {
  readonly name: string;
  /** Points to come in all. */
  readonly count: number;
  /** Points of the file, also where only some of its rows are read. */
  readonly total: number;
  /**
   * Undefined if each chunk is read when it is asked for. Otherwise why the whole file is in memory: its format (gzip,
   * text, a mesh), or the order of its array.
   */
  readonly whole: string | undefined;
  /** Closes a file that is not read to its end. Safe to call twice. */
  close(): Promise<void>;
}

const OPTIONS: Options<OpenPointsOptions> = { name: 'text', chunkPoints: 'number', rows: 'object' };

/**
 * Opens a file of points, to be read in chunks. A `.npy` file of float32 or float64 of shape [n, 3], in C order and
 * either byte order, takes the memory of a chunk. Every other file that `readPoints` reads is read at once, and `whole`
 * says so. Messages are those of `readPoints`.
 *
 * @param source A path (Node) or a URL (browser) as a string, a URL, a Blob or File, or the bytes themselves.
 * @throws InputError with the file's name if it cannot be read, is malformed or has no points. The loop over the points
 * throws it with the row of a coordinate that is not finite, or where the file ends too soon.
 */
export async function openPoints(source: ReadSource, options: OpenPointsOptions = {}): Promise<PointFile> {
  requireOptions('openPoints', options, OPTIONS);
  const { chunkPoints = DEFAULT_CHUNK, rows } = options;
  if (!(Number.isInteger(chunkPoints) && chunkPoints >= 1 && chunkPoints <= LARGEST_CHUNK)) {
    throw new InputError(
      `openPoints: chunkPoints is ${chunkPoints}, expected a whole number from 1 to ${LARGEST_CHUNK}`,
    );
  }
  if (rows !== undefined) requireRange(rows);
  const { file, name } = await openSource(source, options.name, 'points');
  try {
    const start = new Uint8Array(START_BYTES);
    const bytes = start.subarray(0, await file.read(start));
    const whole = reasonForWhole(bytes, name);
    const inOrder = whole ?? (rows && file.seek === undefined ? 'it is no file on a disk' : undefined);
    if (rows && inOrder !== undefined) {
      const expected = 'a .npy file in C order on a disk';
      throw readError({
        name,
        found: `rows asked for that cannot be read alone, because ${inOrder}`,
        expected,
      });
    }
    if (whole !== undefined) return await wholeFile(file, bytes, { name, chunkPoints, whole });
    const header = parseNpyHeader(bytes, name);
    if (file.size !== undefined) requireDataLength(header, file.size - header.dataStart, name);
    requirePointArray(header, name);
    const total = header.shape[0]!;
    if (total === 0) throw noPoints(name);
    const { first, count } = rows ?? { first: 0, count: total };
    if (first + count > total) {
      const found = `${total} points, and rows ${first} to ${first + count - 1} asked for`;
      throw readError({ name, found, expected: 'rows that are there' });
    }
    const isSought = rows !== undefined;
    if (isSought) file.seek!(header.dataStart + rowBytesOf(header) * first);
    const early = bytes.subarray(isSought ? bytes.length : header.dataStart);
    const asked = { header, early, name, first, end: first + count, chunkPoints };
    return { name, count, total, whole: undefined, ...once(file, name, readRows(file, asked)) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function requireRange({ first, count }: RowRange): void {
  if (isCount(first) && isCount(count) && isCount(first + count)) return;
  throw new InputError(
    `openPoints: rows is { first: ${told(first)}, count: ${told(count)} }, expected whole numbers of 0 or more`,
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Why a file that begins with these bytes cannot be read in chunks. Undefined if it can, or if it cannot be used. */
function reasonForWhole(bytes: Uint8Array, name: string): string | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'it is compressed with gzip';
  if (!isNpy(bytes)) return 'it is no .npy file';
  // Only padding makes a header so long. parseNpy judges it when the whole file is there.
  if ((npyHeaderLength(bytes) ?? 0) > bytes.length && bytes.length === START_BYTES)
    return 'its header is too long';
  return parseNpyHeader(bytes, name).fortranOrder ? 'its array is in Fortran order' : undefined;
}

async function wholeFile(
  file: OpenFile,
  start: Uint8Array,
  { name, chunkPoints, whole }: { name: string; chunkPoints: number; whole: string },
): Promise<PointFile> {
  const bytes = await readRest(file, start, name, whole);
  await file.close();
  const points = await parsePoints(bytes, { name });
  async function* chunks(): AsyncGenerator<Float32Array<ArrayBuffer>> {
    for (let at = 0; at < points.length; at += 3 * chunkPoints) {
      yield points.slice(at, at + 3 * chunkPoints);
    }
  }
  const count = points.length / 3;
  return { name, count, total: count, whole, ...once(file, name, chunks()) };
}

/** The whole file, whose beginning was read before. */
async function readRest(file: OpenFile, start: Uint8Array, name: string, whole: string): Promise<Uint8Array> {
  const tooLarge = (found: string) =>
    readError({
      name,
      found: `${found} to be read at once, because ${whole}`,
      expected: `at most ${LARGEST_WHOLE}, or a .npy file of float32 in C order, which is read in chunks`,
    });
  return readToEnd(file, LARGEST_WHOLE, tooLarge, start);
}

interface Rows {
  readonly header: NpyHeader;
  /** Data that was read with the header. */
  readonly early: Uint8Array;
  readonly name: string;
  /** Rows first .. end - 1 are read. */
  readonly first: number;
  readonly end: number;
  readonly chunkPoints: number;
}

function rowBytesOf({ dtype }: NpyHeader): number {
  return BYTES_PER_ROW[dtype as keyof typeof BYTES_PER_ROW];
}

async function* readRows(file: OpenFile, rows: Rows): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const { header, name, end, chunkPoints } = rows;
  const rowBytes = rowBytesOf(header);
  let { early } = rows;
  /** Float64 is read to here, float32 directly into the chunk. */
  let wide: Float64Array | undefined;
  for (let { first } = rows; first < end; first += chunkPoints) {
    const size = Math.min(chunkPoints, end - first);
    const points = new Float32Array(3 * size);
    if (header.dtype === 'f8') wide ??= new Float64Array(3 * size);
    const data = wide?.subarray(0, 3 * size) ?? points;
    const raw = new Uint8Array(data.buffer, 0, rowBytes * size);
    const known = early.subarray(0, raw.length);
    raw.set(known);
    early = early.subarray(known.length);
    const filled = known.length + (await file.read(raw.subarray(known.length)));
    if (filled < raw.length) throw truncated(header, rowBytes * first + filled, rowBytes, name);
    if (header.bigEndian) reverseItems(raw, rowBytes / 3);
    if (wide) points.set(data);
    requireFinitePoints(points, data, first, name);
    // Checked before the last chunk is given: a caller who has all points takes the file to be right.
    if (first + size === header.shape[0]) await requireEnd(file, early, header, name);
    yield points;
  }
}

function truncated(header: NpyHeader, found: number, rowBytes: number, name: string): InputError {
  return wrongDataLength(header, {
    name,
    place: `row ${Math.floor(found / rowBytes)}`,
    problem: 'truncated',
    found: `${found} bytes of data`,
  });
}

/**
 * Checks that the file ends with its data. A file of known size was measured when it was opened; of another one it
 * shows only here.
 */
async function requireEnd(file: OpenFile, early: Uint8Array, header: NpyHeader, name: string): Promise<void> {
  if (early.length === 0 && (await file.read(new Uint8Array(1))) === 0) return;
  const promised = dataLength(header);
  throw wrongDataLength(header, {
    name,
    place: `byte ${header.dataStart + promised}`,
    problem: 'too long',
    found: `more than ${promised} bytes of data`,
  });
}

/** Chunks that can be read once. The file is closed when they end, or when their reader stops. */
function once(
  file: OpenFile,
  name: string,
  chunks: AsyncGenerator<Float32Array<ArrayBuffer>>,
): { [Symbol.asyncIterator](): AsyncGenerator<Float32Array<ArrayBuffer>>; close(): Promise<void> } {
  async function* closing(): AsyncGenerator<Float32Array<ArrayBuffer>> {
    try {
      yield* chunks;
    } finally {
      await file.close();
    }
  }
  const only = closing();
  let gone: string | undefined;
  return {
    [Symbol.asyncIterator]() {
      if (gone !== undefined) {
        throw new InputError(
          `${name}: an open file of points that was ${gone} found, ` +
            'expected one to be read for the first time: open it again with openPoints()',
        );
      }
      gone = 'read already';
      return only;
    },
    async close() {
      gone ??= 'closed';
      // The file is closed here as well: a generator that was never started does not run its `finally`, and one that
      // waits for a pipe would wait on.
      await Promise.allSettled([only.return(undefined), file.close()]);
    },
  };
}

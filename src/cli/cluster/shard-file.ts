/** The file of a shard: a header in clear, then the numbers of its points (docs/cluster.md, "The file of a shard"). */
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { RowRange } from '../../index.ts';
import { describeFileError, fileError } from '../files.ts';
import { createFileAtomically } from '../output.ts';
import { bytesOf, RESULT_DTYPES, type ResultFile, type ResultKind, type Settings } from '../result-file.ts';

const FORMAT = 'scree-shard';
const VERSION = 1;
/** Bytes of the header: far more than it takes, and a multiple of every page. */
export const HEADER_BYTES = 4096;
/** Bytes read at a time. */
const PIECE_BYTES = 1 << 22;

/** Which share of how many, counted from 1. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/** What a shard answers. */
export interface ShardQuestion {
  readonly scree: string;
  readonly what: ResultKind;
  readonly share: Share;
  readonly rows: RowRange & { readonly total: number };
  /** Points per chunk; shares are whole chunks. */
  readonly chunk: number;
  /** SHA-256 of the welded mesh. */
  readonly body: string;
  /** What was asked for, as far as numbers depend on it. */
  readonly asked: Settings;
}

export interface ShardHeader extends ShardQuestion {
  /** By what the numbers were computed in fact, as far as they depend on it. */
  readonly used: Settings;
  /** Of the share's own points, float32. */
  readonly pointsCrc32: number;
  readonly numbersCrc32: number;
}

export function shardPath(out: string, { index, of }: Share): string {
  return `${out}.shard-${index}-of-${of}`;
}

/** The rows of a share: whole chunks, as evenly as they go. */
export function shareRows(total: number, chunk: number, { index, of }: Share): RowRange {
  const chunks = Math.ceil(total / chunk);
  // Products of large numbers of chunks and shares are exact that way.
  const border = (k: number) => Math.min(total, chunk * Number((BigInt(k) * BigInt(chunks)) / BigInt(of)));
  const first = border(index - 1);
  return { first, count: border(index) - first };
}

/** Makes the file of a shard. @param pointsSum CRC-32 of the points, asked for when all have been read */
export async function createShardFile(
  path: string,
  question: ShardQuestion,
  pointsSum: () => number,
): Promise<ResultFile> {
  const file = await createFileAtomically(path);
  await file.write(new Uint8Array(HEADER_BYTES));
  let sum = 0;
  return {
    async write(values) {
      const bytes = bytesOf(values);
      sum = crc32(bytes, sum);
      await file.write(bytes);
    },
    async commit(used) {
      const header = {
        format: FORMAT,
        version: VERSION,
        ...question,
        used,
        pointsCrc32: pointsSum(),
        numbersCrc32: sum,
      };
      await file.overwrite(Buffer.from(`${JSON.stringify(header).padEnd(HEADER_BYTES - 1)}\n`));
      await file.commit();
    },
    discard: () => file.discard(),
  };
}

/** What is found of a shard. `isCut`: so little that it was cut short and tells nothing. */
export type FoundShard = ShardHeader | { readonly problem: string; readonly isCut: boolean };

/** Undefined if there is no such file. @throws InputError if it cannot be read */
export async function findShard(path: string): Promise<FoundShard | undefined> {
  return reading(path, undefined, async (file) => {
    const bytes = Buffer.alloc(HEADER_BYTES);
    const text = bytes.toString('latin1', 0, await fill(file, bytes, 0));
    const start = JSON.stringify({ format: FORMAT, version: VERSION }).slice(0, -1);
    const isOurs = text.startsWith(start.slice(0, text.length));
    if (!isOurs) return { problem: `no shard of format ${VERSION} found`, isCut: false };
    if (text.length < HEADER_BYTES) return { problem: `cut short: ${text.length} bytes found`, isCut: true };
    try {
      const header: unknown = JSON.parse(bytes.toString());
      if (isHeader(header)) return header;
    } catch {
      // Not JSON any more.
    }
    return { problem: 'a damaged header found', isCut: false };
  });
}

function isHeader(value: unknown): value is ShardHeader {
  const { what, share, rows, chunk, asked, used, scree, body, ...sums } = value as ShardHeader;
  const numbers = [share.index, share.of, rows.first, rows.count, rows.total, chunk];
  numbers.push(sums.pointsCrc32, sums.numbersCrc32);
  return (
    Object.hasOwn(RESULT_DTYPES, what) &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0) &&
    // Rows are dealt out by whole chunks, over all shares.
    chunk > 0 &&
    share.of > 0 &&
    [scree, body].every((text) => typeof text === 'string') &&
    [asked, used].every((settings) => typeof settings === 'object' && settings !== null)
  );
}

/**
 * Takes the numbers of a shard piece by piece, reading ahead. Pieces are of shared memory: use them before the promise
 * of `take` settles. Returns what is wrong with the file, if anything.
 *
 * @throws InputError if it cannot be read; what `take` throws
 */
export async function readNumbers(
  path: string,
  { what, rows, numbersCrc32: expected }: ShardHeader,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<string | undefined> {
  const end = HEADER_BYTES + rows.count * Number(RESULT_DTYPES[what][1]);
  return reading(path, 'it is gone meanwhile', async (file) => {
    const { size } = await file.stat();
    if (size !== end) return `${size < end ? 'cut short' : 'too long'}: ${size} bytes found, expected ${end}`;
    const length = Math.min(PIECE_BYTES, end - HEADER_BYTES);
    let [now, ahead] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
    let sum = 0;
    const start = (into: Buffer, at: number) => {
      const begun = fill(file, into, at);
      // A failure is seen where it is awaited, which may be later.
      begun.catch(() => {});
      return begun;
    };
    let pending = start(now, HEADER_BYTES);
    try {
      for (let at = HEADER_BYTES; at < end; ) {
        const piece = now.subarray(0, await pending);
        if (piece.length === 0) return `cut short while it was read, at byte ${at}`;
        at += piece.length;
        pending = start(ahead, at);
        const taken = take(piece);
        // While it is written.
        sum = crc32(piece, sum);
        await taken;
        [now, ahead] = [ahead, now];
      }
    } finally {
      // A read under way has to end before the file is closed.
      await pending.catch(() => {});
    }
    return sum === expected ? undefined : `damaged: the checksum ${sum} found, expected ${expected}`;
  });
}

/** Fills `into` from a place of a file, and returns how many bytes there were. */
async function fill(file: FileHandle, into: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Lends a file that is open. @param missing what to say if there is none; undefined to return undefined then */
async function reading<T>(
  path: string,
  missing: string | undefined,
  work: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    return await work(file);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.syscall === undefined) throw error;
    if (cause.code === 'ENOENT' && missing === undefined) return undefined;
    const isFolder = cause.code === 'EISDIR';
    const problem = isFolder ? 'is a folder, expected a file' : describeFileError(cause, missing ?? '');
    throw await fileError(`${path}: ${problem}`, cause);
  } finally {
    await file?.close();
  }
}

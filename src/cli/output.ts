/** Writes files so that no reader ever sees half of one: first under a temporary name, then renamed. */
import { dirname } from 'node:path';
import { createTemporaryFile, type TemporaryFile } from '../platform/temporary.ts';
import { describeFileError, fileError } from './files.ts';
import { nameOf } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';

/** Bytes written at a time: larger pieces do not go faster, and an interrupt waits for one. */
const PIECE_BYTES = 1 << 22;

/**
 * Writes a file whole or not at all. An existing file of that name is replaced.
 *
 * @param data the contents, or a function that makes them and may keep this thread busy
 * @param options `signal` stops the writing, which then rejects with the signal's reason
 * @throws InputError that names the path if the folder is missing or not writable; ScreeError with exit code 1 if the
 *   disk is full or fails.
 */
export async function writeFileAtomically(
  path: string,
  data: Contents | (() => Contents | Promise<Contents>),
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const contents = typeof data === 'function' ? await withDefaultSignals(signal, data) : data;
  const file = await createFileAtomically(path);
  try {
    await file.write(contents, signal);
    await file.commit();
  } finally {
    await file.discard();
  }
}

type Contents = Uint8Array | string;

/** A file that is written piece by piece. After `commit` it is there as a whole, before that not at all. */
export interface AtomicFile {
  /** Writes the next piece. One call at a time. @param signal stops the writing, which then rejects with its reason */
  write(data: Contents, signal?: AbortSignal): Promise<void>;
  /** Writes over the beginning of what was written. */
  overwrite(data: Uint8Array): Promise<void>;
  /** Gives the file its name. An existing file of that name is replaced. */
  commit(): Promise<void>;
  /** Removes what was written. Does nothing after `commit`, or the second time. */
  discard(): Promise<void>;
}

/** @throws what `writeFileAtomically` throws, as the file's methods do */
export async function createFileAtomically(path: string): Promise<AtomicFile> {
  const orWriteError = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw await writeError(path, error);
    }
  };
  const file: TemporaryFile = await orWriteError(() => createTemporaryFile(dirname(path)));
  return {
    async write(data, signal) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      for (let at = 0; at < bytes.length; ) {
        signal?.throwIfAborted();
        const length = Math.min(PIECE_BYTES, bytes.length - at);
        const { bytesWritten } = await orWriteError(() => file.handle.write(bytes, at, length));
        at += bytesWritten;
      }
      signal?.throwIfAborted();
    },
    async overwrite(data) {
      await orWriteError(() => file.handle.write(data, 0, data.length, 0));
    },
    commit: () => orWriteError(() => file.rename(path)),
    discard: () => file.discard(),
  };
}

async function writeError(path: string, error: unknown): Promise<Error> {
  const cause = error as NodeJS.ErrnoException;
  const problem = describeFileError(cause, `no such folder: ${dirname(path)}`);
  return fileError(`${path}: cannot be written: ${problem}`, cause);
}

/** Prints one JSON object on one line. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Prints the summary of a command that asked about a file, and the file that it wrote, if it did. */
export function printSummary(path: string, summary: string, out: string | undefined): void {
  process.stdout.write(`${nameOf(path)}\n\n${summary}\n${out ? `\nwrote ${out}\n` : ''}`);
}

/** Writing files so that a reader never sees half of one: under a temporary name first, then renamed. */
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileError, fileError } from './files.ts';

/** Temporary files that are not renamed yet; a process that has to end at once still removes them. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * Writes a file whole or not at all; an existing file of that name is replaced.
 *
 * @param options `signal` stops it; it then rejects with the signal's reason.
 * @throws InputError that names the path if the folder is missing or not writable, ScreeError with exit code 1 if the
 *   device is full or fails.
 */
export async function writeFileAtomically(
  path: string,
  data: Uint8Array | string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, data, { ...(signal && { signal }) });
    signal?.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await remove(temporary);
    signal?.throwIfAborted();
    throw await writeError(path, error);
  } finally {
    unfinished.delete(temporary);
  }
}

/** A file that is written piece by piece, and is there as a whole after `commit` or not at all. */
export interface AtomicFile {
  /** Writes behind what was written before. One call at a time. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file its name; an existing file of that name is replaced. */
  commit(): Promise<void>;
  /** Removes what was written. Does nothing after `commit`, or twice. */
  discard(): Promise<void>;
}

/** @throws What `writeFileAtomically` throws; so do the file's methods. */
export async function createFileAtomically(path: string): Promise<AtomicFile> {
  const temporary = temporaryName(path);
  let handle: FileHandle | undefined;
  const orWriteError = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw await writeError(path, error);
    }
  };
  const discard = async () => {
    if (!unfinished.has(temporary)) return;
    await handle?.close().catch(() => {
      // It is removed all the same.
    });
    await remove(temporary);
    unfinished.delete(temporary);
  };
  try {
    handle = await open(temporary, 'w');
  } catch (error) {
    unfinished.delete(temporary);
    throw await writeError(path, error);
  }
  const file = handle;
  return {
    write: (bytes) =>
      orWriteError(async () => {
        for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
      }),
    commit: () =>
      orWriteError(async () => {
        await file.close();
        await rename(temporary, path);
        unfinished.delete(temporary);
      }),
    discard,
  };
}

/** A name beside the file's, which is removed when the process ends, unless it is taken off the list. */
function temporaryName(path: string): string {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  unfinished.add(temporary);
  return temporary;
}

async function remove(temporary: string): Promise<void> {
  await rm(temporary, { force: true }).catch(() => {
    // The first error says more than one about cleaning up.
  });
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

/** Writing files so that a reader never sees half of one: under a temporary name first, then renamed. */
import { rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileError, inputError } from './files.ts';

/** Temporary files that are not renamed yet; a process that has to end at once still removes them. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * Writes a file whole or not at all; an existing file of that name is replaced.
 *
 * @param options `signal` stops it; it then rejects with the signal's reason.
 * @throws InputError that names the path if the folder is missing or not writable, or the device is full.
 */
export async function writeFileAtomically(
  path: string,
  data: Uint8Array | string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  unfinished.add(temporary);
  try {
    await writeFile(temporary, data, { ...(signal && { signal }) });
    signal?.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {
      // The first error says more than one about cleaning up.
    });
    signal?.throwIfAborted();
    const problem = describeFileError(error as NodeJS.ErrnoException, `no such folder: ${dirname(path)}`);
    throw await inputError(`${path}: cannot be written: ${problem}`, error);
  } finally {
    unfinished.delete(temporary);
  }
}

/** Prints one JSON object on one line. */
export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Reads the input of commands: files, pipes, and `-` for standard input. An interrupt ends the reading at once. */
import { readFile, STANDARD_INPUT } from '../platform/node-files.ts';
import { DASH, describeFileError, fileError } from './files.ts';
import { orInterrupted, withDefaultSignals } from './interrupt.ts';

/** A path as messages and reports call it. */
export function nameOf(path: string): string {
  return path === DASH ? 'standard input' : path;
}

/** The path for the library. */
export function sourceOf(path: string): string {
  return path === DASH ? STANDARD_INPUT : path;
}

/**
 * The bytes of a file.
 *
 * @throws InputError that names the file if it cannot be read or has more than 2 GiB; ScreeError with exit code 1 if
 *   the disk fails; the signal's reason.
 */
export async function readBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await orInterrupted(readFile(sourceOf(path)), signal);
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (cause?.code === undefined) throw error;
    throw await fileError(`${nameOf(path)}: ${describeFileError(cause, 'no such file')}`, cause);
  }
}

/** Coordinates of all points of a file. @throws what `readBytes` throws; InputError if the file holds no points */
export async function readAllPoints(path: string, signal: AbortSignal): Promise<Float32Array> {
  const { readPoints } = await import('../index.ts');
  const bytes = await readBytes(path, signal);
  return withDefaultSignals(signal, () => readPoints(bytes, { name: nameOf(path) }));
}

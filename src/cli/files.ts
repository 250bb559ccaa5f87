/** Checks of files before any work is done, so that nobody waits long to hear of a wrong path. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolders } from '../platform/folders.ts';

/** @throws InputError if there is no such file or it cannot be read. `DASH`, standard input, can always be read. */
export async function requireReadableFile(path: string): Promise<void> {
  if (path === DASH) return;
  const problem = await problemOf(async () => {
    const found = await stat(path);
    if (found.isDirectory()) return 'is a folder, expected a file';
    await access(path, constants.R_OK);
    return undefined;
  }, 'no such file');
  if (problem !== undefined) throw await inputError(`${path}: ${problem}`);
}

/** The path that stands for standard input. */
export const DASH = '-';

/** @throws what a command's error and the checks above throw if its files cannot be read, or be written */
export async function requireFiles(
  inputs: readonly string[],
  outputs: readonly string[],
  command: Command,
): Promise<void> {
  requireDifferentFiles(inputs, outputs, command);
  for (const path of inputs) await requireReadableFile(path);
  for (const path of outputs) await requireWritablePath(path);
}

/** A file to be written is named once, and standard input is read once. */
function requireDifferentFiles(
  inputs: readonly string[],
  outputs: readonly string[],
  command: Command,
): void {
  if (inputs.filter((path) => path === DASH).length > 1) {
    command.error('error: standard input (-) can be read once, found it named twice');
  }
  const all = [...inputs, ...outputs];
  const paths = all.map((path) => resolve(path));
  const twice = paths.findIndex((path, i) => i >= inputs.length && paths.indexOf(path) < i);
  if (twice < 0) return;
  const other = paths.indexOf(paths[twice]!) < inputs.length ? 'one to read' : 'another one to write';
  command.error(`error: ${all[twice]} is named twice, as a file to write and ${other}`);
}

/** Most bytes that Node reads at once. */
const LARGEST_AT_ONCE = 2 ** 31 - 1;
const STREAM_INSTEAD =
  'write the flags alone, with --out flags.npy, and the points of a .npy file are read in chunks';

/**
 * For outputs that need all points at once.
 *
 * @throws InputError, with what to do, if the file of points is too large to be read at once.
 */
export async function requireReadableAtOnce(path: string, outputs: readonly string[]): Promise<void> {
  const size = path === DASH ? 0 : (await stat(path)).size;
  if (size <= LARGEST_AT_ONCE) return;
  const need = `${outputs.join(' and ')} ${outputs.length > 1 ? 'need' : 'needs'}`;
  throw await inputError(
    `${path}: ${size} bytes found, expected at most ${LARGEST_AT_ONCE} for points that are held at once, ` +
      `as ${need} them: ${STREAM_INSTEAD}`,
  );
}

/** Does work that holds all points of a file. @throws InputError, with what to do, if there is not enough memory. */
export async function holdingAll<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // V8 throws this if it gets no memory, or if an array would be longer than any can be.
    const isMemory = error instanceof RangeError && /allocation failed|length/i.test(error.message);
    if (!isMemory) throw error;
    throw await inputError(
      `${path}: more points found than there is memory for (${error.message}): ${STREAM_INSTEAD}`,
      error,
    );
  }
}

/**
 * @throws InputError if no file can be made there: no folder, no permission, or a folder, pipe or device of that name.
 */
export async function requireWritablePath(path: string): Promise<void> {
  const folder = dirname(path);
  const problem = await problemOf(async () => {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK);
    return undefined;
  }, `no such folder: ${folder}`);
  if (problem !== undefined) throw await inputError(`${path}: cannot be written: ${problem}`);
  const target = await stat(path).catch(() => undefined);
  if (target === undefined || target.isFile()) return;
  const kind = target.isDirectory() ? 'folder' : 'pipe or device';
  throw await inputError(`${path}: cannot be written: there is a ${kind} of that name`);
}

/** @throws InputError if a folder cannot be written to, or be made. Makes nothing. */
export async function requireWritableFolder(path: string): Promise<void> {
  const problem = await problemOf(async () => {
    let at = resolve(path);
    while (!(await exists(at))) at = dirname(at);
    if (!(await stat(at)).isDirectory()) return 'there is a file of that name';
    await access(at, constants.W_OK);
    return undefined;
  }, 'no such folder');
  if (problem !== undefined) throw await inputError(`${path}: cannot be written: ${problem}`);
}

/** @throws what `stat` throws but for a path that is not there */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes a folder to write to, and those above it. @throws InputError if it cannot be made */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    const problem =
      cause.code === 'EEXIST' ? 'there is a file of that name' : describeFileError(cause, 'no such folder');
    throw await fileError(`${path}: cannot be made: ${problem}`, cause);
  }
}

async function problemOf(
  look: () => Promise<string | undefined>,
  missing: string,
): Promise<string | undefined> {
  try {
    return await look();
  } catch (error) {
    return describeFileError(error as NodeJS.ErrnoException, missing);
  }
}

/** A file system error in words, without Node's own prefix and path. */
export function describeFileError(error: NodeJS.ErrnoException, missing: string): string {
  switch (error.code) {
    case 'ENOENT':
      return missing;
    case 'ENOTDIR':
      return 'a part of the path is a file, expected a folder';
    case 'EACCES':
    case 'EPERM':
      return 'no permission';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOSPC':
      return 'no space left on the device';
    case 'EDQUOT':
      return 'the disk quota is used up';
    case 'EFBIG':
      return 'the file would be larger than the system allows';
    case 'EIO':
      return 'the device failed (input/output error)';
    default:
      return error.message;
  }
}

/** Codes of failures of the machine: another path would not help, or only by luck. */
const MACHINE_FAILURES: ReadonlySet<string | undefined> = new Set([
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOSPC',
]);

/** Whether an error is of a machine that may be able to do the same another time. */
export function isMachineFailure(error: unknown): boolean {
  return isFileFailure(error) || (error as { readonly reason?: string }).reason === 'lost';
}

/** Whether it is one of files, such as a full disk, that whatever comes next would meet as well. */
export function isFileFailure(error: unknown): boolean {
  return MACHINE_FAILURES.has((error as { readonly cause?: NodeJS.ErrnoException }).cause?.code ?? '');
}

/** The error for a file system error: unusable input, or with exit code 1 a failure of the machine. */
export async function fileError(message: string, cause: NodeJS.ErrnoException): Promise<Error> {
  if (!MACHINE_FAILURES.has(cause.code)) return inputError(message, cause);
  const { ScreeError } = await import('../index.ts');
  return new ScreeError(message, 1, { cause });
}

/** The library's InputError. The library is loaded only when it is needed. */
export async function inputError(message: string, cause?: unknown): Promise<Error> {
  const { InputError } = await import('../index.ts');
  return new InputError(message, cause === undefined ? undefined : { cause });
}

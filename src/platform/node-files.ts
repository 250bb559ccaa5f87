/** Files from disk, pipes and standard input in Node. */
import { close, closeSync, constants, fstat, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { failingAs, firstLine, InputError, ScreeError } from '../errors.ts';
import { fileOfPieces, readToEnd } from './pieces.ts';
import type { OpenFile } from './platform.ts';

/**
 * The path that stands for the process's own input. It is not opened by this name: the system refuses that for a
 * socket, and Windows knows no such file.
 */
export const STANDARD_INPUT = '/dev/stdin';
/** Most bytes that a file may have which is read as a whole: Node's own limit. */
const LARGEST_WHOLE = 2 ** 31 - 1;
/** Most bytes in one call of `read`, which takes less than 2 GiB. */
const LARGEST_READ = 2 ** 30;
/**
 * On Linux a pipe without a writer opens at once, and the event loop waits for its bytes. A thread that waited in
 * `open` would keep the process from ending. On other systems such a pipe would seem to be at its end.
 */
const READ_FLAGS = constants.O_RDONLY | (process.platform === 'linux' ? constants.O_NONBLOCK : 0);

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, expected a file',
};

/** Codes of failures of the machine: with another file they would come all the same. */
const MACHINE_FAILURES: ReadonlySet<string | undefined> = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

function fileError(source: string | URL, error: unknown): ScreeError {
  const code = (error as NodeJS.ErrnoException).code;
  if (MACHINE_FAILURES.has(code)) {
    return new ScreeError(`${nameOf(source)}: cannot be read: ${firstLine(error)}`, 1, { cause: error });
  }
  const what = FILE_PROBLEMS[code ?? ''] ?? firstLine(error);
  return new InputError(`${nameOf(source)}: ${what}`, { cause: error });
}

function nameOf(source: string | URL): string {
  return source === STANDARD_INPUT ? 'standard input' : String(source);
}

/** `Platform.openFile`. */
export async function openFile(source: string | URL): Promise<OpenFile> {
  let descriptor: number | undefined;
  const own = source === STANDARD_INPUT;
  try {
    descriptor = own ? 0 : await promisify(open)(source, READ_FLAGS);
    const found = await promisify(fstat)(descriptor);
    if (found.isDirectory()) throw new InputError(`${nameOf(source)}: ${FILE_PROBLEMS.EISDIR}`);
    if (found.isFIFO() || found.isSocket() || isatty(descriptor)) return openPipe(source, descriptor);
    // Most devices give bytes for ever.
    if (!found.isFile()) throw new InputError(`${nameOf(source)}: is a device, expected a file or a pipe`);
    // Files of /proc have a size of 0, whatever is in them.
    return openDisk(source, descriptor, found.size > 0 ? found.size : undefined);
  } catch (error) {
    if (descriptor !== undefined && !own) closeSync(descriptor);
    throw error instanceof InputError ? error : fileError(source, error);
  }
}

/** `Platform.readFile`. */
export async function readFile(source: string | URL): Promise<Uint8Array> {
  const file = await openFile(source);
  try {
    return await readToEnd(file, LARGEST_WHOLE, () => {
      const found = 'is larger than 2 GiB, expected a file that can be read at once';
      return new InputError(`${nameOf(source)}: ${found}`);
    });
  } finally {
    await file.close();
  }
}

function openDisk(source: string | URL, descriptor: number, size: number | undefined): OpenFile {
  let reading: Promise<number> | undefined;
  let closed: Promise<void> | undefined;
  /** Null to go on where the file stands, as of standard input, which others may have read from. */
  let at: number | null = null;
  const fill = async (into: Uint8Array) => {
    let filled = 0;
    while (filled < into.length) {
      const length = Math.min(into.length - filled, LARGEST_READ);
      const { bytesRead } = await promisify(read)(descriptor, into, filled, length, at);
      if (bytesRead === 0) break;
      filled += bytesRead;
      if (at !== null) at += bytesRead;
    }
    return filled;
  };
  return {
    size,
    seek(position) {
      at = position;
    },
    read(into) {
      reading = fill(into);
      return failingAs(
        () => reading!,
        (error) => fileError(source, error),
      );
    },
    close() {
      closed ??= (async () => {
        // A read under way has to end first: the system may give the number of a closed file to another one at once.
        await reading?.catch(() => {});
        if (descriptor !== 0) await promisify(close)(descriptor);
      })();
      return closed;
    },
  };
}

/** The event loop waits for a pipe: a thread that waits in `read` would keep the process from ending. */
function openPipe(source: string | URL, descriptor: number): OpenFile {
  const socket = isatty(descriptor)
    ? new ReadStream(descriptor)
    : new Socket({ fd: descriptor, readable: true, writable: false });
  // The iterator reports errors. Without a listener an error that comes while nobody reads would end the process.
  socket.on('error', () => {});
  const pieces: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  return fileOfPieces({
    async next() {
      const { done, value } = await pieces.next();
      return done ? undefined : value;
    },
    asError: (error) => fileError(source, error),
    async close() {
      socket.destroy();
    },
  });
}

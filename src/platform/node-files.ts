/** Files from disk, pipes and standard input in Node. */
import { close, closeSync, constants, fstat, open, read } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { InputError, ScreeError } from '../errors.ts';
import { readerOf, readToEnd } from './pieces.ts';
import type { OpenFile } from './platform.ts';

/**
 * This path is the process's own input: opened again by its name, a socket would be refused, and Windows knows no such file.
 */
export const STANDARD_INPUT = '/dev/stdin';
/** Node's own limit on reading a file at once, in bytes. */
const LARGEST_WHOLE = 2 ** 31 - 1;
/** Node reads less than 2 GiB at a time. */
const LARGEST_READ = 2 ** 30;
/**
 * Linux opens a pipe without a writer at once, to be waited for by the event loop; a thread that waited in `open` would keep
 * the process from ending. Elsewhere such a pipe would seem to be at its end.
 */
const READ_FLAGS = constants.O_RDONLY | (process.platform === 'linux' ? constants.O_NONBLOCK : 0);

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, expected a file',
};

/** What no other file would mend. */
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

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
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
    // Most give bytes for ever.
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
  const fill = async (into: Uint8Array) => {
    let filled = 0;
    while (filled < into.length) {
      const length = Math.min(into.length - filled, LARGEST_READ);
      const { bytesRead } = await promisify(read)(descriptor, into, filled, length, null);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  };
  return {
    size,
    async read(into) {
      try {
        reading = fill(into);
        return await reading;
      } catch (error) {
        throw fileError(source, error);
      }
    },
    close() {
      closed ??= (async () => {
        // The number of a closed file may be given to another one at once.
        await reading?.catch(() => {});
        if (descriptor !== 0) await promisify(close)(descriptor);
      })();
      return closed;
    },
  };
}

/** A pipe is waited for by the event loop: a thread that waits in `read` would keep the process from ending. */
function openPipe(source: string | URL, descriptor: number): OpenFile {
  const socket = isatty(descriptor)
    ? new ReadStream(descriptor)
    : new Socket({ fd: descriptor, readable: true, writable: false });
  // The iterator below reports errors; without it nobody would ask.
  socket.on('error', () => {});
  const pieces: AsyncIterator<Uint8Array> = socket[Symbol.asyncIterator]();
  const read = readerOf(async () => {
    const next = await pieces.next();
    return next.done ? undefined : next.value;
  });
  return {
    size: undefined,
    async read(into) {
      try {
        return await read(into);
      } catch (error) {
        throw fileError(source, error);
      }
    },
    async close() {
      socket.destroy();
    },
  };
}

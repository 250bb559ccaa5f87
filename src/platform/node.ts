/** The platform of Node: files from disk, WebGPU from the npm package `webgpu` (Dawn). */
import { close, closeSync, existsSync, fstat, open, read } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parentPort, Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { DeviceError, InputError, ScreeError } from '../errors.ts';
import { readerOf } from './pieces.ts';
import type { AdapterChoice, OpenFile, Platform, WorkerHandle, WorkerPort } from './platform.ts';
import { prepareSoftwareAdapter } from './software-adapter.ts';

const inflate = promisify(gunzip);

interface DawnModule {
  create(flags: string[]): GPU;
  readonly globals: Record<string, unknown>;
}

let dawnModule: Promise<DawnModule> | undefined;

async function loadDawn(): Promise<DawnModule> {
  dawnModule ??= (async () => {
    let dawn: DawnModule;
    try {
      dawn = (await import('webgpu')) as unknown as DawnModule;
    } catch (error) {
      throw new DeviceError(
        'no-webgpu',
        `WebGPU is not available in this Node: the package "webgpu" cannot be loaded (${firstLine(error)}); install it with: npm install webgpu @sparticuz/chromium`,
        { cause: error },
      );
    }
    // GPUBufferUsage and the like; what the runtime has already is left alone.
    for (const [name, value] of Object.entries(dawn.globals)) {
      if (!(name in globalThis))
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    return dawn;
  })();
  return dawnModule;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}

// Dawn's entry objects live as long as the process: collected, they take the process down with them.
let systemGpu: Promise<GPU> | undefined;
let softwareGpu: Promise<GPU> | undefined;

/** Dawn's entry object, made and first asked for an adapter while an environment variable has another value. */
async function createGpu(variable: string, value: string | undefined): Promise<GPU> {
  const dawn = await loadDawn();
  const before = process.env[variable];
  if (value !== undefined) process.env[variable] = value;
  try {
    const gpu = dawn.create([]);
    // The Vulkan loader reads its variables when Dawn first looks for adapters.
    await gpu.requestAdapter();
    return gpu;
  } finally {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  }
}

async function openSystemGpu(): Promise<GPU> {
  // SwiftShader beside the system's drivers: with no driver at all Dawn complains on standard error.
  systemGpu ??= loadDawn().then(async () => createGpu('VK_ADD_DRIVER_FILES', await prepareSoftwareAdapter()));
  return systemGpu;
}

async function openSoftwareGpu(): Promise<GPU | undefined> {
  await loadDawn();
  const driver = await prepareSoftwareAdapter();
  if (driver === undefined) return undefined;
  // SwiftShader alone, so that a hardware driver cannot be taken for it.
  softwareGpu ??= createGpu('VK_DRIVER_FILES', driver);
  return softwareGpu;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, expected a file',
  ERR_FS_FILE_TOO_LARGE: 'is larger than 2 GiB, expected a file that can be read at once',
};

/** What no other file would mend. */
const MACHINE_FAILURES: ReadonlySet<string | undefined> = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

function fileError(source: string | URL, error: unknown): ScreeError {
  const code = (error as NodeJS.ErrnoException).code;
  if (MACHINE_FAILURES.has(code)) {
    return new ScreeError(`${String(source)}: cannot be read: ${firstLine(error)}`, 1, { cause: error });
  }
  const what = FILE_PROBLEMS[code ?? ''] ?? firstLine(error);
  return new InputError(`${String(source)}: ${what}`, { cause: error });
}

async function openFile(source: string | URL): Promise<OpenFile> {
  let descriptor: number | undefined;
  try {
    descriptor = await promisify(open)(source, 'r');
    const found = await promisify(fstat)(descriptor);
    if (found.isDirectory()) throw new InputError(`${String(source)}: ${FILE_PROBLEMS.EISDIR}`);
    return found.isFIFO()
      ? openPipe(source, descriptor)
      : openDisk(source, descriptor, found.isFile() ? found.size : undefined);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw error instanceof InputError ? error : fileError(source, error);
  }
}

function openDisk(source: string | URL, descriptor: number, size: number | undefined): OpenFile {
  let reading: Promise<number> | undefined;
  let closed: Promise<void> | undefined;
  const fill = async (into: Uint8Array) => {
    let filled = 0;
    while (filled < into.length) {
      const { bytesRead } = await promisify(read)(descriptor, into, filled, into.length - filled, null);
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
        await promisify(close)(descriptor);
      })();
      return closed;
    },
  };
}

/** A pipe is waited for by the event loop: a thread that waits in `read` would keep the process from ending. */
function openPipe(source: string | URL, descriptor: number): OpenFile {
  const socket = new Socket({ fd: descriptor, readable: true, writable: false });
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

export const platform: Platform = {
  name: 'node',

  async readFile(source) {
    try {
      return await readFile(source);
    } catch (error) {
      throw fileError(source, error);
    }
  },

  openFile,

  async gunzip(bytes, limit, name) {
    try {
      return await inflate(bytes, { maxOutputLength: limit });
    } catch (error) {
      const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw new InputError(
        tooLarge
          ? `${name}: gzip data inflates to more than ${limit} bytes, expected less`
          : `${name}: damaged gzip data (${firstLine(error)})`,
        { cause: error },
      );
    }
  },

  async openGpu(kind: AdapterChoice) {
    return kind === 'system' ? openSystemGpu() : openSoftwareGpu();
  },

  softwareHint:
    'install the software adapter (Linux x64) with: npm install @sparticuz/chromium, or a GPU driver with Vulkan',

  sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  },

  cores: availableParallelism,

  startWorker() {
    // Beside the library's own bundle; the variable is for sources that run as they are, as in tests.
    const bundle = process.env.SCREE_WORKER ?? fileURLToPath(new URL(WORKER_BUNDLE, import.meta.url));
    if (!existsSync(bundle)) return undefined;
    const worker = new Worker(bundle);
    worker.unref();
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => void worker.on('message', listener),
      onError: (listener) => {
        worker.on('error', listener);
        worker.on('exit', () => listener(new Error('a worker thread has ended')));
      },
      keepAlive: (on) => (on ? worker.ref() : worker.unref()),
      terminate: () => void worker.terminate(),
    };
  },
};

const WORKER_BUNDLE = './scree.worker.js';

/** The worker's end of its line. */
export function workerPort(): WorkerPort {
  return {
    post: (message) => parentPort?.postMessage(message),
    onMessage: (listener) => void parentPort?.on('message', listener),
  };
}

export type { OpenFile, WorkerHandle };

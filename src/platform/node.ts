/** The platform of Node: files from disk, WebGPU from the npm package `webgpu` (Dawn). */
import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { DeviceError, firstLine } from '../errors.ts';
import { openFile, readFile } from './node-files.ts';
import { damagedGzip, PIECE_BYTES, piecesOf } from './pieces.ts';
import type { AdapterChoice, OpenFile, Platform, WorkerHandle, WorkerPort } from './platform.ts';
import { prepareSoftwareAdapter } from './software-adapter.ts';

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
        `WebGPU is not available in this Node: the package "webgpu" cannot be loaded (${firstLine(error)}); ` +
          'install it with: npm install webgpu @sparticuz/chromium',
        { cause: error },
      );
    }
    // GPUBufferUsage and the like. Those that the runtime has already stay.
    for (const [name, value] of Object.entries(dawn.globals)) {
      if (!(name in globalThis))
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    return dawn;
  })();
  return dawnModule;
}

// Dawn's entry objects live as long as the process: if they were collected, the process would crash.
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
  // SwiftShader beside the system's drivers, because with no driver at all Dawn complains on standard error.
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

/** How many promises of `restWhile` are open, and whether the thread rests for them. */
let waited = 0;
let isResting = false;
/** Milliseconds that it has rested since then. */
let rested = 0;

function rest(): void {
  isResting = waited > 0;
  if (!isResting) return;
  // What is done meanwhile waits for the end of the rest: an eighth of its time more, and 1 ms at most.
  const next = Math.min(1, 0.1 + rested / 8);
  Atomics.wait(NOBODY_WAKES, 0, 0, next);
  rested += next;
  // Resting must not keep the process from ending.
  setImmediate(rest).unref();
}

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

export const platform: Platform = {
  name: 'node',

  readFile,
  openFile,

  async *inflate(bytes, name) {
    const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
    // Fed piece by piece, so that little is left to inflate when the reader gives up.
    const feed = Readable.from(piecesOf(bytes));
    feed.pipe(gunzip);
    try {
      for await (const piece of gunzip) yield { piece: piece as Uint8Array, consumed: gunzip.bytesWritten };
    } catch (error) {
      throw damagedGzip(name, error);
    } finally {
      feed.destroy();
    }
  },

  async openGpu(kind: AdapterChoice) {
    return kind === 'system' ? openSystemGpu() : openSoftwareGpu();
  },

  async defineWebGpu() {
    if (!('GPUBufferUsage' in globalThis)) await loadDawn();
  },

  softwareHint:
    'install the software adapter (Linux x64) with: npm install @sparticuz/chromium, or a GPU driver with Vulkan',

  sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  },

  restWhile(work) {
    const settled = () => {
      waited--;
    };
    work.then(settled, settled);
    if (waited === 0) rested = 0;
    waited++;
    if (!isResting) setImmediate(rest).unref();
    isResting = true;
    return work;
  },

  cores: availableParallelism,

  // Containers may have less than the machine. Some Denos do not tell.
  memory: () => Math.min(totalmem(), process.constrainedMemory?.() || Infinity),

  startWorker() {
    // The bundle lies beside the library's. The variable is for sources that run as they are, as in tests.
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

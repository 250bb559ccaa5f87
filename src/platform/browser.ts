/** The platform of browsers: files by fetch, gzip by DecompressionStream, WebGPU from the navigator. */
import { DeviceError, failingAs, InputError } from '../errors.ts';
import { damagedGzip, fileOfPieces, piecesOf } from './pieces.ts';
import type { AdapterChoice, OpenFile, Platform, WorkerHandle, WorkerPort } from './platform.ts';

async function fetchFile(source: string | URL): Promise<Response> {
  const response = await failingAs(
    () => fetch(source),
    (error) => unfetched(source, error),
  );
  if (!response.ok) {
    throw new InputError(`${String(source)}: the server answered ${response.status}, expected 200`);
  }
  return response;
}

function unfetched(source: string | URL, error: unknown): InputError {
  return new InputError(`${String(source)}: cannot be fetched (${(error as Error).message})`, {
    cause: error,
  });
}

async function openFile(source: string | URL): Promise<OpenFile> {
  const reader = (await fetchFile(source)).body?.getReader();
  // Of unknown size, since Content-Length counts compressed bytes where the server compresses.
  return fileOfPieces({
    next: async () => (await reader?.read())?.value,
    asError: (error) => unfetched(source, error),
    async close() {
      await reader?.cancel().catch(() => {
        // The response failed before, and the reading has said so.
      });
    },
  });
}

export const platform: Platform = {
  name: 'browser',

  async readFile(source) {
    return new Uint8Array(await (await fetchFile(source)).arrayBuffer());
  },

  openFile,

  async *inflate(bytes, name) {
    let consumed = 0;
    const pieces = piecesOf(bytes);
    const feed = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          const { value, done } = pieces.next();
          if (done) return controller.close();
          consumed += value.length;
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        },
      },
      { highWaterMark: 0 },
    );
    const reader = feed.pipeThrough(new DecompressionStream('gzip')).getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        yield { piece: next.value, consumed };
      }
    } catch (error) {
      throw damagedGzip(name, error);
    } finally {
      await reader.cancel().catch(() => {
        // Inflating failed before, and the error above says so.
      });
    }
  },

  async openGpu(_kind: AdapterChoice) {
    const gpu = (globalThis.navigator as Navigator | undefined)?.gpu;
    if (gpu === undefined) {
      throw new DeviceError(
        'no-webgpu',
        globalThis.isSecureContext === false
          ? 'WebGPU is not available: the page is not a secure context; serve it over https or from localhost'
          : 'WebGPU is not available in this browser: use a recent Chrome, Edge, Firefox or Safari, or enable WebGPU',
      );
    }
    return gpu;
  },

  async defineWebGpu() {
    // Browsers with a device have them.
  },

  softwareHint:
    'start Chrome with --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader for the software adapter',

  sleep(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  },

  // Browsers wait for the GPU in another process.
  restWhile: (work) => work,

  memory: () => undefined,

  cores: () => globalThis.navigator?.hardwareConcurrency ?? 1,

  startWorker() {
    // A constant and not a literal in the call, so that scree's own bundler does not follow it. The build then folds it
    // into a literal, by which an application's bundler finds the worker and takes it along.
    const bundle = './scree.worker.browser.js';
    const worker = new Worker(new URL(bundle, import.meta.url), { type: 'module' });
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
      onError: (listener) =>
        worker.addEventListener('error', ({ message }) =>
          listener(new Error(message || 'a worker cannot start')),
        ),
      keepAlive: () => {
        // A page lives as long as it is open.
      },
      terminate: () => worker.terminate(),
    };
  },
};

/** The worker's end of its line. */
export function workerPort(): WorkerPort {
  const scope = globalThis as unknown as Worker;
  return {
    post: (message) => scope.postMessage(message),
    onMessage: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
  };
}

export type { OpenFile, WorkerHandle };

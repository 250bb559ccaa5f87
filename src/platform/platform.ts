import type { WebGpu } from './webgpu.ts';

/** `system`: what drivers or the browser offer. `software`: the adapter that npm carries; in browsers the same. */
export type AdapterChoice = 'system' | 'software';

/**
 * What differs between Node and a browser. `#platform` resolves to `node.ts` or `browser.ts` (package.json
 * "imports"). Everything else in src/ is the same code on both.
 */
export interface Platform {
  readonly name: 'node' | 'deno' | 'browser';
  /**
   * Reads a whole file (Node: path or file URL; browser: URL). Rejects with an InputError that names it, or a
   * ScreeError with exit code 1 if the system fails.
   */
  readFile(source: string | URL): Promise<Uint8Array>;
  /** Opens a file to be read piece by piece. Takes what `readFile` takes, and rejects as it does. */
  openFile(source: string | URL): Promise<OpenFile>;
  /** Inflates gzip, piece by piece as it is asked for. @throws InputError with the name if it is damaged */
  inflate(bytes: Uint8Array, name: string): AsyncIterable<Inflated>;
  /**
   * The WebGPU entry point of that kind. Undefined if there is no software adapter.
   * @throws DeviceError `no-webgpu` with what to install or enable.
   */
  openGpu(kind: AdapterChoice): Promise<WebGpu | undefined>;
  /** Makes the names of WebGPU global, such as GPUBufferUsage, where the runtime has none of its own. */
  defineWebGpu(): Promise<void>;
  /** What a user can do to get a software adapter, as the end of an error message. */
  readonly softwareHint: string;
  sleep(milliseconds: number): Promise<void>;
  /**
   * Settles as `work` does, which another thread does for WebGPU. In Node, Dawn asks over and over on the calling
   * thread whether it is done, and takes a core from a software adapter. So there the calling thread rests for up to
   * a millisecond between two questions.
   */
  restWhile<T>(work: Promise<T>): Promise<T>;
  /** Processor cores that the process may use. */
  cores(): number;
  /** Bytes of memory that the process may use at most. Undefined in browsers, which do not tell. */
  memory(): number | undefined;
  /** Starts a worker thread. Undefined if its bundle cannot be found. */
  startWorker(): WorkerHandle | undefined;
}

/** A file that is read in order. One call at a time. */
export interface OpenFile {
  /** Bytes in all. Undefined where that shows only at the end, as of a pipe or a response. */
  readonly size: number | undefined;
  /** Goes on with the byte at `position`. Undefined where bytes only come one after the other. */
  readonly seek?: (position: number) => void;
  /** Fills `into` with the next bytes and returns how many: fewer than it holds only at the end of the file. */
  read(into: Uint8Array): Promise<number>;
  /** Safe to call twice, and while a `read` is under way. */
  close(): Promise<void>;
}

/** A piece of inflated gzip data. */
export interface Inflated {
  readonly piece: Uint8Array;
  /** Bytes of compressed data that were taken for this piece and those before it. In a browser a few more. */
  readonly consumed: number;
}

/** One end of a line between two threads. */
export interface WorkerPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** The main thread's end of a worker. */
export interface WorkerHandle extends WorkerPort {
  /** Called when the worker is gone. */
  onError(listener: (error: Error) => void): void;
  /** Whether the worker keeps the process from ending. */
  keepAlive(on: boolean): void;
  terminate(): void;
}

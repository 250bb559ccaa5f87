/** The platform of Node: files from disk, WebGPU from the npm package `webgpu` (Dawn). */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DeviceError, InputError } from '../errors.ts';
import type { AdapterChoice, Platform } from './platform.ts';
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
      if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    return dawn;
  })();
  return dawnModule;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}

// Dawn's entry objects live as long as the process: collected, they take the process down with them.
let systemGpu: GPU | undefined;
let softwareGpu: GPU | undefined;

async function openSystemGpu(): Promise<GPU> {
  const dawn = await loadDawn();
  systemGpu ??= dawn.create([]);
  return systemGpu;
}

async function openSoftwareGpu(): Promise<GPU | undefined> {
  const dawn = await loadDawn();
  if (softwareGpu !== undefined) return softwareGpu;
  const driver = await prepareSoftwareAdapter();
  if (driver === undefined) return undefined;
  // The Vulkan loader reads the variable when Dawn looks for adapters: point it at SwiftShader for that moment only,
  // so that the user's drivers stay visible to everything else in the process.
  const before = process.env.VK_DRIVER_FILES;
  process.env.VK_DRIVER_FILES = driver;
  try {
    const gpu = dawn.create([]);
    if ((await gpu.requestAdapter()) === null) return undefined;
    softwareGpu = gpu;
    return gpu;
  } finally {
    if (before === undefined) delete process.env.VK_DRIVER_FILES;
    else process.env.VK_DRIVER_FILES = before;
  }
}

export const platform: Platform = {
  name: 'node',

  async readFile(source) {
    try {
      return await readFile(source);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      const what =
        code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'is a folder, expected a file' : firstLine(error);
      throw new InputError(`${String(source)}: ${what}`, { cause: error });
    }
  },

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
};

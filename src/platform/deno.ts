/**
 * The platform of Deno: that of Node, whose modules Deno has as well, but for WebGPU. That is Deno's own, wgpu. The
 * software adapter that npm carries stands beside the system's where the process may load libraries (`--allow-ffi`).
 */
import { DeviceError } from '../errors.ts';
import { platform as node } from './node.ts';
import type { Platform } from './platform.ts';
import { prepareSoftwareAdapter } from './software-adapter.ts';

declare const Deno: {
  dlopen(library: string, symbols: Readonly<Record<string, never>>): unknown;
  readonly permissions: { querySync(permission: { name: 'ffi' }): { readonly state: string } };
};

/** Loads a shared library for good, as nobody closes it. */
function keepLoaded(library: string): boolean {
  try {
    Deno.dlopen(library, {});
    return true;
  } catch {
    return false;
  }
}

let prepared: Promise<void> | undefined;

/** The Vulkan loader reads its variables when wgpu first looks for adapters: what is set here stays. */
async function addSoftwareAdapter(): Promise<void> {
  if (Deno.permissions.querySync({ name: 'ffi' }).state !== 'granted') return;
  const driver = await prepareSoftwareAdapter(keepLoaded);
  if (driver !== undefined) process.env.VK_ADD_DRIVER_FILES = driver;
}

export const platform: Platform = {
  ...node,
  name: 'deno',

  async openGpu() {
    const gpu = (globalThis.navigator as Navigator | undefined)?.gpu;
    if (gpu === undefined) {
      throw new DeviceError(
        'no-webgpu',
        'WebGPU is not available in this Deno: use a newer one, or start it with --unstable-webgpu',
      );
    }
    prepared ??= addSoftwareAdapter();
    await prepared;
    return gpu;
  },

  softwareHint:
    'install the software adapter (Linux x64) with: npm install @sparticuz/chromium, and start Deno with -A, ' +
    'or install a GPU driver with Vulkan',

  // wgpu does not ask over and over.
  restWhile: (work) => work,
};

export { workerPort } from './node.ts';

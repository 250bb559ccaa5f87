/**
 * The software WebGPU adapter that npm carries: SwiftShader and a Vulkan loader. Dawn finds the Vulkan loader by its bare
 * name, so the loader is loaded here first, by its full path and for good: a later dlopen of `libvulkan.so.1` then returns
 * it. That needs no LD_LIBRARY_PATH and so no second process.
 */
import { constants } from 'node:os';
import { join } from 'node:path';
import { DeviceError } from '../errors.ts';
import { unpackFromPackage } from './npm-carried.ts';

/** glibc's RTLD_NODELETE: keeps the library loaded although Node closes it when it finds no addon in it. */
const RTLD_NODELETE = 0x1000;

/** Loads a shared library for good; false if there is no such file. */
function keepLoaded(library: string): boolean {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch (error) {
    // Node always refuses it, since it is a plain library and no addon; if it was found it stays loaded all the same.
    return !(error as Error).message.includes('cannot open shared object file');
  }
  return true;
}

async function unpackSwiftShader(): Promise<string | undefined> {
  try {
    return await unpackFromPackage(['swiftshader.tar.br'], 'swiftshader', 'the software adapter');
  } catch (error) {
    throw new DeviceError('no-adapter', (error as Error).message, { cause: error });
  }
}

let prepared: Promise<string | undefined> | undefined;

/**
 * Sees to it that Dawn finds a Vulkan loader, the system's own where there is one, and returns the path of
 * SwiftShader's driver manifest (for VK_DRIVER_FILES); undefined where npm carries none: not on Linux x64, or the
 * package is not installed.
 */
export function prepareSoftwareAdapter(): Promise<string | undefined> {
  prepared ??= (async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
    const folder = await unpackSwiftShader();
    if (!keepLoaded('libvulkan.so.1') && folder !== undefined) keepLoaded(join(folder, 'libvulkan.so.1'));
    return folder && join(folder, 'vk_swiftshader_icd.json');
  })();
  return prepared;
}

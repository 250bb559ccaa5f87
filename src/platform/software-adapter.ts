/**
 * The software WebGPU adapter that npm carries: SwiftShader and a Vulkan loader. Dawn looks for the loader by its bare
 * name, `libvulkan.so.1`. So the loader is loaded here first, by its full path and for good, and Dawn's own dlopen then
 * returns it. This needs no LD_LIBRARY_PATH, and so no second process.
 */
import { constants } from 'node:os';
import { join } from 'node:path';
import { DeviceError } from '../errors.ts';
import { unpackFromPackage } from './npm-carried.ts';

/** glibc's RTLD_NODELETE: the library stays loaded although Node closes it, as it finds no addon in it. */
const RTLD_NODELETE = 0x1000;

/** Loads a shared library for good; false if there is no such file. */
function keepLoaded(library: string): boolean {
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
  } catch (error) {
    // Node always refuses the library, because it is no addon. If it was found, it stays loaded all the same.
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
 * Loads a Vulkan loader for Dawn, the system's own if there is one. Returns the path of SwiftShader's driver manifest
 * (for VK_DRIVER_FILES). Undefined if npm carries none: on systems other than Linux x64, or without the package.
 */
export function prepareSoftwareAdapter(load = keepLoaded): Promise<string | undefined> {
  prepared ??= (async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
    const folder = await unpackSwiftShader();
    if (!load('libvulkan.so.1') && folder !== undefined) load(join(folder, 'libvulkan.so.1'));
    return folder && join(folder, 'vk_swiftshader_icd.json');
  })();
  return prepared;
}

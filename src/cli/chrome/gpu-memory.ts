/** Counts the GPU memory that a page has: bytes of buffers and textures that are alive. */
import type { Page } from 'puppeteer';

/** The count's name on the page's global object. */
const NAME = 'screeGpuBytes';

/** Call it before the page is opened: what is made later is counted. */
export async function countGpuMemory(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(count, NAME);
}

/** Bytes that are alive now. A canvas' own textures are the browser's, and those of WebGL are not counted. */
export function gpuMemoryOf(page: Page): Promise<number> {
  return page.evaluate((name) => (globalThis as unknown as Record<string, number>)[name] ?? 0, NAME);
}

/** Runs in the page, where it has nothing but its argument. */
function count(name: string): void {
  const scope = globalThis as unknown as Record<string, number>;
  scope[name] = 0;
  if (!('GPUDevice' in globalThis)) return;
  const alive = new WeakMap<object, number>();
  const note = <T extends object>(made: T, bytes: number): T => {
    alive.set(made, bytes);
    scope[name]! += bytes;
    return made;
  };
  const device = GPUDevice.prototype;
  const { createBuffer, createTexture } = device;
  device.createBuffer = function (descriptor) {
    return note(createBuffer.call(this, descriptor), descriptor.size);
  };
  device.createTexture = function (descriptor) {
    const made = createTexture.call(this, descriptor);
    const { width, height, depthOrArrayLayers, mipLevelCount, sampleCount, format } = made;
    const bits = [...format.matchAll(/\d+/g)].map(([digits]) => Number(digits));
    const channels = /^(rgba|bgra)/.test(format) ? 4 : /^rg(?!b)/.test(format) ? 2 : 1;
    const texel = format.startsWith('depth') ? 4 : ((bits[0] ?? 32) / 8) * channels;
    // Each level has a quarter of the texels of the one before.
    const levels = (4 / 3) * (1 - 0.25 ** mipLevelCount);
    return note(made, Math.round(width * height * depthOrArrayLayers * sampleCount * texel * levels));
  };
  for (const type of [GPUBuffer, GPUTexture]) {
    const { destroy } = type.prototype;
    type.prototype.destroy = function () {
      scope[name]! -= alive.get(this) ?? 0;
      alive.delete(this);
      return destroy.call(this) as undefined;
    };
  }
}

/** Draws to a texture, and reads it back. */
import { BufferPool, readBack } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import type { WebGpuTexture } from '../platform/webgpu.ts';
import type { Picture } from './picture-size.ts';

/** WebGPU copies rows of textures to multiples of so many bytes. */
const ROW_BYTES = 256;

export async function pictureOf(
  device: Device,
  { width, height }: { readonly width: number; readonly height: number },
  draw: (texture: WebGpuTexture) => void,
): Promise<Picture> {
  const bytesPerRow = ROW_BYTES * Math.ceil((4 * width) / ROW_BYTES);
  const pool = new BufferPool(device);
  const texture = await device.checked('making a picture', () =>
    device.handle.createTexture({
      label: 'picture',
      size: [width, height],
      format: 'rgba8unorm',
      usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
    }),
  );
  try {
    const bytes = bytesPerRow * height;
    const buffer = await device.checked('drawing', () => {
      draw(texture);
      const copied = pool.reserve('picture', bytes, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
      const encoder = device.handle.createCommandEncoder({ label: 'picture' });
      encoder.copyTextureToBuffer({ texture }, { buffer: copied, bytesPerRow }, [width, height]);
      device.handle.queue.submit([encoder.finish()]);
      return copied;
    });
    const [rows] = await readBack(device, pool, [{ buffer, bytes }]);
    const pixels = new Uint8Array(4 * width * height);
    for (let y = 0; y < height; y++) {
      pixels.set(rows!.subarray(bytesPerRow * y, bytesPerRow * y + 4 * width), 4 * width * y);
    }
    return { width, height, pixels };
  } finally {
    texture.destroy();
    pool.destroy();
  }
}

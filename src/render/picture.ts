/** Pictures in memory. */
import { requireObject } from '../arguments.ts';
import type { Device } from '../gpu/device.ts';
import { type Picture, type PictureSize, pictureSize } from './picture-size.ts';
import { type DrawOptions, type RenderedScene, Renderer, type RendererOptions } from './renderer.ts';

export interface PictureOptions
  extends Omit<RendererOptions, 'format'>,
    Omit<DrawOptions, 'bodies' | 'cell' | 'poses' | 'absent'>,
    PictureSize {}

/**
 * A picture of a scene.
 *
 *     const picture = await drawPicture(device, { ...scene, poses: await simulation.read('poses') });
 *     await writeFile('state.png', await encodePng(picture));
 *
 * @throws InputError as `Renderer` does
 */
export async function drawPicture(
  device: Device,
  scene: RenderedScene,
  options: PictureOptions = {},
): Promise<Picture> {
  requireObject('drawPicture: options', options, 'an object');
  const { width, height, color, values, range, ...own } = options;
  const size = pictureSize('drawPicture', { width, height });
  const renderer = await Renderer.create(device, scene, own);
  try {
    return await renderer.picture({ ...size, color, values, range });
  } finally {
    renderer.destroy();
  }
}

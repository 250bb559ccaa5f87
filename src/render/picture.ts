/** Pictures in memory. */
import { type Options, requireObject, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import type { Device } from '../gpu/device.ts';
import { type DrawOptions, type RenderedScene, Renderer, type RendererOptions } from './renderer.ts';

/** Pixels: red, green, blue, alpha in a byte each, row by row from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

export interface PictureOptions
  extends Omit<RendererOptions, 'format'>,
    Omit<DrawOptions, 'bodies' | 'cell' | 'poses' | 'absent'> {
  /** Pixels. Default 1200 x 800. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Every device draws pictures of this many pixels along a side. */
const LONGEST = 8192;

const SIZES: Options<Pick<PictureOptions, 'width' | 'height'>> = { width: 'number', height: 'number' };

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
  const { width = 1200, height = 800, color, values, range, ...own } = options;
  requireOptions('drawPicture', { width, height }, SIZES);
  for (const [name, size] of Object.entries({ width, height })) {
    if (Number.isInteger(size) && size >= 1 && size <= LONGEST) continue;
    throw new InputError(
      `drawPicture: ${name} is ${told(size)}, expected a whole number of pixels from 1 to ${LONGEST}`,
    );
  }
  const renderer = await Renderer.create(device, scene, own);
  try {
    const { pictureOf } = await import('./read-picture.ts');
    return await pictureOf(device, renderer, { width, height }, { color, values, range });
  } finally {
    renderer.destroy();
  }
}

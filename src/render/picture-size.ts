/** What pictures in memory are, and their sizes. */
import { type Options, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';

/** Pixels: red, green, blue, alpha in a byte each, row by row from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

export interface PictureSize {
  /** Pixels. Default 1200 x 800. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Every device draws pictures of this many pixels along a side. */
const LONGEST = 8192;

const SIZES: Options<PictureSize> = { width: 'number', height: 'number' };

/** @throws InputError for a size that pictures do not have */
export function pictureSize(
  place: string,
  { width = 1200, height = 800 }: PictureSize,
): { readonly width: number; readonly height: number } {
  const size = { width, height };
  requireOptions(place, size, SIZES);
  for (const [name, pixels] of Object.entries(size)) {
    if (Number.isInteger(pixels) && pixels >= 1 && pixels <= LONGEST) continue;
    throw new InputError(
      `${place}: ${name} is ${told(pixels)}, expected a whole number of pixels from 1 to ${LONGEST}`,
    );
  }
  return size;
}

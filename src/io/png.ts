/** Pictures as PNG files (ISO/IEC 15948), 8 bits per channel. */
import { requireArray, requireObject } from '../arguments.ts';
import { InputError } from '../errors.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
/** Colour types. */
const RGB = 2;
const RGBA = 6;
/** Most pixels along a side that the format has. */
const LONGEST = 2 ** 31 - 1;

/**
 * A PNG file of a picture. Where every pixel is opaque, the file has no alpha.
 *
 * @param picture pixels: red, green, blue, alpha in a byte each, row by row from the top
 */
export async function encodePng(picture: {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}): Promise<Uint8Array<ArrayBuffer>> {
  requireObject('encodePng', picture, 'an object with width, height and pixels');
  const { width, height, pixels } = picture;
  for (const [name, size] of Object.entries({ width, height })) {
    if (Number.isInteger(size) && size >= 1 && size <= LONGEST) continue;
    throw new InputError(`encodePng: ${name} is ${size}, expected a whole number from 1 on`);
  }
  requireArray('encodePng: pixels', pixels, [Uint8Array], 'four bytes per pixel');
  if (pixels.length !== 4 * width * height) {
    throw new InputError(
      `encodePng: pixels: ${pixels.length} bytes found, expected ${4 * width * height}: four per pixel`,
    );
  }
  let isOpaque = true;
  for (let at = 3; isOpaque && at < pixels.length; at += 4) isOpaque = pixels[at] === 255;
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, isOpaque ? RGB : RGBA);
  const rows = filteredRows(pixels, width, height, isOpaque ? 3 : 4);
  const parts = [
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', await deflated(rows)),
    chunk('IEND', new Uint8Array(0)),
  ];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** What is in the place of a byte, from those to its left, above, and above left. */
const FILTERS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [a, b, c] = [
      Math.abs(above - corner),
      Math.abs(left - corner),
      Math.abs(left + above - 2 * corner),
    ];
    return a <= b && a <= c ? left : b <= c ? above : corner;
  },
];

/** Rows as the format has them: each with the filter that leaves the least, and its number before it. */
function filteredRows(pixels: Uint8Array, width: number, height: number, channels: 3 | 4) {
  const size = channels * width;
  const out = new Uint8Array((size + 1) * height);
  let above: Uint8Array = new Uint8Array(size);
  const tried = new Uint8Array(size);
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(size);
    for (let x = 0; x < width; x++) {
      for (let k = 0; k < channels; k++) row[channels * x + k] = pixels[4 * (width * y + x) + k]!;
    }
    let least = Infinity;
    FILTERS.forEach((filter, number) => {
      let sum = 0;
      for (let i = 0; i < size && sum < least; i++) {
        const isFirst = i < channels;
        const left = isFirst ? 0 : row[i - channels]!;
        const corner = isFirst ? 0 : above[i - channels]!;
        const rest = (row[i]! - filter(left, above[i]!, corner)) & 255;
        tried[i] = rest;
        sum += Math.min(rest, 256 - rest);
      }
      if (sum >= least) return;
      least = sum;
      out[(size + 1) * y] = number;
      out.set(tried, (size + 1) * y + 1);
    });
    above = row;
  }
  return out;
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(new TextEncoder().encode(type), 4);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

/** CRC-32 of ISO 3309, as PNG and gzip have it. */
function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

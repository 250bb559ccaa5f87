import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../src/io/png.ts';
import { createRandom } from '../../src/mesh/random.ts';

/** Chunks of a file by type, and pixels by the format's definition (ISO/IEC 15948, clause 9). */
function decoded(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  expect([...file.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < file.length; ) {
    const length = view.getUint32(at);
    chunks.set(String.fromCharCode(...file.subarray(at + 4, at + 8)), file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header[3]! + 256 * header[2]!, header[7]! + 256 * header[6]!];
  const channels = header[9] === 6 ? 4 : 3;
  const rows = inflateSync(chunks.get('IDAT')!);
  const size = channels * width;
  const pixels = new Uint8Array(size * height);
  const filters = new Set<number>();
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (size + 1)]!;
    filters.add(filter);
    for (let i = 0; i < size; i++) {
      const at = (row: number, column: number) => (row < 0 || column < 0 ? 0 : pixels[row * size + column]!);
      const [a, b, c] = [at(y, i - channels), at(y - 1, i), at(y - 1, i - channels)];
      const p = a + b - c;
      const nearest = [a, b, c].reduce((best, one) => (Math.abs(p - one) < Math.abs(p - best) ? one : best));
      const guess = [0, a, b, (a + b) >> 1, nearest][filter]!;
      pixels[y * size + i] = rows[y * (size + 1) + 1 + i]! + guess;
    }
  }
  return { width, height, channels, pixels, filters, types: [...chunks.keys()] };
}

/** A ramp with some noise, so that rows take different filters. */
function picture(width: number, height: number, alpha: (i: number) => number) {
  const random = createRandom(3);
  const pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / 4), i % 4];
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (channel === 3) return alpha(pixel);
    return y % 5 === 4 ? 256 * random() : 3 * x + 7 * y * channel + ((x * y) >> 3);
  });
  return { width, height, pixels };
}

describe('a PNG file', () => {
  it('has the pixels of the picture, without alpha where all are opaque', async () => {
    const made = picture(300, 40, () => 255);
    const { width, height, channels, pixels, filters, types } = decoded(await encodePng(made));
    expect({ width, height, channels, types }).toEqual({
      ...{ width: 300, height: 40, channels: 3 },
      types: ['IHDR', 'IDAT', 'IEND'],
    });
    expect(pixels).toEqual(made.pixels.filter((_, i) => i % 4 < 3));
    expect(filters.size).toBeGreaterThan(2);
  });

  it('keeps alpha where there is some', async () => {
    const made = picture(7, 5, (i) => i);
    expect(decoded(await encodePng(made)).pixels).toEqual(made.pixels);
  });

  it('has the checksums of the format', async () => {
    const file = await encodePng({ width: 1, height: 1, pixels: Uint8Array.of(1, 2, 3, 255) });
    // Of the bytes IEND, as every PNG file ends.
    expect([...file.slice(-8)]).toEqual([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
  });

  it('refuses sizes that do not go with the pixels', async () => {
    await expect(encodePng({ width: 2, height: 2, pixels: new Uint8Array(12) })).rejects.toThrow(
      'encodePng: pixels: 12 bytes found, expected 16: four per pixel',
    );
    await expect(encodePng({ width: 0, height: 2, pixels: new Uint8Array(0) })).rejects.toThrow(
      'encodePng: width is 0, expected a whole number from 1 on',
    );
  });
});

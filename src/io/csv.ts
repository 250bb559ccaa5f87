/** Classified points as CSV: text that every spreadsheet and data frame reads. */
import { requireArray, requireObject } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { float32Text, TextBuilder } from '../mesh/write-text.ts';

/** Points and the flag of each. */
export interface FlaggedPoints {
  /** Float32 coordinates, `[x, y, z]` per point, length `3 * n`, all finite. */
  readonly points: Float32Array;
  /** One flag per point: 0 outside, 1 inside, 2 on the boundary. Length `n`. */
  readonly flags: Uint8Array;
}

/** @throws InputError if there is not one flag per point. */
export function requireFlagPerPoint(data: FlaggedPoints): void {
  requireObject('points with flags', data, 'an object with points and flags');
  const { points, flags } = data;
  requireArray('points', points, [Float32Array], '[x, y, z] per point');
  requireArray('flags', flags, [Uint8Array], 'a flag per point');
  if (points.length !== 3 * flags.length) {
    throw new InputError(
      `flags: found ${flags.length} flags for ${points.length} coordinates, expected one for every three`,
    );
  }
}

const ROWS_PER_PIECE = 1024;
/** How many texts are remembered per axis, a power of two. It pays for grids, whose coordinates repeat. */
const REMEMBERED = 1024;

/**
 * A line `x,y,z,flag` per point, under a header with these names. Coordinates are the shortest decimals that give the
 * same float32 again.
 *
 * @throws InputError if there is not one flag per point.
 */
export function encodeCsv(data: FlaggedPoints): Uint8Array<ArrayBuffer> {
  requireFlagPerPoint(data);
  const { points, flags } = data;
  const [x, y, z] = [rememberedText(points), rememberedText(points), rememberedText(points)];
  const text = new TextBuilder();
  text.append('x,y,z,flag\n');
  for (let first = 0; first < flags.length; first += ROWS_PER_PIECE) {
    const end = Math.min(flags.length, first + ROWS_PER_PIECE);
    let piece = '';
    for (let i = first; i < end; i++) piece += `${x(3 * i)},${y(3 * i + 1)},${z(3 * i + 2)},${flags[i]}\n`;
    text.append(piece);
  }
  return text.finish();
}

/**
 * `float32Text` of the coordinate at an index. The texts of recent values are kept in a table by a hash of their bits.
 */
function rememberedText(points: Float32Array): (index: number) => string {
  const bits = new Uint32Array(points.buffer, points.byteOffset, points.length);
  const keys = new Uint32Array(REMEMBERED);
  const texts = new Array<string>(REMEMBERED).fill('0');
  return (index) => {
    const key = bits[index]!;
    const slot = (Math.imul(key, 0x9e3779b1) >>> 22) & (REMEMBERED - 1);
    if (keys[slot] !== key) {
      keys[slot] = key;
      texts[slot] = float32Text(points[index]!);
    }
    return texts[slot]!;
  };
}

/** Winding numbers on a slice: where they are asked for, their colours, and the legend of these. */
import type { Box } from '../../src/index.ts';

/** A plane across an axis. */
export interface Slice {
  /** 0, 1 and 2 are x, y and z. */
  readonly axis: 0 | 1 | 2;
  /** Coordinate on the axis, in the mesh's unit. */
  readonly at: number;
}

/** Where the numbers of a slice are asked for: rows of points at the middles of equal rectangles. */
export interface SliceGrid {
  readonly slice: Slice;
  readonly columns: number;
  readonly rows: number;
  /** Corners of the rectangle on the two other axes, in their order. */
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
  /** `[x, y, z]` each, row after row along the second of the two axes. */
  readonly points: Float32Array<ArrayBuffer>;
}

/** Lowest and highest number that a map tells apart, the same distance from 0.5. */
export type WindingRange = readonly [number, number];

/**
 * From 0.5 downwards and upwards: blue as the points outside, orange as those inside, which all eyes tell apart. 0 and
 * 1 are at two thirds of the usual range.
 */
const MIDDLE = [250, 250, 248];
const BELOW = [
  [206, 226, 240],
  [104, 168, 211],
  [24, 84, 148],
];
const ABOVE = [
  [253, 224, 176],
  [238, 144, 40],
  [150, 66, 0],
];

/** The two axes of a slice. */
export function axesOf(slice: Slice): readonly [number, number] {
  return slice.axis === 0 ? [1, 2] : slice.axis === 1 ? [0, 2] : [0, 1];
}

/** A grid of about `cells` points over a box, grown by a share of its size on each side. */
export function sliceGrid(box: Box, slice: Slice, cells: number, margin = 0.15): SliceGrid {
  const sides = axesOf(slice).map((k) => {
    const size = box.max[k]! - box.min[k]!;
    const more = margin * Math.max(...box.max.map((x, i) => x - box.min[i]!));
    return { low: box.min[k]! - more, size: size + 2 * more };
  });
  const [u, v] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const edge = Math.sqrt((u.size * v.size) / cells);
  const columns = Math.max(1, Math.round(u.size / edge));
  const rows = Math.max(1, Math.round(v.size / edge));
  const points = new Float32Array(3 * columns * rows);
  const [first, second] = axesOf(slice);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const i = 3 * (row * columns + column);
      points[i + slice.axis] = slice.at;
      points[i + first] = u.low + ((column + 0.5) / columns) * u.size;
      points[i + second] = v.low + ((row + 0.5) / rows) * v.size;
    }
  }
  const low = [u.low, v.low] as const;
  return { slice, columns, rows, low, high: [u.low + u.size, v.low + v.size], points };
}

/** A range that holds 0, 1 and all values, with some room. */
export function rangeOf(values: ArrayLike<number>): WindingRange {
  let most = 0.75;
  for (let i = 0; i < values.length; i++) {
    const away = Math.abs(values[i]! - 0.5);
    // Other values are beyond all ranges, and take the end's colour.
    if (Number.isFinite(away)) most = Math.max(most, away);
  }
  return [0.5 - most, 0.5 + most];
}

/** Red, green and blue of a number, 0 to 255. */
export function windingColour(value: number, [low, high]: WindingRange): readonly number[] {
  const away = Math.min(1, Math.max(-1, (2 * value - low - high) / (high - low)));
  const stops = [MIDDLE, ...(away < 0 ? BELOW : ABOVE)];
  const place = Math.abs(away) * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(place));
  return stops[k]!.map((x, i) => Math.round(x + (place - k) * (stops[k + 1]![i]! - x)));
}

/** Red, green, blue and opacity per number, for a texture. */
export function windingColours(
  values: ArrayLike<number>,
  range: WindingRange,
): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(4 * values.length);
  for (let i = 0; i < values.length; i++) out.set([...windingColour(values[i]!, range), 255], 4 * i);
  return out;
}

/** Fills an element with a bar of the map's colours, with 0, 0.5 and 1 marked. Its looks are in inside.css. */
export function showLegend(legend: HTMLElement, range: WindingRange): void {
  const [low, high] = range;
  const share = (value: number) => `${((value - low) / (high - low)) * 100}%`;
  const stops = Array.from({ length: 25 }, (_, i) => low + ((high - low) * i) / 24);
  const bar = document.createElement('div');
  bar.className = 'bar';
  const colours = stops.map((value) => `rgb(${windingColour(value, range).join(' ')})`);
  bar.style.background = `linear-gradient(to right, ${colours.join(', ')})`;
  const marks = [
    { value: 0, text: '0 outside' },
    { value: 0.5, text: '0.5' },
    { value: 1, text: '1 inside' },
  ].map(({ value, text }) => {
    const mark = document.createElement('span');
    mark.className = 'mark';
    mark.style.left = share(value);
    mark.textContent = text;
    return mark;
  });
  legend.classList.add('winding-legend');
  legend.setAttribute('role', 'img');
  legend.setAttribute(
    'aria-label',
    `Colours of winding numbers from ${low.toFixed(2)}, blue, to ${high.toFixed(2)}, orange; 0 and 1 marked`,
  );
  legend.replaceChildren(bar, ...marks);
}

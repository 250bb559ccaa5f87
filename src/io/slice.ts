/** A picture of one layer of a classified grid, with the mesh's exact section on top: a self-contained SVG file. */
import { type Options, requireOptions, requireText, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { requireMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { float32Text } from '../mesh/write-text.ts';
import { requireFlagPerPoint } from './csv.ts';
import { crossSection, type Polyline } from './section.ts';

const AXES = ['x', 'y', 'z'] as const;
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif";

export interface SliceOptions {
  readonly mesh: TriangleMesh;
  /** The points of an n x n x n grid, x fastest, then y, then z, as `gridPoints` makes them; length `3 * n^3`. */
  readonly points: Float32Array;
  /** Flag of every point: 0 outside, 1 inside, 2 on the boundary. Length `n^3`. */
  readonly flags: Uint8Array;
  /** Points along a side of the grid. */
  readonly n: number;
  /** Axis across the layer. Default `z`. */
  readonly axis?: (typeof AXES)[number];
  /** Which layer, as a fraction of the way through the grid, 0 to 1. Default 0.5. */
  readonly place?: number;
  readonly title: string;
  /** Unit of the mesh, for the axes. Default `mesh units`, since mesh files have none. */
  readonly unit?: string;
}

const OPTIONS: Options<SliceOptions> = {
  mesh: 'checked',
  points: 'checked',
  flags: 'checked',
  n: 'number',
  axis: 'checked',
  place: 'number',
  title: 'text',
  unit: 'text',
};

// Blue, orange and light grey also differ in lightness, so that colour-blind eyes and grey printers tell them apart.
const COLORS = ['#eef0f3', '#6aa5dc', '#e8850c'] as const;
const LINE_COLOR = '#10243b';
const TEXT_COLOR = '#1d2733';
const FAINT_TEXT_COLOR = '#566373';

/** Layout in pixels. */
const WIDTH = 900;
const HEIGHT = 764;
const LEFT = 88;
const TOP = 92;
const SIZE = 600;
const LEGEND_LEFT = LEFT + SIZE + 32;
/** The section's coordinates are whole numbers of steps, which keeps the file small. This is how many make a pixel. */
const STEPS_PER_PIXEL = 20;
const LINE_WIDTH = 0.9;
const LONGEST_TITLE = 76;
const TICKS = 8;

/**
 * Draws the layer of grid points nearest to `place`: a cell around each point in the colour of its flag, the mesh's
 * section with the plane of the points as a line, axes, counts of the layer and of the whole grid. 900 x 764 pixels.
 *
 * @throws InputError if the arrays do not fit `n`, or `axis` or `place` is out of range.
 */
export function sliceSvg(options: SliceOptions): string {
  requireOptions('sliceSvg', options, OPTIONS);
  requireMesh('sliceSvg: mesh', options.mesh);
  requireText('sliceSvg: title', options.title, 'a text');
  const { mesh, points, flags, n, axis: axisName = 'z', place = 0.5, title, unit = 'mesh units' } = options;
  requireFlagPerPoint({ points, flags });
  if (!(Number.isInteger(n) && n >= 1 && flags.length === n ** 3)) {
    throw new InputError(`slice: found ${flags.length} points for n = ${n}, expected n * n * n`);
  }
  if (!(place >= 0 && place <= 1))
    throw new InputError(`slice: place is ${place}, expected a number from 0 to 1`);
  const axis = AXES.indexOf(axisName);
  if (axis < 0) throw new InputError(`slice: axis is ${told(axisName)}, expected x, y or z`);

  const [u, v] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [0, 1];
  const layer = Math.min(n - 1, Math.floor(place * n));
  const strides = [1, n, n * n];
  const coordinate = (k: number, i: number) => points[3 * i * strides[k]! + k]!;
  const level = coordinate(axis, layer);
  const range = (k: number): Range => {
    const [first, last] = [coordinate(k, 0), coordinate(k, n - 1)];
    const cell = last > first ? (last - first) / (n - 1) : fallbackCell(mesh);
    return { from: first - cell / 2, to: last + cell / 2 };
  };
  const [across, upwards] = [range(u), range(v)];
  const flagAt = (i: number, j: number) => flags[layer * strides[axis]! + i * strides[u]! + j * strides[v]!]!;
  const section = crossSection({ mesh, axis, place: level, plane: [u, v] });

  const layerFlags = new Uint8Array(n * n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) layerFlags[j * n + i] = flagAt(i, j);
  const description = `${axisName} = ${float32Text(level)} ${unit}, layer ${layer + 1} of ${n}`;
  const shown = title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
      `role="img" font-family="${FONTS}" font-size="13" fill="${TEXT_COLOR}">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(description)}</desc>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(LEFT, 44, shown, 'font-size="20" font-weight="600"'),
    text(LEFT, 70, description, `font-size="14" fill="${FAINT_TEXT_COLOR}"`),
    `<clipPath id="plot"><rect x="${LEFT}" y="${TOP}" width="${SIZE}" height="${SIZE}"/></clipPath>`,
    `<g clip-path="url(#plot)">`,
    `<rect x="${LEFT}" y="${TOP}" width="${SIZE}" height="${SIZE}" fill="${COLORS[0]}"/>`,
    `<g transform="translate(${LEFT} ${TOP}) scale(${SIZE / n})" shape-rendering="crispEdges">`,
    ...[1, 2].map((flag) => `<path fill="${COLORS[flag]}" d="${mergedCells(layerFlags, n, flag)}"/>`),
    '</g>',
    `<path transform="translate(${LEFT} ${TOP}) scale(${1 / STEPS_PER_PIXEL})" fill="none" stroke="${LINE_COLOR}" ` +
      `stroke-width="${LINE_WIDTH * STEPS_PER_PIXEL}" stroke-linejoin="round" stroke-linecap="round" ` +
      `d="${curves(section, across, upwards)}"/>`,
    '</g>',
    ...axes(across, upwards, `${AXES[u]} (${unit})`, `${AXES[v]} (${unit})`),
    ...legend(countFlags(layerFlags), countFlags(flags)),
    '</svg>\n',
  ].join('\n');
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The cell of a single point gets the size of the body, as there is no spacing between points. */
function fallbackCell({ box }: TriangleMesh): number {
  const longest = Math.max(...[0, 1, 2].map((k) => box.max[k]! - box.min[k]!));
  return longest > 0 ? longest : 1;
}

/**
 * A path of rectangles that cover the cells of one flag, in units of cells, y downwards. A rectangle is a run of cells
 * in a row, together with equal runs in the rows below.
 */
function mergedCells(flags: Uint8Array, n: number, flag: number): string {
  let path = '';
  let open = new Map<number, number>(); // run (start * n + length - 1) -> the row it began at
  for (let row = 0; row <= n; row++) {
    const runs = new Map<number, number>();
    const first = (n - 1 - row) * n;
    for (let i = 0; row < n && i < n; ) {
      if (flags[first + i] !== flag) {
        i++;
        continue;
      }
      const start = i;
      while (i < n && flags[first + i] === flag) i++;
      const key = start * n + (i - start - 1);
      runs.set(key, open.get(key) ?? row);
    }
    for (const [key, began] of open) {
      if (runs.has(key)) continue;
      const width = (key % n) + 1;
      path += `M${Math.floor(key / n)} ${began}h${width}v${row - began}h-${width}z`;
    }
    open = runs;
  }
  return path;
}

/**
 * The section as a path, in steps from the plot's upper left corner. A point that falls on the one before is left out.
 */
function curves(section: readonly Polyline[], across: Range, upwards: Range): string {
  const steps = SIZE * STEPS_PER_PIXEL;
  let path = '';
  for (const { points, closed } of section) {
    let [x, y] = [0, 0];
    for (let i = 0; i < points.length; i += 2) {
      const nextX = Math.round(((points[i]! - across.from) / (across.to - across.from)) * steps);
      const nextY = Math.round(((upwards.to - points[i + 1]!) / (upwards.to - upwards.from)) * steps);
      if (i === 0) path += `M${nextX} ${nextY}`;
      else if (nextX !== x || nextY !== y) path += `l${nextX - x} ${nextY - y}`;
      [x, y] = [nextX, nextY];
    }
    if (closed) path += 'z';
  }
  return path;
}

function axes(across: Range, upwards: Range, acrossLabel: string, upwardsLabel: string): string[] {
  const bottom = TOP + SIZE;
  const lines = [
    `<rect x="${LEFT}" y="${TOP}" width="${SIZE}" height="${SIZE}" fill="none" stroke="${FAINT_TEXT_COLOR}"/>`,
  ];
  let ticks = '';
  for (const value of niceTicks(across)) {
    const x = round(LEFT + ((value - across.from) / (across.to - across.from)) * SIZE);
    ticks += `M${x} ${bottom}v6`;
    lines.push(text(x, bottom + 22, tickText(value), 'text-anchor="middle"'));
  }
  for (const value of niceTicks(upwards)) {
    const y = round(TOP + ((upwards.to - value) / (upwards.to - upwards.from)) * SIZE);
    ticks += `M${LEFT} ${y}h-6`;
    lines.push(text(LEFT - 11, y + 4.5, tickText(value), 'text-anchor="end"'));
  }
  const middle = TOP + SIZE / 2;
  return [
    ...lines,
    `<path d="${ticks}" stroke="${FAINT_TEXT_COLOR}" fill="none"/>`,
    text(LEFT + SIZE / 2, bottom + 48, acrossLabel, 'text-anchor="middle" font-size="14"'),
    text(
      24,
      middle,
      upwardsLabel,
      `text-anchor="middle" font-size="14" transform="rotate(-90 24 ${middle})"`,
    ),
  ];
}

/** About TICKS multiples of 1, 2 or 5 times a power of ten within a range. */
function niceTicks({ from, to }: Range): number[] {
  const rough = (to - from) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) ticks.push(i * step);
  return ticks;
}

/** Twelve digits leave out the rounding of multiples of a step. */
function tickText(value: number): string {
  return `${Number(value.toPrecision(12))}`.replace('-', '−');
}

type Counts = readonly [outside: number, inside: number, boundary: number];

function countFlags(flags: Uint8Array): Counts {
  const counts: [number, number, number] = [0, 0, 0];
  for (const flag of flags) counts[flag as 0 | 1 | 2]++;
  return counts;
}

function legend(layer: Counts, grid: Counts): string[] {
  const lines: string[] = [];
  let y = TOP + 14;
  for (const [name, flag] of [
    ['inside', 1],
    ['boundary', 2],
    ['outside', 0],
  ] as const) {
    lines.push(
      `<rect x="${LEGEND_LEFT}" y="${y - 12}" width="16" height="16" fill="${COLORS[flag]}" ` +
        `stroke="${FAINT_TEXT_COLOR}" stroke-width=".6"/>`,
      text(LEGEND_LEFT + 26, y, name, 'font-weight="600" font-size="14"'),
      text(LEGEND_LEFT + 26, y + 20, `${groupDigits(layer[flag])} in layer`),
      text(LEGEND_LEFT + 26, y + 38, `${groupDigits(grid[flag])} in grid`, `fill="${FAINT_TEXT_COLOR}"`),
    );
    y += 70;
  }
  lines.push(
    `<path d="M${LEGEND_LEFT} ${y - 5}h16" stroke="${LINE_COLOR}" stroke-width="2"/>`,
    text(LEGEND_LEFT + 26, y, 'surface', 'font-weight="600" font-size="14"'),
    text(LEGEND_LEFT + 26, y + 20, 'section with the'),
    text(LEGEND_LEFT + 26, y + 37, "points' plane"),
  );
  return lines;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${x}" y="${y}"${attributes && ` ${attributes}`}>${escapeXml(content)}</text>`;
}

function escapeXml(content: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  // XML 1.0 allows no control characters, not even escaped ones.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return content.replace(/[&<>]/g, (c) => entities[c]!).replace(/[\u0000-\u001f]/g, ' ');
}

function groupDigits(count: number): string {
  return count.toLocaleString('en-US');
}

function round(pixels: number): number {
  return Math.round(100 * pixels) / 100;
}

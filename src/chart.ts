/** Line charts: SVG files that stand alone, readable on light and dark pages. */

export interface ChartSeries {
  readonly name: string;
  /**
   * A line for what is expected or watched, dots for what was found, runs for what a line is the mean of: faint dots,
   * which the legend leaves out.
   */
  readonly look: 'line' | 'dots' | 'runs';
  /** Series with the same number have the same colour. */
  readonly color: number;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** For each point how far its y may be off, up and down, drawn as a bar. Not a number where that is unknown. */
  readonly spread?: readonly number[];
}

export interface Chart {
  readonly title: string;
  /** With their units. */
  readonly x: string;
  readonly y: string;
  /** Equal factors are equally far apart along x. All x are above 0 then. */
  readonly isLogX?: boolean;
  /** One or more, with one point at least among them. */
  readonly series: readonly ChartSeries[];
  /** Pixels that the grid is high (default 302). */
  readonly height?: number;
}

/** Told apart by colour-blind eyes and, the first five, by grey printers. */
const COLORS = ['#1f6fb4', '#d9730d', '#2c8a4b', '#8a4fa3', '#5c6773', '#b3402e', '#3fa3b5'] as const;
const [INK, GRID, ZERO] = ['#1d2733', '#e3e7ec', '#9aa5b1'] as const;
const FONT = 'font-family="system-ui, \'Segoe UI\', Roboto, sans-serif" font-size="13"';
/** Pixels. */
const [PLOT_WIDTH, PLOT_HEIGHT] = [474, 302];
const [TOP, BOTTOM, LEGEND_LINE] = [44, 54, 22];
/** Room for the turned name of an axis, and for the marks of the legend. */
const [NAME, MARK] = [36, 40];
/** Widths of a letter, generous in any of the fonts. */
const [LETTER, TITLE_LETTER] = [7.4, 9];
/** Half of the ends of a bar, pixels. */
const CAP = 4;
/** Powers of ten, above which they alone have lines of the grid. */
const MANY_DECADES = 3;
/** Pixels between lines of the grid, about. */
const BETWEEN = { x: 80, y: 50 } as const;

export const chartSvg = (chart: Chart): string => chartsSvg([chart], chart.title);

/**
 * Charts below each other in one file.
 *
 * @param title of the file
 * @param heading lines above the charts
 */
export function chartsSvg(charts: readonly Chart[], title: string, heading: readonly string[] = []): string {
  const scaled = charts.map((chart) => ({ chart, ...scalesOf(chart) }));
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const left = NAME + LETTER * longest(scaled.flatMap(({ y }) => y.ticks.map(tickText)));
  const names = charts.flatMap(({ series }) => namedOf(series).map(({ name }) => name));
  const right = left + PLOT_WIDTH;
  const titles = [title, ...charts.map((chart) => chart.title)];
  const width = Math.ceil(
    Math.max(
      right + (names.length > 0 ? MARK + 16 : 24) + LETTER * longest(names),
      left + 16 + TITLE_LETTER * longest(titles),
      left + 16 + LETTER * longest(heading),
    ),
  );
  let height = heading.length > 0 ? 20 + 20 * heading.length : 0;
  const parts = heading.map((line, i) => {
    const look = i === 0 ? ' font-size="16" font-weight="600"' : '';
    return `<text x="${pixels(left)}" y="${26 + 20 * i}"${look}>${escaped(line)}</text>`;
  });
  for (const { chart, x, y } of scaled) {
    const top = height + TOP;
    const bottom = top + (chart.height ?? PLOT_HEIGHT);
    parts.push(...gridOf(chart, { x, y }, { left, right, top, bottom }));
    parts.push(...seriesOf(chart, { x, y }, { left, right, top, bottom }));
    height = bottom + BOTTOM;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${FONT} fill="${INK}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="6" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

interface Scale {
  /** From 0 to 1. */
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Series that the legend has: one alone has none. */
function namedOf(series: readonly ChartSeries[]): readonly ChartSeries[] {
  const named = series.filter(({ look }) => look !== 'runs');
  return named.length > 1 ? named : [];
}

function scalesOf({ series, height = PLOT_HEIGHT, isLogX }: Chart): Scales {
  const xs = series.flatMap(({ points }) => points.map(([x]) => x));
  const ys = series.flatMap(({ points, spread }) =>
    points.flatMap(([, y], i) => [y - (spread?.[i] || 0), y + (spread?.[i] || 0)]),
  );
  return {
    x: isLogX ? logScaleOf(xs) : scaleOf(rangeOf(xs), PLOT_WIDTH / BETWEEN.x),
    y: scaleOf(rangeOf(ys), height / BETWEEN.y),
  };
}

/** Pixels of values. */
const placesOf = ({ x, y }: Scales, { left, right, top, bottom }: Box) => ({
  atX: (value: number) => pixels(left + x.at(value) * (right - left)),
  atY: (value: number) => pixels(bottom - y.at(value) * (bottom - top)),
});

function gridOf({ title, x: xName, y: yName }: Chart, scales: Scales, box: Box): string[] {
  const { left, right, top, bottom } = box;
  const { atX, atY } = placesOf(scales, box);
  const [start, end] = [pixels(left), pixels(right)];
  const middle = pixels((top + bottom) / 2);
  const color = (value: number) => (value === 0 ? ZERO : GRID);
  return [
    `<text x="${start}" y="${top - 20}" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...scales.x.ticks.flatMap((value) => [
      `<path d="M${atX(value)} ${top}V${bottom}" stroke="${color(value)}"/>`,
      `<text x="${atX(value)}" y="${bottom + 18}" text-anchor="middle">${tickText(value)}</text>`,
    ]),
    ...scales.y.ticks.flatMap((value) => [
      `<path d="M${start} ${atY(value)}H${end}" stroke="${color(value)}"/>`,
      `<text x="${pixels(left - 8)}" y="${atY(value) + 4}" text-anchor="end">${tickText(value)}</text>`,
    ]),
    `<text x="${pixels((left + right) / 2)}" y="${bottom + 42}" text-anchor="middle">${escaped(xName)}</text>`,
    `<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${escaped(yName)}</text>`,
  ];
}

/** Lines and dots, and where there are several what they are. */
function seriesOf({ series }: Chart, scales: Scales, box: Box): string[] {
  const { right, top } = box;
  const { atX, atY } = placesOf(scales, box);
  const named = namedOf(series);
  return series.flatMap((one) => {
    const { name, look, color, points, spread } = one;
    const stroke = COLORS[color % COLORS.length]!;
    const faint = look === 'runs' ? ' fill-opacity="0.35"' : '';
    const dot = (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="3.4" fill="${stroke}"${faint}/>`;
    const path = points.map(([x, y]) => `${atX(x)} ${atY(y)}`).join('L');
    const isLine = look === 'line' && points.length > 1;
    const drawn = [
      ...(isLine
        ? [`<path d="M${path}" fill="none" stroke="${stroke}" stroke-width="1.8" stroke-linejoin="round"/>`]
        : []),
      ...(isLine && spread === undefined ? [] : points.map(([x, y]) => dot(atX(x), atY(y)))),
      ...points.flatMap(([x, y], i) => {
        const off = spread?.[i] ?? Number.NaN;
        if (!(off > 0)) return [];
        const [low, high] = [atY(y - off), atY(y + off)];
        const caps = [low, high].map((at) => `M${pixels(atX(x) - CAP)} ${at}h${2 * CAP}`).join('');
        return [
          `<path d="M${atX(x)} ${low}V${high}${caps}" fill="none" stroke="${stroke}" stroke-width="1.4"/>`,
        ];
      }),
    ];
    const line = named.indexOf(one);
    if (line < 0) return drawn;
    const height = top + 12 + LEGEND_LINE * line;
    const mark = isLine
      ? `<path d="M${pixels(right + 12)} ${height}h20" stroke="${stroke}" stroke-width="1.8"/>`
      : dot(pixels(right + 22), height);
    return [...drawn, mark, `<text x="${pixels(right + MARK)}" y="${height + 4}">${escaped(name)}</text>`];
  });
}

/** Least and most, with some air; from 0 where that is near. */
function rangeOf(values: readonly number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const air = 0.04 * (high - low) || Math.abs(high) || 1;
  return [low >= 0 && low <= 0.3 * high ? 0 : low - air, high + air];
}

/** With lines of the grid at round numbers: 1, 2 or 5 times a power of ten apart. */
function scaleOf([low, high]: readonly [number, number], lines: number): Scale {
  const rough = (high - low) / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return {
    at: (value) => (value - low) / (high - low),
    ticks: Array.from({ length: count }, (_, i) => (first + i) * step),
  };
}

/** With lines of the grid at powers of ten, and at 2 and 5 times those where there are few. */
function logScaleOf(values: readonly number[]): Scale {
  const [low, high] = rangeOfLog(values.map(Math.log10));
  const first = Math.floor(low);
  const decades = Array.from({ length: Math.ceil(high) - first + 1 }, (_, i) => 10 ** (first + i));
  const factors = high - low > MANY_DECADES ? [1] : [1, 2, 5];
  return {
    at: (value) => (Math.log10(value) - low) / (high - low),
    ticks: decades
      .flatMap((decade) => factors.map((factor) => factor * decade))
      .filter((tick) => tick >= 10 ** low && tick <= 10 ** high),
  };
}

function rangeOfLog(values: readonly number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const air = 0.04 * (high - low) || 0.5;
  return [low - air, high + air];
}

function tickText(value: number): string {
  const rounded = Number(value.toPrecision(6));
  const isPlain = rounded === 0 || (Math.abs(rounded) >= 1e-3 && Math.abs(rounded) < 1e6);
  return isPlain ? String(rounded) : rounded.toExponential();
}

const pixels = (value: number) => Math.round(10 * value) / 10;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Charts of the report: SVG files that stand alone, readable on light and dark pages. */

export interface ChartSeries {
  readonly name: string;
  /** A line for what is expected, dots for what was found. */
  readonly look: 'line' | 'dots';
  /** Series with the same number have the same colour. */
  readonly color: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  /** With their units. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly ChartSeries[];
}

/** Told apart by colour-blind eyes and by grey printers. */
const COLORS = ['#1f6fb4', '#d9730d', '#2c8a4b', '#8a4fa3', '#5c6773'];
const FONT = 'font-family="system-ui, \'Segoe UI\', Roboto, sans-serif" font-size="13"';
/** Pixels. */
const [WIDTH, HEIGHT] = [720, 400];
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 170, 44, 54];
const TICKS = 6;

export function chartSvg({ title, x, y, series }: Chart): string {
  const all = series.flatMap(({ points }) => points);
  const [x0, x1] = range(all.map((point) => point[0]));
  const [y0, y1] = range(all.map((point) => point[1]));
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const atX = (value: number) => round(LEFT + ((value - x0) / (x1 - x0)) * (right - LEFT));
  const atY = (value: number) => round(bottom - ((value - y0) / (y1 - y0)) * (bottom - TOP));
  const parts = [
    `<text x="${LEFT}" y="24" font-size="15" font-weight="600">${escaped(title)}</text>`,
    ...ticks(x0, x1).flatMap((value) => [
      `<path d="M${atX(value)} ${TOP}V${bottom}" stroke="#e3e7ec"/>`,
      `<text x="${atX(value)}" y="${bottom + 18}" text-anchor="middle">${tickText(value)}</text>`,
    ]),
    ...ticks(y0, y1).flatMap((value) => [
      `<path d="M${LEFT} ${atY(value)}H${right}" stroke="#e3e7ec"/>`,
      `<text x="${LEFT - 8}" y="${atY(value) + 4}" text-anchor="end">${tickText(value)}</text>`,
    ]),
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(18 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
  ];
  series.forEach(({ name, look, color, points }, i) => {
    const stroke = COLORS[color % COLORS.length]!;
    const height = TOP + 12 + 22 * i;
    const isLine = look === 'line';
    const line = (path: string) => `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="1.8"/>`;
    const dot = (cx: number, cy: number) => `<circle cx="${cx}" cy="${cy}" r="3.4" fill="${stroke}"/>`;
    if (isLine) parts.push(line(`M${points.map(([px, py]) => `${atX(px)} ${atY(py)}`).join('L')}`));
    else parts.push(...points.map(([px, py]) => dot(atX(px), atY(py))));
    parts.push(isLine ? line(`M${right + 12} ${height}h20`) : dot(right + 22, height));
    parts.push(`<text x="${right + 40}" y="${height + 4}">${escaped(name)}</text>`);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${FONT} fill="#1d2733">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="6" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/** Least and most, with some air; from 0 where that is near. */
function range(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const air = 0.04 * (high - low) || Math.abs(high) || 1;
  return [low >= 0 && low < 0.3 * high ? 0 : low - air, high + air];
}

/** Round numbers: 1, 2 or 5 times a power of ten apart. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

const tickText = (value: number) => String(Number(value.toPrecision(6)));
const round = (pixels: number) => Math.round(100 * pixels) / 100;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

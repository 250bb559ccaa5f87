/**
 * What the charts are put together from: a sheet with its own background (so that it reads on light and dark pages),
 * text, scales with ticks, markers and a legend. Coordinates are pixels. Colours are those of a sheet unless a `Paint` says
 * otherwise.
 */

/** How one series looks. Lightness and marker differ as well as hue, for colour-blind eyes and grey printers. */
export interface Look {
  readonly color: string;
  readonly marker: Marker;
  readonly dashed?: boolean;
}

export type Marker =
  | 'circle'
  | 'square'
  | 'triangle'
  | 'diamond'
  | 'down'
  | 'plus'
  | 'hourglass'
  | 'right'
  | 'left'
  | 'pentagon'
  | 'cross'
  | 'none';

export interface LegendEntry {
  readonly name: string;
  readonly look: Look;
  /** A second, fainter line. */
  readonly note?: string;
}

export const INK = '#1d2733';
export const FAINT_INK = '#566373';

/** What is not a series' own colour. */
export interface Paint {
  readonly ink: string;
  readonly faintInk: string;
  readonly background: string;
  readonly gridLine: string;
}

/** Of a sheet, which is white wherever it is shown. */
export const SHEET_PAINT: Paint = {
  ink: INK,
  faintInk: FAINT_INK,
  background: '#ffffff',
  gridLine: '#e3e7ec',
};

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif";

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Maps values to pixels along one axis. */
export interface Scale {
  readonly place: (value: number) => number;
  /** Values with a label, and values with a short line only. */
  readonly ticks: readonly number[];
  readonly minorTicks: readonly number[];
}

/** Two decimals of a pixel are more than a screen shows. */
export function round(pixels: number): number {
  return Math.round(100 * pixels) / 100;
}

export function escapeXml(content: string): string {
  const printable = Array.from(content, (c) => (c < ' ' ? ' ' : c)).join('');
  return printable
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** `1,000` and `0.02`, with a true minus sign. */
export function tickText(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 9 }).replace('-', '−');
}

/** Three significant digits: `0.0123`, `1.23`, `12.3`, `123`, `1,230`. */
export function shortNumber(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 9 });
}

export function text(x: number, y: number, content: string, attributes = ''): string {
  const more = attributes === '' ? '' : ` ${attributes}`;
  return `<text x="${round(x)}" y="${round(y)}"${more}>${escapeXml(content)}</text>`;
}

export interface SheetOptions {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Lines below the title. */
  readonly notes: readonly string[];
}

/** Pixels above the first panel: title, notes and some air. */
export function headerHeight(notes: readonly string[]): number {
  return 58 + 19 * notes.length;
}

/** The whole picture: background, title and notes around what is drawn on it. */
export function sheet(options: SheetOptions, content: readonly string[]): string {
  const { width, height, title, notes } = options;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${FONT}" font-size="13" fill="${INK}">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(notes.join(' '))}</desc>`,
    `<rect width="${width}" height="${height}" fill="${SHEET_PAINT.background}"/>`,
    text(24, 38, title, 'font-size="20" font-weight="600"'),
    ...notes.map((note, i) => text(24, 62 + 19 * i, note, `fill="${FAINT_INK}"`)),
    ...content,
    '</svg>\n',
  ].join('\n');
}

/** A scale from 0 to `most`, with about `wanted` ticks at round numbers. */
export function linearScale(most: number, from: number, to: number, wanted: number): Scale {
  const end = most > 0 ? most : 1;
  const rough = end / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step);
  return { place: (value) => from + ((to - from) * value) / end, ticks, minorTicks: [] };
}

/** A logarithmic scale over values above 0, with some air at both ends. */
export function logScale(range: Range, from: number, to: number): Scale {
  const air = 0.04 * Math.max(0.5, Math.log10(range.to / range.from));
  const low = Math.log10(range.from) - air;
  const high = Math.log10(range.to) + air;
  const inside = (value: number) => Math.log10(value) >= low && Math.log10(value) <= high;
  const candidates: number[] = [];
  for (let e = Math.floor(low); e <= Math.ceil(high); e++) {
    for (let digit = 1; digit <= 9; digit++) candidates.push(Number(`${digit}e${e}`));
  }
  const all = candidates.filter(inside);
  const leads = (digits: string) => all.filter((value) => digits.includes(value.toExponential()[0]!));
  // Powers of ten alone say too little on a short axis.
  const ticks = leads('1').length >= 3 ? leads('1') : leads('125');
  return {
    place: (value) => from + ((to - from) * (Math.log10(value) - low)) / (high - low),
    ticks,
    minorTicks: all.filter((value) => !ticks.includes(value)),
  };
}

export interface Panel {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface AxisStyle {
  readonly paint?: Paint;
  /** What stands at a tick; `tickText` by default. */
  readonly tick?: (value: number) => string;
  /** Pixels from the axis to its name. */
  readonly nameAt?: number;
}

/** Horizontal lines with labels at their left, and the axis' name along them unless it is empty. */
export function verticalAxis(panel: Panel, scale: Scale, label: string, style: AxisStyle = {}): string[] {
  const { left, top, width, height } = panel;
  const { paint = SHEET_PAINT, tick = tickText, nameAt = 62 } = style;
  const middle = round(top + height / 2);
  const x = left - nameAt;
  const name = text(x, middle, label, `text-anchor="middle" transform="rotate(-90 ${x} ${middle})"`);
  return [
    ...scale.ticks.map((value) => {
      const y = round(scale.place(value));
      return `<path d="M${left} ${y}h${width}" stroke="${paint.gridLine}"/>${text(left - 8, y + 4.5, tick(value), 'text-anchor="end"')}`;
    }),
    minorMarks(
      scale.minorTicks.map((value) => `M${left} ${round(scale.place(value))}h-4`),
      paint,
    ),
    ...(label === '' ? [] : [name]),
  ];
}

/** Vertical lines with labels below, and the axis' name below them. */
export function horizontalAxis(panel: Panel, scale: Scale, label: string, style: AxisStyle = {}): string[] {
  const { left, top, width, height } = panel;
  const { paint = SHEET_PAINT, tick = tickText, nameAt = 44 } = style;
  const bottom = top + height;
  return [
    ...scale.ticks.map((value) => {
      const x = round(scale.place(value));
      return `<path d="M${x} ${top}v${height}" stroke="${paint.gridLine}"/>${text(x, bottom + 20, tick(value), 'text-anchor="middle"')}`;
    }),
    minorMarks(
      scale.minorTicks.map((value) => `M${round(scale.place(value))} ${bottom}v4`),
      paint,
    ),
    text(left + width / 2, bottom + nameAt, label, 'text-anchor="middle"'),
  ];
}

function minorMarks(paths: readonly string[], { faintInk }: Paint): string {
  return paths.length === 0 ? '' : `<path d="${paths.join('')}" stroke="${faintInk}" fill="none"/>`;
}

export function frame({ left, top, width, height }: Panel, { faintInk }: Paint = SHEET_PAINT): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="${faintInk}"/>`;
}

export interface MarkerStyle {
  /** Only its outline. */
  readonly hollow?: boolean;
  readonly paint?: Paint;
}

/** A marker about 9 pixels wide. A cross has no inside: use another kind where hollow ones are to be told apart. */
export function marker(
  kind: Marker,
  x: number,
  y: number,
  color: string,
  { hollow = false, paint: { background } = SHEET_PAINT }: MarkerStyle = {},
): string {
  const paint = hollow
    ? `fill="${background}" stroke="${color}" stroke-width="1.6"`
    : `fill="${color}" stroke="${background}" stroke-width="0.8"`;
  const [cx, cy] = [round(x), round(y)];
  switch (kind) {
    case 'none':
      return '';
    case 'circle':
      return `<circle cx="${cx}" cy="${cy}" r="4.6" ${paint}/>`;
    case 'square':
      return `<path d="M${round(cx - 4.2)} ${round(cy - 4.2)}h8.4v8.4h-8.4z" ${paint}/>`;
    case 'triangle':
      return `<path d="M${cx} ${round(cy - 5.2)}l5.2 9h-10.4z" ${paint}/>`;
    case 'diamond':
      return `<path d="M${cx} ${round(cy - 5.8)}l5.8 5.8l-5.8 5.8l-5.8 -5.8z" ${paint}/>`;
    case 'down':
      return `<path d="M${cx} ${round(cy + 5.2)}l5.2 -9h-10.4z" ${paint}/>`;
    case 'plus':
      return `<path d="M${round(cx - 1.7)} ${round(cy - 5.2)}h3.4v3.5h3.5v3.4h-3.5v3.5h-3.4v-3.5h-3.5v-3.4h3.5z" ${paint}/>`;
    case 'hourglass':
      return `<path d="M${round(cx - 4.8)} ${round(cy - 5)}h9.6l-9.6 10h9.6z" ${paint}/>`;
    case 'right':
      return `<path d="M${round(cx + 5.2)} ${cy}l-9 5.2v-10.4z" ${paint}/>`;
    case 'left':
      return `<path d="M${round(cx - 5.2)} ${cy}l9 5.2v-10.4z" ${paint}/>`;
    case 'pentagon':
      return `<path d="M${cx} ${round(cy - 5.2)}l5.2 3.8l-2 6.2h-6.4l-2 -6.2z" ${paint}/>`;
    case 'cross':
      return `<path d="M${round(cx - 4)} ${round(cy - 4)}l8 8m0 -8l-8 8" fill="none" stroke="${color}" stroke-width="2.2"/>`;
  }
}

export function stroke({ color, dashed }: Look): string {
  return `fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round"${dashed ? ' stroke-dasharray="7 4"' : ''}`;
}

/** Names of lines below each other, beside the plot and never on it. */
export function legend(x: number, top: number, entries: readonly LegendEntry[]): string[] {
  let y = top + 12;
  return entries.flatMap(({ name, look, note }) => {
    const lines = [
      `<path d="M${x - 4} ${y - 4.5}h24" ${stroke(look)}/>${marker(look.marker, x + 8, y - 4.5, look.color)}`,
      text(x + 28, y, name, 'font-weight="600"'),
    ];
    if (note !== undefined) lines.push(text(x + 28, y + 18, note, `fill="${FAINT_INK}" font-size="12"`));
    y += note === undefined ? 26 : 44;
    return lines;
  });
}

/** Pixels that a letter of a bold name may take. */
const WIDEST_LETTER = 8.4;

/** Names of bars in a row, above the plot. */
export function legendRow(left: number, top: number, entries: readonly LegendEntry[]): string[] {
  let x = left;
  return entries.flatMap(({ name, look }) => {
    const lines = [
      `<rect x="${round(x)}" y="${top}" width="16" height="14" fill="${look.color}"/>`,
      text(x + 23, top + 12, name, 'font-weight="600"'),
    ];
    x += 23 + WIDEST_LETTER * name.length + 18;
    return lines;
  });
}

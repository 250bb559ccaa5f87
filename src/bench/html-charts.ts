/** The page's charts, narrow enough for a phone: their legends and captions stand beside them as text. */
import { escapeXml, logScale, type Panel, type Range, text } from './chart.ts';
import { type Line, linePanel, type Point } from './chart-lines.ts';
import { PAGE_PAINT } from './html-style.ts';

const WIDTH = 440;
const LEFT = 66;
const RIGHT = 14;
const TOP = 44;
const HEIGHT = 268;
const BELOW = 50;
/** Least ratio of an axis' ends: shorter ones would have too few ticks. */
const LEAST_SPAN = 10;
/** How far the line of linear growth runs above the highest line's end. */
export const REFERENCE_LIFT = 1.7;

/** An SVG of a width of 440 that takes the page's colours. Empty content makes an empty text. */
export function pageSvg(height: number, label: string, content: readonly string[]): string {
  const h = Math.ceil(height);
  return [
    `<svg class="chart" viewBox="0 0 ${WIDTH} ${h}" width="${WIDTH}" height="${h}" role="img" aria-label="${escapeXml(label)}" font-size="13.5" fill="${PAGE_PAINT.ink}">`,
    ...content.filter((line) => line !== ''),
    '</svg>',
  ].join('\n');
}

export interface LinePlotOptions {
  /** Above the plot. */
  readonly title: string;
  /** Below the title: what is drawn upwards, and its unit. */
  readonly yLabel: string;
  readonly xLabel: string;
  readonly lines: readonly Line[];
  readonly xTick: (value: number) => string;
  readonly yTick: (value: number) => string;
  /** Covers the points anyway. */
  readonly xRange?: Range;
  readonly yRange?: Range;
  /** Draws growth as of x and calls it so. */
  readonly linear?: string;
}

/** Lines over two logarithmic axes. Points without a place on them are left out; empty where none is left. */
export function linePlot(options: LinePlotOptions): string {
  const { title, yLabel, xLabel, xTick, yTick, linear } = options;
  const lines = options.lines.map((line) => ({
    ...line,
    points: line.points.filter(hasPlace).map(withTrueWhisker),
  }));
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return '';
  const columns = rangeOf(
    points.map(({ x }) => x),
    options.xRange,
  );
  const top = Math.max(...points.map(({ y, high = 0 }) => Math.max(y, high)));
  const heights = points.flatMap(({ y, low = 0, high = 0 }) => [y, low, high]).filter((y) => y > 0);
  const lift = linear === undefined ? [] : [REFERENCE_LIFT * top];
  const rows = rangeOf([...heights, ...lift], options.yRange);
  const panel: Panel = { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT };
  const reference = linear === undefined ? undefined : referenceLine(linear, points, rows);
  return pageSvg(TOP + HEIGHT + BELOW, `${title}: ${yLabel} against ${xLabel}, logarithmic axes`, [
    text(0, 15, title, 'font-size="15" font-weight="600"'),
    text(0, 34, yLabel, `fill="${PAGE_PAINT.faintInk}"`),
    ...linePanel({
      panel,
      across: logScale(columns, panel.left, panel.left + panel.width),
      upwards: logScale(rows, panel.top + panel.height, panel.top),
      xLabel,
      yLabel: '',
      lines,
      paint: PAGE_PAINT,
      xStyle: { tick: xTick, nameAt: 40 },
      yStyle: { tick: yTick },
      ...(reference === undefined ? {} : { reference }),
    }),
  ]);
}

function hasPlace({ x, y }: Point): boolean {
  return x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y);
}

/** Without a whisker where one of its ends has no place. */
function withTrueWhisker(point: Point): Point {
  const { low = 0, high = 0 } = point;
  return low > 0 && Number.isFinite(high) ? point : { ...point, low: 0, high: 0 };
}

/** Of all values, at least LEAST_SPAN long. */
export function rangeOf(values: readonly number[], also?: Range): Range {
  const from = Math.min(...values, also?.from ?? Number.POSITIVE_INFINITY);
  const to = Math.max(...values, also?.to ?? 0);
  const widen = Math.max(1, Math.sqrt((LEAST_SPAN * from) / to));
  return { from: from / widen, to: to * widen };
}

/** y as of x, above the highest point at the right end, as far to the left as it is inside. */
function referenceLine(name: string, points: readonly Point[], rows: Range) {
  const right = Math.max(...points.map(({ x }) => x));
  const left = Math.min(...points.map(({ x }) => x));
  // Through the highest line's own end: other lines may be higher further left.
  const end = REFERENCE_LIFT * Math.max(...points.filter(({ x }) => x === right).map(({ y }) => y));
  const start = Math.max(left, (right * rows.from) / end);
  if (!(start < right)) return undefined;
  return { name, from: { x: start, y: (end * start) / right }, to: { x: right, y: end } };
}

/** Lines over two logarithmic axes, or a linear one below. */
import {
  type AxisStyle,
  escapeXml,
  frame,
  headerHeight,
  horizontalAxis,
  INK,
  type Look,
  legend,
  linearScale,
  logScale,
  marker,
  type Paint,
  type Panel,
  type Range,
  round,
  type Scale,
  SHEET_PAINT,
  sheet,
  stroke,
  text,
  verticalAxis,
} from './chart.ts';

/** A point of a chart, both above 0. */
export interface Point {
  readonly x: number;
  readonly y: number;
  /** Least and most of what `y` is the middle of: a whisker. */
  readonly low?: number;
  readonly high?: number;
  /** Not measured as the others were: a hollow marker, and dashed lines to it. */
  readonly hollow?: boolean;
  /** Shown while the marker is pointed at. */
  readonly tip?: string;
}

export interface Line {
  readonly name: string;
  readonly note?: string;
  readonly look: Look;
  readonly points: readonly Point[];
  /** Points of the series that are not on its line, drawn hollow. */
  readonly loose?: readonly Point[];
  /** Points with a ring around them. */
  readonly ringed?: readonly Point[];
}

export interface LineChartOptions {
  readonly title: string;
  readonly notes: readonly string[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  /** A linear axis from 0 below, for whole numbers of one digit; logarithmic by default. */
  readonly linearX?: boolean;
}

const WIDTH = 1020;
const LEFT = 92;
const RIGHT = 246;
const PLOT_HEIGHT = 420;
const BELOW = 66;
/** How much longer a linear axis is than its largest value. */
const LINEAR_AIR = 1.04;

/** @throws RangeError if there is no point, or one that a logarithmic axis has no place for. */
export function lineChart(options: LineChartOptions): string {
  const { title, notes, xLabel, yLabel, lines, linearX = false } = options;
  const all = lines.flatMap(({ points, loose = [] }) => [...points, ...loose]);
  if (all.length === 0) throw new RangeError('lineChart: nothing to show');
  if (!all.every(({ x, y }) => x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y))) {
    throw new RangeError('lineChart: a coordinate is not a finite number above 0');
  }
  const panel: Panel = {
    left: LEFT,
    top: headerHeight(notes),
    width: WIDTH - LEFT - RIGHT,
    height: PLOT_HEIGHT,
  };
  const columns = rangeOf(all.map(({ x }) => x));
  const right = panel.left + panel.width;
  const across = linearX
    ? linearScale(columns.to * LINEAR_AIR, panel.left, right, columns.to)
    : logScale(columns, panel.left, right);
  const upwards = logScale(rangeOf(all.map(({ y }) => y)), panel.top + panel.height, panel.top);
  return sheet({ width: WIDTH, height: panel.top + PLOT_HEIGHT + BELOW, title, notes }, [
    ...linePanel({ panel, across, upwards, xLabel, yLabel, lines }),
    ...legend(panel.left + panel.width + 26, panel.top, lines),
  ]);
}

export interface LinePanelOptions {
  readonly panel: Panel;
  readonly across: Scale;
  readonly upwards: Scale;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  readonly paint?: Paint;
  readonly xStyle?: AxisStyle;
  readonly yStyle?: AxisStyle;
  /** A straight line through two points, with its name beside the second, which is above the first. */
  readonly reference?: { readonly name: string; readonly from: Point; readonly to: Point };
}

/** Axes and lines, without title and legend. */
export function linePanel(options: LinePanelOptions): string[] {
  const { panel, across, upwards, lines, reference, paint = SHEET_PAINT } = options;
  const at = ({ x, y }: Point) => [across.place(x), upwards.place(y)] as const;
  const drawn = (look: Look, point: Point, hollow: boolean) =>
    tipped(marker(look.marker, ...at(point), look.color, { hollow, paint }), at(point), point.tip);
  return [
    ...verticalAxis(panel, upwards, options.yLabel, { paint, ...options.yStyle }),
    ...horizontalAxis(panel, across, options.xLabel, { paint, ...options.xStyle }),
    frame(panel, paint),
    ...(reference === undefined
      ? []
      : drawReference(reference.name, at(reference.from), at(reference.to), paint)),
    ...lines.flatMap(({ points, loose = [], ringed = [], look }) => [
      ...polyline(points, at, look),
      ...points.flatMap((point) => whisker(point, across, upwards, look)),
      ...ringed.map((point) => ring(...at(point))),
      ...points.map((point) => drawn(look, point, point.hollow ?? false)),
      ...loose.map((point) => drawn(look, point, true)),
    ]),
  ];
}

function rangeOf(values: readonly number[]): Range {
  return { from: Math.min(...values), to: Math.max(...values) };
}

type Place = readonly [x: number, y: number];

/** One path for each stretch that is drawn alike. */
function polyline(points: readonly Point[], at: (point: Point) => Place, look: Look): string[] {
  const stretches: { dashed: boolean; path: string }[] = [];
  for (let i = 1; i < points.length; i++) {
    const [before, point] = [points[i - 1]!, points[i]!];
    const dashed = look.dashed || before.hollow || point.hollow || false;
    let last = stretches.at(-1);
    if (last === undefined || last.dashed !== dashed) {
      last = { dashed, path: `M${pair(at(before))}` };
      stretches.push(last);
    }
    last.path += `L${pair(at(point))}`;
  }
  return stretches.map(({ dashed, path }) => `<path d="${path}" ${stroke({ ...look, dashed })}/>`);
}

function pair([x, y]: Place): string {
  return `${round(x)} ${round(y)}`;
}

function whisker({ x, low = 0, high = 0 }: Point, across: Scale, upwards: Scale, look: Look): string[] {
  if (!(low > 0 && high > low)) return [];
  const [place, from, to] = [across.place(x), upwards.place(low), upwards.place(high)];
  return [`<path d="M${pair([place, from])}V${round(to)}" stroke="${look.color}" stroke-width="1.4"/>`];
}

function ring(x: number, y: number): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="10" fill="none" stroke="${INK}" stroke-width="1.8"/>`;
}

/** A marker that is easily pointed at, with what is then shown. */
function tipped(drawing: string, [x, y]: Place, tip: string | undefined): string {
  if (tip === undefined) return drawing;
  const target = `<circle cx="${round(x)}" cy="${round(y)}" r="9" fill="transparent"/>`;
  return `<g class="tip"><title>${escapeXml(tip)}</title>${target}${drawing}</g>`;
}

function drawReference(name: string, from: Place, to: Place, paint: Paint): string[] {
  // Far enough to the left that a line which hardly rises is below the letters already.
  const rise = Math.max(0.15, (from[1] - to[1]) / Math.max(1, to[0] - from[0]));
  return [
    `<path d="M${pair(from)}L${pair(to)}" fill="none" stroke="${paint.faintInk}" stroke-width="1.4" stroke-dasharray="2 4"/>`,
    text(to[0] - 6 - 13 / rise, to[1] + 5, name, `text-anchor="end" fill="${paint.faintInk}"`),
  ];
}

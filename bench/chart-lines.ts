/** Lines over two logarithmic axes, or a linear one below. */
import {
  frame,
  headerHeight,
  horizontalAxis,
  INK,
  type Look,
  legend,
  linearScale,
  logScale,
  marker,
  type Panel,
  type Range,
  round,
  sheet,
  stroke,
  verticalAxis,
} from './chart.ts';

/** A point of a chart, both above 0. */
export interface Point {
  readonly x: number;
  readonly y: number;
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
  const at = ({ x, y }: Point) => [across.place(x), upwards.place(y)] as const;
  return sheet({ width: WIDTH, height: panel.top + PLOT_HEIGHT + BELOW, title, notes }, [
    ...verticalAxis(panel, upwards, yLabel),
    ...horizontalAxis(panel, across, xLabel),
    frame(panel),
    ...lines.flatMap(({ points, loose = [], ringed = [], look }) => [
      polyline(points.map(at), look),
      ...ringed.map((point) => ring(...at(point))),
      ...points.map((point) => marker(look.marker, ...at(point), look.color)),
      ...loose.map((point) => marker(look.marker, ...at(point), look.color, true)),
    ]),
    ...legend(panel.left + panel.width + 26, panel.top, lines),
  ]);
}

function rangeOf(values: readonly number[]): Range {
  return { from: Math.min(...values), to: Math.max(...values) };
}

function polyline(places: readonly (readonly [number, number])[], look: Look): string {
  if (places.length < 2) return '';
  const path = places.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path d="${path}" ${stroke(look)}/>`;
}

function ring(x: number, y: number): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="10" fill="none" stroke="${INK}" stroke-width="1.8"/>`;
}

/** The section's charts: over the probability of an intersection, upwards from 0 or by factors. */
import { type Look, linearScale, logScale, type Panel, text } from '../chart.ts';
import { type Line, linePanel } from '../chart-lines.ts';
import { pageSvg, rangeOf } from '../html-charts.ts';
import type { Plot, Swatch } from '../html-parts.ts';
import { PAGE_PAINT } from '../html-style.ts';
import { type Measured, type Precision, placesOf, type Series, type Value } from './figures.ts';
import type { PairQuestion, PairShapeReport } from './pairs-report.ts';

const WIDTH = 440;
const LEFT = 66;
const RIGHT = 14;
const TOP = 44;
const HEIGHT = 228;
const BELOW = 50;
const TICKS = 5;
/** Air above the highest point. */
const AIR = 1.06;

const colour = (name: string) => `var(--${name})`;

/** Of shapes, wherever they are lines. */
const SHAPE_LOOKS: Readonly<Record<string, Look>> = {
  box: { color: colour('blue'), marker: 'square' },
  ellipsoid: { color: colour('red'), marker: 'circle' },
  'box-ellipsoid': { color: colour('purple'), marker: 'diamond' },
  'round-box': { color: colour('green'), marker: 'pentagon' },
  polyhedron: { color: colour('sky'), marker: 'triangle' },
  cone: { color: colour('brown'), marker: 'down' },
};
const OTHER_SHAPE: Look = { color: colour('peer'), marker: 'plus' };

/** Of algorithms: one in float32 is dashed. */
const ALGORITHM_LOOKS: Readonly<Record<string, Look>> = {
  gjk: { color: colour('blue'), marker: 'circle' },
  mpr: { color: colour('orange'), marker: 'diamond' },
  'gjk-johnson': { color: colour('purple'), marker: 'triangle' },
};
const FLOAT32_LOOKS: Readonly<Record<string, Look>> = {
  gjk: { color: colour('sky'), marker: 'square', dashed: true },
  mpr: { color: colour('red'), marker: 'down', dashed: true },
  'gjk-johnson': { color: colour('violet'), marker: 'left', dashed: true },
};
const ALGORITHM_NAMES: Readonly<Record<string, string>> = {
  gjk: 'GJK',
  mpr: 'MPR',
  'gjk-johnson': 'GJK of Johnson',
};

/** Of whoever is compared with Rapier. */
const WAY_LOOKS: readonly (readonly [RegExp, Look])[] = [
  [/^auto-gpu-coarse$/, { color: colour('violet'), marker: 'left', dashed: true }],
  [/^auto-gpu$/, { color: colour('purple'), marker: 'triangle' }],
  [/^auto-cpu-1$/, { color: colour('sky'), marker: 'right' }],
  [/^auto-cpu-coarse$/, { color: colour('green'), marker: 'diamond', dashed: true }],
  [/^auto-cpu$/, { color: colour('blue'), marker: 'circle' }],
  [/^rapier/, { color: colour('peer'), marker: 'square' }],
];
export const wayLook = (key: string): Look =>
  WAY_LOOKS.find(([pattern]) => pattern.test(key))?.[1] ?? OTHER_SHAPE;
export const isCompared = (key: string) => WAY_LOOKS.some(([pattern]) => pattern.test(key));

export interface ChartOptions {
  readonly title: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  readonly yTick: (value: number) => string;
  /** Upwards by factors; from 0 otherwise. */
  readonly factors?: boolean;
  /** What the axis reaches at least. */
  readonly atLeast?: number;
  /** A level to compare with, and its name. */
  readonly level?: { readonly value: number; readonly name: string };
}

/** Lines over the probability of an intersection; empty where there is no point. */
export function probabilityChart(options: ChartOptions): string {
  const { title, yLabel, yTick, factors = false, atLeast = 0, level } = options;
  const lines = options.lines.map((line) => ({
    ...line,
    points: line.points.filter(({ y }) => Number.isFinite(y) && (factors ? y > 0 : y >= 0)),
  }));
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ y, low = y, high = y }) => [y, low, high]).filter((value) => !factors || value > 0),
  );
  if (values.length === 0) return '';
  const panel: Panel = { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT };
  const bottom = panel.top + panel.height;
  const upwards = factors
    ? logScale(rangeOf(values), bottom, panel.top)
    : linearScale(AIR * Math.max(...values, atLeast, level?.value ?? 0), bottom, panel.top, TICKS);
  const right = panel.left + panel.width;
  const axes = factors ? 'logarithmic upwards' : 'from 0 upwards';
  return pageSvg(bottom + BELOW, `${title}: ${yLabel} against the probability of an intersection, ${axes}`, [
    text(0, 15, title, 'font-size="15" font-weight="600"'),
    text(0, 34, yLabel, `fill="${PAGE_PAINT.faintInk}"`),
    ...linePanel({
      panel,
      across: linearScale(1, panel.left, right, TICKS),
      upwards,
      xLabel: 'share of the pairs that intersect',
      yLabel: '',
      lines,
      paint: PAGE_PAINT,
      xStyle: { nameAt: 40 },
      yStyle: { tick: yTick },
    }),
    ...(level === undefined ? [] : levelLine(level, upwards.place(level.value), panel)),
  ]);
}

function levelLine({ name }: { readonly name: string }, y: number, { left, width }: Panel): string[] {
  return [
    `<path d="M${left} ${y}h${width}" fill="none" stroke="${PAGE_PAINT.faintInk}" stroke-width="1.4" stroke-dasharray="2 4"/>`,
    text(left + width - 6, y + 17, name, `text-anchor="end" fill="${PAGE_PAINT.faintInk}"`),
  ];
}

export const swatches = (lines: readonly Line[]): Swatch[] =>
  lines.filter(({ points }) => points.length > 0).map(({ name, look }) => ({ kind: 'series', name, look }));

export interface PlotOptions {
  readonly yLabel: string;
  readonly value: Value;
  readonly text: (value: number) => string;
  readonly tick?: (value: number) => string;
  readonly factors?: boolean;
  readonly level?: { readonly value: number; readonly name: string };
  readonly atLeast?: number;
}

const PRECISIONS: readonly Precision[] = ['float64', 'float32'];

/** A chart for each combination of shapes, with a line for each algorithm in each number format. */
export function algorithmPlots(
  measured: Measured,
  question: PairQuestion,
  algorithms: readonly string[],
  options: PlotOptions,
): Plot[] {
  return measured.shapes.map((shape) => {
    const lines = algorithms.flatMap((algorithm) =>
      PRECISIONS.map((precision): Line => {
        const looks = precision === 'float64' ? ALGORITHM_LOOKS : FLOAT32_LOOKS;
        const name = `${ALGORITHM_NAMES[algorithm]}, ${precision}`;
        const series = { algorithm, precision, question };
        return { name, look: looks[algorithm]!, points: pointsOf(measured, shape, series, name, options) };
      }),
    );
    return plot(titleOf(shape), lines, options);
  });
}

/** A chart for each algorithm and number format, with a line for each combination of shapes; for those that were measured. */
export function shapePlots(
  measured: Measured,
  question: PairQuestion,
  algorithms: readonly string[],
  options: PlotOptions,
): Plot[] {
  return PRECISIONS.flatMap((precision) =>
    algorithms.map((algorithm) => {
      const lines = measured.shapes.map((shape): Line => {
        const series = { algorithm, precision, question };
        return {
          name: titleOf(shape),
          look: shapeLook(shape),
          points: pointsOf(measured, shape, series, titleOf(shape), options),
        };
      });
      return plot(`${ALGORITHM_NAMES[algorithm]}, ${precision}`, lines, options);
    }),
  );
}

/** What the reference found, with a line for each combination of shapes. */
export function settingPlot(
  { shapes }: Measured,
  title: string,
  value: (setting: PairShapeReport['settings'][number]) => number,
  options: Omit<PlotOptions, 'value'>,
): Plot {
  const lines = shapes.map(
    (shape): Line => ({
      name: titleOf(shape),
      look: shapeLook(shape),
      points: shape.settings.map((setting) => ({
        x: setting.intersecting,
        y: value(setting),
        tip: `${shape.label}, ${percent(setting.intersecting)} intersect: ${options.text(value(setting))}`,
      })),
    }),
  );
  return plot(title, lines, { ...options, value: () => 0 });
}

/** Whoever is compared with Rapier, on one combination of shapes. */
export function wayPlot(
  measured: Measured,
  shape: PairShapeReport,
  question: PairQuestion,
  options: PlotOptions,
): Plot {
  const lines = WAY_LOOKS.map(([pattern, look]) => ({
    look,
    way: measured.ways.find(({ key }) => pattern.test(key)),
  }))
    .reverse()
    .flatMap(({ look, way }): Line[] => {
      if (way === undefined) return [];
      const points = shape.settings.flatMap((setting) =>
        setting.runs
          .filter((run) => run.way === way.key && run.question === question)
          .map((run) => {
            const y = options.value(run, setting);
            const { min, max } = run.pairsPerSecond;
            const tip = `${way.label}, ${percent(setting.intersecting)} intersect: ${options.text(y)}`;
            return { x: setting.intersecting, y, low: min, high: max, tip };
          }),
      );
      return [{ name: way.label, look, points }];
    });
  return plot(titleOf(shape), lines, options);
}

function pointsOf(
  measured: Measured,
  shape: PairShapeReport,
  series: Series,
  name: string,
  { value, text: told }: PlotOptions,
): Line['points'] {
  return placesOf(measured, shape, series, value).map(({ setting, value: y }) => ({
    x: setting.intersecting,
    y,
    tip: `${name}, ${percent(setting.intersecting)} intersect: ${told(y)}`,
  }));
}

function plot(title: string, lines: readonly Line[], options: PlotOptions): Plot {
  const { yLabel, tick = options.text, factors, level, atLeast } = options;
  const chart = probabilityChart({
    ...{ title, yLabel, lines, yTick: tick },
    ...(factors !== undefined && { factors }),
    ...(level !== undefined && { level }),
    ...(atLeast !== undefined && { atLeast }),
  });
  return { chart, legend: swatches(lines) };
}

function shapeLook({ name }: PairShapeReport): Look {
  return SHAPE_LOOKS[name] ?? OTHER_SHAPE;
}

export function titleOf({ label }: PairShapeReport): string {
  return `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
}

export const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

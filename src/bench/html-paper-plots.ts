/** Plots of suite `paper`: time against the number of triangles N and against the number of points M. */
import type { Look, Range } from './chart.ts';
import type { Line, Point } from './chart-lines.ts';
import { linePlot, REFERENCE_LIFT } from './html-charts.ts';
import {
  ascending,
  hasTime,
  pointsText,
  type ShownSuite,
  trianglesText,
  waysOf,
  wholeTime,
} from './html-model.ts';
import type { Plot, Swatch } from './html-parts.ts';
import { stepLook } from './html-style.ts';
import { countText, countTick, secondsText, secondsTick } from './html-text.ts';
import type { BodyReport, RunReport, SuiteReport, WayReport } from './report.ts';
import { setUpFor } from './report-parts.ts';

export type Series = 'sphere' | 'foam';

interface BodyRun {
  readonly body: BodyReport;
  readonly run: RunReport;
}

/** Bodies of a series, by size, with those of their runs that have a time, on grids, which are all that the paper has. */
export interface SeriesRuns {
  readonly series: Series;
  readonly bodies: readonly BodyReport[];
  readonly runs: readonly BodyRun[];
  /** Of all lines of time against N, so that figures have the same axes. */
  readonly times: Range | undefined;
}

export function seriesRuns(suite: SuiteReport, series: Series): SeriesRuns {
  const yardsticks = suite.ways.filter(({ kind }) => kind === 'yardstick').map(({ key }) => key);
  const bodies = suite.bodies
    .filter((body) => body.series === series)
    .sort((a, b) => a.triangles - b.triangles);
  const runs = bodies.flatMap((body) =>
    body.runs
      .filter((run) => run.set === 'grid' && hasTime(run) && !yardsticks.includes(run.way))
      .map((run) => ({ body, run })),
  );
  const seconds = runs.map(({ body, run }) => wholeTime(body, run).median);
  const times =
    seconds.length === 0
      ? undefined
      : { from: Math.min(...seconds), to: REFERENCE_LIFT * Math.max(...seconds) };
  return { series, bodies, runs, times };
}

export function extrapolatedText({ status, measuredPoints }: RunReport): string {
  return status === 'extrapolated' ? `, extrapolated from ${pointsText(measuredPoints)}` : '';
}

export function linesLegend(lines: readonly Line[], linear: boolean): Swatch[] {
  const shown = lines.filter(({ points }) => points.length > 0);
  const hollow = shown.some(({ points }) => points.some((point) => point.hollow));
  return [
    ...shown.map(({ name, look }): Swatch => ({ kind: 'series', name, look })),
    ...(hollow ? [{ kind: 'extrapolated', name: 'extrapolated' } as const] : []),
    ...(linear ? [{ kind: 'reference', name: 'linear growth, for comparison' } as const] : []),
  ];
}

/** Set-up and evaluation of a run, over the body's triangles. */
function wholePoint({ body, run }: BodyRun): Point {
  const { min, median, max } = wholeTime(body, run);
  const setUp = setUpFor(body, run);
  const parts =
    setUp === undefined
      ? 'evaluation alone: its set-up was not measured'
      : `set-up ${secondsText(setUp.total.median)} + evaluation ${secondsText(run.seconds.total.median)}`;
  const tip = `${trianglesText(body)}, ${pointsText(run.points)}: ${secondsText(median)} (${parts})${extrapolatedText(run)}`;
  return { x: body.triangles, y: median, low: min, high: max, hollow: run.status === 'extrapolated', tip };
}

/** Evaluation alone, over the run's points. */
function evaluationPoint({ body, run }: BodyRun): Point {
  const { min, median, max } = run.seconds.total;
  const tip = `${trianglesText(body)}, ${pointsText(run.points)}: evaluation ${secondsText(median)}${extrapolatedText(run)}`;
  return { x: run.points, y: median, low: min, high: max, hollow: run.status === 'extrapolated', tip };
}

function trianglesPlot(title: string, lines: readonly Line[], times: Range | undefined): Plot {
  const chart = linePlot({
    title,
    yLabel: 'set-up + evaluation',
    xLabel: 'triangles N',
    lines,
    xTick: countTick,
    yTick: secondsTick,
    linear: 'linear in N',
    ...(times === undefined ? {} : { yRange: times }),
  });
  return { chart, legend: linesLegend(lines, true) };
}

/** A line for each M. */
export function againstTriangles(way: WayReport, { runs, times }: SeriesRuns): Plot {
  const own = runs.filter(({ run }) => run.way === way.key);
  const lines = ascending(own.map(({ run }) => run.points)).map(
    (points, i): Line => ({
      name: `M = ${pointsText(points)}`,
      look: stepLook(i),
      points: own.filter(({ run }) => run.points === points).map(wholePoint),
    }),
  );
  return trianglesPlot(way.label, lines, times);
}

/** A line for each way, of one M. */
export function waysAgainstTriangles({ suite, look }: ShownSuite, points: number, own: SeriesRuns): Plot {
  const lines = waysOf(suite)
    .filter(({ kind }) => kind !== 'yardstick')
    .map(({ key, label }): Line => {
      const runs = own.runs.filter(({ run }) => run.way === key && run.points === points);
      const named = runs.map(wholePoint).map((point) => ({ ...point, tip: `${label}, ${point.tip}` }));
      return { name: label, look: look(key), points: named };
    });
  return trianglesPlot(`M = ${pointsText(points)}`, lines, own.times);
}

/** Evaluation alone, a line for each N that is chosen among all. */
export function evaluationAgainstPoints(
  way: WayReport,
  { runs }: SeriesRuns,
  choose: (sizes: readonly number[]) => readonly number[],
): Plot {
  const own = runs.filter(({ run }) => run.way === way.key);
  const sizes = choose(ascending(own.map(({ body }) => body.triangles)));
  const lines = sizes.map((triangles, i): Line => {
    const look: Look = stepLook(i);
    const points = own.filter(({ body }) => body.triangles === triangles).map(evaluationPoint);
    return { name: `N = ${countText(triangles)}`, look, points: points.sort((a, b) => a.x - b.x) };
  });
  const chart = linePlot({
    title: way.label,
    yLabel: 'evaluation alone',
    xLabel: 'points M',
    lines,
    xTick: countTick,
    yTick: secondsTick,
    linear: 'linear in M',
  });
  return { chart, legend: linesLegend(lines, true) };
}

/** At most so many, with the first and the last among them. */
export function spreadOut<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values];
  return Array.from({ length: most }, (_, i) => values[Math.round((i * (values.length - 1)) / (most - 1))]!);
}

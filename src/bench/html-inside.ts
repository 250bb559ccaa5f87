import { type MarkRow, markPlot, type RowGroup, type ShareRow, sharePlot } from './html-bars.ts';
import { linePlot } from './html-charts.ts';
import {
  bodyText,
  distinct,
  growing,
  hasTime,
  isPositive,
  mainBodies,
  mainRun,
  mainRuns,
  mainSet,
  POINT_SETS,
  SET_LABELS,
  type ShownSuite,
  trianglesNote,
  waysOf,
} from './html-model.ts';
import { linesLegend } from './html-paper-plots.ts';
import { figure, type Plot, type Swatch } from './html-parts.ts';
import { setUpFigures, waysOver } from './html-set-up.ts';
import { PARTS, REST } from './html-style.ts';
import { timestampsTable } from './html-tables.ts';
import { capitalized, countTick, rateText, secondsText, secondsTick, timesText } from './html-text.ts';
import type { BodyReport, RunReport } from './report.ts';

export function insideSections(shown: ShownSuite): string[] {
  return [
    '<h3>Points per second</h3>',
    ratesFigure(shown),
    '<h3>Growth with the number of triangles</h3>',
    growthFigure(shown),
    '<h3>Set-up and memory</h3>',
    ...setUpFigures(shown),
    '<h3>Where the time of a call goes</h3>',
    sharesFigure(shown),
    timestampsTable(shown),
  ];
}

function ratesFigure({ suite, look, label }: ShownSuite): string {
  const bodies = mainBodies(suite.bodies);
  const plots = POINT_SETS.map((set): Plot => {
    const groups = bodies
      .map(
        (body): RowGroup<MarkRow> => ({
          name: body.name,
          note: trianglesNote(body),
          rows: waysOf(suite).flatMap(({ key }) => {
            const run = mainRun(body, key, set);
            return run === undefined ? [] : [{ label: label(key), look: look(key), ...rateOf(body, run) }];
          }),
        }),
      )
      .filter(({ rows }) => rows.length > 0);
    const chart = markPlot({
      title: `Points ${SET_LABELS[set]}`,
      valueHead: 'points/s',
      besideHead: '× bvh',
      axis: 'points per second',
      tick: countTick,
      groups,
    });
    const hollow = groups.some(({ rows }) => rows.some((row) => row.hollow));
    return { chart, legend: hollow ? [{ kind: 'extrapolated', name: 'extrapolated' }] : [] };
  });
  return figure({
    id: 'inside-rates',
    plots,
    shared: true,
    caption:
      'From the call to the flags: medians, with whiskers from least to most. × bvh: how many times as fast as three-mesh-bvh in the same rounds. A step of the axis is a factor, so lengths do not compare; distances between marks do.',
  });
}

function rateOf(body: BodyReport, run: RunReport): Omit<MarkRow, 'label' | 'look'> {
  const there = run.status !== 'left-out' && isPositive(run.pointsPerSecond.median);
  if (!there) {
    return { value: 0, min: 0, max: 0, hollow: false, valueText: 'left out', besideText: '', tip: '' };
  }
  const { median, min, max } = run.pointsPerSecond;
  const hollow = run.status === 'extrapolated';
  return {
    value: median,
    min,
    max,
    hollow,
    valueText: `${hollow ? '≈' : ''}${rateText(median)}`,
    besideText: timesText(run.ratioToPeer),
    tip: `${body.name}: ${rateText(median)} points/s (${rateText(min)} to ${rateText(max)}), ${timesText(run.ratioToCopy)} the copy kernel`,
  };
}

function growthFigure(shown: ShownSuite): string {
  const plots = growing(shown.suite.bodies).map(({ name, bodies }): Plot => {
    const set = mainSet(bodies);
    const lines = waysOver(shown, bodies, (body, { key, label }) => {
      const run = set === undefined ? undefined : mainRun(body, key, set);
      if (run === undefined || !hasTime(run)) return undefined;
      const { median, min, max } = run.pointsPerSecond;
      const tip = `${label}, ${bodyText(body)}: ${secondsText(1 / median)} per point`;
      const hollow = run.status === 'extrapolated';
      return { x: body.triangles, y: 1 / median, low: 1 / max, high: 1 / min, hollow, tip };
    });
    const chart = linePlot({
      title: `${capitalized(name)}, points ${set === undefined ? '' : SET_LABELS[set]}`,
      yLabel: 'time per point, from the call to the flags',
      xLabel: 'triangles',
      lines,
      xTick: countTick,
      yTick: secondsTick,
    });
    return { chart, legend: linesLegend(lines, false) };
  });
  return figure({
    id: 'inside-growth',
    plots,
    shared: true,
    caption: 'Time per point against the number of triangles, medians; whiskers from least to most.',
    nothing: 'This run had no bodies that differ in little but their size.',
  });
}

function sharesFigure(shown: ShownSuite): string {
  const runs = mainRuns(shown);
  const groups = distinct(runs.map(({ body }) => body)).map(
    (body): RowGroup<ShareRow> => ({
      name: body.name,
      note: trianglesNote(body),
      rows: runs
        .filter((one) => one.body === body)
        .map(({ way, run: { seconds } }) => ({
          label: way.label,
          total: seconds.total.median,
          totalText: secondsText(seconds.total.median),
          parts: {
            upload: seconds.upload.median,
            kernel: seconds.kernel.median,
            readback: seconds.readback.median,
            exact: seconds.exact.median,
          },
          gpu: seconds.gpu?.median ?? 0,
        })),
    }),
  );
  const set = runs[0]?.run.set;
  const halves = [groups.slice(0, Math.ceil(groups.length / 2)), groups.slice(Math.ceil(groups.length / 2))];
  const fills = [...PARTS, REST].map(
    ({ name, fill, pattern }): Swatch => ({ kind: 'fill', name, fill, pattern }),
  );
  const stamped: Swatch[] = runs.some(({ run }) => run.seconds.gpu !== undefined)
    ? [{ kind: 'timestamps', name: 'kernels by GPU timestamps' }]
    : [];
  return figure({
    id: 'inside-shares',
    plots: halves.map((half) => ({
      chart: sharePlot(set === undefined ? '' : `Points ${SET_LABELS[set]}`, half),
      legend: [...fills, ...stamped],
    })),
    shared: true,
    caption: 'Shares of the wall time of a call, by medians.',
  });
}

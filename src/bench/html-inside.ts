/** Suite `inside`: rates by way and body, growth, set-up and memory, and where the time of a call goes. */
import type { Line, Point } from './chart-lines.ts';
import { type RateRow, type RowGroup, ratePlot, type ShareRow, sharePlot } from './html-bars.ts';
import { linePlot } from './html-charts.ts';
import {
  distinct,
  growing,
  hasTime,
  isPositive,
  mainBodies,
  mainRun,
  mainRuns,
  mainSet,
  mainSetUpOf,
  POINT_SETS,
  SET_LABELS,
  type ShownSuite,
  trianglesText,
  waysOf,
} from './html-model.ts';
import { linesLegend } from './html-paper-plots.ts';
import { figure, type Plot, type Swatch } from './html-parts.ts';
import { PARTS, REST } from './html-style.ts';
import { timestampsTable } from './html-tables.ts';
import {
  bytesText,
  bytesTick,
  capitalized,
  countTick,
  rateText,
  secondsText,
  secondsTick,
  timesText,
} from './html-text.ts';
import type { BodyReport, RunReport, SetUpReport, WayReport } from './report.ts';

export function insideSections(shown: ShownSuite): string[] {
  return [
    '<h3>Points per second</h3>',
    ratesFigure(shown),
    '<h3>Growth with the number of triangles</h3>',
    growthFigure(shown),
    '<h3>Set-up and memory</h3>',
    setUpFigure(shown),
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
        (body): RowGroup<RateRow> => ({
          name: body.name,
          note: trianglesText(body),
          rows: waysOf(suite).flatMap(({ key }) => {
            const run = mainRun(body, key, set);
            return run === undefined ? [] : [{ label: label(key), look: look(key), ...rateOf(body, run) }];
          }),
        }),
      )
      .filter(({ rows }) => rows.length > 0);
    const chart = ratePlot({
      title: `Points ${SET_LABELS[set]}`,
      valueHead: 'points/s',
      ratioHead: '× bvh',
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

function rateOf(body: BodyReport, run: RunReport): Omit<RateRow, 'label' | 'look'> {
  const there = run.status !== 'left-out' && isPositive(run.pointsPerSecond.median);
  if (!there) {
    return { value: 0, min: 0, max: 0, hollow: false, valueText: 'left out', ratioText: '', tip: '' };
  }
  const { median, min, max } = run.pointsPerSecond;
  const hollow = run.status === 'extrapolated';
  return {
    value: median,
    min,
    max,
    hollow,
    valueText: `${hollow ? '≈' : ''}${rateText(median)}`,
    ratioText: timesText(run.ratioToPeer),
    tip: `${body.name}: ${rateText(median)} points/s (${rateText(min)} to ${rateText(max)}), ${timesText(run.ratioToCopy)} the copy kernel`,
  };
}

/** A line for each way over bodies, of whatever has a value. */
function waysOver(
  { suite, look }: ShownSuite,
  bodies: readonly BodyReport[],
  point: (body: BodyReport, way: WayReport) => Point | undefined,
): Line[] {
  return waysOf(suite).map((way) => ({
    name: way.label,
    look: look(way.key),
    points: bodies.flatMap((body) => point(body, way) ?? []),
  }));
}

function growthFigure(shown: ShownSuite): string {
  const plots = growing(shown.suite.bodies).map(({ name, bodies }): Plot => {
    const set = mainSet(bodies);
    const lines = waysOver(shown, bodies, (body, { key, label }) => {
      const run = set === undefined ? undefined : mainRun(body, key, set);
      if (run === undefined || !hasTime(run)) return undefined;
      const { median, min, max } = run.pointsPerSecond;
      const tip = `${label}, ${body.name}, ${trianglesText(body)}: ${secondsText(1 / median)} per point`;
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
  });
}

function setUpFigure(shown: ShownSuite): string {
  const linesOf = (bodies: readonly BodyReport[], pick: (setUp: SetUpReport) => Omit<Point, 'x'>) =>
    waysOver(shown, bodies, (body, { key, label }) => {
      const setUp = mainSetUpOf(body, key);
      if (setUp === undefined) return undefined;
      const point = pick(setUp);
      return {
        ...point,
        x: body.triangles,
        tip: `${label}, ${body.name}, ${trianglesText(body)}: ${point.tip}`,
      };
    });
  const bytes = (name: string, value: (setUp: SetUpReport) => number) => ({
    name,
    tick: bytesTick,
    pick: (setUp: SetUpReport) => ({ y: value(setUp), tip: bytesText(value(setUp)) }),
  });
  const quantities = [
    {
      name: 'set-up, until points can be asked',
      tick: secondsTick,
      pick: ({ total }: SetUpReport) => ({
        y: total.median,
        low: total.min,
        high: total.max,
        tip: secondsText(total.median),
      }),
    },
    bytes('memory of the tables', (setUp) => setUp.tableBytes),
    bytes('memory on the GPU', (setUp) => setUp.gpuBytes),
  ];
  const plots = growing(shown.suite.bodies).flatMap(({ name, bodies }) =>
    quantities.map(({ name: quantity, tick, pick }): Plot => {
      const lines = linesOf(bodies, pick);
      const chart = linePlot({
        title: capitalized(name),
        yLabel: quantity,
        xLabel: 'triangles',
        lines,
        xTick: countTick,
        yTick: tick,
      });
      return { chart, legend: linesLegend(lines, false) };
    }),
  );
  return figure({
    id: 'inside-set-up',
    plots,
    shared: true,
    caption:
      'Set-up and memory against the number of triangles. A way that needs none of a memory has no line.',
  });
}

function sharesFigure(shown: ShownSuite): string {
  const runs = mainRuns(shown);
  const groups = distinct(runs.map(({ body }) => body)).map(
    (body): RowGroup<ShareRow> => ({
      name: body.name,
      note: trianglesText(body),
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

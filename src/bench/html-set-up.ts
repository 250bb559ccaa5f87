/** Suite `inside`: what a body costs before points can be asked, in time and memory. */
import type { Line, Point } from './chart-lines.ts';
import { type MarkRow, markPlot, type RowGroup } from './html-bars.ts';
import { linePlot } from './html-charts.ts';
import {
  bodyText,
  growing,
  mainBodies,
  mainSetUpOf,
  type ShownSuite,
  trianglesNote,
  waysOf,
} from './html-model.ts';
import { linesLegend } from './html-paper-plots.ts';
import { figure, type Plot } from './html-parts.ts';
import {
  bytesText,
  bytesTick,
  capitalized,
  countTick,
  NOTHING,
  secondsText,
  secondsTick,
  timesText,
} from './html-text.ts';
import type { BodyReport, SetUpReport, SuiteReport, WayReport } from './report.ts';

export function setUpFigures(shown: ShownSuite): string[] {
  return [setUpFigure(shown), growthOfSetUp(shown)];
}

/** A line for each way over bodies, of whatever has a value. */
export function waysOver(
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

/** NaN without a peer. */
function peerSeconds({ ways }: SuiteReport, body: BodyReport): number {
  const peer = ways.find(({ kind }) => kind === 'peer');
  return (peer && mainSetUpOf(body, peer.key)?.total.median) ?? Number.NaN;
}

/** Set-up and memory of each body that was asked all kinds of points. */
function setUpFigure({ suite, look, label }: ShownSuite): string {
  const plot = (
    title: string,
    heads: readonly [string, string],
    tick: (value: number) => string,
    row: (setUp: SetUpReport, body: BodyReport) => Omit<MarkRow, 'label' | 'look' | 'hollow' | 'tip'>,
  ): Plot => {
    const groups = mainBodies(suite.bodies)
      .map(
        (body): RowGroup<MarkRow> => ({
          name: body.name,
          note: trianglesNote(body),
          rows: waysOf(suite).flatMap(({ key }) => {
            const setUp = mainSetUpOf(body, key);
            if (setUp === undefined) return [];
            const own = row(setUp, body);
            const tip = `${label(key)}, ${bodyText(body)}: ${own.valueText}`;
            return [{ ...own, label: label(key), look: look(key), hollow: false, tip }];
          }),
        }),
      )
      .filter(({ rows }) => rows.length > 0);
    const [valueHead, besideHead] = heads;
    return { chart: markPlot({ title, valueHead, besideHead, axis: valueHead, tick, groups }), legend: [] };
  };
  const bytes = (value: number) => (value > 0 ? bytesText(value) : NOTHING);
  return figure({
    id: 'inside-set-up',
    plots: [
      plot('Set-up, until points can be asked', ['set-up', '× bvh'], secondsTick, ({ total }, body) => ({
        value: total.median,
        min: total.min,
        max: total.max,
        valueText: total.median > 0 ? secondsText(total.median) : NOTHING,
        besideText: timesText(total.median / peerSeconds(suite, body)),
      })),
      plot('Memory', ['tables', 'GPU'], bytesTick, ({ tableBytes, gpuBytes }) => ({
        value: tableBytes,
        min: tableBytes,
        max: tableBytes,
        valueText: bytes(tableBytes),
        besideText: bytes(gpuBytes),
      })),
    ],
    shared: true,
    caption:
      'Set-up: medians, with whiskers from least to most; × bvh: how many times as long as that of three-mesh-bvh. Memory: marks are those of the tables.',
  });
}

function growthOfSetUp(shown: ShownSuite): string {
  const series = growing(shown.suite.bodies);
  if (series.length === 0) return '';
  const linesOf = (bodies: readonly BodyReport[], pick: (setUp: SetUpReport) => Omit<Point, 'x'>) =>
    waysOver(shown, bodies, (body, { key, label }) => {
      const setUp = mainSetUpOf(body, key);
      if (setUp === undefined) return undefined;
      const point = pick(setUp);
      return {
        ...point,
        x: body.triangles,
        tip: `${label}, ${bodyText(body)}: ${point.tip}`,
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
  const plots = series.flatMap(({ name, bodies }) =>
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
    id: 'inside-set-up-growth',
    plots,
    shared: true,
    caption:
      'Set-up and memory against the number of triangles. A way that needs none of a memory has no line.',
  });
}

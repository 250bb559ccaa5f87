/** Suites about points in bodies: their charts and tables. */
import { type BodyReport, labelsOf, type RunReport, type SuiteReport, setUpFor } from '../report.ts';
import {
  bytesText,
  capitalized,
  countText,
  gridText,
  inUnits,
  NOTHING,
  numberText,
  rateText,
  secondsText,
  timesText,
} from '../text.ts';
import { type Cell, chart, foldedTable, wrongCell } from './parts.ts';
import type { ChartPanel, ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const SETS = ['random', 'near', 'grid'] as const;
const SET_LABELS = { random: 'random points', near: 'beside the surface', grid: 'grid' } as const;
const MILLION = 1e6;
const MILLI = 1e-3;

/** The first chart stands open, the others and the tables are folded. */
export interface Shown {
  readonly charts: readonly string[];
  readonly tables: readonly string[];
  /** Folded too, before them. */
  readonly notes?: string;
}

export const showPoints = (suite: SuiteReport): Shown => ({
  charts: suite.name === 'paper' ? paperCharts(suite) : [...growthCharts(suite), rateChart(suite)],
  tables: tablesOf(suite),
});

const hasTime = ({ status, seconds }: RunReport) => status !== 'left-out' && seconds.total.median > 0;
const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
const isHollow = ({ status }: RunReport) => status === 'extrapolated';
const approximate = (run: RunReport) => (isHollow(run) ? '≈ ' : '');

/** How many times as fast as the peer; without one, points per second. A row for every way on every body. */
function rateChart(suite: SuiteReport): string {
  const { bodies, ways } = suite;
  const hasPeer = ways.some(({ kind }) => kind === 'peer');
  const most = Math.max(0, ...bodies.flatMap(({ runs }) => runs.map(({ points }) => points)));
  const panels = SETS.map((set): ChartPanel => {
    const points = bodies.flatMap((body) =>
      body.runs.flatMap((run): ChartPoint[] => {
        const series = ways.findIndex(({ key }) => key === run.way);
        const { kind, label } = ways[series]!;
        if (run.set !== set || run.points !== most || !hasTime(run) || kind === 'yardstick') return [];
        if (hasPeer && (kind === 'peer' || run.ratioToPeer === 0)) return [];
        const { median: rate, min, max } = run.pointsPerSecond;
        const times = hasPeer ? `${timesText(run.ratioToPeer)} as fast as three-mesh-bvh\n` : '';
        const rates = `${approximate(run)}${rateText(rate)} points/s (${rateText(min)} to ${rateText(max)})`;
        const tip = `${label}\n${body.name}\n${times}${rates}`;
        const value = hasPeer ? { x: run.ratioToPeer } : { x: rate, low: min, high: max };
        return [{ series, y: body.name, ...value, hollow: isHollow(run), tip }];
      }),
    );
    return { title: `${capitalized(SET_LABELS[set])}, ${countText(most)}`, points };
  });
  return chart(
    {
      kind: 'rows',
      x: hasPeer ? { label: '× three-mesh-bvh', unit: 'times' } : { label: 'points per second', unit: 'count' },
      ...(hasPeer && { reference: { at: 1, name: 'three-mesh-bvh' } }),
      ...{ series: seriesOf(suite.ways), panels },
    },
    hasPeer
      ? 'Rates over three-mesh-bvh’s on one thread: medians over rounds, logarithmic. Right of the line: faster.'
      : 'Points per second, medians with least and most, logarithmic.',
  );
}

/** Lines over triangles of the series with several sizes. */
function overTriangles(
  suite: SuiteReport,
  titles: Readonly<Record<'sphere' | 'foam', string>>,
  value: (body: BodyReport, way: string) => Omit<ChartPoint, 'series' | 'x'> | undefined,
): ChartPanel[] {
  return (['sphere', 'foam'] as const).map((kind) => {
    const bodies = suite.bodies.filter(({ series }) => series === kind);
    const points = bodies.flatMap((body) =>
      suite.ways.flatMap(({ key }, series): ChartPoint[] => {
        const one = value(body, key);
        return one === undefined ? [] : [{ series, x: body.triangles, ...one }];
      }),
    );
    const isGrowth = new Set(points.map(({ x }) => x)).size > 1;
    return { title: titles[kind], points: isGrowth ? points : [] };
  });
}

const TRIANGLES = { label: 'triangles', unit: 'count' } as const;

function growthCharts(suite: SuiteReport): string[] {
  if (suite.bodies.filter(({ series }) => series === 'sphere').length < 3) return [];
  const label = labelsOf(suite.ways);
  const lines = (
    name: string,
    caption: string,
    value: (body: BodyReport, way: string) => readonly [found: RunReport['pointsPerSecond'], per: number] | undefined,
  ) => {
    const panels = overTriangles(suite, { sphere: 'Spheres', foam: 'Foams' }, (body, way) => {
      const [found, per] = value(body, way) ?? [];
      if (found === undefined || per === undefined || found.runs === 0) return undefined;
      const tip = `${label(way)}\n${countText(body.triangles)} triangles\n${name} ${secondsText(found.median / per)}`;
      return { y: found.median / per, low: found.min / per, high: found.max / per, tip };
    });
    const y = { label: name, unit: 'seconds' } as const;
    return chart({ kind: 'lines', x: TRIANGLES, y, series: seriesOf(suite.ways), panels }, caption);
  };
  return [
    lines('time per point', 'Time per random point against triangles: medians with least and most.', (body, way) => {
      const run = body.runs.findLast((one) => one.way === way && one.set === 'random');
      return run && [run.seconds.total, run.points];
    }),
    lines('set-up', 'Set-up against triangles: medians with least and most.', (body, way) => {
      const setUp = body.setUps.find((one) => one.way === way);
      return setUp && [setUp.total, 1];
    }),
  ];
}

/** Set-up and evaluation together: least with least and most with most, which is wider than what can have happened. */
function wholeTime(body: BodyReport, run: RunReport) {
  const setUp = setUpFor(body, run)?.total ?? { min: 0, median: 0, max: 0 };
  const { total } = run.seconds;
  return { min: setUp.min + total.min, median: setUp.median + total.median, max: setUp.max + total.max };
}

function paperCharts(suite: SuiteReport): string[] {
  const series = seriesOf(suite.ways);
  const counts = ascending(suite.bodies.flatMap(({ runs }) => runs.map(({ points }) => points))).reverse();
  const label = labelsOf(suite.ways);
  const point = (body: BodyReport, run: RunReport) => {
    const { median: y, min: low, max: high } = wholeTime(body, run);
    const setUp = secondsText(y - run.seconds.total.median);
    const times = `${approximate(run)}${secondsText(y)}, of which set-up ${setUp}`;
    const tip = `${label(run.way)}\n${body.name}, ${gridText(run.points)} points\n${times}`;
    return { y, low, high, hollow: isHollow(run), tip };
  };
  const axes = { kind: 'lines', y: { label: 'set-up and call', unit: 'seconds' }, series } as const;
  const panels = (count: number) =>
    overTriangles(
      suite,
      { sphere: `Spheres, ${gridText(count)} points`, foam: `Foams, ${gridText(count)} points` },
      (body, way) => {
        const run = body.runs.find((one) => one.way === way && one.points === count);
        return run === undefined || !hasTime(run) ? undefined : point(body, run);
      },
    );
  const overPoints = suite.bodies.map(
    (body): ChartPanel => ({
      title: body.name,
      points: body.runs.flatMap((run) => {
        const own = suite.ways.findIndex(({ key }) => key === run.way);
        return hasTime(run) ? [{ series: own, x: run.points, ...point(body, run) }] : [];
      }),
    }),
  );
  return [
    chart(
      { ...axes, x: TRIANGLES, panels: panels(counts[0] ?? 0) },
      'Set-up and one call against triangles: medians, least, most, logarithmic. Hollow: scaled up from a part.',
    ),
    chart(
      { ...axes, x: TRIANGLES, panels: counts.slice(1).flatMap(panels) },
      'The same for fewer points: figures 7 to 10 and 12 to 15 of the paper.',
    ),
    chart(
      { ...axes, x: { label: 'points', unit: 'count' }, panels: overPoints },
      'Time against points on every body: set-up and one call together.',
    ),
  ];
}

function tablesOf({ ways, bodies }: SuiteReport): string[] {
  const label = labelsOf(ways);
  const byBody = (rows: (body: BodyReport) => readonly (readonly Cell[])[]) =>
    bodies.map((body) => ({ name: `${body.name}: ${countText(body.vertices)} vertices`, rows: rows(body) }));
  const marked = ({ status, reason }: RunReport, text: string): Cell => {
    if (status === 'measured') return text;
    return { text: status === 'left-out' ? NOTHING : `≈ ${text}`, look: 'extrapolated', title: reason };
  };
  const byRun = (row: (run: RunReport) => readonly Cell[]) =>
    byBody(({ runs }) => runs.map((run) => [label(run.way), run.set, countText(run.points), ...row(run)]));
  const memory = (bytes: number) => (bytes > 0 ? bytesText(bytes) : NOTHING);
  const heads = ['@way', '@points', 'number'];
  return [
    foldedTable(
      'Rates and ratios',
      'Medians, of ratios over rounds. ≈: scaled up from a part of the points; –: left out. Point at one to see why.',
      {
        columns: [
          ...[...heads, 'median|M points/s', 'least|M points/s', 'most|M points/s'],
          ...['× three-mesh-bvh', '× copy kernel', 'checked', 'wrong'],
        ],
        groups: byRun((run) => {
          const { median: middle, min, max } = run.pointsPerSecond;
          const ratios = [run.ratioToPeer, run.ratioToCopy].map((ratio) => inUnits(ratio, 1));
          const rates = [middle, min, max].map((rate) => marked(run, inUnits(rate, MILLION)));
          return [...rates, ...ratios, countText(run.checked), wrongCell(run.wrong)];
        }),
      },
    ),
    foldedTable(
      'Where the time of a call goes',
      'Medians; on the CPU, kernel is the test itself. What did the work, and why.',
      {
        columns: [
          ...[...heads, 'upload|ms', 'kernel|ms', 'readback|ms', 'exact|ms', 'all|ms', 'GPU timestamps|ms'],
          ...['settled exactly', 'GPU memory', '@what did the work'],
        ],
        groups: byRun((run) => {
          const { upload, kernel, readback, exact, total, gpu } = run.seconds;
          return [
            ...[upload, kernel, readback, exact, total].map((one) => marked(run, inUnits(one.median, MILLI))),
            ...[inUnits(gpu?.median ?? 0, MILLI), countText(run.resolvedExactly), memory(run.gpuBytes)],
            run.chosen,
          ];
        }),
      },
    ),
    foldedTable('Set-up and memory', 'Medians, with least and most; parts may overlap.', {
      columns: [
        ...['@way', 'for points', 'all|ms', 'least|ms', 'most|ms', 'check|ms', 'build|ms'],
        ...['tables', 'GPU memory', '@parts of the build, figures'],
      ],
      groups: byBody(({ setUps }) =>
        setUps.map(({ way, points, total, parts, tableBytes, gpuBytes, figures }) => {
          const { check, build, ...rest } = parts;
          const times = [total.median, total.min, total.max, check?.median ?? 0, build?.median ?? 0];
          const more = [
            ...Object.entries(rest).map(([name, part]) => `${name} ${secondsText(part.median)}`),
            ...Object.entries(figures).map(([name, value]) => `${name} ${numberText(value)}`),
          ];
          const forPoints = points === 0 ? 'any' : countText(points);
          const bytes = [bytesText(tableBytes), memory(gpuBytes)];
          return [label(way), forPoints, ...times.map((time) => inUnits(time, MILLI)), ...bytes, more.join(', ')];
        }),
      ),
    }),
    foldedTable(
      'Errors of winding numbers',
      'Points off the surface, each within its bound: the run checks that. Bound/error: the median, and what 95 % of ' +
        'the points are below. Open: the bound leaves both sides of 1/2.',
      {
        columns: ['@way', 'worst', 'rms', 'mean bound', 'largest bound', 'bound/error', '95 %', 'open|%'],
        groups: byBody(({ runs }) =>
          runs.flatMap(({ way, accuracy }) => {
            if (accuracy === undefined) return [];
            const { worst, rms, meanBound, largestBound, open, boundOverError } = accuracy;
            const errors = [worst, rms, meanBound, largestBound].map((one) => one.toExponential(2));
            const { median, percentile95 } = boundOverError ?? {};
            const ratios = [median, percentile95].map((one) => (one === undefined ? '–' : numberText(one)));
            return [[label(way), ...errors, ...ratios, numberText(100 * open)]];
          }),
        ),
      },
    ),
  ];
}

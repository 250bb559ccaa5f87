/** What `bench multipole` found, in tables. */

import { shortNumber } from '../src/bench/chart.ts';
import { ratioLabel } from '../src/bench/chart-bars.ts';
import { formatBytes, formatCount } from '../src/cli/format.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { Machine } from './machine.ts';
import { type DepthCase, type DepthStudy, type DepthTrial, totalOf } from './multipole-depth.ts';
import type { ErrorRow, ErrorSweep } from './multipole-errors.ts';
import type { OpenResult } from './multipole-open.ts';
import { type BodySpeed, RIVALS, type SpeedKey } from './multipole-speed.ts';
import type { Table } from './output.ts';
import type { PotentialKey, Stage, TreeFigures } from './potential-way.ts';

/** What the issue asks of `auto`: at most so many times the best fixed depth. */
export const WANTED_AUTO_OVER_BEST = 1.3;

/** The JSON of a run; docs/benchmarks.md explains it. */
export interface MultipoleResult {
  readonly schema: 'scree-bench-multipole/1';
  readonly machine: Machine;
  readonly options: {
    readonly quick: boolean;
    readonly repeat: number;
    readonly setUpRepeat: number;
    readonly points: number;
    readonly exactSample: number;
    /** Degree and separation wherever they are not what is varied. */
    readonly p: number;
    readonly d: number;
  };
  readonly ways: readonly {
    readonly key: PotentialKey;
    readonly label: string;
    readonly mostPoints: number;
  }[];
  readonly labels: Readonly<Record<SpeedKey, string>>;
  readonly bandwidth: Bandwidth;
  readonly errors: ErrorSweep | undefined;
  readonly bodies: readonly BodySpeed[];
  readonly growth: readonly BodySpeed[];
  readonly depth: DepthStudy | undefined;
  readonly open: readonly OpenResult[];
  /** Of the whole process. */
  readonly peakRssBytes: number;
}

/** Two digits are all that an error has. */
export const errorText = (value: number) => (value === 0 ? '0' : value.toExponential(1));
const percent = (share: number) => `${shortNumber(100 * share)} %`;
const seconds = (value: number) => (value < 0.0995 ? value.toFixed(4) : value.toFixed(2));
const bytes = (count: number) => (count === 0 ? '-' : formatBytes(count));

export function multipoleTables(result: MultipoleResult): Table[] {
  const { errors, depth, open } = result;
  const bodies = [...result.growth, ...result.bodies];
  return [
    ...(errors === undefined ? [] : [errorTable(result, errors)]),
    speedTable(result, bodies),
    ratioTable(result, bodies),
    accuracyTable(result, bodies),
    ...setUpTables(result, bodies),
    ...(depth === undefined ? [] : [depthTable(result, depth), trialTable(depth)]),
    openTable(result, open),
  ].filter(({ rows }) => rows.length > 0);
}

const labelOf = (result: MultipoleResult, key: SpeedKey) => result.labels[key];

function errorTable(result: MultipoleResult, { name, triangles, depth, rows }: ErrorSweep): Table {
  const cells = ({ p, d, way, accuracy, setUpSeconds, pointsPerSecond }: ErrorRow) => [
    labelOf(result, way),
    `${d}`,
    `${p}`,
    errorText(accuracy.largestError),
    formatCount(accuracy.turns),
    errorText(accuracy.smallError),
    errorText(accuracy.rmsError),
    errorText(accuracy.largestBound),
    errorText(accuracy.meanBound),
    percent(accuracy.doubtful),
    formatCount(accuracy.points),
    seconds(setUpSeconds),
    shortNumber(pointsPerSecond / 1e6),
  ];
  return {
    title: `Error of J against degree p and separation d: ${name}, ${formatCount(triangles)} triangles, depth ${depth}, random points`,
    columns: [
      'way',
      'd',
      'p',
      'largest error',
      'off by a turn',
      'largest of the others',
      'rms error',
      'largest bound',
      'mean bound',
      'doubtful',
      'points',
      'set-up s',
      'Mpt/s',
    ],
    names: [0],
    rows: rows.map(cells),
  };
}

/** A row for every body and key, the body named in the first of its rows only. */
function eachWay(
  result: MultipoleResult,
  bodies: readonly BodySpeed[],
  cells: (body: BodySpeed, key: SpeedKey) => readonly string[] | undefined,
): string[][] {
  const keys = Object.keys(result.labels) as SpeedKey[];
  return bodies.flatMap((body) => {
    const rows = keys.flatMap((key) => {
      const found = cells(body, key);
      return found === undefined ? [] : [[labelOf(result, key), ...found]];
    });
    return rows.map((row, i) => [
      i === 0 ? body.name : '',
      i === 0 ? formatCount(body.triangles) : '',
      ...row,
    ]);
  });
}

const settings = ({ options: { p, d } }: MultipoleResult) => `p = ${p}, d = ${d}`;

function speedTable(result: MultipoleResult, bodies: readonly BodySpeed[]): Table {
  return {
    title: `Random points at ${settings(result)}: potentials of multipole and direct sum, flags of the others (median, least and most of ${result.options.repeat})`,
    columns: [
      'body',
      'triangles',
      'way',
      'points',
      'Mpt/s',
      'least',
      'most',
      'ns/point',
      'processor ns/point',
    ],
    names: [0, 2],
    rows: eachWay(result, bodies, ({ ways }, key) => {
      const way = ways[key];
      if (way === undefined) return undefined;
      const { median, min, max } = way.pointsPerSecond;
      const rates = [median, min, max].map((rate) => shortNumber(rate / 1e6));
      return [
        formatCount(way.points),
        ...rates,
        shortNumber(1e9 / median),
        shortNumber(1e9 * way.processorSecondsPerPoint),
      ];
    }),
  };
}

function ratioTable(result: MultipoleResult, bodies: readonly BodySpeed[]): Table {
  return {
    title: `How many times as fast per point as the others, in the same rounds, at ${settings(result)}`,
    columns: ['body', 'triangles', 'way', ...RIVALS.map((rival) => `x ${labelOf(result, rival)}`)],
    names: [0, 2],
    rows: eachWay(result, bodies, ({ ways }, key) => {
      const ratios = ways[key]?.ratios ?? {};
      if (Object.keys(ratios).length === 0) return undefined;
      return RIVALS.map((rival) => (ratios[rival] === undefined ? '-' : ratioLabel(ratios[rival])));
    }),
  };
}

function accuracyTable(result: MultipoleResult, bodies: readonly BodySpeed[]): Table {
  return {
    title: `Error of J, and points whose flag its bound leaves open, at ${settings(result)}; wrong flags and broken bounds end a run`,
    columns: [
      'body',
      'triangles',
      'way',
      'points',
      'largest error',
      'off by a turn',
      'largest of the others',
      'rms error',
      'largest bound',
      'mean bound',
      'doubtful',
    ],
    names: [0, 2],
    rows: eachWay(result, bodies, ({ ways }, key) => {
      const accuracy = ways[key]?.accuracy;
      return (
        accuracy && [
          formatCount(accuracy.points),
          errorText(accuracy.largestError),
          formatCount(accuracy.turns),
          errorText(accuracy.smallError),
          errorText(accuracy.rmsError),
          errorText(accuracy.largestBound),
          errorText(accuracy.meanBound),
          percent(accuracy.doubtful),
        ]
      );
    }),
  };
}

const stageCell = ({ seconds: taken, beside }: Stage) => (beside ? `(${seconds(taken)})` : seconds(taken));

function setUpTables(result: MultipoleResult, bodies: readonly BodySpeed[]): Table[] {
  const trees: Table = {
    title: `Trees that the cost models choose for ${formatCount(result.options.points)} points at ${settings(result)}`,
    columns: [
      'body',
      'triangles',
      'way',
      'finest level',
      'cells',
      'interactions',
      'near-field triangles per point',
    ],
    names: [0, 2],
    rows: eachWay(result, bodies, ({ trees }, key) => {
      const own = (trees as Partial<Record<SpeedKey, TreeFigures>>)[key];
      if (own === undefined) return undefined;
      const { level, cells, interactions, nearTriangles } = own;
      return [`${level}`, formatCount(cells), formatCount(interactions), shortNumber(nearTriangles)];
    }),
  };
  const totals: Table = {
    title: `Set-up in seconds (median of ${result.options.setUpRepeat}) and memory`,
    columns: ['body', 'triangles', 'way', 'total', 'us/triangle', 'tables', 'GPU'],
    names: [0, 2],
    rows: eachWay(result, bodies, ({ setUp, triangles }, key) => {
      const one = setUp[key];
      if (one === undefined) return undefined;
      const { median } = one.total;
      return [
        seconds(median),
        shortNumber((1e6 * median) / triangles),
        bytes(one.tableBytes),
        bytes(one.gpuBytes),
      ];
    }),
  };
  const stages = result.ways.map(({ key, label }): Table => {
    const names = bodies[0]?.setUp[key]?.stages.map(({ name }) => name) ?? [];
    return {
      title: `Set-up of ${label} by stage, in seconds (in brackets: on the host beside the GPU, no part of the total)`,
      columns: ['body', 'triangles', ...names],
      names: [0],
      rows: bodies.flatMap(({ name, triangles, setUp }) => {
        const one = setUp[key];
        return one === undefined ? [] : [[name, formatCount(triangles), ...one.stages.map(stageCell)]];
      }),
    };
  });
  return [trees, totals, ...stages];
}

const totalCell = (trial: DepthTrial | undefined) => (trial === undefined ? '-' : seconds(totalOf(trial)));

function depthTable(result: MultipoleResult, { way, cases }: DepthStudy): Table {
  const of = ({ trials }: DepthCase, depth: DepthTrial['depth']) =>
    trials.find((trial) => trial.depth === depth);
  return {
    title: `Choice of depth: seconds of set-up and evaluation of M random points, ${labelOf(result, way)}, ${settings(result)} (wanted: auto at most ${WANTED_AUTO_OVER_BEST} of the best)`,
    columns: [
      'body',
      'N',
      'M',
      'best depth',
      'its s',
      'auto s',
      'auto / best',
      'well-chosen s',
      'pre-chosen s',
      '',
    ],
    names: [0, 9],
    rows: cases.map((one) => [
      one.name,
      formatCount(one.triangles),
      formatCount(one.points),
      `${one.best}`,
      totalCell(of(one, one.best)),
      totalCell(of(one, 'auto')),
      shortNumber(one.autoOverBest),
      totalCell(of(one, 'well-chosen')),
      totalCell(of(one, 'pre-chosen')),
      one.autoOverBest <= WANTED_AUTO_OVER_BEST ? '' : 'above',
    ]),
  };
}

function trialTable({ cases }: DepthStudy): Table {
  return {
    title: 'All depths that were tried',
    columns: [
      'body',
      'M',
      'depth',
      'finest level',
      'interactions',
      'near triangles',
      'set-up s',
      'evaluation s',
      'total s',
    ],
    names: [0, 2],
    rows: cases.flatMap(({ name, points, trials }) =>
      trials.map(({ depth, trees, setUpSeconds, evaluateSeconds }, i) => [
        i === 0 ? name : '',
        i === 0 ? formatCount(points) : '',
        `${depth}`,
        `${trees.level}`,
        formatCount(trees.interactions),
        shortNumber(trees.nearTriangles),
        seconds(setUpSeconds),
        seconds(evaluateSeconds),
        seconds(setUpSeconds + evaluateSeconds),
      ]),
    ),
  };
}

function openTable(result: MultipoleResult, open: readonly OpenResult[]): Table {
  return {
    title: 'Holes: flags J > 1/2 after random triangles have been removed, against those of the closed body',
    columns: [
      'body',
      'triangles',
      'removed',
      'way',
      'p',
      'd',
      'points',
      'flags changed',
      'doubtful',
      'misplaced',
      'left out',
      'largest error',
      'set-up s',
      'Mpt/s',
    ],
    names: [0, 3],
    rows: open.map((one) => [
      one.name,
      formatCount(one.triangles),
      formatCount(one.removed),
      labelOf(result, one.way),
      `${one.p}`,
      `${one.d}`,
      formatCount(one.points),
      formatCount(one.changed),
      formatCount(one.doubtful),
      formatCount(one.misplaced),
      formatCount(one.leftOut),
      errorText(one.largestError),
      seconds(one.setUpSeconds),
      shortNumber(one.points / one.evaluateSeconds / 1e6),
    ]),
  };
}

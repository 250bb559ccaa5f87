/** What `bench inside` found, in tables. */
import type { Spread } from '../src/bench/report.ts';
import { formatBytes, formatCount } from '../src/cli/format.ts';
import type { Bandwidth } from './bandwidth.ts';
import { shortNumber } from './chart.ts';
import { ratioLabel } from './chart-bars.ts';
import type { Machine } from './machine.ts';
import type { BodyResult, SetResult, SetUp } from './measure-body.ts';
import type { Table } from './output.ts';

/** The JSON of a run; docs/benchmarks.md explains it. */
export interface InsideResult {
  readonly schema: 'scree-bench-inside/1';
  readonly machine: Machine;
  readonly options: {
    readonly quick: boolean;
    readonly repeat: number;
    readonly setUpRepeat: number;
    readonly pointsPerSet: number;
    readonly exactSample: number;
  };
  readonly ways: readonly {
    readonly key: string;
    readonly label: string;
    readonly kind: 'scree' | 'peer' | 'yardstick';
    /** The first set-up in the process on a body of 8 triangles: mostly compiling kernels. */
    readonly firstSetUpSeconds: number;
  }[];
  readonly bandwidth: Bandwidth;
  readonly bodies: readonly BodyResult[];
  /** Spheres of growing size, random points only. */
  readonly growth: readonly BodyResult[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Of the whole process, all bodies and ways together. */
  readonly peakRssBytes: number;
}

const millions = ({ median }: Spread) => shortNumber(median / 1e6);
const seconds = ({ median }: Spread) => (median < 0.0995 ? median.toFixed(4) : median.toFixed(2));
const bytes = (count: number) => (count === 0 ? '-' : formatBytes(count));

export function insideTables(result: InsideResult): Table[] {
  return [
    speedTable(result),
    spreadTable(result),
    stageTable(result),
    setUpTable(result),
    ...growthTables(result),
  ].filter(({ rows }) => rows.length > 0);
}

function labelOf({ ways }: InsideResult, key: string): string {
  return ways.find((way) => way.key === key)!.label;
}

/** A row for every body and way, the body named in the first of its rows only. */
function eachWay(
  result: InsideResult,
  cells: (body: BodyResult, key: string) => readonly string[] | undefined,
): string[][] {
  return result.bodies.flatMap((body) => {
    const keys = result.ways.map(({ key }) => key);
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

function speedTable(result: InsideResult): Table {
  const sets = result.bodies[0]?.sets ?? [];
  return {
    title: `Millions of points per second, from the call to the flags (median of ${result.options.repeat}), and how many times as fast as three-mesh-bvh and as the copy kernel in the same rounds`,
    columns: [
      'body',
      'triangles',
      'way',
      ...sets.flatMap(({ name }) => [`${name} Mpt/s`, 'x bvh', 'x copy', 'wrong']),
    ],
    names: [0, 2],
    rows: eachWay(result, (body, key) =>
      body.sets.flatMap(({ ways }) => {
        const way = ways[key];
        return [
          millions(way.pointsPerSecond),
          ratioLabel(way.ratioToPeer),
          ratioLabel(way.ratioToCopy),
          key === 'copy' ? '-' : formatCount(way.wrong),
        ];
      }),
    ),
  };
}

function spreadTable(result: InsideResult): Table {
  const range = ({ min, max }: Spread) => `${shortNumber(min / 1e6)} .. ${shortNumber(max / 1e6)}`;
  return {
    title: 'Least and most millions of points per second of the repetitions',
    columns: ['body', 'triangles', 'way', ...(result.bodies[0]?.sets ?? []).map(({ name }) => name)],
    names: [0, 2],
    rows: eachWay(result, (body, key) => body.sets.map(({ ways }) => range(ways[key].pointsPerSecond))),
  };
}

function stageTable(result: InsideResult): Table {
  const stages = ['upload', 'kernel', 'readback', 'exact', 'total'] as const;
  const cells = (way: SetResult) => [
    ...stages.map((stage) => seconds(way.seconds[stage])),
    seconds(way.processorSeconds),
    formatCount(way.resolvedExactly),
  ];
  return {
    title: `Where the seconds go: ${formatCount(result.options.pointsPerSet)} random points (on the CPU, kernel is the test itself)`,
    columns: ['body', 'triangles', 'way', ...stages, 'processor', 'settled exactly'],
    names: [0, 2],
    rows: eachWay(result, (body, key) => {
      const random = body.sets.find(({ name }) => name === 'random');
      return random && cells(random.ways[key]);
    }),
  };
}

function setUpTable(result: InsideResult): Table {
  const cells = (one: SetUp) => [
    seconds(one.check),
    seconds(one.build),
    seconds(one.total),
    ratioLabel(one.ratioToPeer),
    bytes(one.tableBytes),
    bytes(one.gpuBytes),
  ];
  return {
    title: `Set-up in seconds (median of ${result.options.setUpRepeat}), its ratio to three-mesh-bvh's, and memory`,
    columns: ['body', 'triangles', 'way', 'mesh check', 'build', 'total', 'x bvh', 'tables', 'GPU'],
    names: [0, 2],
    rows: eachWay(result, (body, key) => {
      const one = body.setUp[key];
      return one && cells(one);
    }),
  };
}

function growthTables(result: InsideResult): Table[] {
  const keys = result.ways.map(({ key }) => key);
  const prepared = result.ways.filter(({ kind }) => kind !== 'yardstick').map(({ key }) => key);
  const table = (
    title: string,
    shown: readonly string[],
    cell: (body: BodyResult, key: string) => number,
  ) => ({
    title,
    columns: ['triangles', ...shown.map((key) => labelOf(result, key))],
    names: [],
    rows: result.growth.map((body) => [
      formatCount(body.triangles),
      ...shown.map((key) => shortNumber(cell(body, key))),
    ]),
  });
  return [
    table(
      'Growth: nanoseconds per random point in the box of a sphere',
      keys,
      ({ sets }, key) => 1e9 / sets[0]!.ways[key].pointsPerSecond.median,
    ),
    table(
      'Growth: set-up of a sphere in milliseconds',
      prepared,
      ({ setUp }, key) => 1e3 * setUp[key]!.total.median,
    ),
  ];
}

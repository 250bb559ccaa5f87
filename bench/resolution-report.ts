/** What `bench resolution` found, in tables and a chart. */

import { type Look, shortNumber } from '../src/bench/chart.ts';
import { lineChart } from '../src/bench/chart-lines.ts';
import type { PointSet } from '../src/bench/points.ts';
import { formatBytes, formatCount } from '../src/cli/format.ts';
import { CELL_COST, PAIR_COST, POINT_COST_PER_PAIR } from '../src/inside/cell-grid/constants.ts';
import { least, type Measurement, type ModelConstants, modelCost } from './fit.ts';
import { type Machine, machineLines } from './machine.ts';
import type { Table } from './output.ts';

/** One resolution of one body. Times are the least of all rounds, on one thread. */
export interface Step extends Measurement {
  readonly cellsPerAxis: number;
  readonly pointsPerSecond: Readonly<Record<PointSet, number>>;
  readonly tableBytes: number;
}

export interface Sweep {
  readonly name: string;
  readonly triangles: number;
  /** Random points that the cost is counted for, by the model's own rule. */
  readonly pointsForeseen: number;
  readonly steps: readonly Step[];
  /** Cells per axis: the model's choice, and the best of the sweep. */
  readonly chosen: number;
  readonly best: number;
  /** By how much the model's choice costs more than the best. */
  readonly lossPercent: number;
}

/** The JSON of a run; docs/benchmarks.md explains it. */
export interface ResolutionResult {
  readonly schema: 'scree-bench-resolution/1';
  readonly machine: Machine;
  readonly options: {
    readonly quick: boolean;
    readonly repeat: number;
    readonly pointsPerSet: number;
  };
  readonly bodies: readonly Sweep[];
  /** Constants of the model that fit these measurements best. */
  readonly fitted: ModelConstants;
}

/** What counts: seconds to build, and to test so many random points. */
export function costOf({ buildSeconds, secondsPerRandomPoint }: Measurement, points: number): number {
  return buildSeconds + points * secondsPerRandomPoint;
}

export function resolutionTables(result: ResolutionResult): Table[] {
  return [...result.bodies.map(sweepTable), summaryTable(result), constantsTable(result)];
}

const percent = (part: number) => `${part.toFixed(1)} %`;

function sweepTable({ name, triangles, pointsForeseen, steps, chosen, best }: Sweep): Table {
  const cost = (step: Step) => costOf(step, pointsForeseen);
  const lowest = Math.min(...steps.map(cost));
  const note = (cells: number) =>
    [cells === chosen ? 'model' : '', cells === best ? 'best' : ''].filter((word) => word !== '').join(', ');
  return {
    title: `${name}, ${formatCount(triangles)} triangles: one thread, cost = build + ${formatCount(pointsForeseen)} random points`,
    columns: [
      'cells/axis',
      'pairs',
      'cells',
      'build s',
      'random Mpt/s',
      'near Mpt/s',
      'grid Mpt/s',
      'tables',
      'cost s',
      'over best',
      '',
    ],
    names: [10],
    rows: steps.map((step) => [
      `${step.cellsPerAxis}`,
      formatCount(step.pairs),
      formatCount(step.cells),
      shortNumber(step.buildSeconds),
      ...(['random', 'near', 'grid'] as const).map((set) => shortNumber(step.pointsPerSecond[set] / 1e6)),
      formatBytes(step.tableBytes),
      shortNumber(cost(step)),
      percent(100 * (cost(step) / lowest - 1)),
      note(step.cellsPerAxis),
    ]),
  };
}

function summaryTable({ bodies, fitted }: ResolutionResult): Table {
  return {
    title:
      'The model against the best of the sweep, with its constants and with fitted ones (among the steps)',
    columns: ['body', 'triangles', 'best', 'model', 'costs more', 'fitted', 'costs more'],
    names: [0],
    rows: bodies.map(({ name, triangles, pointsForeseen, steps, chosen, best, lossPercent }) => {
      const cost = (step: Step) => costOf(step, pointsForeseen);
      const pick = least(steps, (step) => modelCost(step, fitted, pointsForeseen));
      const lowest = Math.min(...steps.map(cost));
      return [
        name,
        formatCount(triangles),
        `${best}`,
        `${chosen}`,
        percent(lossPercent),
        `${pick.cellsPerAxis}`,
        percent(100 * (cost(pick) / lowest - 1)),
      ];
    }),
  };
}

function constantsTable({ fitted }: ResolutionResult): Table {
  const row = (name: string, now: string, found: number) => [name, now, shortNumber(found)];
  return {
    title: 'Constants in nanoseconds (src/constants.ts), and what fits these measurements',
    columns: ['constant', 'now', 'fitted'],
    names: [0],
    rows: [
      row('PAIR_COST', `${PAIR_COST}`, fitted.PAIR_COST),
      row('CELL_COST', `${CELL_COST}`, fitted.CELL_COST),
      row('POINT_COST_PER_PAIR', `${POINT_COST_PER_PAIR}`, fitted.POINT_COST_PER_PAIR),
      row('(per point)', '-', fitted.pointCost),
    ],
  };
}

const LOOKS: readonly Look[] = [
  { color: '#0072b2', marker: 'circle' },
  { color: '#e69f00', marker: 'diamond' },
  { color: '#8a3f73', marker: 'triangle' },
  { color: '#3b3b3b', marker: 'square' },
  { color: '#56b4e9', marker: 'cross' },
];

export function resolutionChart({ bodies, machine, options }: ResolutionResult): string {
  return lineChart({
    title: 'Cost of a body against the resolution of its cell grid',
    notes: [
      `Building the tables and testing as many random points as the cost model foresees, on one thread; least of ${options.repeat + 1}.`,
      'Ring: what the cost model chooses.',
      ...machineLines(machine),
    ],
    xLabel: 'cells along the longest extent',
    yLabel: 'seconds',
    lines: bodies.map(({ name, triangles, pointsForeseen, steps, chosen, lossPercent }, i) => ({
      name: `${name} (${formatCount(triangles)})`,
      note: `model ${lossPercent.toFixed(0)} % over the best`,
      look: LOOKS[i % LOOKS.length]!,
      points: steps.map((step) => ({ x: step.cellsPerAxis, y: costOf(step, pointsForeseen) })),
      ringed: steps
        .filter(({ cellsPerAxis }) => cellsPerAxis === chosen)
        .map((step) => ({ x: step.cellsPerAxis, y: costOf(step, pointsForeseen) })),
    })),
  });
}

/** What runs of a sweep come to: a table, and charts of columns over parameters. */
import type { Chart, ChartSeries } from '../chart.ts';
import { type Column, meanOf, spreadOf } from './columns.ts';
import type { SweepTask } from './design.ts';
import type { Parameter, Sweep } from './sweep.ts';

export interface CollectedRun {
  readonly task: SweepTask;
  readonly state: string;
  /** One for each column: not a number where there is none. */
  readonly values: readonly number[];
}

/** Runs that differ in nothing but their repetition. */
export interface Combination {
  readonly parameters: SweepTask['parameters'];
  readonly runs: number;
  /** One for each column. Not a number where there is none. */
  readonly means: readonly number[];
  /** Standard deviations. Not a number of less than two runs. */
  readonly spreads: readonly number[];
}

const UNITS: Readonly<Record<string, string>> = { angleOfRepose: 'degrees' };
/** Colours of charts. More combinations of other parameters are drawn as one. */
const MOST_COLORS = 7;

/** A row for each task. Cells of runs that do not count are empty. */
export function tableCsv(
  { parameters }: Sweep,
  columns: readonly Column[],
  runs: readonly CollectedRun[],
): string {
  const names = parameters.map(({ name }) => name);
  const head = ['task', 'state', ...names, 'repetition', 'seed', ...columns.map(({ name }) => name)];
  const rows = runs.map(({ task: { task, parameters, repetition, seeds }, state, values }) => [
    ...[task, state, ...names.map((name) => parameters[name])],
    ...[repetition, seeds[0] ?? '', ...values.map((value) => (Number.isFinite(value) ? value : ''))],
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param runs those that count */
export function combinationsOf(columns: readonly Column[], runs: readonly CollectedRun[]): Combination[] {
  return [...groupedBy(runs, ({ task }) => JSON.stringify(task.parameters)).values()].map((own) => ({
    parameters: own[0]!.task.parameters,
    runs: own.length,
    means: columns.map((_, k) => meanOf(valuesOf(own, k))),
    spreads: columns.map((_, k) => spreadOf(valuesOf(own, k))),
  }));
}

/**
 * Each column over each parameter that varies in numbers: dots of runs, and where values come again lines of means with
 * their standard deviations. Other parameters that have values of their own are told apart by colour.
 *
 * @param runs those that count
 */
export function chartsOf(
  { parameters }: Sweep,
  columns: readonly Column[],
  runs: readonly CollectedRun[],
): Chart[] {
  const varied = parameters.filter(({ name }) => groupedBy(runs, keyOf([name])).size > 1);
  const numeric = varied.filter(({ name }) =>
    runs.every(({ task }) => typeof task.parameters[name] === 'number'),
  );
  return columns.flatMap(({ name }, k) => {
    const found = runs.filter(({ values }) => Number.isFinite(values[k]));
    if (found.length === 0) return [];
    return numeric.map((parameter) => {
      const others = varied.flatMap((one) => (one === parameter || one.kind === 'samples' ? [] : [one.name]));
      const groups = groupedBy(found, keyOf(others));
      const isMany = groups.size > MOST_COLORS;
      const drawn = isMany ? new Map([['', found]]) : groups;
      const isLogX =
        parameter.kind !== 'values' && parameter.scale === 'log' ? ({ isLogX: true } as const) : {};
      return {
        ...{
          title: `${name} over ${parameter.name}${isMany ? `, any ${others.join(', ')}` : ''}`,
          ...isLogX,
        },
        ...{ x: parameter.name, y: UNITS[name] === undefined ? name : `${name} (${UNITS[name]})` },
        series: [...drawn].flatMap(([label, own], color) =>
          seriesOf(parameter, own, k, { name: label || 'runs', color }),
        ),
      };
    });
  });
}

function seriesOf(
  { name, kind }: Parameter,
  runs: readonly CollectedRun[],
  column: number,
  look: Pick<ChartSeries, 'name' | 'color'>,
): ChartSeries[] {
  const at = ({ task }: CollectedRun) => task.parameters[name] as number;
  const points = runs.map((run) => [at(run), run.values[column]!] as const);
  if (kind === 'samples') return [{ ...look, look: 'dots', points }];
  const places = [...groupedBy(runs, at)].sort(([a], [b]) => a - b);
  return [
    { ...look, look: 'runs', points },
    {
      ...{ ...look, look: 'line' },
      points: places.map(([x, own]) => [x, meanOf(valuesOf(own, column))]),
      spread: places.map(([, own]) => spreadOf(valuesOf(own, column))),
    },
  ];
}

const valuesOf = (runs: readonly CollectedRun[], column: number) =>
  runs.map(({ values }) => values[column]!).filter(Number.isFinite);

/** Values of some parameters, in words. */
function keyOf(names: readonly string[]) {
  return ({ task }: CollectedRun) =>
    names.map((name) => `${name} ${JSON.stringify(task.parameters[name])}`).join(', ');
}

function groupedBy<T, K>(list: readonly T[], key: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const own = groups.get(key(one));
    if (own === undefined) groups.set(key(one), [one]);
    else own.push(one);
  }
  return groups;
}

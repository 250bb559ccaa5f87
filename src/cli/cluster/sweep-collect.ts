/** `scree sweep DIR --collect`: one table and plots of all tasks of a sweep. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chartsSvg } from '../../chart.ts';
import type { CollectedRun, Combination } from '../../sweep/collect.ts';
import type { Column } from '../../sweep/columns.ts';
import type { SweepTask } from '../../sweep/design.ts';
import { inputError } from '../files.ts';
import { countOf, formatTable, ranges } from '../format.ts';
import { nameOf } from '../input.ts';
import { printJson, writeFileAtomically } from '../output.ts';
import { readMonitors } from '../simulate-record.ts';
import { knownColumns, readSweepFolder, readTask, SWEEP_FILE, stateOf, taskFolder } from './sweep-folder.ts';

/** In the folder of a sweep. */
const COLLECTED = { table: 'table.csv', plots: 'plots.svg' } as const;
/** Combinations that are printed. */
const MOST_ROWS = 40;

/** A task, and why it does not count if it does not. */
type Looked = CollectedRun & { readonly line?: string | undefined };

/** @param asked columns, or none for those that the sweep names */
export async function collectSweep(
  out: string,
  asked: readonly string[],
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { sweep, tasks, columns: own } = await readSweepFolder(out, signal);
  const { chartsOf, combinationsOf, tableCsv } = await import('../../sweep/collect.ts');
  const { columnOf } = await import('../../sweep/columns.ts');
  const named = new Set(asked);
  const known = await knownColumns(sweep);
  const columns = asked.length > 0 ? [...named].map((text) => columnOf(text, '--collect', known)) : own;
  const foreign = columns.find(
    ({ name, kind }) => kind === 'measure' && !own.some((one) => one.name === name),
  );
  if (foreign !== undefined) {
    throw await inputError(
      `--collect: found ${foreign.name}, expected a monitor: ` +
        `tasks measure what collect in ${join(out, SWEEP_FILE)} names`,
    );
  }
  if (columns.length === 0) {
    throw await inputError(
      `${join(out, SWEEP_FILE)}: collect is missing: name columns, such as --collect "kinetic last"`,
    );
  }
  const all: Looked[] = [];
  for (const task of tasks) all.push(await look(out, task, columns, signal));
  const runs = all.filter(({ state }) => state === 'done');
  const left = all.filter(({ state }) => state !== 'done');
  const states = [...new Set(left.map(({ state }) => state))];
  const leftOut = states
    .map((state) => `${left.filter((one) => one.state === state).length} ${state}`)
    .join(', ');
  if (runs.length === 0) {
    const line = left.find((one) => one.line !== undefined)?.line;
    const first = line === undefined ? '' : `; ${line}`;
    throw await inputError(`${out}: none of ${countOf(tasks.length, 'task')} is done (${leftOut})${first}`);
  }
  await writeFileAtomically(join(out, COLLECTED.table), tableCsv(sweep, columns, all), { signal });
  const charts = chartsOf(sweep, columns, runs);
  const plots = join(out, COLLECTED.plots);
  if (charts.length === 0) await rm(plots, { force: true });
  else {
    const heading = [
      `${runs.length} of ${countOf(tasks.length, 'run')}${leftOut === '' ? '' : `, left out: ${leftOut}`}`,
      'Dots: runs. Lines: means, bars: standard deviations of runs.',
    ];
    const title = nameOf(out);
    await writeFileAtomically(plots, chartsSvg(charts, title, heading), { signal });
  }
  const told = {
    ...{ tasks: tasks.length, done: runs.length, columns: columns.map(({ name }) => name) },
    leftOut: left.map(({ task: { task }, state, line }) => ({ task, state, ...(line && { line }) })),
    ...{ table: join(out, COLLECTED.table), plots: charts.length === 0 ? null : plots },
  };
  const combinations = combinationsOf(columns, runs);
  if (json) printJson({ ...told, combinations });
  else process.stdout.write(summary(out, told, combinations));
}

async function look(
  out: string,
  task: SweepTask,
  columns: readonly Column[],
  signal: AbortSignal,
): Promise<Looked> {
  const none = columns.map(() => Number.NaN);
  signal.throwIfAborted();
  try {
    const record = await readTask(out, task.task);
    if (record?.state !== 'done') {
      const state = record === undefined ? 'missing' : await stateOf(out, record);
      return { task, state, line: record?.line, values: none };
    }
    return { task, state: 'done', values: await valuesOf(out, task.task, columns, record.measures, signal) };
  } catch (error) {
    signal.throwIfAborted();
    // Such as a file that somebody has changed: other tasks do not depend on it.
    return { task, state: 'unusable', line: (error as Error).message, values: none };
  }
}

async function valuesOf(
  out: string,
  task: number,
  columns: readonly Column[],
  measures: Readonly<Record<string, number | null>> = {},
  signal: AbortSignal,
): Promise<number[]> {
  const { statisticOf } = await import('../../sweep/columns.ts');
  const folder = taskFolder(out, task);
  const rows = columns.some(({ kind }) => kind === 'monitor') ? await readMonitors(folder, signal) : [];
  const values: number[] = [];
  for (const column of columns) {
    if (column.kind === 'monitor') {
      values.push(statisticOf(column, rows));
      continue;
    }
    const value = measures[column.measure];
    if (value === undefined) {
      throw await inputError(`has no ${column.measure}: tasks measure what collect in their sweep names`);
    }
    values.push(value ?? Number.NaN);
  }
  return values;
}

interface Told {
  readonly tasks: number;
  readonly done: number;
  readonly columns: readonly string[];
  readonly leftOut: readonly { task: number; state: string; line?: string | undefined }[];
  readonly table: string;
  readonly plots: string | null;
}

function summary(out: string, told: Told, combinations: readonly Combination[]): string {
  const { tasks, done, columns, leftOut, table, plots } = told;
  const names = Object.keys(combinations[0]!.parameters);
  const shown = combinations.slice(0, MOST_ROWS);
  const rows = shown.map(({ parameters, runs, means, spreads }) => [
    ...names.map((name) => JSON.stringify(parameters[name])),
    ...[`${runs}`, ...means.map((mean, k) => withSpread(mean, spreads[k]!))],
  ]);
  const missing = leftOut.filter(({ state }) => state === 'missing').map(({ task }) => task);
  const lines = leftOut
    .filter(({ state }) => state !== 'missing')
    .map(({ task, state, line }) => `task ${task} ${state}${line ? `: ${line}` : ''}`);
  if (missing.length > 0) lines.push(`missing: ${ranges(missing)}`);
  return [
    `${out}\n`,
    `${done} of ${countOf(tasks, 'task')}`,
    '',
    formatTable([[...names, 'runs', ...columns], ...rows]),
    ...(shown.length < combinations.length ? [`... ${table} has all ${combinations.length}`] : []),
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
    `wrote ${table}`,
    plots === null ? 'no plots: no parameter varies in numbers, or no column has any' : `wrote ${plots}`,
    '',
  ].join('\n');
}

/** `31.2 ± 1.1`: the standard deviation, where there are two runs or more. */
function withSpread(mean: number, spread: number): string {
  if (Number.isNaN(mean)) return 'none';
  const [value, off] = [mean, spread].map((x) => Number(x.toPrecision(3)).toString());
  return Number.isNaN(spread) ? value! : `${value} ± ${off}`;
}

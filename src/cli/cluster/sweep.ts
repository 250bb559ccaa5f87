/** `scree sweep`: a scene, and what varies in it, as tasks that run by themselves. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { SweepTask } from '../../sweep/design.ts';
import { DASH, inputError, isFileFailure, requireWritableFolder } from '../files.ts';
import { countOf, formatTable } from '../format.ts';
import { interruptSignal } from '../interrupt.ts';
import {
  adapterOption,
  backendOption,
  jsonOption,
  stopAfterOption,
  threadsOption,
  wholeNumber,
  withCommonOptions,
} from '../options.ts';
import { printJson } from '../output.ts';
import { openProgress } from '../progress.ts';
import { type Parent, reportToParent } from './sweep-child.ts';
import { collectSweep } from './sweep-collect.ts';
import {
  exists,
  isFolder,
  type OpenSweep,
  prepareFolder,
  readSweep,
  readTask,
  requireSoundScenes,
  SWEEP_FILE,
  stateOf,
  taskFolder,
} from './sweep-folder.ts';
import { type JobFlags, runJobs } from './sweep-jobs.ts';
import { runTask } from './sweep-task.ts';

interface SweepFlags extends Omit<JobFlags, 'out' | 'jobs'> {
  readonly out?: string;
  readonly task?: number;
  readonly jobs?: number;
  readonly list?: boolean;
  readonly stopAfter?: number;
  readonly collect?: true | readonly string[];
}

const MOST_TASKS = 1_000_000;
const MOST_JOBS = 1024;
/** Of all cores: starting a process takes a third of it. */
const SHORT_MICROSECONDS = 1e6;

export function addSweep(program: Command): void {
  const command = program
    .command('sweep')
    .summary('a scene with parameters that vary, as tasks')
    .description(
      'Runs a scene once for each combination of the parameters that the sweep names (docs/cluster.md). Each task ' +
        'has a folder of its own, goes on from its checkpoint when it is started again, and is not run again when ' +
        'it is done.',
    )
    .argument('<sweep>', 'sweep file: .json; or the folder of a sweep that was begun')
    .option('--out <folder>', 'folder of the sweep, made if it is missing (default: that which is named)')
    .option('--task <i>', 'only this task, from 1', wholeNumber(1, MOST_TASKS))
    .option('--jobs <k>', 'so many tasks at once on this machine (default: 1)', wholeNumber(1, MOST_JOBS))
    .option('--list', 'print what would run, and run nothing')
    .option(
      '--collect [columns...]',
      'make one table and plots of all tasks in a folder; columns other than the sweep names: angleOfRepose ' +
        '(degrees), or a monitor and first, last, mean, min, max or sd, such as "kinetic mean from 2"',
    )
    .option('--retry', 'also tasks that have failed, from their beginning')
    .addOption(stopAfterOption())
    .addOption(backendOption())
    .addOption(adapterOption())
    .addOption(threadsOption('most threads of all tasks at once', ' for each'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree sweep sweep.json --list
  scree sweep sweep.json --out study --jobs 4
  scree sweep sweep.json --out study --task 17 --stop-after 3600
  scree sweep study --list
  scree sweep study --collect
  scree sweep study --collect "kinetic last" "contacts mean from 2"

Exit code 75: tasks are not done yet, and go on when the command is given again.`,
    )
    .action((path: string, flags: SweepFlags) => sweep(path, flags, command));
  withCommonOptions(command);
}

async function sweep(path: string, flags: SweepFlags, command: Command): Promise<void> {
  const { task, jobs, list, collect } = flags;
  if (collect !== undefined) {
    const other = (['out', 'task', 'jobs', 'list', 'retry', 'stopAfter'] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (other !== undefined) {
      const option = command.options.find((one) => one.attributeName() === other)!.long;
      command.error(`error: --collect and ${option}: expected one of them`);
    }
    await collectSweep(path, collect === true ? [] : collect, flags.json ?? false, interruptSignal());
    return;
  }
  if (task !== undefined && jobs !== undefined) {
    command.error('error: --task and --jobs: expected one of them');
  }
  if (path === DASH) throw await inputError(`${path}: expected the name of a file: tasks read it again`);
  const isBegun = await isFolder(path);
  if (isBegun && flags.out !== undefined && resolve(flags.out) !== resolve(path)) {
    command.error(`error: ${path} and --out ${flags.out}: expected one folder`);
  }
  const out = isBegun ? path : flags.out;
  if (out === undefined && !list) command.error("error: required option '--out <folder>' not specified");
  const signal = interruptSignal(flags);
  const opened = await readSweep(path, signal);
  const one = task === undefined ? undefined : opened.tasks[task - 1];
  if (task !== undefined && one === undefined) {
    throw await inputError(`${path}: task ${task} asked for, expected 1 to ${opened.tasks.length}`);
  }
  if (list) {
    const isChecked = out !== undefined && (await exists(join(out, SWEEP_FILE)));
    if (!isChecked) await requireSoundScenes(opened, signal);
    return printList(opened, one === undefined ? opened.tasks : [one], { out, json: flags.json ?? false });
  }
  await requireWritableFolder(out!);
  await prepareFolder(out!, opened, signal);
  const own = { ...flags, out: out! };
  if (one === undefined) await runJobs(opened, { ...own, jobs: jobs ?? 1 }, signal);
  else await runOne(opened, one, own, signal);
}

async function runOne(
  opened: OpenSweep,
  task: SweepTask,
  flags: SweepFlags & { readonly out: string },
  signal: AbortSignal,
): Promise<void> {
  const parent = reportToParent();
  if (parent !== undefined) return runForParent(opened, task, flags, signal, parent);
  const progress = await openProgress(flags, 'steps');
  try {
    const { record, skipped } = await runTask(opened, task, flags, { signal, progress });
    progress.stop();
    const folder = taskFolder(flags.out, task.task);
    if (flags.json) printJson({ ...record, skipped, out: folder });
    else if (skipped) process.stdout.write(`task ${task.task} is done: not run again\n`);
    else
      process.stdout.write(`task ${task.task} of ${opened.tasks.length}: ${told(task)}\n\nwrote ${folder}\n`);
  } finally {
    progress.stop();
  }
}

/** A task, and others after it while they are short: starting a process takes longer than they do. */
async function runForParent(
  opened: OpenSweep,
  first: SweepTask,
  flags: SweepFlags & { readonly out: string },
  signal: AbortSignal,
  parent: Parent,
): Promise<void> {
  for (let task: SweepTask | undefined = first; task !== undefined; ) {
    const before = process.cpuUsage();
    try {
      await runTask(opened, task, flags, { signal, progress: parent });
    } catch (error) {
      if (isFileFailure(error)) parent.noRoom();
      throw error;
    }
    const { user, system } = process.cpuUsage(before);
    if (user + system >= SHORT_MICROSECONDS) return;
    const next = await parent.next();
    task = next === undefined ? undefined : opened.tasks[next - 1];
  }
}

/** The parameters of a task in words. */
function told({ parameters, repetition, seeds }: SweepTask): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [...values, `repetition ${repetition}`, ...seeds.slice(0, 1).map((seed) => `seed ${seed}`)].join(
    ', ',
  );
}

async function printList(
  { path, sweep: { parameters } }: OpenSweep,
  tasks: readonly SweepTask[],
  { out, json }: { readonly out: string | undefined; readonly json: boolean },
): Promise<void> {
  const rows: { task: SweepTask; state: string }[] = [];
  for (const task of tasks) {
    // One with a damaged file is no reason to list none.
    const record = out === undefined ? undefined : await readTask(out, task.task).catch(() => null);
    rows.push({ task, state: record === null ? 'damaged' : record ? await stateOf(out!, record) : 'new' });
  }
  if (json) {
    const all = rows.map(({ task: { seeds, ...task }, state }) => ({ ...task, seed: seeds[0], state }));
    printJson({ count: tasks.length, tasks: all });
    return;
  }
  const names = parameters.map(({ name }) => name);
  const hasSeeds = tasks[0]!.seeds.length > 0;
  const table = formatTable([
    ['task', 'state', ...names, 'repetition', ...(hasSeeds ? ['seed'] : [])],
    ...rows.map(({ task, state }) => [
      ...[`${task.task}`, state],
      ...names.map((name) => JSON.stringify(task.parameters[name])),
      ...[`${task.repetition}`, ...task.seeds.slice(0, 1).map(String)],
    ]),
  ]);
  process.stdout.write(`${path}\n\n${table}\n\n${countOf(tasks.length, 'task')}\n`);
}

/** `scree slurm`: batch scripts for shards of points and for sweeps. */
import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { addClassify } from '../classify.ts';
import { inputError, requireReadableFile, requireWritableFolder, requireWritablePath } from '../files.ts';
import { countOf } from '../format.ts';
import { interruptSignal } from '../interrupt.ts';
import { suffixOf, wholeNumber, withCommonOptions } from '../options.ts';
import { writeFileAtomically } from '../output.ts';
import { addWinding } from '../winding.ts';
import { type Batch, type BatchOptions, batchScript, elementsOf } from './batch-script.ts';
import { MOST_SHARDS } from './shards.ts';
import { addSweep } from './sweep.ts';
import { readSweep } from './sweep-folder.ts';

/** A name, number or list as `sbatch` takes it: it stands in a line of a script. */
const PLAIN = /^[\w.,:+/@=-]+$/;
const DEFAULT_AHEAD = 60;

interface SlurmFlags extends BatchOptions {
  readonly out: string;
  readonly script?: string;
  readonly submit?: boolean;
}

interface ShardsFlags extends SlurmFlags {
  readonly points: string;
  readonly bounds?: string;
  readonly shards: number;
}

export function addSlurm(program: Command): void {
  const slurm = program
    .command('slurm')
    .summary('write a batch script for Slurm: shards of points, or a sweep')
    .description(
      'Write one batch script for Slurm: an array of the tasks of a command, and a job behind it that puts together ' +
        'what they made. Tasks save before their time limit and go on when they run again. docs/cluster.md tells more.',
    )
    .addHelpText(
      'after',
      `
Examples:
  scree slurm classify part.body --points p.npy --out f.npy --shards 64 --time 1:00:00 --cpus 4 --submit
  scree slurm sweep repose-sweep.json --out s --time 30:00 --cpus 2 --array-limit 100
  bash s.sbatch                       # hands it to Slurm`,
    );
  addShards(slurm, addClassify, 'classify');
  addShards(slurm, addWinding, 'winding');
  addTasks(slurm);
  withCommonOptions(slurm);
}

type Add = (program: Command) => void;

/** The command of that name with its own options, but for some, and with Slurm's. */
function borrowed(slurm: Command, add: Add, name: string, without: readonly string[]): Command {
  add(slurm);
  const command = slurm.commands.find((one) => one.name() === name)!;
  // Its examples are those of the command without Slurm.
  (command as unknown as EventEmitter).removeAllListeners('afterHelp');
  (command.options as (typeof command.options)[number][]).splice(
    0,
    Infinity,
    ...command.options.filter((option) => !without.includes(option.attributeName())),
  );
  return command
    .option('--partition <name>', 'where jobs run', plain)
    .option('--account <name>', 'whom they are for', plain)
    .option('--time <limit>', 'time limit of an element of the array, as of sbatch', plain)
    .option('--cpus <n>', 'cores per task', wholeNumber(1, 1024))
    .option('--mem <size>', 'memory per task, as of sbatch', plain)
    .option('--gres <list>', 'as gpu:1, as of sbatch', plain)
    .option('--array-limit <n>', 'most elements that run at once', wholeNumber(1, 1e6))
    .option('--per-job <n>', 'tasks of an element, one after the other', wholeNumber(1, 1e6))
    .option(
      '--signal-ahead <seconds>',
      'how long before its time limit a task saves',
      wholeNumber(1, 65_535),
      DEFAULT_AHEAD,
    )
    .option('--script <file>', 'the script to write (default: that of --out with .sbatch behind it)')
    .option('--submit', 'hand it to Slurm at once');
}

function addShards(slurm: Command, add: Add, name: 'classify' | 'winding'): void {
  const without = [
    'grid',
    'margin',
    'savePoints',
    'slice',
    'sliceAxis',
    'slicePlace',
    'shard',
    'json',
    'quiet',
  ];
  const command = borrowed(slurm, add, name, without)
    .summary(`shards of points: scree ${name} --shard, then scree merge`)
    .requiredOption('--shards <n>', 'number of shards', wholeNumber(1, MOST_SHARDS));
  command.action(async (mesh: string, flags: ShardsFlags) => {
    const { points, out, bounds, shards } = flags;
    const results = [out, bounds].filter((path) => path !== undefined);
    if (points === undefined) command.error("error: required option '--points <file>' not specified");
    if (results[0] === undefined) command.error("error: required option '--out <file>' not specified");
    for (const path of results) {
      suffixOf(path, '--out <file>', ['npy'], command);
      await requireWritablePath(path);
    }
    for (const path of [mesh, points]) await requireReadableFile(path);
    const files = ['points', 'out', 'bounds'];
    const merges = results.map((path) => ['merge', resolve(path), '--expect', `${shards}`, '--quiet']);
    await write(results[0]!, flags, {
      ...{ title: `${shards} shards of ${results.join(' and ')}`, name: `scree-${name}`, tasks: shards },
      saves: false,
      task: [name, resolve(mesh), ...argumentsOf(command, files), '--quiet'],
      taskOption: ['--shard', `$task/${shards}`],
      last: { name: 'merge', after: 'afterok', commands: merges },
    });
  });
}

function addTasks(slurm: Command): void {
  const without = ['task', 'jobs', 'list', 'collect', 'json', 'quiet'];
  const command = borrowed(slurm, addSweep, 'sweep', without).summary(
    'the tasks of a sweep, then scree sweep --collect',
  );
  command.action(async (sweep: string, flags: SlurmFlags) => {
    const { out, cpus } = flags;
    if (out === undefined) command.error("error: required option '--out <folder>' not specified");
    await requireWritableFolder(out);
    const { tasks } = await readSweep(sweep, interruptSignal());
    const threads =
      cpus === undefined || command.getOptionValueSource('threads') ? [] : ['--threads', `${cpus}`];
    await write(out, flags, {
      ...{ title: `${countOf(tasks.length, 'task')} of ${sweep}`, name: 'scree-sweep', tasks: tasks.length },
      saves: true,
      task: ['sweep', resolve(sweep), ...argumentsOf(command, ['out']), ...threads, '--quiet'],
      taskOption: ['--task', '$task'],
      // Tasks that failed are in the table, with their line.
      last: { name: 'collect', after: 'afterany', commands: [['sweep', resolve(out), '--collect']] },
    });
  });
}

/** The options that the user gave, but for Slurm's, as arguments. @param files those that are paths */
function argumentsOf(command: Command, files: readonly string[]): string[] {
  const own = ['partition', 'account', 'time', 'cpus', 'mem', 'gres', 'arrayLimit', 'perJob', 'signalAhead'];
  const ofSlurm = [...own, 'script', 'submit', 'shards'];
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    if (ofSlurm.includes(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    if (!option.required && !option.optional) return value === !option.negate ? [option.long!] : [];
    return [option.long!, files.includes(name) ? resolve(`${value}`) : `${value}`];
  });
}

async function write(
  out: string,
  flags: SlurmFlags,
  parts: Pick<Batch, 'title' | 'name' | 'task' | 'taskOption' | 'tasks' | 'saves' | 'last'>,
): Promise<void> {
  const script = flags.script ?? `${out}.sbatch`;
  const { time, signalAhead } = flags;
  if (time !== undefined && secondsOf(time) <= signalAhead) {
    throw await inputError(
      `--time ${time} found, expected more than the ${signalAhead} s of --signal-ahead: tasks would never end`,
    );
  }
  await requireWritablePath(script);
  const program = [process.execPath, resolve(process.argv[1]!)];
  const batch = { ...parts, program, logs: resolve(`${out}.slurm`), options: flags };
  await writeFileAtomically(script, batchScript(batch));
  const { elements, perJob } = elementsOf(batch);
  const each = perJob === 1 ? '' : `, ${perJob} tasks each`;
  process.stdout.write(
    `wrote ${script}: an array of ${countOf(elements, 'job')}${each}, then ${parts.last.name}\n`,
  );
  if (!flags.submit) {
    process.stdout.write(`hand it to Slurm: bash ${script}\n`);
    return;
  }
  const { ScreeError } = await import('../../index.ts');
  if (!(await isOnPath('sbatch'))) {
    throw new ScreeError(`no sbatch found on the PATH, expected Slurm's commands: ${script} is written`, 1);
  }
  await submit(script);
}

/** Runs the script by hand, as a user would. */
async function submit(script: string): Promise<void> {
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn('bash', [resolve(script)], { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', fail);
    child.on('close', done);
  });
  if (code === 0) return;
  const { ScreeError } = await import('../../index.ts');
  throw new ScreeError(`${script}: sbatch ended with exit code ${code}, and has said why`, 1);
}

async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** Of a time limit as `sbatch` takes it: minutes, minutes:seconds, hours:minutes:seconds, days-hours and so on. */
function secondsOf(time: string): number {
  const [, days, clock] = /^(?:(\d+)-)?(\d+(?::\d+){0,2})$/.exec(time) ?? [];
  // Such as UNLIMITED, which 0 means too. What is none at all, Slurm refuses.
  if (clock === undefined) return Infinity;
  const parts = clock.split(':').map(Number);
  const units = days !== undefined || parts.length === 3 ? [3600, 60, 1] : [60, 1];
  return parts.reduce((sum, part, k) => sum + part * units[k]!, 86_400 * Number(days ?? 0)) || Infinity;
}

function plain(text: string): string {
  if (PLAIN.test(text)) return text;
  throw new InvalidArgumentError('Expected a name or number without blanks.');
}

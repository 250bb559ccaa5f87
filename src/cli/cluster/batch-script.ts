/** A batch script for Slurm: an array of tasks, and a last job when they are done. */
import { TRY_AGAIN } from '../interrupt.ts';

/** What the user says of the jobs, as options of `sbatch`. */
export interface BatchOptions {
  readonly partition?: string;
  readonly account?: string;
  readonly time?: string;
  readonly cpus?: number;
  readonly mem?: string;
  readonly gres?: string;
  /** Elements of the array that run at once. */
  readonly arrayLimit?: number;
  /** Tasks of an element, one after the other. */
  readonly perJob?: number;
  /** Seconds before the time limit at which a task is to save. */
  readonly signalAhead: number;
}

export interface Batch {
  /** First line of the comment: what the script does. */
  readonly title: string;
  /** Of jobs, in lists of the queue. */
  readonly name: string;
  /** The program with its first arguments, before those of a command. */
  readonly program: readonly string[];
  /** Of a task, but for its number. */
  readonly task: readonly string[];
  /** The last two arguments of a task: an option and its value, in which `$task` stands for the number. */
  readonly taskOption: readonly [string, string];
  readonly tasks: number;
  /** Whether a task that is stopped goes on where it was. */
  readonly saves: boolean;
  /** The last job: when it runs, and the arguments of its commands. */
  readonly last: {
    readonly name: string;
    readonly after: 'afterok' | 'afterany';
    readonly commands: readonly (readonly string[])[];
  };
  /** Folder of what jobs print. */
  readonly logs: string;
  readonly options: BatchOptions;
}

/** Slurm's default for MaxArraySize is 1001, which indices stay below. */
const MOST_ELEMENTS = 1000;

/** Elements of the array, and tasks of each. */
export function elementsOf({ tasks, options }: Pick<Batch, 'tasks' | 'options'>) {
  const perJob = options.perJob ?? Math.ceil(tasks / MOST_ELEMENTS);
  return { elements: Math.ceil(tasks / perJob), perJob };
}

/**
 * The text of the script. Run by hand it submits itself and the last job; Slurm runs its tasks. A task that Slurm is
 * about to end saves and is queued again; so is one that stops early by itself (exit code 75).
 * Where tasks save nothing, an element is queued again as often as it has tasks at most.
 */
export function batchScript(batch: Batch): string {
  const { title, name, program, task, taskOption, tasks, saves, last, logs, options } = batch;
  const { elements, perJob } = elementsOf(batch);
  const { arrayLimit, partition, account, time, cpus, mem, gres, signalAhead } = options;
  const limit = arrayLimit === undefined ? '' : `%${arrayLimit}`;
  const given = [
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...(account === undefined ? [] : [`--account=${account}`]),
  ];
  const directives = [
    `--job-name=${name}`,
    `--array=1-${elements}${limit}`,
    ...given,
    ...(time === undefined ? [] : [`--time=${time}`]),
    ...(cpus === undefined ? [] : [`--cpus-per-task=${cpus}`]),
    ...(mem === undefined ? [] : [`--mem=${mem}`]),
    ...(gres === undefined ? [] : [`--gres=${gres}`]),
    '--requeue',
    '--open-mode=append',
    `--signal=B:USR1@${signalAhead}`,
  ];
  const together = last.commands.map((args) => [...program, ...args].map(quoted).join(' ')).join(' && ');
  const lastJob = [...given, `--job-name=${name}-${last.name}`].map(quoted).join(' ');
  // A task at least has to be done each time, or the element would never leave the queue.
  const again = saves
    ? ''
    : `  if [ "\${SLURM_RESTART_COUNT:-0}" -ge "$per_job" ]; then
    echo "a task does not end within the time limit: give it more, or take more and smaller shards" >&2
    exit 1
  fi
`;
  return `#!/bin/bash
# ${title.replaceAll(/\s+/g, ' ')}
# Run it by hand: it hands itself to Slurm, and behind it the job that runs ${last.name}. Tasks that are done are not
# done again, so it can be run again after a failure.
${directives.map((directive) => `#SBATCH ${directive}`).join('\n')}
set -u

scree=(${program.map(quoted).join(' ')})
task_arguments=(${task.map(quoted).join(' ')})
logs=${quoted(logs)}
tasks=${tasks}
per_job=${perJob}

if [ -z "\${SLURM_ARRAY_TASK_ID:-}" ]; then
  set -e
  mkdir -p "$logs"
  # In names of files, Slurm puts numbers for what follows a percent sign.
  output=\${logs//%/%%}
  array=$(sbatch --parsable --output="$output/%a.log" "$0")
  last=$(sbatch --parsable --dependency="${last.after}:\${array%%;*}" --kill-on-invalid-dep=yes \\
    ${lastJob} --output="$output/${last.name}.log" \\
    --wrap=${quoted(together)})
  echo "tasks: job \${array%%;*}"
  echo "${last.name}: job \${last%%;*}"
  echo "watch: squeue --jobs=\${array%%;*},\${last%%;*}"
  echo "what they print: $logs"
  exit
fi

# Passes a signal on, and waits for what the task saves.
end() {
  trap '' TERM USR1
  local running
  running=$(jobs -p)
  [ -z "$running" ] || { kill -TERM "$running" 2>/dev/null; wait "$running"; }
}
# The element goes back into the queue, and on from there.
again() {
${again}  scontrol requeue "$SLURM_JOB_ID"
  exit ${TRY_AGAIN}
}
# The time limit is near.
trap 'end; again' USR1
# Cancelled, or making room for another job: Slurm knows what follows.
trap 'end; exit 143' TERM

status=0
first=$(((SLURM_ARRAY_TASK_ID - 1) * per_job + 1))
for ((task = first; task < first + per_job && task <= tasks; task++)); do
  "\${scree[@]}" "\${task_arguments[@]}" ${quoted(taskOption[0])} "${taskOption[1]}" &
  wait "$!"
  code=$?
  if [ "$code" -eq ${TRY_AGAIN} ]; then again; fi
  if [ "$code" -ne 0 ]; then status=$code; fi
done
exit "$status"
`;
}

/** A word for the shell, in which nothing has a meaning. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `scree sweep --jobs`: tasks as processes of their own, several at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countOf, formatTable } from '../format.ts';
import { type Interrupted, STOPPED, TRY_AGAIN } from '../interrupt.ts';
import { printJson } from '../output.ts';
import { openProgress, type Progress } from '../progress.ts';
import type { ChildMessage, ParentMessage } from './sweep-child.ts';
import { type OpenSweep, readTask, TASK_FILES, taskFolder, writeTask } from './sweep-folder.ts';
import type { TaskFlags } from './sweep-task.ts';
import { isHeldHere } from './task-lock.ts';

export interface JobFlags extends TaskFlags {
  readonly jobs: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Threads of a process, where the user names none. */
const MOST_THREADS_EACH = 8;
/** Of what a child says on standard error, the end that is kept. */
const LONGEST_TAIL = 4000;

type Outcome =
  | { readonly kind: 'done' | 'skipped' | 'stopped' | 'elsewhere' }
  | { readonly kind: 'failed'; readonly line: string };

/**
 * Runs all tasks that are not done. A task that fails, or whose process is killed, leaves a line, and the others go on.
 *
 * @throws Interrupted when all children have saved
 */
export async function runJobs(opened: OpenSweep, flags: JobFlags, signal: AbortSignal): Promise<void> {
  const { jobs } = flags;
  const progress = await openProgress(flags, 'tasks');
  const outcomes = new Map<number, Outcome>();
  /** How far tasks are; undefined before they move. */
  const running = new Map<number, number | undefined>();
  const show = () => {
    const now = [...running].map(([task, fraction]) =>
      fraction === undefined ? `${task}` : `${task}: ${Math.floor(100 * fraction)} %`,
    );
    progress.update(outcomes.size, opened.tasks.length, now.length > 0 ? `, at work ${now.join(', ')}` : '');
  };
  const waiting = opened.tasks.map(({ task }) => task);
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined && !signal.aborted; task = waiting.shift()) {
      running.set(task, undefined);
      const outcome = await outcomeOf(opened, task, flags, {
        signal,
        onProgress: (fraction) => {
          running.set(task!, fraction);
          show();
        },
      });
      running.delete(task);
      outcomes.set(task, outcome);
      if (outcome.kind === 'failed') remark(progress, `task ${task}: ${outcome.line}`);
      show();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, opened.tasks.length) }, work));
  } finally {
    progress.stop();
  }
  report(outcomes, opened.tasks.length, flags);
  signal.throwIfAborted();
  if ([...outcomes.values()].some(({ kind }) => kind === 'failed')) process.exitCode = 1;
  else if ([...outcomes.values()].some(({ kind }) => kind === 'stopped' || kind === 'elsewhere'))
    process.exitCode = TRY_AGAIN;
}

function remark(progress: Progress, line: string): void {
  progress.stop();
  process.stderr.write(`scree: ${line}\n`);
}

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

async function outcomeOf(opened: OpenSweep, task: number, flags: JobFlags, watch: Watch): Promise<Outcome> {
  const { out, retry } = flags;
  const { signal } = watch;
  try {
    const before = await readTask(out, task);
    if (before?.state === 'done') return { kind: 'skipped' };
    if (before?.state === 'failed' && !retry) {
      return { kind: 'failed', line: `${before.line} (it failed before; --retry tries it again)` };
    }
    if (await isHeldHere(join(taskFolder(out, task), TASK_FILES.lock))) return { kind: 'elsewhere' };
    const { code, killedBy, said } = await runChild(opened, task, flags, watch);
    if (code === 0) return { kind: 'done' };
    if (code !== null && STOPPED.has(code)) return { kind: 'stopped' };
    const after = await readTask(out, task);
    if (killedBy === null) return { kind: 'failed', line: (after?.state === 'failed' && after.line) || said };
    const line = `its process was ended by ${killedBy}; it goes on when it is started again`;
    if (after?.state === 'running') await writeTask(out, { ...after, state: 'stopped', line });
    return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', line };
  } catch (error) {
    // Such as a task.json that somebody has changed: other tasks do not depend on it.
    return { kind: 'failed', line: (error as Error).message };
  }
}

interface ChildEnd {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly said: string;
}

/** Runs a task in a process of its own, with its share of the threads. */
function runChild(
  { path, tasks }: OpenSweep,
  task: number,
  flags: JobFlags,
  { signal, onProgress }: Watch,
): Promise<ChildEnd> {
  const { out, jobs, backend, adapter, retry } = flags;
  const each = (threads: number) => Math.max(1, Math.floor(threads / Math.min(jobs, tasks.length)));
  const threads =
    flags.threads === undefined
      ? Math.min(MOST_THREADS_EACH, each(availableParallelism()))
      : each(flags.threads);
  const args = [
    ...['sweep', path, '--out', out, '--task', `${task}`, '--quiet'],
    ...['--backend', backend, '--adapter', adapter, '--threads', `${threads}`],
    ...(retry ? ['--retry'] : []),
  ];
  return new Promise((settle, fail) => {
    // A group of its own: a terminal's Ctrl-C is for this process alone, which passes it on once.
    const child: ChildProcess = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    });
    const stop = () => {
      const { exitCode, message: line } = signal.reason as Interrupted;
      const message: ParentMessage = { exitCode, line };
      // A child that ends meanwhile needs no message.
      if (child.connected) child.send(message, () => {});
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-LONGEST_TAIL);
    });
    child.on('message', (message: ChildMessage) => onProgress(message.fraction));
    child.on('error', fail);
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop);
      const last = said.trimEnd().split('\n').at(-1) ?? '';
      settle({ code, killedBy, said: last.replace(/^scree: /, '') || `ended with exit code ${code}` });
    });
  });
}

function report(outcomes: ReadonlyMap<number, Outcome>, total: number, { out, json }: JobFlags): void {
  const of = (kind: Outcome['kind']) => [...outcomes].filter(([, outcome]) => outcome.kind === kind);
  const failed = of('failed').flatMap(([task, outcome]) =>
    outcome.kind === 'failed' ? [{ task, line: outcome.line }] : [],
  );
  const counts = {
    ...{ tasks: total, done: of('done').length, before: of('skipped').length },
    ...{ stopped: of('stopped').length, elsewhere: of('elsewhere').length, left: total - outcomes.size },
  };
  if (json) {
    printJson({ ...counts, failed, out });
    return;
  }
  const rows = [
    ['done', `${counts.done} of ${countOf(total, 'task')}`],
    ['done before', `${counts.before}`],
    ['stopped', `${counts.stopped}`],
    ['run elsewhere', `${counts.elsewhere}`],
    ['not begun', `${counts.left}`],
    ['failed', `${failed.length}`],
  ].filter(([what, count]) => what === 'done' || count !== '0');
  const lines = failed.map(({ task, line }) => `task ${task} failed: ${line}\n`).join('');
  process.stdout.write(`${out}\n\n${formatTable(rows)}\n${lines === '' ? '' : `\n${lines}`}`);
}

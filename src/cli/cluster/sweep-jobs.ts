/** `scree sweep --jobs`: tasks as processes of their own, several at a time. */

import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countOf, formatTable } from '../format.ts';
import { type Interrupted, STOPPED, TRY_AGAIN } from '../interrupt.ts';
import type { OutputFlags } from '../options.ts';
import { printJson } from '../output.ts';
import { openProgress, type Progress } from '../progress.ts';
import type { ChildMessage, ParentMessage } from './sweep-child.ts';
import { type OpenSweep, readTask, TASK_FILES, taskFolder, writeTask } from './sweep-folder.ts';
import type { TaskFlags } from './sweep-task.ts';
import { isHeldHere } from './task-lock.ts';

export interface JobFlags extends TaskFlags, OutputFlags {
  readonly jobs: number;
}

/** Threads of a process, where the user names none. */
const MOST_THREADS_EACH = 8;
/** Of what a child says on standard error, the end that is kept. */
const LONGEST_TAIL = 4000;

type Outcome =
  | { readonly kind: 'done' | 'skipped' | 'stopped' | 'elsewhere' }
  /** `noRoom`: files cannot be written, so no other task would fare better. */
  | { readonly kind: 'failed'; readonly line: string; readonly noRoom?: boolean };

/**
 * Runs all tasks that are not done. A task that fails, or whose process is killed, leaves a line, and the others go on,
 * unless files cannot be written: then no more tasks begin.
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
  let isFull = false;
  const work = async () => {
    const place: Place = { child: undefined };
    for (let task = waiting.shift(); task !== undefined && !signal.aborted; task = waiting.shift()) {
      running.set(task, undefined);
      const outcome = await outcomeOf(opened, task, flags, {
        signal,
        place,
        onProgress: (fraction) => {
          running.set(task!, fraction);
          show();
        },
      });
      running.delete(task);
      outcomes.set(task, outcome);
      const isSaid = outcome.kind === 'failed' && !(outcome.noRoom && isFull);
      if (isSaid) remark(progress, `task ${task}: ${outcome.line}`);
      show();
      if (outcome.kind !== 'failed' || !outcome.noRoom) continue;
      isFull = true;
      waiting.length = 0;
    }
    await place.child?.end();
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

/** One of the tasks that run at once. */
interface Place {
  /** A process that has done a short task and waits for another one. */
  child: Child | undefined;
}

interface Watch {
  readonly signal: AbortSignal;
  readonly place: Place;
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
    watch.place.child ??= startChild(opened, task, flags, () => {
      watch.place.child = undefined;
    });
    const { code, killedBy, said, noRoom } = await watch.place.child.run(task, watch);
    if (code === 0) return { kind: 'done' };
    if (code !== null && STOPPED.has(code)) return { kind: 'stopped' };
    if (noRoom) return { kind: 'failed', line: said, noRoom };
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

/** How a task ended: its process with it, unless the task was short. */
interface ChildEnd {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly said: string;
  readonly noRoom: boolean;
}

/** A process that runs tasks: one, or several short ones, one after the other. */
interface Child {
  run(task: number, watch: Watch): Promise<ChildEnd>;
  /** Of a process that waits for a task: there is none. */
  end(): Promise<void>;
}

/** @param first its first task @param onEnd is called when the process has ended */
function startChild({ path, tasks }: OpenSweep, first: number, flags: JobFlags, onEnd: () => void): Child {
  const { out, jobs, backend, adapter, retry } = flags;
  const each = (threads: number) => Math.max(1, Math.floor(threads / Math.min(jobs, tasks.length)));
  const threads =
    flags.threads === undefined
      ? Math.min(MOST_THREADS_EACH, each(availableParallelism()))
      : each(flags.threads);
  const args = [
    ...['sweep', path, '--out', out, '--task', `${first}`, '--quiet'],
    ...['--backend', backend, '--adapter', adapter, '--threads', `${threads}`],
    ...(retry ? ['--retry'] : []),
  ];
  // A group of its own: a terminal's Ctrl-C is for this process alone, which passes it on once.
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  // A child that ends meanwhile needs no message.
  const tell = (message: ParentMessage) => child.connected && child.send(message, () => {});
  let said = '';
  let noRoom = false;
  let listen = (_: ChildMessage) => {};
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LONGEST_TAIL);
  });
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'no-room') noRoom = true;
    else listen(message);
  });
  const closed = new Promise<ChildEnd>((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code, killedBy) => {
      onEnd();
      // Drivers may have said something after it.
      const lines = said.trimEnd().split('\n');
      const last = lines.findLast((line) => line.startsWith('scree: ')) ?? lines.at(-1)!;
      settle({
        code,
        killedBy,
        noRoom,
        said: last.replace(/^scree: /, '') || `ended with exit code ${code}`,
      });
    });
  });
  // Who waits for it hears of it.
  closed.catch(() => {});
  return {
    run(task, { signal, onProgress }) {
      const stop = () => {
        const { exitCode, message: line } = signal.reason as Interrupted;
        tell({ kind: 'stop', exitCode, line });
      };
      signal.addEventListener('abort', stop, { once: true });
      if (task !== first) tell({ kind: 'next', task });
      if (signal.aborted) stop();
      const done = new Promise<ChildEnd>((settle) => {
        listen = (message) => {
          if (message.kind === 'progress') onProgress(message.fraction);
          else settle({ code: 0, killedBy: null, said: '', noRoom: false });
        };
      });
      return Promise.race([done, closed]).finally(() => signal.removeEventListener('abort', stop));
    },
    async end() {
      tell({ kind: 'next', task: undefined });
      await closed;
    },
  };
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

/** One task of a sweep: a run in a folder of its own, which goes on where an earlier process stopped. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SweepTask } from '../../sweep/design.ts';
import { isMachineFailure, makeFolder } from '../files.ts';
import { adapterFields } from '../format.ts';
import { Interrupted } from '../interrupt.ts';
import type { Progress } from '../progress.ts';
import { startClock } from '../run.ts';
import { type RunFlags, runSimulation } from '../run-simulation.ts';
import { FILES } from '../simulate-record.ts';
import { ownVersion } from '../versions.ts';
import {
  exists,
  type OpenSweep,
  readTask,
  TASK_FILES,
  type TaskRecord,
  taskFolder,
  writeTask,
  writeTaskScene,
} from './sweep-folder.ts';
import { takeLock } from './task-lock.ts';

export interface TaskFlags extends Pick<RunFlags, 'backend' | 'adapter' | 'threads'> {
  readonly out: string;
  readonly retry?: boolean;
}

/** Frames, and with them rows of the table of monitors, where a sweep does not say how many. */
const FRAMES = 20;

/**
 * Runs a task, or finds that it is done.
 *
 * @returns what it has come to, and whether that was so before
 * @throws what the run throws, when it is written down; ScreeError with exit code 1 for a task that has failed before;
 *   Interrupted with exit code 75 for one that another process has
 */
export async function runTask(
  opened: OpenSweep,
  task: SweepTask,
  flags: TaskFlags,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<{ readonly record: TaskRecord; readonly skipped: boolean }> {
  const { out } = flags;
  const number = task.task;
  const folder = taskFolder(out, number);
  const done = await settled(flags, number);
  if (done !== undefined) return { record: done, skipped: true };
  await makeFolder(folder);
  const losing = new AbortController();
  const lock = await takeLock(join(folder, TASK_FILES.lock), {
    signal,
    onWait: () => progress.stage(`another machine has had task ${number}: waiting whether it still has`),
    onLost: (error) => losing.abort(error),
  });
  try {
    // Another process may have done it meanwhile.
    const late = await settled(flags, number);
    if (late !== undefined) return { record: late, skipped: true };
    const both = AbortSignal.any([signal, losing.signal]);
    const record = await attempt(opened, task, flags, { signal: both, lost: losing.signal, progress });
    return { record, skipped: false };
  } finally {
    await lock.release();
  }
}

/** @returns the task if it is done @throws ScreeError for one that failed, unless it is to be tried again */
async function settled({ out, retry }: TaskFlags, number: number) {
  const before = await readTask(out, number);
  if (before?.state === 'done') return before;
  if (before?.state === 'failed' && !retry) {
    const { ScreeError } = await import('../../index.ts');
    throw new ScreeError(`task ${number} has failed: ${before.line} (--retry tries it again)`, 1);
  }
  return undefined;
}

async function attempt(
  opened: OpenSweep,
  task: SweepTask,
  { out, backend, adapter, threads }: TaskFlags,
  context: { readonly signal: AbortSignal; readonly lost: AbortSignal; readonly progress: Progress },
): Promise<TaskRecord> {
  const { signal, lost, progress } = context;
  const folder = taskFolder(out, task.task);
  const before = await readTask(out, task.task);
  const clock = startClock();
  const { parameters, repetition, seeds } = task;
  const common = {
    ...{ task: task.task, parameters, repetition },
    ...(seeds.length > 0 && { seed: seeds[0]! }),
  };
  const recordOf = (rest: Omit<TaskRecord, keyof typeof common | 'seconds' | 'version'>): TaskRecord => {
    const seconds = (before?.seconds ?? 0) + clock();
    return { ...common, ...rest, seconds, version: ownVersion('scree') };
  };
  const checkpoint = join(folder, FILES.checkpoint);
  // What failed would fail again from there.
  if (before?.state === 'failed') await rm(checkpoint, { force: true });
  const scene = await writeTaskScene(out, opened, task);
  await writeTask(out, recordOf({ state: 'running' }));
  try {
    const { simulate } = opened.sweep;
    const run: RunFlags = {
      ...{ frames: FRAMES, series: false, picture: false, ...simulate },
      ...(opened.laws !== undefined && { laws: opened.laws }),
      ...{ backend, adapter, ...(threads !== undefined && { threads }) },
      resume: await exists(checkpoint),
    };
    const { measure } = await import('../../sweep/measures.ts');
    const names = opened.columns.flatMap((column) => (column.kind === 'measure' ? [column.measure] : []));
    let measures: Record<string, number> = {};
    const report = await runSimulation(scene, folder, run, {
      ...{ signal, progress },
      async atEnd(simulation, own) {
        measures = await measure(names, simulation, own);
      },
    });
    const { told, stateHash } = report;
    const record = recordOf({
      ...{ state: 'done', steps: told.steps, time: told.time, stateHash, measures },
      ...{ backend: told.backend, adapter: adapterFields(report.adapter) },
    });
    await writeTask(out, record);
    return record;
  } catch (error) {
    // The task is another process's: what it says of it counts.
    if (lost.aborted) throw lost.reason;
    const isStopped = error instanceof Interrupted || isMachineFailure(error);
    const { exitCode = 1, message } = error as Error & { readonly exitCode?: number };
    const line = message.split('\n', 1)[0]!;
    await writeTask(out, recordOf({ state: isStopped ? 'stopped' : 'failed', line, code: exitCode }));
    throw error;
  }
}

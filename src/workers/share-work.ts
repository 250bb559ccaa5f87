/**
 * Work on many items, spread over threads. One rule for all of it: items are cut into slices, and slices into parts
 * that threads take. The calling thread helps with the first slice and then has timers to serve. A signal leaves no
 * part to be taken. Once a worker is lost, the calling thread does the slice anew, and all that follow.
 */
import { closeParts, type PartsDone, type WorkParts } from './parts.ts';
import { inSlices, pauses, SLICE_TIME, type Slicing, type Watch } from './slices.ts';
import { type AnswerTo, orWithoutWorkers, type Task, type WorkerPool } from './worker-pool.ts';

/**
 * Milliseconds of work that others would take over at least. A message takes some tenths of one, but 2 where a worker
 * has gone to sleep, as it does between the steps of a simulation.
 */
export const LEAST_SHARED_TIME = 1;

export interface SharedWork<T extends Task<PartsDone> & WorkParts> {
  readonly count: number;
  /** Undefined: the calling thread does all. */
  readonly pool: WorkerPool | undefined;
  /** Most that take part. Default: as many as the pool has. */
  readonly threads?: number | undefined;
  /** Items of the first slice, and of the longest one, for each thread. Undefined: all items are one slice. */
  readonly slices?: Pick<Slicing, 'first' | 'longest'> | undefined;
  /** A slice. All its memory is shared, and none of its parts is taken. */
  task(first: number, end: number): T;
  /** Takes parts on the calling thread until a time. Undefined: it has other things to do from the start. */
  readonly here?: ((task: T, until: number) => AnswerTo<T>) | undefined;
  /** Is given what threads did of a slice. */
  take(answers: AnswerTo<T>[], first: number, end: number): void;
  /**
   * Does items on the calling thread alone: where there are no workers, or where they are lost. Then they may still
   * write to memory that tasks have named, so it uses none of that.
   */
  alone(first: number, end: number): void | Promise<void>;
}

/**
 * Does it, and resolves with how many threads took part. Rejects with the signal's reason. Without slices `onProgress`
 * is called now and then with the items of parts that are taken, else after each slice.
 */
export async function shareWork<T extends Task<PartsDone> & WorkParts>(
  work: SharedWork<T>,
  watch: Watch,
): Promise<number> {
  const { count, slices, threads: most = Infinity } = work;
  const pool = most > 1 ? work.pool : undefined;
  const pause = pauses();
  const alone = async (first: number, end: number, watching: Watch) => {
    if (!slices) return work.alone(first, end);
    const slicing = { threads: 1, milliseconds: SLICE_TIME.callingThread, ...slices };
    await inSlices(end - first, slicing, watching, async (from, to) => {
      await work.alone(first + from, first + to);
      if (first + to < count) await pause();
    });
  };
  if (pool === undefined || pool.hasFailed) {
    await alone(0, count, watch);
    return 1;
  }
  const sharing = Math.min(pool.size, most);
  let threads = 1;
  const together = async (first: number, end: number) => {
    const answers = pool.hasFailed ? undefined : await onWorkers(work, pool, sharing, first, end, watch);
    if (answers === undefined) return alone(first, end, { signal: watch.signal });
    threads = Math.max(threads, Math.min(sharing, answers.filter(({ done }) => done > 0).length));
    work.take(answers, first, end);
  };
  const slicing = slices && { threads: sharing, milliseconds: SLICE_TIME.workers, ...slices };
  if (slicing) await inSlices(count, slicing, watch, together);
  else await together(0, count);
  return threads;
}

/** A slice on workers, with the calling thread's help; undefined if workers are lost. */
async function onWorkers<T extends Task<PartsDone> & WorkParts>(
  work: SharedWork<T>,
  pool: WorkerPool,
  threads: number,
  first: number,
  end: number,
  { signal, onProgress }: Watch,
): Promise<(AnswerTo<T> & PartsDone)[] | undefined> {
  const task = work.task(first, end);
  const here =
    first === 0 && work.here
      ? () => work.here!(task, performance.now() + SLICE_TIME.callingThread)
      : undefined;
  const stop = () => closeParts(task);
  signal?.addEventListener('abort', stop);
  let thrown: { readonly error: unknown } | undefined;
  const report = () => {
    if (thrown !== undefined || signal?.aborted) return;
    try {
      onProgress!(Math.min(task.count, task.part * Atomics.load(task.taken, 0)));
    } catch (error) {
      // Out of a timer it would end the process.
      thrown = { error };
      stop();
    }
  };
  const timer = onProgress && !work.slices ? setInterval(report, SLICE_TIME.workers) : undefined;
  try {
    const answers = await orWithoutWorkers(() => pool.share<T>(task, { threads, here }));
    if (thrown !== undefined) throw thrown.error;
    signal?.throwIfAborted();
    return answers as (AnswerTo<T> & PartsDone)[] | undefined;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  }
}

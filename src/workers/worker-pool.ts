/**
 * Worker threads that share memory with the main one: Node's, or a browser's on a page that is cross-origin isolated
 * (where SharedArrayBuffer exists). One pool serves all bodies and batches; it is started when first needed and does
 * not keep the process alive.
 */
import { platform, type WorkerHandle } from '#platform';
import { hasParts, type PartsDone, type WorkParts } from './parts.ts';

/** A task for a worker, which finds what to do by its kind (src/worker.ts). */
export interface Task<A = unknown> {
  readonly kind: string;
  /** Never there: it tells the compiler what the worker answers with. */
  readonly answer?: A;
}

/** What a worker answers a task with. */
export type AnswerTo<T extends Task> = T extends { readonly answer?: infer A } ? A : never;

/** What a worker answers. */
export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  /** Message of what was thrown. */
  readonly error?: string;
}

/** How the items of a task are spread over threads. */
export interface SharingOptions<A> {
  /** Most that take part. */
  readonly threads?: number | undefined;
  /** The calling thread's share of the work; undefined where it has other things to do. */
  readonly here?: (() => A) | undefined;
}

/** A worker thread is gone; the work has to be done without. */
export class WorkerLostError extends Error {}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class WorkerPool {
  readonly #workers: readonly WorkerHandle[];
  /** Whose workers these are: its own, or those of the process's pool. */
  readonly #all: WorkerPool;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #failure: WorkerLostError | undefined;

  private constructor(workers: readonly WorkerHandle[], all?: WorkerPool) {
    this.#workers = workers;
    this.#all = all ?? this;
    if (all !== undefined) return;
    for (const worker of workers) {
      worker.onMessage((message) => this.#settle(message as Answer));
      worker.onError((error) => this.fail(error));
      // Listening holds the process, and no work may ever come.
      worker.keepAlive(false);
    }
  }

  static #shared: WorkerPool | undefined;
  static #sought = false;

  /** The process's pool; undefined where there are no workers that share memory, or only one core. */
  static get(): WorkerPool | undefined {
    if (WorkerPool.#sought) return WorkerPool.#shared;
    WorkerPool.#sought = true;
    const size = Math.min(MOST_WORKERS, platform.cores());
    if (size < 2 || typeof SharedArrayBuffer === 'undefined') return undefined;
    const workers: WorkerHandle[] = [];
    for (let i = 0; i < size; i++) {
      const worker = startWorker();
      if (worker === undefined) return undefined;
      workers.push(worker);
    }
    WorkerPool.#shared = new WorkerPool(workers);
    return WorkerPool.#shared;
  }

  /** The first of its workers, `threads` at most. */
  upTo(threads: number): WorkerPool {
    return threads < this.size ? new WorkerPool(this.#workers.slice(0, threads), this.#all) : this;
  }

  /**
   * Whether workers are gone. Until they have ended they may go on with what they were at: write to memory they were
   * given.
   */
  get hasFailed(): boolean {
    return this.#all.#failure !== undefined;
  }

  get size(): number {
    return this.#workers.length;
  }

  #settle({ id, result, error }: Answer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error));
    if (this.#pending.size === 0) for (const worker of this.#workers) worker.keepAlive(false);
  }

  /** A worker is gone: so is the pool. What is pending rejects, as does later work; later calls do without workers. */
  fail({ message }: Error): void {
    // The others tell of their own end.
    if (this.#failure !== undefined) return;
    this.#failure = new WorkerLostError(message);
    if (WorkerPool.#shared === this) WorkerPool.#shared = undefined;
    for (const worker of this.#workers) worker.terminate();
    for (const pending of this.#pending.values()) pending.reject(this.#failure);
    this.#pending.clear();
  }

  /** Runs a task on the worker of that number. @throws WorkerLostError once a worker is gone: nobody would answer. */
  #run<T extends Task>(worker: number, task: T): Promise<AnswerTo<T>> {
    const all = this.#all;
    if (all.#failure !== undefined) return Promise.reject(all.#failure);
    return new Promise((resolve, reject) => {
      const id = all.#nextId++;
      all.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
      const handle = this.#workers[worker % this.#workers.length]!;
      handle.keepAlive(true);
      handle.post({ id, task });
    });
  }

  /**
   * Runs tasks, each on the next worker that is free; results in the order of tasks. Rejects once no worker is at it
   * any more, but at once with a WorkerLostError: then memory that workers write to may not go round.
   *
   * @param threads most workers that take part
   */
  async runAll<T extends Task>(tasks: readonly T[], threads = this.size): Promise<AnswerTo<T>[]> {
    const results: AnswerTo<T>[] = [];
    let next = 0;
    let hasFailed = false;
    const work = async (worker: number) => {
      while (next < tasks.length && !hasFailed) {
        const n = next++;
        try {
          results[n] = await this.#run(worker, tasks[n]!);
        } catch (error) {
          // No use in the rest.
          hasFailed = true;
          throw error;
        }
      }
    };
    const workers = Math.min(threads, this.size);
    await settled(Array.from({ length: workers }, (_, worker) => work(worker)));
    return results;
  }

  /**
   * Runs one task on several threads, which take its items in parts (`takePart`). The calling thread is one of them, in
   * place of the last worker. That one joins where the calling thread leaves parts to others.
   *
   * Resolves with what each thread did as soon as all items are done: nobody waits for a worker that comes late and
   * finds nothing. It only looks at `taken` then, so that all other memory may go round. Rejects as `runAll` does.
   */
  async share<T extends Task<PartsDone>>(
    task: T & WorkParts,
    { threads = this.size, here }: SharingOptions<AnswerTo<T>>,
  ): Promise<AnswerTo<T>[]> {
    const answers: AnswerTo<T>[] = [];
    let left = task.count;
    let tellDone = () => {};
    const take = (answer: AnswerTo<T>) => {
      answers.push(answer);
      left -= (answer as PartsDone).done;
      if (left === 0) tellDone();
    };
    const workers = Math.min(threads, this.size);
    const running = Array.from({ length: here ? workers - 1 : workers }, (_, worker) =>
      this.#run<T>(worker, task).then(take),
    );
    let failure: { readonly error: unknown } | undefined;
    try {
      if (here) take(here());
    } catch (error) {
      failure = { error };
    }
    if (here && failure === undefined && hasParts(task))
      running.push(this.#run<T>(workers - 1, task).then(take));
    const allEnded = settled(running);
    // Latecomers may end when nobody listens any more.
    allEnded.catch(() => {});
    if (failure !== undefined) {
      await allEnded;
      throw failure.error;
    }
    if (left > 0) {
      const allDone = new Promise<void>((resolve) => {
        tellDone = resolve;
      });
      await Promise.race([allDone, allEnded]);
    }
    return answers;
  }

  /** Cuts `total` items into equal ranges, one per worker, and runs a task on each; results in the order of ranges. */
  runParts<T extends Task>(total: number, task: (first: number, end: number) => T): Promise<AnswerTo<T>[]> {
    const parts = Math.max(1, Math.min(this.size, total));
    const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.round((total * i) / parts));
    return this.runAll(bounds.slice(1).map((end, i) => task(bounds[i]!, end)));
  }
}

/** Waits until all work has ended, then rejects as the first that failed did. */
async function settled(works: readonly Promise<unknown>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === 'rejected') throw end.reason;
}

/** Workers for so many threads at most; undefined where there are none, or the calling thread does all. */
export function poolFor({
  threads = Infinity,
}: {
  readonly threads?: number | undefined;
}): WorkerPool | undefined {
  return threads > 1 ? WorkerPool.get()?.upTo(threads) : undefined;
}

/** The result of work on workers, or undefined if they are gone: then the calling thread does it. */
export async function orWithoutWorkers<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkerLostError) return undefined;
    throw error;
  }
}

/** A worker, or undefined where none can be started: no bundle, or a page that may not load it. */
function startWorker(): WorkerHandle | undefined {
  try {
    return platform.startWorker();
  } catch {
    return undefined;
  }
}

/** Beyond this, the main thread's own share of the work dominates. */
const MOST_WORKERS = 8;

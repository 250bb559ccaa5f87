/**
 * The cell grid's lane on the CPU. Few points are tested on the calling thread. For many, all threads take parts. Two
 * sets of shared memory go round: one is filled and handed to the worker threads behind the other, which they test
 * meanwhile.
 */
import { isShared } from '../../workers/lent-arrays.ts';
import { newParts, type WorkParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { NotFinite, type Rule } from '../classification.ts';
import { LEAST_POINTS_FOR_WORKERS } from '../constants.ts';
import { CHUNK, type StageSeconds } from '../method.ts';
import type { LaneParts, Settle, Slot } from '../stream/lane.ts';
import type { CellGrid } from './cell-grid.ts';
import { type Classified, type ClassifyTask, type MoreSlabs, runClassify } from './tasks.ts';

const SLOTS = 2;
/** Points that a thread tests between two looks at the abort signal. */
export const CPU_SLICE = 1 << 18;
/** Parts of a piece for each thread. */
const PARTS_PER_THREAD = 8;

interface CpuRun {
  readonly grid: CellGrid;
  readonly rule: Rule;
  readonly seconds: StageSeconds;
  /** When the last piece was done, of `performance.now()`. */
  lastDone: number;
  /** Points that the calling thread tested since it let timers and files in. */
  sincePause: number;
}

class CpuSlot implements Slot {
  readonly gpuBytes = 0;
  readonly #run: CpuRun;
  /** Memory that workers see. */
  #points: Float32Array | undefined;
  #flags: Uint8Array | undefined;
  /** Whose workers saw it. */
  #pool: WorkerPool | undefined;

  constructor(run: CpuRun) {
    this.#run = run;
  }

  async run(points: Float32Array, flags: Uint8Array): Promise<Uint32Array> {
    const { grid } = this.#run;
    const pool = flags.length >= LEAST_POINTS_FOR_WORKERS ? grid.pool : undefined;
    const more = grid.takeSlabs();
    let answers: readonly Classified[] = [];
    let isDone = false;
    try {
      answers = pool
        ? await this.#onWorkers(pool, points, flags, more)
        : [await this.#onThisThread(points, flags, more)];
      isDone = answers.every(({ areFinite }) => areFinite);
    } finally {
      grid.noteTested(
        answers.reduce((sum, { tested }) => sum + tested, 0),
        more,
        isDone,
      );
    }
    if (!isDone) throw new NotFinite();
    return Uint32Array.from(answers.flatMap(({ doubtful }) => doubtful)).sort();
  }

  #task(points: Float32Array, flags: Uint8Array, parts: WorkParts, more?: MoreSlabs): ClassifyTask {
    const { grid, rule } = this.#run;
    const { box, frame } = grid.surface;
    const { tables, slabs } = grid;
    return { kind: 'classify', tables, slabs, box, frame, rule, points, flags, more, ...parts };
  }

  async #onWorkers(
    pool: WorkerPool,
    points: Float32Array,
    flags: Uint8Array,
    more: MoreSlabs | undefined,
  ): Promise<readonly Classified[]> {
    const run = this.#run;
    const { grid, seconds, sincePause } = run;
    const count = flags.length;
    const started = performance.now();
    const found = this.#room(pool, count, !isShared(points));
    // Workers see the caller's memory where it is shared, and else a copy.
    const seen = this.#points?.subarray(0, 3 * count) ?? points;
    if (seen !== points) seen.set(points);
    const parts = newParts(count, Math.ceil(count / (PARTS_PER_THREAD * pool.size)));
    const task = { ...this.#task(seen, found, parts, more), tables: grid.sharedTables };
    const submitted = performance.now();
    seconds.upload += (submitted - started) / 1000;
    // It helps with the first piece. With many, it has timers to serve and the next piece to fill.
    const helps = sincePause === 0;
    run.sincePause += count;
    let answers: readonly Classified[] = [];
    await shareWork<ClassifyTask>(
      {
        ...{ count, pool, task: () => task, here: helps ? runClassify : undefined },
        take(classified) {
          const done = performance.now();
          // A piece starts when it was handed over and the one before it is done.
          seconds.classify += (done - Math.max(submitted, run.lastDone)) / 1000;
          run.lastDone = done;
          flags.set(found);
          seconds.readback += (performance.now() - done) / 1000;
          answers = classified;
        },
        // Not from memory that a lost worker may still write to.
        alone: async () => {
          grid.dropSlabs();
          answers = [await this.#onThisThread(points, flags)];
        },
      },
      {},
    );
    return answers;
  }

  async #onThisThread(points: Float32Array, flags: Uint8Array, more?: MoreSlabs): Promise<Classified> {
    const { seconds } = this.#run;
    const count = flags.length;
    this.#run.sincePause += count;
    if (this.#run.sincePause > CPU_SLICE) {
      this.#run.sincePause = count;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const started = performance.now();
    const answer = runClassify(this.#task(points, flags, newParts(count, count), more));
    seconds.classify += (performance.now() - started) / 1000;
    return answer;
  }

  /** Memory for so many flags, and for points where they are copied. */
  #room(pool: WorkerPool, count: number, forPoints: boolean): Uint8Array {
    const fits = this.#flags !== undefined && this.#flags.length >= count;
    if (!fits || forPoints !== (this.#points !== undefined)) {
      this.#release();
      this.#flags = takeMemory(Uint8Array, count, true);
      if (forPoints) this.#points = takeMemory(Float32Array, 3 * count, true);
    }
    this.#pool = pool;
    return this.#flags!.subarray(0, count);
  }

  /** Memory that a lost worker may still write to goes to nobody. */
  #release(): void {
    const memory = [this.#points, this.#flags].filter((array) => array !== undefined);
    if (!this.#pool?.hasFailed) giveMemory(memory);
    this.#points = undefined;
    this.#flags = undefined;
  }

  close(): void {
    this.#release();
  }
}

/** @param seconds added to: `upload` is copying to shared memory, `readback` copying from it */
export function cpuLane(grid: CellGrid, rule: Rule, seconds: StageSeconds, settle: Settle): LaneParts {
  const run: CpuRun = { grid, rule, seconds, lastDone: 0, sincePause: 0 };
  const threads = (points: number) => (points < LEAST_POINTS_FOR_WORKERS ? 1 : (grid.pool?.size ?? 1));
  return {
    slots: Array.from({ length: SLOTS }, () => new CpuSlot(run)),
    pieceSize: (left) => Math.min(CHUNK, CPU_SLICE * threads(left)),
    settle,
    tableBytes: () => grid.bytes,
    tablesOnGpu: () => grid.gpuBytes,
  };
}

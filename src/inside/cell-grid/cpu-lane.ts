/**
 * The cell grid's lane on the CPU. Few points are tested on the calling thread. For many, two sets of shared memory go
 * round: one is filled and handed to the worker threads, behind the other, which they test meanwhile.
 */
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { orWithoutWorkers, type WorkerPool } from '../../workers/worker-pool.ts';
import { type CrossingRule, doubtfulOf } from '../classification.ts';
import { LEAST_POINTS_FOR_WORKERS } from '../constants.ts';
import { CHUNK, type StageSeconds } from '../method.ts';
import type { LaneParts, Settle, Slot } from '../stream/lane.ts';
import { isIdentity, localPoints, writeLocalPoints } from '../surface.ts';
import type { CellGrid } from './cell-grid.ts';
import { type ClassifyTask, runTask } from './tasks.ts';

const SLOTS = 2;
/** Points that a thread tests between two looks at the abort signal. */
export const CPU_SLICE = 1 << 18;

interface CpuRun {
  readonly grid: CellGrid;
  readonly rule: CrossingRule;
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
    const pool = flags.length >= LEAST_POINTS_FOR_WORKERS ? this.#run.grid.pool : undefined;
    const doubtful = await (pool ? this.#onWorkers(pool, points, flags) : this.#onThisThread(points, flags));
    return doubtful === 0 ? new Uint32Array(0) : doubtfulOf(flags);
  }

  async #onWorkers(pool: WorkerPool, points: Float32Array, flags: Uint8Array): Promise<number> {
    const { grid, rule, seconds } = this.#run;
    const { box, frame } = grid.surface;
    const count = flags.length;
    const started = performance.now();
    // Workers see the caller's memory where it is shared, and else a copy.
    const isSeen = points.buffer instanceof SharedArrayBuffer && isIdentity(frame);
    if (this.#flags === undefined || this.#flags.length < count || (!isSeen && this.#points === undefined)) {
      this.#release();
      this.#flags = takeMemory(Uint8Array, count, true);
      if (!isSeen) this.#points = takeMemory(Float32Array, 3 * count, true);
    }
    this.#pool = pool;
    const seen = isSeen ? points : writeLocalPoints(points, frame, this.#points!.subarray(0, 3 * count));
    const found = this.#flags.subarray(0, count);
    const tables = grid.sharedTables;
    const task = (first: number, end: number): ClassifyTask => ({
      ...{ kind: 'classify', tables, box, rule },
      ...{ points: seen, flags: found, first, end },
    });
    const submitted = performance.now();
    seconds.upload += (submitted - started) / 1000;
    let counts = await orWithoutWorkers(() => pool.runParts(count, task));
    // Not into memory that a lost worker may still write to.
    const own = counts === undefined;
    counts ??= [runTask({ ...task(0, count), flags })];
    const done = performance.now();
    // A piece starts when it was handed over and the one before it is done.
    seconds.classify += (done - Math.max(submitted, this.#run.lastDone)) / 1000;
    this.#run.lastDone = done;
    if (!own) flags.set(found);
    seconds.readback += (performance.now() - done) / 1000;
    return counts.reduce((sum, some) => sum + some, 0);
  }

  async #onThisThread(points: Float32Array, flags: Uint8Array): Promise<number> {
    const { grid, rule, seconds } = this.#run;
    const { tables, surface } = grid;
    const { box, frame } = surface;
    const count = flags.length;
    this.#run.sincePause += count;
    if (this.#run.sincePause > CPU_SLICE) {
      this.#run.sincePause = count;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const started = performance.now();
    const local = localPoints(points, 0, count, frame);
    const doubtful = runTask({
      ...{ kind: 'classify', tables, box, rule },
      ...{ points: local, flags, first: 0, end: count },
    });
    seconds.classify += (performance.now() - started) / 1000;
    return doubtful;
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
export function cpuLane(
  grid: CellGrid,
  rule: CrossingRule,
  seconds: StageSeconds,
  settle: Settle,
): LaneParts {
  const run: CpuRun = { grid, rule, seconds, lastDone: 0, sincePause: 0 };
  const threads = (points: number) => (points < LEAST_POINTS_FOR_WORKERS ? 1 : (grid.pool?.size ?? 1));
  return {
    slots: Array.from({ length: SLOTS }, () => new CpuSlot(run)),
    pieceSize: (left) => Math.min(CHUNK, CPU_SLICE * threads(left)),
    settle,
    tableBytes: grid.tables.bytes,
    tablesOnGpu: () => grid.gpuBytes,
  };
}

/**
 * The cell grid's way for a stream of points on the CPU. Two sets of shared memory go round: one is filled and handed to the
 * worker threads, behind the other, which they test meanwhile.
 */

import { orWithoutWorkers, type WorkerPool } from '../../workers/worker-pool.ts';
import type { CrossingRule } from '../classification.ts';
import { DOUBTFUL } from '../classification.ts';
import { LEAST_POINTS_FOR_WORKERS } from '../constants.ts';
import type { StageSeconds } from '../method.ts';
import { type Lane, type Slot, SlotLane } from '../stream/lanes.ts';
import { localPoints, writeLocalPoints } from '../surface.ts';
import { type CellGridOnCpu, CPU_SLICE } from './cell-grid.ts';
import { type ClassifyTask, runTask } from './tasks.ts';

const SLOTS = 2;

interface CpuRun {
  readonly body: CellGridOnCpu;
  readonly rule: CrossingRule;
  readonly stages: StageSeconds;
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

  constructor(run: CpuRun) {
    this.#run = run;
  }

  async run(points: Float32Array, flags: Uint8Array): Promise<Uint32Array> {
    const { body } = this.#run;
    const pool = flags.length >= LEAST_POINTS_FOR_WORKERS ? body.pool() : undefined;
    const doubtful = await (pool ? this.#onWorkers(pool, points, flags) : this.#onThisThread(points, flags));
    if (doubtful === 0) return new Uint32Array(0);
    const found = new Uint32Array(doubtful);
    for (let i = 0, n = 0; i < flags.length; i++) if (flags[i] === DOUBTFUL) found[n++] = i;
    return found;
  }

  async #onWorkers(pool: WorkerPool, points: Float32Array, flags: Uint8Array): Promise<number> {
    const { body, rule, stages } = this.#run;
    const count = flags.length;
    const started = performance.now();
    if (this.#points === undefined || this.#points.length < 3 * count) {
      this.#points = new Float32Array(new SharedArrayBuffer(12 * count));
      this.#flags = new Uint8Array(new SharedArrayBuffer(count));
    }
    const shared = this.#points.subarray(0, 3 * count);
    const found = this.#flags!.subarray(0, count);
    writeLocalPoints(points, body.frame, shared);
    const tables = body.sharedTables();
    const task = (first: number, end: number): ClassifyTask => ({
      ...{ kind: 'classify', tables, box: body.box, rule },
      ...{ points: shared, flags: found, first, end },
    });
    const submitted = performance.now();
    stages.upload += (submitted - started) / 1000;
    let counts = await orWithoutWorkers(() => pool.runParts(count, task));
    // Not into memory that a lost worker may still write to.
    const own = counts === undefined;
    counts ??= [runTask({ ...task(0, count), flags })];
    const done = performance.now();
    // A piece starts when it was handed over and the one before it is done.
    stages.classify += (done - Math.max(submitted, this.#run.lastDone)) / 1000;
    this.#run.lastDone = done;
    if (!own) flags.set(found);
    stages.readback += (performance.now() - done) / 1000;
    return counts.reduce((sum, some) => sum + some, 0);
  }

  async #onThisThread(points: Float32Array, flags: Uint8Array): Promise<number> {
    const { body, rule, stages } = this.#run;
    const count = flags.length;
    this.#run.sincePause += count;
    if (this.#run.sincePause >= CPU_SLICE) {
      this.#run.sincePause = 0;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const started = performance.now();
    const local = localPoints(points, 0, count, body.frame);
    const { tables, box } = body;
    const doubtful = runTask({
      kind: 'classify',
      tables,
      box,
      rule,
      points: local,
      flags,
      first: 0,
      end: count,
    });
    stages.classify += (performance.now() - started) / 1000;
    return doubtful;
  }

  close(): void {
    this.#points = undefined;
    this.#flags = undefined;
  }
}

/**
 * @param most points per piece
 * @param stages added to: `upload` is copying to shared memory, `readback` copying from it
 * @param onPiece called with the points of each piece when its flags are there
 */
export function openCpuLane(
  body: CellGridOnCpu,
  rule: CrossingRule,
  options: { most: number; stages: StageSeconds; onPiece: (points: number) => void },
): Lane {
  const { most, stages, onPiece } = options;
  const run: CpuRun = { body, rule, stages, lastDone: 0, sincePause: 0 };
  const slots = Array.from({ length: SLOTS }, () => new CpuSlot(run));
  const threads = (points: number) => (points < LEAST_POINTS_FOR_WORKERS ? 1 : (body.pool()?.size ?? 1));
  const pieceSize = (left: number) => Math.min(most, CPU_SLICE * threads(left));
  return new SlotLane(slots, { pieceSize, onPiece });
}

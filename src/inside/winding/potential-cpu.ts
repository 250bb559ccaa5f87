/**
 * The double-layer potential on the CPU in float64: by the direct sum, by the fast multipole method, or by cluster
 * sums, on worker threads where there is much to do.
 */

import { lapClock } from '../../gpu/lap-clock.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { newParts, type WorkParts } from '../../workers/parts.ts';
import { shareWork } from '../../workers/share-work.ts';
import { bytesOf } from '../../workers/shared-memory.ts';
import { pauses, SLICE_TIME, type Watch } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import { orWithoutWorkers, poolFor, type WorkerPool } from '../../workers/worker-pool.ts';
import { firstShare } from '../clusters/cluster-sum.ts';
import { branchesOf, type ClusterTable, fillBranches, joinBranches } from '../clusters/cluster-tree.ts';
import { MULTIPOLE_PAIR_COST } from '../multipole/constants.ts';
import type { MultipoleOptions, Steps } from '../multipole/field.ts';
import type { AskedPotential, Potential, PotentialRun, PotentialScratch } from '../potential/potential.ts';
import { localSurface } from '../surface.ts';
import {
  type BranchesTask,
  type CpuKind,
  type CpuTables,
  evaluatePoints,
  type PotentialTask,
  PROGRESS_PARTS,
  type SetUpTask,
  setUpSteps,
} from './potential-tasks.ts';

/** Below this, setting up on the calling thread takes less than handing it to another. */
const LEAST_TRIANGLES_FOR_WORKERS = 2000;
/** Nanoseconds of work below which it is done on the calling thread. */
const LEAST_WORK_FOR_WORKERS = 1e7;
/** What a point takes at least where not all triangles are near, in nanoseconds. */
const POINT_COST = 3000;
/**
 * Points of the first slice, and of the longest one, for each thread: memory of a slice's leaves and values stays
 * small.
 */
const SLICES = { first: 64, longest: 1 << 16 } as const;
/** The same for branches of clusters, which take some 5 ms each. */
const BRANCH_SLICES = { first: 1, longest: 1 << 8 } as const;
/** Parts of the set-up of clusters at whose end they are cut, and all branches filled, for progress. */
const [CUT, FILLED] = [0.2, 0.9];

export interface CpuPotentialOptions {
  /** Of the multipole method. */
  readonly multipole?: MultipoleOptions | undefined;
  /** Most threads; 1 is the calling one alone. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the part of the set-up that is done, 0 .. 1. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

type Numbers = Float32Array | Float64Array;

export class CpuPotential implements Potential {
  readonly degree: number;
  readonly separation: number;
  readonly level: number;
  readonly heedsTolerance: boolean;
  readonly tableBytes: number;
  readonly gpuBytes = 0;
  #tables: CpuTables | undefined;
  readonly #pool: WorkerPool | undefined;
  readonly #pointCost: number;
  /** Of cluster sums, by tolerance. */
  readonly #shares = new Map<number, number>();

  private constructor(tables: CpuTables, triangles: number, pool: WorkerPool | undefined) {
    this.#tables = tables;
    this.#pool = pool;
    this.degree = tables.kind === 'multipole' ? tables.field.p : 0;
    this.separation = tables.kind === 'multipole' ? tables.field.d : Infinity;
    this.level = tables.kind === 'multipole' ? tables.level : 0;
    this.heedsTolerance = tables.kind === 'clusters';
    this.tableBytes = bytesOf(tables);
    this.#pointCost = tables.kind === 'direct' ? MULTIPOLE_PAIR_COST * triangles : POINT_COST;
  }

  /**
   * Sets up on a worker thread, clusters on all of them; for small meshes and without workers on the calling one, in
   * slices. Rejects with the reason of the signal.
   */
  static async create(
    kind: CpuKind,
    mesh: TriangleMesh,
    { multipole, threads, signal, onProgress }: CpuPotentialOptions,
  ): Promise<CpuPotential> {
    signal?.throwIfAborted();
    const pool = poolFor({ threads });
    const task = {
      kind: 'set-up',
      of: kind,
      surface: localSurface(mesh),
      options: multipole,
      shared: pool !== undefined,
    } as const;
    const isLarge = mesh.triangleCount >= LEAST_TRIANGLES_FOR_WORKERS && kind !== 'direct';
    const setUpPool = isLarge ? pool : undefined;
    let most = 0;
    // A lost worker's steps are made again.
    const report = onProgress && ((done: number) => onProgress((most = Math.max(most, done))));
    const watch = { signal, onProgress: report };
    const cutting = kind === 'clusters' ? within(watch, 0, CUT) : watch;
    const onWorker = setUpPool && (await setUpOnWorker(task, setUpPool, cutting));
    const tables = onWorker ?? (await inTurns(setUpSteps(task), cutting));
    if (tables.kind === 'clusters') await fill(tables.clusters, setUpPool, watch);
    signal?.throwIfAborted();
    return new CpuPotential(tables, mesh.triangleCount, pool);
  }

  /** Clusters of a cluster sum. */
  get clusters(): ClusterTable | undefined {
    return this.#tables?.kind === 'clusters' ? this.#tables.clusters : undefined;
  }

  /** As `Potential` has it; into Float64Arrays also, without the rounding to float32. */
  async evaluate(
    asked: AskedPotential<Numbers>,
    run: PotentialRun,
    { stages }: PotentialScratch = {},
  ): Promise<void> {
    const lap = lapClock();
    await this.#evaluate(asked, run);
    if (stages) stages.classify += lap();
  }

  async #evaluate({ points, values, bounds }: AskedPotential<Numbers>, run: PotentialRun): Promise<void> {
    const count = values.length;
    const tables = this.#tables!;
    const { tolerance } = run;
    const share = this.#shareOf(tolerance);
    const isWork = count * this.#pointCost >= LEAST_WORK_FOR_WORKERS;
    const pool = isWork && !this.#pool?.hasFailed ? this.#pool : undefined;
    const isFloat64 = values instanceof Float64Array;
    const shared = pool && {
      points: takeMemory(Float32Array, points.length, true),
      values: takeMemory<Numbers>(isFloat64 ? Float64Array : Float32Array, count, true),
      bounds: takeMemory<Numbers>(isFloat64 ? Float64Array : Float32Array, count, true),
    };
    shared?.points.set(points);
    const own = { tables, tolerance, share, points, values, bounds };
    try {
      await shareWork<PotentialTask>(
        {
          ...{ count, pool, slices: SLICES },
          task: (first, end) => ({
            ...{ kind: 'potential', work: { ...own, ...shared }, first },
            ...partForEach(pool!, end - first),
          }),
          take(_, first, end) {
            values.set(shared!.values.subarray(first, end), first);
            bounds.set(shared!.bounds.subarray(first, end), first);
          },
          alone: (first, end) => evaluatePoints(own, first, end),
        },
        run,
      );
    } finally {
      // Until they have ended, lost workers may write.
      if (shared && !pool.hasFailed) giveMemory(Object.values(shared));
    }
  }

  /** Of cluster sums: the same for all points and threads. */
  #shareOf(tolerance: number | undefined): number | undefined {
    const tables = this.#tables!;
    if (tables.kind !== 'clusters') return undefined;
    const share = this.#shares.get(tolerance!) ?? firstShare(tables.clusters, tolerance!);
    this.#shares.set(tolerance!, share);
    return share;
  }

  destroy(): void {
    this.#tables = undefined;
  }
}

/** A part of the progress, from `from` to `to`. */
function within({ signal, onProgress }: Watch, from: number, to: number): Watch {
  return { signal, onProgress: onProgress && ((done) => onProgress(from + (to - from) * done)) };
}

/** Does steps on this thread, with pauses. */
async function inTurns<T>(steps: Steps<T>, { signal, onProgress }: Watch): Promise<T> {
  const pauseWhenDue = pauses();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const due = pauseWhenDue();
    if (due === undefined) continue;
    onProgress?.(step.value);
    await due;
    signal?.throwIfAborted();
  }
}

/** Fills the places and moments of clusters that are cut. */
async function fill(clusters: ClusterTable, pool: WorkerPool | undefined, watch: Watch): Promise<void> {
  const branches = branchesOf(clusters, pool !== undefined);
  const { count } = branches;
  const { signal, onProgress } = within(watch, CUT, FILLED);
  await shareWork<BranchesTask>(
    {
      ...{ count, pool, slices: BRANCH_SLICES },
      task: (first, end) => ({ kind: 'branches', branches, first, ...partForEach(pool!, end - first) }),
      take() {},
      // What a lost worker may still write is the same.
      alone: (first, end) => fillBranches(branches, first, end),
    },
    { signal, onProgress: onProgress && ((done) => onProgress(done / count)) },
  );
  await inTurns(joinBranches(branches), within(watch, FILLED, 1));
}

/** A part for each worker: points of a part are in one order along a curve. */
function partForEach(pool: WorkerPool, count: number): WorkParts {
  return newParts(count, Math.ceil(count / pool.size));
}

/** Sets up on a worker, which looks at the control words between its steps. Undefined if the worker is lost. */
async function setUpOnWorker(
  task: SetUpTask,
  pool: WorkerPool,
  { signal, onProgress }: Watch,
): Promise<CpuTables | undefined> {
  const control = new Int32Array(new SharedArrayBuffer(8));
  const stop = () => Atomics.store(control, 0, 1);
  signal?.addEventListener('abort', stop, { once: true });
  let thrown: { readonly error: unknown } | undefined;
  const report =
    onProgress &&
    (() => {
      if (signal?.aborted || thrown !== undefined) return;
      try {
        onProgress(Atomics.load(control, 1) / PROGRESS_PARTS);
      } catch (error) {
        // Out of a timer it would end the process.
        thrown = { error };
        stop();
      }
    });
  const timer = report && setInterval(report, SLICE_TIME.workers);
  try {
    const tables = await orWithoutWorkers(() => pool.runAll([{ ...task, control }]));
    if (thrown !== undefined) throw thrown.error;
    signal?.throwIfAborted();
    return tables?.[0];
  } catch (error) {
    // What the worker says of having been stopped is no news.
    if (thrown !== undefined) throw thrown.error;
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  }
}

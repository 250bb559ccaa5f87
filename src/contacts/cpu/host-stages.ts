/** The narrow phases of a pipeline on the host, in float64. */
import { HAND_OVER_TIME } from '../../convex/constants.ts';
import { newParts } from '../../workers/parts.ts';
import { LEAST_SHARED_TIME, shareWork } from '../../workers/share-work.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import { SLICE_TIME, type Watch } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { isBall } from '../bodies/ball.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { centresInBodies, turnCentres } from '../convex/centres.ts';
import { keepMemory, REMEMBERED } from '../convex/remembered.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { type ContactRows, ContactSink } from '../list/contact-sink.ts';
import { awakeOf } from '../nodes/awake.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import {
  type ContactScene,
  type ContactsAnswer,
  type ContactsTask,
  inOrder,
  runContacts,
  STAGES,
  type Stage,
} from './contacts-task.ts';

/** Pairs that the calling thread answers between two looks at the clock. */
const STEP = 16;
/** Most steps between two looks, where they are quick: 256 pairs that then take 50 us each end within a slice. */
const MOST_STEPS = 16;
/** Parts of a slice for each thread: where pairs differ, who is done early takes another part. */
const PARTS_PER_THREAD = 16;
/** Pairs of the longest slice for each thread. */
const LONGEST_SLICE = 1 << 18;

export interface HostStagesOptions {
  readonly table: FacedColliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly pool: () => WorkerPool | undefined;
  /** Most threads: 1 is the calling one alone. */
  readonly threads: number;
}

export interface DetectionWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** For what the calling thread finds: it holds as long as nobody else writes there. Default: until the next call. */
  readonly sinks?: StageSinks | undefined;
}

/** Room for the contacts of each stage. */
export type StageSinks = Readonly<Record<Stage, ContactSink>>;

export function stageSinks(): StageSinks {
  return Object.fromEntries(STAGES.map((stage) => [stage, new ContactSink()])) as Record<Stage, ContactSink>;
}

/** Poses of bodies, and which bodies are there. */
export interface PosedBodies {
  /** Of all bodies, checked; nobody changes them. */
  readonly poses: Float64Array;
  /** `[n]`: 1 for bodies that are not there; undefined: all are. Nobody changes it. */
  readonly absent?: Uint8Array | undefined;
}

/** Contacts that stages found. */
export interface StagesFound {
  /** In the order of pairs. */
  readonly rows: Readonly<Partial<Record<Stage, readonly ContactRows[]>>>;
  readonly nodes: NodeCounts;
  /** Threads that found some; 0 where there was nothing to do. */
  readonly threads: number;
  /** Wall time of each. */
  readonly seconds: Readonly<Partial<Record<Stage, number>>>;
}

export class HostStages {
  readonly #scene: ContactScene['posed']['colliders'];
  readonly #shapes: Omit<ContactScene, 'posed' | 'centres'>;
  /** Of convex colliders, in the frames of their bodies. */
  readonly #centres: Float64Array;
  readonly #pool: () => WorkerPool | undefined;
  readonly threads: number;
  /** Contacts that the calling thread finds. */
  readonly #own = stageSinks();
  /** Poses and centres in memory that threads see. */
  #seen: { readonly poses: Float64Array; readonly centres: Float64Array } | undefined;

  constructor({ table, polyhedra, pool, threads }: HostStagesOptions) {
    this.#scene = shareTogether(table.colliders);
    this.#shapes = {
      convex: table.convex && shareTogether({ ...table.convex }),
      faces: table.faces && shareTogether({ ...table.faces }),
      polyhedra,
    };
    this.#centres = table.convex ? centresInBodies(table.convex, table.colliders) : new Float64Array(0);
    this.#pool = pool;
    this.threads = threads;
  }

  /**
   * Rows of nodes and pieces that are awake, of pairs of polyhedra. Undefined if there are no such pairs.
   *
   * @param before pairs up to now: those that go on keep their rows
   */
  awakeOf(pairs: ColliderPairs, before?: ColliderPairs): ColliderPairs['awake'] {
    if (pairs.pairs.length === 0) return undefined;
    return awakeOf(pairs, this.#scene, this.#shapes.polyhedra, before);
  }

  /**
   * Room for what is remembered of pairs of convex shapes: 0 for those that are new. Undefined where all are balls,
   * which need none.
   */
  memoryOf({ pairs }: ColliderPairs, before?: ColliderPairs): ColliderPairs['remembered'] {
    const { convex } = this.#shapes;
    const { shapes } = this.#scene;
    if (convex === undefined || pairs.every((collider) => isBall(convex, shapes[collider]!)))
      return undefined;
    const memory = new Uint32Array((REMEMBERED * pairs.length) / 2);
    if (before?.remembered) keepMemory(pairs, memory, before.pairs, before.remembered);
    return memory;
  }

  /** Undefined where the calling thread does all. */
  get pool(): WorkerPool | undefined {
    return this.threads > 1 ? this.#pool() : undefined;
  }

  /**
   * Finds the contacts of all pairs, stage after stage.
   *
   * @param poses of all bodies, checked; nobody changes them
   */
  async run(
    lists: Readonly<Partial<Record<Stage, ColliderPairs>>>,
    poses: Float64Array,
    { signal, onProgress, sinks = this.#own }: DetectionWatch,
  ): Promise<StagesFound> {
    const { pool, threads } = this;
    const countOf = (stage: Stage) => (lists[stage]?.pairs.length ?? 0) / 2;
    const total = STAGES.reduce((sum, stage) => sum + countOf(stage), 0);
    const rows: Partial<Record<Stage, readonly ContactRows[]>> = {};
    const seconds: Partial<Record<Stage, number>> = {};
    let [done, used] = [0, 0];
    let nodes: NodeCounts = { tested: 0, near: 0 };
    let seen = this.#seen;
    if (seen === undefined) this.#seen = seen = this.#room(pool !== undefined, poses.length);
    seen.poses.set(poses);
    const { centres } = seen;
    if (countOf('convex') > 0) turnCentres(this.#centres, this.#scene, poses, centres);
    const scene: ContactScene = {
      ...this.#shapes,
      posed: { colliders: this.#scene, poses: seen.poses },
      centres,
    };
    try {
      for (const stage of STAGES) {
        const pairs = lists[stage];
        if (pairs === undefined || countOf(stage) === 0) continue;
        const started = performance.now();
        const before = done;
        const watch: Watch = { signal, onProgress: (now) => onProgress?.(before + now, total) };
        const found = await runStage({ stage, scene, pairs, pool, threads, own: sinks[stage] }, watch);
        rows[stage] = found.rows;
        if (stage === 'nodes') nodes = found.nodes;
        used = Math.max(used, found.threads);
        done += countOf(stage);
        seconds[stage] = (performance.now() - started) / 1000;
      }
      return { rows, nodes, threads: used, seconds };
    } finally {
      // A worker that is lost may still read.
      if (pool?.hasFailed) this.#seen = undefined;
    }
  }

  #room(isShared: boolean, numbers: number) {
    const of = (length: number) =>
      new Float64Array(
        (isShared ? new SharedArrayBuffer(8 * length) : new ArrayBuffer(8 * length)) as ArrayBuffer,
      );
    return { poses: of(numbers), centres: of(this.#centres.length) };
  }
}

/** One narrow phase over all its pairs, on as many threads as it pays. */
interface StageRun {
  readonly stage: Stage;
  readonly scene: ContactScene;
  readonly pairs: ColliderPairs;
  readonly pool: WorkerPool | undefined;
  readonly threads: number;
  /** For what the calling thread finds: its memory serves again in the next step. */
  readonly own: ContactSink;
}

interface StageContacts {
  /** In the order of pairs. They hold until the next run with the same `own`. */
  readonly rows: readonly ContactRows[];
  readonly nodes: NodeCounts;
  /** Threads that worked. */
  readonly threads: number;
}

/** Contacts of all pairs: the same on any number of threads. Rejects with the signal's reason. */
async function runStage(run: StageRun, watch: Watch): Promise<StageContacts> {
  const count = run.pairs.pairs.length / 2;
  const pool = run.threads > 1 ? run.pool : undefined;
  const started = performance.now();
  run.own.cut(0);
  // The calling thread keeps the slices that it finishes before a worker has started.
  const begun = answerHere(run, 0, count, pool === undefined ? SLICE_TIME.callingThread : HAND_OVER_TIME);
  const answers: ContactsAnswer[] = [begun];
  let threads = 1;
  watch.onProgress?.(begun.done);
  if (begun.done < count) {
    const perPair = (performance.now() - started) / Math.max(1, begun.done);
    const sharing = pool ? Math.min(pool.size, run.threads) : 1;
    // Of the rest, others would take all but one share.
    const isLong = perPair * (count - begun.done) * (1 - 1 / sharing) > LEAST_SHARED_TIME;
    const shared = isLong ? pool : undefined;
    const milliseconds = shared ? SLICE_TIME.workers : SLICE_TIME.callingThread;
    let left = run;
    threads = await shareWork<ContactsTask>(
      {
        ...{ count: count - begun.done, pool: shared, threads: run.threads },
        slices: { first: milliseconds / perPair, longest: LONGEST_SLICE },
        task: (first, end) => {
          const part = Math.max(1, Math.ceil((end - first) / (PARTS_PER_THREAD * sharing)));
          return taskOf(run, begun.done + first, begun.done + end, part);
        },
        here: (task, until) => runContacts(task, until, run.own),
        take: (found) => answers.push(...found),
        alone: (first, end) => {
          if (pool?.hasFailed && left === run) left = withNewMemory(run);
          answers.push(answerHere(left, begun.done + first, begun.done + end, Infinity));
        },
      },
      { signal: watch.signal, onProgress: (done) => watch.onProgress?.(begun.done + done) },
    );
  }
  const nodes: NodeCounts = { tested: 0, near: 0 };
  for (const answer of answers) {
    nodes.tested += answer.nodes.tested;
    nodes.near += answer.nodes.near;
  }
  return { rows: inOrder(answers), nodes, threads };
}

/** The same with nothing remembered: a worker that is lost may have written half of an axis, or still be writing. */
function withNewMemory(run: StageRun): StageRun {
  const { pairs, remembered } = run.pairs;
  // Nor is anything known to sleep.
  return { ...run, pairs: { pairs, remembered: remembered && new Uint32Array(remembered.length) } };
}

function taskOf({ stage, scene, pairs }: StageRun, first: number, end: number, part: number): ContactsTask {
  return { kind: 'contacts', stage, scene, pairs, first, ...newParts(end - first, part) };
}

/** Answers pairs from `first` on, on the calling thread, for some milliseconds. */
function answerHere(run: StageRun, first: number, end: number, milliseconds: number): ContactsAnswer {
  return runContacts(taskOf(run, first, end, STEP), performance.now() + milliseconds, run.own, MOST_STEPS);
}

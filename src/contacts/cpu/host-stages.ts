/** The narrow phases of a pipeline on the host, in float64. */
import { reachesOf } from '../../broadphase/entries.ts';
import { addMoves } from '../../broadphase/moved.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import type { Watch } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { isBall } from '../bodies/ball.ts';
import type { ColliderPairs, Features } from '../bodies/collider-pairs.ts';
import type { ContactEntries } from '../bodies/entries.ts';
import { centresInBodies, turnCentres } from '../convex/centres.ts';
import { REMEMBERED } from '../convex/remembered.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { type ContactRows, ContactSink } from '../list/contact-sink.ts';
import { awakeRows } from '../nodes/awake.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import { type ContactScene, STAGES, type Stage } from './contacts-task.ts';
import { runStage } from './run-stage.ts';

export interface HostStagesOptions {
  readonly table: FacedColliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  /** Of the table's colliders. */
  readonly entries: ContactEntries;
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

/** Where bodies are. */
export interface PosedBodies {
  /** Of all bodies, checked; nobody changes them. */
  readonly poses: Float64Array;
  /** `[n]`: 1 for bodies that are not there; undefined: all are. Nobody changes it. */
  readonly absent?: Uint8Array | undefined;
}

/** What stages found. */
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
  /** What threads see: poses, centres, and how far bodies have come. */
  #seen:
    | { readonly poses: Float64Array; readonly centres: Float64Array; readonly paths: Float64Array }
    | undefined;
  /** Paths begin anew with them: a long sum would lose small steps in rounding. */
  #areRowsNew = false;
  /** `[bodies]`, none where there are no polyhedra: nothing sleeps. */
  readonly #reaches: Float64Array;

  constructor({ table, polyhedra, entries, pool, threads }: HostStagesOptions) {
    this.#scene = shareTogether(table.colliders);
    this.#shapes = {
      convex: table.convex && shareTogether({ ...table.convex }),
      faces: table.faces && shareTogether({ ...table.faces }),
      polyhedra,
    };
    this.#centres = table.convex ? centresInBodies(table.convex, table.colliders) : new Float64Array(0);
    this.#pool = pool;
    this.threads = threads;
    const { colliders } = table;
    const bodies =
      polyhedra.length === 0 ? 0 : 1 + colliders.bodies.reduce((most, body) => Math.max(most, body), 0);
    this.#reaches = bodies === 0 ? new Float64Array(0) : reachesOf(entries.places, bodies);
  }

  /** Rows for pairs of polyhedra, which are for the next run on. Undefined where there are no such pairs. */
  awakeRows(pairs: ColliderPairs): ColliderPairs['awake'] {
    if (pairs.pairs.length === 0) return undefined;
    const { polyhedra } = this.#shapes;
    this.#areRowsNew = true;
    const of = (features: Features) => awakeRows(pairs, this.#scene, polyhedra, features);
    return { nodes: of('nodes'), edges: of('edges') };
  }

  /** Room for what is remembered of pairs of convex shapes: 0. Undefined where all are balls, which need none. */
  memoryOf({ pairs }: ColliderPairs): ColliderPairs['remembered'] {
    const { convex } = this.#shapes;
    const { shapes } = this.#scene;
    if (convex === undefined || pairs.every((collider) => isBall(convex, shapes[collider]!)))
      return undefined;
    return new Uint32Array((REMEMBERED * pairs.length) / 2);
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
    else if (this.#areRowsNew) seen.paths.fill(0);
    else addMoves(poses, seen.poses, this.#reaches, seen.paths);
    this.#areRowsNew = false;
    seen.poses.set(poses);
    const { centres } = seen;
    if (countOf('convex') > 0) turnCentres(this.#centres, this.#scene, poses, centres);
    const scene: ContactScene = {
      ...this.#shapes,
      posed: { colliders: this.#scene, poses: seen.poses },
      ...{ centres, paths: seen.paths },
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
    return { poses: of(numbers), centres: of(this.#centres.length), paths: of(this.#reaches.length) };
  }
}

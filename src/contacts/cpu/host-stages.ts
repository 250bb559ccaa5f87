/** The narrow phases of a pipeline on the host, in float64. */
import { shareTogether } from '../../workers/shared-memory.ts';
import type { Watch } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { centresInBodies, turnCentres } from '../convex/centres.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import type { ContactRows } from '../list/contact-sink.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import { type ContactScene, STAGES, type Stage } from './contacts-task.ts';
import { runStage } from './run-stage.ts';

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
    { signal, onProgress }: DetectionWatch,
  ): Promise<StagesFound> {
    const { pool, threads } = this;
    const countOf = (stage: Stage) => (lists[stage]?.pairs.length ?? 0) / 2;
    const total = STAGES.reduce((sum, stage) => sum + countOf(stage), 0);
    const rows: Partial<Record<Stage, readonly ContactRows[]>> = {};
    const seconds: Partial<Record<Stage, number>> = {};
    let [done, used] = [0, 0];
    let nodes: NodeCounts = { tested: 0, near: 0 };
    const shared = takeMemory(Float64Array, poses.length, pool !== undefined);
    shared.set(poses);
    const centres = takeMemory(Float64Array, this.#centres.length, pool !== undefined);
    if (countOf('convex') > 0) turnCentres(this.#centres, this.#scene, poses, centres);
    const scene: ContactScene = {
      ...this.#shapes,
      posed: { colliders: this.#scene, poses: shared },
      centres,
    };
    try {
      for (const stage of STAGES) {
        const pairs = lists[stage];
        if (pairs === undefined || countOf(stage) === 0) continue;
        const started = performance.now();
        const before = done;
        const watch: Watch = { signal, onProgress: (now) => onProgress?.(before + now, total) };
        const found = await runStage({ stage, scene, pairs, pool, threads }, watch);
        rows[stage] = found.rows;
        if (stage === 'nodes') nodes = found.nodes;
        used = Math.max(used, found.threads);
        done += countOf(stage);
        seconds[stage] = (performance.now() - started) / 1000;
      }
      return { rows, nodes, threads: used, seconds };
    } finally {
      // A worker that is lost may still read.
      if (!pool?.hasFailed) giveMemory([shared, centres]);
    }
  }
}

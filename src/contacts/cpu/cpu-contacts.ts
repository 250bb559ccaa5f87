/** Contacts on the host, in float64: the CPU backend, and the twin of the kernels. */

import { shareAll } from '../../workers/shared-memory.ts';
import type { Watch } from '../../workers/slices.ts';
import { giveMemory, takeMemory } from '../../workers/spare-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import type { ColliderTable } from '../bodies/collider-table.ts';
import { planePairs } from '../bodies/plane-pairs.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import type { ContactRows } from '../list/contact-sink.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import { type ContactScene, STAGES, type Stage } from './contacts-task.ts';
import { EntryPairs } from './entry-pairs.ts';
import { runStage } from './run-stage.ts';

export interface CpuContactsOptions {
  readonly table: ColliderTable;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly bodies: ResolvedBodies;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
  readonly pool: () => WorkerPool | undefined;
  readonly threads: number;
}

export interface DetectionWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface FoundContacts {
  /** In the order of the list. */
  readonly rows: readonly ContactRows[];
  readonly pairs: number;
  /** Nodes that were looked up, and those of them in cells that are inside or that the surface passes. */
  readonly nodes: NodeCounts;
  readonly threads: number;
  /** Wall time of each narrow phase, of the broad phase, and of copying. */
  readonly seconds: Readonly<Record<Stage | 'broadphase' | 'upload', number>>;
}

export class CpuContacts {
  readonly #options: CpuContactsOptions;
  readonly #pairs: EntryPairs;
  readonly #scene: Omit<ContactScene, 'posed'>;
  readonly #colliders: ContactScene['posed']['colliders'];

  constructor(options: CpuContactsOptions) {
    const { table, polyhedra, bodies, cell, margin } = options;
    this.#options = options;
    this.#pairs = new EntryPairs({
      ...{ colliders: table.colliders, bodies, cell, margin },
      polyhedra: polyhedra.map(({ surface }) => surface),
    });
    this.#colliders = shareAll(table.colliders);
    this.#scene = { convex: table.convex && shareAll({ ...table.convex }), polyhedra };
  }

  /**
   * @param poses of all bodies, checked; nobody changes them
   */
  async detect(poses: Float64Array, { signal, onProgress }: DetectionWatch): Promise<FoundContacts> {
    const { bodies, threads } = this.#options;
    const pool = threads > 1 ? this.#options.pool() : undefined;
    const clock = stopwatch();
    const classes = await this.#pairs.at(poses, pool, threads);
    signal?.throwIfAborted();
    const planes: ColliderPairs = { pairs: planePairs({ colliders: this.#colliders, poses }, bodies) };
    const broadphase = clock();
    const shared = takeMemory(Float64Array, poses.length, pool !== undefined);
    shared.set(poses);
    const scene: ContactScene = { ...this.#scene, posed: { colliders: this.#colliders, poses: shared } };
    const upload = clock();
    const lists: Record<Stage, ColliderPairs> = { ...classes, planes };
    const total = STAGES.reduce((sum, stage) => sum + lists[stage].pairs.length / 2, 0);
    const seconds = { broadphase, upload } as Record<Stage | 'broadphase' | 'upload', number>;
    const rows: ContactRows[] = [];
    let [done, used] = [0, 1];
    let nodes: NodeCounts = { tested: 0, near: 0 };
    try {
      for (const stage of STAGES) {
        const before = done;
        const watch: Watch = { signal, onProgress: (now) => onProgress?.(before + now, total) };
        const found = await runStage({ stage, scene, pairs: lists[stage], pool, threads }, watch);
        rows.push(...found.rows);
        if (stage === 'nodes') nodes = found.nodes;
        used = Math.max(used, found.threads);
        done += lists[stage].pairs.length / 2;
        seconds[stage] = clock();
      }
      return { rows, pairs: classes.count + planes.pairs.length / 2, nodes, threads: used, seconds };
    } finally {
      // A worker that is lost may still read.
      if (!pool?.hasFailed) giveMemory([shared]);
    }
  }
}

/** Seconds since the last call, or since it was made. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = (now - last) / 1000;
    last = now;
    return passed;
  };
}

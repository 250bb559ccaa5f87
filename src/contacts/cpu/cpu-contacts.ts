/** Contacts on the host, in float64: the CPU backend, and the twin of the kernels. */
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import type { Colliders } from '../bodies/colliders.ts';
import type { ContactEntries } from '../bodies/entries.ts';
import type { ContactRows } from '../list/contact-sink.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import { STAGES, type Stage } from './contacts-task.ts';
import { EntryPairs, type KeptPairs } from './entry-pairs.ts';
import type { DetectionWatch, HostStages, PosedBodies, StagesFound } from './host-stages.ts';

export interface CpuContactsOptions {
  readonly colliders: Colliders;
  readonly bodies: ResolvedBodies;
  readonly entries: ContactEntries;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
  readonly stages: HostStages;
}

/** What a backend found. */
export interface FoundContacts {
  /** In the order of the list. */
  readonly rows: readonly ContactRows[];
  /** Pairs of colliders. */
  readonly pairs: number;
  /** Nodes that were looked up, and those of them in cells that are inside or that the surface passes. */
  readonly nodes: NodeCounts;
  readonly threads: number;
  readonly seconds: StagesFound['seconds'] & { readonly broadphase: number };
}

/** The same with the pairs that each stage went through. */
export interface StagedFound extends FoundContacts {
  readonly lists: Readonly<Record<Stage, ColliderPairs>>;
  readonly stages: StagesFound['rows'];
}

export class CpuContacts {
  readonly #options: CpuContactsOptions;
  readonly #pairs: EntryPairs;

  constructor(options: CpuContactsOptions) {
    this.#options = options;
    const { stages } = options;
    this.#pairs = new EntryPairs({
      ...options,
      awake: (pairs) => stages.awakeRows(pairs),
      memory: (pairs) => stages.memoryOf(pairs),
    });
  }

  /** Forgets earlier steps. */
  forget(): void {
    this.#pairs.forget();
  }

  /** What the next call takes over from earlier ones. */
  get kept(): KeptPairs | undefined {
    return this.#pairs.kept;
  }

  keep(pairs: KeptPairs): void {
    this.#pairs.keep(pairs);
  }

  async detect({ poses, absent }: PosedBodies, watch: DetectionWatch): Promise<StagedFound> {
    const { stages } = this.#options;
    const started = performance.now();
    const { pool } = stages;
    const { convex, polyhedra, patches, planes } = await this.#pairs.at(
      { poses, absent },
      pool,
      stages.threads,
      watch.signal,
    );
    const lists = { nodes: polyhedra, edges: polyhedra, patches, convex, planes };
    const pairs = [polyhedra, patches, convex, planes].reduce((sum, list) => sum + list.pairs.length / 2, 0);
    const broadphase = (performance.now() - started) / 1000;
    watch.signal?.throwIfAborted();
    const { rows, nodes, threads, seconds } = await stages.run(lists, poses, watch).finally(() => {
      // A worker that is lost may have left half of what it was to remember.
      if (pool?.hasFailed) this.#pairs.forget();
    });
    return {
      rows: STAGES.flatMap((stage) => rows[stage] ?? []),
      ...{ lists, stages: rows },
      ...{ pairs, nodes },
      // The calling thread looked for pairs.
      ...{ threads: Math.max(1, threads), seconds: { ...seconds, broadphase } },
    };
  }
}

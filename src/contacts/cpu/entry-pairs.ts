/** The list of pairs that may touch: found anew only when something has moved by half the margin. */
import { type EntryPlaces, placeEntries, reachesOf } from '../../broadphase/entries.ts';
import { writeEntryBoxes } from '../../broadphase/entry-boxes.ts';
import { largestMove } from '../../broadphase/moved.ts';
import { overlappingPairs } from '../../broadphase/pairs-task.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import { pauses } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { Colliders } from '../bodies/colliders.ts';
import { type ContactEntries, makeEntries } from '../bodies/entries.ts';
import { classifyPairs, type PairClasses } from './pair-classes.ts';

export interface EntryPairsOptions {
  readonly colliders: Colliders;
  readonly bodies: ResolvedBodies;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
}

/** All that the next call takes over from earlier ones. */
export interface KeptPairs extends PairClasses {
  /** The poses that the list was made for. */
  readonly reference: Float64Array;
}

/** Pairs by class, kept from call to call. */
export class EntryPairs {
  readonly #options: EntryPairsOptions;
  readonly #entries: ContactEntries;
  readonly #places: EntryPlaces;
  /** `[bodies]` */
  readonly #reaches: Float64Array;
  /** The poses that the list was made for. */
  #reference: Float64Array | undefined;
  #classes: PairClasses | undefined;

  constructor(options: EntryPairsOptions) {
    const { colliders, bodies } = options;
    this.#options = options;
    this.#entries = makeEntries(colliders);
    this.#places = placeEntries({ ...this.#entries, bodies: colliders.bodies, places: colliders.places });
    this.#reaches = reachesOf(this.#places, bodies.count);
  }

  /** The next list is made anew. */
  forget(): void {
    this.#classes = undefined;
  }

  /** Undefined where nothing is kept. It is no copy: the next call changes it. */
  get kept(): KeptPairs | undefined {
    return this.#classes && this.#reference && { ...this.#classes, reference: this.#reference };
  }

  /** Goes on with what other pairs of the same bodies kept. */
  keep({ reference, ...classes }: KeptPairs): void {
    this.#classes = shareTogether(classes);
    this.#reference = reference;
  }

  /** Pairs of all colliders whose boxes overlap at these poses, and some whose boxes nearly do. */
  async at(
    poses: Float64Array,
    pool: WorkerPool | undefined,
    threads: number,
    signal?: AbortSignal,
  ): Promise<PairClasses> {
    const { cell, margin, colliders, bodies } = this.#options;
    const last = this.#reference;
    if (this.#classes && last && largestMove(poses, last, this.#reaches) <= margin / 2) return this.#classes;
    const pause = pauses();
    const boxes = new Int32Array(6 * this.#entries.count);
    writeEntryBoxes({ entries: this.#places, poses, cell, margin }, boxes);
    const of = (array: Uint32Array) => Uint32Array.from(this.#places.bodies, (body) => array[body]!);
    const { pairs } = await overlappingPairs(
      boxes,
      {
        ...{ count: this.#entries.count, bodies: this.#places.bodies },
        ...{ isStatic: Uint8Array.from(this.#places.bodies, (body) => bodies.isStatic[body]!) },
        ...{ groups: of(bodies.groups), masks: of(bodies.masks) },
      },
      { pool, threads, signal },
    );
    await pause();
    signal?.throwIfAborted();
    const classes = classifyPairs(pairs, this.#entries.colliders, colliders);
    const isShared = pool !== undefined && threads > 1;
    this.#classes = isShared ? shareTogether(classes) : classes;
    this.#reference = poses.slice();
    return this.#classes;
  }
}

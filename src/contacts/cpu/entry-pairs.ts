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
import type { PosedBodies } from './host-stages.ts';
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
  /** The poses that the list was made for, and the bodies that were not there. */
  readonly reference: Float64Array;
  readonly absent?: Uint8Array | undefined;
}

/** Pairs by class, kept from call to call. */
export class EntryPairs {
  readonly #options: EntryPairsOptions;
  readonly #entries: ContactEntries;
  readonly #places: EntryPlaces;
  /** `[bodies]` */
  readonly #reaches: Float64Array;
  /** What the list was made for. */
  #reference: PosedBodies | undefined;
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
    if (!this.#classes || !this.#reference) return undefined;
    const { poses, absent } = this.#reference;
    return { ...this.#classes, reference: poses, absent };
  }

  /** Goes on with what other pairs of the same bodies kept. */
  keep({ reference, absent, ...classes }: KeptPairs): void {
    this.#classes = shareTogether(classes);
    this.#reference = { poses: reference, absent };
  }

  /** Pairs of all colliders whose boxes overlap at these poses, and some whose boxes nearly do. */
  async at(
    { poses, absent }: PosedBodies,
    pool: WorkerPool | undefined,
    threads: number,
    signal?: AbortSignal,
  ): Promise<PairClasses> {
    const { cell, margin, colliders, bodies } = this.#options;
    const last = this.#reference;
    if (this.#classes && last && areSame(absent, last.absent)) {
      if (largestMove(poses, last.poses, this.#reaches, absent) <= margin / 2) return this.#classes;
    }
    const pause = pauses();
    const { wanted, bodies: owners, colliders: numbers } = this.#present(absent);
    const boxes = new Int32Array(6 * owners.length);
    writeEntryBoxes({ entries: this.#places, wanted, poses, cell, margin }, boxes);
    const of = (array: Uint32Array) => Uint32Array.from(owners, (body) => array[body]!);
    const { pairs } = await overlappingPairs(
      boxes,
      {
        ...{ count: owners.length, bodies: owners },
        ...{ isStatic: Uint8Array.from(owners, (body) => bodies.isStatic[body]!) },
        ...{ groups: of(bodies.groups), masks: of(bodies.masks) },
        apart: Uint8Array.from(owners, (body) => bodies.apart[body]!),
      },
      { pool, threads, signal },
    );
    await pause();
    signal?.throwIfAborted();
    const classes = classifyPairs(pairs, numbers, colliders);
    const isShared = pool !== undefined && threads > 1;
    this.#classes = isShared ? shareTogether(classes) : classes;
    this.#reference = { poses: poses.slice(), absent };
    return this.#classes;
  }

  /** Entries of bodies that are there: their numbers, bodies and colliders. */
  #present(absent: Uint8Array | undefined) {
    const { colliders } = this.#entries;
    const { bodies } = this.#places;
    if (absent === undefined) return { wanted: undefined, bodies, colliders };
    const wanted = Uint32Array.from(bodies.keys()).filter((entry) => absent[bodies[entry]!] === 0);
    return { wanted, bodies: wanted.map((i) => bodies[i]!), colliders: wanted.map((i) => colliders[i]!) };
  }
}

/** Whether the same bodies are not there. */
function areSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.every((one, body) => one === b[body]));
}

/** Lists of pairs that may touch: made anew only when something has moved by half the margin. */
import { type EntryPlaces, placeEntries, reachesOf } from '../../broadphase/entries.ts';
import { writeEntryBoxes } from '../../broadphase/entry-boxes.ts';
import { largestMove } from '../../broadphase/moved.ts';
import { overlappingPairs } from '../../broadphase/pairs-task.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import { pauses } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import { type ContactEntries, makeEntries } from '../bodies/entries.ts';
import { pairsNearPlanes, possiblePlanePairs } from '../bodies/plane-pairs.ts';
import type { PosedBodies } from './host-stages.ts';
import { classifyPairs, type PairClasses } from './pair-classes.ts';

export interface EntryPairsOptions {
  readonly colliders: Colliders;
  readonly bodies: ResolvedBodies;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
  /** Rows for pairs of polyhedra: which of their features are awake. */
  readonly awake: (pairs: ColliderPairs) => ColliderPairs['awake'];
}

/** Lists by what finds their contacts. They live for many steps, and are the same objects as long as they do. */
export interface PairLists extends PairClasses {
  readonly planes: ColliderPairs;
}

/** All that the next call takes over from earlier ones. Pairs with planes follow from it. */
export interface KeptPairs extends PairClasses {
  /** The poses that the list was made for, and the bodies that were not there. */
  readonly reference: Float64Array;
  readonly absent?: Uint8Array | undefined;
}

/** Lists of pairs, kept from call to call. */
export class EntryPairs {
  readonly #options: EntryPairsOptions;
  readonly #entries: ContactEntries;
  readonly #places: EntryPlaces;
  /** `[bodies]` */
  readonly #reaches: Float64Array;
  /** What the list was made for. */
  #reference: PosedBodies | undefined;
  #lists: PairLists | undefined;
  /** Pairs of a plane and another collider that may touch at all. */
  readonly #onPlanes: Uint32Array;
  /** Places of the numbers of planes among poses, and these numbers when the list of their pairs was made. */
  readonly #planeNumbers: Uint32Array;
  #posesOfPlanes = new Float64Array(0);

  constructor(options: EntryPairsOptions) {
    const { colliders, bodies } = options;
    this.#options = options;
    this.#entries = makeEntries(colliders);
    this.#places = placeEntries({ ...this.#entries, bodies: colliders.bodies, places: colliders.places });
    this.#reaches = reachesOf(this.#places, bodies.count);
    this.#onPlanes = possiblePlanePairs(colliders, bodies);
    const planes = colliders.bodies.filter((_, c) => colliders.kinds[c] === ColliderKind.plane);
    this.#planeNumbers = Uint32Array.from(
      { length: 7 * planes.length },
      (_, i) => 7 * planes[Math.floor(i / 7)]! + (i % 7),
    );
  }

  /** The next list is made anew. */
  forget(): void {
    this.#lists = undefined;
  }

  /** Undefined where nothing is kept. It is no copy: the next call changes it. */
  get kept(): KeptPairs | undefined {
    if (!this.#lists || !this.#reference) return undefined;
    const { poses, absent } = this.#reference;
    const { planes: _, polyhedra, ...classes } = this.#lists;
    return { ...classes, polyhedra: { pairs: polyhedra.pairs }, reference: poses, absent };
  }

  /** Goes on with what other pairs of the same bodies kept. */
  keep({ reference, absent, ...classes }: KeptPairs): void {
    this.#reference = { poses: reference, absent };
    this.#lists = {
      ...shareTogether(this.#withRows(classes)),
      planes: this.#near(reference, absent, this.#options.margin / 2),
    };
  }

  /** Pairs of all colliders whose boxes overlap at these poses, and some whose boxes nearly do. */
  async at(
    { poses, absent }: PosedBodies,
    pool: WorkerPool | undefined,
    threads: number,
    signal?: AbortSignal,
  ): Promise<PairLists> {
    const { cell, margin, colliders, bodies } = this.#options;
    const last = this.#reference;
    if (this.#lists && last && areSame(absent, last.absent)) {
      if (largestMove(poses, last.poses, this.#reaches, absent) <= margin / 2) {
        // Until the lists are made anew, bodies may come back by what they have moved, and go as far to the other side.
        if (this.#havePlanesMoved(poses))
          this.#lists = { ...this.#lists, planes: this.#near(poses, absent, margin) };
        return this.#lists;
      }
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
    const classes = this.#withRows(classifyPairs(pairs, numbers, colliders));
    const isShared = pool !== undefined && threads > 1;
    this.#reference = { poses: poses.slice(), absent };
    const planes = this.#near(poses, absent, margin / 2);
    this.#lists = isShared ? shareTogether({ ...classes, planes }) : { ...classes, planes };
    return this.#lists;
  }

  #withRows(classes: PairClasses): PairClasses {
    const { polyhedra } = classes;
    return { ...classes, polyhedra: { ...polyhedra, awake: this.#options.awake(polyhedra) } };
  }

  /** Pairs with planes that may touch before their collider has moved that far. */
  #near(poses: Float64Array, absent: Uint8Array | undefined, way: number): ColliderPairs {
    this.#posesOfPlanes = Float64Array.from(this.#planeNumbers, (at) => poses[at]!);
    return {
      pairs: pairsNearPlanes({ colliders: this.#options.colliders, poses, absent }, this.#onPlanes, way),
    };
  }

  /** Since their list was made. A plane that turns comes near far bodies, however little it turns. */
  #havePlanesMoved(poses: Float64Array): boolean {
    return this.#planeNumbers.some((at, i) => poses[at] !== this.#posesOfPlanes[i]);
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

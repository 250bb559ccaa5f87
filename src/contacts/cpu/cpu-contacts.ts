/**
 * Contacts on the host, in float64: the CPU backend, and the twin of the kernels. Lists of pairs that may touch are
 * made anew only when something has moved by half the margin.
 */
import { boxReachesOf, type EntryPlaces, numbersTo, reachesOf } from '../../broadphase/entries.ts';
import { writeEntryBoxes } from '../../broadphase/entry-boxes.ts';
import { largestMove, MOVE, writeMoves } from '../../broadphase/moved.ts';
import { nearPairs } from '../../broadphase/near-pairs.ts';
import { overlappingPairs } from '../../broadphase/pairs-task.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import { pauses } from '../../workers/slices.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import { ColliderKind, type Colliders } from '../bodies/colliders.ts';
import type { ContactEntries } from '../bodies/entries.ts';
import { pairsNearPlanes, possiblePlanePairs } from '../bodies/plane-pairs.ts';
import type { ContactRows } from '../list/contact-sink.ts';
import { addPaths, lacksRoom } from '../nodes/awake.ts';
import type { NodeCounts } from '../nodes/nodes-in-fields.ts';
import { STAGES, type Stage } from './contacts-task.ts';
import type { DetectionWatch, HostStages, PosedBodies, StagesFound } from './host-stages.ts';
import { classifyPairs, type PairClasses } from './pair-classes.ts';

export interface CpuContactsOptions {
  readonly colliders: Colliders;
  readonly bodies: ResolvedBodies;
  readonly entries: ContactEntries;
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
  readonly stages: HostStages;
}

/** Contacts that a backend found. */
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

/** A list of pairs per narrow phase. Lists serve many steps, and are the same objects as long as they do. */
interface PairLists extends PairClasses {
  readonly planes: ColliderPairs;
}

/** All that the next call takes over from earlier ones. Pairs with planes follow from it. */
export interface KeptPairs extends PairClasses {
  /** The poses that the list was made for, and the bodies that were not there. */
  readonly reference: Float64Array;
  readonly absent?: Uint8Array | undefined;
}

/** How bodies move from call to call, which tells what sleeps. */
interface Followed {
  /** Of the last call. */
  readonly poses: Float64Array;
  /** `[bodies]`: how far their points are from their origins. */
  readonly reaches: Float64Array;
  /** Of this call, from `writeMoves`. */
  readonly moves: Float64Array;
}

/** Entries of the bodies that are there. */
interface PresentEntries {
  readonly absent: Uint8Array | undefined;
  /** Their numbers; undefined: all. */
  readonly wanted: Uint32Array | undefined;
  readonly colliders: Uint32Array;
  readonly entries: Parameters<typeof overlappingPairs>[1];
}

export class CpuContacts {
  readonly #options: CpuContactsOptions;
  readonly #places: EntryPlaces;
  /** `[bodies]` */
  readonly #reaches: Float64Array;
  /** Undefined until there are pairs of polyhedra. */
  #followed: Followed | undefined;
  /** Poses that the lists were made for. */
  #reference: PosedBodies | undefined;
  #lists: PairLists | undefined;
  /** Pairs of a plane and another collider that may touch at all. */
  readonly #onPlanes: Uint32Array;
  /** Places of the numbers of planes among poses, and these numbers when the list of their pairs was made. */
  readonly #planeNumbers: Uint32Array;
  #posesOfPlanes = new Float64Array(0);
  /** Of the bodies that were there when a list was last made. */
  #present: PresentEntries | undefined;

  constructor(options: CpuContactsOptions) {
    const { colliders, bodies, entries } = options;
    this.#options = options;
    this.#places = entries.places;
    this.#reaches = boxReachesOf(this.#places, bodies.count);
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
    const planes = this.#near(reference, absent, this.#options.margin / 2);
    this.#lists = shared({ ...this.#withRows(classes), planes });
  }

  async detect({ poses, absent }: PosedBodies, watch: DetectionWatch): Promise<StagedFound> {
    const { stages } = this.#options;
    const started = performance.now();
    const { pool } = stages;
    const { convex, polyhedra, patches, planes } = await this.#listsAt({ poses, absent }, pool, watch.signal);
    const lists = { nodes: polyhedra, edges: polyhedra, patches, convex, planes };
    const pairs = [polyhedra, patches, convex, planes].reduce((sum, list) => sum + list.pairs.length / 2, 0);
    const broadphase = (performance.now() - started) / 1000;
    watch.signal?.throwIfAborted();
    this.#follow(polyhedra, poses);
    const { rows, nodes, threads, seconds } = await stages.run(lists, poses, watch).finally(() => {
      // A lost worker may have written half of an axis or a meeting, so nothing remembered is trusted.
      if (pool?.hasFailed) this.forget();
    });
    return {
      rows: STAGES.flatMap((stage) => rows[stage] ?? []),
      ...{ lists, stages: rows },
      ...{ pairs, nodes },
      // The calling thread looked for pairs.
      ...{ threads: Math.max(1, threads), seconds: { ...seconds, broadphase } },
    };
  }

  /**
   * Adds to the paths of pairs how far bodies have come since the last call that had some. Stages may have run
   * elsewhere between. Where nothing sleeps, as balls do not, bodies need not be followed.
   */
  #follow(pairs: ColliderPairs, poses: Float64Array): void {
    if (!pairs.awake) return;
    const { colliders, bodies } = this.#options;
    if (this.#followed === undefined) {
      const reaches = reachesOf(this.#places, bodies.count);
      this.#followed = { poses: poses.slice(), reaches, moves: new Float64Array(MOVE * bodies.count) };
      return;
    }
    const { poses: last, reaches, moves } = this.#followed;
    writeMoves(poses, last, reaches, moves);
    addPaths(pairs, colliders.bodies, moves);
    last.set(poses);
  }

  /** Pairs of all colliders whose boxes overlap at these poses, and some whose boxes nearly do. */
  async #listsAt(
    { poses, absent }: PosedBodies,
    pool: WorkerPool | undefined,
    signal?: AbortSignal,
  ): Promise<PairLists> {
    const { cell, margin, colliders, stages } = this.#options;
    const { threads } = stages;
    const isShared = pool !== undefined && threads > 1;
    const last = this.#reference;
    if (this.#lists && last && areSame(absent, last.absent)) {
      if (largestMove(poses, last.poses, this.#reaches, absent) <= margin / 2) {
        // Until the lists are made anew, bodies may come back by what they have moved, and go as far to the other side.
        if (this.#havePlanesMoved(poses))
          this.#lists = { ...this.#lists, planes: this.#near(poses, absent, margin) };
        return (this.#lists = this.#withRoom(this.#lists, isShared));
      }
    }
    const pause = pauses();
    if (!this.#present || !areSame(absent, this.#present.absent)) this.#present = this.#presentOf(absent);
    const { wanted, colliders: numbers, entries } = this.#present;
    const boxes = new Int32Array(6 * entries.count);
    writeEntryBoxes({ entries: this.#places, wanted, poses, cell, margin }, boxes);
    await pause();
    signal?.throwIfAborted();
    const { pairs } = await overlappingPairs(boxes, entries, { pool, threads, signal });
    await pause();
    signal?.throwIfAborted();
    const near = nearPairs(pairs, { entries: this.#places, wanted, poses, margin });
    const classes = this.#withRows(classifyPairs(near, numbers, colliders), this.#lists);
    this.#reference = { poses: poses.slice(), absent };
    const planes = this.#near(poses, absent, margin / 2);
    this.#lists = isShared ? shared({ ...classes, planes }) : { ...classes, planes };
    return this.#lists;
  }

  /** @param before the lists up to now: what is known of their pairs is taken over */
  #withRows(classes: PairClasses, before?: PairLists): PairClasses {
    const { convex, polyhedra } = classes;
    const { stages } = this.#options;
    return {
      ...classes,
      convex: { ...convex, remembered: convex.remembered ?? stages.memoryOf(convex, before?.convex) },
      polyhedra: { ...polyhedra, awake: stages.awakeOf(polyhedra, before?.polyhedra) },
    };
  }

  /** The same lists, with room for what is awake. */
  #withRoom(lists: PairLists, isShared: boolean): PairLists {
    const { polyhedra } = lists;
    if (!polyhedra.awake || !lacksRoom(polyhedra.awake)) return lists;
    const awake = this.#options.stages.awakeOf(polyhedra, polyhedra);
    return { ...lists, polyhedra: { ...polyhedra, awake: isShared ? shareTogether(awake) : awake } };
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
  #presentOf(absent: Uint8Array | undefined): PresentEntries {
    const { isStatic, groups, masks, apart } = this.#options.bodies;
    const { bodies: owners } = this.#places;
    const wanted = absent && numbersTo(owners.length).filter((entry) => absent[owners[entry]!] === 0);
    const present = (array: Uint32Array) => (wanted ? wanted.map((entry) => array[entry]!) : array);
    const bodies = present(owners);
    const of = (array: Uint32Array) => bodies.map((body) => array[body]!);
    const flags = (array: Uint8Array) => new Uint8Array(bodies.length).map((_, i) => array[bodies[i]!]!);
    return {
      ...{ absent, wanted, colliders: present(this.#options.entries.colliders) },
      entries: {
        ...{ count: bodies.length, bodies, isStatic: flags(isStatic) },
        ...{ groups: of(groups), masks: of(masks), apart: flags(apart) },
      },
    };
  }
}

/** Lists in memory that threads see. What is awake is apart from pairs: it moves to larger room while they stay. */
function shared(lists: PairLists): PairLists {
  const { awake, ...polyhedra } = lists.polyhedra;
  const all = shareTogether({ ...lists, polyhedra });
  return { ...all, polyhedra: { ...all.polyhedra, awake: awake && shareTogether(awake) } };
}

/** Whether the same bodies are not there. */
function areSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.every((one, body) => one === b[body]));
}

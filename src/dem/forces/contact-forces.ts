/**
 * Forces at contacts, in float64: the twin of the kernels in shaders/dem/forces/. docs/dem.md, "Contact laws", has the
 * formulas and where they are from.
 */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import { newParts } from '../../workers/parts.ts';
import { LEAST_SHARED_TIME, shareWork } from '../../workers/share-work.ts';
import { share } from '../../workers/shared-memory.ts';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import type { StoredRule } from '../checkpoint/require-stored.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import { BlockForces, FORCE_SUMS, type ForceList, type ForceStep, ForceSum } from './block-forces.ts';
import type { BodyLaws, CollidersOfBodies } from './body-laws.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { ForceHistory, type SpringEnergies } from './force-history.ts';
import { type ForcesTask, runForces } from './forces-task.ts';
import { type LawTables, lawTables } from './law-tables.ts';
import { MovingBodies } from './moving-bodies.ts';
import { LISTS, rowsOfStage, type StagedContacts } from './pair-batch.ts';
import type { PairForces } from './pair-forces.ts';
import { SUMS } from './pair-laws.ts';
import { blocksOf, PAIR_WORDS, type PairRows, pairRows } from './pair-rows.ts';
import { resistsRolling } from './rolling-torques.ts';

/** Sums over all contacts of a step. */
export interface ContactSums {
  /** Energy of springs along normals, with that of cohesion, of tangential ones, and of those against rolling. */
  elastic: number;
  tangential: number;
  rolled: number;
  /** The largest sqrt(stiffness / reduced mass) of a pair, 1 / time. */
  largestFrequency: number;
  deepest: number;
  /** The deepest overlap in radii of the smaller body. */
  deepestShare: number;
}

/** Contacts of a step, pair by pair, and where their bodies are. */
export interface PosedContacts extends StagedContacts {
  /** `[n * 7]`: poses of the shapes' frames, not of copies. */
  readonly poses: Float64Array;
}

export interface ContactForcesOptions {
  readonly bodies: BodyLaws;
  readonly inertia: Inertia;
  readonly colliders: CollidersOfBodies;
  /** Undefined: the calling thread does all, as it does where laws are a caller's own. */
  readonly pool: () => WorkerPool | undefined;
}

export class ContactForces {
  readonly #tables: LawTables;
  /** `[c]`: the body of each collider, no copy of it. */
  readonly #bodyOf: Uint32Array;
  readonly #history: ForceHistory;
  readonly #moving: MovingBodies;
  readonly #pool: () => WorkerPool | undefined;
  /** Of the lists of the last call. */
  #rows: readonly PairRows[] = [];
  /** Of these, where bodies may have several parts. */
  #joins: Joins | undefined;
  #loads: BodyLoads;
  #sums: Float64Array;
  /** Milliseconds that the last call took, of all threads together. */
  #took = 0;

  constructor({ bodies, inertia, colliders, pool }: ContactForcesOptions) {
    const { repeated } = colliders;
    const count = bodies.materials.length;
    this.#bodyOf = repeated
      ? colliders.bodies.map((one) => Math.floor(one / repeated.copies))
      : colliders.bodies;
    this.#tables = lawTables(bodies, inertia, colliders);
    const hasRolling = resistsRolling(this.#tables);
    this.#history = new ForceHistory({ bodyOf: this.#bodyOf, colliders, count, hasRolling });
    this.#moving = new MovingBodies(bodies, inertia);
    this.#pool = bodies.pairs.laws.length > 0 ? () => undefined : pool;
    this.#loads = loadsFor(count, hasRolling);
    this.#sums = share(new Float64Array(FORCE_SUMS * blocksOf(count)));
  }

  /** Of the last call: rows of bodies, and behind them others. */
  get loads(): BodyLoads {
    return this.#loads;
  }

  /**
   * Sums up the loads of all contacts.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay.
   */
  async add(contacts: PosedContacts, state: MotionState, time: number): Promise<ContactSums> {
    this.#moving.update(state, contacts.poses);
    this.#setRows(contacts);
    const pool = this.#pool();
    const sharing = pool?.size ?? 1;
    const blocks = blocksOf(state.count);
    const began = performance.now();
    let step = this.#stepOf(contacts, time);
    const isLong = this.#took * (1 - 1 / sharing) > LEAST_SHARED_TIME;
    const task = (): ForcesTask => ({ kind: 'forces', step, ...newParts(blocks, 1) });
    const threads = await shareWork<ForcesTask>(
      {
        ...{ count: blocks, pool: isLong ? pool : undefined, task },
        here: runForces,
        take: () => {},
        alone: () => {
          // A worker that is lost may still write to what it was given.
          if (pool?.hasFailed) step = this.#stepInNewMemory(contacts, time);
          runForces(task());
        },
      },
      {},
    );
    this.#took = threads * (performance.now() - began);
    this.#history.last = step.lists.map(({ next }) => next);
    this.#addGhosts();
    return this.#sumsOf(blocks);
  }

  /** What is made with lists of pairs: of those that have changed anew. */
  #setRows({ lists }: StagedContacts): void {
    const { length: count } = this.#tables.materials;
    let end = count;
    const rows = LISTS.map((name, list) => {
      const { pairs } = lists[name];
      const kept = this.#rows[list];
      const isKept = kept?.pairs === pairs && kept.firstGhost === end;
      const rows = isKept ? kept : pairRows(pairs, this.#bodyOf, this.#tables, end);
      end += rows.ghosts.length;
      return rows;
    });
    if (rows.some((one, list) => one !== this.#rows[list])) this.#joins = undefined;
    this.#rows = rows;
    if (this.#loads.sums.length < BODY_LOADS * end)
      this.#loads = loadsFor(
        count + Math.ceil(SPARE_ROOM * (end - count)),
        this.#loads.rolling !== undefined,
      );
  }

  #stepOf(contacts: PosedContacts, time: number): ForceStep {
    if (this.#tables.hasParts) this.#joins ??= joinsOf(this.#tables, this.#rows);
    const { count, ofLists } = this.#joins ?? NO_JOINS;
    const lists = this.#rows.map((rows, list): ForceList => {
      const name = LISTS[list]!;
      const nodes = rowsOfStage(contacts.stages[name]);
      const edges = rowsOfStage(name === 'nodes' ? contacts.stages.edges : undefined);
      const last = this.#history.before(list, rows.pairs);
      const next = this.#history.roomFor(list, rows.pairs, nodes.count + edges.count);
      return { rows, nodes, edges, joins: ofLists[list], last, next };
    });
    const { numbers, rotations, belts } = this.#moving;
    const step: ForceStep = {
      ...{ tables: this.#tables, moving: { numbers, rotations, belts }, lists, time },
      ...{ joined: share(new Float64Array(SUMS * count)), loads: this.#loads, sums: this.#sums },
    };
    // Dashpots of bodies of several parts depend on all of these.
    if (this.#tables.hasParts) new BlockForces(step).join();
    return step;
  }

  #stepInNewMemory(contacts: PosedContacts, time: number): ForceStep {
    this.#history.dropRooms();
    const { sums, rolling } = this.#loads;
    this.#loads = loadsFor(sums.length / BODY_LOADS, rolling !== undefined);
    this.#sums = share(new Float64Array(this.#sums.length));
    return this.#stepOf(contacts, time);
  }

  /** Adds the loads that bodies have from other blocks. */
  #addGhosts(): void {
    const { sums, rolling } = this.#loads;
    for (const { ghosts, firstGhost } of this.#rows) {
      for (let g = 0; g < ghosts.length; g++) {
        const to = BODY_LOADS * ghosts[g]!;
        const from = BODY_LOADS * (firstGhost + g);
        for (let k = 0; k < BODY_LOADS; k++) sums[to + k]! += sums[from + k]!;
        if (rolling === undefined) continue;
        for (let k = 0; k < 3; k++) rolling[3 * ghosts[g]! + k]! += rolling[3 * (firstGhost + g) + k]!;
      }
    }
  }

  /** Of all blocks, in order. */
  #sumsOf(blocks: number): ContactSums {
    const sums = this.#sums;
    const sum = (of: number) => {
      let all = 0;
      for (let block = 0; block < blocks; block++) all += sums[FORCE_SUMS * block + of]!;
      return all;
    };
    const most = (of: number) => {
      let all = 0;
      for (let block = 0; block < blocks; block++) all = Math.max(all, sums[FORCE_SUMS * block + of]!);
      return all;
    };
    return {
      ...{
        elastic: sum(ForceSum.elastic),
        tangential: sum(ForceSum.tangential),
        rolled: sum(ForceSum.rolled),
      },
      largestFrequency: Math.sqrt(most(ForceSum.largestFrequency)),
      ...{ deepest: most(ForceSum.deepest), deepestShare: most(ForceSum.deepestShare) },
    };
  }

  contactForces(): PairForces {
    return this.#history.contactForces();
  }

  energyAt(isOne: Uint8Array): SpringEnergies {
    return this.#history.energyAt(isOne);
  }

  saved(): () => void {
    const { last } = this.#history;
    return () => {
      this.#history.last = last;
    };
  }

  store(): StoredArrays {
    return this.#history.store();
  }

  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>> {
    return this.#history.rulesFor(stored, bodies);
  }

  restore(arrays: StoredArrays): void {
    this.#history.restore(arrays);
  }
}

/** Rows of loads, in memory that threads see. */
function loadsFor(rows: number, hasRolling: boolean): BodyLoads {
  return {
    sums: share(new Float64Array(BODY_LOADS * rows)),
    rolling: hasRolling ? share(new Float64Array(3 * rows)) : undefined,
  };
}

/** Which sums pairs add to: all pairs of the same two bodies to one, if these may have several parts. */
interface Joins {
  readonly count: number;
  readonly ofLists: readonly Int32Array[];
}

const NO_JOINS: Joins = { count: 0, ofLists: [] };

function joinsOf({ haveParts, materials }: LawTables, lists: readonly PairRows[]): Joins {
  const numbers = new Map<number, number>();
  let count = 0;
  const ofLists = lists.map(({ bodies, pairs }) => {
    const joins = share(new Int32Array(pairs.length / 2));
    for (let k = 0; k < joins.length; k++) {
      const a = bodies[PAIR_WORDS * k]!;
      const b = bodies[PAIR_WORDS * k + 1]!;
      const isAlone = haveParts[a] === 0 && haveParts[b] === 0;
      const name = isAlone ? -1 - count : a * materials.length + b;
      const number = numbers.get(name) ?? count++;
      if (!isAlone) numbers.set(name, number);
      joins[k] = number;
    }
    return joins;
  });
  return { count, ofLists };
}

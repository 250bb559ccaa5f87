/**
 * Forces at contacts, in float64: the twin of the kernels in shaders/dem/forces/. docs/dem.md, "Contact laws", has the
 * formulas and where they are from.
 */
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import type { StoredRule } from '../checkpoint/require-stored.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import { BatchForces, ForceSum } from './batch-forces.ts';
import type { BodyLaws, CollidersOfBodies } from './body-laws.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { ForceHistory, type SpringEnergies } from './force-history.ts';
import { MovingBodies } from './moving-bodies.ts';
import { countOf, LISTS, PairBatch, type StagedContacts } from './pair-batch.ts';
import type { PairForces } from './pair-forces.ts';
import { PairLaws, type PairRows } from './pair-laws.ts';
import { RollingTorques, resistsRolling } from './rolling-torques.ts';

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

export class ContactForces {
  /** Of the last call. */
  readonly loads: BodyLoads;
  readonly #batch = new PairBatch();
  readonly #history: ForceHistory;
  readonly #moving: MovingBodies;
  readonly #laws: PairLaws;
  readonly #force: BatchForces;
  readonly #hasParts: boolean;
  /** Of the lists of the last call. */
  #rows: readonly PairRows[] = [];

  constructor(bodies: BodyLaws, inertia: Inertia, colliders: CollidersOfBodies) {
    const { repeated } = colliders;
    const count = bodies.materials.length;
    const bodyOf = repeated
      ? colliders.bodies.map((one) => Math.floor(one / repeated.copies))
      : colliders.bodies;
    const hasRolling = resistsRolling(bodies);
    this.#history = new ForceHistory({ bodyOf, colliders, count, hasRolling });
    this.#moving = new MovingBodies(bodies, inertia);
    this.loads = {
      sums: new Float64Array(BODY_LOADS * count),
      rolling: hasRolling ? new Float64Array(3 * count) : undefined,
    };
    const moving = this.#moving.numbers;
    const laws = new PairLaws({ bodies, inertia, colliders, bodyOf });
    this.#laws = laws;
    this.#hasParts = bodies.haveParts.includes(1);
    this.#force = new BatchForces({
      ...{ bodies, colliders, laws, moving, loads: this.loads.sums },
      ...{ hasBelts: inertia.isDriven.includes(1), hasParts: this.#hasParts },
      rolling: hasRolling ? new RollingTorques(bodies, inertia, moving, this.loads) : undefined,
    });
  }

  /**
   * Sums up the loads of all contacts.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay.
   */
  add(contacts: PosedContacts, state: MotionState, time: number): ContactSums {
    const batch = this.#batch;
    const laws = this.#laws;
    this.loads.sums.fill(0);
    this.loads.rolling?.fill(0);
    this.#moving.update(state, contacts.poses);
    const all = (this.#rows = LISTS.map((name, list) => {
      const { pairs } = contacts.lists[name];
      const kept = this.#rows[list];
      return kept?.pairs === pairs ? kept : laws.rowsOf(pairs);
    }));
    const force = this.#force;
    const sums = force.sums.fill(0);
    const steps = all.map((rows, list) => {
      const last = this.#history.before(list, rows.pairs);
      const next = this.#history.roomFor(list, rows.pairs, countOf(contacts, LISTS[list]!));
      return { state, rows, last, next, time };
    });
    const through = (areJoined: boolean) =>
      steps.map((step, list) => {
        batch.open(contacts, LISTS[list]!);
        force.open();
        while (batch.next()) force.add(batch, step, areJoined);
        force.close(step);
        return step.next;
      });
    // Dashpots of bodies of several parts depend on all of these.
    if (this.#hasParts) {
      laws.begin();
      through(false);
    }
    sums.fill(0);
    this.#history.last = through(true);
    return {
      ...{ elastic: sums[ForceSum.elastic]!, tangential: sums[ForceSum.tangential]! },
      ...{ rolled: sums[ForceSum.rolled]!, largestFrequency: Math.sqrt(sums[ForceSum.largestFrequency]!) },
      ...{ deepest: sums[ForceSum.deepest]!, deepestShare: sums[ForceSum.deepestShare]! },
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

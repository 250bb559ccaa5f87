/**
 * Forces at contacts, in float64: the twin of the kernels in shaders/dem/forces/. docs/dem.md, "Contact laws", has the
 * formulas and where they are from.
 */
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import type { StoredRule } from '../checkpoint/require-stored.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import type { BodyLaws, CollidersOfBodies } from './body-laws.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { ForceHistory, type Room, type SpringEnergies } from './force-history.ts';
import { ForceSum, GroupForces } from './group-forces.ts';
import { GroupLaws } from './group-laws.ts';
import { ROLLING_NUMBERS } from './history.ts';
import { MovingBodies } from './moving-bodies.ts';
import type { PairForces } from './pair-forces.ts';
import { PairGroups, type StagedContacts } from './pair-groups.ts';
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
  /** `[c]`: the body of each collider. */
  readonly #bodyOf: Uint32Array;
  /** `[c]`: the same part of the body itself. Undefined: space does not repeat. */
  readonly #nameOf: Uint32Array | undefined;
  readonly #groups = new PairGroups();
  readonly #history: ForceHistory;
  readonly #moving: MovingBodies;
  readonly #laws: GroupLaws;
  readonly #forces: GroupForces;

  constructor(bodies: BodyLaws, inertia: Inertia, colliders: CollidersOfBodies) {
    const { repeated } = colliders;
    const count = bodies.materials.length;
    const bodyOf = repeated
      ? colliders.bodies.map((one) => Math.floor(one / repeated.copies))
      : colliders.bodies;
    const hasRolling = resistsRolling(bodies);
    this.#bodyOf = bodyOf;
    this.#history = new ForceHistory(bodyOf, colliders, count);
    this.#nameOf = repeated && bodyOf.map((body, c) => this.#history.colliderOf(body, colliders.parts[c]!));
    this.#moving = new MovingBodies(bodies, inertia);
    this.loads = {
      sums: new Float64Array(BODY_LOADS * count),
      rolling: hasRolling ? new Float64Array(3 * count) : undefined,
    };
    const moving = this.#moving.numbers;
    this.#laws = new GroupLaws({ bodies, inertia, colliders, bodyOf, moving });
    this.#forces = new GroupForces({
      ...{ bodies, moving, loads: this.loads.sums, hasBelts: inertia.isDriven.includes(1) },
      rolling: hasRolling ? new RollingTorques(bodies, inertia, moving, this.loads) : undefined,
    });
  }

  /**
   * Sums up the loads of all contacts.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay.
   */
  add(contacts: PosedContacts, state: MotionState, time: number): ContactSums {
    const groups = this.#groups;
    const { last } = this.#history;
    groups.begin(contacts, last, this.#nameOf);
    const { most } = groups;
    const room = this.#history.roomFor(most.groups, most.contacts);
    const { sums, rolling } = this.loads;
    sums.fill(0);
    if (rolling) {
      rolling.fill(0);
      room.rolling.fill(0, 0, ROLLING_NUMBERS * most.groups);
    }
    this.#moving.update(state, contacts.poses);
    const of = this.#forces.sums.fill(0);
    const step = { groups, laws: this.#laws, last, room, time };
    this.#laws.begin(groups);
    while (groups.next()) {
      this.#laws.make(groups, state);
      this.#forces.make(step);
      this.#name(groups, room);
    }
    room.count = groups.first;
    room.contacts = groups.firstContact;
    room.lists = groups.lists;
    groups.end();
    this.#history.last = room;
    return {
      ...{ elastic: of[ForceSum.elastic]!, tangential: of[ForceSum.tangential]! },
      ...{ rolled: of[ForceSum.rolled]!, largestFrequency: Math.sqrt(this.#laws.largest[0]!) },
      ...{ deepest: of[ForceSum.deepest]!, deepestShare: of[ForceSum.deepestShare]! },
    };
  }

  /** Notes the colliders of a batch of groups. */
  #name({ first, count, colliders }: PairGroups, room: Room): void {
    const nameOf = this.#nameOf;
    for (let k = 0; k < 2 * count; k++)
      room.colliders[2 * first + k] = nameOf ? nameOf[colliders[k]!]! : colliders[k]!;
  }

  contactForces(): PairForces {
    const { count, colliders, forces } = this.#history.last!;
    const bodies = Uint32Array.from(colliders.subarray(0, 2 * count), (c) => this.#bodyOf[c]!);
    return { count, bodies, forces: forces.slice(0, 3 * count) };
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

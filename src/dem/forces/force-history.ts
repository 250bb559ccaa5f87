/** The history of forces: springs of contacts, kept from step to step, group by group. */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import { ContactKind } from '../../contacts/list/contact-arrays.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import type { CollidersOfBodies } from './body-laws.ts';
import { RANGE_WORDS } from './groups.ts';
import { ROLLING_NUMBERS } from './history.ts';
import type { KeptGroups } from './pair-groups.ts';

/** Numbers of a tangential spring: force on B, and the normal stiffness it was made with. */
export const SPRING = 4;

export interface History extends KeptGroups {
  /** Contacts. */
  readonly contacts: number;
  /** `[groups * RANGE_WORDS]`: a group's first contact and the one after the last, and the same of its edges. */
  readonly ranges: Uint32Array<ArrayBuffer>;
  /** `[m]` */
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly features: Uint32Array<ArrayBuffer>;
  /** `[m * SPRING]` */
  readonly tangential: Float64Array<ArrayBuffer>;
  /** `[m]`: energy of the normal spring of each contact, with that of cohesion. */
  readonly energies: Float64Array<ArrayBuffer>;
  /**
   * `[groups * 6]`: torque on B that resists rolling, the one about the normal that resists torsion, the normal
   * stiffness that both were made with, and the energy that they hold.
   */
  readonly rolling: Float64Array<ArrayBuffer>;
  /** `[groups * 3]`: force on B. Nothing that follows depends on it: it is for those who ask. */
  readonly forces: Float64Array<ArrayBuffer>;
}

/** Room for a history. */
export type Room = { -readonly [K in keyof History]: History[K] } & {
  readonly colliders: Uint32Array<ArrayBuffer>;
  readonly pairs: Uint32Array<ArrayBuffer>;
};

function roomFor(groups: number, contacts: number): Room {
  return {
    ...{
      count: 0,
      contacts: 0,
      colliders: new Uint32Array(2 * groups),
      pairs: new Uint32Array(groups),
      lists: [],
    },
    ranges: new Uint32Array(RANGE_WORDS * groups),
    kinds: new Uint8Array(contacts),
    features: new Uint32Array(contacts),
    tangential: new Float64Array(SPRING * contacts),
    energies: new Float64Array(contacts),
    rolling: new Float64Array(ROLLING_NUMBERS * groups),
    forces: new Float64Array(3 * groups),
  };
}

/** Energies of springs: along normals, tangential ones, and against rolling and torsion. */
export type SpringEnergies = Readonly<Record<'elastic' | 'tangential' | 'rolled', number>>;

/** Energy of a spring of this stiffness, with this force. */
export function heldBy(x: number, y: number, z: number, stiffness: number): number {
  return stiffness > 0 ? (x * x + y * y + z * z) / (2 * stiffness) : 0;
}

/** A name that no collider has. */
const NO_COLLIDER = 2 ** 32 - 1;

/** Two histories, that of the last step and that of the step under way, and how checkpoints have them. */
export class ForceHistory {
  /** Of the last whole step. */
  last: History | undefined;
  readonly #rooms: [Room, Room] = [roomFor(0, 0), roomFor(0, 0)];
  /** `[c]`: the body of each collider, and which part of it the collider is. */
  readonly #bodyOf: Uint32Array;
  readonly #parts: Uint32Array;
  /** `[n]`: the first collider of each body. */
  readonly #first: Uint32Array;

  constructor(bodyOf: Uint32Array, { parts }: CollidersOfBodies, bodies: number) {
    this.#bodyOf = bodyOf;
    this.#parts = parts;
    this.#first = new Uint32Array(bodies);
    for (let c = bodyOf.length - 1; c >= 0; c--) this.#first[bodyOf[c]!] = c;
  }

  /** The collider of a body's part. */
  colliderOf(body: number, part: number): number {
    return this.#first[body]! + part;
  }

  /**
   * Arrays that the last history is not in: fresh memory in each step takes longer than what is written to it. A step
   * that fails leaves the history of the one before in its place.
   */
  roomFor(groups: number, contacts: number): Room {
    const at = this.#rooms[0] === this.last ? 1 : 0;
    let room = this.#rooms[at]!;
    if (room.pairs.length < groups || room.kinds.length < contacts) {
      room = roomFor(Math.ceil(SPARE_ROOM * groups), Math.ceil(SPARE_ROOM * contacts));
      this.#rooms[at] = room;
    }
    return room;
  }

  energyAt(isOne: Uint8Array): SpringEnergies {
    const sum = { elastic: 0, tangential: 0, rolled: 0 };
    if (this.last === undefined) return sum;
    const { colliders, tangential, energies, rolling } = this.last;
    this.#eachContact(this.last, (group, i) => {
      const [a, b] = [this.#bodyOf[colliders[2 * group]!]!, this.#bodyOf[colliders[2 * group + 1]!]!];
      if (isOne[a] === 0 && isOne[b] === 0) return;
      const [x, y, z, stiffness] = tangential.subarray(SPRING * i, SPRING * (i + 1));
      sum.tangential += heldBy(x!, y!, z!, stiffness!);
      sum.elastic += energies[i]!;
    });
    for (let group = 0; group < this.last.count; group++) {
      const [a, b] = [this.#bodyOf[colliders[2 * group]!]!, this.#bodyOf[colliders[2 * group + 1]!]!];
      if (isOne[a] === 1 || isOne[b] === 1) sum.rolled += rolling[ROLLING_NUMBERS * group + 5]!;
    }
    return sum;
  }

  #eachContact({ count, ranges }: History, visit: (group: number, contact: number) => void): void {
    for (let group = 0; group < count; group++) {
      for (let half = RANGE_WORDS * group; half < RANGE_WORDS * (group + 1); half += 2) {
        for (let i = ranges[half]!; i < ranges[half + 1]!; i++) visit(group, i);
      }
    }
  }

  store(): StoredArrays {
    if (!this.last) return {};
    const { count, contacts, colliders, ranges, kinds, features, ...numbers } = this.last;
    const bodiesOf = new Uint32Array(2 * contacts);
    const partsOf = new Uint32Array(2 * contacts);
    this.#eachContact(this.last, (group, i) => {
      for (let k = 0; k < 2; k++) {
        bodiesOf[2 * i + k] = this.#bodyOf[colliders[2 * group + k]!]!;
        partsOf[2 * i + k] = this.#parts[colliders[2 * group + k]!]!;
      }
    });
    const { tangential, rolling, forces, energies } = numbers;
    return {
      ...{ contactBodies: bodiesOf, contactParts: partsOf },
      ...{ contactKinds: kinds.slice(0, contacts), contactFeatures: features.slice(0, contacts) },
      ranges: ranges.slice(0, RANGE_WORDS * count),
      ...{
        tangential: tangential.slice(0, SPRING * contacts),
        rolling: rolling.slice(0, ROLLING_NUMBERS * count),
      },
      ...{ groupForces: forces.slice(0, 3 * count), contactEnergies: energies.slice(0, contacts) },
    };
  }

  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>> {
    const contacts = itemsOf(stored, 'contactKinds', 1);
    const groups = itemsOf(stored, 'ranges', RANGE_WORDS);
    return {
      contactKinds: bytes(contacts, Object.keys(ContactKind).length),
      ranges: words(RANGE_WORDS * groups, contacts + 1),
      ...{ contactBodies: words(2 * contacts, bodies), contactParts: words(2 * contacts) },
      ...{ contactFeatures: words(contacts), tangential: floats(SPRING * contacts) },
      rolling: floats(ROLLING_NUMBERS * groups),
      ...{ groupForces: floats(3 * groups), contactEnergies: floats(contacts) },
    };
  }

  restore(arrays: StoredArrays): void {
    const floatsIn = (name: string) => arrays[name] as Float64Array<ArrayBuffer>;
    const wordsIn = (name: string) => arrays[name] as Uint32Array<ArrayBuffer>;
    const kinds = arrays.contactKinds as Uint8Array<ArrayBuffer>;
    const [ranges, bodies, parts] = [wordsIn('ranges'), wordsIn('contactBodies'), wordsIn('contactParts')];
    const count = ranges.length / RANGE_WORDS;
    const colliders = Uint32Array.from({ length: 2 * count }, (_, k) => {
      const at = RANGE_WORDS * (k >> 1);
      const some = 2 * (ranges[at + 1]! > ranges[at]! ? ranges[at]! : ranges[at + 2]!) + (k & 1);
      const collider = this.colliderOf(bodies[some]!, parts[some]!);
      return this.#bodyOf[collider] === bodies[some] ? collider : NO_COLLIDER;
    });
    this.last = {
      ...{ count, contacts: kinds.length, colliders, ranges, kinds, features: wordsIn('contactFeatures') },
      ...{ tangential: floatsIn('tangential'), energies: floatsIn('contactEnergies') },
      ...{ rolling: floatsIn('rolling'), forces: floatsIn('groupForces') },
      ...{ pairs: new Uint32Array(0), lists: [] },
    };
  }
}

/**
 * What contacts remember from step to step: their springs. A pair has its place in a list of pairs as long as that list
 * serves, so it finds its contacts of the last step by its number. Names are compared only where a list is made anew,
 * and across checkpoints.
 */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import { ContactKind } from '../../contacts/list/contact-arrays.ts';
import { shareTogether } from '../../workers/shared-memory.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import type { CollidersOfBodies } from './body-laws.ts';
import { classOf, RANGE_WORDS, someOf } from './groups.ts';
import { LISTS } from './pair-batch.ts';

/** Numbers of a tangential spring: force on B, and the stiffness it was made with. */
export const SPRING = 4;
/** Numbers against rolling and torsion of a pair. */
export const ROLLING_NUMBERS = 6;

/** What the contacts of one list of pairs remember. */
export interface PairHistory {
  /** `[n * 2]`: colliders A and B. */
  readonly pairs: Uint32Array;
  readonly contacts: number;
  /** `[n * 2 + 1]`: the first contact of each pair, and the first one of its edges, which come last. */
  readonly starts: Int32Array;
  /** `[m]` */
  readonly features: Uint32Array;
  /** `[m * SPRING]` */
  readonly tangential: Float64Array;
  /** `[m]`: energy of the normal spring of each contact, with that of cohesion. */
  readonly energies: Float64Array;
  /**
   * `[n * 6]`: torque on B that resists rolling, the one about the normal that resists torsion, the normal stiffness
   * that both were made with, and the energy that they hold. Of pairs that touch; none where nothing resists.
   */
  readonly rolling: Float64Array;
  /** `[n * 3]`: force on B, of pairs that touch. Nothing that follows depends on it: it is for those who ask. */
  readonly forces: Float64Array;
}

/** Room for the history of a step: the arrays may be longer. */
export type NextHistory = { -readonly [K in keyof PairHistory]: PairHistory[K] };

/** In memory that threads see. */
function roomFor(pairs: Uint32Array, room: number, contacts: number, hasRolling: boolean): NextHistory {
  const shared = shareTogether({
    ...{ starts: new Int32Array(2 * room + 1), features: new Uint32Array(contacts) },
    ...{ tangential: new Float64Array(SPRING * contacts), energies: new Float64Array(contacts) },
    rolling: new Float64Array(hasRolling ? ROLLING_NUMBERS * room : 0),
    forces: new Float64Array(3 * room),
  });
  return { pairs, contacts: 0, ...shared };
}

const NOTHING: PairHistory = roomFor(new Uint32Array(), 0, 0, false);

/** Energies of springs: along normals, tangential ones, and against rolling and torsion. */
export type SpringEnergies = Readonly<Record<'elastic' | 'tangential' | 'rolled', number>>;

/** Energy of a spring of this stiffness, with this force. */
export function heldBy(x: number, y: number, z: number, stiffness: number): number {
  return stiffness > 0 ? (x * x + y * y + z * z) / (2 * stiffness) : 0;
}

/** A name that no collider has. */
const NO_COLLIDER = 2 ** 32 - 1;

export interface ForceHistoryOptions {
  /** `[c]`: the body of each collider, no copy of it. */
  readonly bodyOf: Uint32Array;
  readonly colliders: CollidersOfBodies;
  /** Bodies. */
  readonly count: number;
  readonly hasRolling: boolean;
}

/** A history of each of `LISTS`: those of the last step and of the step under way, and how checkpoints have them. */
export class ForceHistory {
  /** Of the last whole step. Undefined: none was made. */
  last: readonly PairHistory[] | undefined;
  readonly #rooms: readonly [NextHistory, NextHistory][];
  readonly #options: ForceHistoryOptions;
  /** `[n]`: the first collider of each body. */
  readonly #first: Uint32Array;
  /** `[c]`: the same part of the body itself. Undefined: space does not repeat. */
  readonly #nameOf: Uint32Array | undefined;

  constructor(options: ForceHistoryOptions) {
    const { bodyOf, colliders, count, hasRolling } = options;
    this.#options = options;
    this.#rooms = LISTS.map(() => {
      const empty = () => roomFor(new Uint32Array(), 0, 0, hasRolling);
      return [empty(), empty()];
    });
    this.#first = new Uint32Array(count);
    for (let c = bodyOf.length - 1; c >= 0; c--) this.#first[bodyOf[c]!] = c;
    this.#nameOf = colliders.repeated && bodyOf.map((body, c) => this.#colliderOf(body, colliders.parts[c]!));
  }

  /** The collider of a body's part. */
  #colliderOf(body: number, part: number): number {
    return this.#first[body]! + part;
  }

  /** What pairs of the list remember, by their numbers in it. */
  before(list: number, pairs: Uint32Array): PairHistory {
    const last = this.last?.[list] ?? NOTHING;
    return last.pairs === pairs ? last : this.#renumbered(last, pairs);
  }

  /**
   * Arrays that the last history is not in: fresh memory in each step takes longer than what is written to it. A step
   * that fails leaves the history of the one before in its place.
   */
  roomFor(list: number, pairs: Uint32Array, contacts: number): NextHistory {
    const rooms = this.#rooms[list]!;
    const at = rooms[0] === this.last?.[list] ? 1 : 0;
    let room = rooms[at]!;
    if (room.forces.length < (3 * pairs.length) / 2 || room.energies.length < contacts) {
      const size = (count: number) => Math.ceil(SPARE_ROOM * count);
      room = roomFor(pairs, size(pairs.length / 2), size(contacts), this.#options.hasRolling);
      rooms[at] = room;
    }
    room.pairs = pairs;
    room.contacts = contacts;
    return room;
  }

  /** The next `roomFor` gives memory that nobody has seen: a worker that is lost may still write to what it has. */
  dropRooms(): void {
    this.#rooms.forEach((rooms, list) => {
      const at = rooms[0] === this.last?.[list] ? 1 : 0;
      rooms[at] = roomFor(new Uint32Array(), 0, 0, this.#options.hasRolling);
    });
  }

  /** The same of another list of pairs. */
  #renumbered(last: PairHistory, pairs: Uint32Array): PairHistory {
    const byName = new PairsByName(last, this.#nameOf);
    const count = pairs.length / 2;
    const before = new Int32Array(count);
    let contacts = 0;
    for (let k = 0; k < count; k++) {
      const old = (before[k] = byName.find(pairs, k));
      if (old >= 0) contacts += last.starts[2 * old + 2]! - last.starts[2 * old]!;
    }
    const room = roomFor(pairs, count, contacts, this.#options.hasRolling);
    const { starts, features, tangential, energies, rolling } = room;
    let at = 0;
    for (let k = 0; k < count; k++) {
      const old = before[k]!;
      starts[2 * k] = starts[2 * k + 1] = at;
      if (old < 0) continue;
      const [first, edges, end] = last.starts.subarray(2 * old, 2 * old + 3);
      starts[2 * k + 1] = at + edges! - first!;
      for (let i = first!; i < end!; i++, at++) {
        features[at] = last.features[i]!;
        energies[at] = last.energies[i]!;
        for (let s = 0; s < SPRING; s++) tangential[SPRING * at + s] = last.tangential[SPRING * i + s]!;
      }
      for (let s = 0; s < ROLLING_NUMBERS && rolling.length > 0; s++)
        rolling[ROLLING_NUMBERS * k + s] = last.rolling[ROLLING_NUMBERS * old + s]!;
    }
    starts[2 * count] = at;
    room.contacts = at;
    return room;
  }

  /** Calls `visit` with the lists and the numbers of all pairs that touch, in order. */
  #eachPair(visit: (history: PairHistory, pair: number, list: number) => void): void {
    this.last?.forEach((history, list) => {
      const { pairs, starts } = history;
      for (let k = 0; 2 * k < pairs.length; k++)
        if (starts[2 * k + 2]! > starts[2 * k]!) visit(history, k, list);
    });
  }

  /** Bodies of pairs that touch, and the forces on B. */
  contactForces() {
    const { bodyOf } = this.#options;
    const bodies: number[] = [];
    const forces: number[] = [];
    this.#eachPair(({ pairs, forces: of }, k) => {
      bodies.push(bodyOf[pairs[2 * k]!]!, bodyOf[pairs[2 * k + 1]!]!);
      forces.push(of[3 * k]!, of[3 * k + 1]!, of[3 * k + 2]!);
    });
    return {
      count: forces.length / 3,
      bodies: Uint32Array.from(bodies),
      forces: Float64Array.from(forces),
    };
  }

  energyAt(isOne: Uint8Array): SpringEnergies {
    const { bodyOf, hasRolling } = this.#options;
    const sum = { elastic: 0, tangential: 0, rolled: 0 };
    this.#eachPair(({ pairs, starts, tangential, energies, rolling }, k) => {
      if (isOne[bodyOf[pairs[2 * k]!]!] === 0 && isOne[bodyOf[pairs[2 * k + 1]!]!] === 0) return;
      for (let i = starts[2 * k]!; i < starts[2 * k + 2]!; i++) {
        const [x, y, z, stiffness] = tangential.subarray(SPRING * i, SPRING * (i + 1));
        sum.tangential += heldBy(x!, y!, z!, stiffness!);
        sum.elastic += energies[i]!;
      }
      if (hasRolling) sum.rolled += rolling[ROLLING_NUMBERS * k + 5]!;
    });
    return sum;
  }

  /** Contacts of pairs that touch, one entry each, and the pairs' ranges of them. */
  store(): StoredArrays {
    if (!this.last) return {};
    const { bodyOf, colliders, hasRolling } = this.#options;
    const [bodies, parts, kinds, ranges] = [[], [], [], []] as [number[], number[], number[], number[]];
    const rolling: number[] = [];
    let before = 0;
    let listed = 0;
    this.#eachPair(({ pairs, starts, rolling: of }, k, list) => {
      if (list !== listed) before = kinds.length;
      listed = list;
      const [first, edges, end] = starts.subarray(2 * k, 2 * k + 3) as Iterable<number> as number[];
      ranges.push(before + first!, before + edges!, before + edges!, before + end!);
      for (let i = first!; i < end!; i++) {
        for (const collider of pairs.subarray(2 * k, 2 * k + 2)) {
          bodies.push(bodyOf[collider]!);
          parts.push(colliders.parts[collider]!);
        }
        kinds.push(i < edges! ? KINDS[list]! : ContactKind.edge);
      }
      for (let s = 0; s < ROLLING_NUMBERS; s++) rolling.push(hasRolling ? of[ROLLING_NUMBERS * k + s]! : 0);
    });
    const joined = (field: 'tangential' | 'energies', size: number) =>
      Float64Array.from(this.last!.flatMap((one) => Array.from(one[field].subarray(0, size * one.contacts))));
    return {
      ...{ contactBodies: Uint32Array.from(bodies), contactParts: Uint32Array.from(parts) },
      contactKinds: Uint8Array.from(kinds),
      contactFeatures: Uint32Array.from(
        this.last.flatMap(({ features, contacts }) => Array.from(features.subarray(0, contacts))),
      ),
      ...{ ranges: Uint32Array.from(ranges), rolling: Float64Array.from(rolling) },
      ...{ tangential: joined('tangential', SPRING), contactEnergies: joined('energies', 1) },
      groupForces: this.contactForces().forces,
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

  /** Pairs of the file are lists of their own: the next step finds them by their names. */
  restore(arrays: StoredArrays): void {
    const { bodyOf, hasRolling } = this.#options;
    const floatsIn = (name: string) => arrays[name] as Float64Array;
    const wordsIn = (name: string) => arrays[name] as Uint32Array;
    const [ranges, bodies, parts] = [wordsIn('ranges'), wordsIn('contactBodies'), wordsIn('contactParts')];
    const kinds = arrays.contactKinds as Uint8Array;
    this.last = LISTS.map((_, list) => {
      const own: number[] = [];
      for (let group = 0; RANGE_WORDS * group < ranges.length; group++)
        if (classOf(kinds[someOf({ ranges }, group)]!) === KINDS[list]) own.push(group);
      const rows = own.map((group) => {
        const at = RANGE_WORDS * group;
        return [ranges.subarray(at, at + 2), ranges.subarray(at + 2, at + 4)];
      });
      const sizeOf = ([first, end]: Uint32Array) => Math.max(0, end! - first!);
      const contacts = rows.flat().reduce((sum, range) => sum + sizeOf(range), 0);
      const room = roomFor(new Uint32Array(2 * own.length), own.length, contacts, hasRolling);
      let to = 0;
      own.forEach((group, k) => {
        for (let side = 0; side < 2; side++) {
          const some = 2 * someOf({ ranges }, group) + side;
          const collider = this.#colliderOf(bodies[some]!, parts[some]!);
          room.pairs[2 * k + side] = bodyOf[collider] === bodies[some] ? collider : NO_COLLIDER;
        }
        rows[k]!.forEach((range, half) => {
          room.starts[2 * k + half] = to;
          for (let i = range[0]!; i < range[1]!; i++, to++) {
            room.features[to] = wordsIn('contactFeatures')[i]!;
            room.energies[to] = floatsIn('contactEnergies')[i]!;
            room.tangential.set(floatsIn('tangential').subarray(SPRING * i, SPRING * (i + 1)), SPRING * to);
          }
        });
        room.forces.set(floatsIn('groupForces').subarray(3 * group, 3 * group + 3), 3 * k);
        if (!hasRolling) return;
        const from = ROLLING_NUMBERS * group;
        room.rolling.set(floatsIn('rolling').subarray(from, from + ROLLING_NUMBERS), ROLLING_NUMBERS * k);
      });
      room.starts[2 * own.length] = room.contacts = to;
      return room;
    });
  }
}

/** Kinds of the contacts of `LISTS`, but for edges. */
const KINDS = [ContactKind.node, ContactKind.patch, ContactKind.convex, ContactKind.plane] as const;

/** Pairs that touched, by the names of their colliders: a table in which the next free place is taken. */
class PairsByName {
  readonly #pairs: Uint32Array;
  readonly #nameOf: Uint32Array | undefined;
  /** A pair and 1 more; 0: the place is free. */
  readonly #table: Uint32Array;

  /** @param nameOf the collider that one stands for. Undefined: itself */
  constructor({ pairs, starts }: PairHistory, nameOf: Uint32Array | undefined) {
    this.#pairs = pairs;
    this.#nameOf = nameOf;
    let size = 1;
    while (size < pairs.length) size *= 2;
    this.#table = new Uint32Array(size);
    for (let k = 0; 2 * k < pairs.length; k++) {
      if (starts[2 * k + 2] === starts[2 * k]) continue;
      let at = this.#placeOf(this.#name(pairs[2 * k]!), this.#name(pairs[2 * k + 1]!));
      while (this.#table[at] !== 0) at = (at + 1) & (size - 1);
      this.#table[at] = k + 1;
    }
  }

  /** The number of the pair that has the names of pair k of another list, or -1. */
  find(others: Uint32Array, k: number): number {
    const a = this.#name(others[2 * k]!);
    const b = this.#name(others[2 * k + 1]!);
    const table = this.#table;
    for (let place = this.#placeOf(a, b); table[place] !== 0; place = (place + 1) & (table.length - 1)) {
      const pair = table[place]! - 1;
      if (this.#name(this.#pairs[2 * pair]!) === a && this.#name(this.#pairs[2 * pair + 1]!) === b)
        return pair;
    }
    return -1;
  }

  #name(collider: number): number {
    return this.#nameOf?.[collider] ?? collider;
  }

  #placeOf(a: number, b: number): number {
    // Odd numbers that scatter neighbours (D. Knuth's for 32 bits, and one of another hash).
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & (this.#table.length - 1);
  }
}

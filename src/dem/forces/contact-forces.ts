/**
 * Forces at contacts, in float64: the twin of the kernels in shaders/dem/forces/. docs/dem.md, "Contact laws", has the
 * formulas and where they are from.
 */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import { type ContactArrays, ContactKind, FEATURE_OF_B } from '../../contacts/list/contact-arrays.ts';
import { CONTACT_VALUES, type ContactRows } from '../../contacts/list/contact-sink.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import { EDGE_WIDTH_SHARE, ROLLING_DAMPING, ROLLING_STIFFNESS } from '../constants.ts';
import { PAIR_NUMBERS, PairNumber, type PairTable } from '../materials/materials.ts';
import type { LawParameters } from '../materials/normal-law.ts';
import { angularVelocities, type Inertia, type Loads, type MotionState } from '../motion/motion.ts';
import { RANGE_WORDS } from './groups.ts';
import { NO_GROUP, ROLLING_NUMBERS } from './history.ts';
import type { PairForces } from './pair-forces.ts';
import { GROUP_WORDS, type KeptGroups, PairGroups, type StagedContacts } from './pair-groups.ts';
import { nodeShare, type SurfaceLengths } from './surface-lengths.ts';

/** What bodies are, one entry each. */
export interface BodyLaws {
  readonly pairs: PairTable;
  /** `[n]`: numbers of materials. */
  readonly materials: Uint32Array;
  /** `[n]`: radius of the ball of equal volume; 0 for planes and static meshes, which take that of their partner. */
  readonly radii: Float64Array;
  /** `[n]`: radius of curvature where point contacts follow Hertz; 0 for planes. */
  readonly curvatures: Float64Array;
  /** `[n]`: 1 for bodies of several parts, whose pairs may meet in several groups of contacts. */
  readonly haveParts: Uint8Array;
  readonly lengths: SurfaceLengths;
  /**
   * `[n * 3]`: what surfaces of belts move at beyond their bodies; velocities have it as well. Only what of it lies in
   * the plane of a contact moves anything: the rest would push where no body comes nearer.
   */
  readonly surfaceVelocities: Float64Array;
}

/** Contacts, and in a space that repeats how far the copy of B that A touches is from B, `[m * 3]`. */
export type ShiftedContacts = ContactArrays & { readonly shifts?: Float64Array | undefined };

/** Loads that take energy out, by what takes it. They are among those of the contacts. */
export type LossLoads = Readonly<Record<'dashpots' | 'friction' | 'rolling', Loads>>;

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

/** Energies of springs: along normals, tangential ones, and against rolling and torsion. */
export type SpringEnergies = Readonly<Record<'elastic' | 'tangential' | 'rolled', number>>;

/** Per contact: force of springs alone, which push; pull of cohesion; stiffness; energy of both, and of springs. */
const LAW_NUMBERS = 5;

/** Bodies that colliders are of. */
export interface CollidersOfBodies {
  /** `[c]` */
  readonly bodies: Uint32Array;
  readonly parts: Uint32Array;
  /** Where space repeats: colliders' bodies are copies, so many of each, and `[copies * 3]` from their bodies. */
  readonly repeated?: { readonly copies: number; readonly shifts: Float64Array } | undefined;
}

/** Contacts of a step, pair by pair, and where their bodies are. */
export interface PosedContacts extends StagedContacts {
  /** `[n * 7]`: poses of the shapes' frames, not of copies. */
  readonly poses: Float64Array;
}

/** What contacts remember from step to step, group by group. */
interface History extends KeptGroups {
  /** Contacts. */
  readonly contacts: number;
  /** `[groups * RANGE_WORDS]`: a group's first contact and the one after the last, and the same of its edges. */
  readonly ranges: Uint32Array<ArrayBuffer>;
  /** `[m]` */
  readonly kinds: Uint8Array<ArrayBuffer>;
  readonly features: Uint32Array<ArrayBuffer>;
  /** `[m * 4]`: tangential force on B, and the normal stiffness it was made with. */
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
type Room = { -readonly [K in keyof History]: History[K] } & { colliders: Uint32Array<ArrayBuffer> };

function roomFor(groups: number, contacts: number): Room {
  return {
    ...{ count: 0, contacts: 0, colliders: new Uint32Array(2 * groups) },
    ranges: new Uint32Array(RANGE_WORDS * groups),
    kinds: new Uint8Array(contacts),
    features: new Uint32Array(contacts),
    tangential: new Float64Array(4 * contacts),
    energies: new Float64Array(contacts),
    rolling: new Float64Array(ROLLING_NUMBERS * groups),
    forces: new Float64Array(3 * groups),
  };
}

/** Places in what contacts of a pair share, after two vectors. */
const Pair = {
  /** The root of stiffness over reduced mass. */
  frequency: 6,
  /** What a dashpot has of the force of its contact, per speed. */
  damping: 7,
  friction: 8,
  /** Tangential stiffness over that along the normal, and its root. */
  tangential: 9,
  sideways: 10,
} as const;
const PAIR = 11;

/**
 * Places in what contacts make. First the force on B, and its torques about A and about B; the same of dashpots along
 * the normal, and of friction. Of a group, the first `MADE_SUMS` are summed, and of the depth the largest counts.
 */
const Made = {
  dashpots: 9,
  friction: 18,
  /** Normal force, and the sum of its vectors. */
  press: 27,
  /** Energy of normal springs, and of tangential ones. */
  elastic: 31,
  held: 32,
  depth: 33,
} as const;
const MADE_SUMS = 33;
const MADE = 34;

/** A name that no collider has. */
const NO_COLLIDER = 2 ** 32 - 1;

export class ContactForces {
  readonly #bodies: BodyLaws;
  readonly #inertia: Inertia;
  readonly #colliders: CollidersOfBodies;
  /** `[c]`: the body of each collider. */
  readonly #bodyOf: Uint32Array;
  /** `[c]`: the same part of the body itself. Undefined: space does not repeat. */
  readonly #nameOf: Uint32Array | undefined;
  readonly #groups = new PairGroups();
  /** What is remembered of the last step, and whether `#groups` are still those. */
  #history: History | undefined;
  #isListed = false;
  /** For the histories of the next step and of the last one, in turns. */
  readonly #rooms: [Room, Room] = [roomFor(0, 0), roomFor(0, 0)];
  /** `[n * 3]`: angular velocities. */
  readonly #spins: Float64Array;
  /** Those of `ContactSums`: elastic, tangential, largest frequency, deepest, rolled, deepest share. */
  readonly #sums = new Float64Array(6);
  /** Since the last call. */
  readonly #time = new Float64Array(1);
  readonly #hasParts: boolean;
  /** `[contacts of a group * LAW_NUMBERS]` */
  #laws = new Float64Array(4 * LAW_NUMBERS);
  /**
   * Of a group: stiffness, and it times where its contacts are from the centroid of A, whose mean is where it acts;
   * force on B of the springs that push, and the energy that they hold.
   */
  readonly #sum = new Float64Array(8);
  /** The same of all groups of a pair of bodies of several parts, by `a * count + b`. */
  readonly #joined = new Map<number, Float64Array>();
  /** `[n]`: 1 / radius; 0 for walls. 1 / radius of curvature; 0 for planes. */
  readonly #inverseRadii: Float64Array;
  readonly #inverseCurvatures: Float64Array;
  /** Of the foundation, of the nodes of A and of B of a group. */
  #shareA = 0;
  #shareB = 0;
  /** From the centroid of A to the origin of its body, and to the centroid of B; then as `Pair` says. */
  readonly #pair = new Float64Array(PAIR);
  /** A vector, then a number of it. */
  readonly #cross = new Float64Array(4);
  /** What a contact makes, and all of a group: as `Made` says. */
  readonly #made = new Float64Array(MADE);
  readonly #madeByAll = new Float64Array(MADE);

  constructor(bodies: BodyLaws, inertia: Inertia, colliders: CollidersOfBodies) {
    this.#bodies = bodies;
    this.#inertia = inertia;
    this.#colliders = colliders;
    const { repeated } = colliders;
    this.#bodyOf = repeated
      ? colliders.bodies.map((one) => Math.floor(one / repeated.copies))
      : colliders.bodies;
    if (repeated) {
      const first = this.#firstColliders();
      this.#nameOf = this.#bodyOf.map((body, c) => first[body]! + colliders.parts[c]!);
    }
    this.#spins = new Float64Array(3 * bodies.materials.length);
    this.#hasParts = bodies.haveParts.includes(1);
    this.#inverseRadii = bodies.radii.map(inverse);
    this.#inverseCurvatures = bodies.curvatures.map(inverse);
  }

  /** `[n]`: the first collider of each body. */
  #firstColliders(): Uint32Array {
    const first = new Uint32Array(this.#bodies.materials.length);
    for (let c = this.#bodyOf.length - 1; c >= 0; c--) first[this.#bodyOf[c]!] = c;
    return first;
  }

  /**
   * Adds the forces of all contacts to `loads`.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay.
   */
  add(
    contacts: PosedContacts,
    state: MotionState,
    time: number,
    loads: Loads,
    losses: LossLoads,
  ): ContactSums {
    const groups = this.#groups;
    const last = this.#history;
    groups.make(contacts, last, this.#isListed, this.#nameOf);
    const room = this.#roomFor(groups.count, groups.contacts);
    const { colliders, count } = groups;
    const nameOf = this.#nameOf;
    for (let k = 0; k < 2 * count; k++) room.colliders[k] = nameOf ? nameOf[colliders[k]!]! : colliders[k]!;
    room.rolling.fill(0, 0, ROLLING_NUMBERS * count);
    const sums = this.#sums.fill(0);
    this.#time[0] = time;
    angularVelocities(state, this.#inertia, this.#spins);
    this.#joinGroups(contacts.poses, state);
    this.#eachGroup(room, contacts.poses, state, loads, losses);
    this.#history = room;
    this.#isListed = true;
    return {
      ...{ elastic: sums[0]!, tangential: sums[1]!, largestFrequency: sums[2]!, deepest: sums[3]! },
      ...{ rolled: sums[4]!, deepestShare: sums[5]! },
    };
  }

  contactForces(): PairForces {
    const { count, colliders, forces } = this.#history!;
    const bodies = Uint32Array.from(colliders.subarray(0, 2 * count), (c) => this.#bodyOf[c]!);
    return { count, bodies, forces: forces.slice(0, 3 * count) };
  }

  energyAt(isOne: Uint8Array): SpringEnergies {
    const sum = { elastic: 0, tangential: 0, rolled: 0 };
    if (this.#history === undefined) return sum;
    const { count, colliders, ranges, tangential, energies, rolling } = this.#history;
    for (let group = 0; group < count; group++) {
      const [a, b] = [this.#bodyOf[colliders[2 * group]!]!, this.#bodyOf[colliders[2 * group + 1]!]!];
      if (isOne[a] === 0 && isOne[b] === 0) continue;
      for (let half = RANGE_WORDS * group; half < RANGE_WORDS * (group + 1); half += 2) {
        for (let i = ranges[half]!; i < ranges[half + 1]!; i++) {
          const at = 4 * i;
          sum.tangential += heldBy(
            tangential[at]!,
            tangential[at + 1]!,
            tangential[at + 2]!,
            tangential[at + 3]!,
          );
          sum.elastic += energies[i]!;
        }
      }
      sum.rolled += rolling[ROLLING_NUMBERS * group + 5]!;
    }
    return sum;
  }

  saved(): () => void {
    const history = this.#history;
    return () => {
      this.#history = history;
      // Groups may be those of the step that failed: the next ones find theirs by names.
      this.#isListed = false;
    };
  }

  store(): StoredArrays {
    if (!this.#history) return {};
    const { count, contacts, colliders, ranges, kinds, features, ...numbers } = this.#history;
    const { parts } = this.#colliders;
    const bodiesOf = new Uint32Array(2 * contacts);
    const partsOf = new Uint32Array(2 * contacts);
    for (let group = 0; group < count; group++) {
      for (let half = RANGE_WORDS * group; half < RANGE_WORDS * (group + 1); half += 2) {
        for (let i = ranges[half]!; i < ranges[half + 1]!; i++) {
          for (let k = 0; k < 2; k++) {
            bodiesOf[2 * i + k] = this.#bodyOf[colliders[2 * group + k]!]!;
            partsOf[2 * i + k] = parts[colliders[2 * group + k]!]!;
          }
        }
      }
    }
    const { tangential, rolling, forces, energies } = numbers;
    return {
      ...{ contactBodies: bodiesOf, contactParts: partsOf },
      ...{ contactKinds: kinds.slice(0, contacts), contactFeatures: features.slice(0, contacts) },
      ranges: ranges.slice(0, RANGE_WORDS * count),
      ...{
        tangential: tangential.slice(0, 4 * contacts),
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
      ...{ contactFeatures: words(contacts), tangential: floats(4 * contacts) },
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
    const first = this.#firstColliders();
    const colliders = Uint32Array.from({ length: 2 * count }, (_, k) => {
      const at = RANGE_WORDS * (k >> 1);
      const some = 2 * (ranges[at + 1]! > ranges[at]! ? ranges[at]! : ranges[at + 2]!) + (k & 1);
      const collider = first[bodies[some]!]! + parts[some]!;
      return this.#bodyOf[collider] === bodies[some] ? collider : NO_COLLIDER;
    });
    this.#history = {
      ...{ count, contacts: kinds.length, colliders, ranges, kinds, features: wordsIn('contactFeatures') },
      ...{ tangential: floatsIn('tangential'), energies: floatsIn('contactEnergies') },
      ...{ rolling: floatsIn('rolling'), forces: floatsIn('groupForces') },
    };
    this.#isListed = false;
  }

  /**
   * Arrays that the history is not in: fresh memory in each step takes longer than what is written to it. A step that
   * fails leaves the history of the one before in its place.
   */
  #roomFor(groups: number, contacts: number): Room {
    const at = this.#rooms[0] === this.#history ? 1 : 0;
    let room = this.#rooms[at]!;
    if (room.forces.length < 3 * groups || room.kinds.length < contacts) {
      room = roomFor(Math.ceil(SPARE_ROOM * groups), Math.ceil(SPARE_ROOM * contacts));
      this.#rooms[at] = room;
    }
    room.count = groups;
    room.contacts = contacts;
    return room;
  }

  /** Sets from where contacts of a group are told, to the centroids of A and of B: into `#pair`. */
  #place(
    a: number,
    b: number,
    group: number,
    poses: Float64Array,
    { positions }: Pick<MotionState, 'positions'>,
  ): void {
    const pair = this.#pair;
    const x = positions[3 * a]!;
    const y = positions[3 * a + 1]!;
    const z = positions[3 * a + 2]!;
    pair[0] = poses[7 * a]! - x;
    pair[1] = poses[7 * a + 1]! - y;
    pair[2] = poses[7 * a + 2]! - z;
    pair[3] = positions[3 * b]! - x;
    pair[4] = positions[3 * b + 1]! - y;
    pair[5] = positions[3 * b + 2]! - z;
    const { repeated, bodies } = this.#colliders;
    if (repeated === undefined) return;
    const { colliders } = this.#groups;
    const ofA = 3 * (bodies[colliders[2 * group]!]! % repeated.copies);
    const ofB = 3 * (bodies[colliders[2 * group + 1]!]! % repeated.copies);
    for (let k = 0; k < 3; k++) pair[3 + k]! += repeated.shifts[ofB + k]! - repeated.shifts[ofA + k]!;
  }

  /** Sets what of a pair its contacts share: into `#pair`. @param sum as `#sum`, of all its groups */
  #setPair(a: number, b: number, numbers: number, sum: Float64Array, state: MotionState): void {
    const { pairs } = this.#bodies;
    const { inverseMasses, inverseMoments } = this.#inertia;
    const pair = this.#pair;
    const stiffness = sum[0]!;
    const perStiffness = stiffness > 0 ? 1 / stiffness : 0;
    const pushX = sum[4]!;
    const pushY = sum[5]!;
    const pushZ = sum[6]!;
    const twiceHeld = 2 * sum[7]!;
    const push = Math.sqrt(pushX * pushX + pushY * pushY + pushZ * pushZ);
    const perPush = push > 0 ? 1 / push : 0;
    // The pair's force moves both along itself, through where its stiffness acts.
    const nx = pushX * perPush;
    const ny = pushY * perPush;
    const nz = pushZ * perPush;
    const cx = sum[1]! * perStiffness;
    const cy = sum[2]! * perStiffness;
    const cz = sum[3]! * perStiffness;
    const dx = cx - pair[3]!;
    const dy = cy - pair[4]!;
    const dz = cz - pair[5]!;
    let reduced = inverseMasses[a]! + inverseMasses[b]!;
    // Numbers go through an array: as arguments they are on the heap.
    const cross = this.#cross;
    cross[0] = cy * nz - cz * ny;
    cross[1] = cz * nx - cx * nz;
    cross[2] = cx * ny - cy * nx;
    if (inverseMoments[3 * a]! > 0) {
      this.#addTurning(state, a);
      reduced += cross[3]!;
    }
    cross[0] = dy * nz - dz * ny;
    cross[1] = dz * nx - dx * nz;
    cross[2] = dx * ny - dy * nx;
    if (inverseMoments[3 * b]! > 0) {
      this.#addTurning(state, b);
      reduced += cross[3]!;
    }
    const tangential = pairs.numbers[numbers + PairNumber.tangential]!;
    const share = pairs.numbers[numbers + PairNumber.damping]!;
    pair[Pair.frequency] = Math.sqrt(stiffness * reduced);
    pair[Pair.damping] = twiceHeld > 0 ? (2 * share) / Math.sqrt(twiceHeld * reduced) : 0;
    pair[Pair.friction] = pairs.numbers[numbers + PairNumber.friction]!;
    pair[Pair.tangential] = tangential;
    pair[Pair.sideways] = Math.sqrt(tangential);
  }

  /** Makes the forces of all groups, in their order. */
  #eachGroup(room: Room, poses: Float64Array, state: MotionState, loads: Loads, losses: LossLoads): void {
    // Plain numbers and arrays, here and below: what is taken apart for each group takes most of the time.
    const time = this.#time[0]!;
    const { words, pieces, colliders, before: groupsBefore, count } = this.#groups;
    const { kinds, features, ranges, forces } = room;
    const { pairs, materials } = this.#bodies;
    const { numbers: numbersOf } = pairs;
    const { dashpots, friction } = losses;
    const sums = this.#sums;
    const sum = this.#sum;
    const pair = this.#pair;
    const made = this.#made;
    const bodyOf = this.#bodyOf;
    const inverseRadii = this.#inverseRadii;
    const { parts } = this.#colliders;
    const history = this.#history;
    for (let group = 0; group < count; group++) {
      const w = GROUP_WORDS * group;
      const first = words[w + 1]!;
      const nodes = words[w + 2]! - first;
      const firstEdge = words[w + 4]!;
      const wanted = nodes + words[w + 5]! - firstEdge;
      const slot = words[w + 6]!;
      const range = RANGE_WORDS * group;
      ranges[range] = slot;
      ranges[range + 1] = ranges[range + 2] = slot + nodes;
      ranges[range + 3] = slot + wanted;
      const a = bodyOf[colliders[2 * group]!]!;
      const b = bodyOf[colliders[2 * group + 1]!]!;
      const numbers = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[b]!);
      this.#place(a, b, group, poses, state);
      let rows = pieces[words[nodes > 0 ? w : w + 3]!]!;
      let from = nodes > 0 ? first : firstEdge;
      const some = CONTACT_VALUES * from;
      const isHertz = rows.kinds[from] !== ContactKind.edge && !(rows.values[some + 7]! > 0);
      if (wanted === 1 && isHertz) {
        // The shortest way, that of balls: the pair's stiffness acts at its only contact.
        this.#normalLaw(rows, from, a, b, numbers, 0, a, parts[colliders[2 * group]!]!);
        const stiffness = this.#laws[2]!;
        sum[0] = stiffness;
        sum[1] = stiffness * (pair[0]! + rows.values[some + 3]!);
        sum[2] = stiffness * (pair[1]! + rows.values[some + 4]!);
        sum[3] = stiffness * (pair[2]! + rows.values[some + 5]!);
        const force = this.#laws[0]!;
        sum[4] = force * rows.values[some]!;
        sum[5] = force * rows.values[some + 1]!;
        sum[6] = force * rows.values[some + 2]!;
        sum[7] = this.#laws[4]!;
      } else this.#sumLaws(group, a, b);
      const ofGroup = sum[0]!;
      // Pairs of bodies of one part each are not looked for.
      const joined = this.#joined.size > 0 ? this.#joined.get(a * state.count + b) : undefined;
      this.#setPair(a, b, numbers, joined ?? sum, state);
      // Places of the same features in the step before: both are in their order.
      const before = history === undefined ? NO_GROUP : groupsBefore[group]!;
      let old = before === NO_GROUP ? 0 : history!.ranges[RANGE_WORDS * before]!;
      let oldEnd = before === NO_GROUP ? 0 : history!.ranges[RANGE_WORDS * before + 1]!;
      // Of one contact, what it makes is what the group makes.
      const all = wanted > 1 ? this.#madeByAll.fill(0) : made;
      for (let n = 0; n < wanted; n++) {
        if (n === nodes && before !== NO_GROUP) {
          old = history!.ranges[RANGE_WORDS * before + 2]!;
          oldEnd = history!.ranges[RANGE_WORDS * before + 3]!;
        }
        if (n === nodes && nodes > 0) {
          rows = pieces[words[w + 3]!]!;
          from = firstEdge - nodes;
        }
        const row = from + n;
        const i = slot + n;
        const feature = rows.features[row]!;
        features[i] = feature;
        kinds[i] = rows.kinds[row]!;
        while (old < oldEnd && history!.features[old]! < feature) old++;
        const same = old < oldEnd && history!.features[old] === feature ? old : NO_GROUP;
        this.#contact(rows.values, CONTACT_VALUES * row, n, a, b, state, room, i, same);
        if (wanted === 1) break;
        for (let k = 0; k < MADE_SUMS; k++) all[k]! += made[k]!;
        if (made[Made.depth]! > all[Made.depth]!) all[Made.depth] = made[Made.depth]!;
      }
      sums[0]! += all[Made.elastic]!;
      sums[1]! += all[Made.held]!;
      if (pair[Pair.frequency]! > sums[2]!) sums[2] = pair[Pair.frequency]!;
      const deepest = all[Made.depth]!;
      if (deepest > sums[3]!) sums[3] = deepest;
      const share = deepest * Math.max(inverseRadii[a]!, inverseRadii[b]!);
      if (share > sums[5]!) sums[5] = share;
      forces[3 * group] = all[0]!;
      forces[3 * group + 1] = all[1]!;
      forces[3 * group + 2] = all[2]!;
      pushApart(loads, a, b, all, 0);
      pushApart(dashpots, a, b, all, Made.dashpots);
      pushApart(friction, a, b, all, Made.friction);
      if (
        numbersOf[numbers + PairNumber.rollingFriction] === 0 &&
        numbersOf[numbers + PairNumber.torsionalFriction] === 0
      )
        continue;
      this.#roll(group, before, { a, b, numbers, stiffness: ofGroup, made: all }, time, room.rolling, [
        loads,
        losses.rolling,
      ]);
    }
  }

  /** Makes the force of contact n of a group whose pair is set: into `#made`, and what it remembers into `room`. */
  #contact(
    values: Float64Array,
    v: number,
    n: number,
    a: number,
    b: number,
    state: MotionState,
    { tangential, energies }: Room,
    i: number,
    old: number,
  ): void {
    const time = this.#time[0]!;
    const { velocities } = state;
    const { surfaceVelocities: belts } = this.#bodies;
    const spins = this.#spins;
    const pair = this.#pair;
    const made = this.#made;
    const laws = this.#laws;
    const force = laws[LAW_NUMBERS * n]!;
    const pull = laws[LAW_NUMBERS * n + 1]!;
    const own = laws[LAW_NUMBERS * n + 2]!;
    const energy = laws[LAW_NUMBERS * n + 3]!;
    const nx = values[v]!;
    const ny = values[v + 1]!;
    const nz = values[v + 2]!;
    const rax = pair[0]! + values[v + 3]!;
    const ray = pair[1]! + values[v + 4]!;
    const raz = pair[2]! + values[v + 5]!;
    const rbx = rax - pair[3]!;
    const rby = ray - pair[4]!;
    const rbz = raz - pair[5]!;
    energies[i] = energy;
    made[Made.elastic] = energy;
    made[Made.depth] = -values[v + 6]!;
    const ax = spins[3 * a]!;
    const ay = spins[3 * a + 1]!;
    const az = spins[3 * a + 2]!;
    const bx = spins[3 * b]!;
    const by = spins[3 * b + 1]!;
    const bz = spins[3 * b + 2]!;
    const vx = velocities[3 * b]! - velocities[3 * a]! + by * rbz - bz * rby - (ay * raz - az * ray);
    const vy = velocities[3 * b + 1]! - velocities[3 * a + 1]! + bz * rbx - bx * rbz - (az * rax - ax * raz);
    const vz = velocities[3 * b + 2]! - velocities[3 * a + 2]! + bx * rby - by * rbx - (ax * ray - ay * rax);
    const along = vx * nx + vy * ny + vz * nz;
    const opening =
      along -
      ((belts[3 * b]! - belts[3 * a]!) * nx +
        (belts[3 * b + 1]! - belts[3 * a + 1]!) * ny +
        (belts[3 * b + 2]! - belts[3 * a + 2]!) * nz);
    const damping = pair[Pair.damping]! * force;
    const press = Math.max(0, force - damping * opening);
    const tx = vx - along * nx;
    const ty = vy - along * ny;
    const tz = vz - along * nz;
    const spring = own * pair[Pair.tangential]!;
    // The spring of before, in this plane and turned with both bodies.
    let sx = 0;
    let sy = 0;
    let sz = 0;
    if (old !== NO_GROUP) {
      const last = this.#history!.tangential;
      const then = last[4 * old + 3]!;
      sx = last[4 * old]!;
      sy = last[4 * old + 1]!;
      sz = last[4 * old + 2]!;
      const size = sx * sx + sy * sy + sz * sz;
      const spin = (time * ((ax + bx) * nx + (ay + by) * ny + (az + bz) * nz)) / 2;
      const out = sx * nx + sy * ny + sz * nz;
      const flatX = sx - out * nx;
      const flatY = sy - out * ny;
      const flatZ = sz - out * nz;
      sx = flatX + spin * (ny * flatZ - nz * flatY);
      sy = flatY + spin * (nz * flatX - nx * flatZ);
      sz = flatZ + spin * (nx * flatY - ny * flatX);
      const turned = sx * sx + sy * sy + sz * sz;
      const kept = turned > 0 && then > 0 ? Math.sqrt(size / turned) * Math.min(1, spring / then) : 0;
      sx *= kept;
      sy *= kept;
      sz *= kept;
    }
    sx -= spring * time * tx;
    sy -= spring * time * ty;
    sz -= spring * time * tz;
    const sideways = damping * pair[Pair.sideways]!;
    let gx = sx - sideways * tx;
    let gy = sy - sideways * ty;
    let gz = sz - sideways * tz;
    const most = pair[Pair.friction]! * press;
    const size = gx * gx + gy * gy + gz * gz;
    let squared = sx * sx + sy * sy + sz * sz;
    if (size > most * most) {
      const kept = most / Math.sqrt(size);
      gx *= kept;
      gy *= kept;
      gz *= kept;
      // The spring yields by itself: what the dashpot holds of the force is lost, and nothing of it is stored.
      if (squared > most * most) {
        const left = most / Math.sqrt(squared);
        sx *= left;
        sy *= left;
        sz *= left;
        squared = most * most;
      }
    }
    tangential[4 * i] = sx;
    tangential[4 * i + 1] = sy;
    tangential[4 * i + 2] = sz;
    tangential[4 * i + 3] = spring;
    made[Made.held] = spring > 0 ? squared / (2 * spring) : 0;
    const normal = press - pull;
    const x = normal * nx + gx;
    const y = normal * ny + gy;
    const z = normal * nz + gz;
    made[0] = x;
    made[1] = y;
    made[2] = z;
    made[3] = ray * z - raz * y;
    made[4] = raz * x - rax * z;
    made[5] = rax * y - ray * x;
    made[6] = rby * z - rbz * y;
    made[7] = rbz * x - rbx * z;
    made[8] = rbx * y - rby * x;
    const lost = press - force;
    const ox = lost * nx;
    const oy = lost * ny;
    const oz = lost * nz;
    made[9] = ox;
    made[10] = oy;
    made[11] = oz;
    made[12] = ray * oz - raz * oy;
    made[13] = raz * ox - rax * oz;
    made[14] = rax * oy - ray * ox;
    made[15] = rby * oz - rbz * oy;
    made[16] = rbz * ox - rbx * oz;
    made[17] = rbx * oy - rby * ox;
    made[18] = gx;
    made[19] = gy;
    made[20] = gz;
    made[21] = ray * gz - raz * gy;
    made[22] = raz * gx - rax * gz;
    made[23] = rax * gy - ray * gx;
    made[24] = rby * gz - rbz * gy;
    made[25] = rbz * gx - rbx * gz;
    made[26] = rbx * gy - rby * gx;
    made[Made.press] = press;
    made[Made.press + 1] = press * nx;
    made[Made.press + 2] = press * ny;
    made[Made.press + 3] = press * nz;
  }

  /**
   * Sums of the pairs of bodies that may meet in several groups: they have one dashpot, and two that are made for a
   * part each would be stronger than that of both springs together.
   */
  #joinGroups(poses: Float64Array, state: MotionState): void {
    const { haveParts } = this.#bodies;
    if (!this.#hasParts) return;
    this.#joined.clear();
    const { colliders, count: groups } = this.#groups;
    for (let group = 0; group < groups; group++) {
      const [a, b] = [this.#bodyOf[colliders[2 * group]!]!, this.#bodyOf[colliders[2 * group + 1]!]!];
      if (haveParts[a] === 0 && haveParts[b] === 0) continue;
      this.#place(a, b, group, poses, state);
      this.#sumLaws(group, a, b);
      const pair = a * state.count + b;
      const before = this.#joined.get(pair);
      if (before) this.#sum.forEach((sum, k) => void (before[k]! += sum));
      else this.#joined.set(pair, this.#sum.slice());
    }
  }

  /** Finds the laws of a group's contacts, and adds up what they come to. Its bodies are placed. */
  #sumLaws(group: number, a: number, b: number): void {
    const { words, pieces, colliders } = this.#groups;
    const w = GROUP_WORDS * group;
    const first = words[w + 1]!;
    const nodes = words[w + 2]! - first;
    const firstEdge = words[w + 4]!;
    const wanted = nodes + words[w + 5]! - firstEdge;
    let rows = pieces[words[nodes > 0 ? w : w + 3]!]!;
    const { parts } = this.#colliders;
    const partA = parts[colliders[2 * group]!]!;
    const partB = parts[colliders[2 * group + 1]!]!;
    if (nodes > 0 && rows.kinds[first] === ContactKind.node) {
      const { lengths } = this.#bodies;
      const ofA = lengths.spacing(a, partA);
      const ofB = lengths.spacing(b, partB);
      this.#shareA = nodeShare(ofA, ofB);
      this.#shareB = nodeShare(ofB, ofA);
    }
    if (this.#laws.length < LAW_NUMBERS * wanted) this.#laws = new Float64Array(2 * LAW_NUMBERS * wanted);
    const { pairs, materials } = this.#bodies;
    const numbers = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[b]!);
    const laws = this.#laws;
    const [offX, offY, offZ] = [this.#pair[0]!, this.#pair[1]!, this.#pair[2]!];
    let from = nodes > 0 ? first : firstEdge;
    let stiffness = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    let pushX = 0;
    let pushY = 0;
    let pushZ = 0;
    let held = 0;
    for (let n = 0; n < wanted; n++) {
      if (n === nodes && nodes > 0) {
        rows = pieces[words[w + 3]!]!;
        from = firstEdge - nodes;
      }
      const row = from + n;
      if (rows.features[row]! >= FEATURE_OF_B) this.#normalLaw(rows, row, a, b, numbers, n, b, partB);
      else this.#normalLaw(rows, row, a, b, numbers, n, a, partA);
      const force = laws[LAW_NUMBERS * n]!;
      const own = laws[LAW_NUMBERS * n + 2]!;
      const v = CONTACT_VALUES * row;
      pushX += force * rows.values[v]!;
      pushY += force * rows.values[v + 1]!;
      pushZ += force * rows.values[v + 2]!;
      held += laws[LAW_NUMBERS * n + 4]!;
      stiffness += own;
      x += own * (offX + rows.values[v + 3]!);
      y += own * (offY + rows.values[v + 4]!);
      z += own * (offZ + rows.values[v + 5]!);
    }
    const sum = this.#sum;
    sum[0] = stiffness;
    sum[1] = x;
    sum[2] = y;
    sum[3] = z;
    sum[4] = pushX;
    sum[5] = pushY;
    sum[6] = pushZ;
    sum[7] = held;
  }

  /**
   * Rolling and torsion: springs of a group that yield, after J. Ai et al. (2011), model C. The dashpot fades as the
   * spring comes near to where it yields: a torque that jumps there would not keep rounding small.
   */
  #roll(
    group: number,
    before: number,
    { a, b, numbers, stiffness, made }: GroupSums,
    time: number,
    rolling: Float64Array,
    all: readonly Loads[],
  ): void {
    const { pairs, radii } = this.#bodies;
    const roll = pairs.numbers[numbers + PairNumber.rollingFriction]!;
    const twist = pairs.numbers[numbers + PairNumber.torsionalFriction]!;
    const press = made[Made.press]!;
    const x = made[Made.press + 1]!;
    const y = made[Made.press + 2]!;
    const z = made[Made.press + 3]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) return;
    const [nx, ny, nz] = [x / length, y / length, z / length];
    const radius = 1 / (inverse(radii[a]!) + inverse(radii[b]!));
    const moment = 1 / (this.#inverseAboutContact(a) + this.#inverseAboutContact(b));
    const spinA = this.#spins.subarray(3 * a, 3 * a + 3);
    const spinB = this.#spins.subarray(3 * b, 3 * b + 3);
    const [wx, wy, wz] = [spinB[0]! - spinA[0]!, spinB[1]! - spinA[1]!, spinB[2]! - spinA[2]!];
    const about = wx * nx + wy * ny + wz * nz;
    // The springs of before: that against rolling in this plane and turned with both bodies, the other one along n.
    let [mx, my, mz, twisted] = [0, 0, 0, 0];
    const last = this.#history?.rolling;
    if (before !== NO_GROUP && last !== undefined) {
      const at = ROLLING_NUMBERS * before;
      const then = last[at + 4]!;
      const kept = then > 0 ? Math.min(1, stiffness / then) : 0;
      twisted = kept * last[at + 3]!;
      const out = last[at]! * nx + last[at + 1]! * ny + last[at + 2]! * nz;
      const [fx, fy, fz] = [last[at]! - out * nx, last[at + 1]! - out * ny, last[at + 2]! - out * nz];
      const both = (spinA[0]! + spinB[0]!) * nx + (spinA[1]! + spinB[1]!) * ny + (spinA[2]! + spinB[2]!) * nz;
      const spin = (time * both) / 2;
      const turnedX = fx + spin * (ny * fz - nz * fy);
      const turnedY = fy + spin * (nz * fx - nx * fz);
      const turnedZ = fz + spin * (nx * fy - ny * fx);
      const turned = Math.hypot(turnedX, turnedY, turnedZ);
      const share = turned > 0 ? (kept * Math.hypot(last[at]!, last[at + 1]!, last[at + 2]!)) / turned : 0;
      [mx, my, mz] = [share * turnedX, share * turnedY, share * turnedZ];
    }
    const at = ROLLING_NUMBERS * group;
    rolling[at + 4] = stiffness;
    for (const [coefficient, isTwist] of [
      [roll, false],
      [twist, true],
    ] as const) {
      if (coefficient === 0) continue;
      const spring = ROLLING_STIFFNESS * (coefficient * radius) ** 2 * stiffness;
      const damping = 2 * ROLLING_DAMPING * Math.sqrt(spring * moment);
      const most = coefficient * radius * press;
      const w = isTwist
        ? [about * nx, about * ny, about * nz]
        : [wx - about * nx, wy - about * ny, wz - about * nz];
      const m = isTwist ? [twisted * nx, twisted * ny, twisted * nz] : [mx, my, mz];
      for (let k = 0; k < 3; k++) m[k]! -= spring * time * w[k]!;
      const size = Math.hypot(m[0]!, m[1]!, m[2]!);
      const fading = damping * Math.max(0, 1 - (size / most) ** 2);
      for (let k = 0; k < 3; k++) {
        if (size > most) m[k]! *= most / size;
        if (!isTwist) rolling[at + k] = m[k]!;
        const torque = m[k]! - fading * w[k]!;
        for (const { torques } of all) {
          torques[3 * a + k]! -= torque;
          torques[3 * b + k]! += torque;
        }
      }
      if (isTwist) rolling[at + 3] = m[0]! * nx + m[1]! * ny + m[2]! * nz;
      rolling[at + 5]! += heldBy(m[0]!, m[1]!, m[2]!, spring);
    }
    this.#sums[4]! += rolling[at + 5]!;
  }

  /** Sets L . I^-1 L of the vector L in `#cross`, in the world's axes: behind it. */
  #addTurning({ rotations: q }: MotionState, body: number): void {
    const { inverseMoments } = this.#inertia;
    const cross = this.#cross;
    const x = cross[0]!;
    const y = cross[1]!;
    const z = cross[2]!;
    const i1 = inverseMoments[3 * body]!;
    const i2 = inverseMoments[3 * body + 1]!;
    const i3 = inverseMoments[3 * body + 2]!;
    if (i1 === i2 && i1 === i3) {
      cross[3] = i1 * (x * x + y * y + z * z);
      return;
    }
    const qx = q[4 * body]!;
    const qy = q[4 * body + 1]!;
    const qz = q[4 * body + 2]!;
    const qw = q[4 * body + 3]!;
    const tx = 2 * (qz * y - qy * z);
    const ty = 2 * (qx * z - qz * x);
    const tz = 2 * (qy * x - qx * y);
    const l1 = x + qw * tx + (qz * ty - qy * tz);
    const l2 = y + qw * ty + (qx * tz - qz * tx);
    const l3 = z + qw * tz + (qy * tx - qx * ty);
    cross[3] = i1 * l1 * l1 + i2 * l2 * l2 + i3 * l3 * l3;
  }

  /** 1 / moment of inertia about a contact, at a body's radius from its centroid. */
  #inverseAboutContact(body: number): number {
    const { inverseMasses, inverseMoments } = this.#inertia;
    const mass = inverseMasses[body]!;
    if (mass === 0) return 0;
    const mean =
      (inverseMoments[3 * body]! + inverseMoments[3 * body + 1]! + inverseMoments[3 * body + 2]!) / 3;
    return 1 / (1 / mean + this.#bodies.radii[body]! ** 2 / mass);
  }

  /**
   * Of a contact of bodies a and b, into place n of `#laws`.
   *
   * @param numbers of their materials
   * @param owner the one whose feature it is, and `part` which part of it
   */
  #normalLaw(
    { kinds, features, values }: ContactRows,
    row: number,
    a: number,
    b: number,
    numbers: number,
    n: number,
    owner: number,
    part: number,
  ): void {
    const { pairs, materials, radii } = this.#bodies;
    const laws = this.#laws;
    const at = LAW_NUMBERS * n;
    const cohesion = pairs.numbers[numbers + PairNumber.cohesion]!;
    const depth = -values[CONTACT_VALUES * row + 6]!;
    const own = pairs.numbers[numbers + PairNumber.law]!;
    const starred = pairs.numbers[numbers + PairNumber.modulus]!;
    const kind = kinds[row]!;
    let area = values[CONTACT_VALUES * row + 7]!;
    if (kind !== ContactKind.edge && !(area > 0)) {
      const radius = 1 / (this.#inverseCurvatures[a]! + this.#inverseCurvatures[b]!);
      // Over Hertz's area of contact, pi R d.
      const pull = cohesion * Math.PI * radius * depth;
      if (own !== 0) this.#ownLaw(own, at, depth, 0, { modulus: starred, radius, foundation: 0 });
      else {
        const stiffness = 2 * starred * Math.sqrt(radius * depth);
        const force = (2 / 3) * stiffness * depth;
        laws[at] = force;
        laws[at + 2] = stiffness;
        laws[at + 3] = (2 / 5) * force * depth;
      }
      laws[at + 1] = pull;
      laws[at + 4] = laws[at + 3]!;
      laws[at + 3]! -= (pull * depth) / 2;
      return;
    }
    const layerA = radii[a]! || radii[b]!;
    const layerB = radii[b]! || radii[a]!;
    const modulus =
      1 / (layerA / pairs.planeModuli[materials[a]!]! + layerB / pairs.planeModuli[materials[b]!]!);
    const feature = features[row]!;
    const isB = feature >= FEATURE_OF_B;
    // A plane has no nodes of its own.
    let share = 1;
    if (kind === ContactKind.node) share = isB ? this.#shareB : this.#shareA;
    if (kind === ContactKind.edge) share = 1 / 2;
    const foundation = share * modulus;
    // How much of a way along the normal the depth grows by. It may be 0, as depths may.
    let slope = 1;
    let pull = share * cohesion * area;
    if (kind === ContactKind.edge) {
      const piece = this.#bodies.lengths.halfPiece(
        owner,
        part,
        (isB ? feature - FEATURE_OF_B : feature) >>> 1,
      );
      slope = area / piece;
      area = EDGE_WIDTH_SHARE * Math.min(layerA, layerB) * piece;
      // Nodes pull for all of the surface.
      pull = 0;
    }
    if (own !== 0) this.#ownLaw(own, at, depth, area, { modulus: starred, radius: 0, foundation });
    else {
      const stiffness = foundation * area;
      const force = stiffness * depth;
      laws[at] = force;
      laws[at + 2] = stiffness;
      laws[at + 3] = (force * depth) / 2;
    }
    laws[at]! *= slope;
    laws[at + 1] = pull;
    laws[at + 2]! *= slope * slope;
    laws[at + 4] = laws[at + 3]!;
    laws[at + 3]! -= pull * depth;
  }

  /** Of a law of the caller's own: force, stiffness and energy. */
  #ownLaw(own: number, at: number, depth: number, area: number, of: LawParameters): void {
    const [force, stiffness, energy] = this.#bodies.pairs.laws[own - 1]!.twin(depth, area, of);
    this.#laws[at] = force;
    this.#laws[at + 2] = stiffness;
    this.#laws[at + 3] = energy;
  }
}

/** Adds a force on B and its opposite on A, with the torques of the force about A and about B, nine numbers. */
function pushApart({ forces, torques }: Loads, a: number, b: number, made: Float64Array, at: number): void {
  const toA = 3 * a;
  const toB = 3 * b;
  const x = made[at]!;
  const y = made[at + 1]!;
  const z = made[at + 2]!;
  forces[toA]! -= x;
  forces[toA + 1]! -= y;
  forces[toA + 2]! -= z;
  forces[toB]! += x;
  forces[toB + 1]! += y;
  forces[toB + 2]! += z;
  torques[toA]! -= made[at + 3]!;
  torques[toA + 1]! -= made[at + 4]!;
  torques[toA + 2]! -= made[at + 5]!;
  torques[toB]! += made[at + 6]!;
  torques[toB + 1]! += made[at + 7]!;
  torques[toB + 2]! += made[at + 8]!;
}

/** What a group comes to. */
interface GroupSums {
  readonly a: number;
  readonly b: number;
  /** Place of the pair's numbers. */
  readonly numbers: number;
  readonly stiffness: number;
  /** As `Made` says. */
  readonly made: Float64Array;
}

/** Energy of a spring of this stiffness, with this force. */
function heldBy(x: number, y: number, z: number, stiffness: number): number {
  return stiffness > 0 ? (x * x + y * y + z * z) / (2 * stiffness) : 0;
}

/** 1 / length; 0 for a length of 0, which stands for a plane. */
function inverse(length: number): number {
  return length === 0 ? 0 : 1 / length;
}

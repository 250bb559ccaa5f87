/**
 * Forces at contacts, in float64: the twin of the kernels in shaders/dem/forces/. docs/dem.md, "Contact laws", has the
 * formulas and where they are from.
 */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import { type ContactArrays, ContactKind, FEATURE_OF_B } from '../../contacts/list/contact-arrays.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import { EDGE_WIDTH_SHARE, ROLLING_DAMPING, ROLLING_STIFFNESS } from '../constants.ts';
import { PAIR_NUMBERS, PairNumber, type PairTable } from '../materials/materials.ts';
import { angularVelocity, type Inertia, type Loads, type MotionState } from '../motion/motion.ts';
import { type ContactGroups, groupContacts, RANGE_WORDS, someOf } from './groups.ts';
import { FeatureSeeker, GroupSeeker, type History, NO_GROUP, ROLLING_NUMBERS } from './history.ts';
import type { PairForces } from './pair-forces.ts';
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
}

/** Energies of springs: along normals, tangential ones, and against rolling and torsion. */
export type SpringEnergies = Readonly<Record<'elastic' | 'tangential' | 'rolled', number>>;

/** Force, its derivative and the elastic energy of one contact. */
interface NormalLaw {
  /** Of springs alone, which push. */
  force: number;
  /** Of cohesion. */
  pull: number;
  stiffness: number;
  energy: number;
}

/** Numbers of a `NormalLaw`. */
const LAW_NUMBERS = 4;

/** Room for a history. */
type Room = Pick<History, 'tangential' | 'rolling' | 'forces'> & { readonly ranges: Uint32Array };
const NO_ROOM: Room = {
  ranges: new Uint32Array(),
  tangential: new Float64Array(),
  rolling: new Float64Array(),
  forces: new Float64Array(),
};
export class ContactForces {
  /** `[m]`: of the normal spring of each contact of the last call, with that of cohesion. */
  energies = new Float64Array(0);
  readonly #bodies: BodyLaws;
  readonly #inertia: Inertia;
  /** What is remembered of the last step. */
  #history: History | undefined;
  /** For the histories of the next step and of the last one, in turns. */
  readonly #rooms: [Room, Room] = [NO_ROOM, NO_ROOM];
  /** Angular velocities of both bodies of a group. */
  readonly #spinA = new Float64Array(3);
  readonly #spinB = new Float64Array(3);
  /** A force on B, and the ways from the centroids of A and of B to where it acts. */
  readonly #onB = new Float64Array(9);
  /** `[contacts of a group * 4]`: force, pull, stiffness and energy of each. */
  #laws = new Float64Array(0);
  /** Stiffness of a group, and it times where its contacts are from the centroid of A: the mean is where it acts. */
  readonly #sums = new Float64Array(4);
  /** The same of all groups of a pair of bodies of several parts, by `a * count + b`. */
  readonly #joined = new Map<number, Float64Array>();
  readonly #law: NormalLaw = { force: 0, pull: 0, stiffness: 0, energy: 0 };
  /** Of the foundation, of the nodes of A and of B of a group. */
  #shareA = 0;
  #shareB = 0;

  constructor(bodies: BodyLaws, inertia: Inertia) {
    this.#bodies = bodies;
    this.#inertia = inertia;
  }

  /**
   * Adds the forces of all contacts to `loads`.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay.
   */
  add(
    contacts: ShiftedContacts,
    state: MotionState,
    time: number,
    loads: Loads,
    losses: LossLoads,
  ): ContactSums {
    const room = this.#roomFor(contacts.count);
    const groups = groupContacts(contacts, room.ranges);
    const tangential = room.tangential.subarray(0, 4 * contacts.count);
    const rolling = room.rolling.subarray(0, ROLLING_NUMBERS * groups.count).fill(0);
    const forces = room.forces.subarray(0, 3 * groups.count).fill(0);
    const history: History = { contacts, groups, tangential, rolling, forces };
    const sums: ContactSums = {
      ...{ elastic: 0, tangential: 0, rolled: 0, largestFrequency: 0, deepest: 0 },
    };
    this.energies = new Float64Array(contacts.count);
    this.#joinGroups(contacts, groups, state);
    const seek = this.#history && new GroupSeeker(this.#history);
    for (let g = 0; g < groups.count; g++) {
      const before = seek ? seek.find(contacts, groups, g) : NO_GROUP;
      this.#group(contacts, history, g, before, state, time, loads, losses, sums);
    }
    this.#history = history;
    return sums;
  }

  contactForces(): PairForces {
    const { contacts, groups, forces } = this.#history!;
    const bodies = new Uint32Array(2 * groups.count);
    for (let group = 0; group < groups.count; group++) {
      const i = someOf(groups, group);
      bodies.set(contacts.bodies.subarray(2 * i, 2 * i + 2), 2 * group);
    }
    return { count: groups.count, bodies, forces: Float64Array.from(forces) };
  }

  energyAt(isOne: Uint8Array): SpringEnergies {
    const sum = { elastic: 0, tangential: 0, rolled: 0 };
    if (this.#history === undefined) return sum;
    const { contacts, groups, tangential: springs, rolling } = this.#history;
    const isAt = (i: number) =>
      isOne[contacts.bodies[2 * i]!] === 1 || isOne[contacts.bodies[2 * i + 1]!] === 1;
    for (let i = 0; i < contacts.count; i++) {
      if (!isAt(i)) continue;
      const [x, y, z, spring] = springs.subarray(4 * i, 4 * i + 4) as unknown as number[];
      sum.tangential += heldBy(x!, y!, z!, spring!);
      sum.elastic += this.energies[i]!;
    }
    for (let group = 0; group < groups.count; group++) {
      if (isAt(someOf(groups, group))) sum.rolled += rolling[ROLLING_NUMBERS * group + 5]!;
    }
    return sum;
  }

  saved(): () => void {
    const [history, energies] = [this.#history, this.energies];
    return () => {
      this.#history = history;
      this.energies = energies;
    };
  }

  store(): StoredArrays {
    if (!this.#history) return {};
    const { contacts, groups, tangential, rolling, forces } = this.#history;
    return {
      ...{ contactBodies: contacts.bodies, contactParts: contacts.parts },
      ...{ contactKinds: contacts.kinds, contactFeatures: contacts.features },
      ...{ ranges: groups.ranges, tangential, rolling },
      ...{ groupForces: forces, contactEnergies: this.energies },
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
    const ranges = wordsIn('ranges');
    this.#history = {
      contacts: {
        ...{ count: kinds.length, bodies: wordsIn('contactBodies'), parts: wordsIn('contactParts') },
        ...{ kinds, features: wordsIn('contactFeatures') },
      },
      groups: { count: ranges.length / RANGE_WORDS, ranges },
      ...{ tangential: floatsIn('tangential'), rolling: floatsIn('rolling') },
      forces: floatsIn('groupForces'),
    };
    this.energies = floatsIn('contactEnergies');
  }

  /**
   * Arrays that the history is not in: fresh memory in each step takes longer than what is written to it. A step that
   * fails leaves the history of the one before in its place.
   */
  #roomFor(contacts: number): Room {
    const at = this.#rooms[0].tangential.buffer === this.#history?.tangential.buffer ? 1 : 0;
    if (this.#rooms[at]!.forces.length < 3 * contacts) {
      const most = Math.ceil(SPARE_ROOM * contacts);
      this.#rooms[at] = {
        ranges: new Uint32Array(RANGE_WORDS * most),
        tangential: new Float64Array(4 * most),
        rolling: new Float64Array(ROLLING_NUMBERS * most),
        forces: new Float64Array(3 * most),
      };
    }
    return this.#rooms[at]!;
  }

  #group(
    contacts: ShiftedContacts,
    { groups, tangential, rolling, forces }: History,
    group: number,
    before: number,
    state: MotionState,
    time: number,
    loads: Loads,
    losses: LossLoads,
    sums: ContactSums,
  ): void {
    const { bodies, distances, normals, points, shifts } = contacts;
    const { positions, velocities } = state;
    const { inverseMasses } = this.#inertia;
    const { pairs, materials, surfaceVelocities } = this.#bodies;
    const at = RANGE_WORDS * group;
    // Plain numbers, here and below: arrays that are taken apart at each contact take most of the time.
    const first = groups.ranges[at]!;
    const end = groups.ranges[at + 1]!;
    const firstEdge = groups.ranges[at + 2]!;
    const endEdge = groups.ranges[at + 3]!;
    const some = end > first ? first : firstEdge;
    const a = bodies[2 * some]!;
    const b = bodies[2 * some + 1]!;
    const numbers = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[b]!);
    const wanted = end - first + (endEdge - firstEdge);
    this.#sumLaws(contacts, groups, group, positions);
    const laws = this.#laws;
    const ofGroup = this.#sums[0]!;
    const sum = this.#joined.get(a * state.count + b) ?? this.#sums;
    const stiffness = sum[0]!;
    const cx = stiffness > 0 ? sum[1]! / stiffness : 0;
    const cy = stiffness > 0 ? sum[2]! / stiffness : 0;
    const cz = stiffness > 0 ? sum[3]! / stiffness : 0;
    // All contacts of a pair are with the same copy of B: where its centroid is.
    const xb = positions[3 * b]! + (shifts?.[3 * some] ?? 0);
    const yb = positions[3 * b + 1]! + (shifts?.[3 * some + 1] ?? 0);
    const zb = positions[3 * b + 2]! + (shifts?.[3 * some + 2] ?? 0);
    const dx = cx + positions[3 * a]! - xb;
    const dy = cy + positions[3 * a + 1]! - yb;
    const dz = cz + positions[3 * a + 2]! - zb;
    angularVelocity(state, this.#inertia, a, this.#spinA);
    angularVelocity(state, this.#inertia, b, this.#spinB);
    const ax = this.#spinA[0]!;
    const ay = this.#spinA[1]!;
    const az = this.#spinA[2]!;
    const bx = this.#spinB[0]!;
    const by = this.#spinB[1]!;
    const bz = this.#spinB[2]!;
    const isHertz = !isFoundation(contacts, some);
    const share =
      pairs.numbers[numbers + (isHertz ? PairNumber.dampingOfHertz : PairNumber.dampingOfLinear)]!;
    const friction = pairs.numbers[numbers + PairNumber.friction]!;
    const tangentialRatio = pairs.numbers[numbers + PairNumber.tangential]!;
    const feature = new FeatureSeeker(this.#history, before);
    const onB = this.#onB;
    const wx = surfaceVelocities[3 * b]! - surfaceVelocities[3 * a]!;
    const wy = surfaceVelocities[3 * b + 1]! - surfaceVelocities[3 * a + 1]!;
    const wz = surfaceVelocities[3 * b + 2]! - surfaceVelocities[3 * a + 2]!;
    let sumN = 0;
    let sumX = 0;
    let sumY = 0;
    let sumZ = 0;
    for (let n = wanted - 1; n >= 0; n--) {
      const i = n < end - first ? first + n : firstEdge + n - (end - first);
      const force = laws[LAW_NUMBERS * n]!;
      const pull = laws[LAW_NUMBERS * n + 1]!;
      const own = laws[LAW_NUMBERS * n + 2]!;
      const energy = laws[LAW_NUMBERS * n + 3]!;
      const nx = normals[3 * i]!;
      const ny = normals[3 * i + 1]!;
      const nz = normals[3 * i + 2]!;
      const rax = points[3 * i]! - positions[3 * a]!;
      const ray = points[3 * i + 1]! - positions[3 * a + 1]!;
      const raz = points[3 * i + 2]! - positions[3 * a + 2]!;
      const rbx = points[3 * i]! - xb;
      const rby = points[3 * i + 1]! - yb;
      const rbz = points[3 * i + 2]! - zb;
      sums.elastic += energy;
      this.energies[i] = energy;
      sums.deepest = Math.max(sums.deepest, -distances[i]!);
      const vx = velocities[3 * b]! - velocities[3 * a]! + by * rbz - bz * rby - (ay * raz - az * ray);
      const vy =
        velocities[3 * b + 1]! - velocities[3 * a + 1]! + bz * rbx - bx * rbz - (az * rax - ax * raz);
      const vz =
        velocities[3 * b + 2]! - velocities[3 * a + 2]! + bx * rby - by * rbx - (ax * ray - ay * rax);
      const along = vx * nx + vy * ny + vz * nz;
      const opening = along - (wx * nx + wy * ny + wz * nz);
      const inverseMass =
        inverseMasses[a]! +
        inverseMasses[b]! +
        this.#inverseOf(state, a, cy * nz - cz * ny, cz * nx - cx * nz, cx * ny - cy * nx) +
        this.#inverseOf(state, b, dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx);
      sums.largestFrequency = Math.max(sums.largestFrequency, Math.sqrt(stiffness * inverseMass));
      const damping = stiffness > 0 ? (2 * share * own) / Math.sqrt(stiffness * inverseMass) : 0;
      const pushed = Math.max(0, force - damping * opening);
      const press = pushed;
      const tx = vx - along * nx;
      const ty = vy - along * ny;
      const tz = vz - along * nz;
      const spring = own * tangentialRatio;
      // The spring of before, in this plane and turned with both bodies.
      const old = feature.find(contacts, i);
      let sx = 0;
      let sy = 0;
      let sz = 0;
      if (old >= 0) {
        const last = this.#history!.tangential;
        const then = last[4 * old + 3]!;
        sx = last[4 * old]!;
        sy = last[4 * old + 1]!;
        sz = last[4 * old + 2]!;
        const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
        const spin = (time * ((ax + bx) * nx + (ay + by) * ny + (az + bz) * nz)) / 2;
        const out = sx * nx + sy * ny + sz * nz;
        const flatX = sx - out * nx;
        const flatY = sy - out * ny;
        const flatZ = sz - out * nz;
        sx = flatX + spin * (ny * flatZ - nz * flatY);
        sy = flatY + spin * (nz * flatX - nx * flatZ);
        sz = flatZ + spin * (nx * flatY - ny * flatX);
        const turned = Math.sqrt(sx * sx + sy * sy + sz * sz);
        const kept = turned > 0 && then > 0 ? (size / turned) * Math.min(1, spring / then) : 0;
        sx *= kept;
        sy *= kept;
        sz *= kept;
      }
      sx -= spring * time * tx;
      sy -= spring * time * ty;
      sz -= spring * time * tz;
      const sideways = damping * Math.sqrt(tangentialRatio);
      let gx = sx - sideways * tx;
      let gy = sy - sideways * ty;
      let gz = sz - sideways * tz;
      const most = friction * press;
      const size = Math.sqrt(gx * gx + gy * gy + gz * gz);
      if (size > most) {
        const kept = most / size;
        gx *= kept;
        gy *= kept;
        gz *= kept;
        // The spring yields by itself: what the dashpot holds of the force is lost, and nothing of it is stored.
        const amount = Math.sqrt(sx * sx + sy * sy + sz * sz);
        const held = amount > most ? most / amount : 1;
        sx *= held;
        sy *= held;
        sz *= held;
      }
      tangential[4 * i] = sx;
      tangential[4 * i + 1] = sy;
      tangential[4 * i + 2] = sz;
      tangential[4 * i + 3] = spring;
      sums.tangential += heldBy(sx, sy, sz, spring);
      const normal = pushed - pull;
      onB[3] = rax;
      onB[4] = ray;
      onB[5] = raz;
      onB[6] = rbx;
      onB[7] = rby;
      onB[8] = rbz;
      pushApart(loads, a, b, setForce(onB, normal * nx + gx, normal * ny + gy, normal * nz + gz));
      forces[3 * group]! += onB[0]!;
      forces[3 * group + 1]! += onB[1]!;
      forces[3 * group + 2]! += onB[2]!;
      const lost = pushed - force;
      pushApart(losses.dashpots, a, b, setForce(onB, lost * nx, lost * ny, lost * nz));
      pushApart(losses.friction, a, b, setForce(onB, gx, gy, gz));
      sumN += press;
      sumX += press * nx;
      sumY += press * ny;
      sumZ += press * nz;
    }
    this.#roll(
      group,
      before,
      { a, b, numbers, stiffness: ofGroup, press: sumN, x: sumX, y: sumY, z: sumZ },
      time,
      rolling,
      [loads, losses.rolling],
      sums,
    );
  }

  /**
   * Sums of the pairs of bodies that may meet in several groups: they have one dashpot, and two that are made for a
   * part each would be stronger than that of both springs together.
   */
  #joinGroups(contacts: ShiftedContacts, groups: ContactGroups, state: MotionState): void {
    const { haveParts } = this.#bodies;
    this.#joined.clear();
    for (let group = 0; group < groups.count; group++) {
      const i = someOf(groups, group);
      const [a, b] = [contacts.bodies[2 * i]!, contacts.bodies[2 * i + 1]!];
      if (haveParts[a] === 0 && haveParts[b] === 0) continue;
      this.#sumLaws(contacts, groups, group, state.positions);
      const pair = a * state.count + b;
      const before = this.#joined.get(pair);
      if (before) this.#sums.forEach((sum, k) => void (before[k]! += sum));
      else this.#joined.set(pair, this.#sums.slice());
    }
  }

  /** Finds the laws of a group's contacts, and adds up what they come to. */
  #sumLaws(contacts: ContactArrays, { ranges }: ContactGroups, group: number, positions: Float64Array): void {
    const { bodies, points } = contacts;
    const at = RANGE_WORDS * group;
    const first = ranges[at]!;
    const nodes = ranges[at + 1]! - first;
    const firstEdge = ranges[at + 2]!;
    const wanted = nodes + ranges[at + 3]! - firstEdge;
    const a = bodies[2 * (nodes > 0 ? first : firstEdge)]!;
    if (nodes > 0 && contacts.kinds[first] === ContactKind.node) this.#shareNodes(contacts, first);
    if (this.#laws.length < LAW_NUMBERS * wanted) this.#laws = new Float64Array(2 * LAW_NUMBERS * wanted);
    const law = this.#law;
    const laws = this.#laws;
    const sums = this.#sums.fill(0);
    for (let n = 0; n < wanted; n++) {
      const i = n < nodes ? first + n : firstEdge + n - nodes;
      this.#normalLaw(contacts, i);
      const own = law.stiffness;
      laws[LAW_NUMBERS * n] = law.force;
      laws[LAW_NUMBERS * n + 1] = law.pull;
      laws[LAW_NUMBERS * n + 2] = own;
      laws[LAW_NUMBERS * n + 3] = law.energy;
      sums[0]! += own;
      sums[1]! += own * (points[3 * i]! - positions[3 * a]!);
      sums[2]! += own * (points[3 * i + 1]! - positions[3 * a + 1]!);
      sums[3]! += own * (points[3 * i + 2]! - positions[3 * a + 2]!);
    }
  }

  #shareNodes({ bodies, parts }: ContactArrays, i: number): void {
    const { lengths } = this.#bodies;
    const ofA = lengths.spacing(bodies[2 * i]!, parts[2 * i]!);
    const ofB = lengths.spacing(bodies[2 * i + 1]!, parts[2 * i + 1]!);
    this.#shareA = nodeShare(ofA, ofB);
    this.#shareB = nodeShare(ofB, ofA);
  }

  /**
   * Rolling and torsion: springs of a group that yield, after J. Ai et al. (2011), model C. As at a tangential spring,
   * the dashpot counts among what is capped: a torque that jumps where the spring yields would not keep rounding small.
   */
  #roll(
    group: number,
    before: number,
    { a, b, numbers, stiffness, press, x, y, z }: GroupSums,
    time: number,
    rolling: Float64Array,
    all: readonly Loads[],
    sums: ContactSums,
  ): void {
    const { pairs, radii } = this.#bodies;
    const roll = pairs.numbers[numbers + PairNumber.rollingFriction]!;
    const twist = pairs.numbers[numbers + PairNumber.torsionalFriction]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if ((roll === 0 && twist === 0) || length === 0) return;
    const [nx, ny, nz] = [x / length, y / length, z / length];
    const radius = 1 / (inverse(radii[a]!) + inverse(radii[b]!));
    const moment = 1 / (this.#inverseAboutContact(a) + this.#inverseAboutContact(b));
    const [spinA, spinB] = [this.#spinA, this.#spinB];
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
      const damped = m.map((x, k) => x - damping * w[k]!);
      const size = Math.hypot(m[0]!, m[1]!, m[2]!);
      const sizeOfDamped = Math.hypot(damped[0]!, damped[1]!, damped[2]!);
      for (let k = 0; k < 3; k++) {
        if (size > most) m[k]! *= most / size;
        if (!isTwist) rolling[at + k] = m[k]!;
        const torque = sizeOfDamped > most ? damped[k]! * (most / sizeOfDamped) : damped[k]!;
        for (const { torques } of all) {
          torques[3 * a + k]! -= torque;
          torques[3 * b + k]! += torque;
        }
      }
      if (isTwist) rolling[at + 3] = m[0]! * nx + m[1]! * ny + m[2]! * nz;
      rolling[at + 5]! += heldBy(m[0]!, m[1]!, m[2]!, spring);
    }
    sums.rolled += rolling[at + 5]!;
  }

  /** L . I^-1 L of a vector in the world's axes. */
  #inverseOf({ rotations: q }: MotionState, body: number, x: number, y: number, z: number): number {
    const { inverseMoments } = this.#inertia;
    const i1 = inverseMoments[3 * body]!;
    if (i1 === 0) return 0;
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
    return i1 * l1 * l1 + inverseMoments[3 * body + 1]! * l2 * l2 + inverseMoments[3 * body + 2]! * l3 * l3;
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

  #normalLaw(contacts: ContactArrays, i: number): void {
    const { bodies, parts, kinds, distances, areas, features } = contacts;
    const law = this.#law;
    const { pairs, materials, radii, curvatures, lengths } = this.#bodies;
    const a = bodies[2 * i]!;
    const b = bodies[2 * i + 1]!;
    const kind = kinds[i]!;
    const numbers = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[b]!);
    const cohesion = pairs.numbers[numbers + PairNumber.cohesion]!;
    const depth = -distances[i]!;
    const own = pairs.laws[pairs.numbers[numbers + PairNumber.law]! - 1];
    const starred = pairs.numbers[numbers + PairNumber.modulus]!;
    if (isFoundation(contacts, i)) {
      const layerA = radii[a]! || radii[b]!;
      const layerB = radii[b]! || radii[a]!;
      const modulus =
        1 / (layerA / pairs.planeModuli[materials[a]!]! + layerB / pairs.planeModuli[materials[b]!]!);
      const isB = features[i]! >= FEATURE_OF_B;
      // A plane has no nodes of its own.
      let share = 1;
      if (kind === ContactKind.node) share = isB ? this.#shareB : this.#shareA;
      if (kind === ContactKind.edge) share = 1 / 2;
      const foundation = share * modulus;
      let area = areas[i]!;
      // How much of a way along the normal the depth grows by. It may be 0, as depths may.
      let slope = 1;
      law.pull = share * cohesion * area;
      if (kind === ContactKind.edge) {
        const feature = isB ? features[i]! - FEATURE_OF_B : features[i]!;
        const piece = lengths.halfPiece(isB ? b : a, parts[isB ? 2 * i + 1 : 2 * i]!, feature >>> 1);
        area = EDGE_WIDTH_SHARE * Math.min(layerA, layerB) * piece;
        slope = areas[i]! / piece;
        // Nodes pull for all of the surface.
        law.pull = 0;
      }
      if (own) {
        [law.force, law.stiffness, law.energy] = own.twin(depth, area, {
          ...{ modulus: starred, radius: 0, foundation },
        });
      } else {
        law.stiffness = foundation * area;
        law.force = law.stiffness * depth;
        law.energy = (law.force * depth) / 2;
      }
      law.force *= slope;
      law.stiffness *= slope * slope;
      law.energy -= law.pull * depth;
      return;
    }
    const radius = 1 / (inverse(curvatures[a]!) + inverse(curvatures[b]!));
    if (own) {
      [law.force, law.stiffness, law.energy] = own.twin(depth, 0, {
        ...{ modulus: starred, radius, foundation: 0 },
      });
    } else {
      law.stiffness = 2 * starred * Math.sqrt(radius * depth);
      law.force = (2 / 3) * law.stiffness * depth;
      law.energy = (2 / 5) * law.force * depth;
    }
    // Over Hertz's area of contact, pi R d.
    law.pull = cohesion * Math.PI * radius * depth;
    law.energy -= (law.pull * depth) / 2;
  }
}

/** Sets the force of `ContactForces.#onB`. */
function setForce(onB: Float64Array, x: number, y: number, z: number): Float64Array {
  onB[0] = x;
  onB[1] = y;
  onB[2] = z;
  return onB;
}

/** Adds a force on B and its opposite on A, with their torques: `ContactForces.#onB` says what is where. */
function pushApart({ forces, torques }: Loads, a: number, b: number, onB: Float64Array): void {
  const x = onB[0]!;
  const y = onB[1]!;
  const z = onB[2]!;
  forces[3 * a]! -= x;
  forces[3 * a + 1]! -= y;
  forces[3 * a + 2]! -= z;
  forces[3 * b]! += x;
  forces[3 * b + 1]! += y;
  forces[3 * b + 2]! += z;
  torques[3 * a]! -= onB[4]! * z - onB[5]! * y;
  torques[3 * a + 1]! -= onB[5]! * x - onB[3]! * z;
  torques[3 * a + 2]! -= onB[3]! * y - onB[4]! * x;
  torques[3 * b]! += onB[7]! * z - onB[8]! * y;
  torques[3 * b + 1]! += onB[8]! * x - onB[6]! * z;
  torques[3 * b + 2]! += onB[6]! * y - onB[7]! * x;
}

/** What a group comes to. */
interface GroupSums {
  readonly a: number;
  readonly b: number;
  /** Place of the pair's numbers. */
  readonly numbers: number;
  readonly stiffness: number;
  /** Normal forces, and the sum of their vectors. */
  readonly press: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Energy of a spring of this stiffness, with this force. */
function heldBy(x: number, y: number, z: number, stiffness: number): number {
  return stiffness > 0 ? (x * x + y * y + z * z) / (2 * stiffness) : 0;
}

/** 1 / length; 0 for a length of 0, which stands for a plane. */
function inverse(length: number): number {
  return length === 0 ? 0 : 1 / length;
}

/** Contacts that stand for an area are an elastic foundation, points follow Hertz. An edge's depth may not grow. */
function isFoundation({ kinds, areas }: ContactArrays, i: number): boolean {
  return kinds[i] === ContactKind.edge || areas[i]! > 0;
}

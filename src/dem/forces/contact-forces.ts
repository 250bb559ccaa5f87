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
import type { LawParameters } from '../materials/normal-law.ts';
import { angularVelocities, type Inertia, type Loads, type MotionState } from '../motion/motion.ts';
import { type ContactGroups, groupContacts, RANGE_WORDS, someOf } from './groups.ts';
import { GroupSeeker, type History, NO_GROUP, ROLLING_NUMBERS } from './history.ts';
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

/** Per contact: force of springs alone, which push; pull of cohesion; stiffness; elastic energy. */
const LAW_NUMBERS = 4;

/** Room for a history. */
type Room = Pick<History, 'tangential' | 'rolling' | 'forces'> & {
  readonly ranges: Uint32Array;
  readonly energies: Float64Array<ArrayBuffer>;
};
const NO_ROOM: Room = {
  ranges: new Uint32Array(),
  tangential: new Float64Array(),
  rolling: new Float64Array(),
  forces: new Float64Array(),
  energies: new Float64Array(),
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
  /** `[n * 3]`: angular velocities. */
  readonly #spins: Float64Array;
  /** Those of `ContactSums`: elastic, tangential, largest frequency, deepest, rolled. */
  readonly #sums = new Float64Array(5);
  /** Since the last call. */
  readonly #time = new Float64Array(1);
  readonly #hasParts: boolean;
  /** Two vectors, then a number of each. */
  readonly #cross = new Float64Array(8);
  /** As `pushApart` takes them. */
  readonly #pushed = new Float64Array(9);
  /** `[contacts of a group * LAW_NUMBERS]` */
  #laws = new Float64Array(0);
  /** Stiffness of a group, and it times where its contacts are from the centroid of A: the mean is where it acts. */
  readonly #sum = new Float64Array(4);
  /** The same of all groups of a pair of bodies of several parts, by `a * count + b`. */
  readonly #joined = new Map<number, Float64Array>();
  /** Of the foundation, of the nodes of A and of B of a group. */
  #shareA = 0;
  #shareB = 0;

  constructor(bodies: BodyLaws, inertia: Inertia) {
    this.#bodies = bodies;
    this.#inertia = inertia;
    this.#spins = new Float64Array(3 * bodies.materials.length);
    this.#hasParts = bodies.haveParts.includes(1);
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
    this.energies = room.energies.subarray(0, contacts.count);
    const sums = this.#sums.fill(0);
    this.#time[0] = time;
    angularVelocities(state, this.#inertia, this.#spins);
    this.#joinGroups(contacts, groups, state);
    const seek = this.#history && new GroupSeeker(this.#history);
    for (let g = 0; g < groups.count; g++) {
      const before = seek ? seek.find(contacts, groups, g) : NO_GROUP;
      this.#group(contacts, history, g, before, state, loads, losses);
    }
    this.#history = history;
    return {
      ...{ elastic: sums[0]!, tangential: sums[1]!, largestFrequency: sums[2]!, deepest: sums[3]! },
      rolled: sums[4]!,
    };
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
        energies: new Float64Array(most),
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
    loads: Loads,
    losses: LossLoads,
  ): void {
    const time = this.#time[0]!;
    const { bodies, features, distances, normals, points, shifts } = contacts;
    const { positions, velocities } = state;
    const { inverseMasses } = this.#inertia;
    const { pairs, materials, surfaceVelocities } = this.#bodies;
    const energies = this.energies;
    const sums = this.#sums;
    const spins = this.#spins;
    const cross = this.#cross;
    const pushed = this.#pushed;
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
    const nodes = end - first;
    const wanted = nodes + (endEdge - firstEdge);
    this.#sumLaws(contacts, groups, group, positions);
    const laws = this.#laws;
    const ofGroup = this.#sum[0]!;
    // Pairs of bodies of one part each are not looked for.
    const joined = this.#joined.size > 0 ? this.#joined.get(a * state.count + b) : undefined;
    const sum = joined ?? this.#sum;
    const stiffness = sum[0]!;
    // Where the pair's stiffness acts, from the centroids of A and of B.
    const cx = stiffness > 0 ? sum[1]! / stiffness : 0;
    const cy = stiffness > 0 ? sum[2]! / stiffness : 0;
    const cz = stiffness > 0 ? sum[3]! / stiffness : 0;
    const xa = positions[3 * a]!;
    const ya = positions[3 * a + 1]!;
    const za = positions[3 * a + 2]!;
    // All contacts of a pair are with the same copy of B: where its centroid is.
    const isShifted = shifts !== undefined;
    const xb = positions[3 * b]! + (isShifted ? shifts[3 * some]! : 0);
    const yb = positions[3 * b + 1]! + (isShifted ? shifts[3 * some + 1]! : 0);
    const zb = positions[3 * b + 2]! + (isShifted ? shifts[3 * some + 2]! : 0);
    const dx = cx + xa - xb;
    const dy = cy + ya - yb;
    const dz = cz + za - zb;
    const ax = spins[3 * a]!;
    const ay = spins[3 * a + 1]!;
    const az = spins[3 * a + 2]!;
    const bx = spins[3 * b]!;
    const by = spins[3 * b + 1]!;
    const bz = spins[3 * b + 2]!;
    const ux = velocities[3 * b]! - velocities[3 * a]!;
    const uy = velocities[3 * b + 1]! - velocities[3 * a + 1]!;
    const uz = velocities[3 * b + 2]! - velocities[3 * a + 2]!;
    const isHertz = !isFoundation(contacts, some);
    const share =
      pairs.numbers[numbers + (isHertz ? PairNumber.dampingOfHertz : PairNumber.dampingOfLinear)]!;
    const friction = pairs.numbers[numbers + PairNumber.friction]!;
    const tangentialRatio = pairs.numbers[numbers + PairNumber.tangential]!;
    const sidewaysRatio = Math.sqrt(tangentialRatio);
    const inverseMass = inverseMasses[a]! + inverseMasses[b]!;
    const wx = surfaceVelocities[3 * b]! - surfaceVelocities[3 * a]!;
    const wy = surfaceVelocities[3 * b + 1]! - surfaceVelocities[3 * a + 1]!;
    const wz = surfaceVelocities[3 * b + 2]! - surfaceVelocities[3 * a + 2]!;
    // Places of the same features in the last list: both lists are in their order.
    const history = this.#history;
    const known = before !== NO_GROUP && history !== undefined;
    const lastFeatures = known ? history.contacts.features : features;
    const last = known ? history.tangential : tangential;
    let old = known ? history.groups.ranges[RANGE_WORDS * before]! : 0;
    let oldEnd = known ? history.groups.ranges[RANGE_WORDS * before + 1]! : 0;
    // Sums over the group: force on B, torques on A and on B, and of them what dashpots and friction make.
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let fax = 0;
    let fay = 0;
    let faz = 0;
    let fbx = 0;
    let fby = 0;
    let fbz = 0;
    let lx = 0;
    let ly = 0;
    let lz = 0;
    let lax = 0;
    let lay = 0;
    let laz = 0;
    let lbx = 0;
    let lby = 0;
    let lbz = 0;
    let hx = 0;
    let hy = 0;
    let hz = 0;
    let hax = 0;
    let hay = 0;
    let haz = 0;
    let hbx = 0;
    let hby = 0;
    let hbz = 0;
    let sumN = 0;
    let sumX = 0;
    let sumY = 0;
    let sumZ = 0;
    for (let n = 0; n < wanted; n++) {
      if (n === nodes && known) {
        old = history.groups.ranges[RANGE_WORDS * before + 2]!;
        oldEnd = history.groups.ranges[RANGE_WORDS * before + 3]!;
      }
      const i = n < nodes ? first + n : firstEdge + n - nodes;
      const force = laws[LAW_NUMBERS * n]!;
      const pull = laws[LAW_NUMBERS * n + 1]!;
      const own = laws[LAW_NUMBERS * n + 2]!;
      const energy = laws[LAW_NUMBERS * n + 3]!;
      const nx = normals[3 * i]!;
      const ny = normals[3 * i + 1]!;
      const nz = normals[3 * i + 2]!;
      const px = points[3 * i]!;
      const py = points[3 * i + 1]!;
      const pz = points[3 * i + 2]!;
      const rax = px - xa;
      const ray = py - ya;
      const raz = pz - za;
      const rbx = px - xb;
      const rby = py - yb;
      const rbz = pz - zb;
      sums[0]! += energy;
      energies[i] = energy;
      sums[3] = Math.max(sums[3]!, -distances[i]!);
      const vx = ux + by * rbz - bz * rby - (ay * raz - az * ray);
      const vy = uy + bz * rbx - bx * rbz - (az * rax - ax * raz);
      const vz = uz + bx * rby - by * rbx - (ax * ray - ay * rax);
      const along = vx * nx + vy * ny + vz * nz;
      const opening = along - (wx * nx + wy * ny + wz * nz);
      // Arms of the pair's stiffness cross the normal. Numbers go through an array: as arguments they are on the heap.
      cross[0] = cy * nz - cz * ny;
      cross[1] = cz * nx - cx * nz;
      cross[2] = cx * ny - cy * nx;
      cross[3] = dy * nz - dz * ny;
      cross[4] = dz * nx - dx * nz;
      cross[5] = dx * ny - dy * nx;
      this.#addInverse(state, a, 0);
      this.#addInverse(state, b, 3);
      const reduced = inverseMass + cross[6]! + cross[7]!;
      const frequency = Math.sqrt(stiffness * reduced);
      sums[2] = Math.max(sums[2]!, frequency);
      const damping = stiffness > 0 ? (2 * share * own) / frequency : 0;
      const press = Math.max(0, force - damping * opening);
      const tx = vx - along * nx;
      const ty = vy - along * ny;
      const tz = vz - along * nz;
      const spring = own * tangentialRatio;
      // The spring of before, in this plane and turned with both bodies.
      while (old < oldEnd && lastFeatures[old]! < features[i]!) old++;
      let sx = 0;
      let sy = 0;
      let sz = 0;
      if (old < oldEnd && lastFeatures[old] === features[i]) {
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
      const sideways = damping * sidewaysRatio;
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
      sums[1]! += spring > 0 ? (sx * sx + sy * sy + sz * sz) / (2 * spring) : 0;
      const normal = press - pull;
      const x = normal * nx + gx;
      const y = normal * ny + gy;
      const z = normal * nz + gz;
      fx += x;
      fy += y;
      fz += z;
      fax += ray * z - raz * y;
      fay += raz * x - rax * z;
      faz += rax * y - ray * x;
      fbx += rby * z - rbz * y;
      fby += rbz * x - rbx * z;
      fbz += rbx * y - rby * x;
      const lost = press - force;
      const ox = lost * nx;
      const oy = lost * ny;
      const oz = lost * nz;
      lx += ox;
      ly += oy;
      lz += oz;
      lax += ray * oz - raz * oy;
      lay += raz * ox - rax * oz;
      laz += rax * oy - ray * ox;
      lbx += rby * oz - rbz * oy;
      lby += rbz * ox - rbx * oz;
      lbz += rbx * oy - rby * ox;
      hx += gx;
      hy += gy;
      hz += gz;
      hax += ray * gz - raz * gy;
      hay += raz * gx - rax * gz;
      haz += rax * gy - ray * gx;
      hbx += rby * gz - rbz * gy;
      hby += rbz * gx - rbx * gz;
      hbz += rbx * gy - rby * gx;
      sumN += press;
      sumX += press * nx;
      sumY += press * ny;
      sumZ += press * nz;
    }
    forces[3 * group] = fx;
    forces[3 * group + 1] = fy;
    forces[3 * group + 2] = fz;
    pushed[0] = fx;
    pushed[1] = fy;
    pushed[2] = fz;
    pushed[3] = fax;
    pushed[4] = fay;
    pushed[5] = faz;
    pushed[6] = fbx;
    pushed[7] = fby;
    pushed[8] = fbz;
    pushApart(loads, a, b, pushed);
    pushed[0] = lx;
    pushed[1] = ly;
    pushed[2] = lz;
    pushed[3] = lax;
    pushed[4] = lay;
    pushed[5] = laz;
    pushed[6] = lbx;
    pushed[7] = lby;
    pushed[8] = lbz;
    pushApart(losses.dashpots, a, b, pushed);
    pushed[0] = hx;
    pushed[1] = hy;
    pushed[2] = hz;
    pushed[3] = hax;
    pushed[4] = hay;
    pushed[5] = haz;
    pushed[6] = hbx;
    pushed[7] = hby;
    pushed[8] = hbz;
    pushApart(losses.friction, a, b, pushed);
    if (
      pairs.numbers[numbers + PairNumber.rollingFriction] === 0 &&
      pairs.numbers[numbers + PairNumber.torsionalFriction] === 0
    )
      return;
    this.#roll(
      group,
      before,
      { a, b, numbers, stiffness: ofGroup, press: sumN, x: sumX, y: sumY, z: sumZ },
      time,
      rolling,
      [loads, losses.rolling],
    );
  }

  /**
   * Sums of the pairs of bodies that may meet in several groups: they have one dashpot, and two that are made for a
   * part each would be stronger than that of both springs together.
   */
  #joinGroups(contacts: ShiftedContacts, groups: ContactGroups, state: MotionState): void {
    const { haveParts } = this.#bodies;
    if (!this.#hasParts) return;
    this.#joined.clear();
    for (let group = 0; group < groups.count; group++) {
      const i = someOf(groups, group);
      const [a, b] = [contacts.bodies[2 * i]!, contacts.bodies[2 * i + 1]!];
      if (haveParts[a] === 0 && haveParts[b] === 0) continue;
      this.#sumLaws(contacts, groups, group, state.positions);
      const pair = a * state.count + b;
      const before = this.#joined.get(pair);
      if (before) this.#sum.forEach((sum, k) => void (before[k]! += sum));
      else this.#joined.set(pair, this.#sum.slice());
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
    const { pairs, materials } = this.#bodies;
    const some = nodes > 0 ? first : firstEdge;
    const numbers = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[bodies[2 * some + 1]!]!);
    const laws = this.#laws;
    const xa = positions[3 * a]!;
    const ya = positions[3 * a + 1]!;
    const za = positions[3 * a + 2]!;
    let stiffness = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = 0; n < wanted; n++) {
      const i = n < nodes ? first + n : firstEdge + n - nodes;
      this.#normalLaw(contacts, i, numbers, n);
      const own = laws[LAW_NUMBERS * n + 2]!;
      stiffness += own;
      x += own * (points[3 * i]! - xa);
      y += own * (points[3 * i + 1]! - ya);
      z += own * (points[3 * i + 2]! - za);
    }
    const sum = this.#sum;
    sum[0] = stiffness;
    sum[1] = x;
    sum[2] = y;
    sum[3] = z;
  }

  #shareNodes({ bodies, parts }: ContactArrays, i: number): void {
    const { lengths } = this.#bodies;
    const ofA = lengths.spacing(bodies[2 * i]!, parts[2 * i]!);
    const ofB = lengths.spacing(bodies[2 * i + 1]!, parts[2 * i + 1]!);
    this.#shareA = nodeShare(ofA, ofB);
    this.#shareB = nodeShare(ofB, ofA);
  }

  /**
   * Rolling and torsion: springs of a group that yield, after J. Ai et al. (2011), model C. The dashpot fades as the
   * spring comes near to where it yields: a torque that jumps there would not keep rounding small.
   */
  #roll(
    group: number,
    before: number,
    { a, b, numbers, stiffness, press, x, y, z }: GroupSums,
    time: number,
    rolling: Float64Array,
    all: readonly Loads[],
  ): void {
    const { pairs, radii } = this.#bodies;
    const roll = pairs.numbers[numbers + PairNumber.rollingFriction]!;
    const twist = pairs.numbers[numbers + PairNumber.torsionalFriction]!;
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

  /** Sets L . I^-1 L of one of both vectors L in `#cross`, in the world's axes: behind them. */
  #addInverse({ rotations: q }: MotionState, body: number, at: 0 | 3): void {
    const { inverseMoments } = this.#inertia;
    const cross = this.#cross;
    const x = cross[at]!;
    const y = cross[at + 1]!;
    const z = cross[at + 2]!;
    const i1 = inverseMoments[3 * body]!;
    const i2 = inverseMoments[3 * body + 1]!;
    const i3 = inverseMoments[3 * body + 2]!;
    const out = at === 0 ? 6 : 7;
    if (i1 === i2 && i1 === i3) {
      cross[out] = i1 * (x * x + y * y + z * z);
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
    cross[out] = i1 * l1 * l1 + i2 * l2 * l2 + i3 * l3 * l3;
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

  /** Of contact i, into place n of `#laws`. @param numbers of its materials */
  #normalLaw(contacts: ContactArrays, i: number, numbers: number, n: number): void {
    const { bodies, kinds, distances, areas, features } = contacts;
    const { pairs, materials, radii, curvatures } = this.#bodies;
    const laws = this.#laws;
    const at = LAW_NUMBERS * n;
    const a = bodies[2 * i]!;
    const b = bodies[2 * i + 1]!;
    const cohesion = pairs.numbers[numbers + PairNumber.cohesion]!;
    const depth = -distances[i]!;
    const own = pairs.numbers[numbers + PairNumber.law]!;
    const starred = pairs.numbers[numbers + PairNumber.modulus]!;
    const kind = kinds[i]!;
    if (kind !== ContactKind.edge && !(areas[i]! > 0)) {
      const radius = 1 / (inverse(curvatures[a]!) + inverse(curvatures[b]!));
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
      laws[at + 3]! -= (pull * depth) / 2;
      return;
    }
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
    let pull = share * cohesion * area;
    if (kind === ContactKind.edge) {
      const feature = isB ? features[i]! - FEATURE_OF_B : features[i]!;
      const part = contacts.parts[isB ? 2 * i + 1 : 2 * i]!;
      const piece = this.#bodies.lengths.halfPiece(isB ? b : a, part, feature >>> 1);
      area = EDGE_WIDTH_SHARE * Math.min(layerA, layerB) * piece;
      slope = areas[i]! / piece;
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
function pushApart({ forces, torques }: Loads, a: number, b: number, pushed: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    forces[3 * a + k]! -= pushed[k]!;
    forces[3 * b + k]! += pushed[k]!;
    torques[3 * a + k]! -= pushed[3 + k]!;
    torques[3 * b + k]! += pushed[6 + k]!;
  }
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

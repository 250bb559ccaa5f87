/**
 * Normal laws of contacts, and what the contacts of a group come to: stiffness and where it acts, the direction of the
 * force, and the pair's dashpot. docs/dem.md, "Contact laws" and "Dashpots", has the formulas.
 */
import { ContactKind, FEATURE_OF_B } from '../../contacts/list/contact-arrays.ts';
import { CONTACT_VALUES, type ContactRows } from '../../contacts/list/contact-sink.ts';
import { EDGE_WIDTH_SHARE } from '../constants.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import type { LawParameters } from '../materials/normal-law.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import type { BodyLaws, CollidersOfBodies } from './body-laws.ts';
import { MOVING, Moving, UNEQUAL } from './moving-bodies.ts';
import { BATCH, GROUP_WORDS, type PairGroups } from './pair-groups.ts';
import { nodeShare } from './surface-lengths.ts';

/** Numbers of a contact: force of springs, which push; pull of cohesion; stiffness; energy of both. */
export const LAW = 4;

/** Places among the numbers of a group. */
export const Group = {
  /** Stiffness of its contacts; where they act as one, from the centroid of A; the direction of their force. */
  stiffness: 0,
  place: 1,
  direction: 4,
  /** Energy of the springs that push. */
  held: 7,
  /** From the centroid of A to that of B. */
  between: 8,
  /** Stiffness of all groups of both bodies. */
  joined: 11,
  /** Force of a dashpot per speed and per elastic force of its contact. */
  damping: 12,
} as const;
export const GROUP = 13;

/** Sums that groups of the same two bodies are joined by: stiffness, it times its place, force, and energy. */
const SUMS = 8;

export interface GroupLawsOptions {
  readonly bodies: BodyLaws;
  readonly inertia: Inertia;
  readonly colliders: CollidersOfBodies;
  /** `[c]`: the body of each collider, no copy of it. */
  readonly bodyOf: Uint32Array;
  /** As `MovingBodies` has them. */
  readonly moving: Float64Array;
}

export class GroupLaws {
  /** Of a batch, `[BATCH * 2]`: bodies A and B. `[BATCH]`: where the numbers of their materials are. */
  readonly bodies = new Uint32Array(2 * BATCH);
  readonly numbers = new Uint32Array(BATCH);
  /** `[BATCH * GROUP]` */
  readonly groups = new Float64Array(GROUP * BATCH);
  /** `[contacts of the batch * LAW]` */
  laws = new Float64Array(LAW * BATCH);
  /** The largest square of a frequency so far. */
  readonly largest = new Float64Array(1);
  readonly #options: GroupLawsOptions;
  /** Energy of the springs of the last contact that was asked for. */
  readonly #held = new Float64Array(1);
  readonly #sums = new Float64Array(SUMS);
  /** Sums of pairs of bodies that may meet in several groups, by `a * count + b`: they have one dashpot. */
  readonly #joined: Map<number, Float64Array> | undefined;
  /** A vector, then a number of it. */
  readonly #cross = new Float64Array(4);
  /** Of the foundation, of the nodes of A and of B of a group. */
  #shareA = 0;
  #shareB = 0;

  constructor(options: GroupLawsOptions) {
    this.#options = options;
    this.#joined = options.bodies.haveParts.includes(1) ? new Map() : undefined;
  }

  /** Begins a step. Two dashpots that are made for a part each would be stronger than that of both springs together. */
  begin(groups: PairGroups): void {
    this.largest[0] = 0;
    const joined = this.#joined;
    if (joined === undefined) return;
    joined.clear();
    const { haveParts, materials } = this.#options.bodies;
    while (groups.next()) {
      this.#add(groups, true);
      for (let k = 0; k < groups.count; k++) {
        const a = this.bodies[2 * k]!;
        const b = this.bodies[2 * k + 1]!;
        if (haveParts[a] === 0 && haveParts[b] === 0) continue;
        const pair = a * materials.length + b;
        const sums = joined.get(pair) ?? new Float64Array(SUMS);
        for (let s = 0; s < SUMS; s++) sums[s]! += this.groups[GROUP * k + s]!;
        joined.set(pair, sums);
      }
    }
    groups.rewind();
  }

  /** Makes the laws of a batch of groups. */
  make(groups: PairGroups, state: MotionState): void {
    this.#add(groups, false);
    if (this.#joined) this.#join(groups.count);
    this.#setDampings(groups.count, state);
  }

  /** Sets all numbers but dampings. @param areSums sums over a pair's groups take the place of places and directions */
  #add(pairs: PairGroups, areSums: boolean): void {
    const { colliders, bodyOf, moving } = this.#options;
    const { pairs: table, materials } = this.#options.bodies;
    const { repeated } = colliders;
    const { words, pieces, colliders: collidersOf } = pairs;
    const { bodies, numbers, groups } = this;
    const held = this.#held;
    if (this.laws.length < LAW * pairs.contacts) this.laws = new Float64Array(2 * LAW * pairs.contacts);
    const laws = this.laws;
    for (let k = 0; k < pairs.count; k++) {
      const w = GROUP_WORDS * k;
      const nodes = words[w + 2]! - words[w + 1]!;
      const wanted = nodes + words[w + 5]! - words[w + 4]!;
      const at = words[w + 6]!;
      const rows = pieces[words[nodes > 0 ? w : w + 3]!]!;
      const row = nodes > 0 ? words[w + 1]! : words[w + 4]!;
      const colliderA = collidersOf[2 * k]!;
      const colliderB = collidersOf[2 * k + 1]!;
      const a = bodyOf[colliderA]!;
      const b = bodyOf[colliderB]!;
      bodies[2 * k] = a;
      bodies[2 * k + 1] = b;
      const own = PAIR_NUMBERS * (materials[a]! * table.count + materials[b]!);
      numbers[k] = own;
      const g = GROUP * k;
      const toA = MOVING * a;
      const toB = MOVING * b;
      groups[g + 8] = moving[toB + 6]! - moving[toA + 6]!;
      groups[g + 9] = moving[toB + 7]! - moving[toA + 7]!;
      groups[g + 10] = moving[toB + 8]! - moving[toA + 8]!;
      if (repeated !== undefined) this.#shift(g + Group.between, colliderA, colliderB);
      if (wanted > 1 || areSums) {
        this.#sumUp(pairs, k, at);
        if (!areSums) this.#normalize(g);
        continue;
      }
      // The shortest way: stiffness and force of a pair are those of its only contact.
      if (rows.kinds[row] === ContactKind.edge || rows.values[CONTACT_VALUES * row + 7]! > 0) {
        this.#setShares(pairs, k);
        this.#onArea(rows, row, k, pairs, LAW * at);
      } else this.#atPoint(rows.values, CONTACT_VALUES * row, toA, toB, own, LAW * at);
      const v = CONTACT_VALUES * row;
      groups[g] = laws[LAW * at + 2]!;
      groups[g + 1] = moving[toA + 9]! + rows.values[v + 3]!;
      groups[g + 2] = moving[toA + 10]! + rows.values[v + 4]!;
      groups[g + 3] = moving[toA + 11]! + rows.values[v + 5]!;
      groups[g + 4] = rows.values[v]!;
      groups[g + 5] = rows.values[v + 1]!;
      groups[g + 6] = rows.values[v + 2]!;
      groups[g + 7] = held[0]!;
      groups[g + 11] = groups[g]!;
    }
  }

  /** Adds how far the copies that touch are from their bodies. */
  #shift(at: number, colliderA: number, colliderB: number): void {
    const { bodies, repeated } = this.#options.colliders;
    const { copies, shifts } = repeated!;
    const ofA = 3 * (bodies[colliderA]! % copies);
    const ofB = 3 * (bodies[colliderB]! % copies);
    for (let k = 0; k < 3; k++) this.groups[at + k]! += shifts[ofB + k]! - shifts[ofA + k]!;
  }

  /** Finds the laws of group k's contacts, from number `at` on, and adds up what they come to. */
  #sumUp(pairs: PairGroups, k: number, at: number): void {
    const { words, pieces } = pairs;
    const { moving } = this.#options;
    const { laws, groups } = this;
    const held = this.#held;
    const w = GROUP_WORDS * k;
    const toA = MOVING * this.bodies[2 * k]!;
    const toB = MOVING * this.bodies[2 * k + 1]!;
    const sums = this.#sums.fill(0);
    this.#setShares(pairs, k);
    let i = LAW * at;
    for (let half = w; half < w + 6; half += 3) {
      const rows = pieces[words[half]!]!;
      const { values, kinds } = rows;
      for (let row = words[half + 1]!; row < words[half + 2]!; row++) {
        const v = CONTACT_VALUES * row;
        if (kinds[row] === ContactKind.edge || values[v + 7]! > 0) this.#onArea(rows, row, k, pairs, i);
        else this.#atPoint(values, v, toA, toB, this.numbers[k]!, i);
        const force = laws[i]!;
        const stiffness = laws[i + 2]!;
        sums[0]! += stiffness;
        sums[1]! += stiffness * (moving[toA + 9]! + values[v + 3]!);
        sums[2]! += stiffness * (moving[toA + 10]! + values[v + 4]!);
        sums[3]! += stiffness * (moving[toA + 11]! + values[v + 5]!);
        sums[4]! += force * values[v]!;
        sums[5]! += force * values[v + 1]!;
        sums[6]! += force * values[v + 2]!;
        sums[7]! += held[0]!;
        i += LAW;
      }
    }
    groups.set(sums, GROUP * k);
    groups[GROUP * k + Group.joined] = sums[0]!;
  }

  /** Makes a mean of the sums of places, and a direction of the sum of forces. */
  #normalize(g: number): void {
    const { groups } = this;
    const stiffness = groups[g + Group.joined]!;
    const perStiffness = stiffness > 0 ? 1 / stiffness : 0;
    const x = groups[g + 4]!;
    const y = groups[g + 5]!;
    const z = groups[g + 6]!;
    const push = Math.sqrt(x * x + y * y + z * z);
    const perPush = push > 0 ? 1 / push : 0;
    for (let s = g + 1; s < g + 4; s++) groups[s]! *= perStiffness;
    for (let s = g + 4; s < g + 7; s++) groups[s]! *= perPush;
  }

  /** Gives groups of bodies of several parts what all groups of both bodies come to, but for their own stiffness. */
  #join(count: number): void {
    const { materials } = this.#options.bodies;
    for (let k = 0; k < count; k++) {
      const sums = this.#joined!.get(this.bodies[2 * k]! * materials.length + this.bodies[2 * k + 1]!);
      if (sums === undefined) continue;
      const g = GROUP * k;
      for (let s = 1; s < SUMS; s++) this.groups[g + s] = sums[s]!;
      this.groups[g + Group.joined] = sums[0]!;
      this.#normalize(g);
    }
  }

  /** The force moves both bodies along itself, through where its stiffness acts: so heavy are they for a dashpot. */
  #setDampings(count: number, state: MotionState): void {
    const { moving } = this.#options;
    const { numbers: table } = this.#options.bodies.pairs;
    const { bodies, numbers, groups, largest } = this;
    const cross = this.#cross;
    for (let k = 0; k < count; k++) {
      const g = GROUP * k;
      const a = bodies[2 * k]!;
      const b = bodies[2 * k + 1]!;
      const momentA = moving[MOVING * a + 13]!;
      const momentB = moving[MOVING * b + 13]!;
      const nx = groups[g + 4]!;
      const ny = groups[g + 5]!;
      const nz = groups[g + 6]!;
      const cx = groups[g + 1]!;
      const cy = groups[g + 2]!;
      const cz = groups[g + 3]!;
      const dx = cx - groups[g + 8]!;
      const dy = cy - groups[g + 9]!;
      const dz = cz - groups[g + 10]!;
      let reduced = moving[MOVING * a + 12]! + moving[MOVING * b + 12]!;
      // Numbers go through an array: as arguments they are on the heap.
      let x = cy * nz - cz * ny;
      let y = cz * nx - cx * nz;
      let z = cx * ny - cy * nx;
      if (momentA === UNEQUAL) {
        cross[0] = x;
        cross[1] = y;
        cross[2] = z;
        this.#setTurning(state, a);
        reduced += cross[3]!;
      } else reduced += momentA * (x * x + y * y + z * z);
      x = dy * nz - dz * ny;
      y = dz * nx - dx * nz;
      z = dx * ny - dy * nx;
      if (momentB === UNEQUAL) {
        cross[0] = x;
        cross[1] = y;
        cross[2] = z;
        this.#setTurning(state, b);
        reduced += cross[3]!;
      } else reduced += momentB * (x * x + y * y + z * z);
      const share = table[numbers[k]! + PairNumber.damping]!;
      const twiceHeld = 2 * groups[g + 7]!;
      groups[g + 12] = twiceHeld > 0 ? (2 * share) / Math.sqrt(twiceHeld * reduced) : 0;
      const squared = groups[g + 11]! * reduced;
      if (squared > largest[0]!) largest[0] = squared;
    }
  }

  /** Sets L . I^-1 L of the vector L in `#cross`, in the world's axes: behind it. */
  #setTurning({ rotations: q }: MotionState, body: number): void {
    const { inverseMoments } = this.#options.inertia;
    const cross = this.#cross;
    const x = cross[0]!;
    const y = cross[1]!;
    const z = cross[2]!;
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
    cross[3] =
      inverseMoments[3 * body]! * l1 * l1 +
      inverseMoments[3 * body + 1]! * l2 * l2 +
      inverseMoments[3 * body + 2]! * l3 * l3;
  }

  /** Hertz's law, or one of the caller's own, of a contact that stands for no area: into `laws` at `at`. */
  #atPoint(values: Float64Array, v: number, toA: number, toB: number, numbers: number, at: number): void {
    const { moving, bodies } = this.#options;
    const table = bodies.pairs.numbers;
    const { laws } = this;
    const depth = -values[v + 6]!;
    const radius = 1 / (moving[toA + Moving.inverseCurvature]! + moving[toB + Moving.inverseCurvature]!);
    const starred = table[numbers + PairNumber.modulus]!;
    const own = table[numbers + PairNumber.law]!;
    // Over Hertz's area of contact, pi R d.
    const pull = table[numbers + PairNumber.cohesion]! * Math.PI * radius * depth;
    if (own !== 0) this.#ownLaw(own, at, depth, 0, { modulus: starred, radius, foundation: 0 });
    else {
      const stiffness = 2 * starred * Math.sqrt(radius * depth);
      const force = (2 / 3) * stiffness * depth;
      laws[at] = force;
      laws[at + 2] = stiffness;
      laws[at + 3] = (2 / 5) * force * depth;
    }
    laws[at + 1] = pull;
    this.#held[0] = laws[at + 3]!;
    laws[at + 3]! -= (pull * depth) / 2;
  }

  /** Sets what the nodes of both sides of a group have of the foundation. */
  #setShares({ words, pieces, colliders }: PairGroups, k: number): void {
    const w = GROUP_WORDS * k;
    const first = words[w + 1]!;
    if (words[w + 2] === first || pieces[words[w]!]!.kinds[first] !== ContactKind.node) return;
    const { lengths } = this.#options.bodies;
    const { parts } = this.#options.colliders;
    const ofA = lengths.spacing(this.bodies[2 * k]!, parts[colliders[2 * k]!]!);
    const ofB = lengths.spacing(this.bodies[2 * k + 1]!, parts[colliders[2 * k + 1]!]!);
    this.#shareA = nodeShare(ofA, ofB);
    this.#shareB = nodeShare(ofB, ofA);
  }

  /** An elastic layer, or a law of the caller's own, of a contact that stands for an area: into `laws` at `at`. */
  #onArea(rows: ContactRows, row: number, k: number, pairs: PairGroups, at: number): void {
    const { pairs: table, materials, radii, lengths } = this.#options.bodies;
    const { laws } = this;
    const a = this.bodies[2 * k]!;
    const b = this.bodies[2 * k + 1]!;
    const numbers = this.numbers[k]!;
    const cohesion = table.numbers[numbers + PairNumber.cohesion]!;
    const own = table.numbers[numbers + PairNumber.law]!;
    const depth = -rows.values[CONTACT_VALUES * row + 6]!;
    const kind = rows.kinds[row]!;
    let area = rows.values[CONTACT_VALUES * row + 7]!;
    const layerA = radii[a]! || radii[b]!;
    const layerB = radii[b]! || radii[a]!;
    const modulus =
      1 / (layerA / table.planeModuli[materials[a]!]! + layerB / table.planeModuli[materials[b]!]!);
    const feature = rows.features[row]!;
    const isB = feature >= FEATURE_OF_B;
    // A plane has no nodes of its own.
    let share = 1;
    if (kind === ContactKind.node) share = isB ? this.#shareB : this.#shareA;
    if (kind === ContactKind.edge) share = 1 / 2;
    const foundation = share * modulus;
    // Growth of the depth per length along the normal. 0 is possible, as it is for depths.
    let slope = 1;
    let pull = share * cohesion * area;
    if (kind === ContactKind.edge) {
      const part = this.#options.colliders.parts[pairs.colliders[2 * k + (isB ? 1 : 0)]!]!;
      const piece = lengths.halfPiece(isB ? b : a, part, (isB ? feature - FEATURE_OF_B : feature) >>> 1);
      slope = area / piece;
      area = EDGE_WIDTH_SHARE * Math.min(layerA, layerB) * piece;
      // Nodes pull for all of the surface.
      pull = 0;
    }
    const starred = table.numbers[numbers + PairNumber.modulus]!;
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
    this.#held[0] = laws[at + 3]!;
    laws[at + 3]! -= pull * depth;
  }

  /** Of a law of the caller's own: force, stiffness and energy. */
  #ownLaw(own: number, at: number, depth: number, area: number, of: LawParameters): void {
    const [force, stiffness, energy] = this.#options.bodies.pairs.laws[own - 1]!.twin(depth, area, of);
    this.laws[at] = force;
    this.laws[at + 2] = stiffness;
    this.laws[at + 3] = energy;
  }
}

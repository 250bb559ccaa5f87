/**
 * Forces of groups of contacts, and their sums for each body: dashpots, and friction with its springs. docs/dem.md,
 * "Contact laws", has the formulas.
 */
import { CONTACT_VALUES } from '../../contacts/list/contact-sink.ts';
import { PairNumber } from '../materials/materials.ts';
import type { BodyLaws } from './body-laws.ts';
import { BODY_LOADS } from './body-loads.ts';
import { SPRING } from './force-history.ts';
import type { ForceStep } from './force-step.ts';
import { GROUP, LAW } from './group-laws.ts';
import { RANGE_WORDS } from './groups.ts';
import { NO_GROUP } from './history.ts';
import { MOVING, Moving } from './moving-bodies.ts';
import { GROUP_WORDS } from './pair-groups.ts';
import type { RollingTorques } from './rolling-torques.ts';

/** Places among the sums over all contacts. */
export const ForceSum = { elastic: 0, tangential: 1, deepest: 2, deepestShare: 3, rolled: 4 } as const;
const FORCE_SUMS = 5;

/** Places in what a group comes to: normal force, the sum of its vectors, and the force on B. */
export const Pushed = { press: 0, vector: 1, force: 4 } as const;
const PUSHED = 7;

export interface GroupForcesOptions {
  readonly bodies: BodyLaws;
  /** As `MovingBodies` has them. */
  readonly moving: Float64Array;
  /** Where loads are added, as `BodyLoads` has them. */
  readonly loads: Float64Array;
  /** Whether surfaces may move beyond their bodies. */
  readonly hasBelts: boolean;
  /** Undefined: nothing resists rolling. */
  readonly rolling: RollingTorques | undefined;
}

export class GroupForces {
  /** Of all groups so far, as `ForceSum` says. */
  readonly sums = new Float64Array(FORCE_SUMS);
  readonly #options: GroupForcesOptions;
  readonly #pushed = new Float64Array(PUSHED);

  constructor(options: GroupForcesOptions) {
    this.#options = options;
  }

  /** Adds the forces of a batch of groups, whose laws are made. */
  make(step: ForceStep): void {
    const { groups, laws, last, room } = step;
    const { words, pieces, before } = groups;
    const { features, kinds, ranges, energies, forces, pairs } = room;
    const { moving, rolling } = this.#options;
    const sums = this.sums;
    const pushed = this.#pushed;
    for (let k = 0; k < groups.count; k++) {
      const group = groups.first + k;
      const toA = MOVING * laws.bodies[2 * k]!;
      const toB = MOVING * laws.bodies[2 * k + 1]!;
      const old = last === undefined ? NO_GROUP : before[k]!;
      let law = LAW * words[GROUP_WORDS * k + 6]!;
      let i = groups.firstContact + words[GROUP_WORDS * k + 6]!;
      pairs[group] = words[GROUP_WORDS * k + 7]!;
      let deepest = 0;
      for (let s = 0; s < PUSHED; s++) pushed[s] = 0;
      // Nodes, or what else the pair meets with; then edges.
      for (let half = 0; half < 2; half++) {
        const w = GROUP_WORDS * k + 3 * half;
        const range = RANGE_WORDS * group + 2 * half;
        ranges[range] = i;
        const endOfRows = words[w + 2]!;
        if (words[w + 1] !== endOfRows) {
          const { values, kinds: kindsOf, features: featuresOf } = pieces[words[w]!]!;
          // Places of the same features in the step before: both are in their order.
          let at = old === NO_GROUP ? 0 : last!.ranges[RANGE_WORDS * old + 2 * half]!;
          const endOfOld = old === NO_GROUP ? 0 : last!.ranges[RANGE_WORDS * old + 2 * half + 1]!;
          for (let row = words[w + 1]!; row < endOfRows; row++) {
            const feature = featuresOf[row]!;
            while (at < endOfOld && last!.features[at]! < feature) at++;
            const same = at < endOfOld && last!.features[at] === feature ? at : NO_GROUP;
            features[i] = feature;
            kinds[i] = kindsOf[row]!;
            const energy = laws.laws[law + 3]!;
            energies[i] = energy;
            sums[0]! += energy;
            const depth = -values[CONTACT_VALUES * row + 6]!;
            if (depth > deepest) deepest = depth;
            this.#contact(step, values, CONTACT_VALUES * row, k, law, i, same);
            i++;
            law += LAW;
          }
        }
        ranges[range + 1] = i;
      }
      if (deepest > sums[2]!) sums[2] = deepest;
      const share = Math.max(moving[toA + Moving.inverseRadius]!, moving[toB + Moving.inverseRadius]!);
      if (deepest * share > sums[3]!) sums[3] = deepest * share;
      forces[3 * group] = pushed[4]!;
      forces[3 * group + 1] = pushed[5]!;
      forces[3 * group + 2] = pushed[6]!;
      if (rolling) sums[4]! += rolling.make(step, group, k, pushed);
    }
  }

  /**
   * Adds the force of a contact to the loads of B, its opposite to those of A, and the parts of both that take energy
   * out. Writes the contact's tangential spring.
   *
   * @param same its place in the step before
   */
  #contact(
    { laws: { laws, groups, bodies, numbers }, last, room, time }: ForceStep,
    values: Float64Array,
    v: number,
    k: number,
    law: number,
    i: number,
    same: number,
  ): void {
    const { moving, hasBelts, bodies: own, loads } = this.#options;
    const table = own.pairs.numbers;
    const p = MOVING * bodies[2 * k]!;
    const q = MOVING * bodies[2 * k + 1]!;
    const g = GROUP * k;
    const pair = numbers[k]!;
    const force = laws[law]!;
    const stiffness = laws[law + 2]!;
    const nx = values[v]!;
    const ny = values[v + 1]!;
    const nz = values[v + 2]!;
    const rax = moving[p + 9]! + values[v + 3]!;
    const ray = moving[p + 10]! + values[v + 4]!;
    const raz = moving[p + 11]! + values[v + 5]!;
    const rbx = rax - groups[g + 8]!;
    const rby = ray - groups[g + 9]!;
    const rbz = raz - groups[g + 10]!;
    const ax = moving[p + 3]!;
    const ay = moving[p + 4]!;
    const az = moving[p + 5]!;
    const bx = moving[q + 3]!;
    const by = moving[q + 4]!;
    const bz = moving[q + 5]!;
    const vx = moving[q]! - moving[p]! + by * rbz - bz * rby - (ay * raz - az * ray);
    const vy = moving[q + 1]! - moving[p + 1]! + bz * rbx - bx * rbz - (az * rax - ax * raz);
    const vz = moving[q + 2]! - moving[p + 2]! + bx * rby - by * rbx - (ax * ray - ay * rax);
    const along = vx * nx + vy * ny + vz * nz;
    // Of a belt, forces along normals do not feel it.
    const opening = hasBelts ? along - this.#beltAlong(values, v, p, q) : along;
    const damping = groups[g + 12]! * force;
    const press = Math.max(0, force - damping * opening);
    const lost = press - force;
    const normal = press - laws[law + 1]!;
    const tx = vx - along * nx;
    const ty = vy - along * ny;
    const tz = vz - along * nz;
    const ratio = table[pair + PairNumber.tangential]!;
    const spring = stiffness * ratio;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    if (same !== NO_GROUP) {
      // The spring of before, in this plane and turned with both bodies.
      const before = last!.tangential;
      const then = before[SPRING * same + 3]!;
      sx = before[SPRING * same]!;
      sy = before[SPRING * same + 1]!;
      sz = before[SPRING * same + 2]!;
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
    const sideways = damping * Math.sqrt(ratio);
    let gx = sx - sideways * tx;
    let gy = sy - sideways * ty;
    let gz = sz - sideways * tz;
    const most = table[pair + PairNumber.friction]! * press;
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
    const { tangential } = room;
    tangential[SPRING * i] = sx;
    tangential[SPRING * i + 1] = sy;
    tangential[SPRING * i + 2] = sz;
    tangential[SPRING * i + 3] = spring;
    if (spring > 0) this.sums[1]! += squared / (2 * spring);
    const pushed = this.#pushed;
    const x = normal * nx + gx;
    const y = normal * ny + gy;
    const z = normal * nz + gz;
    pushed[0]! += press;
    pushed[1]! += press * nx;
    pushed[2]! += press * ny;
    pushed[3]! += press * nz;
    pushed[4]! += x;
    pushed[5]! += y;
    pushed[6]! += z;
    // Torques of the normal, and of friction: on A, taken away, then on B.
    let ux = ray * nz - raz * ny;
    let uy = raz * nx - rax * nz;
    let uz = rax * ny - ray * nx;
    let wx = ray * gz - raz * gy;
    let wy = raz * gx - rax * gz;
    let wz = rax * gy - ray * gx;
    let at = BODY_LOADS * bodies[2 * k]!;
    loads[at]! -= x;
    loads[at + 1]! -= y;
    loads[at + 2]! -= z;
    loads[at + 3]! -= normal * ux + wx;
    loads[at + 4]! -= normal * uy + wy;
    loads[at + 5]! -= normal * uz + wz;
    loads[at + 6]! -= lost * nx;
    loads[at + 7]! -= lost * ny;
    loads[at + 8]! -= lost * nz;
    loads[at + 9]! -= lost * ux;
    loads[at + 10]! -= lost * uy;
    loads[at + 11]! -= lost * uz;
    loads[at + 12]! -= gx;
    loads[at + 13]! -= gy;
    loads[at + 14]! -= gz;
    loads[at + 15]! -= wx;
    loads[at + 16]! -= wy;
    loads[at + 17]! -= wz;
    ux = rby * nz - rbz * ny;
    uy = rbz * nx - rbx * nz;
    uz = rbx * ny - rby * nx;
    wx = rby * gz - rbz * gy;
    wy = rbz * gx - rbx * gz;
    wz = rbx * gy - rby * gx;
    at = BODY_LOADS * bodies[2 * k + 1]!;
    loads[at]! += x;
    loads[at + 1]! += y;
    loads[at + 2]! += z;
    loads[at + 3]! += normal * ux + wx;
    loads[at + 4]! += normal * uy + wy;
    loads[at + 5]! += normal * uz + wz;
    loads[at + 6]! += lost * nx;
    loads[at + 7]! += lost * ny;
    loads[at + 8]! += lost * nz;
    loads[at + 9]! += lost * ux;
    loads[at + 10]! += lost * uy;
    loads[at + 11]! += lost * uz;
    loads[at + 12]! += gx;
    loads[at + 13]! += gy;
    loads[at + 14]! += gz;
    loads[at + 15]! += wx;
    loads[at + 16]! += wy;
    loads[at + 17]! += wz;
  }

  /** How fast belts come apart along a normal. */
  #beltAlong(values: Float64Array, v: number, p: number, q: number): number {
    const { surfaceVelocities: belts } = this.#options.bodies;
    const a = (3 * p) / MOVING;
    const b = (3 * q) / MOVING;
    let along = 0;
    for (let k = 0; k < 3; k++) along += (belts[b + k]! - belts[a + k]!) * values[v + k]!;
    return along;
  }
}

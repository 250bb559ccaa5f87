/**
 * Forces of contacts, and their sums for each body: normal laws, dashpots, and friction with its springs. docs/dem.md,
 * "Contact laws", has the formulas.
 */
import { ContactKind } from '../../contacts/list/contact-arrays.ts';
import { CONTACT_VALUES } from '../../contacts/list/contact-sink.ts';
import { PairNumber } from '../materials/materials.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { type NextHistory, type PairHistory, SPRING } from './force-history.ts';
import type { LawTables } from './law-tables.ts';
import { MOVING, Moving, type MovingBodies, UNEQUAL } from './moving-bodies.ts';
import { BATCH, BATCH_WORDS, PairBatch, type StageRows } from './pair-batch.ts';
import { LAW, PairLaws, room, SUMS } from './pair-laws.ts';
import { BLOCK, PAIR_WORDS, type PairRows } from './pair-rows.ts';
import { RollingTorques } from './rolling-torques.ts';

/** A list of pairs in a step. */
export interface ForceList {
  readonly rows: PairRows;
  /** Contacts of nodes, or of what else pairs meet with, and of edges. */
  readonly nodes: StageRows;
  readonly edges: StageRows;
  /** `[n]`: which of `joined` holds the sums of each pair. Undefined: no bodies have several parts. */
  readonly joins: Int32Array | undefined;
  /** History of the step before, by the same numbers of pairs, and room for that of this step. */
  readonly last: PairHistory;
  readonly next: NextHistory;
}

/** A step. All arrays are in memory that threads see. */
export interface ForceStep {
  readonly tables: LawTables;
  readonly moving: Pick<MovingBodies, 'numbers' | 'rotations' | 'belts'>;
  readonly lists: readonly ForceList[];
  /** `[j * SUMS]`: sums of bodies of several parts over all pairs of both, which have one dashpot. */
  readonly joined: Float64Array;
  /** Rows of bodies, then of ghosts. */
  readonly loads: BodyLoads;
  /** `[blocks * FORCE_SUMS]`: as `ForceSum` says. */
  readonly sums: Float64Array;
  /** Time by which springs are stretched. */
  readonly time: number;
}

/** Places among the sums of a block's pairs. The frequency is squared. */
export const ForceSum = {
  elastic: 0,
  tangential: 1,
  rolled: 2,
  deepest: 3,
  deepestShare: 4,
  largestFrequency: 5,
} as const;
export const FORCE_SUMS = 6;

/** Numbers of a pair from one pass to the next: dashpot per normal force, from centroid to centroid, and stiffness. */
const PairSum = { perForce: 0, between: 1, stiffness: 4 } as const;
const PAIR_SUMS = 5;

export class BlockForces {
  readonly #step: ForceStep;
  readonly #batch = new PairBatch();
  readonly #laws: PairLaws;
  /** Undefined: nothing resists rolling. */
  readonly #rolling: RollingTorques | undefined;
  /** As `ForceSum` says, of a block. */
  readonly #sums = new Float64Array(FORCE_SUMS);
  /** Of the contacts of a batch: `LAW` numbers each. */
  #made = new Float64Array(16 * LAW);
  /** Of the pairs of a batch: `PAIR_SUMS` numbers each. */
  readonly #pairSums = new Float64Array(PAIR_SUMS * BATCH);

  constructor(step: ForceStep) {
    const { tables, moving, loads } = step;
    this.#step = step;
    this.#laws = new PairLaws(tables, moving.rotations);
    this.#rolling = loads.rolling && new RollingTorques(tables, moving.numbers, loads);
  }

  /**
   * Writes the loads of a block's bodies, those that its pairs give others, and its sums. Writes what its contacts
   * remember.
   */
  add(block: number): void {
    const { lists, loads, sums, tables } = this.#step;
    const clear = (first: number, end: number) => {
      loads.sums.fill(0, BODY_LOADS * first, BODY_LOADS * end);
      loads.rolling?.fill(0, 3 * first, 3 * end);
    };
    clear(BLOCK * block, Math.min(tables.materials.length, BLOCK * (block + 1)));
    this.#sums.fill(0);
    for (const list of lists) {
      const { firstGhost, ghostStarts, ranges, ofBlocks, blockStarts } = list.rows;
      clear(firstGhost + ghostStarts[block]!, firstGhost + ghostStarts[block + 1]!);
      for (let r = blockStarts[block]!; r < blockStarts[block + 1]!; r++)
        this.#addPairs(list, ranges[ofBlocks[r]!]!, ranges[ofBlocks[r]! + 1]!, true);
    }
    sums.set(this.#sums, FORCE_SUMS * block);
  }

  /** Adds up the sums of bodies of several parts, of all pairs. */
  join(): void {
    for (const list of this.#step.lists) this.#addPairs(list, 0, list.rows.pairs.length / 2, false);
  }

  /** @param areJoined false: sums of pairs are joined by bodies, and nothing else */
  #addPairs(list: ForceList, first: number, end: number, areJoined: boolean): void {
    const batch = this.#batch;
    batch.open(list.nodes, list.edges, first, end, list.next.starts);
    while (batch.next()) {
      if (this.#made.length < LAW * batch.contacts) this.#made = new Float64Array(2 * LAW * batch.contacts);
      this.#setLaws(list, areJoined);
      if (areJoined) this.#push(list);
    }
  }

  /** Writes normal laws of the contacts of a batch, and the dashpots of its pairs. */
  #setLaws(list: ForceList, areJoined: boolean): void {
    const { tables, joined: sumsOfJoined } = this.#step;
    const moving = this.#step.moving.numbers;
    const { numbers: table, hasParts, repeated } = tables;
    const { rows: of, joins } = list;
    const { bodies, radii } = of;
    const { count, words, nodes, edges } = this.#batch;
    const halves = list.edges.count > 0 ? 2 : 1;
    const laws = this.#laws;
    const made = this.#made;
    const pairSums = this.#pairSums;
    const sums = this.#sums;
    let elastic = sums[ForceSum.elastic]!;
    let deepest = sums[ForceSum.deepest]!;
    let deepestShare = sums[ForceSum.deepestShare]!;
    let largest = sums[ForceSum.largestFrequency]!;
    let n = 0;
    for (let k = 0; k < count; k++) {
      const w = BATCH_WORDS * k;
      const pair = words[w]!;
      const a = bodies[PAIR_WORDS * pair]!;
      const b = bodies[PAIR_WORDS * pair + 1]!;
      const own = bodies[PAIR_WORDS * pair + 2]!;
      const p = MOVING * a;
      const q = MOVING * b;
      const ox = moving[p + 9]!;
      const oy = moving[p + 10]!;
      const oz = moving[p + 11]!;
      // Sums over the pair: stiffness, it times its place, force, energy of what pushes.
      let stiffnesses = 0;
      let cx = 0;
      let cy = 0;
      let cz = 0;
      let wx = 0;
      let wy = 0;
      let wz = 0;
      let held = 0;
      let depthOfPair = 0;
      let hasFoundation = false;
      // Nodes, or what else the pair meets with; then edges.
      for (let half = 0; half < halves; half++) {
        const found = half === 0 ? nodes : edges;
        const { values, kinds } = found;
        const end = words[w + 2 * half + 2]!;
        for (let row = words[w + 2 * half + 1]!; row < end; row++, n += LAW) {
          const v = CONTACT_VALUES * row;
          const depth = -values[v + 6]!;
          if (depth > depthOfPair) depthOfPair = depth;
          if (kinds[row] === ContactKind.edge || values[v + 7]! > 0) {
            // Those of the pair's first area, whatever contacts came before.
            if (!hasFoundation) laws.setFoundation(found, row, of, pair);
            hasFoundation = true;
            laws.setOnArea(found, row, of, pair, made, n);
            held += made[n + 3]!;
            made[n + 3]! -= made[n + 1]! * depth;
          } else {
            // Hertz's law, or one of the caller's own, of a contact that stands for no area.
            const radius = radii[pair]!;
            const starred = table[own + PairNumber.modulus]!;
            const stiffness = 2 * starred * Math.sqrt(radius * depth);
            const force = (2 / 3) * stiffness * depth;
            made[n] = force;
            made[n + 2] = stiffness;
            made[n + 3] = (2 / 5) * force * depth;
            const law = table[own + PairNumber.law]!;
            if (law !== 0)
              laws.setOwnLaw(law, made, n, depth, 0, { modulus: starred, radius, foundation: 0 });
            // Over Hertz's area of contact, pi R d.
            const pull = table[own + PairNumber.cohesion]! * Math.PI * radius * depth;
            made[n + 1] = pull;
            held += made[n + 3]!;
            made[n + 3]! -= (pull * depth) / 2;
          }
          const force = made[n]!;
          const stiffness = made[n + 2]!;
          stiffnesses += stiffness;
          cx += stiffness * (ox + values[v + 3]!);
          cy += stiffness * (oy + values[v + 4]!);
          cz += stiffness * (oz + values[v + 5]!);
          wx += force * values[v]!;
          wy += force * values[v + 1]!;
          wz += force * values[v + 2]!;
          elastic += made[n + 3]!;
        }
      }
      let joined = stiffnesses;
      if (hasParts) {
        const j = SUMS * joins![pair]!;
        if (!areJoined) {
          sumsOfJoined[j]! += stiffnesses;
          sumsOfJoined[j + 1]! += cx;
          sumsOfJoined[j + 2]! += cy;
          sumsOfJoined[j + 3]! += cz;
          sumsOfJoined[j + 4]! += wx;
          sumsOfJoined[j + 5]! += wy;
          sumsOfJoined[j + 6]! += wz;
          sumsOfJoined[j + 7]! += held;
          continue;
        }
        joined = sumsOfJoined[j]!;
        cx = sumsOfJoined[j + 1]!;
        cy = sumsOfJoined[j + 2]!;
        cz = sumsOfJoined[j + 3]!;
        wx = sumsOfJoined[j + 4]!;
        wy = sumsOfJoined[j + 5]!;
        wz = sumsOfJoined[j + 6]!;
        held = sumsOfJoined[j + 7]!;
      }
      // A mean of places, and the direction of the force.
      if (joined > 0) {
        cx /= joined;
        cy /= joined;
        cz /= joined;
      } else {
        // A law of a caller's own may have no stiffness where it pushes: the place of the first contact.
        const half = words[w + 2]! > words[w + 1]! ? 0 : 1;
        const v = CONTACT_VALUES * words[w + 2 * half + 1]!;
        const { values } = half === 0 ? nodes : edges;
        cx = ox + values[v + 3]!;
        cy = oy + values[v + 4]!;
        cz = oz + values[v + 5]!;
      }
      const push = Math.sqrt(wx * wx + wy * wy + wz * wz);
      const perPush = push > 0 ? 1 / push : 0;
      wx *= perPush;
      wy *= perPush;
      wz *= perPush;
      // From the centroid of A to that of B, or of its copy that A touches.
      let betweenX = moving[q + 6]! - moving[p + 6]!;
      let betweenY = moving[q + 7]! - moving[p + 7]!;
      let betweenZ = moving[q + 8]! - moving[p + 8]!;
      if (repeated !== undefined) {
        const { copies, shifts, bodies: copyOf } = repeated;
        const ofA = 3 * (copyOf[of.pairs[2 * pair]!]! % copies);
        const ofB = 3 * (copyOf[of.pairs[2 * pair + 1]!]! % copies);
        betweenX += shifts[ofB]! - shifts[ofA]!;
        betweenY += shifts[ofB + 1]! - shifts[ofA + 1]!;
        betweenZ += shifts[ofB + 2]! - shifts[ofA + 2]!;
      }
      // The force moves both bodies along itself, through where its stiffness acts: so heavy are they for a dashpot.
      const momentA = moving[p + 13]!;
      const momentB = moving[q + 13]!;
      const dx = cx - betweenX;
      const dy = cy - betweenY;
      const dz = cz - betweenZ;
      let reduced = moving[p + 12]! + moving[q + 12]!;
      let x = cy * wz - cz * wy;
      let y = cz * wx - cx * wz;
      let z = cx * wy - cy * wx;
      if (momentA === UNEQUAL) {
        room[8] = x;
        room[9] = y;
        room[10] = z;
        laws.setTurning(a);
        reduced += room[11]!;
      } else reduced += momentA * (x * x + y * y + z * z);
      x = dy * wz - dz * wy;
      y = dz * wx - dx * wz;
      z = dx * wy - dy * wx;
      if (momentB === UNEQUAL) {
        room[8] = x;
        room[9] = y;
        room[10] = z;
        laws.setTurning(b);
        reduced += room[11]!;
      } else reduced += momentB * (x * x + y * y + z * z);
      const twiceHeld = 2 * held;
      const d = PAIR_SUMS * k;
      pairSums[d + PairSum.perForce] =
        twiceHeld > 0 ? (2 * table[own + PairNumber.damping]!) / Math.sqrt(twiceHeld * reduced) : 0;
      pairSums[d + PairSum.between] = betweenX;
      pairSums[d + PairSum.between + 1] = betweenY;
      pairSums[d + PairSum.between + 2] = betweenZ;
      pairSums[d + PairSum.stiffness] = stiffnesses;
      const frequency = joined * reduced;
      if (frequency > largest) largest = frequency;
      if (depthOfPair > deepest) deepest = depthOfPair;
      const share =
        depthOfPair * Math.max(moving[p + Moving.inverseRadius]!, moving[q + Moving.inverseRadius]!);
      if (share > deepestShare) deepestShare = share;
    }
    sums[ForceSum.elastic] = elastic;
    sums[ForceSum.deepest] = deepest;
    sums[ForceSum.deepestShare] = deepestShare;
    sums[ForceSum.largestFrequency] = largest;
  }

  /** Adds forces along normals and sideways, with what `#setLaws` wrote. */
  #push({ rows: of, edges: ofEdges, last, next }: ForceList): void {
    const { tables, time } = this.#step;
    const moving = this.#step.moving.numbers;
    const loads = this.#step.loads.sums;
    const rolling = this.#rolling;
    const { numbers: table, hasBelts } = tables;
    const { bodies, places } = of;
    const { starts, features, tangential, energies, forces } = next;
    const { starts: startsBefore, features: featuresBefore, tangential: before } = last;
    const { count, words, nodes, edges } = this.#batch;
    const { values: nodeValues, features: nodeFeatures } = nodes;
    const { values: edgeValues, features: edgeFeatures } = edges;
    const halves = ofEdges.count > 0 ? 2 : 1;
    const made = this.#made;
    const pairSums = this.#pairSums;
    const sums = this.#sums;
    let stored = sums[ForceSum.tangential]!;
    let rolled = sums[ForceSum.rolled]!;
    let ofMaterials = -1;
    let ratio = 0;
    let rootOfRatio = 0;
    let friction = 0;
    let n = 0;
    for (let k = 0; k < count; k++) {
      const w = BATCH_WORDS * k;
      const d = PAIR_SUMS * k;
      const pair = words[w]!;
      const own = bodies[PAIR_WORDS * pair + 2]!;
      const p = MOVING * bodies[PAIR_WORDS * pair]!;
      const q = MOVING * bodies[PAIR_WORDS * pair + 1]!;
      const loadsOfA = BODY_LOADS * places[2 * pair]!;
      const loadsOfB = BODY_LOADS * places[2 * pair + 1]!;
      const ox = moving[p + 9]!;
      const oy = moving[p + 10]!;
      const oz = moving[p + 11]!;
      const perForce = pairSums[d + PairSum.perForce]!;
      const betweenX = pairSums[d + PairSum.between]!;
      const betweenY = pairSums[d + PairSum.between + 1]!;
      const betweenZ = pairSums[d + PairSum.between + 2]!;
      if (own !== ofMaterials) {
        ratio = table[own + PairNumber.tangential]!;
        rootOfRatio = Math.sqrt(ratio);
        friction = table[own + PairNumber.friction]!;
        ofMaterials = own;
      }
      const ax = moving[p + 3]!;
      const ay = moving[p + 4]!;
      const az = moving[p + 5]!;
      const bx = moving[q + 3]!;
      const by = moving[q + 4]!;
      const bz = moving[q + 5]!;
      const ux0 = moving[q]! - moving[p]!;
      const uy0 = moving[q + 1]! - moving[p + 1]!;
      const uz0 = moving[q + 2]! - moving[p + 2]!;
      let pressed = 0;
      let pushX = 0;
      let pushY = 0;
      let pushZ = 0;
      let forceX = 0;
      let forceY = 0;
      let forceZ = 0;
      for (let half = 0; half < halves; half++) {
        let row = words[w + 2 * half + 1]!;
        const end = words[w + 2 * half + 2]!;
        if (row === end) continue;
        const start = 2 * pair + half;
        let i = starts[start]!;
        const values = half === 0 ? nodeValues : edgeValues;
        const featuresOf = half === 0 ? nodeFeatures : edgeFeatures;
        // Places of the same features in the step before: both are in their order.
        let old = startsBefore[start]!;
        const endOfOld = startsBefore[start + 1]!;
        for (; row < end; row++, n += LAW, i++) {
          const feature = featuresOf[row]!;
          while (old < endOfOld && featuresBefore[old]! < feature) old++;
          const same = old < endOfOld && featuresBefore[old] === feature ? old : -1;
          features[i] = feature;
          energies[i] = made[n + 3]!;
          const force = made[n]!;
          const stiffness = made[n + 2]!;
          const v = CONTACT_VALUES * row;
          const nx = values[v]!;
          const ny = values[v + 1]!;
          const nz = values[v + 2]!;
          const rax = ox + values[v + 3]!;
          const ray = oy + values[v + 4]!;
          const raz = oz + values[v + 5]!;
          const rbx = rax - betweenX;
          const rby = ray - betweenY;
          const rbz = raz - betweenZ;
          const vx = ux0 + by * rbz - bz * rby - (ay * raz - az * ray);
          const vy = uy0 + bz * rbx - bx * rbz - (az * rax - ax * raz);
          const vz = uz0 + bx * rby - by * rbx - (ax * ray - ay * rax);
          const along = vx * nx + vy * ny + vz * nz;
          // Of a belt, forces along normals do not feel it.
          const opening = hasBelts ? along - this.#beltAlong(values, v, p, q) : along;
          const damping = perForce * force;
          const press = Math.max(0, force - damping * opening);
          const lost = press - force;
          const normal = press - made[n + 1]!;
          const tx = vx - along * nx;
          const ty = vy - along * ny;
          const tz = vz - along * nz;
          const spring = stiffness * ratio;
          let sx = 0;
          let sy = 0;
          let sz = 0;
          if (same >= 0) {
            // The spring of before, in this plane and turned with both bodies.
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
          const sideways = damping * rootOfRatio;
          let gx = sx - sideways * tx;
          let gy = sy - sideways * ty;
          let gz = sz - sideways * tz;
          const most = friction * press;
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
          tangential[SPRING * i] = sx;
          tangential[SPRING * i + 1] = sy;
          tangential[SPRING * i + 2] = sz;
          tangential[SPRING * i + 3] = spring;
          if (spring > 0) stored += squared / (2 * spring);
          const x = normal * nx + gx;
          const y = normal * ny + gy;
          const z = normal * nz + gz;
          if (rolling !== undefined) {
            pressed += press;
            pushX += press * nx;
            pushY += press * ny;
            pushZ += press * nz;
          }
          forceX += x;
          forceY += y;
          forceZ += z;
          // Torques of the normal, and of friction: on A, taken away, then on B.
          let ux = ray * nz - raz * ny;
          let uy = raz * nx - rax * nz;
          let uz = rax * ny - ray * nx;
          let wx = ray * gz - raz * gy;
          let wy = raz * gx - rax * gz;
          let wz = rax * gy - ray * gx;
          let at = loadsOfA;
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
          at = loadsOfB;
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
      }
      forces[3 * pair] = forceX;
      forces[3 * pair + 1] = forceY;
      forces[3 * pair + 2] = forceZ;
      if (rolling === undefined) continue;
      room[0] = pairSums[d + PairSum.stiffness]!;
      room[12] = pressed;
      room[13] = pushX;
      room[14] = pushY;
      room[15] = pushZ;
      rolled += rolling.make(of, pair, last, next, time);
    }
    sums[ForceSum.tangential] = stored;
    sums[ForceSum.rolled] = rolled;
  }

  /** How fast belts come apart along a normal. */
  #beltAlong(numbers: Float64Array, n: number, p: number, q: number): number {
    const { belts } = this.#step.moving;
    const a = (3 * p) / MOVING;
    const b = (3 * q) / MOVING;
    let along = 0;
    for (let k = 0; k < 3; k++) along += (belts[b + k]! - belts[a + k]!) * numbers[n + k]!;
    return along;
  }
}

/**
 * Rolling and torsion: springs of a pair that yield, after J. Ai et al. (2011), model C. The dashpot fades as the
 * spring comes near to where it yields: a torque that jumps there would not keep rounding small.
 */
import { ROLLING_DAMPING, ROLLING_STIFFNESS } from '../constants.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { heldBy, type NextHistory, type PairHistory, ROLLING_NUMBERS } from './force-history.ts';
import { inverse, type LawTables } from './law-tables.ts';
import { MOVING, Moving } from './moving-bodies.ts';
import { room } from './pair-laws.ts';
import { PAIR_WORDS, type PairRows } from './pair-rows.ts';

/** Whether materials of a scene resist rolling or torsion. */
export function resistsRolling({ numbers }: Pick<LawTables, 'numbers'>): boolean {
  for (let at = 0; at < numbers.length; at += PAIR_NUMBERS) {
    if (numbers[at + PairNumber.rollingFriction] || numbers[at + PairNumber.torsionalFriction]) return true;
  }
  return false;
}

export class RollingTorques {
  readonly #tables: LawTables;
  readonly #moving: Float64Array;
  readonly #loads: BodyLoads;

  /** @param moving as `MovingBodies` has them. @param loads with rolling torques */
  constructor(tables: LawTables, moving: Float64Array, loads: BodyLoads) {
    this.#tables = tables;
    this.#moving = moving;
    this.#loads = loads;
  }

  /** Adds the torques of a pair whose numbers are in `room`, and returns the energy that its springs hold. */
  make(rows: PairRows, pair: number, last: PairHistory, { rolling }: NextHistory, time: number): number {
    const { numbers: table, radii } = this.#tables;
    const at = ROLLING_NUMBERS * pair;
    rolling.fill(0, at, at + ROLLING_NUMBERS);
    const a = rows.bodies[PAIR_WORDS * pair]!;
    const b = rows.bodies[PAIR_WORDS * pair + 1]!;
    const numbers = rows.bodies[PAIR_WORDS * pair + 2]!;
    const placeA = rows.places[2 * pair]!;
    const placeB = rows.places[2 * pair + 1]!;
    const roll = table[numbers + PairNumber.rollingFriction]!;
    const twist = table[numbers + PairNumber.torsionalFriction]!;
    const [press, x, y, z] = [room[12]!, room[13]!, room[14]!, room[15]!];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0 || (roll === 0 && twist === 0)) return 0;
    const stiffness = room[0]!;
    const [nx, ny, nz] = [x / length, y / length, z / length];
    const radius = 1 / (inverse(radii[a]!) + inverse(radii[b]!));
    const moment = 1 / (this.#inverseAboutContact(a) + this.#inverseAboutContact(b));
    const spinA = this.#spinOf(a);
    const spinB = this.#spinOf(b);
    const [wx, wy, wz] = [spinB[0]! - spinA[0]!, spinB[1]! - spinA[1]!, spinB[2]! - spinA[2]!];
    const about = wx * nx + wy * ny + wz * nz;
    // The springs of before: that against rolling in this plane and turned with both bodies, the other one along n.
    let [mx, my, mz, twisted] = [0, 0, 0, 0];
    if (last.starts[2 * pair + 2]! > last.starts[2 * pair]!) {
      const { rolling: old } = last;
      const then = old[at + 4]!;
      const kept = then > 0 ? Math.min(1, stiffness / then) : 0;
      twisted = kept * old[at + 3]!;
      const out = old[at]! * nx + old[at + 1]! * ny + old[at + 2]! * nz;
      const [fx, fy, fz] = [old[at]! - out * nx, old[at + 1]! - out * ny, old[at + 2]! - out * nz];
      const both = (spinA[0]! + spinB[0]!) * nx + (spinA[1]! + spinB[1]!) * ny + (spinA[2]! + spinB[2]!) * nz;
      const spin = (time * both) / 2;
      const turnedX = fx + spin * (ny * fz - nz * fy);
      const turnedY = fy + spin * (nz * fx - nx * fz);
      const turnedZ = fz + spin * (nx * fy - ny * fx);
      const turned = Math.hypot(turnedX, turnedY, turnedZ);
      const share = turned > 0 ? (kept * Math.hypot(old[at]!, old[at + 1]!, old[at + 2]!)) / turned : 0;
      [mx, my, mz] = [share * turnedX, share * turnedY, share * turnedZ];
    }
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
        this.#turn(placeA, placeB, k, m[k]! - fading * w[k]!);
      }
      if (isTwist) rolling[at + 3] = m[0]! * nx + m[1]! * ny + m[2]! * nz;
      rolling[at + 5]! += heldBy(m[0]!, m[1]!, m[2]!, spring);
    }
    return rolling[at + 5]!;
  }

  /** Adds part k of a torque on B, and its opposite on A, to their rows. */
  #turn(a: number, b: number, k: number, torque: number): void {
    const { sums, rolling } = this.#loads;
    sums[BODY_LOADS * a + 3 + k]! -= torque;
    sums[BODY_LOADS * b + 3 + k]! += torque;
    rolling![3 * a + k]! -= torque;
    rolling![3 * b + k]! += torque;
  }

  #spinOf(body: number): Float64Array {
    return this.#moving.subarray(MOVING * body + Moving.spin, MOVING * body + Moving.spin + 3);
  }

  /** 1 / moment of inertia about a contact, at a body's radius from its centroid. */
  #inverseAboutContact(body: number): number {
    const { inverseMasses, inverseMoments } = this.#tables;
    const mass = inverseMasses[body]!;
    if (mass === 0) return 0;
    const mean =
      (inverseMoments[3 * body]! + inverseMoments[3 * body + 1]! + inverseMoments[3 * body + 2]!) / 3;
    return 1 / (1 / mean + this.#tables.radii[body]! ** 2 / mass);
  }
}

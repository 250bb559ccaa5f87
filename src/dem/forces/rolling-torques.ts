/**
 * Rolling and torsion: springs of a pair that yield, after J. Ai et al. (2011), model C. The dashpot fades as the
 * spring comes near to where it yields: a torque that jumps there would not keep rounding small.
 */
import { ROLLING_DAMPING, ROLLING_STIFFNESS } from '../constants.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import { BODY_LOADS, type BodyLoads } from './body-loads.ts';
import { heldBy, type NextHistory, type PairHistory, ROLLING_NUMBERS } from './force-history.ts';
import type { LawTables } from './law-tables.ts';
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
  /** Numbers of pairs of materials. */
  readonly #table: Float64Array;
  readonly #moving: Float64Array;
  readonly #loads: BodyLoads;

  /** @param moving as `MovingBodies` has them. @param loads with rolling torques */
  constructor({ numbers }: LawTables, moving: Float64Array, loads: BodyLoads) {
    this.#table = numbers;
    this.#moving = moving;
    this.#loads = loads;
  }

  /** Adds the torques of a pair whose numbers are in `room`, and returns the energy that its springs hold. */
  make(rows: PairRows, pair: number, last: PairHistory, { rolling }: NextHistory, time: number): number {
    const moving = this.#moving;
    const at = ROLLING_NUMBERS * pair;
    for (let k = 0; k < ROLLING_NUMBERS; k++) rolling[at + k] = 0;
    const numbers = rows.bodies[PAIR_WORDS * pair + 2]!;
    const roll = this.#table[numbers + PairNumber.rollingFriction]!;
    const twist = this.#table[numbers + PairNumber.torsionalFriction]!;
    const press = room[12]!;
    let nx = room[13]!;
    let ny = room[14]!;
    let nz = room[15]!;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (length === 0 || (roll === 0 && twist === 0)) return 0;
    nx /= length;
    ny /= length;
    nz /= length;
    const stiffness = room[0]!;
    const a = MOVING * rows.bodies[PAIR_WORDS * pair]!;
    const b = MOVING * rows.bodies[PAIR_WORDS * pair + 1]!;
    const radius = 1 / (moving[a + Moving.inverseRadius]! + moving[b + Moving.inverseRadius]!);
    const moment = 1 / (moving[a + Moving.inverseAtContact]! + moving[b + Moving.inverseAtContact]!);
    const ax = moving[a + 3]!;
    const ay = moving[a + 4]!;
    const az = moving[a + 5]!;
    const bx = moving[b + 3]!;
    const by = moving[b + 4]!;
    const bz = moving[b + 5]!;
    const wx = bx - ax;
    const wy = by - ay;
    const wz = bz - az;
    const about = wx * nx + wy * ny + wz * nz;
    // The springs of before: that against rolling in this plane and turned with both bodies, the other one along n.
    let mx = 0;
    let my = 0;
    let mz = 0;
    let twisted = 0;
    if (last.starts[2 * pair + 2]! > last.starts[2 * pair]!) {
      const { rolling: old } = last;
      const then = old[at + 4]!;
      const kept = then > 0 ? Math.min(1, stiffness / then) : 0;
      mx = old[at]!;
      my = old[at + 1]!;
      mz = old[at + 2]!;
      twisted = kept * old[at + 3]!;
      const squared = mx * mx + my * my + mz * mz;
      const out = mx * nx + my * ny + mz * nz;
      const fx = mx - out * nx;
      const fy = my - out * ny;
      const fz = mz - out * nz;
      const spin = (time * ((ax + bx) * nx + (ay + by) * ny + (az + bz) * nz)) / 2;
      mx = fx + spin * (ny * fz - nz * fy);
      my = fy + spin * (nz * fx - nx * fz);
      mz = fz + spin * (nx * fy - ny * fx);
      const turned = mx * mx + my * my + mz * mz;
      const share = turned > 0 ? kept * Math.sqrt(squared / turned) : 0;
      mx *= share;
      my *= share;
      mz *= share;
    }
    let held = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    if (roll !== 0) {
      const spring = ROLLING_STIFFNESS * (roll * radius) ** 2 * stiffness;
      const most = roll * radius * press;
      const rx = wx - about * nx;
      const ry = wy - about * ny;
      const rz = wz - about * nz;
      mx -= spring * time * rx;
      my -= spring * time * ry;
      mz -= spring * time * rz;
      const size = Math.sqrt(mx * mx + my * my + mz * mz);
      const fading = fadingOf(spring * moment, size / most);
      const share = size > most ? most / size : 1;
      mx *= share;
      my *= share;
      mz *= share;
      rolling[at] = mx;
      rolling[at + 1] = my;
      rolling[at + 2] = mz;
      held = heldBy(mx, my, mz, spring);
      tx = mx - fading * rx;
      ty = my - fading * ry;
      tz = mz - fading * rz;
    }
    if (twist !== 0) {
      const spring = ROLLING_STIFFNESS * (twist * radius) ** 2 * stiffness;
      const most = twist * radius * press;
      twisted -= spring * time * about;
      const fading = fadingOf(spring * moment, Math.abs(twisted) / most);
      twisted = Math.max(-most, Math.min(most, twisted));
      rolling[at + 3] = twisted;
      held += heldBy(twisted, 0, 0, spring);
      const torque = twisted - fading * about;
      tx += torque * nx;
      ty += torque * ny;
      tz += torque * nz;
    }
    rolling[at + 4] = stiffness;
    rolling[at + 5] = held;
    this.#turn(rows.places[2 * pair]!, -tx, -ty, -tz);
    this.#turn(rows.places[2 * pair + 1]!, tx, ty, tz);
    return held;
  }

  /** Adds a torque to a row of loads. */
  #turn(row: number, x: number, y: number, z: number): void {
    const { sums, rolling } = this.#loads;
    const at = BODY_LOADS * row;
    sums[at + 3]! += x;
    sums[at + 4]! += y;
    sums[at + 5]! += z;
    rolling![3 * row]! += x;
    rolling![3 * row + 1]! += y;
    rolling![3 * row + 2]! += z;
  }
}

/** Of a dashpot on a spring, which is held back less the nearer it is to what friction holds. */
function fadingOf(springTimesMoment: number, share: number): number {
  return 2 * ROLLING_DAMPING * Math.sqrt(springTimesMoment) * Math.max(0, 1 - share * share);
}

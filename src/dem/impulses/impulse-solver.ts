/** Finds the impulses of a step, in float64. docs/dem.md, "Impulses", has the formulas. */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import {
  BOUNCE_FALLS,
  BOUNCE_PASSES,
  FASTEST_PUSH,
  LEFT_OVERLAP,
  SWING_DAMPING,
  SWING_SUBSTEPS,
} from '../constants.ts';
import type { BodyLaws, ShiftedContacts } from '../forces/contact-forces.ts';
import { type ContactGroups, RANGE_WORDS, someOf } from '../forces/groups.ts';
import { FeatureSeeker, GroupSeeker, NO_GROUP } from '../forces/history.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import type { MovedStep, StepMove } from '../steps/step-response.ts';
import type { ChosenContacts } from './choose-contacts.ts';
import type { ImpulseHistory } from './impulse-history.ts';
import { pullOf } from './pulls.ts';
import { ROLL, ROW, Roll, Row } from './rows.ts';
import { SolverBodies } from './solver-bodies.ts';

export interface ImpulseSolverOptions {
  readonly laws: Omit<BodyLaws, 'lengths'>;
  readonly inertia: Inertia;
  readonly state: MotionState;
}

/** Contacts that impulses are found for. */
export interface ImpulseContacts {
  readonly contacts: ShiftedContacts;
  /** Groups of all contacts, and of those that were chosen: as many, in one order. */
  readonly all: ContactGroups;
  readonly chosen: ChosenContacts;
  readonly groups: ContactGroups;
  /** Groups in the order in which they are solved. */
  readonly order: Uint32Array;
}

/** Swing of springs, in radians per substep. */
const SWING = (2 * Math.PI) / SWING_SUBSTEPS;
const DAMPED = 2 * SWING_DAMPING + SWING;
/** Of an overlap per substep; of the impulse that would stop bodies at once; of the impulse that there is. */
const RATE = SWING / DAMPED;
const MASS_SHARE = (SWING * DAMPED) / (1 + SWING * DAMPED);
const IMPULSE_SHARE = 1 / (1 + SWING * DAMPED);

export class ImpulseSolver {
  readonly #options: ImpulseSolverOptions;
  readonly #bodies: SolverBodies;
  /** Rows in the order in which they are solved, and both bodies of each. */
  #rows = new Float64Array(0);
  #pairs = new Uint32Array(0);
  #rolls = new Float64Array(0);
  /** `[groups + 1]`: first rows of groups in their order. */
  #starts = new Uint32Array(0);
  #hasRolls = false;
  #count = 0;
  /** What friction of a row comes to. */
  #nextAlong = 0;
  #nextAcross = 0;
  /** Speed of B beside A at a row. */
  #u = 0;
  #v = 0;
  #w = 0;
  /** What all impulses and falling have brought in during the step, and of it what driven bodies have. */
  #gained = 0;
  #driven = 0;
  /** What impacts, sliding and rolling took out. */
  #bounced = 0;
  #slid = 0;
  #rolled = 0;

  constructor(options: ImpulseSolverOptions) {
    this.#options = options;
    this.#bodies = new SolverBodies(options.state, options.inertia);
  }

  move(
    found: ImpulseContacts,
    last: ImpulseHistory | undefined,
    step: StepMove,
    substeps: number,
  ): { readonly history: ImpulseHistory; readonly moved: MovedStep } {
    const { time, gravity, statuses } = step;
    const bodies = this.#bodies;
    const h = time / substeps;
    bodies.begin(statuses);
    [this.#gained, this.#driven, this.#bounced, this.#slid, this.#rolled] = [0, 0, 0, 0, 0];
    const places = this.#prepare(found, last, step, h);
    const isHeld = new Uint8Array(bodies.state.count);
    for (const body of this.#pairs.subarray(0, 2 * this.#count)) isHeld[body] = 1;
    for (let k = 0; k < substeps; k++) {
      this.#fall(gravity, h, isHeld);
      this.#repeat();
      this.#solve(1 / h, true);
      this.#gained += this.#drift(gravity, h, isHeld, statuses);
      this.#place();
      this.#solve(1 / h, false);
      this.#total();
    }
    this.#bounce();
    const history = this.#end(found, places, step);
    this.#load(step);
    const moved = {
      dashpots: this.#bounced,
      friction: this.#slid,
      rolling: this.#rolled,
      driven: this.#driven,
      pushed: this.#gained + this.#bounced + this.#slid + this.#rolled,
    };
    return { history, moved };
  }

  /** Rows of all chosen contacts. @returns `[m]`: the row of each of them */
  #prepare(
    { contacts, all, chosen, groups, order }: ImpulseContacts,
    last: ImpulseHistory | undefined,
    { time, gravity }: StepMove,
    h: number,
  ): Uint32Array {
    const { laws } = this.#options;
    const count = chosen.count;
    this.#count = count;
    if (this.#rows.length < ROW * count) {
      this.#rows = new Float64Array(ROW * Math.ceil(SPARE_ROOM * count));
      this.#pairs = new Uint32Array(2 * Math.ceil(SPARE_ROOM * count));
    }
    if (this.#rolls.length < ROLL * groups.count) this.#rolls = new Float64Array(2 * ROLL * groups.count);
    if (this.#starts.length < groups.count + 1) this.#starts = new Uint32Array(2 * groups.count + 1);
    this.#rows.fill(0, 0, ROW * count);
    this.#rolls.fill(0, 0, ROLL * groups.count);
    this.#hasRolls = false;
    const before = new Int32Array(groups.count).fill(NO_GROUP);
    const seek = last && new GroupSeeker(last);
    for (let g = 0; seek && g < groups.count; g++) before[g] = seek.find(chosen, groups, g);
    const rowOf = new Uint32Array(count);
    const slowest = BOUNCE_FALLS * Math.hypot(...gravity) * time;
    let row = 0;
    for (let place = 0; place < groups.count; place++) {
      const g = order[place]!;
      const at = RANGE_WORDS * g;
      this.#starts[place] = row;
      const some = chosen.from[someOf(groups, g)]!;
      const [a, b] = [contacts.bodies[2 * some]!, contacts.bodies[2 * some + 1]!];
      const numbers = PAIR_NUMBERS * (laws.materials[a]! * laws.pairs.count + laws.materials[b]!);
      const [first, end, firstEdge, endEdge] = groups.ranges.subarray(at, at + RANGE_WORDS) as unknown as [
        ...[number, number, number, number],
      ];
      const rows = end - first + endEdge - firstEdge;
      const pull = pullOf(contacts, all, g, laws, numbers);
      // From the last one on: that is how they are found again.
      const features = new FeatureSeeker(last, before[g]!);
      for (let n = rows - 1; n >= 0; n--) {
        const i = n < end - first ? first + n : firstEdge + n - (end - first);
        rowOf[i] = row + n;
        this.#row(row + n, a, b, contacts, chosen.from[i]!, numbers, slowest, time);
        const o = ROW * (row + n);
        this.#rows[o + Row.least] = (-pull * h) / rows;
        const old = features.find(chosen, i);
        if (old < 0 || last === undefined) continue;
        const r = this.#rows;
        const x = last.impulses[4 * old + 1]!;
        const y = last.impulses[4 * old + 2]!;
        const z = last.impulses[4 * old + 3]!;
        r[o + Row.impulse] = last.impulses[4 * old]!;
        r[o + Row.impulseAlong] =
          x * r[o + Row.along]! + y * r[o + Row.along + 1]! + z * r[o + Row.along + 2]!;
        r[o + Row.impulseAcross] =
          x * r[o + Row.across]! + y * r[o + Row.across + 1]! + z * r[o + Row.across + 2]!;
      }
      row += rows;
      const kept =
        before[g]! === NO_GROUP ? undefined : last?.rolling.subarray(3 * before[g]!, 3 * before[g]! + 3);
      this.#roll(place, row - rows, row, a, b, numbers, kept);
    }
    this.#starts[groups.count] = row;
    return rowOf;
  }

  #row(
    row: number,
    a: number,
    b: number,
    contacts: ShiftedContacts,
    i: number,
    numbers: number,
    slowest: number,
    time: number,
  ): void {
    const { laws, state } = this.#options;
    const bodies = this.#bodies;
    const r = this.#rows;
    const o = ROW * row;
    const { points, normals, distances, shifts } = contacts;
    const { positions, velocities } = state;
    const { spins } = bodies;
    this.#pairs[2 * row] = a;
    this.#pairs[2 * row + 1] = b;
    const nx = normals[3 * i]!;
    const ny = normals[3 * i + 1]!;
    const nz = normals[3 * i + 2]!;
    r[o] = nx;
    r[o + 1] = ny;
    r[o + 2] = nz;
    setPlane(r, o, nx, ny, nz);
    for (let k = 0; k < 3; k++) {
      const shift = shifts?.[3 * i + k] ?? 0;
      r[o + Row.armA + k] = points[3 * i + k]! - positions[3 * a + k]!;
      r[o + Row.armB + k] = points[3 * i + k]! - positions[3 * b + k]! - shift;
      r[o + Row.foundA + k] = r[o + Row.armA + k]!;
      r[o + Row.foundB + k] = r[o + Row.armB + k]!;
    }
    r[o + Row.found] = distances[i]!;
    r[o + Row.distance] = distances[i]!;
    for (const [mass, axis] of [
      [Row.mass, Row.normal],
      [Row.massAlong, Row.along],
      [Row.massAcross, Row.across],
    ] as const) {
      const [x, y, z] = [r[o + axis]!, r[o + axis + 1]!, r[o + axis + 2]!];
      r[o + mass] =
        1 /
        (bodies.softness(a, r[o + Row.armA]!, r[o + Row.armA + 1]!, r[o + Row.armA + 2]!, x, y, z) +
          bodies.softness(b, r[o + Row.armB]!, r[o + Row.armB + 1]!, r[o + Row.armB + 2]!, x, y, z));
    }
    const s = laws.surfaceVelocities;
    const belt =
      nx * (s[3 * b]! - s[3 * a]!) +
      ny * (s[3 * b + 1]! - s[3 * a + 1]!) +
      nz * (s[3 * b + 2]! - s[3 * a + 2]!);
    r[o + Row.belt] = belt;
    r[o + Row.friction] = laws.pairs.numbers[numbers + PairNumber.friction]!;
    const radius = Math.min(laws.radii[a]! || Infinity, laws.radii[b]! || Infinity);
    r[o + Row.left] = LEFT_OVERLAP * radius;
    r[o + Row.push] = (FASTEST_PUSH * radius) / time;
    this.#relative(velocities, spins, a, b, o);
    r[o + Row.speed] = this.#u;
    r[o + Row.speed + 1] = this.#v;
    r[o + Row.speed + 2] = this.#w;
    const opening = this.#along(o);
    r[o + Row.bounce] = -opening > slowest ? -opening * laws.pairs.restitutions[numbers / PAIR_NUMBERS]! : 0;
  }

  /** Rolling and torsion of a group. */
  #roll(
    place: number,
    first: number,
    end: number,
    a: number,
    b: number,
    numbers: number,
    kept: Float64Array | undefined,
  ): void {
    const { laws } = this.#options;
    const { pairs, radii } = laws;
    const rolling = pairs.numbers[numbers + PairNumber.rollingFriction]!;
    const torsion = pairs.numbers[numbers + PairNumber.torsionalFriction]!;
    if (rolling === 0 && torsion === 0) return;
    this.#hasRolls = true;
    const [r, g, o] = [this.#rows, this.#rolls, ROLL * place];
    let [x, y, z] = [0, 0, 0];
    for (let row = first; row < end; row++) {
      x += r[ROW * row]!;
      y += r[ROW * row + 1]!;
      z += r[ROW * row + 2]!;
    }
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) return;
    const radius = 1 / (inverse(radii[a]!) + inverse(radii[b]!));
    g[o] = x / length;
    g[o + 1] = y / length;
    g[o + 2] = z / length;
    setPlane(g, o, g[o]!, g[o + 1]!, g[o + 2]!);
    const { spins } = this.#bodies;
    for (let k = 0; k < 3; k++) g[o + Roll.speed + k] = spins[3 * b + k]! - spins[3 * a + k]!;
    g[o + Roll.rolling] = rolling * radius;
    g[o + Roll.torsion] = torsion * radius;
    for (const [mass, axis, twist] of [
      [Roll.massAlong, Roll.along, Roll.alongTwist],
      [Roll.massAcross, Roll.across, Roll.acrossTwist],
      [Roll.massAbout, Roll.normal, Roll.aboutTwist],
    ] as const) {
      const [u, v, w] = [g[o + axis]!, g[o + axis + 1]!, g[o + axis + 2]!];
      g[o + mass] = 1 / (this.#bodies.turnSoftness(a, u, v, w) + this.#bodies.turnSoftness(b, u, v, w));
      if (kept) g[o + twist] = kept[0]! * u + kept[1]! * v + kept[2]! * w;
    }
  }

  /** Gravity. */
  #fall(gravity: Vector3, h: number, isHeld: Uint8Array): void {
    const { state, inverseMasses } = this.#bodies;
    const v = state.velocities;
    const [x, y, z] = gravity;
    const square = x * x + y * y + z * z;
    for (let body = 0; body < state.count; body++) {
      const inverse = inverseMasses[body]!;
      if (inverse === 0) continue;
      // What it brings in, and below takes out again by the way that bodies fall.
      if (isHeld[body] === 1) {
        const along = x * v[3 * body]! + y * v[3 * body + 1]! + z * v[3 * body + 2]!;
        this.#gained += (h * along + (h * h * square) / 2) / inverse;
      }
      v[3 * body]! += h * x;
      v[3 * body + 1]! += h * y;
      v[3 * body + 2]! += h * z;
    }
  }

  /** Moves bodies on. Those that nothing holds fall on a parabola. @returns the energy of held ones in gravity, lost */
  #drift([x, y, z]: Vector3, h: number, isHeld: Uint8Array, statuses: Uint8Array): number {
    const { state, inverseMasses } = this.#bodies;
    const { positions, velocities: v } = state;
    let gained = 0;
    for (let body = 0; body < state.count; body++) {
      const inverse = inverseMasses[body]!;
      if (inverse === 0) continue;
      if (isHeld[body] === 1) {
        gained -= (h * (x * v[3 * body]! + y * v[3 * body + 1]! + z * v[3 * body + 2]!)) / inverse;
      } else {
        positions[3 * body]! -= (h * h * x) / 2;
        positions[3 * body + 1]! -= (h * h * y) / 2;
        positions[3 * body + 2]! -= (h * h * z) / 2;
      }
    }
    this.#bodies.drift(h, statuses, this.#options.laws.surfaceVelocities);
    return gained;
  }

  /** Gives bodies the impulses of the last substep: those of this one are much the same. */
  #repeat(): void {
    const { state, spins } = this.#bodies;
    const { velocities } = state;
    const bodies = this.#bodies;
    const r = this.#rows;
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      const a = this.#pairs[2 * row]!;
      const b = this.#pairs[2 * row + 1]!;
      const n = r[o + Row.impulse]!;
      const f = r[o + Row.impulseAlong]!;
      const g = r[o + Row.impulseAcross]!;
      if (n === 0 && f === 0 && g === 0) continue;
      const gx = f * r[o + Row.along]! + g * r[o + Row.across]!;
      const gy = f * r[o + Row.along + 1]! + g * r[o + Row.across + 1]!;
      const gz = f * r[o + Row.along + 2]! + g * r[o + Row.across + 2]!;
      this.#relative(velocities, spins, a, b, o);
      const before = this.#along(o);
      const sliding = gx * this.#u + gy * this.#v + gz * this.#w;
      this.#push(bodies, a, b, o, n * r[o]! + gx, n * r[o + 1]! + gy, n * r[o + 2]! + gz);
      this.#relative(velocities, spins, a, b, o);
      this.#gained += (n * (before + this.#along(o))) / 2;
      this.#gained += (sliding + gx * this.#u + gy * this.#v + gz * this.#w) / 2;
      this.#drive(a, b, o, n, gx, gy, gz);
    }
    if (!this.#hasRolls) return;
    const t = this.#rolls;
    for (let group = 0; this.#starts[group]! < this.#count; group++) {
      const o = ROLL * group;
      const [f, g, n] = [t[o + Roll.alongTwist]!, t[o + Roll.acrossTwist]!, t[o + Roll.aboutTwist]!];
      if (f !== 0 || g !== 0 || n !== 0) this.#twist(group, f, g, n);
    }
  }

  /** One pass over all contacts. @param isPushing whether overlaps come apart */
  #solve(perTime: number, isPushing: boolean): void {
    const { state, spins } = this.#bodies;
    const { velocities } = state;
    const bodies = this.#bodies;
    const r = this.#rows;
    const rate = RATE * perTime;
    let group = 0;
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      const a = this.#pairs[2 * row]!;
      const b = this.#pairs[2 * row + 1]!;
      const distance = r[o + Row.distance]!;
      let bias = 0;
      let massShare = 1;
      let impulseShare = 0;
      if (distance > 0) bias = distance * perTime;
      else if (isPushing) {
        bias = Math.max(rate * Math.min(distance + r[o + Row.left]!, 0), -r[o + Row.push]!);
        massShare = MASS_SHARE;
        impulseShare = IMPULSE_SHARE;
      }
      this.#relative(velocities, spins, a, b, o);
      const opening = this.#along(o);
      const old = r[o + Row.impulse]!;
      const least = r[o + Row.least]!;
      const wanted = old - r[o + Row.mass]! * massShare * (opening + bias) - impulseShare * old;
      const now = wanted > least ? wanted : least;
      const change = now - old;
      r[o + Row.impulse] = now;
      if (change !== 0) {
        const square = this.#push(bodies, a, b, o, change * r[o]!, change * r[o + 1]!, change * r[o + 2]!);
        this.#gained += change * opening + square / 2;
        this.#drive(a, b, o, change, 0, 0, 0);
        this.#relative(velocities, spins, a, b, o);
      }
      this.#rub(bodies, a, b, o, r[o + Row.impulseAlong]!, r[o + Row.impulseAcross]!, now - least);
      r[o + Row.impulseAlong] = this.#nextAlong;
      r[o + Row.impulseAcross] = this.#nextAcross;
      if (this.#hasRolls && row + 1 === this.#starts[group + 1]) this.#rollGroup(group++);
    }
  }

  /** Friction of a row whose relative speed is known: sets what it comes to. @param press what presses */
  #rub(bodies: SolverBodies, a: number, b: number, o: number, f0: number, g0: number, press: number): void {
    const r = this.#rows;
    const [u, v, w] = [this.#u, this.#v, this.#w];
    let f =
      f0 -
      r[o + Row.massAlong]! * (u * r[o + Row.along]! + v * r[o + Row.along + 1]! + w * r[o + Row.along + 2]!);
    let g =
      g0 -
      r[o + Row.massAcross]! *
        (u * r[o + Row.across]! + v * r[o + Row.across + 1]! + w * r[o + Row.across + 2]!);
    const most = r[o + Row.friction]! * press;
    const square = f * f + g * g;
    if (square > most * most) {
      const kept = most / Math.sqrt(square);
      f *= kept;
      g *= kept;
    }
    this.#nextAlong = f;
    this.#nextAcross = g;
    f -= f0;
    g -= g0;
    if (f === 0 && g === 0) return;
    const x = f * r[o + Row.along]! + g * r[o + Row.across]!;
    const y = f * r[o + Row.along + 1]! + g * r[o + Row.across + 1]!;
    const z = f * r[o + Row.along + 2]! + g * r[o + Row.across + 2]!;
    this.#gained += x * u + y * v + z * w + this.#push(bodies, a, b, o, x, y, z) / 2;
    this.#drive(a, b, o, 0, x, y, z);
  }

  #rollGroup(group: number): void {
    const t = this.#rolls;
    const o = ROLL * group;
    if (t[o + Roll.rolling] === 0 && t[o + Roll.torsion] === 0) return;
    const [a, b] = [this.#pairs[2 * this.#starts[group]!]!, this.#pairs[2 * this.#starts[group]! + 1]!];
    const s = this.#bodies.spins;
    let press = 0;
    for (let row = this.#starts[group]!; row < this.#starts[group + 1]!; row++)
      press += this.#rows[ROW * row + Row.impulse]! - this.#rows[ROW * row + Row.least]!;
    const turning = (axis: number) =>
      t[o + axis]! * (s[3 * b]! - s[3 * a]!) +
      t[o + axis + 1]! * (s[3 * b + 1]! - s[3 * a + 1]!) +
      t[o + axis + 2]! * (s[3 * b + 2]! - s[3 * a + 2]!);
    const before = [t[o + Roll.alongTwist]!, t[o + Roll.acrossTwist]!, t[o + Roll.aboutTwist]!] as const;
    const rolling = t[o + Roll.rolling]! * press;
    const torsion = t[o + Roll.torsion]! * press;
    let f = before[0] - t[o + Roll.massAlong]! * turning(Roll.along);
    let g = before[1] - t[o + Roll.massAcross]! * turning(Roll.across);
    const n = before[2] - t[o + Roll.massAbout]! * turning(Roll.normal);
    const size = Math.sqrt(f * f + g * g);
    if (size > rolling) {
      f *= rolling / size;
      g *= rolling / size;
    }
    const about = Math.max(-torsion, Math.min(torsion, n));
    t[o + Roll.alongTwist] = f;
    t[o + Roll.acrossTwist] = g;
    t[o + Roll.aboutTwist] = about;
    this.#twist(group, f - before[0], g - before[1], about - before[2]);
  }

  /** Gives the bodies of a group an angular impulse, and counts what it takes out. */
  #twist(group: number, f: number, g: number, n: number): void {
    const t = this.#rolls;
    const o = ROLL * group;
    const [a, b] = [this.#pairs[2 * this.#starts[group]!]!, this.#pairs[2 * this.#starts[group]! + 1]!];
    const s = this.#bodies.spins;
    const x = f * t[o + Roll.along]! + g * t[o + Roll.across]! + n * t[o]!;
    const y = f * t[o + Roll.along + 1]! + g * t[o + Roll.across + 1]! + n * t[o + 1]!;
    const z = f * t[o + Roll.along + 2]! + g * t[o + Roll.across + 2]! + n * t[o + 2]!;
    const { isDriven } = this.#options.inertia;
    if (isDriven[a] === 1) this.#driven += x * s[3 * a]! + y * s[3 * a + 1]! + z * s[3 * a + 2]!;
    if (isDriven[b] === 1) this.#driven -= x * s[3 * b]! + y * s[3 * b + 1]! + z * s[3 * b + 2]!;
    const turning =
      x * (s[3 * b]! - s[3 * a]!) + y * (s[3 * b + 1]! - s[3 * a + 1]!) + z * (s[3 * b + 2]! - s[3 * a + 2]!);
    const square = this.#bodies.twist(a, -x, -y, -z) + this.#bodies.twist(b, x, y, z);
    this.#gained += turning + square / 2;
  }

  /**
   * Distances of contacts now, to first order in turns: a ball that rolls keeps its distance. Impulses act at the same
   * arm of a body beside a wall, and of two bodies that move halfway between both.
   */
  #place(): void {
    const { ways, turns, inverseMasses } = this.#bodies;
    const r = this.#rows;
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      const a = this.#pairs[2 * row]!;
      const b = this.#pairs[2 * row + 1]!;
      const share = inverseMasses[a] === 0 ? 1 : inverseMasses[b] === 0 ? 0 : 0.5;
      let distance = r[o + Row.found]!;
      for (let k = 0; k < 3; k++) {
        const gap = ways[3 * b + k]! - ways[3 * a + k]!;
        distance +=
          r[o + k]! * (gap + turned(turns, b, r, o + Row.foundB, k) - turned(turns, a, r, o + Row.foundA, k));
        r[o + Row.armA + k] = r[o + Row.foundA + k]! + share * gap;
        r[o + Row.armB + k] = r[o + Row.foundB + k]! - (1 - share) * gap;
      }
      r[o + Row.distance] = distance;
    }
  }

  /**
   * Adds the impulses of a substep to those of the step, and counts what they took out: an impulse times the mean of
   * the speeds before and after. That is half of a speed that it stops, and nothing where bodies rest.
   */
  #total(): void {
    const { state, spins } = this.#bodies;
    const r = this.#rows;
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      const n = r[o + Row.impulse]!;
      const f = r[o + Row.impulseAlong]!;
      const g = r[o + Row.impulseAcross]!;
      const x = f * r[o + Row.along]! + g * r[o + Row.across]!;
      const y = f * r[o + Row.along + 1]! + g * r[o + Row.across + 1]!;
      const z = f * r[o + Row.along + 2]! + g * r[o + Row.across + 2]!;
      r[o + Row.pressed]! += n - r[o + Row.least]!;
      r[o + Row.total]! += n * r[o]! + x;
      r[o + Row.total + 1]! += n * r[o + 1]! + y;
      r[o + Row.total + 2]! += n * r[o + 2]! + z;
      const u = r[o + Row.speed]!;
      const v = r[o + Row.speed + 1]!;
      const w = r[o + Row.speed + 2]!;
      this.#relative(state.velocities, spins, this.#pairs[2 * row]!, this.#pairs[2 * row + 1]!, o);
      const mean = r[o]! * (u + this.#u) + r[o + 1]! * (v + this.#v) + r[o + 2]! * (w + this.#w);
      this.#bounced -= n * (mean / 2 - r[o + Row.belt]!);
      this.#slid -= (x * (u + this.#u) + y * (v + this.#v) + z * (w + this.#w)) / 2;
      r[o + Row.speed] = this.#u;
      r[o + Row.speed + 1] = this.#v;
      r[o + Row.speed + 2] = this.#w;
    }
    if (!this.#hasRolls) return;
    const t = this.#rolls;
    for (let group = 0; this.#starts[group]! < this.#count; group++) {
      const o = ROLL * group;
      const [a, b] = [this.#pairs[2 * this.#starts[group]!]!, this.#pairs[2 * this.#starts[group]! + 1]!];
      for (let k = 0; k < 3; k++) {
        const twist =
          t[o + Roll.alongTwist]! * t[o + Roll.along + k]! +
          t[o + Roll.acrossTwist]! * t[o + Roll.across + k]! +
          t[o + Roll.aboutTwist]! * t[o + k]!;
        const now = spins[3 * b + k]! - spins[3 * a + k]!;
        this.#rolled -= (twist * (now + t[o + Roll.speed + k]!)) / 2;
        t[o + Roll.speed + k] = now;
      }
    }
  }

  /** Gives back the speed that restitution asks for, where bodies pressed on each other. */
  #bounce(): void {
    const { state, spins } = this.#bodies;
    const bodies = this.#bodies;
    const r = this.#rows;
    const rows: number[] = [];
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      if (r[o + Row.bounce]! > 0 && r[o + Row.pressed]! > 0) rows.push(row);
    }
    const impulses = new Float64Array(3 * rows.length);
    for (let pass = 0; pass < BOUNCE_PASSES; pass++) {
      for (const [i, row] of rows.entries()) {
        const o = ROW * row;
        const [a, b] = [this.#pairs[2 * row]!, this.#pairs[2 * row + 1]!];
        this.#relative(state.velocities, spins, a, b, o);
        const opening = this.#along(o);
        const old = impulses[3 * i]!;
        const now = Math.max(0, old + r[o + Row.mass]! * (r[o + Row.bounce]! - opening));
        impulses[3 * i] = now;
        const change = now - old;
        const square = this.#push(bodies, a, b, o, change * r[o]!, change * r[o + 1]!, change * r[o + 2]!);
        this.#gained += change * opening + square / 2;
        this.#bounced -= change * opening + square / 2;
        this.#drive(a, b, o, change, 0, 0, 0);
        this.#relative(state.velocities, spins, a, b, o);
        const [f, g] = [impulses[3 * i + 1]!, impulses[3 * i + 2]!];
        const before = this.#gained;
        this.#rub(bodies, a, b, o, f, g, now);
        this.#slid -= this.#gained - before;
        impulses[3 * i + 1] = this.#nextAlong;
        impulses[3 * i + 2] = this.#nextAcross;
        for (let k = 0; k < 3; k++) {
          r[o + Row.total + k]! +=
            change * r[o + k]! +
            (this.#nextAlong - f) * r[o + Row.along + k]! +
            (this.#nextAcross - g) * r[o + Row.across + k]!;
        }
      }
    }
  }

  /** What is remembered. */
  #end({ chosen, groups, order }: ImpulseContacts, rowOf: Uint32Array, { time }: StepMove): ImpulseHistory {
    const [r, t] = [this.#rows, this.#rolls];
    const impulses = new Float64Array(4 * chosen.count);
    const rolling = new Float64Array(3 * groups.count);
    const forces = new Float64Array(3 * groups.count);
    for (let i = 0; i < chosen.count; i++) {
      const o = ROW * rowOf[i]!;
      const [f, g] = [r[o + Row.impulseAlong]!, r[o + Row.impulseAcross]!];
      impulses[4 * i] = r[o + Row.impulse]!;
      for (let k = 0; k < 3; k++)
        impulses[4 * i + 1 + k] = f * r[o + Row.along + k]! + g * r[o + Row.across + k]!;
    }
    for (let place = 0; place < groups.count; place++) {
      const group = order[place]!;
      const o = ROLL * place;
      for (let k = 0; k < 3; k++) {
        rolling[3 * group + k] =
          t[o + Roll.alongTwist]! * t[o + Roll.along + k]! +
          t[o + Roll.acrossTwist]! * t[o + Roll.across + k]! +
          t[o + Roll.aboutTwist]! * t[o + k]!;
        for (let row = this.#starts[place]!; row < this.#starts[place + 1]!; row++)
          forces[3 * group + k]! += r[ROW * row + Row.total + k]! / time;
      }
    }
    return { contacts: chosen, groups, impulses, rolling, forces };
  }

  /** Adds the mean loads of the step. */
  #load({ loads, time }: StepMove): void {
    const r = this.#rows;
    const { forces, torques } = loads;
    for (let row = 0; row < this.#count; row++) {
      const o = ROW * row;
      for (const [body, arm, sign] of [
        [this.#pairs[2 * row]!, o + Row.armA, -1],
        [this.#pairs[2 * row + 1]!, o + Row.armB, 1],
      ] as const) {
        for (let k = 0; k < 3; k++) {
          const [i, j] = [(k + 1) % 3, (k + 2) % 3];
          forces[3 * body + k]! += (sign * r[o + Row.total + k]!) / time;
          torques[3 * body + k]! +=
            (sign * (r[arm + i]! * r[o + Row.total + j]! - r[arm + j]! * r[o + Row.total + i]!)) / time;
        }
      }
    }
  }

  /** Sets the speed of B beside A at a row. */
  #relative(v: Float64Array, s: Float64Array, a: number, b: number, o: number): void {
    const r = this.#rows;
    const ax = r[o + Row.armA]!;
    const ay = r[o + Row.armA + 1]!;
    const az = r[o + Row.armA + 2]!;
    const bx = r[o + Row.armB]!;
    const by = r[o + Row.armB + 1]!;
    const bz = r[o + Row.armB + 2]!;
    const i = 3 * a;
    const j = 3 * b;
    this.#u = v[j]! - v[i]! + s[j + 1]! * bz - s[j + 2]! * by - (s[i + 1]! * az - s[i + 2]! * ay);
    this.#v = v[j + 1]! - v[i + 1]! + s[j + 2]! * bx - s[j]! * bz - (s[i + 2]! * ax - s[i]! * az);
    this.#w = v[j + 2]! - v[i + 2]! + s[j]! * by - s[j + 1]! * bx - (s[i]! * ay - s[i + 1]! * ax);
  }

  /** Of the speed that `#relative` found, along the normal. */
  #along(o: number): number {
    const r = this.#rows;
    return this.#u * r[o]! + this.#v * r[o + 1]! + this.#w * r[o + 2]! - r[o + Row.belt]!;
  }

  /** Gives B an impulse, and A its opposite. @returns it times the change of the relative speed */
  #push(bodies: SolverBodies, a: number, b: number, o: number, x: number, y: number, z: number): number {
    const r = this.#rows;
    return (
      bodies.push(a, r[o + Row.armA]!, r[o + Row.armA + 1]!, r[o + Row.armA + 2]!, -x, -y, -z) +
      bodies.push(b, r[o + Row.armB]!, r[o + Row.armB + 1]!, r[o + Row.armB + 2]!, x, y, z)
    );
  }

  /** Work of driven bodies: by an impulse n along the normal, which belts do not feel, and x, y, z along the plane. */
  #drive(a: number, b: number, o: number, n: number, x: number, y: number, z: number): void {
    const { isDriven } = this.#options.inertia;
    if (isDriven[a] === 0 && isDriven[b] === 0) return;
    const { state, spins } = this.#bodies;
    const s = this.#options.laws.surfaceVelocities;
    const r = this.#rows;
    for (const [body, arm, sign] of [
      [a, o + Row.armA, 1],
      [b, o + Row.armB, -1],
    ] as const) {
      if (isDriven[body] === 0) continue;
      const v = state.velocities;
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        const at = spins[3 * body + i]! * r[arm + j]! - spins[3 * body + j]! * r[arm + i]!;
        const moving = v[3 * body + k]! + at;
        const own = [x, y, z][k]!;
        this.#driven += sign * (own * moving + n * r[o + k]! * (moving - s[3 * body + k]!));
      }
    }
  }
}

function inverse(radius: number): number {
  return radius > 0 ? 1 / radius : 0;
}

/** Sets two directions square to a unit normal, three and six places after it. */
function setPlane(r: Float64Array, o: number, nx: number, ny: number, nz: number): void {
  const isX = Math.abs(nx) < 0.6;
  // The normal times the first axis, or the second one.
  const x = isX ? 0 : -nz;
  const y = isX ? nz : 0;
  const z = isX ? -ny : nx;
  const length = Math.sqrt(x * x + y * y + z * z);
  r[o + 3] = x / length;
  r[o + 4] = y / length;
  r[o + 5] = z / length;
  r[o + 6] = ny * r[o + 5]! - nz * r[o + 4]!;
  r[o + 7] = nz * r[o + 3]! - nx * r[o + 5]!;
  r[o + 8] = nx * r[o + 4]! - ny * r[o + 3]!;
}

/** A coordinate of what a turn adds to an arm, to first order. */
function turned(turns: Float64Array, body: number, r: Float64Array, arm: number, k: number): number {
  const [i, j] = k === 0 ? [1, 2] : k === 1 ? [2, 0] : [0, 1];
  return turns[3 * body + i!]! * r[arm + j!]! - turns[3 * body + j!]! * r[arm + i!]!;
}

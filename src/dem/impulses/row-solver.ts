/** Contacts as rows that impulses are found for, one after another, and what these do to bodies and energies. */
import { SPARE_ROOM } from '../../contacts/constants.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BOUNCE_FALLS, FASTEST_PUSH, LEFT_OVERLAP } from '../constants.ts';
import type { BodyLaws, ShiftedContacts } from '../forces/body-laws.ts';
import { type ContactGroups, RANGE_WORDS, someOf } from '../forces/groups.ts';
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import type { MovedStep, StepMove } from '../steps/step-response.ts';
import type { ChosenContacts } from './choose-contacts.ts';
import type { ImpulseHistory } from './impulse-history.ts';
import { ROW, Row } from './rows.ts';
import { SolverBodies } from './solver-bodies.ts';

export interface RowSolverOptions {
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

/** Numbers of a pair of bodies, from where on `PairTable.numbers` has them. */
export function numbersOf({ laws }: RowSolverOptions, a: number, b: number): number {
  return PAIR_NUMBERS * (laws.materials[a]! * laws.pairs.count + laws.materials[b]!);
}

/** What a solver makes of a step. */
export interface SolvedStep {
  readonly history: ImpulseHistory;
  readonly moved: MovedStep;
}

export abstract class RowSolver {
  protected readonly options: RowSolverOptions;
  protected readonly bodies: SolverBodies;
  /** Rows in the order in which they are solved, and both bodies of each. */
  protected rows = new Float64Array(0);
  protected pairs = new Uint32Array(0);
  protected count = 0;
  /** `[groups + 1]`: first rows of groups in their order. */
  protected starts = new Uint32Array(0);
  /** What friction of a row comes to. */
  protected nextAlong = 0;
  protected nextAcross = 0;
  /** Speed of B beside A at a row. */
  protected u = 0;
  protected v = 0;
  protected w = 0;
  /** What all impulses and falling have brought in during the step, and of it what driven bodies have. */
  protected gained = 0;
  protected driven = 0;
  /** What impacts, sliding and rolling took out. */
  protected bounced = 0;
  protected slid = 0;
  protected rolled = 0;

  constructor(options: RowSolverOptions) {
    this.options = options;
    this.bodies = new SolverBodies(options.state, options.inertia);
  }

  /** Takes bodies over at the start of a step, and makes rows of all chosen contacts. @returns `[m]`: their rows */
  protected begin(
    { contacts, chosen, groups, order }: ImpulseContacts,
    { time, gravity, statuses }: StepMove,
  ): Uint32Array {
    const count = chosen.count;
    this.bodies.begin(statuses);
    [this.gained, this.driven, this.bounced, this.slid, this.rolled] = [0, 0, 0, 0, 0];
    this.count = count;
    if (this.rows.length < ROW * count) {
      this.rows = new Float64Array(ROW * Math.ceil(SPARE_ROOM * count));
      this.pairs = new Uint32Array(2 * Math.ceil(SPARE_ROOM * count));
    }
    if (this.starts.length < groups.count + 1) this.starts = new Uint32Array(2 * groups.count + 1);
    this.rows.fill(0, 0, ROW * count);
    const rowOf = new Uint32Array(count);
    const slowest = BOUNCE_FALLS * Math.hypot(...gravity) * time;
    let row = 0;
    for (let place = 0; place < groups.count; place++) {
      const g = order[place]!;
      this.starts[place] = row;
      const some = chosen.from[someOf(groups, g)]!;
      const [a, b] = [contacts.bodies[2 * some]!, contacts.bodies[2 * some + 1]!];
      const numbers = numbersOf(this.options, a, b);
      for (let at = RANGE_WORDS * g; at < RANGE_WORDS * (g + 1); at += 2) {
        for (let i = groups.ranges[at]!; i < groups.ranges[at + 1]!; i++) {
          rowOf[i] = row;
          this.row(row++, a, b, contacts, chosen.from[i]!, numbers, slowest, time);
        }
      }
    }
    this.starts[groups.count] = row;
    return rowOf;
  }

  /** `[n]`: 1 for bodies that have rows. */
  protected heldBodies(): Uint8Array {
    const isHeld = new Uint8Array(this.bodies.state.count);
    for (const body of this.pairs.subarray(0, 2 * this.count)) isHeld[body] = 1;
    return isHeld;
  }

  /** What the step did to energies. */
  protected get moved(): MovedStep {
    const { bounced: dashpots, slid: friction, rolled: rolling, driven } = this;
    return { dashpots, friction, rolling, driven, pushed: this.gained + dashpots + friction + rolling };
  }

  protected row(
    row: number,
    a: number,
    b: number,
    contacts: ShiftedContacts,
    i: number,
    numbers: number,
    slowest: number,
    time: number,
  ): void {
    const { laws, state } = this.options;
    const bodies = this.bodies;
    const r = this.rows;
    const o = ROW * row;
    const { points, normals, distances, shifts } = contacts;
    const { positions, velocities } = state;
    const { spins } = bodies;
    this.pairs[2 * row] = a;
    this.pairs[2 * row + 1] = b;
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
    this.weigh(a, b, o);
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
    this.relative(velocities, spins, a, b, o);
    r[o + Row.speed] = this.u;
    r[o + Row.speed + 1] = this.v;
    r[o + Row.speed + 2] = this.w;
    const opening = this.along(o);
    const restitution = laws.pairs.restitutions[numbers / PAIR_NUMBERS]!;
    r[o + Row.restitution] = restitution;
    r[o + Row.bounce] = -opening > slowest ? -opening * restitution : 0;
  }

  /** Sets what a unit of speed takes as an impulse. */
  protected weigh(a: number, b: number, o: number): void {
    const r = this.rows;
    const bodies = this.bodies;
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
  }

  /** Gravity. */
  protected fall(gravity: Vector3, h: number, isHeld: Uint8Array): void {
    const { state, inverseMasses } = this.bodies;
    const v = state.velocities;
    const [x, y, z] = gravity;
    const square = x * x + y * y + z * z;
    for (let body = 0; body < state.count; body++) {
      const inverse = inverseMasses[body]!;
      if (inverse === 0) continue;
      // What it brings in, and below takes out again by the way that bodies fall.
      if (isHeld[body] === 1) {
        const along = x * v[3 * body]! + y * v[3 * body + 1]! + z * v[3 * body + 2]!;
        this.gained += (h * along + (h * h * square) / 2) / inverse;
      }
      v[3 * body]! += h * x;
      v[3 * body + 1]! += h * y;
      v[3 * body + 2]! += h * z;
    }
  }

  /** Moves bodies on. Those that nothing holds fall on a parabola. @returns the energy of held ones in gravity, lost */
  protected drift([x, y, z]: Vector3, h: number, isHeld: Uint8Array, statuses: Uint8Array): number {
    const { state, inverseMasses } = this.bodies;
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
    this.bodies.drift(h, statuses, this.options.laws.surfaceVelocities);
    return gained;
  }

  /** Friction of a row whose relative speed is known: sets what it comes to. @param press what presses */
  protected rub(
    bodies: SolverBodies,
    a: number,
    b: number,
    o: number,
    f0: number,
    g0: number,
    press: number,
  ): void {
    const r = this.rows;
    const [u, v, w] = [this.u, this.v, this.w];
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
    this.nextAlong = f;
    this.nextAcross = g;
    f -= f0;
    g -= g0;
    if (f === 0 && g === 0) return;
    const x = f * r[o + Row.along]! + g * r[o + Row.across]!;
    const y = f * r[o + Row.along + 1]! + g * r[o + Row.across + 1]!;
    const z = f * r[o + Row.along + 2]! + g * r[o + Row.across + 2]!;
    this.gained += x * u + y * v + z * w + this.push(bodies, a, b, o, x, y, z) / 2;
    this.drive(a, b, o, 0, x, y, z);
  }

  /** Adds the mean loads of the step. */
  protected load({ loads, time }: StepMove): void {
    const r = this.rows;
    const { forces, torques } = loads;
    for (let row = 0; row < this.count; row++) {
      const o = ROW * row;
      for (const [body, arm, sign] of [
        [this.pairs[2 * row]!, o + Row.armA, -1],
        [this.pairs[2 * row + 1]!, o + Row.armB, 1],
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

  /**
   * Gives a row an impulse along its normal and the friction that goes with it, and counts what both take out.
   *
   * @param opening its speed before, from `relative`
   * @param change the impulse
   * @param f0 friction before, that of both directions
   * @param press what limits friction
   */
  protected hit(
    a: number,
    b: number,
    o: number,
    opening: number,
    change: number,
    f0: number,
    g0: number,
    press: number,
  ): void {
    const r = this.rows;
    const { state, spins } = this.bodies;
    const square = this.push(this.bodies, a, b, o, change * r[o]!, change * r[o + 1]!, change * r[o + 2]!);
    this.gained += change * opening + square / 2;
    this.bounced -= change * opening + square / 2;
    this.drive(a, b, o, change, 0, 0, 0);
    this.relative(state.velocities, spins, a, b, o);
    const before = this.gained;
    this.rub(this.bodies, a, b, o, f0, g0, press);
    this.slid -= this.gained - before;
    for (let k = 0; k < 3; k++) {
      r[o + Row.total + k]! +=
        change * r[o + k]! +
        (this.nextAlong - f0) * r[o + Row.along + k]! +
        (this.nextAcross - g0) * r[o + Row.across + k]!;
    }
  }

  /** Sets the speed of B beside A at a row. */
  protected relative(v: Float64Array, s: Float64Array, a: number, b: number, o: number): void {
    const r = this.rows;
    const ax = r[o + Row.armA]!;
    const ay = r[o + Row.armA + 1]!;
    const az = r[o + Row.armA + 2]!;
    const bx = r[o + Row.armB]!;
    const by = r[o + Row.armB + 1]!;
    const bz = r[o + Row.armB + 2]!;
    const i = 3 * a;
    const j = 3 * b;
    this.u = v[j]! - v[i]! + s[j + 1]! * bz - s[j + 2]! * by - (s[i + 1]! * az - s[i + 2]! * ay);
    this.v = v[j + 1]! - v[i + 1]! + s[j + 2]! * bx - s[j]! * bz - (s[i + 2]! * ax - s[i]! * az);
    this.w = v[j + 2]! - v[i + 2]! + s[j]! * by - s[j + 1]! * bx - (s[i]! * ay - s[i + 1]! * ax);
  }

  /** Of the speed that `relative` found, along the normal. */
  protected along(o: number): number {
    const r = this.rows;
    return this.u * r[o]! + this.v * r[o + 1]! + this.w * r[o + 2]! - r[o + Row.belt]!;
  }

  /** Gives B an impulse, and A its opposite. @returns it times the change of the relative speed */
  protected push(
    bodies: SolverBodies,
    a: number,
    b: number,
    o: number,
    x: number,
    y: number,
    z: number,
  ): number {
    const r = this.rows;
    return (
      bodies.push(a, r[o + Row.armA]!, r[o + Row.armA + 1]!, r[o + Row.armA + 2]!, -x, -y, -z) +
      bodies.push(b, r[o + Row.armB]!, r[o + Row.armB + 1]!, r[o + Row.armB + 2]!, x, y, z)
    );
  }

  /** Work of driven bodies: by an impulse n along the normal, which belts do not feel, and x, y, z along the plane. */
  protected drive(a: number, b: number, o: number, n: number, x: number, y: number, z: number): void {
    const { isDriven } = this.options.inertia;
    if (isDriven[a] === 0 && isDriven[b] === 0) return;
    const { state, spins } = this.bodies;
    const s = this.options.laws.surfaceVelocities;
    const r = this.rows;
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
        this.driven += sign * (own * moving + n * r[o + k]! * (moving - s[3 * body + k]!));
      }
    }
  }

  /** What is remembered; of rolling nothing. */
  protected end(
    { chosen, groups, order }: ImpulseContacts,
    rowOf: Uint32Array,
    { time }: StepMove,
  ): ImpulseHistory {
    const r = this.rows;
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
      for (let row = this.starts[place]!; row < this.starts[place + 1]!; row++)
        for (let k = 0; k < 3; k++) forces[3 * group + k]! += r[ROW * row + Row.total + k]! / time;
    }
    return { contacts: chosen, groups, impulses, rolling, forces };
  }
}

/** Sets two directions square to a unit normal, three and six places after it. */
export function setPlane(r: Float64Array, o: number, nx: number, ny: number, nz: number): void {
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

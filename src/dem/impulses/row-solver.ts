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

/** Sums of a step of the solver. */
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
  /** Speed of B beside A at a row, and how fast both come apart along the normal: what `relative` finds. */
  protected u = 0;
  protected v = 0;
  protected w = 0;
  protected opening = 0;
  /** For `give`: an impulse along the normal, friction of before, and the most that friction may be. */
  protected change = 0;
  protected lastAlong = 0;
  protected lastAcross = 0;
  protected mostFriction = 0;
  /** Friction of the row: `give` finds it. */
  protected nextAlong = 0;
  protected nextAcross = 0;
  /** Energy that all impulses and falling have brought in during the step, and the part of driven bodies. */
  protected gained = 0;
  protected driven = 0;
  /** Energy that impacts, sliding and rolling took out. */
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

  /** Changes of energies by the step. */
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
    const r = this.rows;
    const o = ROW * row;
    const { points, normals, distances, shifts } = contacts;
    const { positions } = state;
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
    this.weigh(row);
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
    this.relative(row);
    r[o + Row.speed] = this.u;
    r[o + Row.speed + 1] = this.v;
    r[o + Row.speed + 2] = this.w;
    const { opening } = this;
    const restitution = laws.pairs.restitutions[numbers / PAIR_NUMBERS]!;
    r[o + Row.restitution] = restitution;
    r[o + Row.bounce] = -opening > slowest ? -opening * restitution : 0;
  }

  /** Sets what a unit of speed takes as an impulse. */
  protected weigh(row: number): void {
    this.soften(row);
    const o = ROW * row;
    for (let axis = 0; axis < 3; axis++)
      this.rows[o + Row.mass + axis] = 1 / this.#softnessAlong(row, o + Row.normal + 3 * axis);
  }

  /** Change of the speed along the unit vector at `n` that a unit impulse along it makes. */
  #softnessAlong(row: number, n: number): number {
    const r = this.rows;
    const k = ROW * row + Row.softness;
    const x = r[n]!;
    const y = r[n + 1]!;
    const z = r[n + 2]!;
    return (
      x * (r[k]! * x + 2 * (r[k + 1]! * y + r[k + 2]! * z)) +
      y * (r[k + 3]! * y + 2 * r[k + 4]! * z) +
      z * r[k + 5]! * z
    );
  }

  /** Sets `softness`: of a body (1 / m) - [r] I^-1 [r], with the matrix [r] that multiplies by its arm. */
  protected soften(row: number): void {
    const { rows: r, pairs } = this;
    const { inverseMasses, inverses: i } = this.bodies;
    // Sums in numbers, not in the row: this is done for each contact in each substep.
    let sxx = 0;
    let sxy = 0;
    let sxz = 0;
    let syy = 0;
    let syz = 0;
    let szz = 0;
    for (let side = 0; side < 2; side++) {
      const body = pairs[2 * row + side]!;
      const inverse = inverseMasses[body]!;
      if (inverse === 0) continue;
      const arm = ROW * row + Row.armA + 3 * side;
      const x = r[arm]!;
      const y = r[arm + 1]!;
      const z = r[arm + 2]!;
      const at = 6 * body;
      const xx = i[at]!;
      const xy = i[at + 1]!;
      const xz = i[at + 2]!;
      const yy = i[at + 3]!;
      const yz = i[at + 4]!;
      const zz = i[at + 5]!;
      // I^-1 (r x e) for the axes e of y and z, and what of it of x is needed.
      const x1 = yy * z - yz * y;
      const x2 = yz * z - zz * y;
      const y0 = xz * x - xx * z;
      const y1 = yz * x - xy * z;
      const y2 = zz * x - xz * z;
      const z0 = xx * y - xy * x;
      const z1 = xy * y - yy * x;
      const z2 = xz * y - yz * x;
      sxx += inverse + z * x1 - y * x2;
      sxy += z * y1 - y * y2;
      sxz += z * z1 - y * z2;
      syy += inverse + x * y2 - z * y0;
      syz += x * z2 - z * z0;
      szz += inverse + y * z0 - x * z1;
    }
    const k = ROW * row + Row.softness;
    r[k] = sxx;
    r[k + 1] = sxy;
    r[k + 2] = sxz;
    r[k + 3] = syy;
    r[k + 4] = syz;
    r[k + 5] = szz;
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

  /** Adds the mean loads of the step. */
  protected load({ loads, time }: StepMove): void {
    const r = this.rows;
    const { forces, torques } = loads;
    for (let row = 0; row < this.count; row++) {
      const total = ROW * row + Row.total;
      const x = r[total]! / time;
      const y = r[total + 1]! / time;
      const z = r[total + 2]! / time;
      for (let side = 0; side < 2; side++) {
        const to = 3 * this.pairs[2 * row + side]!;
        const arm = ROW * row + Row.armA + 3 * side;
        const sign = 2 * side - 1;
        forces[to]! += sign * x;
        forces[to + 1]! += sign * y;
        forces[to + 2]! += sign * z;
        torques[to]! += sign * (r[arm + 1]! * z - r[arm + 2]! * y);
        torques[to + 1]! += sign * (r[arm + 2]! * x - r[arm]! * z);
        torques[to + 2]! += sign * (r[arm]! * y - r[arm + 1]! * x);
      }
    }
  }

  /**
   * Gives a row, whose speed `relative` has found, the impulse `change` along its normal and the friction that goes
   * with it, and counts what both take out.
   */
  protected hit(row: number): void {
    const { rows: r, change, lastAlong, lastAcross } = this;
    const o = ROW * row;
    const before = this.gained;
    this.give(row, false);
    const along = change * this.opening + (change * change * this.#softnessAlong(row, o)) / 2;
    this.bounced -= along;
    this.slid -= this.gained - before - along;
    const [f, g] = [this.nextAlong - lastAlong, this.nextAcross - lastAcross];
    for (let k = 0; k < 3; k++)
      r[o + Row.total + k]! += change * r[o + k]! + f * r[o + Row.along + k]! + g * r[o + Row.across + k]!;
  }

  /** Sets the speed of B beside A at a row. */
  protected relative(row: number): void {
    const { rows: r, pairs } = this;
    const { velocities: v } = this.bodies.state;
    const { spins: s } = this.bodies;
    const o = ROW * row;
    const i = 3 * pairs[2 * row]!;
    const j = 3 * pairs[2 * row + 1]!;
    const ax = r[o + Row.armA]!;
    const ay = r[o + Row.armA + 1]!;
    const az = r[o + Row.armA + 2]!;
    const bx = r[o + Row.armB]!;
    const by = r[o + Row.armB + 1]!;
    const bz = r[o + Row.armB + 2]!;
    const x = v[j]! - v[i]! + s[j + 1]! * bz - s[j + 2]! * by - (s[i + 1]! * az - s[i + 2]! * ay);
    const y = v[j + 1]! - v[i + 1]! + s[j + 2]! * bx - s[j]! * bz - (s[i + 2]! * ax - s[i]! * az);
    const z = v[j + 2]! - v[i + 2]! + s[j]! * by - s[j + 1]! * bx - (s[i]! * ay - s[i + 1]! * ax);
    this.u = x;
    this.v = y;
    this.w = z;
    this.opening = x * r[o]! + y * r[o + 1]! + z * r[o + 2]! - r[o + Row.belt]!;
  }

  /**
   * Gives B the impulse `change` along the normal of a row with its friction, and A its opposite. `relative` has found
   * the row's speed. Its numbers are fields, as a call would make an object of each.
   *
   * @param isFriction whether friction is what was found last: all of it is given
   */
  protected give(row: number, isFriction: boolean): void {
    const { rows: r, pairs, change, u, v, w } = this;
    const o = ROW * row;
    const k = o + Row.softness;
    const xx = r[k]!;
    const xy = r[k + 1]!;
    const xz = r[k + 2]!;
    const yy = r[k + 3]!;
    const yz = r[k + 4]!;
    const zz = r[k + 5]!;
    const fx = r[o + Row.along]!;
    const fy = r[o + Row.along + 1]!;
    const fz = r[o + Row.along + 2]!;
    const gx = r[o + Row.across]!;
    const gy = r[o + Row.across + 1]!;
    const gz = r[o + Row.across + 2]!;
    let x = change * r[o]!;
    let y = change * r[o + 1]!;
    let z = change * r[o + 2]!;
    let f = this.lastAlong;
    let g = this.lastAcross;
    if (!isFriction) {
      const su = u + xx * x + xy * y + xz * z;
      const sv = v + xy * x + yy * y + yz * z;
      const sw = w + xz * x + yz * y + zz * z;
      const most = this.mostFriction;
      let nextAlong = f - r[o + Row.massAlong]! * (su * fx + sv * fy + sw * fz);
      let nextAcross = g - r[o + Row.massAcross]! * (su * gx + sv * gy + sw * gz);
      const square = nextAlong * nextAlong + nextAcross * nextAcross;
      if (square > most * most) {
        const kept = most / Math.sqrt(square);
        nextAlong *= kept;
        nextAcross *= kept;
      }
      this.nextAlong = nextAlong;
      this.nextAcross = nextAcross;
      f = nextAlong - f;
      g = nextAcross - g;
    }
    if (change === 0 && f === 0 && g === 0) return;
    x += f * fx + g * gx;
    y += f * fy + g * gy;
    z += f * fz + g * gz;
    const square = x * (xx * x + 2 * (xy * y + xz * z)) + y * (yy * y + 2 * yz * z) + zz * z * z;
    this.gained += x * u + y * v + z * w + square / 2 - change * r[o + Row.belt]!;
    const { inverseMasses, inverses, spins, state } = this.bodies;
    const { velocities, momenta } = state;
    const { isDriven } = this.options.inertia;
    for (let side = 0; side < 2; side++) {
      const body = pairs[2 * row + side]!;
      const inverse = inverseMasses[body]!;
      if (inverse === 0) {
        if (isDriven[body] === 1) this.drive(row, side, change, x, y, z);
        continue;
      }
      const sign = 2 * side - 1;
      const px = sign * x;
      const py = sign * y;
      const pz = sign * z;
      const arm = o + Row.armA + 3 * side;
      const rx = r[arm]!;
      const ry = r[arm + 1]!;
      const rz = r[arm + 2]!;
      const tx = ry * pz - rz * py;
      const ty = rz * px - rx * pz;
      const tz = rx * py - ry * px;
      const to = 3 * body;
      const i = 6 * body;
      velocities[to]! += inverse * px;
      velocities[to + 1]! += inverse * py;
      velocities[to + 2]! += inverse * pz;
      momenta[to]! += tx;
      momenta[to + 1]! += ty;
      momenta[to + 2]! += tz;
      spins[to]! += inverses[i]! * tx + inverses[i + 1]! * ty + inverses[i + 2]! * tz;
      spins[to + 1]! += inverses[i + 1]! * tx + inverses[i + 3]! * ty + inverses[i + 4]! * tz;
      spins[to + 2]! += inverses[i + 2]! * tx + inverses[i + 4]! * ty + inverses[i + 5]! * tz;
    }
  }

  /** Work of a driven body against an impulse on B, of which belts do not feel what is along the normal. */
  protected drive(row: number, side: number, along: number, x: number, y: number, z: number): void {
    const { rows: r } = this;
    const { spins: s, state } = this.bodies;
    const belts = this.options.laws.surfaceVelocities;
    const body = this.pairs[2 * row + side]!;
    const o = ROW * row;
    const arm = o + Row.armA + 3 * side;
    const own = [x, y, z];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const turning = s[3 * body + i]! * r[arm + j]! - s[3 * body + j]! * r[arm + i]!;
      const belt = along * r[o + k]! * belts[3 * body + k]!;
      this.driven += (1 - 2 * side) * (own[k]! * (state.velocities[3 * body + k]! + turning) - belt);
    }
  }

  /** What is remembered; of rolling nothing. @param h length of the substep that rows have the impulses of */
  protected end(
    { chosen, groups, order }: ImpulseContacts,
    rowOf: Uint32Array,
    { time }: StepMove,
    h: number,
  ): ImpulseHistory {
    const r = this.rows;
    const rowForces = new Float64Array(4 * chosen.count);
    const rolling = new Float64Array(3 * groups.count);
    const forces = new Float64Array(3 * groups.count);
    for (let i = 0; i < chosen.count; i++) {
      const o = ROW * rowOf[i]!;
      const [f, g] = [r[o + Row.impulseAlong]! / h, r[o + Row.impulseAcross]! / h];
      rowForces[4 * i] = r[o + Row.impulse]! / h;
      for (let k = 0; k < 3; k++)
        rowForces[4 * i + 1 + k] = f * r[o + Row.along + k]! + g * r[o + Row.across + k]!;
    }
    for (let place = 0; place < groups.count; place++) {
      const group = order[place]!;
      for (let row = this.starts[place]!; row < this.starts[place + 1]!; row++)
        for (let k = 0; k < 3; k++) forces[3 * group + k]! += r[ROW * row + Row.total + k]! / time;
    }
    return { contacts: chosen, groups, rowForces, rolling, forces };
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

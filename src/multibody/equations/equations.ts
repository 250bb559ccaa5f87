/**
 * The equations of a mechanism as a DAE of index 1: Neumayr and Otter (2019), (3), (6), (7), (10) and (11), with G^T as
 * the block of the stabilising multipliers.
 *
 *     y = q, v, lambda_int, mu_int
 *     0 = rates of q - v + G^T mu_int',  |quaternion|^2 - 1,  M v' + G^T lambda_int' - h,  g,  G v + g'
 */
import type { Matrix } from 'ml-matrix';
import { told } from '../../arguments.ts';
import type { DaeState, DaeSystem } from '../../dae/dae-system.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { BodyForce, BodyState } from '../scene/multibody-scene.ts';
import { cross, dot } from '../vectors.ts';
import type { Ends } from './joint-frames.ts';
import type { DriveMotion, JointLoad, Mechanism, MechanismRow } from './mechanism.ts';
import type { FrameTree } from './tree.ts';

/** Power that is lost in dampings, friction and rolling, and that drives and forces give. */
export interface Powers {
  lost: number;
  given: number;
  slipped: number;
  rolled: number;
}

/** Forces beside those of joints and elements, and what they depend on. */
export interface OtherLoads {
  /** Pairs of frames that have forces between them; -1 is the world. */
  joins(): Iterable<readonly [number, number]>;
  /** Adds to the sums of the tree's forces where they are applied, and their powers, where frames are. */
  apply(powers: Powers, isApplied: boolean): void;
  /** Energy, where frames are. */
  elastic(): number;
  /** The one that began last, as messages name it: steps get short where it is. */
  readonly latest: string | undefined;
}

export class Equations implements DaeSystem {
  readonly count: number;
  readonly absoluteTolerances: Float64Array;
  readonly sizes: Float64Array;
  readonly isTested: Uint8Array;
  readonly isConstraint: Uint8Array;
  rowsOf: readonly Uint32Array[];
  /** Contacts: `join` has to be called where they begin or end. */
  others: OtherLoads | undefined;
  readonly known: NonNullable<DaeSystem['known']>;
  readonly quadratures: NonNullable<DaeSystem['quadratures']>;
  readonly mechanism: Mechanism;
  /** Closure rows that are held. */
  readonly rows: readonly MechanismRow[];
  /** Where parts of the unknowns begin. */
  readonly at: { readonly v: number; readonly lambda: number; readonly mu: number };
  /** When the present stretch between two breaks of drives began. */
  since = 0;
  /** Of each load of a joint that closes a loop by turns: its angle at the last step, whole turns counted. */
  readonly #turned: Float64Array;
  readonly #powers: Powers = { lost: 0, given: 0, slipped: 0, rolled: 0 };
  // Room for one evaluation.
  readonly #own: Float64Array;
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);
  readonly #c = new Float64Array(3);
  readonly #d = new Float64Array(3);
  readonly #e = new Float64Array(3);

  constructor(mechanism: Mechanism, rows: readonly MechanismRow[], tolerance: number) {
    this.mechanism = mechanism;
    this.rows = rows;
    const { tree, rateSizes } = mechanism;
    const [nq, nv, m] = [tree.coordinates, tree.rates, rows.length];
    this.count = nq + nv + 2 * m;
    this.at = { v: nq, lambda: nq + nv, mu: nq + nv + m };
    this.sizes = new Float64Array(this.count).fill(1);
    const balls = new Set(tree.balls);
    for (let i = 0; i < tree.count; i++) {
      const [c, r] = [tree.coordinateOf[i]!, tree.rateOf[i]!];
      if (balls.has(i)) continue;
      const next = i + 1 < tree.count ? tree.rateOf[i + 1]! : nv;
      for (let k = 0; r + k < next; k++) this.sizes[c + k] = rateSizes[r + k]!;
    }
    this.sizes.set(rateSizes, nq);
    this.absoluteTolerances = this.sizes.map((size) => tolerance * size);
    this.isTested = Uint8Array.from({ length: this.count }, (_, i) => (i < nq + nv ? 1 : 0));
    // Rows stand in the order: kinematics, norms, forces, closures, their rates.
    const firstForce = nv + tree.balls.length;
    this.isConstraint = Uint8Array.from({ length: this.count }, (_, i) =>
      (i >= nv && i < firstForce) || i >= firstForce + nv ? 1 : 0,
    );
    this.rowsOf = this.#patterns();
    this.known = {
      isKnown: Uint8Array.from({ length: this.count }, (_, j) => (j >= this.at.lambda ? 1 : 0)),
      write: (state, factor, matrix) => this.#writeMultipliers(state, factor, matrix),
    };
    this.quadratures = {
      count: 4,
      rates: (state, out) => {
        this.#forward(state);
        this.#applyLoads(state, false);
        out[0] = this.#powers.lost;
        out[1] = this.#powers.given + this.#powerOfDrives(state);
        out[2] = this.#powers.slipped;
        out[3] = this.#powers.rolled;
      },
    };
    this.#own = new Float64Array(nv);
    this.#turned = new Float64Array(mechanism.jointLoads.length);
  }

  nameOf(unknown: number): string {
    const latest = this.others?.latest;
    const name = this.#ownName(unknown);
    return latest === undefined ? name : `${name} during ${latest}`;
  }

  #ownName(unknown: number): string {
    const { coordinates, rates } = this.mechanism;
    if (unknown < this.at.v) return coordinates.find(({ index }) => index === unknown)!.name;
    if (unknown < this.at.lambda)
      return `the rate of ${rates.find(({ index }) => index === unknown - this.at.v)!.name}`;
    return `the force of ${this.rows[(unknown - this.at.lambda) % this.rows.length]!.name}`;
  }

  residual(state: DaeState, out: Float64Array): void {
    const { tree } = this.mechanism;
    const { y, rates } = state;
    const nv = tree.rates;
    const m = this.rows.length;
    const firstForce = nv + tree.balls.length;
    out.fill(0);
    tree.ratesOf(y, rates, out);
    for (let i = 0; i < nv; i++) out[i]! -= y[this.at.v + i]!;
    for (let k = 0; k < tree.balls.length; k++) {
      const c = tree.coordinateOf[tree.balls[k]!]!;
      out[nv + k] = y[c]! ** 2 + y[c + 1]! ** 2 + y[c + 2]! ** 2 + y[c + 3]! ** 2 - 1;
    }
    tree.forward(y, rates);
    tree.clear();
    tree.addInertia();
    this.#applyLoads(state, true);
    for (let i = 0; i < nv; i++) out[firstForce + i]! -= this.#own[i]!;
    if (m === 0) {
      tree.backward(out, firstForce);
      return;
    }
    const firstClosure = firstForce + nv;
    this.#own.fill(0);
    for (let k = 0; k < m; k++) {
      this.#applyRow(this.rows[k]!, rates[this.at.lambda + k]!);
      this.#closure(this.rows[k]!, state, firstClosure + k, firstClosure + m + k, out);
    }
    for (let i = 0; i < nv; i++) out[firstForce + i]! += this.#own[i]!;
    tree.backward(out, firstForce);
    this.#own.fill(0);
    tree.clear();
    for (let k = 0; k < m; k++) this.#applyRow(this.rows[k]!, rates[this.at.mu + k]!);
    for (let i = 0; i < nv; i++) out[i]! += this.#own[i]!;
    tree.backward(out, 0);
  }

  /** What rows are off by, and their rates, for coordinates and rates of the tree. */
  closures(state: DaeState): { readonly gaps: Float64Array; readonly rates: Float64Array } {
    this.#forward(state);
    const m = this.rows.length;
    const out = new Float64Array(2 * m);
    for (let k = 0; k < m; k++) this.#closure(this.rows[k]!, state, k, m + k, out);
    return { gaps: out.subarray(0, m), rates: out.subarray(m) };
  }

  /** G^T where `forward` has placed the frames: a row of `[rates]` for each closure row. */
  gradients(): Float64Array[] {
    const { tree } = this.mechanism;
    return this.rows.map((row) => {
      tree.clear();
      this.#own.fill(0);
      this.#applyRow(row, 1);
      const out = this.#own.slice();
      tree.backward(out);
      return out;
    });
  }

  /** Power of the multipliers of drives: they are the drives' torques, but for the sign. */
  #powerOfDrives({ time, rates }: DaeState): number {
    let power = 0;
    this.rows.forEach((row, k) => {
      if (row.kind === 'drive')
        power -= rates[this.at.lambda + k]! * driveAt(row.motion, time, this.since).rate;
    });
    return power;
  }

  /** Counts whole turns of joints that close loops and have drives, up to a state that a step has come to. */
  follow(state: DaeState): void {
    const { jointLoads } = this.mechanism;
    if (!jointLoads.some(({ loop, drive }) => loop && typeof drive === 'function')) return;
    this.#forward(state);
    jointLoads.forEach(({ loop, drive }, i) => {
      if (loop && !loop.isSlide && typeof drive === 'function') this.#turned[i] = this.#angleOf(loop, i);
    });
  }

  /** The angle of a loop's joint, within half a turn of the last step's. */
  #angleOf({ frameA, frameB, axis, armA, armB }: NonNullable<JointLoad['loop']>, load: number): number {
    const { tree } = this.mechanism;
    const about = tree.direction(frameA, axis, this.#a);
    const [a, b] = [tree.direction(frameA, armA, this.#c), tree.direction(frameB, armB, this.#d)];
    const angle = Math.atan2(dot(about, cross(a, b)), dot(a, b));
    return angle + 2 * Math.PI * Math.round((this.#turned[load]! - angle) / (2 * Math.PI));
  }

  #forward({ y }: DaeState): void {
    this.mechanism.tree.forward(y);
  }

  #writeMultipliers(state: DaeState, factor: number, matrix: Matrix): void {
    const { tree } = this.mechanism;
    this.#forward(state);
    const firstForce = tree.rates + tree.balls.length;
    this.gradients().forEach((gradient, k) => {
      gradient.forEach((x, i) => {
        matrix.set(firstForce + i, this.at.lambda + k, factor * x);
        matrix.set(i, this.at.mu + k, factor * x);
      });
    });
  }

  /** Forces of springs, dampings, drives and users. Those along a freedom alone go to `own`, others to the frames. */
  #applyLoads(state: DaeState, isApplied: boolean): void {
    const { tree, springs, loads, jointLoads } = this.mechanism;
    const { time, y } = state;
    const powers = this.#powers;
    powers.lost = 0;
    powers.given = 0;
    powers.slipped = 0;
    powers.rolled = 0;
    this.#own.fill(0);
    this.others?.apply(powers, isApplied);
    for (const spring of springs) {
      const { length, rate, along, pointA, pointB } = this.#stretch(spring);
      const damped = spring.damping * rate;
      powers.lost += damped * rate;
      if (!isApplied) continue;
      const force = spring.stiffness * (length - spring.length) + damped;
      const [x, y2, z] = [along[0]! * force, along[1]! * force, along[2]! * force];
      // Sums have the sign of inertia: what pulls stands on the other side.
      tree.addForce(spring.frameB, pointB[0]!, pointB[1]!, pointB[2]!, x, y2, z);
      tree.addForce(spring.frameA, pointA[0]!, pointA[1]!, pointA[2]!, -x, -y2, -z);
    }
    for (const { frame, point, force, torque, place } of loads) {
      const at = tree.point(frame, point, this.#a);
      const velocity = tree.velocityAt(frame, at, this.#b);
      const spin = frame < 0 ? this.#c.fill(0) : tree.spins.subarray(3 * frame, 3 * frame + 3);
      const body = { position: at, velocity, angularVelocity: spin };
      const [fx, fy, fz] = vectorOf(force, time, body, `${place}.force`);
      const [tx, ty, tz] = vectorOf(torque, time, body, `${place}.torque`);
      powers.given += fx * velocity[0]! + fy * velocity[1]! + fz * velocity[2]!;
      powers.given += tx * spin[0]! + ty * spin[1]! + tz * spin[2]!;
      if (!isApplied) continue;
      tree.addForce(frame, at[0]!, at[1]!, at[2]!, -fx, -fy, -fz);
      tree.addTorque(frame, -tx, -ty, -tz);
    }
    for (let i = 0; i < jointLoads.length; i++) {
      const load = jointLoads[i]!;
      if (load.loop !== undefined) {
        this.#applyLoopLoad(load, load.loop, i, time, isApplied);
        continue;
      }
      for (const rate of load.rates) {
        const speed = y[this.at.v + rate]!;
        this.#own[rate]! -= load.damping * speed;
        powers.lost += load.damping * speed * speed;
      }
      const [rate] = load.rates as [number];
      const speed = y[this.at.v + rate]!;
      const torque = driveOf(load, time, y[load.coordinate]!, speed);
      this.#own[rate]! += torque;
      powers.given += torque * speed;
    }
  }

  #applyLoopLoad(
    load: JointLoad,
    loop: NonNullable<JointLoad['loop']>,
    number: number,
    time: number,
    isApplied: boolean,
  ): void {
    const { tree } = this.mechanism;
    const { frameA, frameB } = loop;
    const powers = this.#powers;
    const spinOf = (frame: number, k: number) => (frame < 0 ? 0 : tree.spins[3 * frame + k]!);
    const turn = [0, 1, 2].map((k) => spinOf(frameB, k) - spinOf(frameA, k)) as [number, number, number];
    if (loop.isBall) {
      const c = load.damping;
      powers.lost += c * (turn[0] ** 2 + turn[1] ** 2 + turn[2] ** 2);
      if (isApplied) {
        tree.addTorque(frameB, c * turn[0], c * turn[1], c * turn[2]);
        tree.addTorque(frameA, -c * turn[0], -c * turn[1], -c * turn[2]);
      }
      // A cylindrical joint slides as well.
      if (!loop.isSlide) return;
    }
    const axis = tree.direction(frameA, loop.axis, this.#a);
    let [coordinate, speed] = [0, 0];
    const onB = tree.point(frameB, loop.pointB, this.#b);
    if (loop.isSlide) {
      const onA = tree.point(frameA, loop.pointA, this.#c);
      coordinate = dot(axis, onB) - dot(axis, onA);
      speed =
        dot(axis, tree.velocityAt(frameB, onB, this.#d)) - dot(axis, tree.velocityAt(frameA, onB, this.#e));
    } else {
      coordinate = this.#angleOf(loop, number);
      speed = dot(axis, turn);
    }
    const drive = driveOf(load, time, coordinate, speed);
    powers.given += drive * speed;
    powers.lost += load.damping * speed * speed;
    if (!isApplied) return;
    const total = load.damping * speed - drive;
    const [x, y, z] = [total * axis[0]!, total * axis[1]!, total * axis[2]!];
    if (loop.isSlide) {
      tree.addForce(frameB, onB[0]!, onB[1]!, onB[2]!, x, y, z);
      tree.addForce(frameA, onB[0]!, onB[1]!, onB[2]!, -x, -y, -z);
    } else {
      tree.addTorque(frameB, x, y, z);
      tree.addTorque(frameA, -x, -y, -z);
    }
  }

  /** Length of a spring and its rate, the unit vector from a to b, where frames are. */
  #stretch({ frameA, frameB, pointA, pointB }: Ends) {
    const { tree } = this.mechanism;
    const a = tree.point(frameA, pointA, this.#a);
    const b = tree.point(frameB, pointB, this.#b);
    const along = this.#c;
    for (let k = 0; k < 3; k++) along[k] = b[k]! - a[k]!;
    const length = Math.hypot(along[0]!, along[1]!, along[2]!);
    // A spring without length has no direction, and no force of it either.
    for (let k = 0; k < 3; k++) along[k]! /= length || 1;
    const va = tree.velocityAt(frameA, a, this.#d);
    let rate = -(along[0]! * va[0]! + along[1]! * va[1]! + along[2]! * va[2]!);
    const vb = tree.velocityAt(frameB, b, this.#d);
    rate += along[0]! * vb[0]! + along[1]! * vb[1]! + along[2]! * vb[2]!;
    return { length, rate, along, pointA: a, pointB: b };
  }

  /** Energy of springs, where frames are. */
  elastic(): number {
    const others = this.others?.elastic() ?? 0;
    return this.mechanism.springs.reduce((sum, spring) => {
      const { length } = this.#stretch(spring);
      return sum + (spring.stiffness * (length - spring.length) ** 2) / 2;
    }, others);
  }

  /** Takes in which frames contacts connect now. */
  join(): void {
    this.rowsOf = this.#patterns();
  }

  /** Adds what a row's multiplier does: G^T times it. */
  #applyRow(row: MechanismRow, value: number): void {
    if (row.kind === 'drive') {
      this.#own[row.rate]! += value;
      return;
    }
    const { tree } = this.mechanism;
    const { frameA, frameB } = row;
    if (row.kind === 'place') {
      const e = tree.direction(frameA, row.along, this.#a);
      const p = tree.point(frameB, row.pointB, this.#b);
      const [x, y, z] = [value * e[0]!, value * e[1]!, value * e[2]!];
      tree.addForce(frameB, p[0]!, p[1]!, p[2]!, x, y, z);
      tree.addForce(frameA, p[0]!, p[1]!, p[2]!, -x, -y, -z);
      return;
    }
    const u = tree.direction(frameA, row.ofA, this.#a);
    const w = tree.direction(frameB, row.ofB, this.#b);
    const x = value * (w[1]! * u[2]! - w[2]! * u[1]!);
    const y = value * (w[2]! * u[0]! - w[0]! * u[2]!);
    const z = value * (w[0]! * u[1]! - w[1]! * u[0]!);
    tree.addTorque(frameB, x, y, z);
    tree.addTorque(frameA, -x, -y, -z);
  }

  /** Writes g and G v + g' of a row. */
  #closure(row: MechanismRow, { time, y }: DaeState, gap: number, rate: number, out: Float64Array): void {
    if (row.kind === 'drive') {
      const motion = driveAt(row.motion, time, this.since);
      out[gap] = y[row.coordinate]! - motion.coordinate;
      out[rate] = y[this.at.v + row.rate]! - motion.rate;
      return;
    }
    const { tree } = this.mechanism;
    const { frameA, frameB } = row;
    if (row.kind === 'place') {
      const e = tree.direction(frameA, row.along, this.#a);
      const b = tree.point(frameB, row.pointB, this.#b);
      const a = tree.point(frameA, row.pointA, this.#c);
      out[gap] = e[0]! * (b[0]! - a[0]!) + e[1]! * (b[1]! - a[1]!) + e[2]! * (b[2]! - a[2]!);
      const vb = tree.velocityAt(frameB, b, this.#c);
      const va = tree.velocityAt(frameA, b, this.#d);
      out[rate] = e[0]! * (vb[0]! - va[0]!) + e[1]! * (vb[1]! - va[1]!) + e[2]! * (vb[2]! - va[2]!);
      return;
    }
    const u = tree.direction(frameA, row.ofA, this.#a);
    const w = tree.direction(frameB, row.ofB, this.#b);
    out[gap] = u[0]! * w[0]! + u[1]! * w[1]! + u[2]! * w[2]! - row.product;
    let speed = 0;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const across = w[i]! * u[j]! - w[j]! * u[i]!;
      const b = frameB < 0 ? 0 : tree.spins[3 * frameB + k]!;
      const a = frameA < 0 ? 0 : tree.spins[3 * frameA + k]!;
      speed += (b - a) * across;
    }
    out[rate] = speed;
  }

  /** Rows of each unknown: those of its own tree below the world, and of what loops and springs connect with it. */
  #patterns(): Uint32Array[] {
    const { tree, springs, jointLoads } = this.mechanism;
    const [nq, nv, m] = [tree.coordinates, tree.rates, this.rows.length];
    const root = treesOf(tree);
    const join = (a: number, b: number) => {
      if (a < 0 || b < 0) return;
      const [x, y] = [root[a]!, root[b]!];
      if (x !== y) for (let i = 0; i < root.length; i++) if (root[i] === y) root[i] = x;
    };
    const frameOfRate = new Int32Array(nv);
    for (let i = 0; i < tree.count; i++) frameOfRate.fill(i, tree.rateOf[i]!);
    const frameOf = (row: MechanismRow) =>
      row.kind === 'drive' ? frameOfRate[row.rate]! : Math.max(row.frameA, row.frameB);
    for (const { frameA, frameB } of springs) join(frameA, frameB);
    for (const [frameA, frameB] of this.others?.joins() ?? []) join(frameA, frameB);
    for (const { loop } of jointLoads) if (loop) join(loop.frameA, loop.frameB);
    for (const row of this.rows) if (row.kind !== 'drive') join(row.frameA, row.frameB);
    const firstForce = nv + tree.balls.length;
    const rowsOfTree = new Map<number, Uint32Array>();
    const rowsFor = (frame: number) => {
      const own = root[frame]!;
      let rows = rowsOfTree.get(own);
      if (rows === undefined) {
        const list: number[] = [];
        const is = (other: number) => root[other] === own;
        for (let r = 0; r < nv; r++) if (is(frameOfRate[r]!)) list.push(r, firstForce + r);
        tree.balls.forEach((ball, k) => {
          if (is(ball)) list.push(nv + k);
        });
        this.rows.forEach((row, k) => {
          if (is(frameOf(row))) list.push(firstForce + nv + k, firstForce + nv + m + k);
        });
        rows = Uint32Array.from(list.sort((a, b) => a - b));
        rowsOfTree.set(own, rows);
      }
      return rows;
    };
    const frameOfCoordinate = new Int32Array(nq);
    for (let i = 0; i < tree.count; i++) frameOfCoordinate.fill(i, tree.coordinateOf[i]!);
    return Array.from({ length: this.count }, (_, j) => {
      if (j < nq) return rowsFor(frameOfCoordinate[j]!);
      if (j < nq + nv) return rowsFor(frameOfRate[j - nq]!);
      return rowsFor(frameOf(this.rows[(j - nq - nv) % m]!));
    });
  }
}

/** The first frame of the tree that each frame is in. */
function treesOf(tree: FrameTree): Int32Array {
  const root = new Int32Array(tree.count);
  for (let i = 0; i < tree.count; i++) {
    const parent = tree.parentOf(i);
    root[i] = parent < 0 ? i : root[parent]!;
  }
  return root;
}

/**
 * Coordinate and rate of a drive.
 *
 * @param since the time at which the present stretch between breaks began: it says whether the drive moves
 */
export function driveAt(
  { rate, amplitude, frequency, from, until }: DriveMotion,
  time: number,
  since: number,
) {
  const isMoving = since >= from && since < until;
  const elapsed = isMoving ? time - from : since < from ? 0 : until - from;
  const phase = 2 * Math.PI * frequency;
  return {
    coordinate: rate * elapsed + amplitude * Math.sin(phase * elapsed),
    rate: isMoving ? rate + amplitude * phase * Math.cos(phase * elapsed) : 0,
  };
}

function driveOf({ drive, place }: JointLoad, time: number, coordinate: number, rate: number): number {
  if (typeof drive === 'number') return drive;
  const torque = drive(time, { coordinate, rate });
  if (Number.isFinite(torque)) return torque;
  throw new InputError(`${place} gave ${torque} at time ${time}, expected a finite number`);
}

function vectorOf(load: Vector3 | BodyForce, time: number, state: BodyState, place: string): Vector3 {
  if (typeof load !== 'function') return load;
  // Copies: what a function keeps, or changes, is its own.
  const { position, velocity, angularVelocity } = state;
  const vector = load(time, {
    position: position.slice(),
    velocity: velocity.slice(),
    angularVelocity: angularVelocity.slice(),
  });
  if (Array.isArray(vector) && vector.length === 3 && vector.every(Number.isFinite)) return vector;
  const found = Array.isArray(vector) ? `[${vector.join(', ')}]` : told(vector);
  throw new InputError(`${place} gave ${found} at time ${time}, expected three finite numbers`);
}

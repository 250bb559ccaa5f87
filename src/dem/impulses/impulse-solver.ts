/** Finds the impulses of a step, in float64. docs/dem.md, "Impulses", has the formulas. */
import { BOUNCE_PASSES, SOFT } from '../constants.ts';
import { RANGE_WORDS } from '../forces/groups.ts';
import { PairNumber } from '../materials/materials.ts';
import type { StepMove } from '../steps/step-response.ts';
import type { ImpulseHistory } from './impulse-history.ts';
import { pullOf } from './pulls.ts';
import { type ImpulseContacts, numbersOf, RowSolver, type SolvedStep, setPlane } from './row-solver.ts';
import { ROLL, ROW, Roll, Row } from './rows.ts';
import { FeatureSeeker, GroupSeeker, NO_GROUP } from './seekers.ts';

export class ImpulseSolver extends RowSolver {
  #rolls = new Float64Array(0);
  #hasRolls = false;

  move(
    found: ImpulseContacts,
    last: ImpulseHistory | undefined,
    step: StepMove,
    substeps: number,
  ): SolvedStep {
    const { time, gravity, statuses } = step;
    const h = time / substeps;
    const places = this.begin(found, step);
    this.#remember(found, last, places, h);
    const isHeld = this.heldBodies();
    for (let k = 0; k < substeps; k++) {
      this.fall(gravity, h, isHeld);
      this.#repeat();
      this.#solve(1 / h, true);
      this.gained += this.drift(gravity, h, isHeld, statuses);
      this.#place();
      this.#solve(1 / h, false);
      this.#total();
    }
    this.#bounce();
    const history = this.end(found, places, step, h);
    this.#addRolling(found, history.rolling, h);
    this.load(step);
    return { history, moved: this.moved };
  }

  /**
   * Gives rows what they pull with, groups their rolling, and both the impulses of the last step.
   *
   * @param places `[m]`: the row of each contact
   */
  #remember(
    { contacts, all, chosen, groups, order }: ImpulseContacts,
    last: ImpulseHistory | undefined,
    places: Uint32Array,
    h: number,
  ): void {
    const { laws } = this.options;
    if (this.#rolls.length < ROLL * groups.count) this.#rolls = new Float64Array(2 * ROLL * groups.count);
    this.#rolls.fill(0, 0, ROLL * groups.count);
    this.#hasRolls = false;
    const before = new Int32Array(groups.count).fill(NO_GROUP);
    const seek = last && new GroupSeeker(last);
    for (let g = 0; seek && g < groups.count; g++) before[g] = seek.find(chosen, groups, g);
    const r = this.rows;
    for (let place = 0; place < groups.count; place++) {
      const g = order[place]!;
      const [row, endRow] = [this.starts[place]!, this.starts[place + 1]!];
      const [a, b] = [this.pairs[2 * row]!, this.pairs[2 * row + 1]!];
      const numbers = numbersOf(this.options, a, b);
      const pull = pullOf(contacts, all, g, laws, numbers);
      for (let o = ROW * row; o < ROW * endRow; o += ROW) r[o + Row.least] = (-pull * h) / (endRow - row);
      // From the last one on: that is how they are found again.
      const features = new FeatureSeeker(last, before[g]!);
      for (let at = RANGE_WORDS * g; at < RANGE_WORDS * (g + 1); at += 2) {
        for (let i = groups.ranges[at + 1]! - 1; i >= groups.ranges[at]!; i--) {
          const old = features.find(chosen, i);
          if (old < 0 || last === undefined) continue;
          const o = ROW * places[i]!;
          const x = h * last.rowForces[4 * old + 1]!;
          const y = h * last.rowForces[4 * old + 2]!;
          const z = h * last.rowForces[4 * old + 3]!;
          r[o + Row.impulse] = h * last.rowForces[4 * old]!;
          r[o + Row.impulseAlong] =
            x * r[o + Row.along]! + y * r[o + Row.along + 1]! + z * r[o + Row.along + 2]!;
          r[o + Row.impulseAcross] =
            x * r[o + Row.across]! + y * r[o + Row.across + 1]! + z * r[o + Row.across + 2]!;
        }
      }
      const rolling = laws.pairs.numbers[numbers + PairNumber.rollingFriction]!;
      const torsion = laws.pairs.numbers[numbers + PairNumber.torsionalFriction]!;
      // Most pairs roll freely, and a small array takes as long as many sums.
      if (rolling === 0 && torsion === 0) continue;
      const kept =
        before[g]! === NO_GROUP
          ? undefined
          : last?.rolling.subarray(3 * before[g]!, 3 * before[g]! + 3).map((torque) => h * torque);
      this.#roll(place, row, endRow, rolling, torsion, kept);
    }
  }

  /** Rolling and torsion of a group. */
  #roll(
    place: number,
    first: number,
    end: number,
    rolling: number,
    torsion: number,
    kept: Float64Array | undefined,
  ): void {
    const { radii } = this.options.laws;
    const [a, b] = [this.pairs[2 * first]!, this.pairs[2 * first + 1]!];
    this.#hasRolls = true;
    const [r, g, o] = [this.rows, this.#rolls, ROLL * place];
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
    const { spins } = this.bodies;
    for (let k = 0; k < 3; k++) g[o + Roll.speed + k] = spins[3 * b + k]! - spins[3 * a + k]!;
    g[o + Roll.rolling] = rolling * radius;
    g[o + Roll.torsion] = torsion * radius;
    for (const [mass, axis, twist] of [
      [Roll.massAlong, Roll.along, Roll.alongTwist],
      [Roll.massAcross, Roll.across, Roll.acrossTwist],
      [Roll.massAbout, Roll.normal, Roll.aboutTwist],
    ] as const) {
      const [u, v, w] = [g[o + axis]!, g[o + axis + 1]!, g[o + axis + 2]!];
      g[o + mass] = 1 / (this.bodies.turnSoftness(a, u, v, w) + this.bodies.turnSoftness(b, u, v, w));
      if (kept) g[o + twist] = kept[0]! * u + kept[1]! * v + kept[2]! * w;
    }
  }

  /** Gives bodies the impulses of the last substep: those of this one are much the same. */
  #repeat(): void {
    const r = this.rows;
    for (let row = 0; row < this.count; row++) {
      const o = ROW * row;
      this.change = r[o + Row.impulse]!;
      this.lastAlong = r[o + Row.impulseAlong]!;
      this.lastAcross = r[o + Row.impulseAcross]!;
      if (this.change === 0 && this.lastAlong === 0 && this.lastAcross === 0) continue;
      this.relative(row);
      this.give(row, true);
    }
    if (!this.#hasRolls) return;
    const t = this.#rolls;
    for (let group = 0; this.starts[group]! < this.count; group++) {
      const o = ROLL * group;
      const [f, g, n] = [t[o + Roll.alongTwist]!, t[o + Roll.acrossTwist]!, t[o + Roll.aboutTwist]!];
      if (f !== 0 || g !== 0 || n !== 0) this.#twist(group, f, g, n);
    }
  }

  /** One pass over all contacts. @param isPushing whether overlaps come apart */
  #solve(perTime: number, isPushing: boolean): void {
    const r = this.rows;
    const rate = SOFT.rate * perTime;
    let group = 0;
    for (let row = 0; row < this.count; row++) {
      const o = ROW * row;
      const distance = r[o + Row.distance]!;
      let bias = 0;
      let massShare = 1;
      let impulseShare = 0;
      if (distance > 0) bias = distance * perTime;
      else if (isPushing) {
        bias = Math.max(rate * Math.min(distance + r[o + Row.left]!, 0), -r[o + Row.push]!);
        massShare = SOFT.massShare;
        impulseShare = SOFT.impulseShare;
      }
      this.relative(row);
      const old = r[o + Row.impulse]!;
      const least = r[o + Row.least]!;
      const wanted = old - r[o + Row.mass]! * massShare * (this.opening + bias) - impulseShare * old;
      const now = wanted > least ? wanted : least;
      r[o + Row.impulse] = now;
      this.change = now - old;
      this.lastAlong = r[o + Row.impulseAlong]!;
      this.lastAcross = r[o + Row.impulseAcross]!;
      this.mostFriction = r[o + Row.friction]! * (now - least);
      this.give(row, false);
      r[o + Row.impulseAlong] = this.nextAlong;
      r[o + Row.impulseAcross] = this.nextAcross;
      if (this.#hasRolls && row + 1 === this.starts[group + 1]) this.#rollGroup(group++);
    }
  }

  #rollGroup(group: number): void {
    const t = this.#rolls;
    const o = ROLL * group;
    if (t[o + Roll.rolling] === 0 && t[o + Roll.torsion] === 0) return;
    const [a, b] = [this.pairs[2 * this.starts[group]!]!, this.pairs[2 * this.starts[group]! + 1]!];
    const s = this.bodies.spins;
    let press = 0;
    for (let row = this.starts[group]!; row < this.starts[group + 1]!; row++)
      press += this.rows[ROW * row + Row.impulse]! - this.rows[ROW * row + Row.least]!;
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
    const [a, b] = [this.pairs[2 * this.starts[group]!]!, this.pairs[2 * this.starts[group]! + 1]!];
    const s = this.bodies.spins;
    const x = f * t[o + Roll.along]! + g * t[o + Roll.across]! + n * t[o]!;
    const y = f * t[o + Roll.along + 1]! + g * t[o + Roll.across + 1]! + n * t[o + 1]!;
    const z = f * t[o + Roll.along + 2]! + g * t[o + Roll.across + 2]! + n * t[o + 2]!;
    const { isDriven } = this.options.inertia;
    if (isDriven[a] === 1) this.driven += x * s[3 * a]! + y * s[3 * a + 1]! + z * s[3 * a + 2]!;
    if (isDriven[b] === 1) this.driven -= x * s[3 * b]! + y * s[3 * b + 1]! + z * s[3 * b + 2]!;
    const turning =
      x * (s[3 * b]! - s[3 * a]!) + y * (s[3 * b + 1]! - s[3 * a + 1]!) + z * (s[3 * b + 2]! - s[3 * a + 2]!);
    const square = this.bodies.twist(a, -x, -y, -z) + this.bodies.twist(b, x, y, z);
    this.gained += turning + square / 2;
  }

  /**
   * Distances of contacts now, to first order in turns: a ball that rolls keeps its distance. Impulses act at the same
   * arm of a body beside a wall, and of two bodies that move halfway between both.
   */
  #place(): void {
    const { ways, turns, inverseMasses } = this.bodies;
    const { rows: r, pairs } = this;
    for (let row = 0; row < this.count; row++) {
      const o = ROW * row;
      const a = pairs[2 * row]!;
      const b = pairs[2 * row + 1]!;
      const share = inverseMasses[a] === 0 ? 1 : inverseMasses[b] === 0 ? 0 : 0.5;
      const [i, j] = [3 * a, 3 * b];
      const x = ways[j]! - ways[i]!;
      const y = ways[j + 1]! - ways[i + 1]!;
      const z = ways[j + 2]! - ways[i + 2]!;
      const ax = r[o + Row.foundA]!;
      const ay = r[o + Row.foundA + 1]!;
      const az = r[o + Row.foundA + 2]!;
      const bx = r[o + Row.foundB]!;
      const by = r[o + Row.foundB + 1]!;
      const bz = r[o + Row.foundB + 2]!;
      r[o + Row.distance] =
        r[o + Row.found]! +
        r[o]! * (x + turns[j + 1]! * bz - turns[j + 2]! * by - (turns[i + 1]! * az - turns[i + 2]! * ay)) +
        r[o + 1]! * (y + turns[j + 2]! * bx - turns[j]! * bz - (turns[i + 2]! * ax - turns[i]! * az)) +
        r[o + 2]! * (z + turns[j]! * by - turns[j + 1]! * bx - (turns[i]! * ay - turns[i + 1]! * ax));
      r[o + Row.armA] = ax + share * x;
      r[o + Row.armA + 1] = ay + share * y;
      r[o + Row.armA + 2] = az + share * z;
      r[o + Row.armB] = bx - (1 - share) * x;
      r[o + Row.armB + 1] = by - (1 - share) * y;
      r[o + Row.armB + 2] = bz - (1 - share) * z;
      this.soften(row);
    }
  }

  /**
   * Adds the impulses of a substep to those of the step, and counts what they took out: an impulse times the mean of
   * the speeds before and after. That is half of a speed that it stops, and nothing where bodies rest.
   */
  #total(): void {
    const { spins } = this.bodies;
    const r = this.rows;
    for (let row = 0; row < this.count; row++) {
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
      this.relative(row);
      const mean = r[o]! * (u + this.u) + r[o + 1]! * (v + this.v) + r[o + 2]! * (w + this.w);
      this.bounced -= n * (mean / 2 - r[o + Row.belt]!);
      this.slid -= (x * (u + this.u) + y * (v + this.v) + z * (w + this.w)) / 2;
      r[o + Row.speed] = this.u;
      r[o + Row.speed + 1] = this.v;
      r[o + Row.speed + 2] = this.w;
    }
    if (!this.#hasRolls) return;
    const t = this.#rolls;
    for (let group = 0; this.starts[group]! < this.count; group++) {
      const o = ROLL * group;
      const [a, b] = [this.pairs[2 * this.starts[group]!]!, this.pairs[2 * this.starts[group]! + 1]!];
      for (let k = 0; k < 3; k++) {
        const twist =
          t[o + Roll.alongTwist]! * t[o + Roll.along + k]! +
          t[o + Roll.acrossTwist]! * t[o + Roll.across + k]! +
          t[o + Roll.aboutTwist]! * t[o + k]!;
        const now = spins[3 * b + k]! - spins[3 * a + k]!;
        this.rolled -= (twist * (now + t[o + Roll.speed + k]!)) / 2;
        t[o + Roll.speed + k] = now;
      }
    }
  }

  /** Gives back the speed that restitution asks for, where bodies pressed on each other. */
  #bounce(): void {
    const r = this.rows;
    const rows: number[] = [];
    for (let row = 0; row < this.count; row++) {
      const o = ROW * row;
      if (r[o + Row.bounce]! > 0 && r[o + Row.pressed]! > 0) rows.push(row);
    }
    const impulses = new Float64Array(3 * rows.length);
    for (let pass = 0; pass < BOUNCE_PASSES; pass++) {
      for (const [i, row] of rows.entries()) {
        const o = ROW * row;
        this.relative(row);
        const old = impulses[3 * i]!;
        const now = Math.max(0, old + r[o + Row.mass]! * (r[o + Row.bounce]! - this.opening));
        impulses[3 * i] = now;
        this.change = now - old;
        this.lastAlong = impulses[3 * i + 1]!;
        this.lastAcross = impulses[3 * i + 2]!;
        this.mostFriction = r[o + Row.friction]! * now;
        this.hit(row);
        impulses[3 * i + 1] = this.nextAlong;
        impulses[3 * i + 2] = this.nextAcross;
      }
    }
  }

  /** Adds what is remembered of rolling. @param rolling `[groups * 3]` */
  #addRolling({ groups, order }: ImpulseContacts, rolling: Float64Array, h: number): void {
    const t = this.#rolls;
    for (let place = 0; place < groups.count; place++) {
      const group = order[place]!;
      const o = ROLL * place;
      for (let k = 0; k < 3; k++) {
        rolling[3 * group + k] =
          (t[o + Roll.alongTwist]! * t[o + Roll.along + k]! +
            t[o + Roll.acrossTwist]! * t[o + Roll.across + k]! +
            t[o + Roll.aboutTwist]! * t[o + k]!) /
          h;
      }
    }
  }
}

function inverse(radius: number): number {
  return radius > 0 ? 1 / radius : 0;
}

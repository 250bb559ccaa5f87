/**
 * A step in which all contacts are collisions, one after another (D. Olvang, "Collision detection of implicit objects",
 * 2010, section 4.2), in float64. docs/stacks.md has the formulas.
 */
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BOUNCE_FALLS, COLLISION_DAMPING, PROJECTED_SHARE } from '../constants.ts';
import type { StepMove } from '../steps/step-response.ts';
import { ContactRows, type ImpulseContacts, type SolvedStep } from './contact-rows.ts';
import { ROW, Row } from './rows.ts';

export interface CollisionOptions {
  /** Most passes over all contacts. */
  readonly iterations: number;
  /** Whether a last pass goes up the levels, each with those below it as fixed. */
  readonly shocks: boolean;
}

export class CollisionSolver extends ContactRows {
  /**
   * @param found in the order of levels
   * @param levels `[n]`: of bodies in the contact graph
   */
  move(
    found: ImpulseContacts,
    levels: Uint32Array,
    step: StepMove,
    { iterations, shocks }: CollisionOptions,
  ): SolvedStep {
    const { time, gravity, statuses } = step;
    const slowest = BOUNCE_FALLS * Math.hypot(...gravity) * time;
    const places = this.begin(found, step);
    const isHeld = this.heldBodies();
    // Before gravity: what falls freely is damped by what it had.
    this.#damp(time);
    this.fall(gravity, time, isHeld);
    this.#collide(0, this.count, iterations, slowest);
    if (shocks) this.#shock(levels, iterations, slowest);
    this.#project(found.groups.count, levels, gravity);
    this.gained += this.drift(gravity, time, isHeld, statuses);
    const history = this.end(found, places, step);
    this.load(step);
    return { history, moved: this.moved };
  }

  /** Passes over some rows, until at none of them bodies come nearer. */
  #collide(first: number, end: number, most: number, slowest: number): void {
    const { state, spins } = this.bodies;
    const r = this.rows;
    for (let pass = 0, isNearing = true; pass < most && isNearing; pass++) {
      isNearing = false;
      for (let row = first; row < end; row++) {
        const o = ROW * row;
        const a = this.pairs[2 * row]!;
        const b = this.pairs[2 * row + 1]!;
        this.relative(state.velocities, spins, a, b, o);
        const opening = this.along(o);
        if (opening >= 0) continue;
        isNearing = true;
        const bounce = opening < -slowest ? r[o + Row.restitution]! : 0;
        const change = -(1 + bounce) * opening * r[o + Row.mass]!;
        this.hit(a, b, o, opening, change, 0, 0, change);
        r[o + Row.impulse]! += change;
        r[o + Row.impulseAlong]! += this.nextAlong;
        r[o + Row.impulseAcross]! += this.nextAcross;
      }
    }
  }

  /** Goes up the levels. Bodies below do not feel what they stop. */
  #shock(levels: Uint32Array, most: number, slowest: number): void {
    const { inverseMasses } = this.bodies;
    const own = inverseMasses.slice();
    const before = this.#kinetic(own) - this.gained;
    const levelOf = (row: number) =>
      Math.max(levels[this.pairs[2 * row]!]!, levels[this.pairs[2 * row + 1]!]!);
    for (let first = 0; first < this.count; ) {
      const level = levelOf(first);
      let end = first;
      for (; end < this.count && levelOf(end) === level; end++) {
        const [a, b] = [this.pairs[2 * end]!, this.pairs[2 * end + 1]!];
        for (const body of [a, b]) if (levels[body]! < level) inverseMasses[body] = 0;
        this.weigh(a, b, ROW * end);
      }
      this.#collide(first, end, most, slowest);
      first = end;
    }
    inverseMasses.set(own);
    // Impulses count as if they did work on those below, too.
    this.gained = this.#kinetic(own) - before;
  }

  #kinetic(inverseMasses: Float64Array): number {
    const { state, spins } = this.bodies;
    const { velocities, momenta } = state;
    let twice = 0;
    for (let k = 0; k < 3 * state.count; k++) {
      const inverse = inverseMasses[Math.floor(k / 3)]!;
      if (inverse > 0) twice += velocities[k]! ** 2 / inverse + momenta[k]! * spins[k]!;
    }
    return twice / 2;
  }

  /** Moves bodies out of those that are below them by a share of how deep they are; of one level both. */
  #project(groups: number, levels: Uint32Array, gravity: Vector3): void {
    const { state, inverseMasses } = this.bodies;
    const { positions } = state;
    const before = positions.slice();
    const r = this.rows;
    const moved = (body: number, k: number) => positions[3 * body + k]! - before[3 * body + k]!;
    for (let group = 0; group < groups; group++) {
      let deepest = 0;
      let at = -1;
      const first = this.starts[group]!;
      const [a, b] = [this.pairs[2 * first]!, this.pairs[2 * first + 1]!];
      for (let row = first; row < this.starts[group + 1]!; row++) {
        const o = ROW * row;
        let distance = r[o + Row.distance]! + r[o + Row.left]!;
        for (let k = 0; k < 3; k++) distance += r[o + k]! * (moved(b, k) - moved(a, k));
        if (distance >= deepest) continue;
        deepest = distance;
        at = o;
      }
      if (at < 0) continue;
      const [m, n] = [inverseMasses[a]!, inverseMasses[b]!];
      const shareOfB = levels[a]! < levels[b]! ? 1 : levels[a]! > levels[b]! ? 0 : n / (m + n);
      for (let k = 0; k < 3; k++) {
        const way = -PROJECTED_SHARE * deepest * r[at + k]!;
        positions[3 * b + k]! += shareOfB * way;
        positions[3 * a + k]! -= (1 - shareOfB) * way;
      }
    }
    for (let body = 0; body < state.count; body++) {
      const inverse = inverseMasses[body]!;
      for (let k = 0; inverse > 0 && k < 3; k++) this.gained -= (gravity[k]! * moved(body, k)) / inverse;
    }
  }

  /** Damping of all bodies. */
  #damp(time: number): void {
    const { state, inverseMasses, spins } = this.bodies;
    const kept = Math.exp(-COLLISION_DAMPING * time);
    const lost = (1 - kept * kept) * this.#kinetic(inverseMasses);
    for (let k = 0; k < 3 * state.count; k++) {
      if (inverseMasses[Math.floor(k / 3)] === 0) continue;
      for (const speeds of [state.velocities, state.momenta, spins]) speeds[k]! *= kept;
    }
    this.gained -= lost;
    this.bounced += lost;
  }
}

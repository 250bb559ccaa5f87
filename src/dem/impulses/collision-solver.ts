/**
 * A step in which all contacts are collisions, one after another (D. Olvang, "Collision detection of implicit objects",
 * 2010, section 4.2), in float64. docs/stacks.md has the formulas.
 */
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { BOUNCE_FALLS, COLLISION_DAMPING, PROJECTED_SHARE } from '../constants.ts';
import type { StepMove } from '../steps/step-response.ts';
import { type ImpulseContacts, RowSolver, type SolvedStep } from './row-solver.ts';
import { ROW, Row } from './rows.ts';

export interface CollisionOptions {
  /** Most passes over all contacts. */
  readonly iterations: number;
  /** Whether a last pass goes up the levels, each with those below it as fixed. */
  readonly shocks: boolean;
  /** Whether state and impulses are rounded to float32. */
  readonly float32: boolean;
}

export class CollisionSolver extends RowSolver {
  #isRounded = false;

  /**
   * @param levels `[n]`: of bodies in the contact graph
   */
  move(
    found: ImpulseContacts,
    levels: Uint32Array,
    step: StepMove,
    { iterations, shocks, float32 }: CollisionOptions,
  ): SolvedStep {
    const { time, gravity, statuses } = step;
    const slowest = BOUNCE_FALLS * Math.hypot(...gravity) * time;
    this.#isRounded = float32;
    const places = this.begin(found, step);
    const isHeld = this.heldBodies();
    // Before gravity: what falls freely is damped by what it had.
    this.#damp(time);
    this.fall(gravity, time, isHeld);
    const all = this.#placesByLevel(found.groups.count, levels);
    this.#collide(all.keys(), iterations, slowest);
    if (shocks) this.#shock(all, levels, iterations, slowest);
    this.#project(all, levels, gravity);
    this.gained += this.drift(gravity, time, isHeld, statuses);
    this.#round();
    const history = this.end(found, places, step, time);
    this.load(step);
    return { history, moved: this.moved };
  }

  /** Rounds what bodies have, as if it was kept in float32. */
  #round(): void {
    if (!this.#isRounded) return;
    const { state, spins } = this.bodies;
    const { positions, rotations, velocities, momenta } = state;
    for (const numbers of [positions, rotations, velocities, momenta, spins])
      numbers.set(new Float32Array(numbers));
  }

  /** Groups in the order of the higher level of their bodies, and that level. */
  #placesByLevel(groups: number, levels: Uint32Array): Map<number, number> {
    const levelOf = (place: number) => {
      const row = this.starts[place]!;
      return Math.max(levels[this.pairs[2 * row]!]!, levels[this.pairs[2 * row + 1]!]!);
    };
    const places = Array.from({ length: groups }, (_, place) => [place, levelOf(place)] as const);
    return new Map(places.sort(([a, i], [b, j]) => i - j || a - b));
  }

  /** Passes over the contacts of some groups, until at none of them bodies come nearer. */
  #collide(places: Iterable<number>, most: number, slowest: number): void {
    const r = this.rows;
    const order = Array.from(places).sort((a, b) => a - b);
    for (let pass = 0, isNearing = true; pass < most && isNearing; pass++) {
      isNearing = false;
      for (const place of order) {
        const end = this.starts[place + 1]!;
        for (let row = this.starts[place]!; row < end; row++) {
          const o = ROW * row;
          this.relative(row);
          const { opening } = this;
          if (opening >= 0) continue;
          isNearing = true;
          const bounce = opening < -slowest ? r[o + Row.restitution]! : 0;
          const change = -(1 + bounce) * opening * r[o + Row.mass]!;
          this.change = this.#isRounded ? Math.fround(change) : change;
          this.lastAlong = 0;
          this.lastAcross = 0;
          this.mostFriction = r[o + Row.friction]! * this.change;
          this.hit(row);
          r[o + Row.impulse]! += this.change;
          r[o + Row.impulseAlong]! += this.nextAlong;
          r[o + Row.impulseAcross]! += this.nextAcross;
        }
      }
      this.#round();
    }
  }

  /** Goes up the levels. Bodies below do not feel what they stop. */
  #shock(all: ReadonlyMap<number, number>, levels: Uint32Array, most: number, slowest: number): void {
    const { inverseMasses } = this.bodies;
    const own = inverseMasses.slice();
    const before = this.#kinetic(own) - this.gained - this.driven;
    const heights = new Map<number, number[]>();
    for (const [place, level] of all) {
      const places = heights.get(level);
      if (places) places.push(place);
      else heights.set(level, [place]);
    }
    for (const [level, places] of heights) {
      for (const place of places) {
        const end = this.starts[place + 1]!;
        for (let row = this.starts[place]!; row < end; row++) {
          const [a, b] = [this.pairs[2 * row]!, this.pairs[2 * row + 1]!];
          for (const body of [a, b]) if (levels[body]! < level) inverseMasses[body] = 0;
          this.weigh(row);
        }
      }
      this.#collide(places, most, slowest);
    }
    inverseMasses.set(own);
    // The passes have counted for bodies below what these did not feel. So what they bring in is what bodies have more,
    // less the work of driven ones, which `drive` has counted: theirs stands beside it in the balance.
    this.gained = this.#kinetic(own) - before - this.driven;
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
  #project(all: ReadonlyMap<number, number>, levels: Uint32Array, gravity: Vector3): void {
    const { state, inverseMasses } = this.bodies;
    const { positions } = state;
    const before = positions.slice();
    const r = this.rows;
    const moved = (body: number, k: number) => positions[3 * body + k]! - before[3 * body + k]!;
    for (const group of all.keys()) {
      let deepest = 0;
      let at = -1;
      const first = this.starts[group]!;
      const [a, b] = [this.pairs[2 * first]!, this.pairs[2 * first + 1]!];
      const end = this.starts[group + 1]!;
      for (let row = first; row < end; row++) {
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

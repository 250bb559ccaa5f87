/** Energies of a simulation on the host, added up step by step. docs/dem.md, "Energies". */

import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { ContactSums } from '../forces/contact-forces.ts';
import type { SpringEnergies } from '../forces/force-history.ts';
import type { Energies } from '../monitors/monitors.ts';
import { angularVelocity, BodyStatus } from '../motion/motion.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { BodySums } from './finish-bodies.ts';

/** Energy per time that loads take from bodies, or that driven bodies give. */
type Powers = Record<'dashpots' | 'friction' | 'rolling' | 'driven', number>;

/** What a step ended with. */
export interface StepEnd {
  readonly statuses: Uint8Array;
  readonly bodies: BodySums;
  /** False: a step by impulses, which counts its losses itself. */
  readonly hasLosses: boolean;
  readonly sums: ContactSums;
  /** Before the step, and after it. */
  readonly gravity: readonly [Vector3, Vector3];
  /** Before the step. Undefined: none was made. */
  readonly before: PlacesBefore | undefined;
  /** Bodies that were not there before. */
  readonly appearing: readonly number[];
}

/** `[n * 3]` each: where bodies were, how they moved, and where gravity's energy was 0. */
export interface PlacesBefore {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly start: Float64Array;
}

export interface EnergyAccountOptions {
  readonly model: SimulationModel;
  /** `[n * 3]`: heights of gravity's energy. */
  readonly start: Float64Array;
}

export class EnergyAccount {
  readonly energies: Energies = {
    ...{ kinetic: 0, gravity: 0, elastic: 0, dashpots: 0, friction: 0, rolling: 0, driven: 0 },
    ...{ pushed: 0, inserted: 0, removed: 0 },
  };
  readonly #options: EnergyAccountOptions;
  /** At the end of the last step. */
  #powers: Powers = { dashpots: 0, friction: 0, rolling: 0, driven: 0 };
  /** Energies that springs held then: tangential ones, and those against rolling. */
  #held = { friction: 0, rolling: 0 };
  /** Work so far of what takes energy, less what springs hold: what was lost, but for errors of steps. */
  #taken = { dashpots: 0, friction: 0, rolling: 0 };
  readonly #spin = new Float64Array(3);

  constructor(options: EnergyAccountOptions) {
    this.#options = options;
  }

  /** All that the next step goes on from. */
  store(): Record<string, number> {
    const prefixed = (prefix: string, of: object) =>
      Object.fromEntries(Object.entries(of).map(([name, number]) => [`${prefix}:${name}`, number]));
    return {
      ...{ ...this.energies, ...prefixed('power', this.#powers) },
      ...{ ...prefixed('held', this.#held), ...prefixed('taken', this.#taken) },
    };
  }

  /** @param numbers of `store` */
  restore(numbers: Readonly<Record<string, number>>): void {
    for (const name of Object.keys(this.energies)) this.energies[name as keyof Energies] = numbers[name]!;
    const readBack = <T extends object>(of: T, prefix: string) =>
      Object.fromEntries(Object.keys(of).map((name) => [name, numbers[`${prefix}:${name}`]!])) as T;
    this.#powers = readBack(this.#powers, 'power');
    this.#held = readBack(this.#held, 'held');
    this.#taken = readBack(this.#taken, 'taken');
  }

  /** A function that takes back a step that follows. */
  saved(): () => void {
    const [energies, held, taken, powers] = [{ ...this.energies }, this.#held, this.#taken, this.#powers];
    return () => {
      Object.assign(this.energies, energies);
      this.#held = held;
      this.#taken = taken;
      this.#powers = powers;
    };
  }

  /** Energies of springs at bodies that are removed go with them. */
  remove({ elastic, tangential, rolled }: SpringEnergies): void {
    this.energies.removed += elastic + tangential + rolled;
    this.#held = { friction: this.#held.friction - tangential, rolling: this.#held.rolling - rolled };
  }

  /** Of motion and in gravity; 0 for bodies that forces do not move. */
  energyOf(body: number, gravity: Vector3): number {
    const { model, start } = this.#options;
    const { inertia, state } = model;
    const { positions, velocities, momenta } = state;
    const inverse = inertia.inverseMasses[body]!;
    if (inverse === 0) return 0;
    const spin = this.#spin;
    angularVelocity(state, inertia, body, spin);
    let energy = 0;
    for (let k = 0; k < 3; k++) {
      const at = 3 * body + k;
      energy += (velocities[at]! ** 2 / inverse + momenta[at]! * spin[k]!) / 2;
      energy -= (gravity[k]! / inverse) * (positions[at]! - start[at]!);
    }
    return energy;
  }

  /** Energies at the end of a step of this length. Loads act half a step before and half a step after it. */
  sumUp(length: number, end: StepEnd): void {
    const { energies } = this;
    const { hasLosses, sums, bodies: now } = end;
    const { elastic, tangential, rolled } = sums;
    const work = (of: keyof Powers) => (length * (this.#powers[of] + now[of])) / 2;
    const before = this.#held;
    // Energy that springs hold is not lost yet.
    this.#held = { friction: tangential, rolling: rolled };
    this.#taken = {
      dashpots: this.#taken.dashpots + work('dashpots'),
      friction: this.#taken.friction + work('friction') + before.friction - tangential,
      rolling: this.#taken.rolling + work('rolling') + before.rolling - rolled,
    };
    // A dashpot has the speed of half a step before, so where a contact turns around a step may give something back.
    // That is an error of the step, and no energy that was lost.
    for (const of of hasLosses ? (['dashpots', 'friction', 'rolling'] as const) : [])
      energies[of] = Math.max(energies[of], this.#taken[of]);
    energies.driven += work('driven') + this.#workOfGravity(length, end);
    energies.kinetic = now.kinetic;
    energies.gravity = now.gravity;
    energies.elastic = elastic + tangential + rolled;
    const { dashpots, friction, rolling, driven } = now;
    this.#powers = { dashpots, friction, rolling, driven };
  }

  /**
   * Work of gravity that changes by dg in a step, of bodies that nothing else moves: what keeps their energies in
   * balance, exactly. With ways w0 and w1 from the start, before the step and after it, -m g w changes by
   * -m (mean g) (w1 - w0) - m dg (w0 + w1) / 2. Impulses move such a body by the mean gravity, whose work is the first
   * term, so the second is what is asked for.
   *
   * Verlet's v = v0 + h g0 / 2, w1 = w0 + h v, v1 = v + h g1 / 2 give m (v1^2 - v0^2) / 2 =
   * m (mean g) (w1 - w0) + m h^2 (g1^2 - g0^2) / 8. The last term, m dg h (v1 - v0) / 4, is gravity's work too.
   */
  #workOfGravity(length: number, { statuses, hasLosses, gravity, before, appearing }: StepEnd): number {
    const [first, last] = gravity;
    const change = last.map((g, k) => g - first[k]!);
    if (before === undefined || change.every((g) => g === 0)) return 0;
    const { model, start } = this.#options;
    const { positions, velocities, count } = model.state;
    const gained = hasLosses ? length / 4 : 0;
    const isNew = new Set(appearing);
    let work = 0;
    for (let body = 0; body < count; body++) {
      const inverse = model.inertia.inverseMasses[body]!;
      if (inverse === 0 || statuses[body] !== BodyStatus.present || isNew.has(body)) continue;
      for (let at = 3 * body, k = 0; k < 3; at++, k++) {
        const way = (before.positions[at]! - before.start[at]! + positions[at]! - start[at]!) / 2;
        work -= (change[k]! * (way - gained * (velocities[at]! - before.velocities[at]!))) / inverse;
      }
    }
    return work;
  }
}

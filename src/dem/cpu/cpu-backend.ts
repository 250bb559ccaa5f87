/** A simulation whose bodies are on the host, in float64. */
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { pauses, shortPause } from '../../workers/slices.ts';
import type { StoredState } from '../checkpoint/checkpoint.ts';
import { requireStored } from '../checkpoint/require-stored.ts';
import { DEEPEST_OVERLAP, LONGEST_STEP, MOST_IMBALANCE } from '../constants.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import { balanceOf, type Energies, leastTurnover, type Monitors } from '../monitors/monitors.ts';
import * as stops from '../monitors/stops.ts';
import { BodyStatus } from '../motion/motion.ts';
import { type StepClock, timeAfter } from '../motion/step-clock.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { BodyState, SimulationBackend, StepWatch } from '../steps/simulation-backend.ts';
import type { CpuSteps } from './cpu-steps.ts';

export class CpuBackend implements SimulationBackend {
  readonly #model: SimulationModel;
  readonly #cpu: CpuSteps;
  #clock: StepClock;
  readonly #cell: number;
  readonly #bounds: { readonly low: readonly number[]; readonly high: readonly number[] };
  /** Steps of few bodies wait for nothing that a timer, a signal or a page would get in by. */
  readonly #pause = pauses(shortPause);
  #steps = 0;
  /** The balance that there was at first, and what was turned over since. */
  #balance = 0;
  #turnover = 0;
  #last: Energies;

  /** @param cell edge of the cells of positions */
  constructor(model: SimulationModel, cpu: CpuSteps, clock: StepClock, cell: number) {
    this.#model = model;
    this.#cpu = cpu;
    this.#clock = clock;
    this.#cell = cell;
    this.#bounds = stops.boundsOf(model, cell);
    this.#last = { ...cpu.energies };
  }

  get steps(): number {
    return this.#steps;
  }

  setClock(clock: StepClock): void {
    this.#clock = clock;
    this.#cpu.setClock(clock);
  }

  get seconds(): Readonly<Record<string, number>> {
    return { ...this.#cpu.seconds };
  }

  async evaluate(mostDepth: number, signal?: AbortSignal): Promise<void> {
    await this.#cpu.begin(this.#steps, signal);
    this.#begin();
    this.#requireInside(this.#steps);
    this.#requireShallow(mostDepth);
  }

  async advance(count: number, { signal, onProgress }: StepWatch): Promise<void> {
    for (let done = 0; done < count; done++) {
      signal?.throwIfAborted();
      // A step that has begun is done or taken back: the state is always that of a whole one.
      await this.#step();
      onProgress?.(done + 1, count);
      await this.#pause();
    }
  }

  async #step(): Promise<void> {
    const goBack = this.#cpu.saved();
    const [steps, turnover, last] = [this.#steps, this.#turnover, this.#last];
    try {
      // Contacts are found of no body that is out of range.
      if (!this.#cpu.move(steps, this.#bounds)) this.#requireInside(steps + 1);
      await this.#cpu.finish(steps);
      this.#steps++;
      this.#watch();
    } catch (error) {
      goBack();
      this.#steps = steps;
      this.#turnover = turnover;
      this.#last = last;
      throw error;
    }
  }

  async read(): Promise<BodyState> {
    return { ...this.#cpu.state, ...this.#cpu.loads, statuses: this.#cpu.statuses };
  }

  async write(): Promise<void> {
    // `read` gave the arrays themselves, so they are written already. Bodies that appear are noted apart.
    this.#cpu.setClock(this.#clock);
  }

  modelChanged(): void {
    // Steps read the model itself.
  }

  async contacts(): Promise<DetectedContacts> {
    return this.#cpu.contacts!;
  }

  async contactForces(): Promise<PairForces> {
    return this.#cpu.contactForces();
  }

  get monitors(): Monitors {
    const { energies, sums, state, statuses } = this.#cpu;
    const { inertia } = this.#model;
    const momentum = new Float64Array(3);
    const angularMomentum = new Float64Array(3);
    for (let body = 0; body < state.count; body++) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0 || statuses[body] !== BodyStatus.present) continue;
      const { velocities: v, positions: x, momenta } = state;
      const at = 3 * body;
      for (let k = 0; k < 3; k++) {
        const [i, j] = [at + ((k + 1) % 3), at + ((k + 2) % 3)];
        momentum[k]! += v[at + k]! / inverse;
        angularMomentum[k]! += momenta[at + k]! + x[i]! * (v[j]! / inverse) - x[j]! * (v[i]! / inverse);
      }
    }
    const countOf = (wanted: number) => statuses.reduce((sum, one) => sum + (one === wanted ? 1 : 0), 0);
    return {
      ...energies,
      ...{ time: timeAfter(this.#clock, this.#steps), steps: this.#steps, momentum, angularMomentum },
      balance: balanceOf(energies),
      ...{ presentBodies: countOf(BodyStatus.present), removedBodies: countOf(BodyStatus.removed) },
      ...{ contacts: this.#cpu.contactCount, openContacts: this.#cpu.openContacts },
      deepestOverlap: sums?.deepest ?? 0,
      largestFrequency: sums?.largestFrequency ?? 0,
    };
  }

  async store(): Promise<StoredState> {
    const { numbers, arrays } = this.#cpu.store();
    const watched = { balanceAtFirst: this.#balance, turnover: this.#turnover };
    return { numbers: { ...numbers, ...watched, steps: this.#steps }, arrays };
  }

  async restore(stored: StoredState, name: string): Promise<void> {
    requireStored(stored, name, ['balanceAtFirst', 'turnover'], {});
    const { steps, balanceAtFirst, turnover } = stored.numbers;
    await this.#cpu.restore(stored, steps!, name).catch((error: unknown) => {
      this.#requireInside(steps!);
      throw error;
    });
    this.#steps = steps!;
    this.#balance = balanceAtFirst!;
    this.#turnover = turnover!;
    this.#last = { ...this.#cpu.energies };
  }

  destroy(): void {
    // The pipeline is the simulation's.
  }

  /** Bodies may have been put anywhere: the energies of what follows are held against these. */
  #begin(): void {
    const { energies } = this.#cpu;
    this.#balance = balanceOf(energies);
    this.#turnover = energies.kinetic + Math.abs(energies.elastic) + leastTurnover(this.#model, this.#cell);
    this.#last = { ...energies };
  }

  /** @throws ScreeError for a body whose speed is not finite, or that is out of bounds */
  #requireInside(step: number): void {
    const { state, statuses } = this.#cpu;
    const { names, inertia, servos } = this.#model;
    const { low, high } = this.#bounds;
    const at = { step, timeStep: this.#clock.timeStep };
    const { velocities, momenta, positions, rotations } = state;
    for (let body = 0; body < state.count; body++) {
      const isMoved = inertia.inverseMasses[body]! > 0 || servos.has(body);
      if (!isMoved || statuses[body] !== BodyStatus.present) continue;
      // A momentum that is finite may turn a body by an angle that is not; then none of the four is a number.
      if (!Number.isFinite(rotations[4 * body]!)) throw stops.notFinite(at, names, body);
      for (let k = 0; k < 3; k++) {
        const i = 3 * body + k;
        if (!Number.isFinite(velocities[i]!) || !Number.isFinite(momenta[i]!))
          throw stops.notFinite(at, names, body);
        if (positions[i]! >= low[k]! && positions[i]! <= high[k]!) continue;
        throw stops.escaped(at, this.#model, body, positions.subarray(3 * body, 3 * body + 3), this.#bounds);
      }
    }
  }

  /** @throws ScreeError or InputError where there is no going on */
  #watch(): void {
    const { sums, energies } = this.#cpu;
    const at = { step: this.#steps, timeStep: this.#clock.timeStep };
    // Places are those that were looked at before contacts were found, and a speed that is not finite has no energy.
    if (!Number.isFinite(energies.kinetic)) this.#requireInside(at.step);
    const { largestFrequency } = sums!;
    if (this.#clock.timeStep * largestFrequency > LONGEST_STEP)
      throw stops.tooStiff(at, largestFrequency, this.#model.names, []);
    this.#requireShallow(DEEPEST_OVERLAP);
    for (const name of Object.keys(energies) as (keyof Energies)[])
      this.#turnover += Math.abs(energies[name] - this.#last[name]);
    this.#last = { ...energies };
    const off = balanceOf(energies) - this.#balance;
    if (Math.abs(off) > MOST_IMBALANCE * this.#turnover)
      throw stops.imbalanced(at, this.#model.names, [], off);
  }

  /** @throws for the first contact that is deeper than so many radii of the smaller body */
  #requireShallow(most: number): void {
    // Rounding of shares is far less than that.
    if (this.#cpu.sums!.deepestShare < 0.999 * most) return;
    const { radii } = this.#model.laws;
    const { count, bodies, distances } = this.#cpu.contacts!;
    for (let i = 0; i < count; i++) {
      const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
      const radius = stops.smallerRadius(radii, a, b);
      if (-distances[i]! <= most * radius) continue;
      throw stops.tooDeep(
        { step: this.#steps, timeStep: this.#clock.timeStep },
        this.#model.names,
        [a, b],
        -distances[i]!,
        most * radius,
        this.#cpu.isByImpulses,
      );
    }
  }
}

/** A mechanism in motion: its equations on the solver, from event to event: breaks of drives, and of contacts. */
import { DaeSolver } from '../../dae/dae-solver.ts';
import type { DaeStatistics } from '../../dae/dae-statistics.ts';
import type { DaeState } from '../../dae/dae-system.ts';
import type { PairForces } from '../../dem/forces/pair-forces.ts';
import { balanceOf, type Monitors } from '../../dem/monitors/monitors.ts';
import { BodyStatus } from '../../dem/motion/motion.ts';
import type { Quantity } from '../../dem/simulation/simulation.ts';
import { InputError } from '../../errors.ts';
import { rests } from '../../workers/slices.ts';
import {
  assemble,
  chooseRows,
  keepRates,
  requireFullRank,
  requireInertia,
  stateOf,
} from '../equations/assembly.ts';
import { bodyPoses } from '../equations/body-poses.ts';
import { Equations } from '../equations/equations.ts';
import type { Mechanism, MechanismRow } from '../equations/mechanism.ts';
import { cross, dot } from '../vectors.ts';
import type { Event } from './contact-watch.ts';
import { type Contacts, eventsOf } from './contacts.ts';
import type {
  AdvanceOptions,
  ContactEventArrays,
  MechanismContacts,
  MechanismStatistics,
} from './run-options.ts';

const NO_CONTACTS: MechanismContacts = {
  ...{ count: 0, bodies: new Uint32Array(0), parts: new Uint32Array(0), features: new Uint32Array(0) },
  ...{ normals: new Float64Array(0), points: new Float64Array(0), distances: new Float64Array(0) },
};

export class MechanismRun {
  readonly mechanism: Mechanism;
  readonly #tolerance: number;
  /** All rows of closure. */
  readonly #whole: Equations;
  #equations!: Equations;
  #solver!: DaeSolver;
  #left: readonly MechanismRow[] = [];
  /** Of solvers before. */
  #past: DaeStatistics | undefined;
  #time = 0;
  #since = 0;
  #gravityAtFirst = 0;
  readonly #room: { readonly y: Float64Array; readonly rates: Float64Array };

  /** Undefined where no bodies may meet. */
  readonly contacts: Contacts | undefined;
  /** A beginning or end of contacts within the last step. */
  #next: Event | undefined;
  /**
   * Contacts were sought up to here: before the last step's end where it is looked through in parts, or where an error
   * ended the search.
   */
  #watched = 0;

  constructor(mechanism: Mechanism, tolerance: number, contacts?: Contacts) {
    this.mechanism = mechanism;
    this.contacts = contacts;
    this.#tolerance = tolerance;
    const { tree, rows, startRates } = mechanism;
    this.#whole = new Equations(mechanism, rows, tolerance);
    const start = stateOf(this.#whole, 0, tree.zero(), startRates);
    assemble(this.#whole, start);
    this.#choose(start);
    const size = this.#whole.count;
    this.#room = { y: new Float64Array(size), rates: new Float64Array(size) };
    this.#start(
      start.y.subarray(0, tree.coordinates),
      start.y.subarray(tree.coordinates, tree.coordinates + tree.rates),
    );
    this.#gravityAtFirst = this.#energies().gravity;
  }

  get time(): number {
    return this.#time;
  }

  get statistics(): MechanismStatistics {
    const { tree } = this.mechanism;
    const own = { ...this.#solver.statistics };
    if (this.#past)
      for (const key of Object.keys(own) as (keyof DaeStatistics)[]) own[key] += this.#past[key];
    const { rows } = this.#equations;
    return {
      ...own,
      rootEvaluations: own.rootEvaluations + (this.contacts?.evaluations ?? 0),
      degreesOfFreedom: tree.rates - rows.length,
      closureRows: rows.length,
      redundantRows: this.#left.map(({ name }) => name),
    };
  }

  async advance(duration: number, { signal, onProgress }: AdvanceOptions): Promise<void> {
    signal?.throwIfAborted();
    const [began, goal] = [this.#time, this.#time + duration];
    const rest = rests(signal);
    const until = () => this.mechanism.breaks.find((time) => time > this.#since) ?? Infinity;
    while (this.#time < goal) {
      const end = until();
      const to = Math.min(goal, end);
      while (this.#known < to) {
        if (this.#next) this.#meet(this.#next);
        this.#step(end);
        // The state is that of the last step: for who looks at it meanwhile, and where the next one fails.
        this.#time = Math.min(this.#known, to);
        onProgress?.(this.#time - began, duration);
        await rest();
      }
      this.#time = to;
      if (to === end) {
        const { q, v } = this.#split(this.#state());
        const integrals = this.#solver.integralsAt(this.#time);
        const before = this.#since;
        this.#since = end;
        try {
          this.#start(q, v, integrals);
        } catch (error) {
          // The next call meets the break again.
          this.#since = before;
          this.#equations.since = before;
          throw error;
        }
      }
    }
  }

  get events(): ContactEventArrays {
    return this.contacts?.events ?? eventsOf([]);
  }

  listContacts(): MechanismContacts {
    this.place();
    return this.contacts?.list() ?? NO_CONTACTS;
  }

  contactForces(): PairForces {
    this.place();
    return this.contacts?.forces() ?? { count: 0, bodies: new Uint32Array(0), forces: new Float64Array(0) };
  }

  /** The time up to which the last step holds: its end, or where contacts change. */
  get #known(): number {
    return this.#next?.time ?? this.#watched;
  }

  #step(end: number): void {
    const solver = this.#solver;
    const from = this.#watched;
    // A step whose contacts are not all known is looked through to its end before the next one.
    if (solver.stepEnd === from) {
      solver.step(end);
      this.#time = from;
      this.#equations.follow(this.#stateAt(solver.stepEnd));
    }
    const found = this.contacts?.first(from, solver.stepEnd, (time) => {
      const { y, rates } = this.#stateAt(time);
      this.mechanism.tree.forward(y, rates);
    });
    this.#next = found?.event;
    this.#watched = found?.until ?? solver.stepEnd;
  }

  /** Switches contacts, and starts anew. */
  #meet(event: Event): void {
    this.#time = event.time;
    const { q, v } = this.#split(this.#state());
    const integrals = this.#solver.integralsAt(event.time);
    this.place();
    const takeBack = this.contacts!.switch(event);
    this.#equations.join();
    try {
      this.#start(q, v, integrals);
    } catch (error) {
      // The next call meets it again.
      takeBack();
      this.#equations.join();
      throw error;
    }
    this.#next = undefined;
  }

  coordinates(): Float64Array<ArrayBuffer> {
    const { y } = this.#state();
    return Float64Array.from(this.mechanism.coordinates, ({ index, sign }) => sign * y[index]!);
  }

  rates(): Float64Array<ArrayBuffer> {
    const { y } = this.#state();
    const { v } = this.#equations.at;
    return Float64Array.from(this.mechanism.rates, ({ index, sign }) => sign * y[v + index]!);
  }

  /** Places frames as they are at the present time, with accelerations. */
  place(): void {
    const { y, rates } = this.#state();
    this.mechanism.tree.forward(y, rates);
  }

  monitors(): Monitors {
    const { mechanism } = this;
    const energies = this.#energies();
    const contacts = this.contacts?.loads.sums();
    const [dashpots, driven, friction, rolling] = this.#solver.integralsAt(this.#time) as unknown as [
      ...[number, number],
      ...[number, number],
    ];
    const own = {
      ...{ kinetic: energies.kinetic, gravity: energies.gravity - this.#gravityAtFirst },
      ...{ elastic: energies.elastic, dashpots, friction, rolling, driven, pushed: 0 },
      ...{ inserted: 0, removed: 0 },
    };
    return {
      ...own,
      ...{ time: this.#time, steps: this.statistics.steps, balance: balanceOf(own) },
      ...{ presentBodies: mechanism.bodies.length, removedBodies: 0, openContacts: 0, largestFrequency: 0 },
      ...{ contacts: contacts?.count ?? 0, deepestOverlap: contacts?.depth ?? 0 },
      ...{ momentum: energies.momentum, angularMomentum: energies.angularMomentum },
    };
  }

  /** Mass, centroid, velocity of it and angular momentum about it, of a body where `place` put it. */
  moving(body: number) {
    const { tree, bodies } = this.mechanism;
    const { frame, mass, centroid, inertia } = bodies[body]!;
    const at = tree.point(frame, centroid, new Float64Array(3));
    const velocity = tree.velocityAt(frame, at, new Float64Array(3));
    const spin = frame < 0 ? new Float64Array(3) : tree.spins.slice(3 * frame, 3 * frame + 3);
    const own = new Float64Array(3);
    const momentum = new Float64Array(3);
    if (frame >= 0) {
      const R = tree.rotations.subarray(9 * frame, 9 * frame + 9);
      for (let k = 0; k < 3; k++) own[k] = R[k]! * spin[0]! + R[3 + k]! * spin[1]! + R[6 + k]! * spin[2]!;
      const turned = inertia.map((row) => row[0] * own[0]! + row[1] * own[1]! + row[2] * own[2]!);
      tree.direction(frame, turned, momentum);
    }
    return { frame, mass, at, velocity, spin, momentum };
  }

  /** Numbers of all bodies at the present time. */
  read(quantity: Quantity): Float64Array<ArrayBuffer> {
    this.place();
    const { bodies } = this.mechanism;
    const sizes = { poses: 7, statuses: 1, masses: 1, kineticEnergies: 1 } as const;
    const size = quantity in sizes ? sizes[quantity as keyof typeof sizes] : 3;
    if (quantity === 'poses') return bodyPoses(this.mechanism);
    const out = new Float64Array(size * bodies.length);
    if (quantity === 'statuses') return out.fill(BodyStatus.present);
    bodies.forEach(({ frame }, body) => {
      const own = out.subarray(size * body, size * (body + 1));
      const { mass, at, velocity, spin, momentum } = this.moving(body);
      if (quantity === 'centroids') own.set(at);
      else if (quantity === 'masses') own[0] = frame < 0 ? 0 : mass;
      else if (quantity === 'velocities') own.set(velocity);
      else if (quantity === 'angularVelocities') own.set(spin);
      else if (quantity === 'kineticEnergies')
        own[0] = (mass * dot(velocity, velocity) + dot(momentum, spin)) / 2;
      else if (frame >= 0) this.#load(quantity === 'forces', body, own);
    });
    return out;
  }

  /** m a of the centroid, or the rate of the angular momentum about it. */
  #load(isForce: boolean, body: number, out: Float64Array): void {
    const { tree } = this.mechanism;
    const { frame, mass, at, spin, momentum } = this.moving(body);
    if (isForce) {
      tree.accelerationAt(frame, at, out);
      for (let k = 0; k < 3; k++) out[k]! *= mass;
      return;
    }
    const change = tree.spinRates.subarray(3 * frame, 3 * frame + 3);
    const { inertia } = this.mechanism.bodies[body]!;
    const R = tree.rotations.subarray(9 * frame, 9 * frame + 9);
    const own = [0, 1, 2].map((k) => R[k]! * change[0]! + R[3 + k]! * change[1]! + R[6 + k]! * change[2]!);
    tree.direction(
      frame,
      inertia.map((row) => dot(row, own)),
      out,
    );
    const around = cross(spin, momentum);
    for (let k = 0; k < 3; k++) out[k]! += around[k]!;
  }

  #energies() {
    this.place();
    const { mechanism } = this;
    let [kinetic, gravity] = [0, 0];
    const [momentum, angularMomentum] = [new Float64Array(3), new Float64Array(3)];
    mechanism.bodies.forEach((_, body) => {
      const { frame, mass, at, velocity: v, spin, momentum: own } = this.moving(body);
      if (frame < 0 || mass === 0) return;
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        kinetic += (mass * v[k]! ** 2 + own[k]! * spin[k]!) / 2;
        gravity -= mass * mechanism.gravity[k]! * at[k]!;
        momentum[k]! += mass * v[k]!;
        angularMomentum[k]! += own[k]! + mass * (at[i]! * v[j]! - at[j]! * v[i]!);
      }
    });
    return { kinetic, gravity, elastic: this.#equations.elastic(), momentum, angularMomentum };
  }

  #state(): DaeState {
    return this.#stateAt(this.#time);
  }

  #stateAt(time: number): DaeState {
    const { count } = this.#equations;
    const [y, rates] = [this.#room.y.subarray(0, count), this.#room.rates.subarray(0, count)];
    this.#solver.at(time, y, rates);
    return { time, y, rates };
  }

  #split({ y }: DaeState) {
    const { v, lambda } = this.#equations.at;
    return { q: y.slice(0, v), v: y.slice(v, lambda) };
  }

  #choose(state: DaeState): void {
    const { rows, left } = chooseRows(this.#whole, state);
    this.#equations = new Equations(this.mechanism, rows, this.#tolerance);
    this.#left = left;
  }

  #start(q: Float64Array, v: Float64Array, integrals?: Float64Array): void {
    const equations = this.#equations;
    equations.since = this.#since;
    const { statistics } = this.#solver ?? {};
    const state = stateOf(equations, this.#time, q, v);
    if (!this.#solver) requireInertia(equations, state);
    requireFullRank(equations, state);
    equations.follow(state);
    keepRates(equations, state);
    if (!this.#solver && this.contacts) {
      // Speeds of approach are those that loops allow.
      this.mechanism.tree.forward(state.y);
      this.contacts.start();
      equations.others = this.contacts.loads;
      equations.join();
    }
    const solver = new DaeSolver(equations, { relativeTolerance: this.#tolerance });
    const gap = solver.makeConsistent(state);
    if (gap) {
      const { rows } = equations;
      const closures = equations.count - 2 * rows.length;
      const row = rows[(gap.row - closures) % (rows.length || 1)];
      throw new InputError(
        gap.of === 'constraints'
          ? `${row?.name ?? 'a quaternion'} cannot be met at time ${this.#time}: a gap of ${gap.value} is left`
          : `accelerations are not determined at time ${this.#time}, expected a pose that is not special`,
      );
    }
    if (this.#solver && statistics) {
      const past =
        this.#past ?? (Object.fromEntries(Object.keys(statistics).map((key) => [key, 0])) as never);
      const sum: DaeStatistics = { ...past };
      for (const key of Object.keys(statistics) as (keyof DaeStatistics)[]) sum[key] += statistics[key];
      this.#past = sum;
    }
    this.#solver = solver;
    const next = this.mechanism.breaks.find((time) => time > this.#time);
    solver.start(state, next ?? this.#time + 1, integrals);
    this.#watched = this.#time;
  }
}

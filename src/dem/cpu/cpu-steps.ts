/** Steps of a simulation on the host, in float64: the CPU backend, and the twin of the kernels. */

import { requireInRange } from '../../contacts/bodies/scene-scale.ts';
import { REMEMBERED } from '../../contacts/convex/remembered.ts';
import { type StageSinks, stageSinks } from '../../contacts/cpu/host-stages.ts';
import { firstUnclassified } from '../../contacts/cpu/pair-classes.ts';
import type { ContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, requireBodies, requireStored, words } from '../checkpoint/require-stored.ts';
import { DEEPEST_START, FARTHEST_MOVE } from '../constants.ts';
import type { ContactSums, PosedContacts } from '../forces/contact-forces.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Energies } from '../monitors/monitors.ts';
import { blocked, movedTooFar, smallerRadius } from '../monitors/stops.ts';
import {
  BodyStatus,
  kickAndDrift,
  type Loads,
  type MotionBounds,
  type MotionState,
  writePoses,
} from '../motion/motion.ts';
import { type StepClock, timeAfter } from '../motion/step-clock.ts';
import { appearanceSteps, isBeyond, statusesAtFirst } from '../scene/comings-and-goings.ts';
import { posesOfCopies, type RepeatedContacts } from '../scene/copies.ts';
import { driveBodies } from '../scene/drive.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';
import { kickServo, type Servo, type ServoStep, servoStep } from '../scene/servo.ts';
import { gravityAt } from '../scene/time-table.ts';
import type { ContactFinder, StepLoads, StepMover } from '../steps/step-response.ts';
import { Copies } from './copies.ts';
import { EnergyAccount } from './energy-account.ts';
import { finishBodies, setLoads, weigh } from './finish-bodies.ts';
import { StepContacts } from './step-contacts.ts';
import { contactRules, storedContacts, withContacts } from './stored-contacts.ts';

/** Parts of steps on the host. */
export interface CpuStepsOptions {
  readonly model: SimulationModel;
  readonly engine: ContactEngine;
  readonly response: StepLoads | StepMover;
  /** Finds contacts of convex bodies in place of the engine. Undefined: the engine finds them. */
  readonly narrow?: ContactFinder | undefined;
  /** At first. */
  readonly clock: StepClock;
  /** Undefined: space does not repeat. Else bodies of the engine are copies. */
  readonly space: RepeatedSpace | undefined;
  /** Why the CPU does the work. */
  readonly reason: string;
}

/** Arrays of bodies that a step changes. */
type BodyArrays = Omit<MotionState, 'count'> &
  Loads & { readonly start: Float64Array; readonly statuses: Uint8Array };

/** Memory that the contacts of a step lie in. */
interface ContactRoom {
  readonly sinks: StageSinks;
  /** `[n * 7]`, and of copies: the same array where space does not repeat. */
  readonly poses: Float64Array;
  readonly posesOfCopies: Float64Array<ArrayBuffer>;
  contacts?: StepContacts;
}

export class CpuSteps {
  readonly state: MotionState;
  readonly loads: Loads;
  /** `[n]`: `BodyStatus`. */
  readonly statuses: Uint8Array;
  /** Of the last step. */
  #contacts: StepContacts | undefined;
  sums: ContactSums | undefined;
  /**
   * Wall time of all steps by stage: those of `ContactSeconds`, `forces` or `impulses`, and `motion` with the sums over
   * bodies.
   */
  readonly seconds: Record<string, number> = {};
  readonly #model: SimulationModel;
  readonly #engine: ContactEngine;
  readonly #response: StepLoads | StepMover;
  /** The response, where it moves bodies by itself. */
  readonly #mover: StepMover | undefined;
  readonly #narrow: ContactFinder | undefined;
  readonly #reason: string;
  /** For contacts of the next step and of the last one: whichever the last one's are not in. */
  readonly #rooms: readonly ContactRoom[];
  readonly #account: EnergyAccount;
  #clock: StepClock;
  /** Where space repeats. */
  readonly #space: RepeatedSpace | undefined;
  readonly #copies: Copies | undefined;
  /** `[n]`: the number of steps after which each body appears. */
  #appearsAfter: Uint32Array;
  /** Bodies that are yet to appear, the next one last. */
  #waiting: number[] = [];
  /** Heights of gravity's energy: positions at first. */
  readonly #start: Float64Array;
  /** Arrays of bodies before the step, for `saved`: this room serves again in each step. */
  #before: BodyArrays | undefined;
  /** `[n]`: 1 for bodies that are not there; undefined: all are. And the statuses that it was made of. */
  #absent: Uint8Array | undefined;
  #statusesOfAbsent: Uint8Array | undefined;

  constructor({ model, engine, response, narrow, clock, space, reason }: CpuStepsOptions) {
    const { count, state } = model;
    this.#model = model;
    this.#engine = engine;
    this.#response = response;
    this.#mover = 'move' in response ? response : undefined;
    this.#narrow = narrow;
    this.#reason = reason;
    this.state = state;
    this.loads = { forces: new Float64Array(3 * count), torques: new Float64Array(3 * count) };
    this.#rooms = [0, 1].map(() => {
      const poses = new Float64Array(7 * count);
      const all = space ? new Float64Array(7 * count * space.copies) : poses;
      return { sinks: stageSinks(), poses, posesOfCopies: all };
    });
    this.#start = state.positions.slice();
    this.#account = new EnergyAccount({ model, start: this.#start });
    this.#clock = clock;
    this.#space = space;
    this.#copies = space && new Copies(space, model, engine.margin);
    this.#appearsAfter = appearanceSteps(model.appearsAt, clock);
    this.statuses = statusesAtFirst(this.#appearsAfter);
    this.#listWaiting();
  }

  get energies(): Energies {
    return this.#account.energies;
  }

  /** Contacts of the last step, listed when they are asked for. */
  get contacts(): RepeatedContacts | undefined {
    return this.#contacts?.list;
  }

  /** How many there are. */
  get contactCount(): number {
    return this.#contacts?.count ?? 0;
  }

  /** Of these, those whose status is `open`. */
  get openContacts(): number {
    return this.#contacts?.openContacts ?? 0;
  }

  get isByImpulses(): boolean {
    return this.#mover !== undefined;
  }

  /** Steps that follow are of this length. */
  setClock(clock: StepClock): void {
    this.#clock = clock;
    this.#appearsAfter = appearanceSteps(this.#model.appearsAt, clock);
    this.#listWaiting();
  }

  /** All that a step depends on, also what contacts take over from earlier ones. */
  store(): StoredState {
    const { kept } = this.#engine.cpu;
    return {
      numbers: this.#account.store(),
      arrays: {
        ...this.#arrays(),
        ...this.#copies?.store(),
        ...this.#response.store(),
        ...(this.#mover && storedContacts(this.contacts!)),
        ...(kept && {
          ...{ keptReference: kept.reference, keptPolyhedra: kept.polyhedra.pairs },
          ...{ keptPatches: kept.patches.pairs, keptConvex: kept.convex.pairs },
          ...(kept.convex.remembered && { keptMemory: kept.convex.remembered }),
          ...(kept.absent && { keptAbsent: kept.absent }),
        }),
      },
    };
  }

  /**
   * Puts back what `store` gave, with the contacts that there are then: bodies do not move.
   *
   * @param stored of the same scene
   * @param steps that were made
   * @param name for messages
   * @throws InputError for what `store` does not give
   */
  async restore(stored: StoredState, steps: number, name: string): Promise<void> {
    this.#require(stored, name);
    // Finding contacts changes what is remembered, so all is put back again.
    this.#put(structuredClone(stored));
    await this.begin(steps).catch((error: unknown) => {
      // Of poses that nobody but the file has given.
      throw error instanceof InputError ? new InputError(`${name}: ${error.message}`) : error;
    });
    this.#put(stored);
    // The next step begins with them, and finding them again may settle ties otherwise.
    if (this.#mover) this.#contacts = this.#contacts!.withList(withContacts(this.contacts!, stored.arrays));
  }

  #require(stored: StoredState, name: string): void {
    const { table, bodies, stages } = this.#engine;
    const { count } = this.state;
    const placed = bodies.count;
    const kept = { polyhedra: 'keptPolyhedra', patches: 'keptPatches', convex: 'keptConvex' } as const;
    const pairsOf = (list: keyof typeof kept) => itemsOf(stored, kept[list], 2);
    const hasKept = stored.arrays.keptReference !== undefined;
    // Pairs of balls remember nothing.
    const isListed = stored.arrays.keptConvex instanceof Uint32Array;
    const hasMemory =
      stored.arrays.keptMemory !== undefined ||
      (isListed && stages.memoryOf({ pairs: stored.arrays.keptConvex as Uint32Array }) !== undefined);
    requireStored(stored, name, Object.keys(this.#account.store()), {
      ...{ positions: floats(3 * count), rotations: floats(4 * count), velocities: floats(3 * count) },
      ...{ momenta: floats(3 * count), forces: floats(3 * count), torques: floats(3 * count) },
      ...{ start: floats(3 * count), statuses: bytes(count, BodyStatus.removed + 1) },
      ...this.#copies?.rules,
      ...this.#response.rulesFor(stored, count),
      ...(this.#mover && contactRules(stored, count)),
      ...(hasKept && {
        ...{ keptReference: floats(7 * placed), keptPolyhedra: words(2 * pairsOf('polyhedra')) },
        ...{ keptPatches: words(2 * pairsOf('patches')), keptConvex: words(2 * pairsOf('convex')) },
        ...(hasMemory && { keptMemory: words(REMEMBERED * pairsOf('convex')) }),
      }),
      ...(stored.arrays.keptAbsent && { keptAbsent: bytes(placed, 2) }),
    });
    const { arrays } = stored;
    for (const [list, own] of hasKept ? (Object.entries(kept) as [keyof typeof kept, string][]) : []) {
      const at = firstUnclassified(arrays[own] as Uint32Array, list, table.colliders);
      if (at < 0) continue;
      const pair = arrays[own]!.subarray(2 * at, 2 * at + 2).join(' and ');
      throw new InputError(`${name}: ${own}: pair ${at} is ${pair}, expected colliders of such pairs`);
    }
    requireBodies({ count, ...arrays } as unknown as Parameters<typeof requireBodies>[0], name);
  }

  #put({ numbers, arrays }: StoredState): void {
    const floats = (name: string) => arrays[name] as Float64Array;
    const words = (name: string) => arrays[name] as Uint32Array<ArrayBuffer>;
    for (const [name, array] of Object.entries(this.#arrays()))
      array.set(arrays[name] as Float64Array | Uint8Array);
    this.#copies?.restore(arrays);
    this.#listWaiting();
    this.#account.restore(numbers);
    this.#response.restore(arrays);
    const { cpu } = this.#engine;
    // A lost worker leaves no list of pairs: the next step makes one, here as there.
    if (arrays.keptReference === undefined) {
      cpu.forget();
      return;
    }
    cpu.keep({
      reference: floats('keptReference'),
      absent: arrays.keptAbsent as Uint8Array | undefined,
      polyhedra: { pairs: words('keptPolyhedra') },
      patches: { pairs: words('keptPatches') },
      convex: { pairs: words('keptConvex'), remembered: arrays.keptMemory as Uint32Array | undefined },
    });
  }

  /** Between bodies that touch, of the last step. */
  contactForces(): PairForces {
    return this.#response.contactForces();
  }

  /** Contacts and forces where bodies are, after so many steps. */
  async begin(steps: number, signal?: AbortSignal): Promise<void> {
    driveBodies(this.#model, this.state, timeAfter(this.#clock, steps));
    for (const [body, { direction }] of this.#model.servos)
      kickServo(this.state, this.loads, body, direction, { keep: 1, gain: 0 }, 0);
    const gravity = this.#gravityAfter(steps);
    await this.#evaluate(0, await this.#detect(signal));
    this.#sumUp(0, [gravity, gravity]);
  }

  /**
   * Moves bodies by a step, after so many others. `finish` is the rest of it, and `saved` takes all of it back. Returns
   * whether all bodies are in bounds and move at finite speeds; false where somebody has to look.
   */
  move(steps: number, bounds: MotionBounds): boolean {
    const { inertia } = this.#model;
    const { state, statuses } = this;
    const length = this.#clock.timeStep;
    if (this.#mover) this.#push(this.#mover, steps);
    const began = performance.now();
    let areInside = false;
    if (!this.#mover) areInside = kickAndDrift(state, inertia, this.loads, length, statuses, bounds);
    driveBodies(this.#model, this.state, timeAfter(this.#clock, steps + 1));
    this.#moveServos(steps);
    this.#remove(this.#gravityAfter(steps));
    this.#count('motion', began);
    return areInside && this.#model.servos.size === 0;
  }

  /** @throws ScreeError for a body that moves too far */
  #push(mover: StepMover, steps: number): void {
    const { names, laws, applied } = this.#model;
    const { state, statuses, loads } = this;
    const { timeStep: time } = this.#clock;
    // Its mean over the step.
    const [first, last] = [this.#gravityAfter(steps), this.#gravityAfter(steps + 1)];
    const gravity = first.map((g, k) => (g + last[k]!) / 2) as unknown as Vector3;
    const began = performance.now();
    const { positions } = state;
    const before = positions.slice();
    loads.forces.fill(0);
    loads.torques.fill(0);
    const start = timeAfter(this.#clock, steps);
    const drive = (of: MotionState, share: number) => driveBodies(this.#model, of, start + share * time);
    const step = { time, step: steps + 1, gravity, applied, statuses, loads, drive };
    const moved = mover.move(this.contacts!, state, step);
    for (const [name, energy] of Object.entries(moved)) this.energies[name as keyof typeof moved] += energy;
    const { inverseMasses } = this.#model.inertia;
    for (let body = 0; body < state.count; body++) {
      const at = 3 * body;
      const inverse = inverseMasses[body]!;
      if (inverse !== 0 && statuses[body] === BodyStatus.present)
        weigh(loads, applied, body, inverse, gravity);
      const far = Math.hypot(...[0, 1, 2].map((k) => positions[at + k]! - before[at + k]!));
      // NaN passes here: checks of what is finite refuse it.
      if (laws.radii[body]! > 0 && far > FARTHEST_MOVE * laws.radii[body]!)
        throw movedTooFar({ step: steps + 1, timeStep: time }, names, body, far, laws.radii[body]!);
    }
    this.#count('impulses', began);
  }

  /**
   * Contacts and loads where `move` has brought bodies, and their speeds.
   *
   * @throws ScreeError that names a body that appears where it has no room
   */
  async finish(steps: number): Promise<void> {
    const { state, statuses } = this;
    const length = this.#clock.timeStep;
    const appearing = this.#appearingAfter(steps + 1);
    const moved = appearing.length > 0 ? statuses.slice() : statuses;
    for (const body of appearing) statuses[body] = BodyStatus.present;
    const found = await this.#detect();
    this.#requireRoom(appearing, steps + 1);
    const [before, gravity] = [this.#gravityAfter(steps), this.#gravityAfter(steps + 1)];
    await this.#evaluate(length, found);
    const began = performance.now();
    for (const [body, servo] of this.#model.servos) {
      const half = this.#servoStep(servo, steps);
      if (!('move' in this.#response)) setLoads(this.loads, this.#response.loads, body);
      kickServo(state, this.loads, body, servo.direction, half, half.push);
    }
    this.#sumUp(length, [before, gravity], { appearing, moved });
    this.#insert(appearing, gravity);
    this.#count('motion', began);
    for (const [stage, seconds] of Object.entries(this.#contacts!.seconds)) this.#add(stage, seconds);
  }

  /** The first half of a step, and its way. */
  #moveServos(steps: number): void {
    const { positions, velocities } = this.state;
    for (const [body, servo] of this.#model.servos) {
      const half = this.#servoStep(servo, steps);
      kickServo(this.state, this.loads, body, servo.direction, half, half.pushBefore);
      for (let k = 3 * body; k < 3 * body + 3; k++) positions[k]! += this.#clock.timeStep * velocities[k]!;
    }
  }

  #servoStep(servo: Servo, steps: number): ServoStep {
    return servoStep(servo, timeAfter(this.#clock, steps), timeAfter(this.#clock, steps + 1));
  }

  #gravityAfter(steps: number): Vector3 {
    return gravityAt(this.#model.gravity, timeAfter(this.#clock, steps));
  }

  #count(stage: string, began: number): void {
    this.#add(stage, (performance.now() - began) / 1000);
  }

  #add(stage: string, seconds: number): void {
    this.seconds[stage] = (this.seconds[stage] ?? 0) + seconds;
  }

  /** Finds contacts, and returns them pair by pair. Lists of pairs are not kept: the next step may make others. */
  async #detect(signal?: AbortSignal): Promise<PosedContacts> {
    const { statuses } = this;
    const { cpu, cell, bodies } = this.#engine;
    const copies = this.#copies;
    const space = this.#space;
    const began = performance.now();
    copies?.update(this.state, this.#start, statuses);
    const room = this.#rooms.find(({ contacts }) => contacts === undefined || contacts !== this.#contacts)!;
    writePoses(this.state, this.#model, room.poses);
    if (space) posesOfCopies(space, room.poses, room.posesOfCopies);
    const poses = room.posesOfCopies;
    requireInRange(poses, cell, bodies.names);
    const absent = copies ? copies.absent.slice() : this.#absentNow();
    this.#count('motion', began);
    const started = performance.now();
    const posed = { poses, absent };
    const { lists, stages, ...found } = await cpu.detect(posed, { signal, sinks: room.sinks });
    this.#contacts = room.contacts = new StepContacts({
      ...{ engine: this.#engine, found, poses, space, reason: this.#reason },
      total: (performance.now() - started) / 1000,
    });
    const staged = { lists, stages, poses: room.poses };
    if (!this.#narrow) return staged;
    const asked = performance.now();
    const list = this.#narrow.find(this.#contacts.list, room.poses);
    this.#contacts = room.contacts = this.#contacts.withList(list);
    this.#count('narrowPhase', asked);
    return staged;
  }

  /** Made anew where a status has changed: lists of pairs keep it. */
  #absentNow(): Uint8Array | undefined {
    const { statuses } = this;
    const last = this.#statusesOfAbsent;
    let isSame = last !== undefined;
    for (let body = 0; body < statuses.length && isSame; body++) isSame = statuses[body] === last![body];
    if (isSame) return this.#absent;
    this.#statusesOfAbsent = statuses.slice();
    const absent = statuses.map((status) => (status === BodyStatus.present ? 0 : 1));
    this.#absent = absent.includes(1) ? absent : undefined;
    return this.#absent;
  }

  /** Forces of contacts where bodies are: of impulses those of the step that led there. */
  async #evaluate(length: number, found: PosedContacts): Promise<void> {
    const response = this.#response;
    if ('move' in response) {
      const deepest = this.contacts!.distances.reduce((most, distance) => Math.max(most, -distance), 0);
      this.sums = {
        elastic: 0,
        tangential: 0,
        rolled: 0,
        largestFrequency: 0,
        deepest,
        deepestShare: Infinity,
      };
      return;
    }
    const began = performance.now();
    this.sums = await response.add(found, this.state, length);
    this.#count('forces', began);
  }

  #listWaiting(): void {
    const after = this.#appearsAfter;
    this.#waiting = Array.from(after.keys())
      .filter((body) => this.statuses[body] === BodyStatus.absent)
      .sort((a, b) => after[b]! - after[a]! || b - a);
  }

  /** Bodies that appear after so many steps, in order. */
  #appearingAfter(steps: number): number[] {
    const waiting = this.#waiting;
    let first = waiting.length;
    while (first > 0 && this.#appearsAfter[waiting[first - 1]!]! <= steps) first--;
    return waiting.slice(first).reverse();
  }

  #arrays(): BodyArrays {
    const { statuses, state } = this;
    const { positions, rotations, velocities, momenta } = state;
    return { positions, rotations, velocities, momenta, ...this.loads, start: this.#start, statuses };
  }

  /** A function that takes back a step that follows, until this is called again. */
  saved(): () => void {
    const arrays = this.#arrays();
    const names = Object.keys(arrays) as (keyof BodyArrays)[];
    this.#before ??= structuredClone(arrays);
    const before = this.#before;
    for (const name of names) before[name].set(arrays[name]);
    const copies = this.#copies && structuredClone(this.#copies.store());
    const contacts = this.#contacts;
    const { sums } = this;
    const goBack = this.#response.saved();
    const restoreAccount = this.#account.saved();
    return () => {
      for (const name of names) arrays[name].set(before[name]);
      if (copies) this.#copies!.restore(copies);
      this.#contacts = contacts;
      this.sums = sums;
      goBack();
      restoreAccount();
      this.#listWaiting();
    };
  }

  /** @throws ScreeError for the first of these bodies that lies too deep in another */
  #requireRoom(appearing: readonly number[], steps: number): void {
    if (appearing.length === 0) return;
    const model = this.#model;
    const { count, bodies, distances } = this.contacts!;
    for (let i = 0; i < count; i++) {
      const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
      const most = DEEPEST_START * smallerRadius(model.laws.radii, a, b);
      if (-distances[i]! <= most || !(appearing.includes(a) || appearing.includes(b))) continue;
      const pair = appearing.includes(b) ? ([b, a] as const) : ([a, b] as const);
      throw blocked({ step: steps, timeStep: this.#clock.timeStep }, model, pair, -distances[i]!);
    }
  }

  /** Counts what bodies that have just appeared brought. */
  #insert(appearing: readonly number[], gravity: Vector3): void {
    if (appearing.length === 0) return;
    this.#waiting.length -= appearing.length;
    const isNew = new Uint8Array(this.state.count);
    for (const body of appearing) {
      isNew[body] = 1;
      this.energies.inserted += this.#account.energyOf(body, gravity);
    }
    if (!('move' in this.#response)) this.energies.inserted += this.#response.energyAt(isNew).elastic;
  }

  /**
   * Takes bodies out that have moved beyond a plane. Their velocities become those that the loads before would have
   * led to, so what they take along is right for a body that falls freely; energy of contacts is that of the last step.
   *
   * @param gravity that these loads had
   */
  #remove(gravity: Vector3): void {
    const { removal, inertia } = this.#model;
    const { positions, velocities, momenta } = this.state;
    if (removal.length === 0) return;
    const isGone = new Uint8Array(this.state.count);
    for (let body = 0; body < isGone.length; body++) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0 || this.statuses[body] !== BodyStatus.present) continue;
      const at = 3 * body;
      if (!isBeyond(removal, positions[at]!, positions[at + 1]!, positions[at + 2]!)) continue;
      for (let k = at; k < at + 3 && !this.#mover; k++) {
        velocities[k]! += (this.#clock.timeStep / 2) * inverse * this.loads.forces[k]!;
        momenta[k]! += (this.#clock.timeStep / 2) * this.loads.torques[k]!;
      }
      this.energies.removed += this.#account.energyOf(body, gravity);
      this.statuses[body] = BodyStatus.removed;
      isGone[body] = 1;
    }
    if (!isGone.includes(1) || 'move' in this.#response) return;
    this.#account.remove(this.#response.energyAt(isGone));
  }

  /** Loads, speeds and energies at the end of a step of this length. */
  #sumUp(
    length: number,
    gravity: readonly [Vector3, Vector3],
    { appearing, moved }: { readonly appearing: readonly number[]; readonly moved: Uint8Array } = {
      appearing: [],
      moved: this.statuses,
    },
  ): void {
    const response = this.#response;
    const losses = 'move' in response ? undefined : response.loads;
    const { statuses, loads } = this;
    const bodies = finishBodies({
      ...{ model: this.#model, statuses, moved, loads, losses, gravity: gravity[1] },
      ...{ start: this.#start, time: length / 2 },
    });
    const hasLosses = losses !== undefined;
    const before = this.#before;
    this.#account.sumUp(length, {
      ...{ statuses, bodies, hasLosses, sums: this.sums!, gravity, before, appearing },
    });
  }
}

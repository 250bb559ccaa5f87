/**
 * A simulation whose bodies are on the GPU. The host submits some tens of steps at a time, reads 432 bytes after each
 * submission, and keeps two of them under way. docs/dem.md, "Steps on the GPU".
 */
import { readFromArrayBuffer, writeToArrayBuffer } from 'typegpu';
import * as d from 'typegpu/data';
import type { GpuCapacity, GpuContacts } from '../../contacts/gpu/gpu-contacts.ts';
import { GrowingContacts, roomFor } from '../../contacts/gpu/growing-contacts.ts';
import { HEADER_WORDS } from '../../contacts/gpu/header.ts';
import { readContacts } from '../../contacts/gpu/read-contacts.ts';
import type { ContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { listContacts } from '../../contacts/pipeline/list-contacts.ts';
import type { ScreeError } from '../../errors.ts';
import { readBack, readStaged, wordsOf, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { StoredState } from '../checkpoint/checkpoint.ts';
import { itemsOf, requireBodies, requireStored, words } from '../checkpoint/require-stored.ts';
import { DEEPEST_OVERLAP, DEEPEST_START, LONGEST_STEP, MOST_IMBALANCE } from '../constants.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import { balanceOf, leastTurnover, type Monitors } from '../monitors/monitors.ts';
import * as stops from '../monitors/stops.ts';
import { type MotionState, writePoses } from '../motion/motion.ts';
import { type StepClock, timeAfter } from '../motion/step-clock.ts';
import { appearanceSteps, statusesAtFirst } from '../scene/comings-and-goings.ts';
import { bringIn, contactsOfBodies, posesOfCopies } from '../scene/copies.ts';
import { driveBodies } from '../scene/drive.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { RepeatedSpace } from '../scene/repeated-space.ts';
import { servoStep } from '../scene/servo.ts';
import { gravityAt } from '../scene/time-table.ts';
import type { BodyState, SimulationBackend, StepWatch } from '../steps/simulation-backend.ts';
import { KEY } from './contact-memory.ts';
import { repetitionOf } from './device-copies.ts';
import type { DeviceResponse } from './device-response.ts';
import { DeviceSteps, STEPS_AT_ONCE } from './device-steps.ts';
import { ForcesOnDevice } from './forces/forces-on-device.ts';
import {
  DRIVEN_WORDS,
  packContactBodies,
  packDriven,
  packGravities,
  packServo,
  packStarts,
  packState,
  unpackState,
} from './pack.ts';
import { MotionBody, NO_BODY, StartPlace, StepControl, StepMonitors, StopReason } from './step-layout.ts';
import { reasonOf } from './stop-reason.ts';

/** Submissions under way at once: one runs, the next one waits. */
const MOST_UNDER_WAY = 2;
/** Seconds that a submission is to take: nobody waits longer for a call that is to stop. */
const SUBMISSION_SECONDS = 0.05;
/** Least part of a submission's time that its steps take: clocks are not exact. */
const LEAST_OWN_SHARE = 1 / 16;
/** Steps after which it is known how long a list of pairs serves, and the share of them that is counted on. */
const LEAST_LIST_AGE = 8;
const SURE_OF_LIST = 0.8;
/** Bodies that hardly move may begin to: a list that has lost this much is counted on for 64 times its age. */
const LEAST_LIST_SHARE = 2 ** -6;
/** Exponent of a float32 that is not finite. No count of what is watched is as large. */
const INFINITE = 0x7f800000;
/** Of float32: no bound. */
const UNBOUNDED = 3e38;
const KEY_WORDS = KEY / WORD;
const REPORT_BYTES = d.sizeOf(StepControl) + d.sizeOf(StepMonitors);

type Control = d.Infer<typeof StepControl>;

interface Report {
  readonly control: Control;
  /** The last ones that are numbers. */
  readonly monitors: d.Infer<typeof StepMonitors>;
  /** Whether those of the last step run over float32. */
  readonly runsOver?: boolean;
}

export interface GpuBackendOptions {
  readonly model: SimulationModel;
  readonly engine: ContactEngine;
  /** At first. */
  readonly clock: StepClock;
  /** Undefined: space does not repeat. Else bodies of the engine are copies. */
  readonly space: RepeatedSpace | undefined;
  /** Why the GPU does the work. */
  readonly reason: string;
  /** Substeps of a step by impulses; undefined: contacts have forces. */
  readonly substeps: number | undefined;
}

export class GpuBackend implements SimulationBackend {
  readonly #device: Device;
  readonly #options: GpuBackendOptions;
  readonly #steps: DeviceSteps;
  readonly #contacts: GrowingContacts;
  readonly #response: DeviceResponse;
  readonly #owner: Owner;
  #report: Report;
  #clock: StepClock;
  #submissions = 0;
  /** Steps of the next submission. */
  #batch = 1;
  /** Time that a step adds to a submission, and the least that a submission took. */
  #secondsOfStep: number | undefined;
  #leastSeconds = Infinity;
  /** Driven bodies on the host, in float64. */
  readonly #driven: MotionState;
  readonly #seconds = { steps: 0 };
  /** Contacts are those of a step that was given up, and the next one begins with them. */
  #isGivenUp = false;
  /** Places of bodies when contacts were found, if bodies have been put elsewhere since. */
  #posesOfContacts: Float64Array | undefined;

  private constructor(
    device: Device,
    options: GpuBackendOptions,
    steps: DeviceSteps,
    { owner, contacts, response }: { owner: Owner; contacts: GrowingContacts; response: DeviceResponse },
  ) {
    const { model } = options;
    this.#device = device;
    this.#options = options;
    this.#clock = options.clock;
    this.#steps = steps;
    this.#contacts = contacts;
    this.#response = response;
    this.#owner = owner;
    this.#driven = {
      count: model.count,
      positions: model.state.positions.slice(),
      rotations: model.state.rotations.slice(),
      velocities: model.state.velocities.slice(),
      momenta: model.state.momenta.slice(),
    };
    this.#report = {
      control: this.#firstControl(),
      monitors: readFromArrayBuffer(new ArrayBuffer(d.sizeOf(StepMonitors)), StepMonitors),
    };
  }

  /** Compiles all kernels, makes room, and uploads bodies. */
  static create(device: Device, options: GpuBackendOptions): Promise<GpuBackend> {
    const { model, engine, clock, space } = options;
    const { cell, margin } = engine;
    return owned(async (owner) => {
      const steps = owner.keep(await DeviceSteps.create(device, { model, clock, cell, space, margin }));
      const contacts = owner.keep(
        await GrowingContacts.create(device, {
          ...engine,
          capacity: beginningOf(engine.capacity),
          rows: { bodies: model.count, copies: space?.copies ?? 1 },
        }),
      );
      const response = owner.keep(await responseFor(device, options, contacts.now));
      const backend = new GpuBackend(device, options, steps, { owner, contacts, response });
      const statuses = statusesAtFirst(appearanceSteps(model.appearsAt, clock));
      backend.#upload({ ...model.state, statuses });
      backend.#put(packStarts(model.state, cell), steps.starts);
      backend.#putControl(backend.#report.control);
      return backend;
    });
  }

  get steps(): number {
    return this.#report.control.steps;
  }

  setClock(clock: StepClock): void {
    this.#clock = clock;
    this.modelChanged();
  }

  modelChanged(): void {
    this.#steps.setClock(this.#clock);
    this.#resume(this.#report);
  }

  get seconds(): Readonly<Record<string, number>> {
    return { ...this.#seconds };
  }

  /** `ContactBody` of each body. */
  get bodies(): GPUBuffer {
    return this.#steps.bodies;
  }

  get cell(): number {
    return this.#options.engine.cell;
  }

  get gpuBytes(): number {
    return this.#steps.pool.bytes + this.#contacts.now.bytes + this.#response.bytes;
  }

  get monitors(): Monitors {
    const { control, monitors } = this.#report;
    const { sums, work, workLow, lost, lostLow, exchanged, exchangedLow } = monitors;
    const energies = {
      ...{ kinetic: sums.kinetic, gravity: sums.gravity, elastic: monitors.elastic },
      ...{ dashpots: lost.x + lostLow.x, rolling: lost.y + lostLow.y, friction: lost.z + lostLow.z },
      driven: work.z + workLow.z,
      pushed: exchanged.z + exchangedLow.z,
      ...{ inserted: exchanged.x + exchangedLow.x, removed: exchanged.y + exchangedLow.y },
    };
    return {
      ...energies,
      balance: balanceOf(energies),
      ...{ time: timeAfter(this.#clock, control.steps), steps: control.steps },
      ...{ presentBodies: sums.present, removedBodies: sums.gone },
      ...{ contacts: monitors.contacts, openContacts: monitors.open },
      ...{ deepestOverlap: monitors.deepest, largestFrequency: monitors.largestFrequency },
      momentum: inFull(sums.momentum, sums.momentumLow),
      angularMomentum: inFull(sums.angularMomentum, sums.angularMomentumLow),
    };
  }

  async evaluate(mostDepth: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const control = { ...this.#report.control, timeStep: 0, stop: StopReason.none, mostDepth };
      this.#putControl({ ...control, mostFrequency: UNBOUNDED });
      this.#fillTables(this.steps - 1, 1, false);
      const report = await this.#submit(1);
      if (report.control.stop === StopReason.room) await this.#grow();
      else {
        this.#posesOfContacts = undefined;
        this.#resume(report);
        this.#isGivenUp = false;
        if (report.control.stop !== StopReason.none) throw await this.#reasonOf(report.control);
        this.#requireFinite(report);
        return;
      }
    }
  }

  async advance(count: number, { signal, onProgress }: StepWatch): Promise<void> {
    const first = this.steps;
    const began = performance.now();
    /** Submissions whose ends nobody has waited for. */
    const underWay: Promise<Report>[] = [];
    let submitted = first;
    try {
      while (this.steps < first + count) {
        signal?.throwIfAborted();
        if (this.#isGivenUp) await this.#findAgain();
        while (underWay.length < MOST_UNDER_WAY && submitted < first + count) {
          const some = Math.min(this.#batch, first + count - submitted);
          this.#fillTables(submitted, some);
          const report = this.#submit(some, this.#stepsKept() - (submitted - this.steps));
          // Who waits for the one before it does not hear of this one yet.
          report.catch(() => {});
          underWay.push(report);
          submitted += some;
        }
        const mark = performance.now();
        const before = this.steps;
        const report = await underWay.shift()!;
        this.#adapt(report.control.steps - before, (performance.now() - mark) / 1000);
        const { stop } = report.control;
        if (stop === StopReason.none) {
          this.#report = report;
          this.#requireFinite(report);
          onProgress?.(this.steps - first, count);
          continue;
        }
        // Steps after this one did nothing.
        await Promise.all(underWay.splice(0));
        this.#resume(report);
        if (stop === StopReason.list) {
          submitted = this.steps;
          continue;
        }
        if (stop !== StopReason.room) {
          const reason = await this.#reasonOf(report.control);
          this.#place(await this.read());
          throw reason;
        }
        await this.#grow();
        submitted = this.steps;
      }
    } finally {
      const last = await Promise.allSettled(underWay);
      for (const one of last) if (one.status === 'fulfilled') this.#settle(one.value);
      this.#seconds.steps += (performance.now() - began) / 1000;
    }
  }

  async read(): Promise<BodyState> {
    return unpackState(await this.#stateWords(this.#report.control.current), this.cell);
  }

  async write(state: BodyState): Promise<void> {
    this.#posesOfContacts ??= await this.#poses();
    this.#upload(state);
    // A list has no pairs of bodies that are there only now.
    this.#report = { ...this.#report, control: { ...this.#report.control, listAge: 0 } };
  }

  async contacts(): Promise<DetectedContacts> {
    const started = performance.now();
    const { engine, reason, space } = this.#options;
    const poses = this.#posesOfContacts ?? (await this.#poses());
    const read = await readContacts(this.#device, this.#steps.pool, this.#contacts.now, engine);
    const found = listContacts(
      engine,
      { ...read, threads: 0, gpuBytes: this.gpuBytes, seconds: {} },
      space ? posesOfCopies(space, poses) : poses,
      { backend: 'gpu', reason, started },
    );
    return space ? contactsOfBodies(space, found) : found;
  }

  async #poses(): Promise<Float64Array> {
    const { model } = this.#options;
    const poses = new Float64Array(7 * model.count);
    writePoses(await this.read(), model, poses);
    return poses;
  }

  contactForces(): Promise<PairForces> {
    return this.#response.contactForces();
  }

  async store(): Promise<StoredState> {
    const { current } = this.#report.control;
    const history = await this.#response.store(current);
    const { starts, monitors, copies } = this.#steps;
    const state = await this.#stateWords(current);
    const [placed, watched, decided] = await this.#readAll([
      { buffer: starts, bytes: d.sizeOf(StartPlace) * this.#options.model.count },
      { buffer: monitors, bytes: d.sizeOf(StepMonitors) },
      ...(copies ? [{ buffer: copies.places, bytes: 2 * copies.placeBytes }] : []),
    ]);
    return {
      numbers: { steps: this.steps },
      arrays: {
        ...{ state, starts: wordsOf(placed!), monitors: wordsOf(watched!) },
        ...(copies && { copies: wordsOf(halfOf(decided!, current)) }),
        ...history,
      },
    };
  }

  async restore(stored: StoredState, name: string): Promise<void> {
    const { count } = this.#options.model;
    const { copies } = this.#steps;
    const contacts = itemsOf(stored, 'contactKeys', KEY_WORDS);
    requireStored(stored, name, [], {
      state: words((d.sizeOf(MotionBody) / WORD) * count),
      starts: words((d.sizeOf(StartPlace) / WORD) * count),
      monitors: { ...words(d.sizeOf(StepMonitors) / WORD), isFloat32: true },
      ...(copies && { copies: words(copies.placeBytes / WORD) }),
      contactKeys: words(KEY_WORDS * contacts),
      contactHistory: { ...words(this.#response.historyWords * contacts), isFloat32: true },
    });
    requireBodies(unpackState(stored.arrays.state as Uint32Array<ArrayBuffer>, this.cell), name);
    await this.#restore(stored);
    // The contacts that there are then. Finding them changes what forces remember, so all is put back again.
    await this.evaluate(Infinity);
    await this.#restore(stored, !this.#response.isByImpulses);
  }

  async #restore({ numbers, arrays }: StoredState, withContacts = true): Promise<void> {
    const wordsIn = (name: string) => arrays[name] as Uint32Array<ArrayBuffer>;
    const { starts, monitors, copies } = this.#steps;
    this.#uploadWords(wordsIn('state'));
    copies?.restore(wordsIn('copies'));
    this.#put(wordsIn('starts'), starts);
    this.#put(wordsIn('monitors'), monitors);
    const control = { ...this.#report.control, steps: numbers.steps! };
    if (withContacts) await this.#response.restore(arrays, control.current);
    this.#putControl(control);
    this.#report = {
      control,
      monitors: readFromArrayBuffer(wordsIn('monitors').slice().buffer, StepMonitors),
    };
  }

  destroy(): void {
    this.#owner.destroy();
  }

  #firstControl(): Control {
    const { model, engine, space } = this.#options;
    const { cell } = engine;
    const { timeStep } = this.#clock;
    const { count, driven, servos, removal } = model;
    const { low, high } = stops.boundsOf(model, cell);
    const inCells = ([x, y, z]: Vector3) => d.vec3f(x / cell, y / cell, z / cell);
    return {
      ...{ timeStep, cell, count, zero: 0, current: 0, stop: StopReason.none },
      ...{ stopBody: NO_BODY, stopPartner: NO_BODY, stopValue: 0, steps: 0, row: 0 },
      mostFrequency: LONGEST_STEP / timeStep,
      mostDepth: DEEPEST_OVERLAP,
      ...{ low: inCells(low), high: inCells(high), mostImbalance: MOST_IMBALANCE },
      leastTurnover: leastTurnover(model, cell),
      ...{ driven: driven.size + servos.size, planes: removal.length / 6, mostDepthAtFirst: DEEPEST_START },
      ...{
        ...repetitionOf(space, cell),
        listAge: 0,
        listShare: 1,
        listAllowed: this.#contacts.now.lists.broadPhase.allowed,
      },
      ...{ isByImpulses: Number(this.#response.isByImpulses), rest: d.vec2u() },
    };
  }

  #put(words: Uint32Array<ArrayBuffer>, buffer: GPUBuffer, offset = 0): void {
    writeBuffer(this.#device, buffer, words, offset);
  }

  #putControl(control: Control): void {
    const bytes = new ArrayBuffer(d.sizeOf(StepControl));
    writeToArrayBuffer(bytes, StepControl, control);
    this.#put(new Uint32Array(bytes), this.#steps.control);
  }

  /** Puts bodies into both halves: where space repeats, into the box. */
  #upload(state: MotionState & Pick<BodyState, 'statuses' | 'turns'>): void {
    const positions = state.positions.slice();
    const turns = state.turns?.slice() ?? new Int32Array(positions.length);
    this.#bringIn(positions, Array(state.count).keys(), (at, more) => {
      turns[at]! += more;
    });
    this.#uploadWords(packState({ ...state, positions, turns }, this.cell));
    this.#steps.copies?.forget();
  }

  #bringIn(positions: Float64Array, bodies: Iterable<number>, moved: (at: number, turns: number) => void) {
    const { space } = this.#options;
    if (space) for (const body of bodies) bringIn(space, body, positions, moved);
  }

  #uploadWords(words: Uint32Array<ArrayBuffer>): void {
    const { state } = this.#steps;
    this.#put(words, state);
    this.#put(words, state, words.byteLength);
    this.#place(unpackState(words, this.cell));
  }

  /** Puts bodies where renderers see them. Steps do so themselves, also one that then is none. */
  #place(state: BodyState): void {
    this.#put(packContactBodies(state, this.#options.model, this.cell), this.#steps.bodies);
  }

  /**
   * Gravity and places of driven bodies at the ends of the steps of a submission.
   *
   * @param moves whether time passes
   */
  #fillTables(first: number, steps: number, moves = true): void {
    const { model } = this.#options;
    const { driven, servos } = model;
    const places = driven.size + servos.size;
    const gravityAfter = (made: number) => gravityAt(model.gravity, timeAfter(this.#clock, made));
    this.#put(packGravities(first, steps, gravityAfter), this.#steps.gravities);
    if (places === 0) return;
    const table = new Uint32Array(DRIVEN_WORDS * places * steps);
    for (let row = 0; row < steps; row++) {
      const time = timeAfter(this.#clock, first + row + 1);
      driveBodies(model, this.#driven, time);
      this.#bringIn(this.#driven.positions, driven.keys(), () => {});
      [...driven.keys()].forEach((body, place) => {
        packDriven(table, row * places + place, this.#driven, body, model, this.cell);
      });
      const timeBefore = timeAfter(this.#clock, first + row);
      [...servos.values()].forEach((servo, place) => {
        const step = servoStep(servo, moves ? timeBefore : time, time);
        packServo(table, row * places + driven.size + place, servo.direction, step);
      });
    }
    this.#put(table, this.#steps.driven);
  }

  /**
   * How many steps from the last whole one on keep the list of pairs: most of those until some body has moved too far,
   * if it goes on as it did. The steps after these look themselves whether the list still serves.
   */
  #stepsKept(): number {
    const { listAge, listShare, stop } = this.#report.control;
    if (stop === StopReason.list || listAge < LEAST_LIST_AGE) return 0;
    const left = (listAge * (1 - listShare)) / Math.max(listShare, LEAST_LIST_SHARE);
    return Math.floor(SURE_OF_LIST * left);
  }

  /**
   * Submits steps. The control and the monitors come once they are done.
   *
   * @param kept of these, the first ones that keep the list of pairs
   */
  async #submit(steps: number, kept = 0): Promise<Report> {
    const { control, monitors, pool } = this.#steps;
    const device = this.#device;
    this.#put(Uint32Array.of(0), control, ROW_AT);
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const staging = pool.reserve(
      `report ${this.#submissions++ % MOST_UNDER_WAY}`,
      REPORT_BYTES,
      MAP_READ | COPY_DST,
    );
    const bytes = [d.sizeOf(StepControl), d.sizeOf(StepMonitors)];
    const checked = device.checked('making steps', () => {
      const recorder = new Recorder(device, { label: 'steps' });
      const stages = { contacts: this.#contacts.now, response: this.#response };
      for (let step = 0; step < steps; step++) this.#steps.record(recorder, stages, step < kept);
      recorder.copy(control, staging, bytes[0]!);
      recorder.copy(monitors, { buffer: staging, offset: bytes[0]! }, bytes[1]!);
      recorder.submit();
    });
    const read = readStaged(device, { staging, bytes });
    const [, parts] = await Promise.all([checked, device.restWhile(read)]);
    // Speeds are checked by kernels. What is summed up of fast ones may still run over.
    const runsOver = wordsOf(parts[1]!).some((word) => (word & INFINITE) === INFINITE);
    const bufferOf = (part: Uint8Array) => part.slice().buffer as ArrayBuffer;
    return {
      control: readFromArrayBuffer(bufferOf(parts[0]!), StepControl),
      monitors: runsOver ? this.#report.monitors : readFromArrayBuffer(bufferOf(parts[1]!), StepMonitors),
      runsOver,
    };
  }

  /** @throws for monitors that are not finite, of the step where the simulation is */
  #requireFinite({ runsOver }: Report): void {
    if (runsOver) throw stops.energiesNotFinite({ step: this.steps, timeStep: this.#clock.timeStep });
  }

  /**
   * As many steps per submission as take `SUBMISSION_SECONDS`, beside what any submission takes. On a device where that
   * is most of it, a submission of a few steps takes no longer than one of one.
   */
  #adapt(steps: number, seconds: number): void {
    if (steps === 0) return;
    this.#leastSeconds = Math.min(this.#leastSeconds, seconds);
    // Of one step alone nobody knows what of its time is its own: more are tried.
    const own =
      steps === 1
        ? Math.min(this.#secondsOfStep ?? seconds / 2, seconds)
        : Math.max((seconds - this.#leastSeconds) / (steps - 1), (LEAST_OWN_SHARE * seconds) / steps);
    this.#secondsOfStep = own;
    const wanted = Math.floor(SUBMISSION_SECONDS / Math.max(own, 1e-6));
    this.#batch = Math.max(1, Math.min(STEPS_AT_ONCE, 2 * this.#batch, wanted));
  }

  /** Takes over what a submission came to, whatever stopped it. */
  #settle(report: Report): void {
    if (report.control.stop === StopReason.none) this.#report = report;
    else this.#resume(report);
  }

  /** The last whole step is where the next one begins. */
  #resume({ control, monitors }: Report): void {
    const { timeStep, leastTurnover, mostFrequency, mostDepth } = this.#firstControl();
    if (control.stop !== StopReason.none) this.#isGivenUp = this.#response.isByImpulses;
    // A list that did not serve is made anew, and so is one of lists that grow.
    const listAge = control.stop === StopReason.none ? control.listAge : 0;
    const own = { timeStep, leastTurnover, mostFrequency, mostDepth, listAge };
    const next = { ...control, ...own, stop: StopReason.none };
    this.#putControl(next);
    this.#report = { control: next, monitors };
  }

  /**
   * Contacts of the last whole step are found again where a step begins with them: one that was given up has found
   * others. Nothing else is changed.
   */
  async #findAgain(): Promise<void> {
    const { monitors } = this.#report;
    await this.evaluate(Infinity);
    const bytes = new ArrayBuffer(d.sizeOf(StepMonitors));
    writeToArrayBuffer(bytes, StepMonitors, monitors);
    this.#put(new Uint32Array(bytes), this.#steps.monitors);
    this.#report = { control: this.#report.control, monitors };
  }

  /** Makes room for what the step under way needs. */
  async #grow(): Promise<void> {
    const [head] = await this.#readAll([{ buffer: this.#contacts.now.header, bytes: WORD * HEADER_WORDS }]);
    const room = roomFor(wordsOf(head!));
    if (!room) throw new Error('no list has run over');
    await this.#contacts.grow(room);
    await this.#response.grow({ ...room, rows: this.#contacts.now.rowRoom });
  }

  /** Why it stopped. */
  #reasonOf(control: Control): Promise<ScreeError> {
    const stateOf = async (half: number) => unpackState(await this.#stateWords(half), this.cell);
    return reasonOf(control, { ...this.#options, clock: this.#clock, cell: this.cell }, stateOf);
  }

  /** `MotionBody`s of a half. */
  async #stateWords(half: number): Promise<Uint32Array<ArrayBuffer>> {
    const bytes = d.sizeOf(MotionBody) * this.#options.model.count;
    const [words] = await this.#readAll([{ buffer: this.#steps.state, bytes: 2 * bytes }]);
    return wordsOf(halfOf(words!, half));
  }

  #readAll(sources: readonly { buffer: GPUBuffer; bytes: number }[]): Promise<Uint8Array[]> {
    return readBack(this.#device, this.#steps.pool, sources);
  }
}

/** Numbers that are stored in two parts. */
function inFull(high: Iterable<number>, low: Iterable<number>): Float64Array {
  const rest = [...low];
  return Float64Array.from(high, (x, i) => x + rest[i]!);
}

function halfOf(bytes: Uint8Array, half: number): Uint8Array {
  const size = bytes.byteLength / 2;
  return bytes.subarray(half * size, (half + 1) * size);
}

const ROW_AT = d.memoryLayoutOf(StepControl, (control) => control.row).offset;

/** Room that a simulation begins with. Its lists grow, so room for what most scenes do without is made when needed. */
function beginningOf(capacity: GpuCapacity): GpuCapacity {
  const share = (room: number) => Math.ceil(room / 8);
  const { clusters } = capacity;
  return {
    ...capacity,
    clusters: Math.ceil(clusters / 2),
    edgeClusters: share(clusters),
    planeClusters: share(clusters),
  };
}

async function responseFor(
  device: Device,
  { model, engine, substeps }: GpuBackendOptions,
  { capacity: { contacts, touching }, rowRoom: rows }: GpuContacts,
): Promise<DeviceResponse> {
  const capacity = { contacts, rows, touching };
  // Loaded where they are used: pages that go by forces do without.
  if (substeps !== undefined) {
    const { ImpulsesOnDevice } = await import('./impulses/impulses-on-device.ts');
    return ImpulsesOnDevice.create(device, { model, substeps, capacity });
  }
  const { table, polyhedra } = engine;
  return ForcesOnDevice.create(device, { model, colliders: table.colliders, polyhedra, capacity });
}

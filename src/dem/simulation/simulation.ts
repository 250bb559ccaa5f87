/** Bodies that move under forces of their contacts. */
import { type Options, requireArray, requireOptions, told } from '../../arguments.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { QUATERNION_NORM_TOLERANCE } from '../../convex/constants.ts';
import { InputError } from '../../errors.ts';
import type { Backend } from '../../gpu/backend.ts';
import { type AdapterSummary, type Device, requireDevice } from '../../gpu/device.ts';
import { Lifetime } from '../../gpu/lifetime.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import { decodeCheckpoint, encodeCheckpoint, type StoredState } from '../checkpoint/checkpoint.ts';
import { floats, itemsOf, requireStored } from '../checkpoint/require-stored.ts';
import { OVERLAP_AT_FIRST } from '../complementarity/constants.ts';
import {
  DEEPEST_START,
  LARGEST_LOAD,
  MOST_HALVINGS,
  MOST_STEPS,
  SIMULATED_BODY_BYTES,
} from '../constants.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Monitors } from '../monitors/monitors.ts';
import { StepTooLong } from '../monitors/stops.ts';
import {
  angularVelocity,
  BodyStatus,
  kineticEnergy,
  type MotionState,
  placeBody,
  setAngularVelocity,
  writePoses,
} from '../motion/motion.ts';
import { type Halving, halved, type StepClock, timeAfter } from '../motion/step-clock.ts';
import { requireConstantGravity } from '../scene/check-scene.ts';
import { requireMemory } from '../scene/memory.ts';
import type { SimulationModel } from '../scene/model.ts';
import {
  isByGaps,
  RESPONSE_NUMBERS,
  type ResponseName,
  responseOf,
  storedResponse,
} from '../scene/response.ts';
import type { SimulationScene } from '../scene/simulation-scene.ts';
import { partThatDiffers } from './digest.ts';
import {
  CREATE_OPTIONS,
  makeParts,
  type SimulationBuffers,
  type SimulationOptions,
  type SimulationParts,
} from './simulation-parts.ts';

export interface StepOptions {
  /** Stops between two steps; the call then rejects with the signal's reason, and the state is that of a whole step. */
  readonly signal?: AbortSignal | undefined;
  /** Called with how many of the call's steps are done: after each, on the GPU after some tens. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const STEP_OPTIONS: Options<StepOptions> = { signal: 'signal', onProgress: 'function' };

/** Quantities that `read` gives, with the numbers per body. */
const QUANTITIES = {
  ...{ poses: 7, centroids: 3, velocities: 3, angularVelocities: 3, forces: 3, torques: 3, statuses: 1 },
  ...{ kineticEnergies: 1, masses: 1 },
} as const;
export type Quantity = keyof typeof QUANTITIES;
/** Quantities that `write` takes, with the numbers per body. Gravity has three in all. */
const WRITABLE = {
  ...{ poses: 7, velocities: 3, angularVelocities: 3, statuses: 1, appliedForces: 3, appliedTorques: 3 },
  gravity: 3,
} as const;
export type WritableQuantity = keyof typeof WRITABLE;

export type { PairForces } from '../forces/pair-forces.ts';
export type { Monitors } from '../monitors/monitors.ts';
export type { NarrowPhaseChoice, ResponseName } from '../scene/response.ts';

/**
 * A scene in motion.
 *
 *     const simulation = await Simulation.create(undefined, scene);
 *     await simulation.step(1000);
 *     const poses = await simulation.read('poses');
 *
 * docs/dem.md has the laws, the integrator and what is kept to which bound.
 */
export class Simulation {
  /** The default of `timeStep`. */
  readonly recommendedTimeStep: number;
  readonly bodyCount: number;
  /** The response of steps to contacts. */
  readonly response: ResponseName;
  /** The backend that makes the steps, and why. */
  readonly backend: Backend;
  readonly reason: string;
  /** The device's; undefined on the CPU. */
  readonly adapter: AdapterSummary | undefined;
  /** Undefined on the CPU. They stay the same until `destroy()`. */
  readonly buffers: SimulationBuffers | undefined;
  readonly #parts: SimulationParts;
  readonly #life: Lifetime;
  #clock: StepClock;
  #isDefaultStep: boolean;
  #halvings: readonly Halving[] = [];
  /** Whether forces are those of the state. */
  #isFresh = false;

  private constructor(parts: SimulationParts) {
    const { model, device, choice, buffers, clock, isDefaultStep, recommended } = parts;
    this.#parts = parts;
    this.bodyCount = model.count;
    this.#clock = clock;
    this.#isDefaultStep = isDefaultStep;
    this.recommendedTimeStep = recommended;
    this.response = parts.response.response;
    this.backend = choice.backend;
    this.reason = choice.because;
    this.adapter = choice.backend === 'gpu' ? device?.adapter : undefined;
    this.buffers = buffers;
    this.#life = new Lifetime({
      device: choice.backend === 'gpu' ? device : undefined,
      name: 'this simulation',
      release: () => parts.backend.destroy(),
    });
  }

  /**
   * The bytes that so many bodies take on the host at least, whatever their shapes. `parseScene` asks by it before it
   * makes bodies: `parseScene(text, { onBodies: (count) => Simulation.requireMemory(count) })`.
   *
   * @throws InputError where the machine has fewer. Browsers do not tell how many they have.
   */
  static requireMemory(bodies: number): number {
    return requireMemory(bodies, SIMULATED_BODY_BYTES);
  }

  /**
   * Checks a scene and makes it ready to move.
   *
   * @param device of `openDevice()`: steps are made there where that pays, or where `backend` says so. Undefined: the
   *   CPU makes them, in float64
   * @throws InputError for what cannot be used: its place, what was found and what was expected. So for bodies that
   *   overlap by more than a quarter of their radius at first, and for a step that is too long to be stable.
   * @throws DeviceError if the device is lost, destroyed or out of memory.
   */
  static async create(
    device: Device | undefined,
    scene: SimulationScene,
    options: SimulationOptions = {},
  ): Promise<Simulation> {
    requireDevice('Simulation.create', device);
    requireOptions('Simulation.create', options, CREATE_OPTIONS);
    return Simulation.#started(await makeParts(device, scene, options), options.signal);
  }

  /** Finds the forces at first. */
  static async #started(parts: SimulationParts, signal: AbortSignal | undefined): Promise<Simulation> {
    const simulation = new Simulation(parts);
    const deepest = isByGaps(simulation.response) ? OVERLAP_AT_FIRST : DEEPEST_START;
    try {
      const { backend } = simulation.#parts;
      await simulation.#life.inTurn(() => backend.evaluate(deepest, signal));
      simulation.#isFresh = true;
      return simulation;
    } catch (error) {
      simulation.destroy();
      throw error;
    }
  }

  /**
   * The state, for `resume`, as bytes with a version and a checksum. The steps after it are the same, bit for bit,
   * whether the simulation goes on or is resumed.
   */
  async checkpoint(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#life.inTurn(async () => {
      await this.#refresh();
      const { numbers, arrays } = await this.#parts.backend.store();
      const { timeStep } = this;
      const own = {
        ...{ timeStep, isDefaultStep: this.#isDefaultStep ? 1 : 0, ...this.#parts.digests },
        isGpu: this.backend === 'gpu' ? 1 : 0,
        ...storedResponse(this.#parts.response),
      };
      const halvings = Float64Array.from(
        this.#halvings.flatMap(({ steps, frequency }) => [steps, frequency]),
      );
      const { gravity, applied } = this.#parts.model;
      const written = {
        gravity: Float64Array.from([gravity].flat(2)),
        ...{ appliedForces: applied.forces, appliedTorques: applied.torques },
      };
      return encodeCheckpoint({
        numbers: { ...numbers, ...own },
        arrays: { ...arrays, ...written, halvings },
      });
    });
  }

  /**
   * A simulation that goes on from a checkpoint.
   *
   * @param scene as the checkpoint was made with; `bounds` and `names` may be others, and hold from there on
   * @throws InputError for bytes that are no checkpoint, or one of another version, scene or step
   */
  static async resume(
    device: Device | undefined,
    scene: SimulationScene,
    checkpoint: Uint8Array,
    options: SimulationOptions & { readonly name?: string | undefined } = {},
  ): Promise<Simulation> {
    requireDevice('Simulation.resume', device);
    requireOptions('Simulation.resume', options, { ...CREATE_OPTIONS, name: 'text' });
    const { name = 'checkpoint', ...own } = options;
    requireArray('Simulation.resume: checkpoint', checkpoint, [Uint8Array], 'the bytes of a checkpoint');
    const stored = decodeCheckpoint(checkpoint, name);
    requireStored(stored, name, ['timeStep', 'isDefaultStep', 'steps', 'isGpu', ...RESPONSE_NUMBERS], {
      halvings: floats(HALVING_NUMBERS * itemsOf(stored, 'halvings', HALVING_NUMBERS)),
    });
    const { timeStep, steps, isGpu } = stored.numbers;
    if (!(timeStep! > 0)) throw new InputError(`${name}: timeStep is ${timeStep}, expected a time above 0`);
    if (!(Number.isInteger(steps) && steps! >= 0 && steps! <= MOST_STEPS)) {
      throw new InputError(`${name}: steps is ${steps}, expected a whole number up to ${MOST_STEPS}`);
    }
    const halvings = halvingsOf(stored, name);
    if (own.timeStep !== undefined && own.timeStep !== timeStep) {
      throw new InputError(
        `${name}: of a simulation with timeStep ${timeStep}, found ${own.timeStep}: leave it out or give that one ` +
          `(scree simulate: --time-step ${timeStep})`,
      );
    }
    const asked = responseOf(stored.numbers, name, own);
    const made = isGpu === 1 ? 'gpu' : 'cpu';
    const requireMade = (found: string) => {
      if (made === found) return;
      throw new InputError(
        `${name}: of a simulation on the backend ${made}, found ${found}: their numbers differ`,
      );
    };
    // Kernels take seconds to compile.
    if (own.backend === 'gpu' || own.backend === 'cpu') requireMade(own.backend);
    const requireSame = (digests: Readonly<Record<string, number>>) => {
      const other = partThatDiffers(digests, stored.numbers);
      if (other === undefined) return;
      throw new InputError(`${name}: of another scene, found other ${other}, expected one of this scene`);
    };
    const parts = await makeParts(device, scene, { ...own, ...asked, timeStep: timeStep! }, requireSame);
    const simulation = await Simulation.#started(parts, own.signal);
    try {
      requireMade(simulation.backend);
      // A step that is asked for now is one that somebody asked for.
      simulation.#isDefaultStep = stored.numbers.isDefaultStep === 1 && own.timeStep === undefined;
      simulation.#putHalvings(halvings);
      simulation.#putWritten(stored, name);
      await simulation.#parts.backend.restore(stored, name);
      return simulation;
    } catch (error) {
      simulation.destroy();
      throw error;
    }
  }

  /** Simulated time. */
  get time(): number {
    return timeAfter(this.#clock, this.#parts.backend.steps);
  }

  /** Length of the next step, in the scene's unit of time. */
  get timeStep(): number {
    return this.#clock.timeStep;
  }

  /** How often a step that was chosen by default got too long for what came up, and was halved. In order. */
  get halvings(): readonly Halving[] {
    return this.#halvings;
  }

  /**
   * Moves on by so many steps. Calls take turns. A step that was chosen by default is halved where it is too
   * long for a contact that comes up, or by impulses for a body's speed, and the call goes on: `halvings` says so. Its
   * steps are as many, and take less time.
   *
   * @throws SimulationError where a body's place or speed is not finite any more, or a `timeStep` that was asked for is
   *   too long for the contacts or speeds that came up; the message names body and step, and what to change.
   */
  async step(count = 1, options: StepOptions = {}): Promise<void> {
    requireOptions('step', options, STEP_OPTIONS);
    if (!Number.isInteger(count) || count < 0) {
      throw new InputError(`step: found ${told(count)}, expected a whole number of steps, 0 or more`);
    }
    return this.#life.inTurn(async () => {
      const { steps } = this.#parts.backend;
      if (steps + count > MOST_STEPS) {
        throw new InputError(
          `step: found ${count} after ${steps} steps, expected at most ${MOST_STEPS} in all`,
        );
      }
      await this.#refresh();
      const signal = this.#life.signal(options.signal);
      const { backend } = this.#parts;
      const onProgress = options.onProgress;
      while (backend.steps < steps + count) {
        const made = backend.steps - steps;
        const watch = { signal, onProgress: onProgress && ((n: number) => onProgress(made + n, count)) };
        await backend.advance(count - made, watch).catch((error: unknown) => this.#halve(error));
      }
    });
  }

  /** Finds contacts and forces anew where bodies were put by `write`. No time passes. */
  async evaluate(): Promise<void> {
    return this.#life.inTurn(() => this.#evaluate());
  }

  /**
   * Numbers of all bodies, `[n * 7]` or `[n * 3]`: a copy. `statuses` has the `BodyStatus` of each. Bodies that
   * are not there stay where they are.
   * `kineticEnergies` and `masses` have one of each too: 0 for bodies that forces do not move.
   */
  async read(quantity: Quantity): Promise<Float64Array<ArrayBuffer>> {
    this.#life.requireOpen();
    const { model, backend } = this.#parts;
    if (typeof quantity !== 'string' || !Object.hasOwn(QUANTITIES, quantity)) {
      throw new InputError(`read: found ${told(quantity)}, expected ${Object.keys(QUANTITIES).join(', ')}`);
    }
    return this.#life.inTurn(async () => {
      const state = await backend.read();
      const out = new Float64Array(QUANTITIES[quantity] * model.count);
      if (quantity === 'poses') writePoses(state, model, out);
      else if (quantity === 'centroids') out.set(state.positions);
      else if (quantity === 'velocities') out.set(state.velocities);
      else if (quantity === 'statuses') out.set(state.statuses);
      else if (quantity === 'forces') out.set(state.forces);
      else if (quantity === 'torques') out.set(state.torques);
      else if (quantity === 'masses')
        for (let body = 0; body < model.count; body++) {
          const inverse = model.inertia.inverseMasses[body]!;
          out[body] = inverse > 0 ? 1 / inverse : 0;
        }
      else if (quantity === 'kineticEnergies')
        for (let body = 0; body < model.count; body++) out[body] = kineticEnergy(state, model.inertia, body);
      else
        for (let body = 0; body < model.count; body++)
          angularVelocity(state, model.inertia, body, out.subarray(3 * body, 3 * body + 3));
      return out;
    });
  }

  /**
   * Sets numbers of all bodies, as `read` gives them, between two steps. Those of bodies that forces do not move have
   * no effect. Energies of what follows are held against those that there are then.
   *
   * `appliedForces` and `appliedTorques` (about centroids, in the world's axes) act beside contacts and weight until
   * others are written: a drag, a magnet. At first they are 0. Their work is in `driven`.
   *
   * `statuses` takes bodies out, 2, and brings them in, 1, where `poses` has put them: also those that were removed,
   * and those that would appear later. Bodies with `appearsAt` Infinity come by this alone. What overlaps stops the
   * next step.
   *
   * `gravity` has three numbers in all. It stays as it is written: a scene's table does not count any more.
   */
  async write(quantity: WritableQuantity, values: Float32Array | Float64Array): Promise<void> {
    this.#life.requireOpen();
    if (typeof quantity !== 'string' || !Object.hasOwn(WRITABLE, quantity))
      throw new InputError(`write: found ${told(quantity)}, expected ${Object.keys(WRITABLE).join(', ')}`);
    const { model, backend } = this.#parts;
    const { count } = model;
    const size = WRITABLE[quantity];
    const isOfBodies = quantity !== 'gravity';
    const each = isOfBodies ? `${size} numbers per body` : `${size} numbers`;
    const perBody = isOfBodies ? `: ${size} per body` : '';
    requireArray(`write: ${quantity}`, values, [Float32Array, Float64Array], each);
    const wanted = isOfBodies ? size * count : size;
    if (values.length !== wanted) {
      throw new InputError(
        `write: ${quantity}: ${values.length} numbers found, expected ${wanted}${perBody}`,
      );
    }
    const at = values.findIndex((x) => !Number.isFinite(x));
    if (at >= 0) {
      const who = isOfBodies ? `${model.names[Math.floor(at / size)]} has` : 'found';
      throw new InputError(`write: ${quantity}: ${who} ${values[at]}, expected finite numbers`);
    }
    if (quantity === 'poses') this.#requireTurns(values);
    if (quantity === 'gravity') requireConstantGravity('write: gravity', [...values] as unknown as Vector3);
    if (quantity.startsWith('applied')) requireLoads(`write: ${quantity}`, values, model.names);
    const takesLoads = this.response === 'forces' || isByGaps(this.response);
    if (quantity.startsWith('applied') && !takesLoads && values.some((x) => x !== 0))
      throw new InputError(`write: ${quantity}: of a simulation by ${this.response}, expected one by forces`);
    const given = Float64Array.from(values);
    return this.#life.inTurn(async () => {
      if (quantity === 'gravity' || quantity === 'appliedForces' || quantity === 'appliedTorques') {
        if (quantity === 'gravity') model.gravity = [...given] as unknown as Vector3;
        else if (quantity === 'appliedForces') model.applied.forces.set(given);
        else model.applied.torques.set(given);
        backend.modelChanged();
      } else {
        const state = await backend.read();
        if (quantity === 'statuses') this.#putStatuses(state.statuses, given);
        else putNumbers(state, model, quantity, given);
        await backend.write(state);
      }
      this.#isFresh = false;
    });
  }

  /** @throws InputError for a pose whose quaternion has not the length 1 */
  #requireTurns(poses: Float32Array | Float64Array): void {
    const { count, names } = this.#parts.model;
    for (let body = 0; body < count; body++) {
      const length = Math.hypot(...poses.subarray(7 * body + 3, 7 * (body + 1)));
      if (Math.abs(length - 1) <= QUATERNION_NORM_TOLERANCE) continue;
      throw new InputError(
        `write: poses: ${names[body]} has a quaternion of length ${length}, ` +
          `expected 1 within ${QUATERNION_NORM_TOLERANCE}`,
      );
    }
  }

  /** @throws InputError for what is no status that a body can get */
  #putStatuses(statuses: Uint8Array, given: Float64Array): void {
    const { inertia, names } = this.#parts.model;
    const wanted = (body: number) => inertia.inverseMasses[body]! > 0 && given[body] !== statuses[body];
    for (const [body, status] of given.entries()) {
      if (!wanted(body) || status === BodyStatus.present || status === BodyStatus.removed) continue;
      throw new InputError(
        `write: statuses: ${names[body]} has ${status}, expected ${statuses[body]} as it is, ` +
          `${BodyStatus.present} to bring it in or ${BodyStatus.removed} to take it out`,
      );
    }
    for (const [body, status] of given.entries()) if (wanted(body)) statuses[body] = status;
  }

  /** Contacts of the last step. On the GPU they are as kernels left them: docs/dem.md, "Steps on the GPU". */
  async contacts(): Promise<DetectedContacts> {
    return this.#life.inTurn(() => this.#parts.backend.contacts());
  }

  /**
   * Forces between bodies that touch, of the last step. Those of a body, its weight and what was applied sum up to
   * its `read('forces')`. On the GPU they are float32, and after `resume` they are computed anew; by impulses there are
   * none then until the next step.
   */
  async contactForces(): Promise<PairForces> {
    return this.#life.inTurn(() => this.#parts.backend.contactForces());
  }

  /**
   * Wall seconds so far, by stage: those of `DetectedContacts.seconds`, `forces`, and `motion` with the monitors; by
   * other responses `impulses`, and `narrowPhase` where one is chosen. What else a call takes is in none of them.
   * On the GPU all are one: `steps`.
   */
  get seconds(): Readonly<Record<string, number>> {
    return this.#parts.backend.seconds;
  }

  /** At the end of the last step. */
  get monitors(): Monitors {
    return this.#parts.backend.monitors;
  }

  /** Ends it: a call under way rejects, as later ones do. Safe to call twice. */
  destroy(): void {
    this.#life.destroy();
  }

  /** Halves the step if the error says that it is too long and it was chosen by default. @throws any other error */
  #halve(error: unknown): void {
    const isExpected = this.#isDefaultStep && this.#halvings.length < MOST_HALVINGS;
    if (!(error instanceof StepTooLong && isExpected)) throw error;
    const { steps } = this.#parts.backend;
    const clock = halved(this.#clock, steps);
    const { timeStep } = clock;
    const { frequency } = error;
    this.#halvings = [...this.#halvings, { steps, time: timeAfter(clock, steps), timeStep, frequency }];
    this.#clock = clock;
    this.#parts.backend.setClock(clock);
  }

  /** Takes over the halvings of a checkpoint. This simulation has the checkpoint's last step already. */
  #putHalvings(stored: readonly Pick<Halving, 'steps' | 'frequency'>[]): void {
    let clock: StepClock = { timeStep: this.timeStep * 2 ** stored.length, extra: 0 };
    this.#halvings = stored.map(({ steps, frequency }) => {
      clock = halved(clock, steps);
      return { steps, time: timeAfter(clock, steps), timeStep: clock.timeStep, frequency };
    });
    this.#clock = clock;
    this.#parts.backend.setClock(clock);
  }

  /** Gravity and applied loads that scripts had written. */
  #putWritten(stored: StoredState, name: string): void {
    const { model, backend } = this.#parts;
    const perBody = floats(3 * model.count);
    // The scene's table, or what a script has written in its place.
    const own = [model.gravity].flat(2);
    const wanted = stored.arrays.gravity?.length === own.length ? own.length : 3;
    requireStored(stored, name, [], {
      gravity: floats(wanted),
      appliedForces: perBody,
      appliedTorques: perBody,
    });
    const { gravity, appliedForces, appliedTorques } = stored.arrays;
    if (wanted === 3) model.gravity = [...gravity!] as unknown as Vector3;
    model.applied.forces.set(appliedForces!);
    model.applied.torques.set(appliedTorques!);
    backend.modelChanged();
  }

  async #evaluate(): Promise<void> {
    await this.#parts.backend.evaluate(Infinity);
    this.#isFresh = true;
  }

  async #refresh(): Promise<void> {
    if (!this.#isFresh) await this.#evaluate();
  }
}

/** @throws InputError for forces or torques that float32 does not hold */
function requireLoads(place: string, values: Float32Array | Float64Array, names: readonly string[]): void {
  const at = values.findIndex((x) => Math.abs(x) > LARGEST_LOAD);
  if (at < 0) return;
  const found = `${names[Math.floor(at / 3)]} has ${values[at]}`;
  throw new InputError(`${place}: ${found}, expected numbers of at most ${LARGEST_LOAD}`);
}

function putNumbers(
  state: MotionState,
  model: SimulationModel,
  quantity: 'poses' | 'velocities' | 'angularVelocities',
  given: Float64Array,
): void {
  const size = WRITABLE[quantity];
  for (let body = 0; body < model.count; body++) {
    const own = given.subarray(size * body, size * (body + 1));
    if (quantity === 'velocities') state.velocities.set(own, 3 * body);
    else if (quantity === 'angularVelocities') setAngularVelocity(state, model.inertia, body, own);
    else placeBody(state, model, body, own);
  }
}

/** Numbers of a halving in a checkpoint: steps and frequency. */
const HALVING_NUMBERS = 2;

/** @throws InputError for steps that are no numbers of steps in order */
function halvingsOf({ numbers, arrays }: StoredState, name: string) {
  const stored = arrays.halvings!;
  let last = 0;
  return Array.from({ length: stored.length / HALVING_NUMBERS }, (_, i) => {
    const steps = stored[HALVING_NUMBERS * i]!;
    if (!(Number.isInteger(steps) && steps >= last && steps <= numbers.steps! && i < MOST_HALVINGS)) {
      throw new InputError(
        `${name}: halvings: number ${HALVING_NUMBERS * i} is ${steps}, expected at most ${MOST_HALVINGS} times, each ` +
          `a whole number of steps from ${last} to ${numbers.steps}`,
      );
    }
    last = steps;
    return { steps, frequency: stored[HALVING_NUMBERS * i + 1]! };
  });
}

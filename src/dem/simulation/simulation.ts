/** Bodies that move under forces of their contacts. */
import { type Options, requireArray, requireKnown, requireOptions, told } from '../../arguments.ts';
import { namesOf } from '../../contacts/bodies/check-shapes.ts';
import { ContactPipeline } from '../../contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { tablesOf } from '../../contacts/pipeline/tables-of.ts';
import { InputError, ScreeError } from '../../errors.ts';
import type { Device } from '../../gpu/device.ts';
import { checksum } from '../../inside/body-file/checksum.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../checkpoint/checkpoint.ts';
import { DEEPEST_START } from '../constants.ts';
import { CpuSteps, type Energies } from '../cpu/cpu-steps.ts';
import { halfPieces } from '../forces/half-pieces.ts';
import { angularVelocity } from '../motion/motion.ts';
import { requireScene } from '../scene/check-scene.ts';
import { BodyStatus } from '../scene/comings-and-goings.ts';
import {
  modelOf,
  placeBody,
  type SimulationModel,
  setAngularVelocity,
  staticBodies,
  writePoses,
} from '../scene/model.ts';
import type { SimulationScene } from '../scene/simulation-scene.ts';
import { expectedFrequency, recommendedStep, requireStableStep } from './time-step.ts';

export interface SimulationOptions {
  /** Length of a step, in the scene's unit of time. Default: a fortieth of the shortest contact that is expected. */
  readonly timeStep?: number | undefined;
  /** Most threads that contacts are found by. Default: one per core, at most 8. */
  readonly threads?: number | undefined;
  /** Stops building tables. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface StepOptions {
  /** Stops between two steps; the call then rejects with the signal's reason, and the state is that of a whole step. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each step with how many of the call's are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const CREATE_OPTIONS: Options<SimulationOptions> = {
  timeStep: 'number',
  threads: 'number',
  signal: 'signal',
  onProgress: 'function',
};
const STEP_OPTIONS: Options<StepOptions> = { signal: 'signal', onProgress: 'function' };

/** What `read` gives, with the numbers per body. */
const QUANTITIES = {
  ...{ poses: 7, centroids: 3, velocities: 3, angularVelocities: 3, forces: 3, torques: 3, statuses: 1 },
} as const;
export type Quantity = keyof typeof QUANTITIES;
/** What `write` takes. */
const WRITABLE = ['poses', 'velocities', 'angularVelocities'] as const;
export type WritableQuantity = (typeof WRITABLE)[number];

/** What is watched in every step. */
export interface Monitors extends Readonly<Energies> {
  readonly time: number;
  readonly steps: number;
  /**
   * All energy there is, was lost or removed, less that of bodies that appeared and the work of driven bodies: what a
   * step may not change.
   */
  readonly balance: number;
  /** Bodies that are there, and those that were removed. */
  readonly presentBodies: number;
  readonly removedBodies: number;
  readonly contacts: number;
  /** A length. */
  readonly deepestOverlap: number;
  /** Of the stiffest pair in contact, radians per time. */
  readonly largestFrequency: number;
  /** `[3]` each: of all moving bodies, the latter about the origin. */
  readonly momentum: Float64Array;
  readonly angularMomentum: Float64Array;
}

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
  readonly timeStep: number;
  /** What `timeStep` is by default. */
  readonly recommendedTimeStep: number;
  readonly bodyCount: number;
  readonly #model: SimulationModel;
  readonly #pipeline: ContactPipeline;
  readonly #cpu: CpuSteps;
  #steps = 0;
  /** Whether forces are those of the state. */
  #isFresh = false;
  #tail: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  private constructor(
    model: SimulationModel,
    pipeline: ContactPipeline,
    cpu: CpuSteps,
    timeStep: number,
    recommended: number,
  ) {
    this.#model = model;
    this.#pipeline = pipeline;
    this.#cpu = cpu;
    this.bodyCount = model.count;
    this.timeStep = timeStep;
    this.recommendedTimeStep = recommended;
  }

  /**
   * Checks a scene and makes it ready to move.
   *
   * @param device undefined: the CPU finds contacts and moves bodies
   * @throws InputError for what cannot be used: its place, what was found and what was expected. So for bodies that
   *   overlap by more than a quarter of their radius at first, and for a step that is too long to be stable.
   */
  static async create(
    device: Device | undefined,
    scene: SimulationScene,
    options: SimulationOptions = {},
  ): Promise<Simulation> {
    if (device !== undefined) {
      throw new InputError(
        'Simulation.create: found a device, expected undefined: steps have no kernels yet',
      );
    }
    requireOptions('Simulation.create', options, CREATE_OPTIONS);
    requireScene(scene);
    const { shapes, margin, names } = scene;
    requireKnown('names', 'field', names ?? {}, ['shapes', 'bodies', 'materials']);
    if (!Array.isArray(shapes))
      throw new InputError(`shapes: found ${told(shapes)}, expected an array of descriptions`);
    const { threads, signal, onProgress, timeStep } = options;
    const { shapes: shapeNames, bodies: bodyNames } = names ?? {};
    const bodies = scene.bodies.shapes;
    const { groups, masks } = scene.bodies;
    const making = ContactPipeline.create(undefined, shapes, {
      bodies: { shapes: bodies, isStatic: staticBodies(scene), groups, masks },
      ...{ margin, threads, signal, onProgress },
      names: { shapes: shapeNames, bodies: bodyNames },
    });
    // Before the first pause: callers may change their arrays then. What is wrong with shapes is for the pipeline to say.
    const modelled = attempted(() =>
      modelOf(scene, {
        shapes: namesOf('shape', shapeNames, shapes.length),
        bodies: namesOf('body', bodyNames, bodies.length),
      }),
    );
    const pipeline = await making;
    try {
      const model = modelled();
      const frequency = expectedFrequency(model);
      const recommended = recommendedStep(frequency);
      const step = timeStep ?? recommended;
      if (!(step > 0 && step < Infinity))
        throw new InputError(`timeStep is ${step}, expected a time above 0`);
      requireStableStep(step, frequency, 'the shortest contact that is expected lasts');
      const { table, polyhedra } = tablesOf.get(pipeline)!;
      const cpu = new CpuSteps(model, pipeline, halfPieces(table.colliders, polyhedra), step);
      const simulation = new Simulation(model, pipeline, cpu, step, recommended);
      await cpu.begin(0, signal);
      simulation.#isFresh = true;
      requireShallow(model, cpu.contacts!);
      return simulation;
    } catch (error) {
      pipeline.destroy();
      throw error;
    }
  }

  /**
   * The state, for `resume`, as bytes with a version and a checksum. The steps after it are the same, bit for bit,
   * whether the simulation goes on or is resumed.
   */
  async checkpoint(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#inTurn(async () => {
      if (!this.#isFresh) await this.#cpu.begin(this.#steps);
      this.#isFresh = true;
      const { numbers, arrays } = this.#cpu.store();
      const { timeStep } = this;
      return encodeCheckpoint({
        numbers: { ...numbers, steps: this.#steps, timeStep, scene: digestOf(this.#model) },
        arrays,
      });
    });
  }

  /**
   * A simulation that goes on from a checkpoint.
   *
   * @param scene as the checkpoint was made with
   * @throws InputError for bytes that are no checkpoint, or one of another version, scene or step
   */
  static async resume(
    device: Device | undefined,
    scene: SimulationScene,
    checkpoint: Uint8Array,
    options: SimulationOptions & { readonly name?: string | undefined } = {},
  ): Promise<Simulation> {
    requireOptions('Simulation.resume', options, { ...CREATE_OPTIONS, name: 'text' });
    const { name = 'checkpoint', ...own } = options;
    requireArray('Simulation.resume: checkpoint', checkpoint, [Uint8Array], 'the bytes of a checkpoint');
    const stored = decodeCheckpoint(checkpoint, name);
    const { steps, timeStep, scene: digest } = stored.numbers;
    if (own.timeStep !== undefined && own.timeStep !== timeStep) {
      throw new InputError(
        `${name}: of a simulation with timeStep ${timeStep}, found ${own.timeStep}: leave it out`,
      );
    }
    const simulation = await Simulation.create(device, scene, { ...own, timeStep: timeStep! });
    if (digestOf(simulation.#model) !== digest) {
      simulation.destroy();
      throw new InputError(`${name}: of another scene, expected one of this scene`);
    }
    simulation.#cpu.restore(stored);
    simulation.#steps = steps!;
    return simulation;
  }

  /** Simulated time. */
  get time(): number {
    return this.#steps * this.timeStep;
  }

  /**
   * Moves on by so many steps. Calls take turns.
   *
   * @throws ScreeError where a body's place or speed is not finite any more, or a step is too long for the contacts
   *   that came up; the message names body and step, and what to change.
   */
  async step(count = 1, options: StepOptions = {}): Promise<void> {
    requireOptions('step', options, STEP_OPTIONS);
    if (!Number.isInteger(count) || count < 0) {
      throw new InputError(`step: found ${told(count)}, expected a whole number of steps, 0 or more`);
    }
    const { signal, onProgress } = options;
    return this.#inTurn(async () => {
      for (let done = 0; done < count; done++) {
        signal?.throwIfAborted();
        if (!this.#isFresh) await this.#cpu.begin(this.#steps);
        this.#isFresh = true;
        // A step that has begun is done: the state is always that of a whole one.
        await this.#cpu.step(this.#steps);
        this.#steps++;
        this.#watch();
        onProgress?.(done + 1, count);
      }
    });
  }

  /** Finds contacts and forces anew where bodies were put by `write`. No time passes. */
  async evaluate(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#cpu.begin(this.#steps);
      this.#isFresh = true;
    });
  }

  /**
   * Numbers of all bodies, `[n * 7]` or `[n * 3]`: a copy. `statuses` has one of each: 0 for a body that is yet to
   * appear, 1 for one that is there, 2 for one that was removed. Those that are not there stay where they are.
   */
  async read(quantity: Quantity): Promise<Float64Array<ArrayBuffer>> {
    this.#requireOpen();
    const { count, inertia } = this.#model;
    if (typeof quantity !== 'string' || !Object.hasOwn(QUANTITIES, quantity)) {
      throw new InputError(`read: found ${told(quantity)}, expected ${Object.keys(QUANTITIES).join(', ')}`);
    }
    const out = new Float64Array(QUANTITIES[quantity] * count);
    const { state, loads } = this.#cpu;
    if (quantity === 'poses') writePoses(state, this.#model, out);
    else if (quantity === 'centroids') out.set(state.positions);
    else if (quantity === 'velocities') out.set(state.velocities);
    else if (quantity === 'statuses') out.set(this.#cpu.statuses);
    else if (quantity === 'forces') out.set(loads.forces);
    else if (quantity === 'torques') out.set(loads.torques);
    else
      for (let body = 0; body < count; body++)
        angularVelocity(state, inertia, body, out.subarray(3 * body, 3 * body + 3));
    return out;
  }

  /** Sets numbers of all bodies, as `read` gives them. Those of bodies with a prescribed motion have no effect. */
  async write(quantity: WritableQuantity, values: Float32Array | Float64Array): Promise<void> {
    this.#requireOpen();
    if (!WRITABLE.includes(quantity)) {
      throw new InputError(`write: found ${told(quantity)}, expected ${WRITABLE.join(', ')}`);
    }
    requireArray(
      `write: ${quantity}`,
      values,
      [Float32Array, Float64Array],
      `${QUANTITIES[quantity]} numbers per body`,
    );
    const { count, inertia } = this.#model;
    const size = QUANTITIES[quantity];
    if (values.length !== size * count) {
      throw new InputError(
        `write: ${quantity}: ${values.length} numbers found, expected ${size * count}: ${size} per body`,
      );
    }
    const at = values.findIndex((x) => !Number.isFinite(x));
    if (at >= 0) {
      const body = this.#model.names[Math.floor(at / size)];
      throw new InputError(`write: ${quantity}: ${body} has ${values[at]}, expected finite numbers`);
    }
    const { state } = this.#cpu;
    for (let body = 0; body < count; body++) {
      const own = Float64Array.from(values.subarray(size * body, size * (body + 1)));
      if (quantity === 'velocities') state.velocities.set(own, 3 * body);
      else if (quantity === 'angularVelocities') setAngularVelocity(state, inertia, body, own);
      else placeBody(state, this.#model, body, own);
    }
    this.#isFresh = false;
  }

  /** Contacts of the last step. */
  async contacts(): Promise<DetectedContacts> {
    this.#requireOpen();
    return this.#cpu.contacts!;
  }

  /** At the end of the last step. */
  /**
   * Wall seconds so far, by stage: those of `DetectedContacts.seconds`, `forces`, and `motion` with the monitors. What
   * else a call takes is in none of them.
   */
  get seconds(): Readonly<Record<string, number>> {
    return { ...this.#cpu.seconds };
  }

  get monitors(): Monitors {
    const { energies, sums, contacts, state, statuses } = this.#cpu;
    const { inertia } = this.#model;
    const momentum = new Float64Array(3);
    const angularMomentum = new Float64Array(3);
    for (let body = 0; body < state.count; body++) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0 || statuses[body] !== BodyStatus.present) continue;
      const p = state.velocities.subarray(3 * body, 3 * body + 3).map((v) => v / inverse);
      const x = state.positions.subarray(3 * body, 3 * body + 3);
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        momentum[k]! += p[k]!;
        angularMomentum[k]! += state.momenta[3 * body + k]! + x[i]! * p[j]! - x[j]! * p[i]!;
      }
    }
    const { kinetic, gravity, elastic, dashpots, friction, rolling, driven, inserted, removed } = energies;
    const countOf = (wanted: number) => statuses.reduce((sum, one) => sum + (one === wanted ? 1 : 0), 0);
    return {
      ...energies,
      ...{ time: this.time, steps: this.#steps, momentum, angularMomentum },
      balance: kinetic + gravity + elastic + dashpots + friction + rolling + removed - driven - inserted,
      ...{ presentBodies: countOf(BodyStatus.present), removedBodies: countOf(BodyStatus.removed) },
      contacts: contacts?.count ?? 0,
      deepestOverlap: sums?.deepest ?? 0,
      largestFrequency: sums?.largestFrequency ?? 0,
    };
  }

  /** Ends it: a call under way rejects, as later ones do. Safe to call twice. */
  destroy(): void {
    this.#isOpen = false;
    this.#pipeline.destroy();
  }

  #watch(): void {
    const { state, sums } = this.#cpu;
    const { velocities, positions } = state;
    for (const [what, array] of [
      ['velocity', velocities],
      ['position', positions],
    ] as const) {
      const at = array.findIndex((x) => !Number.isFinite(x));
      if (at < 0) continue;
      const body = this.#model.names[Math.floor(at / 3)];
      throw new ScreeError(
        `step ${this.#steps}: the ${what} of ${body} is ${array[at]}: use a shorter timeStep than ${this.timeStep}`,
        1,
      );
    }
    requireStableStep(
      this.timeStep,
      sums!.largestFrequency,
      `step ${this.#steps}: the stiffest contact lasts`,
    );
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new InputError('this simulation was destroyed: create another');
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      this.#requireOpen();
      return work();
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}

/** Does something now. What it returns gives the answer, or throws what was thrown. */
function attempted<T>(work: () => T): () => T {
  try {
    const answer = work();
    return () => answer;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A number that differs between scenes. */
function digestOf({
  count,
  gravity,
  contactBodies,
  inertia,
  laws,
  centroids,
  principal,
  appearsAt,
  removal,
}: SimulationModel): number {
  const { pairs, materials, radii, curvatures } = laws;
  const { shapes, isStatic, groups, masks } = contactBodies;
  const numbers = [count, ...gravity, ...pairs.numbers, ...pairs.planeModuli];
  const arrays = [
    ...[appearsAt, removal],
    inertia.inverseMasses,
    inertia.inverseMoments,
    radii,
    curvatures,
    centroids,
    principal,
    materials,
  ];
  for (const array of [...arrays, shapes, isStatic, groups, masks]) numbers.push(...Array.from(array ?? []));
  const words = new Uint32Array(Float64Array.from(numbers).buffer);
  const whole = new Uint32Array(4 * Math.ceil((words.length + 1) / 4));
  whole.set(words);
  return checksum(whole);
}

/** @throws InputError for the deepest overlap at first, if it is too deep. */
function requireShallow(
  { names, laws: { radii } }: SimulationModel,
  { count, bodies, distances }: DetectedContacts,
): void {
  for (let i = 0; i < count; i++) {
    const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
    const radius = Math.min(radii[a]! || Infinity, radii[b]! || Infinity);
    if (-distances[i]! <= DEEPEST_START * radius) continue;
    throw new InputError(
      `bodies: ${names[a]} and ${names[b]} overlap by ${(-distances[i]!).toPrecision(3)} at first, ` +
        `expected at most ${(DEEPEST_START * radius).toPrecision(3)}`,
    );
  }
}

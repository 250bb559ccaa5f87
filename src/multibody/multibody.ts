/** Bodies on joints, closed loops included, moved to an error that the user sets. docs/multibody.md */
import {
  type Options,
  requireArray,
  requireKnown,
  requireObject,
  requireOptions,
  told,
} from '../arguments.ts';
import type { PairForces } from '../dem/forces/pair-forces.ts';
import type { Monitors } from '../dem/monitors/monitors.ts';
import type { Quantity } from '../dem/simulation/simulation.ts';
import { InputError } from '../errors.ts';
import { Lifetime } from '../gpu/lifetime.ts';
import { DEFAULT_CROSSINGS, DEFAULT_TOLERANCE, LEAST_TOLERANCE, MOST_TOLERANCE } from './constants.ts';
import type { MechanismRun } from './events/run.ts';
import type {
  AdvanceOptions,
  ContactEventArrays,
  MechanismContacts,
  MechanismStatistics,
} from './events/run-options.ts';
import { requireMechanism } from './scene/check-multibody.ts';
import type { MultibodyScene } from './scene/multibody-scene.ts';

export interface MultibodyOptions {
  /** Error per unit of each coordinate that a step may make: of angles in radians, of lengths in the size. */
  readonly relativeTolerance?: number | undefined;
  /**
   * Pairs of shapes whose distances are watched for a change of sign: those of least distance. It doubles where it does
   * not suffice; with `most` a run ends instead. Default 100.
   */
  readonly crossings?: number | { readonly most: number } | undefined;
  /** What the stiffness of contacts is multiplied by: softer bodies take fewer steps. Above 0, up to 1. Default 1. */
  readonly reduction?: number | undefined;
}

/** What `read` gives. */
export type MultibodyQuantity = Quantity | 'coordinates' | 'rates';

const OPTIONS: Options<MultibodyOptions> = {
  relativeTolerance: 'number',
  crossings: 'checked',
  reduction: 'number',
};
const ADVANCE_OPTIONS: Options<AdvanceOptions> = { signal: 'signal', onProgress: 'function' };
const SIZES = {
  ...{ poses: 7, centroids: 3, velocities: 3, angularVelocities: 3, forces: 3, torques: 3, statuses: 1 },
  ...{ masses: 1, kineticEnergies: 1 },
} as const satisfies Record<Quantity, number>;

/**
 * A mechanism in motion.
 *
 *     const system = await Multibody.create(multibodyScene(await readScene('slider-crank.json')));
 *     await system.advance(10);
 *     const coordinates = await system.read('coordinates');
 */
export class Multibody {
  readonly bodyCount: number;
  /** Names of coordinates and of rates, as `read` gives them: joints in order, then bodies that move freely. */
  readonly coordinateNames: readonly string[];
  readonly rateNames: readonly string[];
  readonly #run: MechanismRun;
  readonly #life: Lifetime;

  private constructor(run: MechanismRun) {
    this.#run = run;
    const { bodies, coordinates, rates } = run.mechanism;
    this.bodyCount = bodies.length;
    this.coordinateNames = coordinates.map(({ name }) => name);
    this.rateNames = rates.map(({ name }) => name);
    this.#life = new Lifetime({ device: undefined, name: 'this mechanism', release: () => {} });
  }

  /**
   * Checks a scene, closes its loops and makes it ready to move.
   *
   * @throws InputError for what cannot be used: its place, what was found and what was expected. So for a loop that
   *   cannot close, and for a body that moves without mass.
   */
  static async create(scene: MultibodyScene, options: MultibodyOptions = {}): Promise<Multibody> {
    requireOptions('Multibody.create', options, OPTIONS);
    const { relativeTolerance: tolerance = DEFAULT_TOLERANCE, crossings = DEFAULT_CROSSINGS } = options;
    const { reduction = 1 } = options;
    requireCrossings(crossings);
    if (!(reduction > 0 && reduction <= 1))
      throw new InputError(`reduction is ${reduction}, expected a number above 0, up to 1`);
    if (!(tolerance >= LEAST_TOLERANCE && tolerance <= MOST_TOLERANCE)) {
      throw new InputError(
        `relativeTolerance is ${tolerance}, expected a number from ${LEAST_TOLERANCE} to ${MOST_TOLERANCE}`,
      );
    }
    requireObject('scene', scene, 'an object with shapes and bodies');
    requireObject('scene.bodies', scene.bodies, 'bodies');
    const { bodies, names, joints = [] } = scene;
    requireArray('scene.bodies.shapes', bodies.shapes, [Uint32Array], 'a number of a shape per body');
    const bodyNames = Array.from(bodies.shapes, (_, i) => names?.bodies?.[i] ?? `body ${i}`);
    requireMechanism(scene, bodyNames);
    const ends = (body: number | 'world') => (body === 'world' ? body : bodyNames[body]);
    const jointNames = joints.map(({ a, b }) => `${ends(a)}-${ends(b)}`);
    // Only those who use mechanisms load the equations, and the linear algebra with them.
    const { mechanismOf } = await import('./equations/mechanism.ts');
    const { MechanismRun } = await import('./events/run.ts');
    const { Contacts } = await import('./events/contacts.ts');
    const mechanism = mechanismOf(scene, bodyNames, jointNames);
    const contacts = Contacts.of(scene, mechanism, bodyNames, { crossings, reduction });
    return new Multibody(new MechanismRun(mechanism, tolerance, contacts));
  }

  /** Simulated time. */
  get time(): number {
    return this.#run.time;
  }

  /** At the present time: energies as `Simulation.monitors`. What dampings take is `dashpots`. */
  get monitors(): Monitors {
    return this.#run.monitors();
  }

  /** Steps and evaluations so far, and what was found of the loops. */
  get statistics(): MechanismStatistics {
    return this.#run.statistics;
  }

  /**
   * Moves on by a simulated time. Calls take turns.
   *
   * @throws ScreeError where steps get too short: the time, the coordinate of largest error, and the contact that
   *   began last. InputError for what a function of the scene gives that is no number
   */
  async advance(duration: number, options: AdvanceOptions = {}): Promise<void> {
    requireOptions('advance', options, ADVANCE_OPTIONS);
    if (!(typeof duration === 'number' && duration >= 0 && duration < Infinity))
      throw new InputError(`advance: found ${told(duration)}, expected a time of 0 or more`);
    const { signal, onProgress } = options;
    return this.#life.exclusive(() =>
      this.#run.advance(duration, { signal: this.#life.signal(signal), onProgress }),
    );
  }

  /**
   * Numbers of all bodies, as `Simulation.read` gives them, or `coordinates` and `rates` of joints and free bodies:
   * a copy. `forces` and `torques` are what accelerates each body, its weight and its joints together.
   */
  async read(quantity: MultibodyQuantity): Promise<Float64Array<ArrayBuffer>> {
    this.#life.requireOpen();
    const isOwn = quantity === 'coordinates' || quantity === 'rates';
    if (!isOwn && !(typeof quantity === 'string' && Object.hasOwn(SIZES, quantity))) {
      const known = ['coordinates', 'rates', ...Object.keys(SIZES)].join(', ');
      throw new InputError(`read: found ${told(quantity)}, expected ${known}`);
    }
    return this.#life.exclusive(async () => (isOwn ? this.#run[quantity]() : this.#run.read(quantity)));
  }

  /** When contacts began and ended, so far: copies. */
  get events(): ContactEventArrays {
    return this.#run.events;
  }

  /** Contacts at the present time. */
  async contacts(): Promise<MechanismContacts> {
    this.#life.requireOpen();
    return this.#life.exclusive(async () => this.#run.listContacts());
  }

  /** Forces between shapes that touch, at the present time. */
  async contactForces(): Promise<PairForces> {
    this.#life.requireOpen();
    return this.#life.exclusive(async () => this.#run.contactForces());
  }

  /** Ends it: a call under way rejects, as later ones do. Safe to call twice. */
  destroy(): void {
    this.#life.destroy();
  }
}

function requireCrossings(crossings: number | { readonly most: number }): void {
  const isCount = (x: unknown) => Number.isInteger(x) && (x as number) > 0;
  if (isCount(crossings)) return;
  const expected = 'expected a whole number above 0, or { most } of one';
  if (typeof crossings !== 'object' || crossings === null || Array.isArray(crossings))
    throw new InputError(`crossings is ${told(crossings)}, ${expected}`);
  requireKnown('crossings', 'field', crossings, ['most']);
  if (!isCount(crossings.most))
    throw new InputError(`crossings is { most: ${told(crossings.most)} }, ${expected}`);
}

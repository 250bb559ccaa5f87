/** The contacts of a mechanism in motion: which there are, when they began and ended, and what they do. */
import { CONTACT_VALUES } from '../../contacts/list/contact-sink.ts';
import { DEEPEST_START } from '../../dem/constants.ts';
import type { PairForces } from '../../dem/forces/pair-forces.ts';
import { InputError } from '../../errors.ts';
import { type CollisionModel, collisionModel } from '../contacts/collision-model.ts';
import { ContactLoads } from '../contacts/contact-loads.ts';
import { PairGeometry } from '../contacts/pair-geometry.ts';
import { bodyPoses } from '../equations/body-poses.ts';
import type { Mechanism } from '../equations/mechanism.ts';
import type { MultibodyScene } from '../scene/multibody-scene.ts';
import { ContactWatch, type Event, type Found, type PlaceAt } from './contact-watch.ts';
import type { ContactEventArrays, MechanismContacts } from './run-options.ts';

export interface ContactOptions {
  readonly crossings: number | { readonly most: number };
  readonly reduction: number;
}

/** An event as it is told. */
interface Told {
  readonly time: number;
  readonly a: number;
  readonly b: number;
  readonly kind: 0 | 1;
  readonly speed: number;
}

export class Contacts {
  readonly loads: ContactLoads;
  readonly #model: CollisionModel;
  readonly #mechanism: Mechanism;
  readonly #watch: ContactWatch;
  readonly #events: Told[] = [];

  constructor(model: CollisionModel, mechanism: Mechanism, { crossings, reduction }: ContactOptions) {
    this.#model = model;
    this.#mechanism = mechanism;
    const geometry = new PairGeometry(model, mechanism);
    this.loads = new ContactLoads(model, geometry, mechanism.tree, reduction);
    this.#watch = new ContactWatch(model, geometry, this.loads, mechanism.tree, crossings);
  }

  /** @returns undefined where no bodies may meet */
  static of(
    scene: MultibodyScene,
    mechanism: Mechanism,
    names: readonly string[],
    options: ContactOptions,
  ): Contacts | undefined {
    const model = collisionModel(scene, mechanism, names);
    return model && new Contacts(model, mechanism, options);
  }

  #poses(): Float64Array {
    return bodyPoses(this.#mechanism, this.#model.bodies);
  }

  /**
   * Begins the contacts of a start, where frames are.
   *
   * @throws InputError for bodies that overlap too far
   */
  start(): void {
    const { laws, resolved, colliders } = this.#model;
    const began = this.#watch.overlapping(this.#poses());
    for (const pair of began) {
      const [one, other] = this.#watch.collidersOf(pair);
      const [a, b] = [colliders.bodies[one]!, colliders.bodies[other]!];
      const radii = [laws.radii[a]!, laws.radii[b]!].filter((radius) => radius > 0);
      const most = DEEPEST_START * Math.min(...radii);
      const depth = this.#watch.depth(pair);
      if (depth <= most) continue;
      throw new InputError(
        `${resolved.names[a]} and ${resolved.names[b]} overlap by ${depth} at first, expected at most ${most}, a ` +
          'quarter of the smaller radius',
      );
    }
    this.#record({ time: 0, switches: began.map((pair) => ({ pair, begins: true })) });
  }

  get evaluations(): number {
    return this.#watch.evaluations;
  }

  /** The first beginning or end of contacts within a step, or within its first part. */
  first(from: number, to: number, placeAt: PlaceAt): Found {
    return this.#watch.first(from, to, placeAt, () => this.#poses());
  }

  /** Switches contacts where frames are. @returns what takes it back */
  switch(event: Event): () => void {
    const [before, told] = [this.loads.state(), this.#events.length];
    this.#record(event);
    return () => {
      this.loads.restore(before);
      this.#events.length = told;
    };
  }

  #record({ time, switches }: Event): void {
    const { bodies: own, colliders } = this.#model;
    for (const { pair, begins } of switches) {
      const [first, second] = this.#watch.collidersOf(pair);
      const [a, b] = [own[colliders.bodies[first]!]!, own[colliders.bodies[second]!]!];
      const speed = begins ? this.loads.begin(pair, first, second) : this.loads.end(pair);
      this.#events.push({ time, a, b, kind: begins ? 1 : 0, speed });
    }
  }

  get events(): ContactEventArrays {
    return eventsOf(this.#events);
  }

  /** Where frames are. */
  list(): MechanismContacts {
    const { count, values, colliders: pairs, features } = this.loads.contacts().rows();
    const { bodies: own, colliders } = this.#model;
    const pick = (from: number, size: number) =>
      Float64Array.from(
        { length: size * count },
        (_, i) => values[CONTACT_VALUES * Math.floor(i / size) + from + (i % size)]!,
      );
    return {
      count,
      bodies: Uint32Array.from(pairs, (collider) => own[colliders.bodies[collider]!]!),
      parts: Uint32Array.from(pairs, (collider) => colliders.parts[collider]!),
      features: features.slice(),
      ...{ normals: pick(0, 3), points: pick(3, 3), distances: pick(6, 1) },
    };
  }

  /** Where frames are. */
  forces(): PairForces {
    const { pairs, forces } = this.loads.forces();
    const { bodies: own, colliders } = this.#model;
    const body = (collider: number) => own[colliders.bodies[collider]!]!;
    return {
      count: pairs.length,
      bodies: Uint32Array.from(
        pairs.flatMap(({ colliderA, colliderB }) => [body(colliderA), body(colliderB)]),
      ),
      forces,
    };
  }
}

export function eventsOf(all: readonly Told[]): ContactEventArrays {
  return {
    count: all.length,
    times: Float64Array.from(all, ({ time }) => time),
    bodies: Uint32Array.from(all.flatMap(({ a, b }) => [a, b])),
    kinds: Uint8Array.from(all, ({ kind }) => kind),
    speeds: Float64Array.from(all, ({ speed }) => speed),
  };
}

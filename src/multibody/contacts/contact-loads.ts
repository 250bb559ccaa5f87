/** Forces of the contacts of a mechanism, and their powers and energies. */
import { CONTACT_VALUES, ContactSink } from '../../contacts/list/contact-sink.ts';
import type { OtherLoads, Powers } from '../equations/equations.ts';
import type { FrameTree } from '../equations/tree.ts';
import type { CollisionModel } from './collision-model.ts';
import { dampingOf, energyAt, forceAt, type PairLaw, pairLaw, slip, turn } from './contact-law.ts';
import type { PairGeometry } from './pair-geometry.ts';

interface TouchingEnds {
  readonly colliderA: number;
  readonly colliderB: number;
  readonly frameA: number;
  readonly frameB: number;
}

/** A pair of colliders in contact, from its beginning to its end. */
export interface Touching extends TouchingEnds {
  readonly law: PairLaw;
  /** Of the force, per speed of approach: kept until the contact ends. */
  readonly damping: number;
}

/** What the contacts of a state come to. */
export interface ContactSums {
  readonly count: number;
  /** Largest depth. */
  readonly depth: number;
}

export class ContactLoads implements OtherLoads {
  readonly #model: CollisionModel;
  readonly #geometry: PairGeometry;
  readonly #tree: FrameTree;
  readonly #reduction: number;
  readonly #sink = new ContactSink();
  readonly #touching = new Map<number, Touching>();
  readonly #at = new Float64Array(3);
  readonly #a = new Float64Array(3);
  readonly #b = new Float64Array(3);

  constructor(model: CollisionModel, geometry: PairGeometry, tree: FrameTree, reduction: number) {
    this.#model = model;
    this.#geometry = geometry;
    this.#tree = tree;
    this.#reduction = reduction;
  }

  /** By the numbers of pairs, in the order in which they began. */
  get touching(): ReadonlyMap<number, Touching> {
    return this.#touching;
  }

  get latest(): string | undefined {
    const { resolved, colliders } = this.#model;
    const last = [...this.#touching.values()].at(-1);
    const name = (collider: number) => resolved.names[colliders.bodies[collider]!]!;
    return last && `the contact of ${name(last.colliderA)} and ${name(last.colliderB)}`;
  }

  /**
   * Begins a contact of two colliders, where frames are.
   *
   * @returns the speed of approach
   */
  begin(pair: number, colliderA: number, colliderB: number): number {
    const { colliders, frames } = this.#model;
    const [bodyA, bodyB] = [colliders.bodies[colliderA]!, colliders.bodies[colliderB]!];
    this.#geometry.place();
    const law = pairLaw(this.#model, bodyA, bodyB, this.#reduction);
    const ends = { colliderA, colliderB, frameA: frames[bodyA]!, frameB: frames[bodyB]! };
    const speed = this.#approach(ends, law) ?? -this.#parting(ends);
    this.#touching.set(pair, { ...ends, law, damping: dampingOf(law.restitution, speed) });
    return speed;
  }

  /** Ends a contact, where frames are. @returns the speed at which they part */
  end(pair: number): number {
    const touching = this.#touching.get(pair)!;
    this.#touching.delete(pair);
    this.#geometry.place();
    return this.#parting(touching);
  }

  /** How fast two colliders part at their nearest points. */
  #parting({ colliderA, colliderB, frameA, frameB }: TouchingEnds): number {
    return this.#geometry.parting(
      colliderA,
      colliderB,
      (point, normal) => -this.#approachAt(Float64Array.of(...normal, ...point), frameA, frameB),
    );
  }

  /** What `restore` brings back. */
  state(): ReadonlyMap<number, Touching> {
    return new Map(this.#touching);
  }

  restore(state: ReadonlyMap<number, Touching>): void {
    this.#touching.clear();
    for (const [pair, touching] of state) this.#touching.set(pair, touching);
  }

  /** How fast two colliders come nearer, in the mean over their elastic force; undefined where there is none. */
  #approach({ colliderA, colliderB, frameA, frameB }: TouchingEnds, law: PairLaw): number | undefined {
    const { count, values } = this.#contactsOf(colliderA, colliderB);
    let [forces, sum] = [0, 0];
    for (let i = 0; i < count; i++) {
      const v = values.subarray(CONTACT_VALUES * i, CONTACT_VALUES * (i + 1));
      const force = forceAt(law, -v[6]!, v[7]!);
      forces += force;
      sum += force * this.#approachAt(v, frameA, frameB);
    }
    return forces > 0 ? sum / forces : undefined;
  }

  #contactsOf(a: number, b: number) {
    this.#sink.cut(0);
    this.#geometry.touch(a, b, this.#sink);
    return this.#sink.rows();
  }

  /** Relative velocity of b into `#b`, and its part against the normal. */
  #approachAt(values: Float64Array, frameA: number, frameB: number): number {
    for (let k = 0; k < 3; k++) this.#at[k] = values[3 + k]!;
    const a = this.#tree.velocityAt(frameA, this.#at, this.#a);
    const b = this.#tree.velocityAt(frameB, this.#at, this.#b);
    for (let k = 0; k < 3; k++) b[k]! -= a[k]!;
    return -(b[0]! * values[0]! + b[1]! * values[1]! + b[2]! * values[2]!);
  }

  *joins(): Iterable<readonly [number, number]> {
    for (const { frameA, frameB } of this.#touching.values()) yield [frameA, frameB];
  }

  apply(powers: Powers, isApplied: boolean): void {
    if (this.#touching.size === 0) return;
    this.#geometry.place();
    for (const touching of this.#touching.values()) this.#applyPair(touching, powers, isApplied);
  }

  /** Forces on b of all pairs, where frames are. */
  forces(): { readonly pairs: readonly Touching[]; readonly forces: Float64Array<ArrayBuffer> } {
    const pairs = [...this.#touching.values()];
    const forces = new Float64Array(3 * pairs.length);
    const powers = { lost: 0, given: 0, slipped: 0, rolled: 0 };
    this.#geometry.place();
    pairs.forEach((touching, i) => {
      this.#applyPair(touching, powers, false, forces.subarray(3 * i, 3 * i + 3));
    });
    return { pairs, forces };
  }

  /** The contacts of all pairs, as the narrow phases found them. */
  contacts(): ContactSink {
    const sink = new ContactSink();
    this.#geometry.place();
    for (const { colliderA, colliderB } of this.#touching.values())
      this.#geometry.touch(colliderA, colliderB, sink);
    return sink;
  }

  #applyPair(
    { colliderA, colliderB, frameA, frameB, law, damping }: Touching,
    powers: Powers,
    isApplied: boolean,
    sum?: Float64Array,
  ): void {
    const tree = this.#tree;
    const { count, values } = this.#contactsOf(colliderA, colliderB);
    const spin = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const ofB = frameB < 0 ? 0 : tree.spins[3 * frameB + k]!;
      spin[k] = ofB - (frameA < 0 ? 0 : tree.spins[3 * frameA + k]!);
    }
    for (let i = 0; i < count; i++) {
      const v = values.subarray(CONTACT_VALUES * i, CONTACT_VALUES * (i + 1));
      const depth = -v[6]!;
      const approach = this.#approachAt(v, frameA, frameB);
      const elastic = forceAt(law, depth, v[7]!);
      const force = Math.max(0, elastic * (1 + damping * approach));
      // What is stored grows by the elastic part, whatever the rest takes.
      powers.lost += (force - elastic) * approach;
      if (force === 0) continue;
      const [nx, ny, nz] = [v[0]!, v[1]!, v[2]!];
      const relative = this.#b;
      const [sx, sy, sz] = [
        relative[0]! + approach * nx,
        relative[1]! + approach * ny,
        relative[2]! + approach * nz,
      ];
      const speed = Math.hypot(sx, sy, sz);
      const drag = law.friction * force * slip(speed);
      powers.slipped += drag * speed * speed;
      const about = spin[0]! * nx + spin[1]! * ny + spin[2]! * nz;
      const [rx, ry, rz] = [spin[0]! - about * nx, spin[1]! - about * ny, spin[2]! - about * nz];
      const rolled = Math.hypot(rx, ry, rz);
      const roll = law.rolling * force * turn(rolled);
      const twist = law.torsion * force * turn(Math.abs(about)) * about;
      powers.rolled += roll * rolled * rolled + twist * about;
      const [fx, fy, fz] = [force * nx - drag * sx, force * ny - drag * sy, force * nz - drag * sz];
      if (sum) {
        sum[0]! += fx;
        sum[1]! += fy;
        sum[2]! += fz;
      }
      if (!isApplied) continue;
      const [x, y, z] = [v[3]!, v[4]!, v[5]!];
      // Sums have the sign of inertia.
      tree.addForce(frameB, x, y, z, -fx, -fy, -fz);
      tree.addForce(frameA, x, y, z, fx, fy, fz);
      if (law.rolling === 0 && law.torsion === 0) continue;
      const [tx, ty, tz] = [roll * rx + twist * nx, roll * ry + twist * ny, roll * rz + twist * nz];
      tree.addTorque(frameB, tx, ty, tz);
      tree.addTorque(frameA, -tx, -ty, -tz);
    }
  }

  /** Energy of all contacts, where frames are. */
  elastic(): number {
    let energy = 0;
    this.#each((depth, area, { law }) => {
      energy += energyAt(law, depth, area);
    });
    return energy;
  }

  /** Where frames are. */
  sums(): ContactSums {
    let [count, most] = [0, 0];
    this.#each((depth) => {
      count++;
      most = Math.max(most, depth);
    });
    return { count, depth: most };
  }

  #each(work: (depth: number, area: number, touching: Touching) => void): void {
    if (this.#touching.size === 0) return;
    this.#geometry.place();
    for (const touching of this.#touching.values()) {
      const { count, values } = this.#contactsOf(touching.colliderA, touching.colliderB);
      for (let i = 0; i < count; i++) {
        const at = CONTACT_VALUES * i;
        work(-values[at + 6]!, values[at + 7]!, touching);
      }
    }
  }
}

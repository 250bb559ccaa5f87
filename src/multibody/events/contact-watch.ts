/**
 * Beginnings and ends of contacts within a step: zero crossings of the distances of selected pairs, and the proof that
 * no other pair met (Neumayr and Otter 2017, section 5). docs/multibody.md, "Contacts".
 */
import { RootWatch } from '../../dae/roots.ts';
import { InputError } from '../../errors.ts';
import {
  CLOSE_PARTINGS,
  CONTACT_DEPTH,
  KEPT_PLACES,
  MOST_PARTINGS,
  MOST_TURN,
  SPEED_BOUND,
  SPEED_PLACES,
} from '../constants.ts';
import type { CollisionModel } from '../contacts/collision-model.ts';
import type { ContactLoads } from '../contacts/contact-loads.ts';
import { NearPairs } from '../contacts/near-pairs.ts';
import type { PairGeometry } from '../contacts/pair-geometry.ts';
import { type PairDistance, PairSelection } from '../contacts/select-pairs.ts';
import type { FrameTree } from '../equations/tree.ts';

/** A contact that begins or ends. */
export interface Switch {
  /** Of both colliders: a * colliders + b. */
  readonly pair: number;
  readonly begins: boolean;
}

export interface Event {
  readonly time: number;
  readonly switches: readonly Switch[];
}

/** What was found of a step: up to a time, and the first event until then. */
export interface Found {
  readonly until: number;
  readonly event: Event | undefined;
}

/** Places frames as they are at a time within the last step. */
export type PlaceAt = (time: number) => void;

/** Bounds of the motion of each body within a step. */
interface Motion {
  /** Angle that no frame turns by more than. */
  readonly angle: number;
  /** How far its points move. */
  readonly ways: Float64Array;
  /** How much more points of a body are accelerated than others, per distance: spin squared, and the spin's change. */
  readonly turns: Float64Array;
  /** `[SPEED_PLACES][colliders * 3]`: of the colliders' middles, at places of the step. */
  readonly accelerations: readonly Float64Array[];
}

/** Where a pair is at a time: its gap along a normal, with the depth at which contacts begin. */
interface Side {
  readonly time: number;
  readonly gap: number;
  readonly normal: Float64Array;
}

export class ContactWatch {
  readonly #model: CollisionModel;
  readonly #geometry: PairGeometry;
  readonly #loads: ContactLoads;
  readonly #tree: FrameTree;
  readonly #near: NearPairs;
  readonly #selection: PairSelection;
  /** Without a limit: as many functions as it takes. */
  readonly #most: number;
  /** How often distances were asked for to find roots. */
  evaluations = 0;
  /** `[colliders]`: depth at which contacts of each begin. */
  readonly #depths: Float64Array;

  constructor(
    model: CollisionModel,
    geometry: PairGeometry,
    loads: ContactLoads,
    tree: FrameTree,
    crossings: number | { readonly most: number },
  ) {
    this.#model = model;
    this.#geometry = geometry;
    this.#loads = loads;
    this.#tree = tree;
    this.#near = new NearPairs(model);
    this.#selection = new PairSelection(typeof crossings === 'number' ? crossings : crossings.most);
    this.#most = typeof crossings === 'number' ? Infinity : crossings.most;
    const { colliders } = model;
    this.#depths = Float64Array.from(
      { length: colliders.count },
      (_, c) => CONTACT_DEPTH * (colliders.radii[c] || Infinity),
    );
  }

  /** Colliders of a pair. */
  collidersOf(pair: number): readonly [number, number] {
    const { count } = this.#model.colliders;
    return [Math.floor(pair / count), pair % count];
  }

  /** Pairs that overlap where frames are. */
  overlapping(poses: Float64Array): number[] {
    this.#near.update(poses, 0);
    this.#geometry.place();
    return this.#pairs().filter((pair) => this.#function(pair, false) < 0);
  }

  /** How far two colliders overlap, where they were placed last: the least way that parts them. */
  depth(pair: number): number {
    const [a, b] = this.collidersOf(pair);
    return -this.#geometry.gap(a, b, new Float64Array(3));
  }

  #pairs(): number[] {
    const { count } = this.#model.colliders;
    const { pairs } = this.#near;
    return Array.from({ length: pairs.length / 2 }, (_, i) => pairs[2 * i]! * count + pairs[2 * i + 1]!);
  }

  /** Depth at which a contact of a pair begins. */
  #depthOf(pair: number): number {
    const [a, b] = this.collidersOf(pair);
    return Math.min(this.#depths[a]!, this.#depths[b]!);
  }

  /** Of a pair that touches its distance; of others that plus a depth: neither is 0 where the other has crossed. */
  #function(pair: number, touches: boolean): number {
    const [a, b] = this.collidersOf(pair);
    const distance = this.#geometry.distance(a, b);
    return touches ? distance : distance + this.#depthOf(pair);
  }

  /**
   * The first beginning or end of contacts within a step, or within its first part where frames turn far in it: places
   * of a step tell its motion while little is turned between them.
   *
   * @param from where the step begins: contacts are switched for it
   * @param posesNow of the bodies of the model, where frames are
   */
  first(from: number, end: number, placeAt: PlaceAt, posesNow: () => Float64Array): Found {
    let until = end;
    let motion = this.#motionOf(from, until, placeAt);
    while (motion.angle > MOST_TURN) {
      until = from + (until - from) * Math.min(0.5, MOST_TURN / motion.angle);
      motion = this.#motionOf(from, until, placeAt);
    }
    return { until, event: this.#firstWithin(from, until, motion, placeAt, posesNow) };
  }

  #firstWithin(
    from: number,
    to: number,
    motion: Motion,
    placeAt: PlaceAt,
    posesNow: () => Float64Array,
  ): Event | undefined {
    const way = motion.ways.reduce((most, own) => Math.max(most, own), 0);
    // Many pairs are looked at at the same times. Those of long ago make room: they can be placed again.
    const places = new Map<number, Float64Array>();
    const place = (time: number) => {
      const known = places.get(time);
      if (known) {
        this.#geometry.placed = known;
        return;
      }
      placeAt(time);
      this.#geometry.place();
      if (places.size === KEPT_PLACES) places.delete(places.keys().next().value!);
      places.set(time, this.#geometry.placed);
    };
    placeAt(from);
    this.#near.update(posesNow(), way);
    const pairs = this.#pairs();
    place(from);
    const touching = this.#loads.touching;
    const { selection, end } = this.#select(from, to, pairs, place, motion);
    if (selection.length === 0) return undefined;
    const isTouching = selection.map((pair) => touching.has(pair));
    const watch = new RootWatch(selection.length);
    const valuesAt = (time: number, out: Float64Array) => {
      place(time);
      selection.forEach((pair, i) => {
        out[i] = this.#function(pair, isTouching[i]!);
      });
    };
    watch.start(from, from + (to - from) * 2 ** -20, valuesAt, []);
    // What touches is on its side, whatever rounding says of a distance of 0.
    isTouching.forEach((is, i) => {
      watch.sides[i] = is ? -1 : 1;
    });
    const root = watch.next(end, to - from, valuesAt);
    this.evaluations += watch.evaluations;
    if (root === undefined) return undefined;
    return {
      time: root.time,
      switches: root.functions.map((i) => ({ pair: selection[i]!, begins: !isTouching[i]! })),
    };
  }

  /** The pairs that have functions, and a time up to which none that is apart crosses twice. */
  #select(from: number, to: number, pairs: readonly number[], place: PlaceAt, motion: Motion) {
    const touching = this.#loads.touching;
    const { bodies } = this.#model.colliders;
    const distances = pairs.map((pair): PairDistance => {
      const distance = this.#function(pair, touching.has(pair));
      return { pair, distance: touching.has(pair) ? -Math.abs(distance) : distance };
    });
    const selection = this.#selection;
    for (;;) {
      const negative = selection.selectContactPairs(distances);
      if (negative > selection.count) {
        this.#grow(negative);
        continue;
      }
      const chosen = new Set(selection.selected);
      let end = to;
      let isOutside = false;
      for (const { pair, distance } of distances) {
        if (touching.has(pair)) continue;
        // Most are too far away for any motion of the step.
        const [a, b] = this.collidersOf(pair);
        const way = motion.ways[bodies[a]!]! + motion.ways[bodies[b]!]!;
        if (distance > way && this.#sideOf(pair, from, place).gap > way) continue;
        const met = this.#firstMeeting(pair, from, end, place, motion);
        if (met === undefined) continue;
        if (!chosen.has(pair)) isOutside = true;
        end = met;
      }
      if (!isOutside) return { selection: selection.selected, end };
      this.#grow(selection.count + 1);
    }
  }

  #grow(needed: number): void {
    if (needed > this.#most) {
      throw new InputError(
        `crossings.most is ${this.#most}, expected ${needed} or more: as many pairs touch, or come to, at once`,
      );
    }
    while (this.#selection.count < needed) this.#selection.count *= 2;
  }

  /** Bounds of how bodies move within a step, from its state at some places. */
  #motionOf(from: number, to: number, place: PlaceAt): Motion {
    const { frames, colliders } = this.#model;
    const { reaches } = this.#near;
    const centre = new Float64Array(3);
    const [ways, turns] = [new Float64Array(frames.length), new Float64Array(frames.length)];
    const sampled: Float64Array[] = [];
    const { velocities, spins, spinRates } = this.#tree;
    let fastest = 0;
    const length = (values: Float64Array, at: number) =>
      Math.hypot(values[at]!, values[at + 1]!, values[at + 2]!);
    for (let i = 0; i < SPEED_PLACES; i++) {
      place(from + ((to - from) * i) / (SPEED_PLACES - 1));
      this.#geometry.place();
      const accelerations = new Float64Array(3 * colliders.count);
      for (let c = 0; c < colliders.count; c++) {
        const own = accelerations.subarray(3 * c, 3 * c + 3);
        this.#tree.accelerationAt(frames[colliders.bodies[c]!]!, this.#geometry.centre(c, centre), own);
      }
      sampled.push(accelerations);
      for (let at = 0; at < spins.length; at += 3) fastest = Math.max(fastest, length(spins, at));
      frames.forEach((frame, body) => {
        if (frame < 0) return;
        const at = 3 * frame;
        const arm = this.#geometry.arms[body]!;
        const spin = length(spins, at);
        const turn = spin * spin + length(spinRates, at);
        ways[body] = Math.max(ways[body]!, length(velocities, at) + spin * (reaches[body]! + arm));
        turns[body] = Math.max(turns[body]!, turn);
      });
    }
    return {
      angle: SPEED_BOUND * (to - from) * fastest,
      ways: ways.map((x) => SPEED_BOUND * (to - from) * x),
      turns: turns.map((x) => SPEED_BOUND * x),
      accelerations: sampled,
    };
  }

  /** A bound of the relative acceleration of points of two colliders that may be the nearest ones. */
  #accelerationOf(a: number, b: number, { accelerations, turns }: Motion): number {
    const { bodies } = this.#model.colliders;
    const between = accelerations.map((own) =>
      Math.hypot(...[0, 1, 2].map((k) => own[3 * a + k]! - own[3 * b + k]!)),
    );
    const turned = (c: number) => turns[bodies[c]!]! * this.#geometry.pointReach(c);
    // Bodies that fall together do not come nearer, however fast they fall.
    return SPEED_BOUND * Math.max(...between) + turned(a) + turned(b);
  }

  #sideOf(pair: number, time: number, place: PlaceAt): Side {
    place(time);
    const [a, b] = this.collidersOf(pair);
    const normal = new Float64Array(3);
    return { time, gap: this.#geometry.gap(a, b, normal) + this.#depthOf(pair), normal };
  }

  /**
   * A time at which a pair overlaps, soon after it met for the first time; undefined where it is proven that it did
   * not, part by part.
   *
   * The gap along a fixed normal is the least one of all pairs of points of both bodies. Each of those is a function of
   * time whose second derivative is A at most, the largest relative acceleration of points. So it lies above the line
   * between its ends by no less than -A (t - t0) (t1 - t) / 2, and so does the gap.
   */
  #firstMeeting(pair: number, from: number, to: number, place: PlaceAt, motion: Motion): number | undefined {
    const [a, b] = this.collidersOf(pair);
    const geometry = this.#geometry;
    const acceleration = this.#accelerationOf(a, b, motion);
    const overlaps = ({ time, gap }: Side) => {
      // A gap below 0 along one normal is no proof.
      if (gap >= 0) return false;
      place(time);
      return this.#function(pair, false) < 0;
    };
    const search = (low: Side, high: Side, partings: number): number | undefined => {
      const span = high.time - low.time;
      const bend = (acceleration * span * span) / 2;
      const isApart = ({ gap, normal }: Side, other: Side) => {
        if (!(gap > 0)) return false;
        place(other.time);
        const there = geometry.gapAlong(a, b, normal) + this.#depthOf(pair);
        return there > 0 && (Math.min(gap, there) > bend / 4 || Math.abs(there - gap) >= bend);
      };
      if (isApart(low, high) || isApart(high, low)) return undefined;
      const isOver = overlaps(high);
      // All before this part is proven: the root is in it.
      if (isOver && partings <= MOST_PARTINGS - CLOSE_PARTINGS) return high.time;
      const middle = this.#sideOf(pair, low.time + span / 2, place);
      if (partings === 0 || middle.time <= low.time || middle.time >= high.time)
        return isOver ? high.time : undefined;
      return search(low, middle, partings - 1) ?? search(middle, high, partings - 1);
    };
    return search(this.#sideOf(pair, from, place), this.#sideOf(pair, to, place), MOST_PARTINGS);
  }
}

/**
 * Steps in which contacts push bodies apart by just as much as keeps their gaps from closing, without friction: C.
 * Lennerz, E. Schömer, T. Warken, "A framework for collision detection and response", section 3. What bodies meet on
 * their way through a step takes part in it. docs/complementarity.md has the formulas and what departs from the paper.
 */
import { MovingPoints, PoseWay } from '../../bounding/motion/moving-points.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { SimulationError } from '../../errors.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import type { ShiftedContacts } from '../forces/body-laws.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import { smallerRadius } from '../monitors/stops.ts';
import { angularVelocity, BodyStatus, kineticEnergy, type MotionState } from '../motion/motion.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { MovedStep, StepMove, StepMover } from '../steps/step-response.ts';
import { MOST_ROUNDS, MOST_STEP_HALVINGS, NEAR_GAP, TOUCHING_GAP } from './constants.ts';
import { type Features, featuresOf } from './features.ts';
import { metGaps, nearGaps } from './find-gaps.ts';
import { type Gap, Gaps } from './gaps.ts';
import { copyOfState, type SolvedForces, solveForces } from './solve-forces.ts';

export interface ContactComplementarityOptions {
  readonly model: SimulationModel;
  /** Checked, and their names. */
  readonly shapes: readonly ContactShape[];
  readonly names: readonly string[];
  /** Contacts hold bodies until their force would pull (5). Else they push alone (7). */
  readonly isBilateral: boolean;
}

/** Contacts of a step and their forces. */
interface History {
  readonly gaps: readonly Gap[];
  readonly forces: Float64Array;
  /** Mean forces on B of the last step, by pairs. */
  readonly pairs: PairForces;
}

const NO_PAIRS: PairForces = { count: 0, bodies: new Uint32Array(), forces: new Float64Array() };

/** Numbers of a gap in a checkpoint. */
const GAP_WORDS = 5;

type Part = SolvedForces & { readonly gaps: readonly Gap[] };

export class ContactComplementarity implements StepMover {
  readonly #options: ContactComplementarityOptions;
  readonly #gaps: Gaps;
  #history: History | undefined;
  /** Steps of Newton's method so far, and of the time steps that they were for. */
  readonly newton = { steps: 0, solved: 0 };

  /** @throws InputError for a shape that these contacts do not know */
  constructor(options: ContactComplementarityOptions) {
    this.#options = options;
    const { model, shapes, names } = options;
    const made = new Map<number, Features>();
    this.#gaps = new Gaps(
      Array.from(model.contactBodies.shapes, (shape, body) => {
        const features =
          made.get(shape) ??
          featuresOf(shapes[shape]!, names[shape]!, (points) => toPrincipal(points, model, body));
        made.set(shape, features);
        return features;
      }),
    );
  }

  move(_contacts: ShiftedContacts, state: MotionState, step: StepMove): MovedStep {
    const before = this.#energyOf(state, step);
    const pairs = new Map<string, { bodies: readonly [number, number]; force: Float64Array }>();
    const work = { lost: 0, driven: 0 };
    let level = 0;
    for (let done = 0; done < 1; ) {
      const share = 2 ** -level;
      const part = this.#solve(state, step, done, share);
      if ('unsolved' in part) {
        if (level++ < MOST_STEP_HALVINGS) continue;
        throw unsolved(this.#options.model.names, step, part.unsolved);
      }
      this.#take(part, state, step, share, pairs, work);
      done += share;
    }
    const sums = Array.from(pairs.values());
    this.#history = {
      ...this.#history!,
      pairs: {
        count: sums.length,
        bodies: Uint32Array.from(sums.flatMap(({ bodies }) => bodies)),
        forces: Float64Array.from(sums.flatMap(({ force }) => [...force])),
      },
    };
    const after = this.#energyOf(state, step);
    // Applied forces work over the mean of both speeds, as the sums of a step have it.
    const applied = ((before.power + after.power) / 2) * step.time;
    const gained = after.energy - before.energy - applied;
    const { lost: dashpots, driven } = work;
    return { dashpots, friction: 0, rolling: 0, driven, pushed: gained + dashpots - driven };
  }

  /** Forces of a part of a step, with all that bodies meet in it; or the contacts for which there are none. */
  #solve(
    state: MotionState,
    step: StepMove,
    done: number,
    share: number,
  ): Part | { unsolved: readonly Gap[] } {
    const { model, isBilateral } = this.#options;
    const { inertia, laws } = model;
    const time = share * step.time;
    const pairs = this.#pairs(step.statuses);
    const gaps = this.#gaps;
    gaps.place(state);
    const contacts = this.#contactsAtFirst(pairs);
    const held = new Map(this.#history?.gaps.map((gap, k) => [keyOf(gap), this.#history!.forces[k]!]));
    let guess = Float64Array.from(contacts, (gap) => held.get(keyOf(gap)) ?? 0);
    const known = new Set(contacts.map(keyOf));
    const moving = laws.radii.filter((radius) => radius > 0);
    const solving = {
      ...{ inertia, statuses: step.statuses, time, isBilateral, free: freeState(state, model, step, time) },
      drive: (end: MotionState) => step.drive(end, done + share),
      size: moving.reduce((least, radius) => Math.min(least, radius), Infinity),
    };
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const solved = solveForces(gaps, contacts, guess, solving);
      if (solved === undefined) break;
      this.newton.steps += solved.newtonSteps;
      this.newton.solved++;
      const met = this.#met(state, solved.state, pairs).filter((gap) => !known.has(keyOf(gap)));
      if (met.length === 0) return { ...solved, gaps: contacts };
      for (const gap of met) {
        known.add(keyOf(gap));
        contacts.push(gap);
      }
      guess = Float64Array.from(contacts, (_, k) => solved.forces[k] ?? 0);
    }
    return { unsolved: contacts };
  }

  /** Contacts that a step begins with: all that are near, or those that touch and have not let go. */
  #contactsAtFirst(pairs: readonly (readonly [number, number])[]): Gap[] {
    const gaps = this.#gaps;
    const near = pairs.flatMap(([a, b]) => {
      const size = this.#sizeOf(a, b);
      return nearGaps(gaps, a, b, { most: NEAR_GAP * size, size });
    });
    if (!this.#options.isBilateral) return near;
    if (this.#history === undefined)
      return near.filter((gap) => gaps.measure(gap) <= TOUCHING_GAP * this.#sizeOf(gap.a, gap.b));
    const { gaps: last, forces } = this.#history;
    const holding = new Set(last.filter((_, k) => forces[k]! >= 0).map(keyOf));
    return near.filter((gap) => holding.has(keyOf(gap)));
  }

  #sizeOf(a: number, b: number): number {
    return smallerRadius(this.#options.model.laws.radii, a, b);
  }

  /** Contacts that bodies meet on their way from one state to another, and overlaps there. */
  #met(from: MotionState, to: MotionState, pairs: readonly (readonly [number, number])[]): Gap[] {
    const gaps = this.#gaps;
    gaps.place(to);
    const poses = [from, to].map((state) => (body: number) => [
      ...state.positions.subarray(3 * body, 3 * body + 3),
      ...state.rotations.subarray(4 * body, 4 * body + 4),
    ]) as [Pose, Pose];
    const ways = gaps.features.map(
      ({ points }, body) => new MovingPoints(new PoseWay(poses[0](body), poses[1](body)), points),
    );
    return pairs.flatMap(([a, b]) => metGaps(gaps, [a, b], [ways[a]!, ways[b]!], this.#sizeOf(a, b)));
  }

  /** Pairs of bodies that are there and may touch, of which one moves. */
  #pairs(statuses: Uint8Array): [number, number][] {
    const { model } = this.#options;
    const { inverseMasses } = model.inertia;
    const { groups, masks } = model.contactBodies;
    const mayTouch = (a: number, b: number) =>
      ((groups?.[a] ?? 1) & (masks?.[b] ?? -1)) !== 0 && ((groups?.[b] ?? 1) & (masks?.[a] ?? -1)) !== 0;
    const found: [number, number][] = [];
    for (let a = 0; a < model.count; a++) {
      if (statuses[a] !== BodyStatus.present) continue;
      for (let b = a + 1; b < model.count; b++) {
        if (statuses[b] !== BodyStatus.present || (inverseMasses[a] === 0 && inverseMasses[b] === 0))
          continue;
        if (mayTouch(a, b)) found.push([a, b]);
      }
    }
    return found;
  }

  /** Moves bodies by a part of a step, and adds up what contacts do in it. */
  #take(
    part: Part,
    state: MotionState,
    step: StepMove,
    share: number,
    pairs: Map<string, { bodies: readonly [number, number]; force: Float64Array }>,
    work: { lost: number; driven: number },
  ): void {
    const { inertia } = this.#options.model;
    const { gaps, forces, rows } = part;
    const speeds = [state, part.state].map((of) => (body: number) => {
      const spin = new Float64Array(3);
      angularVelocity(of, inertia, body, spin);
      return [...of.velocities.subarray(3 * body, 3 * body + 3), ...spin];
    }) as [Pose, Pose];
    for (const [k, { a, b }] of gaps.entries()) {
      const force = forces[k]!;
      if (force === 0) continue;
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      const key = `${first},${second}`;
      const pair = pairs.get(key) ?? { bodies: [first, second], force: new Float64Array(3) };
      pairs.set(key, pair);
      for (const [body, o] of [
        [a, 12 * k],
        [b, 12 * k + 6],
      ] as const) {
        const [u, v] = [speeds[0](body), speeds[1](body)];
        let power = 0;
        for (let c = 0; c < 3; c++) {
          step.loads.forces[3 * body + c]! += share * force * rows[o + c]!;
          step.loads.torques[3 * body + c]! += share * force * rows[o + 3 + c]!;
          if (body === second) pair.force[c]! += share * force * rows[o + c]!;
        }
        for (let c = 0; c < 6; c++) power += (force * rows[o + c]! * (u[c]! + v[c]!)) / 2;
        const energy = power * share * step.time;
        work.lost -= energy;
        if (inertia.isDriven[body] === 1) work.driven -= energy;
      }
    }
    for (const name of ['positions', 'rotations', 'velocities', 'momenta'] as const)
      state[name].set(part.state[name]);
    this.#history = { gaps, forces, pairs: NO_PAIRS };
  }

  /** Of all bodies that move: energy of motion and in gravity, and the power of what is applied. */
  #energyOf(state: MotionState, { gravity, statuses, applied }: StepMove) {
    const { inertia } = this.#options.model;
    const spin = new Float64Array(3);
    let [energy, power] = [0, 0];
    for (let body = 0; body < state.count; body++) {
      const inverse = inertia.inverseMasses[body]!;
      if (inverse === 0 || statuses[body] !== BodyStatus.present) continue;
      energy += kineticEnergy(state, inertia, body);
      angularVelocity(state, inertia, body, spin);
      for (let k = 0; k < 3; k++) {
        energy -= (gravity[k]! * state.positions[3 * body + k]!) / inverse;
        power += applied.forces[3 * body + k]! * state.velocities[3 * body + k]!;
        power += applied.torques[3 * body + k]! * spin[k]!;
      }
    }
    return { energy, power };
  }

  contactForces(): PairForces {
    return this.#history?.pairs ?? NO_PAIRS;
  }

  saved(): () => void {
    const history = this.#history;
    return () => {
      this.#history = history;
    };
  }

  store(): StoredArrays {
    if (this.#history === undefined) return {};
    const { gaps, forces, pairs } = this.#history;
    const kept = gaps.flatMap(({ kind, a, b, i, j }) => [kind, a, b, i, j]);
    return {
      ...{ gapFeatures: Uint32Array.from(kept), gapForces: forces },
      ...{ pairBodies: pairs.bodies, pairForces: pairs.forces },
    };
  }

  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>> {
    if (stored.arrays.gapFeatures === undefined) return {};
    const gaps = itemsOf(stored, 'gapFeatures', GAP_WORDS);
    const pairs = itemsOf(stored, 'pairBodies', 2);
    return {
      ...{ gapFeatures: words(GAP_WORDS * gaps), gapForces: floats(gaps) },
      ...{ pairBodies: words(2 * pairs, bodies), pairForces: floats(3 * pairs) },
    };
  }

  restore(arrays: StoredArrays): void {
    const { gapFeatures: words, gapForces, pairBodies, pairForces } = arrays;
    if (words === undefined) {
      this.#history = undefined;
      return;
    }
    // Signs are found anew with the gaps.
    const gaps = Array.from({ length: words.length / GAP_WORDS }, (_, k): Gap => {
      const [kind, a, b, i, j] = words.subarray(GAP_WORDS * k, GAP_WORDS * (k + 1)) as unknown as FiveWords;
      return { kind, a, b, i, j, sign: 1 };
    });
    const bodies = pairBodies as Uint32Array;
    const pairs = {
      count: bodies.length / 2,
      bodies: bodies.slice(),
      forces: Float64Array.from(pairForces!),
    };
    this.#history = { gaps, forces: Float64Array.from(gapForces!), pairs };
  }
}

type Pose = (body: number) => number[];
type FiveWords = [number, number, number, number, number];

function keyOf({ kind, a, b, i, j }: Gap): string {
  return `${kind},${a},${b},${i},${j}`;
}

/** Bodies at the start of a part of a step, with the speeds that gravity and what is applied alone bring. */
function freeState(
  state: MotionState,
  { inertia }: SimulationModel,
  step: StepMove,
  time: number,
): MotionState {
  const { gravity, statuses, applied } = step;
  const free = copyOfState(state);
  for (let body = 0; body < state.count; body++) {
    const inverse = inertia.inverseMasses[body]!;
    if (inverse === 0 || statuses[body] !== BodyStatus.present) continue;
    for (let k = 0; k < 3; k++) {
      free.velocities[3 * body + k]! += time * (gravity[k]! + inverse * applied.forces[3 * body + k]!);
      free.momenta[3 * body + k]! += time * applied.torques[3 * body + k]!;
    }
  }
  return free;
}

/** Points of a shape's frame about the centroid of its body, along principal axes. */
function toPrincipal(
  points: Float64Array,
  { centroids, principal }: SimulationModel,
  body: number,
): Float64Array {
  const [x, y, z, w] = principal.subarray(4 * body, 4 * body + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const back = new PoseWay([0, 0, 0, -x, -y, -z, w], [0, 0, 0, -x, -y, -z, w]);
  const about = points.map((p, i) => p - centroids[3 * body + (i % 3)]!);
  back.place(about, 0, 0, about, 0, about.length / 3);
  return about;
}

function unsolved(
  names: SimulationModel['names'],
  { step, time }: StepMove,
  gaps: readonly Gap[],
): SimulationError {
  const pairs = new Map(gaps.map(({ a, b }) => [`${names[a]} and ${names[b]}`, [a, b]]));
  const bodies = [...new Set([...pairs.values()].flat())];
  return new SimulationError(
    'unsolved',
    { step, bodies },
    `no forces were found for ${gaps.length} contacts of ${[...pairs.keys()].join(', ')}, also in steps of ` +
      `${time / 2 ** MOST_STEP_HALVINGS}: use a shorter timeStep or slower bodies`,
  );
}

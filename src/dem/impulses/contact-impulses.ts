/**
 * Steps by impulses. Contacts are found once a step. Soft constraints keep bodies apart in substeps (E. Catto, "Soft
 * constraints", 2011, and "Solver2D", 2024; M. Macklin et al., "Small steps in physics simulation", 2019), or contacts
 * are collisions, one after another (D. Olvang, 2010). docs/dem.md, "Impulses", and docs/stacks.md have the formulas.
 */

import { ContactKind } from '../../contacts/list/contact-arrays.ts';
import { giveMemory } from '../../workers/spare-memory.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import { bytes, floats, itemsOf, type StoredRule, words } from '../checkpoint/require-stored.ts';
import type { BodyLaws, ShiftedContacts } from '../forces/body-laws.ts';
import { type ContactGroups, groupContacts, RANGE_WORDS, someOf } from '../forces/groups.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Inertia, MotionState } from '../motion/motion.ts';
import type { MovedStep, StepMove, StepMover } from '../steps/step-response.ts';
import { type ChosenContacts, chooseContacts } from './choose-contacts.ts';
import { type CollisionOptions, CollisionSolver } from './collision-solver.ts';
import { colourGroups, groupsByPriority } from './colours.ts';
import { levelsOf } from './contact-graph.ts';
import type { ImpulseHistory } from './impulse-history.ts';
import { ImpulseSolver } from './impulse-solver.ts';
import type { RowSolverOptions, SolvedStep } from './row-solver.ts';

export interface ContactImpulsesOptions {
  readonly laws: Omit<BodyLaws, 'lengths'>;
  readonly inertia: Inertia;
  /** Substeps, or collisions. */
  readonly by: number | CollisionOptions;
}

/** Contacts of a step, in groups. */
interface Grouped {
  readonly contacts: ShiftedContacts;
  readonly all: ContactGroups;
  readonly chosen: ChosenContacts;
  readonly groups: ContactGroups;
}

/** Finds the impulses of a step, with those of the last one. */
type Solve = (found: Grouped, last: ImpulseHistory | undefined, step: StepMove) => SolvedStep;

export class ContactImpulses implements StepMover {
  readonly #options: ContactImpulsesOptions;
  #history: ImpulseHistory | undefined;
  #solve: Solve | undefined;

  constructor(options: ContactImpulsesOptions) {
    this.#options = options;
  }

  move(contacts: ShiftedContacts, state: MotionState, step: StepMove): MovedStep {
    const { laws, inertia, by } = this.#options;
    this.#solve ??=
      typeof by === 'number' ? soft({ laws, inertia, state }, by) : colliding({ laws, inertia, state }, by);
    const all = groupContacts(contacts, new Uint32Array(RANGE_WORDS * contacts.count));
    const chosen = chooseContacts(contacts, all, laws.radii);
    const groups = groupContacts(chosen, new Uint32Array(RANGE_WORDS * chosen.count));
    const { history, moved } = this.#solve({ contacts, all, chosen, groups }, this.#history, step);
    this.#history = history;
    return moved;
  }

  contactForces(): PairForces {
    if (this.#history === undefined)
      return { count: 0, bodies: new Uint32Array(), forces: new Float64Array() };
    const { contacts, groups, forces } = this.#history;
    const bodies = new Uint32Array(2 * groups.count);
    for (let group = 0; group < groups.count; group++) {
      const i = someOf(groups, group);
      bodies.set(contacts.bodies.subarray(2 * i, 2 * i + 2), 2 * group);
    }
    return { count: groups.count, bodies, forces: Float64Array.from(forces) };
  }

  saved(): () => void {
    const history = this.#history;
    return () => {
      this.#history = history;
    };
  }

  store(): StoredArrays {
    if (this.#history === undefined) return {};
    const { contacts, groups, rowForces, rolling, forces } = this.#history;
    return {
      ...{ rowBodies: contacts.bodies, rowParts: contacts.parts, rowKinds: contacts.kinds },
      ...{ rowFeatures: contacts.features, ranges: groups.ranges, rowForces, rolling, groupForces: forces },
    };
  }

  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>> {
    if (stored.arrays.rowKinds === undefined) return {};
    const rows = itemsOf(stored, 'rowKinds', 1);
    const groups = itemsOf(stored, 'ranges', RANGE_WORDS);
    return {
      rowKinds: bytes(rows, Object.keys(ContactKind).length),
      ...{ rowBodies: words(2 * rows, bodies), rowParts: words(2 * rows), rowFeatures: words(rows) },
      ...{ ranges: words(RANGE_WORDS * groups, rows + 1), rowForces: floats(4 * rows) },
      ...{ rolling: floats(3 * groups), groupForces: floats(3 * groups) },
    };
  }

  restore(arrays: StoredArrays): void {
    this.#history = undefined;
    if (arrays.rowKinds === undefined) return;
    const floatsIn = (name: string) => arrays[name] as Float64Array;
    const wordsIn = (name: string) => arrays[name] as Uint32Array<ArrayBuffer>;
    const kinds = arrays.rowKinds as Uint8Array<ArrayBuffer>;
    const ranges = wordsIn('ranges');
    this.#history = {
      contacts: {
        ...{ count: kinds.length, bodies: wordsIn('rowBodies'), parts: wordsIn('rowParts') },
        ...{ kinds, features: wordsIn('rowFeatures') },
      },
      groups: { count: ranges.length / RANGE_WORDS, ranges },
      ...{ rowForces: floatsIn('rowForces'), rolling: floatsIn('rolling'), forces: floatsIn('groupForces') },
    };
  }
}

/** `[n]`: 1 for bodies that forces move. */
function movingBodies({ inverseMasses }: Inertia): Uint8Array {
  return Uint8Array.from(inverseMasses, (inverse) => (inverse > 0 ? 1 : 0));
}

function soft(options: RowSolverOptions, substeps: number): Solve {
  const solver = new ImpulseSolver(options);
  const isMoving = movingBodies(options.inertia);
  return (found, last, step) => {
    const { order } = colourGroups(found.chosen, found.groups, isMoving);
    return solver.move({ ...found, order }, last, step, substeps);
  };
}

function colliding(options: RowSolverOptions, by: CollisionOptions): Solve {
  const solver = new CollisionSolver(options);
  const isMoving = movingBodies(options.inertia);
  return (found, _, step) => {
    const levels = levelsOf(found.contacts, found.all, isMoving, step.gravity);
    // Another order in each step: with one for all of them, what it does wrong would add up.
    const order = groupsByPriority(found.chosen, found.groups, step.step);
    const solved = solver.move({ ...found, order }, levels, step, by);
    giveMemory([order]);
    return solved;
  };
}

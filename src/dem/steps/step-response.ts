/**
 * Response of a step on the host to its contacts: loads, under which bodies move, or impulses, which move them at once.
 * On the GPU `DeviceResponse` is its like.
 */

import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import type { StoredRule } from '../checkpoint/require-stored.ts';
import type { ShiftedContacts } from '../forces/body-laws.ts';
import type { BodyLoads } from '../forces/body-loads.ts';
import type { ContactSums, PosedContacts } from '../forces/contact-forces.ts';
import type { SpringEnergies } from '../forces/force-history.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Loads, MotionState } from '../motion/motion.ts';

/** Members of all responses. */
interface StepResponse {
  /** Between bodies that touch, of the last step. */
  contactForces(): PairForces;
  /** A function that takes back a step that follows, until this is called again. */
  saved(): () => void;
  /** The history of contacts, which goes from step to step. */
  store(): StoredArrays;
  /** Rules that arrays for `restore` have to keep, with so many bodies. */
  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>>;
  restore(arrays: StoredArrays): void;
}

/** Loads of contacts: bodies move between them as `motion/` says. */
export interface StepLoads extends StepResponse {
  /** Of the last call of `add`. */
  readonly loads: BodyLoads;
  /**
   * Sums up the loads of all contacts where bodies are.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay
   */
  add(contacts: PosedContacts, state: MotionState, time: number): Promise<ContactSums>;
  /** Energies of contacts of the last call at bodies with a 1. */
  energyAt(isOne: Uint8Array): SpringEnergies;
}

/** Inputs of a step of a response that moves bodies by itself. */
export interface StepMove {
  readonly time: number;
  readonly gravity: Vector3;
  readonly statuses: Uint8Array;
  /** Its number, for messages. */
  readonly step: number;
  /** Forces and torques that scripts apply. */
  readonly applied: Loads;
  /** Puts driven bodies where they are after a share of the step. */
  readonly drive: (state: MotionState, share: number) => void;
  /** The mean loads of the step are added to it, without gravity. */
  readonly loads: Loads;
}

/** Energies that a step took out, or brought in. */
export type MovedStep = Readonly<Record<'dashpots' | 'friction' | 'rolling' | 'driven' | 'pushed', number>>;

/** Moves bodies by a step, with the contacts that there are at its start. Contacts hold no energy. */
export interface StepMover extends StepResponse {
  move(contacts: ShiftedContacts, state: MotionState, step: StepMove): MovedStep;
}

/** Finds contacts of a response's own in place of those of the engine. */
export interface ContactFinder {
  /** @param poses `[n * 7]`: of bodies */
  find<T extends ShiftedContacts>(contacts: T, poses: Float64Array): T;
}

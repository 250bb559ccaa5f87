/** What a step on the host does with its contacts. Forces are one way; on the GPU `DeviceForces` is its like. */
import type { StoredArrays, StoredState } from '../checkpoint/checkpoint.ts';
import type { StoredRule } from '../checkpoint/require-stored.ts';
import type { ContactSums, LossLoads, ShiftedContacts, SpringEnergies } from '../forces/contact-forces.ts';
import type { PairForces } from '../forces/pair-forces.ts';
import type { Loads, MotionState } from '../motion/motion.ts';

export interface StepResponse {
  /** `[m]`: elastic energy of each contact of the last call of `add`, without that of its tangential spring. */
  readonly energies: Float64Array;
  /**
   * Adds the loads of all contacts where bodies are.
   *
   * @param time since the last call: what tangential springs have been stretched for. 0: they stay
   */
  add(
    contacts: ShiftedContacts,
    state: MotionState,
    time: number,
    loads: Loads,
    losses: LossLoads,
  ): ContactSums;
  /** Between bodies that touch, of the last call of `add`. */
  contactForces(): PairForces;
  /** Energies of contacts of the last call at bodies with a 1. */
  energyAt(isOne: Uint8Array): SpringEnergies;
  /** A function that takes back calls of `add` that follow. */
  saved(): () => void;
  /** What contacts remember from step to step. */
  store(): StoredArrays;
  /** What `restore` takes, of so many bodies. */
  rulesFor(stored: StoredState, bodies: number): Readonly<Record<string, StoredRule>>;
  restore(arrays: StoredArrays): void;
}

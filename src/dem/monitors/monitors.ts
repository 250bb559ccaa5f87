/** Numbers that are watched in every step: energies, momenta, contacts. */
import { LEAST_TURNOVER } from '../constants.ts';
import type { SimulationModel } from '../scene/model.ts';
import { largestGravity } from '../scene/time-table.ts';

/** Energies, each a sum over all bodies or contacts. */
export interface Energies {
  /** Of motion and turning. */
  kinetic: number;
  /** In gravity: 0 where bodies were at first. */
  gravity: number;
  /** Of all springs at contacts. */
  elastic: number;
  /** Lost so far to dashpots at contacts, to sliding, to rolling and torsion. */
  dashpots: number;
  friction: number;
  rolling: number;
  /** Work so far of bodies with a prescribed motion on the others, of applied loads, and of gravity that changes. */
  driven: number;
  /** Brought in so far by impulses that push bodies apart; 0 with forces. */
  pushed: number;
  /** Of bodies that have appeared, and of those that were removed, when they were: of all kinds above. */
  inserted: number;
  removed: number;
}

export interface Monitors extends Readonly<Energies> {
  readonly time: number;
  readonly steps: number;
  /**
   * All energy there is, was lost or removed, less that of bodies that appeared, the work of driven bodies and
   * what pushes brought in: what a step may not change.
   */
  readonly balance: number;
  /** Bodies that are there, and those that were removed. */
  readonly presentBodies: number;
  readonly removedBodies: number;
  readonly contacts: number;
  /** Contacts that are less than sure: on the GPU those that float32 leaves open. `ContactStatus` */
  readonly openContacts: number;
  /** A length. */
  readonly deepestOverlap: number;
  /** Of the stiffest pair in contact, radians per time. */
  readonly largestFrequency: number;
  /** `[3]` each: of all moving bodies, the latter about the origin. */
  readonly momentum: Float64Array;
  readonly angularMomentum: Float64Array;
}

/** @param energies all of them */
export function balanceOf({
  kinetic,
  gravity,
  elastic,
  dashpots,
  friction,
  rolling,
  driven,
  pushed,
  inserted,
  removed,
}: Readonly<Energies>) {
  return kinetic + gravity + elastic + dashpots + friction + rolling + removed - driven - pushed - inserted;
}

/** Energy that counts as turned over from the start. @param cell edge of the cells of positions */
export function leastTurnover({ inertia, gravity }: SimulationModel, cell: number): number {
  const mass = inertia.inverseMasses.reduce((sum, inverse) => sum + (inverse > 0 ? 1 / inverse : 0), 0);
  return LEAST_TURNOVER * mass * largestGravity(gravity) * cell;
}

/** Contacts and forces by pairs of bodies: what a wall, a picture or a sum over bodies asks for. */
import { requireRows, told } from '../../arguments.ts';
import type { ContactArrays } from '../../contacts/list/contact-arrays.ts';
import { InputError } from '../../errors.ts';
import type { PairForces } from '../forces/pair-forces.ts';

/** Bodies that touch, a row per pair, in the order of a, then b. Those of several parts have one row, too. */
export interface TouchingPairs {
  readonly count: number;
  /** `[n * 2]`: bodies a and b. */
  readonly bodies: Uint32Array<ArrayBuffer>;
  /** `[n]`: how many contacts a pair has. */
  readonly contacts: Uint32Array<ArrayBuffer>;
  /** `[n * 3]`: the mean of the points of its contacts, weighted by depth and, where contacts have one, area. */
  readonly points: Float64Array<ArrayBuffer>;
  /** `[n * 3]`: from a to b, of length 1: the mean of the normals, weighted alike. 0 where they cancel. */
  readonly normals: Float64Array<ArrayBuffer>;
  /** `[n * 3]`: on b, of all contacts together. On a there is the opposite. */
  readonly forces: Float64Array<ArrayBuffer>;
  /** `[n]`: of it, along the normal: above 0 where the bodies push each other away. */
  readonly normalForces: Float64Array<ArrayBuffer>;
  /** `[n * 3]`: the rest of it. */
  readonly tangentialForces: Float64Array<ArrayBuffer>;
}

/** Numbers per pair in each array. */
const WIDTHS = {
  ...{ bodies: 2, contacts: 1, points: 3, normals: 3 },
  ...{ forces: 3, normalForces: 1, tangentialForces: 3 },
} as const satisfies Record<keyof Omit<TouchingPairs, 'count'>, number>;

/**
 * Pairs of bodies that touch, with their forces.
 *
 * @param contacts of `Simulation.contacts()`
 * @param forces of `Simulation.contactForces()`, of the same step
 * @throws InputError for what is none of these
 */
export function touchingPairs(contacts: ContactArrays, forces: PairForces): TouchingPairs {
  requireRows('touchingPairs: contacts', contacts, {
    widths: { bodies: 2, distances: 1, areas: 1, points: 3, normals: 3 },
    ...{ rows: 'contacts', from: 'contacts of a simulation' },
  });
  requireRows('touchingPairs: forces', forces, {
    widths: { bodies: 2, forces: 3 },
    ...{ rows: 'pairs', from: 'contactForces of a simulation' },
  });
  const keysOf = ({ count, bodies }: { readonly count: number; readonly bodies: Uint32Array }) =>
    Float64Array.from({ length: count }, (_, i) => bodies[2 * i]! * 2 ** 32 + bodies[2 * i + 1]!);
  const [contactKeys, forceKeys] = [keysOf(contacts), keysOf(forces)];
  const keys = [...new Set([...contactKeys, ...forceKeys])].sort((a, b) => a - b);
  const rows = new Map(keys.map((key, row) => [key, row]));
  const count = rows.size;
  const pairs: TouchingPairs = {
    ...{ count, bodies: new Uint32Array(2 * count), contacts: new Uint32Array(count) },
    ...{ points: new Float64Array(3 * count), normals: new Float64Array(3 * count) },
    ...{ forces: new Float64Array(3 * count), normalForces: new Float64Array(count) },
    tangentialForces: new Float64Array(3 * count),
  };
  const weights = new Float64Array(count);
  contactKeys.forEach((key, i) => {
    const row = rows.get(key)!;
    pairs.bodies.set(contacts.bodies.subarray(2 * i, 2 * i + 2), 2 * row);
    pairs.contacts[row]!++;
    // A contact that only just touches counts as well where a pair has no other.
    const depth = Math.max(-contacts.distances[i]!, Number.MIN_VALUE);
    const weight = depth * (contacts.areas[i]! || 1);
    weights[row]! += weight;
    for (let k = 0; k < 3; k++) {
      pairs.points[3 * row + k]! += weight * contacts.points[3 * i + k]!;
      pairs.normals[3 * row + k]! += weight * contacts.normals[3 * i + k]!;
    }
  });
  forceKeys.forEach((key, i) => {
    const row = rows.get(key)!;
    pairs.bodies.set(forces.bodies.subarray(2 * i, 2 * i + 2), 2 * row);
    for (let k = 0; k < 3; k++) pairs.forces[3 * row + k]! += forces.forces[3 * i + k]!;
  });
  for (let row = 0; row < count; row++) {
    const normal = pairs.normals.subarray(3 * row, 3 * row + 3);
    const force = pairs.forces.subarray(3 * row, 3 * row + 3);
    const length = Math.hypot(...normal) || 1;
    for (let k = 0; k < 3; k++) {
      pairs.points[3 * row + k]! /= weights[row]! || 1;
      normal[k]! /= length;
    }
    const along = force.reduce((sum, f, k) => sum + f * normal[k]!, 0);
    pairs.normalForces[row] = along;
    for (let k = 0; k < 3; k++) pairs.tangentialForces[3 * row + k] = force[k]! - along * normal[k]!;
  }
  return pairs;
}

/** @throws InputError unless a value is what `touchingPairs` returned. */
export function requireTouchingPairs(place: string, pairs: unknown): void {
  requireRows(place, pairs, { widths: WIDTHS, rows: 'pairs', from: 'what touchingPairs returned' });
}

/**
 * `[n]`: how many bodies each body touches: its coordination number.
 *
 * @param bodies how many there are
 * @throws InputError for pairs of other bodies
 */
export function coordinationNumbers(pairs: TouchingPairs, bodies: number): Uint32Array<ArrayBuffer> {
  requireTouchingPairs('coordinationNumbers: pairs', pairs);
  const least = pairs.bodies.reduce((most, body) => Math.max(most, body + 1), 0);
  if (!(Number.isInteger(bodies) && bodies >= least && bodies < 2 ** 32)) {
    const expected = `how many bodies there are, ${least} or more`;
    throw new InputError(`coordinationNumbers: bodies: found ${told(bodies)}, expected ${expected}`);
  }
  const numbers = new Uint32Array(bodies);
  for (const body of pairs.bodies) numbers[body]!++;
  return numbers;
}

/** Tells which pairs of bodies begin to touch in a step, still touch, or touch no more. */
import { requireArray, requireObject, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import type { ContactArrays } from './contact-arrays.ts';

/** Contacts of an earlier step, for events. */
export type PreviousContacts = Pick<ContactArrays, 'count' | 'bodies'>;

/** Pairs of bodies that touch or touched, `[k * 2]` each, A < B, in order. */
export interface ContactEvents {
  /** The pair touches, and did not in the step before. */
  readonly began: Uint32Array<ArrayBuffer>;
  readonly persisted: Uint32Array<ArrayBuffer>;
  readonly ended: Uint32Array<ArrayBuffer>;
}

/**
 * The pairs of bodies in a list of contacts, each once, as sorted numbers `A * bodyCount + B`. These are whole below
 * 2^53, for up to 9e7 bodies.
 */
export function touchingPairs({ count, bodies }: PreviousContacts, bodyCount: number): Float64Array {
  const keys = new Float64Array(count);
  let found = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const key = bodies[2 * i]! * bodyCount + bodies[2 * i + 1]!;
    // Contacts of one pair mostly follow each other.
    if (key !== last) keys[found++] = key;
    last = key;
  }
  const sorted = keys.subarray(0, found).sort();
  let unique = 0;
  for (const key of sorted) if (unique === 0 || sorted[unique - 1] !== key) sorted[unique++] = key;
  return sorted.slice(0, unique);
}

/** @throws InputError unless these are contacts of so many bodies. */
export function requirePrevious(previous: PreviousContacts, bodyCount: number): void {
  requireObject('previous', previous, 'what detect returned');
  const { count, bodies } = previous;
  if (!(Number.isInteger(count) && count >= 0)) {
    throw new InputError(`previous.count: found ${told(count)}, expected how many there are`);
  }
  requireArray('previous.bodies', bodies, [Uint32Array], 'two bodies per contact');
  if (bodies.length !== 2 * count) {
    throw new InputError(
      `previous.bodies: ${bodies.length} numbers found, expected 2 per contact, ${2 * count}`,
    );
  }
  for (let i = 0; i < bodies.length; i += 2) {
    if (bodies[i]! < bodies[i + 1]! && bodies[i + 1]! < bodyCount) continue;
    throw new InputError(
      `previous.bodies: contact ${i / 2} is of bodies ${bodies[i]} and ${bodies[i + 1]}, ` +
        `expected two below ${bodyCount}, the lower first`,
    );
  }
}

/** Compares the pairs of two steps, from `touchingPairs`. */
export function eventsBetween(before: Float64Array, now: Float64Array, bodyCount: number): ContactEvents {
  const [began, persisted, ended] = [[], [], []] as [number[], number[], number[]];
  const add = (list: number[], key: number) => list.push(Math.floor(key / bodyCount), key % bodyCount);
  let [i, k] = [0, 0];
  while (i < before.length || k < now.length) {
    const [was, is] = [before[i] ?? Infinity, now[k] ?? Infinity];
    if (was < is) add(ended, was);
    else if (was > is) add(began, is);
    else add(persisted, is);
    if (was <= is) i++;
    if (is <= was) k++;
  }
  return {
    began: Uint32Array.from(began),
    persisted: Uint32Array.from(persisted),
    ended: Uint32Array.from(ended),
  };
}

// Room for the answers to a query.
import { MOST_MANIFOLD_POINTS } from '../constants.ts';
import { InputError } from '../errors.ts';
import { takeMemory } from '../workers/spare-memory.ts';
import { CONTACT } from './manifold.ts';
import type { PairArrays } from './pair-query.ts';
import type { PairKind } from './solve.ts';

/** Numbers of contacts per pair. */
export const CONTACTS_PER_PAIR = CONTACT * MOST_MANIFOLD_POINTS;

/** Numbers per pair of each array. */
function sizesOf(kind: PairKind) {
  const one = kind === 'intersect' ? 0 : 1;
  const manifold = kind === 'manifold' ? 1 : 0;
  return {
    ...{ distance: one, lower: one, upper: one, normal: 3 * one, pointA: 3 * one, pointB: 3 * one },
    ...{ status: 1, iterations: 1, contactCounts: manifold, contacts: CONTACTS_PER_PAIR * manifold },
  } as const;
}

type Maker = <A>(
  type: { new (length: number): A; new (buffer: ArrayBuffer, offset: number, length: number): A } & {
    readonly BYTES_PER_ELEMENT: number;
  },
  length: number,
) => A;

function makeArrays(kind: PairKind, count: number, make: Maker): PairArrays<Float64Array> {
  const sizes = sizesOf(kind);
  const numbers = (name: keyof typeof sizes) => make(Float64Array, sizes[name] * count);
  return {
    distance: numbers('distance'),
    lower: numbers('lower'),
    upper: numbers('upper'),
    normal: numbers('normal'),
    pointA: numbers('pointA'),
    pointB: numbers('pointB'),
    status: make(Uint8Array, count),
    iterations: make(Uint32Array, count),
    contactCounts: make(Uint8Array, sizes.contactCounts * count),
    contacts: numbers('contacts'),
  };
}

/** Arrays for the answers to so many pairs. @throws InputError where there is not enough memory for them. */
export function arraysFor(kind: PairKind, count: number): PairArrays<Float64Array> {
  return holding(kind, count, () => makeArrays(kind, count, (type, length) => new type(length)));
}

/** The same in memory that worker threads see, not cleared; to be given back. @throws InputError as `arraysFor` does. */
export function sharedArraysFor(kind: PairKind, count: number): PairArrays<Float64Array> {
  return holding(kind, count, () =>
    makeArrays(kind, count, (type, length) => takeMemory(type, length, true)),
  );
}

/** Runs what makes arrays. */
function holding<T>(kind: PairKind, count: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    // What engines throw where they get no memory, or an array would be longer than any can be.
    if (!(error instanceof RangeError)) throw error;
    const { status, iterations, contactCounts, ...numbers } = sizesOf(kind);
    const bytes = 8 * Object.values(numbers).reduce((sum, size) => sum + size, 0) + 5 + contactCounts;
    throw new InputError(
      `pairs: ${count} pairs found, whose answers take ${bytes} bytes each: more than there is memory for (${error.message}); ask in parts`,
      { cause: error },
    );
  }
}

/** Copies the answers to pairs `first .. end - 1` from one place to the same place elsewhere. */
export function copyAnswers(
  kind: PairKind,
  from: PairArrays,
  to: PairArrays,
  first: number,
  end: number,
): void {
  const sizes = sizesOf(kind);
  for (const name of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const size = sizes[name];
    to[name].set(from[name].subarray(size * first, size * end), size * first);
  }
}

/** Clears what is added to, and what is not written for every pair. */
export function clearAnswers(kind: PairKind, arrays: PairArrays, first: number, end: number): void {
  arrays.iterations.fill(0, first, end);
  if (kind !== 'manifold') return;
  arrays.contactCounts.fill(0, first, end);
  arrays.contacts.fill(0, CONTACTS_PER_PAIR * first, CONTACTS_PER_PAIR * end);
}

// Room for the answers to a query.

import { InputError } from '../../errors.ts';
import { takeMemory } from '../../workers/spare-memory.ts';
import { MOST_MANIFOLD_POINTS } from '../constants.ts';
import { CONTACT } from '../manifold/contact-plane.ts';
import type { PairKind } from './pair-kinds.ts';
import type { PairArrays } from './pair-query.ts';

/** Numbers of contacts per pair. */
export const CONTACTS_PER_PAIR = CONTACT * MOST_MANIFOLD_POINTS;
/** Numbers of their normals. */
export const NORMALS_PER_PAIR = 3 * MOST_MANIFOLD_POINTS;

/** Numbers per pair of each array. */
export function sizesOf(kind: PairKind) {
  const one = kind === 'intersect' ? 0 : 1;
  const manifold = kind === 'manifold' ? 1 : 0;
  return {
    ...{ distance: one, lower: one, upper: one, normal: 3 * one, pointA: 3 * one, pointB: 3 * one },
    ...{ status: 1, iterations: 1, contactCounts: manifold, contacts: CONTACTS_PER_PAIR * manifold },
    contactNormals: NORMALS_PER_PAIR * manifold,
  } as const;
}

interface ArrayType<A> {
  new (length: number): A;
  new (buffer: ArrayBuffer, offset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

type Maker = <A>(type: ArrayType<A>, length: number) => A;

function makeArrays<A extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  kind: PairKind,
  count: number,
  type: ArrayType<A>,
  make: Maker,
): PairArrays<A> {
  const sizes = sizesOf(kind);
  const numbers = (name: keyof typeof sizes) => make(type, sizes[name] * count);
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
    contactNormals: numbers('contactNormals'),
  };
}

/** Arrays for the answers to so many pairs. @throws InputError where there is not enough memory for them. */
export function arraysFor(kind: PairKind, count: number): PairArrays<Float64Array<ArrayBuffer>> {
  return newArrays(kind, count, Float64Array);
}

/** The same in float32. */
export function float32ArraysFor(kind: PairKind, count: number): PairArrays<Float32Array<ArrayBuffer>> {
  return newArrays(kind, count, Float32Array);
}

function newArrays<A extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  kind: PairKind,
  count: number,
  numbers: ArrayType<A>,
): PairArrays<A> {
  return holding(kind, count, numbers.BYTES_PER_ELEMENT, () =>
    makeArrays(kind, count, numbers, (type, length) => new type(length)),
  );
}

/**
 * The same in memory that worker threads see, not cleared; to be given back. @throws InputError as `arraysFor` does.
 */
export function sharedArraysFor(kind: PairKind, count: number): PairArrays<Float64Array<ArrayBuffer>> {
  return holding(kind, count, 8, () =>
    makeArrays(kind, count, Float64Array, (type, length) => takeMemory(type, length, true)),
  );
}

/** Runs a function that makes arrays; turns a lack of memory into an InputError. */
function holding<T>(kind: PairKind, count: number, bytesEach: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    // Engines throw this if they get no memory, or if an array would be too long.
    if (!(error instanceof RangeError)) throw error;
    const { status, iterations, contactCounts, ...numbers } = sizesOf(kind);
    const bytes = bytesEach * Object.values(numbers).reduce((sum, size) => sum + size, 0) + 5 + contactCounts;
    throw new InputError(
      `pairs: ${count} pairs found, whose answers take ${bytes} bytes each: ` +
        `more than there is memory for (${error.message}); ask in parts`,
      { cause: error },
    );
  }
}

/** Copies the answers to the first `count` pairs of one query to those from `at` on of another. */
export function copyAnswers(
  kind: PairKind,
  from: PairArrays,
  to: PairArrays,
  at: number,
  count: number,
): void {
  const sizes = sizesOf(kind);
  for (const name of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const size = sizes[name];
    to[name].set(from[name].subarray(0, size * count), size * at);
  }
}

/** Clears the arrays that are added to, and those that are not written for every pair. */
export function clearAnswers(kind: PairKind, arrays: PairArrays, first: number, end: number): void {
  arrays.iterations.fill(0, first, end);
  if (kind !== 'manifold') return;
  arrays.contactCounts.fill(0, first, end);
  arrays.contacts.fill(0, CONTACTS_PER_PAIR * first, CONTACTS_PER_PAIR * end);
  arrays.contactNormals.fill(0, NORMALS_PER_PAIR * first, NORMALS_PER_PAIR * end);
}

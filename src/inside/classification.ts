import { requireArray } from '../arguments.ts';
import { InputError } from '../errors.ts';
import type { Backend } from '../gpu/backend.ts';
import type { AdapterSummary } from '../gpu/device.ts';
import { firstNonFinite } from '../mesh/finite.ts';

/** Flags of `classify`: where a point lies relative to the polyhedron. */
export const OUTSIDE = 0;
export const INSIDE = 1;
export const BOUNDARY = 2;
/** Flag of a point that a method does not certify: exact predicates settle it. It never leaves a call. */
export const DOUBTFUL = 3;

/** Words of a kernel's list of doubtful points before their numbers. */
export const LIST_HEADER = 3;
/** Those words. Kernels other than the cell grid's leave the first two 0. */
export const ListWord = {
  /** Points that were asked about, whether there was room for them or not. */
  needed: 0,
  /** Points that there is room for; with a count of the host's, that count. */
  room: 1,
  /** Points in the list. */
  listed: 2,
} as const;

/** How points can be tested. */
export const METHODS = ['cell-grid', 'ray-crossing', 'multipole', 'clusters', 'direct'] as const;
export type Method = (typeof METHODS)[number];

/** Rules of closed surfaces, which crossings of a ray decide; see `RULES`. */
export const CROSSING_RULES = ['odd', 'nonzero'] as const;
export type CrossingRule = (typeof CROSSING_RULES)[number];

/**
 * When a point counts as inside: `odd`: a ray from it crosses the surface an odd number of times; `nonzero`: the
 * winding number of the surface around it is not zero (needs consistently oriented faces); `winding`: the generalised
 * winding number is above 1/2, for every mesh: open, with faces turned, doubled or passing through each other.
 */
export const RULES = [...CROSSING_RULES, 'winding'] as const;
export type Rule = (typeof RULES)[number];

/** Seconds of wall time spent per stage of one `classify` call. */
export interface ClassifySeconds {
  /** Building the tables of the method and compiling its kernels; near 0 where an earlier call did. */
  readonly build: number;
  /** Sorting, packing and handing points to the GPU. */
  readonly upload: number;
  /** Kernels, from submission until the queue is done; on the CPU, the tests themselves. */
  readonly classify: number;
  /** Reading flags back. */
  readonly readback: number;
  /** Settling uncertified points on the host: with exact predicates, and by rule `winding` with more precise sums. */
  readonly exact: number;
  readonly total: number;
  /**
   * The kernels of `classify` by the GPU's own clock, without what lies between them; only where `timestamps` was asked
   * for, the GPU did the work, and the device has the feature `timestamp-query`. Browsers round it, to a tenth of a
   * millisecond a pass.
   */
  readonly gpu?: number;
}

/** The expansions that method `multipole` answered by. */
export interface Expansion {
  /** Degree p. */
  readonly degree: number;
  /** Separation d. */
  readonly separation: number;
  /** Finest level of the evaluation tree. */
  readonly level: number;
  /** Wall seconds of their set-up by stage, whichever call made it. Some stages overlap. Empty on the CPU. */
  readonly setUpSeconds: Readonly<Record<string, number>>;
}

export interface Classification {
  /** One byte per point, in the order given: 0 outside, 1 inside, 2 exactly on a triangle. */
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly counts: {
    readonly points: number;
    readonly outside: number;
    readonly inside: number;
    readonly boundary: number;
  };
  /**
   * Points whose flag the method could not certify and that exact predicates settled, or, by rule `winding`, the direct
   * sum.
   */
  readonly resolvedExactly: number;
  /**
   * Points of rule `winding` whose winding number is within the float64 rounding of 1/2: their flag says on which side
   * of it the float64 sum is. 0 for other rules, and for closed, consistently oriented meshes, where all flags are
   * exact.
   */
  readonly undecided: number;
  readonly method: Method;
  readonly backend: Backend;
  /** Why this method and backend, where one of them was left to scree. */
  readonly reason: string;
  /** Undefined for methods other than `multipole`. */
  readonly expansion: Expansion | undefined;
  readonly rule: Rule;
  /** The adapter of the body's device, or undefined for a body without one. With backend `cpu` it did no work. */
  readonly adapter: AdapterSummary | undefined;
  readonly triangles: number;
  readonly seconds: ClassifySeconds;
  /** Bytes of the method's tables on the host. */
  readonly tableBytes: number;
  /**
   * Bytes of GPU buffers alive at the peak of the call, tables included. With backend `cpu` they are the tables that
   * lie there because an earlier call used them: 0 where none did.
   */
  readonly gpuBytes: number;
}

/**
 * The number of points. Whether they are finite is not looked at.
 *
 * @throws InputError for what are none.
 */
export function countPoints(points: Float32Array): number {
  requireArray('points', points, [Float32Array], '[x, y, z] per point');
  if (points.length % 3 !== 0) {
    throw new InputError(`points: ${points.length} coordinates found, expected a multiple of 3`);
  }
  return points.length / 3;
}

/**
 * @param first points before these, where they are a part of more
 * @throws InputError for the first coordinate that is not finite.
 */
export function requireFinite(points: Float32Array, first = 0): void {
  const i = firstNonFinite(points);
  if (i < 0) return;
  throw new InputError(
    `points: point ${first + Math.floor(i / 3)} has the coordinate ${points[i]}, expected a finite number`,
  );
}

/** The number of points, which are all finite. @throws InputError as `countPoints` and `requireFinite` do. */
export function requirePoints(points: Float32Array): number {
  const count = countPoints(points);
  requireFinite(points);
  return count;
}

/** A lane that looks at points as it tests them met one that is not finite. `namingPoint` says which. */
export class NotFinite extends Error {}

/** For lanes that have read all of their points: callers may have written to them since they were checked. */
export function requireStillFinite(points: Float32Array): void {
  if (firstNonFinite(points) >= 0) throw new NotFinite();
}

/** Result of work on points. If it met one that is not finite, this rejects as `requireFinite` does. */
export async function namingPoint<T>(
  points: Float32Array,
  first: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFinite) requireFinite(points, first);
    throw error;
  }
}

/** Numbers of the points whose flag is DOUBTFUL. */
export function doubtfulOf(flags: Uint8Array): Uint32Array {
  let count = 0;
  // The highest flag, and the only one with both bits.
  for (let i = 0; i < flags.length; i++) count += flags[i]! & (flags[i]! >> 1) & 1;
  const found = new Uint32Array(count);
  if (count === 0) return found;
  for (let i = 0, n = 0; n < count; i++) if (flags[i] === DOUBTFUL) found[n++] = i;
  return found;
}

export function countFlags(flags: Uint8Array): Classification['counts'] {
  const words = new Uint32Array(
    flags.buffer,
    flags.byteOffset,
    flags.byteOffset % 4 === 0 ? flags.length >> 2 : 0,
  );
  let inside = 0;
  let boundary = 0;
  // Four flags at a time. A flag has one of two bits at most, INSIDE or BOUNDARY: the product adds up those of all
  // four.
  for (let w = 0; w < words.length; w++) {
    inside += Math.imul(words[w]! & 0x01010101, 0x01010101) >>> 24;
    boundary += Math.imul((words[w]! >>> 1) & 0x01010101, 0x01010101) >>> 24;
  }
  for (let n = 4 * words.length; n < flags.length; n++) {
    inside += flags[n]! & INSIDE;
    boundary += (flags[n]! & BOUNDARY) >> 1;
  }
  return { points: flags.length, outside: flags.length - inside - boundary, inside, boundary };
}

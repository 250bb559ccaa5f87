// Queries for many pairs on the host, in float64: the CPU backend, and the twin of the kernels.
import { CONVEX_TOLERANCE, MOST_MANIFOLD_POINTS, TOUCHING_TOLERANCE } from '../constants.ts';
import { InputError } from '../errors.ts';
import { CONTACT, contactManifold } from './manifold.ts';
import type { Pair } from './pair.ts';
import { placements } from './pose.ts';
import { INTEGERS } from './records.ts';
import type { ShapeTable } from './shape-table.ts';
import { PAIR_ALGORITHMS, PAIR_KINDS, type PairAlgorithm, type PairKind, PairSolver } from './solve.ts';
import { PairStatus } from './status.ts';

export { PAIR_ALGORITHMS, PAIR_KINDS, type PairAlgorithm, type PairKind } from './solve.ts';

/** A query for many pairs. */
export interface PairQuery {
  /** `[n * 7]`: position x, y, z and unit quaternion x, y, z, w of each body. */
  readonly poses: Float32Array | Float64Array;
  /** `[m * 2]`: the bodies of each pair. */
  readonly pairs: Uint32Array;
  /** `[n]`: the shape of each body. Default: body i has shape i. */
  readonly bodies?: Uint32Array;
  readonly kind: PairKind;
  /** Default `gjk`. */
  readonly algorithm?: PairAlgorithm;
  /** Gap between the bounds of a distance, relative to the pair's size, 2^-46 to 0.1. Default 2^-36. */
  readonly tolerance?: number;
  /** Radius that `sweep-gjk` sweeps each shape with. Length, default 0. */
  readonly sweepRadius?: number;
  /** Results of the last query for the same pairs: their normals are where the search starts. */
  readonly previous?: Pick<PairResults, 'normal'>;
}

/** Results, one entry per pair; float64. */
export interface PairResults {
  /** Signed distance, positive where apart; for kind `distance` 0 where they intersect. Empty for kind `intersect`. */
  readonly distance: Float64Array;
  /** Bounds of the exact signed distance, by the same rules; Infinity where not known. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** `[m * 3]`: unit normal out of A, towards B, in the world. */
  readonly normal: Float64Array;
  /** `[m * 3]`: points on A and on B, in the world; pointB - pointA = distance * normal. */
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  /** `PairStatus` of each pair. */
  readonly status: Uint8Array;
  /** Support points asked for, of both shapes at once. */
  readonly iterations: Uint32Array;
  /** Pairs that the algorithm asked for left undecided and a surer one decided. */
  readonly redone: number;
  /** For kind `manifold`: contacts of each pair, 0 where apart. */
  readonly contactCounts: Uint8Array;
  /** `[m * 16 * 4]`: x, y, z in the world, halfway between the shapes, and their distance there. */
  readonly contacts: Float64Array;
}

/**
 * Answers a query for many pairs.
 *
 * @throws InputError that names the field of the query, what was found and what was expected.
 */
export function queryPairs(table: ShapeTable, query: PairQuery): PairResults {
  const bodies = requireBodies(table, query);
  requireOptions(query);
  const { pairs, kind, previous } = query;
  const count = pairs.length / 2;
  const placed = placements(query.poses);
  const wanted = kind === 'intersect' ? 0 : count;
  const results = {
    distance: new Float64Array(wanted),
    lower: new Float64Array(wanted),
    upper: new Float64Array(wanted),
    normal: new Float64Array(3 * wanted),
    pointA: new Float64Array(3 * wanted),
    pointB: new Float64Array(3 * wanted),
    status: new Uint8Array(count),
    iterations: new Uint32Array(count),
    redone: 0,
    contactCounts: new Uint8Array(kind === 'manifold' ? count : 0),
    contacts: new Float64Array(kind === 'manifold' ? CONTACT * MOST_MANIFOLD_POINTS * count : 0),
  };
  const run = new PairRun(table, query, results);
  const warm = previous !== undefined && previous.normal.length === 3 * count ? previous.normal : undefined;
  for (let i = 0; i < count; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    run.answer(i, bodies[a]!, placed, 12 * a, bodies[b]!, placed, 12 * b, warm);
  }
  return results;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** One query under way: work space and where results go. */
class PairRun {
  readonly #table: ShapeTable;
  readonly #kind: PairKind;
  readonly #results: Writable<PairResults>;
  readonly #solver: PairSolver;
  readonly #pair: Pair;
  readonly #partA = new Float64Array(12);
  readonly #partB = new Float64Array(12);

  constructor(table: ShapeTable, query: PairQuery, results: Writable<PairResults>) {
    const { kind, algorithm = 'gjk', tolerance = CONVEX_TOLERANCE, sweepRadius = 0 } = query;
    this.#table = table;
    this.#kind = kind;
    this.#results = results;
    this.#solver = new PairSolver(table, { kind, algorithm, tolerance, sweepRadius });
    this.#pair = this.#solver.pair;
  }

  /** Answers pair i: of all pairs of parts, the one with the least signed distance. */
  answer(
    i: number,
    shapeA: number,
    placedA: Float64Array,
    a: number,
    shapeB: number,
    placedB: Float64Array,
    b: number,
    warm: Float64Array | undefined,
  ): void {
    const { integers, partRecords, partPlacements } = this.#table;
    const partsA = integers[INTEGERS * shapeA + 7]!;
    const partsB = integers[INTEGERS * shapeB + 7]!;
    if (partsA === 0 && partsB === 0) {
      this.#pair.place(shapeA, placedA, a, shapeB, placedB, b, warm, 3 * i);
      this.#store(i, this.#solver.solve(), true);
      return;
    }
    const firstA = integers[INTEGERS * shapeA + 6]!;
    const firstB = integers[INTEGERS * shapeB + 6]!;
    let first = true;
    for (let p = 0; p < Math.max(1, partsA); p++) {
      if (partsA === 0) this.#partA.set(placedA.subarray(a, a + 12));
      else compose(placedA, a, partPlacements, 12 * (firstA + p), this.#partA);
      for (let q = 0; q < Math.max(1, partsB); q++) {
        if (partsB === 0) this.#partB.set(placedB.subarray(b, b + 12));
        else compose(placedB, b, partPlacements, 12 * (firstB + q), this.#partB);
        const recordA = partsA === 0 ? shapeA : partRecords[firstA + p]!;
        const recordB = partsB === 0 ? shapeB : partRecords[firstB + q]!;
        this.#pair.place(recordA, this.#partA, 0, recordB, this.#partB, 0, undefined, 0);
        this.#store(i, this.#solver.solve(), first);
        first = false;
      }
    }
  }

  /** Writes a pair's answer in world coordinates; of parts, the nearer one replaces what is there. */
  #store(i: number, status: PairStatus, first: boolean): void {
    const pair = this.#pair;
    const results = this.#results;
    results.iterations[i]! += pair.calls;
    results.redone = this.#solver.redone;
    if (this.#kind === 'intersect') {
      const before = results.status[i]!;
      if (first || before === PairStatus.separated || status === PairStatus.converged)
        results.status[i] = status;
      return;
    }
    if (!first && !(pair.distance < results.distance[i]!)) return;
    results.status[i] = status;
    results.distance[i] = pair.distance;
    results.lower[i] = pair.lower;
    results.upper[i] = pair.upper;
    const r = pair.frame;
    const { normal, pointA, pointB } = pair;
    for (let k = 0; k < 3; k++) {
      const x = r[3 * k]!;
      const y = r[3 * k + 1]!;
      const z = r[3 * k + 2]!;
      results.normal[3 * i + k] = x * normal[0]! + y * normal[1]! + z * normal[2]!;
      results.pointA[3 * i + k] = r[9 + k]! + (x * pointA[0]! + y * pointA[1]! + z * pointA[2]!);
      results.pointB[3 * i + k] = r[9 + k]! + (x * pointB[0]! + y * pointB[1]! + z * pointB[2]!);
    }
    if (this.#kind === 'manifold') this.#storeManifold(i, status);
  }

  #storeManifold(i: number, status: PairStatus): void {
    const pair = this.#pair;
    const { contacts, contactCounts } = this.#results;
    const at = CONTACT * MOST_MANIFOLD_POINTS * i;
    const count = status === PairStatus.separated ? 0 : contactManifold(pair, contacts, at);
    contactCounts[i] = count;
    const r = pair.frame;
    for (let c = at; c < at + CONTACT * count; c += CONTACT) {
      const x = contacts[c]!;
      const y = contacts[c + 1]!;
      const z = contacts[c + 2]!;
      for (let k = 0; k < 3; k++) {
        contacts[c + k] = r[9 + k]! + (r[3 * k]! * x + r[3 * k + 1]! * y + r[3 * k + 2]! * z);
      }
    }
  }
}

/** Placement of a part: that of the whole after that of the part in it. */
function compose(w: Float64Array, o: number, p: Float64Array, q: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const x = w[o + 3 * i]!;
    const y = w[o + 3 * i + 1]!;
    const z = w[o + 3 * i + 2]!;
    for (let j = 0; j < 3; j++) out[3 * i + j] = x * p[q + j]! + y * p[q + 3 + j]! + z * p[q + 6 + j]!;
    out[9 + i] = w[o + 9 + i]! + (x * p[q + 9]! + y * p[q + 10]! + z * p[q + 11]!);
  }
}

function requireBodies(table: ShapeTable, { poses, pairs, bodies }: PairQuery): Uint32Array {
  const count = poses.length / 7;
  const shapes = bodies ?? Uint32Array.from({ length: Math.floor(count) }, (_, i) => i);
  if (bodies !== undefined && bodies.length !== count) {
    throw new InputError(`bodies: ${bodies.length} found, expected one per pose, ${count}`);
  }
  for (let i = 0; i < shapes.length; i++) {
    if (shapes[i]! >= table.count) {
      throw new InputError(`bodies: body ${i} has the shape ${shapes[i]}, expected less than ${table.count}`);
    }
  }
  if (pairs.length % 2 !== 0) {
    throw new InputError(`pairs: ${pairs.length} numbers found, expected a multiple of 2`);
  }
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i]! >= count) {
      throw new InputError(`pairs: pair ${i >> 1} names the body ${pairs[i]}, expected less than ${count}`);
    }
  }
  return shapes;
}

function requireOptions({
  kind,
  algorithm = 'gjk',
  tolerance = CONVEX_TOLERANCE,
  sweepRadius = 0,
}: PairQuery): void {
  if (!PAIR_KINDS.includes(kind)) {
    throw new InputError(`kind is ${JSON.stringify(kind)}, expected ${PAIR_KINDS.join(', ')}`);
  }
  if (!PAIR_ALGORITHMS.includes(algorithm)) {
    throw new InputError(`algorithm is ${JSON.stringify(algorithm)}, expected ${PAIR_ALGORITHMS.join(', ')}`);
  }
  if (!(tolerance >= TOUCHING_TOLERANCE && tolerance <= 0.1)) {
    throw new InputError(`tolerance is ${tolerance}, expected ${TOUCHING_TOLERANCE} to 0.1`);
  }
  if (!(sweepRadius >= 0 && sweepRadius < Infinity)) {
    throw new InputError(`sweepRadius is ${sweepRadius}, expected a length of at least 0`);
  }
}
